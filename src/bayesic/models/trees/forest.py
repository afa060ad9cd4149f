"""A forest whose trees are counts.

The mean of the trees, what is chosen by the rows and the estimator are three parts of one model,
and are read together: so this file is longer than others.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np

from bayesic.data.arguments import check_one_of, check_whole_number, is_number
from bayesic.data.labels import encode_labels
from bayesic.data.tables import Table, joined
from bayesic.data.typing import Kind, Splits
from bayesic.estimation.forest import (
    blocks_of,
    column_steps,
    grow_forest,
    node_probabilities,
)
from bayesic.estimation.forest_smoothness import (
    MOST_ASKED,
    STRENGTHS,
    Smoothness,
    UnseenRows,
    answers_left_out,
    left_out,
    unseen_rows,
)
from bayesic.estimation.information import entropy_of_counts
from bayesic.estimation.prior import ClassPrior
from bayesic.estimation.row_keys import least_keys, row_keys
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.summary import ColumnSummary
from bayesic.kernels import Array
from bayesic.kernels.forest import COLUMN, LEAF
from bayesic.models.classifier import CountingClassifier
from bayesic.models.columns.looks import look_of_cells, say_looks
from bayesic.models.columns.table_settings import declared_kinds
from bayesic.models.fitted import OUT_OF_BAG, Fitted, Scorer, learned
from bayesic.models.notes import Note
from bayesic.models.readers.known_columns import known_columns
from bayesic.models.readers.reader import CodedRows
from bayesic.models.readers.table_reader import TableReader
from bayesic.statistics.forest import Forest, ForestCounts, forest_counts, refuse_many_cells

KINDS_OF_COLUMNS = ("categorical", "binned", "ignore")
SPLITS = ("best", "random")
MOST_TREES = 10_000


@dataclass(frozen=True, eq=False)
class MeanOfTrees(Fitted[Table]):
    """P(c | x)  ~  P(c) (p(c | x) / P(c))^T, p the mean over trees at the nodes x comes to."""

    formula = "forest_scores"

    counts: ForestCounts
    kinds: Mapping[str, str]  # of columns that are declared
    smoothness: Smoothness
    classes: Array

    judged_by = OUT_OF_BAG
    no_product = (
        "The answer of a forest is a mean over trees, not a product of shares that could be "
        "written out. explain(row) gives what each column adds; they sum to the answer."
    )

    @cached_property
    def prior(self) -> ClassPrior:  # type: ignore[override]
        """P(c) at the roots, which are the same in all trees."""
        smoothing = self.smoothness.strength / len(self.classes)
        return ClassPrior(self.counts.class_count, "learned", smoothing)

    @cached_property
    def probability(self) -> Array:
        """P(c) at each node."""
        return node_probabilities(self.counts, self.smoothness.strength)

    # scores ---------------------------------------------------------------------------------

    def blocks(self, rows: Table) -> list[slice]:
        """The rows in blocks, each of which is scored by one thread."""
        return blocks_of(rows.n_rows, len(self.counts.forest.columns))

    def scorer(self, rows: Table) -> Scorer:
        """T (log p - log p at the root)."""
        forest, probability = self.counts.forest, self.probability
        codes, trees, kernels = forest.codes(rows), forest.trees, forest.kernels_for(rows.n_rows)

        def scores_of(block: slice) -> Array:
            mean = kernels.answers(codes[block], trees, probability)
            return self.smoothness.temperature * (np.log(mean) - self.prior.log)

        return scores_of

    def scorer_without(self, rows: Table, codes: Array, weights: Array) -> Scorer:
        """The same by the trees that were not grown from a row, less its counts."""
        forest, temperature = self.counts.forest, self.smoothness.temperature
        keys = row_keys(rows, self.classes.tolist(), codes, weights)
        every, strength = forest.codes(rows), np.array([self.smoothness.strength])

        def scores_of(block: slice) -> Array:
            some = left_out(forest, every[block], keys[block], codes[block], weights[block])
            (mean,) = answers_left_out(self.counts, some, strength)
            log_prior = self.prior.log_without(codes[block], weights[block])
            return temperature * (np.log(mean) - log_prior.T)

        return scores_of

    # reasons --------------------------------------------------------------------------------

    def terms(self, rows: Table) -> Array:
        """What each column adds on the way from the roots to where the row comes to.

        On the straight way from p_0 to p, of which column j goes the part d_j, log p grows by
        d_j (log p - log p_0) / (p - p_0). So the columns add up to all of it.
        """
        forest = self.counts.forest
        kernels = forest.kernels_for(rows.n_rows)
        stopped = kernels.stops(forest.codes(rows), forest.trees, slice(None))
        steps = column_steps(forest, self.probability, stopped)
        root, end = self.prior.probability, self.prior.probability + steps.sum(axis=1)
        growth = self.smoothness.temperature / _logarithmic_mean(root, end)
        of_columns = dict(
            zip(forest.columns, np.moveaxis(steps * growth[:, None], 1, 0), strict=True)
        )
        nothing = np.zeros((rows.n_rows, len(self.classes)))
        return np.stack([nothing, *(of_columns.get(name, nothing) for name in rows.columns)], 1)[
            :, 1:
        ]

    # what was learned -----------------------------------------------------------------------

    @property
    def n_parameters(self) -> int:
        """A share for each class at every node."""
        return self.counts.table.size

    def summaries(self, names: Sequence[str]) -> list[ColumnSummary]:
        """Each column with the bits that it tells where trees ask for it, mean over the trees."""
        forest, bits = self.counts.forest, self._bits()
        kinds = {
            **dict.fromkeys(forest.cuts, "binned"),
            **dict.fromkeys(forest.levels, "categorical"),
        }
        n_codes = dict(zip(forest.columns, forest.n_codes, strict=True))
        return [
            ColumnSummary(name, kinds[name], n_codes[name] - 2, bits[name])
            if name in kinds
            else ColumnSummary(name, "ignore", note=self._why_not(name))
            for name in names
        ]

    def table(self, place: int, names: Sequence[str], classes: list, exact: bool) -> ColumnTable:
        """What is known of the column: where it is cut, or its levels, and its bits."""
        name, forest = names[place], self.counts.forest
        if name not in forest.columns:
            return ColumnTable(name, "ignore")
        facts = {"bits": self._bits()[name]}
        if name in forest.cuts:
            return ColumnTable(name, "binned", facts={**facts, "cuts": forest.cuts[name]})
        return ColumnTable(name, "categorical", facts={**facts, "levels": forest.levels[name]})

    def _why_not(self, name: str) -> str:
        return "" if self.kinds.get(name) == "ignore" else "no value was observed"

    def _bits(self) -> dict[str, float]:
        """The mean over the trees of how many bits nearer to the class the splits bring a row."""
        forest, table = self.counts.forest, self.counts.table
        bits = entropy_of_counts(table)  # times the rows
        has_parent = forest.parents != LEAF
        column = forest.nodes[forest.parents[has_parent], COLUMN]
        inner = forest.nodes[:, COLUMN] != LEAF
        told = np.bincount(forest.nodes[inner, COLUMN], bits[inner], minlength=len(forest.columns))
        told -= np.bincount(column, bits[has_parent], minlength=len(forest.columns))
        whole = max(float(self.counts.class_count.sum()), 1e-300) * forest.n_trees
        return dict(zip(forest.columns, np.maximum(told / whole, 0.0).tolist(), strict=True))


def _logarithmic_mean(first: Array, second: Array) -> Array:
    """(b - a) / (log b - log a), which lies between a and b; a where both are the same.

    >>> _logarithmic_mean(np.array([1.0, 2.0]), np.array([np.e, 2.0])).round(4)
    array([1.7183, 2.    ])
    """
    log = np.log(second / first)
    near = np.abs(log) < 1e-4  # (e^x - 1) / x = 1 + x / 2 + x^2 / 6 + ...
    safe = np.where(near, 1.0, log)
    return first * np.where(near, 1 + log / 2 + log * log / 6, np.expm1(safe) / safe)


# settings and notes -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ForestSettings:
    """How a forest is grown, and how smooth it is."""

    n_trees: int
    splits: Splits
    seed: int
    kinds: Mapping[str, str]  # column -> kind, as declared
    smoothness: Smoothness | None  # None: chosen by the rows


def _with_weight(model: "BayesForest", rows: Iterable[CodedRows]) -> Iterable[CodedRows]:
    """No tree is grown from rows of weight 0 in memory, and no number is cut by them."""
    if isinstance(rows, list) and any(each.weights is not None for each in rows):
        return [each.alone(np.flatnonzero(each.all_weights > 0)) for each in rows]
    return rows


def _grow(model: "BayesForest", rows: Iterable[CodedRows]) -> dict[str, str | None]:
    """Grow the trees, unless there are some. Returns what the columns look like."""
    if hasattr(model, "forest_"):
        return {}
    blocks, settings = [*rows], model._settings
    labels = np.concatenate([block.classes[block.codes] for block in blocks])  # type: ignore[index]
    classes, codes = encode_labels(labels)
    table = joined([block.X for block in blocks])
    weights = np.concatenate([block.all_weights for block in blocks])
    names, n_trees = classes.tolist(), settings.n_trees
    # trees that tell the classes apart have a leaf for each: this is known before they grow
    refuse_many_cells(n_trees, n_trees * len(names), len(names))
    how = n_trees, settings.splits, settings.seed
    model.forest_ = grow_forest(table, names, codes, weights, *how)
    return {
        name: look_of_cells(each)
        for name, each in table.columns.items()
        if name not in settings.kinds
    }


def _take_trees(model: "BayesForest", statistics: ForestCounts) -> None:
    model.forest_ = statistics.forest


TREES = Note(
    learn=_with_weight,
    before=_grow,
    keep=_take_trees,
    notices=lambda model, seen: say_looks(seen),
)


def _choose(model: "BayesForest", rows: Iterable[CodedRows], is_all: bool) -> None:
    """Choose s and T, unless they are chosen."""
    if not is_all and hasattr(model, "_smoothness"):
        return
    if model._settings.smoothness is not None:
        model._smoothness = model._settings.smoothness
        return
    parts = [_drawn(model, block) for block in rows]
    drawn = [np.concatenate(part) for part in zip(*parts, strict=True)]
    first = least_keys(drawn[0], MOST_ASKED)
    model._smoothness = _unseen(model, *(part[first] for part in drawn)).best()[0]


def _drawn(model: "BayesForest", rows: CodedRows) -> tuple[Array, Array, Array, Array]:
    """Keys, codes, classes and weights of the rows with the least keys."""
    keys = row_keys(rows.X, model.classes_.tolist(), rows.codes, rows.all_weights)
    first = least_keys(keys, MOST_ASKED)
    codes = model.forest_.codes(rows.X.at(first))
    return keys[first], codes, rows.codes[first], rows.all_weights[first]


def _unseen(
    model: "BayesForest", keys: Array, codes: Array, classes: Array, weights: Array
) -> UnseenRows:
    some = left_out(model.forest_, codes, keys, classes, weights)
    is_given = model._settings.smoothness is not None
    strengths = np.array([model._smoothness.strength]) if is_given else STRENGTHS
    return unseen_rows(model.statistics_, some, strengths)


def _state(model: "BayesForest") -> dict[str, object]:
    chosen = model._smoothness
    return {"strength": chosen.strength, "temperature": chosen.temperature}


def _restore(model: "BayesForest", state: dict[str, Any]) -> None:
    if set(state) != {"strength", "temperature"} or not all(
        is_number(value) and value >= 0 for value in state.values()
    ):
        raise ValueError(f"A forest keeps its strength and temperature, got {state!r:.80}.")
    model._smoothness = Smoothness(float(state["strength"]), float(state["temperature"]))


SMOOTHNESS = Note(
    after=_choose, keys=frozenset({"strength", "temperature"}), state=_state, restore=_restore
)


# the model --------------------------------------------------------------------------------------


class BayesForest(CountingClassifier[ForestCounts, MeanOfTrees, ForestSettings]):
    """A forest whose leaves are counts, smoothed by back-off along the path.

        P(c | x)  ~  P(c) (p(c | x) / P(c))^T,  p the mean over the trees
        p = (N_c + s p_parent) / (N + s) at every node, from the root on; above it 1 / K

    N_c are the rows of class c that reach the node. A tree is grown from rows drawn at random, and
    each node splits by one of a few columns drawn at random ([Breiman]); but all rows are counted
    in it, including those that it was not grown from. The strength s and the temperature T maximise
    the probability of rows under the trees that were not grown from them (out-of-bag).

    Tables are taken as they are. Numbers are cut into 32 bins with about equally many rows. Each
    tree sorts the levels of categories by the share of their rows in one class, which the tree has
    drawn. Missing values have their own branch; at a level that a tree has not seen it answers with
    the counts of the current node.

    `fit`, or the first `partial_fit`, grows the splits. From then on they stay fixed, and only
    counts are learned: `partial_fit`, `forget` and `merge` (of copies that have the same trees) are
    exact. `leave_one_out` uses the trees that were not grown from a row, minus its counts. Equal
    rows in any order give the same forest: whether a tree is grown from a row depends on its cells.

    Parameters
    ----------
    n_trees : how many trees
    splits : "best" for the best cut of each column that a node tries, "random" for one drawn at
        random ([Geurts])
    columns : dict of column name and "categorical", "binned" or "ignore", for columns that are not
        what they look like
    smoothing : s, above 0; "auto" to choose it and T
    seed : of all random draws

    Attributes
    ----------
    strength_ : s
    temperature_ : T, 1 if s is given
    forest_ : the trees

    Examples
    --------
    >>> import bayesic as by
    >>> tennis = by.datasets.play_tennis().to_dict()
    >>> model = BayesForest().fit(tennis, y="PlayTennis")
    >>> model.predict(tennis).tolist()[:4]
    ['No', 'No', 'Yes', 'Yes']
    """

    statistics_: ForestCounts
    forest_: Forest
    _smoothness: Smoothness

    notes = (TREES, SMOOTHNESS)
    fitted_class = MeanOfTrees
    declares_classes = False
    tags: ClassVar[dict[str, bool]] = {
        **CountingClassifier.tags,
        "categorical": True,
        "string": True,
    }

    strength_ = learned("smoothness.strength", "s of the back-off.")
    temperature_ = learned("smoothness.temperature", "T of the mean of the trees.")

    def __init__(
        self,
        n_trees: int = 60,
        splits: Splits = "best",
        columns: Mapping[str, Kind] | None = None,
        smoothing: float | Literal["auto"] = "auto",
        seed: int = 0,
    ) -> None:
        self.n_trees = n_trees
        self.splits = splits
        self.columns = columns
        self.smoothing = smoothing
        self.seed = seed

    def _parse(self) -> ForestSettings:
        check_whole_number("n_trees", self.n_trees, 1, MOST_TREES)
        check_one_of("splits", self.splits, SPLITS)
        check_whole_number("seed", self.seed, 0)
        kinds = declared_kinds(self.columns, KINDS_OF_COLUMNS, type(self).__name__)
        given: Any = self.smoothing
        is_auto = isinstance(given, str) and given == "auto"
        if not is_auto and not (is_number(given) and 0 < given < np.inf):
            raise ValueError(
                f"smoothing must be 'auto' or above 0 and finite, got {self.smoothing!r:.80}."
            )
        smoothness = None if is_auto else Smoothness(float(given), 1.0)
        return ForestSettings(int(self.n_trees), self.splits, int(self.seed), kinds, smoothness)

    def _reader(self) -> TableReader:
        forest, kinds = getattr(self, "forest_", None), self._settings.kinds
        if forest is None:
            return TableReader(known_columns(self), kinds, "binned")
        stored = {
            **dict.fromkeys(forest.cuts, "number"),
            **dict.fromkeys(forest.levels, "category"),
        }
        return TableReader(known_columns(self), kinds, "binned", stored, forest.levels)

    def _count(self, X: Table, codes: Array, n_classes: int, weights: Array | None) -> ForestCounts:
        return forest_counts(self.forest_, X, codes, n_classes, weights)

    def _fit(self, statistics: ForestCounts) -> MeanOfTrees:
        settings = self._settings
        chosen = settings.smoothness or self._smoothness
        return MeanOfTrees(statistics, settings.kinds, chosen, self.classes_)

    def _out_of_bag(
        self, rows: CodedRows, asked: Array, fold: Array, choose: bool = False
    ) -> Array:
        """log P(c | x) of these of the rows that were learned, by trees not grown from them.

        How smooth they are is chosen by the rows of the other folds.

        choose : whether the forest becomes as smooth as is best for all of them
        """
        keys = row_keys(rows.X, self.classes_.tolist(), rows.codes, rows.all_weights)[asked]
        mine = rows.at(asked)
        unseen = _unseen(self, keys, self.forest_.codes(mine.X), mine.codes, mine.all_weights)
        if self._settings.smoothness is not None:
            return unseen.log_proba(slice(None), self._smoothness)
        best, near = unseen.best()
        if choose:
            self._smoothness = best
        said = np.empty((len(asked), len(self.classes_)))
        for number in np.unique(fold):
            here = fold == number
            smoothness, _ = unseen.best(near, ~here)  # near is only where to begin
            said[here] = unseen.log_proba(here, smoothness)
        return said
