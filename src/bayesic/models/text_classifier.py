"""Naive Bayes for raw texts: English, Chinese or both in, labels out."""

from typing import Any, Self

import numpy as np

from bayesic.data.archive import UnreadableHereError
from bayesic.data.arguments import check_whole_number
from bayesic.data.blocks import row_blocks
from bayesic.data.fitted import check_is_fitted
from bayesic.data.matrices import cells_per_row, sparse_rows, with_entries
from bayesic.data.named_tokenizers import NAMED, chosen_tokenizer, refusal_to_load, refusal_to_recut
from bayesic.data.own_tokens import OwnTokenizer
from bayesic.data.snapshots import answering, learning
from bayesic.data.text_files import is_text_source, texts_of
from bayesic.data.texts import texts_to_count
from bayesic.data.tokens import Tokenizer, checked_tokenizer, has_chinese, tell_of_characters
from bayesic.decisions.ranking import Ranking, rank
from bayesic.estimation.prior import log_prior
from bayesic.estimation.text_rows import CountedTexts, counted_texts
from bayesic.estimation.text_weights import TextWeights, prior_weights
from bayesic.estimation.text_without import scorer_without
from bayesic.estimation.tf_idf import damped_texts
from bayesic.evidence.explanation import Explanation, classes_to_compare
from bayesic.evidence.several import Reasons, with_top
from bayesic.evidence.work import Factor
from bayesic.models.base import CountingClassifier, Scorer
from bayesic.models.discrete import log_linear
from bayesic.models.open import Block, OpenClassifier
from bayesic.models.summaries.texts import SummarisedTexts
from bayesic.models.text_columns import is_column, labelled_blocks, remember_columns
from bayesic.models.text_options import TextOptions, checked_options, fitted_weights
from bayesic.models.text_reasons import explained_text, reason_scores, text_factors
from bayesic.statistics.texts import TextCounts, UncountedTexts, soft_text_counts

Array = np.ndarray


class TextClassifier(SummarisedTexts, OpenClassifier):
    """Naive Bayes for texts, from raw strings to reasons.

        P(c | text)  ~  P(c) * product over the words w of the text of P(w | c)
        P(c) = N_c / N,   P(w | c) = (n_k + lambda) / (n + lambda |V|)

    n_k counts word w in the texts of class c, n all its words, |V| is the number of words seen in
    any class; words outside of the vocabulary are skipped ([Mitchell] table 6.2). This is
    model="multinomial". The others are

        "binary-multinomial"  the same, where a word counts once for each text that has it
        "bernoulli"           P(w in text | c) = (N_wc + lambda) / (N_c + 2 lambda), and absent
                              words of the vocabulary count too ([IIR] section 13.3)
        "complement"          each class is scored by the words of all others ([Rennie]); scores
                              are weights, not log probabilities, and there is no prior

    `partial_fit`, `forget` and `merge` are exact; `leave_one_out` is too, except that `drop_top`
    and smoothing="auto" keep what they chose from all texts. New words and new classes may come at
    any time. A text that is None or empty has no words.

    Parameters
    ----------
    model : "multinomial", "complement", "bernoulli" or "binary-multinomial"
    language : "auto" and "zh" cut Chinese into words with rjieba, or into single characters and
        pairs of neighbours if that is not installed; "en" takes a run of Chinese as one word
    ngrams : least and largest number of words (or characters) that are taken together
    analyzer : "word", or "char" for runs of characters
    min_count : words that occur less often in all take no part
    drop_top : so many of the most frequent words take no part
    stop_words : words that take no part: a list, or "en" or "zh" for the usual ones
    smoothing : lambda; "auto" for the one under which, of all words learned, each tells the
        class of its text best by the counts of all the others; or the m-estimate of the models
        that count words: ("m", m), ("m", m, "uniform") or ("m", m, {word: p}), as in NaiveBayes
    weighting : None; "tf-idf" for [Rennie] (multinomial, complement), where rare words and short
        texts count more, and min_count and drop_top go by texts with the word; "log-count-ratio"
        for [WangManning] (multinomial, binary-multinomial), where each class is held against all
        others together, which for two classes is the same model
    tokenizer : how texts are cut instead of language and analyzer: "zh-words" (Chinese words
        alone, as rjieba cuts them), "zh-characters", "whitespace", or a function text -> list of
        words; of a function a model file keeps its name only

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
        weighting: str | None = None,
        tokenizer: Any = None,
    ) -> None:
        self.model = model
        self.language = language
        self.ngrams = ngrams
        self.analyzer = analyzer
        self.min_count = min_count
        self.drop_top = drop_top
        self.stop_words = stop_words
        self.smoothing = smoothing
        self.weighting = weighting
        self.tokenizer = tokenizer

    # checks ---------------------------------------------------------------------------------

    def _check_parameters(self, first: bool) -> None:
        self._options()
        self._tokenizer()

    def _options(self) -> TextOptions:
        return checked_options(
            self.model,
            self.weighting,
            self.min_count,
            self.drop_top,
            self.stop_words,
            self.smoothing,
        )

    def _tokenizer(self) -> Tokenizer | OwnTokenizer:
        if self.tokenizer is not None:
            return chosen_tokenizer(self.tokenizer, self.ngrams)
        return checked_tokenizer(self.language, self.ngrams, self.analyzer)

    def _checked_X(self, X: Any, first: bool) -> Any:
        tokenizer: Any = self._tokenizer()
        counts_lengths = self.weighting == "tf-idf"
        if first or not hasattr(self, "tokenizer_"):
            self.n_features_in_ = 1
            self.tokenizer_, self.counts_lengths_ = tokenizer, counts_lengths
        elif tokenizer != self.tokenizer_:
            raise ValueError(refusal_to_recut(self.tokenizer_, tokenizer, self.tokenizer is None))
        elif counts_lengths != self.counts_lengths_:
            raise ValueError(
                "weighting='tf-idf' counts words in another way than the others, and cannot be "
                f"changed later: got weighting={self.weighting!r}. Set it back, or fit anew."
            )
        texts = X.X if isinstance(X, Block) else X
        if is_text_source(texts):
            texts = texts_of(texts, getattr(self, "text_column_", None))
        texts = texts_to_count(texts)
        if len(texts) == 0:
            raise ValueError("X must have at least one text, got none. Give a list of texts.")
        if isinstance(X, Block) and not counts_lengths:  # their words are counted by class
            return UncountedTexts(texts, tokenizer)
        return counted_texts(texts, tokenizer)

    def _check_mergeable(self, other: CountingClassifier) -> None:
        super()._check_mergeable(other)
        mine, theirs = (
            (model.tokenizer_, "tf-idf" if model.counts_lengths_ else "words")
            for model in (self, other)
        )
        if mine != theirs:
            raise ValueError(
                "Only models that cut and count words in the same way can be merged: this one has "
                f"{mine}, the other {theirs}."
            )

    # learning -------------------------------------------------------------------------------

    @learning
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, text: Any = None) -> Self:
        """Learn texts X with classes y; whatever was learned before is gone.

        X : a list of texts, or a column of pandas, polars or pyarrow; or the path of a folder with
            one folder for each class, or of a CSV, TSV or Parquet file, read block by block
        y : class labels; of a file the name of the column that holds them; nothing for a folder
        sample_weight : weights of the texts; not for files
        text : of a file the name of the column with the texts, if there are several; or the names
            of several columns, the texts of which are joined by a line break in each row

        The names of the columns are kept: `partial_fit` and `forget` take them from there.
        """
        self._start_anew()
        remember_columns(self, X, y, text)
        return self._learn_more(labelled_blocks(self, X, y, sample_weight, text))

    @learning
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
        if getattr(self, "text_column_", None) is None:
            remember_columns(self, X, y, text)
        return self._learn_more(labelled_blocks(self, X, y, sample_weight, text), classes)

    @learning
    def forget(self, X: Any, y: Any = None, sample_weight: Any = None, text: Any = None) -> Self:
        """Take texts back out: the same model comes out as if they had never been learned.

        Texts that were never learned are refused where the statistics show it.
        """
        check_is_fitted(self)
        return self._unlearn(labelled_blocks(self, X, y, sample_weight, text))

    def _summarise(
        self, X: CountedTexts | UncountedTexts, codes: Array, n_classes: int, weights: Array | None
    ) -> TextCounts:
        if isinstance(X, CountedTexts) and self.counts_lengths_:
            X = damped_texts(X)
        statistics = X.summarised(codes, n_classes, weights)
        nothing_better = self.tokenizer is None and self.tokenizer_.chinese == "characters"
        if nothing_better and has_chinese(statistics.words):
            tell_of_characters()
        return statistics

    def _soft_statistics(self, X: CountedTexts, shares: Array) -> TextCounts:
        return soft_text_counts(X.in_order.words, X.in_order.counts, shares)

    def _estimate(self, statistics: TextCounts) -> Self:
        self.statistics_ = statistics
        self._fitted = fitted_weights(statistics, self._options())
        return self

    # what was learned -----------------------------------------------------------------------

    @property
    def vocabulary_(self) -> tuple[str, ...]:
        """The words that take part, in sorted order."""
        return self._fitted.words

    @property
    def smoothing_(self) -> float:
        """The lambda that is used, also where it was chosen automatically; m of an m-estimate."""
        return self._fitted.smoothing

    @property
    def class_count_(self) -> Array:
        """Texts of each class."""
        return self.statistics_.class_count

    @answering
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
        return self._fitted.strongest(classes.index(label), n)

    @answering
    def rank(self, X: Any, target: Any, n: int | None = None) -> Ranking:
        """Texts from the highest P(target | text) to the lowest, or the first n: see `by.rank`.

        >>> articles = ["goals and goals", "rain today", "rain, but what a goal"]
        >>> model = TextClassifier().fit(articles, ["liked", "dull", "liked"])
        >>> model.rank(["rain", "goals", "more rain today"], "liked", n=2).index
        array([1, 0])
        """
        return rank(self, X, target, n)

    # scores ---------------------------------------------------------------------------------

    def _prior(self) -> Any:
        return "learned"

    def _log_prior(self) -> Array:
        return log_prior(self.statistics_.class_count)

    def _prior_of_scores(self, log_prior: Array) -> Array:
        return prior_weights(self._fitted.model, self._fitted.weighting, log_prior)

    def _scorer(self, X: CountedTexts) -> Scorer:
        fitted = self._fitted
        weights = fitted.of_words[fitted.places(X.words)]
        score = log_linear(weights) if len(weights) else lambda counts: counts @ weights

        def scores_of(rows: slice) -> Array:
            block = sparse_rows(X.counts, rows)
            return score(with_entries(block, fitted.times(block.data))) + fitted.of_none

        return scores_of

    def _leave_one_out_scorer(self, X: CountedTexts, codes: Array, weights: Array) -> Scorer:
        return scorer_without(self._fitted, X, codes, weights)

    def leave_one_out(self, X: Any, y: Any, sample_weight: Any = None) -> Array:
        """Probability of each class for each learned text, as if it had not been learned.

        Equal to learning all other texts (with all classes declared) and predicting this one: a
        word that only this text has is unknown without it. What the model has chosen from all
        texts, the words of `drop_top` and the lambda of smoothing="auto", stays as it is; given
        this it is what learning all other texts gives. Give the weights that were learned.
        """
        return super().leave_one_out(X, y, sample_weight)

    def _blocks(self, X: CountedTexts) -> list[slice]:
        return row_blocks(X.shape[0], max(cells_per_row(X.counts), len(self.classes_)))

    # reasons --------------------------------------------------------------------------------

    @answering
    def explain(  # type: ignore[override]  # words have their names
        self, X: Any, against: Any = None, answer: Any = None, top: int | None = None
    ) -> Explanation | Reasons[Explanation]:
        """Why a text gets its answer: the prior and what each known word adds, in log odds.

        X : one text, which gives one Explanation; or texts as for `predict`, which give a list
        against : the class to compare the answer with; None for the rest of the classes
        answer : the class to explain; None for the class that is predicted
        top : how many words to show, the strongest first; the others are added up in one line
        """
        check_is_fitted(self)
        texts, single = self._asked_rows(X)
        prior = self._prior_of_scores(self._log_prior())
        classes = self.classes_.tolist()
        compared = classes_to_compare(classes, answer, against)
        found = [
            explained_text(self._fitted, classes, prior, one, self._log_posterior(one)[0], compared)
            for one in map(texts.one, range(texts.shape[0]))
        ]
        shown = with_top(found, top)
        return shown[0] if single else shown

    def _asked_rows(self, X: Any) -> tuple[CountedTexts, bool]:
        single = X is None or isinstance(X, str)
        return self._checked_X([X] if single else X, first=False), single

    def _feature_scores(self, X: CountedTexts) -> Array:
        return reason_scores(self._fitted, X.one(0))[None]

    def _factors(self, X: CountedTexts, names: list[str]) -> list[Factor]:
        return text_factors(self._fitted, X.one(0))

    # files ----------------------------------------------------------------------------------

    def _saved_parameters(self) -> dict[str, Any]:
        named = self.tokenizer if isinstance(self.tokenizer, str) else None
        return self.get_params(deep=False) | {"tokenizer": named}  # of a function only its name

    def _extra_state(self) -> dict[str, Any]:
        own = getattr(self.tokenizer_, "function", None)
        return {
            "tokenizer": self.tokenizer_.name,
            "own": None if own in NAMED else own,
            "counts_lengths": self.counts_lengths_,
            "text_column": getattr(self, "text_column_", None),
        }

    def _restore_extra_state(self, state: dict[str, Any]) -> None:
        tokenizer, own = self._tokenizer(), state.get("own")
        if isinstance(own, str):  # the user must give the function again
            tokenizer = OwnTokenizer(own, tokenizer.ngrams)
        if state.get("tokenizer") != tokenizer.name:
            learned = str(state.get("tokenizer"))
            raise UnreadableHereError(refusal_to_load(learned, tokenizer.name))
        self.tokenizer_, self.counts_lengths_ = tokenizer, self.weighting == "tf-idf"
        self.text_column_ = state.get("text_column")
        if not is_column(self.text_column_) or state != self._extra_state():
            raise ValueError(f"its extra state is none of a TextClassifier: {state!r:.200}.")

    def _has_features_of(self, statistics: Any) -> bool:
        return isinstance(statistics, TextCounts) and self.n_features_in_ == 1

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        tags.input_tags.sparse = False
        return tags
