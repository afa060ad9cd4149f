"""Tables of data as numbers of states: rows that are asked about, and rows that are counted."""

from collections.abc import Iterator, Mapping
from functools import reduce
from operator import add
from typing import Literal, NamedTuple

import numpy as np

from bayesic.data import engines
from bayesic.data.arguments import as_numbers, checked_weights
from bayesic.data.coded import Coded, ColumnBlock, Known, block_of, coded, how_read, table_blocks
from bayesic.data.distinct import NOT_OBSERVED, category_name
from bayesic.data.engines import LazyTable, groups_of_families
from bayesic.data.source import Stored, opened
from bayesic.data.spelling import spelt
from bayesic.data.states import States
from bayesic.data.typing import ArrayLike, TableLike
from bayesic.kernels import Array
from bayesic.networks.variable_names import NetworkError, check_texts, listed
from bayesic.statistics.families import FamilyCounts, Parents, counts_of_groups, family_counts

Unknown = Literal["error", "null"]

UNSEEN = -2


# rows of which anything may be missing --------------------------------------------------------


def state_codes(
    net_states: Mapping[str, States], table: TableLike, unknown: Unknown = "error"
) -> Array:
    """The number of the state in every cell: int64 (n_rows, n_variables), -1 where none was seen.

    net_states : variable -> its states, which are numbered in their order
    table      : anything with named columns, see `as_table`. Null and NaN mean "not observed", and
                 so does a column that is not there. Columns that are not variables are ignored
    unknown    : "error" refuses a cell that is none of the states; "null" takes it as not observed

    States are compared as text, as categories are everywhere: True, "True" and 1 find the state
    True. The columns of the result are contiguous.

    >>> states = {"Storm": (True, False), "Sky": ("晴", "雨")}
    >>> state_codes(states, {"Sky": ["雨", None, "晴"], "Day": [1, 2, 3]})
    array([[-1,  1],
           [-1, -1],
           [-1,  0]])
    """
    block = block_of(table, net_states)
    if not block.columns:
        raise ValueError(
            f"The columns of a table are named like the variables, {listed(tuple(net_states))}; "
            f"none of {listed(block.names)} is. Rename the columns; absent ones count as missing."
        )
    return block_codes(net_states, block, unknown)


def block_codes(
    net_states: Mapping[str, States], block: ColumnBlock, unknown: Unknown = "error"
) -> Array:
    """The same for a block of rows; columns that are none of these variables are ignored."""
    columns = coded(block, net_states)
    check_texts({n: net_states[n] for n, its in columns.items() if its.states is not net_states[n]})
    return column_codes(net_states, columns, block.n_rows, unknown)


def column_codes(
    net_states: Mapping[str, States],
    columns: Mapping[str, Coded],
    n_rows: int,
    unknown: Unknown = "error",
) -> Array:
    """The same for columns that are coded already, by whichever states."""
    codes = np.full((len(net_states), n_rows), NOT_OBSERVED, dtype=np.int64)
    for numbers, (variable, states) in zip(codes, net_states.items(), strict=True):
        if variable in columns:
            column = columns[variable]
            numbers[:] = column.numbered(states, UNSEEN)
            if column.states is not states and numbers.min(initial=0) == UNSEEN:
                if unknown == "error":
                    raise _unseen(variable, states, column, numbers)
                numbers[numbers == UNSEEN] = NOT_OBSERVED
    return codes.T


def _unseen(variable: str, states: States, column: Coded, numbers: Array) -> NetworkError:
    row = int((numbers == UNSEEN).argmax())
    state = category_name(column.states[column.codes[row]])
    return NetworkError(
        f"{variable} has the states {listed(states)}, got {state!r} in row {row}. Use null for "
        "missing values.",
        variable,
    )


def observed_codes(
    net_states: Mapping[str, States], table: TableLike, unknown: Unknown = "error"
) -> Array:
    """The same as `state_codes`, of a table in memory or in a file, which is read in blocks."""
    blocks = variable_blocks(table, net_states)
    codes = [block_codes(net_states, block, unknown) for block in blocks]
    if not sum(map(len, codes)):
        raise ValueError("The table has no rows: there is nothing to answer.")
    return np.concatenate(codes)


# complete rows -> family counts ---------------------------------------------------------------


class CountedBlock(NamedTuple):
    """Some rows without gaps, and their family counts."""

    n_rows: int
    columns: dict[str, Coded]
    weights: Array | None  # of the rows; None where each counts once
    counts: FamilyCounts


def counted_families(
    table: TableLike, parents: Parents, declared: Known, sample_weight: ArrayLike | None = None
) -> FamilyCounts:
    """The family counts of all rows; every variable must be observed in every row.

    declared : variable -> states by which its cells are known, None if none are

    >>> rows = {"Rain": ["yes", "no", "yes"], "Wet": [True, False, True]}
    >>> counted_families(rows, {"Rain": (), "Wet": ("Rain",)}, {"Rain": None, "Wet": None}).table
    array([1, 2, 1, 0, 0, 2])
    """
    source = opened(table)
    if sample_weight is None and isinstance(source, Stored) and parents:
        counts = _families_at_source(source, parents, declared)
        if counts is not None:
            return counts
    blocks = counted_blocks(source, parents, declared, sample_weight)
    return reduce(add, (block.counts for block in blocks))


def _families_at_source(source: Stored, parents: Parents, declared: Known) -> FamilyCounts | None:
    """The same from the groups of each family, where an engine gives them; None if rows must come.

    Where a group is refused, rows must come as well: then the message can name the row.
    """
    if not set(declared) <= set(source.names):
        return None
    try:
        rows = source.countable(how_read(source, declared))
        return None if rows is None else _families_of_groups(rows, parents, declared)
    except engines.REFUSALS:
        return None


def _families_of_groups(rows: LazyTable, parents: Parents, declared: Known) -> FamilyCounts:
    head = rows.head(engines.FIRST_ROWS)
    if not head.num_rows:
        raise ValueError("There are no rows.")
    first = _complete_columns(block_of(head, declared), declared)
    if head.num_rows < engines.FIRST_ROWS:
        return family_counts(first, parents)
    families = {name: {*its_parents, name} for name, its_parents in parents.items()}
    n_states = {name: len(column.states) for name, column in first.items()}
    counted = []
    grouped = groups_of_families(rows, [sorted(its) for its in families.values()], n_states)
    for members, (table, times) in grouped:
        if len(times) > engines.MOST_GROUPS:
            raise ValueError(f"There are too many different rows of {listed(members)}.")
        states = {name: declared[name] for name in members}
        counted.append(({*members}, (_complete_columns(block_of(table, states), states), times)))
    # a family within a larger one is counted there
    groups = {
        name: next(groups for its, groups in counted if family <= its)
        for name, family in families.items()
    }
    return counts_of_groups(groups, parents)


def counted_blocks(
    table: TableLike, parents: Parents, declared: Known, sample_weight: ArrayLike | None = None
) -> Iterator[CountedBlock]:
    """The same block by block, with the rows themselves."""
    if not parents:
        raise ValueError("The network has no variables, so there is nothing to learn.")
    is_empty = True
    for block, weights in weighted_blocks(variable_blocks(table, declared), sample_weight):
        columns = _complete_columns(block, declared)
        counts = family_counts(columns, parents, weights)
        is_empty = is_empty and not counts.table.size
        yield CountedBlock(block.n_rows, columns, weights, counts)
    if is_empty:
        raise ValueError("The table has no rows, so there is nothing to learn. Give at least one.")


def _complete_columns(block: ColumnBlock, declared: Known) -> dict[str, Coded]:
    """The state of each variable in each row. All must be there, in every row."""
    missing = [name for name in declared if name not in block.columns]
    if missing:
        raise ValueError(
            f"Counting needs a column for each variable, missing {listed(missing)}. A variable "
            f"that is never observed can be learned by EM: {_by_em()}."
        )
    columns = coded(block, declared)
    for name, column in columns.items():
        if column.codes.min(initial=0) < 0:
            gaps = column.codes < 0
            raise ValueError(
                f"Counting needs complete rows, but {name!r} is null in {int(gaps.sum())} of them, "
                f"first in row {block.first_row + int(gaps.argmax())}. Drop these "
                f"rows, or learn rows with gaps by EM: {_by_em()}."
            )
    return columns


def _by_em() -> str:
    return spelt("fit(table, method='em')")


# blocks of rows -------------------------------------------------------------------------------


def variable_blocks(table: TableLike, declared: Known) -> Iterator[ColumnBlock]:
    """The columns of a table or file that are named like variables, in blocks of rows."""
    check_texts(declared)
    source = opened(table)
    for block in table_blocks(source, declared):
        if not block.named:
            raise TypeError(
                "The columns of a table must have the names of variables, got a "
                f"{type(source.X).__name__}. Give a table, a dict of columns or a list of dicts."
            )
        if not block.columns:
            raise ValueError(
                f"The columns of a table must have the names of variables, {listed([*declared])}; "
                f"got {listed(block.names)}. Rename the columns."
            )
        yield block


def weighted_blocks(
    blocks: Iterator[ColumnBlock], sample_weight: ArrayLike | None
) -> Iterator[tuple[ColumnBlock, Array | None]]:
    """Each block with the weights of its rows, None if no weights are given."""
    given = None if sample_weight is None else as_numbers(sample_weight, "sample_weight")
    if given is None or given.ndim == 0:
        for block in blocks:
            yield block, checked_weights(given, block.n_rows)
        return
    weights = checked_weights(given, len(given)) if given.size else given
    assert weights is not None  # it was given
    n_rows = 0
    for block in blocks:
        n_rows = block.rows.stop
        if n_rows > len(weights):
            break
        yield block, weights[block.rows]
    if n_rows != len(weights):
        raise ValueError(
            f"sample_weight must have one weight for each row, got {len(weights)} for "
            f"{n_rows} rows{' or more' if n_rows > len(weights) else ''}."
        )
