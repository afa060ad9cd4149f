"""Naive Bayes for raw texts: English, Chinese or both in, labels out."""

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from bayesic.data.arguments import check_one_of, check_whole_number
from bayesic.data.blocks import part_blocks, row_blocks
from bayesic.data.matrices import cells_per_row, sparse_rows, with_entries
from bayesic.data.text_files import labelled_texts
from bayesic.data.texts import TextBytes, as_texts
from bayesic.data.tokens import (
    Tokenizer,
    checked_tokenizer,
    count_words,
    has_chinese,
    tell_of_characters,
)
from bayesic.estimation.prior import log_prior
from bayesic.estimation.shares import Lambda
from bayesic.estimation.text_rows import CountedTexts
from bayesic.estimation.text_weights import TEXT_MODELS, TextWeights, asks_presence
from bayesic.estimation.text_without import (
    occurrences_of,
    presence_scores_without,
    share_scores_without,
)
from bayesic.estimation.vocabulary import checked_stop_words, kept_words
from bayesic.evidence.explanation import Explanation, class_to_compare, explain_scores
from bayesic.evidence.work import Factor
from bayesic.models.base import CountingClassifier, Scorer, all_or_nothing
from bayesic.models.discrete import log_linear
from bayesic.models.events.choice import automatic_smoothing
from bayesic.models.events.make import checked_amount
from bayesic.models.events.text import text
from bayesic.models.open import Block, OpenClassifier
from bayesic.models.text_reasons import (
    reason_names,
    reason_scores,
    reason_values,
    text_factors,
)
from bayesic.statistics.levels import LevelCounts
from bayesic.statistics.texts import TextCounts, text_counts

Array = np.ndarray


class TextClassifier(OpenClassifier):
    """Naive Bayes for texts, from raw strings to reasons.

        P(c | text)  ~  P(c) * product over the words w of the text of P(w | c)
        P(c) = N_c / N,   P(w | c) = (n_k + lambda) / (n + lambda |V|)

    n_k counts word w in the texts of class c, n all its words, |V| is the number of words seen in
    any class; words outside of the vocabulary are skipped ([Mitchell] table 6.2). This is
    model="multinomial". The others are

        "binary-multinomial"  the same, where a word counts once for each text that has it
        "bernoulli"           P(w in text | c) = (N_wc + lambda) / (N_c + 2 lambda), and absent
                              words of the vocabulary count too ([IIR] section 13.3)
        "complement"          each class is scored by the words of all others ([Rennie], without
                              tf-idf); scores are weights, not log probabilities, and no prior

    `partial_fit`, `forget`, `merge` and `leave_one_out` are exact; new words and new classes may
    come at any time. A text that is None or empty has no words.

    Parameters
    ----------
    model : "multinomial", "complement", "bernoulli" or "binary-multinomial"
    language : "auto" and "zh" cut Chinese into words with rjieba, or into single characters and
        pairs of neighbours if that is not installed; "en" takes a run of Chinese as one word
    ngrams : least and largest number of words (or characters) that are taken together
    analyzer : "word", or "char" for runs of characters
    min_count : words that occur less often in all take no part
    drop_top : so many of the most frequent words take no part
    stop_words : a list of words that take no part
    smoothing : lambda; or "auto" for the one under which, of all words learned, each tells the
        class of its text best by the counts of all the others

    Examples
    --------
    >>> texts = ["free lunch, free money", "lunch today", "money for free", "rain today"]
    >>> model = TextClassifier().fit(texts, ["spam", "ham", "spam", "ham"])
    >>> model.predict(["Free money today!"])
    array(['spam'], dtype='<U4')
    >>> print(model.work("free rain"))
    P(ham)·P(free|ham)·P(rain|ham) = 2/4·1/10·1/5 = 1/100
    P(spam)·P(free|spam)·P(rain|spam) = 2/4·4/13·1/13 = 2/169
    P(ham|x) = 169/369 = 0.4580
    P(spam|x) = 200/369 = 0.5420
    """

    statistics_: TextCounts
    _fitted: TextWeights

    def __init__(
        self,
        model: str = "multinomial",
        language: str = "auto",
        ngrams: Any = (1, 1),
        analyzer: str = "word",
        min_count: int = 1,
        drop_top: int = 0,
        stop_words: Any = None,
        smoothing: Any = 1.0,
    ) -> None:
        self.model = model
        self.language = language
        self.ngrams = ngrams
        self.analyzer = analyzer
        self.min_count = min_count
        self.drop_top = drop_top
        self.stop_words = stop_words
        self.smoothing = smoothing

    # checks ---------------------------------------------------------------------------------

    def _check_parameters(self, first: bool) -> None:
        check_one_of("model", self.model, TEXT_MODELS)
        check_whole_number("min_count", self.min_count, 1)
        check_whole_number("drop_top", self.drop_top, 0)
        checked_stop_words(self.stop_words)
        if self.smoothing != "auto":
            others = ', "auto" for the best by leave-one-out'
            amount = checked_amount(self.smoothing, "smoothing", others)
            if amount == 0 and self.model in ("bernoulli", "complement"):
                raise ValueError(
                    f"smoothing must be above 0 for model={self.model!r}, got {self.smoothing!r}. "
                    "Use a small number, such as 1e-9."
                )
        self._tokenizer()

    def _tokenizer(self) -> Tokenizer:
        return checked_tokenizer(self.language, self.ngrams, self.analyzer)

    def _checked_X(self, X: Any, first: bool) -> CountedTexts:
        tokenizer = self._tokenizer()
        if first or not hasattr(self, "tokenizer_"):
            self.n_features_in_ = 1
            self.tokenizer_ = tokenizer
        elif tokenizer != self.tokenizer_:
            raise ValueError(
                f"Texts must be cut into words as those that were learned, with {self.tokenizer_}, "
                f"got {tokenizer}. Set language, ngrams and analyzer back, or fit anew."
            )
        texts = _texts(X.X if isinstance(X, Block) else X)
        if len(texts) == 0:
            raise ValueError("X must have at least one text, got none. Give a list of texts.")
        counted = count_words(texts, tokenizer)
        return CountedTexts(counted.words, counted.counts)

    def _check_mergeable(self, other: CountingClassifier) -> None:
        super()._check_mergeable(other)
        if self.tokenizer_ != other.tokenizer_:
            raise ValueError(
                "Only models that cut texts into words in the same way can be merged: this one has "
                f"{self.tokenizer_}, the other {other.tokenizer_}."
            )

    # learning -------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, text: Any = None) -> Self:
        """Learn texts X with classes y; whatever was learned before is gone.

        X : a list of texts, or a column of pandas, polars or pyarrow; or the path of a folder with
            one folder for each class, or of a CSV, TSV or Parquet file, read block by block
        y : class labels; of a file the name of the column that holds them; nothing for a folder
        sample_weight : weights of the texts; not for files
        text : of a file the name of the column with the texts, if there are several
        """
        with all_or_nothing(self):
            self._start_anew()
            return self._learn_more(_blocks_of(X, y, sample_weight, text))

    def partial_fit(
        self,
        X: Any,
        y: Any = None,
        classes: Any = None,
        sample_weight: Any = None,
        text: Any = None,
    ) -> Self:
        """Learn more texts: the same model comes out as from all texts in one `fit`.

        New classes and new words may come at any time. Classes that are declared are known from
        then on, also those without texts.
        """
        with all_or_nothing(self):
            return self._learn_more(_blocks_of(X, y, sample_weight, text), classes)

    def forget(self, X: Any, y: Any = None, sample_weight: Any = None, text: Any = None) -> Self:
        """Take texts back out: the same model comes out as if they had never been learned.

        Texts that were never learned are refused where the statistics show it.
        """
        check_is_fitted(self)
        with all_or_nothing(self):
            return self._unlearn(_blocks_of(X, y, sample_weight, text))

    def _summarise(
        self, X: CountedTexts, codes: Array, n_classes: int, weights: Array | None
    ) -> TextCounts:
        if self.tokenizer_.chinese == "characters" and has_chinese(X.words):
            tell_of_characters()
        return text_counts(X.words, X.counts, codes, n_classes, weights)

    def _estimate(self, statistics: TextCounts) -> Self:
        self.statistics_ = statistics
        words, total = statistics.words, statistics.occurrences.sum(axis=1)
        table = statistics.texts_with if asks_presence(self.model) else statistics.occurrences
        stopped = checked_stop_words(self.stop_words)
        kept = kept_words(words, total, self.min_count, self.drop_top, stopped)
        if len(kept) < len(words):
            words, table, total = tuple(words[n] for n in kept.tolist()), table[kept], total[kept]
        smoothing = _automatic(words, table) if self.smoothing == "auto" else float(self.smoothing)
        self._fitted = TextWeights(
            self.model, smoothing, words, table, statistics.class_count, total, self.min_count
        )
        return self

    # what was learned -----------------------------------------------------------------------

    @property
    def vocabulary_(self) -> tuple[str, ...]:
        """The words that take part, in sorted order."""
        return self._fitted.words

    @property
    def smoothing_(self) -> float:
        """The lambda that is used, also where it was chosen automatically."""
        return self._fitted.smoothing

    @property
    def class_count_(self) -> Array:
        """Texts of each class."""
        return self.statistics_.class_count

    def top_words(self, label: Any, n: int = 10) -> dict[str, float]:
        """The n words that speak most for a class, and their weights of evidence.

        The weight of a word is log P(w | label) / P(w | any other class), the others taken together
        as one class.

        >>> texts = ["free lunch", "lunch today", "free free money", "rain today"]
        >>> model = TextClassifier().fit(texts, ["spam", "ham", "spam", "ham"])
        >>> {word: round(weight, 3) for word, weight in model.top_words("spam", n=2).items()}
        {'free': 1.281, 'money': 0.588}
        """
        check_is_fitted(self)
        check_whole_number("n", n, 0)
        classes = self.classes_.tolist()
        if label not in classes:
            raise ValueError(f"label must be one of the classes {classes}, got {label!r}.")
        weights = self._fitted.evidence_for(classes.index(label))
        strongest = np.argsort(-weights, kind="stable")[:n].tolist()
        return {self._fitted.words[word]: float(weights[word]) for word in strongest}

    # scores ---------------------------------------------------------------------------------

    def _prior(self) -> Any:
        return "learned"

    def _log_prior(self) -> Array:
        return log_prior(self.statistics_.class_count)

    def _prior_of_scores(self, log_prior: Array) -> Array:
        without = self._fitted.model == "complement" and len(self.classes_) > 1
        return np.zeros_like(log_prior) if without else log_prior

    def _scorer(self, X: CountedTexts) -> Scorer:
        fitted = self._fitted
        weights = fitted.of_words[fitted.places(X.words)]
        score = log_linear(weights) if len(weights) else lambda counts: counts @ weights
        return lambda rows: score(self._times(X, rows)) + fitted.of_none

    def _times(self, X: CountedTexts, rows: slice) -> sparse.csr_array:
        """How often each word occurs in these texts, or whether it does."""
        block = sparse_rows(X.counts, rows)
        if asks_presence(self._fitted.model):
            block = with_entries(block, np.minimum(block.data, 1.0))
        return block

    def _leave_one_out_scorer(self, X: CountedTexts, codes: Array, weights: Array) -> Scorer:
        fitted, places = self._fitted, self._fitted.places(X.words)
        if fitted.model == "bernoulli":  # absent words too: all texts at once
            cells = occurrences_of(X.counts, places, fitted, weights)
            scores = presence_scores_without(fitted, cells, codes, weights)
            return lambda rows: scores[rows]

        def scores_of(rows: slice) -> Array:
            block = sparse_rows(X.counts, rows)
            cells = occurrences_of(block, places, fitted, weights[rows])
            return share_scores_without(fitted, cells, codes[rows], weights[rows])

        # every word of a text has its scores in all classes
        size = cells_per_row(X.counts) * len(self.classes_)
        return lambda rows: np.vstack([*map(scores_of, part_blocks(rows, size))])

    def leave_one_out(self, X: Any, y: Any, sample_weight: Any = None) -> Array:
        """Probability of each class for each learned text, as if it had not been learned.

        A word that only this text has is unknown without it. What the model has chosen from all
        texts (the most frequent words to drop, an automatic lambda) stays as it is; given this it
        is what learning all other texts gives. Give the weights that were learned.
        """
        return super().leave_one_out(X, y, sample_weight)

    def _blocks(self, X: CountedTexts) -> list[slice]:
        return row_blocks(X.shape[0], max(cells_per_row(X.counts), len(self.classes_)))

    # reasons --------------------------------------------------------------------------------

    def explain(  # type: ignore[override]  # words have their names
        self, X: Any, against: Any = None
    ) -> Explanation | list[Explanation]:
        """Why a text gets its answer: the prior and what each known word adds, in log odds.

        X : one text, which gives one Explanation; or texts as for `predict`, which give a list
        against : the class to compare the answer with; None for the rest of the classes
        """
        check_is_fitted(self)
        texts, single = self._asked_rows(X)
        rival = class_to_compare(self.classes_.tolist(), against)
        found = [self._explained(texts.one(row), rival) for row in range(texts.shape[0])]
        return found[0] if single else found

    def _explained(self, one: CountedTexts, rival: int | None) -> Explanation:
        return explain_scores(
            self.classes_.tolist(),
            reason_names(self._fitted, one),
            self._prior_of_scores(self._log_prior()),
            reason_scores(self._fitted, one),
            self._log_posterior(one)[0],
            rival,
            reason_values(self._fitted, one),
        )

    def _asked_rows(self, X: Any) -> tuple[CountedTexts, bool]:
        single = X is None or isinstance(X, str)
        return self._checked_X([X] if single else X, first=False), single

    def _feature_scores(self, X: CountedTexts) -> Array:
        return reason_scores(self._fitted, X.one(0))[None]

    def _factors(self, X: CountedTexts, names: list[str]) -> list[Factor]:
        return text_factors(self._fitted, X.one(0))

    # files ----------------------------------------------------------------------------------

    def _extra_state(self) -> dict[str, Any]:
        return {"tokenizer": self.tokenizer_.name}

    def _restore_extra_state(self, state: dict[str, Any]) -> None:
        tokenizer = self._tokenizer()
        if state != {"tokenizer": tokenizer.name}:
            raise ValueError(
                f"its words were cut by another tokenizer: {state.get('tokenizer')!r}, here it is "
                f"{tokenizer.name!r}. Install what it needs, or learn the texts anew."
            )
        self.tokenizer_ = tokenizer

    def _has_features_of(self, statistics: Any) -> bool:
        return isinstance(statistics, TextCounts) and self.n_features_in_ == 1

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        tags.input_tags.sparse = False
        return tags


def _blocks_of(X: Any, y: Any, sample_weight: Any, text: Any) -> Iterator[Block]:
    """Texts to learn from: all at once, or block by block from a file or folder."""
    for texts, labels in labelled_texts(X, y, sample_weight, text):
        yield Block(texts, y=labels, weights=sample_weight)


def _texts(X: Any) -> TextBytes | list[str | None]:
    """Texts as they are counted: a plain list as it is, all else as bytes."""
    if isinstance(X, list) and set(map(type, X)) <= {str, type(None)}:
        return X
    return as_texts(X)


def _automatic(words: tuple[str, ...], table: Array) -> float:
    """The lambda of the best leave-one-out log score over all words; 1 if there are none."""
    if not words:
        return 1.0
    event = text(LevelCounts(words, table), Lambda(1.0), table.sum(axis=0))
    return float(automatic_smoothing(event).rule.amount)
