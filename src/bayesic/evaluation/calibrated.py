"""Any classifier with probabilities that can be believed, learned without setting rows aside."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Self

import numpy as np

from bayesic.contract.constructor import clone
from bayesic.contract.offered import Offering, offered_where
from bayesic.data.arguments import check_is_fitted, is_number
from bayesic.data.calls import constructor
from bayesic.data.labels import encode_known_labels, encode_labels
from bayesic.data.languages import Sentence
from bayesic.data.snapshots import answering, held_still, is_ours, learning
from bayesic.data.targets import split_target, without_target
from bayesic.data.typing import ArrayLike, Classifier, FilePath, Label, LabelsLike, TableLike
from bayesic.decisions.on_top import OnTop
from bayesic.decisions.sure_answers import refuse_without_probabilities
from bayesic.estimation.calibration import Calibration, calibration_of, uncalibrated
from bayesic.evaluation.held_out import (
    answers_without_each,
    cross_validated,
    labelled_rows,
    weights_to_fit,
)
from bayesic.evaluation.judged import Answers
from bayesic.evaluation.scores import accuracy_of_answers
from bayesic.evidence.explanation import Explanation
from bayesic.evidence.several import Reasons
from bayesic.evidence.summary import Summary
from bayesic.kernels import Array
from bayesic.models.classifier import ClassifierAnswers
from bayesic.models.neighbours.instance_based import AsksNeighbours

N_FOLDS = 5


def _if_model_has(name: str) -> Offering:
    return offered_where(lambda self: hasattr(self._inside, name))


def _explains_log_odds(self: "Calibrated") -> bool:
    model = self._inside
    return isinstance(model, ClassifierAnswers) and not isinstance(model, AsksNeighbours)


class Calibrated(OnTop):
    """A model with calibrated probabilities: see `calibrated`.

        P'(c | x)  ~  exp(log P(c | x) / T + b_c)

    `fit` learns a copy of the model from all rows, and the temperature T from its predictions of
    each row as if it had not learned that row: `leave_one_out`, where the model has it, otherwise
    the answers of copies learned from 5 folds. T minimises the log loss of these answers ([Guo]);
    it is above 1 where the model is overconfident, as naive Bayes is with columns that say the
    same. If each class has 10 rows or more, it gets a bias b_c as well, otherwise 0. Both are
    pulled towards no change by one row's worth.

    `partial_fit`, `forget` and `merge` are those of the model, with exact counts; T and b stay as
    they are until the next `fit`. Before any `fit` they are 1 and 0.

    Parameters
    ----------
    model : any classifier with predict_proba, of this library or of scikit-learn

    Attributes
    ----------
    model_ : the model that has learned all rows
    temperature_ : T; inf if the model's predictions are useless
    bias_ : b, of each class in the order of classes_

    Examples
    --------
    The same column twice makes naive Bayes overconfident. Calibration corrects it.

    >>> import bayesic as by
    >>> sky = ["sun", "sun", "sun", "rain", "sun", "rain", "rain", "rain"] * 50
    >>> play = ["yes", "yes", "yes", "yes", "no", "no", "no", "no"] * 50
    >>> by.NaiveBayes().fit({"sky": sky}, play).predict_proba({"sky": ["sun"]}).round(3)
    array([[0.252, 0.748]])
    >>> table, sunny = {"sky": sky, "weather": sky}, {"sky": ["sun"], "weather": ["sun"]}
    >>> by.NaiveBayes().fit(table, play).predict_proba(sunny).round(3)
    array([[0.102, 0.898]])
    >>> model = by.calibrated(by.NaiveBayes()).fit(table, play)
    >>> model.predict_proba(sunny).round(3), round(model.temperature_, 2)
    (array([[0.253, 0.747]]), 2.01)
    """

    @constructor
    def __init__(self, model: Classifier) -> None:
        self.model = model

    # learning -------------------------------------------------------------------------------

    @learning
    def fit(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn a copy of the model from rows X with classes y, and its temperature.

        y may be the name of a column of X.
        """
        refuse_without_probabilities(self.model)
        learned = clone(self.model)
        if not is_ours(learned):  # ours do this themselves, of files as well
            X, y = split_target(self, X, y, first=True)
        learned.fit(X, y, **weights_to_fit(learned, sample_weight))
        judged = self._answers_unseen(learned, X, y, sample_weight)
        weights = None if sample_weight is None else np.asarray(sample_weight)[judged.rows]
        return self._keep(learned, calibration_of(judged.posterior, judged.codes, weights))

    def _answers_unseen(
        self, learned: Classifier, X: object, y: object, sample_weight: ArrayLike | None
    ) -> Answers:
        """What the model says of each row, as if it had not learned that row."""
        if hasattr(learned, "leave_one_out"):
            # a row of weight 2 is two rows: the other one stays
            once = None if sample_weight is None else np.minimum(sample_weight, 1)
            return answers_without_each(learned, X, y, None, once)
        X, labels = labelled_rows(learned, X, y, None)
        _, codes = encode_labels(labels)
        n_folds = min(N_FOLDS, int(np.bincount(codes).max()))
        return cross_validated(self.model, X, labels, n_folds, sample_weight=sample_weight)[0]

    @_if_model_has("partial_fit")
    @learning
    def partial_fit(self, X: TableLike, y: LabelsLike | None = None, **more: object) -> Self:
        """Let the model learn more rows; the temperature stays as it is.

        more : further arguments of the model's `partial_fit`: classes, sample_weight
        """
        if not hasattr(self, "model_"):
            refuse_without_probabilities(self.model)
            learned = clone(self.model).partial_fit(X, y, **more)
            return self._keep(learned, uncalibrated(len(learned.classes_)))
        return self._go_on(held_still(self.model_).partial_fit(X, y, **more))

    @_if_model_has("forget")
    @learning
    def forget(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Take rows back out of the model; the temperature stays as it is."""
        check_is_fitted(self)
        return self._go_on(held_still(self.model_).forget(X, y, sample_weight=sample_weight))

    @_if_model_has("merge")
    @learning
    def merge(self, other: "Calibrated") -> Self:
        """Add all that the model of another has learned; the temperature stays as it is."""
        check_is_fitted(self)
        if not isinstance(other, Calibrated):
            raise TypeError(
                "Only calibrated models can be merged into a calibrated one, got a "
                f"{type(other).__name__}. Merge it into model_, or calibrate it as well."
            )
        check_is_fitted(other)
        return self._go_on(held_still(self.model_).merge(other.model_))

    def _go_on(self, learned: Classifier) -> Self:
        """Keep the model with what it has learned since; new classes have no bias."""
        indices = encode_known_labels(self.classes_, learned.classes_)
        calibration = self._calibration.with_classes_at(indices, len(learned.classes_))
        return self._keep(learned, calibration)

    def _keep(self, learned: Any, calibration: Calibration) -> Self:
        self.model_, self._calibration = learned, calibration
        return self

    # answers --------------------------------------------------------------------------------

    @property
    def _learned(self) -> Any:
        return self.model_  # after `fit`

    @answering
    def predict(self, X: TableLike) -> Array:
        """The most probable class of each row."""
        check_is_fitted(self)
        return self.classes_[self.predict_log_proba(X).argmax(axis=1)]

    @answering
    def predict_proba(self, X: TableLike) -> Array:
        """Probability of each class, in the order of classes_: (n_samples, n_classes)."""
        return np.exp(self.predict_log_proba(X))

    @answering
    def predict_log_proba(self, X: TableLike) -> Array:
        """Log of predict_proba."""
        check_is_fitted(self)
        X = without_target(self, X)
        if hasattr(self.model_, "predict_log_proba"):
            with np.errstate(divide="ignore"):
                logs = np.asarray(self.model_.predict_log_proba(X), dtype=np.float64)
        else:
            logs = _logs(self.model_.predict_proba(X))
        return self._calibration.log_proba(logs)

    @answering
    def score(
        self, X: TableLike, y: LabelsLike | None = None, *, sample_weight: ArrayLike | None = None
    ) -> float:
        """Share of the rows whose most probable class is y; y may be the name of a column of X."""
        X, y = split_target(self, X, y)
        return accuracy_of_answers(y, self.predict(X), sample_weight)

    @_if_model_has("leave_one_out")
    @answering
    def leave_one_out(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
    ) -> Array:
        """The answer for each learned row, as if the model had not learned it; T and b are kept."""
        check_is_fitted(self)
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        return np.exp(
            self._calibration.log_proba(_logs(self.model_.leave_one_out(X, y, **weights)))
        )

    @offered_where(_explains_log_odds)
    @answering
    def explain(
        self,
        X: TableLike,
        against: Label | None = None,
        feature_names: Iterable[str] | None = None,
        answer: Label | None = None,
        top: int | None = None,
    ) -> Explanation | Reasons[Explanation]:
        """Why a row gets its answer, as the `explain` of the model, in log odds divided by T.

        They add up to the calibrated log odds: the bias is part of the line of the prior.
        """
        check_is_fitted(self)
        how = against, feature_names, answer, top
        return self.model_._explained(X, *how, calibration=self._calibration)

    @_if_model_has("summary")
    @answering
    def summary(self, X: TableLike | None = None, y: LabelsLike | None = None) -> Summary:
        """What the model has learned, and the temperature: see the model's own `summary`."""
        check_is_fitted(self)
        of_model = self.model_.summary(X, y)
        dividing = "Log odds are divided by a temperature of {temperature}."
        note = Sentence(dividing, temperature=f"{self.temperature_:.4g}")
        return replace(of_model, model=repr(self), notes=(*of_model.notes, note))

    # files ----------------------------------------------------------------------------------

    def save(self, path: FilePath) -> None:
        """Write model and temperature to a file, which `bayesic.load(path)` reads.

        For models of this library.
        """
        self._save(path)

    @answering
    def _save(self, path: FilePath, decision: dict[str, object] | None = None) -> None:
        check_is_fitted(self)
        if not hasattr(self.model_, "_save") or isinstance(self.model_, Calibrated):
            raise TypeError(
                f"A model file holds models of bayesic, got a {type(self.model_).__name__}. "
                "Use pickle for others."
            )
        kept = {
            "temperature": self.temperature_,
            "bias": self.bias_,
            "least_log": self._calibration.least_log,
        }
        self.model_._save(path, decision, kept)

    @classmethod
    def _restored(cls, model: Classifier, state: object) -> Self:
        """For `load`: the model, and what _save has kept beside it, if that can be."""
        if not isinstance(state, dict) or set(state) != {"temperature", "bias", "least_log"}:
            raise ValueError("A calibration must have temperature, bias and least_log.")
        temperature, bias, least_log = state["temperature"], state["bias"], state["least_log"]
        if not hasattr(model, "predict_proba"):
            raise ValueError(f"A {type(model).__name__} has no probabilities to calibrate.")
        if not (is_number(temperature) and temperature > 0):
            raise ValueError(f"A temperature must be above 0, got {temperature!r:.80}.")
        if not (is_number(least_log) and least_log <= 0):
            raise ValueError(f"A log probability must be 0 or less, got {least_log!r:.80}.")
        shape = model.classes_.shape
        if not (isinstance(bias, np.ndarray) and bias.dtype == np.float64 and bias.shape == shape):
            raise ValueError(f"The bias must be an array of float64 in the shape {shape}.")
        if not np.isfinite(bias).all():
            raise ValueError("The bias must be finite.")
        calibration = Calibration(float(temperature), bias, float(least_log))
        return cls(clone(model))._keep(model, calibration)

    # what the model knows -------------------------------------------------------------------

    @property
    def temperature_(self) -> float:
        """What log odds are divided by."""
        check_is_fitted(self)
        return self._calibration.temperature

    @property
    def bias_(self) -> Array:
        """What is added to the log odds of each class."""
        check_is_fitted(self)
        return self._calibration.bias

    @property
    def _inside(self) -> object:
        return getattr(self, "model_", self.model)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")


def calibrated(model: Classifier) -> Calibrated:
    """The model with calibrated probabilities, to be fitted in its place: see Calibrated.

    No rows are set aside: the model is calibrated on its predictions of each row as if it had not
    learned that row.

    >>> from bayesic import GaussianNB
    >>> calibrated(GaussianNB())
    Calibrated(model=GaussianNB())
    """
    return Calibrated(model)


def _logs(probability: ArrayLike) -> Array:
    with np.errstate(divide="ignore"):
        return np.log(np.asarray(probability, dtype=np.float64))
