"""What was chosen for the words of texts, so that it can be held while texts come."""

from dataclasses import dataclass, replace
from typing import Any

from bayesic.data.arguments import is_number
from bayesic.estimation.smoothing import Lambda
from bayesic.models.words.weighed_words import TextOptions, fitted_weights
from bayesic.statistics.additive import check_words
from bayesic.statistics.text_counts import TextCounts


@dataclass(frozen=True, eq=False)
class ChosenWords:
    """The lambda of smoothing="auto", and the words of max_words; None for what is given."""

    smoothing: float | None
    words: tuple[str, ...] | None

    def instead(self, options: TextOptions) -> TextOptions:
        """The options, with what is held instead of what is to be chosen."""
        rule = options.smoothing if self.smoothing is None else Lambda(self.smoothing)
        most = options.max_words if self.words is None else None
        return replace(options, smoothing=rule, max_words=most, words=self.words)

    def state(self) -> dict[str, object]:
        """The choices as plain values."""
        return {"smoothing": self.smoothing, "words": self.words}


def choose_words(statistics: TextCounts, options: TextOptions) -> ChosenWords:
    """What these options leave open, chosen from the counts."""
    if options.smoothing is not None and options.max_words is None:
        return ChosenWords(None, None)
    weights = fitted_weights(statistics, options)
    return ChosenWords(
        weights.smoothing if options.smoothing is None else None,
        None if options.max_words is None else weights.words,
    )


def restored_words(state: dict[str, Any]) -> ChosenWords:
    """The choices that have this state; what cannot be one is refused.

    >>> restored_words({"smoothing": -1.0, "words": None})
    Traceback (most recent call last):
    ValueError: What is held of words must be a lambda of 0 or more, and the words.
    """
    smoothing, words = state.get("smoothing"), state.get("words")
    is_lambda = smoothing is None or (is_number(smoothing) and 0 <= smoothing < float("inf"))
    if set(state) != {"smoothing", "words"} or not is_lambda:
        raise ValueError("What is held of words must be a lambda of 0 or more, and the words.")
    if words is not None:
        check_words("The words that are held", words)
    return ChosenWords(smoothing, words)
