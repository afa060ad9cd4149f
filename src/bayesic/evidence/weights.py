"""Weights of evidence: what each feature adds to the log odds of a class."""

import numpy as np

from bayesic.kernels import Array


def log_odds_against(log_prior: Array, answer: int, others: Array) -> float:
    """log P(answer) / P(others), in logs; others are the numbers of the classes compared with.

    >>> log_odds_against(np.log([0.5, 0.25, 0.25]), answer=0, others=np.array([1, 2]))
    0.0
    """
    return float(difference(log_prior[answer], log_sum(log_prior[others])))


def weights_against(log_prior: Array, feature_scores: Array, answer: int, others: Array) -> Array:
    """The weight of evidence of each feature for one class against one or several others.

        weight_j = log p(x_j | answer) - log p(x_j | others, x_1 .. x_j-1)
        p(x_j | others, x_1 .. x_j-1) = sum over k of q_k p(x_j | k)
        q_k ~ P(k) p(x_1 | k) .. p(x_j-1 | k)

    So a weight is the change of the log odds when feature j comes in after those before it, and
    with the log odds of the prior they add up to those of the posterior ([Good]). Against one
    class it is the log likelihood ratio, in any order. A feature that makes all others impossible
    weighs +inf, and is left out of q.

    log_prior      : (n_classes,)
    feature_scores : (n_features, n_classes), what each feature adds to the score of each class

    >>> words = np.log([[0.5, 0.25, 0.25], [0.2, 0.1, 0.4]])
    >>> np.exp(weights_against(np.log([0.4, 0.3, 0.3]), words, 0, np.array([1, 2])))
    array([2. , 0.8])
    """
    if len(others) == 1:
        return difference(feature_scores[:, answer], feature_scores[:, others[0]])
    log_q, total = log_prior[others], log_sum(log_prior[others])
    log_q = log_q - total if total > -np.inf else np.full(len(others), -np.log(len(others)))
    of_others = np.zeros(len(feature_scores))
    # most words do not occur in a text: what adds nothing to any class weighs nothing
    for feature in np.flatnonzero(feature_scores[:, others].any(axis=1)):
        scores = feature_scores[feature, others]
        of_others[feature] = log_sum(log_q + scores)
        if np.isfinite(of_others[feature]):
            log_q = log_q + scores - of_others[feature]
    return difference(feature_scores[:, answer], of_others)


def steps_between(scores: Array) -> Array:
    """What each step adds to scores that change one step at a time, so that all add up to the last.

    scores : (n_steps + 1, ...), -inf where a class is impossible

    A class that ends as impossible becomes so once, and stays so. One that is impossible on the way
    only, as where models are averaged, keeps its score until it is possible again.

    >>> steps_between(np.array([0.0, -1.0, -np.inf, -3.0])).tolist()
    [-1.0, 0.0, -2.0]
    >>> steps_between(np.array([0.0, -1.0, -np.inf, -3.0, -np.inf])).tolist()
    [-1.0, -inf, 0.0, 0.0]
    """
    ends_possible = scores[-1] > -np.inf
    steps, before = np.zeros(scores[1:].shape), scores[0]
    for number, given in enumerate(scores[1:]):
        stays = np.where(ends_possible, given == -np.inf, before == -np.inf)
        after = np.where(stays, before, given)
        steps[number] = difference(after, before)
        before = after
    return steps


def difference(first: Array, second: Array | float) -> Array:
    """first - second, where two events that are impossible (or certain) weigh the same."""
    with np.errstate(invalid="ignore"):
        return np.where(first == second, 0.0, first - second)


def log_sum(logs: Array) -> float:
    """log of the sum of exp(logs); infinities are allowed.

    >>> log_sum(np.log([0.25, 0.5]))
    -0.2876820724517809
    """
    largest = float(logs.max())
    if not np.isfinite(largest):
        return largest
    return largest + float(np.log(np.exp(logs - largest).sum()))
