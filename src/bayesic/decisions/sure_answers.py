"""Class probabilities: checked, as answers that are sure enough, and as an order of rows."""

from collections.abc import Hashable, Mapping
from numbers import Integral
from typing import NamedTuple

import numpy as np

from bayesic.data.arguments import as_numbers
from bayesic.data.snapshots import held_still
from bayesic.data.typing import Classifier, Label, TableLike
from bayesic.decisions.names import as_names
from bayesic.html import MOST_ROWS, html_table, left_out
from bayesic.kernels import Array


class Ranking(NamedTuple):
    """Rows by the probability of a class, highest first."""

    # rows have an index here; the method of that name of plain tuples is not missed
    index: Array  # type: ignore[assignment]  # (n,)  numbers of the rows
    probability: Array  # (n,)  P(target | row) of each of them

    def _repr_html_(self) -> str:
        pairs = zip(self.index[:MOST_ROWS].tolist(), self.probability[:MOST_ROWS], strict=True)
        rows = [(place, row, f"{share:.4g}") for place, (row, share) in enumerate(pairs, start=1)]
        notes = left_out(len(self.index), "rows")
        return html_table(("place", "row", "probability"), rows, align="rrr", notes=notes)


def checked_posterior(posterior: object) -> Array:
    """Probabilities of the classes as float64, (n_rows, n_classes); every row sums to 1.

    >>> checked_posterior([[0.75, 0.25]])
    array([[0.75, 0.25]])
    """
    probability = as_numbers(posterior, "posterior")
    if probability.ndim != 2 or 0 in probability.shape:
        raise ValueError(
            "posterior must have a row for each case and a column for each class, got shape "
            f"{probability.shape}. For a single case write [[0.7, 0.3]]."
        )
    if not (probability >= 0).all() or not np.allclose(probability.sum(axis=1), 1.0):
        raise ValueError(
            "Every row of posterior must hold probabilities that sum to 1. "
            "Take them from predict_proba, or divide each row by its sum."
        )
    return probability


def refuse_without_probabilities(model: object) -> None:
    """Refuse a model that has no predict_proba."""
    if not hasattr(model, "predict_proba"):
        raise TypeError(
            f"The model must have predict_proba, got {type(model).__name__}. Wrap a classifier "
            "without it in sklearn's CalibratedClassifierCV."
        )


def most_probable_above(
    posterior: Array, classes: Array, thresholds: Mapping[object, float]
) -> Array:
    """The most probable class of each row, of those that reach their threshold.

    A class with a threshold t is answered only where P(class | x) >= t; a class without one always
    can be. So with spam: 0.99 a mail is spam if that is at least 0.99 probable, and otherwise the
    most probable of the others. By costs: t = 0.99 is right where to lose a mail costs 99 times as
    much as to see a spam.

    >>> posterior = np.array([[0.005, 0.995], [0.05, 0.95]])
    >>> most_probable_above(posterior, np.array(["ham", "spam"]), {"spam": 0.99})
    array(['spam', 'ham'], dtype='<U4')
    """
    checked = checked_thresholds(thresholds, classes)
    least = np.array([checked.get(label, 0.0) for label in classes.tolist()])
    return classes[np.where(posterior >= least, posterior, -1.0).argmax(axis=1)]


def checked_thresholds(thresholds: Mapping[object, float], classes: Array) -> dict[object, float]:
    """The thresholds, if they are probabilities of classes, and leave a class to be answered.

    >>> checked_thresholds({"spam": 0.99}, np.array(["ham", "spam"]))
    {'spam': 0.99}
    """
    known = classes.tolist()
    for label, least in thresholds.items():
        if label not in known:
            raise ValueError(
                f"A threshold must be of one of the classes {', '.join(map(str, known))}, got "
                f"{label!r}."
            )
        if not 0 <= least <= 1:
            raise ValueError(f"The threshold of {label!r} must be from 0 to 1, got {least}.")
    if len(thresholds) == len(known):
        raise ValueError(
            "At least one class must have no threshold: it is answered where no other class is "
            "probable enough."
        )
    return dict(thresholds)


def rank(model: Classifier, X: TableLike, target: Label, n: int | None = None) -> Ranking:
    """The rows of X from the highest P(target | x) to the lowest, or the first n of them.

    Rows of equal probability keep their order. The first tenth then holds more of the target class
    than the rest: this is how NewsWeeder sorts articles, [Mitchell] section 6.10.

    model : any fitted classifier with predict_proba
    target : the class to look for
    n : how many rows to return; all of them if left out or if there are fewer

    >>> from bayesic import BernoulliNB
    >>> articles = [[1, 0], [1, 1], [0, 1], [0, 0]]  # does it mention rain? does it mention goals?
    >>> reader = BernoulliNB().fit(articles, ["dull", "liked", "liked", "dull"])
    >>> rank(reader, articles, "liked", n=2).index
    array([1, 2])
    """
    refuse_without_probabilities(model)
    model = held_still(model)
    if n is not None and (not isinstance(n, Integral) or n < 1):
        raise ValueError(f"n must be a whole number of 1 or more, got {n!r}. Leave it out for all.")
    probability = checked_posterior(model.predict_proba(X))
    classes = list(as_names(model.classes_, "classes"))
    if not isinstance(target, Hashable) or target not in classes:
        raise ValueError(f"target must be one of the classes {classes}, got {target!r:.80}.")
    of_target = probability[:, classes.index(target)]
    index = np.argsort(-of_target, stable=True)[:n]
    return Ranking(index, of_target[index])
