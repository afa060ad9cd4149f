"""What a model asks of its reader, and the rows that it gives."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, final

import numpy as np

from bayesic.data.counted_texts import CountedTexts
from bayesic.data.source import RowBlock, Source, Stored
from bayesic.data.tables import Table
from bayesic.kernels import Array
from bayesic.models.readers.known_columns import Kept


class Reader(Protocol):
    """How rows come in. Made from the parameters of a model and what it knows of its columns."""

    goes_by_position: ClassVar[bool]  # whether statistics know columns by their place

    @property
    def features(self) -> list[str]:
        """The names of the columns that take part."""

    @property
    def blocks(self) -> Callable[..., Iterator[RowBlock]]:
        """A method that takes a source, y, sample_weight and the other arguments of a verb, such
        as text=. Rows to learn, with their classes and weights, in blocks if they come from a file.
        """

    def asked(self, source: Source) -> Iterator[RowBlock]:
        """Rows to answer, in blocks if they come from a file."""

    def read(self, block: RowBlock) -> tuple[Any, Kept]:
        """The rows as the model counts them, and the attributes that are kept of the first ones."""

    def one(self, X: object) -> tuple[Any, bool]:
        """Rows to explain as `read` gives them, and whether it was one row alone."""

    def shown(self, rows: Any) -> list[list[str | None]]:
        """The cells of each row as a person knows them, None where missing."""


class HasReader(Protocol):
    """A model that says how rows come in."""

    def _reader(self) -> Reader:
        """How rows come in."""


@dataclass(frozen=True, eq=False)
class CodedRows:
    """Rows as a model counts them, the class of each by its number, and their weights."""

    X: Any
    classes: Array | None  # None where targets are numbers
    codes: Array
    weights: Array | None  # None: one each

    @property
    def all_weights(self) -> Array:
        """The weight of each row."""
        return np.ones(len(self.codes)) if self.weights is None else self.weights

    def part(self, rows: slice) -> "CodedRows":
        """These rows, without a copy of numbers and codes."""
        has_parts = isinstance(self.X, (Table, CountedTexts))
        return self._some(self.X.part(rows) if has_parts else self.X[rows], rows)

    def at(self, places: Array) -> "CodedRows":
        """The rows with these numbers."""
        has_places = isinstance(self.X, (Table, CountedTexts))
        return self._some(self.X.at(places) if has_places else self.X[places], places)

    def alone(self, places: Array) -> "CodedRows":
        """The same, as if there were no other rows; classes stay."""
        if isinstance(self.X, Table):
            return self._some(self.X.alone(places), places)
        return self.at(places)

    def _some(self, X: object, places: Array | slice) -> "CodedRows":
        weights = None if self.weights is None else self.weights[places]
        return CodedRows(X, self.classes, self.codes[places], weights)


# the classes, None where targets are numbers, and the statistics of all rows
Counted = tuple[Any, Any]


class CountsRows(HasReader, Protocol):
    """A model that counts rows block by block, as CountingModel does."""

    def _encoded(self, y: object) -> tuple[Any, Array]:
        """The classes, and the number of the class of each row; None and targets for numbers."""

    def _coded_blocks(
        self, source: Source, y: object, sample_weight: object, **given: object
    ) -> Iterator[CodedRows]:
        """The rows as the model counts them."""

    def _counted_block(self, rows: CodedRows) -> Counted:
        """Classes and statistics of a block."""


class StoredReader(Reader, Protocol):
    """A reader of rows that an engine may count."""

    def stored_in(self, source: Stored, target: str | None) -> dict[str, str]:
        """How the columns of a file are read."""


class CountsStored(CountsRows, Protocol):
    """A model whose rows an engine may count."""

    def _reader(self) -> StoredReader:
        """How rows come in."""


@final
@dataclass(frozen=True, eq=False)
class CodedSource:
    """A source whose rows are read and coded again each time that they are gone through.

    Of a program that holds too many rows they are a sample, which follows from what is in the rows;
    that program counts all of them.
    """

    blocks: Callable[[], Iterable[CodedRows]]
    source: Stored | None = None  # if the rows need not come in order to be counted,
    target: str | None = None  # and its column of classes
    # what gives a state of the model, when its columns are known -> classes and statistics of all
    # rows; None where the blocks are all rows
    count: Callable[[Callable[[], CountsRows]], Counted | None] | None = None

    def __iter__(self) -> Iterator[CodedRows]:
        return iter(self.blocks())

    @property
    def is_sample(self) -> bool:
        """Whether there are more rows than the blocks have, in no order."""
        return self.count is not None
