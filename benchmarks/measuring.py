"""What all programs share: the best of several runs, a table of ratios, a report that is kept."""

import argparse
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from benchmarks import load
from benchmarks.overview import README, overview

REPEATS = 5
PEER = f"scikit-learn {version('scikit-learn')}"


@dataclass(frozen=True)
class Measurement:
    """One line of the table: two times (or sizes) and what their ratio should be."""

    job: str
    size: str
    other: str
    ours: float
    theirs: float
    bar: str
    unit: str = "s"

    def cells(self) -> list[str]:
        return [
            self.job,
            self.size,
            self.other,
            f"{self.ours:.5f} {self.unit}",
            f"{self.theirs:.5f} {self.unit}",
            f"{self.theirs / self.ours:.{1 if self.theirs > self.ours else 2}f}x",
            self.bar,
        ]


def best(
    *functions: Callable[[], object], repeats: int = REPEATS, in_a_row: int = 1
) -> list[float]:
    """The best time of each; they take turns, so that a busy machine disturbs them alike.

    in_a_row : runs of each at its turn. The first ones find the caches full of the other's numbers,
        and its threads still spinning
    """
    times: list[list[float]] = [[] for _ in functions]
    for _ in range(repeats):
        for function, seconds in zip(functions, times, strict=True):
            for _ in range(in_a_row):
                start = time.perf_counter()
                function()
                seconds.append(time.perf_counter() - start)
    return [min(seconds) for seconds in times]


def table(measurements: list[Measurement]) -> str:
    head = ["job", "size", "against", "bayesic", "the other", "ratio", "to reach"]
    rows = [head, ["---"] * len(head), *(line.cells() for line in measurements)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def tell_and_keep(report: Callable[[], str], results: Path, description: str) -> None:
    """Print a report and keep it in its file; with --dry print it only."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--dry", action="store_true", help=f"do not write {results.name}")
    measure_and_keep(report, results, parser.parse_args().dry)


def measure_and_keep(report: Callable[[], str], results: Path, dry: bool) -> None:
    """Make a report, print it, and keep it unless other programs were at work meanwhile."""
    before, start = load.load_at_rest(), load.now()
    text = report()
    during = load.load_of_others(start, load.now())
    text = f"{text.rstrip()}\n\n{load.sentence(before, during)}\n"
    print(text)
    if dry:
        return
    if not load.is_quiet(before, during):
        sys.exit(
            f"{results.name} is left as it is: results are kept only where other programs keep at "
            f"most {load.MOST} processors busy. Measure again when the machine is quiet."
        )
    results.write_text(text, encoding="utf-8")
    README.write_text(overview(), encoding="utf-8")
