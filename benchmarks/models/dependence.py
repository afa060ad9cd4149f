"""Speed and accuracy of the classifiers between naive Bayes and the joint table.

    python -m benchmarks dependence
    python -m benchmarks dependence --tables glass,zoo

Prints the tables and, after a full run, writes them to DEPENDENCE.md beside this file. Without
tables (`shared.py`) it measures speed alone. Folds and scores are those of `accuracy.py`.
"""

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import bayesic as by
from bayesic.models.levels.averaged_dependence import AveragedOneDependence
from bayesic.models.levels.network_classifier import KDependence, TreeAugmentedNB
from benchmarks.measuring import measure_and_keep
from benchmarks.models._tables import read_schema, tables
from benchmarks.models.accuracy import evaluate, verdict
from benchmarks.shared import TABLES

RESULTS = Path(__file__).with_name("DEPENDENCE.md")
ROUNDS = 5
N_ROWS, N_COLUMNS, N_CLASSES = 100_000, 20, 3
WORDS = np.array(["red", "green", "blue", "black", "white"], dtype=object)
MOST_TIMES, LEAST_GAIN = 10.0, 2.5

Make = Callable[[], Any]

MODELS: dict[str, Make] = {
    "naive Bayes, binned": lambda: by.NaiveBayes(numeric="binned"),
    "TAN": TreeAugmentedNB,
    "kDB, k=2": lambda: KDependence(k=2),
    "A1DE": AveragedOneDependence,
    "A2DE": lambda: AveragedOneDependence(n=2),
    'A1DE, ("m", 1)': lambda: AveragedOneDependence(smoothing=("m", 1)),
    'A2DE, ("m", 1)': lambda: AveragedOneDependence(n=2, smoothing=("m", 1)),
}
TIMED = ("naive Bayes, binned", "TAN", "kDB, k=2", "A1DE", "A2DE")
ASKED_OF_A2DE = 10_000  # rows to answer: it takes ten times as long as all others


def columns_of_words() -> tuple[pd.DataFrame, np.ndarray]:
    """A table of categories, and classes."""
    rng = np.random.default_rng(0)
    codes = rng.integers(len(WORDS), size=(N_ROWS, N_COLUMNS))
    X = pd.DataFrame({f"colour{j}": WORDS[codes[:, j]] for j in range(N_COLUMNS)})
    return X.astype("category"), rng.integers(N_CLASSES, size=N_ROWS)


def timed(action: Callable[[], Any]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def speed() -> pd.DataFrame:
    """Best seconds of several rounds, in turns; compilation is in no round."""
    X, y = columns_of_words()
    asked = {name: X[:ASKED_OF_A2DE] if name == "A2DE" else X for name in TIMED}
    first = {
        name: timed(lambda name=name: MODELS[name]().fit(X, y).predict_proba(asked[name]))
        for name in TIMED
    }
    best: dict[str, list[float]] = {name: [np.inf, np.inf] for name in TIMED}
    for _ in range(ROUNDS):
        for name in TIMED:
            model = MODELS[name]()
            # the parents are chosen when they are first asked for
            fit = timed(lambda model=model: getattr(model.fit(X, y), "parents_", None))
            answer = timed(lambda model=model, rows=asked[name]: model.predict_proba(rows))
            per_row = answer * len(X) / len(asked[name])
            best[name] = [min(best[name][0], fit), min(best[name][1], per_row)]
    seconds = pd.DataFrame(best, index=["fit", "predict_proba"]).T
    return seconds.assign(**{"first fit and predict_proba": pd.Series(first)})


def accuracy(names: list[str] | None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Accuracy and log loss of each model on each table."""
    scores: dict[str, dict[str, tuple[float, float]]] = {}
    for table in tables(names):
        scores[table.name] = {}
        for name, make in MODELS.items():
            start = time.perf_counter()
            scores[table.name][name] = evaluate(make, table)
            seconds = time.perf_counter() - start
            print(f"measured {name} on {table.name}: {seconds:.1f} s", file=sys.stderr, flush=True)
    parts = (
        pd.DataFrame({n: {m: pair[part] for m, pair in row.items()} for n, row in scores.items()}).T
        for part in (0, 1)
    )
    return tuple(parts)  # type: ignore[return-value]


def markdown(values: pd.DataFrame, digits: int, first: str = "table") -> str:
    lines = [[first, *values.columns], ["---"] + ["---:"] * values.shape[1]]
    lines += [[name, *(f"{value:.{digits}f}" for value in row)] for name, row in values.iterrows()]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def with_mean(values: pd.DataFrame) -> pd.DataFrame:
    return pd.concat([values, values.mean().to_frame(f"mean of {len(values)}").T])


def speed_bars(seconds: pd.DataFrame) -> list[str]:
    usual = seconds.loc[TIMED[0], "fit"]
    times = {name: seconds.loc[name, "fit"] / usual for name in ("TAN", "A1DE")}
    return [
        f"{name} learns {N_ROWS:,} rows in {ratio:.1f} times the time of NaiveBayes, to reach "
        f"{MOST_TIMES:.0f}: {verdict(ratio <= MOST_TIMES)}."
        for name, ratio in times.items()
    ]


def accuracy_bars(values: pd.DataFrame) -> list[str]:
    mean = 100 * values.mean()
    gain, more = mean["A1DE"] - mean["naive Bayes, binned"], mean["A2DE"] - mean["A1DE"]
    smooth = mean['A1DE, ("m", 1)'] - mean["naive Bayes, binned"]
    return [
        f"A1DE against naive Bayes on binned columns: {gain:+.2f} points on average, to reach "
        f'{LEAST_GAIN:+.1f}: {verdict(gain >= LEAST_GAIN)}. With smoothing=("m", 1): '
        f"{smooth:+.2f} points.",
        f"A2DE against A1DE: {more:+.2f} points on average, to reach +0: {verdict(more >= 0)}.",
    ]


def report(seconds: pd.DataFrame, measured: tuple[pd.DataFrame, pd.DataFrame] | None) -> str:
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "pandas"))
    bars = speed_bars(seconds) + (accuracy_bars(measured[0]) if measured else [])
    lines = "\n".join(f"- {line}" for line in bars)
    text = f"""# Classifiers between naive Bayes and the joint table

Measured {date.today()} with `python -m benchmarks dependence`, Python {platform.python_version()},
{libraries}, {os.cpu_count()} processors ({platform.machine()}).

## What is to be reached

{lines}

## Seconds

{N_ROWS:,} rows of {N_COLUMNS} columns with {len(WORDS)} levels each, {N_CLASSES} classes; pandas
columns of categories. Best of {ROUNDS} rounds, in turns. The answers of A2DE are those of
{ASKED_OF_A2DE:,} rows, scaled up. The time of fit has the choice of parents in it, which is made
when it is first needed. The last column is that of a new process, which compiles the kernels or
loads what an earlier one has compiled.

{markdown(seconds, 3, "model")}
"""
    if measured is None:
        return text
    return f"""{text}
## Accuracy, percent

Folds as in ACCURACY.md. Columns of numbers are in bins by the same rule for all models.

{markdown(with_mean(100 * measured[0]), 2)}

## Log loss

{markdown(with_mean(measured[1]), 4)}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", help="names with commas between; all if not given")
    names = parser.parse_args().tables
    has_tables = TABLES.exists()
    chosen = names.split(",") if names else (sorted(read_schema()) if has_tables else [])
    measure_and_keep(
        lambda: report(speed(), accuracy(chosen) if has_tables else None),
        RESULTS,
        dry=names is not None or not has_tables,
    )


if __name__ == "__main__":
    main()
