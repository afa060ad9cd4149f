"""A million rows: BayesForest against LightGBM, learning and answering, in the same run.

    python -m benchmarks forest

Made-up rows of numbers and categories, of which some tell of the class together. Both use all
processors.
"""

import os
import platform
import warnings
from datetime import date
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

import bayesic as by
from benchmarks.measuring import Measurement, best, processor, table, tell_and_keep

RESULTS = Path(__file__).with_name("FOREST.md")
N_ROWS, N_TREES = 1_000_000, 60


def rows(n_rows: int, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """15 columns of numbers, 5 of categories, and a class of two."""
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(n_rows, 15))
    words = rng.integers(0, 8, (n_rows, 5))
    score = numbers[:, 0] * numbers[:, 1] + numbers[:, 2] + (words[:, 0] == words[:, 1])
    score += rng.logistic(0, 0.5, n_rows)
    columns = {f"n{place}": numbers[:, place] for place in range(15)}
    for place in range(5):
        columns[f"w{place}"] = pd.Categorical.from_codes(words[:, place], list("abcdefgh"))
    return pd.DataFrame(columns), np.where(score > 0.2, "yes", "no")


def report() -> str:
    from lightgbm import LGBMClassifier

    warnings.simplefilter("ignore")
    X, y = rows(N_ROWS, 0)
    fresh, truth = rows(100_000, 1)
    models = {}

    def ours() -> None:
        models["ours"] = by.BayesForest(N_TREES).fit(X, y)

    def theirs() -> None:
        models["theirs"] = LGBMClassifier(verbose=-1).fit(X, y)

    by.BayesForest(2).fit(X[:20_000], y[:20_000])
    size = f"{N_ROWS:,} x 20"
    lines = [
        Measurement("learn", size, "LightGBM, 100 trees", *best(ours, theirs, repeats=2), "1x")
    ]
    answers = best(
        lambda: models["ours"].predict_proba(fresh),
        lambda: models["theirs"].predict_proba(fresh),
        repeats=2,
    )
    lines.append(Measurement("answer", "100,000 x 20", "LightGBM, 100 trees", *answers, ""))
    own = np.arange(len(truth)), (truth == "yes").astype(int)
    losses = {
        name: -np.log(model.predict_proba(fresh)[own]).mean() for name, model in models.items()
    }
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "lightgbm"))
    return f"""# A forest of a million rows

Measured {date.today()} with `python -m benchmarks forest` on {os.cpu_count()} cores
({processor()}), Python {platform.python_version()}, {libraries}.
The best of 2 runs, the two in turns; both use all cores.

{table(lines)}

Log loss on 100,000 fresh rows: {losses["ours"]:.4f}, LightGBM {losses["theirs"]:.4f}.
"""


if __name__ == "__main__":
    tell_and_keep(report, RESULTS, __doc__)
