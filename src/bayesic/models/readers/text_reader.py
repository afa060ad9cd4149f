"""Texts: lists and columns in memory, folders, mailboxes, and columns of files block by block."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

from bayesic.data.counted_texts import CountedTexts
from bayesic.data.source import RowBlock, Source, Stored, opened
from bayesic.data.text_files import (
    Columns,
    as_list,
    asked_texts,
    has_columns,
    has_texts,
    labelled_texts,
    text_columns,
)
from bayesic.data.texts import joined_texts, texts_to_count
from bayesic.data.tokens import OwnTokenizer, Tokenizer, refusal_to_recut
from bayesic.models.readers.known_columns import Kept


@dataclass(frozen=True)
class TextReader:
    """How a model takes texts in. Their words are counted when it is known what for."""

    tokenizer: Tokenizer | OwnTokenizer  # as the model is told now
    learned: Tokenizer | OwnTokenizer | None  # of the texts that were learned, if any were
    is_given: bool  # whether a tokenizer was named or handed in
    counts_lengths: bool  # whether words count by the length of their text, as for tf-idf
    columns: Columns = None  # of the file that was learned: where its texts stand
    target: str | None = None  # and their labels
    goes_by_position: ClassVar[bool] = True

    @property
    def features(self) -> list[str]:
        """The one column that texts are."""
        return ["x0"]

    def blocks(
        self, source: Source, y: object, sample_weight: object, text: Columns = None
    ) -> Iterator[RowBlock]:
        """Texts to learn, with their classes and weights.

        text : the columns of a file that hold the texts; without it, and without y, those that
               were learned
        """
        if has_texts(source):
            return self._stored_blocks(source, y, sample_weight, text)
        if isinstance(y, str):
            raise ValueError(
                f"y={y!r} names a column, which files and lazy tables have. Give texts and labels "
                f"of a table in memory apart: fit(X['text'], X[{y!r}]), with the name of the "
                "column of texts."
            )
        return iter([RowBlock(source.X, 0, y, sample_weight, tuple(as_list(text)))])

    def _stored_blocks(
        self, source: Stored, y: object, sample_weight: object, text: Columns
    ) -> Iterator[RowBlock]:
        names = as_list(text)
        if has_columns(source, text):
            y = self.target if y is None else y
            text = self.columns if text is None else text
            names = text_columns(source, text, y) if isinstance(y, str) else as_list(text)
        for texts, labels in labelled_texts(source, y, sample_weight, text):
            yield RowBlock(texts, 0, labels, sample_weight, tuple(names))

    def asked(self, source: Source) -> Iterator[RowBlock]:
        """Texts to answer."""
        if not has_texts(source):
            return iter([source.X if isinstance(source.X, RowBlock) else RowBlock(source.X)])
        blocks = map(RowBlock, asked_texts(source, self.columns))
        return chain([next(blocks, RowBlock([]))], blocks)  # a file may have no rows

    def read(self, block: RowBlock) -> tuple[CountedTexts, Kept]:
        """The texts, and what is to be kept of the way in which they came."""
        if self.learned not in (None, self.tokenizer):
            raise ValueError(refusal_to_recut(self.learned, self.tokenizer, not self.is_given))
        texts = texts_to_count(block.X)
        if len(texts) == 0:
            raise ValueError("X must have at least one text, got none. Give a list of texts.")
        kept: Kept = {}
        if self.learned is None:
            kept = {"n_features_in_": 1, "tokenizer_": self.tokenizer}
            kept["counts_lengths_"] = self.counts_lengths
        if self.columns is None and block.names:
            kept["text_column_"] = block.names if len(block.names) > 1 else block.names[0]
        return CountedTexts(texts, self.tokenizer), kept

    def one(self, X: object) -> tuple[CountedTexts, bool]:
        """Texts to explain, and whether it was one text alone."""
        if X is None or isinstance(X, str):
            return self.read(RowBlock([X]))[0], True
        source = opened(X)
        if has_texts(source):
            X = joined_texts([*asked_texts(source, self.columns)])
        return self.read(RowBlock(X))[0], False

    def shown(self, rows: CountedTexts) -> list[list[str | None]]:
        """Each text, as the one cell of its row."""
        return [[text] for text in rows.strings()]
