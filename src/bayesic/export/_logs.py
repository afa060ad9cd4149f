"""exp and ln where nothing overflows, and no engine is asked for what it refuses."""

from collections.abc import Sequence

from bayesic.export._expressions import (
    NEVER,
    Condition,
    Conditional,
    Expression,
    Function,
    Greatest,
    NameOf,
    Number,
    Relation,
    Sum,
    less,
    total,
)
from bayesic.export._steps import Steps

# exp of less is 0: some engines refuse a number that is too small
LEAST_EXPONENT = -700.0


def exp_of(expression: Expression) -> Expression:
    """exp of a number that is not above 0."""
    too_small = Relation(expression, "<", Number(LEAST_EXPONENT))
    return Conditional(((too_small, Number(0.0)),), Function("exp", expression))


def log_sums(steps: Steps, groups: Sequence[Sequence[Expression]]) -> list[NameOf]:
    """log of the sum of exp(part), of the parts of each group: in three steps for all of them.

    log sum of exp(x_i) = m + log sum of exp(x_i - m),  m the greatest x_i; -inf if m is
    """
    sizes = [len(group) for group in groups]
    named = steps.let(*(part for group in groups for part in group))
    starts = [sum(sizes[:at]) for at in range(len(sizes))]
    parts = [named[start : start + size] for start, size in zip(starts, sizes, strict=True)]
    best = steps.let(*map(Greatest, parts))
    sums = steps.let(*map(_log_sum, best, parts))
    return [*sums]


def _log_sum(best: NameOf, parts: Sequence[NameOf]) -> Expression:
    weights = total([exp_of(less(part, best)) for part in parts])
    return Conditional(((is_never(best), best),), Sum((best, Function("ln", weights))))


def is_never(score: Expression) -> Condition:
    """Whether a score is -inf."""
    return Relation(score, "=", Number(NEVER))
