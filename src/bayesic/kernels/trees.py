"""Passing messages in a junction tree, in NumPy and in logs: the specification.

Every row brings its own evidence. What it says is put in first: a table shrinks to the cells that
agree with the evidence, and only those are computed with.
"""

from typing import NamedTuple

import numpy as np

from bayesic.kernels import Array

# columns of CliquePlan.cliques: where its axes, its factors, its children, its message and the
# strides of its message begin; its parent, -1 for the root, which is clique 0; how many axes its
# separator has
AXES, FACTORS, CHILDREN, MESSAGE, UPWARDS, PARENT, SEPARATOR = range(7)
# columns of CliquePlan.parts and Questions.asked: where the table begins (for a child: which clique
# it is), where its strides begin; of a table a power of two that no entry but 0 is below; of an
# answer how many cells it has
INDEX, FIRST_STRIDE, LOW = range(3)
N_CELLS = LOW


class CliquePlan(NamedTuple):
    """A junction tree in flat arrays. Cliques are numbered so that each comes after its parent.

    An axis is one variable in one clique. The axes of a clique begin with its separator: the
    variables that its parent holds too. Messages and tables have a stride for each axis of the
    clique they are used in, 0 where they do not depend on the variable. All int64 but the tables.
    """

    sizes: Array  # (n_variables,)  states of each variable
    cliques: Array  # (n_cliques + 1, 7)  the last row is where all ends; UPWARDS: a single 1
    axes: Array  # (n_axes,)  the variable of each axis
    parts: Array  # (n_factors + n_cliques - 1, 3)  of each clique its factors, then its children
    strides: Array
    tables: Array  # float64, at most 1


class Questions(NamedTuple):
    """Sets of variables whose posterior is asked, each within one clique, sorted by clique."""

    first: Array  # (n_cliques + 1,)  where the questions of each clique begin
    asked: Array  # (n_questions, 3)
    strides: Array


class RowEvidence(NamedTuple):
    """What is known of each row."""

    states: Array  # int64 (n_rows, n_variables)  the observed state, -1 where there is none
    soft_index: Array  # int64 (n_variables,)  where its likelihoods begin, -1 where it has none
    likelihoods: Array  # float64 (n_rows or 1, n_likelihoods), at most 1


def posteriors(
    plan: CliquePlan, questions: Questions, evidence: RowEvidence
) -> tuple[Array, Array]:
    """The answers of each row, and the log of what the row's product of tables sums up to.

        message of a clique to its parent = sum of (tables * messages of its children)
                                            over the variables that the parent does not hold
        message of a clique to a child    = sum of (tables * all messages) / message of the child
        posterior in a clique             = tables * all messages, divided by their sum

    [LauritzenSpiegelhalter], in the form of [HUGIN]. Rows whose product is 0 everywhere get answers
    of 0.

    Returns float64 (n_rows, n_cells of all answers) and float64 (n_rows,).
    """
    answers = np.zeros((len(evidence.states), int(questions.asked[:, N_CELLS].sum())))
    log_total = np.empty(len(answers))
    with np.errstate(divide="ignore"):
        for row in range(len(answers)):
            tree = _RowInTree(plan, evidence, row, maximum=False)
            tree.collect()
            log_total[row] = _log_sum(tree.log_table(0)).item()
            if log_total[row] > -np.inf:
                tree.distribute(questions, answers[row])
    return answers, log_total


def expected_counts(
    plan: CliquePlan, questions: Questions, evidence: RowEvidence, weights: Array
) -> tuple[Array, Array]:
    """The answers of `posteriors`, added up over the rows by their weights; rows are not kept.

    Returns float64 (n_cells of all answers,) and float64 (n_rows,).
    """
    counts = np.zeros(int(questions.asked[:, N_CELLS].sum()))
    log_total = np.empty(len(weights))
    for row in range(len(weights)):
        one = rows_of(evidence, slice(row, row + 1))
        (answers,), log_total[row : row + 1] = posteriors(plan, questions, one)
        counts += weights[row] * answers
    return counts, log_total


def rows_of(evidence: RowEvidence, rows: slice | Array) -> RowEvidence:
    """The evidence of some of the rows."""
    likelihoods = evidence.likelihoods
    if len(likelihoods) > 1:
        likelihoods = likelihoods[rows]
    return RowEvidence(evidence.states[rows], evidence.soft_index, likelihoods)


def most_probable(plan: CliquePlan, evidence: RowEvidence) -> tuple[Array, Array]:
    """The states of all variables that make each row's product of tables largest, and its log.

    Like `posteriors`, with the maximum in place of the sum; then from the root on each clique takes
    its best states given those taken before [Dawid]. Where several are best it takes the first.

    Returns int64 (n_rows, n_variables) and float64 (n_rows,).
    """
    states = evidence.states.copy()
    log_largest = np.empty(len(states))
    with np.errstate(divide="ignore"):
        for row in range(len(states)):
            tree = _RowInTree(plan, evidence, row, maximum=True)
            tree.collect()
            log_largest[row] = tree.log_table(0).max()
            states[row] = tree.best_states()
    return states, log_largest


class _RowInTree:
    """The messages of one row. All tables are logs over the free variables of a clique."""

    def __init__(self, plan: CliquePlan, evidence: RowEvidence, row: int, maximum: bool) -> None:
        self.plan = plan
        self.state = evidence.states[row].copy()
        self.soft_index = evidence.soft_index
        self.likelihood = evidence.likelihoods[row % len(evidence.likelihoods)]
        self.log_sum = _maximum if maximum else _log_sum
        self.up = np.zeros(plan.cliques[-1, MESSAGE])
        self.down = np.zeros(plan.cliques[-1, MESSAGE])

    def collect(self) -> None:
        """Messages from the leaves to the root."""
        for clique in range(len(self.plan.cliques) - 2, 0, -1):
            up = self.message(self.up, clique)
            up[...] = self.summed(self.log_table(clique), up)

    def distribute(self, questions: Questions, answers: Array) -> None:
        """Messages from the root to the leaves, and the answers on the way."""
        plan = self.plan
        for clique in range(len(plan.cliques) - 1):
            table = self.log_table(clique)
            if clique:
                table = table + self.message(self.down, clique)
            for index, start, size in questions.asked[slice(*questions.first[clique : clique + 2])]:
                answer = self.view(answers, clique, index, questions.strides[start:])
                log_answer = self.summed(table, answer)
                answer[...] = np.exp(log_answer - log_answer.max())
                cells = slice(index, index + size)
                answers[cells] /= answers[cells].sum()
            for child, start in self.children(clique):
                index, strides = plan.cliques[child, MESSAGE], plan.strides[start:]
                up = self.view(self.up, clique, index, strides)
                down = self.view(self.down, clique, index, strides)
                impossible = up == -np.inf
                down[...] = self.summed(table, up) - np.where(impossible, 0.0, up)
                down -= down.max()

    def best_states(self) -> Array:
        for clique in range(len(self.plan.cliques) - 1):
            variables = self.variables(clique)
            free = variables[self.state[variables] < 0]
            table = self.log_table(clique)
            self.state[free] = np.unravel_index(table.argmax(), table.shape)
        return self.state

    def log_table(self, clique: int) -> Array:
        """The product of what the clique holds: its tables, likelihoods, messages of children."""
        plan = self.plan
        variables = self.variables(clique)
        free = self.state[variables] < 0
        table = np.zeros(plan.sizes[variables[free]])
        for index, start, _ in plan.parts[slice(*plan.cliques[clique, [FACTORS, CHILDREN]])]:
            table += np.log(self.view(plan.tables, clique, index, plan.strides[start:]))
        for child, start in self.children(clique):
            index = plan.cliques[child, MESSAGE]
            table += self.view(self.up, clique, index, plan.strides[start:])
        for axis in range(plan.cliques[clique, SEPARATOR], len(variables)):
            index = self.soft_index[variables[axis]]
            if index >= 0:
                strides = (np.arange(len(variables)) == axis).astype(np.int64)
                table += np.log(self.view(self.likelihood, clique, index, strides))
        return table

    def variables(self, clique: int) -> Array:
        return self.plan.axes[slice(*self.plan.cliques[clique : clique + 2, AXES])]

    def children(self, clique: int) -> Array:
        first, end = self.plan.cliques[[clique, clique + 1], [CHILDREN, FACTORS]]
        return self.plan.parts[first:end, :LOW]

    def message(self, messages: Array, clique: int) -> Array:
        index, start = self.plan.cliques[clique, [MESSAGE, UPWARDS]]
        return self.view(messages, clique, index, self.plan.strides[start:])

    def view(self, values: Array, clique: int, index: int, strides: Array) -> Array:
        """The cells that agree with the evidence, over the free axes; length 1 where stride 0."""
        variables = self.variables(clique)
        strides = strides[: len(variables)]
        state = self.state[variables]
        free = state < 0
        start = index + int(state[~free] @ strides[~free])
        steps = strides[free]
        shape = np.where(steps == 0, 1, self.plan.sizes[variables[free]])
        return np.ndarray(shape, np.float64, values, 8 * start, 8 * steps)

    def summed(self, table: Array, like: Array) -> Array:
        """The table summed over the axes that have length 1 in the other."""
        axes = tuple(axis for axis, size in enumerate(like.shape) if size < table.shape[axis])
        return self.log_sum(table, axes) if axes else table


def _maximum(table: Array, axes: tuple[int, ...] | None = None) -> Array:
    return table.max(axis=axes, keepdims=True)


def _log_sum(table: Array, axes: tuple[int, ...] | None = None) -> Array:
    """log(sum(exp(table))) without leaving the range of floats; -inf where all are -inf."""
    largest = table.max(axis=axes, keepdims=True)
    largest = np.where(largest == -np.inf, 0.0, largest)
    return np.log(np.exp(table - largest).sum(axis=axes, keepdims=True)) + largest
