"""Which rows are learned and which are judged by them: the folds of cross validation."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from bayesic.data.arguments import is_whole_number

Array = np.ndarray
Fold = tuple[Array, Array]  # numbers of the rows to learn, and of those to judge

LEAVE_ONE_OUT = "leave-one-out"


class TooManyFoldsError(ValueError):
    """There are more folds than rows of the largest class."""

    def __init__(self, n_folds: int, most: int) -> None:
        super().__init__(
            f"cv must be at most {most}, as many rows as the largest class has, got {n_folds}. "
            f"Use cv={LEAVE_ONE_OUT!r} where there are few."
        )
        self.n_folds, self.most = n_folds, most


def folds_of(cv: Any, labels: Array, seed: int = 0) -> list[Fold]:
    """The folds: of a number, of a splitter of scikit-learn, or as they are given.

    cv : the number of folds, which keep the shares of the classes and are shuffled by the seed
        (StratifiedKFold(cv, shuffle=True, random_state=seed)); any splitter of scikit-learn; or
        pairs of the numbers of rows to learn and of rows to judge

    >>> [judged.tolist() for _, judged in folds_of(2, np.array(["ham", "spam"] * 2))]
    [[1, 2], [0, 3]]
    """
    folds = list(_pairs(cv, labels, seed))
    if not folds or any(len(learned) == 0 or len(judged) == 0 for learned, judged in folds):
        raise ValueError(
            f"Every fold must have rows to learn and rows to judge, got {cv!r}. Use a number, such "
            "as cv=5."
        )
    return folds


def _pairs(cv: Any, labels: Array, seed: int) -> Iterator[Fold]:
    from sklearn.model_selection import StratifiedKFold

    if is_whole_number(cv):
        refuse_too_many(cv, labels)
        cv = StratifiedKFold(cv, shuffle=True, random_state=seed)
    if hasattr(cv, "split") and not isinstance(cv, str):
        cv = cv.split(np.zeros((len(labels), 1)), labels)
    for learned, judged in _iterated(cv):
        yield _rows(learned, len(labels)), _rows(judged, len(labels))


def _rows(places: Any, n_rows: int) -> Array:
    """Numbers of rows; a mask will do."""
    rows = np.asarray(places)
    try:
        if rows.ndim == 1:
            return np.arange(n_rows)[rows]
    except IndexError:
        pass  # numbers beyond the rows, or no numbers at all
    raise ValueError(
        f"The folds of cv must be lists of numbers of rows from 0 to {n_rows - 1}, got "
        f"{places!r:.80}."
    )


def _iterated(cv: Any) -> Iterator[Any]:
    try:
        folds = list(cv) if not isinstance(cv, (str, bytes)) else None
    except TypeError:
        folds = None
    if folds is None or any(not hasattr(fold, "__len__") or len(fold) != 2 for fold in folds):
        raise ValueError(
            f"cv must be None, {LEAVE_ONE_OUT!r}, a number of folds, a splitter of scikit-learn or "
            f"pairs of rows to learn and to judge, got {cv!r}."
        )
    return iter(folds)


def refuse_too_many(n_folds: int, labels: Array) -> None:
    """Refuse fewer than two folds, and folds of which some would have no row of any class."""
    if n_folds < 2:
        raise ValueError(f"cv must be 2 folds or more, got {n_folds}. Use cv=5, for example.")
    most = int(np.unique(labels, return_counts=True)[1].max())
    if most < n_folds:
        raise TooManyFoldsError(n_folds, most)


def folds_text(cv: Any, n_folds: int) -> str:
    """How rows were held out, for the reader.

    >>> folds_text(5, 5), folds_text([([0, 1], [2])], 1)
    ('5-fold cross validation', '1 split as given')
    """
    if is_whole_number(cv):
        return f"{n_folds}-fold cross validation"
    splits = "1 split" if n_folds == 1 else f"{n_folds} splits"
    return f"{splits} of {type(cv).__name__}" if hasattr(cv, "split") else f"{splits} as given"
