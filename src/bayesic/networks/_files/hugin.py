"""NET, the language of Hugin.

    net { }
    node NAME { states = ("yes" "no"); position = (73 165); }
    potential (CHILD | PARENT PARENT) { data = ((0.4 0.6) (0.1 0.9) ...); }

The numbers follow one another with the child fastest, then the last parent; the brackets between
them say the same again. What else a node has (label, colours) is left out. Positions count from the
top, as programs that write such files mostly do. Names of nodes are plain ASCII words in Hugin: for
others the attribute bayesic_name holds what they are called.
"""

import math
import re
from typing import TYPE_CHECKING

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


NET = grammar("{}()=;|", comments=r"%[^\n]*", start_of_comment="%")
PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
OTHER_NODES = ("continuous", "decision", "utility", "function", "instance")


# reading ----------------------------------------------------------------------------------------


def parse_net(text: str) -> FileContent:
    """The network that a NET text writes."""
    tokens = Tokens(text, NET)
    parsed = FileContent(tokens.line)
    names: dict[str, str] = {}  # what a node is called in the file -> its name
    potentials = []
    depth = 0  # of classes around what is read
    while not tokens.at_end():
        start = tokens.offset
        words = tokens.words()
        if words == ["net"]:
            tokens.skip("{")
            tokens.skip_behind("}")
        elif words[:1] == ["class"]:
            tokens.skip("{")
            depth += 1
        elif depth and not words and tokens.peek() == "}":
            tokens.skip("}")
            depth -= 1
        elif depth and tokens.peek() == "=":
            tokens.skip_behind(";")  # an attribute of the class
        elif words[:-1] in (["node"], ["discrete", "node"]):
            _read_node(tokens, words[-1], names, parsed, start)
        elif words == ["potential"]:
            potentials.append(tokens.offset)  # read when all nodes are known
            tokens.skip_behind("}")
        else:
            tokens.offset = start
            raise tokens.refusal(_unexpected(words, tokens.peek()))
    for offset in potentials:
        tokens.offset = offset
        _read_potential(tokens, names, parsed)
    return parsed


def _unexpected(words: list[str], token: str) -> str:
    kind = words[0] if words else token
    if kind in OTHER_NODES:
        return f"only discrete chance nodes can be read, got {kind!r}"
    return f"expected 'net', 'node NAME' or 'potential (', got {shown(kind)}"


def _read_node(
    tokens: Tokens, node: str, names: dict[str, str], parsed: FileContent, start: int
) -> None:
    tokens.skip("{")
    states: list[str] = []
    name, position = node, None
    while tokens.peek() != "}":
        attribute = tokens.word("the name of an attribute")
        tokens.skip("=")
        if attribute == "states":
            tokens.skip("(")
            states = tokens.words()
            tokens.skip(")")
            tokens.skip(";")
        elif attribute == "bayesic_name":
            name = tokens.word("the name of the variable")
            tokens.skip(";")
        elif attribute == "position":
            position = position_in(f"position = {tokens.text_before(';')}")
        else:
            tokens.skip_behind(";")
    tokens.skip("}")
    if node in names:
        raise tokens.refusal(f"the node {node} is declared a second time", start)
    names[node] = name
    parsed.add_variable(name, states, start, position)


def _read_potential(tokens: Tokens, names: dict[str, str], parsed: FileContent) -> None:
    start = tokens.offset
    tokens.skip("(")
    nodes = tokens.words()
    if len(nodes) != 1:
        raise tokens.refusal("a table is of one variable, the one in front of '|'", start)
    if tokens.peek() == "|":
        tokens.skip("|")
        nodes += tokens.words()
    tokens.skip(")")
    for node in nodes:
        if node not in names:
            raise tokens.refusal(f"the node {node} is not declared", start)
    child, *parents = (names[node] for node in nodes)
    shape = parsed.shape_of_table(child, parents, start)
    numbers = _read_data(tokens, child)
    if len(numbers) != math.prod(shape):
        raise tokens.refusal(
            f"the table of {child} needs {math.prod(shape)} numbers, got {len(numbers)}", start
        )
    parsed.add_table(child, parents, numbers.reshape(shape), start)


def _read_data(tokens: Tokens, child: str) -> Array:
    """The numbers of the attribute data, whatever brackets are between them."""
    start = tokens.offset
    tokens.skip("{")
    words: list[str] = []
    offsets: list[int] = []
    while tokens.peek() != "}":
        attribute = tokens.word("the name of an attribute")
        tokens.skip("=")
        if attribute != "data":
            tokens.skip_behind(";")
            continue
        depth = 0
        while tokens.peek() != ";":
            mark = tokens.peek()
            offset = tokens.offset
            if mark in ("(", ")"):
                tokens.skip(mark)
                depth += 1 if mark == "(" else -1
            elif not (numbers := tokens.words()):
                raise tokens.refusal(f"the numbers of {child} do not end with ';'")
            else:
                words += numbers
                offsets += [offset] * len(numbers)
        tokens.skip(";")
        if depth:
            raise tokens.refusal(f"the brackets around the numbers of {child} do not match", start)
    if not words:
        raise tokens.refusal(f"the table of {child} has no data", start)
    return as_floats(words, lambda offset: tokens.line(offsets[offset]))


# writing ----------------------------------------------------------------------------------------


def net_text(network: "BeliefNetwork") -> str:
    """A network as NET; floats are written so that they come back bit for bit."""
    nodes = _node_names(network.variables)
    lines, positions = ["net", "{", "}"], network.positions
    for name, node in nodes.items():
        states = " ".join(quoted(str(state)) for state in network.states(name))
        lines += [f"node {node}", "{", f"  states = ({states});"]
        if node != name:
            lines += [f"  label = {quoted(name)};", f"  bayesic_name = {quoted(name)};"]
        if name in positions:
            lines.append(f"  position = ({' '.join(map(number_text, positions[name]))});")
        lines.append("}")
    for name, node in nodes.items():
        parents = " ".join(nodes[parent] for parent in network.parents(name))
        data = _nested(network.table(name).values)
        head = f"potential ({node} | {parents})" if parents else f"potential ({node})"
        lines += [head, "{", f"  data = {data};", "}"]
    return "\n".join(lines) + "\n"


def _node_names(variables: tuple[str, ...]) -> dict[str, str]:
    """What each variable is called in a file: its name, or a new one where Hugin cannot take it."""
    taken = {name for name in variables if PLAIN_NAME.fullmatch(name)}
    nodes = {}
    number = 0
    for name in variables:
        if name in taken:
            nodes[name] = name
            continue
        while f"node{number}" in taken:
            number += 1
        nodes[name] = f"node{number}"
        number += 1
    return nodes


def _nested(values: Array) -> str:
    """An array in brackets, one pair for each axis."""
    if values.ndim == 1:
        return f"({' '.join(map(repr, values.tolist()))})"
    return f"({' '.join(map(_nested, values))})"
