"""Tokens counted by compiled kernels: blocks of texts side by side, put together in order.

A token is known by its 64-bit hash. Its text is cut out of the bytes and made a string once in all,
and only if somebody asks.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from types import ModuleType
from typing import NamedTuple

import numpy as np

from bayesic.data.blocks import in_threads
from bayesic.data.texts import TextBytes
from bayesic.data.tokens import CUT_BY_RJIEBA, LEAST_LETTERS, Tokenizer
from bayesic.kernels import Array
from bayesic.kernels.unicode import WORD, case_folding, character_kinds, spaces

# Blocks of texts that are counted side by side have about this many bytes; less where there would
# be few blocks, which threads could not share evenly.
BYTES_PER_BLOCK, LEAST_BYTES, USUAL_BLOCKS = 2**22, 2**19, 8

CHARACTERS_TO_CUT = 2**17  # about so many at a time
FIRST_BYTE_OF_CHINESE = 0xE3  # in UTF-8; other scripts have such bytes too

LONG = 56  # bytes; few words have so many in common

_NO_SPACES = np.zeros(0x110000, dtype=bool)  # lines are folded with their ends and spaces


class _Rule(NamedTuple):
    """How the kernels make tokens."""

    least_letters: int  # of a word that is not Chinese
    least: int  # words (or characters) of an n-gram
    largest: int
    how: int  # what is made of Chinese: a constant of the kernels


class _Characters(NamedTuple):
    """What the kernels know of each character, as in `kernels/unicode.py`."""

    kinds: Array
    fold: Array
    several: Array


class _Block(NamedTuple):
    """The tokens of a block: a sparse matrix of groups of texts and tokens, and their texts."""

    ends: Array  # (n_groups + 1,)
    tokens: Array  # (n_entries,)
    counts: Array  # (n_entries,)
    texts: Array  # (n_entries,), texts of the group with the token; none if nobody asked
    different: Array  # uint64 (n_different, 3), each token's hash, and where it first is in data
    data: Array  # uint8


# How the texts of a block are made ready to be counted: bytes and offsets.
Prepare = Callable[[TextBytes], tuple[Array, Array]]


class Counter(NamedTuple):
    """The compiled kernels, and all that they need to count texts."""

    kernels: ModuleType
    rule: _Rule
    characters: _Characters
    prepare: Prepare

    def by_text(self, texts: TextBytes) -> tuple["WordLines", tuple[Array, Array, Array]]:
        """The words, and a sparse matrix of texts and words: entries, their words, ends of rows."""
        blocks = self._blocks(texts)
        words, numbers = self._united(blocks)
        n_entries = np.cumsum([0, *(len(block.tokens) for block in blocks)])
        ends = [
            block.ends[1:] + before for block, before in zip(blocks, n_entries[:-1], strict=True)
        ]
        places = [number[block.tokens] for block, number in zip(blocks, numbers, strict=True)]
        counts = [block.counts for block in blocks]
        return words, (
            np.concatenate(counts),
            np.concatenate(places),
            np.concatenate([[0], *ends]).astype(np.int64),
        )

    def by_class(
        self, texts: TextBytes, codes: Array, n_classes: int, weights: Array | None
    ) -> tuple[tuple[str, ...], Array, Array]:
        """The words in sorted order, and tables of words and classes: occurrences, and texts
        with them."""
        blocks = self._blocks(texts, codes, weights)
        words, numbers = self._united(blocks)
        order = words.in_order()
        place = np.empty(len(order), dtype=np.intp)
        place[order] = np.arange(len(order))
        whole = np.int64 if weights is None else np.float64
        occurrences, texts_with = np.zeros((2, len(order), n_classes), dtype=whole)
        for block, number in zip(blocks, numbers, strict=True):
            entries = block.ends, block.tokens, block.counts, block.texts
            self.kernels.add_entries(*entries, place[number], occurrences, texts_with)
        return words.strings(order), occurrences, texts_with

    def hashes(self, words: Sequence[str]) -> Array:
        """The hashes by which the kernels know these words: uint64 (n_words,)."""
        data = [f"{word}\n".encode("utf-8", "surrogatepass") for word in words]
        ends = np.cumsum(np.fromiter(map(len, data), np.int64, len(data)))
        lines = np.frombuffer(b"".join(data), np.uint8)
        return self.kernels.hashes_of_lines(lines, ends, self.rule.how)

    def places(self, hashes: Array, among: Array) -> Array:
        """The number of each hash among others, which are all different; -1 if it is none."""
        numbers, _ = self.kernels.numbered(np.concatenate([among, hashes]))
        asked = numbers[len(among) :]
        return np.where(asked < len(among), asked, -1)

    def _blocks(
        self, texts: TextBytes, groups: Array | None = None, weights: Array | None = None
    ) -> list[_Block]:
        """The blocks of texts counted; by group, or each text for itself."""

        def count(rows: slice) -> _Block:
            data, offsets = self.prepare(texts.part(rows))
            numbers = np.arange(rows.stop - rows.start)
            group = numbers if groups is None else groups[rows].astype(np.int64)
            weight = np.ones(len(numbers)) if weights is None else weights[rows]
            order = numbers if groups is None else np.argsort(group, kind="stable")
            ends, tokens, counts, with_token, different = self.kernels.counted_tokens(
                data, offsets, order, group, weight, *self.characters, self.rule, groups is not None
            )
            return _Block(ends, tokens, counts, with_token, different, data)

        return [*in_threads(count, _blocks_of_bytes(texts.offsets))]

    def _united(self, blocks: list[_Block]) -> tuple["WordLines", list[Array]]:
        """The different words of all blocks, and the numbers there of the tokens of each block."""
        hashes = np.concatenate([block.different[:, 0] for block in blocks])
        numbers, first = self.kernels.numbered(hashes)
        begins = np.cumsum([0, *(len(block.different) for block in blocks)])
        cuts = np.searchsorted(first, begins)
        found = [
            (block.data, block.different[first[start:stop] - begin])
            for block, begin, (start, stop) in zip(blocks, begins[:-1], pairwise(cuts), strict=True)
        ]
        return WordLines(self, hashes[first], found), np.split(numbers, begins[1:-1])

    def lines(self, found: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
        """The texts of tokens as lines, and where each ends.

        found : bytes, and the tokens that are in them: uint64 (n_tokens, 3), as `counted_tokens`
            gives them
        """
        kernels, rule = self.kernels, self.rule

        def of_part(part: tuple[Array, Array]) -> tuple[Array, Array]:
            return kernels.token_lines(*part, self.characters.kinds, rule.least_letters, rule.how)

        parts = [*in_threads(of_part, found)]
        lengths = [np.diff(ends, prepend=0) for _, ends in parts]
        offsets = np.concatenate([[0], np.cumsum(np.concatenate(lengths))])
        lines = np.concatenate([lines for lines, _ in parts])
        folded, ends = kernels.folded_texts(lines, offsets, _NO_SPACES, *self.characters[1:])
        return folded, ends[1:]


@dataclass(frozen=True, eq=False)
class WordLines:
    """Different words, which are cut out and made strings only if somebody asks."""

    counter: Counter
    hashes: Array  # uint64 (n_words,)
    found: list[tuple[Array, Array]]  # where they first are, as `Counter.lines` takes them

    @cached_property
    def _lines(self) -> tuple[Array, Array]:
        """The words as lines of UTF-8, and where each ends."""
        return self.counter.lines(self.found)

    def strings(self, order: Array | None = None) -> tuple[str, ...]:
        """The words in this order, or in their own."""
        lines, ends = self._lines
        if order is not None:
            lines = self.counter.kernels.some_lines(lines, ends, order)
        return tuple(lines.tobytes().decode("utf-8", "surrogatepass").split("\n")[:-1])

    def in_order(self) -> Array:
        """The numbers of the words in sorted order: UTF-8 sorts as the characters do.

        Seven bytes at a time, of those words that are the same so far.
        """
        lines, ends = self._lines
        order, tied = np.arange(len(ends)), np.arange(len(ends))
        run = np.zeros(len(tied), dtype=np.intp)  # which of them are the same so far
        for depth in range(0, LONG, 7):
            keys = self.counter.kernels.line_keys(lines, ends, order[tied], depth)
            sort = np.lexsort([keys, run]) if depth else np.argsort(keys)
            order[tied] = order[tied][sort]
            keys, run = keys[sort], run[sort]
            as_before = np.zeros(len(keys) + 1, dtype=bool)
            as_before[1:-1] = (keys[1:] == keys[:-1]) & (run[1:] == run[:-1])
            is_tied = as_before[:-1] | as_before[1:]
            run = np.cumsum(~as_before[:-1])[is_tied]
            tied = tied[is_tied]
            if not len(tied):
                return order
        words = self.strings(order[tied])
        rest = sorted(range(len(tied)), key=lambda at: (run[at], words[at]))
        order[tied] = order[tied][rest]
        return order


def _blocks_of_bytes(offsets: Array) -> list[slice]:
    """Rows in blocks of about BYTES_PER_BLOCK, or less where there would be few blocks.

    >>> len(_blocks_of_bytes(np.arange(0, 11_000_001, 1000)))
    8
    """
    n_bytes = int(offsets[-1] - offsets[0])
    step = min(BYTES_PER_BLOCK, max(LEAST_BYTES, n_bytes // USUAL_BLOCKS + 1))
    marks = np.arange(offsets[0], offsets[-1] + 1, step)
    cuts = np.unique([*np.searchsorted(offsets, marks), len(offsets) - 1]).tolist()
    return [slice(first, last) for first, last in pairwise(sorted({0, *cuts}))]


def counter_of(kernels: ModuleType, tokenizer: Tokenizer) -> Counter:
    """What counts the tokens of this tokenizer with compiled kernels."""
    kinds, (fold, several) = character_kinds(), case_folding()
    how, prepare = kernels.HAN_BY_CHARACTERS, _as_they_are
    if tokenizer.analyzer == "char":
        how, prepare = kernels.CHARACTERS, partial(_folded, kernels)
    elif tokenizer.chinese in CUT_BY_RJIEBA and tokenizer.language != "en":
        with_pairs = tokenizer.chinese == "rjieba"
        how = kernels.HAN_BY_CUTS if with_pairs else kernels.HAN_BY_WORDS
        prepare = partial(_cut_by_rjieba, kernels)
    if tokenizer.language == "en":
        kinds = np.minimum(kinds, np.uint8(WORD))
    rule = _Rule(LEAST_LETTERS, *tokenizer.ngrams, how)
    return Counter(kernels, rule, _Characters(kinds, fold, several), prepare)


def _as_they_are(texts: TextBytes) -> tuple[Array, Array]:
    return texts.data, texts.offsets


def _folded(kernels: ModuleType, texts: TextBytes) -> tuple[Array, Array]:
    return kernels.folded_texts(texts.data, texts.offsets, spaces(), *case_folding())


def _cut_by_rjieba(kernels: ModuleType, texts: TextBytes) -> tuple[Array, Array]:
    """The texts with their runs of Chinese cut into words: all runs at once, a line each."""
    data, offsets, kinds = texts.data, texts.offsets, character_kinds()
    within = data[offsets[0] : offsets[-1]]
    if within.max(initial=0) < FIRST_BYTE_OF_CHINESE:
        return data, offsets
    runs = kernels.chinese_runs(data, offsets, kinds).tobytes().decode()
    if not runs:
        return data, offsets
    import rjieba

    cut = "\0".join("\0".join(rjieba.cut(lines)) for lines in _some_lines_each(runs)).encode()
    return kernels.with_cuts(data, offsets, kinds, np.frombuffer(cut, dtype=np.uint8))


def _some_lines_each(lines: str) -> Iterator[str]:
    """Pieces of whole lines: a list of all their words at once would take much memory."""
    start = 0
    while start < len(lines):
        stop = lines.find("\n", start + CHARACTERS_TO_CUT) + 1 or len(lines)
        yield lines[start:stop]
        start = stop
