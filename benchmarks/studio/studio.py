"""How fast the studio is, in a real browser: clicks, long tables, changed cells, typed words.

    python -m benchmarks studio

Prints a table and writes it to STUDIO.md beside this file. Needs chromium, playwright, and the
networks of the data folder; ASIA is there without.
"""

import os
import platform
import random
import time
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bayesic.datasets import asia
from bayesic.networks.network import BeliefNetwork
from bayesic.networks.reading import read_network
from benchmarks.measuring import processor, tell_and_keep
from benchmarks.shared import NETWORKS
from benchmarks.studio._browser import (
    ANSWERS,
    WARM,
    as_table,
    chromium,
    milliseconds,
    painted,
    reached,
    studio,
)
from benchmarks.studio._desks import LARGE, SMALL, cell_line, sizes, tables, typed_words, write_rows

RESULTS = Path(__file__).with_name("STUDIO.md")
TO_REACH = {"asia": 40, "alarm": 60, "andes": 400}  # milliseconds, 95 of 100 clicks
READY = 1.0  # seconds until the bars are there


def networks() -> dict[str, BeliefNetwork]:
    """The networks to click in, by name."""
    files = {name: NETWORKS / "bif" / f"{name}.bif.gz" for name in TO_REACH}
    found = {name: read_network(path) for name, path in files.items() if path.exists()}
    return {"asia": asia(), **found}


def ready(browser: Any, address: str) -> tuple[Any, float]:
    """A page with bars, and the seconds to get there; of the second one, as the first compiles."""
    page, seconds = None, 0.0
    for _ in range(2):
        if page is not None:
            page.close()
        start = time.perf_counter()
        page = browser.new_page(viewport={"width": 1600, "height": 1000})
        page.goto(address)
        page.wait_for_selector(".state[data-probability]")
        seconds = time.perf_counter() - start
    return page, seconds


def clicked(page: Any, network: BeliefNetwork) -> list[float]:
    """Milliseconds of clicks on states that may be observed together: those of one drawn row."""
    rng = random.Random(0)
    row = {name: str(cells[0]) for name, cells in network.sample(1, seed=0).items()}
    rows = page.locator(".state")
    shown = [
        number
        for number in range(rows.count())
        if rows.nth(number).get_attribute("data-state")
        == row[rows.nth(number).get_attribute("data-variable")]
    ]
    # the same again takes the evidence back
    return painted(page, "click", lambda: rows.nth(rng.choice(shown)).dispatch_event("click"))


def network_lines(browser: Any, folder: Path) -> list[list[str]]:
    """A line for each network."""
    found = []
    for name, network in networks().items():
        path = folder / f"{name}.json"
        network.write(path)
        with studio(path) as address:
            page, seconds = ready(browser, address)
            times = milliseconds(clicked(page, network), TO_REACH[name])
        title = f"{name}, {len(network.variables)} variables"
        found.append([title, *times, f"{seconds:.2f} s {reached(seconds, READY)}"])
    return found


def measured() -> tuple[list[list[list[str]]], str]:
    """The lines of all tables of the report, and the browser."""
    with TemporaryDirectory() as name, chromium() as browser:
        folder = Path(name)
        clicks = network_lines(browser, folder)
        small, large = folder / "small.csv", folder / "large.csv"
        write_rows(small, SMALL)
        write_rows(large, LARGE)
        with studio(small) as address, studio(large) as larger:
            rows, changed = tables(browser, address, larger)
            typed = cell_line("a typed word", typed_words(browser, address))
            changes = [cell_line("a cell of 100,000 rows", changed), typed]
            return [clicks, rows, changes, sizes(browser, address)], f"Chromium {browser.version}"


def report() -> str:
    (clicks, rows, changes, loaded), browser = measured()
    head = ["network", "click to painted bars, median", "95 of 100", "to reach", "ready (1 s)"]
    long_head = ["table", "columns shown", "learned, rows shown", "together", "to reach: 5 s; stop"]
    return f"""# The studio

Measured {date.today()} with `python -m benchmarks studio` on {os.cpu_count()} cores
({processor()}), Python {platform.python_version()}, {browser}, the server beside it.

From a click to the frame that shows the new digits, {ANSWERS} clicks after {WARM} that do not
count; each click observes a state, or takes it back, and asks for all marginals. Ready: from an
empty tab to bars, with the kernels compiled.

{as_table(head, clicks)}

Long tables, from a CSV file: from an empty tab to the columns with their pictures and bits, and
from the click on Learn (NaiveBayes, which is suggested for so many cells) to rows with predictions.
All rows are learned. Of the larger one, learning was first stopped while it read the file.

{as_table(long_head, rows)}

From a change to the frame that shows the new digits, {ANSWERS} changes after {WARM}:

{as_table(["changed", "median", "95 of 100", "to reach"], changes)}

Modules and styles that a desk loads, in bytes, uncompressed:

{as_table(["desk", "bytes", "to stay below"], loaded)}
"""


if __name__ == "__main__":
    tell_and_keep(report, RESULTS, __doc__)
