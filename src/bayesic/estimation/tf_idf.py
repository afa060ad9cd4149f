"""tf-idf of texts as in [Rennie] section 4, in a form that adds up.

A word that a text has n_w times counts as

    d_w = log(1 + n_w) / sqrt(sum over its words v of log(1 + n_v)^2)

so that neither a long text nor a word that is said again and again counts too much. The d_w of each
class are added up, and the sum is multiplied by idf_w = log(N / N_w) when it is used: N texts in
all, N_w of them with the word. [Rennie] puts idf_w into the length too; but it changes with every
new text, so the sum could not be kept.
"""

import numpy as np
from scipy import sparse

from bayesic.data.counted_texts import CountedTexts, sums_by_class
from bayesic.data.matrices import with_entries
from bayesic.statistics.texts import TextCounts, counts_of_sums

Array = np.ndarray

# Counted in whole numbers of this share of 1, sums are exact and can be taken back.
UNIT = 2.0**-30


def damped_counts(counts: sparse.csr_array) -> sparse.csr_array:
    """d_w, in units, from how often each text has each word: (n_texts, n_words).

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
    """log(N / N_w), and 0 where nothing is left of N or N_w.

    >>> inverse_document_frequency(8, np.array([8, 2, 1, 0])).round(3)
    array([0.   , 1.386, 2.079, 0.   ])
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(n_texts) - np.log(texts_with)
    return np.where(np.isfinite(logs), np.maximum(logs, 0.0), 0.0)
