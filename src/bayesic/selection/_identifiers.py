"""Columns that no candidate should learn unless they are declared."""

import warnings
from collections.abc import Sequence

from bayesic.contract.constructor import clone
from bayesic.data.arguments import tell
from bayesic.data.typing import LabelsLike, TableLike
from bayesic.models.classifier import CountingClassifier
from bayesic.models.columns.looks import MOST_NAMED, look_of
from bayesic.models.columns.naive_bayes import NaiveBayes

IDENTIFIERS = ("identifier", "count")  # looks of columns that say nothing about new rows


def without_identifiers(
    models: Sequence[CountingClassifier], X: TableLike, y: LabelsLike
) -> list[CountingClassifier]:
    """The candidates with identifiers left out; those that take all columns are left out then."""
    names = identifiers(X, y)
    if not names:
        return list(models)
    tell(
        f"{say_left_out(names)} Gaussian models take all columns of a table, so they are left out "
        "as well: drop these columns yourself to try them, or pass candidates that should learn "
        "them."
    )
    ignored = dict.fromkeys(names, "ignore")
    return [
        clone(model).set_params(columns=ignored)
        for model in models
        if "columns" in model.get_params(deep=False)
    ]


def say_left_out(names: Sequence[str]) -> str:
    """That columns are left out, and why.

    >>> say_left_out(["id"])
    "Left out, as they look like identifiers: 'id'."
    """
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    listed = ", ".join(map(repr, names[:MOST_NAMED]))
    return f"Left out, as they look like identifiers: {listed}{more}."


def identifiers(X: TableLike, y: LabelsLike) -> list[str]:
    """The columns with a different value in nearly every row, or with the row number.

    None if there is no other column: then there is nothing else to learn.

    >>> customers = {"id": [f"C{n}" for n in range(40)], "sky": ["sun", "rain"] * 20}
    >>> identifiers(customers, ["out", "in"] * 20)
    ['id']
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            columns = NaiveBayes().fit(X, y).statistics_.columns
        except (TypeError, ValueError):  # said by the candidates, which cannot learn it either
            return []
    names = [name for name, counts in columns.items() if look_of(counts) in IDENTIFIERS]
    return names if len(names) < len(columns) else []
