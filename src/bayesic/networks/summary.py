"""What there is in a network, and how much its variables tell of one of them."""

from typing import TYPE_CHECKING

from bayesic.evidence.summary import ClassSummary, ColumnSummary, Summary, sorted_by_bits

if TYPE_CHECKING:
    from bayesic.networks.network import BeliefNetwork


def network_summary(network: "BeliefNetwork", target: str | None) -> Summary:
    """The variables of a network; with a target, those that tell most of it come first.

    >>> from bayesic.datasets import asia
    >>> [part.name for part in network_summary(asia(), "lung").columns][:2]
    ['either', 'xray']
    """
    bits: dict[str, float] = {}
    classes: tuple[ClassSummary, ...] = ()
    entropy = None
    if target is not None:
        found = network.mutual_information(target)
        shares = network.query(target)
        bits, entropy = dict(found), found.entropy
        classes = tuple(ClassSummary(state, None, share) for state, share in shares.items())
    parents = {name: ", ".join(network.parents(name)) for name in network.variables}
    columns = [
        ColumnSummary(
            name,
            "states",
            len(network.states(name)),
            bits.get(name),
            note=f"depends on {parents[name]}" if parents[name] else "",
        )
        for name in network.variables
        if name != target
    ]
    return Summary(
        model=type(network).__name__,
        rows=network._n_rows(),
        target=target,
        classes=classes,
        columns=sorted_by_bits(columns),
        entropy=entropy,
        pairs=None,
        n_parameters=network.n_parameters,
        noun="variable",
        of_what="state",
        notes=() if target else ("What variables tell of one of them: summary(target).",),
    )
