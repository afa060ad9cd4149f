"""Tables for the reader, in plain text and in HTML. Columns line up, also with Chinese names."""

from collections.abc import Sequence
from unicodedata import combining, east_asian_width

from bayesic.html import Markup, html_table

LONGEST = 32  # name or value, in columns of a terminal; a Chinese character takes two


def text_table(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """Lines of a table: texts to the left, numbers to the right.

    >>> print("\\n".join(text_table(["天气", "rows"], [["晴", 3], ["多云", 12]])))
      天气  rows
      晴       3
      多云    12
    """
    columns = list(zip(*rows, strict=True))
    numbers = [index for index, cells in enumerate(columns) if not _is_text(cells)]
    return aligned([list(headers), *([*map(cell_text, row)] for row in rows)], numbers)


def html_of_table(
    headers: Sequence[str],
    rows: Sequence[Sequence[object]],
    caption: str | None = None,
    notes: Sequence[str] = (),
) -> Markup:
    """The same as a table of HTML.

    >>> html_of_table(["sky", "rows"], [["sun", 1200]]).count("1,200")
    1
    """
    sides = ("l" if _is_text(cells) else "r" for cells in zip(*rows, strict=True))
    cells = [[*map(cell_text, row)] for row in rows]
    return html_table(headers, cells, caption, "".join(sides), notes=notes)


def aligned(rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()) -> list[str]:
    """Rows of cells as lines with columns of equal width; numeric columns are aligned to the right.

    >>> aligned([("晴", "0.5"), ("多云", "12.5")], numbers=(1,))
    ['  晴     0.5', '  多云  12.5']
    """
    columns = list(zip(*rows, strict=True))
    widths = [max(map(display_width, column)) for column in columns]
    lines = []
    for row in rows:
        cells = []
        for index, (cell, width) in enumerate(zip(row, widths, strict=True)):
            space = " " * (width - display_width(cell))
            cells.append(space + cell if index in numbers else cell + space)
        lines.append("  " + "  ".join(cells).rstrip())
    return lines


def _is_text(cells: Sequence[object]) -> bool:
    """Whether a column holds texts; gaps are not texts."""
    return any(isinstance(cell, str) for cell in cells)


# numbers and names ----------------------------------------------------------------------------


def cell_text(value: object) -> str:
    """A cell of a printed table: four digits after the point unless it is a whole number.

    >>> cell_text(0.70425), cell_text(1234), cell_text(None), cell_text("晴")
    ('0.7043', '1,234', '-', '晴')
    """
    if value is None or value != value:
        return "-"
    if isinstance(value, float):
        return f"{round(value, 4) + 0.0:.4f}" if abs(value) < 1e4 else f"{value:.6g}"  # no -0.0000
    return f"{value:,}" if isinstance(value, int) else str(value)


def counted(number: float, singular: str, plural: str | None = None) -> str:
    """A number with its noun.

    >>> counted(1, "row"), counted(2, "class", "classes")
    ('1 row', '2 classes')
    """
    return f"{number_text(number)} {singular if number == 1 else plural or singular + 's'}"


def number_text(number: float) -> str:
    """A count, or a sum of weights, for the reader.

    >>> number_text(3_000_000), number_text(2.5)
    ('3,000,000', '2.5')
    """
    return f"{number:,}" if isinstance(number, int) else f"{number:,.6g}"


def short(name: object, longest: int = LONGEST) -> str:
    """A name on one line, its end left out if it is long.

    >>> short("rain"), short("a day with\\nrain", longest=10), short(2)
    ('rain', 'a day wit…', '2')
    """
    text = " ".join(str(name).split())[: 4 * longest]  # a name may have accents of no width
    if display_width(text) <= longest:
        return text
    while display_width(text) > longest - 1:
        text = text[:-1]
    return f"{text}…"


def display_width(text: str) -> int:
    """Columns that a text takes in a terminal: Chinese characters take two, accents none.

    >>> display_width("湿度")
    4
    """
    return sum(
        0 if combining(character) else 2 if east_asian_width(character) in "WF" else 1
        for character in text
    )
