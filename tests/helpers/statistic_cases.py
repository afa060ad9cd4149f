"""Every statistic, with rows to draw and the way to summarise them: the table of the laws.

`tests/statistics/test_laws.py` runs each law on each case. A law that does not hold for a case is
named in `exempt`, with the reason.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st

from bayesic.data.coded import Coded
from bayesic.data.columns import Categories, Cells, Nothing, Texts
from bayesic.data.columns import Numbers as NumberCells
from bayesic.data.counted_texts import CountedTexts
from bayesic.data.tables import Table
from bayesic.data.tokens import Tokenizer
from bayesic.estimation.forest import grow_forest
from bayesic.statistics.category_counts import CategoryCounts, category_counts
from bayesic.statistics.combinations import CombinationCounts, combination_counts
from bayesic.statistics.cross_moments import CrossMoments, cross_moments
from bayesic.statistics.families import FamilyCounts, family_counts
from bayesic.statistics.features import (
    FeatureCounts,
    PresenceCounts,
    feature_counts,
    presence_counts,
)
from bayesic.statistics.forest import ForestCounts, forest_counts
from bayesic.statistics.instances import Instances
from bayesic.statistics.joint import JointCounts, joint_counts
from bayesic.statistics.level_counts import LevelCounts, WordCounts
from bayesic.statistics.moments import ClassMoments, Moments, class_moments
from bayesic.statistics.number_counts import NumberCounts
from bayesic.statistics.pooled import PooledCounts
from bayesic.statistics.table_counts import TableCounts, table_counts
from bayesic.statistics.text_counts import TextCounts, text_counts
from helpers.batches import Batch, Record
from helpers.labelled_rows import quarters

Array = np.ndarray
Summarise = Callable[[Sequence[Record], Array, int, Array | None], Any]

N_CLASSES = 3
N_FEATURES = 3


@dataclass(frozen=True, repr=False)
class Case:
    """A statistic, the rows it is tried on, and the laws that it is exempt from."""

    kind: type
    record: st.SearchStrategy[Record]
    count: Summarise  # of one row or more
    empty: Callable[[int], Any]  # n_classes -> the zero of +
    scale: Callable[[Sequence[Record]], float] = lambda records: 4.0  # the largest number
    exempt: Mapping[str, str] = field(default_factory=dict)  # law -> why it does not hold

    def summarise(self, batch: Batch, n_classes: int = N_CLASSES) -> Any:
        """The statistic of these rows; of none, the zero."""
        if not batch.records:
            return self.empty(n_classes)
        codes = np.array(batch.labels, np.intp)
        return self.count(batch.records, codes, n_classes, batch.weights)

    def batches(self, number: int, min_size: int = 0) -> st.SearchStrategy[list[Batch]]:
        """As many batches of rows, either all with weights or none."""
        return st.booleans().flatmap(
            lambda weighted: st.lists(
                self.batch(
                    quarters if weighted and "weights" not in self.exempt else None, min_size
                ),
                min_size=number,
                max_size=number,
            )
        )

    def batch(
        self, weights: st.SearchStrategy[float] | None = None, min_size: int = 0
    ) -> st.SearchStrategy[Batch]:
        """Up to eight rows."""
        weight = st.none() if weights is None else weights
        row = st.tuples(self.record, st.integers(0, N_CLASSES - 1), weight)
        return st.lists(row, min_size=min_size, max_size=8).map(
            lambda rows: Batch(
                [record for record, _, _ in rows],
                [code for _, code, _ in rows],
                np.array([weight for _, _, weight in rows], float) if weights is not None else None,
            )
        )


# cells ------------------------------------------------------------------------------------------


def _rows_of(cell: st.SearchStrategy[float]) -> st.SearchStrategy[tuple[float, ...]]:
    return st.tuples(*[cell] * N_FEATURES)


SMALL = st.integers(0, 4).map(float)
GAPPY = SMALL | st.just(np.nan)
ANY = st.floats(-1e6, 1e6)
EXTREME = (
    st.sampled_from([0.0, -0.0, 1.0, -1.0, 1e8, 1e8 + 1, 0.1, 5e-324, -2e-308, 1e140, np.nan])
    | st.floats(-1e140, 1e140, allow_subnormal=True)
)  # fmt: skip
SKIES = ("rain", "sun", "雪")
SKY = st.sampled_from((*SKIES, None))
TEXTS = st.lists(st.sampled_from(("free", "lunch", "rain", "雨", "今天")), max_size=5).map(" ".join)
COLUMNS = ("wind", "sky", "天")
PARENTS = {"play": ("sky", "wind"), "sky": (), "wind": ("sky",)}
STATES = {"sky": ("sun", "rain", "fog"), "wind": (True, False), "play": (2, 10, 0.5, "no")}


def _largest(records: Sequence[Record]) -> float:
    numbers = np.abs(np.array(records, float))
    return float(np.nanmax(numbers, initial=1e-300))


def _categories(cells: Sequence[str | None]) -> Cells:
    """A column; its levels in the order in which they come, as a table may have them."""
    levels = tuple(dict.fromkeys(cell for cell in cells if cell is not None))
    if not levels:
        return Nothing(len(cells))
    codes = [-1 if cell is None else levels.index(cell) for cell in cells]
    return Categories(np.array(codes, np.intp), levels)


def _table(columns: Mapping[str, Cells], n_rows: int) -> Table:
    return Table(dict(columns), n_rows, True, tuple(columns))


def _words_table(records: Sequence[Record]) -> Table:
    cells = map(_categories, zip(*records, strict=True))
    return _table(dict(zip(COLUMNS, cells, strict=True)), len(records))


# rows -> statistic ------------------------------------------------------------------------------


def _of_matrix(summarise: Callable) -> Summarise:
    return lambda records, *rest: summarise(np.array(records), *rest)


def _column(make: Callable[[Sequence[Record]], Cells], kind: type) -> Summarise:
    """What a table keeps of its one column; the zero where nothing was observed."""

    def count(
        records: Sequence[Record], codes: Array, n_classes: int, weights: Array | None
    ) -> Any:
        table = _table({"column": make(records)}, len(records))
        counts = table_counts(table, codes, n_classes, weights)
        return counts.columns.get("column", kind.empty(n_classes))

    return count


def _mixed(records: Sequence[Record], codes: Array, n_classes: int, weights: Array | None) -> Any:
    sky, wind, note = zip(*records, strict=True)
    cells = {
        "sky": _categories(sky),
        "wind": NumberCells(np.array(wind)),
        "note": Texts(list(note)),
    }
    return table_counts(_table(cells, len(records)), codes, n_classes, weights)


def _families(
    records: Sequence[Record], codes: Array, n_classes: int, weights: Array | None
) -> FamilyCounts:
    columns = {}
    for name, cells in zip(STATES, zip(*records, strict=True), strict=True):
        states = tuple(dict.fromkeys(cells))
        columns[name] = Coded(np.array([states.index(cell) for cell in cells]), states)
    return family_counts(columns, PARENTS, weights)


def _combination_case(order: int) -> Case:
    def count(
        records: Sequence[Record], codes: Array, n_classes: int, weights: Array | None
    ) -> CombinationCounts:
        return combination_counts(_words_table(records), codes, n_classes, order, weights)

    empty = lambda n_classes: CombinationCounts.empty(n_classes, order)  # noqa: E731
    return Case(CombinationCounts, st.tuples(SKY, SKY, SKY), count, empty)


def _forest_case() -> Case:
    records = [(sky, other, None) for sky in SKIES for other in SKIES]
    table, codes = _words_table(records), np.arange(len(records)) % 2
    forest = grow_forest(table, ["no", "yes"], codes, None, n_trees=3, splits="best", seed=0)

    def count(
        records: Sequence[Record], codes: Array, n_classes: int, weights: Array | None
    ) -> ForestCounts:
        return forest_counts(forest, _words_table(records), codes, n_classes, weights)

    def empty(n_classes: int) -> ForestCounts:
        nothing = np.zeros(0, np.intp)
        return forest_counts(forest, _words_table(records).at(nothing), nothing, n_classes, None)

    return Case(ForestCounts, st.tuples(SKY, SKY, SKY), count, empty)


def _pooled_case() -> Case:
    forest, levels = _forest_case(), _combination_case(1)

    def both(
        records: Sequence[Record], codes: Array, n_classes: int, weights: Array | None
    ) -> PooledCounts:
        parts = tuple(part.count(records, codes, n_classes, weights) for part in (forest, levels))
        return PooledCounts(parts[0].class_count, parts)

    def empty(n_classes: int) -> PooledCounts:
        parts = tuple(part.empty(n_classes) for part in (forest, levels))
        return PooledCounts(parts[0].class_count, parts)

    return Case(PooledCounts, forest.record, both, empty)


def _joint(
    records: Sequence[Record], codes: Array, n_classes: int, weights: Array | None
) -> JointCounts:
    return joint_counts(_words_table(records), codes, n_classes, weights)


def _texts(
    records: Sequence[Record], codes: Array, n_classes: int, weights: Array | None
) -> TextCounts:
    return text_counts(CountedTexts(list(records), Tokenizer()), codes, n_classes, weights)


def _per_class(
    records: Sequence[Record], codes: Array, n_classes: int, weights: Array | None
) -> Moments:
    return class_moments(np.array(records), codes, n_classes, weights).per_class


def _instances(
    records: Sequence[Record], codes: Array, n_classes: int, weights: Array | None
) -> Instances:
    return Instances(np.array(records), codes[:, None].astype(np.int64))


# the table --------------------------------------------------------------------------------------


def _matrix_case(kind: type, summarise: Callable, cell: st.SearchStrategy, **more: Any) -> Case:
    empty = lambda n_classes: kind.empty(n_classes, N_FEATURES)  # noqa: E731
    return Case(kind, _rows_of(cell), _of_matrix(summarise), empty, **more)


CASES = {
    "FeatureCounts": _matrix_case(FeatureCounts, feature_counts, GAPPY),
    "PresenceCounts": _matrix_case(PresenceCounts, presence_counts, SMALL),
    "PresenceCounts with gaps": _matrix_case(
        PresenceCounts,
        presence_counts,
        GAPPY,
    ),
    "CategoryCounts": _matrix_case(CategoryCounts, category_counts, GAPPY),
    "ClassMoments": _matrix_case(ClassMoments, class_moments, GAPPY),
    "ClassMoments of any numbers": _matrix_case(ClassMoments, class_moments, ANY, scale=_largest),
    "Moments": Case(
        Moments,
        _rows_of(GAPPY),
        _per_class,
        lambda n_classes: Moments.empty(n_classes, N_FEATURES),
        exempt={"classes": "its groups need not be classes"},
    ),
    "CrossMoments": _matrix_case(CrossMoments, cross_moments, SMALL),
    "CrossMoments of any numbers": _matrix_case(
        CrossMoments,
        cross_moments,
        ANY,
        scale=_largest,
    ),
    "LevelCounts": Case(LevelCounts, SKY, _column(_categories, LevelCounts), LevelCounts.empty),
    "WordCounts": Case(
        WordCounts,
        TEXTS | st.none(),
        _column(lambda texts: Texts(list(texts)), WordCounts),
        WordCounts.empty,
    ),
    "NumberCounts": Case(
        NumberCounts,
        EXTREME,
        _column(lambda values: NumberCells(np.array(values)), NumberCounts),
        NumberCounts.empty,
        scale=_largest,
    ),
    "TableCounts": Case(
        TableCounts, st.tuples(SKY, GAPPY, TEXTS | st.none()), _mixed, TableCounts.empty
    ),
    "CombinationCounts of columns": _combination_case(1),
    "CombinationCounts of pairs": _combination_case(2),
    "CombinationCounts of triples": _combination_case(3),
    "ForestCounts": _forest_case(),
    "PooledCounts": _pooled_case(),
    "JointCounts": Case(JointCounts, st.tuples(SKY, SKY, SKY), _joint, JointCounts.empty),
    "TextCounts": Case(TextCounts, TEXTS, _texts, TextCounts.empty),
    "FamilyCounts": Case(
        FamilyCounts,
        st.tuples(*map(st.sampled_from, STATES.values())),
        _families,
        lambda n_classes: FamilyCounts.empty(PARENTS),
        exempt={"classes": "a network has no classes"},
    ),
    "Instances": Case(
        Instances,
        _rows_of(SMALL),
        _instances,
        lambda n_classes: Instances.empty(N_FEATURES),
        exempt={
            "order": "rows stay in the order of learning",
            "commutative": "rows stay in the order of learning",
            "weights": "neighbours count rows, not weights",
            "scaled": "neighbours count rows, not weights",
        },
    ),
}
