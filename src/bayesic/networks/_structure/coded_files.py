"""Files and lazy tables as states: equal rows as their engine counts them, or a byte a cell."""

import numpy as np

from bayesic.data import engines
from bayesic.data.coded import Coded, block_of, coded, how_read, table_blocks
from bayesic.data.source import Stored
from bayesic.data.states import States, followed_by
from bayesic.kernels import Array
from bayesic.networks._structure.columns_of_states import refuse_gaps, refuse_many

MOST_CELLS = 2**30  # 1 GB of codes
FIRST_ROOM = 2**18  # rows of a column; memory that is not written to is not taken
ROWS_TO_COMPARE = 2**11  # if few of them are different, so are those of the whole table


class GrowingCodes:
    """The codes of a column, block after block in one array that grows.

    Many short arrays, put together in the end, would leave holes in memory as large as the table.
    """

    def __init__(self) -> None:
        self._codes, self._n_rows = np.empty(FIRST_ROOM, np.int8), 0

    def append(self, codes: Array) -> None:
        """Codes of further rows, as wide as they need to be."""
        stop = self._n_rows + len(codes)
        if codes.dtype.itemsize > self._codes.dtype.itemsize:
            self._codes = self._codes.astype(codes.dtype)
        if stop > len(self._codes):
            self._codes.resize(stop + stop // 8, refcheck=False)  # no one else has it
        self._codes[self._n_rows : stop] = codes
        self._n_rows = stop

    def whole(self) -> Array:
        """All codes; there can be no more after them."""
        self._codes.resize(self._n_rows, refcheck=False)
        return self._codes


def equal_rows(source: Stored) -> tuple[dict[str, Coded], Array] | None:
    """The different rows of a table and how often each occurs, counted by its engine.

    None if it has no engine, if there are too many, or if it is shorter to read the rows.
    """
    names = source.names
    undeclared = dict.fromkeys(names)
    try:
        rows = source.countable(how_read(source, undeclared))
        if rows is None:
            return None
        head = rows.head(engines.FIRST_ROWS)
        some = head.slice(0, ROWS_TO_COMPARE)
        n_different = len({*zip(*some.to_pydict().values(), strict=True)})
        is_short = head.num_rows < engines.FIRST_ROWS
        if is_short or 2 * n_different > some.num_rows:
            return None
        [groups] = rows.groups([names], engines.MOST_GROUPS)
        if len(groups.times) > engines.MOST_GROUPS:
            return None
        columns = coded(block_of(groups.table), undeclared, only_names=True)
        for name, column in columns.items():
            refuse_gaps(name, column.codes)
    except engines.REFUSALS:
        return None
    return columns, groups.times


def coded_rows(source: Stored) -> dict[str, Coded]:
    """All rows of a table, read block by block into as few bytes as the states need."""
    states: dict[str, States | None] = dict.fromkeys(source.names)
    codes = {name: GrowingCodes() for name in states}
    are_names = dict.fromkeys(states, False)
    for block in table_blocks(source, states):
        columns = coded(block, states, only_names=True)
        states = followed_by(states, {name: column.states for name, column in columns.items()})
        for name, column in columns.items():
            refuse_gaps(name, column.codes, block.first_row)
            refuse_many(name, states[name] or ())
            codes[name].append(column.numbered(states[name] or ()))
            are_names[name] = column.are_names
        if block.rows.stop * len(states) > MOST_CELLS:
            raise ValueError(
                f"A structure is learned from at most {MOST_CELLS} cells, got more in "
                f"{len(states)} columns. Use fewer columns, or a sample of the rows, as with "
                "SELECT * FROM table USING SAMPLE 1000000."
            )
    return {
        name: Coded(codes[name].whole(), states[name] or (), are_names[name]) for name in states
    }
