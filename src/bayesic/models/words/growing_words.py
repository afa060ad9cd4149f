"""Words of a vocabulary that grows text by text: what is asked is estimated, and nothing else.

    b_wc = log (T_wc + a_w) - log (T_c + A)

needs the counts of a word, their sums over all words, and how many words there are. So a text is
scored from the rows of its own words, to the same bits as from the table of all words.
"""

from dataclasses import replace
from functools import cached_property, partial

import numpy as np

from bayesic.data.blocks import row_blocks
from bayesic.data.counted_texts import CountedTexts, KnownWords
from bayesic.data.matrices import cells_per_row, sparse_rows, with_entries
from bayesic.data.tokens import OwnTokenizer, Tokenizer
from bayesic.estimation.prior import ClassPrior
from bayesic.estimation.smoothing import GivenEstimate
from bayesic.estimation.tempering import Tempering
from bayesic.estimation.text_weights import (
    TextWeights,
    asks_presence,
    prior_weights,
    share_weights,
    times_of,
)
from bayesic.kernels import Array
from bayesic.models.fitted import Scorer
from bayesic.models.words.weighed_words import TextOptions, WeighedWords, fitted_weights
from bayesic.statistics.growing_texts import GrowingTextCounts
from bayesic.statistics.text_counts import TextCounts


def weighed_words(
    statistics: TextCounts,
    options: TextOptions,
    tokenizer: Tokenizer | OwnTokenizer,
    prior: ClassPrior,
    tempering: Tempering | None = None,
    chosen: str | None = None,
) -> WeighedWords:
    """What follows from the counts of words; the model says what of the prior counts."""
    in_scores = partial(prior_weights, options.model, options.weighting)
    prior = replace(prior, in_scores=tempering.prior_in_scores if tempering else in_scores)
    if isinstance(statistics, GrowingTextCounts) and _goes_by_word(options):
        return GrowingWords(prior, statistics, options, tokenizer, tempering, chosen)
    weights = fitted_weights(statistics, options)
    return WeighedWords(prior, weights, KnownWords(weights.words, tokenizer), tempering, chosen)


def _goes_by_word(options: TextOptions) -> bool:
    """Whether all words take part, each by its own counts and the sums over all words."""
    has_all = options.min_count == 1 and not (options.drop_top or options.stop_words)
    has_all &= options.max_words is None and options.words is None
    is_told = options.smoothing is not None and not isinstance(options.smoothing, GivenEstimate)
    return has_all and is_told and options.model != "bernoulli" and options.weighting != "tf-idf"


class GrowingWords(WeighedWords):
    """As WeighedWords, whose table of all words is made only when somebody asks for it."""

    statistics: GrowingTextCounts
    options: TextOptions
    tokenizer: Tokenizer | OwnTokenizer

    def __init__(
        self,
        prior: ClassPrior,
        statistics: GrowingTextCounts,
        options: TextOptions,
        tokenizer: Tokenizer | OwnTokenizer,
        tempering: Tempering | None,
        chosen: str | None,
    ) -> None:
        """options : all words take part, and none has its own rule."""
        vars(self).update(
            prior=prior,
            statistics=statistics,
            options=options,
            tokenizer=tokenizer,
            tempering=tempering,
            chosen=chosen,
        )

    @cached_property
    def weights(self) -> TextWeights:
        """Those of all words."""
        return fitted_weights(self.statistics, self.options)

    @cached_property
    def known(self) -> KnownWords:
        """All words."""
        return KnownWords(self.weights.words, self.tokenizer)

    def blocks(self, rows: CountedTexts) -> list[slice]:
        """The texts in blocks, each of which is scored by one thread."""
        n_classes = len(self.prior.class_count)
        return row_blocks(rows.shape[0], max(cells_per_row(rows.counts), n_classes))

    def scorer(self, rows: CountedTexts) -> Scorer:
        """a_c + sum over the words w of a text of x_w b_wc, from the counts of these words."""
        counts, power = rows.counts, self._power(rows)
        if rows.counter is not None:  # so many texts that all words are worth it
            return super().scorer(rows)
        weights = self._weights_of(rows.words)

        def scores_of(block: slice) -> Array:
            some = sparse_rows(counts, block)
            times = times_of(self.options.model, self.options.weighting, some.data)
            return (with_entries(some, times) @ weights + 0.0) * power[block]

        return scores_of

    def _weights_of(self, words: tuple[str, ...]) -> Array:
        """b_wc of these words, 0 for those that are unknown: (n_words, n_classes)."""
        table = "texts_with" if asks_presence(self.options.model) else "occurrences"
        rows, is_known = self.statistics.rows_of(words, table)
        how, rule = (self.options.model, self.options.weighting), self.options.smoothing
        sums, n_words = self.statistics.sum_of(table), self.statistics.n_words
        weights = share_weights(*how, rule, rows, n_words, sums)  # type: ignore[arg-type]
        return np.where(is_known[:, None], weights, 0.0)
