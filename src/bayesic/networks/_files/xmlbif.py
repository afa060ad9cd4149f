"""XMLBIF 0.3, the Interchange Format in XML: what Weka and JavaBayes write.

    <BIF><NETWORK>
    <VARIABLE TYPE="nature"><NAME>rain</NAME><OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>
    <DEFINITION><FOR>wet</FOR><GIVEN>rain</GIVEN><TABLE>0.9 0.1 0.2 0.8</TABLE></DEFINITION>
    </NETWORK></BIF>

The numbers of a table follow one another with the variable of FOR fastest, then the last GIVEN.
A PROPERTY of a variable may tell where it stands in a picture: position = (73, 165). Space around
names does not count. Entities of the file's own are refused: they can make a small
file unpack into a huge one.
"""

import math
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING
from xml.parsers import expat

from bayesic.networks._files.file_content import (
    FileContent,
    RefusedNetworkError,
    as_floats,
    check_at_most,
    shown,
)
from bayesic.networks._files.position_texts import number_text, position_in

if TYPE_CHECKING:
    from bayesic.networks.network import BeliefNetwork

DEEPEST = 20  # elements inside one another; the format has five
MOST_TAGS = 2_000_000  # and attributes


@dataclass
class Element:
    """An element with its line, its text and what is inside."""

    tag: str
    line: int
    kind: str = ""  # the attribute TYPE
    texts: list[str] = field(default_factory=list)
    inside: list["Element"] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text, without the space around it."""
        return "".join(self.texts).strip()

    def all(self, tag: str) -> list["Element"]:
        """The elements inside with this tag."""
        return [element for element in self.inside if element.tag == tag]

    def only(self, tag: str) -> "Element":
        """The one element inside with this tag."""
        elements = self.all(tag)
        if len(elements) != 1:
            raise RefusedNetworkError(
                f"expected one {tag} in {self.tag}, got {len(elements)}", self.line
            )
        return elements[0]


# reading ----------------------------------------------------------------------------------------


def parse_xmlbif(content: bytes) -> FileContent:
    """The network that an XMLBIF file writes."""
    root = _elements(content)
    if root.tag != "BIF":
        raise RefusedNetworkError(f"expected the element BIF, got {shown(root.tag)}", root.line)
    network = root.only("NETWORK")
    parsed = FileContent(line_of=lambda line: line)
    for variable in network.all("VARIABLE"):
        if variable.kind not in ("", "nature"):
            raise RefusedNetworkError(
                f"only variables of TYPE nature can be read, got {shown(variable.kind)}",
                variable.line,
            )
        states = [outcome.text for outcome in variable.all("OUTCOME")]
        positions = [position_in(its.text) for its in variable.all("PROPERTY")]
        position = next((each for each in positions if each is not None), None)
        parsed.add_variable(variable.only("NAME").text, states, variable.line, position)
    for definition in network.all("DEFINITION"):
        _read_definition(definition, parsed)
    return parsed


def _read_definition(definition: Element, parsed: FileContent) -> None:
    name = definition.only("FOR").text
    parents = [given.text for given in definition.all("GIVEN")]
    shape = parsed.shape_of_table(name, parents, definition.line)
    table = definition.only("TABLE")
    expected = math.prod(shape)
    words = table.text.split(maxsplit=expected)
    if len(words) != expected:
        got = len(words) if len(words) < expected else "more"
        raise RefusedNetworkError(
            f"the table of {name} needs {expected} numbers, got {got}", table.line
        )
    numbers = as_floats(words, lambda _: table.line)
    parsed.add_table(name, parents, numbers.reshape(shape), definition.line)


def _elements(content: bytes) -> Element:
    """The tree of elements; tags in capitals."""
    check_at_most(MOST_TAGS, content.count(b"<"), "tags")
    check_at_most(MOST_TAGS, content.count(b"="), "attributes")
    parser = expat.ParserCreate()
    root = Element("", 0)
    path = [root]

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(path) > DEEPEST:
            raise RefusedNetworkError("elements are nested too deep", parser.CurrentLineNumber)
        kind = attributes.get("TYPE", "")
        element = Element(tag.upper(), parser.CurrentLineNumber, kind)
        path[-1].inside.append(element)
        path.append(element)

    def refuse_entity(*_: object) -> None:
        raise RefusedNetworkError("entities cannot be declared", parser.CurrentLineNumber)

    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: path.pop()
    parser.CharacterDataHandler = lambda text: path[-1].texts.append(text)
    parser.EntityDeclHandler = refuse_entity
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise RefusedNetworkError(f"it is no XML: {reason}", error.lineno) from None
    except (LookupError, ValueError) as error:  # an encoding that Python does not know
        if isinstance(error, RefusedNetworkError):
            raise
        raise RefusedNetworkError(f"it is no XML: {error}", 1) from None
    return root.inside[0]


# writing ----------------------------------------------------------------------------------------


def xmlbif_text(network: "BeliefNetwork") -> str:
    """A network as XMLBIF; floats are written so that they come back bit for bit."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<BIF VERSION="0.3">', "<NETWORK>"]
    lines.append("<NAME>unknown</NAME>")
    positions = network.positions
    for name in network.variables:
        lines += ['<VARIABLE TYPE="nature">', f"  <NAME>{escape(name, quote=False)}</NAME>"]
        lines += [
            f"  <OUTCOME>{escape(str(state), quote=False)}</OUTCOME>"
            for state in network.states(name)
        ]
        if name in positions:
            x, y = map(number_text, positions[name])
            lines.append(f"  <PROPERTY>position = ({x}, {y})</PROPERTY>")
        lines.append("</VARIABLE>")
    for name in network.variables:
        table = network.table(name)
        lines += ["<DEFINITION>", f"  <FOR>{escape(name, quote=False)}</FOR>"]
        lines += [f"  <GIVEN>{escape(parent, quote=False)}</GIVEN>" for parent in table.parents]
        rows = [" ".join(map(repr, shares.tolist())) for _, shares in table.rows()]
        lines += ["  <TABLE>", *(f"    {row}" for row in rows), "  </TABLE>", "</DEFINITION>"]
    lines += ["</NETWORK>", "</BIF>"]
    return "\n".join(lines) + "\n"
