"""What is counted: what levels and words say about the class, and the table of their values."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np

from bayesic.data.typing import Label
from bayesic.estimation.information import share_information, telling
from bayesic.estimation.prior import ClassPrior
from bayesic.evidence.column_table import ColumnTable, Record, shares_by_class
from bayesic.evidence.fractions import class_shares, exact
from bayesic.evidence.summary import ColumnSummary
from bayesic.kernels import Array
from bayesic.models.events.automatic import leave_one_out_score
from bayesic.models.events.shares import Shares

BITS_OF_OCCURRENCES = "bits: what each adds to the information from one occurrence of any of them."


def level_summary(
    name: str, kind: str, event: Shares, prior: Array, n_rows: float, note: str = ""
) -> ColumnSummary:
    """A column of levels with these counts and shares."""
    bits = share_information(level_shares(event), prior)
    left_out = left_out_bits(
        partial(Shares.scores_without, smoothed(event)),
        np.arange(len(event.table)),
        event.table,
        n_rows,
    )
    return ColumnSummary(name, kind, event.n_levels, bits, left_out, note)


def level_summaries(
    names: Sequence[str], kind: str, event_at: Callable[[int], Shares], prior: ClassPrior
) -> list[ColumnSummary]:
    """Features that have a few values each, by their places."""
    n_rows = float(prior.class_count.sum())
    return [
        level_summary(name, kind, event_at(place), prior.probability, n_rows)
        for place, name in enumerate(names)
    ]


def feature_table(
    name: str, kind: str, event: Shares, classes: list, prior: ClassPrior, fractions: bool
) -> ColumnTable:
    """The values 0, 1, ... of a feature."""
    texts = [*map(str, range(len(event.table)))]
    return level_table(name, kind, event, texts, classes, prior.probability, fractions)


def level_shares(event: Shares) -> Array:
    """P(value | class) of each level that was seen: (n_levels, n_classes)."""
    return np.exp(event.log_table[: len(event.table)])


def smoothed(event: Shares) -> Shares:
    """The same with the Laplace correction, if it has none.

    Without smoothing one row that is left out may be impossible, and that one row would tell less
    than all others together can make good.
    """
    return event if event.rule.amount else replace(event, rule=replace(event.rule, amount=1.0))


def left_out_bits(
    scores_without: Callable[..., Array], encoded: Array, table: Array, n_rows: float
) -> float:
    """How much nearer a column brings learned rows to their class, each left out, in bits.

        1 / (N ln 2) sum over rows of (log P(c | x) - log P(c)), both without the row

    Rows in which the column was not observed count 0. See `class_log_score` for P(c | x).
    """
    if not n_rows:
        return 0.0
    n_classes = table.shape[1]
    told = leave_one_out_score(scores_without, encoded, table)
    before = leave_one_out_score(
        lambda cells, codes, weights: np.zeros((len(codes), n_classes)), encoded, table
    )
    return float((told - before) / (n_rows * np.log(2)))


def level_table(
    name: str,
    kind: str,
    event: Shares,
    texts: Sequence[str],
    classes: Sequence[Label],
    prior: Array,
    fractions: bool,
    **facts: object,
) -> ColumnTable:
    """The values of a column: counts, shares, and what each of them tells."""
    shares = [
        shares_by_class(classes, event.shares_of(level), fractions) for level in range(len(texts))
    ]
    told = telling(level_shares(event), prior)
    values = _value_records(texts, classes, event.table, shares, told)
    smoothing = {"smoothing": float(event.rule.amount)}
    return ColumnTable(name, kind, values=values, facts=smoothing | facts)


def _value_records(
    texts: Sequence[str],
    classes: Sequence[Label],
    counts: Array,
    shares: Sequence[dict],
    told: tuple[Array, Array, Array],
) -> tuple[Record, ...]:
    """What is known about each value; told as in `telling`."""
    information, favoured, factor = told
    return tuple(
        {
            "value": text,
            "counts": dict(zip(classes, counts[row].tolist(), strict=True)),
            "shares": shares[row],
            "speaks_for": classes[favoured[row]],
            "factor": float(factor[row]),
            "information": float(information[row]),
        }
        for row, text in enumerate(texts)
    )


# features that are counted, words above all -----------------------------------------------------


def word_summaries(
    names: Sequence[str], log_shares: Array, prior: Array, kind: str
) -> list[ColumnSummary]:
    """What each feature adds to the bits that one occurrence of any of them tells.

    log_shares : (n_features, n_classes), log p(feature | class)
    """
    bits = np.maximum(telling(np.exp(log_shares), prior)[0], 0.0).tolist()
    return [ColumnSummary(name, kind, bits=told) for name, told in zip(names, bits, strict=True)]


def word_table(
    name: str,
    kind: str,
    place: int,
    counts: Array,
    alphas: Array,
    classes: Sequence[Label],
    prior: Array,
    fractions: bool,
) -> ColumnTable:
    """How often a feature occurs in each class, and its share of all that is counted there.

    counts : (n_features, n_classes); alphas : (n_features,), what is added to each
    """
    totals, n_features = counts.sum(axis=0), len(counts)
    amounts = [*map(exact, alphas)] if fractions else None
    added = exact(alphas[place])
    added_to_all = sum(amounts, start=Fraction(0)) if amounts else exact(alphas.sum())
    shares = class_shares(counts[place], totals, added, added_to_all, n_features)
    numbers = shares_by_class(classes, shares, fractions)
    told = telling(np.array([[*map(float, numbers.values())]]), prior)
    values = _value_records([name], classes, counts[[place]], [numbers], told)
    return ColumnTable(name, kind, values=values, facts={"smoothing": float(alphas[place])})
