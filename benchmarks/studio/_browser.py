"""What the measurements of the studio share: the server, the browser, and a watch in the page."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

PAGE = Path(__file__).parents[2] / "src" / "bayesic" / "studio" / "page"
ANSWERS, WARM = 60, 5  # answers that are timed, after some that are not
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)

# From the event as the page gets it to the frame behind the one that has changed digits in it.
WATCH = """([kind, place]) => {
  let begun = null;
  window.times = [];
  addEventListener(kind, () => { begun = performance.now(); }, true);
  new MutationObserver(() => {
    if (begun === null) return;
    const start = begun;
    begun = null;
    requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.times.push(performance.now() - start);
      port2.postMessage(null); });
  }).observe(document.querySelector(place ?? "body"), {
    subtree: true, childList: place !== null, attributeFilter: ["data-probability"] });
}"""


@contextmanager
def studio(*files: Path) -> Iterator[str]:
    """The address of a studio with files open."""
    words = ["studio", *map(str, files), "--no-open", "--no-token"]
    command = [sys.executable, "-m", "bayesic", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        found = next((re.search(r"http://\S+?(?=[ ,]|$)", line) for line in process.stdout), None)
        if found is None:
            raise RuntimeError(f"bayesic studio has ended with {process.wait()}")
        yield found[0]
    finally:
        process.terminate()
        process.wait(30)


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser."""
    from playwright.sync_api import sync_playwright

    path = os.environ.get("BAYESIC_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=path, args=FLAGS)


def painted(page: Any, kind: str, ask: Callable[[], None], place: str | None = None) -> list[float]:
    """Milliseconds from events of a kind, each made by `ask`, to painted digits.

    place : where the digits are, if they are drawn anew rather than changed
    """
    page.evaluate(WATCH, [kind, place])
    while len(times := page.evaluate("window.times")) < ANSWERS + WARM:
        ask()
        end = time.perf_counter() + 2.0  # what is certain already changes nothing
        while page.evaluate("window.times.length") == len(times) and time.perf_counter() < end:
            page.wait_for_timeout(5)
        page.wait_for_timeout(150)  # bars that glide have come to rest
    return times[WARM:]


def milliseconds(times: list[float], bar: float) -> list[str]:
    """Cells of a table: the median, 95 of 100, and what is to be reached."""
    slowest = quantiles(times, n=20)[-1]
    return [f"{median(times):.0f} ms", f"{slowest:.0f} ms", f"{bar} ms {reached(slowest, bar)}"]


def reached(found: float, bar: float) -> str:
    return "reached" if found <= bar else "MISSED"


def loaded_bytes(page: Any) -> int:
    """The modules and styles that a page has loaded, uncompressed."""
    urls = page.evaluate("performance.getEntriesByType('resource').map(e => e.name)")
    paths = {PAGE / url.rpartition("/studio/page/")[2] for url in urls}
    return sum(path.stat().st_size for path in paths if path.suffix in (".js", ".css"))


def as_table(head: list[str], rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])
