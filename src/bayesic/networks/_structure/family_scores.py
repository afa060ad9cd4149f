"""Scores of a variable and its parents, by which structures are compared.

A network's score is the sum of the scores of its families. Each is a logarithm.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import log, prod
from typing import Any

import numpy as np

from bayesic.data.arguments import check_number, check_one_of
from bayesic.kernels import Array
from bayesic.kernels.structure import (
    FACTORIALS,
    GAMMAS,
    LIKELIHOOD,
    Measure,
    StateColumns,
    cell_terms,
    row_terms,
)
from bayesic.networks._structure.coded_columns import (
    CodedColumns,
    combinations_that_occur,
    kernels_of,
)

SCORES = ("bic", "aic", "bdeu", "k2")
MOST_CELLS = 2**22  # larger tables are not laid out: only what occurs is counted


@dataclass(frozen=True)
class ScoreRule:
    """How families are scored.

    bic    log p(D | theta) - log(N) / 2 for each free parameter           [Schwarz]
    aic    log p(D | theta) - 1 for each free parameter                    [Akaike]
    k2     log p(D), all tables equally likely before                      [CooperHerskovits]
    bdeu   log p(D), with a Dirichlet prior of ess / (q r) for each cell   [Heckerman]

    theta is the maximum likelihood estimate. bic, aic and bdeu score networks alike that say the
    same about independence; k2 does not.
    """

    name: str
    measure: int  # LIKELIHOOD, FACTORIALS or GAMMAS of kernels/structure.py
    penalty: float  # for each free parameter
    ess: float = 1.0  # equivalent sample size


def rule_of(score: Any, n_samples: int) -> ScoreRule:
    """The rule of this name; ("bdeu", 10) gives the equivalent sample size too.

    >>> rule_of("aic", n_samples=100)
    ScoreRule(name='aic', measure=0, penalty=1.0, ess=1.0)
    """
    name, ess = score if isinstance(score, tuple) and len(score) == 2 else (score, None)
    check_one_of("score", name, SCORES)
    if ess is not None:
        check_number("The equivalent sample size of a score", ess)
        if name != "bdeu" or ess == 0:
            raise ValueError(
                f"Only 'bdeu' has an equivalent sample size, above 0; got {score!r}. "
                "Write score=('bdeu', 10), or the name alone."
            )
    if name == "k2":
        return ScoreRule(name, FACTORIALS, 0.0)
    if name == "bdeu":
        return ScoreRule(name, GAMMAS, 0.0, float(1.0 if ess is None else ess))
    return ScoreRule(name, LIKELIHOOD, 1.0 if name == "aic" else log(n_samples) / 2)


def family_score(
    columns: CodedColumns, rule: ScoreRule, child: int, parents: Iterable[int]
) -> float:
    """The score of one family, however many combinations of states its parents have.

    >>> from bayesic.networks._structure.coded_columns import coded_columns
    >>> rows = coded_columns({"rain": ["yes", "no", "yes"], "wet": ["yes", "no", "no"]})
    >>> np.exp(family_score(rows, rule_of("k2", 3), child=1, parents=[0])).round(6)  # 1/2 * 1/6
    np.float64(0.083333)
    """
    parents = sorted(parents)
    combinations, _ = combinations_that_occur(columns, parents)
    r = columns.sizes[child]
    q = prod(columns.sizes[parent] for parent in parents)
    totals = _times(combinations, columns.weights)
    _, cells = np.unique(combinations * r + columns.codes[child], return_inverse=True)
    score = cell_terms(_times(cells, columns.weights), rule.measure, rule.ess / (q * r))
    score -= row_terms(totals, rule.measure, r, rule.ess / q)
    return score - rule.penalty * (r - 1) * q


def _times(numbers: Array, weights: Array | None) -> Array:
    """How often each number occurs."""
    if weights is None:
        return np.bincount(numbers)
    counts = np.zeros(numbers.max() + 1, np.int64)
    np.add.at(counts, numbers, weights)
    return counts


class FamilyScores:
    """The scores of families, each computed once.

    Parents are a set of numbers of variables, kept as a whole number: bit p is set for parent p.
    """

    def __init__(self, columns: CodedColumns, rule: ScoreRule) -> None:
        self.columns, self.rule = columns, rule
        self.kernels = kernels_of(columns)
        self.sizes = np.array(columns.sizes, np.int64)
        first = np.append(0, np.cumsum(self.sizes))
        narrow = np.min_scalar_type(int(first[-1]))
        column_of_cell = columns.codes.T.astype(narrow, order="C") + first[:-1].astype(narrow)
        self._states = StateColumns(column_of_cell, first)
        self._count_type = np.int32 if columns.n_samples < 2**31 else np.int64
        self._changes: dict[tuple[int, int], tuple[float, Array]] = {}

    @property
    def n_variables(self) -> int:
        """How many variables there are."""
        return len(self.sizes)

    def of(self, child: int, parents: int) -> float:
        """The score of a family."""
        return self.changes(child, parents)[0]

    def changes(self, child: int, parents: int) -> tuple[float, Array]:
        """The score of a family, and what it gains if one variable more, or less, is a parent."""
        key = child, parents
        if key not in self._changes:
            self._changes[key] = self._computed(child, numbers_in(parents))
        return self._changes[key]

    def _computed(self, child: int, parents: list[int]) -> tuple[float, Array]:
        combinations = prod(self.columns.sizes[parent] for parent in parents)
        room = combinations * self.columns.sizes[child] * int(self._states.first[-1])
        if room > MOST_CELLS:
            scores = self._one_by_one(child, parents)
        else:
            scores = np.empty(self.n_variables)
            self.kernels.toggled_scores(
                self.columns.state_rows,
                self._states,
                child,
                np.array(parents, np.int64),
                Measure(self.rule.measure, self.rule.ess),
                np.empty(room, self._count_type),
                scores,
            )
            scores -= self._penalties(child, parents)
        own = float(scores[child])
        return own, scores - own

    def _penalties(self, child: int, parents: list[int]) -> Array:
        """The penalty of the families in which one variable more, or less, is a parent."""
        sizes = self.sizes.astype(np.float64)
        factor = sizes.copy()
        factor[parents] = 1.0 / sizes[parents]
        factor[child] = 1.0
        return self.rule.penalty * (sizes[child] - 1) * sizes[parents].prod() * factor

    def _one_by_one(self, child: int, parents: list[int]) -> Array:
        """The same for families whose tables are too large to be laid out."""
        penalties = self._penalties(child, parents)
        own = family_score(self.columns, self.rule, child, parents)
        # a log likelihood is at most 0: if the penalty alone is worse, there is nothing to count
        hopeless = (self.rule.measure == LIKELIHOOD) & (-penalties < own)
        scores = np.full(self.n_variables, -np.inf)
        scores[child] = own
        for other in np.flatnonzero(~hopeless).tolist():
            if other != child:
                family = set(parents) ^ {other}
                scores[other] = family_score(self.columns, self.rule, child, family)
        return scores


def numbers_in(members: int) -> list[int]:
    """The numbers whose bits are set, increasing.

    >>> numbers_in(0b1011)
    [0, 1, 3]
    """
    return [number for number in range(members.bit_length()) if members >> number & 1]
