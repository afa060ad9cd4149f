"""Posteriors from Markov blankets alone, where everything around a variable is observed.

Two variables are neighbours where a factor holds both. If no neighbour of a variable Y that was not
observed is unobserved either,

    P(Y = y | evidence) is proportional to the product over the factors f that hold Y of
                           table_f[y and what was observed]

[Pearl]: in a belief network these are the tables of Y and of its children. The probability of the
evidence is the product of such sums and of single entries of all other tables.
"""

from collections.abc import Sequence

import numpy as np

from bayesic.data.blocks import in_threads, row_blocks
from bayesic.kernels import Array
from bayesic.kernels.trees import RowEvidence, rows_of
from bayesic.networks.factors import Factors


def rows_apart(factors: Factors, states: Array) -> Array:
    """In which rows no two neighbours are both unobserved.

    >>> chain = Factors((2, 2, 2), ((0, 1), (1, 2)), (np.ones((2, 2)), np.ones((2, 2))))
    >>> rows_apart(chain, np.array([[-1, 0, -1], [-1, -1, 0], [1, 1, 1]]))
    array([ True, False,  True])
    """
    apart = np.ones(len(states), np.bool_)
    if not factors.neighbours.size:
        return apart
    one, other = factors.neighbours
    for rows in row_blocks(len(states), len(one)):
        missing = np.ascontiguousarray(states[rows].T < 0)
        apart[rows] = ~(missing[one] & missing[other]).any(axis=0)
    return apart


def blanket_posteriors(
    factors: Factors, targets: Sequence[int], evidence: RowEvidence, totals: bool = True
) -> tuple[Array, Array]:
    """The posteriors of the targets and the log of P(evidence), in rows that are `rows_apart`.

    totals : if False, the log of P(evidence) is only told from -inf: factors without zeros whose
             variables are all observed are ignored

    Returns float64 (n_rows, sum of the cardinalities of the targets) and float64 (n_rows,).
    """
    sizes = factors.cardinalities
    n_rows = len(evidence.states)
    answers = np.empty((n_rows, sum(sizes[target] for target in targets)))
    log_total = np.empty(n_rows)
    with np.errstate(divide="ignore"):
        log_tables = [np.log(table).ravel() for table in factors.tables]

    def fill(rows: slice) -> None:
        products = _Products(factors, log_tables, rows_of(evidence, rows), totals)
        log_total[rows] = products.log_total
        parts = [products.posterior(target) for target in targets]
        answers[rows] = np.concatenate(parts, axis=1) if parts else 0.0

    for _ in in_threads(fill, row_blocks(n_rows, factors.n_variables + 1)):
        pass
    return answers, log_total


class _Products:
    """The log of the product around each unobserved variable of some rows, and of all of it."""

    def __init__(
        self, factors: Factors, log_tables: Sequence[Array], evidence: RowEvidence, totals: bool
    ) -> None:
        self.evidence = evidence
        self.sizes = factors.cardinalities
        self.states = np.ascontiguousarray(evidence.states.T)  # one variable after the other
        self.open_rows = [np.flatnonzero(states < 0) for states in self.states]
        self.seen = np.maximum(self.states, 0)  # where a variable is open, its first state
        self.around = [
            np.zeros((len(rows), size))
            for rows, size in zip(self.open_rows, self.sizes, strict=True)
        ]
        self.log_total = np.zeros(len(evidence.states))
        with np.errstate(divide="ignore"):
            for scope, table, positive in zip(
                factors.scopes, log_tables, factors.without_zeros, strict=True
            ):
                if totals or not positive or any(len(self.open_rows[v]) for v in scope):
                    self._multiply(scope, table)
            self._multiply_likelihoods()
            self.posteriors = {
                variable: self._finish(variable)
                for variable, rows in enumerate(self.open_rows)
                if len(rows)
            }

    def _multiply(self, scope: Sequence[int], log_table: Array) -> None:
        """Put in a factor: one entry in most rows, a line of entries where a variable is open."""
        stride, cells, strides = 1, np.zeros(len(self.log_total), np.int64), []
        for variable in reversed(scope):
            cells += self.seen[variable] if stride == 1 else stride * self.seen[variable]
            strides.append((variable, stride))
            stride *= self.sizes[variable]
        single = log_table[cells]
        for variable, stride in strides:
            rows = self.open_rows[variable]
            if len(rows):
                line = cells[rows, None] + stride * np.arange(self.sizes[variable])
                self.around[variable] += log_table[line]
                single[rows] = 0.0
        self.log_total += single

    def _multiply_likelihoods(self) -> None:
        for variable, index in enumerate(self.evidence.soft_index):
            if index < 0:
                continue
            values = self.evidence.likelihoods[:, index : index + self.sizes[variable]]
            logs = np.broadcast_to(np.log(values), (len(self.log_total), self.sizes[variable]))
            rows = self.open_rows[variable]
            self.around[variable] += logs[rows]
            of_seen = logs[np.arange(len(logs)), self.seen[variable]]
            self.log_total += np.where(self.states[variable] < 0, 0.0, of_seen)

    def _finish(self, variable: int) -> Array:
        """The posterior of a variable in its open rows; its sum goes into the total."""
        around = self.around[variable]
        largest = around.max(axis=1, keepdims=True)
        largest[largest == -np.inf] = 0.0
        shares = np.exp(around - largest)
        total = shares.sum(axis=1, keepdims=True)
        self.log_total[self.open_rows[variable]] += (np.log(total) + largest)[:, 0]
        return shares / np.where(total > 0, total, 1.0)

    def posterior(self, target: int) -> Array:
        """The posterior of a variable in all rows, 0 in impossible ones."""
        states = self.states[target]
        answer = np.zeros((len(states), self.sizes[target]))
        seen = np.flatnonzero(states >= 0)
        answer[seen, states[seen]] = 1.0
        if target in self.posteriors:
            answer[self.open_rows[target]] = self.posteriors[target]
        answer[self.log_total == -np.inf] = 0.0
        return answer
