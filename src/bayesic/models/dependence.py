"""Columns of levels that may depend on each other within a class: read, counted, and kept.

Numbers are put into bins, by the rule of NaiveBayes, when a column has numbers for the first time,
using all rows. From then on the bins stay as they are. Few whole numbers in a small table get no
bins: each of them is a level, from then on.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar

import numpy as np

from bayesic.data.columns import Categories, Cells, Numbers
from bayesic.data.tables import Table
from bayesic.estimation.back_off import STRENGTH, STRENGTHS, first_of_least
from bayesic.estimation.bins import cut_points
from bayesic.estimation.dependence import informations
from bayesic.estimation.families import CountTables, count_tables
from bayesic.estimation.smoothing import BackOff, GivenEstimate, Smoothing
from bayesic.kernels import Array
from bayesic.models.counting import Following, unchanging
from bayesic.models.events.automatic import name_categories
from bayesic.models.events.make import checked_amount, checked_rule
from bayesic.models.fading import Fades
from bayesic.models.fitted import learned
from bayesic.models.generative import Generative, check_named_prior, table_notices
from bayesic.models.held_choices import HoldsChoices
from bayesic.models.held_network import HeldNetwork, restored_network
from bayesic.models.judged_rows import JudgedRows, drawn_rows
from bayesic.models.readers.known_columns import known_columns
from bayesic.models.readers.reader import CodedRows
from bayesic.models.readers.table_reader import TableReader
from bayesic.models.schema import (
    as_categories,
    checked_kinds,
    refuse_other_cells,
    refuse_other_kinds,
)
from bayesic.models.weighed_columns import (
    check_weights,
    learn_weights,
    restore_weights,
    state_of_weights,
)
from bayesic.statistics.additive import class_counts, sum_of_pairs, united
from bayesic.statistics.combinations import CombinationCounts, combination_counts
from bayesic.statistics.numbers import NumberCounts, counts_of_columns
from bayesic.statistics.table_counts import ColumnCounts, TableCounts

Made = TypeVar("Made")

KINDS_OF_COLUMNS = ("categorical", "binned", "ignore")


# bins -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bins:
    """Where a numeric column is cut; bin b holds the values with b cut points not above them."""

    edges: tuple[float, ...]  # the least value learned, the cut points, the largest value learned

    @property
    def cuts(self) -> tuple[float, ...]:
        """The cut points, increasing."""
        return self.edges[1:-1]

    @property
    def n_bins(self) -> int:
        """One more than cut points."""
        return len(self.edges) - 1

    def categories(self, cells: Numbers) -> Categories:
        """The cells by the names of their bins: "0", "1" and so on."""
        codes = np.searchsorted(self.cuts, cells.values, side="right")
        codes[np.isnan(cells.values)] = -1
        return Categories(codes, tuple(map(str, range(self.n_bins))))

    def sample(self, numbers: Array, rng: np.random.Generator) -> Array:
        """A number for each of these bins, evenly drawn from it."""
        edges = np.array(self.edges)
        return rng.uniform(edges[numbers], edges[numbers + 1])


def _bins_of(counts: NumberCounts) -> Bins:
    """Bins that separate the classes, by the minimum description length rule ([FayyadIrani])."""
    values = counts.values[[0, -1]].tolist()
    return Bins((values[0], *cut_points(counts).tolist(), values[1]))


def in_bins(cells: Cells, bins: Bins | None) -> Cells:
    """A numeric column as a column of bins, or of categories without them; others as they are."""
    if not isinstance(cells, Numbers):
        return cells
    return bins.categories(cells) if bins else as_categories(cells)


# counts ---------------------------------------------------------------------------------------


class CountedTogether:
    """Counts of levels together, and what follows from them alone, whatever the smoothing.

    It is made when it is first needed, and shared by all models that have these counts.
    """

    def __init__(self, counts: CombinationCounts) -> None:
        """Nothing is made yet."""
        self.counts = counts
        self._made: dict[Any, Any] = {}

    def __repr__(self) -> str:
        return f"CountedTogether({self.counts!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return CountedTogether, (self.counts,)

    @property
    def tables(self) -> CountTables:
        """The counts as tables of levels."""
        return self.once("tables", lambda: count_tables(self.counts))

    @property
    def informations(self) -> tuple[Array, Array]:
        """What each column says about the class, and each pair of columns about each other."""
        return self.once("informations", lambda: informations(self.counts))

    def once(self, what: Any, make: Callable[[], Made]) -> Made:
        """What make gives, made once."""
        if what not in self._made:
            self._made[what] = make()
        return self._made[what]


# learning -------------------------------------------------------------------------------------


def _is_back_off(smoothing: Any) -> bool:
    """Whether this asks for back-off, its strength given or not.

    >>> _is_back_off("back-off"), _is_back_off(("back-off", 2)), _is_back_off(("m", 2))
    (True, True, False)
    """
    if isinstance(smoothing, (tuple, list)) and len(smoothing) == 2:
        smoothing = smoothing[0]
    return isinstance(smoothing, str) and smoothing == "back-off"


class LearnsLevels(Fades, HoldsChoices, Generative):
    """How models of levels together take rows in, count them and keep the counts.

    They have the parameters columns, smoothing and prior.
    """

    columns: Any
    smoothing: Any
    prior: Any
    classes_: Array
    statistics_: CombinationCounts
    weights: str | None = None  # a parameter of some: "learned" for weights of columns
    choices: str = "always"  # a parameter of some
    decay: Any = None
    choice_losses_: Array  # of each candidate, where something is chosen by the rows
    _together: CountedTogether

    strength_ = learned("strength", "s of smoothing='back-off'.")

    @abstractmethod
    def _order(self) -> int:
        """How many columns must be counted together."""

    def _check_parameters(self) -> None:
        self._kinds()
        self._rule()
        self._order()
        check_named_prior(self.prior)
        check_weights(self.weights)
        self._check_choices()
        self._check_decay()

    def _kinds(self) -> dict[str, str]:
        told = checked_kinds(self.columns)
        refuse_other_kinds(told, KINDS_OF_COLUMNS, type(self).__name__)
        return told

    def _rule(self) -> Smoothing:
        if _is_back_off(self.smoothing):
            return BackOff(self._strength())
        rule = checked_rule(self.smoothing)
        if rule is None or isinstance(rule, GivenEstimate):
            raise ValueError(
                f"{type(self).__name__} does not choose lambda and takes no p for single values, "
                "got "
                f"{self.smoothing!r}. Give a number, 1 for the Laplace correction, ('m', m) or "
                "('m', m, 'uniform') for the m-estimate, or 'back-off', which chooses its strength."
            )
        return rule

    def _strength(self) -> float:
        """s of the back-off: given, or chosen when rows were learned."""
        if not isinstance(self.smoothing, str):
            return checked_amount(self.smoothing[1], "s in smoothing")
        losses = getattr(self, "choice_losses_", np.zeros(0))
        is_open = losses.shape[-1] == len(STRENGTHS)  # else other things were chosen
        return STRENGTHS[first_of_least(losses)[-1]] if is_open else STRENGTH

    def _reader(self) -> TableReader:
        levels = self.statistics_.levels if hasattr(self, "statistics_") else {}
        kinds, numbers = self._kinds(), self._numbers()
        stored = {name: "number" if name in numbers else "category" for name in levels}
        for name, holds in stored.items():
            if kinds.get(name, "ignore") != "ignore":
                refuse_other_cells(name, kinds[name], holds)
        return TableReader(known_columns(self), kinds, "binned", stored, levels)

    def _bins(self) -> dict[str, Bins]:
        return getattr(self, "bins_", {})

    def _numbers(self) -> Mapping[str, tuple[float, ...]]:
        """The edges of each numeric column that was learned; none where its numbers are levels."""
        return self.statistics_.edges if hasattr(self, "statistics_") else {}

    def _before_counting(self, rows: Iterable[CodedRows]) -> dict[str, NumberCounts]:
        """Put numeric columns that are new into bins, using all rows, unless they name categories.

        Returns what was seen of these columns.
        """
        counted = sum_of_pairs(united, self._number_counts(rows))
        found: Mapping[str, Any] = {} if counted is None else counted[1].columns
        kinds = self._kinds()
        cut = {
            name: _bins_of(counts)
            for name, counts in found.items()
            if kinds.get(name) == "binned" or not name_categories(counts)
        }
        self.bins_ = self._bins() | cut
        return dict(found)

    def _number_counts(self, rows: Iterable[CodedRows]) -> Iterator[tuple[Any, TableCounts]]:
        for block in rows:
            numbers = {
                name: cells.values
                for name, cells in block.X.columns.items()
                if isinstance(cells, Numbers) and name not in self._numbers()
            }
            if not numbers:
                return
            n_classes = len(block.classes)  # type: ignore[arg-type]  # there always are
            counts = counts_of_columns(numbers, block.codes, n_classes, block.weights)
            observed: dict[str, ColumnCounts] = {
                name: column for name, column in counts.items() if len(column.table)
            }
            class_count = class_counts(block.codes, block.weights, n_classes)
            yield block.classes, TableCounts(class_count, observed)

    def _count(
        self, X: Table, codes: Array, n_classes: int, weights: Array | None
    ) -> CombinationCounts:
        bins = self._bins()
        columns = {name: in_bins(cells, bins.get(name)) for name, cells in X.columns.items()}
        table = Table(columns, X.n_rows, X.named, X.names)
        numbers = [name for name, cells in X.columns.items() if isinstance(cells, Numbers)]
        edges = {name: bins[name].edges if name in bins else () for name in numbers}
        return combination_counts(table, codes, n_classes, self._order(), weights, edges)

    # what is chosen by the rows -------------------------------------------------------------

    def _is_choosing(self) -> bool:
        """Whether rows are judged, to choose by them."""
        return isinstance(self.smoothing, str) and self.smoothing == "back-off"

    def _rules(self) -> list[Smoothing]:
        """The candidates for the smoothing."""
        is_open = LearnsLevels._is_choosing(self)
        return [BackOff(strength) for strength in STRENGTHS] if is_open else [self._rule()]

    def _after_counting(self, rows: Iterable[CodedRows], is_all: bool) -> None:
        """Judge the candidates by these rows, each as if not learned."""
        self._take(self.statistics_)
        is_held = self.choices == "hold" and hasattr(self, "choice_losses_")
        if self._is_choosing() and not is_held:
            self._judge(rows)
        if self.weights is not None and is_all:
            learn_weights(self, rows)

    def _judge(self, rows: Iterable[CodedRows]) -> None:
        fitted = self._fit(self.statistics_)  # type: ignore[attr-defined]  # of CountingModel
        losses = self._losses(fitted, drawn_rows(rows, fitted.encoded))
        before = getattr(self, "choice_losses_", None)
        is_same = before is not None and before.shape == losses.shape
        self.choice_losses_ = losses + before if is_same else losses

    def _fade(self, left: float) -> None:
        super()._fade(left)
        if hasattr(self, "choice_losses_"):
            self.choice_losses_ = self.choice_losses_ * left

    def _losses(self, fitted: Any, rows: JudgedRows) -> Array:
        """The loss of each candidate: of each rule, on the last axis."""
        candidates = [replace(fitted, rule=rule) for rule in self._rules()]
        return np.concatenate([candidate.left_out_losses(rows) for candidate in candidates])

    def _extra_state(self) -> dict[str, Any]:
        losses = getattr(self, "choice_losses_", None)
        chosen = {} if losses is None else {"choice_losses": losses}
        return {**super()._extra_state(), **chosen, **state_of_weights(self)}

    def _restore_extra_state(self, state: dict[str, Any]) -> None:
        state = restore_weights(self, state)
        super()._restore_extra_state(
            {name: part for name, part in state.items() if name != "choice_losses"}
        )
        if "choice_losses" not in state:
            return
        losses = state["choice_losses"]
        is_table = isinstance(losses, np.ndarray) and losses.dtype == np.float64 and losses.size
        if not is_table or not (losses >= 0).all() or losses.shape[-1] > len(STRENGTHS):
            raise ValueError("choice_losses must hold a loss of 0 or more for each candidate.")
        self.choice_losses_ = losses

    def _choose(self, statistics: CombinationCounts, held: HeldNetwork | None) -> HeldNetwork:
        if held is not None:
            return held
        return self._fit(statistics).chosen()  # type: ignore[attr-defined]  # of CountingModel

    def _choices_state(self, choices: HeldNetwork) -> dict[str, Any]:
        return choices.state()

    def _restored_choices(self, state: dict[str, Any]) -> HeldNetwork:
        return restored_network(state, known_columns(self).names)

    def _take(self, statistics: CombinationCounts) -> None:
        self.bins_ = {name: Bins(edges) for name, edges in statistics.edges.items() if edges}
        if getattr(getattr(self, "_together", None), "counts", None) is not statistics:
            self._together = CountedTogether(statistics)

    def _keep(self, statistics: CombinationCounts) -> Self:
        self._take(statistics)
        return super()._keep(statistics)

    def _notices(self, seen: dict[str, NumberCounts]) -> Iterable[str]:
        fitted, told = self._fitted, self._kinds()  # type: ignore[attr-defined]
        facts = fitted.uninformative, self.classes_, self.statistics_.class_count
        return table_notices({**fitted.by_column, **seen}, told, *facts)

    def _has_features_of(self, statistics: CombinationCounts) -> bool:
        return set(statistics.levels) <= set(known_columns(self).names)

    def _with_counts_of(self, other: "LearnsLevels") -> Self:
        """This model as if it had learned what another of the same columns and order has."""
        known = {name: value for name, value in vars(other).items() if name.endswith("_")}
        vars(self).update(known, _together=other._together)
        self._following = Following(unchanging(self))
        return self

    def _facts(self) -> dict[str, Any]:
        """What the fitted objects of such models share."""
        kept, order = self.statistics_, self._order()
        if kept.levels and kept.order < order:
            raise ValueError(
                f"{self!r} needs counts of {order} columns together; it was learned with "
                f"{kept.order}. Fit it again."
            )
        return {
            "together": self._together,
            "bins": self.bins_,
            "classes": self.classes_,
            "names": known_columns(self).names,
            "told": self._kinds(),
            "rule": self._rule(),
            "prior_told": self.prior,
        }
