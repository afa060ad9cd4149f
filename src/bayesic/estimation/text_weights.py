"""Counts of words in each class -> what every word of a text adds to the score of each class.

The four models of texts are one sum with different weights:

    score_c(text) = a_c + sum over the words w of the text of x_w b_wc

x_w is how often w occurs in the text, or 1 for models that only ask whether it does.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from bayesic.estimation.smoothing import (
    complement_weights,
    presence_log_probability,
    smoothed_log_probability,
)

Array = np.ndarray

TEXT_MODELS = ("multinomial", "complement", "bernoulli", "binary-multinomial")


def asks_presence(model: str) -> bool:
    """Whether a model only asks if a word is in a text, not how often."""
    return model in ("bernoulli", "binary-multinomial")


@dataclass(frozen=True, eq=False)
class TextWeights:
    """The words that take part, their counts, and what they add to the scores."""

    model: str  # one of TEXT_MODELS
    smoothing: float
    words: tuple[str, ...]
    table: Array  # (n_words, n_classes), occurrences, or texts with the word
    n_texts: Array  # (n_classes,)
    total: Array  # (n_words,), occurrences in all classes
    min_count: int  # a word that occurs less often takes no part

    @cached_property
    def vocabulary(self) -> dict[str, int]:
        """The number of each word."""
        return dict(zip(self.words, range(len(self.words)), strict=True))

    @cached_property
    def n_words(self) -> Array:
        """The sum of the table over the words: (n_classes,)."""
        return self.table.sum(axis=0)

    @cached_property
    def of_words(self) -> Array:
        """b_wc, and below a row of zeros for words that are unknown: (n_words + 1, n_classes)."""
        if not self.words:
            weights = np.zeros(self.table.shape)
        elif self.model == "bernoulli":
            present, absent = self.presence_logs()
            weights = present - absent
        elif self.model == "complement":
            weights = complement_weights(self.table.T, self.smoothing, norm=False).T
        else:
            weights = smoothed_log_probability(self.table.T, self.smoothing).T
        return np.vstack([weights, np.zeros((1, self.table.shape[1]))])

    @cached_property
    def of_none(self) -> Array:
        """a_c, the score of a text without words: (n_classes,)."""
        if self.model == "bernoulli":
            return self.presence_logs()[1].sum(axis=0)
        return np.zeros(self.table.shape[1])

    def presence_logs(self, without: float = 0.0) -> tuple[Array, Array]:
        """log P(w in text | c) and log P(w not in text | c): (n_words, n_classes) each.

        `without` is the weight of a text to be left out, one with w and one without it.
        """
        absent = np.maximum(self.n_texts - self.table, 0)
        present_log, absent_log = presence_log_probability(
            self.table, absent, self.smoothing, without
        )
        return present_log, absent_log

    def evidence_for(self, code: int) -> Array:
        """What one occurrence of each word adds to the log odds of a class: (n_words,).

        The class of this number against all others taken together as one.
        """
        two = replace(
            self,
            table=_one_and_rest(self.table, code),
            n_texts=_one_and_rest(self.n_texts[None, :], code)[0],
        )
        return two.of_words[:-1, 0] - two.of_words[:-1, 1]

    def places(self, words: tuple[str, ...]) -> Array:
        """The number of each of these words, -1 if it takes no part."""
        get = self.vocabulary.get
        return np.array([get(word, -1) for word in words], dtype=np.intp)


def _one_and_rest(table: Array, code: int) -> Array:
    return np.stack([table[:, code], np.delete(table, code, axis=1).sum(axis=1)], axis=1)
