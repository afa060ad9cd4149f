"""UAI, the format of the inference competitions.

    BAYES or MARKOV
    number of variables, number of states of each
    number of factors; for each the size of its scope, and the variables of the scope
    for each factor the number of entries, and the entries, the last variable fastest

There are no names: variables are called x0, x1, ... and states 0, 1, ... In BAYES each factor is
the table of the last variable of its scope, given the others.
"""

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bayesic.kernels import Array
from bayesic.networks._files.file_content import (
    LARGEST_TABLE,
    MOST_STATES,
    MOST_VARIABLES,
    MOST_WORDS,
    FileContent,
    RefusedNetworkError,
    as_floats,
    check_at_most,
    shown,
)
from bayesic.networks.factors import Factors

if TYPE_CHECKING:
    from bayesic.networks.network import BeliefNetwork


MOST_FACTORS = 1_000_000

WHOLE_NUMBER = re.compile(r"[0-9]{1,15}")
WORD = re.compile(r"\S+")


class _Words:
    """The words of a text, read one after the other."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.all = text.split(maxsplit=MOST_WORDS)
        check_at_most(MOST_WORDS, len(self.all), "words")
        self.offset = 0

    def whole_number(self, what: str, most: int = LARGEST_TABLE) -> int:
        """The whole number that must come next."""
        word = self.take(1, what)[0]
        if not WHOLE_NUMBER.fullmatch(word) or int(word) > most:
            raise self.refusal(
                f"expected {what}, at most {most}, got {shown(word)}", self.offset - 1
            )
        return int(word)

    def take(self, count: int, what: str) -> list[str]:
        """The next words; there must be so many."""
        words = self.all[self.offset : self.offset + count]
        if len(words) < count:
            raise self.refusal(f"the file ends where {what} should come", len(self.all) - 1)
        self.offset += count
        return words

    def whole_numbers(self, count: int, what: str, most: int = LARGEST_TABLE) -> tuple[int, ...]:
        """The whole numbers that must come next."""
        if count > len(self.all) - self.offset:  # before anything is made for them
            raise self.refusal(f"the file ends where {what} should come", len(self.all) - 1)
        return tuple(self.whole_number(what, most) for _ in range(count))

    def refusal(self, reason: str, offset: int) -> RefusedNetworkError:
        """The error with the line of a word."""
        return RefusedNetworkError(reason, self.line(offset))

    def line(self, offset: int) -> int:
        """The line of a word; lines are counted when they are asked for."""
        for number, match in enumerate(WORD.finditer(self.text)):
            if number == offset:
                return self.text.count("\n", 0, match.start()) + 1
        return 1


# reading ----------------------------------------------------------------------------------------


def parse_uai(text: str) -> FileContent | tuple[Factors, dict[str, tuple[str, ...]]]:
    """The network of a BAYES file, the factors of a MARKOV file and the names of the states."""
    words = _Words(text)
    kind = words.take(1, "BAYES or MARKOV")[0]
    if kind not in ("BAYES", "MARKOV"):
        raise words.refusal(f"expected BAYES or MARKOV, got {shown(kind)}", 0)
    n_variables = words.whole_number("the number of variables", MOST_VARIABLES)
    cardinalities = words.whole_numbers(n_variables, "the number of states of each variable")
    if 0 in cardinalities:
        offset = 2 + cardinalities.index(0)
        raise words.refusal("a variable has at least one state, got 0", offset)
    offsets, scopes = _read_scopes(words, n_variables)
    tables = [
        _read_table(words, tuple(cardinalities[variable] for variable in scope)) for scope in scopes
    ]
    if words.offset < len(words.all):
        raise words.refusal(
            f"expected the end of the file, got {shown(words.all[words.offset])}", words.offset
        )
    model = Factors(cardinalities, scopes, tuple(tables))
    if kind == "BAYES":
        return _as_network(model, offsets, words)
    # a variable in no scope may have any number
    check_at_most(MOST_STATES, sum(cardinalities), "states", words.line(2))
    return model, {_variable_name(v): _state_names(count) for v, count in enumerate(cardinalities)}


def _read_scopes(words: _Words, n_variables: int) -> tuple[list[int], tuple[tuple[int, ...], ...]]:
    """Where each scope begins, and the scopes."""
    n_factors = words.whole_number("the number of factors", MOST_FACTORS)
    offsets, scopes = [], []
    for _ in range(n_factors):
        offsets.append(words.offset)
        size = words.whole_number("the size of a scope", most=n_variables)
        scope = words.whole_numbers(size, "the number of a variable", most=n_variables - 1)
        if len(set(scope)) < size:
            raise words.refusal("a scope names each variable once", offsets[-1])
        scopes.append(scope)
    return offsets, tuple(scopes)


def _read_table(words: _Words, shape: tuple[int, ...]) -> Array:
    start = words.offset
    count = words.whole_number("the number of entries of a factor")
    if count != math.prod(shape):
        raise words.refusal(
            f"a factor over variables with {' x '.join(map(str, shape)) or 'no'} states has "
            f"{math.prod(shape)} entries, got {count}",
            start,
        )
    first = words.offset
    numbers = as_floats(
        words.take(count, "the entries of a factor"), lambda entry: words.line(first + entry)
    )
    if numbers.min(initial=0.0) < 0:
        entry = int((numbers < 0).argmax())
        raise words.refusal(f"entries are 0 or more, got {numbers[entry]}", first + entry)
    return numbers.reshape(shape)


def _as_network(model: Factors, offsets: Sequence[int], words: _Words) -> FileContent:
    parsed = FileContent(words.line)
    children = {scope[-1] for scope in model.scopes if scope}
    for variable, count in enumerate(model.cardinalities):
        if variable not in children:  # without a table in the file it might have any number
            raise words.refusal(
                f"in BAYES every variable has a table in whose scope it is last, "
                f"but variable {variable} has none",
                2 + variable,
            )
        parsed.add_variable(_variable_name(variable), _state_names(count), 2 + variable)
    for scope, table, offset in zip(model.scopes, model.tables, offsets, strict=True):
        if not scope:
            raise words.refusal("in BAYES the scope of a factor is not empty", offset)
        *parents, child = map(_variable_name, scope)
        parsed.shape_of_table(child, parents, offset)
        parsed.add_table(child, parents, table, offset)
    return parsed


def _variable_name(number: int) -> str:
    """What the variable of this number is called.

    >>> _variable_name(0)
    'x0'
    """
    return f"x{number}"


def _state_names(count: int) -> tuple[str, ...]:
    """What the states of a variable are called.

    >>> _state_names(3)
    ('0', '1', '2')
    """
    return tuple(map(str, range(count)))


def parse_evidence(text: str) -> dict[str, str]:
    """The observed variables and their states, by the names that a network from UAI has.

    The text has the number of observed variables, then variable and state of each; some files put
    the number of such sets in front. No text at all means that nothing is observed.

    >>> parse_evidence("2  0 1  7 0")
    {'x0': '1', 'x7': '0'}
    """
    words = _Words(text)
    if not words.all:
        return {}
    count = words.whole_number("the number of observed variables")
    if len(words.all) != 1 + 2 * count:
        if count != 1:
            raise words.refusal(
                f"{count} observed variables are {2 * count} numbers, got {len(words.all) - 1}", 0
            )
        count = words.whole_number("the number of observed variables")  # 1 was the number of sets
    evidence: dict[str, str] = {}
    for _ in range(min(count, len(words.all))):
        offset = words.offset
        variable, state = words.whole_numbers(2, "a variable and its state")
        if _variable_name(variable) in evidence:
            raise words.refusal(f"the variable {variable} is observed twice", offset)
        evidence[_variable_name(variable)] = str(state)
    if words.offset < len(words.all) or len(evidence) < count:
        raise words.refusal(f"expected {count} observed variables, got another number", 0)
    return evidence


# writing ----------------------------------------------------------------------------------------


def uai_text(model: "BeliefNetwork | Factors") -> str:
    """A network as BAYES, factors as MARKOV; names are lost, numbers come back bit for bit."""
    kind, factors = ("MARKOV", model) if isinstance(model, Factors) else ("BAYES", model.factors())
    lines = [kind, str(len(factors.cardinalities)), " ".join(map(str, factors.cardinalities))]
    lines.append(str(len(factors.scopes)))
    lines += [" ".join(map(str, (len(scope), *scope))) for scope in factors.scopes]
    for table in factors.tables:
        lines += ["", str(table.size)]
        rows = table.reshape(-1, table.shape[-1] if table.ndim else 1)
        lines += [" ".join(map(repr, row)) for row in rows.tolist()]
    return "\n".join(lines) + "\n"
