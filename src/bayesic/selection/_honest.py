"""What a model says about learned rows, as if it had never seen them.

- leave-one-out, where nothing was chosen by the rows: the row is taken out of the counts
- out-of-bag, for forests: by the trees that were not grown from the row, as smooth as is best for
  other such rows
- folds, for all others: by a model that has learned, and chosen, without the row and some others
"""

from collections.abc import Callable
from functools import cache
from math import ceil
from typing import NamedTuple

import numpy as np

from bayesic.data.blocks import in_threads
from bayesic.kernels import Array
from bayesic.kernels.blas import one_blas_thread
from bayesic.models.classifier import CountingClassifier
from bayesic.models.fitted import LEAVE_ONE_OUT, OUT_OF_BAG
from bayesic.models.posterior import log_posterior
from bayesic.models.readers.reader import CodedRows

Judge = Callable[[slice], Array]  # of the rows to judge, by index -> log P(c | x): (n, n_classes)
Learn = Callable[[int, CodedRows], CountingClassifier]  # the number of a fold, and all other rows

N_FOLDS = 5  # if all rows are judged; each fold leaves out at most so large a part of them


class FoldRows(NamedTuple):
    """Rows to ask about by their numbers, fold by fold, and the fold of each."""

    rows: Array
    fold: Array


def asked_in_folds(rows: Array, codes: Array) -> FoldRows:
    """These rows in so many folds that each leaves out a fifth of all rows at most.

    The classes are spread evenly over the folds, so that of two rows of a class one is learned.

    rows  : their numbers, in an order that does not depend on the class
    codes : the classes of all rows

    >>> asked_in_folds(np.array([1, 2, 3, 0]), np.array([0, 1, 0, 1, 0, 0]))
    FoldRows(rows=array([2, 0, 1, 3]), fold=array([0, 1, 2, 3]))
    """
    n_folds = max(2, ceil(N_FOLDS * len(rows) / max(len(codes), 1)))
    fold = np.empty(len(rows), np.intp)
    fold[np.argsort(codes[rows], kind="stable")] = np.arange(len(rows)) % n_folds
    order = np.argsort(fold, kind="stable")
    return FoldRows(rows[order], fold[order])


def judge_of(
    model: CountingClassifier, rows: CodedRows, fold_rows: FoldRows, learn: Learn
) -> Judge:
    """A function that gives the model's answers for these of its rows, as if it had not seen them.

    rows  : all that it has learned
    learn : the same model, if it had learned other rows; called for the first row of a fold
    """
    judged = model._fitted.judged_by
    if judged == LEAVE_ONE_OUT:
        return _judge_without(model, rows.at(fold_rows.rows))
    if judged == OUT_OF_BAG:
        said = model._out_of_bag(rows, *fold_rows)  # a forest has it
        return lambda places: said[places]

    @cache
    def judge_of_fold(number: int) -> Judge:
        mine = fold_rows.rows[fold_rows.fold == number]
        others = np.setdiff1d(np.arange(len(rows.codes)), mine)
        return _judge_new(learn(number, rows.alone(others)), rows.at(mine))

    return _judge_fold_by_fold(fold_rows.fold, judge_of_fold)


def _judge_new(model: CountingClassifier, rows: CodedRows) -> Judge:
    """Of rows that the model does not know."""
    return lambda places: model._answers(
        rows.at(np.arange(places.start, places.stop)).X, log_posterior
    )


def _judge_without(model: CountingClassifier, rows: CodedRows) -> Judge:
    """Of rows that it has learned."""
    fitted = model._fitted
    with model.at_work():
        score = fitted.joint_scorer_without(rows.X, rows.codes, rows.all_weights)

    def said_of(places: slice) -> Array:
        here, start = rows.at(np.arange(places.start, places.stop)), places.start
        blocks = [slice(start + block.start, start + block.stop) for block in fitted.blocks(here.X)]
        with one_blas_thread():
            said = in_threads(lambda block: log_posterior(score(block)[0]).T, blocks)
        return np.concatenate([*said])

    return said_of


def _judge_fold_by_fold(fold: Array, judge_of_fold: Callable[[int], Judge]) -> Judge:
    """Each row is judged by the judge of its fold; folds stand one after the other."""

    def said_of(places: slice) -> Array:
        said = []
        for number in np.unique(fold[places]).tolist():
            start, stop = np.searchsorted(fold, [number, number + 1]).tolist()
            here = slice(max(places.start, start) - start, min(places.stop, stop) - start)
            said.append(judge_of_fold(number)(here))
        return np.concatenate(said)

    return said_of
