"""All programs and all that is to be reached, in one page: README.md, written from the reports.

`python -m benchmarks overview` writes it, and every program that keeps its report does so too.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import shared

FOLDER = Path(__file__).parent
README = FOLDER / "README.md"
GUARD = 'if __name__ == "__main__":'
BAR = re.compile(r"(?P<what>.*?)\W*\b[Tt]o reach:? (?P<bar>.*)")
IN_BRACKETS = re.compile(r"(?P<what>.*) \(to reach: (?P<bar>[^()]*)\)")
SAYS_WHICH = ("size", "setting", "against")  # heads of columns that say what was measured


@dataclass(frozen=True)
class Program:
    """What can be run, where it is, and its report if it writes one."""

    name: str
    path: Path
    report: Path | None

    @property
    def room(self) -> str:
        """The part of the library that it measures."""
        return self.path.parent.name

    @property
    def module(self) -> str:
        """How Python knows it."""
        return f"benchmarks.{self.room}.{self.name}"

    @property
    def what(self) -> str:
        """What it measures, in its own words."""
        text = ast.get_docstring(ast.parse(self.path.read_text(encoding="utf-8"))) or ""
        return text.partition("\n")[0]

    @property
    def needs(self) -> str:
        """The data it wants that does not come with the repository."""
        if self.name in shared.NOTHING_WITHOUT:
            return shared.NOTHING_WITHOUT[self.name].name
        if self.name in shared.LESS_WITHOUT:
            return f"for a part: {shared.LESS_WITHOUT[self.name].name}"
        return ""


@dataclass(frozen=True)
class Bar:
    """What a report says is to be reached, and what it came to when it was measured last."""

    report: Path
    section: str
    measured: str
    bar: str

    def row(self) -> str:
        """A line of the table."""
        link = f"[{self.report.stem}]({self.report.relative_to(FOLDER).as_posix()})"
        return f"| {link} | {self.section} | {self.measured} | {self.bar} |"


def programs() -> dict[str, Program]:
    """All programs by name; modules that others use have a name that begins with `_`."""
    found = {}
    for path in sorted(FOLDER.glob("*/[!_]*.py")):
        text = path.read_text(encoding="utf-8")
        if GUARD in text:
            report = re.search(r'with_name\("([A-Z_]+\.md)"\)', text)
            name = path.stem
            found[name] = Program(name, path, path.with_name(report[1]) if report else None)
    return found


def listing() -> str:
    """The programs for the terminal."""
    return "\n".join(f"{name:<18}{program.what}" for name, program in programs().items())


# what is to be reached --------------------------------------------------------------------------


def bars(report: Path) -> Iterator[Bar]:
    """Cells of columns headed "to reach", and sentences that say it."""
    section = ""
    for block in re.split(r"\n{2,}", report.read_text(encoding="utf-8")):
        if block.startswith("#"):
            head, _, block = block.partition("\n")
            section = head.lstrip("# ") if head.startswith("## ") else ""
        lines = block.splitlines()
        if block.startswith("|"):
            found = of_table([cells_of(line) for line in lines])
        else:
            found = of_sentences(re.sub(r"\n(?!- )", " ", block))
        for measured, bar in found:
            yield Bar(report, section, measured, bar)


def cells_of(line: str) -> list[str]:
    """The cells of one line of a table.

    >>> cells_of("| fit | 3.2x | 2x |")
    ['fit', '3.2x', '2x']
    """
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def of_table(rows: list[list[str]]) -> Iterator[tuple[str, str]]:
    """Pairs of what was measured and what is to be reached.

    >>> head = ["job", "size", "bayesic", "other", "ratio", "to reach"]
    >>> list(of_table([head, ["---"] * 6, ["fit", "iris", "2 s", "3 s", "1.5x", "1x"]]))
    [('fit, iris: 2 s, 1.5x', '1x')]
    >>> list(of_table([["text", "points"], ["---"] * 2, ["mean", "+16.3 (to reach: +8.0)"]]))
    [('mean: +16.3', '+8.0')]
    """
    head, _, *lines = rows
    for cells in lines:
        named = dict(zip(head, cells, strict=True))
        ours = (cell for name, cell in zip(head, cells, strict=True) if name.startswith("bayesic"))
        job = ", ".join(filter(None, [cells[0], *map(named.get, SAYS_WHICH)]))
        for name, before in zip(head[1:], head, strict=False):
            if name.startswith("to reach") and named[name] not in ("", "-"):
                measured = dict.fromkeys([next(ours, ""), named[before]])
                # "to reach: 5 s; stop" is the bar of the whole column
                bar = ": ".join(filter(None, [name.removeprefix("to reach")[2:], named[name]]))
                yield f"{job}: {', '.join(filter(None, measured))}", bar
            elif told := IN_BRACKETS.fullmatch(named[name]):
                yield f"{job}: {told['what']}", told["bar"]


def of_sentences(text: str) -> Iterator[tuple[str, str]]:
    """Pairs of what was measured and what is to be reached.

    >>> list(of_sentences("- In 0.09 of its time, to reach 0.2: reached. It learns rain."))
    [('In 0.09 of its time', '0.2: reached')]
    >>> list(of_sentences("It takes 9 MB (to reach: below 10 MB)."))
    [('It takes 9 MB', 'below 10 MB')]
    >>> list(of_sentences('The ratio is ours. "To reach" is what we want.'))
    []
    """
    for sentence in re.split(r"(?<=\.)\s+", text):
        if '"To reach"' in sentence or "to be reached" in sentence:
            continue
        found = IN_BRACKETS.match(sentence) or BAR.fullmatch(sentence)
        if found:
            what, bar = found["what"].removeprefix("- "), found["bar"].rstrip(".")
            yield what or "in the report", bar


# the page ---------------------------------------------------------------------------------------


def overview() -> str:
    """The page."""
    known = programs()
    reports = [program.report for program in known.values() if program.report]
    lines = "\n".join(bar.row() for report in reports for bar in bars(report))
    return f"""# Benchmarks

`python -m benchmarks NAME` runs one of these in the folder of the repository, prints its report and
keeps it beside the program, unless other programs were at work meanwhile. `--dry` only prints. The
page is written from the reports: `python -m benchmarks overview`.

Data that does not come with the repository is looked for in `../shared/data` beside the checkout,
or in the folder that `BAYESIC_DATA` names; [shared.py](shared.py) says what is where.

| NAME | what it measures | report | data |
| --- | --- | --- | --- |
{chr(10).join(map(row_of, known.values()))}

## What is to be reached

As it was measured last, section by section; where it is missed, it stands here all the same. What
a ratio divides by what is said in the report.

| report | section | measured | to reach |
| --- | --- | --- | --- |
{lines}
"""


def row_of(program: Program) -> str:
    """A line of the table of programs."""
    report = program.report
    link = f"[{report.stem}]({report.relative_to(FOLDER).as_posix()})" if report else ""
    return f"| `{program.name}` | {program.what} | {link} | {program.needs} |"
