"""Rows in the order of the probability of one class."""

from collections.abc import Hashable
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from bayesic.data.snapshots import held_still
from bayesic.decisions.names import as_names
from bayesic.decisions.posterior import checked_posterior, refuse_without_probabilities
from bayesic.html import MOST_ROWS, html_table, left_out

Array = np.ndarray


class Ranking(NamedTuple):
    """Rows by the probability of a class, highest first."""

    # rows have an index here; the method of that name of plain tuples is not missed
    index: Array  # type: ignore[assignment]  # (n,)  numbers of the rows
    probability: Array  # (n,)  P(target | row) of each of them

    def _repr_html_(self) -> str:
        pairs = zip(self.index[:MOST_ROWS].tolist(), self.probability[:MOST_ROWS], strict=True)
        rows = [(place, row, f"{share:.4g}") for place, (row, share) in enumerate(pairs, start=1)]
        notes = left_out(len(self.index), "rows")
        return html_table(("place", "row", "probability"), rows, align="rrr", notes=notes)


def rank(model: Any, X: Any, target: Any, n: int | None = None) -> Ranking:
    """The rows of X from the highest P(target | x) to the lowest, or the first n of them.

    Rows of equal probability stay in their order. A reader who looks at the first tenth only finds
    more of what is wanted there: this is how NewsWeeder puts articles in order,
    [Mitchell] section 6.10.

    model : any fitted classifier with predict_proba
    target : the class that is looked for
    n : how many rows to return; all of them if left out or if there are fewer

    >>> from bayesic import BernoulliNB
    >>> articles = [[1, 0], [1, 1], [0, 1], [0, 0]]  # does it mention rain? does it mention goals?
    >>> reader = BernoulliNB().fit(articles, ["dull", "liked", "liked", "dull"])
    >>> rank(reader, articles, "liked", n=2).index
    array([1, 2])
    """
    refuse_without_probabilities(model)
    model = held_still(model)
    if n is not None and (not isinstance(n, Integral) or n < 1):
        raise ValueError(f"n must be a whole number of 1 or more, got {n!r}. Leave it out for all.")
    probability = checked_posterior(model.predict_proba(X))
    classes = list(as_names(model.classes_, "classes"))
    if not isinstance(target, Hashable) or target not in classes:
        raise ValueError(f"target must be one of the classes {classes}, got {target!r:.80}.")
    of_target = probability[:, classes.index(target)]
    index = np.argsort(-of_target, stable=True)[:n]
    return Ranking(index, of_target[index])
