"""Learning is counting: `fit`, `partial_fit`, `forget`, `merge`, `leave_one_out`, once for all.

    rows  --reader-->  blocks  --_count-->  statistics, with + and -  --_fit-->  fitted

A model says how it reads, counts and fits. `fit` counts, `partial_fit` adds counts, `forget` takes
counts away, `merge` adds the counts of another model, and each fits again.

All verbs that learn are in this one file, which is why it is longer than others: first what a model
may define, then the verbs, then the steps between them.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import cached_property, reduce
from operator import add
from typing import Any, ClassVar, Self

import numpy as np

from bayesic.data.arguments import (
    check_is_fitted,
    checked_weights,
    forget_learned,
    tell,
    without_arguments,
)
from bayesic.data.calls import in_words
from bayesic.data.labels import (
    codes_among,
    declared_classes,
    encode_known_labels,
    encode_labels,
    name_of_target,
)
from bayesic.data.snapshots import answering, held_still, learning, snapshot
from bayesic.data.table_files import is_file
from bayesic.data.typing import ArrayLike, LabelsLike, RandomState, TableLike
from bayesic.files.model_files import keeps_counts
from bayesic.kernels import Array
from bayesic.models.readers.known_columns import check_same_columns, known_columns
from bayesic.models.readers.labelled_rows import read_to_learn
from bayesic.models.readers.matrix_reader import MatrixReader
from bayesic.models.readers.reader import CodedRows, CountedElsewhere, ReadAgain, Reader
from bayesic.models.readers.spark_rows import spark_rows
from bayesic.spark.partitions import is_spark
from bayesic.statistics.additive import among_classes, sum_of_pairs, united

LEAVE_ONE_OUT, OUT_OF_BAG, IN_FOLDS = "leave-one-out", "out-of-bag", "folds"
VERBS = ("fit", "partial_fit", "forget", "leave_one_out")  # that take rows with their targets


class Following:
    """What follows from the statistics and parameters of a model, made once, when it is needed.

    It belongs to one state of the model, and to all copies of it.
    """

    def __init__(self, state: "CountingModel") -> None:
        """state does not change any more."""
        self._state = state

    def __repr__(self) -> str:
        return f"Following({self._state!r})"

    def __getstate__(self) -> dict[str, Any]:
        """Without what is made as it is asked for: another thread may be making it now."""
        return {"_state": self._state}

    @cached_property
    def fitted(self) -> Any:
        """What `_fit` gives; parameters that do not suit what was learned are refused."""
        state = self._state
        state._check_parameters()
        with state._at_work():
            return state._fit(state.statistics_)


class CountingModel(ABC):
    """A model that is a function of additive statistics."""

    classes_: Array
    n_features_in_: int
    statistics_: Any
    _following: Following

    # what a model says ----------------------------------------------------------------------

    declares_classes: ClassVar[bool] = True  # in the first `partial_fit`; else new ones may come
    fits_when_asked: ClassVar[bool] = False  # not when it learns
    unused: ClassVar[tuple[str, ...]] = ()  # arguments of VERBS that mean nothing to a model

    def __init_subclass__(cls, **how: Any) -> None:
        for verb in VERBS if cls.unused else ():
            setattr(cls, verb, without_arguments(getattr(cls, verb), cls.unused))
        if "__init__" in vars(cls):
            cls.__init__ = in_words(cls.__init__)  # type: ignore[method-assign]
        super().__init_subclass__(**how)  # scikit-learn looks at the arguments that are left

    @abstractmethod
    def _check_parameters(self) -> None:
        """Refuse constructor arguments that make no sense."""

    @abstractmethod
    def _count(self, X: Any, codes: Array, n_classes: int, weights: Array | None) -> Any:
        """The statistics of these rows."""

    @abstractmethod
    def _fit(self, statistics: Any) -> Any:
        """What follows from the statistics and the parameters."""

    def _reader(self) -> Reader:
        """How rows come in."""
        return MatrixReader(known_columns(self))

    @abstractmethod
    def _answers_without(self, rows: CodedRows) -> Array:
        """The answer for each of these learned rows, as if it had not been learned."""

    def _at_work(self) -> AbstractContextManager:
        """What is held while the model computes."""
        return nullcontext()

    def _counted_at_source(self, X: Any, target: str) -> tuple[Array | None, Any] | None:
        """Classes and statistics of a file or lazy table, if an engine can count them.

        None: its rows must be read.
        """
        return None

    def _before_counting(self, rows: Iterable[CodedRows]) -> Any:
        """For `fit` and `partial_fit`: look at all rows before they are counted."""
        return None

    def _after_counting(self, rows: Iterable[CodedRows], is_all: bool) -> None:
        """For `fit` (is_all) and `partial_fit`: look at the rows again before anything is fitted.

        classes_ and statistics_ are those of all rows, and the codes of the rows are of these.
        """
        return

    def _judged_by(self) -> str:
        """How to ask about learned rows what the model would say if it had not seen them.

        LEAVE_ONE_OUT if nothing was chosen by the rows, beyond counting them. Else what is left of
        the counts without a row still has what was chosen using the row, and flatters.
        """
        return IN_FOLDS

    def _check_verb(self, verb: str) -> None:
        """Refuse a verb other than `fit` that does not go with the parameters."""
        return

    def _check_learned(self, is_all: bool) -> None:
        """Refuse, or warn of, what `fit` (is_all) or another verb has come to."""
        return

    def _notices(self, seen: Any) -> Iterable[str]:
        """For `fit`: what the user should know of the rows; seen is what _before_counting gave."""
        return ()

    def _check_mergeable(self, other: Any) -> None:
        """Refuse a model of the same kind and columns that counts in another way."""
        return

    def _extra_state(self) -> dict[str, Any]:
        """For `save`: what is learned beside the statistics and does not follow from them, if any.

        Plain values only: numbers, texts, lists, tuples, dicts and arrays of them.
        """
        return {}

    def _restore_extra_state(self, state: dict[str, Any]) -> None:
        """For `load`: set what _extra_state gave, before _keep; refuse anything else."""
        if state != {}:
            raise ValueError(f"{type(self).__name__} has no extra state, got {state!r}.")

    def _has_features_of(self, statistics: Any) -> bool:
        """For `load`: whether statistics can be of the features that the model knows."""
        return statistics.n_features == self.n_features_in_

    def _soft_statistics(self, X: Any, shares: Array) -> Any:
        """The statistics of rows that belong to every class with a share: (n_rows, n_classes)."""
        n_rows, n_classes = shares.shape
        of_classes = (
            self._count(X, np.full(n_rows, code), n_classes, shares[:, code])
            for code in range(n_classes)
        )
        return reduce(add, of_classes)

    # learning: statistics with + and - ------------------------------------------------------

    @learning
    def fit(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn from rows X with targets y; whatever was learned before is gone.

        X : array, sparse matrix, table of pandas, polars or pyarrow, dict of columns, list of rows;
            or the path of a CSV, TSV or Parquet file, a DuckDB relation, or a lazy table of polars,
            PySpark, Dask or Ibis: counted where it is, or read block by block
        y : the class of each row, or the number to be predicted; or the name of the column of X
            that holds it
        sample_weight : weights of the rows; a row of weight 2 counts twice
        """
        return self._learn_anew(X, y, sample_weight)

    @learning
    def partial_fit(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        classes: Iterable[Any] | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn more rows (incremental): the model is the same as from one `fit` on all rows.

        classes : every class that can occur, if the first rows may lack one
        """
        self._check_verb("partial_fit")
        declared = self._declared(classes)
        return self._learn(X, y, sample_weight, declared=declared)

    @learning
    def forget(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Remove rows (unlearning): the model is then the same as if it had never learned them.

        Rows that were never learned are refused where the statistics show it.
        """
        return self._unlearn(X, y, sample_weight)

    @learning
    def merge(self, other: "CountingModel") -> Self:
        """Add everything that another model of this kind has learned; ignore its parameters."""
        check_is_fitted(self)
        self._check_verb("merge")
        if type(other) is not type(self):
            raise TypeError(
                f"Only models of the same kind can be merged: this is a {type(self).__name__}, "
                f"the other a {type(other).__name__}."
            )
        other = held_still(other)
        check_is_fitted(other)
        check_same_columns(known_columns(self), known_columns(other), self._reader())
        self._check_mergeable(other)
        self._add(*other._so_far())
        return self._accept(self.statistics_)

    @answering
    def with_noise(
        self,
        epsilon: float,
        levels: Mapping[str, Iterable[Any]] | ArrayLike | None = None,
        random_state: RandomState = None,
        classes: Iterable[Any] | None = None,
    ) -> Self:
        """A copy of the model with noise on its counts, safe to share; this one stays unchanged.

        Whatever it reveals is at most exp(epsilon) times as probable with any one row as without it
        (differential privacy). Not hidden: the parameters, and, unless they are declared, the
        names of classes and columns and the categories that occur: a class that one row alone has
        shows that row, whatever epsilon is. A second draw from the same rows adds its epsilon.

        levels : the possible categories, known before the data was seen: column -> names;
            for CategoricalNB how many
        random_state : for tests; anyone who knows it can remove the noise
        classes : the possible classes, known before the data was seen; with levels, which names
            all columns, nothing but counts with noise depends on the rows
        """
        check_is_fitted(self)
        if isinstance(levels, Mapping):
            unknown, _ = known_columns(self).of_names([*map(str, levels)])
            if unknown:
                raise ValueError(
                    f"levels names columns that the model has not learned: {unknown}. Leave them "
                    "out, or fit it with rows that have them, empty where nothing is known."
                )
        if classes is not None:
            declared = declared_classes(classes)
            self.classes_, self.statistics_ = (
                declared,
                self.statistics_.with_classes_at(
                    encode_known_labels(self.classes_, declared), len(declared)
                ),
            )
        counts = self.statistics_.with_noise(epsilon, levels, random_state)
        if self._extra_state():
            raise ValueError(
                "A model with noise reveals only counts, and this one has learned more from the "
                "rows than counts. Fit it without learned weights, decay, and choices='hold'."
            )
        return self._accept(counts)

    @learning
    def set_params(self, **params: Any) -> Self:
        """Set parameters of the constructor, all of them at once.

        They take effect at once, as if the model had learned with them. Those that say how rows are
        read or counted cannot: they wait for the next `fit`, and until then answers may be refused.
        """
        return super().set_params(**params)  # type: ignore[misc]  # of scikit-learn

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        is_parameter = not name.endswith("_") and not name.startswith("_")
        if is_parameter and "statistics_" in vars(self):
            self._following = Following(unchanging(self))

    @answering
    def leave_one_out(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
    ) -> Array:
        """The answer for each learned row, as if that row had not been learned.

        Equal to learning all other rows (with all classes declared) and predicting this one, for
        every row, in three to five times the time of one answer. What the model has chosen by
        itself (column types, cut points, bandwidths, lambdas) stays fixed. Pass the weights that
        were learned.
        """
        return self._left_out_of_all(X, y, sample_weight)

    # how it is done -------------------------------------------------------------------------

    @property
    def _fitted(self) -> Any:
        """What follows from the statistics."""
        return self._following.fitted

    def _learn_anew(self, X: Any, y: Any, sample_weight: Any, **told: Any) -> Self:
        """`fit`. Here and below, told holds what else the reader knows about X and y."""
        forget_learned(self)
        return self._learn(X, y, sample_weight, is_all=True, **told)

    def _learn(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        declared: Array | None = None,
        is_all: bool = False,
        **told: Any,
    ) -> Self:
        """Count rows beside what was learned; is_all: there is nothing else."""
        self._check_parameters()
        rows = self._rows_to_learn(X, y, sample_weight, **told)
        name = None if hasattr(self, "target_name_") else name_of_target(X, y)
        if name is not None:
            self.target_name_ = name
        seen = self._learn_rows(rows, declared, is_all)
        for notice in self._notices(seen) if is_all else ():
            tell(notice)
        return self

    def _learn_rows(
        self, rows: Iterable[CodedRows], declared: Array | None = None, is_all: bool = False
    ) -> Any:
        """Count rows as the reader has given them. Returns what _before_counting has seen."""
        seen = self._before_counting(rows)
        self._add_rows(rows, declared)
        with self._at_work():
            known = ReadAgain(lambda: map(self._with_known_classes, rows))
            self._after_counting(known, is_all)
        self._accept(self.statistics_, is_all)
        return seen

    def _unlearn(self, X: Any, y: Any, sample_weight: Any, **told: Any) -> Self:
        check_is_fitted(self)
        self._check_verb("forget")
        counted = self._counted(self._rows_to_learn(X, y, sample_weight, **told))
        return self._accept(self._without(*counted))

    def _without(self, classes: Array | None, counted: Any) -> Any:
        """What was learned, less these; refused if they were never learned, as far as it shows."""
        if classes is not None and classes is not self.classes_:
            places = encode_known_labels(classes, self.classes_)
            counted = counted.with_classes_at(places, len(self.classes_))
        return self.statistics_ - counted

    def _add_rows(self, rows: Iterable[CodedRows], declared: Array | None) -> None:
        """Count rows, and add what they come to."""
        counted = self._counted(rows)
        if declared is not None:
            counted = among_classes(declared, *counted)
        self._add(*counted)

    def _add(self, classes: Array | None, statistics: Any) -> None:
        """Add these to what was learned so far."""
        if hasattr(self, "statistics_"):
            classes, statistics = united(self._so_far(), (classes, statistics))
        if classes is not None:
            self.classes_ = classes
        self.statistics_ = statistics

    def _accept(self, statistics: Any, is_all: bool = False) -> Self:
        """Keep what a verb has come to, or refuse it."""
        self._keep(statistics)
        with self._at_work():
            self._check_learned(is_all)
        return self

    def _keep(self, statistics: Any) -> Self:
        self.statistics_ = statistics
        self._following = Following(unchanging(self))
        if not self.fits_when_asked:
            _ = self._fitted  # or it is refused
        return self

    def _so_far(self) -> tuple[Array | None, Any]:
        return getattr(self, "classes_", None), self.statistics_

    def _rows_to_learn(
        self, X: Any, y: Any, sample_weight: Any, **told: Any
    ) -> Iterable[CodedRows]:
        """Rows that can be gone through twice: a file is read again, others are read once."""
        if is_spark(X) and keeps_counts(self):
            return spark_rows(self, X, y, sample_weight, told)
        blocks = ReadAgain(lambda: self._coded_blocks(X, y, sample_weight, **told))
        if not is_file(X):
            return list(blocks)
        is_alone = isinstance(y, str) and sample_weight is None and not told
        return replace(blocks, source=X, target=y) if is_alone else blocks

    def _coded_blocks(self, X: Any, y: Any, sample_weight: Any, **told: Any) -> Iterator[CodedRows]:
        reader = self._reader()
        known = reader if hasattr(self, "n_features_in_") else None  # else the first rows tell
        for block in reader.blocks(X, y, sample_weight, **told):
            classes, codes = self._encoded(block.y)
            rows = read_to_learn(self, block, len(codes), known)
            yield CodedRows(rows, classes, codes, checked_weights(block.weights, len(codes)))

    def _known_rows(self, X: Any, y: Any, weights: Any, **told: Any) -> Iterator[CodedRows]:
        """Rows of the classes that the model has, by the numbers of these."""
        return map(self._with_known_classes, self._all_rows(X, y, weights, **told))

    def _all_rows(self, X: Any, y: Any, weights: Any, **told: Any) -> Iterable[CodedRows]:
        """All rows, each of which gets an answer."""
        rows = self._rows_to_learn(X, y, weights, **told)
        if isinstance(rows, CountedElsewhere):
            raise ValueError(
                "The rows of a Spark DataFrame have no order, so answers could not be matched to "
                "rows. Pass rows in memory: dataframe.toPandas(), or a part of it."
            )
        return rows

    def _with_known_classes(self, rows: CodedRows) -> CodedRows:
        if rows.classes is None or rows.classes is self.classes_:
            return rows
        codes = encode_known_labels(rows.classes, self.classes_)[rows.codes]
        return CodedRows(rows.X, self.classes_, codes, rows.weights)

    def _encoded(self, y: Any) -> tuple[Array | None, Array]:
        """The classes, and the number of the class of each row."""
        if self.declares_classes and hasattr(self, "classes_"):
            return self.classes_, encode_known_labels(y, self.classes_)
        if hasattr(self, "classes_"):  # most often there is no new one
            codes = codes_among(y, self.classes_)
            if codes is not None:
                return self.classes_, codes
        return encode_labels(y)

    def _counted(self, rows: Iterable[CodedRows]) -> tuple[Array | None, Any]:
        """Classes and statistics of all rows, block by block."""
        counted = self._counted_elsewhere(rows)
        if counted is None and isinstance(rows, CountedElsewhere):
            counted = rows.count(lambda: unchanging(self))
        elif counted is None:
            counted = sum_of_pairs(united, map(self._counted_block, rows))
        if counted is None:
            raise ValueError(
                "There are no rows, so there is nothing to learn. Pass at least one with its class."
            )
        return counted

    def _counted_elsewhere(self, rows: Iterable[CodedRows]) -> tuple[Array | None, Any] | None:
        """The same without the rows, where an engine counts them."""
        if not isinstance(rows, ReadAgain) or rows.target is None:
            return None
        return self._counted_at_source(rows.source, rows.target)

    def _counted_block(self, rows: CodedRows) -> tuple[Array | None, Any]:
        n_classes = 1 if rows.classes is None else len(rows.classes)
        return rows.classes, self._count(rows.X, rows.codes, n_classes, rows.weights)

    def _left_out_of_all(self, X: Any, y: Any, weights: Any, **told: Any) -> Array:
        check_is_fitted(self)
        self._check_verb("leave_one_out")
        rows = self._all_rows(X, y, weights, **told)
        with self._at_work():
            counted = self._counted_elsewhere(rows)
            if counted is not None:  # rows that were never learned are refused all at once,
                _ = self._without(*counted)
            known = map(self._with_known_classes, rows)
            answers = self._left_out if counted is None else self._answers_without
            return np.concatenate([*map(answers, known)])

    def _left_out(self, rows: CodedRows) -> Array:
        _ = self.statistics_ - self._counted_block(rows)[1]  # or block by block
        return self._answers_without(rows)

    def _declared(self, classes: Any) -> Array | None:
        """The classes that `partial_fit` declares, if new ones may appear at any time."""
        if not self.declares_classes:
            return None if classes is None else declared_classes(classes)
        if not hasattr(self, "classes_"):
            if classes is None:
                raise ValueError(
                    "classes must be passed on the first call to partial_fit. "
                    "List every class that can occur: classes=['ham', 'spam']."
                )
            self.classes_ = declared_classes(classes)
        elif classes is not None and sorted(np.asarray(classes).tolist()) != self.classes_.tolist():
            raise ValueError(
                f"`classes={list(classes)}` is not the same as on last call to partial_fit, "
                f"was: {self.classes_.tolist()}. Leave it out after the first call."
            )
        return None


def unchanging(model: Any) -> Any:
    """A copy of the model as it is now, without what follows from it."""
    copy = snapshot(model)
    vars(copy).pop("_following", None)
    return copy
