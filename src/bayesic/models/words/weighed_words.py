"""Counts of words, and what follows from them as the user asks for it.

Options are checked and give the weights of words; these give scores of texts, each word's part in
them, and its exact share.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from scipy import sparse

from bayesic.data.arguments import LARGEST_WEIGHT, check_one_of, check_whole_number
from bayesic.data.blocks import row_blocks
from bayesic.data.counted_texts import CountedTexts, KnownWords
from bayesic.data.languages import Sentence
from bayesic.data.matrices import cells_per_row, sparse_rows
from bayesic.data.sorted_words import SortedWords
from bayesic.estimation.dependent_columns import DependentPairs
from bayesic.estimation.information import telling
from bayesic.estimation.prior import ClassPrior
from bayesic.estimation.smoothing import GivenEstimate, Lambda, Smoothing, smoothed_log_probability
from bayesic.estimation.tempering import Tempering
from bayesic.estimation.text_weights import (
    WEIGHTINGS,
    TextWeights,
    asks_presence,
)
from bayesic.estimation.text_without import scorer_without
from bayesic.estimation.vocabulary import checked_stop_words, kept_words, most_telling_words
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.fractions import class_shares, exact, value_text
from bayesic.evidence.summary import ColumnSummary
from bayesic.evidence.work import Factor
from bayesic.kernels import Array
from bayesic.kernels.without_row import times_log
from bayesic.models.events.automatic import automatic_smoothing
from bayesic.models.events.make import Rule, checked_rule
from bayesic.models.events.shares import Shares
from bayesic.models.events.text import text
from bayesic.models.fitted import Fitted, Reason, Scorer
from bayesic.models.summaries.dependent_pairs import dependent_levels, most_telling, presence_levels
from bayesic.models.summaries.levels import (
    BITS_OF_OCCURRENCES,
    level_table,
    word_summaries,
    word_table,
)
from bayesic.statistics.level_counts import LevelCounts
from bayesic.statistics.text_counts import TextCounts

# how all words that are not in the text are named, where they count
ABSENT = "(absent words)"


# what the user asks for ---------------------------------------------------------------------


@dataclass(frozen=True)
class TextOptions:
    """The options of a TextClassifier about models and words."""

    model: str
    weighting: str | None
    min_count: int
    drop_top: int
    stop_words: frozenset[str]
    smoothing: Rule | None  # None for the best lambda by leave-one-out
    max_words: int | None  # None for all
    words: tuple[str, ...] | None = None  # that were chosen, and are held


def checked_options(
    model: str,
    weighting: str | None,
    min_count: int,
    drop_top: int,
    stop_words: str | Collection[str] | None,
    smoothing: object,
    max_words: int | None,
) -> TextOptions:
    """The options of a TextClassifier, refused with the reason if they make no sense."""
    check_one_of("weighting", weighting, (None, *WEIGHTINGS))
    if weighting is not None and model not in WEIGHTINGS[weighting]:
        raise ValueError(
            f"weighting={weighting!r} is for the models {' and '.join(WEIGHTINGS[weighting])}, got "
            f"model={model!r}. Change one of the two."
        )
    check_whole_number("min_count", min_count, 1, LARGEST_WEIGHT)
    check_whole_number("drop_top", drop_top, 0)
    stopped = checked_stop_words(stop_words)
    amount = _checked_smoothing(model, weighting, smoothing)
    if max_words is not None:
        check_whole_number("max_words", max_words, 1)
        max_words = int(max_words)
    return TextOptions(model, weighting, int(min_count), int(drop_top), stopped, amount, max_words)


def _checked_smoothing(model: str, weighting: str | None, smoothing: object) -> Rule | None:
    rule = checked_rule(smoothing)
    if weighting == "tf-idf" and not isinstance(rule, Lambda):
        raise ValueError(
            f"smoothing={smoothing!r} depends on how often words occur, which tf-idf does not "
            "keep. "
            "Give a number, such as smoothing=1.0."
        )
    if model == "bernoulli" and rule is not None and not isinstance(rule, Lambda):
        raise ValueError(
            "The m-estimate divides m words among the vocabulary, but model='bernoulli' counts "
            f"texts: got smoothing={smoothing!r}. Give a number, such as smoothing=1.0."
        )
    told = f"weighting={weighting!r}" if weighting else f"model={model!r}"
    if rule is not None and (weighting or model in ("bernoulli", "complement")):
        _refuse_zeros(rule, told, smoothing)
    return rule


def _refuse_zeros(rule: Rule, told: str, smoothing: object) -> None:
    if rule.amount == 0:
        raise ValueError(
            f"smoothing must be above 0 for {told}, got {smoothing!r}. "
            "Use a small number, such as 1e-9."
        )
    if isinstance(rule, GivenEstimate) and not all(rule.given.values()):
        words = [word for word, share in rule.given.items() if share == 0]
        raise ValueError(
            f"p in smoothing must be above 0 for {told}, got 0 for {words[:5]}. "
            "Use a small number, such as 1e-9."
        )


def fitted_weights(statistics: TextCounts, options: TextOptions) -> TextWeights:
    """The weights of the words that take part."""
    words, table = statistics.words, statistics.occurrences
    texts_with = statistics.texts_with.sum(axis=1)
    # what tf-idf adds up is not a number of occurrences: there the texts that have a word count
    total = texts_with if options.weighting == "tf-idf" else table.sum(axis=1)
    if asks_presence(options.model):
        table = statistics.texts_with
    kept = kept_words(words, total, options.min_count, options.drop_top, options.stop_words)
    if options.words is not None:
        places = SortedWords(words).places(options.words)
        kept = places[places >= 0]
    elif options.max_words is not None:
        present = statistics.texts_with[kept]
        kept = kept[most_telling_words(present, statistics.class_count, options.max_words)]
    if len(kept) < len(words):
        words = tuple(words[number] for number in kept.tolist())
        table, texts_with, total = table[kept], texts_with[kept], total[kept]
    return TextWeights(
        model=options.model,
        weighting=options.weighting,
        rule=_rule_of_words(options.smoothing, words, table),
        words=words,
        table=table,
        n_texts=statistics.class_count,
        texts_with=texts_with,
        total=total,
        min_count=options.min_count,
    )


def _rule_of_words(rule: Rule | None, words: tuple[str, ...], table: Array) -> Smoothing:
    if rule is None:
        return Lambda(_automatic(words, table))
    return rule.of_levels(words) if isinstance(rule, GivenEstimate) else rule


def _automatic(words: tuple[str, ...], table: Array) -> float:
    """The lambda of the best leave-one-out log score over all words; 1 if there are none."""
    if not words:
        return 1.0
    event = text(LevelCounts(words, table), Lambda(1.0), table.sum(axis=0))
    return float(automatic_smoothing(event).rule.amount)


# what follows ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class WeighedWords(Fitted[CountedTexts]):
    """Words that are independent within each class, or weights that are put together like them."""

    prior: ClassPrior
    weights: TextWeights
    known: KnownWords  # the words that take part
    tempering: Tempering | None = None  # None: probabilities are as sure as words make them
    chosen: str | None = None  # the parameters that were chosen automatically, as they are written
    counted: ClassVar[bool] = True

    @property
    def is_presence(self) -> bool:
        """Whether words are there or not, and those that are not there count too."""
        return self.weights.model == "bernoulli"

    @property
    def n_parameters(self) -> int:
        """The share of each word in each class: K V for V words, 2 K V for the Bernoulli model."""
        return self.weights.table.size * (2 if self.is_presence else 1)

    # scores ---------------------------------------------------------------------------------

    def blocks(self, rows: CountedTexts) -> list[slice]:
        """The texts in blocks, each of which is scored by one thread."""
        return row_blocks(rows.shape[0], max(cells_per_row(rows.counts), len(self.weights.n_texts)))

    def scorer(self, rows: CountedTexts) -> Scorer:
        """a_c + sum over the words w of a text of x_w b_wc; see text_weights.py."""
        fitted, counts, power = self.weights, rows.counts, self._power(rows)
        places = self.known.places_in(rows)
        columns = np.where(places < 0, len(fitted.words), places)  # unknown: a row of zeros

        def scores_of(block: slice) -> Array:
            some = sparse_rows(counts, block)
            parts = fitted.times(some.data), columns[some.indices], some.indptr
            known = sparse.csr_array(parts, shape=(some.shape[0], len(fitted.of_words)))
            return (known @ fitted.of_words + fitted.of_none) * power[block]

        return scores_of

    def scorer_without(self, rows: CountedTexts, codes: Array, weights: Array) -> Scorer:
        """The same, each text less its own words: a word that only this text has is unknown."""
        places = self.known.places_in(rows)
        score = scorer_without(self.weights, rows.counts, places, codes, weights)
        power = self._power(rows)
        return lambda block: score(block) * power[block]

    def _power(self, rows: CountedTexts) -> Array:
        """To which power p(x | c) of each text is taken: (n_texts, 1)."""
        if self.tempering is None:
            return np.ones((rows.shape[0], 1))
        return self.tempering.power_of_words(rows.lengths)[:, None]

    # reasons --------------------------------------------------------------------------------

    def terms(self, rows: CountedTexts) -> Array:
        """The score of each text, which is the one feature of its row."""
        return self.scorer(rows)(slice(0, rows.shape[0]))[:, None]

    def reasons(
        self, rows: CountedTexts, names: Sequence[str], shown: Sequence[Sequence[str | None]]
    ) -> Iterator[Reason]:
        """The known words of each text; at the end all absent words together, if they count."""
        for (known, times), power in zip(self._known_words(rows), self._power(rows), strict=True):
            words = [self.weights.words[word] for word in known.tolist()]
            values: list[str | None] = [*map(value_text, times.tolist())]
            if self.is_presence:
                words.append(ABSENT)
                values.append(str(len(self.weights.words) - len(known)))
            yield words, power * self._scores_of_words(known, times), values

    def _known_words(self, rows: CountedTexts) -> Iterator[tuple[Array, Array]]:
        """The numbers of the known words of each text, in order, and how often it has them, or 1
        if that is not asked."""
        places, counts = self.known.places_in(rows), rows.counts
        for row in range(rows.shape[0]):
            entries = slice(counts.indptr[row], counts.indptr[row + 1])
            words, times = places[counts.indices[entries]], counts.data[entries]
            if asks_presence(self.weights.model):
                times = np.minimum(times, 1.0)
            order = np.argsort(words)[np.count_nonzero(words < 0) :]
            yield words[order], times[order]

    def _scores_of_words(self, known: Array, times: Array) -> Array:
        """What each of these adds to the score of each class: (n_reasons, n_classes)."""
        fitted = self.weights
        if not self.is_presence:
            return times_log(fitted.times(times)[:, None], fitted.of_words[known])
        present, absent = fitted.presence_logs()
        others = absent.sum(axis=0) - absent[known].sum(axis=0)
        return np.vstack([present[known], others])

    def factors(
        self, row: CountedTexts, names: Sequence[str], shown: Sequence[str | None]
    ) -> list[Factor]:
        """P(w | c) of each known word of one text; of the absent ones too, if they count."""
        fitted = self.weights
        if self.tempering is not None:
            raise TypeError(
                "model='auto' raises probabilities to a power, so there is no product of "
                "fractions to work out. Use explain to see what each word adds, or learn with "
                "chosen_.parameters."
            )
        if fitted.model == "complement" or fitted.weighting is not None:
            told = f"weighting={fitted.weighting!r}" if fitted.weighting else "The complement model"
            raise TypeError(
                f"{told} has no product of probabilities to work out: scores are weights of the "
                "words. Use explain to see what each word adds."
            )
        ((known, times),) = self._known_words(row)
        if self.is_presence:
            return self._presence_factors(set(known.tolist()))
        shares = Shares(fitted.table, len(fitted.words), fitted.rule)
        return [
            Factor(fitted.words[word], shares.shares_of(word), power=int(n))
            for word, n in zip(known.tolist(), times.tolist(), strict=True)
        ]

    def _presence_factors(self, present: set[int]) -> list[Factor]:
        fitted, smoothing, factors = self.weights, exact(self.weights.smoothing), []
        for number, word in enumerate(fitted.words):
            there = number in present
            count = fitted.table[number] if there else fitted.n_texts - fitted.table[number]
            shares = class_shares(count, fitted.n_texts, smoothing, 2 * smoothing, 2)
            factors.append(Factor(f"{word}={int(there)}", shares))
        return factors

    # what was learned -----------------------------------------------------------------------

    def column_names(self, names: Sequence[str]) -> Sequence[str]:
        """The words."""
        return self.weights.words

    @property
    def remarks(self) -> Sequence[str]:  # type: ignore[override]
        """What bits are of, and what was chosen."""
        bits = () if self.is_presence else (BITS_OF_OCCURRENCES,)
        if self.chosen is None:
            return bits
        said = Sentence("Chosen: {settings}, with probabilities tempered.", settings=self.chosen)
        return (said, *bits)

    @cached_property
    def _summaries(self) -> list[ColumnSummary]:
        fitted, prior = self.weights, self.prior.probability
        if not self.is_presence:
            log_shares = smoothed_log_probability(fitted.table.T, fitted.smoothing).T
            return word_summaries(fitted.words, log_shares, prior, "word")
        parts = [telling(np.exp(logs), prior)[0] for logs in fitted.presence_logs()]
        bits = np.maximum(sum(parts), 0.0).tolist()
        return [
            ColumnSummary(word, "word", bits=told)
            for word, told in zip(fitted.words, bits, strict=True)
        ]

    def summaries(self, names: Sequence[str]) -> list[ColumnSummary]:
        """Each word with its bits."""
        return self._summaries

    def table(self, place: int, names: Sequence[str], classes: list, exact: bool) -> ColumnTable:
        """How often a word occurs in each class, or how many texts have it, and its share."""
        fitted, word, prior = self.weights, names[place], self.prior.probability
        if self.is_presence:
            present = fitted.table[place]
            table = np.stack([np.maximum(fitted.n_texts - present, 0), present])
            event = Shares(table, 2, Lambda(fitted.smoothing))
            texts = [Sentence("absent"), Sentence("present")]
            return level_table(word, "texts with it", event, texts, classes, prior, exact)
        alphas = np.full(len(fitted.words), fitted.smoothing)
        return word_table(word, "word", place, fitted.table, alphas, classes, prior, exact)

    def pairs(
        self, names: Sequence[str], rows: CountedTexts | None, codes: Array | None
    ) -> DependentPairs | None:
        """Words that come together in the texts of a class, where texts are given."""
        if rows is None or codes is None:
            return None
        place = {word: at for at, word in enumerate(rows.words)}
        words = [word for word in most_telling(self._summaries) if word in place]
        columns = presence_levels(rows.counts, [place[word] for word in words])
        return dependent_levels(
            dict(zip(words, columns, strict=True)), codes, len(self.weights.n_texts)
        )
