"""The weight of each of some models, by what was learned: what two classifiers stand on."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import reduce
from typing import Any, Self

import numpy as np

from bayesic.contract.constructor import clone
from bayesic.contract.estimator import Estimator
from bayesic.data.arguments import (
    check_is_fitted,
    check_one_of,
    check_whole_number,
    forget_learned,
    is_fitted,
    tell,
)
from bayesic.data.labels import (
    checked_labels,
    encode_labels,
    united_labels,
)
from bayesic.data.snapshots import answering, learning
from bayesic.data.targets import split_target, without_target
from bayesic.data.typing import ArrayLike, Classifier, LabelsLike, TableLike
from bayesic.decisions.sure_answers import refuse_without_probabilities
from bayesic.estimation.prior import checked_prior
from bayesic.evaluation.scores import accuracy_of_answers
from bayesic.hypotheses._model_evidence import check_have_evidence, log_evidences
from bayesic.hypotheses._rule import RuleClassifier
from bayesic.kernels import Array
from bayesic.models.posterior import posterior

WEIGHTS = ("held-out", "evidence")


class ModelPosterior(Estimator, ABC):
    """Models and the weight of each of them, given the rows that were learned.

    `fit` learns a copy of each model, and weighs it by

        held-out   P(h) * product over rows of P(y | x, h without this row)
        evidence   P(h) * P(D | h)

    divided by the sum over all models. The second is the posterior P(h | D). The first is so for
    models that have nothing to learn (rules, frozen models), with D = y given X; for others it is
    their pseudo-evidence in the place of P(D | h). Without `fit`, models that have learned already
    are used with their prior.
    """

    models: Sequence[Classifier]
    prior: Sequence[float] | None
    cv: int
    weights: str
    estimator_type = "classifier"
    _models_inside = ("models", "models_")

    @learning
    def fit(self, X: TableLike, y: LabelsLike | None = None) -> Self:
        """Learn a copy of each model from rows X with classes y, and weigh the models.

        y may be the name of a column of X.
        """
        models, prior = self._checked_models(), self._checked_prior()
        check_whole_number("cv", self.cv, 2)
        check_one_of("weights", self.weights, WEIGHTS)
        if self.weights == "evidence":
            check_have_evidence(models)
        forget_learned(self)
        X, y = split_target(self, X, y, first=True)
        y = checked_labels(y)
        self.models_ = [clone(model).fit(X, y) for model in models]
        if self.weights == "evidence":
            log_data = self.log_evidence_ = log_evidences(self.models_)
        else:
            log_data = _held_out_log_likelihood(models, self.models_, X, y, self.cv)
            self.log_likelihood_ = log_data
        self.posterior_ = _model_weights(log_data, prior)
        self._after_weighing()
        return self

    def _after_weighing(self) -> None:
        """What a classifier does once the models have weights: nothing."""

    @answering
    def predict(self, X: TableLike) -> Array:
        """The most probable class of each row."""
        probability = self.predict_proba(X)
        return self.classes_[probability.argmax(axis=1)]

    @answering
    def score(
        self, X: TableLike, y: LabelsLike | None = None, *, sample_weight: ArrayLike | None = None
    ) -> float:
        """Share of the rows whose most probable class is y; y may be the name of a column of X."""
        X, y = split_target(self, X, y)
        return accuracy_of_answers(y, self.predict(X), sample_weight)

    @abstractmethod
    def predict_proba(self, X: TableLike) -> Array:
        """Probability of each class, in the order of classes_: (n_rows, n_classes)."""

    @abstractmethod
    def predict_log_proba(self, X: TableLike) -> Array:
        """Log of predict_proba."""

    # what the models know -------------------------------------------------------------------

    @property
    def classes_(self) -> Array:
        """All classes that the models know, sorted."""
        check_is_fitted(self)
        labels = [np.asarray(model.classes_) for model in self._learned]
        return encode_labels(reduce(united_labels, labels))[0]

    @property
    def n_features_in_(self) -> int:
        """Number of columns that the models have learned."""
        check_is_fitted(self)
        return self._first.n_features_in_

    @property
    def feature_names_in_(self) -> Array:
        """Names of the columns that the models have learned, if they had names."""
        check_is_fitted(self)
        return self._first.feature_names_in_

    @property
    def _first(self) -> Any:
        return self._learned[0]

    @property
    def _learned(self) -> list[Classifier]:
        return list(getattr(self, "models_", self.models))

    def _weights(self) -> Array:
        check_is_fitted(self)
        if hasattr(self, "posterior_"):
            return self.posterior_
        self._checked_models()
        return self._checked_prior()

    def _probability(self, model: Classifier, X: TableLike) -> Array:
        """What one model answers, with a column for each of all classes."""
        return self._aligned(model.predict_proba(without_target(self, X)), model, 0.0)

    def _log_probability(self, model: Classifier, X: TableLike) -> Array:
        return self._aligned(log_probability(model, without_target(self, X)), model, -np.inf)

    def _aligned(self, answers: Array, model: Classifier, unknown: float) -> Array:
        """The columns of a model's answer in the order of all classes."""
        column_of = {label: column for column, label in enumerate(self.classes_.tolist())}
        columns = [column_of[label] for label in np.asarray(model.classes_).tolist()]
        aligned = np.full((len(answers), len(column_of)), unknown)
        aligned[:, columns] = answers
        return aligned

    # checks ---------------------------------------------------------------------------------

    def _checked_models(self) -> list[Classifier]:
        if not isinstance(self.models, (list, tuple)) or not self.models:
            raise TypeError(
                "models must be a list of at least one classifier with predict_proba, got "
                f"{self.models!r:.80}."
            )
        for model in self.models:
            refuse_without_probabilities(model)
        return list(self.models)

    def _checked_prior(self) -> Array:
        n_models = len(self.models)
        if self.prior is None:
            return np.full(n_models, 1.0 / n_models)
        if len(self.prior) != n_models:
            raise ValueError(
                f"prior must have one probability for each of the {n_models} models, got "
                f"{len(self.prior)}. Leave it out if all are equally probable."
            )
        return checked_prior(list(map(float, self.prior)), n_models)

    def __sklearn_is_fitted__(self) -> bool:
        try:
            return all(map(is_fitted, self._learned))
        except TypeError:
            return False


def _model_weights(log_data: Array, prior: Array) -> Array:
    """The weight of each model: P(h) times what the data are under h, by its log, made to sum to 1.

    If no model with a prior above 0 allows for the data, it is the prior, with a warning.

    >>> _model_weights(np.log([1e-300, 3e-300]), np.array([0.5, 0.5])).round(4)
    array([0.25, 0.75])
    """
    with np.errstate(divide="ignore"):
        log_joint = log_data + np.log(prior)
    if np.isneginf(log_joint).all():
        tell(
            "Some row was impossible under every model: the weights of the models are their "
            "prior. Use models with smoothing, or rules with noise."
        )
        return prior
    return posterior(log_joint[:, None])[:, 0]


# rows that were not learned -------------------------------------------------------------------


def _held_out_log_likelihood(
    models: Sequence[Classifier],
    learned: Sequence[Classifier],
    X: TableLike,
    labels: Array,
    cv: int,
) -> Array:
    """For each model, sum over rows of log P(y | x, the model without this row).

    Without the row means: as it is, for rules and frozen models; by leave-one-out where the model
    has it; else by cv parts, each of which is predicted by a copy that has learned the others.
    A class with one row cannot be learned without it: if any model learns, that row is left out.

    models  : rules, frozen, or not yet learned; learned : the same after learning all rows

    >>> from bayesic.models.arrays.bernoulli import BernoulliNB
    >>> X, y = np.array([[0], [0], [1], [1]]), np.array(["rain", "rain", "sun", "sun"])
    >>> each = _held_out_log_likelihood([BernoulliNB()], [BernoulliNB().fit(X, y)], X, y, cv=2)
    >>> np.isclose(each, 4 * np.log(4 / 7))  # without itself, each row has 4/7
    array([ True])
    """
    _, codes, counts = np.unique(labels, return_inverse=True, return_counts=True)
    is_scored = np.full(len(labels), all(map(_is_fixed, models))) | (counts[codes] > 1)
    parts = np.full(len(labels), -1)  # rows of no part are learned by every copy
    parts[is_scored] = _parts(codes[is_scored], cv)
    logs = [
        _foretold(model, fitted, X, labels, parts)
        for model, fitted in zip(models, learned, strict=True)
    ]
    return np.array([each[is_scored].sum() for each in logs])


def log_probability(model: Classifier, X: TableLike) -> Array:
    """What the model has as predict_log_proba, or the logarithm of predict_proba."""
    with np.errstate(divide="ignore"):  # 0 is a probability
        if hasattr(model, "predict_log_proba"):
            return model.predict_log_proba(X)
        return np.log(model.predict_proba(X))


def _own_class(logs: Array, classes: ArrayLike, labels: Array) -> Array:
    """The log probability of each row's own class, -inf for a class that the model does not know.

    >>> _own_class(np.log([[0.75, 0.25]]), ["ham", "spam"], np.array(["news"]))
    array([-inf])
    """
    column_of = {label: column for column, label in enumerate(np.asarray(classes).tolist())}
    columns = np.array([column_of.get(label, -1) for label in labels.tolist()], dtype=np.intp)
    own = logs[np.arange(len(labels)), columns]
    return np.where(columns >= 0, own, -np.inf)


def _foretold(
    model: Classifier, learned: Classifier, X: TableLike, labels: Array, parts: Array
) -> Array:
    """log P(y | x, the model without this row) of each row; -inf for rows of no part."""
    if _is_fixed(model):
        return _own_class(log_probability(learned, X), learned.classes_, labels)
    if hasattr(learned, "leave_one_out"):
        with np.errstate(divide="ignore"):
            logs = np.log(learned.leave_one_out(X, labels))
        return _own_class(logs, learned.classes_, labels)
    from sklearn.utils import _safe_indexing, indexable  # takes long to load

    (X,) = indexable(X)  # sparse matrices of some formats have no rows to take
    foretold = np.full(len(labels), -np.inf)
    for part in np.unique(parts[parts >= 0]):
        here, others = np.flatnonzero(parts == part), np.flatnonzero(parts != part)
        copy = clone(model).fit(_safe_indexing(X, others), labels[others])
        answers = log_probability(copy, _safe_indexing(X, here))
        foretold[here] = _own_class(answers, copy.classes_, labels[here])
    return foretold


def _is_fixed(model: Classifier) -> bool:
    """Whether the model is the same whatever it is given to learn."""
    from sklearn.frozen import FrozenEstimator  # takes long to load

    return isinstance(model, (FrozenEstimator, RuleClassifier))


def _parts(codes: Array, cv: int) -> Array:
    """The part of each row: the rows of each class are dealt out in turns."""
    parts = np.empty(len(codes), dtype=np.intp)
    parts[np.argsort(codes, kind="stable")] = np.arange(len(codes)) % min(cv, len(codes) + 1)
    return parts
