"""A hypothesis that is fixed before the data, as a classifier."""

from collections.abc import Callable, Iterable
from typing import Any, Self

import numpy as np

from bayesic.contract.estimator import Estimator
from bayesic.data.labels import declared_classes, encode_known_labels
from bayesic.data.typing import ArrayLike, Label, LabelsLike, TableLike
from bayesic.evaluation.scores import accuracy_of_answers
from bayesic.hypotheses.bayes_rule import check_weight
from bayesic.kernels import Array


class RuleClassifier(Estimator):
    """A function from rows to classes. It learns nothing: `fit` leaves it as it is.

        P(c | x) = 1 - noise where function(x) is c, else noise / (K - 1)

    function : X -> the class of each row
    classes  : all classes that there are, K of them
    noise    : the probability that the class differs from what the function says, below 1

    >>> sunny = RuleClassifier(lambda rows: [row[0] == "Sunny" for row in rows], [True, False])
    >>> sunny.predict([("Sunny", "Warm"), ("Rainy", "Warm")])
    array([ True, False])
    >>> sunny.set_params(noise=0.25).predict_proba([("Sunny", "Warm")])
    array([[0.25, 0.75]])
    """

    estimator_type = "classifier"

    def __init__(
        self, function: Callable[[Any], Label], classes: Iterable[Label], noise: float = 0.0
    ) -> None:
        self.function = function
        self.classes = classes
        self.noise = noise

    def fit(self, X: TableLike, y: LabelsLike | None = None) -> Self:
        """Nothing is learned."""
        return self

    def predict(self, X: TableLike) -> Array:
        """What the function says about each row."""
        return self.classes_[encode_known_labels(self.function(X), self.classes_)]

    def predict_proba(self, X: TableLike) -> Array:
        """Probability of each class, in the order of classes_: (n_rows, n_classes)."""
        check_weight(self.noise, "noise")
        n_classes = len(self.classes_)
        if self.noise >= 1 or (self.noise > 0 and n_classes == 1):
            raise ValueError(
                f"noise must be below 1, and 0 if there is but one class, got {self.noise!r} with "
                f"{n_classes} class(es)."
            )
        codes = encode_known_labels(self.function(X), self.classes_)
        others = float(self.noise) / max(n_classes - 1, 1)
        probability = np.full((len(codes), n_classes), others)
        probability[np.arange(len(codes)), codes] = 1.0 - self.noise
        return probability

    def score(self, X: TableLike, y: LabelsLike, sample_weight: ArrayLike | None = None) -> float:
        """Share of the rows of which the function says y."""
        return accuracy_of_answers(y, self.predict(X), sample_weight)

    @property
    def classes_(self) -> Array:
        """The classes: the order of the columns of predict_proba."""
        return declared_classes(self.classes)

    def __sklearn_is_fitted__(self) -> bool:
        return True
