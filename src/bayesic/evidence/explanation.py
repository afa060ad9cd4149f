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

        log P(answer | x) / P(rival | x) = prior_log_odds + sum of weights

    where the weight of a feature is log p(x_j | answer) / p(x_j | rival): above 0 it speaks for the
    answer, below 0 for the rival ([Good], weight of evidence). Natural logarithms.
    """

    answer: Any
    rival: Any
    prior_log_odds: float
    weights: dict[str, float]  # feature -> weight of evidence
    probability: dict[Any, float]  # class -> posterior probability

    @property
    def log_odds(self) -> float:
        """log P(answer | x) / P(rival | x)."""
        return self.prior_log_odds + sum(self.weights.values())

    def __str__(self) -> str:
        lines = [f"{self.answer} ({self.probability[self.answer]:.4f}) rather than {self.rival}"]
        strongest = sorted(self.weights.items(), key=lambda item: -abs(item[1]))
        parts = [("prior", self.prior_log_odds), *strongest]
        width = max(display_width(str(name)) for name, _ in [*parts, ("log odds", 0)])
        scale = max([abs(weight) for _, weight in parts if np.isfinite(weight)], default=0.0)
        for name, weight in parts:
            padding = " " * (width - display_width(str(name)))
            lines.append(f"  {name}{padding}  {weight:+9.4f}  {_bar(weight, scale)}".rstrip())
        padding = " " * (width - len("log odds"))
        lines.append(f"  log odds{padding}  {self.log_odds:+9.4f}")
        return "\n".join(lines)


def explain_scores(
    classes: Sequence[Any], features: Sequence[str], log_prior: Array, feature_scores: Array
) -> Explanation:
    """The explanation of a row from its log prior (n_classes,) and what each feature adds to the
    score of each class (n_features, n_classes).

    >>> of_words = np.log([[0.5, 0.125], [0.25, 0.5]])
    >>> print(explain_scores(["spam", "ham"], ["free", "lunch"], np.log([0.5, 0.5]), of_words))
    spam (0.6667) rather than ham
      prior       +0.0000
      free        +1.3863  ++++++++++++++++++++
      lunch       -0.6931  ----------
      log odds    +0.6931
    """
    scores = log_prior + feature_scores.sum(axis=0)
    if np.isneginf(scores).all():
        scores = log_prior
    order = np.argsort(-scores, kind="stable")
    best, rival = order[0], order[min(1, len(order) - 1)]
    probability = np.exp(scores - scores[best])
    probability /= probability.sum()
    weights = _difference(feature_scores[:, best], feature_scores[:, rival])
    return Explanation(
        answer=classes[best],
        rival=classes[rival],
        prior_log_odds=float(_difference(log_prior[best], log_prior[rival])),
        weights={str(name): float(weight) for name, weight in zip(features, weights, strict=True)},
        probability={label: float(p) for label, p in zip(classes, probability, strict=True)},
    )


def _difference(first: Array, second: Array) -> Array:
    """first - second, where two impossible events weigh the same."""
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
