"""The reasons for one answer, as weights of evidence that add up to the log odds."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesic.evidence.bars import as_html, as_rich, as_text
from bayesic.evidence.weights import log_odds_against, weights_against

if TYPE_CHECKING:
    from rich.console import RenderableType

Array = np.ndarray


@dataclass(frozen=True)
class Explanation:
    """Why one row is taken for `answer` rather than for the class `against`, or for the rest.

        log_odds = log P(answer | x) / P(against | x) = prior_log_odds + sum of weights

    The weight of a feature is log p(x_j | answer) / p(x_j | against): above 0 it speaks for the
    answer, below 0 for the other side ([Good], weight of evidence). Natural logarithms. Against
    the rest (`against` is None: three classes or more), p(x_j | rest) is that of the other classes
    as likely as the features before j have left them; see `weights_against`. For a row that is
    impossible on both sides the log odds are those of the prior.
    """

    answer: Any
    against: Any  # a class, None for the rest
    prior_log_odds: float
    weights: dict[str, float]  # feature -> weight of evidence
    log_odds: float
    probability: dict[Any, float]  # class -> posterior probability
    values: dict[str, str] = field(default_factory=dict)  # feature -> its value, where observed

    def __str__(self) -> str:
        return as_text(self)

    def __rich__(self) -> "RenderableType":
        return as_rich(self)

    def _repr_html_(self) -> str:
        return as_html(self)

    def headline(self) -> str:
        """The answer, its probability, and what it is compared with."""
        other_side = "against the rest" if self.against is None else f"rather than {self.against}"
        return f"{self.answer} ({self.probability[self.answer]:.4f}) {other_side}"

    def strongest_first(self) -> list[tuple[str, float]]:
        """Features and weights, the strongest evidence first."""
        return sorted(self.weights.items(), key=lambda item: -abs(item[1]))

    def to_dict(self) -> dict[str, Any]:
        """Strings, numbers and dicts only, for JSON.

        JSON has no infinity: an infinite weight becomes the text "inf" or "-inf", which float()
        reads. Classes are text where they are keys.
        """
        return {
            "answer": self.answer,
            "against": self.against,
            "prior_log_odds": json_number(self.prior_log_odds),
            "weights": {name: json_number(weight) for name, weight in self.weights.items()},
            "log_odds": json_number(self.log_odds),
            "probability": {str(label): share for label, share in self.probability.items()},
            "values": dict(self.values),
        }


def json_number(number: float) -> float | str:
    """A number as JSON can hold it: infinities as text."""
    return number if math.isfinite(number) else str(number)


def class_to_compare(classes: Sequence[Any], against: Any) -> int | None:
    """The number of the class `against`, None for None; a name that is no class is refused."""
    if against is None:
        return None
    name = against.item() if isinstance(against, np.generic) else against
    if not isinstance(name, (str, int, float)) or name not in classes:
        raise ValueError(
            f"against must be one of the classes {list(classes)}, got {against!r}. "
            "Leave it out to compare with the rest."
        )
    return classes.index(name)


def explain_scores(
    classes: Sequence[Any],
    features: Sequence[str],
    log_prior: Array,
    feature_scores: Array,
    log_posterior: Array,
    against: int | None = None,
    values: Sequence[str | None] | None = None,
) -> Explanation:
    """The explanation of one row, against the class of this number or against the rest.

    log_prior      : (n_classes,)
    feature_scores : (n_features, n_classes), what each feature adds to the score of each class
    log_posterior  : (n_classes,), what comes out
    values         : the text of each feature's value, None where it was not observed

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
    answer = int(log_posterior.argmax())
    others = classes_compared(len(classes), answer, against)
    prior_log_odds = log_odds_against(log_prior, answer, others)
    weights = weights_against(log_prior, feature_scores, answer, others)
    log_odds = log_odds_against(log_posterior, answer, others)
    if np.isfinite(feature_scores).all() and np.isfinite(log_prior).all():
        # the same number, without the rounding of scores that are large and nearly equal
        log_odds = math.fsum([prior_log_odds, *weights.tolist()])
    shown = zip(features, values or [], strict=False)
    return Explanation(
        answer=classes[answer],
        against=classes[others[0]] if len(others) == 1 else None,
        prior_log_odds=prior_log_odds,
        weights=dict(zip(map(str, features), weights.tolist(), strict=True)),
        log_odds=log_odds,
        probability=dict(zip(classes, np.exp(log_posterior).tolist(), strict=True)),
        values={str(name): value for name, value in shown if value is not None},
    )


def classes_compared(n_classes: int, answer: int, against: int | None) -> Array:
    """The numbers of the classes on the other side; where there is one class only, itself."""
    if against is not None and against != answer:
        return np.array([against])
    others = np.delete(np.arange(n_classes), answer)
    return others if len(others) else np.array([answer])
