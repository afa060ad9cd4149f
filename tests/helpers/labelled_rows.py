"""Small labelled rows, and the five array estimators that can all learn them."""

from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import bayesic as by

FIVE = (by.BernoulliNB, by.CategoricalNB, by.ComplementNB, by.GaussianNB, by.MultinomialNB)
WORDS = ("ham", "news", "spam")


def fresh(Model: type) -> Any:
    """A new model whose answers do not depend on the last digit.

    The default var_smoothing makes scores of -1e10 and more where a class has but one value.
    """
    return Model(var_smoothing=1e-3) if Model is by.GaussianNB else Model()


class Rows(NamedTuple):
    """Rows that all five estimators can learn: small whole numbers, labels, perhaps weights."""

    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray | None = None

    def where(self, chosen: Any) -> "Rows":
        weights = None if self.weights is None else self.weights[chosen]
        return Rows(self.X[chosen], self.y[chosen], weights)

    @property
    def codes(self) -> np.ndarray:
        """The number of each label among WORDS."""
        return np.searchsorted(WORDS, self.y)


@st.composite
def labelled_rows(
    draw: st.DrawFn,
    min_rows: int = 1,
    max_rows: int = 8,
    max_features: int = 3,
    n_features: int | None = None,
    missing: bool = False,
    weights: st.SearchStrategy[float] | None = None,
) -> Rows:
    """Rows of counts from 0 to 4, some of them NaN if missing, with labels from WORDS."""
    n_rows = draw(st.integers(min_rows, max_rows))
    if n_features is None:
        n_features = draw(st.integers(1, max_features))
    X = draw(hnp.arrays(np.int64, (n_rows, n_features), elements=st.integers(0, 4)))
    if missing:
        X = np.where(draw(hnp.arrays(bool, X.shape)), np.nan, X.astype(np.float64))
    y = np.array(draw(st.lists(st.sampled_from(WORDS), min_size=n_rows, max_size=n_rows)))
    if weights is None:
        return Rows(X, y)
    drawn = draw(st.lists(weights, min_size=n_rows, max_size=n_rows))
    return Rows(X, y, np.array(drawn, dtype=np.float64))


# Sums and differences of quarters are exact in floating point.
quarters = st.integers(1, 12).map(lambda number: number / 4)
quarters_or_zero = st.integers(0, 12).map(lambda number: number / 4)
