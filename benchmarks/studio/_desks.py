"""How fast the other desks of the studio are: a long table, a changed cell, a typed word."""

import random
import time
from pathlib import Path
from typing import Any

from benchmarks.studio._browser import loaded_bytes, milliseconds, painted, reached

SMALL, LARGE = 100_000, 1_000_000  # rows
SHOWN, ANSWERED, SIZE = 5.0, 50, 150_000  # seconds, milliseconds, bytes
DESKS = {  # with something open: what is loaded later would not count
    "network": "[data-example=asia]",
    "table": "[data-desk=table]",
    "text": "[data-desk=text]",
    "lessons": "[data-desk=lessons]",
    "models": "[data-desk=models]",
}
WORDS = ("free", "meeting", "prize", "lunch", "money", "team", "免费", "会议", "click", "report")


def write_rows(path: Path, n_rows: int) -> None:
    """15 columns of categories, 15 of numbers, and a class that depends on four of them."""
    import duckdb

    categories = ", ".join(f"'v' || floor(random() * {n + 2})::int AS c{n}" for n in range(15))
    numbers = ", ".join(f"round(random() * {n + 1}, 3) AS n{n}" for n in range(15))
    label = "CASE WHEN n0 + n1 / 2 + random() > 1.5 OR c0 = 'v1' AND c3 = 'v2' THEN 'yes' "
    with duckdb.connect() as engine:
        engine.execute("SELECT setseed(0.5)")
        engine.execute(
            f"COPY (SELECT *, {label} ELSE 'no' END AS label FROM (SELECT {categories}, {numbers} "
            f"FROM range({n_rows}))) TO '{path}' (HEADER)"
        )


def opened(browser: Any, address: str) -> tuple[Any, float]:
    """The desk with the columns of a table, and the seconds to get there."""
    start = time.perf_counter()
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(600_000)
    page.goto(address)
    page.wait_for_selector("[data-bits]")
    return page, time.perf_counter() - start


def learned(page: Any) -> float:
    """Seconds from the click on Learn to rows with what is predicted for them."""
    start = time.perf_counter()
    page.click("[data-key=learn]")
    page.wait_for_selector("[data-row] [data-probability]")
    return time.perf_counter() - start


def stopped(page: Any) -> float:
    """Seconds from the click on stop, while the rows are read, until one can learn again."""
    page.click("[data-key=learn]")
    page.wait_for_selector("progress[value]")
    start = time.perf_counter()
    page.click("[data-key=stop]")
    page.wait_for_selector("progress", state="detached")
    return time.perf_counter() - start


def tables(browser: Any, address: str, larger: str) -> tuple[list[list[str]], list[float]]:
    """Lines for both tables, and the times of changed cells in the smaller."""
    page, reading = opened(browser, address)
    learning = learned(page)
    rows = [table_line(SMALL, reading, learning, reached(reading + learning, SHOWN))]
    times = changed_cells(page)
    page, reading = opened(browser, larger)
    end = f"stopped within {stopped(page):.1f} s"
    rows.append(table_line(LARGE, reading, learned(page), end))
    text = page.text_content("[data-learned]")
    assert f"{LARGE} rows" in text.replace(",", ""), text  # all of them, not those in the list
    return rows, times


def table_line(n_rows: int, reading: float, learning: float, end: str) -> list[str]:
    both = reading + learning
    return [f"{n_rows:,} x 30", f"{reading:.1f} s", f"{learning:.1f} s", f"{both:.1f} s", end]


def changed_cells(page: Any) -> list[float]:
    page.click("[data-row='0']")
    page.wait_for_selector(".step[data-weight]")
    rng = random.Random(0)
    return painted(page, "input", lambda: page.fill("[data-cell=n0]", f"{rng.random():.3f}"))


def typed_words(browser: Any, address: str) -> list[float]:
    """Milliseconds of words that are typed on the text desk."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{address.split('/desk')[0].rstrip('/')}/desk/text#example=mails")
    page.wait_for_selector("#answer [data-probability]")
    page.click("#editor textarea")
    rng = random.Random(0)

    def type_word() -> None:
        page.keyboard.insert_text(f" {rng.choice(WORDS)}")

    return painted(page, "input", type_word, "#answer")


def sizes(browser: Any, address: str) -> list[list[str]]:
    """A line for each desk, with what it loads."""
    found = []
    for desk, link in DESKS.items():
        page = browser.new_page()
        page.goto(f"{address.split('/desk')[0].rstrip('/')}/")
        page.click(link)  # of the start page
        page.wait_for_url(f"**/desk/{desk}*")
        page.wait_for_selector("#toolbar button")
        page.wait_for_timeout(1000)
        size = loaded_bytes(page)
        found.append([desk, f"{size:,}", f"{SIZE:,} {reached(size, SIZE)}"])
        page.close()
    return found


def cell_line(what: str, times: list[float]) -> list[str]:
    return [what, *milliseconds(times, ANSWERED)]
