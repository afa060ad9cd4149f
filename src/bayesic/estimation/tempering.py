"""Tempered, calibrated probabilities for texts.

Naive Bayes assumes that the words of a text are independent, but they repeat each other: its
answers for long texts are overconfident. So the evidence of n words is taken to grow as the square
root of n,

    P(c | text)  ~  e^b_c  P(c)^v  p(text | c)^(w / sqrt(n))

with the w, v and b_c under which the classes of texts that were left out are most probable: a
log-linear pool of two predictions, by the words and by the prior. It is a convex problem.
"""

from dataclasses import dataclass

import numpy as np

from bayesic.estimation.pool import pool_weights
from bayesic.kernels import Array

PRIOR_TEXTS = 5.0  # the weight, in texts, of the pull towards powers of 1
LEAST_LOG = -1e4  # instead of -inf, for which no power could be learned
LEAST_POWER = 1e-6  # instead of 0, which times -inf is NaN


@dataclass(frozen=True, eq=False)
class Tempering:
    """The powers of the probabilities of words and prior, and the bias of each class."""

    words: float  # w
    prior: float  # v
    bias: Array  # (n_classes,), b

    def power_of_words(self, lengths: Array) -> Array:
        """w / sqrt(n) of texts with this many words.

        >>> Tempering(0.5, 1.0, np.zeros(2)).power_of_words(np.array([0, 1, 25]))
        array([0.5, 0.5, 0.1])
        """
        return self.words / np.sqrt(np.maximum(lengths, 1.0))

    def prior_in_scores(self, log_prior: Array) -> Array:
        """b_c + v log P(c), classes on the first axis; -inf stays what it is.

        >>> Tempering(0.5, 1.0, np.array([0.5, -0.5])).prior_in_scores(np.array([-np.inf, 0.0]))
        array([-inf, -0.5])
        """
        bias = self.bias.reshape(-1, *[1] * (log_prior.ndim - 1))
        return np.where(np.isneginf(log_prior), -np.inf, self.prior * log_prior + bias)


def log_opinions(log_likelihood: Array, log_prior: Array, lengths: Array) -> Array:
    """The predictions of words and prior for each text, without powers: (2, n_texts, n_classes).

    log_likelihood, log_prior : (n_texts, n_classes); lengths : (n_texts,), words of each text
    """
    largest = log_likelihood.max(axis=1, keepdims=True)
    largest = np.where(np.isneginf(largest), 0.0, largest)  # impossible in every class
    words = (log_likelihood - largest) / np.sqrt(np.maximum(lengths, 1.0))[:, None]
    return np.maximum(np.stack([words, log_prior]), LEAST_LOG)


def best_tempering(opinions: Array, codes: Array, weights: Array) -> tuple[Tempering, Array]:
    """The tempering under which the classes of these texts are most probable; log P(c | text) then.

    opinions : from `log_opinions`, of texts that were left out
    codes, weights : (n_texts,), the class and the weight of each

    >>> sure = np.log([[0.999, 0.001]] * 3 + [[0.001, 0.999]] * 3)  # and is wrong once in three
    >>> opinions = log_opinions(sure, np.full((6, 2), np.log(0.5)), np.ones(6))
    >>> tempering, logs = best_tempering(opinions, np.array([0, 0, 1, 1, 1, 0]), np.full(6, 100.0))
    >>> np.exp(logs[0]).round(2)
    array([0.67, 0.33])
    """
    # with few texts the powers stay close to 1
    pool = pool_weights(
        opinions, codes, weights, toward=1.0, prior_rows=PRIOR_TEXTS, least_log=LEAST_LOG
    )
    words, prior = np.maximum(pool.weights, LEAST_POWER).tolist()
    return Tempering(words, prior, pool.bias), pool.log_proba(opinions)
