"""Speed of the k nearest neighbours against scikit-learn in the same run, and of the two roads.

    python -m benchmarks neighbours

Prints two tables and writes them to NEIGHBOURS.md beside this file.
"""

import os
import platform
from collections.abc import Iterator
from datetime import date
from importlib.metadata import version
from pathlib import Path

import numpy as np
import sklearn.neighbors as peer

from bayesic.estimation.nearest import MOST_FEATURES_OF_A_TREE, NearestRows
from bayesic.models.neighbours import KNeighborsClassifier, KNeighborsRegressor
from benchmarks.measuring import PEER, Measurement, best, processor, table, tell_and_keep

RESULTS = Path(__file__).with_name("NEIGHBOURS.md")
FEATURES = (2, 4, 6, 8, 10, 12, 16)
POINTS = (300, 3_000, 30_000, 300_000)


def predictions(
    rng: np.random.Generator, n_rows: int, n_features: int, n_asked: int, bar: str
) -> Iterator[Measurement]:
    X, asked = rng.normal(size=(n_rows, n_features)), rng.normal(size=(n_asked, n_features))
    y = rng.integers(0, 5, n_rows)
    size = f"{n_rows:,} x {n_features}, {n_asked:,} asked, k = 5"
    for name, ours, theirs in (
        ("KNeighborsClassifier", KNeighborsClassifier, peer.KNeighborsClassifier),
        ("KNeighborsRegressor", KNeighborsRegressor, peer.KNeighborsRegressor),
    ):
        mine, other = ours().fit(X, y), theirs().fit(X, y)
        mine.predict(asked[:1])  # makes what the search needs: that is in the line below
        times = best(
            lambda mine=mine: mine.predict(asked), lambda other=other: other.predict(asked)
        )
        yield Measurement(f"{name} predict", size, PEER, *times, bar)
    times = best(
        lambda: KNeighborsClassifier().fit(X, y).predict(asked),
        lambda: peer.KNeighborsClassifier().fit(X, y).predict(asked),
        repeats=3,
    )
    yield Measurement("KNeighborsClassifier fit and predict", size, PEER, *times, "1x")


def roads(rng: np.random.Generator, metric: str) -> Iterator[list[str]]:
    """For each number of points: time of brute force divided by that of the tree."""
    for n_points in POINTS:
        cells = [metric, f"{n_points:,}"]
        for n_features in FEATURES:
            search = NearestRows(rng.normal(size=(n_points, n_features)))
            asked = rng.normal(size=(500, n_features))
            for road in ("kd_tree", "brute"):
                search.nearest(asked[:1], 5, metric, road)
            tree, brute = best(
                lambda search=search, asked=asked: search.nearest(asked, 5, metric, "kd_tree"),
                lambda search=search, asked=asked: search.nearest(asked, 5, metric, "brute"),
                repeats=3,
            )
            cells.append(f"{brute / tree:.2f}")
        yield cells


def roads_table(rng: np.random.Generator) -> str:
    head = ["distance", "points", *(f"{number} features" for number in FEATURES)]
    rows = [head, ["---"] * len(head), *roads(rng, "euclidean"), *roads(rng, "manhattan")]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def report() -> str:
    rng = np.random.default_rng(0)
    lines = [
        *predictions(rng, 300_000, 5, 20_000, "2x"),
        *predictions(rng, 100_000, 50, 2_000, "1.2x"),
    ]
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "scikit-learn"))
    return f"""# Neighbours

Measured {date.today()} with `python -m benchmarks neighbours` on {os.cpu_count()} cores
({processor()}), Python {platform.python_version()}, {libraries}.
Normally distributed numbers.

The best of 5 runs (with `fit`: of 3), the two in turns, everything included. Both are as installed:
scikit-learn uses one core for its tree unless `n_jobs` tells, we use all. The ratio is the other
time divided by ours. "To reach" is what we want; where it is missed, it stands here all the same.

{table(lines)}

## Which road

The time of brute force divided by that of the k-d tree, 500 rows asked, k = 5, tree and tables
ready: above 1 the tree is faster. From this comes the rule of `algorithm="auto"`: the tree up to
{MOST_FEATURES_OF_A_TREE} features, whatever the number of points.

{roads_table(rng)}
"""


if __name__ == "__main__":
    tell_and_keep(report, RESULTS, __doc__)
