"""Storm, bus tour and campfire: a joint distribution from three small tables."""

from collections.abc import Mapping

from bayesic import datasets
from bayesic.networks.network import BeliefNetwork
from bayesic.serve.request_bodies import check_fields
from bayesic.studio.lessons.lesson_values import exact_number

VARIABLES = ("Storm", "BusTourGroup", "Campfire")


def campfire(body: Mapping[str, object]) -> dict[str, object]:
    """The joint table, and what follows from what is observed.

        P(s, b, c) = P(s) P(b) P(c | s, b)

    >>> answer = campfire({"storm": "0.25", "bus": "0.5", "given": {"Campfire": True}})
    >>> round(answer["beliefs"]["Storm"][0], 12) == round(1 / 7, 12)
    True
    """
    check_fields(body, ("storm", "bus", "given"))
    storm, bus = (float(exact_number(name, body[name])) for name in ("storm", "bus"))
    given = body["given"]
    if not isinstance(given, dict) or not all(
        name in VARIABLES and isinstance(state, bool) for name, state in given.items()
    ):
        raise ValueError(
            f"given must map some of {', '.join(VARIABLES)} to true or false, got {given!r:.60}."
        )
    net = datasets.campfire(storm, bus)
    beliefs = net.query(given=given)
    joint = net.query(VARIABLES)
    table = net.table("Campfire")
    return {
        "beliefs": {name: beliefs[name].probabilities.tolist() for name in VARIABLES},
        "table": [
            {"storm": s, "bus": b, "probabilities": [table[s, b, True], table[s, b, False]]}
            for s in (True, False)
            for b in (True, False)
        ],
        "joint": [
            {
                "states": states,
                "factors": [
                    net.table("Storm")[states[0]],
                    net.table("BusTourGroup")[states[1]],
                    table[states],
                ],
                "probability": joint[states],
                "agrees": all(
                    given.get(name, state) is state
                    for name, state in zip(VARIABLES, states, strict=True)
                ),
            }
            for states in joint
        ],
        "evidence": _probability(net, given),
    }


def _probability(net: BeliefNetwork, given: dict[str, bool]) -> float:
    """P(what is observed); of nothing it is 1."""
    if not given:
        return 1.0
    states = net.query(list(given))
    return float(states[tuple(given.values()) if len(given) > 1 else next(iter(given.values()))])
