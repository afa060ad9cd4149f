"""Weights of columns, learned by `fit` from rows left out: for models that are products of columns.

P(c | x)  ~  P(c)^w_0 * product over the observed columns j of p(x_j | .., c)^w_j
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from bayesic.data.arguments import check_one_of, is_number
from bayesic.data.snapshots import answering
from bayesic.data.tables import Table
from bayesic.estimation.prior import ClassPrior
from bayesic.estimation.term_weights import term_weights, weighted
from bayesic.evidence.work import Factor
from bayesic.kernels import Array
from bayesic.models.readers.known_columns import known_columns
from bayesic.models.readers.reader import CodedRows
from bayesic.models.schema import refuse_unknown_names

# Weights are learned from at most so many rows, and so many terms of theirs: one for each column
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


class WeighsColumns:
    """A model with the parameter weights: None, or "learned"."""

    weights: str | None
    weights_: dict[str, float]  # of each column, if they were learned
    prior_weight_: float
    classes_: Array

    def _check_parameters(self) -> None:
        super()._check_parameters()  # type: ignore[misc]  # of CountingModel, as all below
        if self.weights is not None:
            check_one_of("weights", self.weights, ("learned",))

    def _weights(self) -> dict[str, Any]:
        """What a fitted object is told of them: the power of the prior, weights by column."""
        if self.weights is None or not hasattr(self, "weights_"):
            return {}
        return {"prior_power": self.prior_weight_, "weights": self.weights_}

    def _after_counting(self, rows: Iterable[CodedRows], is_all: bool) -> None:
        """With weights="learned", for `fit`: learn them from some of the rows."""
        super()._after_counting(rows, is_all)  # type: ignore[misc]
        if self.weights is None or not is_all:
            return
        statistics: Any = self.statistics_  # type: ignore[attr-defined]
        fitted: ProductOfColumns = self._fit(statistics)  # type: ignore[attr-defined]
        counts = statistics.class_count
        n_rows = sum(len(some.codes) for some in rows) if counts.dtype.kind == "f" else counts.sum()
        n_terms = len(self.classes_) * (1 + len(fitted.weighed))
        most = max(1, min(MOST_ROWS, MOST_TERMS // n_terms))
        best = learned_weights(fitted, _drawn(int(n_rows), most, rows)).tolist()
        self.prior_weight_ = best[0]
        self.weights_ = dict(zip(fitted.weighed, best[1:], strict=True))

    def _extra_state(self) -> dict[str, Any]:
        state = super()._extra_state()  # type: ignore[misc]
        if not hasattr(self, "weights_"):
            return state
        return {**state, "prior_weight": self.prior_weight_, "weights": self.weights_}

    def _restore_extra_state(self, state: dict[str, Any]) -> None:
        rest = {name: part for name, part in state.items() if name in ("prior_weight", "weights")}
        others = {name: part for name, part in state.items() if name not in rest}
        super()._restore_extra_state(others)  # type: ignore[misc]
        if not rest:
            return
        if len(rest) < 2 or not isinstance(rest["weights"], dict):
            raise ValueError("The weights must be one of the prior, and one of each column.")
        prior, columns = rest["prior_weight"], rest["weights"]
        refuse_unknown_names(columns, known_columns(self).names, "weights")
        if not all(is_number(each) and 0 <= each < np.inf for each in (prior, *columns.values())):
            raise ValueError("Weights must be finite numbers of 0 or more.")
        self.prior_weight_, self.weights_ = prior, columns

    @answering
    def log_density(self, X: Any) -> Array:
        """log p(x) of each row, summed over the classes: low for rows unlike all that was learned.

        For columns that are not observed it is the density of the others.
        """
        if self.weights is not None:  # they tell classes apart, and are no part of p(x)
            self.weights = None
        return super().log_density(X)  # type: ignore[misc]


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

    Every so many rows would not do: tables may be in an order that comes back.
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
