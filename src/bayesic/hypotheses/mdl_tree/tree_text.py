"""A tree for the reader: all of it, the way of one row to its leaf, and what each column tells."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bayesic.data.languages import Sentence, number_of, said
from bayesic.data.typing import Label
from bayesic.estimation.information import class_information
from bayesic.evidence.column_table import ColumnTable, whole
from bayesic.evidence.fractions import value_text
from bayesic.evidence.summary import ColumnSummary
from bayesic.evidence.text_table import aligned
from bayesic.html import html_table
from bayesic.hypotheses.mdl_tree._decision_tree import DecisionTree
from bayesic.hypotheses.mdl_tree._tree_columns import TreeColumn
from bayesic.hypotheses.mdl_tree._tree_growth import GAP, NONE
from bayesic.kernels import Array


@dataclass(frozen=True)
class PathStep:
    """One test on the way to a leaf."""

    column: str
    value: str | None  # what the row has; None if it is missing
    branch: str  # the answer of the tree, such as "wind = Strong"
    count: dict[Label, float]  # class -> learned rows behind it
    is_guess: bool = False  # there is no branch for the value: this one has most rows


@dataclass(frozen=True)
class Path:
    """Why one row gets its answer: the tests from the root to its leaf.

    >>> steps = (PathStep("wind", "Strong", "wind = Strong", {"No": 3.0, "Yes": 1.0}),)
    >>> print(Path("No", {"No": 2 / 3, "Yes": 1 / 3}, steps, {"No": 3.0, "Yes": 1.0}))
    No (0.6667) from a leaf of 4 rows
      wind = Strong  No 3, Yes 1
    """

    answer: Label
    probability: dict[Label, float]  # class -> probability
    steps: tuple[PathStep, ...]
    count: dict[Label, float]  # class -> learned rows in the leaf

    def __str__(self) -> str:
        return "\n".join([self.headline(), *aligned(self._branches_and_counts())])

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_html(self, with_headline: bool = True) -> str:
        """A table of HTML, as notebooks show it."""
        headline = self.headline() if with_headline else None
        names = [said(name) for name in ("test", "rows")]
        return html_table(names, self._branches_and_counts(), headline)

    def headline(self) -> str:
        """The answer, its probability, and how many learned rows the leaf has."""
        indices = {"label": self.answer, "share": f"{self.probability[self.answer]:.4f}"}
        rows = _rows(sum(self.count.values()))
        return said("{label} ({share}) from a leaf of {rows}", **indices, rows=rows)

    def _branches_and_counts(self) -> list[tuple[str, str]]:
        guess = "{branch} (most rows)"
        return [
            (
                said(guess, branch=step.branch) if step.is_guess else said(step.branch),
                _count_text(step.count),
            )
            for step in self.steps
        ]


def _rows(number: float) -> str:
    """A number of rows.

    >>> _rows(1.0), _rows(2.5)
    ('1 row', '2.5 rows')
    """
    return number_of(str(value_text(number)), number == 1, "row")


def _count_text(count: dict[Label, float]) -> str:
    """The classes that occur, and how often.

    >>> _count_text({"No": 3.0, "Perhaps": 0.0, "Yes": 1.0})
    'No 3, Yes 1'
    """
    return ", ".join(f"{label} {value_text(n)}" for label, n in count.items() if n > 0)


def _branch_text(
    tree: DecisionTree, columns: Sequence[TreeColumn], node: int, child: int
) -> Sentence:
    """The column that a node asks for, and the answer that leads to one of its children."""
    answer = answer_text(tree, columns, node, child)
    return Sentence("{column} {answer}", column=columns[tree.column[node]].name, answer=answer)


def answer_text(
    tree: DecisionTree, columns: Sequence[TreeColumn], node: int, child: int
) -> Sentence:
    """The answer that leads from a node to one of its children, such as "<= 5" or "= Strong"."""
    levels, value = columns[tree.column[node]].levels, tree.value[node]
    is_first = child == tree.first_child[node]
    if levels is None:
        return Sentence("<= {cut}" if is_first else "> {cut}", cut=value_text(tree.cut[node]))
    is_it = value == NONE or is_first
    level = tree.level[child] if value == NONE else value
    if level == GAP:
        return Sentence("is not observed" if is_it else "is observed")
    return Sentence("= {level}" if is_it else "is not {level}", level=levels[level])


def leaf_text(tree: DecisionTree, classes: Array, node: int) -> str:
    """The class of a leaf, how many rows it has, and how many of them are exceptions."""
    count = tree.class_count[node]
    n_exceptions = count.sum() - count.max()
    parts = {"label": classes[count.argmax()], "rows": _rows(count.sum())}
    if n_exceptions == 0:
        return said("{label} ({rows})", **parts)
    number = value_text(n_exceptions)
    return said("{label} ({rows}, {number} other)", **parts, number=number)


def leaves_text(number: int) -> str:
    """A number of leaves.

    >>> leaves_text(1), leaves_text(2)
    ('1 leaf', '2 leaves')
    """
    return number_of(str(number), number == 1, "leaf")


def tree_text(tree: DecisionTree, columns: Sequence[TreeColumn], classes: Array) -> str:
    """The whole tree, one line for each branch."""
    length = tree.length
    head = said(
        "{leaves}, {bits} bits: {tree} of the tree, {exceptions} of the exceptions",
        leaves=leaves_text(tree.n_leaves),
        bits=f"{length.total:.1f}",
        tree=f"{length.tree:.1f}",
        exceptions=f"{length.exceptions:.1f}",
    )
    if tree.n_leaves == 1:
        return f"{head}\n{leaf_text(tree, classes, 0)}"
    return "\n".join([head, *_lines(tree, columns, classes)])


def _lines(tree: DecisionTree, columns: Sequence[TreeColumn], classes: Array) -> Iterator[str]:
    waiting = [(0, child, 0) for child in reversed(tree.children(0))]
    while waiting:
        node, child, depth = waiting.pop()
        branch = "|   " * depth + said(_branch_text(tree, columns, node, child))
        if tree.n_children[child]:
            yield branch
        else:
            yield f"{branch}: {leaf_text(tree, classes, child)}"
        waiting += [(child, below, depth + 1) for below in reversed(tree.children(child))]


def path_to(
    tree: DecisionTree,
    columns: Sequence[TreeColumn],
    classes: list,
    cells: Sequence[Array],
    shown: Sequence[str | None],
) -> tuple[PathStep, ...]:
    """The steps of one row; cells of each column (1,), shown as a reader knows them."""
    steps, node = [], 0
    while tree.n_children[node]:
        column = int(tree.column[node])
        child = int(tree.child_of(node, cells[column])[0])
        branch = _branch_text(tree, columns, node, child)
        count = dict(zip(classes, tree.class_count[child].tolist(), strict=True))
        is_guess = _has_no_branch(tree, node, child, cells[column][0])
        steps.append(PathStep(columns[column].name, shown[column], branch, count, is_guess))
        node = child
    return tuple(steps)


def _has_no_branch(tree: DecisionTree, node: int, child: int, cell: float) -> bool:
    if tree.value[node] != NONE:
        return False
    return bool(np.isnan(cell) if np.isfinite(tree.cut[node]) else cell != tree.level[child])


# column by column -----------------------------------------------------------------------------


def tree_column_summaries(
    tree: DecisionTree, columns: Sequence[TreeColumn], names: Sequence[str]
) -> list[ColumnSummary]:
    """The bits that the tests of each column say about the class.

        sum over the nodes n that ask for the column of N_n / N I(answer; C | n)

    Over all columns they add up to the mutual information of leaf and class.
    """
    bits = np.zeros(len(columns))
    n_rows = tree.class_count[0].sum()
    for node in np.flatnonzero(tree.n_children).tolist():
        information = class_information(tree.class_count[tree.children(node)])
        bits[tree.column[node]] += information * tree.class_count[node].sum() / n_rows / np.log(2)
    summed = {
        column.name: (column, information)
        for column, information in zip(columns, bits, strict=True)
    }
    summaries = []
    for name in names:
        if name not in summed:
            summaries.append(ColumnSummary(name, "ignore", note="not used"))
            continue
        column, information = summed[name]
        kind = "number" if column.levels is None else "categorical"
        n_values = None if column.levels is None else len(column.levels)
        note = "" if (tree.column == columns.index(column)).any() else "in no test"
        summaries.append(ColumnSummary(name, kind, n_values, float(information), note=note))
    return summaries


def tree_column_table(
    tree: DecisionTree, columns: Sequence[TreeColumn], classes: Sequence[Label], name: str
) -> ColumnTable:
    """The rows behind each answer to the tests on a column."""
    indices = [index for index, column in enumerate(columns) if column.name == name]
    if not indices:
        return ColumnTable(name, "ignore")
    kind = "number" if columns[indices[0]].levels is None else "categorical"
    records = tuple(
        {
            "value": answer_text(tree, columns, node, child),
            "counts": dict(zip(classes, map(whole, tree.class_count[child]), strict=True)),
        }
        for node in np.flatnonzero((tree.column == indices[0]) & (tree.n_children > 0)).tolist()
        for child in tree.children(node)
    )
    return ColumnTable(name, kind, values=records)
