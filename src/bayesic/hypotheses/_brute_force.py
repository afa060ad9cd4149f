"""The posterior probability of every conjunction of attributes, by brute force."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Rational

import numpy as np
from scipy.special import logsumexp, xlogy

from bayesic.data.typing import Label, LabelsLike, TableLike
from bayesic.hypotheses.attributes import (
    ANY,
    NOTHING,
    Conjunction,
    cells_of,
    covered_rows,
    covering_hypotheses,
    n_constraints,
)
from bayesic.hypotheses.bayes_rule import Number, check_weight, log2
from bayesic.hypotheses.training_examples import Examples, examples_of
from bayesic.hypotheses.version_space import conjunctions_at
from bayesic.kernels import Array

Prior = Callable[[int], Number]


@dataclass(frozen=True, eq=False)
class ConceptPosterior:
    """P(h | D) of every conjunction h.

    Hypotheses with as many errors and (if the prior tells them apart) as many constraints have the
    same probability: they are one group.
    """

    examples: Examples
    group: Array  # intp (n_hypotheses,)  the group of each, the empty hypothesis last
    group_probability: list[Number]  # P(h | D) of each hypothesis of a group
    evidence: Number  # P(D)
    log_evidence: float  # its natural logarithm, also where floats are too small for it

    @property
    def n_hypotheses(self) -> int:
        """How many hypotheses there are in all."""
        return len(self.group)

    @cached_property
    def posterior(self) -> Array:
        """P(h | D) of all hypotheses, in a fixed order: float64 (n_hypotheses,)."""
        return np.array(self.group_probability, dtype=np.float64)[self.group]

    def probability(self, hypothesis: Sequence[object]) -> Number:
        """P(h | D) of this hypothesis; a fraction if prior and noise are exact."""
        return self.group_probability[self.group[self._place(hypothesis)]]

    @property
    def map_hypotheses(self) -> tuple[Conjunction, ...]:
        """All hypotheses of the largest P(h | D)."""
        return self._hypotheses_at(self._best)

    @property
    def map_hypothesis(self) -> Conjunction:
        """The hypothesis of the largest P(h | D), the first of several."""
        return self._hypotheses_at(self._best[:1])[0]

    def vote(self, X: TableLike) -> Array:
        """P(yes | x, D) of each row: all hypotheses vote with P(h | D), float64 (n_rows,).

        This is the Bayes optimal classification: no other has a lower expected error.
        """
        cells = cells_of(self.examples.attributes.encode(X), self.examples.attributes.sizes)
        return self._yes[cells]

    @cached_property
    def _best(self) -> Array:
        largest = max(self.group_probability)
        best = [group for group, share in enumerate(self.group_probability) if share == largest]
        return np.flatnonzero(np.isin(self.group, best))

    @cached_property
    def _yes(self) -> Array:
        """P(yes | x, D) for each row that there can be."""
        return covering_hypotheses(self.posterior[:-1], self.examples.attributes.sizes)

    def _place(self, hypothesis: Sequence[object]) -> int:
        attributes = self.examples.attributes
        texts = attributes.checked(hypothesis)
        if NOTHING in texts:
            return self.n_hypotheses - 1
        code = []
        for name, wanted, values in zip(attributes.names, texts, attributes.values, strict=True):
            if wanted not in (*values, ANY):
                raise ValueError(
                    f"{wanted!r} is not a value of {name!r}, which has {list(values)}. List all "
                    "values with values=."
                )
            code.append(len(values) if wanted == ANY else values.index(wanted))
        return int(cells_of(np.array([code]), attributes.sizes)[0])

    def _hypotheses_at(self, cells: Array) -> tuple[Conjunction, ...]:
        attributes = self.examples.attributes
        in_cube = conjunctions_at(cells[cells < self.n_hypotheses - 1], attributes)
        empty = ((NOTHING,) * len(attributes.names),)
        return in_cube + empty if self.n_hypotheses - 1 in cells else in_cube


def brute_force_map(
    X: TableLike,
    y: LabelsLike,
    positive: Label | None = None,
    values: Mapping[str, Sequence[object]] | None = None,
    noise: float | Fraction = 0,
    prior: Prior | None = None,
) -> ConceptPosterior:
    """The posterior of every conjunction of the attributes of X ([Mitchell] section 6.3).

        P(h | D) = P(D | h) P(h) / P(D),     P(D | h) = noise^e (1 - noise)^(n - e)

    where h is wrong on e of the n examples. Without noise P(D | h) is 1 if h agrees with all of
    them, else 0.

    noise : the probability that a label is wrong, from 0 to 1/2
    prior : None for a uniform prior; or a function from the number of attributes that a hypothesis
            constrains (one more than there are for the empty hypothesis) to a weight: P(h) is
            proportional to it

    The other arguments are those of find_s. Fractions in, fractions out. Each of the 973 hypotheses
    of EnjoySport is in the version space with 1/6, or impossible:

    >>> from bayesic.datasets.textbook import enjoy_sport
    >>> days = enjoy_sport()
    >>> values = {"x0": ["Sunny", "Cloudy", "Rainy"], "x3": ["Strong", "Light"]}
    >>> learned = brute_force_map(days.rows, days.target, values=values)
    >>> learned.evidence, learned.probability(("Sunny", "?", "?", "?", "?", "?"))
    (Fraction(6, 973), Fraction(1, 6))
    """
    _check_noise(noise)
    examples = examples_of(X, y, positive, values)
    if noise == 0:
        examples.refuse_contradiction()
    weights = _prior_weights(prior, len(examples.attributes.names))
    errors, constraints = _errors(examples), np.zeros(1, dtype=np.int64)
    if prior is not None:
        constraints = n_constraints(examples.attributes.sizes).astype(np.int64)
        constraints = np.append(constraints, len(weights) - 1)
    n_rows = len(examples.codes)
    keys, group, counts = _distinct(constraints * (n_rows + 1) + errors)
    groups = _Groups(*np.divmod(keys, n_rows + 1), counts, weights, n_rows)
    exact = all(isinstance(number, Rational) for number in (noise, *weights))
    solved = _exact(groups, noise) if exact else _in_logs(groups, float(noise))
    return ConceptPosterior(examples, group, *solved)


@dataclass(frozen=True, eq=False)
class _Groups:
    constraints: Array  # (n_groups,)
    errors: Array
    counts: Array  # how many hypotheses
    weights: list[Number]  # the weight of the prior, by number of constraints
    n_rows: int

    @property
    def prior_weights(self) -> list[Number]:
        return [self.weights[number] for number in self.constraints.tolist()]


def _distinct(keys: Array) -> tuple[Array, Array, Array]:
    """The numbers that occur, the place of each key among them, and how often each occurs.

    np.unique does the same by sorting; these keys are small, and there may be millions.
    """
    counts = np.bincount(keys)
    occurs = counts > 0
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[keys], counts[occurs]


def _errors(examples: Examples) -> Array:
    """How many examples each conjunction gets wrong, the empty one last: int64."""
    change = np.where(examples.positive, -1, 1)  # a positive row that is covered is not an error
    n_positive = int(examples.positive.sum())
    covered = covered_rows(examples.codes, change, examples.attributes.sizes)
    return np.append(covered + n_positive, n_positive)


def _exact(groups: _Groups, noise: Number) -> tuple[list[Number], Number, float]:
    wrong, right = Fraction(noise), 1 - Fraction(noise)
    weights = [Fraction(weight) for weight in groups.prior_weights]
    total = _sum_over(groups.counts, weights)
    joint = [
        weight / total * wrong**n_errors * right ** (groups.n_rows - n_errors)
        for weight, n_errors in zip(weights, groups.errors.tolist(), strict=True)
    ]
    evidence = _sum_over(groups.counts, joint)
    _refuse_impossible(evidence == 0)
    return [each / evidence for each in joint], evidence, log2(evidence) * math.log(2)


def _sum_over(counts: Array, numbers: list[Fraction]) -> Fraction:
    """The sum of the numbers, each as often as its count tells."""
    pairs = zip(counts.tolist(), numbers, strict=True)
    return sum((count * number for count, number in pairs), Fraction(0))


def _in_logs(groups: _Groups, noise: float) -> tuple[list[Number], Number, float]:
    with np.errstate(divide="ignore"):
        log_prior = np.log(np.array(groups.prior_weights, dtype=np.float64))
    log_prior -= logsumexp(log_prior, b=groups.counts)
    log_joint = (
        log_prior + xlogy(groups.errors, noise) + (groups.n_rows - groups.errors) * np.log1p(-noise)
    )
    log_evidence = float(logsumexp(log_joint, b=groups.counts))
    _refuse_impossible(log_evidence == -np.inf)
    return np.exp(log_joint - log_evidence).tolist(), math.exp(log_evidence), log_evidence


def _refuse_impossible(impossible: bool) -> None:
    if impossible:
        raise ValueError(
            "Every hypothesis that agrees with the examples has a prior of 0. Give it a weight "
            "above 0, or allow for noise."
        )


def _prior_weights(prior: Prior | None, n_attributes: int) -> list[Number]:
    weights = [1] if prior is None else [prior(number) for number in range(n_attributes + 2)]
    for number, weight in enumerate(weights):
        check_weight(weight, f"prior of {number} constraints")
    if not any(weights):
        raise ValueError("The prior must be above 0 for some hypothesis, got 0 for all.")
    return weights


def _check_noise(noise: Number) -> None:
    check_weight(noise, "noise")
    if noise > 0.5:
        raise ValueError(
            f"noise must be from 0 to 1/2, got {noise!r}. If most labels are wrong, swap them."
        )
