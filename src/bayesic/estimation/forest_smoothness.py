"""The smoothness of a forest, chosen by out-of-bag answers: of trees not grown from a row."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bayesic.estimation.forest import never_drawn
from bayesic.estimation.pool import log_softmax
from bayesic.estimation.prior import log_prior_without
from bayesic.kernels import Array
from bayesic.statistics.forest import Forest, ForestCounts

STRENGTHS = np.array([0.05, 0.2, 0.5, 1.0, 2.5, 6.0])
MOST_ASKED = 1000  # rows from which the strength and the temperature are chosen
MOST_STEPS = 50  # to the best temperature
LAST_STEP = 1e-5  # Newton's method stops after a step this short: the next is far shorter


class OutOfBagRows(NamedTuple):
    """Learned rows, and the trees that answer for each of them."""

    codes: Array  # uint8 (n_rows, n_columns)
    classes: Array
    weights: Array
    is_asked: Array  # bool (n_rows, n_trees)


def left_out(
    forest: Forest, codes: Array, keys: Array, classes: Array, weights: Array
) -> OutOfBagRows:
    """Rows with the trees that were not grown from them; with all trees where every tree was."""
    unseen = never_drawn(keys, forest)
    unseen[~unseen.any(axis=1)] = True
    return OutOfBagRows(codes, classes.astype(np.int64), weights, unseen)


def answers_left_out(counts: ForestCounts, rows: OutOfBagRows, strengths: Array) -> Array:
    """P(c) of rows by the trees that were not grown from them, without their own counts.

    (n_strengths, n_rows, n_classes)
    """
    forest, table = counts.forest, counts.table.astype(np.float64)
    kernels = forest.kernels_for(len(rows.codes))
    stopped = kernels.stops(rows.codes, forest.trees, slice(None))
    return kernels.answers_without(
        stopped, forest.parents, table, rows.classes, rows.weights, rows.is_asked, strengths
    )


@dataclass(frozen=True)
class Smoothness:
    """The strength of the back-off, and the temperature of the mean of the trees."""

    strength: float
    temperature: float


class UnseenRows(NamedTuple):
    """The answers for rows of the trees that were not grown from them, under each strength.

        P(c | x)  ~  P(c) (p(c | x) / P(c))^T,  p the mean over trees

    The mean of many trees is underconfident, so that T is mostly above 1.
    """

    strengths: Array  # (n_strengths,)
    log_prior: Array  # (n_strengths, n_classes, n_rows)
    steps: Array  # log p(c | x) - log P(c), the same
    classes: Array
    weights: Array

    def best(
        self, start: float | Array = 1.0, some: bool | Array = True
    ) -> tuple[Smoothness, Array]:
        """The smoothness under which some of the rows are most probable; the best T by strength.

        start : the T to start from
        """
        weights = self.weights * some
        facts = self.log_prior, self.steps, self.classes, weights
        temperatures, losses = best_temperatures(*facts, start)
        best = int(losses.argmin())
        return Smoothness(self.strengths[best].item(), temperatures[best].item()), temperatures

    def log_proba(self, some: slice | Array, smoothness: Smoothness) -> Array:
        """log P(c | x) of some of the rows, with one of the strengths: (n_rows, n_classes)."""
        index = int(np.flatnonzero(self.strengths == smoothness.strength)[0])
        steps = smoothness.temperature * self.steps[index][:, some]
        return log_softmax((self.log_prior[index][:, some] + steps).T)


def unseen_rows(counts: ForestCounts, rows: OutOfBagRows, strengths: Array) -> UnseenRows:
    """The answers of the trees that were not grown from the rows."""
    facts, n_classes = (counts.class_count, rows.classes, rows.weights), len(counts.class_count)
    priors = [log_prior_without(*facts, smoothing=s / n_classes) for s in strengths.tolist()]
    log_prior = np.stack(priors)
    answers = answers_left_out(counts, rows, strengths).swapaxes(1, 2)
    return UnseenRows(strengths, log_prior, np.log(answers) - log_prior, rows.classes, rows.weights)


def best_temperatures(
    log_prior: Array, steps: Array, classes: Array, weights: Array, start: float | Array = 1.0
) -> tuple[Array, Array]:
    """T >= 0 under which the classes of rows are most probable, and their -log probability.

        sum over i of s_i log P(c_i | x_i) - (T - 1)^2 / 2,  log P = log_prior + T steps + constant

    It is concave in T. Newton's method with steps of at most 1, for all of the first axis at once.

    log_prior, steps : (n, n_classes, n_rows)
    start : the T to start from

    >>> even, steps = np.log([[[0.5] * 4, [0.5] * 4]]), np.log([[[0.8] * 4, [0.2] * 4]])
    >>> best_temperatures(even, steps, np.array([0, 0, 0, 0]), np.full(4, 1e6))[0] > 5
    array([ True])
    """
    temperature = np.zeros(len(steps)) + start
    own = slice(None), classes, np.arange(len(classes))
    own_steps = steps[own]
    for _ in range(MOST_STEPS):
        scores = log_prior + temperature[:, None, None] * steps
        scores -= scores.max(axis=1, keepdims=True)
        share = np.exp(scores)
        total = share.sum(axis=1, keepdims=True)
        share /= total
        mean = (share * steps).sum(axis=1, keepdims=True)
        square = (share * (steps - mean) ** 2).sum(axis=1)
        slope = (weights * (own_steps - mean[:, 0])).sum(axis=1) - (temperature - 1.0)
        curvature = (weights * square).sum(axis=1) + 1.0
        before = temperature
        temperature = np.maximum(before + np.clip(slope / curvature, -1.0, 1.0), 0.0)
        if np.abs(temperature - before).max() <= LAST_STEP:
            break
    return temperature, (weights * (np.log(total[:, 0]) - scores[own])).sum(axis=1)
