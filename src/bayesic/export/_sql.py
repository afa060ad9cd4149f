"""Steps as one SELECT: a common table expression for each step, and one for each large table.

Numbers by code, of which networks of columns have very many, are arrays where a database has such:
a step is joined with one row of all arrays that it needs.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from bayesic.export._dialects import Dialect
from bayesic.export._expressions import (
    AnyOf,
    Condition,
    Conditional,
    Expression,
    Function,
    Gap,
    Greatest,
    IsGap,
    IsOneOf,
    LookupTable,
    NameOf,
    Number,
    Quotient,
    RankAmong,
    Relation,
    Sum,
    TableEntry,
    TextValue,
    Times,
)
from bayesic.export._steps import Cell, ExportStep, Lookup, Steps, Walk
from bayesic.kernels import Array
from bayesic.kernels.forest import MISSING, UNKNOWN

MOST_PARTS = 100  # of a sum or a function: more would be nested too deep, or too many arguments
MOST_CASES = 8  # keys of a table that are compared one by one where an array could be asked
MOST_ARRAYS = 500  # in a row
MOST_HOLES = 4  # numbers in an array, for each key that the table has
ROWS = "r"  # what the table of the user is called within


class SqlWriter:
    """Expressions in one dialect."""

    def __init__(self, dialect: Dialect) -> None:
        """All that databases spell in their own way comes from the dialect."""
        self.dialect = dialect
        self.arrays: dict[LookupTable, str] = {}  # that the step at hand asks, and their names

    def text(self, expression: Expression) -> str:
        """An expression, ready to stand anywhere."""
        match expression:
            case Number(value):
                return self.dialect.number(value)
            case TextValue(value):
                return self.dialect.text(value)
            case Gap():
                return "null"
            case NameOf(name):
                return name
            case Sum(parts):
                return self._grouped(parts, lambda some: f"({' + '.join(some)})")
            case Times(factors):
                return f"({' * '.join(map(self.text, factors))})"
            case Quotient(above, below):
                return f"({self.text(above)} / {self.text(below)})"
            case Greatest(parts):
                call = self.dialect.greatest
                return self._grouped(parts, lambda some: f"{call}({', '.join(some)})")
            case Function(name, of):
                return f"{name}({self.text(of)})"
            case Conditional(cases, otherwise):
                return self._choice(cases, self.text(otherwise))
            case RankAmong(of, among):
                return self._place(self.text(of), among)
            case TableEntry():
                return self._entry(expression)

    def condition(self, condition: Condition) -> str:
        """What stands behind WHEN."""
        match condition:
            case IsGap(of):
                return f"{self.text(of)} is null"
            case Relation(left, sign, right):
                return f"{self.text(left)} {sign} {self.text(right)}"
            case IsOneOf(of, codes):
                return _is_marked(self.text(of), codes)
            case AnyOf(conditions):
                return " or ".join(map(self.condition, conditions))

    def _grouped(self, parts: Sequence[Expression], join: Callable[[list[str]], str]) -> str:
        texts = [self.text(part) for part in parts]
        while len(texts) > 1:
            groups = [texts[at : at + MOST_PARTS] for at in range(0, len(texts), MOST_PARTS)]
            texts = [join(group) if len(group) > 1 else group[0] for group in groups]
        return texts[0]

    def _choice(self, cases: Iterable[tuple[Condition, Expression]], otherwise: str) -> str:
        texts = (f"when {self.condition(each)} then {self.text(value)}" for each, value in cases)
        return f"case {' '.join(texts)} else {otherwise} end"

    def _place(self, number: str, among: Sequence[float], before: int = 0) -> str:
        """By halves."""
        if not among:
            return str(before)
        middle = len(among) // 2
        cut = self.dialect.number(among[middle])
        first = self._place(number, among[:middle], before)
        second = self._place(number, among[middle + 1 :], before + middle + 1)
        return f"case when {number} < {cut} then {first} else {second} end"

    def _entry(self, entry: TableEntry) -> str:
        table, key = entry.table, self.text(entry.key)
        if self.is_array(table) and len(table.keys) > MOST_CASES:
            return self.element(entry.key, table, entry.index)
        column = [self.dialect.number(number) for number in table.values[:, entry.index].tolist()]
        missing, otherwise = (
            self.dialect.number(row[entry.index].item()) for row in (table.missing, table.otherwise)
        )
        gap = f"when {key} is null then {missing} " if missing != otherwise else ""
        cases = [
            f"when {key} = {self.key(each)} then {number}"
            for each, number in zip(table.keys, column, strict=True)
            if number != otherwise
        ]
        if not gap and not cases:
            return otherwise
        return f"case {gap}{' '.join(cases)} else {otherwise} end"

    def is_array(self, table: LookupTable) -> bool:
        """Whether a table can be asked as an array: by codes, with few between them."""
        if self.dialect.array_ends is None or not all(type(key) is int for key in table.keys):
            return False
        return bool(table.keys) and 0 <= max(table.keys) < MOST_HOLES * len(table.keys)

    def element(self, key: Expression, table: LookupTable, index: int) -> str:
        """One number of the row of an array that a code leads to."""
        name = self.arrays.setdefault(table, f"a{len(self.arrays)}")
        n_numbers, code = len(table.otherwise), self.text(key)
        first = f"{n_numbers} * {code} + {index + 1}" if n_numbers > 1 else f"{code} + 1"
        missing, other = (
            self.dialect.number(row[index].item()) for row in (table.missing, table.otherwise)
        )
        found = f"coalesce({name}[{first}], {other})"
        if missing == other:
            return found
        return f"case when {code} is null then {missing} else {found} end"

    def key(self, key: str | float | int) -> str:
        """A key of a table."""
        return self.dialect.text(key) if isinstance(key, str) else self.dialect.number(key)


def _row_by_row(table: LookupTable) -> Array:
    """The rows of a table from code 0 on, one after the other.

    >>> other = np.zeros(1, int)
    >>> _row_by_row(LookupTable((0, 2), np.array([[5], [7]]), other, other))
    array([[5],
           [0],
           [7]])
    """
    rows = np.tile(table.otherwise, (max(table.keys) + 1, 1))
    rows = rows.astype(np.result_type(table.values, rows))
    rows[list(table.keys)] = table.values
    return rows


def _is_marked(code: str, codes: Sequence[int]) -> str:
    """Whether a code is one of these: DuckDB would make a join of each IN.

    >>> _is_marked("x", (0, 3))
    "substr('1001', x + 1, 1) = '1'"
    """
    if len(codes) == 1:
        return f"{code} = {codes[0]}"
    marks = "".join("1" if each in codes else "0" for each in range(max(codes) + 1))
    return f"substr('{marks}', {code} + 1, 1) = '1'"


class Select:
    """One SELECT, in parts: tables of numbers, cells, steps."""

    def __init__(self, dialect: Dialect, table: Sequence[str], keep: Sequence[str]) -> None:
        """keep : columns of the table that are carried along"""
        self.dialect, self.writer, self.table = dialect, SqlWriter(dialect), table
        self.kept = {f"k{at}": column for at, column in enumerate(keep)}
        self.prefix = "bayesic_"  # of all names that a table of the user could have as well
        while any(name.lower().startswith(self.prefix) for name in table):
            self.prefix += "_"
        self._tables: list[str] = []

    def text(self, steps: Steps, answers: Mapping[str, NameOf]) -> str:
        """The columns to keep, and the answers by the names of their columns."""
        needed = _needed(steps.steps, {value.name for value in answers.values()})
        known = [name for name in steps.cells if name in needed[0]]
        parts = [self._cells({name: steps.cells[name] for name in known})]
        for step, after in zip(steps.steps, needed[1:], strict=True):
            known = [name for name in known if name in after]
            made = [name for name in step.made() if name in after]
            for walk in step.walks:
                parts += self._walk(walk, known, len(parts) - 1)
            if not step.walks:
                parts.append(self._step(step, known, made, len(parts) - 1))
            known += made
        identifier = self.dialect.identifier
        outputs = {name: identifier(column) for name, column in self.kept.items()}
        columns = [*outputs.items(), *((v.name, identifier(name)) for name, v in answers.items())]
        last = _listed(f"{value} as {name}" for value, name in columns)
        return (
            f"with {', '.join([*self._tables, *parts])}\n{last}\nfrom {self._name(len(parts) - 1)}"
        )

    def _name(self, number: int) -> str:
        return f"{self.prefix}{number}"

    def _part(self, number: int, columns: Iterable[str], source: str) -> str:
        dialect = self.dialect
        inside = f"{_listed(columns)}\nfrom {source}{dialect.fence}"
        return f"{self._name(number)} as {dialect.materialized}(\n{inside}\n)"

    def _cells(self, cells: Mapping[str, Cell]) -> str:
        identifier = self.dialect.identifier
        columns = [f"{ROWS}.{identifier(column)} as {name}" for name, column in self.kept.items()]
        columns += [f"{self.dialect.cell(cell, ROWS)} as {name}" for name, cell in cells.items()]
        return self._part(0, columns, f"{'.'.join(map(identifier, self.table))} as {ROWS}")

    def _step(
        self, step: ExportStep, known: Sequence[str], made: Sequence[str], before: int
    ) -> str:
        self.writer.arrays = {}
        texts = {n: self.writer.text(value) for n, value in step.values.items() if n in made}
        joins: list[str] = []
        for looked in step.looked:
            if self.writer.is_array(looked.table):
                texts |= {
                    name: self.writer.element(looked.key, looked.table, index)
                    for index, name in enumerate(looked.names)
                }
                continue
            alias = f"j{len(joins)}"
            name = self._add_table(looked.table)
            joins.append(
                f"\nleft join {name} as {alias} on {alias}.k = {self.writer.text(looked.key)}"
            )
            texts |= self._entries(looked, alias)
        joins += [f"\ncross join {name}" for name in self._add_arrays()]
        columns = [*self.kept, *known, *(f"{texts[name]} as {name}" for name in made)]
        return self._part(before + 1, columns, f"{self._name(before)}{''.join(joins)}")

    def _walk(self, walk: Walk, known: Sequence[str], before: int) -> Iterator[str]:
        """Down all trees at the same time, two parts for each step: a rank, and where it leads."""
        arrays = {f"{name}_": self.dialect.array(each) for name, each in walk.tables().items()}
        columns = _listed(f"{array} as {name}" for name, array in arrays.items())
        table = self._add_part(f"as materialized (\n{columns}\n)")
        codes = self.dialect.array_of_values.format(", ".join(map(self.writer.text, walk.codes)))
        ranks = {f"r{at}": name for at, name in enumerate(walk.names)}
        starts = [f"{root} as {at}" for root, at in zip(walk.roots, walk.names, strict=True)]
        kept = [*self.kept, *known]
        yield self._part(before + 1, [*kept, f"{codes} as codes_", *starts], self._name(before))
        asked = [*walk.names, *(f"{_rank_at(at)} as {rank}" for rank, at in ranks.items())]
        ways = [f"{_way_from(at, rank)} as {at}" for rank, at in ranks.items()]
        for number in range(2 * walk.n_steps):
            made, source = (asked, ways)[number % 2], self._name(before + 1 + number)
            columns_now = [*kept, "codes_", *made]
            yield self._part(before + 2 + number, columns_now, f"{source} cross join {table}")

    def _add_part(self, text: str) -> str:
        """Write a table; its name."""
        name = f"{self.prefix}t{len(self._tables)}"
        self._tables.append(f"{name} {text}")
        return name

    def _add_table(self, table: LookupTable) -> str:
        """Write a table as one of values; its name."""
        numbers = table.values.tolist()
        heads = ", ".join(["k", *(f"p{index}" for index in range(len(table.otherwise)))])
        rows = (
            f"({', '.join([self.writer.key(key), *map(self.dialect.number, row)])})"
            for key, row in zip(table.keys, numbers, strict=True)
        )
        joined = ",\n  ".join(rows)
        return self._add_part(f"({heads}) as (\n  values {joined}\n)")

    def _add_arrays(self) -> list[str]:
        """Write the arrays of a step as tables of one row; their names."""
        arrays, names = [*self.writer.arrays.items()], []
        for at in range(0, len(arrays), MOST_ARRAYS):
            columns = _listed(
                f"{self.dialect.array(_row_by_row(table))} as {name}"
                for table, name in arrays[at : at + MOST_ARRAYS]
            )
            names.append(self._add_part(f"as materialized (\n{columns}\n)"))
        return names

    def _entries(self, looked: Lookup, alias: str) -> dict[str, str]:
        """Numbers of the row that was found, or those for other keys and for gaps."""
        key, number = self.writer.text(looked.key), self.dialect.number
        entries = {}
        for index, name in enumerate(looked.names):
            found, missing = f"{alias}.p{index}", number(looked.table.missing[index].item())
            other = number(looked.table.otherwise[index].item())
            entries[name] = (
                f"case when {key} is null then {missing} else coalesce({found}, {other}) end"
            )
        return entries


def _rank_at(node: str) -> str:
    """The rank of what a row has in the column that a node asks for."""
    return f"ranks_[first_rank_[{node} + 1] + codes_[column_[{node} + 1] + 1] + 1]"


def _way_from(node: str, rank: str) -> str:
    """The node to which a rank leads."""
    here = f"[{node} + 1]"
    return (
        f"case when {rank} = {MISSING} then for_gap_{here} when {rank} = {UNKNOWN} then {node} "
        f"when {rank} <= cut_{here} then first_{here} else first_{here} + 1 end"
    )


def _needed(steps: Sequence[ExportStep], asked: set[str]) -> list[set[str]]:
    """The names that are needed behind each step, the first behind the cells."""
    needed = [asked]
    for step in reversed(steps):
        needed.append(needed[-1] | step.names())
    return needed[::-1]


def _listed(columns: Iterable[str]) -> str:
    """SELECT, a line for each column; it must have one."""
    lines = [*columns] or ["1 as nothing"]
    return "select\n  " + ",\n  ".join(lines)
