"""From scores to probabilities, calibrated ones, and the action of least expected loss."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bayesic.data.distinct import category_name
from bayesic.decisions.bayes_decision import BayesDecision
from bayesic.decisions.loss import REJECT, as_loss, checked_reject_loss
from bayesic.decisions.names import as_names
from bayesic.estimation.calibration import Calibration
from bayesic.export._expressions import (
    NEVER,
    Condition,
    Conditional,
    Expression,
    Function,
    Gap,
    Greatest,
    IsGap,
    NameOf,
    Number,
    Quotient,
    Relation,
    Sum,
    TextValue,
    Times,
    less,
)
from bayesic.export._logs import exp_of, is_never
from bayesic.export._steps import Steps
from bayesic.kernels import Array


class ClassScores(NamedTuple):
    """log p(x, c) of each class, and what is answered where it is -inf in all of them."""

    of_classes: Sequence[Expression]
    prior: Array  # P(c) of each class


class ClassShares(NamedTuple):
    """exp(score - best) of each class, and their sum, by which they are to be divided."""

    best: NameOf
    scores: tuple[NameOf, ...]
    weights: tuple[NameOf, ...]
    all_weights: NameOf


def shares(steps: Steps, scores: ClassScores) -> ClassShares:
    """The greatest score is taken off first: nothing overflows, and one weight is 1."""
    named = steps.let(*scores.of_classes)
    (best,) = steps.let(Greatest(named))
    weights = steps.let(
        *(
            Conditional(((is_never(best), Number(float(share))),), exp_of(less(score, best)))
            for score, share in zip(named, scores.prior, strict=True)
        )
    )
    return ClassShares(best, named, weights, *steps.let(Sum(weights)))


def probabilities(steps: Steps, scores: ClassScores) -> tuple[NameOf, ...]:
    """P(c | x) of each class; the prior where no class is possible."""
    _, _, weights, all_weights = shares(steps, scores)
    return steps.let(*(Quotient(weight, all_weights) for weight in weights))


def calibrated_scores(steps: Steps, scores: ClassScores, calibration: Calibration) -> ClassScores:
    """log P(c | x) / T + b_c, of log P(c | x) that is least_log or more."""
    even = np.full(len(scores.prior), 1 / len(scores.prior))
    biases = [Number(float(bias)) for bias in calibration.bias]
    if np.isinf(calibration.temperature):
        return ClassScores(biases, even)
    best, named, _, all_weights = shares(steps, scores)
    (log_all,) = steps.let(Function("ln", all_weights))
    with np.errstate(divide="ignore"):
        log_prior = np.log(scores.prior / scores.prior.sum())
    logs = steps.let(
        *(
            Conditional(
                ((is_never(best), Number(float(log_share))),), less(less(score, best), log_all)
            )
            for score, log_share in zip(named, log_prior, strict=True)
        )
    )
    if calibration.least_log > NEVER:
        logs = steps.let(*(Greatest((log, Number(calibration.least_log))) for log in logs))
    weight = Number(1.0 / calibration.temperature)
    scaled = [Sum((bias, Times((weight, log)))) for bias, log in zip(biases, logs, strict=True)]
    return ClassScores(scaled, even)


def action_and_risk(
    steps: Steps, posterior: Sequence[NameOf], decision: BayesDecision
) -> tuple[Expression, Expression]:
    """The action of least expected loss, the first of several, and that loss.

    Without a loss the most probable class is compared, not risks.
    """
    loss = as_loss(decision.loss, as_names(decision.classes_, "classes"))
    is_told, reject_loss = decision.loss is not None, decision.reject_loss
    if reject_loss is not None:
        reject_loss = checked_reject_loss(reject_loss, loss.actions)
    gains = steps.let(*(_expected_gain(posterior, costs) for costs in loss.matrix.tolist()))
    judged = gains if is_told else posterior
    gain, best = steps.let(Greatest(gains), Greatest(tuple(judged)))
    names = _names_of(loss.actions, reject_loss is not None)
    cases: list[tuple[Condition, Expression]] = [(IsGap(gain), Gap())]
    risk: Expression = Times((Number(-1.0), gain))
    if reject_loss is not None:
        is_dear = Relation(gain, "<", Number(-reject_loss))
        cases.append((is_dear, TextValue(REJECT)))
        risk = Conditional(((is_dear, Number(reject_loss)),), risk)
    cases += [(Relation(each, ">=", best), name) for each, name in zip(judged, names, strict=True)]
    return Conditional(tuple(cases[:-1]), cases[-1][1]), risk


def within(cell: Expression, largest: float) -> Expression:
    """A number, or the largest of its sign: so that products do not overflow."""
    cases = (
        (Relation(cell, ">", Number(largest)), Number(largest)),
        (Relation(cell, "<", Number(-largest)), Number(-largest)),
    )
    return Conditional(cases, cell)


def _expected_gain(posterior: Sequence[NameOf], costs: Sequence[float]) -> Expression:
    """Minus the expected loss."""
    parts = [Times((Number(-cost), share)) for cost, share in zip(costs, posterior, strict=True)]
    return Sum(tuple(parts))


def _names_of(actions: Sequence[Any], can_reject: bool) -> list[Expression]:
    """The actions as the cells of one column: as numbers, if all of them are."""
    plain = [name.item() if isinstance(name, np.generic) else name for name in actions]
    if not can_reject and all(type(name) in (int, float) for name in plain):
        return [Number(name) for name in plain]
    return [TextValue(category_name(name)) for name in plain]
