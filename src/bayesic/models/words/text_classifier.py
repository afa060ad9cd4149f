"""Naive Bayes for raw texts: English, Chinese or both in, labels out.

Most of this file is the description of thirteen parameters, which makes it longer than others.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from scipy import sparse

from bayesic.contract.constructor import parameter_names
from bayesic.contract.transformer import Transformer, in_container
from bayesic.data.arguments import check_is_fitted, check_one_of, check_whole_number
from bayesic.data.counted_texts import CountedTexts
from bayesic.data.snapshots import answering
from bayesic.data.source import opened
from bayesic.data.text_files import is_column
from bayesic.data.tokens import (
    NAMED,
    OwnTokenizer,
    Tokenizer,
    has_chinese,
    refusal_to_load,
    tell_of_characters,
    told_tokenizer,
)
from bayesic.data.typing import (
    Choices,
    CutsTexts,
    Decay,
    Label,
    Prior,
    Smoothing,
    TableLike,
    TextModel,
)
from bayesic.decisions.sure_answers import Ranking, rank
from bayesic.estimation.text_weights import TEXT_MODELS
from bayesic.estimation.vocabulary import damped_text_counts
from bayesic.files.archive import UnreadableHereError
from bayesic.kernels import Array
from bayesic.models.classifier import CountingClassifier
from bayesic.models.counting import NORMAL_PRIOR
from bayesic.models.fading import FADING, checked_half_life
from bayesic.models.fitted import learned
from bayesic.models.held_choices import check_choices, held_choices_of, holding
from bayesic.models.named_prior import check_named_prior, named_prior
from bayesic.models.notes import Note
from bayesic.models.readers.reader import CodedRows
from bayesic.models.readers.text_reader import TextReader
from bayesic.models.words.chosen_words import ChosenWords, choose_words, restored_words
from bayesic.models.words.growing_words import weighed_words
from bayesic.models.words.text_candidates import (
    Parameters,
    first_parameters,
    options_of,
    told_parameters,
)
from bayesic.models.words.text_choice import TextChoice, choose, parameters_text, restored_choice
from bayesic.models.words.weighed_words import TextOptions, WeighedWords
from bayesic.statistics.text_counts import TextCounts, text_counts

# settings ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class TextSettings:
    """How texts are cut and words counted, and what is asked of the counts."""

    parameters: Parameters  # that hold: of model="auto" those that were chosen, if any were
    options: TextOptions
    tokenizer: Tokenizer | OwnTokenizer

    @property
    def counts_lengths(self) -> bool:
        """Whether words count by the length of their text."""
        return self.options.weighting == "tf-idf"


def text_settings(parameters: Parameters) -> TextSettings:
    """The settings that these parameters say."""
    cuts = {name: parameters[name] for name in ("language", "ngrams", "analyzer", "tokenizer")}
    return TextSettings(parameters, options_of(parameters), told_tokenizer(**cuts))


# notes ------------------------------------------------------------------------------------------


def _choose_parameters(model: "TextClassifier", rows: Iterable[CodedRows]) -> None:
    if model.model == "auto" and not hasattr(model, "statistics_"):
        model.chosen_ = choose(rows, model.get_params(deep=False))
        settings = model._parse_again()
        model.tokenizer_, model.counts_lengths_ = settings.tokenizer, settings.counts_lengths


def _choice_state(model: "TextClassifier") -> dict[str, object]:
    return {"chosen": model.chosen_.state(model.classes_)} if model.model == "auto" else {}


def _restore_choice(model: "TextClassifier", state: dict[str, object]) -> None:
    if model.model == "auto":
        model.chosen_ = restored_choice(state.get("chosen"), model.classes_)
        model._parse_again()
    elif state:
        raise ValueError("its extra state is not that of a TextClassifier that chooses.")


AUTOMATIC_CHOICE = Note(
    before=_choose_parameters,
    keys=frozenset({"chosen"}),
    state=_choice_state,
    restore=_restore_choice,
)


def _cut_alike(model: "TextClassifier", other: "TextClassifier") -> None:
    mine, theirs = (
        (each.tokenizer_, "tf-idf" if each.counts_lengths_ else "words") for each in (model, other)
    )
    if mine != theirs:
        raise ValueError(
            "Only models that cut and count words in the same way can be merged: this one has "
            f"{mine}, the other {theirs}."
        )


def _state_of_cutting(model: "TextClassifier") -> dict[str, object]:
    own = getattr(model.tokenizer_, "function", None)
    return {
        "tokenizer": model.tokenizer_.name,
        "own": None if own in NAMED else own,
        "counts_lengths": model.counts_lengths_,
        "text_column": getattr(model, "text_column_", None),
    }


def _restore_cutting(model: "TextClassifier", state: dict[str, object]) -> None:
    tokenizer, own = model._settings.tokenizer, state.get("own")
    if isinstance(own, str):  # the user must give the function again
        tokenizer = OwnTokenizer(own, tokenizer.ngrams)
    if state.get("tokenizer") != tokenizer.name:
        raise UnreadableHereError(refusal_to_load(str(state.get("tokenizer")), tokenizer.name))
    model.tokenizer_, model.counts_lengths_ = tokenizer, model._settings.counts_lengths
    model.text_column_ = state.get("text_column")
    if not is_column(model.text_column_) or state != _state_of_cutting(model):
        raise ValueError(f"its extra state is not that of a TextClassifier: {state!r:.200}.")


WAY_OF_CUTTING = Note(
    alike=_cut_alike,
    keys=frozenset({"tokenizer", "own", "counts_lengths", "text_column"}),
    state=_state_of_cutting,
    restore=_restore_cutting,
)


def _choose_words(
    model: "TextClassifier", statistics: TextCounts, held: ChosenWords | None
) -> ChosenWords:
    return choose_words(statistics, model._settings.options) if held is None else held


CHOICES_OF_WORDS = holding(_choose_words, lambda model, state: restored_words(state))


# the model --------------------------------------------------------------------------------------


class TextClassifier(CountingClassifier[TextCounts, WeighedWords, TextSettings], Transformer):
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

        "auto"                chooses one of these, and n-grams, words or characters, weighting,
                              smoothing and max_words; probabilities are tempered

    With "auto" the choice is made on the first texts learned, by the log loss of at most 1,000 of
    them, each as if it had not been learned; `chosen_` shows the choice, with the table of all
    candidates. Parameters that you set yourself are kept. Texts repeat themselves, so naive Bayes
    is overconfident on long ones; the probabilities are calibrated on the same texts,

        P(c | text)  ~  e^b_c  P(c)^v  P(text | c)^(w / sqrt(n)),   n words in the text

    `partial_fit`, `forget`, `merge` and `leave_one_out` keep the choices, w, v and b; `fit` chooses
    again. Models to be merged must cut texts in the same way: learn the others with
    `TextClassifier(**first.chosen_.parameters)`.

    `partial_fit`, `forget` and `merge` are exact; `leave_one_out` is too, except that `drop_top`,
    `max_words` and smoothing="auto" keep what they chose from all texts. New words and new classes
    may appear at any time. A text that is None or empty has no words. `set_params` takes effect at
    once, as if everything had been learned with it, for model, smoothing, min_count, drop_top,
    stop_words, max_words and weighting, except "tf-idf". The settings for how words are cut and
    counted cannot be changed after learning: language, ngrams, analyzer, tokenizer, "tf-idf". The
    next answer is refused until they are set back or `fit` is called.

    Parameters
    ----------
    model : "multinomial", "complement", "bernoulli", "binary-multinomial" or "auto"
    language : "auto" and "zh" cut Chinese into words with rjieba, or into single characters and
        pairs of neighbours if that is not installed; "en" treats a run of Chinese as one word
    ngrams : the shortest and longest runs of words (or characters)
    analyzer : "word", or "char" for runs of characters
    min_count : words that occur less often in total are ignored
    drop_top : this many of the most frequent words are ignored
    stop_words : words to ignore: "en" or "zh" for the usual ones, or a list
    smoothing : lambda; "auto" for the one with which each learned word best predicts the class of
        its text from the counts of all the others; or the m-estimate of the models that count
        words: ("m", m), ("m", m, "uniform") or ("m", m, {word: p}), as in NaiveBayes
    weighting : "tf-idf", where rare words and short texts count more, or "log-count-ratio", where
        each class is compared with all others together. "tf-idf" is that of [Rennie], for
        multinomial and complement; min_count and drop_top then count texts with the word.
        "log-count-ratio" is that of [WangManning], for multinomial and binary-multinomial, which
        for two classes is the same model. None: words count as they are
    tokenizer : how texts are cut, instead of language and analyzer: "zh-words" (only Chinese words,
        as rjieba cuts them), "zh-characters" or "whitespace". Or a function text -> list of words,
        of which a model file keeps only the name
    max_words : use only this many words, those whose presence in a text says most about its class.
        It is their mutual information ([IIR] section 13.5.1), and they are chosen from those that
        the options above leave; None for all
    choices : "always": the lambda of smoothing="auto" and the words of max_words always reflect all
        texts; or "hold": they stay until there are a tenth more or fewer texts, or `choose_again`
        is called, as in NaiveBayes. What model="auto" has chosen stays in any case
    decay : half-life, in rows or in time: rows or texts this old count half as much. 1000 rows, or
        a span of time such as "30 days"; None, all rows count alike. See docs/online.md
    prior : "learned" with the shares of texts, N_c / N, "uniform", or a dict of class and
        probability; "complement" has none

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

    >>> auto = TextClassifier("auto", tokenizer="whitespace").fit(texts, ["spam", "ham"] * 2)
    >>> auto.chosen_.parameters["ngrams"], auto.chosen_.scores[0].judged_by
    ((1, 1), 'leave-one-out')
    """

    statistics_: TextCounts
    tokenizer_: Tokenizer | OwnTokenizer
    counts_lengths_: bool
    chosen_: TextChoice

    notes = (FADING, AUTOMATIC_CHOICE, WAY_OF_CUTTING, CHOICES_OF_WORDS)
    fitted_class = WeighedWords
    declares_classes = False
    unused = ("feature_names", *NORMAL_PRIOR)
    tags: ClassVar[dict[str, bool]] = {
        "allow_nan": True,
        "string": True,
        "one_d_array": True,
        "two_d_array": False,
        "sparse": False,
    }

    class_count_ = learned("prior.class_count", "Texts of each class.")
    class_prior_ = learned("prior.probability", "P(c) of each class.")
    vocabulary_ = learned("weights.words", "The words that take part, in sorted order.")
    smoothing_ = learned(
        "weights.smoothing",
        "The lambda that is used, also where it was chosen automatically; m of an m-estimate.",
    )

    _unit, _noun = "text", "word"
    _hint = "To see which words occur together within a class, pass texts: summary(X, y)."

    def __init__(
        self,
        model: TextModel = "multinomial",
        language: Literal["auto", "en", "zh"] = "auto",
        ngrams: tuple[int, int] = (1, 1),
        analyzer: Literal["word", "char"] = "word",
        min_count: int = 1,
        drop_top: int = 0,
        stop_words: Literal["en", "zh"] | Iterable[str] | None = None,
        smoothing: Smoothing = 1.0,
        weighting: Literal["tf-idf", "log-count-ratio"] | None = None,
        tokenizer: CutsTexts | None = None,
        max_words: int | None = None,
        choices: Choices = "always",
        decay: Decay = None,
        prior: Prior = "learned",
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
        self.max_words = max_words
        self.choices = choices
        self.decay = decay
        self.prior = prior

    def _parse(self) -> TextSettings:
        check_one_of("model", self.model, (*TEXT_MODELS, "auto"))
        check_choices(self.choices)
        checked_half_life(self.decay)
        check_named_prior(self.prior)
        parameters = {name: getattr(self, name) for name in parameter_names(type(self))}
        if self.model == "auto":
            given = parameters
            parameters = first_parameters(given)
            if hasattr(self, "chosen_"):
                parameters = told_parameters(given, self.chosen_.parameters)
        return text_settings(parameters)

    def _reader(self) -> TextReader:
        settings = self._settings
        return TextReader(
            settings.tokenizer,
            learned=getattr(self, "tokenizer_", None),
            is_given=self.tokenizer is not None,
            counts_lengths=settings.counts_lengths,
            columns=getattr(self, "text_column_", None),
            target=getattr(self, "target_name_", None),
        )

    def _count(
        self, X: CountedTexts, codes: Array, n_classes: int, weights: Array | None
    ) -> TextCounts:
        if X.tokenizer != self.tokenizer_:  # it was chosen since the texts were read
            X = CountedTexts(X.texts, self.tokenizer_)
        count = damped_text_counts if self.counts_lengths_ else text_counts
        statistics = count(X, codes, n_classes, weights)
        nothing_better = self.tokenizer is None and self.tokenizer_.chinese == "characters"
        if nothing_better and has_chinese(statistics.words):
            tell_of_characters()
        return statistics

    def _fit(self, statistics: TextCounts) -> WeighedWords:
        tempering = chosen = None
        if self.model == "auto":
            if not hasattr(self, "chosen_"):
                raise ValueError(
                    "model='auto' chooses when the first texts are learned, by fit or partial_fit, "
                    "and these were learned in another way. Set model back, fit again, or use "
                    "the chosen_.parameters of a model that has chosen."
                )
            tempering = self.chosen_.tempering_of(self.classes_)
            chosen = parameters_text(self.chosen_.parameters)
        settings, held = self._settings, held_choices_of(self)
        if self.counts_lengths_ != settings.counts_lengths:
            raise ValueError(
                "weighting='tf-idf' counts words differently from the others, and cannot be "
                f"changed later: got weighting={self.weighting!r}. Set it back, or fit again."
            )
        options = settings.options if held is None else held.instead(settings.options)
        prior = named_prior(self.prior, self.classes_, statistics.class_count, 0.0)
        return weighed_words(statistics, options, self.tokenizer_, prior, tempering, chosen)

    # answers --------------------------------------------------------------------------------

    @answering
    def top_words(self, label: Label, n: int = 10) -> dict[str, float]:
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
        return self._fitted.weights.strongest(classes.index(label), n)

    @answering
    def rank(self, X: TableLike, target: Label, n: int | None = None) -> Ranking:
        """Texts by falling P(target | text), or the first n of them: see `by.decisions.rank`.

        >>> articles = ["goals and goals", "rain today", "rain, but what a goal"]
        >>> model = TextClassifier().fit(articles, ["liked", "dull", "liked"])
        >>> model.rank(["rain", "goals", "more rain today"], "liked", n=2).index
        array([1, 0])
        """
        return rank(self, X, target, n)

    @in_container
    @answering
    def transform(self, X: TableLike) -> sparse.csr_array:
        """Texts as vectors: how often each has each word of the vocabulary, (n_texts, n_words).

        The columns are the words of `vocabulary_`, by which `get_feature_names_out` names them.
        Words outside of it are skipped. So a classifier of texts is the first step of a pipeline.

        >>> model = TextClassifier().fit(["free lunch", "rain today"], ["spam", "ham"])
        >>> model.get_feature_names_out().tolist()
        ['free', 'lunch', 'rain', 'today']
        >>> model.transform(["free snow, free rain", None]).toarray()
        array([[2, 0, 1, 0],
               [0, 0, 0, 0]])
        """
        check_is_fitted(self)
        reader, known = self._reader(), self._fitted.known
        counts = [known.counts(reader.read(block)[0]) for block in reader.asked(opened(X))]
        return sparse.vstack(counts, format="csr").astype(np.int64)

    @answering
    def get_feature_names_out(self, input_features: Iterable[str] | None = None) -> Array:
        """The words that the columns of `transform` count; input_features is ignored."""
        check_is_fitted(self)
        return np.array(self.vocabulary_, dtype=object)
