"""Feed junk to parsers, estimators and functions: each call answers, or is refused by a sentence.

    python tests/junk.py --cases 100000 --seed 1
    python tests/junk.py --only "bayes_rule" --cases 5000
    python tests/junk.py --replay "bayes_rule" --seed 1 --number 4711

Fine is an answer without NaN, or a ValueError, TypeError, OSError or (as in scikit-learn, for what
two arguments cannot do together) NotImplementedError that says something. Everything else is a
fault: it is shown with the line that replays it. `test_junk.py` runs a few hundred cases.
"""

import argparse
import math
import signal
import sys
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager, suppress
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from junk_targets import Target, targets

SECONDS = 30  # of the processor, for one case: other programs are no fault of it
PATIENCE = 20  # times as long by the clock, where it waits for something that never comes
SHORTEST_SENTENCE = 12  # characters
SLOW = 10  # pictures and choices come so many times less often than other targets


class Fault(NamedTuple):
    """A case that did not go well."""

    name: str
    seed: int
    number: int
    problem: str

    def __str__(self) -> str:
        replay = f'python tests/junk.py --replay "{self.name}" --seed {self.seed}'
        return f"{self.problem}\n    {replay} --number {self.number}"


class TooSlowError(BaseException):
    """A case did not end in time."""


def problem_of(target: Target, random: Random) -> str | None:
    """What is wrong with one case, None if nothing is.

    It runs in a folder of its own: junk that is a path may be written to.
    """
    run = target(random)
    try:
        with _own_folder(), warnings.catch_warnings(), time_limit(SECONDS):
            warnings.simplefilter("ignore")
            answer = run()
    except (ValueError, TypeError, OSError, NotImplementedError) as error:
        text = str(error)
        is_sentence = len(text) >= SHORTEST_SENTENCE and " " in text
        return None if is_sentence else f"{type(error).__name__} without a sentence: {text!r}"
    except TooSlowError:
        return f"took more than {SECONDS} seconds of the processor"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    return "NaN in the answer" if has_nan(answer) else None


def has_nan(answer: Any) -> bool:
    """Whether there is a NaN in numbers, arrays, and lists or dicts of them."""
    if isinstance(answer, np.ndarray) and answer.dtype.kind == "f":
        return bool(np.isnan(answer).any())
    if isinstance(answer, (float, np.floating)):
        return math.isnan(answer)
    if isinstance(answer, Mapping):
        return any(map(has_nan, answer.values()))
    return isinstance(answer, (list, tuple)) and any(map(has_nan, answer))


@contextmanager
def _own_folder() -> Iterator[None]:
    with TemporaryDirectory() as folder, chdir(folder):
        yield


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise TooSlowError

    clocks = {
        (signal.ITIMER_PROF, signal.SIGPROF): seconds,  # the time of all threads
        (signal.ITIMER_REAL, signal.SIGALRM): PATIENCE * seconds,
    }
    before = {number: signal.signal(number, stop) for _, number in clocks}
    try:
        for (clock, _), limit in clocks.items():
            signal.setitimer(clock, limit)
        yield
    finally:
        for clock, number in clocks:
            signal.setitimer(clock, 0)
            signal.signal(number, before[number])


def random_of(name: str, seed: int, number: int) -> Random:
    """The same case for the same three, on every machine."""
    return Random(f"{name} {seed} {number}")


def run(names: list[str], seed: int, n_cases: int) -> Iterator[Fault]:
    """Cases of all targets in turn; slow ones less often."""
    known, number = targets(), 0
    while number < n_cases:
        for name in names:
            is_slow = name.startswith("plots.") or name == "choose_model"
            if number >= n_cases or (is_slow and number // len(names) % SLOW):
                continue
            problem = problem_of(known[name], random_of(name, seed, number))
            if problem is not None:
                yield Fault(name, seed, number, problem)
            number += 1


def replay(name: str, seed: int, number: int) -> None:
    """One case again, with what it is called with and the traceback."""
    case = targets()[name](random_of(name, seed, number))
    for variable, cell in zip(case.__code__.co_freevars, case.__closure__ or (), strict=True):
        print(f"{variable} = {cell.cell_contents!r:.1000}")
    try:
        with _own_folder():
            print(case())
    except Exception:
        traceback.print_exc(file=sys.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="names of targets that begin so")
    parser.add_argument("--replay", metavar="NAME", help="one case again, by --seed and --number")
    parser.add_argument("--number", type=int, default=0)
    given = parser.parse_args()
    if given.replay is not None:
        replay(given.replay, given.seed, given.number)
        return
    names = [name for name in targets() if name.startswith(given.only or "")]
    found: Counter[tuple[str, str]] = Counter()
    with suppress(KeyboardInterrupt):
        for fault in run(names, given.seed, given.cases):
            kind = fault.name, fault.problem[:60]
            found[kind] += 1
            if found[kind] == 1:
                print(f"{fault.name}: {fault}", flush=True)
    print(f"Up to {given.cases} cases, {sum(found.values())} faults of {len(found)} kinds")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
