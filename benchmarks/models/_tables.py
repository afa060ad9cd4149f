"""The tables that accuracy is measured on, and how their rows are split.

The files do not come with the repository: `shared.py` says where they are looked for.
"""

import json
import warnings
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from benchmarks.shared import TABLES

N_FOLDS = 10


class Table(NamedTuple):
    """One data set: features, classes, the rows to learn and to test in each fold."""

    name: str
    X: pd.DataFrame
    y: np.ndarray
    folds: list[tuple[np.ndarray, np.ndarray]]
    numeric: list[str]


def read_schema(folder: Path = TABLES) -> dict[str, dict]:
    """What is known of each table, by its name."""
    return json.loads((folder / "schema.json").read_text(encoding="utf-8"))


def tables(names: Collection[str] | None = None, folder: Path = TABLES) -> Iterator[Table]:
    """The tables in alphabetical order: all of them, or those named."""
    schema = read_schema(folder)
    for name in sorted(schema if names is None else names):
        yield read_table(name, schema[name]["columns"], folder)


def read_table(name: str, columns: dict[str, dict], folder: Path) -> Table:
    """Categories and classes come as strings, numbers as pandas reads them; empty is missing."""
    numeric = [column for column, facts in columns.items() if facts["kind"] == "numeric"]
    strings = {column: "str" for column in columns if column not in numeric}
    frame = pd.read_csv(
        folder / f"{name}.csv.gz",
        dtype=strings | {"class": "str"},
        keep_default_na=False,
        na_values=[""],
    )
    y = frame["class"].to_numpy(dtype=str)
    folds = official_split(frame["split"]) if "split" in frame else stratified_folds(y)
    return Table(name, frame[list(columns)], y, folds, numeric)


def official_split(split: pd.Series) -> list[tuple[np.ndarray, np.ndarray]]:
    """The one fold of a table that says which of its rows are for training and for testing."""
    return [(np.flatnonzero(split == "train"), np.flatnonzero(split == "test"))]


def stratified_folds(y: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Ten folds with the same share of each class, shuffled with seed 0."""
    splitter = StratifiedKFold(N_FOLDS, shuffle=True, random_state=0)
    with warnings.catch_warnings():
        # a class with fewer rows than folds is missing in some folds, which is meant
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        return list(splitter.split(np.zeros(len(y)), y))
