"""Lazy tables of polars, PySpark, Dask and Ibis: counted by their engine, read in blocks.

All questions are expressions of narwhals, so that any engine that it knows can be asked. None of
these libraries is imported before a table of it has come.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesic.data.csv_files import first_line
from bayesic.data.engines import (
    Batch,
    ClassSums,
    Groups,
    LazyTable,
    NumberGroups,
    StoredTable,
    Told,
)
from bayesic.data.ibis_tables import all_rows, readable
from bayesic.kernels import Array

if TYPE_CHECKING:
    import narwhals as nw
    import pyarrow as pa
    from narwhals.dtypes import DType
    from pyspark.sql import DataFrame as SparkFrame

# library and class of a lazy table -> whether its rows have an order
_LAZY = {
    ("polars", "LazyFrame"): True,
    ("narwhals", "LazyFrame"): True,
    ("dask", "DataFrame"): True,
    ("pyspark", "DataFrame"): False,
    ("ibis", "Table"): False,
}
MANTISSA_BITS = 52
LARGEST_TO_ROUND = 2.0**900  # beyond it the products below could overflow


def is_lazy(X: object) -> bool:
    """Whether X is a lazy table of one of these libraries.

    >>> is_lazy([[1, 2]])
    False
    """
    return _type(X) in _LAZY and not type(X).__module__.startswith("pyspark.pandas")


def is_of_spark(X: object) -> bool:
    """Whether X is a DataFrame of Spark, classic or Connect; pyspark is not imported.

    >>> is_of_spark([[1, 2]])
    False
    """
    return any(
        base.__name__ == "DataFrame" and base.__module__.startswith("pyspark.sql.")
        for base in type(X).__mro__
    )


def _type(X: object) -> tuple[str, str]:
    return type(X).__module__.partition(".")[0], type(X).__name__


def lazy_table(X: object) -> StoredTable:
    """A lazy table as a source of columns."""
    import narwhals as nw

    name = f"The {_type(X)[1]} of {_type(X)[0]}"
    sentences = partial(_errors_as_sentences, name)
    with sentences():
        native = nw.to_native(X, pass_through=True)
        frame = nw.from_native(readable(native) if _type(native)[0] == "ibis" else native)
        schema = frame.collect_schema()
    names = list(schema)

    def batches(places: list[int], stored: Told, rows: int) -> Iterator[Batch]:
        return _BATCHES[_library(frame)](_numbered(frame, places).to_native(), rows)

    def lazy(places: list[int]) -> LazyTable:
        columns = {names[place]: f"c{place}" for place in places}
        return FrameTable(_numbered(frame, places), columns)

    kinds = [*map(_kind, schema.dtypes())]
    return StoredTable(names, kinds, batches, lazy, sentences, name, _LAZY.get(_type(X), False))


def _library(frame: "nw.LazyFrame") -> str:
    return _type(frame.to_native())[0]


def _numbered(frame: "nw.LazyFrame", places: list[int]) -> "nw.LazyFrame":
    """Some columns, called c0, c1, ...: no engine has to know what a name may hold."""
    import narwhals as nw

    names = frame.collect_schema().names()
    if _library(frame) == "pyspark":  # to it a dot in a name means a part of a column
        frame = nw.from_native(frame.to_native().toDF(*(f"c{at}" for at in range(len(names)))))
    else:
        frame = frame.rename({name: f"c{at}" for at, name in enumerate(names)})
    return frame.select(*(f"c{place}" for place in places))


def _kind(dtype: "DType") -> str:
    import narwhals as nw

    if dtype.is_numeric():
        return "number"
    if dtype.is_temporal():
        return "date"
    if dtype == nw.Boolean:
        return "boolean"
    return "category" if dtype in (nw.String, nw.Categorical, nw.Enum) else "other"


@contextmanager
def _errors_as_sentences(name: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # each engine has errors of its own
        raise ValueError(
            f"{name} cannot be read: {first_line(str(error))}. Check the connection and the "
            "source of the table; nothing was learned."
        ) from error


# counting -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FrameTable:
    """The columns of a lazy frame of narwhals, under their own names."""

    frame: "nw.LazyFrame"
    columns: Mapping[str, str]  # name -> what the frame calls it

    def head(self, n_rows: int) -> "pa.Table":
        """Some rows, the first if there is an order."""
        rows = self.frame.head(n_rows).collect(backend="pyarrow").to_native()
        return self._named(rows, [*self.columns])

    def groups(self, families: Sequence[Sequence[str]], most: int) -> Iterator[Groups]:
        """The different rows of each family: one query for all families of the same types."""
        import narwhals as nw

        schema = self.frame.collect_schema()
        alike: dict[tuple, list[int]] = {}
        for number, family in enumerate(families):
            types = tuple(str(schema[self.columns[name]]) for name in family)
            alike.setdefault(types, []).append(number)

        def counted(number: int) -> "nw.LazyFrame":
            cells = [f"g{at}" for at in range(len(families[number]))]
            renamed = zip(map(self.columns.__getitem__, families[number]), cells, strict=True)
            rows = self.frame.select(*(nw.col(name).alias(cell) for name, cell in renamed))
            return rows.group_by(*cells).agg(nw.len().alias("n"))

        found = {
            number: table.select([f"g{at}" for at in range(len(families[number]))] + ["n"])
            for numbers in alike.values()
            for number, table in _united(numbers, counted, most)
        }
        for number, family in enumerate(families):
            table = found[number]
            yield Groups(self._named(table.drop_columns("n"), family), _numbers(table, "n", int))

    def number_groups(
        self, target: str, bits: Mapping[str, int], most: int
    ) -> Iterator[NumberGroups]:
        """Numbers that are rounded to the same bits, and how many of them were rounded up."""
        import narwhals as nw

        names, x, key, off = list(bits), nw.col("x"), nw.col("key"), nw.col("off")

        def counted(number: int) -> "nw.LazyFrame":
            numbers = self.frame.select(
                nw.col(self.columns[target]).alias("target"),
                nw.col(self.columns[names[number]]).cast(nw.Float64).alias("x"),
            )
            rounded = numbers.with_columns(_rounded(x, bits[names[number]]).alias("key"))
            cells = rounded.with_columns(
                nw.when(x.abs() < key.abs()).then(1.0).alias("up"), (x - key).alias("off")
            )
            squared = cells.with_columns((off * off).alias("square"))
            return squared.group_by("target", "key").agg(
                nw.len().alias("n"),
                nw.col("up").count().alias("n_up"),
                off.sum().alias("sum"),
                nw.col("square").sum().alias("squares"),
            )

        for _, table in _united(range(len(names)), counted, most):
            yield _groups_of_sides(table, target)

    def class_sums(
        self, target: str, columns: Sequence[str], asked: Sequence[str], above: float = 0.0
    ) -> ClassSums:
        """What is asked for of all columns, in one query."""
        import narwhals as nw

        schema, names = self.frame.collect_schema(), [self.columns[name] for name in columns]
        numbers = [_observed(nw.col(name), schema[name]) for name in names]
        cells = [number.alias(f"x{at}") for at, number in enumerate(numbers)]
        if "above" in asked:
            cells += [nw.when(x > above).then(1.0).alias(f"a{at}") for at, x in enumerate(numbers)]
        rows = self.frame.select(nw.col(self.columns[target]).alias("target"), *cells)
        sums = [
            _SUMS[what](nw.col(f"{'a' if what == 'above' else 'x'}{at}")).alias(f"{what}{at}")
            for what in asked
            for at in range(len(names))
        ]
        found = _collected(rows.group_by("target").agg(nw.len().alias("n"), *sums))
        places = range(len(names))
        of = {
            what: np.column_stack([_numbers(found, f"{what}{at}", float) for at in places])
            for what in asked
        }
        table = found.select(["target"]).rename_columns([target])
        return ClassSums(table, _numbers(found, "n", int), of)

    def blocks(self, columns: Sequence[str]) -> Iterator["pa.Table"]:
        """All rows with these columns alone."""
        rows = self.frame.select(*(self.columns[name] for name in columns))
        for batch in _BATCHES[_library(rows)](rows.to_native(), ROWS_PER_BLOCK):
            yield self._named(import_module("pyarrow").Table.from_batches([batch]), columns)

    def _named(self, table: "pa.Table", names: Sequence[str]) -> "pa.Table":
        return table.rename_columns(list(names))


# what is asked for -> how narwhals says it
_SUMS: dict[str, Callable[["nw.Expr"], "nw.Expr"]] = {
    "count": lambda x: x.count(),
    "above": lambda x: x.count(),
    "sum": lambda x: x.sum(),
    "least": lambda x: x.min(),
    "most": lambda x: x.max(),
    "mean": lambda x: x.mean(),
    "variance": lambda x: x.var(ddof=0),
}


def _observed(cell: "nw.Expr", dtype: "DType") -> "nw.Expr":
    """A column as float64, null where it is NaN."""
    import narwhals as nw

    if dtype == nw.Boolean:
        return cell.cast(nw.Int32).cast(nw.Float64)  # PostgreSQL knows no shorter way
    number = cell.cast(nw.Float64)
    return nw.when(~number.is_nan()).then(number) if dtype.is_float() else number


def _groups_of_sides(table: "pa.Table", target: str) -> NumberGroups:
    """Groups of rounded numbers as groups of leading bits: those that were rounded up begin lower.

    Where in a group each of them lies is unknown; both sides together have its moments.
    """
    near, times, n_up, sums, squares = (
        _numbers(table, *column)
        for column in (
            ("key", float),
            ("n", int),
            ("n_up", int),
            ("sum", float),
            ("squares", float),
        )
    )
    scatter = np.maximum(squares - sums * sums / times, 0.0)
    down, up = np.flatnonzero(times - n_up), np.flatnonzero(n_up)
    group = np.concatenate([down, up])
    on_side = np.concatenate([(times - n_up)[down], n_up[up]])
    return NumberGroups(
        table.select(["target"]).take(group).rename_columns([target]),
        np.concatenate([near[down], np.nextafter(near[up], 0.0)]),
        on_side,
        (near + sums / times)[group],
        (scatter / times)[group] * on_side,
    )


def _rounded(x: "nw.Expr", bits: int) -> "nw.Expr":
    """Numbers rounded to this many bits of the mantissa, or a few more, by arithmetic [Dekker].

        (2^s + 1) x - ((2^s + 1) x - x),   s = 52 - bits

    Engines that do not know the bits of a number know this. Between a number of this many bits and
    the middle to the next all have the same leading bits, so sides are told apart.
    """
    import narwhals as nw

    cut_off = MANTISSA_BITS - max(bits, 1)
    if cut_off < 2:  # it would not be exact
        return x
    large = x * (2.0**cut_off + 1)
    return nw.when(x.abs() < LARGEST_TO_ROUND).then(large - (large - x)).otherwise(x)


def _united(
    numbers: Sequence[int], query: Callable[[int], "nw.LazyFrame"], most: int
) -> Iterator[tuple[int, "pa.Table"]]:
    """The answers to queries of the same columns, asked together: each whole, or longer than most.

    The limit is of all together: with one in each part PostgreSQL would not work in parallel.
    """
    import narwhals as nw

    each = [
        query(number).with_columns(nw.lit(number).cast(nw.Int64).alias("query"))
        for number in numbers
    ]
    limit = most * len(each) + 1
    table = _collected((each[0] if len(each) == 1 else nw.concat(each, how="vertical")).head(limit))
    if len(each) > 1 and table.num_rows == limit:
        for number in numbers:
            yield from _united([number], query, most)
        return
    asked = _numbers(table, "query", int)
    for number in numbers:
        yield number, table.filter(asked == number).drop_columns("query")


def _collected(frame: "nw.LazyFrame") -> "pa.Table":
    """The groups of a frame whose first rows have been read."""
    if _library(frame) == "ibis":
        return all_rows(frame.to_native())
    return frame.collect(backend="pyarrow").to_native()


def _numbers(table: "pa.Table", name: str, type_: type) -> Array:
    values = table[name].to_numpy()
    return values.astype(np.int64 if type_ is int else np.float64)


# blocks ---------------------------------------------------------------------------------------

ROWS_PER_BLOCK = 50_000


def _polars_batches(frame: Any, rows: int) -> Iterator["pa.RecordBatch"]:
    if hasattr(frame, "collect_batches"):
        tables = frame.collect_batches(chunk_size=rows, maintain_order=True)
    else:  # polars before 1.34
        tables = frame.collect().iter_slices(rows)
    for table in tables:
        yield from table.to_arrow().combine_chunks().to_batches()


def _dask_batches(frame: Any, rows: int) -> Iterator["pa.RecordBatch"]:
    arrow = import_module("pyarrow")
    for number in range(frame.npartitions):
        table = arrow.Table.from_pandas(frame.get_partition(number).compute(), preserve_index=False)
        yield from table.to_batches(max_chunksize=rows)


def _ibis_batches(frame: Any, rows: int) -> Iterator["pa.RecordBatch"]:
    return iter(frame.to_pyarrow_batches(chunk_size=rows))


def _spark_batches(frame: "SparkFrame", rows: int) -> Iterator["pa.RecordBatch"]:
    from pyspark.sql.pandas.types import to_arrow_schema

    arrow, schema = import_module("pyarrow"), to_arrow_schema(frame.schema)
    partitions = frame.toLocalIterator()  # one partition after the other
    while block := list(islice(partitions, rows)):
        columns = zip(zip(*block, strict=True), schema.types, strict=True)
        arrays = [arrow.array(cells, type_) for cells, type_ in columns]
        yield arrow.RecordBatch.from_arrays(arrays, schema=schema)


_BATCHES: dict[str, Callable[[Any, int], Iterator["pa.RecordBatch"]]] = {
    "polars": _polars_batches,
    "dask": _dask_batches,
    "ibis": _ibis_batches,
    "pyspark": _spark_batches,
}
