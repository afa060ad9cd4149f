"""Leave-one-out scores of learned texts: each is taken out of the counts first.

A word that only this text has is unknown without it, and so is one that falls below min_count.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from bayesic.data.blocks import part_blocks
from bayesic.data.matrices import cells_per_row, sparse_rows
from bayesic.estimation.text_weights import TextWeights, asks_presence, contrast, of_others
from bayesic.estimation.vocabulary import (
    UNIT,
    damped_counts,
    frequent_enough,
    inverse_document_frequency,
)
from bayesic.kernels import Array
from bayesic.kernels.leaving import left, left_at, log_shares, own_class


@dataclass(frozen=True, eq=False)
class _Occurrences:
    """The words of some texts that are in the vocabulary, one after the other.

    row, word  : (n,), the index of the text and of the word
    times      : (n,), how often the text has it, or 1 if the model uses only the presence
    damped     : (n,), d_w in units, see vocabulary.py
    remains    : (n,), whether the word is in the vocabulary without the text
    """

    row: Array
    word: Array
    times: Array
    damped: Array
    remains: Array


def scorer_without(
    fitted: TextWeights, counts: sparse.csr_array, indices: Array, codes: Array, weights: Array
) -> Callable[[slice], Array]:
    """A function from some of the texts to their scores: (n_rows, n_classes).

    counts  : (n_texts, n_words_of_texts), how often each text has each of some words
    indices : (n_words_of_texts,), of these words in the vocabulary, or -1
    """
    if fitted.model == "bernoulli":  # absent words too: all texts at once
        cells = _occurrences_of(counts, indices, fitted, weights)
        scores = _presence_scores_without(fitted, cells, codes, weights)
        return lambda rows: scores[rows]

    def scores_of(rows: slice) -> Array:
        cells = _occurrences_of(sparse_rows(counts, rows), indices, fitted, weights[rows])
        return _share_scores_without(fitted, cells, codes[rows], weights[rows])

    # every word of a text has its scores in all classes
    size = cells_per_row(counts) * len(fitted.n_texts)
    return lambda rows: np.vstack([*map(scores_of, part_blocks(rows, size))])


def _occurrences_of(
    counts: sparse.csr_array, indices: Array, fitted: TextWeights, weights: Array
) -> _Occurrences:
    """The words of texts, and which of them remain in the vocabulary without their text."""
    row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    word, times, damped = indices[counts.indices], counts.data, counts.data
    if fitted.weighting == "tf-idf":
        damped = damped_counts(counts).data
    is_known = word >= 0
    row, word, times, damped = (each[is_known] for each in (row, word, times, damped))
    presence = np.minimum(times, 1.0)
    counted = presence if fitted.weighting == "tf-idf" else times  # in total
    rest = left(fitted.total[word].astype(np.float64), counted * weights[row])
    remains = frequent_enough(rest, fitted.min_count)
    return _Occurrences(
        row, word, presence if asks_presence(fitted.model) else times, damped, remains
    )


def _share_scores_without(
    fitted: TextWeights, cells: _Occurrences, codes: Array, weights: Array
) -> Array:
    """Scores of the multinomial and complement models without the text: (n_texts, n_classes).

        p(w | c) = (n_wc - x_w + a_w) / (n_c - n + A),    a_w = lambda and A = lambda |V|, say

    In its own class a text takes away its x_w occurrences of w, n in all; in every class the words
    that are unknown without it are ignored.
    """
    n_texts, n_classes = len(codes), fitted.table.shape[1]
    rest_of = _tf_idf_without if fitted.weighting == "tf-idf" else _counts_without
    rest, total, times = rest_of(fitted, cells, codes, weights)
    gone = ~cells.remains
    vocabulary, n_levels = (
        np.maximum(len(fitted.words) - np.bincount(cells.row[lost], minlength=n_texts), 1)
        for lost in (gone, gone & fitted.rule.divides_among(cells.word))
    )
    pseudo, all_pseudo = fitted.rule.at(cells.word).pseudo_counts(
        rest.sum(axis=1), total.sum(axis=1)[cells.row], n_levels[cells.row]
    )

    def logs_of(counts: Array, totals: Array) -> Array:
        smoothed_total = totals[cells.row] + all_pseudo[:, None]
        return log_shares(counts + pseudo[:, None], smoothed_total, vocabulary[cells.row][:, None])

    logs = contrast(
        fitted.model,
        fitted.weighting,
        lambda: logs_of(rest, total),
        lambda: logs_of(of_others(rest), of_others(total)),
    )
    logs = np.where(cells.remains[:, None], logs * times[:, None], 0.0)
    return _row_sums(logs, cells.row, n_texts).reshape(n_texts, n_classes)


def _counts_without(
    fitted: TextWeights, cells: _Occurrences, codes: Array, weights: Array
) -> tuple[Array, Array, Array]:
    """The counts of each word and of all remaining words, without the text; and x_w.

    (n, n_classes), (n_texts, n_classes) and (n,)
    """
    n_texts = len(codes)
    removed = cells.times * weights[cells.row]
    rest = left_at(fitted.table[cells.word], own_class(codes[cells.row]), removed)
    of_text = np.bincount(cells.row, removed, minlength=n_texts)
    total = left_at(np.tile(fitted.n_words, (n_texts, 1)), own_class(codes), of_text)
    gone = ~cells.remains
    return rest, left(total, _row_sums(rest[gone], cells.row[gone], n_texts)), cells.times


def _tf_idf_without(
    fitted: TextWeights, cells: _Occurrences, codes: Array, weights: Array
) -> tuple[Array, Array, Array]:
    """The same for tf-idf. Without the text, N and the N_w of its words change, and so each idf:

        sum over w of idf_w D_wc  =  log N * sum over w of D_wc - sum over w of log N_w D_wc

    gives the sum over all words with the new N, in which those of the text are then replaced.
    """
    n_texts = len(codes)
    texts_with = fitted.texts_with[cells.word].astype(np.float64)
    n_left = left(np.full(n_texts, fitted.n_texts.sum(), dtype=np.float64), weights)
    before = fitted.table[cells.word]
    rest = left_at(before, own_class(codes[cells.row]), cells.damped * weights[cells.row])
    rest = np.where(cells.remains[:, None], rest, 0.0)
    with_word = left(texts_with, weights[cells.row])
    idf = inverse_document_frequency(n_left[cells.row], with_word)
    log_n = np.log(np.where(n_left > 0, n_left, 1.0))
    # with the new N, and N_w as it was before
    idf_before = log_n[cells.row] - np.log(texts_with)
    total = log_n[:, None] * fitted.n_words - fitted.log_texts_with
    changed = idf[:, None] * rest - idf_before[:, None] * before
    total = np.maximum(total + _row_sums(changed, cells.row, n_texts), 0.0)
    return idf[:, None] * rest * UNIT, total * UNIT, np.log1p(cells.times) * idf


def _presence_scores_without(
    fitted: TextWeights, cells: _Occurrences, codes: Array, weights: Array
) -> Array:
    """The same for the Bernoulli model, where absent words count too.

        p(w | c) = (N_wc - 1 + lambda) / (N_c - 1 + 2 lambda)

    for the words w of the text, in its own class; for all other words N_wc stays as it is.
    """
    shape = len(codes), len(fitted.words)
    words, remaining = (
        sparse.csr_array((np.ones(len(row)), (row, word)), shape=shape)
        for row, word in (
            (cells.row, cells.word),
            (cells.row[cells.remains], cells.word[cells.remains]),
        )
    )

    def scores_without(weight: float, rows: Array) -> Array:
        present, absent = fitted.presence_logs(weight)
        # a word of the text is not absent; it counts as present if it remains in the vocabulary
        return absent.sum(axis=0) + remaining[rows] @ present - words[rows] @ absent

    scores = scores_without(0.0, np.arange(len(codes)))
    for weight in np.unique(weights).tolist():
        rows = np.flatnonzero(weights == weight)
        scores[rows, codes[rows]] = scores_without(weight, rows)[np.arange(len(rows)), codes[rows]]
    return scores


def _row_sums(values: Array, row: Array, n_rows: int) -> Array:
    """The sum of the values that belong to each row: (n_rows, n_classes).

    >>> _row_sums(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1, 1]), n_rows=2)
    array([[0., 0.],
           [4., 6.]])
    """
    sums = [np.bincount(row, column, minlength=n_rows) for column in values.T]
    return np.stack(sums, axis=1).astype(np.float64, copy=False)
