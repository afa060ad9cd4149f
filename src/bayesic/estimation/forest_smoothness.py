"""How smooth a forest should be: judged by rows, each by the trees that were not grown from it."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from bayesic.estimation.forest import never_drawn
from bayesic.estimation.pool import log_softmax
from bayesic.estimation.prior import log_prior_without
from bayesic.kernels import Array
from bayesic.statistics.forest import Forest, ForestCounts

STRENGTHS = np.array([0.05, 0.2, 0.5, 1.0, 2.5, 6.0])
MOST_ASKED = 1000  # rows from which the strength and the temperature are chosen
MOST_STEPS = 50  # to the best temperature


class LeftOut(NamedTuple):
    """Learned rows, and in which trees each of them is asked."""

    codes: Array  # uint8 (n_rows, n_columns)
    classes: Array
    weights: Array
    is_asked: Array  # bool (n_rows, n_trees)


def left_out(forest: Forest, codes: Array, keys: Array, classes: Array, weights: Array) -> LeftOut:
    """Rows with the trees that were not grown from them; with all trees if there is none."""
    unseen = never_drawn(keys, forest)
    unseen[~unseen.any(axis=1)] = True
    return LeftOut(codes, classes.astype(np.int64), weights, unseen)


def answers_left_out(counts: ForestCounts, rows: LeftOut, strengths: Array) -> Array:
    """P(c) of rows by the trees that have not seen them, less their own counts.

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
    """What rows get from trees that have not seen them, under each strength.

        P(c | x)  ~  P(c) (p(c | x) / P(c))^T,  p the mean over trees

    The mean of many trees is less sure than it should be, so that T is mostly above 1.
    """

    strengths: Array  # (n_strengths,)
    log_prior: Array  # (n_strengths, n_rows, n_classes)
    steps: Array  # log p(c | x) - log P(c), the same
    classes: Array
    weights: Array

    def best(self, some: Any = slice(None)) -> tuple[int, float]:
        """The number of the strength, and T, under which some of the rows are most probable."""
        found = []
        for number in range(len(self.strengths)):
            log_prior, steps = self.log_prior[number, some], self.steps[number, some]
            temperature, loss = best_temperature(
                log_prior, steps, self.classes[some], self.weights[some]
            )
            found.append((loss, number, temperature))
        return min(found)[1:]

    def log_proba(self, some: Any, number: int, temperature: float) -> Array:
        """log P(c | x) of some of the rows under this strength."""
        return log_softmax(self.log_prior[number, some] + temperature * self.steps[number, some])


def unseen_rows(counts: ForestCounts, rows: LeftOut, strengths: Array) -> UnseenRows:
    """Ask the trees that have not seen the rows."""
    facts, n_classes = (counts.class_count, rows.classes, rows.weights), len(counts.class_count)
    priors = [log_prior_without(*facts, smoothing=s / n_classes).T for s in strengths.tolist()]
    log_prior = np.stack(priors)
    steps = np.log(answers_left_out(counts, rows, strengths)) - log_prior
    return UnseenRows(strengths, log_prior, steps, rows.classes, rows.weights)


def best_temperature(
    log_prior: Array, steps: Array, classes: Array, weights: Array
) -> tuple[float, float]:
    """T >= 0 under which the classes of rows are most probable, and their -log probability.

        sum over i of s_i log P(c_i | x_i) - (T - 1)^2 / 2,  log P = log_prior + T steps + constant

    It is concave in T: by Newton's steps, no longer than 1.

    >>> even, steps = np.log([[0.5, 0.5]] * 4), np.log([[0.8, 0.2]] * 4)
    >>> best_temperature(even, steps, np.array([0, 0, 0, 0]), np.full(4, 1e6))[0] > 5
    True
    """
    temperature, own = 1.0, (np.arange(len(classes)), classes)
    for _ in range(MOST_STEPS):
        log_probability = log_softmax(log_prior + temperature * steps)
        share = np.exp(log_probability)
        mean = (share * steps).sum(axis=1)
        slope = weights @ (steps[own] - mean) - (temperature - 1.0)
        curvature = weights @ (share * (steps - mean[:, None]) ** 2).sum(axis=1) + 1.0
        after = max(temperature + float(np.clip(slope / curvature, -1.0, 1.0)), 0.0)
        if abs(after - temperature) <= 1e-9:
            break
        temperature = after
    return temperature, float(-weights @ log_probability[own])
