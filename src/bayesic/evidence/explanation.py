"""The reasons for one answer: what each feature adds to the log odds of a class."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from bayesic.data.languages import said
from bayesic.data.typing import Label
from bayesic.evidence.bars import as_html, as_rich, as_text, probability_text
from bayesic.kernels import Array

if TYPE_CHECKING:
    from rich.console import RenderableType


@dataclass(frozen=True)
class Explanation:
    """Why one row is taken for `answer` rather than for the class `against`, or for the rest.

        log_odds = log P(answer | x) / P(against | x) = prior_log_odds + sum of weights

    The weight of a feature is log p(x_j | answer) / p(x_j | against): above 0 it speaks for the
    answer, below 0 for the other side ([Good], weight of evidence). Natural logarithms. Against
    the rest (`against` is None: three classes or more), p(x_j | rest) is that of the other classes
    as likely as the features before j have left them; see `_weights_against`.

    A row that is impossible on both sides has no weights: its log odds are those of the prior, and
    `ruled_out` tells which features make which class impossible.
    """

    answer: Label
    against: Label | None  # a class, None for the rest
    prior_log_odds: float
    weights: dict[str, float]  # feature -> weight of evidence
    log_odds: float
    probability: dict[Label, float]  # class -> posterior probability
    values: dict[str, str] = field(default_factory=dict)  # feature -> its value, where observed
    ruled_out: dict[object, tuple[str, ...]] = field(default_factory=dict)  # class -> features
    top: int | None = None  # how many features to show; the others are added up
    counted: bool = False  # whether values tell how often a feature occurs, as of words in a text
    votes: dict[str, float] = field(default_factory=dict)  # member of an average -> P(answer)

    def __str__(self) -> str:
        return as_text(self)

    def __rich__(self) -> "RenderableType":
        return as_rich(self)

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_html(self, with_headline: bool = True) -> str:
        """A table of HTML with bars, as notebooks show it."""
        return as_html(self, with_headline)

    @property
    def is_impossible(self) -> bool:
        """Whether the row is impossible on both sides."""
        return all(label in self.ruled_out for label in self.sides())

    def sides(self) -> list[object]:
        """The classes that are compared, the answer first."""
        others = self.probability if self.against is None else [self.against]
        return list(dict.fromkeys([self.answer, *others]))

    def headline(self) -> str:
        """The answer, its probability, and what it is compared with."""
        answer = {
            "answer": self.answer,
            "probability": probability_text(self.probability[self.answer]),
        }
        if self.against is None:
            text = said("{answer} ({probability}) against the rest", **answer)
        else:
            comparing = "{answer} ({probability}) rather than {other}"
            text = said(comparing, other=self.against, **answer)
        predicted = max(self.probability, key=lambda label: self.probability[label])
        if self.probability[predicted] == self.probability[self.answer]:
            return text
        naming = "{headline}; predicted: {predicted}"
        return said(naming, headline=text, predicted=predicted)

    def strongest_first(self) -> list[tuple[str, float]]:
        """Features and weights, the strongest evidence first."""
        return sorted(self.weights.items(), key=lambda item: -abs(item[1]))

    def shown_and_others(
        self, most: int | None = None
    ) -> tuple[list[tuple[str, float]], dict[str, float]]:
        """The features to show, the strongest first, and all others.

        most : how many to show; without it `top` of them, or all
        """
        features = self.strongest_first()
        most = self.top if most is None else most
        most = len(features) if most is None else most
        return features[:most], dict(features[most:])

    def to_dict(self) -> dict[str, object]:
        """Strings, numbers, lists and dicts only, for JSON.

        JSON has no infinity: an infinite weight becomes the text "inf" or "-inf", which float()
        reads. Classes are text where they are keys. With `top`, weights and values are those of
        the strongest features, and "others" tells how many are left out and what they add.
        """
        _, others = self.shown_and_others()
        weights = {name: weight for name, weight in self.weights.items() if name not in others}
        return {
            "answer": self.answer,
            "against": self.against,
            "prior_log_odds": json_number(self.prior_log_odds),
            "weights": {name: json_number(weight) for name, weight in weights.items()},
            "others": {
                "number": len(others),
                "weight": json_number(math.fsum(others.values())),
            },
            "log_odds": json_number(self.log_odds),
            "probability": {str(label): share for label, share in self.probability.items()},
            "values": {k: value for k, value in self.values.items() if k not in others},
            "impossible": self.is_impossible,
            "ruled_out": {str(label): [*names] for label, names in self.ruled_out.items()},
            **({"votes": self.votes} if self.votes else {}),
        }


def json_number(number: float) -> float | str:
    """A number as JSON can hold it: infinities as text."""
    return number if math.isfinite(number) else str(number)


def _class_number(
    classes: Sequence[object], name: object, argument: str, left_out: str
) -> int | None:
    """The number of a class that was named in this argument, None for None; others are refused.

    left_out : what happens without it
    """
    if name is None:
        return None
    plain = name.item() if isinstance(name, np.generic) else name
    if not isinstance(plain, (str, int, float)) or plain not in classes:
        raise ValueError(
            f"{argument} must be one of the classes {list(classes)}, got {name!r}. "
            f"Leave it out {left_out}."
        )
    return classes.index(plain)


def classes_to_compare(
    classes: Sequence[object], answer: object, against: object
) -> tuple[int | None, int | None]:
    """The numbers of the classes that were named, None where none was.

    >>> classes_to_compare(["ham", "news", "spam"], None, "news")
    (None, 1)
    """
    asked = _class_number(classes, answer, "answer", "for the class that is predicted")
    rival = _class_number(classes, against, "against", "to compare with the rest")
    if asked is not None and asked == rival and len(classes) > 1:
        raise ValueError(
            f"answer and against must be two classes, got {answer!r} for both. Leave out against "
            "to compare with the rest."
        )
    return asked, rival


def explain_scores(
    classes: Sequence[object],
    features: Sequence[str],
    log_prior: Array,
    feature_scores: Array,
    log_posterior: Array,
    against: int | None = None,
    values: Sequence[str | None] | None = None,
    answer: int | None = None,
    counted: bool = False,
) -> Explanation:
    """The explanation of one row, against the class of this number or against the rest.

    log_prior      : (n_classes,)
    feature_scores : (n_features, n_classes), what each feature adds to the score of each class
    log_posterior  : (n_classes,), what comes out
    values         : the text of each feature's value, None where it is missing
    answer         : the number of the class to explain; without it the most probable one
    counted        : whether values tell how often a feature occurs

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
    names = [*map(str, features)]
    first = int(log_posterior.argmax()) if answer is None else answer
    others = _classes_compared(len(classes), first, against)
    joint = log_prior + feature_scores.sum(axis=0)
    prior_log_odds = _log_odds_against(log_prior, first, others)
    weights: dict[str, float] = {}
    if joint[first] > -np.inf or joint[others].max() > -np.inf:
        added = _weights_against(log_prior, feature_scores, first, others)
        weights = dict(zip(names, added.tolist(), strict=True))
    return Explanation(
        answer=classes[first],
        against=classes[others[0]] if len(others) == 1 else None,
        prior_log_odds=prior_log_odds,
        weights=weights,
        log_odds=math.fsum([prior_log_odds, *weights.values()]),
        probability=dict(zip(classes, np.exp(log_posterior).tolist(), strict=True)),
        values={
            name: value
            for name, value in zip(names, values or [], strict=False)
            if value is not None
        },
        ruled_out={
            classes[number]: _ruling_out(names, log_prior[number], feature_scores[:, number])
            for number in np.flatnonzero(np.isneginf(joint)).tolist()
        },
        counted=counted,
    )


def _ruling_out(names: Sequence[str], log_prior: float, scores: Array) -> tuple[str, ...]:
    """What makes a class impossible: the prior, or the features of probability 0.

    >>> _ruling_out(["sky", "wind"], np.log(0.5), np.array([-np.inf, -0.5]))
    ('sky',)
    """
    prior = ("prior",) if log_prior == -np.inf else ()
    return (*prior, *(names[number] for number in np.flatnonzero(np.isneginf(scores)).tolist()))


def _classes_compared(n_classes: int, answer: int, against: int | None) -> Array:
    """The numbers of the classes on the other side; where there is one class only, itself."""
    if against is not None and against != answer:
        return np.array([against])
    others = np.delete(np.arange(n_classes), answer)
    return others if len(others) else np.array([answer])


# weights of evidence ---------------------------------------------------------------------------


def _log_odds_against(log_prior: Array, answer: int, others: Array) -> float:
    """log P(answer) / P(others), in logs; others are the numbers of the classes compared with.

    >>> _log_odds_against(np.log([0.5, 0.25, 0.25]), answer=0, others=np.array([1, 2]))
    0.0
    """
    return float(difference(log_prior[answer], _log_sum(log_prior[others])))


def _weights_against(log_prior: Array, feature_scores: Array, answer: int, others: Array) -> Array:
    """The weight of evidence of each feature for one class against one or several others.

        weight_j = log p(x_j | answer) - log p(x_j | others, x_1 .. x_j-1)
        p(x_j | others, x_1 .. x_j-1) = sum over k of q_k p(x_j | k)
        q_k ~ P(k) p(x_1 | k) .. p(x_j-1 | k)

    So a weight is the change of the log odds when feature j comes in after those before it, and
    with the log odds of the prior they add up to those of the posterior ([Good]). Against one
    class it is the log likelihood ratio, in any order. A feature that makes all others impossible
    weighs +inf, and is left out of q.

    log_prior      : (n_classes,)
    feature_scores : (n_features, n_classes), what each feature adds to the score of each class

    >>> words = np.log([[0.5, 0.25, 0.25], [0.2, 0.1, 0.4]])
    >>> np.exp(_weights_against(np.log([0.4, 0.3, 0.3]), words, 0, np.array([1, 2])))
    array([2. , 0.8])
    """
    if len(others) == 1:
        return difference(feature_scores[:, answer], feature_scores[:, others[0]])
    log_q, total = log_prior[others], _log_sum(log_prior[others])
    log_q = log_q - total if total > -np.inf else np.full(len(others), -np.log(len(others)))
    of_others = np.zeros(len(feature_scores))
    # most words do not occur in a text: what adds nothing to any class weighs nothing
    for feature in np.flatnonzero(feature_scores[:, others].any(axis=1)):
        scores = feature_scores[feature, others]
        of_others[feature] = _log_sum(log_q + scores)
        if np.isfinite(of_others[feature]):
            log_q = log_q + scores - of_others[feature]
    return difference(feature_scores[:, answer], of_others)


def steps_between(scores: Array) -> Array:
    """What each step adds to scores that change one step at a time, so that all add up to the last.

    scores : (n_steps + 1, ...), -inf where a class is impossible

    A class that ends as impossible becomes so once, and stays so. One that is impossible on the way
    only, as where models are averaged, keeps its score until it is possible again.

    >>> steps_between(np.array([0.0, -1.0, -np.inf, -3.0])).tolist()
    [-1.0, 0.0, -2.0]
    >>> steps_between(np.array([0.0, -1.0, -np.inf, -3.0, -np.inf])).tolist()
    [-1.0, -inf, 0.0, 0.0]
    """
    ends_possible = scores[-1] > -np.inf
    steps, before = np.zeros(scores[1:].shape), scores[0]
    for number, given in enumerate(scores[1:]):
        stays = np.where(ends_possible, given == -np.inf, before == -np.inf)
        after = np.where(stays, before, given)
        steps[number] = difference(after, before)
        before = after
    return steps


def difference(first: Array, second: Array | float) -> Array:
    """first - second, where two events that are impossible (or certain) weigh the same."""
    with np.errstate(invalid="ignore"):
        return np.where(first == second, 0.0, first - second)


def _log_sum(logs: Array) -> float:
    """log of the sum of exp(logs); infinities are allowed.

    >>> _log_sum(np.log([0.25, 0.5]))
    -0.2876820724517809
    """
    largest = float(logs.max())
    if not np.isfinite(largest):
        return largest
    return largest + float(np.log(np.exp(logs - largest).sum()))
