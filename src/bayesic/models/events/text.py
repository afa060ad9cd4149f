"""Columns of texts: every word is drawn from the words of its class."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from bayesic.data.columns import Cells, Nothing, Texts
from bayesic.data.counted_texts import CountedTexts, KnownWords
from bayesic.data.tokens import Tokenizer
from bayesic.estimation.smoothing import GivenEstimate, Smoothing
from bayesic.estimation.text_weights import TextWeights
from bayesic.estimation.text_without import scorer_without
from bayesic.evidence.work import Factor
from bayesic.kernels import Array
from bayesic.models.events.shares import Shares
from bayesic.statistics.level_counts import LevelCounts


@dataclass(frozen=True, eq=False)
class Text(Shares):
    """P(text | c) = product over its words of p(word | c), p(w | c) = (N_cw + a_w) / (N_c + A).

    The levels are the words. [Mitchell] table 6.2: words that were never learned are skipped.
    """

    words: tuple[str, ...]
    rows: Array  # (n_classes,)  rows learned, for the length of a sample

    kind = "text"
    shrinks = True

    @cached_property
    def known(self) -> KnownWords:
        """The number of each word."""
        return KnownWords(self.words)

    @cached_property
    def _weights(self) -> TextWeights:
        total = self.table.sum(axis=1)
        # only tf-idf would ask how many texts have a word
        how = "multinomial", None, self.rule
        return TextWeights(*how, self.words, self.table, self.rows, total, total, min_count=1)

    def encode(self, cells: Cells) -> sparse.csr_array:
        """How often each known word occurs in each text."""
        if isinstance(cells, Nothing):
            return sparse.csr_array((len(cells), len(self.words)))
        assert isinstance(cells, Texts)
        return self.known.counts(CountedTexts(cells.texts, Tokenizer()))

    def scores(self, encoded: sparse.csr_array) -> Array:
        """The sum of the log shares of the words of each text."""
        log_table = self.log_table[:-1]
        impossible = np.isneginf(log_table)
        scores = encoded @ np.where(impossible, 0.0, log_table)
        if impossible.any():
            scores[encoded @ impossible.astype(np.float64) > 0] = -np.inf
        return scores

    def scores_without(self, encoded: sparse.csr_array, codes: Array, weights: Array) -> Array:
        """The same for learned texts, each taken out first: words only it has are unknown then."""
        every, texts = np.arange(len(self.words)), slice(0, len(codes))
        return scorer_without(self._weights, encoded, every, codes, weights)(texts)

    def factors(self, name: str, shown: str, encoded: sparse.csr_array) -> list[Factor]:
        """P(word | c) of each known word, to the power of how often it occurs."""
        return [
            Factor(self.words[number], self.shares_of(number), power=int(count))
            for number, count in zip(encoded.indices, encoded.data, strict=True)
        ]

    def sample(self, codes: Array, rng: np.random.Generator) -> Array:
        """Words for each of these classes, about as many as its texts have on average."""
        lengths = rng.poisson(self.table.sum(axis=0)[codes] / np.maximum(self.rows[codes], 1))
        drawn = self.sampled_levels(np.repeat(codes, lengths), rng)
        words = np.array(self.words, dtype=object)[drawn]
        ends = np.cumsum(lengths)
        texts = [
            " ".join(words[end - length : end]) for end, length in zip(ends, lengths, strict=True)
        ]
        return np.array(texts, dtype=object)


def text(counts: LevelCounts, rule: Smoothing | GivenEstimate, class_count: Array) -> Text:
    """The event model of a column of texts."""
    if isinstance(rule, GivenEstimate):
        rule = rule.of_levels(counts.levels)
    return Text(counts.table, len(counts.levels), rule, counts.levels, class_count)
