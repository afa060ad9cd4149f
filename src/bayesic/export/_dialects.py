"""Where databases differ: numbers, texts, the cells of a table, and what keeps steps apart."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from bayesic.export._steps import Cell
from bayesic.kernels import Array

TRUTHS = ("True", "False")  # what booleans are called as categories


class Dialect(ABC):
    """How a database spells what standard SQL leaves open."""

    name: ClassVar[str]
    number_type: ClassVar[str]
    text_type: ClassVar[str] = "text"
    type_of: ClassVar[str]  # the type of a value, as a text
    text_types: ClassVar[tuple[str, ...]]
    double: ClassVar[str]  # the type of doubles
    as_double: ClassVar[str] = "{}"  # the value of a double; must not be refused for another type
    truths: ClassVar[dict[str, str]] = {"true": "True", "false": "False"}  # text of a boolean
    nan: ClassVar[str | None]  # as a text; None where a number cannot be that
    greatest: ClassVar[str] = "greatest"
    materialized: ClassVar[str] = ""  # what says that a step is computed once
    fence: ClassVar[str] = ""  # the same, behind the step
    nul: ClassVar[str | None]  # the character NUL; None where a text cannot hold it
    escapes: ClassVar[str] = ""  # before a text in which \\ is one \, if it may mean more elsewhere
    array_ends: ClassVar[tuple[str, str] | None] = None  # of its text; None where there are none
    array_of_values: ClassVar[str] = "[{}]"

    # what is known --------------------------------------------------------------------------

    @abstractmethod
    def number(self, value: float | int) -> str:
        """A literal: whole numbers as integers, others as doubles."""

    def text(self, value: str) -> str:
        r"""A literal.

        >>> DuckDB().text("it's 雨")
        "'it''s 雨'"
        >>> print(DuckDB().text(r"C:\temp"), PostgreSQL().text(r"C:\temp"))
        'C:\temp' E'C:\\temp'
        """
        checked_text(value, "a value")
        if "\0" not in value:
            return self._quoted(value)
        if self.nul is None:
            raise ValueError(
                f"{self.name} cannot hold the character NUL in a text, and the model has learned "
                f"{value!r:.80}. Learn without it, or use another database."
            )
        return f" || {self.nul} || ".join(map(self._quoted, value.split("\0")))

    def _quoted(self, value: str) -> str:
        quoted = _between("'", value)
        if not self.escapes or "\\" not in value:
            return quoted
        return self.escapes + quoted.replace("\\", 2 * "\\")

    def identifier(self, name: str) -> str:
        """The name of a table or column.

        >>> DuckDB().identifier('the "best" 词')
        '"the ""best"" 词"'
        """
        checked_text(name, "the name of a table or column")
        if "\0" in name or not name:
            raise ValueError(
                "The name of a table or column in SQL must have a character, and none of them may "
                f"be NUL, got {name!r:.80}. Rename it."
            )
        return _between('"', name)

    def array(self, values: Array) -> str:
        """A literal: whole numbers, or doubles. It is one text: many literals take long to read.

        >>> import numpy as np
        >>> DuckDB().array(np.array([1, 2])), DuckDB().array(np.array([0.5, -np.inf]))
        ("cast('[1,2]' as integer[])", "cast('[0.5,-inf]' as double[])")
        """
        assert self.array_ends is not None
        first, last = self.array_ends
        type_ = "integer" if values.dtype.kind == "i" else self.number_type
        numbers = ",".join(map(repr, values.ravel().tolist()))
        return f"cast('{first}{numbers}{last}' as {type_}[])"

    # cells ----------------------------------------------------------------------------------

    def cell(self, cell: Cell, rows: str) -> str:
        """What a row has in a column: a double, or the name of a category; null for a gap."""
        column = f"{rows}.{self.identifier(cell.column)}"
        if cell.holds == "number":
            return self._number_cell(column)
        text = f"cast({column} as {self.text_type})"
        if all(level in TRUTHS for level in cell.levels):
            named = self._truth_name(text)
        elif all(map(_is_number, cell.levels)):
            named = self._number_name(column, text, cell.levels)
        else:
            return text
        return f"case when {self._is_of(column, self.text_types)} then {text} {named} end"

    def _number_cell(self, column: str) -> str:
        number = f"cast({column} as {self.number_type})"
        if self.nan is None:
            return number
        return f"nullif({number}, cast({self.text(self.nan)} as {self.number_type}))"

    def _is_of(self, column: str, types: Sequence[str]) -> str:
        return f"{self.type_of.format(column)} in ({', '.join(map(self.text, types))})"

    def _truth_name(self, text: str) -> str:
        cases = (
            f"when {text} = {self.text(value)} then {self.text(name)}"
            for value, name in self.truths.items()
        )
        return f"{' '.join(cases)} else {text}"

    def _number_name(self, column: str, text: str, levels: Sequence[str]) -> str:
        """Doubles by their value, as texts differ; of others 1.0 and 1.50 are called 1 and 1.5."""
        number = self.as_double.format(column)
        names = (f"when {self.number(float(each))} then {self.text(each)}" for each in levels)
        other = f"else {self.text('another number')}"
        gap = f"when {text} = {self.text(self.nan)} then null " if self.nan else ""
        doubles = f"case {number} {' '.join(names)} {other} end"
        return (
            f"when {column} is null then null {gap}"
            f"when {self._is_of(column, (self.double,))} then {doubles} "
            f"when {text} like '%.%' then rtrim(rtrim({text}, '0'), '.') else {text}"
        )


class DuckDB(Dialect):
    """DuckDB."""

    name, number_type, text_type = "DuckDB", "double", "varchar"
    type_of, text_types = "typeof({})", ("VARCHAR",)
    double, as_double = "DOUBLE", "try_cast({} as double)"
    nan, nul = "nan", "chr(0)"
    array_ends = ("[", "]")

    def number(self, value: float | int) -> str:
        """With an exponent: without one it would be a decimal.

        >>> DuckDB().number(0.5), DuckDB().number(3), DuckDB().number(float("-inf"))
        ('0.5e0', '3', "cast('-inf' as double)")
        """
        if isinstance(value, int):
            return str(value)
        text = repr(value)
        if "inf" in text:
            return f"cast('{text}' as double)"
        return text if "e" in text else f"{text}e0"


class SQLite(Dialect):
    """SQLite, with the functions exp and ln, which not every build has."""

    name, number_type = "SQLite", "real"
    type_of, text_types = "typeof({})", ("text",)
    double = "real"
    truths: ClassVar = {"1": "True", "0": "False"}
    nan, nul = None, "char(0)"
    greatest = "max"
    materialized = "materialized "

    def number(self, value: float | int) -> str:
        """A number beyond all is infinite.

        >>> SQLite().number(0.5), SQLite().number(float("-inf"))
        ('0.5', '-9e999')
        """
        return repr(value).replace("inf", "9e999")


class PostgreSQL(Dialect):
    """PostgreSQL, which refuses numbers that overflow, and texts with NUL."""

    name, number_type = "PostgreSQL", "double precision"
    type_of, text_types = "pg_typeof({})::text", ("text", "character varying", "character")
    double, as_double = "double precision", "cast(cast({} as text) as double precision)"
    nan, nul = "NaN", None
    fence = " offset 0"  # or each use of a value would compute it again
    escapes = "E"  # in '...' a setting of the server says what a backslash means
    array_ends = ("{", "}")
    array_of_values = "array[{}]"

    def number(self, value: float | int) -> str:
        """A double at once: a literal alone would be a decimal.

        >>> PostgreSQL().number(0.5), PostgreSQL().number(float("-inf"))
        ("'0.5'::float8", "'-Infinity'::float8")
        """
        if isinstance(value, int):
            return str(value)
        return f"'{value!r}'::float8".replace("inf", "Infinity")


DIALECTS = {"duckdb": DuckDB(), "sqlite": SQLite(), "postgresql": PostgreSQL()}


def checked_text(value: str, what: str) -> None:
    """Refuse what no database can hold: half of a pair of UTF-16."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(
            f"Models are exported as text in Unicode, and {what} is not: {value!r:.80}. Rename it."
        ) from error


def _between(quote: str, text: str) -> str:
    return quote + text.replace(quote, 2 * quote) + quote


def _is_number(level: str) -> bool:
    """Whether a category may have been a number.

    >>> _is_number("1"), _is_number("0.5"), _is_number("rain"), _is_number("nan")
    (True, True, False, False)
    """
    try:
        return abs(float(level)) < float("inf")
    except ValueError:
        return False
