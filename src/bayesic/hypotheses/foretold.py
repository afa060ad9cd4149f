"""How well models foretell the classes of rows that they have not learned."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.utils import _safe_indexing, indexable

from bayesic.hypotheses.rule import RuleClassifier
from bayesic.kernels import Array


def held_out_log_likelihood(
    models: Sequence[Any], learned: Sequence[Any], X: Any, labels: Array, cv: int
) -> Array:
    """For each model, sum over rows of log P(y | x, the model without this row).

    Without the row means: as it is, for rules and frozen models; by leave-one-out where the model
    has it; else by cv parts, each of which is foretold by a copy that has learned the others.
    A class with one row cannot be learned without it: if any model learns, that row is left out.

    models  : rules, frozen, or not yet learned; learned : the same after learning all rows

    >>> from bayesic.models.bernoulli import BernoulliNB
    >>> X, y = np.array([[0], [0], [1], [1]]), np.array(["rain", "rain", "sun", "sun"])
    >>> each = held_out_log_likelihood([BernoulliNB()], [BernoulliNB().fit(X, y)], X, y, cv=2)
    >>> np.isclose(each, 4 * np.log(4 / 7))  # without itself, each row has 4/7
    array([ True])
    """
    _, codes, counts = np.unique(labels, return_inverse=True, return_counts=True)
    told = np.full(len(labels), all(map(_is_fixed, models))) | (counts[codes] > 1)
    parts = np.full(len(labels), -1)  # rows of no part are learned by every copy
    parts[told] = _parts(codes[told], cv)
    logs = [
        _foretold(model, fitted, X, labels, parts)
        for model, fitted in zip(models, learned, strict=True)
    ]
    return np.array([each[told].sum() for each in logs])


def log_probability(model: Any, X: Any) -> Array:
    """What the model has as predict_log_proba, or the logarithm of predict_proba."""
    with np.errstate(divide="ignore"):  # 0 is a probability
        if hasattr(model, "predict_log_proba"):
            return model.predict_log_proba(X)
        return np.log(model.predict_proba(X))


def own_class(logs: Array, classes: Any, labels: Array) -> Array:
    """The log probability of each row's own class, -inf for a class that the model does not know.

    >>> own_class(np.log([[0.75, 0.25]]), ["ham", "spam"], np.array(["news"]))
    array([-inf])
    """
    place = {label: column for column, label in enumerate(np.asarray(classes).tolist())}
    columns = np.array([place.get(label, -1) for label in labels.tolist()], dtype=np.intp)
    own = logs[np.arange(len(labels)), columns]
    return np.where(columns >= 0, own, -np.inf)


def _foretold(model: Any, learned: Any, X: Any, labels: Array, parts: Array) -> Array:
    """log P(y | x, the model without this row) of each row; -inf for rows of no part."""
    if _is_fixed(model):
        return own_class(log_probability(learned, X), learned.classes_, labels)
    if hasattr(learned, "leave_one_out"):
        with np.errstate(divide="ignore"):
            logs = np.log(learned.leave_one_out(X, labels))
        return own_class(logs, learned.classes_, labels)
    (X,) = indexable(X)  # sparse matrices of some formats have no rows to take
    foretold = np.full(len(labels), -np.inf)
    for part in np.unique(parts[parts >= 0]):
        here, others = np.flatnonzero(parts == part), np.flatnonzero(parts != part)
        copy = clone(model).fit(_safe_indexing(X, others), labels[others])
        answers = log_probability(copy, _safe_indexing(X, here))
        foretold[here] = own_class(answers, copy.classes_, labels[here])
    return foretold


def _is_fixed(model: Any) -> bool:
    """Whether the model is the same whatever it is given to learn."""
    return isinstance(model, (FrozenEstimator, RuleClassifier))


def _parts(codes: Array, cv: int) -> Array:
    """The part of each row: the rows of each class are dealt out in turns."""
    parts = np.empty(len(codes), dtype=np.intp)
    parts[np.argsort(codes, kind="stable")] = np.arange(len(codes)) % min(cv, len(codes) + 1)
    return parts
