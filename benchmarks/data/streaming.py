"""How fast, and in how much memory, NaiveBayes learns a CSV file that may be larger than memory.

    python -m benchmarks streaming                  # a file of half a gigabyte
    python -m benchmarks streaming --gigabytes 5

The file is made for the purpose, in a temporary folder, and removed at the end. Learning runs in a
process of its own, whose peak memory is what the operating system reports for it.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import duckdb

WORDS_AND_NUMBERS = 5
BYTES_PER_ROW = 88  # of the file below, about
MOST_MEMORY = 1000.0  # MB, to be reached

LEARN = """
import resource, sys, time
from pathlib import Path
import bayesic as by
start = time.perf_counter()
model = by.NaiveBayes().fit(sys.argv[1], y="mail")
seconds = time.perf_counter() - start
status = Path("/proc/self/status")
if status.exists():  # ru_maxrss would count what the parent had when it forked
    peak = int(status.read_text().split("VmHWM:")[1].split()[0]) / 1e3
else:  # macOS: bytes
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
print(int(model.class_count_.sum()), seconds, peak)
"""


class Streamed(NamedTuple):
    """What learning a file took."""

    gigabytes: float
    n_rows: int
    seconds: float
    megabytes: float  # peak memory of the process, everything included

    def __str__(self) -> str:
        return (
            f"{self.gigabytes:.2f} GB CSV, {self.n_rows:,} rows: learned in {self.seconds:.1f} s "
            f"({1000 * self.gigabytes / self.seconds:.0f} MB/s), peak memory {self.megabytes:.0f} "
            f"MB (to reach: below {MOST_MEMORY:.0f} MB)"
        )


def make_file(path: Path, n_rows: int) -> None:
    """Words and numbers that hang together with the class, nulls among them."""
    words = ", ".join(
        f"'value ' || ((hash(i, {column}) + hash(i, 'class') % 3) % 20) AS word_{column}"
        for column in range(WORDS_AND_NUMBERS)
    )
    numbers = ", ".join(
        f"CASE WHEN hash(i, 'null', {column}) % 50 > 0 THEN round("
        f"sqrt(-2 * ln((1 + hash(i, 'radius', {column}) % 1000003) / 1000004.0)) * "
        f"cos(hash(i, 'angle', {column}) % 6283 / 1000.0) + hash(i, 'class') % 3, 6) END "
        f"AS number_{column}"
        for column in range(WORDS_AND_NUMBERS)
    )
    label = "['ham', 'news', 'spam'][CAST(1 + hash(i, 'class') % 3 AS BIGINT)] AS mail"
    rows = f"SELECT {words}, {numbers}, {label} FROM range({n_rows}) AS rows(i)"
    query = f"COPY ({rows}) TO '{path}' (HEADER)"
    connection = duckdb.connect()
    connection.execute("SET enable_progress_bar = false")
    connection.execute(query)


def learn(gigabytes: float) -> Streamed:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mails.csv"
        make_file(path, int(gigabytes * 1e9 / BYTES_PER_ROW))
        size = path.stat().st_size / 1e9
        command = [sys.executable, "-c", LEARN, str(path)]
        answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    n_rows, seconds, megabytes = answer.split()
    return Streamed(size, int(n_rows), float(seconds), float(megabytes))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gigabytes", type=float, default=0.5, help="size of the file")
    print(learn(parser.parse_args().gigabytes))


if __name__ == "__main__":
    main()
