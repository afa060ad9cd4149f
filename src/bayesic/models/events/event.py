"""What every event model offers to naive Bayes."""

from typing import Any, Protocol

import numpy as np

from bayesic.data.columns import Cells
from bayesic.evidence.work import Factor
from bayesic.kernels import Array


class EventModel(Protocol):
    """The distribution of one column within each class. Cells not observed score 0 everywhere."""

    @property
    def kind(self) -> str:
        """The name under which a user asks for it: "gaussian", say."""

    def encode(self, cells: Cells) -> Any:
        """The cells as the other methods take them, whole or a slice of rows."""

    def scores(self, encoded: Any) -> Array:
        """log p(x | c) of each row and class: (n_rows, n_classes)."""

    def scores_without(self, encoded: Any, codes: Array, weights: Array) -> Array:
        """The same for learned rows, each as if it had not been learned.

        codes and weights give the class of each row, and the weight with which it was learned.
        """

    def factors(self, name: str, shown: str, encoded: Any) -> list[Factor]:
        """The factors of one observed row, for its worked calculation.

        name is that of the column, shown is the cell as a reader knows it.
        """

    def sample(self, codes: Array, rng: np.random.Generator) -> Array:
        """One value for each of these classes, drawn from its distribution."""


def scores_without(event: EventModel, encoded: Any, codes: Array, weights: Array) -> Array:
    """As event.scores_without, where rows of weight 0 were never learned and take nothing away."""
    learned = weights > 0
    if learned.all():
        return event.scores_without(encoded, codes, weights)
    scores = event.scores(encoded)
    scores[learned] = event.scores_without(encoded[learned], codes[learned], weights[learned])
    return scores


def density_factor(event: EventModel, name: str, shown: str, encoded: Array) -> list[Factor]:
    """The one factor of a column that has a density or probability with no exact number."""
    log_density = event.scores(encoded)[0]
    return [Factor(f"{name}={shown}", tuple(log_density.tolist()), density=True)]
