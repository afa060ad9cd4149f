"""What public functions take, so that editors can complete and type checkers can help.

Each alias says what is accepted, not how it is read: that is the business of the readers. Options
that are one of a few words are `Literal`, where they are used.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike


class HasArray(Protocol):
    """Arrays, and columns of pandas, polars and pyarrow."""

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        """The values as an array of NumPy."""


class HasColumns(Protocol):
    """Tables of pandas, polars, pyarrow, DuckDB, Ibis, Spark: they know their columns."""

    @property
    def columns(self) -> object:
        """The columns, or their names."""


class HasShape(Protocol):
    """Sparse matrices of SciPy, and all else with rows and columns."""

    @property
    def shape(self) -> tuple[int, ...]:
        """How many rows and columns there are."""


class HasBlocks(Protocol):
    """Rows that were opened already, see `bayesic.data.source`."""

    def blocks(self, stored: Mapping[str, str] = ..., rows_per_block: int | None = None) -> object:
        """The rows, block by block."""


class Predictor(Protocol):
    """A model that answers: of this library, of scikit-learn, a pipeline."""

    def predict(self, X: Any, /) -> Any:
        """The answer for each row."""


class Classifier(Protocol):
    """Anything that gives class probabilities: of this library, of scikit-learn, a pipeline."""

    @property
    def classes_(self) -> Any:
        """The classes, once it is fitted."""

    def predict_proba(self, X: Any, /) -> Any:
        """The probability of each class for each row."""


class Splitter(Protocol):
    """What cuts rows into folds, such as KFold of scikit-learn."""

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Any:
        """Pairs of rows to learn and rows to predict."""


FilePath = str | PathLike[str]

# rows: arrays, tables, a dict of columns, a list of rows or texts, the path of a file, lazy tables
TableLike = (
    HasArray
    | HasColumns
    | HasShape
    | HasBlocks
    | Mapping[Any, object]
    | Sequence[object]
    | FilePath
)

# their classes or targets, or the name of the column that holds them
LabelsLike = HasArray | Sequence[object] | FilePath
Label = Hashable  # one of them

# the cost of each action in each class: an array, a dict of dicts, or a table
LossLike = ArrayLike | Mapping[Any, Mapping[Any, float]] | HasColumns | FilePath

Folds = int | Literal["leave-one-out"] | Splitter | Iterable[object]  # which rows are held out
RandomState = int | np.random.Generator | np.random.RandomState | None
Size = tuple[float, float]  # width and height of a figure in inches

# options that several models share ---------------------------------------------------------------

Kind = Literal[
    "categorical", "bernoulli", "gaussian", "kernel", "binned", "poisson", "text", "ignore"
]
Splits = Literal["best", "random"]  # of a forest
Choices = Literal["always", "hold"]
Decay = float | str | None  # a half-life: rows, or a span of time such as "30 days"
Prior = Literal["learned", "uniform"] | Mapping[Any, float]

MEstimate = (
    tuple[Literal["m"], float]
    | tuple[Literal["m"], float, Literal["uniform"]]
    | tuple[Literal["m"], float, Mapping[Any, float]]
)
Smoothing = float | Literal["auto"] | MEstimate  # of one column, or of words
BackOffSmoothing = Literal["back-off"] | tuple[Literal["back-off"], float]
DependenceSmoothing = float | tuple[Literal["m"], float] | BackOffSmoothing
NetworkSmoothing = float | tuple[Literal["bdeu"], float] | BackOffSmoothing  # of a belief network

QueryMethod = Literal["exact", "likelihood-weighting", "gibbs", "forward"]
StructureScore = Literal["bic", "aic", "bdeu", "k2"] | tuple[Literal["bdeu"], float]
TextModel = Literal["multinomial", "complement", "bernoulli", "binary-multinomial", "auto"]
CutsTexts = (
    Literal["zh-words", "zh-characters", "whitespace"] | Callable[[str], Iterable[str]]
)  # into words

StructureMethod = Literal["hill-climb", "k2", "exact", "chow-liu", "pc"]
