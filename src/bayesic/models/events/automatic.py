"""What is left to choose is chosen by how well the column alone tells the class, leave-one-out."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np

from bayesic.data.blocks import row_blocks
from bayesic.data.columns import Numbers
from bayesic.estimation.smoothing import Lambda, Smoothing
from bayesic.kernels import Array
from bayesic.kernels.leaving import left_at, own_class
from bayesic.kernels.splitmix import mixed
from bayesic.models.events.densities import gaussian, kernel
from bayesic.models.events.event import EventModel
from bayesic.models.events.shares import Shares, binned, whole_numbers
from bayesic.statistics.number_counts import NumberCounts

_SomeShares = TypeVar("_SomeShares", bound=Shares)

# the lambdas that "auto" tries: 1/256 to 128
LAMBDAS = tuple(2.0**power for power in range(-8, 8))

# of whole numbers that may name categories: how many there are, and rows for each on average
_FEW_VALUES, _ROWS_OF_A_VALUE = 12, 2
_SMALL_TABLE = 30  # rows, in which they do

# Scores of one row in one class that a candidate is judged by. 64 classes of a column whose table
# is full have four times as many: 16 million.
MOST_SCORES = 2**22

# Cells of a table by whose values a kernel density is tried: it needs four such tables of its own.
MOST_CELLS_OF_KERNEL = 2**22


def automatic_smoothing(event: _SomeShares) -> _SomeShares:
    """The event model with the lambda of the best leave-one-out log score."""
    levels = np.arange(len(event.table))
    candidates = [replace(event, rule=Lambda(amount)) for amount in LAMBDAS]
    # of a text the levels are its words, each of them a row
    scores = [
        leave_one_out_score(partial(Shares.scores_without, candidate), levels, event.table)
        for candidate in candidates
    ]
    return _best_of(candidates, scores)


def automatic_number_event(
    counts: NumberCounts, rule: Smoothing, variance: str = "smoothed"
) -> EventModel:
    """Gaussian, kernel, binned or categorical, by the best leave-one-out log score.

    Bins were put where they separate the classes best, using all rows. What it takes to
    write their cut points down, log(N - 1) each, is taken off their score.

    Only few whole numbers can be categories. In a small table they always are (see
    `name_categories`), and without smoothing, as in a textbook: there a value that one row alone
    has is impossible without that row, so that no score of rows left out could speak for them.

    A kernel density is not tried where the table of values by class has more than
    MOST_CELLS_OF_KERNEL cells: with so many classes each has few rows.
    """
    is_few = _are_few_whole_numbers(counts)
    if name_categories(counts) or (is_few and rule.amount == 0):
        return whole_numbers(counts, rule)
    in_bins = binned(counts, rule)
    candidates: list[EventModel] = [gaussian(counts, variance), in_bins]
    if counts.table.size <= MOST_CELLS_OF_KERNEL:
        candidates.insert(1, kernel(counts, rule.amount))
    if is_few:
        candidates.append(whole_numbers(counts, rule))
    values = Numbers(counts.values)
    scores = [
        leave_one_out_score(event.scores_without, event.encode(values), counts.table)
        for event in candidates
    ]
    n_rows = float(counts.n_observed.sum())
    scores[candidates.index(in_bins)] -= len(in_bins.cuts) * np.log(max(n_rows - 1, 1.0))
    return _best_of(candidates, scores)


def _are_few_whole_numbers(counts: NumberCounts) -> bool:
    """Whether a numeric column may be one of categories.

    It has two to _FEW_VALUES different values, all of them whole, and _ROWS_OF_A_VALUE rows or more
    for each on average.

    >>> from bayesic.statistics.number_counts import number_counts
    >>> sizes, codes = np.array([1.0, 2.0, 3.0] * 3), np.zeros(9, np.intp)
    >>> _are_few_whole_numbers(number_counts(sizes, codes, 1))
    True
    >>> _are_few_whole_numbers(number_counts(sizes + 0.5, codes, 1))
    False
    """
    values = counts.values
    return (
        2 <= len(values) <= _FEW_VALUES
        and bool((values == np.floor(values)).all())
        and float(counts.table.sum()) >= _ROWS_OF_A_VALUE * len(values)
    )


def name_categories(counts: NumberCounts) -> bool:
    """Whether few whole numbers name categories, whatever the smoothing: in a small table they do.

    So few rows do not pay for a cut: bins would have none, and their column would say nothing.

    >>> from bayesic.statistics.number_counts import number_counts
    >>> sizes, codes = np.array([1.0, 2.0, 3.0] * 10), np.zeros(30, np.intp)
    >>> name_categories(number_counts(sizes, codes, 1))
    True
    >>> name_categories(number_counts(np.append(sizes, 1.0), np.zeros(31, np.intp), 1))
    False
    """
    return _are_few_whole_numbers(counts) and float(counts.table.sum()) <= _SMALL_TABLE


Candidate = TypeVar("Candidate")


def _best_of(candidates: Sequence[Candidate], scores: Sequence[float]) -> Candidate:
    """The one with the highest score, the first of several."""
    return candidates[int(np.argmax(scores))]


def leave_one_out_score(
    scores_without: Callable[[Array, Array, Array], Array], encoded: Array, table: Array
) -> float:
    """The leave-one-out log score of an event model on the table that it was made of.

    scores_without : as the event model has it
    encoded        : (n_levels,) the levels or values of the table; table : (n_levels, n_classes)

    Of many rows in many classes some are scored, and stand for all: see `_judged_cells`.
    """
    level, codes = np.nonzero(table)
    count = table[level, codes]
    n_all, judged = count.sum(), _judged_cells(len(level), table.shape[1])
    level, codes, count = level[judged], codes[judged], count[judged]
    share = 1.0 if isinstance(judged, slice) else float(count.sum() / n_all)
    one = np.minimum(count, 1.0)  # a row weighs 1; a sum of weights below that is one row
    n_rows = table.sum(axis=0)

    def score_of(part: slice) -> float:
        log_likelihood = scores_without(encoded[level[part]], codes[part], one[part])
        return class_log_score(log_likelihood, codes[part], count[part], n_rows)

    return sum(map(score_of, row_blocks(len(level), cells_per_row=table.shape[1]))) / share


def _judged_cells(n_cells: int, n_classes: int) -> Array | slice:
    """Which cells of a table are scored: all, or as many as MOST_SCORES allows.

    Those look drawn at random, and follow from the number of cells and classes alone: the same
    counts give the same choice, however they were learned.

    >>> _judged_cells(100, 2), len(_judged_cells(10_000, 5_000))
    (slice(None, None, None), 838)
    """
    most = max(MOST_SCORES // n_classes, 1)
    if n_cells <= most:
        return slice(None)
    return np.sort(np.argsort(mixed(np.arange(n_cells, dtype=np.uint64)))[:most])


def class_log_score(log_likelihood: Array, codes: Array, count: Array, n_rows: Array) -> float:
    """Sum over rows of log P(class of the row | its value), the row itself left out.

        P(c | x) ~ (N_c + 1) / (N + K) * p(x | c)

    Rows that are alike are given once, with their number:

    log_likelihood : (n, n_classes), log p(x | c) without the row
    codes, count   : the class of such rows, and how many there are
    n_rows         : (n_classes,), rows of each class in all

    >>> sure = np.log([[0.9, 0.1], [0.1, 0.9]])
    >>> score = class_log_score(sure, np.array([0, 1]), np.array([3, 3]), np.array([3, 3]))
    >>> round(score, 4), round(6 * np.log(0.9 * 3 / (0.9 * 3 + 0.1 * 4)), 4)
    (-0.8289, np.float64(-0.8289))
    """
    own = own_class(codes)
    rest = left_at(np.tile(n_rows, (len(codes), 1)), own, np.minimum(count, 1))
    log_prior = np.log(rest + 1)
    scores = log_prior + log_likelihood
    impossible = np.isneginf(scores).all(axis=1)
    scores[impossible] = log_prior[impossible]  # what no class can explain says nothing
    log_posterior = scores[own] - np.logaddexp.reduce(scores, axis=1)
    return float((count * log_posterior).sum())
