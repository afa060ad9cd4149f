"""What each column of a table is: kind, what is missing, a small picture, bits, a warning."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from bayesic.models.columns.looks import look_of
from bayesic.models.columns.naive_bayes import NaiveBayes
from bayesic.models.columns.schema import checked_kinds
from bayesic.studio.table._open_tables import Columns, OpenTable, shown

N_BARS = 16  # of a small picture
MOST_CLASSES = 200  # of a target: more are measurements, or identifiers


@lru_cache(maxsize=4)  # tables, of which a desk asks again and again
def looks(table: OpenTable) -> dict[str, str]:
    """The columns that are not what they seem: "text", "identifier", "count" or "date"."""
    dates = {name: "date" for name, kind in table.stored.items() if kind == "date"}
    others = {name: cells for name, cells in table.rows.items() if name not in dates}
    counts = _counts(others, len(table.numbers)) if others else {}
    found = {name: look_of(counts[name]) for name in others if name in counts}
    return {**dates, **{name: look for name, look in found.items() if look is not None}}


def _counts(columns: Columns, n_rows: int) -> dict[str, Any]:
    """The values of each column, without those that cannot be learned, such as with 1e308."""
    try:
        return NaiveBayes().fit(columns, ["row"] * n_rows).statistics_.columns
    except ValueError:
        if len(columns) == 1:
            return {}
        each = [_counts({name: cells}, n_rows) for name, cells in columns.items()]
        return {name: counts for of_one in each for name, counts in of_one.items()}


def suggested(table: OpenTable, target: str | None, takes: Sequence[str]) -> dict[str, str]:
    """The kinds of columns that are not what they seem, unless a person says otherwise.

    takes : the kinds that the model takes. Texts are left out if it takes none
    """
    of_texts = "text" if "text" in takes else "ignore"
    return {
        name: of_texts if look == "text" else "ignore"
        for name, look in looks(table).items()
        if name != target
    }


def declared_kinds(
    table: OpenTable, target: str | None, kinds: Mapping[str, str], takes: Sequence[str]
) -> dict[str, str]:
    """The declared columns of a model: what a person has chosen, then what is suggested."""
    for name in checked_kinds(kinds):
        if name not in table.stored:
            raise ValueError(f"There is no column {name!r:.80} to have a kind.")
    given = {name: kind for name, kind in kinds.items() if name != target}
    return {**suggested(table, target, takes), **given}


def profiled(
    table: OpenTable, target: str | None, kinds: Mapping[str, str], takes: Sequence[str]
) -> dict[str, Any]:
    """All columns, in the order of the file; with a target, the bits that each says about it.

    If the target cannot be learned, `unfit` says why: another one can be chosen then.
    """
    seen, declared = looks(table), declared_kinds(table, target, kinds, takes)
    summary, unfit = {}, None
    if target is not None:
        try:
            summary = _summaries(table, target, declared)
        except ValueError as error:
            unfit = str(error)
    return {
        "unfit": unfit,
        "n_rows": table.cases.n_rows,
        "n_shown": len(table.numbers),
        "target": target,
        "entropy": summary.pop("", None),
        "columns": [
            {
                "name": name,
                "stored": stored,
                "kind": declared.get(name),
                "found": summary[name].kind if name in summary else None,
                "missing": table.missing[name],
                "look": seen.get(name),
                "bits": summary[name].bits if name in summary else None,
                "left_out": summary[name].left_out if name in summary else None,
                **_picture(table.rows[name], stored),
            }
            for name, stored in table.stored.items()
        ],
    }


def labelled(table: OpenTable, target: str) -> tuple[list[int], list]:
    """The indices of the rows that have a label, and the labels."""
    if target not in table.stored:
        raise ValueError(
            f"There is no column {target!r:.80}. The columns are {', '.join(table.stored):.300}."
        )
    if len(table.stored) == 1:
        raise ValueError("A table needs a column beside the target to learn from.")
    labels = table.rows[target]
    indices = [index for index, label in enumerate(labels) if label is not None]
    if not indices:
        raise ValueError(f"No row has a value of {target!r}, so there is nothing to learn.")
    n_classes = len({labels[index] for index in indices})
    if n_classes > MOST_CLASSES:
        raise ValueError(
            f"{target!r} has {n_classes:,} different values, and each would be a class. Choose a "
            f"target with {MOST_CLASSES} classes or fewer, or cut its numbers into a few classes."
        )
    return indices, [labels[index] for index in indices]


def _summaries(table: OpenTable, target: str, declared: Mapping[str, Any]) -> dict[str, Any]:
    indices, labels = labelled(table, target)
    columns: Columns = table.without(target, indices)
    summary = NaiveBayes(columns=dict(declared)).fit(columns, labels).summary()
    return {"": summary.entropy, **{part.name: part for part in summary.columns}}


# pictures -----------------------------------------------------------------------------------------


def _picture(cells: Sequence[Any], stored: str) -> dict[str, Any]:
    known = [cell for cell in cells if cell is not None]
    if stored == "number":
        numbers = np.array([float(cell) for cell in known])
        numbers = numbers[np.isfinite(numbers)]
        distinct = np.unique(numbers)
        if len(distinct) > N_BARS:
            counts, edges = np.histogram(numbers, N_BARS)
            return {
                "bars": [
                    [f"{low:.4g} – {high:.4g}", count]
                    for low, high, count in zip(edges, edges[1:], counts.tolist(), strict=False)
                ],
                "n_values": len(distinct),
                "is_cut": True,
            }
        known = sorted(known)
        counted = Counter(map(shown, known))
        bars = [[text, count] for text, count in counted.items()]
        return {"bars": bars, "n_values": len(bars), "is_cut": False}
    most = Counter(map(shown, known)).most_common()
    return {"bars": [list(pair) for pair in most[:N_BARS]], "n_values": len(most), "is_cut": False}
