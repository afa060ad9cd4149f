"""What candidates of a TextClassifier say of texts that they have not learned.

Texts are cut and counted once for each way to cut them; all candidates that share the counts only
estimate again. Where nothing but the counts is learned, a text is left out of them exactly. The
words that say most are chosen using the text, which leave-one-out keeps: there texts are left out
in folds, and the words chosen again.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bayesic.data.blocks import in_threads
from bayesic.data.counted_texts import CountedTexts, sums_by_class
from bayesic.data.drawn_texts import DrawnTexts
from bayesic.data.labels import encode_known_labels
from bayesic.data.tokens import OwnTokenizer, Tokenizer
from bayesic.estimation.tempering import log_opinions
from bayesic.estimation.vocabulary import damped_text_counts
from bayesic.kernels import Array
from bayesic.kernels.leaving import left
from bayesic.models.named_prior import named_prior
from bayesic.models.readers.reader import CodedRows
from bayesic.models.words.growing_words import weighed_words
from bayesic.models.words.text_candidates import Parameters, options_of
from bayesic.models.words.weighed_words import WeighedWords
from bayesic.statistics.additive import united
from bayesic.statistics.text_counts import TextCounts, counts_of_sums

FOLDS = 5
TEXTS_AT_ONCE = 50_000  # whose words are counted together

Rows = Iterable[CodedRows]


@dataclass(frozen=True, eq=False)
class CountedWay:
    """All texts, cut in one way and counted."""

    tokenizer: Tokenizer | OwnTokenizer
    classes: Array
    plain: TextCounts
    damped: TextCounts  # for tf-idf

    @property
    def n_words(self) -> int:
        """Different words of all texts."""
        return len(self.plain.words)

    def statistics_for(self, told: Parameters) -> TextCounts:
        """The counts that a candidate needs."""
        return self.damped if told["weighting"] == "tf-idf" else self.plain


def counted_way(rows: Rows, tokenizer: Tokenizer | OwnTokenizer) -> CountedWay:
    """All texts, cut by this tokenizer and counted block by block."""
    total: list[tuple[Array, TextCounts]] = []
    for some in _parts(rows):
        texts = CountedTexts(some.X.texts, tokenizer)
        assert some.classes is not None
        how = some.codes, len(some.classes), some.weights
        here = [
            (some.classes, _plain_counts(texts, *how)),
            (some.classes, damped_text_counts(texts, *how)),
        ]
        total = [*map(united, total, here)] if total else here
    (classes, plain), (_, damped) = total
    return CountedWay(tokenizer, classes, plain, damped)


def _parts(rows: Rows) -> Iterator[CodedRows]:
    """The texts in parts whose words fit into memory, text by text."""
    for block in rows:
        for first in range(0, len(block.codes), TEXTS_AT_ONCE):
            yield block.part(slice(first, first + TEXTS_AT_ONCE))


def _plain_counts(
    texts: CountedTexts, codes: Array, n_classes: int, weights: Array | None
) -> TextCounts:
    words, counts = texts.in_order  # which damped counts take as well: texts are cut once
    sums = sums_by_class(counts, codes, n_classes, weights)
    return counts_of_sums((words, *sums), codes, n_classes, weights)


@dataclass(frozen=True, eq=False)
class AskedTexts:
    """Some of the texts that were learned, cut in the same way, to be answered without them."""

    way: CountedWay
    texts: CountedTexts
    codes: Array
    weights: Array

    def opinions_without(self, candidates: Sequence[Parameters]) -> Iterator[Array]:
        """What words and prior say under each candidate, each text left out of the counts.

        (2, n_texts, n_classes), see `log_opinions`.
        """
        everything, lengths = slice(0, len(self.codes)), self.texts.lengths

        def opinions_of(fitted: WeighedWords) -> Array:
            score = fitted.scorer_without(self.texts, self.codes, self.weights)
            log_prior = fitted.prior.log_without(self.codes, self.weights)
            return log_opinions(score(everything), log_prior.T, lengths)

        return in_threads(opinions_of, self._sharing_words(candidates))

    def _sharing_words(self, candidates: Sequence[Parameters]) -> Iterator[WeighedWords]:
        """The candidates with all texts; words that several have are looked up once."""
        known = None
        for told in candidates:
            statistics = self.way.statistics_for(told)
            fitted = self._weighed(told, statistics)
            if known is None or known.words != fitted.known.words:
                known = fitted.known
            yield replace(fitted, known=known)

    def opinions_in_folds(self, candidates: Sequence[Parameters]) -> list[Array]:
        """The same, where all texts of a fold are taken out of the counts at once."""
        shape = 2, len(self.codes), len(self.way.classes)
        opinions = [np.empty(shape) for _ in candidates]
        by_class = np.argsort(self.codes, kind="stable")  # no fold has all texts of a class
        texts = self.texts.strings()
        for first in range(min(FOLDS, len(by_class))):
            fold = by_class[first::FOLDS]
            some = CountedTexts([texts[row] for row in fold.tolist()], self.way.tokenizer)
            for told, out in zip(candidates, opinions, strict=True):
                out[:, fold] = self._opinions_of_others(told, some, fold)
        return opinions

    def _opinions_of_others(self, told: Parameters, texts: CountedTexts, rows: Array) -> Array:
        """What all other texts say of these."""
        count = damped_text_counts if told["weighting"] == "tf-idf" else _plain_counts
        held_out = count(texts, self.codes[rows], len(self.way.classes), self.weights[rows])
        statistics = self.way.statistics_for(told) - held_out
        fitted = self._weighed(told, statistics)
        scores = fitted.scorer(texts)(slice(0, len(rows)))
        log_prior = np.broadcast_to(fitted.prior.log, scores.shape)
        return log_opinions(scores, log_prior, texts.lengths)

    def _weighed(self, told: Parameters, statistics: TextCounts) -> WeighedWords:
        """The candidate with these counts."""
        prior = named_prior(told["prior"], self.way.classes, statistics.class_count, 0.0)
        return weighed_words(statistics, options_of(told), self.way.tokenizer, prior)


def asked_texts(drawn: DrawnTexts, way: CountedWay) -> AskedTexts:
    """The texts whose class others have too: no model can know a class without texts."""
    codes = encode_known_labels(np.array(drawn.labels), way.classes)
    rest = left(way.plain.class_count[codes].astype(np.float64), drawn.weights)
    some = np.flatnonzero(rest > 0)
    drawn = drawn.where(some.tolist())
    return AskedTexts(way, CountedTexts(drawn.texts, way.tokenizer), codes[some], drawn.weights)
