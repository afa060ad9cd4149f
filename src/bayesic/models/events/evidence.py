"""The cells of one column given their classes, their parameters integrated out."""

from bayesic.estimation.dirichlet_evidence import dirichlet_log_evidence, pseudo_counts_before
from bayesic.models.events.event import EventModel
from bayesic.models.events.shares import Binned, Shares
from bayesic.models.events.text import Text
from bayesic.models.log_evidence import LEVELS, WORDS, bins_at

_WHY_NOT = {
    "gaussian": "its mean and variance have no prior, and GaussianNB.log_evidence states one",
    "kernel": "a kernel density has no parameters that could have a prior",
    "poisson": "its rates are smoothed by the mean of all rows, so the prior depends on them",
}


def column_evidence(name: str, event: EventModel, chosen: bool) -> tuple[float, str]:
    """log P of the cells of a column, and what they are taken for; of texts, word by word.

    A column without a closed form is refused. chosen : whether its lambda was chosen by the rows
    """
    if not isinstance(event, Shares):
        raise ValueError(
            f"The evidence needs a closed form for every column, and column {name!r} is "
            f"{event.kind}: {_WHY_NOT[event.kind]}. Declare it 'binned', 'categorical' or "
            f"'ignore', as in columns={{{name!r}: 'binned'}}."
        )
    if chosen:
        raise ValueError(
            "The evidence needs a prior that does not depend on the rows, but smoothing='auto' has "
            f"chosen lambda={event.rule.amount:g} for column {name!r} by them. Give it a number "
            "above 0."
        )
    facts = len(event.table), event.n_levels, f"column {name!r}"
    pseudo, all_pseudo = pseudo_counts_before(event.rule, *facts)
    totals = event.table.sum(axis=0)
    log = dirichlet_log_evidence(event.table, pseudo[:, None], totals, all_pseudo)
    if isinstance(event, Binned):
        return log, bins_at(event.cuts)
    return log, WORDS if isinstance(event, Text) else LEVELS
