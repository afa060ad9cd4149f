"""Why a text gets its scores: what each of its words adds, and the exact shares behind it."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from bayesic.estimation.text_rows import CountedTexts
from bayesic.estimation.text_weights import TextWeights, asks_presence
from bayesic.evidence.explanation import Explanation, explain_scores
from bayesic.evidence.shares import class_shares, exact, value_text
from bayesic.evidence.work import Factor
from bayesic.kernels.without_row import times_log
from bayesic.models.events.shares import Shares

Array = np.ndarray

# how all words that are not in the text are named, where they count
ABSENT = "(absent words)"


def known_words(fitted: TextWeights, one: CountedTexts) -> tuple[Array, Array]:
    """The numbers of the known words of one text, and how often it has them, or 1 if that is
    not asked."""
    places, times = fitted.places(one.words), one.counts.toarray()[0]
    if asks_presence(fitted.model):
        times = np.minimum(times, 1.0)
    return places[places >= 0], times[places >= 0]


def reason_names(fitted: TextWeights, one: CountedTexts) -> list[str]:
    """The known words of one text; at the end all absent words together, if they count."""
    names = [fitted.words[word] for word in known_words(fitted, one)[0].tolist()]
    return [*names, ABSENT] if fitted.model == "bernoulli" else names


def reason_scores(fitted: TextWeights, one: CountedTexts) -> Array:
    """What each of these adds to the score of each class: (n_reasons, n_classes)."""
    known, times = known_words(fitted, one)
    if fitted.model != "bernoulli":
        return times_log(fitted.times(times)[:, None], fitted.of_words[known])
    present, absent = fitted.presence_logs()
    others = absent.sum(axis=0) - absent[known].sum(axis=0)
    return np.vstack([present[known], others])


def reason_values(fitted: TextWeights, one: CountedTexts) -> list[str | None]:
    """How often each of these occurs in the text, or how many words are absent."""
    shown = [value_text(n) for n in known_words(fitted, one)[1].tolist()]
    if fitted.model == "bernoulli":
        shown.append(str(len(fitted.words) - len(shown)))
    return shown


def explained_text(
    fitted: TextWeights,
    classes: Sequence[Any],
    log_prior: Array,
    one: CountedTexts,
    log_posterior: Array,
    compared: tuple[int | None, int | None],
) -> Explanation:
    """The explanation of one text; compared as `classes_to_compare` gives it."""
    asked, rival = compared
    names, scores = reason_names(fitted, one), reason_scores(fitted, one)
    values = reason_values(fitted, one)
    explanation = explain_scores(
        classes, names, log_prior, scores, log_posterior, rival, values, asked
    )
    return replace(explanation, counted=True)


def text_factors(fitted: TextWeights, one: CountedTexts) -> list[Factor]:
    """P(w | c) of each known word of one text; of the absent ones too, if they count."""
    if fitted.model == "complement" or fitted.weighting is not None:
        told = f"weighting={fitted.weighting!r}" if fitted.weighting else "The complement model"
        raise TypeError(
            f"{told} has no product of probabilities to work out: scores are weights of the "
            "words. Use explain to see what each word adds."
        )
    known, times = known_words(fitted, one)
    if fitted.model == "bernoulli":
        return _presence_factors(fitted, set(known.tolist()), exact(fitted.smoothing))
    shares = Shares(fitted.table, len(fitted.words), fitted.rule)
    return [
        Factor(fitted.words[word], shares.shares_of(word), power=int(n))
        for word, n in zip(known.tolist(), times.tolist(), strict=True)
    ]


def _presence_factors(fitted: TextWeights, present: set[int], smoothing: Fraction) -> list[Factor]:
    factors = []
    for number, word in enumerate(fitted.words):
        there = number in present
        count = fitted.table[number] if there else fitted.n_texts - fitted.table[number]
        shares = class_shares(count, fitted.n_texts, smoothing, 2 * smoothing, 2)
        factors.append(Factor(f"{word}={int(there)}", shares))
    return factors
