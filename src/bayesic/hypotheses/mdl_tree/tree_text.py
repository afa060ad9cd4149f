"""A decision tree as text, and the path of one row through it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesic.evidence.bars import display_width
from bayesic.evidence.fractions import value_text
from bayesic.html import html_table
from bayesic.hypotheses.mdl_tree.decision_tree import Tree
from bayesic.hypotheses.mdl_tree.tree_columns import TreeColumn
from bayesic.kernels import Array
from bayesic.kernels.tree_splits import GAP, NONE


@dataclass(frozen=True)
class Step:
    """One test on the way to a leaf."""

    column: str
    value: str | None  # what the row has; None if it was not observed
    branch: str  # the answer of the tree, such as "wind = Strong"
    count: dict[Any, float]  # class -> learned rows behind it
    is_guess: bool = False  # there is no branch for the value: this one has most rows


@dataclass(frozen=True)
class Path:
    """Why one row gets its answer: the tests from the root to its leaf.

    >>> steps = (Step("wind", "Strong", "wind = Strong", {"No": 3.0, "Yes": 1.0}),)
    >>> print(Path("No", {"No": 2 / 3, "Yes": 1 / 3}, steps, {"No": 3.0, "Yes": 1.0}))
    No (0.6667) from a leaf of 4 rows
      wind = Strong  No 3, Yes 1
    """

    answer: Any
    probability: dict[Any, float]  # class -> probability
    steps: tuple[Step, ...]
    count: dict[Any, float]  # class -> learned rows in the leaf

    def __str__(self) -> str:
        lines = self._branches_and_counts()
        width = max((display_width(branch) for branch, _ in lines), default=0)
        shown = (f"  {branch}{' ' * (width - display_width(branch))}  {n}" for branch, n in lines)
        return "\n".join([self.headline(), *shown])

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_html(self, with_headline: bool = True) -> str:
        """A table of HTML, as notebooks show it."""
        headline = self.headline() if with_headline else None
        return html_table(("test", "rows"), self._branches_and_counts(), headline)

    def headline(self) -> str:
        """The answer, its probability, and how many learned rows the leaf has."""
        n_rows = sum(self.count.values())
        return f"{self.answer} ({self.probability[self.answer]:.4f}) from a leaf of {rows(n_rows)}"

    def _branches_and_counts(self) -> list[tuple[str, str]]:
        return [
            (step.branch + " (most rows)" * step.is_guess, count_text(step.count))
            for step in self.steps
        ]


def rows(number: float) -> str:
    """A number of rows.

    >>> rows(1.0), rows(2.5)
    ('1 row', '2.5 rows')
    """
    return f"{value_text(number)} row{'' if number == 1 else 's'}"


def count_text(count: dict[Any, float]) -> str:
    """The classes that occur, and how often.

    >>> count_text({"No": 3.0, "Perhaps": 0.0, "Yes": 1.0})
    'No 3, Yes 1'
    """
    return ", ".join(f"{label} {value_text(n)}" for label, n in count.items() if n > 0)


def branch_text(tree: Tree, columns: Sequence[TreeColumn], node: int, child: int) -> str:
    """The column that a node asks for, and the answer that leads to one of its children."""
    return f"{columns[tree.column[node]].name} {answer_text(tree, columns, node, child)}"


def answer_text(tree: Tree, columns: Sequence[TreeColumn], node: int, child: int) -> str:
    """The answer that leads from a node to one of its children, such as "<= 5" or "= Strong"."""
    levels, asked = columns[tree.column[node]].levels, tree.value[node]
    is_first = child == tree.first_child[node]
    if levels is None:
        return f"{'<=' if is_first else '>'} {value_text(tree.cut[node])}"
    is_it = asked == NONE or is_first
    level = tree.level[child] if asked == NONE else asked
    if level == GAP:
        return "not observed" if is_it else "observed"
    return f"{'=' if is_it else 'is not'} {levels[level]}"


def leaf_text(tree: Tree, classes: Array, node: int) -> str:
    """The class of a leaf, how many rows it has, and how many of them are exceptions."""
    count = tree.class_count[node]
    n_exceptions = count.sum() - count.max()
    some = f", {value_text(n_exceptions)} other" if n_exceptions > 0 else ""
    return f"{classes[count.argmax()]} ({rows(count.sum())}{some})"


def tree_text(tree: Tree, columns: Sequence[TreeColumn], classes: Array) -> str:
    """The whole tree, one line for each branch."""
    length = tree.length
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves} leaves"
    head = (
        f"{leaves}, {length.total:.1f} bits: {length.tree:.1f} of the tree, "
        f"{length.exceptions:.1f} of the exceptions"
    )
    if tree.n_leaves == 1:
        return f"{head}\n{leaf_text(tree, classes, 0)}"
    return "\n".join([head, *_lines(tree, columns, classes)])


def _lines(tree: Tree, columns: Sequence[TreeColumn], classes: Array) -> Iterator[str]:
    waiting = [(0, child, 0) for child in reversed(tree.children(0))]
    while waiting:
        node, child, depth = waiting.pop()
        branch = "|   " * depth + branch_text(tree, columns, node, child)
        if tree.n_children[child]:
            yield branch
        else:
            yield f"{branch}: {leaf_text(tree, classes, child)}"
        waiting += [(child, below, depth + 1) for below in reversed(tree.children(child))]


def path_to(
    tree: Tree,
    columns: Sequence[TreeColumn],
    classes: list,
    cells: Sequence[Array],
    shown: Sequence[str | None],
) -> tuple[Step, ...]:
    """The steps of one row; cells of each column (1,), shown as a reader knows them."""
    steps, node = [], 0
    while tree.n_children[node]:
        column = int(tree.column[node])
        child = int(tree.child_of(node, cells[column])[0])
        branch = branch_text(tree, columns, node, child)
        count = dict(zip(classes, tree.class_count[child].tolist(), strict=True))
        is_guess = _has_no_branch(tree, node, child, cells[column][0])
        steps.append(Step(columns[column].name, shown[column], branch, count, is_guess))
        node = child
    return tuple(steps)


def _has_no_branch(tree: Tree, node: int, child: int, cell: Any) -> bool:
    if tree.value[node] != NONE:
        return False
    return bool(np.isnan(cell) if np.isfinite(tree.cut[node]) else cell != tree.level[child])
