"""Which of the words that were seen take part: rare, very frequent and stop words are left out."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from bayesic.data.stop_words import STOP_WORDS
from bayesic.kernels.rounding import ROUNDING

Array = np.ndarray


def kept_words(
    words: Sequence[str],
    total: Array,
    min_count: int = 1,
    drop_top: int = 0,
    stop_words: Collection[str] = (),
) -> Array:
    """The numbers of the words to keep, in order.

    Stop words go first, then the drop_top most frequent words (of equally frequent ones those that
    come first in the alphabet), then words that occur less than min_count times. With drop_top=100
    and min_count=3 it is the vocabulary of [Mitchell] section 6.10.1.

    words : in sorted order; total : (n_words,), how often each occurs in all classes

    >>> kept_words(("free", "lunch", "rain", "the"), np.array([2, 1, 2, 9]), 2, drop_top=1)
    array([0, 2])
    """
    stopped = frozenset(stop_words)
    kept = np.arange(len(words))
    if stopped:  # words that were taken together go if each of them does
        kept = kept[[not stopped.issuperset(word.split(" ")) for word in words]]
    if drop_top:
        most_frequent = np.argsort(-total[kept], kind="stable")[:drop_top]
        kept = np.delete(kept, most_frequent)
    return kept[frequent_enough(total[kept], min_count)]


def frequent_enough(total: Array, min_count: int) -> Array:
    """Whether words occur at least min_count times; 1 takes every word that occurs.

    With weights a word may occur less than once.

    >>> frequent_enough(np.array([0.25, 3.0, 0.0]), min_count=1)
    array([ True,  True, False])
    """
    # sums of shares that make up whole texts may miss a whole number by rounding
    return (total > 0) & ((total >= min_count * (1 - ROUNDING)) | (min_count <= 1))


def checked_stop_words(given: Any) -> frozenset[str]:
    """Words that take no part, with their case folded as in texts; None for none of them.

    >>> checked_stop_words(["The"])
    frozenset({'the'})
    >>> "the" in checked_stop_words("en"), "的" in checked_stop_words("zh")
    (True, True)
    """
    if given is None:
        return frozenset()
    if isinstance(given, str) and given in STOP_WORDS:
        return STOP_WORDS[given]
    is_list = isinstance(given, Collection) and not isinstance(given, (str, bytes))
    if not is_list or not all(isinstance(word, str) for word in given):
        raise ValueError(
            f'stop_words must be "en", "zh", a list of words or None, got {given!r}. '
            "Use ['the', 'and'], for example, or drop_top for the most frequent words."
        )
    return frozenset(word.casefold() for word in given)
