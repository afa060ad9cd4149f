"""Learning curves: how the error of several models falls as the sample grows."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator

from bayesic.contract.constructor import clone
from bayesic.data.arguments import check_one_of, check_whole_number
from bayesic.data.labels import checked_labels
from bayesic.data.languages import said
from bayesic.data.matrices import as_matrix
from bayesic.data.typing import Classifier, LabelsLike, Size, TableLike
from bayesic.kernels import Array
from bayesic.plots._canvas import (
    axes_for,
    class_handles,
    colour,
    finished,
    legend_beside,
    marker,
    name_axes,
    open_frame,
)

MEASURES = ("error", "log loss")
TEST_SHARE, MOST_TEST_ROWS = 1 / 3, 2000
SMALLEST_PROBABILITY = 1e-15  # a class that is called impossible would weigh infinitely
APART = 1.4  # factor between sizes that have room for their numbers on the axis
FIRST_SIZE = 10  # the next ones are twice as large, and so on


def learning_curves(
    models: Mapping[str, Classifier],
    X: TableLike,
    y: LabelsLike,
    *,
    measure: Literal["error", "log loss"] = "error",
    sizes: Sequence[int] | None = None,
    n_splits: int = 10,
    random_state: int = 0,
    ax: Axes | None = None,
    size: Size | None = None,
) -> Figure:
    """Mean error, or log loss, on rows that were not learned, by the number of rows learned.

    Generative models such as naive Bayes and LDA get near their best with fewer rows, logistic
    regression is no worse in the long run ([NgJordan]). The band is the mean plus and minus its
    standard error.

    models : name -> classifier, which is not changed
    X : a matrix of numbers
    y : the classes
    measure : "error", the share of wrong answers, or "log loss"
    sizes : numbers of rows to learn; if left out 10, 20, 40, ... up to all but the test rows,
        starting with at least two per class
    n_splits : how many times a third of the rows (at most 2000) is set aside at random for testing
    random_state : of these splits

    >>> import bayesic as by
    >>> degrees = [[float(number)] for number in range(30)]
    >>> seasons = ["winter"] * 15 + ["summer"] * 15
    >>> twins = {"naive Bayes": by.GaussianNB(), "logistic": by.LogisticRegression()}
    >>> figure = by.plots.learning_curves(twins, degrees, seasons, sizes=[8, 16], n_splits=2)
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['naive Bayes', 'logistic']
    """
    if not isinstance(models, Mapping) or not models:
        raise TypeError(
            "models must be a dict of name and classifier, such as {'naive': GaussianNB()}, got "
            f"{models!r:.80}."
        )
    check_one_of("measure", measure, MEASURES)
    check_whole_number("n_splits", n_splits, least=1)
    matrix, labels = as_matrix(X), checked_labels(y)
    if matrix.shape[0] != len(labels):
        raise ValueError(
            f"X has {matrix.shape[0]} rows, y has {len(labels)} labels: give one label for each "
            "row."
        )
    numbers = _checked_sizes(sizes, labels)
    ax = axes_for(ax, size, (6.4, 4.0))
    for number, model in enumerate(models.values()):
        scores = learning_scores(model, matrix, labels, measure, numbers, n_splits, random_state)
        _draw_curve(ax, numbers, scores, number)
    ax.set_xscale("log")
    ax.xaxis.set_major_locator(FixedLocator(_far_apart(numbers)))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter("{x:.0f}")
    ax.set_ylim(bottom=0)
    open_frame(ax)
    name_axes(ax, said("rows learned"), said(measure))
    legend_beside(ax, class_handles(list(models), line="-"))
    return finished(ax)


def _draw_curve(ax: Axes, sizes: Sequence[int], scores: Array, number: int) -> None:
    """The mean of scores (n_splits, n_sizes), in a band of its standard error."""
    mean, n_splits = scores.mean(axis=0), len(scores)
    error = scores.std(axis=0, ddof=1) / np.sqrt(n_splits) if n_splits > 1 else 0.0 * mean
    ax.fill_between(sizes, mean - error, mean + error, color=colour(number), alpha=0.18, lw=0)
    ax.plot(sizes, mean, color=colour(number), marker=marker(number), markersize=5)


def _checked_sizes(sizes: Sequence[int] | None, y: Array) -> list[int]:
    """The numbers of rows to learn: at least one of each class, at most all but the test rows.

    >>> _checked_sizes(None, np.array(["ham", "spam"] * 45))
    [10, 20, 40, 60]
    """
    fewest, most = len(np.unique(y)), len(y) - _n_test_rows(len(y))
    if fewest < 2:
        raise ValueError(f"y must have at least two classes, got {fewest}.")
    if sizes is None:
        doubled = [FIRST_SIZE * 2**power for power in range(40)]
        return [*(number for number in doubled if 2 * fewest <= number < most / APART), most]
    if not isinstance(sizes, (list, tuple, range, np.ndarray)) or np.ndim(sizes) != 1:
        raise TypeError(f"sizes must be a list of numbers of rows, got {sizes!r:.80}.")
    for number in sizes:
        check_whole_number("Each of sizes", number, 1)
    numbers = sorted(set(sizes))
    if not numbers or numbers[0] < fewest or numbers[-1] > most:
        raise ValueError(
            f"sizes must be from {fewest}, one row of each class, to {most}, all rows but those "
            f"for testing, got {list(sizes)}."
        )
    return numbers


def _far_apart(sizes: Sequence[int]) -> list[int]:
    """The sizes that have room for their numbers on the axis.

    >>> _far_apart([10, 11, 20])
    [10, 20]
    """
    shown = [sizes[0]]
    for number in sizes[1:]:
        if number >= APART * shown[-1]:
            shown.append(number)
    return shown


def _n_test_rows(n_rows: int) -> int:
    """How many rows are set aside for testing."""
    return min(MOST_TEST_ROWS, int(n_rows * TEST_SHARE))


def learning_scores(
    model: Classifier,
    X: Array,
    y: Array,
    measure: str,
    sizes: Sequence[int],
    n_splits: int,
    random_state: int,
) -> Array:
    """The error or log loss of a model for each split and size: (n_splits, n_sizes)."""
    n_test = _n_test_rows(len(y))
    scores = np.empty((n_splits, len(sizes)))
    for split in range(n_splits):
        order = np.random.default_rng([random_state, split]).permutation(len(y))
        test, pool = order[:n_test], order[n_test:]
        pool = pool[_one_of_each_class_first(y[pool])]
        for index, n_rows in enumerate(sizes):
            learned = pool[:n_rows]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # classes of one row are part of the experiment
                fitted = clone(model).fit(X[learned], y[learned])
                posterior = np.asarray(fitted.predict_proba(X[test]))
            scores[split, index] = _loss(posterior, y[test], fitted.classes_, measure)
    return scores


def _one_of_each_class_first(y: Array) -> Array:
    """The rows in an order that begins with one of every class.

    >>> _one_of_each_class_first(np.array(["sun", "sun", "rain"]))
    array([0, 2, 1])
    """
    first = np.unique(y, return_index=True)[1]
    return np.concatenate([np.sort(first), np.setdiff1d(np.arange(len(y)), first)])


def _loss(posterior: Array, y: Array, classes: Array, measure: str) -> float:
    """The share of wrong answers, or the mean of -log P(true class), no P less than 1e-15."""
    own = y[:, None] == np.asarray(classes)
    if measure == "error":
        answers = np.eye(len(own[0]), dtype=bool)[posterior.argmax(axis=1)]
        return float(1 - (own & answers).any(axis=1).mean())
    truth = np.where(own, posterior, 0.0).sum(axis=1)
    return float(-np.log(np.maximum(truth, SMALLEST_PROBABILITY)).mean())
