"""What the readers of all formats share: refusals with a line, numbers, the network at the end.

BIF and NET are texts with marks, words and quoted words. One compiled pattern runs over the whole
text. A run of words or numbers without a mark between them is one token: a table of numbers is not
cut before it is known to be one.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from bayesic.kernels import Array
from bayesic.networks.positions import Position
from bayesic.networks.variable_names import NetworkError

Network = TypeVar("Network")

# What a file may hold, twenty times as much as the largest of the public networks and more: all of
# it together takes about a gigabyte of memory, whatever the file says.
LARGEST_TABLE = 10_000_000  # entries of all tables
MOST_VARIABLES, MOST_STATES = 200_000, 1_000_000
MOST_WORDS = 10_000_000  # numbers, names and marks


class RefusedNetworkError(ValueError):
    """Why a file holds no network, and in which line that is, if it is in one."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.line = line


def check_at_most(most: int, count: int, what: str, line: int | None = None) -> None:
    """Refuse a file that would take too much memory."""
    if count > most:
        raise RefusedNetworkError(
            f"a network file has at most {most:,} {what}, got {count:,}. Split the network into "
            "smaller ones, or make it in Python, with BeliefNetwork(edges, tables)",
            line,
        )


@dataclass
class FileContent:
    """The content of a file: variables with states, and a table for each.

    Readers say where they are by a number that `line_of` turns into a line: lines are counted only
    when an error asks for one.
    """

    line_of: Callable[[int], int]
    states: dict[str, tuple[str, ...]] = field(default_factory=dict)
    parents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tables: dict[str, Array] = field(default_factory=dict)
    offsets: dict[str, int] = field(default_factory=dict)  # where the table of a variable begins
    positions: dict[str, Position] = field(default_factory=dict)  # in a picture
    n_entries: int = 0
    n_states: int = 0

    def add_variable(
        self, name: str, states: Sequence[str], offset: int, position: Position | None = None
    ) -> None:
        """Keep a variable; a name comes once, and so does each of its states."""
        if name in self.states:
            raise self.refusal(f"the variable {name} is declared a second time", offset)
        if not states:
            raise self.refusal(f"the variable {name} has no states", offset)
        if len(set(states)) < len(states):
            twice = Counter(states).most_common(1)[0][0]
            raise self.refusal(f"the variable {name} has the state {shown(twice)} twice", offset)
        self.states[name] = tuple(states)
        if position is not None:
            self.positions[name] = position
        self.n_states += len(states)
        check_at_most(MOST_VARIABLES, len(self.states), "variables")
        check_at_most(MOST_STATES, self.n_states, "states")

    def shape_of_table(self, name: str, parents: Sequence[str], offset: int) -> tuple[int, ...]:
        """The shape of a table, last the states of the variable, if it is not too big."""
        for variable in (name, *parents):
            if variable not in self.states:
                raise self.refusal(f"the variable {variable} is not declared", offset)
        if name in self.tables:
            raise self.refusal(f"the variable {name} has a second table", offset)
        shape = tuple(len(self.states[variable]) for variable in (*parents, name))
        self.n_entries += math.prod(shape)
        if self.n_entries > LARGEST_TABLE:
            check_at_most(
                LARGEST_TABLE, self.n_entries, f"numbers in its tables, up to that of {name}",
                self.line_of(offset),
            )  # fmt: skip
        return shape

    def add_table(self, name: str, parents: Sequence[str], table: Array, offset: int) -> None:
        """Keep the table of a variable."""
        self.parents[name] = tuple(parents)
        self.tables[name] = table
        self.offsets[name] = offset

    def made_by(self, make: Callable[..., Network]) -> Network:
        """The network, if every variable has its table and all tables are right.

        make : makes a network of edges, tables, states and positions
        """
        for name in self.states:
            if name not in self.tables:
                raise RefusedNetworkError(f"the variable {name} has no table")
        edges = [(parent, name) for name in self.states for parent in self.parents[name]]
        try:
            return make(edges, self.tables, self.states, positions=self.positions)
        except NetworkError as error:
            reason = str(error).rstrip(".")
            if error.variable in self.offsets:
                raise self.refusal(reason, self.offsets[error.variable]) from None
            raise RefusedNetworkError(reason) from None

    def refusal(self, reason: str, offset: int) -> RefusedNetworkError:
        """The error with the line of this offset."""
        return RefusedNetworkError(reason, self.line_of(offset))


def as_floats(words: Sequence[str], line_of: Callable[[int], int]) -> Array:
    """The numbers that these words write: finite, in plain digits.

    `line_of` tells the line of a word, by its index among the words.

    >>> as_floats(["0.25", "7.5e-1"], line_of=lambda offset: 1)
    array([0.25, 0.75])
    """
    try:
        numbers = np.array(list(map(float, words)), dtype=np.float64)
    except ValueError:
        numbers = None
    text = " ".join(words)
    # float() also takes digits of other scripts, 1_000, inf and nan
    if numbers is None or not text.isascii() or "_" in text or not np.isfinite(numbers).all():
        offset = next(offset for offset, word in enumerate(words) if not _is_number(word))
        raise RefusedNetworkError(f"{shown(words[offset])} should be a number", line_of(offset))
    return numbers


def _is_number(word: str) -> bool:
    try:
        return word.isascii() and "_" not in word and math.isfinite(float(word))
    except ValueError:
        return False


def shown(word: str) -> str:
    """A word of a file for an error, cut if it is long.

    >>> shown("probabilty")
    "'probabilty'"
    """
    return repr(word if len(word) <= 40 else word[:37] + "...")


# tokens ---------------------------------------------------------------------------------------

QUOTED = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?'  # the text may end before its second mark

CLOSED = re.compile(QUOTED.removesuffix("?"), re.DOTALL)


@dataclass(frozen=True)
class Grammar:
    """How a format marks its text."""

    token: re.Pattern[str]  # a mark, a quoted word, or words up to the next mark
    comment: re.Pattern[str]  # a quoted word, or a comment
    has_comments: re.Pattern[str]  # whether there may be any
    marks: frozenset[str]


def grammar(marks: str, comments: str, start_of_comment: str) -> Grammar:
    """The grammar with these marks, and these patterns of comments."""
    escaped = re.escape(marks)
    return Grammar(
        token=re.compile(rf'[{escaped}]|{QUOTED}|[^\s,"{escaped}][^"{escaped}]*', re.DOTALL),
        comment=re.compile(rf"{QUOTED}|{comments}", re.DOTALL),
        has_comments=re.compile(start_of_comment),
        marks=frozenset(marks),
    )


def _without_comments(text: str, rules: Grammar) -> str:
    """The text with comments taken out; lines keep their numbers."""
    if not rules.has_comments.search(text):
        return text

    def kept(match: re.Match[str]) -> str:
        found = match[0]
        return found if found[0] == '"' else "\n" * found.count("\n") + " "

    return rules.comment.sub(kept, text)


class Tokens:
    """The tokens of a text, read one after the other."""

    def __init__(self, text: str, rules: Grammar) -> None:
        self.text = _without_comments(text, rules)
        self.rules = rules
        self.marks = rules.marks
        self.words_left = MOST_WORDS
        # between two marks there is at most one more token
        n_marks = sum(map(self.text.count, self.marks)) + self.text.count('"')
        check_at_most(MOST_WORDS, 2 * n_marks, "marks and words")
        self.all = rules.token.findall(self.text)
        self.all.append("")  # the end
        self.offset = 0

    def at_end(self) -> bool:
        """Whether all was read."""
        return self.offset == len(self.all) - 1

    def peek(self) -> str:
        """The next token; empty at the end."""
        return self.all[self.offset]

    def skip(self, mark: str) -> None:
        """Go over the mark that must come next."""
        if self.all[self.offset] != mark:
            raise self.refusal(f"expected {mark!r}, got {self._shown()}")
        self.offset += 1

    def skip_behind(self, mark: str) -> None:
        """Go behind the next such mark, wherever it is."""
        try:
            self.offset = self.all.index(mark, self.offset) + 1
        except ValueError:
            raise self.refusal(f"the {mark!r} that ends what begins here is missing") from None

    def text_before(self, mark: str) -> str:
        """All up to the next such mark, without quotes around it; goes behind the mark."""
        start = self.offset
        self.skip_behind(mark)
        return " ".join(self.all[start : self.offset - 1]).replace('"', " ")

    def words(self) -> list[str]:
        """All words up to the next mark, without their quotes; commas between them do not count."""
        token = self.all[self.offset]
        if token in self.marks or not token:
            return []
        self.offset += 1
        if token[0] != '"' and self.all[self.offset] in self.marks:  # nearly always
            return self._split(token)
        words = self._unquoted(token)
        while (token := self.all[self.offset]) and token not in self.marks:
            self.offset += 1
            words += self._unquoted(token)
        return words

    def _unquoted(self, token: str) -> list[str]:
        if token[0] != '"':
            return self._split(token)
        if not CLOSED.fullmatch(token):
            raise self.refusal("the quoted word that begins here does not end", self.offset - 1)
        return [re.sub(r'\\(["\\])', r"\1", token[1:-1])]

    def _split(self, token: str) -> list[str]:
        words = token.replace(",", " ").split(maxsplit=self.words_left)
        if len(words) > self.words_left:
            check_at_most(MOST_WORDS, MOST_WORDS + 1, "words")
        self.words_left -= len(words)
        return words

    def word(self, what: str) -> str:
        """The one word that must come next."""
        start = self.offset
        words = self.words()
        if len(words) != 1:
            self.offset = start
            raise self.refusal(f"expected {what}, got {self._shown()}")
        return words[0]

    def refusal(self, reason: str, offset: int | None = None) -> RefusedNetworkError:
        """The error that gives the line of a token: of the next one if none is named."""
        return RefusedNetworkError(reason, self.line(self.offset if offset is None else offset))

    def line(self, offset: int) -> int:
        """The line of a token; lines are counted when they are asked for."""
        if offset >= len(self.all) - 1:
            return self.text.rstrip().count("\n") + 1
        for number, match in enumerate(self.rules.token.finditer(self.text)):
            if number == offset:
                return self.text.count("\n", 0, match.start()) + 1
        raise AssertionError("every token is in the text")

    def _shown(self) -> str:
        return (
            shown(self.all[self.offset].strip()) if self.all[self.offset] else "the end of the file"
        )


def quoted(name: str) -> str:
    """A name in quotes, as `words` reads it.

    >>> print(quoted('a "red" flag'))
    "a \\"red\\" flag"
    """
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
