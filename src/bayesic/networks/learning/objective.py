"""What EM and gradient ascent climb: how probable rows with gaps are, and tables that fit them.

    log P(rows | w) + sum over all entries of a_ijk log w_ijk

w_ijk is the entry of a table for state j of variable i and states k of its parents. P(row | w) is
summed over all that the row did not observe. The second part is the log of a Dirichlet prior, up to
a constant: the pseudo-counts a_ijk of the smoothing. Where nothing is missing, the largest value is
at the smoothed shares of `estimates.py`.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bayesic.estimation.shares import TableSmoothing, smoothed_shares
from bayesic.kernels.rounding import EPSILON
from bayesic.networks.engine.factors import Factors
from bayesic.networks.engine.inference import (
    ScaledEvidence,
    expected_family_counts,
    scaled_evidence,
)
from bayesic.networks.engine.tree import JunctionTree, compile_tree
from bayesic.networks.learning.incomplete import IncompleteRows

Array = np.ndarray
Tables = list[Array]  # an array for each variable: (states of its parents, ..., its own states)


class Ascent(NamedTuple):
    """Where a climb has ended, and how it went."""

    counts: Tables  # family counts that were expected
    trace: Array  # the objective after each step; it never falls
    converged: bool


@dataclass(frozen=True, eq=False)
class Objective:
    """The objective of these rows: its value anywhere, and what leads to larger ones."""

    evidence: ScaledEvidence  # rows with gaps
    weights: Array  # of these rows
    counted: Tables  # family counts of all other rows: these never change
    pseudo_counts: list[float]  # of each entry, for each table
    total_weight: float  # of all rows
    negligible: float  # counts below this change no digit of the probability of any row
    tree: JunctionTree

    def expect(self, tables: Tables) -> tuple[Tables, float]:
        """The E-step: the family counts expected under these tables, and the objective there.

        N_ijk = sum over rows d of P(Y_i = j, parents of Y_i = k | d, w)
        """
        tree = self.tree.with_tables(tables)
        expected, log_rows = expected_family_counts(tree, self.evidence, self.weights)
        value = float((self.weights * log_rows).sum())
        with np.errstate(divide="ignore"):
            logs = [np.log(table) for table in tables]
        for counts, log_table in zip(self.with_pseudo_counts(self.counted), logs, strict=True):
            terms = np.multiply(counts, log_table, out=np.zeros(counts.shape), where=counts > 0)
            value += float(terms.sum())  # nothing times log 0 is nothing
        return [some + more for some, more in zip(self.counted, expected, strict=True)], value

    def with_pseudo_counts(self, counts: Tables) -> Tables:
        """Counts and what the prior adds to them."""
        pairs = zip(counts, self.pseudo_counts, strict=True)
        return [of_family + pseudo for of_family, pseudo in pairs]

    def estimate(self, counts: Tables) -> Tables:
        """The M-step: the tables that are best for these counts.

        Negligible counts are taken for 0. Without smoothing they shrink faster and faster, until
        products of several shares are too small for floats.
        """
        return [
            smoothed_shares(np.where(of_family < self.negligible, 0.0, of_family), pseudo)
            for of_family, pseudo in zip(counts, self.pseudo_counts, strict=True)
        ]


def objective_of(rows: IncompleteRows, rule: TableSmoothing) -> Objective:
    """The objective of all these rows; those without gaps are counted here, once.

    >>> from bayesic.networks.learning.estimates import checked_smoothing
    >>> from bayesic.networks.learning.incomplete import incomplete_rows
    >>> days = {"Rain": ["yes", "no", None], "Wet": ["yes", "no", "yes"]}
    >>> rows = incomplete_rows(days, {"Rain": (), "Wet": ("Rain",)}, {"Rain": None, "Wet": None})
    >>> objective = objective_of(rows, checked_smoothing(0))
    >>> tables = [np.array([0.5, 0.5]), np.array([[0.75, 0.25], [0.25, 0.75]])]
    >>> (rain, wet), log_probability = objective.expect(tables)
    >>> rain, wet  # states are no, yes: P(rain | wet) = 3/4
    (array([1.25, 1.75]), array([[1. , 0.25], [0. , 1.75]]))
    >>> round(log_probability, 6) == round(float(np.log(3 / 8 * 3 / 8 * 1 / 2)), 6)
    True
    """
    has_gaps = np.any(rows.codes < 0, axis=1)
    counted = rows.where(np.flatnonzero(~has_gaps)).observed_counts()
    uniform = tuple(np.full(counts.shape, 1 / counts.shape[-1]) for counts in counted)
    with_gaps = rows.where(np.flatnonzero(has_gaps))
    return Objective(
        scaled_evidence(np.array(with_gaps.codes, np.int64, order="C")),
        with_gaps.weights,
        counted,
        [rule.pseudo_count(counts.shape) for counts in counted],
        float(rows.weights.sum()),
        EPSILON**2 * float(rows.weights.min()),
        compile_tree(Factors(rows.sizes, rows.scopes, uniform)),
    )
