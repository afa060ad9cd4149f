"""Rows that are counted where they are: an engine groups them, and the groups are counted.

A group is a row that occurs several times. So groups go through the same reader and the same
statistics as rows, with the number of times in place of a weight: the same kinds of columns, and
the same integers.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesic.data import engines
from bayesic.data.columns import Categories, Cells, Numbers, Texts
from bayesic.data.engines import AddingTable, NumberGroups, groups_of_families
from bayesic.data.labels import take_column
from bayesic.data.source import RowBlock, Stored
from bayesic.data.tables import Table
from bayesic.kernels import Array
from bayesic.models.readers.labelled_rows import read_to_learn
from bayesic.models.readers.reader import CodedRows, Counted, CountsStored
from bayesic.spark.partitions import narrowed, summaries
from bayesic.statistics.additive import class_counts, sum_of_pairs, united
from bayesic.statistics.leading_bits import MANTISSA_BITS, at_resolution
from bayesic.statistics.number_groups import counts_of_groups
from bayesic.statistics.table_counts import TableCounts
from bayesic.statistics.value_tables import bits_that_fit

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

DENSITIES = ("auto", "gaussian", "kernel", "binned")  # of numbers that may be cut to a few bits


@dataclass(frozen=True)
class Counting:
    """A table whose rows an engine holds, and the model that counts them."""

    model: CountsStored
    rows: AddingTable
    target: str  # the column of the classes
    first: Any  # the first rows, as the model reads them
    n_classes: int  # of the first rows
    names: tuple[str, ...]  # of the columns of the table, without the target
    binary: frozenset[str]  # numeric columns that float64 has, or rounds
    frame: "DataFrame | None" = None  # the DataFrame of Spark that has the rows

    @property
    def reader(self) -> Any:
        """How the model takes columns in."""
        return self.model._reader()

    def labelled(self, table: object) -> tuple[Any, Array, Array]:
        """Rows without their classes, these, and the number of the class of each row."""
        rows, labels = take_column(table, self.target)
        return rows, *self.model._encoded(labels)

    def coded(self, table: object, times: Array | None = None) -> CodedRows:
        """Rows or groups with some columns, as the model counts them."""
        rows, classes, codes = self.labelled(table)
        return CodedRows(self.reader.cells(rows), classes, codes, times)


def counted_at_source(
    model: CountsStored, source: Stored, target: str, count: Callable[[Counting], Counted]
) -> Counted | None:
    """Classes and statistics of a file or lazy table by its engine; None if rows must be read.

    count : how the model counts a table of which not all rows were read

    Where a group is refused, rows must be read as well: then the message can name the row.
    """
    try:
        rows = source.countable({**model._reader().stored_in(source, target), target: "label"})
        if rows is None:
            return None
        names = tuple(name for name in source.names if name != target)
        head = rows.head(engines.FIRST_ROWS)
        features, labels = take_column(head, target)
        classes, codes = model._encoded(labels)
        first = read_to_learn(model, RowBlock(features, 0, labels, None, names), len(codes))
        if len(codes) < engines.FIRST_ROWS:
            return model._counted_block(CodedRows(first, classes, codes, None))
        if isinstance(first, Table) and not first.named:  # its columns go by their places
            return None
        table = Counting(model, rows, target, first, len(classes), names, _binary(head))
        return count(replace(table, frame=source.X) if source.is_spark else table)
    except engines.REFUSALS:
        return None


def _binary(head: "pa.Table") -> frozenset[str]:
    """The columns of whole numbers and floats of a pyarrow table; no decimals."""
    types = zip(head.column_names, map(str, head.schema.types), strict=True)
    return frozenset(n for n, type_ in types if type_.startswith(("int", "uint", "double", "fl")))


# all columns at once ----------------------------------------------------------------------------


def counted_together(table: Counting) -> Counted:
    """Groups of rows that are equal in all columns, if there are not too many."""
    if not set(table.first.columns) <= set(table.names):
        raise ValueError("Columns that are not there have no groups.")
    [groups] = table.rows.groups([(table.target, *table.first.columns)], engines.MOST_GROUPS)
    if len(groups.times) > engines.MOST_GROUPS:
        raise ValueError("There are too many groups.")
    return table.model._counted_block(table.coded(groups.table, groups.times))


# each column by itself --------------------------------------------------------------------------


def counted_columns(table: Counting) -> Counted:
    """The counts of each column: by values if they are few, of numbers by leading bits, or by rows.

    Texts have many words, so they are read row by row; so are columns of very many values.
    """
    here = {name: cells for name, cells in table.first.columns.items() if name in table.names}
    by_row = [name for name, cells in here.items() if isinstance(cells, Texts)]
    cut = {name: _bits(table, name, cells) for name, cells in here.items()}
    bits = {name: kept for name, kept in cut.items() if kept is not None}
    by_value = {name: here[name] for name in here if name not in by_row and name not in bits}
    counted = [*_counts_by_value(table, by_value, bits, by_row)]
    counted += _counts_by_bits(table, bits, by_row)
    if by_row:
        counted.append(_counts_by_row(table, by_row))
    if not counted:
        counted.append(_counts_of_classes(table))
    return _put_together(counted, [*here])


def _counts_by_value(
    table: Counting, columns: dict[str, Cells], bits: dict[str, int], by_row: list[str]
) -> Iterator[Counted]:
    """Counts of columns with few values, some together; others go to bits or by_row."""
    n_values = {name: _number_of_values(cells) for name, cells in columns.items()}
    n_values[table.target] = table.n_classes
    families = [(table.target, name) for name in columns]
    for (_, *names), groups in groups_of_families(table.rows, families, n_values):
        if len(groups.times) <= engines.MOST_GROUPS:
            yield table.model._counted_block(table.coded(groups.table, groups.times))
            continue
        [name] = names
        kept = _bits(table, name, table.coded(groups.table).X.columns[name])
        if kept is None:
            by_row.append(name)
        else:
            bits[name] = kept


def _number_of_values(cells: Cells) -> int:
    """How many different values some cells have, a gap among them."""
    if isinstance(cells, Categories):
        return 1 + len(cells.levels)
    return len(np.unique(cells.values)) if isinstance(cells, Numbers) else 1


def _bits(table: Counting, name: str, cells: Cells) -> int | None:
    """To how many bits to cut numbers so that few are left; None if they are few, or stay whole."""
    kind = table.reader.kinds.get(name, table.reader.numeric)
    if not isinstance(cells, Numbers) or kind not in DENSITIES or name not in table.binary:
        return None
    return _fewer_bits(cells.values[~np.isnan(cells.values)])


def _fewer_bits(values: Array) -> int | None:
    values = at_resolution(values, MANTISSA_BITS)  # the smallest are 0, as where they are counted
    bits = bits_that_fit(np.sort(values))
    return None if bits == MANTISSA_BITS else bits


def _counts_of_classes(table: Counting) -> Counted:
    [groups] = table.rows.groups([(table.target,)], engines.MOST_GROUPS)
    _, classes, codes = table.labelled(groups.table)
    return classes, TableCounts(class_counts(codes, groups.times, len(classes)), {})


def _counts_by_bits(table: Counting, bits: dict[str, int], by_row: list[str]) -> Iterator[Counted]:
    """Counts of numbers by their leading bits; columns that have too many go to by_row.

    The bits are those of some of the numbers. With all of them there can only be fewer.
    """
    while bits:
        fewer: dict[str, int] = {}
        found = table.rows.number_groups(table.target, bits, engines.MOST_GROUPS)
        for (name, kept), groups in zip(bits.items(), found, strict=True):
            if len(groups.times) <= engines.MOST_GROUPS:
                yield _counts_of_numbers(table, name, kept, groups)
                continue
            less = _fewer_bits(groups.keys[~np.isnan(groups.keys)])
            if less is not None and less < kept:
                fewer[name] = less
            else:
                by_row.append(name)
        bits = fewer


def _counts_of_numbers(table: Counting, name: str, bits: int, groups: NumberGroups) -> Counted:
    _, classes, codes = table.labelled(groups.table)
    observed = ~np.isnan(groups.keys)
    if not np.isfinite(groups.keys[observed]).all():
        raise ValueError(f"Numbers must be finite, but column {name!r} has infinite ones.")
    of_groups = (groups.keys, groups.times, groups.mean, groups.scatter)
    keys, count, mean, scatter = (array[observed] for array in of_groups)
    counts = counts_of_groups(
        name, bits, codes[observed], len(classes), (keys, count, mean, scatter)
    )
    return classes, TableCounts(class_counts(codes, groups.times, len(classes)), {name: counts})


def _counts_by_row(table: Counting, names: list[str]) -> Counted:
    columns = [table.target, *names]
    if table.frame is not None:
        counted = _counts_by_partition(table, table.frame, columns)
    else:
        counted = _counts_of_blocks(table, table.rows.blocks(columns))
    if counted is None:
        raise ValueError(engines.CHANGED)
    return counted


def _counts_of_blocks(table: Counting, blocks: Iterable[object]) -> Counted | None:
    return sum_of_pairs(united, (table.model._counted_block(table.coded(b)) for b in blocks))


def _counts_by_partition(table: Counting, frame: "DataFrame", columns: list[str]) -> Counted | None:
    """The same, where these columns are read by the executors of Spark."""
    nothing: Any = None  # neither the DataFrame nor the first rows are sent
    sent = replace(table, rows=nothing, frame=None, first=table.first.part(slice(0)))
    found = summaries(
        narrowed(frame, columns),
        lambda rows: _counts_of_blocks(sent, (block.X for block in rows.blocks())),
    )
    return sum_of_pairs(united, map(tuple, found))


def _put_together(counted: list[Counted], names: list[str]) -> Counted:
    """Counts of single columns as those of the table; names in their order."""
    classes, every = counted[0]
    for others, counts in counted:
        is_same = np.array_equal(others, classes)
        if not is_same or not np.array_equal(counts.class_count, every.class_count):
            raise ValueError(engines.CHANGED)
    columns = {name: column for _, counts in counted for name, column in counts.columns.items()}
    in_order = {name: columns[name] for name in names if name in columns}
    return classes, TableCounts(every.class_count, in_order)
