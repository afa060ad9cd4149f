"""What smoothing means to a model: a prior of its parameters.

The smoothed share (N_v + a_v) / (N + A) is the mode of the posterior of a share theta_v under the
Dirichlet prior whose log density is, but for a constant,

    sum over v of a_v log theta_v

So EM with smoothed shares climbs the log likelihood plus this.
"""

from functools import singledispatch
from typing import Any

import numpy as np

from bayesic.estimation.families import CountTables
from bayesic.estimation.joint import joint_log_shares
from bayesic.estimation.shares import Smoothing
from bayesic.kernels.without_row import times_log
from bayesic.models.base import CountingClassifier
from bayesic.models.bernoulli import BernoulliNB
from bayesic.models.categorical import CategoricalNB
from bayesic.models.events.make import rules
from bayesic.models.events.shares import Shares
from bayesic.models.joint import JointBayes
from bayesic.models.multinomial import MultinomialNB
from bayesic.models.naive_bayes import NaiveBayes
from bayesic.models.network_classifier import NetworkClassifier
from bayesic.models.text_classifier import TextClassifier

Array = np.ndarray


def log_smoothing_prior(model: CountingClassifier) -> float:
    """Log density of the parameters of a fitted model under the prior of its smoothing.

    0 where the smoothing is chosen anew with each estimate ("auto"): that is no prior.

    >>> model = MultinomialNB(alpha=2).fit([[3, 0], [0, 3]], ["spam", "ham"])
    >>> bool(np.isclose(log_smoothing_prior(model), 4 * np.log(5 / 7) + 4 * np.log(2 / 7)))
    True
    """
    if isinstance(getattr(model, "smoothing", None), str):
        return 0.0
    return _of_classes(model) + of_features(model)


def _of_classes(model: CountingClassifier) -> float:
    is_learned = isinstance(model._prior(), str) and model._prior() == "learned"
    amount = model._prior_smoothing() if is_learned else 0.0
    return _sum(amount, model._log_prior())


def _sum(pseudo_count: Any, log_shares: Array) -> float:
    return float(times_log(np.asarray(pseudo_count), log_shares).sum())


@singledispatch
def of_features(model: Any) -> float:
    """The part of the prior that is about the features: 0 for models without shares.

    0 for AveragedOneDependence as well. It is the mean of many networks, each of which is estimated
    as if it were the only one: its shares are not the mode of one posterior.
    """
    return 0.0


@of_features.register
def _(model: MultinomialNB) -> float:
    return _sum(model._alpha(), model.feature_log_prob_)


@of_features.register
def _(model: BernoulliNB) -> float:
    alpha = model._alpha()
    return _sum(alpha, model.feature_log_prob_) + _sum(alpha, model._absence_log_prob)


@of_features.register
def _(model: CategoricalNB) -> float:
    return sum(_sum(model._alpha(), log_shares) for log_shares in model.feature_log_prob_)


@of_features.register
def _(model: TextClassifier) -> float:
    fitted = model._fitted
    if fitted.model == "bernoulli":
        return sum(_sum(fitted.smoothing, logs) for logs in fitted.presence_logs())
    total = fitted.table.sum(axis=1)
    rule = fitted.rule.at(slice(len(total)))
    pseudo, _ = rule.pseudo_counts(total, total.sum(), max(len(total), 1))
    return _sum(pseudo[:, None], fitted.of_words[:-1])


@of_features.register
def _(model: NaiveBayes) -> float:
    of_columns, of_others = rules(model.smoothing)
    return sum(
        _of_shares(event)
        for name, event in model.events_.items()
        if isinstance(event, Shares) and of_columns.get(name, of_others) is not None
    )


def _of_shares(event: Shares) -> float:
    """Of one column: its levels, and those that it can have but were never seen."""
    total = np.append(event.table.sum(axis=1), 0)
    pseudo, _ = event.rule.pseudo_counts(total, total.sum(), max(event.n_levels, 1))
    times = np.append(np.ones(len(event.table)), event.n_levels - len(event.table))
    return _sum((times * pseudo)[:, None], event.log_table)


@of_features.register
def _(model: JointBayes) -> float:
    statistics, amount = model.statistics_, model._prior_smoothing()
    if not statistics.levels:
        return 0.0
    n_unseen = np.prod(statistics.n_levels.astype(np.float64)) - len(statistics.rows)
    unseen = statistics.n_levels[None, :]  # one past the last level of every column
    return _sum(amount, joint_log_shares(statistics, statistics.rows, amount)) + _sum(
        amount * n_unseen, joint_log_shares(statistics, unseen, amount)
    )


@of_features.register
def _(model: NetworkClassifier) -> float:
    """Of p(x_j | parents, c) of all columns; where cells are null other shares are in use too."""
    n_levels, rule = model._n_levels(), model._rule()
    return sum(
        _of_family(model._tables, (column, *given), n_levels[column], rule)
        for column, given in enumerate(model._parents())
    )


def _of_family(
    tables: CountTables, family: tuple[int, ...], n_levels: int, rule: Smoothing
) -> float:
    """Of one column, the first of its family, given all levels of the others in all classes."""
    if rule.amount == 0:
        return 0.0
    columns = tuple(sorted(family))
    counts = np.moveaxis(tables.of(columns), columns.index(family[0]), -1)
    counts = np.append(counts, np.zeros((*counts.shape[:-1], 1)), axis=-1)  # a level never seen
    total = np.append(tables.level_total[family[0]], 0.0)
    pseudo, all_pseudo = rule.pseudo_counts(total, total.sum(), n_levels)
    log_shares = np.log(counts + pseudo) - np.log(counts.sum(axis=-1, keepdims=True) + all_pseudo)
    times = np.append(np.ones(len(total) - 1), n_levels - (len(total) - 1))
    return _sum(times * pseudo, log_shares)
