"""Learning is counting: `fit`, `partial_fit`, `forget`, `merge`, `leave_one_out`, once for all.

    rows  --reader-->  blocks  --_count-->  statistics, with + and -  --_fit-->  fitted

A model says what its parameters mean, how it counts and what follows. `fit` counts, `partial_fit`
adds counts, `forget` takes counts away, `merge` adds the counts of another model, and each fits
again. What a model keeps beside its counts is in its notes.

All verbs that learn are in this one file, which is why it is longer than others: first what a model
says, then the verbs, then the steps between them.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import numpy as np

from bayesic.contract.constructor import parameter_names
from bayesic.contract.offered import offered_if
from bayesic.data.arguments import (
    check_is_fitted,
    checked_weights,
    forget_learned,
    tell,
    without_arguments,
)
from bayesic.data.calls import constructor
from bayesic.data.labels import (
    codes_among,
    declared_classes,
    encode_known_labels,
    encode_labels,
)
from bayesic.data.snapshots import answering, held_still, learning, snapshot
from bayesic.data.source import RowBlock, Source, Stored, opened
from bayesic.data.targets import name_of_target
from bayesic.data.typing import ArrayLike, Label, LabelsLike, RandomState, TableLike
from bayesic.files.model_files import keeps_counts
from bayesic.kernels import Array
from bayesic.kernels.blas import AtWork
from bayesic.models.fitted import Fitted
from bayesic.models.following import Fitting, Following, Parsed
from bayesic.models.notes import Note, state_of_notes
from bayesic.models.parameters import are_same, parameters_of
from bayesic.models.posterior import tell_impossible
from bayesic.models.readers.known_columns import check_same_columns, known_columns
from bayesic.models.readers.labelled_rows import read_to_learn
from bayesic.models.readers.reader import CodedRows, CodedSource, Counted, Reader
from bayesic.models.readers.spark_rows import spark_rows
from bayesic.statistics.additive import Additive, among_classes, sum_of_pairs, united

# the verbs of which some kinds of models take fewer arguments
VERBS = ("fit", "partial_fit", "forget", "leave_one_out", "explain", "log_evidence")
# of a prior for means and variances, in log_evidence
NORMAL_PRIOR = ("mean", "variance", "mean_rows", "variance_rows")
Model = TypeVar("Model")
Statistics = TypeVar("Statistics", bound=Additive)
FittedObject = TypeVar("FittedObject", bound="AnswersWithout")
Settings = TypeVar("Settings")

ROWS_IN_TURN = 1000  # are added one after the other, where the statistics can


def _has_choices(kind: type) -> bool:
    return "choices" in parameter_names(kind)


class AnswersWithout(Protocol):
    """What follows from statistics, and answers learned rows as if they had not been learned."""

    def answers_without(self, rows: Any, codes: Array, weights: Array, /) -> tuple[Array, int]:
        """The answer of each row, and how many rows are impossible in every class."""


class CountingModel(ABC, Generic[Statistics, FittedObject, Settings]):
    """A model that is a function of additive statistics.

    What `_count` gives is what `_fit` takes, with what `_parse` gives.
    """

    classes_: Array
    n_features_in_: int
    statistics_: Statistics
    _following: Following

    # what a model says ----------------------------------------------------------------------

    notes: ClassVar[tuple[Note, ...]] = ()  # what it keeps beside its statistics
    fitted_class: ClassVar[type] = Fitted  # of which `_fit` gives an object
    declares_classes: ClassVar[bool] = True  # in the first `partial_fit`; else new ones may come
    fits_when_asked: ClassVar[bool] = False  # not when it learns
    # arguments of VERBS that mean nothing to the model
    unused: ClassVar[tuple[str, ...]] = ("times", "text", *NORMAL_PRIOR)
    # a method that gives the numbers to be predicted, in float64; None: these are classes
    _read_targets: ClassVar[Callable[..., Array] | None] = None
    numbers_per_feature: ClassVar[int] = 1  # columns that the statistics have for each of X
    at_work: ClassVar[AtWork] = nullcontext  # what is held while the model computes

    def __init_subclass__(cls, **how: object) -> None:
        for verb in VERBS:
            if hasattr(cls, verb):
                setattr(cls, verb, without_arguments(getattr(cls, verb), cls.unused))
        if "__init__" in vars(cls):
            cls.__init__ = constructor(cls.__init__)  # type: ignore[method-assign]
        super().__init_subclass__(**how)  # scikit-learn looks at the arguments that are left

    @abstractmethod
    def _parse(self) -> Settings:
        """The settings that the constructor arguments say; what makes no sense is refused."""

    @abstractmethod
    def _reader(self) -> Reader:
        """How rows come in."""

    @abstractmethod
    def _count(self, X: Any, codes: Array, n_classes: int, weights: Array | None) -> Statistics:
        """The statistics of these rows."""

    @abstractmethod
    def _fit(self, statistics: Statistics) -> FittedObject:
        """What follows from the statistics and the settings."""

    # a method of a source and the name of its column of classes: what an engine counts of a file or
    # a lazy table; None where its rows must be read
    _counted_at_source: ClassVar[Callable[..., Counted | None] | None] = None

    # learning: statistics with + and - ------------------------------------------------------

    @learning
    def fit(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        times: ArrayLike | None = None,
        text: str | Sequence[str] | None = None,
    ) -> Self:
        """Learn from rows X with targets y; whatever was learned before is gone.

        X : array, sparse matrix, table of pandas, polars or pyarrow, dict of columns, list of rows;
            or the path of a CSV, TSV or Parquet file, a DuckDB relation, or a lazy table of polars,
            PySpark, Dask or Ibis: counted where it is, or read block by block. For a model of
            texts: a list or a column of texts, such a table or file with a column of them, or a
            folder with one folder for each class
        y : the class of each row, or the number to be predicted; or the name of the column of X
            that holds it
        sample_weight : weights of the rows; a row of weight 2 counts twice
        times : the time of each row, if decay is a span of time: seconds since 1970, datetimes, or
            strings such as "2026-05-01T12:30"; a single one for all rows
        text : of a table or file the name of the column with the texts, if there are several; or
            the names of several columns, whose texts are joined by a line break in each row. The
            model keeps them: `partial_fit` and `forget` use them
        """
        forget_learned(self)
        return self._learn(X, y, sample_weight, is_all=True, times=times, text=text)

    @learning
    def partial_fit(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        classes: Iterable[Label] | None = None,
        sample_weight: ArrayLike | None = None,
        times: ArrayLike | None = None,
        text: str | Sequence[str] | None = None,
    ) -> Self:
        """Learn more rows (incremental): the model is the same as from one `fit` on all rows.

        classes : every class that can occur, if the first rows may lack one
        times : the time of each row, if decay is a span of time
        text : of a table or file the column with the texts
        """
        self._check_verb("partial_fit")
        declared = self._declared(classes)
        return self._learn(X, y, sample_weight, declared=declared, times=times, text=text)

    @learning
    def forget(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        text: str | Sequence[str] | None = None,
    ) -> Self:
        """Remove rows (unlearning): the model is then the same as if it had never learned them.

        Rows that were never learned are refused where the statistics show it.

        text : of a table or file the column with the texts
        """
        check_is_fitted(self)
        self._check_verb("forget")
        counted = self._counted(self._rows_to_learn(opened(X), y, sample_weight, text=text))
        return self._accept(self._without(*counted))

    @learning
    def merge(self, other: "CountingModel") -> Self:
        """Add everything that another model of this kind has learned; ignore its parameters.

        Rows that fade over time are merged as of the latest row of both. Rows that fade by number
        have no order relative to those of another model: such models cannot be merged.
        """
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
        self._add(*self._as_merged(other)._so_far())
        return self._accept(self.statistics_)

    @offered_if(_has_choices)
    @learning
    def choose_again(self) -> Self:
        """Make the choices of choices="hold" again: the model then equals one `fit` on all rows.

        With choices="always" nothing changes.
        """
        check_is_fitted(self)
        vars(self).pop("held_", None)
        return self._keep(self.statistics_)

    @answering
    def with_noise(
        self,
        epsilon: float,
        levels: Mapping[str, Iterable[object]] | ArrayLike | None = None,
        random_state: RandomState = None,
        classes: Iterable[Label] | None = None,
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
        if state_of_notes(self):
            raise ValueError(
                "A model with noise reveals only counts, and this one has learned more from the "
                "rows than counts. Fit it without learned weights, decay, and choices='hold'."
            )
        return self._accept(counts)

    def _when_set(self, before: object, params: Mapping[str, object]) -> None:
        """What follows for the notes when these parameters were set."""
        if hasattr(self, "_following"):
            fitted = self._following.fitted_with(parameters_of(before))
            for note in self.notes if fitted is not None else ():
                if note.reset is not None:
                    note.reset(self, fitted, params)

    @answering
    def leave_one_out(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        times: ArrayLike | None = None,
    ) -> Array:
        """The answer for each learned row, as if that row had not been learned.

        Equal to learning all other rows (with all classes declared) and predicting this one, for
        every row, in three to four times the time of one answer. What the model has chosen by
        itself (column types, cut points, bandwidths, lambdas) stays fixed. Pass the weights that
        were learned. With decay, pass the latest rows in the order of learning, or their times:
        each is removed with its current weight.

        times : the time of each row, if decay is a span of time
        """
        check_is_fitted(self)
        self._check_verb("leave_one_out")
        rows = self._all_rows(X, y, sample_weight, times=times)
        with self.at_work():
            counted = self._counted_by_engine(rows)
            if counted is not None:  # rows that were never learned are refused all at once,
                _ = self._without(*counted)
            known = map(self._with_known_classes, rows)
            answers = self._left_out if counted is None else self._answers_without
            return np.concatenate([*map(answers, known)])

    # settings, and what follows from them ---------------------------------------------------

    @property
    def _settings(self) -> Settings:
        """What the parameters say, parsed once; they are refused if they make no sense."""
        parameters = parameters_of(self)
        parsed: Parsed[Settings] | None = vars(self).get("_parsed")
        if parsed is None or not are_same(parsed.parameters, parameters):
            parsed = vars(self)["_parsed"] = Parsed(parameters, self._parse())
        return parsed.settings

    def _check_parameters(self) -> None:
        """Refuse constructor arguments that make no sense."""
        _ = self._parse_again()

    def _parse_again(self) -> Settings:
        """The same, where what they depend on may have changed without a trace."""
        vars(self).pop("_parsed", None)
        return self._settings

    @property
    def _fitted(self) -> FittedObject:
        """What follows from the statistics; settings that do not suit them are refused."""
        state, parameters = snapshot(self), parameters_of(self)
        fitted = state._following.fitted_with(parameters)
        if fitted is None:
            with state.at_work():
                _ = state._settings
                fitted = state._fit(state.statistics_)
            state._following.made = Fitting(parameters, fitted)
        return fitted

    # how it is done -------------------------------------------------------------------------

    def _learn(
        self,
        X: object,
        y: object,
        sample_weight: object,
        declared: Array | None = None,
        is_all: bool = False,
        times: object = None,
        text: object = None,
    ) -> Self:
        """Count rows beside what was learned; is_all: there is nothing else."""
        self._parse_again()
        source = opened(X)
        rows = self._rows_to_learn(source, y, sample_weight, times, text)
        name = None if hasattr(self, "target_name_") else name_of_target(source, y)
        if name is not None:
            self.target_name_ = name
        seen = self._learn_rows(rows, declared, is_all)
        for notice in self._notices(seen) if is_all else ():
            tell(notice)
        return self

    def _learn_rows(
        self, rows: Iterable[CodedRows], declared: Array | None = None, is_all: bool = False
    ) -> Sequence[object]:
        """Count rows as the reader has given them. Returns what the notes have seen."""
        for note in self.notes:
            if note.learn is not None:
                rows = note.learn(self, rows)
        seen = self._look_before(rows)
        self._add_rows(rows, declared)
        with self.at_work():
            self._look_after(CodedSource(lambda: map(self._with_known_classes, rows)), is_all)
        self._accept(self.statistics_, is_all)
        return seen

    # notes

    def _look_before(self, rows: Iterable[CodedRows]) -> Sequence[object]:
        """What each note sees in rows that are not counted yet."""
        return [note.before and note.before(self, rows) for note in self.notes]

    def _look_after(self, rows: Iterable[CodedRows], is_all: bool) -> None:
        for note in self.notes:
            if note.after is not None:
                note.after(self, rows, is_all)

    def _notices(self, seen: Sequence[object]) -> Iterator[str]:
        for note, what in zip(self.notes, seen, strict=True):
            if note.notices is not None:
                yield from note.notices(self, what)

    def _check_verb(self, verb: str) -> None:
        """Refuse a verb other than `fit` that does not go with the parameters."""
        for note in self.notes:
            if note.refuse is not None:
                note.refuse(self, verb)

    def _check_alike(self, other: object) -> None:
        """Refuse another model of this kind and these columns that counts differently."""
        for note in self.notes:
            if note.alike is not None:
                note.alike(self, other)

    def _as_merged(self, other: object) -> Any:
        """Another model as it is to be merged."""
        self._check_alike(other)
        for note in self.notes:
            if note.merge is not None:
                other = note.merge(self, other)
        return other

    # what was learned

    def _without(self, classes: Array | None, counted: Any) -> Any:
        """What was learned, less these; refused if they were never learned, as far as it shows."""
        if classes is not None and classes is not self.classes_:
            places = encode_known_labels(classes, self.classes_)
            counted = counted.with_classes_at(places, len(self.classes_))
        return self.statistics_ - counted

    def _add_rows(self, rows: Iterable[CodedRows], declared: Array | None) -> None:
        """Count rows, and add what they come to.

        A few are added one after the other, where the statistics can: it does not matter then in
        how many calls they come, while all of them at once would round moments in another way.
        """
        counts: Any = getattr(self, "statistics_", None)
        if declared is None and counts is not None and _adds_rows(counts) and _are_few(rows):
            for block in rows:
                if block.classes is not self.classes_:
                    self.classes_, counts = among_classes(block.classes, self.classes_, counts)
                counts = counts.with_rows(block.X, self._with_known_classes(block).codes)
            self.statistics_ = counts
            return
        counted = self._counted(rows)
        if declared is not None:
            counted = among_classes(declared, *counted)
        self._add(*counted)

    def _add(self, classes: Array | None, statistics: Statistics) -> None:
        """Add these to what was learned so far."""
        if hasattr(self, "statistics_"):
            classes, statistics = united(self._so_far(), (classes, statistics))
        if classes is not None:
            self.classes_ = classes
        self.statistics_ = statistics

    def _accept(self, statistics: Statistics, is_all: bool = False) -> Self:
        """Keep what a verb has come to, or refuse it."""
        self._keep(statistics)
        with self.at_work():
            for note in self.notes:
                if note.check is not None:
                    note.check(self, is_all)
        return self

    def _keep(self, statistics: Statistics) -> Self:
        self.statistics_ = statistics
        self._following = Following()
        for note in self.notes:
            if note.keep is not None:
                note.keep(self, statistics)
        if not self.fits_when_asked:
            _ = self._fitted  # or it is refused
        return self

    def _so_far(self) -> Counted:
        return getattr(self, "classes_", None), self.statistics_

    # rows

    def _rows_to_learn(
        self,
        source: Source,
        y: object,
        sample_weight: object,
        times: object = None,
        text: object = None,
    ) -> Iterable[CodedRows]:
        """Rows that can be gone through twice: a file is read again, others are read once."""
        given = {} if text is None else {"text": text}
        rows: Iterable[CodedRows]
        if isinstance(source, Stored):
            rows = self._rows_again(source, y, sample_weight, given)
        else:
            reader = self._reader()
            blocks = reader.blocks(source, y, sample_weight, **given)
            rows = [self._coded(block, reader) for block in blocks]
        for note in self.notes:
            if note.read is not None:
                rows = note.read(self, rows, times)
        return rows

    def _rows_again(
        self, source: Stored, y: object, sample_weight: object, given: dict[str, object]
    ) -> CodedSource:
        if source.is_spark and keeps_counts(self):
            return spark_rows(self, source, y, sample_weight, given)

        def blocks() -> Iterator[CodedRows]:
            return self._coded_blocks(source, y, sample_weight, **given)

        if isinstance(y, str) and sample_weight is None and not given:
            return CodedSource(blocks, source, y)
        return CodedSource(blocks)

    def _coded_blocks(
        self, source: Source, y: object, sample_weight: object, **given: object
    ) -> Iterator[CodedRows]:
        reader = self._reader()
        for number, block in enumerate(reader.blocks(source, y, sample_weight, **given)):
            reader = self._reader() if number == 1 else reader  # knows the columns of the first
            yield self._coded(block, reader)

    def _coded(self, block: RowBlock, reader: Reader) -> CodedRows:
        classes, codes = self._encoded(block.y)
        rows = read_to_learn(self, block, len(codes), reader)
        return CodedRows(rows, classes, codes, checked_weights(block.weights, len(codes)))

    def _known_rows(self, X: object, y: object, weights: object) -> Iterator[CodedRows]:
        """Rows of the classes that the model has, by the numbers of these."""
        return map(self._with_known_classes, self._all_rows(X, y, weights))

    def _all_rows(
        self, X: object, y: object, weights: object, times: object = None
    ) -> Iterable[CodedRows]:
        """All rows, each of which gets an answer."""
        rows = self._rows_to_learn(opened(X), y, weights, times)
        if isinstance(rows, CodedSource) and rows.is_sample:
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

    def _encoded(self, y: object) -> tuple[Array | None, Array]:
        """The classes, and the number of the class of each row; None and targets for numbers."""
        if self._read_targets is not None:
            return None, self._read_targets(y)
        if self.declares_classes and hasattr(self, "classes_"):
            return self.classes_, encode_known_labels(y, self.classes_)
        if hasattr(self, "classes_"):  # most often there is no new one
            codes = codes_among(y, self.classes_)
            if codes is not None:
                return self.classes_, codes
        return encode_labels(y)

    # counts

    def _counted(self, rows: Iterable[CodedRows]) -> Counted:
        """Classes and statistics of all rows, block by block."""
        counted = self._counted_by_engine(rows)
        if counted is None and isinstance(rows, CodedSource) and rows.count is not None:
            counted = rows.count(lambda: unchanging(self))
        elif counted is None:
            counted = sum_of_pairs(united, map(self._counted_block, rows))
        if counted is None:
            raise ValueError(
                "There are no rows, so there is nothing to learn. Pass at least one with its class."
            )
        return counted

    def _counted_by_engine(self, rows: Iterable[CodedRows]) -> Counted | None:
        """The same without the rows, where an engine counts them."""
        if not isinstance(rows, CodedSource) or rows.target is None:
            return None
        if self._counted_at_source is None or rows.source is None:
            return None
        return self._counted_at_source(rows.source, rows.target)

    def _counted_block(self, rows: CodedRows) -> Counted:
        n_classes = 1 if rows.classes is None else len(rows.classes)
        return rows.classes, self._count(rows.X, rows.codes, n_classes, rows.weights)

    def _left_out(self, rows: CodedRows) -> Array:
        _ = self.statistics_ - self._counted_block(rows)[1]  # or block by block
        return self._answers_without(rows)

    def _answers_without(self, rows: CodedRows) -> Array:
        """The answer for each of these learned rows, as if it had not been learned."""
        answers, n_impossible = self._fitted.answers_without(rows.X, rows.codes, rows.all_weights)
        tell_impossible(self, n_impossible)
        return answers

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

    def _has_features_of(self, statistics: Any) -> bool:
        """For files: whether statistics can be of the features that the model knows."""
        names = getattr(statistics, "column_names", None)
        if names is not None:
            return set(names) <= set(known_columns(self).names)
        return statistics.n_features == self.numbers_per_feature * self.n_features_in_


def _adds_rows(counts: Any) -> bool:
    """Whether rows of weight 1 can be added to these statistics one after the other."""
    return hasattr(counts, "with_rows") and counts.is_whole


def _are_few(rows: Iterable[CodedRows]) -> bool:
    """Whether these are a few rows in memory, which count once each."""
    if not isinstance(rows, list) or not rows:
        return False
    return all(block.weights is None and block.X.n_rows <= ROWS_IN_TURN for block in rows)


def unchanging(model: Model) -> Model:
    """A copy of the model as it is now, without what follows from it."""
    copy = snapshot(model)
    vars(copy).pop("_following", None)
    return copy
