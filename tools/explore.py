"""Try property tests and junk with new random seeds for some minutes: `make explore`.

Each round has one seed, which is printed with the time; the same seed tries the same again. What is
found becomes an `@example` of its test, or a test of its own.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from threading import Timer

SEEDS = 2**32  # as many as Python takes for its hashes
JUNK_CASES = 5000  # in a round
JUNK = "python tests/junk.py --replay"


def commands(seed: int, tests: Iterable[str] = ()) -> list[str]:
    """What is run in a round; no junk if only some tests are asked for.

    >>> print(*commands(7, ["tests/serve"]))
    -m pytest -n auto --dist loadgroup -rfE -m hypothesis
        --hypothesis-profile=explore --hypothesis-seed=7 tests/serve
    >>> commands(7)[1]
    'tests/junk.py --cases 5000 --seed 7'
    """
    pytest = f"-m pytest -n auto --dist loadgroup -rfE -m hypothesis {options(seed)}"
    if tests:
        return [" ".join([pytest, *tests])]
    return [pytest, f"tests/junk.py --cases {JUNK_CASES} --seed {seed}"]


def options(seed: int) -> str:
    """What makes a property test try what it tried in the round of this seed."""
    return f"--hypothesis-profile=explore --hypothesis-seed={seed}"


def replay_of(line: str, seed: int) -> str | None:
    """The command that tries again what a line says was found; None if it says nothing of it.

    >>> print(replay_of("FAILED tests/test_rain.py::test_sun[a b] - ValueError: 3 - 4", 7))
    PYTHONHASHSEED=7 python -m pytest
        --hypothesis-profile=explore --hypothesis-seed=7 "tests/test_rain.py::test_sun[a b]"
    >>> replay_of('    python tests/junk.py --replay "merge" --seed 7 --number 3', 7)
    'python tests/junk.py --replay "merge" --seed 7 --number 3'
    >>> replay_of("17 passed", 7)
    """
    kind, _, rest = line.strip().partition(" ")
    if kind in ("FAILED", "ERROR"):
        test = rest.partition(" - ")[0]
        return f'PYTHONHASHSEED={seed} python -m pytest {options(seed)} "{test}"'
    return line.strip() if line.strip().startswith(JUNK) else None


def found_by(command: str, seed: int, end: float) -> list[str]:
    """Show what a command prints, and interrupt it at the end: how to replay what it found."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONUNBUFFERED": "1"}
    words, lines = [sys.executable, *command.split()], []
    with subprocess.Popen(
        words, env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        timer = Timer(end - time.monotonic(), process.send_signal, [signal.SIGINT])
        timer.start()
        for line in process.stdout or ():
            print(line, end="", flush=True)
            lines.append(line)
    timer.cancel()
    if process.returncode not in (0, 1) and time.monotonic() < end:
        sys.exit(f"python {command} ended with {process.returncode}")
    return [replay for line in lines if (replay := replay_of(line, seed))]


def main() -> None:
    """Round after round, until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, help="of the first round; without it a random one")
    parser.add_argument("tests", nargs="*", help="files, folders or names of tests, if not all")
    given = parser.parse_args()
    seed = random.randrange(SEEDS) if given.seed is None else given.seed
    start, found = time.monotonic(), []
    end = start + 60 * given.minutes
    while time.monotonic() < end:
        passed = (time.monotonic() - start) / 60
        print(f"--- seed {seed}, after {passed:.1f} of {given.minutes:g} minutes", flush=True)
        for command in commands(seed, given.tests):
            if time.monotonic() < end:
                found += found_by(command, seed, end)
        seed = (seed + 1) % SEEDS
    print(f"--- {len(found)} found", *found, sep="\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
