"""The columns of a table: what is declared about them, and how later tables match them."""

from collections.abc import Mapping, Sequence

import numpy as np

from bayesic.data.arguments import tell
from bayesic.data.columns import Categories, Cells, Nothing, Numbers, united_levels
from bayesic.data.distinct import distinct_of_array
from bayesic.data.tables import Table

# kind of a column -> how its cells are stored
KINDS = {
    "categorical": "category",
    "bernoulli": "category",
    "gaussian": "number",
    "kernel": "number",
    "binned": "number",
    "poisson": "number",
    "text": "text",
    "ignore": "ignore",
}
NUMERIC_KINDS = ("auto", "gaussian", "kernel", "binned", "poisson", "categorical")


def refuse_other_kinds(told: Mapping[str, str], known: Sequence[str], model: str) -> None:
    """Refuse kinds of columns that a model does not have."""
    for name, kind in told.items():
        if kind not in known:
            raise ValueError(
                f"{model} does not take every kind of column: column {name!r} must be "
                f"{' or '.join(known)}, got {kind!r}. NaiveBayes takes all kinds."
            )


def checked_kinds(columns: object) -> dict[str, str]:
    """What the user tells: column name -> kind."""
    if columns is None:
        return {}
    if not isinstance(columns, Mapping):
        raise TypeError(
            "columns must be a dict of column name and kind, such as {'age': 'gaussian'}, got "
            f"{columns!r:.80}. Rows are given to fit, as in NaiveBayes().fit(X, y)."
        )
    for name, kind in columns.items():
        if not isinstance(kind, str) or kind not in KINDS:
            raise ValueError(
                f"The kind of column {name!r} must be one of {', '.join(KINDS)}, got {kind!r}."
            )
    return {str(name): kind for name, kind in columns.items()}


def checked_numeric(numeric: object) -> str:
    """The kind of undeclared numeric columns."""
    if not isinstance(numeric, str) or numeric not in NUMERIC_KINDS:
        raise ValueError(f"numeric must be one of {', '.join(NUMERIC_KINDS)}, got {numeric!r}.")
    return numeric


def refuse_unknown_names(told: Mapping[str, object], names: Sequence[str], argument: str) -> None:
    """Refuse declarations of columns that do not exist."""
    unknown = [name for name in told if name not in names]
    if unknown:
        raise ValueError(
            f"{argument} names {unknown}, but the table has the columns {list(names)}. "
            "Check the spelling."
        )


def refuse_other_cells(name: str, kind: str, stored: str) -> None:
    """Refuse a kind that needs other cells than those that were learned."""
    needed = "number" if kind == "auto" else KINDS[kind]
    if needed != stored:
        raise ValueError(
            f"Column {name!r} was learned as {stored} and cannot be {kind} without a new fit."
        )


def matched(
    table: Table, names: Sequence[str], kept: Sequence[str], named: bool, model: str
) -> Table:
    """The table with the learned columns, in their order; those that are missing are all null.

    names : of all columns when learning began; kept : those that are not ignored
    named : whether they came with names; model : what learned them, for messages
    """
    if table.named and named:
        return _matched_by_name(table, names, kept)
    if len(table.names) != len(names):
        raise ValueError(
            f"X has {len(table.names)} features, but {model} is expecting {len(names)} features "
            f"as input: {list(names)}. Give a table with these names, or all of them in order."
        )
    if table.named != named:
        tell(_one_has_names(table.named, model))
    by_position = dict(zip(names, table.names, strict=True))
    columns = {name: table.columns[by_position[name]] for name in kept}
    return Table(columns, table.n_rows, named, tuple(names))


def _one_has_names(now: bool, model: str) -> str:
    if now:
        return (
            f"X has feature names, but {model} was fitted without feature names: its columns are "
            "taken in the order given."
        )
    return (
        f"X does not have valid feature names, but {model} was fitted with feature names: its "
        "columns are taken in the order learned."
    )


def _matched_by_name(table: Table, names: Sequence[str], kept: Sequence[str]) -> Table:
    learned = set(names)
    unknown = [name for name in table.columns if name not in learned]
    missing = [name for name in kept if name not in table.columns]
    if unknown:
        also = f" Learned columns that it lacks: {missing}." if missing else ""
        raise ValueError(
            "The feature names should match those that were passed during fit. "
            f"Feature names unseen at fit time: {unknown}.{also} The learned columns are "
            f"{list(names)}: drop or rename the others."
        )
    if missing:
        tell(
            f"The table has no column(s) {missing}, which were learned: they count as missing in "
            "all rows."
        )
    columns = {name: table.columns.get(name, Nothing(table.n_rows)) for name in kept}
    return Table(columns, table.n_rows, True, tuple(names))


# the kinds whose cells `as_kind` makes, or looks at
MADE_ANEW = frozenset({"categorical", "bernoulli", "poisson"})


def as_kind(name: str, cells: Cells, kind: str | None, first_row: int) -> Cells:
    """The cells of a column as its kind needs them; those that it cannot have are refused."""
    if isinstance(cells, Numbers) and kind == "categorical":
        return as_categories(cells)
    if kind == "bernoulli" and isinstance(cells, Categories):
        return _as_yes_or_no(name, cells, first_row)
    if kind == "poisson" and isinstance(cells, Numbers):
        _refuse_no_counts(name, cells.values, first_row)
    return cells


def as_categories(cells: Numbers) -> Categories:
    """Numbers that name categories."""
    return united_levels(*distinct_of_array(cells.values)[:2])


_YES_OR_NO = {"0": "0", "1": "1", "false": "0", "true": "1"}


def _as_yes_or_no(name: str, cells: Categories, first_row: int) -> Categories:
    meanings = [_YES_OR_NO.get(level.lower()) for level in cells.levels]
    if None in meanings:
        level = meanings.index(None)
        where = np.flatnonzero(cells.codes == level)
        if len(where):
            raise ValueError(
                f"Column {name!r} is declared bernoulli: 0 or 1, false or true. Row "
                f"{first_row + where[0]} holds {cells.levels[level]!r}. "
                f"Use columns={{{name!r}: 'categorical'}} for other values."
            )
    codes = np.array([*(0 if meaning == "0" else 1 for meaning in meanings), -1])[cells.codes]
    return Categories(codes, ("0", "1"))


def _refuse_no_counts(name: str, values: np.ndarray, first_row: int) -> None:
    wrong = np.flatnonzero((values < 0) | (values != np.floor(values)) & ~np.isnan(values))
    if len(wrong):
        raise ValueError(
            f"Column {name!r} is declared poisson: whole numbers of 0 or more. Row "
            f"{first_row + wrong[0]} holds {values[wrong[0]]}. "
            f"Use columns={{{name!r}: 'gaussian'}} for measurements."
        )
