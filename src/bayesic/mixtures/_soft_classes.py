"""EM with soft classes: rows that have no label belong to every class with a share."""

from copy import copy
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from bayesic.data.counted_texts import CountedTexts
from bayesic.data.labels import UNLABELLED
from bayesic.kernels import Array
from bayesic.kernels.leaving import own_class
from bayesic.kernels.without_row import times_log
from bayesic.mixtures._smoothing_prior import log_smoothing_prior
from bayesic.mixtures.em import Climb, climb
from bayesic.models.classifier import CountingClassifier
from bayesic.models.posterior import answer_prior_where_impossible, posterior
from bayesic.models.readers.reader import CodedRows
from bayesic.statistics.additive import ClassStatistic
from bayesic.statistics.text_counts import soft_text_counts

# Weight of the unlabelled rows at the start: their words and levels count as seen, nothing more.
SEEN_WEIGHT = 2.0**-200


@dataclass(frozen=True, eq=False)
class SomeLabelled:
    """Coded rows, of which some have a class.

    codes   : (n_rows,), the class of each row, -1 without a label
    weights : (n_rows,)
    """

    X: Any
    codes: Array
    weights: Array

    @property
    def labelled(self) -> Array:
        """Whether each row has a class."""
        return self.codes != UNLABELLED

    def labelled_rows(self, classes: Array) -> CodedRows:
        """The rows with a class; the others are kept with a weight of 0."""
        weights = np.where(self.labelled, self.weights, 0.0)
        return CodedRows(self.X, classes, np.maximum(self.codes, 0), weights)


def learned_from_some_labels(
    model: CountingClassifier, rows: SomeLabelled, max_iter: int, tol: float
) -> Climb[CountingClassifier, Array]:
    """EM from the model of the labelled rows on; the state is the model, hidden is P(c | x).

    model : with classes_ and everything else that is set when rows are checked
    """
    n_classes, labelled = len(model.classes_), rows.labelled

    def maximise(responsibility: Array) -> CountingClassifier:
        shares = rows.weights[:, None] * responsibility
        return copy(model)._keep(soft_statistics(model, rows.X, shares))

    def expect(state: CountingClassifier) -> tuple[Array, float]:
        return expectation(state, rows)

    first = rows.labelled_rows(model.classes_)
    seen = np.where(labelled | (rows.weights == 0), 0.0, SEEN_WEIGHT)
    start = copy(model)._keep(
        model._count(rows.X, first.codes, n_classes, first.weights)
        + soft_statistics(model, rows.X, np.repeat(seen[:, None], n_classes, axis=1))
    )
    return climb(expect(start)[0], expect, maximise, max_iter, tol)


def expectation(model: CountingClassifier, rows: SomeLabelled) -> tuple[Array, float]:
    """P(c | x) of each row, 1 and 0 for labelled rows; and the objective,

        sum over labelled rows of w log p(x, c)  +  sum over the others of w log p(x)  +  log prior

    where the prior of the parameters is the one that smoothing implies ([Nigam]).
    """
    scores = model._answers(rows.X, finish=None)
    possible, _ = answer_prior_where_impossible(scores.T, model._fitted.prior.log[:, None])
    responsibility = np.ascontiguousarray(posterior(possible).T)
    log_density = np.logaddexp.reduce(scores, axis=1)
    labelled, codes = rows.labelled, rows.codes[rows.labelled]
    responsibility[labelled] = np.eye(scores.shape[1])[codes]
    log_density[labelled] = scores[labelled][own_class(codes)]
    objective = times_log(rows.weights, log_density).sum() + log_smoothing_prior(model)
    return responsibility, float(objective)


def answer_without(model: CountingClassifier, row: Any, shares: Array) -> Array:
    """P(c | x) of a row, computed without the row itself.

    shares : (1, n_classes), the shares with which the row was learned, times its weight
    """
    rest = copy(model)._keep(model.statistics_ - soft_statistics(model, row, shares))
    return rest._answers(row, posterior)[0]


def soft_statistics(model: CountingClassifier, X: Any, shares: Array) -> ClassStatistic:
    """The statistics of rows that belong to every class with a share: (n_rows, n_classes)."""
    if isinstance(X, CountedTexts):
        return soft_text_counts(X, shares)
    n_rows, n_classes = shares.shape
    of_classes = (
        model._count(X, np.full(n_rows, code), n_classes, shares[:, code])
        for code in range(n_classes)
    )
    return reduce(add, of_classes)


def one_row(X: Any, row: int) -> Any:
    """One of the coded rows, from a matrix, a table or texts."""
    if hasattr(X, "one"):
        return X.one(row)
    return X.part(slice(row, row + 1)) if hasattr(X, "part") else X[row : row + 1]
