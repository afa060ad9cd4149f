"""Learned rows, each answered by the counts of all others.

In a complete row only the families of the target and of its children say anything about it:

    P(t | row) ~ P(t | parents) * product over the children of P(child | its parents, t)

Each of these probabilities comes from counts out of which the row itself is taken first.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from bayesic.data.states import States
from bayesic.estimation.smoothing import TableSmoothing
from bayesic.kernels import Array
from bayesic.kernels.leaving import left, left_at, log_shares
from bayesic.models.posterior import answer_prior_where_impossible, posterior
from bayesic.networks.codes import column_codes, counted_blocks
from bayesic.networks.learning.prediction import prior_of, tell_impossible
from bayesic.networks.queries.model import NamedModel
from bayesic.statistics.families import FamilyCounts


def left_out_posteriors(
    model: NamedModel,
    counts: FamilyCounts,
    rule: TableSmoothing,
    table: Any,
    target: str,
    sample_weight: Any,
) -> Array:
    """P(target | all else) of each learned row, without the row: (n_rows, states of the target).

    A row that was never learned is refused, as far as the counts show it. One that is impossible
    without itself answers P(target), with a warning.
    """
    with np.errstate(divide="ignore"):
        log_prior = np.log(prior_of(model, model.number(target)))[:, None]
    answers, n_impossible = [], 0
    learned = FamilyCounts.empty(counts.parents)
    for block in counted_blocks(table, counts.parents, model.states, sample_weight):
        learned = learned + block.counts
        _ = counts - learned  # refuses rows that were never learned, as far as the counts show it
        weights = np.ones(block.n_rows) if block.weights is None else block.weights
        codes = column_codes(model.states, block.columns, block.n_rows)
        scores = _log_scores_without(counts, model.states, rule, codes, weights, target)
        scores, n_here = answer_prior_where_impossible(scores, log_prior)
        answers.append(posterior(scores).T)
        n_impossible += n_here
    tell_impossible(n_impossible, target)
    return np.concatenate(answers)


def _log_scores_without(
    counts: FamilyCounts,
    states: Mapping[str, States],
    rule: TableSmoothing,
    codes: Array,
    weights: Array,
    target: str,
) -> Array:
    """log of the product above for each state and row, up to a constant: (states, n_rows).

    codes   : (n_rows, n_variables), the state of every variable in the order of `states`
    weights : (n_rows,), the weight with which each row was learned
    """
    number = {name: place for place, name in enumerate(states)}
    tables = counts.tables(states)
    scores = np.zeros((len(states[target]), len(codes)))
    for name, parents in counts.parents.items():
        family = (*parents, name)
        if target in family:
            of_members = [codes[:, number[member]] for member in family]
            pseudo = rule.pseudo_count(tables[name].shape)
            axis = family.index(target)
            scores += _log_shares(tables[name], of_members, axis, weights, pseudo)
    return scores


def _log_shares(
    table: Array, members: list[Array], axis: int, weights: Array, pseudo: float
) -> Array:
    """log P(variable | parents) of each row with each state on one axis: (states, n_rows).

    members : the states of the family in each row, the variable last
    """
    own, n_states = (members[axis], np.arange(len(weights))), table.shape[-1]
    count = _along(table, axis, members)
    if axis == table.ndim - 1:  # the target itself: all its states share one sum
        total = left(count.sum(axis=0), weights)
    else:
        total = left_at(_along(table.sum(axis=-1), axis, members[:-1]), own, weights)
    rest = left_at(count, own, weights)
    return log_shares(rest + pseudo, total + n_states * pseudo, n_states)


def _along(table: Array, axis: int, members: list[Array]) -> Array:
    """The cells of each row with every state on one axis: (states, n_rows)."""
    moved = np.moveaxis(table, axis, 0)
    others = [codes for place, codes in enumerate(members) if place != axis]
    cells = np.zeros(len(members[axis]), np.intp)
    for size, codes in zip(moved.shape[1:], others, strict=True):
        cells = cells * size + codes
    return moved.reshape(len(moved), -1)[:, cells]
