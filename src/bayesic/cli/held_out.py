"""Answers for rows that were not learned, in several ways."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bayesic.cli.learning import learned_model
from bayesic.cli.options import columns_given
from bayesic.cli.progress import working
from bayesic.cli.reading import read_labels, rows_at, table_in_memory
from bayesic.data.files import take_column
from bayesic.models.schema import KINDS, checked_kinds

Array = np.ndarray
Options = Mapping[str, Any]  # how to learn, as learned_model takes it


@dataclass(frozen=True, eq=False)
class HeldOut:
    """The class probabilities of rows, and what the rows are in truth."""

    classes: Array
    posterior: Array  # (n_rows, n_classes)
    labels: Array  # (n_rows,)
    how: str  # for the reader


def learned_table(table: Path, target: str, options: Options) -> Any:
    """A model of all rows of a table."""
    with working(f"reading {table}"):
        return learned_model(lambda model: model.fit(table, y=target), **options)


def answers_of_model(model: Any, table: Path, target: str) -> HeldOut:
    """The rows of a table, by a model that was learned from others."""
    with working(f"reading {table}"):
        labels = read_labels(table, target)
        return HeldOut(model.classes_, model.predict_proba(table), labels, f"rows of {table}")


def left_one_out(model: Any, table: Path, target: str) -> HeldOut:
    """Each row that a model has learned, as if it had not learned it."""
    with working(f"reading {table}"):
        posterior = model.leave_one_out(table, y=target)
        labels = read_labels(table, target)
    return HeldOut(model.classes_, posterior, labels, f"leave-one-out on {table}")


def cross_validated(table: Path, target: str, n_folds: int, seed: int, options: Options) -> HeldOut:
    """Each row by a model that was learned from the other folds."""
    from sklearn.model_selection import StratifiedKFold

    X, labels = rows_in_memory(table, target, options)
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    posterior = np.empty((len(labels), len(set(labels.tolist()))))
    with working("learning folds", n_folds) as done:
        for train, test in folds.split(labels, labels):
            model = learned_rows(X, labels, train, options)
            posterior[test] = model.predict_proba(rows_at(X, test))
            done(1)
    how = f"{n_folds}-fold cross validation on {table}"
    return HeldOut(model.classes_, posterior, labels, how)


def share_held_out(table: Path, target: str, share: float, seed: int, options: Options) -> HeldOut:
    """A share of the rows, by a model that was learned from the others."""
    from sklearn.model_selection import train_test_split

    X, labels = rows_in_memory(table, target, options)
    train, test = train_test_split(
        np.arange(len(labels)), test_size=share, stratify=labels, random_state=seed
    )
    model = learned_rows(X, labels, train, options)
    how = f"{share:.0%} of {table}, learned from the rest"
    return HeldOut(model.classes_, model.predict_proba(rows_at(X, test)), labels[test], how)


def learned_rows(X: Any, labels: Array, places: Array, options: Options) -> Any:
    """A model of these rows; all classes are declared, also those that none of the rows has."""
    classes = np.unique(labels)

    def learn(model: Any) -> Any:
        return model.partial_fit(rows_at(X, places), labels[places], classes=classes)

    return learned_model(learn, **options)


def rows_in_memory(table: Path, target: str, options: Options) -> tuple[Any, Array]:
    """The columns of a table without the target, and the labels."""
    kinds = checked_kinds(columns_given(options["columns"]))
    told = {name: KINDS[kind] for name, kind in kinds.items()} | {target: "label"}
    with working(f"reading {table}"):
        return take_column(table_in_memory(table, told), target)
