"""Learned texts scored as if they had not been learned: each is taken out of the counts first.

A word that only this text has is unknown without it, and so is one that falls below min_count.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from bayesic.estimation.smoothing import log_shares
from bayesic.estimation.text_weights import TextWeights, asks_presence
from bayesic.estimation.vocabulary import frequent_enough
from bayesic.kernels.rounding import left

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Occurrences:
    """The words of some texts that take part, one after the other.

    row, word  : (n,), the number of the text and of the word
    times      : (n,), how often the text has it, or 1 if the model only asks whether
    known      : (n,), whether the word takes part without the text
    """

    row: Array
    word: Array
    times: Array
    known: Array


def occurrences_of(
    counts: sparse.csr_array, places: Array, fitted: TextWeights, weights: Array
) -> Occurrences:
    """The words of texts, and which of them would still be known without their text.

    counts : CSR (n_texts, n_asked); places : (n_asked,), their numbers in the vocabulary, or -1
    """
    row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    word, times = places[counts.indices], counts.data
    takes_part = word >= 0
    row, word, times = row[takes_part], word[takes_part], times[takes_part]
    rest = left(fitted.total[word].astype(np.float64), times * weights[row])
    known = frequent_enough(rest, fitted.min_count)
    return Occurrences(
        row, word, np.minimum(times, 1.0) if asks_presence(fitted.model) else times, known
    )


def share_scores_without(
    fitted: TextWeights, cells: Occurrences, codes: Array, weights: Array
) -> Array:
    """Scores of the multinomial and complement models without the text: (n_texts, n_classes).

        p(w | c) = (n_wc - x_w + lambda) / (n_c - n + lambda |V|)

    In its own class a text takes away its x_w occurrences of w, n in all; in every class the words
    that are unknown without it take no part.
    """
    n_texts, n_classes = len(codes), fitted.table.shape[1]
    removed = cells.times * weights[cells.row]
    at = np.arange(len(cells.row)), codes[cells.row]
    rest = fitted.table[cells.word].astype(np.float64)
    rest[at] = left(rest[at], removed)
    gone = ~cells.known
    total = np.tile(fitted.n_words.astype(np.float64), (n_texts, 1))
    own = np.arange(n_texts), codes
    total[own] = left(total[own], np.bincount(cells.row, removed, minlength=n_texts))
    total = left(total, row_sums(rest[gone], cells.row[gone], n_texts))
    vocabulary = len(fitted.words) - np.bincount(cells.row[gone], minlength=n_texts)
    sign = 1.0
    if fitted.model == "complement":
        rest, total, sign = of_others(rest), of_others(total), -1.0
    n_shares = np.maximum(vocabulary, 1)[:, None]
    smoothed_total = total + fitted.smoothing * vocabulary[:, None]
    logs = sign * log_shares(
        rest + fitted.smoothing, smoothed_total[cells.row], n_shares[cells.row]
    )
    logs = np.where(cells.known[:, None], logs * cells.times[:, None], 0.0)
    return row_sums(logs, cells.row, n_texts).reshape(n_texts, n_classes)


def presence_scores_without(
    fitted: TextWeights, cells: Occurrences, codes: Array, weights: Array
) -> Array:
    """The same for the Bernoulli model, where absent words count too.

        p(w | c) = (N_wc - 1 + lambda) / (N_c - 1 + 2 lambda)

    for the words w of the text, in its own class; for all other words N_wc stays as it is.
    """
    shape = len(codes), len(fitted.words)
    words, known = (
        sparse.csr_array((np.ones(len(row)), (row, word)), shape=shape)
        for row, word in (
            (cells.row, cells.word),
            (cells.row[cells.known], cells.word[cells.known]),
        )
    )

    def scores_without(weight: float, rows: Array) -> Array:
        present, absent = fitted.presence_logs(weight)
        # a word of the text is not absent; it counts as present if it is known
        return absent.sum(axis=0) + known[rows] @ present - words[rows] @ absent

    scores = scores_without(0.0, np.arange(len(codes)))
    for weight in np.unique(weights).tolist():
        rows = np.flatnonzero(weights == weight)
        scores[rows, codes[rows]] = scores_without(weight, rows)[np.arange(len(rows)), codes[rows]]
    return scores


def of_others(counts: Array) -> Array:
    """For each class the counts of all other classes together.

    >>> of_others(np.array([[1.0, 2.0, 4.0]]))
    array([[6., 5., 3.]])
    """
    return counts.sum(axis=1, keepdims=True) - counts


def row_sums(values: Array, row: Array, n_rows: int) -> Array:
    """The sum of the values that belong to each row: (n_rows, n_classes).

    >>> row_sums(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1, 1]), n_rows=2)
    array([[0., 0.],
           [4., 6.]])
    """
    sums = [np.bincount(row, column, minlength=n_rows) for column in values.T]
    return np.stack(sums, axis=1).astype(np.float64, copy=False)
