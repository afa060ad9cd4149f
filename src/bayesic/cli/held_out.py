"""Answers for rows or texts that were not learned, in several ways."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesic.cli.numbers import NumberRows, learned_numbers
from bayesic.cli.progress import working
from bayesic.cli.reading import known_classes, rows_at
from bayesic.cli.sources import Options, Source

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class HeldOut:
    """The class probabilities of rows or texts, and what these are in truth."""

    classes: Array
    posterior: Array  # (n_rows, n_classes)
    labels: Array  # (n_rows,)
    unit: str  # "row" or "text"
    how: str  # for the reader


def learned_source(source: Source, how: Options) -> Any:
    """A model of all rows or texts of a source."""
    with working(f"reading {source.path}", unit=source.unit):
        return source.learned(source.fit, how)


def answers_of_model(model: Any, source: Source) -> HeldOut:
    """The rows of a source, by a model that was learned from others."""
    with working(f"reading {source.path}", unit=source.unit):
        answers = source.answers(model)
    return HeldOut(model.classes_, *answers, source.unit, f"{source.unit}s of {source.path}")


def left_one_out(model: Any, source: Source) -> HeldOut:
    """Each row that a model has learned, as if it had not learned it."""
    way_out = "Only rows that were learned can be left out."
    with working(f"reading {source.path}", unit=source.unit), known_classes(source.path, way_out):
        answers = source.left_one_out(model)
    return HeldOut(model.classes_, *answers, source.unit, f"leave-one-out on {source.path}")


def cross_validated(source: Source, n_folds: int, seed: int, how: Options) -> HeldOut:
    """Each row by a model that was learned from the other folds."""
    from sklearn.model_selection import StratifiedKFold

    X, labels = rows_in_memory(source, how)
    refuse_too_many_folds(n_folds, labels, source.unit)
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    classes = np.unique(labels)
    posterior = np.empty((len(labels), len(classes)))
    with working("learning folds", n_folds) as done:
        for train, test in folds.split(labels, labels):
            model = learned_rows(source, X, labels, train, how)
            posterior[test] = answers_for(model, rows_at(X, test), classes)
            done(1)
    told = f"{n_folds}-fold cross validation on {source.path}"
    return HeldOut(classes, posterior, labels, source.unit, told)


def refuse_too_many_folds(n_folds: int, labels: Array, unit: str) -> None:
    """Refuse folds of which some would have no row of any class."""
    most = int(np.unique(labels, return_counts=True)[1].max())
    if most < n_folds:
        raise ValueError(
            f"--cv must be at most {most}, as many {unit}s as the largest class has, got "
            f"{n_folds}. Use --leave-one-out where there are few."
        )


def share_held_out(source: Source, share: float, seed: int, how: Options) -> HeldOut:
    """A share of the rows, by a model that was learned from the others."""
    from sklearn.model_selection import train_test_split

    X, labels = rows_in_memory(source, how)
    train, test = train_test_split(
        np.arange(len(labels)), test_size=share, stratify=labels, random_state=seed
    )
    model = learned_rows(source, X, labels, train, how)
    classes = np.unique(labels)
    posterior = answers_for(model, rows_at(X, test), classes)
    told = f"{share:.0%} of {source.path}, learned from the rest"
    return HeldOut(classes, posterior, labels[test], source.unit, told)


def learned_rows(source: Source, X: Any, labels: Array, places: Array, how: Options) -> Any:
    """A model of these rows; where it can be, classes that none of the rows has are declared."""
    classes = np.unique(labels)

    def learn(model: Any) -> Any:
        if isinstance(source, NumberRows):
            return learned_numbers(model, X[places], labels[places])
        return model.partial_fit(rows_at(X, places), labels[places], classes=classes)

    return source.learned(learn, how)


def answers_for(model: Any, X: Any, classes: Array) -> Array:
    """P(class) of these classes; 0 for those that the model has not learned."""
    answers = model.predict_proba(X)
    posterior = np.zeros((len(answers), len(classes)))
    posterior[:, np.isin(classes, model.classes_)] = answers
    return posterior


def rows_in_memory(source: Source, how: Options) -> tuple[Any, Array]:
    """The rows or texts of a source, and their classes."""
    with working(f"reading {source.path}", unit=source.unit):
        return source.in_memory(how)
