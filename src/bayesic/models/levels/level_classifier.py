"""Classifiers of columns of levels, which may depend on each other within a class."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, TypeGuard

import numpy as np

from bayesic.data.columns import Numbers
from bayesic.data.tables import Table
from bayesic.estimation.back_off import STRENGTH, STRENGTHS, first_of_least
from bayesic.estimation.smoothing import BackOff, GivenEstimate, Smoothing
from bayesic.kernels import Array
from bayesic.models.classifier import FittedClasses
from bayesic.models.columns.looks import table_notices
from bayesic.models.columns.schema import refuse_other_cells
from bayesic.models.columns.table_classifier import TableClassifier
from bayesic.models.columns.table_settings import declared_kinds
from bayesic.models.columns.weighed_columns import COLUMN_WEIGHTS, check_weights
from bayesic.models.counting import NORMAL_PRIOR
from bayesic.models.events.automatic import name_categories
from bayesic.models.events.make import checked_amount, checked_rule
from bayesic.models.fading import FADING, checked_half_life
from bayesic.models.fitted import learned
from bayesic.models.following import Following
from bayesic.models.held_choices import check_choices, held_choices_of, holding
from bayesic.models.judged_rows import drawn_rows
from bayesic.models.levels.dependence import Bins, CountedTogether, bins_of, in_bins
from bayesic.models.levels.held_network import HeldNetwork, restored_network
from bayesic.models.levels.level_columns import LevelColumns
from bayesic.models.levels.level_settings import LevelSettings
from bayesic.models.named_prior import check_named_prior
from bayesic.models.notes import Note
from bayesic.models.readers.known_columns import known_columns
from bayesic.models.readers.reader import CodedRows
from bayesic.models.readers.table_reader import TableReader
from bayesic.statistics.additive import class_counts, sum_of_pairs, united
from bayesic.statistics.combinations import CombinationCounts, combination_counts
from bayesic.statistics.number_counts import NumberCounts, counts_of_columns
from bayesic.statistics.table_counts import ColumnCounts, TableCounts

KINDS_OF_COLUMNS = ("categorical", "binned", "ignore")
OTHER_RULES = ", ('m', 2) for the m-estimate, 'back-off' to lean on shares with fewer parents"


# settings ---------------------------------------------------------------------------------------


def level_settings(model: "LevelClassifier", order: int | None) -> LevelSettings:
    """The settings that all of these models have."""
    kinds = declared_kinds(model.columns, KINDS_OF_COLUMNS, type(model).__name__)
    check_named_prior(model.prior)
    check_weights(getattr(model, "weights", None))
    check_choices(model.choices)
    checked_half_life(model.decay)
    rule = _checked_rule(model.smoothing, type(model).__name__)
    return LevelSettings(kinds, "binned", rule, model.prior, order)


def _checked_rule(smoothing: object, model: str) -> Smoothing | None:
    if isinstance(smoothing, str) and smoothing == "back-off":
        return None
    if _is_back_off(smoothing):
        return BackOff(checked_amount(smoothing[1], "s in smoothing"))
    rule = checked_rule(smoothing, others=OTHER_RULES)
    if rule is None or isinstance(rule, GivenEstimate):
        raise ValueError(
            f"{model} does not choose lambda and takes no p for single values, got "
            f"{smoothing!r}. Give a number, 1 for the Laplace correction, ('m', m) or "
            "('m', m, 'uniform') for the m-estimate, or 'back-off', which chooses its strength."
        )
    return rule


def _is_back_off(smoothing: object) -> TypeGuard[Sequence[object]]:
    """Whether this asks for back-off with a given strength.

    >>> _is_back_off(("back-off", 2)), _is_back_off(("m", 2))
    (True, False)
    """
    if not isinstance(smoothing, (tuple, list)) or len(smoothing) != 2:
        return False
    return isinstance(smoothing[0], str) and smoothing[0] == "back-off"


# notes: bins ------------------------------------------------------------------------------------


def _cut_new_columns(
    model: "LevelClassifier", rows: Iterable[CodedRows]
) -> dict[str, NumberCounts]:
    """Put numeric columns that are new into bins, using all rows, unless they name categories.

    Returns what was seen of these columns.
    """
    edges = model.statistics_.edges if hasattr(model, "statistics_") else {}
    counted = sum_of_pairs(united, _number_counts(rows, edges))
    new: Mapping[str, Any] = {} if counted is None else counted[1].columns
    kinds = model._settings.kinds
    cut = {
        name: bins_of(counts)
        for name, counts in new.items()
        if kinds.get(name) == "binned" or not name_categories(counts)
    }
    model.bins_ = getattr(model, "bins_", {}) | cut
    return dict(new)


def _number_counts(
    rows: Iterable[CodedRows], learned_before: Mapping[str, object]
) -> Iterator[tuple[Array | None, TableCounts]]:
    for block in rows:
        numbers = {
            name: cells.values
            for name, cells in block.X.columns.items()
            if isinstance(cells, Numbers) and name not in learned_before
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


def _take_bins(model: "LevelClassifier", statistics: CombinationCounts) -> None:
    """The bins are those of the counts, and what follows from the counts alone is made once."""
    model.bins_ = {name: Bins(edges) for name, edges in statistics.edges.items() if edges}
    if getattr(getattr(model, "_together", None), "counts", None) is not statistics:
        model._together = CountedTogether(statistics)


def _looks(model: "LevelClassifier", seen: dict[str, NumberCounts]) -> Iterable[str]:
    fitted = model._fitted
    facts = fitted.uninformative, model.classes_, model.statistics_.class_count
    return table_notices({**fitted.by_column, **seen}, model._settings.kinds, *facts)


BINS = Note(
    before=_cut_new_columns,
    after=lambda model, rows, is_all: _take_bins(model, model.statistics_),
    keep=_take_bins,
    notices=_looks,
)


# notes: what is chosen by the rows --------------------------------------------------------------


def _judge(model: "LevelClassifier", rows: Iterable[CodedRows], is_all: bool) -> None:
    """Judge the candidates by these rows, each as if not learned."""
    is_held = model.choices == "hold" and hasattr(model, "choice_losses_")
    if not model._settings.is_choosing or is_held:
        return
    fitted = model._fit(model.statistics_)
    losses = fitted.losses(drawn_rows(rows, fitted.encoded), model._settings.candidates)
    before = getattr(model, "choice_losses_", None)
    is_same = before is not None and before.shape == losses.shape
    model.choice_losses_ = losses + before if is_same else losses


def _fade_losses(model: "LevelClassifier", left: float) -> None:
    if hasattr(model, "choice_losses_"):
        model.choice_losses_ = model.choice_losses_ * left


def _losses_state(model: "LevelClassifier") -> dict[str, object]:
    losses = getattr(model, "choice_losses_", None)
    return {} if losses is None else {"choice_losses": losses}


def _restore_losses(model: "LevelClassifier", state: dict[str, Any]) -> None:
    if not state:
        return
    losses = state["choice_losses"]
    is_table = isinstance(losses, np.ndarray) and losses.dtype == np.float64 and losses.size
    if not is_table or not (losses >= 0).all() or losses.shape[-1] > len(STRENGTHS):
        raise ValueError("choice_losses must hold a loss of 0 or more for each candidate.")
    model.choice_losses_ = losses


LOSSES = Note(
    after=_judge,
    fade=_fade_losses,
    keys=frozenset({"choice_losses"}),
    state=_losses_state,
    restore=_restore_losses,
)


def _choose(
    model: "LevelClassifier", statistics: CombinationCounts, held: HeldNetwork | None
) -> HeldNetwork:
    return model._fit(statistics).chosen() if held is None else held


def _restored(model: "LevelClassifier", state: dict[str, object]) -> HeldNetwork:
    return restored_network(state, known_columns(model).names)


# with `weights`: of columns, for models that have this parameter
LEVEL_NOTES = (FADING, BINS, LOSSES, holding(_choose, _restored))
WEIGHED_LEVEL_NOTES = (*LEVEL_NOTES, COLUMN_WEIGHTS)


# the models -------------------------------------------------------------------------------------


class LevelClassifier(TableClassifier[CombinationCounts, FittedClasses, LevelSettings]):
    """How models of levels together take rows in, count them and keep the counts.

    They have the parameters columns, smoothing, prior, choices and decay.
    """

    statistics_: CombinationCounts
    choice_losses_: Array  # of each candidate, where something is chosen by the rows
    _together: CountedTogether

    notes: ClassVar[tuple[Note, ...]] = LEVEL_NOTES
    fitted_class: ClassVar[type] = LevelColumns
    unused = ("text", *NORMAL_PRIOR)

    strength_ = learned("strength", "s of smoothing='back-off'.")

    def _order(self) -> int:
        """How many columns are counted together: as given, or as suits what was learned."""
        order = self._settings.order
        if order is not None:
            return order
        if hasattr(self, "statistics_"):
            return self.statistics_.order
        return getattr(self, "_most_parents", 1) + 1

    def _reader(self) -> TableReader:
        counts, kinds = getattr(self, "statistics_", None), self._settings.kinds
        levels, edges = ({}, {}) if counts is None else (counts.levels, counts.edges)
        stored = {name: "number" if name in edges else "category" for name in levels}
        for name, holds in stored.items():
            if kinds.get(name, "ignore") != "ignore":
                refuse_other_cells(name, kinds[name], holds)
        return TableReader(known_columns(self), kinds, "binned", stored, levels)

    def _count(
        self, X: Table, codes: Array, n_classes: int, weights: Array | None
    ) -> CombinationCounts:
        bins = getattr(self, "bins_", {})
        columns = {name: in_bins(cells, bins.get(name)) for name, cells in X.columns.items()}
        table = Table(columns, X.n_rows, X.named, X.names)
        numbers = [name for name, cells in X.columns.items() if isinstance(cells, Numbers)]
        edges = {name: bins[name].edges if name in bins else () for name in numbers}
        return combination_counts(table, codes, n_classes, self._order(), weights, edges)

    def _rule(self) -> Smoothing:
        """The rule that is given, or chosen by the rows that were learned."""
        rule = self._settings.smoothing
        if rule is not None:
            return rule
        losses = getattr(self, "choice_losses_", np.zeros(0))
        is_open = losses.shape[-1] == len(STRENGTHS)  # else other things were chosen
        return BackOff(STRENGTHS[first_of_least(losses)[-1]] if is_open else STRENGTH)

    def _with_counts_of(self, other: "LevelClassifier") -> "LevelClassifier":
        """This model as if it had learned what another of the same columns and order has."""
        known = {name: value for name, value in vars(other).items() if name.endswith("_")}
        self.__dict__.update(known, _together=other._together, _following=Following())
        return self

    def _facts(self) -> dict[str, Any]:
        """What the fitted objects of such models share."""
        kept, order, settings = self.statistics_, self._order(), self._settings
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
            "settings": replace(settings, smoothing=self._rule()),
            "was_chosen": settings.is_choosing,
            "held": held_choices_of(self),
        }
