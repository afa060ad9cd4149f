"""What has changed between two spans of rows: which column, and which of its values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesic.data.arguments import check_is_fitted
from bayesic.data.columns import Numbers
from bayesic.data.languages import Sentence, number_of, said, spoken
from bayesic.data.snapshots import held_still, snapshot
from bayesic.estimation.drift import mean_changes, share_changes
from bayesic.estimation.prior import ClassPrior
from bayesic.estimation.smoothing import Smoothing
from bayesic.evidence.bins_text import bin_text
from bayesic.evidence.shown_tables import Shown, ShownTable, ShownTables, as_frame
from bayesic.evidence.text_table import number_text, short
from bayesic.kernels import Array
from bayesic.models.columns.naive_bayes import NaiveBayes
from bayesic.models.events.shares import Binned, Shares
from bayesic.models.events.text import Text
from bayesic.models.words.text_classifier import TextClassifier
from bayesic.statistics.additive import among_classes
from bayesic.statistics.aligned import sum_at
from bayesic.statistics.number_counts import NumberCounts
from bayesic.statistics.table_counts import ColumnCounts

if TYPE_CHECKING:
    import pandas as pd

PRIOR = "P(class)"
MOST_VALUES = 3  # that are shown of a column
LEAST = 5e-5  # less is 0.0000 when it is shown
MOST_LINES = 20  # that are printed


@dataclass(frozen=True)
class Change:
    """How much one column, or word, has changed."""

    column: str
    change: float | None  # in nats for each later row; None if only one span has it
    values: tuple[str, ...] = ()  # what changed most


@dataclass(frozen=True)
class Drift(Shown):
    """The changes of all columns, the largest first. See `drift`."""

    changes: tuple[Change, ...]
    n_earlier: float  # rows, by their weights
    n_later: float

    def shown(self) -> ShownTables:
        """The columns that changed most."""
        spans = {
            name: number_of(number_text(number), number == 1, "row")
            for name, number in (("earlier", self.n_earlier), ("later", self.n_later))
        }
        title = said("{earlier}, then {later}: changes in nats per row", **spans)
        headers = [said(name) for name in ("column", "change", "most of it")]
        rows = [
            [
                said(PRIOR) if each.column == PRIOR else short(each.column),
                each.change,
                ", ".join(short(spoken(value)) for value in each.values),
            ]
            for each in self.changes[:MOST_LINES]
        ]
        return ShownTables([ShownTable(headers, rows, title, len(self.changes))])

    def to_dict(self) -> dict[str, object]:
        """All of it as plain values."""
        return {
            "n_earlier": self.n_earlier,
            "n_later": self.n_later,
            "changes": self._records(),
        }

    def to_pandas(self) -> "pd.DataFrame":
        """The changes as a table of pandas."""
        return as_frame(self._records())

    def _records(self) -> list[dict[str, object]]:
        return [vars(each) | {"values": list(each.values)} for each in self.changes]


def drift(
    earlier: NaiveBayes | TextClassifier,
    later: NaiveBayes | TextClassifier,
) -> Drift:
    """Which column's evidence has changed most between two models of different rows.

        D_j = 1/N  sum over the N later rows, of class c, of  log p(x_j | c) - log p'(x_j | c)

    p is learned from the later rows, p' from the earlier ones, both with the parameters of the
    later model and with what it has chosen: kinds, cut points, smoothing. So D_j is the mean
    difference of the log scores, in nats per row, and without smoothing the Kullback-Leibler
    divergence of the two distributions of a column of levels. Levels and words of both spans are
    known to both. P(class) has its own line. Beside D_j is what each value adds to it.

    earlier, later : NaiveBayes or TextClassifier, both of the same kind; of texts each word has a
        line

    >>> import bayesic as by
    >>> may = {"sky": ["sun", "sun", "sun", "rain"], "wind": ["weak", "strong"] * 2}
    >>> june = {"sky": ["rain", "rain", "rain", "sun"], "wind": ["weak", "strong"] * 2}
    >>> play = ["yes", "yes", "no", "no"]
    >>> print(by.drift(by.NaiveBayes().fit(may, play), by.NaiveBayes().fit(june, play)))
    4 rows, then 4 rows: changes in nats per row
      column    change  most of it
      sky       0.5493  rain +0.5493
      P(class)  0.0000
      wind      0.0000
    """
    refuse_others(earlier, later)
    earlier, later = held_still(earlier), held_still(later)
    for model in (earlier, later):
        check_is_fitted(model)
    classes, now = among_classes(earlier.classes_, later.classes_, later.statistics_)
    _, then = among_classes(later.classes_, earlier.classes_, earlier.statistics_)
    n_rows = [float(counts.class_count.sum()) for counts in (then, now)]
    if not all(n_rows):
        raise ValueError(f"Both spans need rows, got {n_rows[0]:g} before and {n_rows[1]:g} after.")
    later = snapshot(later)
    later.classes_ = classes
    later._check_alike(earlier)
    of_parts = (
        _of_columns(later, now, then)
        if isinstance(later, NaiveBayes)
        else _of_words(later, now, then)
    )
    changes = sorted(of_parts, key=_by_size)
    return Drift(tuple(changes), n_rows[0], n_rows[1])


def refuse_others(earlier: object, later: object) -> None:
    """Refuse models that cannot be compared."""
    kinds = type(earlier), type(later)
    if kinds[0] is kinds[1] and issubclass(kinds[1], (NaiveBayes, TextClassifier)):
        return
    got = " and ".join(f"a {kind.__name__}" for kind in dict.fromkeys(kinds))
    raise TypeError(
        "drift compares column by column, or word by word: two models that are both NaiveBayes or "
        f"both TextClassifier, got {got}. Learn the rows of each span with one of these."
    )


def _by_size(each: Change) -> float:
    return np.inf if each.change is None else -each.change


# texts --------------------------------------------------------------------------------------------


def _of_words(later: TextClassifier, now: Any, then: Any) -> Iterator[Change]:
    fitted, before = later._fit(now), later._fit(then)
    yield _of_prior(fitted.prior, before.prior)
    presence = fitted.weights.model in ("bernoulli", "binary-multinomial")
    later_words, earlier_words = (
        (counts.words, counts.texts_with if presence else counts.occurrences)
        for counts in (now, then)
    )
    names, changes = _of_levels(
        later_words, earlier_words, fitted.weights.rule, now.class_count.sum()
    )
    for name, change in zip(names, changes.tolist(), strict=True):
        yield Change(name, change)


def _of_prior(now: ClassPrior, then: ClassPrior) -> Change:
    count = now.class_count[:, None]
    parts = mean_changes(count, now.log[:, None], then.log[:, None], count.sum())
    return Change(PRIOR, float(parts.sum()))


def _of_levels(
    now: tuple[Sequence[str], Array],
    then: tuple[Sequence[str], Array],
    rule: Smoothing,
    n_rows: float,
) -> tuple[list[str], Array]:
    """The levels of both, and what each adds to the change."""
    names = list(dict.fromkeys([*now[0], *then[0]]))
    index = {name: number for number, name in enumerate(names)}
    later, earlier = (
        sum_at(len(names), (np.array([index[level] for level in levels], np.intp), table))
        for levels, table in (now, then)
    )
    return names, share_changes(later, earlier, rule, n_rows)


# columns ------------------------------------------------------------------------------------------


def _of_columns(later: NaiveBayes, now: Any, then: Any) -> Iterator[Change]:
    _refuse_other_cells(now.columns, then.columns)
    fitted = later._fit(now)
    chosen = fitted.chosen()
    in_both = {name: choice for name, choice in chosen.columns.items() if name in then.columns}
    before = replace(later._fit(then), held=replace(chosen, columns=in_both))
    yield _of_prior(fitted.prior, before.prior)
    n_rows = now.class_count.sum()
    for name in fitted.names:
        if name in fitted.events and name in before.events:
            events = fitted.events[name], before.events[name]
            yield _of_column(name, *events, now.columns[name], then.columns[name], n_rows)
        elif name in fitted.events or name in before.events:
            is_new = name in fitted.events
            since = Sentence("observed only later" if is_new else "observed only earlier")
            yield Change(name, None, (since,))


def _refuse_other_cells(now: Mapping[str, ColumnCounts], then: Mapping[str, ColumnCounts]) -> None:
    for name in now.keys() & then.keys():
        if now[name].holds != then[name].holds:
            raise ValueError(
                f"Column {name!r} holds {then[name].holds} cells in the earlier rows and "
                f"{now[name].holds} cells in the later ones, which cannot be compared. Declare "
                f"it with columns={{{name!r}: ...}} in both models."
            )


def _of_column(name: str, event: Any, before: Any, now: Any, then: Any, n_rows: float) -> Change:
    if isinstance(event, Shares):
        later, earlier = ((_levels_of(each), each.table) for each in (event, before))
        levels, changes = _of_levels(later, earlier, event.rule, n_rows)
        return Change(name, float(changes.sum()), _most_changed(levels, changes))
    cells = Numbers(now.values)
    log_now, log_then = (each.scores(each.encode(cells)) for each in (event, before))
    changes = mean_changes(now.table, log_now, log_then, n_rows)
    numbers = {"earlier": f"{_mean_of(then):.4g}", "later": f"{_mean_of(now):.4g}"}
    means = Sentence("mean {earlier}, then {later}", **numbers)
    return Change(name, float(changes.sum()), (means,))


def _levels_of(event: Any) -> Sequence[str]:
    if isinstance(event, Binned):
        return [bin_text(event.cuts, number) for number in range(len(event.table))]
    return event.words if isinstance(event, Text) else event.levels


def _mean_of(counts: NumberCounts) -> float:
    return counts.moments.pooled().mean.item()


def _most_changed(levels: Sequence[str], changes: Array) -> tuple[str, ...]:
    order = np.argsort(-np.abs(changes), kind="stable")[:MOST_VALUES]
    return tuple(
        Sentence("{level} {change}", level=levels[n], change=f"{changes[n]:+.4f}")
        for n in order.tolist()
        if abs(changes[n]) >= LEAST
    )
