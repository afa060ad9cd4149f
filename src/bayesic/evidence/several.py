"""One row or several: reading the question, and the list of reasons that answers it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from bayesic.data.arguments import check_whole_number
from bayesic.data.sparse_matrices import is_sparse
from bayesic.data.typing import TableLike
from bayesic.evidence.explanation import Explanation
from bayesic.html import MOST_ROWS, escape, left_out

Reason = TypeVar("Reason")


class Reasons(list[Reason]):
    """A list of explanations, one for each row; print and notebooks show one after another.

    >>> Reasons(["first row", "second row"]) == ["first row", "second row"]
    True
    >>> print(Reasons(["first row", "second row"]))
    first row
    <BLANKLINE>
    second row
    """

    def __str__(self) -> str:
        return "\n\n".join(map(str, self))

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return Reasons(found) if isinstance(index, slice) else found

    def _repr_html_(self) -> str:
        shown = "".join(_folded(number, one) for number, one in enumerate(self[:MOST_ROWS]))
        more = "".join(f"<div>{note}</div>" for note in left_out(len(self), "rows"))
        return f"<div>{shown}{more}</div>"


def _folded(number: int, reason: Explanation) -> str:
    """The headline of a row, which opens to the rest."""
    headline = f"{number}: {reason.headline()}"
    return (
        '<details style="margin:0.2em 0"><summary style="cursor:pointer;display:list-item">'
        f"<b>{escape(headline)}</b></summary>{reason.to_html(with_headline=False)}</details>"
    )


def as_shown(explanations: list[Explanation], top: Any) -> Reasons[Explanation]:
    """These explanations, each to show the `top` strongest features, None for all."""
    if top is None:
        return Reasons(explanations)
    check_whole_number("top", top, least=1)
    return Reasons(replace(one, top=int(top)) for one in explanations)


# the rows of a question -------------------------------------------------------------------------


def is_single_row(X: TableLike) -> bool:
    """Whether X is one row rather than a list of rows.

    >>> is_single_row((2, "S")), is_single_row([(2, "S")]), is_single_row({"rain": 1, "wind": 0})
    (True, False, True)
    """
    if isinstance(X, Mapping) and not is_sparse(X):  # some sparse matrices are dicts
        return not any(_is_many(cell) for cell in X.values())
    if isinstance(X, (list, tuple)):
        return len(X) > 0 and not any(_is_many(cell) for cell in X)
    return getattr(X, "ndim", None) == 1 and hasattr(X, "__array__")


def is_flat_row(X: TableLike, n_columns: int) -> bool:
    """Whether X is one row where rows are asked for: a dict of cells, or a list of n_columns cells.

    An array of one dimension is not: it may as well be a column.

    >>> is_flat_row([2, "S"], 2), is_flat_row([2, "S"], 1), is_flat_row({"rain": [1, 0]}, 1)
    (True, False, False)
    """
    is_list = isinstance(X, (list, tuple)) and len(X) == n_columns
    return (is_list or isinstance(X, Mapping)) and is_single_row(X)


def _is_many(cell: object) -> bool:
    """Whether a cell is a row or a column itself.

    >>> _is_many(range(3)), _is_many("S"), _is_many(3)
    (True, False, False)
    """
    if isinstance(cell, (str, bytes)):
        return False
    return cell.ndim > 0 if hasattr(cell, "ndim") else hasattr(cell, "__len__")


def row_by_name(row: Mapping[object, object], names: Sequence[str]) -> list[object]:
    """The values of a row in the order of the names; every name must be there, and no other.

    >>> row_by_name({"wind": 3, "rain": 1}, ["rain", "wind"])
    [1, 3]
    """
    missing = [name for name in names if name not in row]
    unknown = [name for name in row if name not in names]
    if missing or unknown:
        raise ValueError(
            f"A row given by name must have the features {list(names)}: missing {missing}, "
            f"unknown {unknown}. Use NaN for a missing value."
        )
    return [row[name] for name in names]


def checked_names(feature_names: Any, learned: Sequence[str]) -> list[str]:
    """The names that are given for the features, or those that were learned if none are."""
    if feature_names is None:
        return list(learned)
    names = [str(name) for name in feature_names]
    if len(names) != len(learned):
        raise ValueError(
            f"feature_names must name all {len(learned)} features, got {len(names)}. "
            "Give one name for each column."
        )
    if len(set(names)) < len(names):
        raise ValueError(f"feature_names must name every feature once, got {names}.")
    return names
