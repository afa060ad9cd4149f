"""Tables of DuckDB, counted by DuckDB: files and relations.

Its own SQL, not that of narwhals: it knows the bits of a number, and with DuckDB 2 the types that
narwhals holds are reported as leaked when Python ends.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from bayesic.data.engines import Groups, NumberGroups
from bayesic.kernels import Array

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyRelation

MANTISSA_BITS = 52
ROWS_PER_BLOCK = 50_000


@dataclass(frozen=True)
class DuckTable:
    """The columns of a relation, under their own names."""

    relation: "DuckDBPyRelation"
    columns: Mapping[str, str]  # name -> what the relation calls it

    def head(self, n_rows: int) -> "pa.Table":
        """The first rows."""
        selected = ", ".join(map(identifier, self.columns.values()))
        found = arrow_table(self.relation.project(selected).limit(n_rows))
        return found.rename_columns(list(self.columns))

    def groups(self, families: Sequence[Sequence[str]], most: int) -> Iterator[Groups]:
        """The different rows of each family: one plain GROUP BY each, which is fastest."""
        for family in families:
            cells = ", ".join(map(self._cell, family))
            counted = self.relation.aggregate(f"{cells}, count(*)", cells)
            found = arrow_table(counted.limit(most + 1))
            table = found.select(range(len(family))).rename_columns(list(family))
            yield Groups(table, _times(found.column(len(family))))

    def number_groups(
        self, target: str, bits: Mapping[str, int], most: int
    ) -> Iterator[NumberGroups]:
        """Numbers by their leading bits."""
        for name, n_bits in bits.items():
            x = f"{self._cell(name)}::DOUBLE"
            numbers = self.relation.project(
                f"{self._cell(target)} AS target, CASE WHEN NOT isnan({x}) THEN {x} END AS x"
            )
            cells = f"target, x::BIT::BIGINT & {-(1 << (MANTISSA_BITS - n_bits))}"
            moments = numbers.aggregate(f"{cells}, count(*), avg(x), var_pop(x)", cells)
            found = arrow_table(moments.limit(most + 1))
            _, patterns, count, mean, variance = found.columns
            keys, times = patterns.fill_null(0).to_numpy().view(np.float64), _times(count)
            yield NumberGroups(
                found.select([0]).rename_columns([target]),
                np.where(patterns.is_null().to_numpy(), np.nan, keys),
                times,
                mean.to_numpy(),
                variance.to_numpy() * times,
            )

    def blocks(self, columns: Sequence[str]) -> Iterator["pa.Table"]:
        """All rows with these columns alone."""
        selected = ", ".join(map(self._cell, columns))
        for batch in arrow_batches(self.relation.project(selected), ROWS_PER_BLOCK):
            yield import_module("pyarrow").Table.from_batches([batch]).rename_columns(columns)

    def _cell(self, name: str) -> str:
        return identifier(self.columns[name])


def arrow_table(relation: "DuckDBPyRelation") -> "pa.Table":
    """All rows of a relation as a pyarrow table."""
    if hasattr(relation, "to_arrow_table"):
        return relation.to_arrow_table()
    return relation.fetch_arrow_table()  # its name before DuckDB 1.5


def arrow_batches(relation: "DuckDBPyRelation", rows: int) -> Iterator["pa.RecordBatch"]:
    """The rows of a relation as record batches of pyarrow."""
    # of a relation this is a stream; of a connection it is the whole result, cut into pieces
    if hasattr(relation, "to_arrow_reader"):
        return relation.to_arrow_reader(rows)
    return relation.fetch_arrow_reader(rows)  # its name before DuckDB 1.5


def identifier(name: str) -> str:
    """A name as SQL writes it.

    >>> identifier('sk"y')
    '"sk""y"'
    """
    return '"' + name.replace('"', '""') + '"'


def _times(column: "pa.ChunkedArray") -> Array:
    return column.to_numpy().astype(np.int64)
