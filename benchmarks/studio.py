"""How long it takes in the studio from a click to painted bars, in a real browser.

    python benchmarks/studio.py

Prints a table and writes it to STUDIO.md beside this file. Needs chromium, playwright, and the
networks of the data folder; ASIA is there without.
"""

import os
import platform
import random
import re
import shutil
import subprocess
import sys
import time
from datetime import date
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from accuracy_data import DATA
from run import processor, tell_and_keep

from bayesic.datasets import asia
from bayesic.networks.files.read_network import read_network
from bayesic.networks.network import BeliefNetwork

RESULTS = Path(__file__).with_name("STUDIO.md")
PAGE = Path(__file__).parents[1] / "src" / "bayesic" / "studio" / "page"
CLICKS, WARM = 60, 5
TO_REACH = {"asia": 40, "alarm": 60, "andes": 400}  # milliseconds, 95 of 100 clicks
READY, SIZE = 1.0, 150_000  # seconds until the bars are there; bytes of modules and styles
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)

# From the click as the page gets it to the frame behind the one that has changed digits in it.
WATCH = """() => {
  let clicked = null;
  window.times = [];
  addEventListener("click", () => { clicked = performance.now(); }, true);
  new MutationObserver(() => {
    if (clicked === null) return;
    const start = clicked;
    clicked = null;
    requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.times.push(performance.now() - start);
      port2.postMessage(null); });
  }).observe(document.body, { subtree: true, attributeFilter: ["data-probability"] });
}"""


def networks() -> dict[str, BeliefNetwork]:
    """The networks to click in, by name."""
    files = {name: DATA.parent / "network" / "bif" / f"{name}.bif.gz" for name in TO_REACH}
    found = {name: read_network(path) for name, path in files.items() if path.exists()}
    return {"asia": asia(), **found}


def started(folder: Path, name: str, network: BeliefNetwork) -> tuple[subprocess.Popen, str]:
    """A studio with one network open, and its address."""
    path = folder / f"{name}.json"
    network.write(path)
    command = [sys.executable, "-m", "bayesic", "studio", str(path), "--no-open"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if match := re.search(r"http://\S+?(?=[ ,]|$)", line):
            return process, match[0]
    raise RuntimeError(f"bayesic studio has ended with {process.wait()}")


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
    page.evaluate(WATCH)
    rng = random.Random(0)
    row = {name: str(cells[0]) for name, cells in network.sample(1, seed=0).items()}
    rows = page.locator(".state")
    shown = [
        number
        for number in range(rows.count())
        if rows.nth(number).get_attribute("data-state")
        == row[rows.nth(number).get_attribute("data-variable")]
    ]
    while len(times := page.evaluate("window.times")) < CLICKS + WARM:
        # the same again takes the evidence back; what is certain already changes nothing
        rows.nth(rng.choice(shown)).dispatch_event("click")
        end = time.perf_counter() + 2.0
        while page.evaluate("window.times.length") == len(times) and time.perf_counter() < end:
            page.wait_for_timeout(5)
        page.wait_for_timeout(150)  # bars that glide have come to rest
    return times[WARM:]


def line(name: str, network: BeliefNetwork, seconds: float, times: list[float]) -> list[str]:
    slowest, bar = quantiles(times, n=20)[-1], TO_REACH[name]
    return [
        f"{name}, {len(network.variables)} variables",
        f"{median(times):.0f} ms",
        f"{slowest:.0f} ms",
        f"{bar} ms {'reached' if slowest <= bar else 'MISSED'}",
        f"{seconds:.2f} s {'reached' if seconds <= READY else 'MISSED'}",
    ]


def measured() -> tuple[list[list[str]], int, str]:
    """A line for each network, the bytes that a desk loads, and the browser."""
    from tempfile import TemporaryDirectory

    from playwright.sync_api import sync_playwright

    found: list[list[str]] = []
    sizes: list[int] = []
    chromium = os.environ.get("BAYESIC_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for name, network in networks().items():
            process, address = started(Path(folder), name, network)
            try:
                page, seconds = ready(browser, address)
                asked = page.evaluate("performance.getEntriesByType('resource').map(e => e.name)")
                sizes = [_size(url) for url in asked]
                found.append(line(name, network, seconds, clicked(page, network)))
            finally:
                process.terminate()
                process.wait(30)
        return found, sum(sizes), f"Chromium {browser.version}"


def _size(url: str) -> int:
    path = PAGE / url.rpartition("/studio/page/")[2]
    return path.stat().st_size if path.suffix in (".js", ".css") else 0


def report() -> str:
    rows, size, browser = measured()
    head = ["network", "click to painted bars, median", "95 of 100", "to reach", "ready (1 s)"]
    table = "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])
    everything = sum(
        path.stat().st_size
        for folder in ("frame", "network")
        for path in (PAGE / folder).iterdir()
        if path.suffix in (".js", ".css")
    )
    return f"""# The studio

Measured {date.today()} with `python benchmarks/studio.py` on {os.cpu_count()} cores
({processor()}), Python {platform.python_version()}, {browser}, the server beside it.

From a click to the frame that shows the new digits, {CLICKS} clicks after {WARM} that do not count;
each click observes a state, or takes it back, and asks for all marginals. Ready: from an empty tab
to bars, with the kernels compiled.

{table}

Modules and styles that a desk loads: {size:,} bytes, to stay below {SIZE:,}
({"reached" if size < SIZE else "MISSED"}); with what is fetched when it is opened {everything:,}.
"""


if __name__ == "__main__":
    tell_and_keep(report, RESULTS, __doc__)
