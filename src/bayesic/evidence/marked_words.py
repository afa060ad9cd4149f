"""The words of a text with what each adds to the log odds: for pages that colour them."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from bayesic.data.token_spans import token_spans, word_spans
from bayesic.data.tokens import OwnTokenizer, Tokenizer


@dataclass
class Mark:
    """A word in its place, and the tokens that it is a part of."""

    begin: int
    end: int
    tokens: dict[str, float] = field(default_factory=dict)  # token -> what it adds here

    @property
    def weight(self) -> float | None:
        """What the word adds to the log odds; None if no token here is known to the model."""
        return sum(self.tokens.values()) if self.tokens else None


def marked_words(
    weights: Mapping[str, float], tokenizer: Tokenizer | OwnTokenizer, text: str
) -> list[Mark]:
    """The words of a text, each with its share of the weights of evidence.

        weight(word) = sum over the tokens t here of weights[t] / (occurrences of t * words of t)

    A token that occurs several times divides its weight among its occurrences, and one that is
    made of several words among these. So all words together add what all tokens do.

    weights : token -> weight of evidence, as `explain` tells it

    >>> weights = {"free": 1.5, "lunch": -0.25, "free lunch": 0.5}
    >>> marks = marked_words(weights, Tokenizer(ngrams=(1, 2)), "Free lunch!")
    >>> [(mark.begin, mark.end, mark.weight) for mark in marks]
    [(0, 4, 1.75), (5, 10, 0.0)]
    """
    tokens = tokenizer.tokens(text)
    times = Counter(token for token in tokens if token in weights)
    marks = [Mark(begin, end) for begin, end in word_spans(tokenizer, text)]
    begins, ends = [mark.begin for mark in marks], [mark.end for mark in marks]
    for token, span in zip(tokens, token_spans(tokenizer, text), strict=True):
        if token not in times or span is None:
            continue
        touched = marks[bisect_right(ends, span[0]) : bisect_left(begins, span[1])]
        for mark in touched:
            share = weights[token] / times[token] / len(touched)
            mark.tokens[token] = mark.tokens.get(token, 0.0) + share
    return marks
