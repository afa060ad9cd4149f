"""Networks of the textbooks. Only numbers that are printed are here."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bayesic.networks.network import BeliefNetwork


def campfire(storm: float | None = None, bus_tour_group: float | None = None) -> "BeliefNetwork":
    """Storm and BusTourGroup -> Campfire, of [Mitchell] figure 6.3; states True and False.

    The book prints the table of Campfire only. P(Storm = True) and P(BusTourGroup = True) are left
    to the reader: without them the two variables have no table yet.

    >>> net = campfire(storm=0.25, bus_tour_group=0.5)
    >>> net.table("Campfire")[True, True, True]
    0.4
    >>> campfire().variables_without_table
    ('Storm', 'BusTourGroup')
    """
    from bayesic.networks.network import BeliefNetwork

    priors = {"Storm": storm, "BusTourGroup": bus_tour_group}
    tables: dict[str, dict] = {
        variable: {True: share, False: 1 - share}
        for variable, share in priors.items()
        if share is not None
    }
    tables["Campfire"] = {
        (True, True): {True: 0.4, False: 0.6},
        (True, False): {True: 0.1, False: 0.9},
        (False, True): {True: 0.8, False: 0.2},
        (False, False): {True: 0.2, False: 0.8},
    }
    return BeliefNetwork(
        edges=[("Storm", "Campfire"), ("BusTourGroup", "Campfire")],
        tables=tables,
        states=dict.fromkeys((*priors, "Campfire"), (True, False)),
    )


def asia() -> "BeliefNetwork":
    """The chest clinic of [LauritzenSpiegelhalter], known as ASIA; states yes and no.

    A visit to Asia, tuberculosis, smoking, lung cancer, bronchitis, tuberculosis or cancer, a
    positive X-ray, dyspnoea: eight variables under their usual short names.

    >>> asia().table("dysp")["yes", "no", "yes"]  # bronchitis, neither of the other two
    0.8
    """
    from bayesic.networks.network import BeliefNetwork

    def yes(share: float) -> dict[str, float]:
        return {"yes": share, "no": round(1 - share, 2)}

    return BeliefNetwork(
        edges=[
            ("asia", "tub"),
            ("smoke", "lung"),
            ("smoke", "bronc"),
            ("lung", "either"),
            ("tub", "either"),
            ("either", "xray"),
            ("bronc", "dysp"),
            ("either", "dysp"),
        ],
        tables={
            "asia": yes(0.01),
            "tub": {"yes": yes(0.05), "no": yes(0.01)},
            "smoke": yes(0.5),
            "lung": {"yes": yes(0.1), "no": yes(0.01)},
            "bronc": {"yes": yes(0.6), "no": yes(0.3)},
            "either": {
                ("yes", "yes"): yes(1.0),
                ("no", "yes"): yes(1.0),
                ("yes", "no"): yes(1.0),
                ("no", "no"): yes(0.0),
            },
            "xray": {"yes": yes(0.98), "no": yes(0.05)},
            "dysp": {
                ("yes", "yes"): yes(0.9),
                ("no", "yes"): yes(0.7),
                ("yes", "no"): yes(0.8),
                ("no", "no"): yes(0.1),
            },
        },
    )
