"""What models of P(c) p(x | c) on tables share: learning by blocks, prior, densities, samples."""

from abc import abstractmethod
from collections.abc import Mapping
from numbers import Integral
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted, check_random_state

from bayesic.data.blocks import row_blocks
from bayesic.data.columns import Texts
from bayesic.data.notices import tell
from bayesic.data.snapshots import answering, learning
from bayesic.data.tables import Table
from bayesic.estimation.prior import checked_prior, class_prior
from bayesic.evidence.shares import Share, class_shares, exact, prior_shares
from bayesic.models.looks import notices
from bayesic.models.table_model import TableModel
from bayesic.statistics.tables import ColumnCounts

Array = np.ndarray

WORDS_OF_A_TEXT = 50

UNCUT = "no cut between its numbers tells the classes apart"


class Sample(NamedTuple):
    """Rows drawn from a model: a dict of columns, or an array of rows, and their classes."""

    X: Any
    y: Array


class GenerativeTableModel(TableModel):
    """A model of tables with a prior of the classes and a distribution of the rows of each class.

    Nothing is computed when learning: parameters set with `set_params` hold at once.
    """

    prior: Any  # "learned", "uniform", or class -> probability

    _unseen = "no value was observed"  # why a column of which nothing was learned tells nothing

    # what a model adds ----------------------------------------------------------------------

    @abstractmethod
    def _column_counts(self) -> dict[str, ColumnCounts]:
        """What was learned of each column by itself, as far as it is known."""

    @abstractmethod
    def _tells_nothing(self, name: str, counts: ColumnCounts) -> bool:
        """Whether a column with two values or more says the same of all classes."""

    @abstractmethod
    def _sampled_columns(self, codes: Array, rng: np.random.Generator) -> dict[str, Array]:
        """One row for each of these classes, drawn from its distribution, as columns."""

    # learning -------------------------------------------------------------------------------

    @learning
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from a table X with classes y; whatever was learned before is gone.

        X : pandas, polars or pyarrow table, dict of columns, list of rows, array; or the path of a
            CSV, TSV or Parquet file, or a DuckDB relation, which are read block by block
        y : class labels, or the name of the column of X that holds them
        sample_weight : weights of the rows; a row of weight 2 counts twice
        """
        self._check_parameters(first=True)
        self._start_anew()
        self._remember_target(y)
        self._learn_more(self._labelled_blocks(X, y, sample_weight))
        self._tell_what_it_looks_like()
        return self

    @learning
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows: the same model comes out as from all rows in one `fit`.

        New classes, and new values of a column, may come at any time. Classes that are declared
        are known from then on, also those without rows.
        """
        self._check_parameters(first=False)
        self._remember_target(y)
        return self._learn_more(self._labelled_blocks(X, y, sample_weight), classes)

    @learning
    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take rows back out: the same model comes out as if they had never been learned.

        Rows that were never learned are refused where the statistics show it.
        """
        check_is_fitted(self)
        return self._unlearn(self._labelled_blocks(X, y, sample_weight))

    def _estimate(self, statistics: Any) -> Self:
        self.statistics_ = statistics
        return self

    # columns --------------------------------------------------------------------------------

    @property
    def uninformative_columns_(self) -> dict[str, str]:
        """The columns that tell nothing of the class, so that they change no answer, and why.

        Those that are told to be ignored are not among them.
        """
        check_is_fitted(self)
        counts = self._column_counts()
        reasons = {name: self._why_nothing(name, counts.get(name)) for name in self._kept_names()}
        return {name: why for name, why in reasons.items() if why}

    def _why_nothing(self, name: str, counts: ColumnCounts | None) -> str:
        if counts is None:
            return self._unseen
        if self._tells_nothing(name, counts):
            return UNCUT
        is_same = len(counts.table) == 1 and self._told_kinds().get(name) != "bernoulli"
        return "the same value in all rows" if is_same else ""

    def _tell_what_it_looks_like(self) -> None:
        """Warn of columns and targets that a model should not take as they are."""
        told = self._told_kinds()
        seen = {name: each for name, each in self._column_counts().items() if name not in told}
        count = self.statistics_.class_count
        for notice in notices(seen, self.classes_, count, self.uninformative_columns_):
            tell(notice)

    # prior ----------------------------------------------------------------------------------

    def _check_prior(self) -> None:
        is_word = isinstance(self.prior, str) and self.prior in ("learned", "uniform")
        if not is_word and not isinstance(self.prior, Mapping):
            raise ValueError(
                "prior must be 'learned', 'uniform' or a dict such as {'ham': 0.8, 'spam': 0.2}, "
                f"got {self.prior!r}."
            )

    @property
    def class_count_(self) -> Array:
        """Rows of each class."""
        return self.statistics_.class_count

    @property
    @answering
    def class_prior_(self) -> Array:
        """P(c) of each class."""
        return class_prior(self.statistics_.class_count, self._prior(), self._prior_smoothing())

    def _prior(self) -> Any:
        self._check_prior()
        if not isinstance(self.prior, Mapping):
            return self.prior
        names = self.classes_.tolist()
        missing = [name for name in names if name not in self.prior]
        unknown = [name for name in self.prior if name not in names]
        if missing or unknown:
            raise ValueError(
                f"prior must give a probability for each class: it lacks {missing} and has the "
                f"unknown {unknown}. The classes are {names}."
            )
        return checked_prior([self.prior[name] for name in names], len(names))

    def _log_prior(self) -> Array:
        with np.errstate(divide="ignore"):
            return np.log(self.class_prior_)

    def _prior_factor(self) -> tuple[Share, ...]:
        count, prior = self.statistics_.class_count, self._prior()
        if not isinstance(prior, str) or prior == "uniform":
            return prior_shares(count, prior)
        amount, n_classes = exact(self._prior_smoothing()), len(count)
        total = np.full(n_classes, count.sum())
        return class_shares(count, total, amount, n_classes * amount, n_classes)

    # answers --------------------------------------------------------------------------------

    @answering
    def leave_one_out(self, X: Any, y: Any, sample_weight: Any = None) -> Array:
        """Probability of each class for each learned row, as if that row had not been learned.

        What the model has chosen by itself (kinds of columns, cut points, bandwidths, lambdas)
        stays as it is; given this it is what learning all other rows gives. Give the weights that
        were learned.
        """
        check_is_fitted(self)
        parts = [
            super(GenerativeTableModel, self).leave_one_out(rows, rows.y, rows.weights)
            for rows in self._labelled_blocks(X, y, sample_weight)
        ]
        return np.concatenate(parts)

    def log_density(self, X: Any) -> Array:
        """log p(x) of each row, summed over the classes: low for rows unlike all that was learned.

        For columns that are not observed it is the density of the others.
        """
        return np.logaddexp.reduce(self.predict_joint_log_proba(X), axis=1)

    @answering
    def sample(self, n: int = 1, label: Any = None, random_state: Any = None) -> Sample:
        """Draw n rows from the model: of one class, or of classes drawn from the prior.

        Returns the columns as a dict (rows as an array if what was learned had no names), which
        `predict` takes, and the classes.
        """
        check_is_fitted(self)
        if not isinstance(n, Integral) or n < 0:
            raise ValueError(f"n must be a number of rows, 0 or more, got {n!r}.")
        rng = np.random.default_rng(check_random_state(random_state).randint(2**31))
        codes = np.full(int(n), self._code_of(label)) if label is not None else None
        if codes is None:
            codes = rng.choice(len(self.classes_), int(n), p=self.class_prior_)
        return Sample(self._as_asked(self._sampled_columns(codes, rng)), self.classes_[codes])

    def _code_of(self, label: Any) -> int:
        classes = self.classes_.tolist()
        if label not in classes:
            raise ValueError(f"label must be one of the classes {classes}, got {label!r}.")
        return classes.index(label)

    def _as_asked(self, columns: dict[str, Array]) -> Any:
        """Columns as `predict` wants them: rows if what was learned had no names."""
        if hasattr(self, "feature_names_in_"):
            return columns
        n_rows = len(next(iter(columns.values()), ()))
        rows = np.full((n_rows, self.n_features_in_), None)
        for place, name in enumerate(self._all_names()):
            if name in columns:
                rows[:, place] = columns[name]
        return rows

    def _blocks(self, X: Table) -> list[slice]:
        # columns are scored one after the other; a text has many words, each with its scores
        words = WORDS_OF_A_TEXT if any(isinstance(c, Texts) for c in X.columns.values()) else 1
        return row_blocks(X.n_rows, words * len(self.classes_))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
