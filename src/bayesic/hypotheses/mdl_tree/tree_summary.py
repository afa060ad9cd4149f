"""What the tests of a tree tell of the class, column by column."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bayesic.estimation.information import class_information
from bayesic.evidence.column_table import ColumnTable, whole
from bayesic.evidence.summary import ColumnSummary
from bayesic.hypotheses.mdl_tree.decision_tree import Tree
from bayesic.hypotheses.mdl_tree.tree_columns import TreeColumn
from bayesic.hypotheses.mdl_tree.tree_text import answer_text


def tree_column_summaries(
    tree: Tree, columns: Sequence[TreeColumn], names: Sequence[str]
) -> list[ColumnSummary]:
    """The bits that the tests of each column tell of the class.

        sum over the nodes n that ask for the column of N_n / N I(answer; C | n)

    Over all columns they add up to the mutual information of leaf and class.
    """
    bits = np.zeros(len(columns))
    n_rows = tree.class_count[0].sum()
    for node in np.flatnonzero(tree.n_children).tolist():
        told = class_information(tree.class_count[tree.children(node)])
        bits[tree.column[node]] += told * tree.class_count[node].sum() / n_rows / np.log(2)
    known = {column.name: (column, told) for column, told in zip(columns, bits, strict=True)}
    summaries = []
    for name in names:
        if name not in known:
            summaries.append(ColumnSummary(name, "ignore", note="not used"))
            continue
        column, told = known[name]
        kind = "number" if column.levels is None else "categorical"
        n_values = None if column.levels is None else len(column.levels)
        note = "" if (tree.column == columns.index(column)).any() else "in no test"
        summaries.append(ColumnSummary(name, kind, n_values, float(told), note=note))
    return summaries


def tree_column_table(
    tree: Tree, columns: Sequence[TreeColumn], classes: Sequence[Any], name: str
) -> ColumnTable:
    """The rows behind each answer to the tests on a column."""
    found = [place for place, column in enumerate(columns) if column.name == name]
    if not found:
        return ColumnTable(name, "ignore")
    kind = "number" if columns[found[0]].levels is None else "categorical"
    records = tuple(
        {
            "value": answer_text(tree, columns, node, child),
            "counts": dict(zip(classes, map(whole, tree.class_count[child]), strict=True)),
        }
        for node in np.flatnonzero((tree.column == found[0]) & (tree.n_children > 0)).tolist()
        for child in tree.children(node)
    )
    return ColumnTable(name, kind, values=records)
