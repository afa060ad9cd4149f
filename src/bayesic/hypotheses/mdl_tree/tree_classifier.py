"""The decision tree of the shortest description, as an estimator."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, ClassVar, Self

import numpy as np

from bayesic.contract.estimator import Estimator
from bayesic.data.arguments import check_is_fitted, checked_weights, is_number
from bayesic.data.calls import constructor
from bayesic.data.labels import encode_labels
from bayesic.data.snapshots import answering, learning
from bayesic.data.tables import Table, as_table, known_here
from bayesic.data.targets import split_target, without_target
from bayesic.data.typing import ArrayLike, Kind, LabelsLike, TableLike
from bayesic.estimation.smoothing import smoothed_shares
from bayesic.evaluation.scores import accuracy_of_answers
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.several import Reasons, is_flat_row, is_single_row
from bayesic.evidence.summary import ColumnSummary
from bayesic.files.model_files import Saved
from bayesic.hypotheses.mdl_tree._decision_tree import DecisionTree, as_tree, pruned
from bayesic.hypotheses.mdl_tree._tree_columns import (
    TreeColumn,
    cells_of,
    checked_columns,
    learned_columns,
    ranks,
    shown_cell,
)
from bayesic.hypotheses.mdl_tree._tree_growth import GrowingRows, grow
from bayesic.hypotheses.mdl_tree.tree_text import (
    Path,
    path_to,
    tree_column_summaries,
    tree_column_table,
    tree_text,
)
from bayesic.kernels import Array
from bayesic.models.columns.schema import matched, refuse_unknown_names
from bayesic.models.summaries.summarised import Described, LearnedGroups, Summarised

# what a user may tell of a column -> how its cells are stored
KINDS = {"categorical": "category", "ignore": "ignore"}
LAPLACE = 1.0  # pseudo-count of each class in a leaf: (n_c + 1) / (n + K)


def _learned_tree(
    cells: list[Array], classes: Array, weights: Array, n_classes: int, exception_weight: float
) -> DecisionTree:
    """The tree of these rows: grown out, then cut back.

    cells : of each column float64 numbers, or int32 codes of categories
    """
    codes = np.empty((len(cells), len(classes)), dtype=np.int32)
    values: list[Array | None] = [None] * len(cells)
    for index, column in enumerate(cells):
        if column.dtype == np.float64:
            column, values[index] = ranks(column)
        codes[index] = column
    is_number = np.array([different is not None for different in values], dtype=bool)
    rows = GrowingRows(codes, is_number, classes.astype(np.int64), weights, n_classes)
    return as_tree(pruned(grow(rows, exception_weight), exception_weight), values)


class MDLTreeClassifier(Saved, Summarised, Estimator):
    """A decision tree by minimum description length ([QuinlanRivest]).

        L(T) + c L(D | T)        bits of the tree, and c times those of the exceptions from it

    It is grown until each leaf has one class, then every test that does not pay for itself is
    pruned. With c = 1 this is the rule of minimum description length. Tables of any kind: numbers
    are cut in two, categories have a branch for each value, or one for a value and one for all
    others. Rows with a missing number go where most rows go, and so do categories without a branch;
    a missing category is a category like any other.

    Parameters
    ----------
    exception_weight : c. 1 is the plain rule, whose trees tend to be too small: many trees describe
        the same classes, and the code reserves room for each of them. Above 1 trees are larger
    columns : dict of column name -> "categorical", for numbers that name categories, or "ignore"

    Fitted: `tree_` (arrays of all nodes), `n_leaves_`, `description_length_` (bits of tree and
    exceptions), `columns_`, `classes_`. `print(model)` shows the tree.

    Examples
    --------
    >>> X = [[1.0, "rain"], [2.0, "sun"], [3.0, "rain"], [7.0, "sun"], [8.0, "rain"], [9.0, "sun"]]
    >>> model = MDLTreeClassifier().fit(X * 2, ["low", "low", "low", "high", "high", "high"] * 2)
    >>> print(model)
    2 leaves, 12.3 bits: 8.3 of the tree, 4.0 of the exceptions
    x0 <= 5: low (6 rows)
    x0 > 5: high (6 rows)
    >>> model.predict([[6.0, "sun"]]), model.predict_proba([[6.0, "sun"]])
    (array(['high'], dtype='<U4'), array([[0.875, 0.125]]))
    >>> print(model.explain([6.0, "sun"]))
    high (0.8750) from a leaf of 6 rows
      x0 > 5  high 6
    """

    classes_: Array
    columns_: tuple[TreeColumn, ...]
    tree_: DecisionTree
    n_features_in_: int
    estimator_type = "classifier"
    tags: ClassVar[dict[str, bool]] = dict.fromkeys(
        ("sparse", "allow_nan", "categorical", "string"), True
    )
    _has_classes: ClassVar[bool] = True

    @constructor
    def __init__(
        self, exception_weight: float = 2.0, *, columns: Mapping[str, Kind] | None = None
    ) -> None:
        self.exception_weight = exception_weight
        self.columns = columns

    # learning -------------------------------------------------------------------------------

    @learning
    def fit(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn from rows X with classes y; whatever was learned before is gone.

        X : table of any library, dict of columns, list of rows, array, (n_samples, n_features)
        y : class labels, (n_samples,), or the name of the column of a table that holds them
        sample_weight : weights of the rows; a row of weight 2 counts as two
        """
        self._check_parameters(first=True)
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)
        X, y = split_target(self, X, y)
        classes, codes = encode_labels(y)
        table = as_table(X, self._told())
        self._check_rows(table, len(codes))
        weights = checked_weights(sample_weight, table.n_rows)
        weights = np.ones(table.n_rows) if weights is None else weights
        self._remember_features(table)
        counts = weights > 0  # a row of weight 0 is not a row: its values make no cuts
        columns = learned_columns(table, counts)
        cells = [column[counts] for column in cells_of(table, columns)]
        c = float(self.exception_weight)
        tree = _learned_tree(cells, codes[counts], weights[counts], len(classes), c)
        return self._learned(classes, columns, tree)

    def _learned(self, classes: Array, columns: tuple[TreeColumn, ...], tree: DecisionTree) -> Self:
        self.classes_ = classes
        self.columns_ = columns
        self.tree_ = tree
        self.n_leaves_ = tree.n_leaves
        self.description_length_ = tree.length.total
        return self

    def _remember_features(self, table: Table) -> None:
        refuse_unknown_names(self._told(), table.names, "columns")
        self.n_features_in_ = len(table.names)
        if table.named:
            self.feature_names_in_ = np.array(table.names, dtype=object)

    # answers --------------------------------------------------------------------------------

    @answering
    def predict(self, X: TableLike) -> Array:
        """The most frequent class in the leaf of each row; the first of several."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    @answering
    def predict_proba(self, X: TableLike) -> Array:
        """Probability of each class, in the order of classes_: (n_samples, n_classes).

        (n_c + 1) / (n + K), for n learned rows in the leaf, n_c of them of class c of K.
        """
        check_is_fitted(self)
        is_row = is_flat_row(X, self.n_features_in_)
        table = self._checked_X(self._one_row(X) if is_row else X)
        leaves = self.tree_.leaf_of(cells_of(table, self.columns_), table.n_rows)
        return smoothed_shares(self.tree_.class_count, LAPLACE)[leaves]

    def predict_log_proba(self, X: TableLike) -> Array:
        """Log of predict_proba."""
        return np.log(self.predict_proba(X))

    @answering
    def score(
        self, X: TableLike, y: LabelsLike, *, sample_weight: ArrayLike | None = None
    ) -> float:
        """Share of the rows whose most probable class is y; y may be the name of a column of X."""
        X, y = split_target(self, X, y)
        return accuracy_of_answers(y, self.predict(X), sample_weight)

    @answering
    def explain(self, X: TableLike) -> Path | Reasons[Path]:
        """The path to the leaf: every test, and the learned rows behind it.

        X : one row (a tuple, list, or dict by column name), which gives one Path; or rows as for
            `predict`, which give a list
        """
        check_is_fitted(self)
        single = is_single_row(X)
        table = self._checked_X(self._one_row(X) if single else X)
        leaves = self.tree_.leaf_of(cells_of(table, self.columns_), table.n_rows)
        paths = Reasons(
            self._path(table.part(slice(row, row + 1)), leaf)
            for row, leaf in enumerate(leaves.tolist())
        )
        return paths[0] if single else paths

    def _path(self, row: Table, leaf: int) -> Path:
        classes, count = self.classes_.tolist(), self.tree_.class_count[leaf : leaf + 1]
        shares = smoothed_shares(count, LAPLACE)[0]
        shown = [shown_cell(row.columns[column.name]) for column in self.columns_]
        cells = cells_of(row, self.columns_)
        return Path(
            classes[int(shares.argmax())],
            dict(zip(classes, shares.tolist(), strict=True)),
            path_to(self.tree_, self.columns_, classes, cells, shown),
            dict(zip(classes, count[0].tolist(), strict=True)),
        )

    @answering
    def to_text(self) -> str:
        """The whole tree, one line for each branch: what `print` shows."""
        check_is_fitted(self)
        return tree_text(self.tree_, self.columns_, self.classes_)

    @answering
    def __str__(self) -> str:
        return self.to_text() if hasattr(self, "tree_") else repr(self)

    # what was learned -----------------------------------------------------------------------

    _hint = ""

    @property
    def n_parameters(self) -> int:
        """Numbers that are estimated: K shares in each leaf, and the cuts of numbers."""
        check_is_fitted(self)
        n_cuts = int(np.isfinite(self.tree_.cut).sum())
        return self.n_leaves_ * len(self.classes_) + n_cuts

    def _groups(self) -> LearnedGroups:
        return LearnedGroups(self.classes_.tolist(), self.tree_.class_count[0])

    def _described(self) -> Described:
        names, count = self._feature_names(), self.tree_.class_count[0]

        def summaries(X: object, y: object) -> list[ColumnSummary]:
            return tree_column_summaries(self.tree_, self.columns_, names)

        def table(index: int, fractions: bool) -> ColumnTable:
            return tree_column_table(
                self.tree_, self.columns_, self.classes_.tolist(), names[index]
            )

        return Described(names, count / count.sum(), summaries, table)

    # rows -----------------------------------------------------------------------------------

    def _feature_names(self) -> list[str]:
        unnamed = [f"x{number}" for number in range(self.n_features_in_)]
        return list(getattr(self, "feature_names_in_", unnamed))

    def _stored(self) -> dict[str, str]:
        """How the cells of each column are stored; those that say nothing are ignored."""
        stored = {column.name: column.stored for column in self.columns_}
        return {name: stored.get(name, "ignore") for name in self._feature_names()}

    def _checked_X(self, X: TableLike) -> Table:
        X = without_target(self, X)
        names, named = self._feature_names(), hasattr(self, "feature_names_in_")
        table = as_table(X, known_here(self._stored(), X, names, named))
        self._check_rows(table)
        kept = [column.name for column in self.columns_]
        return matched(table, names, kept, named, type(self).__name__)

    def _check_rows(self, table: Table, n_labels: int | None = None) -> None:
        if table.n_rows == 0:
            raise ValueError(
                f"Found array with 0 sample(s) (shape={(0, len(table.names))}) while a minimum of "
                f"1 is required by {type(self).__name__}."
            )
        if n_labels not in (None, table.n_rows):
            raise ValueError(
                "Found input variables with inconsistent numbers of samples: "
                f"[{table.n_rows}, {n_labels}]. X has {table.n_rows} rows, y has {n_labels} "
                "labels: give one label for each row."
            )

    def _one_row(self, row: Any) -> Any:
        """One row as a table with one row."""
        row = row.to_dict() if hasattr(row, "to_dict") else row
        if not isinstance(row, Mapping) and len(row) == self.n_features_in_:
            if not hasattr(self, "feature_names_in_"):
                return [list(row)]
            row = dict(zip(self._feature_names(), row, strict=True))
        return {name: [cell] for name, cell in row.items()} if isinstance(row, Mapping) else [row]

    # checks and files -----------------------------------------------------------------------

    def _told(self) -> dict[str, str]:
        if self.columns is None:
            return {}
        if not isinstance(self.columns, Mapping):
            raise TypeError(
                "columns must be a dict of column name and kind, such as {'zip': 'categorical'}, "
                f"got {self.columns!r:.80}."
            )
        for name, kind in self.columns.items():
            if not isinstance(kind, str) or kind not in KINDS:
                raise ValueError(
                    f"The kind of column {name!r} must be one of {', '.join(KINDS)}, got {kind!r}."
                )
        return {str(name): KINDS[kind] for name, kind in self.columns.items()}

    def _check_parameters(self, first: bool = False) -> None:
        weight = self.exception_weight
        if not is_number(weight) or not 0 < float(weight) < np.inf:
            raise ValueError(
                f"exception_weight must be a number above 0, got {weight!r}. Use 1 for the plain "
                "rule of minimum description length, more for a larger tree."
            )
        self._told()

    def _state(self) -> dict[str, Any]:
        """For `save`: all that is learned beside the classes and the features."""
        columns = [(column.name, column.levels) for column in self.columns_]
        return {"columns": columns, **self.tree_.arrays()}

    def _restore(self, state: dict[str, Any]) -> Self:
        """For `load`: set what _state gave, when classes_ and n_features_in_ are there."""
        expected = {"columns", *(field.name for field in fields(DecisionTree))}
        if set(state) != expected:
            missing, unknown = sorted(expected - set(state)), sorted(set(state) - expected)
            raise ValueError(f"The state of a tree lacks {missing}, has the unknown {unknown}.")
        columns = checked_columns(state["columns"])
        if not {column.name for column in columns} <= set(self._feature_names()):
            raise ValueError("The columns of a tree must be among its features.")
        arrays = {name: np.asarray(state[name]) for name in expected - {"columns"}}
        sizes = [0 if column.levels is None else len(column.levels) for column in columns]
        tree = DecisionTree(**arrays).checked(sizes, len(self.classes_))
        return self._learned(self.classes_, columns, tree)
