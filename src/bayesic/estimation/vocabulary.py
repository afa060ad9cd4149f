"""The vocabulary of texts, and the weight of each word by tf-idf.

Rare, very frequent and stop words are left out, and words with little information about the class.

tf-idf is that of [Rennie] section 4, in a form that adds up. A word that a text has n_w times
counts as

    d_w = log(1 + n_w) / sqrt(sum over its words v of log(1 + n_v)^2)

so that neither long texts nor repeated words count too much. The d_w of each
class are added up, and the sum is multiplied by idf_w = log(N / N_w) when it is used: N texts in
all, N_w of them with the word. [Rennie] puts idf_w into the length too; but it changes with every
new text, so the sum could not be kept.
"""

from collections.abc import Collection, Sequence

import numpy as np
from scipy import sparse

from bayesic.data.counted_texts import CountedTexts, sums_by_class
from bayesic.data.matrices import with_entries
from bayesic.data.stop_words import STOP_WORDS
from bayesic.estimation.information import presence_information
from bayesic.kernels import Array
from bayesic.kernels.rounding import ROUNDING
from bayesic.statistics.text_counts import TextCounts, counts_of_sums

# Counts are multiples of this unit: their sums are exact and can be subtracted.
UNIT = 2.0**-30

INFORMATION_DIGITS = 12  # digits after the point, in nats, by which words are compared


def kept_words(
    words: Sequence[str],
    total: Array,
    min_count: int = 1,
    drop_top: int = 0,
    stop_words: Collection[str] = (),
) -> Array:
    """The indices of the words to keep, in order.

    Stop words go first, then the drop_top most frequent words (of equally frequent ones those that
    come first in the alphabet), then words that occur less than min_count times. With drop_top=100
    and min_count=3 it is the vocabulary of [Mitchell] section 6.10.1.

    words : in sorted order; total : (n_words,), occurrences of each in all classes

    >>> kept_words(("free", "lunch", "rain", "the"), np.array([2, 1, 2, 9]), 2, drop_top=1)
    array([0, 2])
    """
    stopped = frozenset(stop_words)
    kept = np.arange(len(words))
    if stopped:  # an n-gram is a stop word if each of its words is one
        kept = kept[[not stopped.issuperset(word.split(" ")) for word in words]]
    if drop_top:
        most_frequent = np.argsort(-total[kept], kind="stable")[:drop_top]
        kept = np.delete(kept, most_frequent)
    return kept[frequent_enough(total[kept], min_count)]


def most_telling_words(present: Array, class_count: Array, max_words: int) -> Array:
    """The indices of the max_words words most informative about the class, in order.

    Of words that are equally informative the first in the alphabet are kept; see
    `presence_information` for the measure.

    present : (n_words, n_classes), texts of each class that have the word, words in sorted order
    class_count : (n_classes,), texts of each class

    >>> most_telling_words(np.array([[3, 2], [0, 2], [1, 1], [2, 0]]), np.array([3, 3]), 2)
    array([1, 3])
    """
    if len(present) <= max_words:
        return np.arange(len(present))
    # rounded, so that the order of classes and weights does not change the choice
    information = presence_information(present, class_count).round(INFORMATION_DIGITS)
    return np.sort(np.argsort(-information, kind="stable")[:max_words])


def frequent_enough(total: Array, min_count: int) -> Array:
    """Whether words occur at least min_count times; 1 takes every word that occurs.

    With weights a word may occur less than once.

    >>> frequent_enough(np.array([0.25, 3.0, 0.0]), min_count=1)
    array([ True,  True, False])
    """
    # sums of soft shares may be slightly below a whole number by rounding
    return (total > 0) & ((total >= min_count * (1 - ROUNDING)) | (min_count <= 1))


def checked_stop_words(given: str | Collection[str] | None) -> frozenset[str]:
    """The stop words, with their case folded as in texts; None is an empty set.

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


def damped_counts(counts: sparse.csr_array) -> sparse.csr_array:
    """d_w, in units, from the counts of the words of each text: (n_texts, n_words).

    >>> (damped_counts(sparse.csr_array([[1.0, 1.0], [7.0, 0.0]])) * UNIT).toarray().round(4)
    array([[0.7071, 0.7071],
           [1.    , 0.    ]])
    """
    n_texts, logs = counts.shape[0], np.log1p(counts.data)
    row = np.repeat(np.arange(n_texts), np.diff(counts.indptr))
    length = np.sqrt(np.bincount(row, logs**2, minlength=n_texts))
    return with_entries(counts, np.maximum(np.rint(logs / length[row] / UNIT), 1.0))


def damped_text_counts(
    texts: CountedTexts, codes: Array, n_classes: int, weights: Array | None = None
) -> TextCounts:
    """Summarise texts, with d_w in units as the occurrences of a word."""
    words, counts = texts.in_order
    sums = sums_by_class(damped_counts(counts), codes, n_classes, weights)
    return counts_of_sums((words, *sums), codes, n_classes, weights)


def inverse_document_frequency(n_texts: Array | float, texts_with: Array) -> Array:
    """log(N / N_w), and 0 where N or N_w is 0.

    >>> inverse_document_frequency(8, np.array([8, 2, 1, 0])).round(3)
    array([0.   , 1.386, 2.079, 0.   ])
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(n_texts) - np.log(texts_with)
    return np.where(np.isfinite(logs), np.maximum(logs, 0.0), 0.0)
