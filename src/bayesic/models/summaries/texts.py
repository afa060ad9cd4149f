"""What a model of texts tells of its words."""

from typing import Any

import numpy as np

from bayesic.data.fitted import check_is_fitted
from bayesic.estimation.column_information import telling
from bayesic.estimation.pairs import DependentPairs
from bayesic.estimation.shares import Lambda
from bayesic.estimation.smoothing import smoothed_log_probability
from bayesic.estimation.text_weights import TextWeights
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.summary import ColumnSummary
from bayesic.models.events.shares import Shares
from bayesic.models.summaries.levels import level_table
from bayesic.models.summaries.rows import (
    classes_of_rows,
    dependent_levels,
    most_telling,
    presence_levels,
)
from bayesic.models.summaries.summarised import Summarised
from bayesic.models.summaries.words import BITS_OF_OCCURRENCES, word_summaries, word_table

Array = np.ndarray


class SummarisedTexts(Summarised):
    """The words of a model of texts are its columns: `table("free")` is the table of a word."""

    classes_: Array
    _fitted: TextWeights
    _unit, _noun = "text", "word"
    _hint = "Which words come together in the texts of a class is seen from texts: summary(X, y)."

    @property
    def _notes(self) -> tuple[str, ...]:  # type: ignore[override]
        return () if self._fitted.model == "bernoulli" else (BITS_OF_OCCURRENCES,)

    @property
    def n_parameters(self) -> int:
        """Numbers that are estimated, the prior aside: the share of each word in each class.

        K V for V words; 2 K V for the Bernoulli model, in which a word is there or not. That shares
        sum to 1 takes none away.
        """
        check_is_fitted(self)
        return self._fitted.table.size * (2 if self._fitted.model == "bernoulli" else 1)

    def _column_names(self) -> list[str]:
        return list(self._fitted.words)

    def _column_summaries(self, X: Any, y: Any) -> list[ColumnSummary]:
        fitted, prior = self._fitted, np.exp(self._log_prior())  # type: ignore[attr-defined]
        if fitted.model != "bernoulli":
            log_shares = smoothed_log_probability(fitted.table.T, fitted.smoothing).T
            return word_summaries(fitted.words, log_shares, prior, "word")
        parts = [telling(np.exp(logs), prior)[0] for logs in fitted.presence_logs()]
        bits = np.maximum(sum(parts), 0.0).tolist()
        return [
            ColumnSummary(word, "word", bits=told)
            for word, told in zip(fitted.words, bits, strict=True)
        ]

    def _column_table(self, column: str, fractions: bool) -> ColumnTable:
        fitted, classes = self._fitted, self.classes_.tolist()
        place, prior = fitted.vocabulary[column], np.exp(self._log_prior())  # type: ignore[attr-defined]
        if fitted.model == "bernoulli":
            present = fitted.table[place]
            table = np.stack([np.maximum(fitted.n_texts - present, 0), present])
            event = Shares(table, 2, Lambda(fitted.smoothing))
            texts = ["absent", "present"]
            return level_table(column, "texts with it", event, texts, classes, prior, fractions)
        alphas = np.full(len(fitted.words), fitted.smoothing)
        return word_table(column, "word", place, fitted.table, alphas, classes, prior, fractions)

    def _dependent_pairs(self, X: Any, y: Any) -> DependentPairs | None:
        if X is None:
            return None
        codes = classes_of_rows(y, self.classes_)
        texts, _ = self._checked_rows(X, codes, None, first=False)  # type: ignore[attr-defined]
        place = {word: at for at, word in enumerate(texts.words)}
        words = [word for word in most_telling(self._column_summaries(None, None)) if word in place]
        columns = presence_levels(texts.counts, words, [place[word] for word in words])
        return dependent_levels(columns, codes, len(self.classes_))
