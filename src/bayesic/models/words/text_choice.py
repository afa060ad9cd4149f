"""Which parameters of a TextClassifier suit its texts, by what each says of texts left out.

Every candidate is judged on texts that it has not learned, by its log loss with the probabilities
tempered at their best (estimation/tempering.py). The least is chosen, with its tempering.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from bayesic.data.drawn_texts import drawn_texts
from bayesic.data.tokens import told_tokenizer
from bayesic.data.typing import Label
from bayesic.estimation.tempering import Tempering, best_tempering
from bayesic.estimation.text_weights import TEXT_MODELS
from bayesic.evidence.text_table import text_table
from bayesic.files.model_files import checked_arrays
from bayesic.kernels import Array
from bayesic.models.readers.reader import CodedRows
from bayesic.models.summaries.description import settings_text
from bayesic.models.words.text_candidates import (
    OPEN,
    Parameters,
    are_short,
    first_parameters,
    models_of_words,
    open_parameters,
    ways_to_cut,
    with_fewer_words,
)
from bayesic.models.words.text_judging import FOLDS, AskedTexts, asked_texts, counted_way
from bayesic.progress import bar_of

MOST_TEXTS = 1000  # that are left out
DOUBT = 2.0  # standard errors by which fewer words must be better
MOST_SHOWN = 10  # candidates in the table


class TextScore(NamedTuple):
    """How good one candidate is at texts that it has not learned."""

    parameters: Parameters
    log_loss: float  # mean over these texts, of tempered probabilities
    accuracy: float  # share of these texts whose most probable class is right
    n_texts: int
    judged_by: str  # leave-one-out, or folds


@dataclass(frozen=True, eq=False)
class TextChoice:
    """The parameters that were chosen, how probabilities are tempered, and all candidates.

    print shows the candidates as a table, the best first. A model file does not keep them.
    """

    parameters: Parameters
    classes: Array  # that were known then
    tempering: Tempering  # of these classes
    scores: tuple[TextScore, ...] = ()

    def tempering_of(self, classes: Array) -> Tempering:
        """The tempering of these classes; those that came later have no bias.

        >>> tempering = Tempering(0.5, 1.0, bias=np.array([0.1, -0.1]))
        >>> choice = TextChoice({}, np.array(["ham", "spam"]), tempering)
        >>> choice.tempering_of(np.array(["ham", "news", "spam"])).bias
        array([ 0.1,  0. , -0.1])
        """
        known = dict(zip(self.classes.tolist(), self.tempering.bias.tolist(), strict=True))
        bias = np.array([known.get(label, 0.0) for label in classes.tolist()])
        return replace(self.tempering, bias=bias)

    def state(self, classes: Array) -> dict[str, object]:
        """For files: the choice of a model with these classes."""
        found = self.tempering_of(classes)
        powers = {"words": found.words, "prior": found.prior}
        return {"parameters": self.parameters, **powers, "bias": found.bias.tolist()}

    def __str__(self) -> str:
        lines = [parameters_text(self.parameters)]
        if self.scores:
            header = ("candidate", "log loss", "accuracy", "texts", "judged by")
            rows = [
                (
                    parameters_text(score.parameters),
                    *(f"{score.log_loss:.4f}", f"{score.accuracy:.1%}"),
                    *(score.n_texts, score.judged_by),
                )
                for score in self.scores[:MOST_SHOWN]
            ]
            lines += text_table(header, rows)
        more = len(self.scores) - MOST_SHOWN
        return "\n".join([*lines, *([f"  and {more} more"] if more > 0 else [])])


def parameters_text(parameters: Mapping[str, object]) -> str:
    """Parameters as they are written, but for those that are the default.

    >>> parameters_text({"model": "complement", "ngrams": (1, 2), "smoothing": 1.0})
    "TextClassifier(model='complement', ngrams=(1, 2))"
    """
    told = {name: value for name, value in parameters.items() if value != OPEN[name]}
    return f"TextClassifier({settings_text(told)})"


# the choice -------------------------------------------------------------------------------------


class _Judged(NamedTuple):
    """A candidate with its best tempering, and -log P(own class) of each text."""

    score: TextScore
    tempering: Tempering
    losses: Array
    weights: Array

    def is_clearly_better(self, other: "_Judged") -> bool:
        """Whether the mean of its losses is less by more than DOUBT standard errors."""
        gain, share = other.losses - self.losses, self.weights / self.weights.sum()
        mean = float(share @ gain)
        return mean > DOUBT * float(np.sqrt((share * (gain - mean)) @ (share * (gain - mean))))


def choose(rows: Iterable[CodedRows], given: Mapping[str, Any]) -> TextChoice:
    """The candidate of the least log loss, of equal ones the first.

    Fewer words are taken only where that is clearly better.

    rows : CountedTexts with their classes, in blocks that can be gone through several times
    given : all parameters of the model
    """
    drawn = drawn_texts(map(_labelled, rows), MOST_TEXTS)
    ways = ways_to_cut(drawn.texts, given) if drawn.texts else []
    judged: list[_Judged] = []
    classes = np.zeros(0)
    with bar_of("choosing", len(ways)) as advance:
        for cut in ways:
            way = counted_way(rows, told_tokenizer(given["language"], **cut))
            classes = way.classes
            judged += _all_judged(asked_texts(drawn, way), {**given, **cut})
            advance()
    if not judged:  # every text is the only one of its class
        first = open_parameters(first_parameters(given), given)
        return TextChoice(first, classes, Tempering(1.0, 1.0, np.zeros(len(classes))))
    judged.sort(key=_log_loss)
    best = _best(judged, given["max_words"])
    scores = (best.score, *(other.score for other in judged if other is not best))
    chosen = open_parameters(best.score.parameters, given)
    return TextChoice(chosen, classes, best.tempering, scores)


def _labelled(rows: CodedRows) -> tuple[Sequence[str | None], list[Label], Array]:
    assert rows.classes is not None
    return rows.X.strings(), rows.classes[rows.codes].tolist(), rows.all_weights


def _log_loss(judged: _Judged) -> float:
    return judged.score.log_loss


def _best(judged: Sequence[_Judged], max_words: int | None) -> _Judged:
    """The first of those that are sorted by their log loss, if it has the words that were given; or
    one of fewer words that is clearly better."""
    simple = next(each for each in judged if each.score.parameters["max_words"] == max_words)
    fewer = (each for each in judged if each.score.parameters["max_words"] != max_words)
    return next((each for each in fewer if each.is_clearly_better(simple)), simple)


def _all_judged(asked: AskedTexts, given: Parameters) -> list[_Judged]:
    """All candidates that cut texts in this way, which given tells."""
    if not len(asked.codes):
        return []
    short = are_short(asked.texts.strings())
    candidates = models_of_words(given, len(asked.way.classes), short)
    if given["max_words"] is not None:
        return _judged_in_folds(asked, candidates)
    judged = [
        _tempered(asked, told, opinions, "leave-one-out")
        for told, opinions in zip(candidates, asked.opinions_without(candidates), strict=True)
    ]
    best = candidates[int(np.argmin([*map(_log_loss, judged)]))]
    return judged + _judged_in_folds(asked, with_fewer_words(best, asked.way.n_words))


def _judged_in_folds(asked: AskedTexts, candidates: Sequence[Parameters]) -> list[_Judged]:
    return [
        _tempered(asked, told, opinions, f"{FOLDS} folds")
        for told, opinions in zip(candidates, asked.opinions_in_folds(candidates), strict=True)
    ]


def _tempered(asked: AskedTexts, told: Parameters, opinions: Array, judged_by: str) -> _Judged:
    """How good opinions, (2, n_texts, n_classes), are with their best tempering."""
    weights = asked.weights
    tempering, log_proba = best_tempering(opinions, asked.codes, weights)
    losses = -log_proba[np.arange(len(weights)), asked.codes]
    right = log_proba.argmax(axis=1) == asked.codes
    score = TextScore(
        {name: told[name] for name in OPEN},
        float(np.average(losses, weights=weights)),
        float(np.average(right, weights=weights)),
        len(weights),
        judged_by,
    )
    return _Judged(score, tempering, losses, weights)


# files ------------------------------------------------------------------------------------------


def restored_choice(state: object, classes: Array) -> TextChoice:
    """What `TextChoice.state` gave, of a model with these classes; refuse anything else."""
    if not isinstance(state, dict) or set(state) != {"parameters", "words", "prior", "bias"}:
        raise ValueError(f"it tells of no choice of parameters: {state!r:.200}.")
    parameters, powers = state["parameters"], (state["words"], state["prior"])
    known = isinstance(parameters, dict) and {"model"} <= set(parameters) <= set(OPEN)
    if not known or parameters["model"] not in TEXT_MODELS:
        raise ValueError(f"its parameters are not those of a TextClassifier: {parameters!r:.200}.")
    if not all(type(power) is float and 0 < power < np.inf for power in powers):
        raise ValueError(f"its probabilities cannot be taken to the powers {powers!r:.200}.")
    bias = np.array(state["bias"])
    checked_arrays({"bias": bias}, {"bias": (len(classes),)})
    return TextChoice(parameters, classes, Tempering(*powers, bias))
