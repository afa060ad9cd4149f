"""How texts are scored, as the user asks for it: checked, and put to use on counts of words."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesic.data.arguments import check_one_of, check_whole_number
from bayesic.estimation.shares import Lambda
from bayesic.estimation.text_weights import TEXT_MODELS, WEIGHTINGS, TextWeights, asks_presence
from bayesic.estimation.vocabulary import checked_stop_words, kept_words
from bayesic.models.events.choice import automatic_smoothing
from bayesic.models.events.make import checked_amount
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
    smoothing: float | None  # None for the best by leave-one-out


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


def _checked_smoothing(model: str, weighting: str | None, smoothing: Any) -> float | None:
    if isinstance(smoothing, str) and smoothing == "auto":
        if weighting == "tf-idf":
            raise ValueError(
                "smoothing='auto' goes by how often words occur, which tf-idf does not keep. Give "
                "a number, such as smoothing=1.0."
            )
        return None
    amount = checked_amount(smoothing, "smoothing", ', "auto" for the best by leave-one-out')
    told = f"weighting={weighting!r}" if weighting else f"model={model!r}"
    if amount == 0 and (weighting or model in ("bernoulli", "complement")):
        raise ValueError(
            f"smoothing must be above 0 for {told}, got {smoothing!r}. "
            "Use a small number, such as 1e-9."
        )
    return float(amount)


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
    amount = options.smoothing
    return TextWeights(
        model=options.model,
        weighting=options.weighting,
        smoothing=_automatic(words, table) if amount is None else amount,
        words=words,
        table=table,
        n_texts=statistics.class_count,
        texts_with=texts_with,
        total=total,
        min_count=options.min_count,
    )


def _automatic(words: tuple[str, ...], table: Array) -> float:
    """The lambda of the best leave-one-out log score over all words; 1 if there are none."""
    if not words:
        return 1.0
    event = text(LevelCounts(words, table), Lambda(1.0), table.sum(axis=0))
    return float(automatic_smoothing(event).rule.amount)
