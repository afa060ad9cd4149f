"""BIF, the Interchange Format: what the Bayesian network repository holds.

    network NAME { }
    variable NAME { type discrete [ 2 ] { yes, no }; property position = (73, 165) ; }
    probability ( CHILD | PARENT, PARENT ) { (yes, no) 0.4, 0.6; ... }

Commas mean nothing. Names are words without blanks and brackets, or quoted. A row is named by the
states of the parents; `default` stands for all rows that are not there; `table` holds all numbers
at once, in the order in which the variables are named in front: the child varies slowest. The
property position tells where a variable stands in a picture; other properties are left out.
"""

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from bayesic.kernels import Array
from bayesic.networks._files.file_content import (
    FileContent,
    Tokens,
    as_floats,
    grammar,
    quoted,
    shown,
)
from bayesic.networks._files.position_texts import number_text, position_in

if TYPE_CHECKING:
    from bayesic.networks.network import BeliefNetwork


BIF = grammar("{}()[];|", comments=r"//[^\n]*|/\*(?:.*?\*/|.*)", start_of_comment=r"//|/\*")
PLAIN_NAME = re.compile(r'(?!.*/[/*])[^\s,{}()\[\];|"]+')


# reading ----------------------------------------------------------------------------------------


def parse_bif(text: str) -> FileContent:
    """The network that a BIF text writes."""
    tokens = Tokens(text, BIF)
    parsed = FileContent(tokens.line)
    blocks = []
    while not tokens.at_end():
        start = tokens.offset
        words = tokens.words()
        if words[:1] == ["network"]:
            tokens.skip("{")
            tokens.skip_behind("}")
        elif words[:1] == ["variable"] and len(words) == 2:
            _read_variable(tokens, words[1], parsed, start)
        elif words == ["probability"]:
            blocks.append(tokens.offset)  # read when all variables are known
            tokens.skip_behind("}")
        else:
            tokens.offset = start
            word = words[0] if words else tokens.peek()
            raise tokens.refusal(
                f"expected 'network', 'variable NAME' or 'probability (', got {shown(word)}"
            )
    for offset in blocks:
        tokens.offset = offset
        _read_probability(tokens, parsed)
    return parsed


def _read_variable(tokens: Tokens, name: str, parsed: FileContent, start: int) -> None:
    tokens.skip("{")
    states: list[str] | None = None
    position = None
    while tokens.peek() != "}":
        offset = tokens.offset
        words = tokens.words()
        if words[:1] == ["property"]:
            property_text = " ".join([*words[1:], tokens.text_before(";")])
            position = position_in(property_text) or position
        elif words == ["type", "discrete"] and states is None:
            states = _read_states(tokens, name)
        else:
            raise tokens.refusal(f"expected 'type discrete [' once in the variable {name}", offset)
    tokens.skip("}")
    parsed.add_variable(name, states or [], start, position)


def _read_states(tokens: Tokens, name: str) -> list[str]:
    tokens.skip("[")
    offset = tokens.offset
    count = tokens.word("the number of states")
    tokens.skip("]")
    tokens.skip("{")
    states = tokens.words()
    tokens.skip("}")
    tokens.skip(";")
    if count != str(len(states)):
        raise tokens.refusal(
            f"the variable {name} should have {shown(count)} states, but names {len(states)}",
            offset,
        )
    return states


def _read_probability(tokens: Tokens, parsed: FileContent) -> None:
    start = tokens.offset
    tokens.skip("(")
    names = tokens.words()
    if tokens.peek() == "|":
        if len(names) != 1:
            raise tokens.refusal("a table is of one variable, the one in front of '|'", start)
        tokens.skip("|")
        names += tokens.words()
    tokens.skip(")")
    if not names:
        raise tokens.refusal("expected the name of a variable", start)
    child, parents = names[0], names[1:]
    shape = parsed.shape_of_table(child, parents, start)
    tokens.skip("{")
    rows = _Rows(tokens, child, [parsed.states[parent] for parent in parents], shape)
    while tokens.peek() != "}":
        rows.read_entry()
    parsed.add_table(child, parents, rows.table(start), start)


class _Rows:
    """The entries of a probability block, as they are found."""

    def __init__(
        self, tokens: Tokens, child: str, parents: Sequence[Sequence[str]], shape: tuple[int, ...]
    ) -> None:
        self.tokens, self.child, self.shape = tokens, child, shape
        self.codes = [{state: code for code, state in enumerate(states)} for states in parents]
        self.words: list[str] = []  # the numbers of all rows
        self.rows: dict[int, int] = {}  # number of the row in the table -> its offset in the file
        self.whole: list[str] | None = None
        self.default: list[str] | None = None

    def read_entry(self) -> None:
        """Read one entry, with the semicolon at its end."""
        tokens = self.tokens
        offset = tokens.offset
        if tokens.peek() == "(":
            self._read_row(offset)
            return
        words = tokens.words()
        if words[:1] == ["property"]:
            tokens.skip_behind(";")
            return
        if words[:1] == ["table"] and self.whole is None:
            self.whole = self._checked(words[1:], math.prod(self.shape), offset)
        elif words[:1] == ["default"] and self.default is None:
            self.default = self._checked(words[1:], self.shape[-1], offset)
        else:
            raise tokens.refusal(
                f"expected a row '(...)', 'table' or 'default' once in the table of {self.child}",
                offset,
            )
        tokens.skip(";")

    def _read_row(self, offset: int) -> None:
        tokens = self.tokens
        tokens.offset += 1
        states = tokens.words()
        tokens.skip(")")
        if len(states) != len(self.codes):
            raise tokens.refusal(
                f"a row of {self.child} is named by {len(self.codes)} states, got {len(states)}",
                offset,
            )
        row = 0
        for state, codes in zip(states, self.codes, strict=True):
            if state not in codes:
                raise tokens.refusal(f"{shown(state)} is no state of that parent", offset)
            row = row * len(codes) + codes[state]
        if row in self.rows:
            raise tokens.refusal(f"the table of {self.child} has this row twice", offset)
        self.rows[row] = offset
        self.words += self._checked(tokens.words(), self.shape[-1], offset)
        tokens.skip(";")

    def _checked(self, words: list[str], expected: int, offset: int) -> list[str]:
        if len(words) != expected:
            raise self.tokens.refusal(
                f"the table of {self.child} needs {expected} numbers here, got {len(words)}", offset
            )
        return words

    def table(self, start: int) -> Array:
        """The table with the child on its last axis."""
        tokens, n_rows = self.tokens, math.prod(self.shape[:-1])
        if self.whole is not None:
            if self.rows or self.default:
                raise tokens.refusal(f"{self.child} has a table and rows beside it", start)
            numbers = as_floats(self.whole, lambda _: tokens.line(start))
            return np.moveaxis(numbers.reshape(self.shape[-1:] + self.shape[:-1]), 0, -1)
        if self.default is None and len(self.rows) != n_rows:
            raise tokens.refusal(
                f"the table of {self.child} needs {n_rows} rows, got {len(self.rows)}", start
            )
        table = np.empty((n_rows, self.shape[-1]))
        if self.default is not None:
            table[:] = as_floats(self.default, lambda _: tokens.line(start))
        numbers = as_floats(self.words, self._line_of_number)
        table[list(self.rows)] = numbers.reshape(len(self.rows), self.shape[-1])
        return table.reshape(self.shape)

    def _line_of_number(self, offset: int) -> int:
        return self.tokens.line(list(self.rows.values())[offset // self.shape[-1]])


# writing ----------------------------------------------------------------------------------------


def bif_text(network: "BeliefNetwork") -> str:
    """A network as BIF; floats are written so that they come back bit for bit."""
    lines, positions = ["network unknown {", "}"], network.positions
    for name in network.variables:
        states = ", ".join(map(_name, network.states(name)))
        count = len(network.states(name))
        lines += [
            f"variable {_name(name)} {{",
            f"  type discrete [ {count} ] {{ {states} }};",
        ]
        if name in positions:
            x, y = map(number_text, positions[name])
            lines.append(f"  property position = ({x}, {y}) ;")
        lines.append("}")
    for name in network.variables:
        table = network.table(name)
        given = f" | {', '.join(map(_name, table.parents))}" if table.parents else ""
        lines.append(f"probability ( {_name(name)}{given} ) {{")
        for given_states, shares in table.rows():
            row = f"({', '.join(map(_name, given_states))})" if given_states else "table"
            lines.append(f"  {row} {', '.join(map(repr, shares.tolist()))};")
        lines.append("}")
    return "\n".join(lines) + "\n"


def _name(name: object) -> str:
    """A name as it can stand in BIF: plain where it may be, in quotes otherwise."""
    text = str(name)
    return text if PLAIN_NAME.fullmatch(text) else quoted(text)
