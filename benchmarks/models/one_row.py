"""Learning one row and answering one row after it, against river in the same run.

    python -m benchmarks one_row

Prints a table and writes it to ONE_ROW.md beside this file.
"""

import os
import platform
import time
from collections.abc import Callable, Iterator
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np

import bayesic as by
from benchmarks.measuring import processor, tell_and_keep

try:
    from river import compose, feature_extraction, naive_bayes, preprocessing
except ImportError:  # it is no dependency: without it our times stand alone
    naive_bayes = None

RESULTS = Path(__file__).with_name("ONE_ROW.md")
FIRST, ROWS, WARM = 5_000, 480, 60  # learned before, one by one, of which so many are not timed
VOCABULARY, WORDS_OF_A_TEXT = 100_000, 100
COLOURS = ("red", "green", "blue")
HELD = {"auto": "4 numbers", "binned": "4 binned numbers", "kernel": "4 kernel densities"}

Step = Callable[[Any, Any], object]


def table_rows(rng: np.random.Generator, n_rows: int) -> tuple[list[dict], list[str]]:
    """4 numbers and 8 words, which differ by class."""
    codes = rng.integers(3, size=n_rows).tolist()
    rows = [
        {f"number{j}": round(float(rng.normal(0.5 * j * code, 1 + j)), 3) for j in range(4)}
        | {f"word{j}": f"level{rng.integers(5) + code * (rng.random() < 0.4)}" for j in range(8)}
        for code in codes
    ]
    return rows, [COLOURS[code] for code in codes]


def texts(rng: np.random.Generator, n_texts: int) -> tuple[list[str], list[str]]:
    """Words by their rank, as in language; every second text has a word that is new."""
    share = 1 / np.arange(1, VOCABULARY + 1) ** 0.9
    drawn = rng.choice(VOCABULARY, (n_texts, WORDS_OF_A_TEXT), p=share / share.sum())
    codes = [number % 2 for number in range(n_texts)]
    shifted = (drawn + 7 * np.array(codes)[:, None]) % VOCABULARY
    words = [" ".join(f"word{number:06d}" for number in row) for row in shifted.tolist()]
    some = [f"{text} new{at}" if at % 2 else text for at, text in enumerate(words)]
    return some, [("spam", "ham")[code] for code in codes]


def all_words() -> list[str]:
    """Texts that have every word of the vocabulary."""
    names = [f"word{number:06d}" for number in range(VOCABULARY)]
    ends = range(0, VOCABULARY + 1, WORDS_OF_A_TEXT)
    return [" ".join(names[start:end]) for start, end in pairwise(ends)]


def timed(rows: list[Any], labels: list[Any], *steps: Step) -> list[list[float]]:
    """The times of each step on each row, in milliseconds.

    The steps take turns at each row: where a processor becomes slower, it is slower for all.
    """
    times: list[list[float]] = [[] for _ in steps]
    for row, label in zip(rows, labels, strict=True):
        for step, its_times in zip(steps, times, strict=True):
            start = time.perf_counter()
            step(row, label)
            its_times.append(1000 * (time.perf_counter() - start))
    return [its_times[WARM:] for its_times in times]


def line(job: str, ours: list[float], theirs: list[float] | None, bar: str) -> list[str]:
    cells = [job, f"{median(ours):.3f} ms", f"{mean(ours):.3f} ms"]
    if theirs is None:
        return [*cells, "", "", "", bar]
    ratio = f"{median(ours) / median(theirs):.2f}x"
    return [*cells, f"{median(theirs):.3f} ms", f"{mean(theirs):.3f} ms", ratio, bar]


def of_table(rng: np.random.Generator) -> Iterator[list[str]]:
    rows, labels = table_rows(rng, FIRST + ROWS)
    columns = {name: [row[name] for row in rows[:FIRST]] for name in rows[0]}
    asked = [{name: [cell] for name, cell in row.items()} for row in rows]

    def learn(**how: Any) -> Step:
        model = by.NaiveBayes(**how).fit(columns, labels[:FIRST])

        def step(row: Any, label: Any) -> None:
            model.partial_fit(row, [label])
            model.predict_proba(row)

        return step

    rest, theirs = (asked[FIRST:], labels[FIRST:]), None
    ours = [learn(choices="hold", numeric=kind) for kind in HELD]
    if naive_bayes is not None:
        numbers = compose.SelectType(float) | naive_bayes.GaussianNB()
        words = compose.SelectType(str) | preprocessing.OneHotEncoder() | naive_bayes.BernoulliNB()
        for row, label in zip(rows[:FIRST], labels[:FIRST], strict=True):
            numbers.learn_one(row, label)
            words.learn_one(row, label)

        def river(row: Any, label: Any) -> None:
            plain = {name: cell for name, [cell] in row.items()}
            for model in (numbers, words):
                model.learn_one(plain, label)
                model.predict_proba_one(plain)

        *times, theirs = timed(*rest, *ours, river)
    else:
        times = timed(*rest, *ours)
    for numbers_told, of_kind in zip(HELD.values(), times, strict=True):
        yield line(f"NaiveBayes, {numbers_told} and 8 words, held", of_kind, theirs, "2x")
    some = tuple(part[: WARM + 40] for part in rest)
    [always] = timed(*some, learn(choices="always"))
    yield line("NaiveBayes, 4 numbers and 8 words, always chosen", always, theirs, "")


def of_texts(rng: np.random.Generator) -> Iterator[list[str]]:
    first, rest = all_words(), texts(rng, ROWS)
    labels = [("spam", "ham")[number % 2] for number in range(len(first))]
    model = by.TextClassifier(choices="hold").fit(first, labels)

    def learn(text: Any, label: Any) -> None:
        model.partial_fit([text], [label])
        model.predict_proba([text])

    theirs = None
    if naive_bayes is not None:
        peer = feature_extraction.BagOfWords() | naive_bayes.MultinomialNB()
        for text, label in zip(first, labels, strict=True):
            peer.learn_one(text, label)

        def river(text: Any, label: Any) -> None:
            peer.learn_one(text, label)
            peer.predict_proba_one(text)

        ours, theirs = timed(*rest, learn, river)
    else:
        [ours] = timed(*rest, learn)
    job = f"TextClassifier, {VOCABULARY:,} words, texts of {WORDS_OF_A_TEXT}"
    yield line(job, ours, theirs, "2x")


def of_network(rng: np.random.Generator) -> Iterator[list[str]]:
    names = [f"v{number}" for number in range(8)]
    edges = [("v0", "v1"), ("v0", "v2"), ("v1", "v3"), ("v2", "v3"), ("v3", "v4"), ("v4", "v5")]
    edges += [("v5", "v6"), ("v3", "v7")]
    cells = rng.choice(["low", "middle", "high"], (FIRST + ROWS, 8)).tolist()
    rows = [dict(zip(names, row, strict=True)) for row in cells]
    network = by.BeliefNetwork(edges).fit(rows[:FIRST], smoothing=1)

    def learn(row: Any, label: Any) -> None:
        network.partial_fit([row])
        network.query("v7", given={"v0": "low", "v5": "middle"})

    [ours] = timed(rows[FIRST:], [None] * ROWS, learn)
    yield line("BeliefNetwork, 8 variables of 3 states, query", ours, None, "1 ms")


def report() -> str:
    rng = np.random.default_rng(0)
    head = ["learn one row, answer one", "bayesic, median", "mean", "river, median", "mean"]
    head += ["ratio of medians", "to reach"]
    rows = [head, ["---"] * len(head), *of_table(rng), *of_texts(rng), *of_network(rng)]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    try:
        peer = f"river {version('river')}"
    except PackageNotFoundError:
        peer = "river is not installed"
    return f"""# One row

Measured {date.today()} with `python -m benchmarks one_row` on {os.cpu_count()} cores
({processor()}), Python {platform.python_version()}, numpy {version("numpy")}, {peer}.

`partial_fit` of one row and `predict_proba` of it, {ROWS - WARM} times after {WARM} that are not
counted, on a model that has learned {FIRST:,} rows (texts: every word of the vocabulary). river
learns and answers the same rows, each by turns with us, the table as `GaussianNB` on the numbers
and `BernoulliNB` on the words. The mean has the rows that fold a large vocabulary anew; with held
choices no row here chooses anew, which takes as long as one answer of "always chosen", once in a
tenth more rows. The ratio is our time divided by river's. "To reach" is what we want; where it is
missed, it stands here all the same.

{table}
"""


if __name__ == "__main__":
    tell_and_keep(report, RESULTS, __doc__)
