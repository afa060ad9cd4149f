"""Speed, accuracy and size of the decision tree of the shortest description.

    python -m benchmarks mdl_tree
    python -m benchmarks mdl_tree --dry

Prints the tables and writes them to MDL_TREE.md beside this file. Without tables (`shared.py`) it
measures speed alone. Folds are those of `accuracy.py`.
"""

import os
import platform
import sys
from collections.abc import Callable
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

from bayesic.hypotheses.mdl_tree.tree_classifier import MDLTreeClassifier
from benchmarks.measuring import best, processor, tell_and_keep
from benchmarks.models._rivals import for_columns, one_hot
from benchmarks.models._tables import Table, tables
from benchmarks.models.accuracy import verdict
from benchmarks.shared import TABLES

RESULTS = Path(__file__).with_name("MDL_TREE.md")
ROUNDS = 5
MOST_TIMES, LEAST_GAIN = 3.0, -1.0
WEIGHTS = (1.0, 1.5, 2.0, 3.0)
PEER, OURS = "scikit-learn", "c = 2"


def peer() -> Any:
    """scikit-learn's tree, which knows gaps in numbers; categories are one-hot."""
    return for_columns("passthrough", one_hot(), DecisionTreeClassifier(random_state=0))


def models() -> dict[str, Callable[[], Any]]:
    ours = {
        f"c = {weight:g}": lambda weight=weight: MDLTreeClassifier(exception_weight=weight)
        for weight in WEIGHTS
    }
    return {PEER: peer, **ours}


def speed() -> pd.DataFrame:
    """Best seconds of several rounds, in turns; compilation is in no round."""
    rows = {}
    for n_rows, n_columns, n_classes in ((1_000, 20, 2), (10_000, 20, 2), (10_000, 20, 5)):
        X, y = make_classification(
            n_rows, n_columns, n_informative=10, n_classes=n_classes, random_state=0
        )
        (first,) = best(lambda X=X, y=y: MDLTreeClassifier().fit(X, y), repeats=1)
        ours, theirs = MDLTreeClassifier(), DecisionTreeClassifier(random_state=0)
        seconds = best(
            lambda X=X, y=y, model=ours: model.fit(X, y),
            lambda X=X, y=y, model=theirs: model.fit(X, y),
            lambda X=X, model=ours: model.predict_proba(X),
            lambda X=X, model=theirs: model.predict_proba(X),
            repeats=ROUNDS,
        )
        leaves = [ours.n_leaves_, theirs.get_n_leaves()]
        rows[f"{n_rows:,} x {n_columns}, {n_classes} classes"] = [*seconds, first, *leaves]
    jobs = ["fit", "fit, peer", "predict_proba", "predict_proba, peer"]
    names = [*jobs, "first fit", "leaves", "leaves, peer"]
    return pd.DataFrame(rows, index=names).T


def n_leaves(model: Any) -> int:
    return model.n_leaves_ if isinstance(model, MDLTreeClassifier) else model[-1].get_n_leaves()


def measure(make: Callable[[], Any], table: Table) -> tuple[float, float]:
    """Percent of the test rows of all folds that are right, and the mean number of leaves."""
    right, leaves = [], []
    for train, test in table.folds:
        model = make().fit(table.X.iloc[train], table.y[train])
        right.append(model.predict(table.X.iloc[test]) == table.y[test])
        leaves.append(n_leaves(model))
    return 100 * float(np.concatenate(right).mean()), float(np.mean(leaves))


def accuracy() -> tuple[pd.DataFrame, pd.DataFrame] | None:
    """Accuracy and leaves of each model on each table; None where there are no tables."""
    if not TABLES.exists():
        return None
    found = {}
    for table in tables():
        found[table.name] = {name: measure(make, table) for name, make in models().items()}
        print(f"measured {table.name}", file=sys.stderr, flush=True)
    pairs = pd.DataFrame(found).T
    return pairs.map(lambda pair: pair[0]), pairs.map(lambda pair: pair[1])


def markdown(values: pd.DataFrame, style: str, first: str = "table") -> str:
    lines = [[first, *values.columns], ["---"] + ["---:"] * values.shape[1]]
    lines += [[name, *(f"{value:{style}}" for value in row)] for name, row in values.iterrows()]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def with_mean(values: pd.DataFrame) -> pd.DataFrame:
    return pd.concat([values, values.mean().to_frame(f"mean of {len(values)}").T])


def bars(seconds: pd.DataFrame, measured: tuple[pd.DataFrame, pd.DataFrame] | None) -> str:
    row = seconds.loc["10,000 x 20, 2 classes"]
    ratio = row["fit"] / row["fit, peer"]
    lines = [
        f"fit of 10,000 x 20 numbers in {ratio:.2f} times the time of DecisionTreeClassifier, to "
        f"reach {MOST_TIMES:.0f}: {verdict(ratio <= MOST_TIMES)}."
    ]
    if measured:
        values, leaves = (each.mean() for each in measured)
        gain, plain = (values[name] - values[PEER] for name in (OURS, "c = 1"))
        lines += [
            f"Accuracy against DecisionTreeClassifier, mean of all tables: {gain:+.2f} points, to "
            f"reach {LEAST_GAIN:+.1f}: {verdict(gain >= LEAST_GAIN)}. "
            f"With the plain rule, c = 1: {plain:+.2f} points.",
            f"Leaves, mean of all tables: {leaves[OURS]:.0f} against {leaves[PEER]:.0f}, to reach "
            f"fewer: {verdict(leaves[OURS] < leaves[PEER])}.",
        ]
    return "\n".join(f"- {line}" for line in lines)


def report() -> str:
    seconds, measured = speed(), accuracy()
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "scikit-learn"))
    text = f"""# Decision trees of the shortest description

Measured {date.today()} with `python -m benchmarks mdl_tree` on {os.cpu_count()} cores
({processor()}), Python {platform.python_version()}, {libraries}.
The peer is `DecisionTreeClassifier(random_state=0)`, grown out; its categories are one-hot.

## What is to be reached

{bars(seconds, measured)}

## Seconds

Numbers of `make_classification`, best of {ROUNDS} rounds, in turns. The first fit is in none: the
first one of a process above 200,000 rows times columns times classes compiles the kernels, or loads
what an earlier process has compiled. Below, NumPy does the work.

{markdown(seconds, ".4g", "rows x columns")}
"""
    if measured is None:
        return text
    return f"""{text}
## Accuracy, percent

`MDLTreeClassifier(exception_weight=c)`; c = 2 is the default, and c = 1 the plain rule. The default
was chosen by this table: one number for all of them.

{markdown(with_mean(measured[0]), ".2f")}

## Leaves

Mean of all folds.

{markdown(with_mean(measured[1]), ".1f")}
"""


if __name__ == "__main__":
    tell_and_keep(report, RESULTS, __doc__)
