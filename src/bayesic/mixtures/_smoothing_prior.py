"""The prior of the parameters of a model that its smoothing implies.

The smoothed share (N_v + a_v) / (N + A) is the mode of the posterior of a share theta_v under the
Dirichlet prior whose log density is, up to a constant,

    sum over v of a_v log theta_v

So EM with smoothed shares maximises the log likelihood plus this.
"""

from functools import singledispatch

import numpy as np
from numpy.typing import ArrayLike

from bayesic.estimation.families import CountTables
from bayesic.estimation.joint import joint_log_shares
from bayesic.estimation.prior import ClassPrior
from bayesic.estimation.smoothing import Smoothing
from bayesic.kernels import Array
from bayesic.kernels.without_row import times_log
from bayesic.models.arrays.bernoulli import PresentFeatures
from bayesic.models.arrays.categorical import CategoricalFeatures
from bayesic.models.arrays.multinomial import CountedFeatures
from bayesic.models.classifier import CountingClassifier
from bayesic.models.columns.naive_columns import NaiveColumns
from bayesic.models.events.shares import Shares
from bayesic.models.levels.column_network import ColumnNetwork
from bayesic.models.levels.joint import JointTable
from bayesic.models.words.weighed_words import WeighedWords


def log_smoothing_prior(model: CountingClassifier) -> float:
    """Log density of the parameters of a fitted model under the prior of its smoothing.

    0 where the smoothing is chosen again with each estimate ("auto"): that is not a prior.

    >>> from bayesic import MultinomialNB
    >>> model = MultinomialNB(alpha=2).fit([[3, 0], [0, 3]], ["spam", "ham"])
    >>> bool(np.isclose(log_smoothing_prior(model), 4 * np.log(5 / 7) + 4 * np.log(2 / 7)))
    True
    """
    if isinstance(getattr(model, "smoothing", None), str):
        return 0.0
    return _of_classes(model._fitted.prior) + _of_features(model._fitted)


def _of_classes(prior: ClassPrior) -> float:
    is_learned = isinstance(prior.rule, str) and prior.rule == "learned"
    return _sum(prior.smoothing if is_learned else 0.0, prior.log)


def _sum(pseudo_count: ArrayLike, log_shares: Array) -> float:
    return float(times_log(np.asarray(pseudo_count), log_shares).sum())


@singledispatch
def _of_features(fitted: object) -> float:
    """Log prior of the parameters of the features: 0 for models without shares.

    It is 0 for AveragedOneDependence as well, the mean of many networks, each estimated as if it
    were the only one: their shares are not the mode of one posterior.
    """
    return 0.0


@_of_features.register
def _(fitted: CountedFeatures) -> float:
    return _sum(fitted.alpha, fitted.weights)


@_of_features.register
def _(fitted: PresentFeatures) -> float:
    return sum(_sum(fitted.alpha, logs) for logs in fitted.log_probability)


@_of_features.register
def _(fitted: CategoricalFeatures) -> float:
    return sum(_sum(fitted.alpha, log_shares) for log_shares in fitted.log_shares)


@_of_features.register
def _(fitted: WeighedWords) -> float:
    weights = fitted.weights
    if weights.model == "bernoulli":
        return sum(_sum(weights.smoothing, logs) for logs in weights.presence_logs())
    total = weights.table.sum(axis=1)
    rule = weights.rule.at(slice(len(total)))
    pseudo, _ = rule.pseudo_counts(total, total.sum(), max(len(total), 1))
    return _sum(pseudo[:, None], weights.of_words[:-1])


@_of_features.register
def _(fitted: NaiveColumns) -> float:
    of_columns, of_others = fitted.settings.smoothing
    return sum(
        _of_shares(event)
        for name, event in fitted.events.items()
        if isinstance(event, Shares) and of_columns.get(name, of_others) is not None
    )


def _of_shares(event: Shares) -> float:
    """Log prior of one column: of its levels, and of those it may have that were never seen."""
    total = np.append(event.table.sum(axis=1), 0)
    pseudo, _ = event.rule.pseudo_counts(total, total.sum(), max(event.n_levels, 1))
    times = np.append(np.ones(len(event.table)), event.n_levels - len(event.table))
    return _sum((times * pseudo)[:, None], event.log_table)


@_of_features.register
def _(fitted: JointTable) -> float:
    statistics, amount = fitted.counts, fitted.settings.smoothing
    if not statistics.levels:
        return 0.0
    n_unseen = np.prod(statistics.n_levels.astype(np.float64)) - len(statistics.rows)
    unseen = statistics.n_levels[None, :]  # one past the last level of every column
    return _sum(amount, joint_log_shares(statistics, statistics.rows, amount)) + _sum(
        amount * n_unseen, joint_log_shares(statistics, unseen, amount)
    )


@_of_features.register
def _(fitted: ColumnNetwork) -> float:
    """Log prior of p(x_j | parents, c) of all columns; rows with nulls also use other shares.

    0 for back-off: the shares that it backs off to change with the counts, which is not a prior.
    """
    if fitted.strength is not None:
        return 0.0
    return sum(
        _of_family(fitted.tables, (column, *given), fitted.n_levels[column], fitted.rule)
        for column, given in enumerate(fitted.parents)
    )


def _of_family(
    tables: CountTables, family: tuple[int, ...], n_levels: int, rule: Smoothing
) -> float:
    """Log prior of a column, the first of its family, given the others, in all classes."""
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
