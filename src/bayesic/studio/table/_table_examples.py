"""Tables to begin with, one click away."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from bayesic.datasets import play_tennis, watermelon
from bayesic.datasets.textbook import TextbookTable
from bayesic.studio.network._case_rows import Cases, read_cases


class Example(NamedTuple):
    """A table of a textbook, with what is to be chosen."""

    title: str
    make: Callable[[], TextbookTable]
    target: str
    code: str  # of the table, in Python
    costs: object = None


EXAMPLES = {
    "tennis": Example("Play tennis", play_tennis, "PlayTennis", "by.datasets.play_tennis()"),
    "melons": Example(
        "Watermelons, with costs",
        watermelon,
        "好瓜",
        "by.datasets.watermelon()",
        {"actions": ["buy", "leave"], "costs": [[4, 0], [0, 1]]},
    ),
}


def write_example(name: str, path: Path) -> Cases:
    """Write the table of an example to a file."""
    columns = EXAMPLES[name].make().to_dict()
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return read_cases(name, path)
