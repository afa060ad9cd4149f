"""Docstrings as Markdown.

A docstring of this library is nearly Markdown: formulas are indented, code is in backticks,
examples begin with `>>>`. Three things are written otherwise: parameters (`name : what it is`),
their headings (underlined by hyphens), and sources ([IIR]).
"""

import re
from itertools import groupby

ENTRY = re.compile(r"(\*{0,2}\w+(?:, \*{0,2}\w+)*) +: +(.*)")
SOURCE = re.compile(r"\[([A-Z][A-Za-z]+[0-9]*)\]")
PAGE = re.compile(r"docs/([\w/-]+)\.md")


def as_markdown(docstring: str, sources: frozenset[str] = frozenset()) -> str:
    """A docstring, cleaned of its indentation, as Markdown for the site.

    sources : the keys that the page of references explains

    >>> print(as_markdown('''The share of a level.
    ...
    ...     p = n / N
    ...
    ... smoothing : lambda, as in `fit`;
    ...     0 for none
    ... '''))
    The share of a level.
    <BLANKLINE>
    ```text
    p = n / N
    ```
    <BLANKLINE>
    `smoothing`
    : lambda, as in `fit`;
      0 for none
    """
    return "\n\n".join(_block(lines, sources) for lines in _blocks(docstring.strip("\n")))


def _blocks(text: str) -> list[list[str]]:
    """Lines between blank lines; formulas and examples that follow each other are one block."""
    parts = [list(lines) for blank, lines in groupby(text.split("\n"), lambda s: not s.strip())]
    blocks: list[list[str]] = []
    for lines in parts:
        if not lines[0].strip():
            continue
        kind = _kind(lines)
        if blocks and kind in ("formula", "example") and _kind(blocks[-1]) == kind:
            blocks[-1] += ["", *lines]
        else:
            blocks.append(lines)
    return blocks


def _kind(lines: list[str]) -> str:
    if lines[0].lstrip().startswith(">>> "):
        return "example"
    if lines[0].startswith("    "):
        return "formula"
    if len(lines) > 1 and re.fullmatch("-{3,}", lines[1]):
        return "heading"
    return "entries" if ENTRY.fullmatch(lines[0]) else "prose"


def _block(lines: list[str], sources: frozenset[str]) -> str:
    kind = _kind(lines)
    if kind == "example":
        return _fence("pycon", lines)
    if kind == "formula":
        return _fence("text", lines)
    if kind == "heading":
        rest = [_block(lines[2:], sources)] if lines[2:] else []
        return "\n\n".join([f"**{lines[0]}**", *rest])
    if kind == "entries":
        return _entries(lines, sources)
    return _prose("\n".join(lines), sources)


def _fence(language: str, lines: list[str]) -> str:
    indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return "\n".join([f"```{language}", *(line[indent:] for line in lines), "```"])


def _entries(lines: list[str], sources: frozenset[str]) -> str:
    """Parameters as a list of definitions; what they are may go on, indented."""
    out: list[str] = []
    for line in lines:
        entry = ENTRY.fullmatch(line)
        if entry:
            names = ", ".join(f"`{name}`" for name in entry[1].split(", "))
            out += [*([""] if out else []), names, f": {_prose(entry[2], sources)}"]
        else:
            out.append(f"  {_prose(line.strip(), sources)}")
    return "\n".join(out)


def _prose(text: str, sources: frozenset[str]) -> str:
    """Text in which only backticks mark anything up; sources and pages become links."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else _plain(part, sources) for part in parts)


def _plain(text: str, sources: frozenset[str]) -> str:
    out, last = [], 0
    for found in re.finditer(f"{SOURCE.pattern}|{PAGE.pattern}", text):
        key, page = found.groups()
        if page or key in sources:
            link = f"[{page}](../{page}.md)" if page else f"[\\[{key}\\]](#{source_target(key)})"
            out += [_escaped(text[last : found.start()]), link]
            last = found.end()
    return "".join([*out, _escaped(text[last:])])


def _escaped(text: str) -> str:
    return re.sub(r"([\\*_<\[$])", r"\\\1", text)


def source_target(key: str) -> str:
    """The name of the place where a source is listed.

    >>> source_target("IIR")
    'source-iir'
    """
    return f"source-{key.lower()}"
