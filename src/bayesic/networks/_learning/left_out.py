"""Learned rows, each answered by the counts of all others.

In a complete row only the families of the target and of its children say anything about it:

    P(t | row) ~ P(t | parents) * product over the children of P(child | its parents, t)

Each of these probabilities comes from counts out of which the row itself is taken first.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from bayesic.data.states import States
from bayesic.data.typing import ArrayLike, TableLike
from bayesic.estimation.back_off import steps_of
from bayesic.estimation.smoothing import BackOff, TableSmoothing
from bayesic.kernels import Array
from bayesic.kernels.leaving import leaning, left, left_at, log_shares
from bayesic.models.posterior import answer_prior_where_impossible, posterior
from bayesic.networks._learning.prediction import tell_impossible
from bayesic.networks.codes import column_codes, counted_blocks
from bayesic.networks.queries._model import NamedModel
from bayesic.networks.queries.target_answers import prior_of
from bayesic.statistics.families import FamilyCounts


def left_out_posteriors(
    model: NamedModel,
    counts: FamilyCounts,
    rule: TableSmoothing,
    table: TableLike,
    target: str,
    sample_weight: ArrayLike | None,
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
    index_of = {name: index for index, name in enumerate(states)}
    tables = counts.tables(states)
    scores = np.zeros((len(states[target]), len(codes)))
    for name, parents in counts.parents.items():
        family = (*parents, name)
        if target in family:
            of_members = [codes[:, index_of[member]] for member in family]
            scores += _log_shares(tables[name], of_members, family.index(target), weights, rule)
    return scores


def _log_shares(
    table: Array, members: list[Array], axis: int, weights: Array, rule: TableSmoothing
) -> Array:
    """log P(variable | parents) of each row with each state on one axis: (states, n_rows).

    members : the states of the family in each row, the variable last
    """
    n_states = table.shape[-1]
    if not isinstance(rule, BackOff):
        pseudo = rule.pseudo_count(table.shape)
        count, total = _rest(table, members, axis, weights)
        return log_shares(count + pseudo, total + n_states * pseudo, n_states)
    shares: Any = 1.0 / n_states
    for kept, step in enumerate(steps_of(table)):
        on_axis = kept if axis == len(members) - 1 else axis if axis < kept else None
        rest = _rest(step, [*members[:kept], members[-1]], on_axis, weights)
        shares = leaning(*rest, rule.amount, shares)
    with np.errstate(divide="ignore"):
        return np.log(shares)


def _rest(
    table: Array, members: list[Array], axis: int | None, weights: Array
) -> tuple[Array, Array]:
    """Counts of the family and of the parents, the row itself left out: (states or 1, n_rows).

    axis : the place of the target among the members; None if it is none of them
    """
    is_variable = axis == len(members) - 1  # then its states share one sum
    total_axis = None if is_variable else axis
    return (
        _counts_without(table, members, axis, weights),
        _counts_without(table.sum(axis=-1), members[:-1], total_axis, weights),
    )


def _counts_without(table: Array, members: list[Array], axis: int | None, weights: Array) -> Array:
    """The cells of each row, its weight left out: with all states on the axis, or its own."""
    if axis is None:
        return left(table[tuple(members)], weights)[None]
    own = members[axis], np.arange(len(weights))
    return left_at(_along(table, axis, members), own, weights)


def _along(table: Array, axis: int, members: list[Array]) -> Array:
    """The cells of each row with every state on one axis: (states, n_rows)."""
    moved = np.moveaxis(table, axis, 0)
    others = [codes for index, codes in enumerate(members) if index != axis]
    cells = np.zeros(len(members[axis]), np.intp)
    for size, codes in zip(moved.shape[1:], others, strict=True):
        cells = cells * size + codes
    return moved.reshape(len(moved), -1)[:, cells]
