"""Answers for rows or texts that were not learned, in several ways, and how good they are."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

import bayesic as by
from bayesic.cli.given import prior_given
from bayesic.cli.learning import (
    arguments_of_numbers,
    learned_text_model,
    new_table_model,
    prior_in_order,
    prior_of_classes,
)
from bayesic.cli.progress import working
from bayesic.cli.reading import NUMBER_MODELS, known_classes, numbers_refused, refuse_without
from bayesic.cli.sources import Mailboxes, Options, Source, Texts
from bayesic.evaluation.held_out import LEAVE_ONE_OUT, TooManyFoldsError

if TYPE_CHECKING:
    from bayesic.evaluation.report import Evaluation

Array = np.ndarray


def learned_source(source: Source | Mailboxes, how: Options) -> Any:
    """A model of all rows or texts of a source."""
    with working(f"reading {source.path}", unit=source.unit):
        return source.learned(source.fit, how)


def answers_of_model(model: Any, source: Source, **judging: Any) -> "Evaluation":
    """The rows of a source, by a model that was learned from others."""
    with working(f"reading {source.path}", unit=source.unit):
        evaluation = by.evaluate(model, **rows_for(model, source), **judging)
    return replace(evaluation, how=f"{source.unit}s of {source.path}")


def left_one_out(model: Any, source: Source, **judging: Any) -> "Evaluation":
    """Each row that a model has learned, as if it had not learned it."""
    refuse_without(model, "leave_one_out")
    way_out = "Only rows that were learned can be left out."
    with (
        working(f"reading {source.path}", unit=source.unit),
        known_classes(source.path, way_out),
    ):
        evaluation = by.evaluate(model, **rows_for(model, source), cv=LEAVE_ONE_OUT, **judging)
    return replace(evaluation, how=f"leave-one-out on {source.path}")


def cross_validated(
    source: Source, n_folds: int, seed: int, how: Options, **judging: Any
) -> "Evaluation":
    """Each row by a model that was learned from the other folds."""
    X, labels = rows_in_memory(source, how)
    with numbers_refused(source.path), folds_refused(source.unit):
        model = new_model(source, labels, how)
        evaluation = by.evaluate(model, X, labels, cv=n_folds, seed=seed, **judging)
    return replace(evaluation, how=f"{n_folds}-fold cross validation on {source.path}")


def share_held_out(
    source: Source, share: float, seed: int, how: Options, **judging: Any
) -> "Evaluation":
    """A share of the rows, by a model that was learned from the others."""
    from sklearn.model_selection import StratifiedShuffleSplit

    X, labels = rows_in_memory(source, how)
    split = StratifiedShuffleSplit(1, test_size=share, random_state=seed)
    with numbers_refused(source.path):
        model = new_model(source, labels, how)
        evaluation = by.evaluate(model, X, labels, cv=split, **judging)
    return replace(evaluation, how=f"{share:.0%} of {source.path}, learned from the rest")


def rows_for(model: Any, source: Source) -> dict[str, Any]:
    """Rows or texts with their classes, as the arguments that `evaluate` has for them."""
    text = source.text if isinstance(source, Texts) else None
    return {"X": source.path, "y": source.target, "text": text}


def new_model(source: Source, labels: Array, how: Options) -> Any:
    """A model for the rows or texts of a source that has learned nothing."""
    if isinstance(source, Texts):
        return learned_text_model(lambda model: model, how)
    told, classes = prior_given(how["prior"]), np.unique(labels)
    if how["model"] not in NUMBER_MODELS:
        return new_table_model(how).set_params(prior=prior_of_classes(told, classes))
    given = {} if told == "learned" else {"priors": prior_in_order(told, classes)}
    return getattr(by, NUMBER_MODELS[how["model"]])(**arguments_of_numbers(how), **given)


@contextmanager
def folds_refused(unit: str) -> Iterator[None]:
    """Within this, too many folds are refused in the words of the command line."""
    try:
        yield
    except TooManyFoldsError as error:
        raise ValueError(
            f"--cv must be at most {error.most}, as many {unit}s as the largest class has, got "
            f"{error.n_folds}. Use --leave-one-out where there are few."
        ) from None


def rows_in_memory(source: Source, how: Options) -> tuple[Any, Array]:
    """The rows or texts of a source, and their classes."""
    with working(f"reading {source.path}", unit=source.unit):
        return source.in_memory(how)
