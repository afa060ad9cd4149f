"""Weights of columns, learned by `fit` from rows left out: for models that are products of columns.

P(c | x)  ~  P(c)^w_0 * product over the observed columns j of p(x_j | .., c)^w_j
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from bayesic.data.arguments import check_one_of, is_number
from bayesic.data.tables import Table
from bayesic.estimation.prior import ClassPrior
from bayesic.estimation.term_weights import term_weights, weighted
from bayesic.evidence.work import Factor
from bayesic.kernels import Array
from bayesic.models.columns.schema import refuse_unknown_names
from bayesic.models.notes import Note
from bayesic.models.readers.known_columns import known_columns
from bayesic.models.readers.reader import CodedRows

# Weights are learned from at most this many rows, and so many terms of theirs: one for each column
# and class.
MOST_ROWS, MOST_TERMS = 1000, 20_000_000


class ProductOfColumns(Protocol):
    """A fitted object whose scores are the sum of terms of columns."""

    @property
    def weighed(self) -> list[str]:
        """The columns that have a weight."""

    def terms_without(self, rows: Table, some: Array, codes: Array, weights: Array) -> Array:
        """log P(c), and the term of each of these columns, each row as if it had not been learned.

        some : the numbers of the rows that are asked; codes and weights are theirs. The terms are
            without the weights of columns: (1 + n_columns, n_asked, n_classes).
        """


class Weighs(Protocol):
    """A model with the parameter `weights`, and what it learns by it."""

    classes_: Array
    statistics_: Any
    weights_: dict[str, float]
    prior_weight_: float

    @property
    def weights(self) -> str | None:
        """None or "learned"."""

    def _fit(self, statistics: Any, /) -> ProductOfColumns:
        """What follows from statistics."""


# what a model does that has the parameter weights ------------------------------------------------


def check_weights(told: object) -> None:
    """Refuse what is neither None nor "learned"."""
    if told is not None:
        check_one_of("weights", told, ("learned",))


def weights_of(model: Weighs) -> dict[str, Any]:
    """What a fitted object needs of them: the power of the prior, weights by column."""
    if model.weights is None or not hasattr(model, "weights_"):
        return {}
    return {"prior_power": model.prior_weight_, "weights": model.weights_}


def _learn(model: Weighs, rows: Iterable[CodedRows], is_all: bool) -> None:
    """For `fit`: learn weights_ and prior_weight_ from some of the rows."""
    if model.weights is None or not is_all:
        return
    fitted: ProductOfColumns = model._fit(model.statistics_)
    counts = model.statistics_.class_count
    n_rows = sum(len(some.codes) for some in rows) if counts.dtype.kind == "f" else counts.sum()
    n_terms = len(model.classes_) * (1 + len(fitted.weighed))
    most = max(1, min(MOST_ROWS, MOST_TERMS // n_terms))
    best = learned_weights(fitted, _drawn(int(n_rows), most, rows)).tolist()
    model.prior_weight_ = best[0]
    model.weights_ = dict(zip(fitted.weighed, best[1:], strict=True))


def _state(model: Weighs) -> dict[str, object]:
    """For `save`: the weights, if there are any."""
    if not hasattr(model, "weights_"):
        return {}
    return {"prior_weight": model.prior_weight_, "weights": model.weights_}


def _restore(model: Weighs, state: dict[str, Any]) -> None:
    """For `load`: set the weights; what cannot be weights is refused."""
    if not state:
        return
    if len(state) < 2 or not isinstance(state["weights"], dict):
        raise ValueError("The weights must be one of the prior, and one of each column.")
    prior, columns = state["prior_weight"], state["weights"]
    refuse_unknown_names(columns, known_columns(model).names, "weights")
    if not all(is_number(each) and 0 <= each < np.inf for each in (prior, *columns.values())):
        raise ValueError("Weights must be finite numbers of 0 or more.")
    model.prior_weight_, model.weights_ = prior, columns


# the note of a model with the parameter weights. It keeps weights_ and prior_weight_
COLUMN_WEIGHTS = Note(
    after=_learn, keys=frozenset({"prior_weight", "weights"}), state=_state, restore=_restore
)


def learned_weights(fitted: ProductOfColumns, drawn: Iterable[tuple[CodedRows, Array]]) -> Array:
    """The weights of the prior and of each column.

    drawn : blocks of learned rows, and the numbers of those that are asked

    A row of weight 2 is two rows: one is left out, the other stays.
    """
    parts = []
    for block, some in drawn:
        codes, each = block.codes[some], block.all_weights[some]
        terms = fitted.terms_without(block.X, some, codes, np.minimum(each, 1))
        parts.append((terms, codes[None], each[None]))
    joined = (np.concatenate(some, axis=1) for some in zip(*parts, strict=True))
    terms, [codes], [row_weights] = joined
    return term_weights(terms, codes, row_weights)


def _drawn(n_rows: int, most: int, rows: Iterable[CodedRows]) -> Iterator[tuple[CodedRows, Array]]:
    """Blocks, and which of their rows are drawn: so many at most, at random, always the same.

    Taking every k-th row would not do: tables may have a periodic order.
    """
    rng = np.random.default_rng(0)
    chosen = np.sort(rng.choice(n_rows, min(most, n_rows), replace=False))
    first = 0  # number of the first row of a block among all
    for block in rows:
        some = chosen[(chosen >= first) & (chosen < first + len(block.codes))] - first
        if len(some):
            yield block, some
        first += len(block.codes)


# what a fitted object does with them ----------------------------------------------------------


def with_power(prior: ClassPrior, weights: Mapping[str, float] | None, power: float) -> ClassPrior:
    """The prior, which goes into the scores with this power if there are weights."""
    return prior if weights is None else replace(prior, in_scores=partial(weighted, power))


def weight_of(weights: Mapping[str, float] | None, column: str) -> float:
    """The weight of a column: 1 where it has none."""
    return 1.0 if weights is None else weights.get(column, 1.0)


def factors_to_the(weight: float, factors: list[Factor]) -> list[Factor]:
    """Factors to a power: none of them for 0."""
    if weight == 1:
        return factors
    return [factor.to_the(weight) for factor in factors] if weight else []
