"""Answers for rows whose classes are known: by a model as it is, by leave-one-out, by folds."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from bayesic.data.files import is_file
from bayesic.data.in_memory import read_labels, rows_at
from bayesic.data.labels import encode_known_labels, encode_labels
from bayesic.data.weights import checked_weights
from bayesic.evaluation.answers import Answers, as_answers
from bayesic.evaluation.folds import LEAVE_ONE_OUT, Fold, folds_of
from bayesic.evaluation.rows import are_texts_of_files, labelled_blocks, labelled_rows, target_of
from bayesic.models.counting import CountingModel
from bayesic.progress import bar_of

Array = np.ndarray


def answers_as_learned(
    model: Any, X: Any, y: Any, text: Any = None, sample_weight: Any = None
) -> Answers:
    """What a fitted model says of rows, which it should not have learned."""
    classes = classes_of(model)
    blocks = labelled_blocks(model, X, y, text)
    parts = [(model.predict_proba(rows), labels) for rows, labels in blocks]
    return _joined(parts, classes, sample_weight)


def answers_without_each(
    model: Any, X: Any, y: Any, text: Any = None, sample_weight: Any = None
) -> Answers:
    """What a fitted model says of each row that it has learned, as if it had not learned it."""
    refuse_without_leave_one_out(model)
    classes = classes_of(model)
    weights = {} if sample_weight is None else {"sample_weight": sample_weight}
    if are_texts_of_files(model, X, text):
        blocks = labelled_blocks(model, X, y, text)
        parts = [(model.leave_one_out(texts, labels), labels) for texts, labels in blocks]
    elif isinstance(model, CountingModel) and is_file(X) and isinstance(target_of(model, y), str):
        y = target_of(model, y)
        parts = [(model.leave_one_out(X, y, **weights), read_labels(X, y))]  # block by block
    else:
        X, labels = labelled_rows(model, X, y, text)
        parts = [(model.leave_one_out(X, labels, **weights), labels)]
    return _joined(parts, classes, sample_weight)


def classes_of(model: Any) -> Array:
    """The classes that a model has learned; what has learned none is refused."""
    if not hasattr(model, "classes_"):
        if isinstance(model, BaseEstimator):
            check_is_fitted(model)
        raise TypeError(
            f"The model must be a classifier, which knows its classes, got {type(model).__name__}, "
            "which has no classes_."
        )
    return model.classes_


def refuse_without_leave_one_out(model: Any) -> None:
    """Refuse a model that cannot take single rows back out."""
    if not hasattr(model, "leave_one_out"):
        raise TypeError(
            f"cv={LEAVE_ONE_OUT!r} needs a model that can take single rows back out, got a "
            f"{type(model).__name__}, which would have to learn anew for each. Use cv=5, or "
            "sklearn.model_selection.LeaveOneOut() for as many fits as there are rows."
        )


def cross_validated(
    model: Any,
    X: Any,
    y: Any,
    cv: Any,
    seed: int = 0,
    text: Any = None,
    sample_weight: Any = None,
) -> tuple[Answers, int]:
    """What copies of a model say of rows, each learned from other rows; and how many copies.

    A row that is in several folds is judged as often; rows in none of them are not judged.
    """
    X, labels = labelled_rows(model, X, y, text)
    weights = checked_weights(sample_weight, len(labels))
    classes, _ = encode_labels(labels)
    folds = folds_of(cv, labels, seed)
    posterior = []
    with bar_of("learning folds", len(folds)) as advance:
        for fold in folds:
            learned = learned_from(model, X, labels, weights, fold[0], classes)
            posterior.append(probability_of(learned, rows_at(X, fold[1]), classes))
            advance()
    return _in_order(folds, np.concatenate(posterior), labels, classes, weights), len(folds)


def learned_from(
    model: Any, X: Any, labels: Array, weights: Array | None, rows: Array, classes: Array
) -> Any:
    """A copy of the model that has learned these rows.

    Where the model allows it, classes that none of these rows has are declared, so that they are
    possible.
    """
    given = (rows_at(X, rows), labels[rows])
    if weights is not None and not has_fit_parameter(model, "sample_weight"):
        raise TypeError(
            f"{type(model).__name__}.fit takes no sample_weight. Leave it out, or use a model that "
            "learns with weights."
        )
    more = {} if weights is None else {"sample_weight": weights[rows]}
    if not getattr(model, "declares_classes", True):
        return clone(model).partial_fit(*given, classes=classes, **more)
    return clone(model).fit(*given, **more)


def probability_of(model: Any, X: Any, classes: Array) -> Array:
    """P(class) of these classes; 0 for those that the model has not learned."""
    places = encode_known_labels(classes_of(model), classes)
    answers = np.asarray(model.predict_proba(X))
    posterior = np.zeros((len(answers), len(classes)))
    posterior[:, places] = answers
    return posterior


def _in_order(
    folds: list[Fold], posterior: Array, labels: Array, classes: Array, weights: Array | None
) -> Answers:
    """The answers of all folds in the order of the rows."""
    judged = np.concatenate([rows for _, rows in folds])
    order = np.argsort(judged, stable=True)
    rows = judged[order]
    each = None if weights is None else weights[rows]
    return as_answers(posterior[order], labels[rows], classes, rows, each)


def _joined(parts: list[tuple[Any, Array]], classes: Array, sample_weight: Any) -> Answers:
    posterior = np.concatenate([np.asarray(answers) for answers, _ in parts])
    labels = np.concatenate([labels for _, labels in parts])
    return as_answers(posterior, labels, classes, sample_weight=sample_weight)
