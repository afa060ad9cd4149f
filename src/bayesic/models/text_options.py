"""How texts are scored, as the user asks for it: checked, and put to use on counts of words."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesic.data.arguments import check_one_of, check_whole_number
from bayesic.estimation.given_shares import GivenEstimate
from bayesic.estimation.shares import Lambda, Smoothing
from bayesic.estimation.text_weights import TEXT_MODELS, WEIGHTINGS, TextWeights, asks_presence
from bayesic.estimation.vocabulary import checked_stop_words, kept_words
from bayesic.models.events.automatic import automatic_smoothing
from bayesic.models.events.m_estimate import Rule
from bayesic.models.events.make import checked_rule
from bayesic.models.events.text import text
from bayesic.statistics.levels import LevelCounts
from bayesic.statistics.texts import TextCounts

Array = np.ndarray


@dataclass(frozen=True)
class TextOptions:
    """What a TextClassifier was told about models and words."""

    model: str
    weighting: str | None
    min_count: int
    drop_top: int
    stop_words: frozenset[str]
    smoothing: Rule | None  # None for the best lambda by leave-one-out


def checked_options(
    model: Any, weighting: Any, min_count: Any, drop_top: Any, stop_words: Any, smoothing: Any
) -> TextOptions:
    """The options of a TextClassifier, refused with the reason if they make no sense."""
    check_one_of("model", model, TEXT_MODELS)
    check_one_of("weighting", weighting, (None, *WEIGHTINGS))
    if weighting is not None and model not in WEIGHTINGS[weighting]:
        raise ValueError(
            f"weighting={weighting!r} is for the models {' and '.join(WEIGHTINGS[weighting])}, got "
            f"model={model!r}. Change one of the two."
        )
    check_whole_number("min_count", min_count, 1)
    check_whole_number("drop_top", drop_top, 0)
    stopped = checked_stop_words(stop_words)
    amount = _checked_smoothing(model, weighting, smoothing)
    return TextOptions(model, weighting, int(min_count), int(drop_top), stopped, amount)


def _checked_smoothing(model: str, weighting: str | None, smoothing: Any) -> Rule | None:
    rule = checked_rule(smoothing)
    if weighting == "tf-idf" and not isinstance(rule, Lambda):
        raise ValueError(
            f"smoothing={smoothing!r} goes by how often words occur, which tf-idf does not keep. "
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


def _refuse_zeros(rule: Rule, told: str, smoothing: Any) -> None:
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
    # what tf-idf adds up is no number of occurrences: there the texts that have a word count
    total = texts_with if options.weighting == "tf-idf" else table.sum(axis=1)
    if asks_presence(options.model):
        table = statistics.texts_with
    kept = kept_words(words, total, options.min_count, options.drop_top, options.stop_words)
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
