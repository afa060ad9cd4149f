"""The reasons for one answer, as weights of evidence that add up to the log odds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import east_asian_width

import numpy as np

Array = np.ndarray

BAR_WIDTH = 20


@dataclass(frozen=True)
class Explanation:
    """Why one row is taken for `answer` rather than for `rival`, the next best class.

        log_odds = log P(answer | x) / P(rival | x) = prior_log_odds + sum of weights

    where the weight of a feature is log p(x_j | answer) / p(x_j | rival): above 0 it speaks for the
    answer, below 0 for the rival ([Good], weight of evidence). Natural logarithms. For a row that
    is impossible in both classes the log odds are those of the prior.
    """

    answer: Any
    rival: Any
    prior_log_odds: float
    weights: dict[str, float]  # feature -> weight of evidence
    log_odds: float
    probability: dict[Any, float]  # class -> posterior probability

    def __str__(self) -> str:
        lines = [f"{self.answer} ({self.probability[self.answer]:.4f}) rather than {self.rival}"]
        strongest = sorted(self.weights.items(), key=lambda item: -abs(item[1]))
        parts = [("prior", self.prior_log_odds), *strongest]
        names = max(display_width(name) for name, _ in [*parts, ("log odds", 0.0)])
        numbers = max(len(f"{weight:+.4f}") for _, weight in [*parts, ("", self.log_odds)])
        scale = max([abs(weight) for _, weight in parts if np.isfinite(weight)], default=0.0)
        for name, weight in parts:
            padded = name + " " * (names - display_width(name))
            lines.append(f"  {padded}  {weight:+{numbers}.4f}  {_bar(weight, scale)}".rstrip())
        lines.append(f"  {'log odds':<{names}}  {self.log_odds:+{numbers}.4f}")
        return "\n".join(lines)


def explain_scores(
    classes: Sequence[Any],
    features: Sequence[str],
    log_prior: Array,
    feature_scores: Array,
    log_posterior: Array,
) -> Explanation:
    """The explanation of one row.

    log_prior      : (n_classes,)
    feature_scores : (n_features, n_classes), what each feature adds to the score of each class
    log_posterior  : (n_classes,), what comes out

    >>> words = np.log([[0.5, 0.125], [0.25, 0.5]])
    >>> print(explain_scores(
    ...     ["spam", "ham"], ["free", "lunch"], np.log([0.5, 0.5]), words, np.log([2 / 3, 1 / 3])
    ... ))
    spam (0.6667) rather than ham
      prior     +0.0000
      free      +1.3863  ++++++++++++++++++++
      lunch     -0.6931  ----------
      log odds  +0.6931
    """
    order = np.argsort(-log_posterior, kind="stable")
    best, rival = order[0], order[min(1, len(order) - 1)]
    weights = _difference(feature_scores[:, best], feature_scores[:, rival])
    return Explanation(
        answer=classes[best],
        rival=classes[rival],
        prior_log_odds=float(_difference(log_prior[best], log_prior[rival])),
        weights={str(name): float(weight) for name, weight in zip(features, weights, strict=True)},
        log_odds=float(_difference(log_posterior[best], log_posterior[rival])),
        probability=dict(zip(classes, np.exp(log_posterior).tolist(), strict=True)),
    )


def _difference(first: Array, second: Array) -> Array:
    """first - second, where two events that are impossible (or certain) weigh the same."""
    with np.errstate(invalid="ignore"):
        return np.where(first == second, 0.0, first - second)


def _bar(weight: float, scale: float) -> str:
    length = BAR_WIDTH if np.isinf(weight) else round(BAR_WIDTH * abs(weight) / (scale or 1.0))
    return ("+" if weight > 0 else "-") * length


def display_width(text: str) -> int:
    """Columns that a text takes in a terminal: Chinese characters take two.

    >>> display_width("湿度")
    4
    """
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)
