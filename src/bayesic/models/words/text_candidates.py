"""What TextClassifier(model="auto") tries: ways to cut texts, and models of their words.

A candidate is a dict of parameters. What the user tells otherwise than by default is held in all.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from bayesic.data.tokens import told_tokenizer
from bayesic.models.words.weighed_words import TextOptions, checked_options

Parameters = dict[str, Any]

# the parameters that are chosen, and the defaults that leave them open
CUTS: Parameters = {"ngrams": (1, 1), "analyzer": "word", "tokenizer": None}
MODELS: Parameters = {"model": "auto", "weighting": None, "smoothing": 1.0, "max_words": None}
OPEN = {"model": "auto"} | CUTS | MODELS

# the parameters that are about models and words, in the order of checked_options
OPTIONS = ("model", "weighting", "min_count", "drop_top", "stop_words", "smoothing", "max_words")
PLAIN = {str, int, float, type(None)}  # types of values that nobody can change in place

# model and weighting, the simple ones first; for two classes the last two are among the others
RULES = (
    ("multinomial", None),
    ("binary-multinomial", None),
    ("bernoulli", None),
    ("complement", "tf-idf"),
    ("complement", None),
    ("binary-multinomial", "log-count-ratio"),
)
OF_TWO_CLASSES = 4  # of these rules

AMOUNTS = (1.0, 0.2, 0.05, 3.0)  # of smoothing: the usual one, less, and more
NUMBERS_OF_WORDS = (1000, 3000, 10000)  # tried on the best candidate of single words

# characters of a text on average: in longer texts words say enough without runs of characters, and
# absent words, which the Bernoulli model asks, too much
SHORT = 200
_PIECES = re.compile(r"\S+")
_LETTER = re.compile(r"\w")


def told_parameters(given: Mapping[str, object], chosen: Mapping[str, object]) -> Parameters:
    """The parameters that hold: what was chosen, but for what the user tells.

    >>> told_parameters({"model": "auto", "smoothing": 0.5}, {"model": "bernoulli"})
    {'model': 'bernoulli', 'smoothing': 0.5}
    """
    still = {name: value for name, value in chosen.items() if _is_open(name, given)}
    return dict(given) | still


def _is_open(name: str, given: Mapping[str, object]) -> bool:
    value = given[name]
    return not isinstance(value, np.ndarray) and bool(value == OPEN[name])


def open_parameters(parameters: Mapping[str, object], given: Mapping[str, object]) -> Parameters:
    """Those that the user has left open.

    >>> open_parameters({"model": "bernoulli", "smoothing": 0.5}, OPEN | {"smoothing": 0.5})
    {'model': 'bernoulli'}
    """
    return {name: parameters[name] for name in OPEN if name in parameters and _is_open(name, given)}


def first_parameters(given: Mapping[str, object]) -> Parameters:
    """What holds before anything is chosen: the defaults, but for what the user tells."""
    return told_parameters(given, {"model": RULES[0][0]})


# ways to cut ----------------------------------------------------------------------------------


def ways_to_cut(texts: Sequence[str | None], given: Mapping[str, object]) -> list[Parameters]:
    """The parameters that say how texts are cut, as far as it is worth to try, each way once.

    >>> given = OPEN | {"language": "auto"}
    >>> len(ways_to_cut(["free lunch"], given)), len(ways_to_cut(["free lunch , today"], given))
    (4, 5)
    """
    ways: list[Parameters] = [{}, {"ngrams": (1, 2)}]
    if _are_cut_already(texts):
        ways.append({"ngrams": (1, 2), "tokenizer": "whitespace"})
    if are_short(texts):
        ways += [{"analyzer": "char", "ngrams": (1, longest)} for longest in (2, 4)]
    of_user = {name: given[name] for name in CUTS}
    told = [told_parameters(of_user, CUTS | way) for way in ways]
    by_tokenizer = {told_tokenizer(given["language"], **way): way for way in reversed(told)}
    return [*reversed(by_tokenizer.values())]


def are_short(texts: Sequence[str | None]) -> bool:
    """Whether texts have at most SHORT characters on average.

    >>> are_short(["free lunch", None]), are_short(["rain " * 100])
    (True, False)
    """
    return sum(len(text or "") for text in texts) <= SHORT * len(texts)


def _are_cut_already(texts: Sequence[str | None]) -> bool:
    """Whether punctuation stands alone rather than at the end of words.

    >>> _are_cut_already(["free , today"]), _are_cut_already(["Free, today!"])
    (True, False)
    """
    alone = glued = 0
    for text in texts:
        for piece in _PIECES.findall(text or ""):
            has_letter = _LETTER.search(piece) is not None
            alone += not has_letter
            glued += has_letter and _LETTER.match(piece[-1]) is None
    return alone > glued


# models of the words --------------------------------------------------------------------------


def models_of_words(given: Mapping[str, object], n_classes: int, short: bool) -> list[Parameters]:
    """All parameters of the candidates, which weigh the words of each class in different ways.

    >>> from bayesic import TextClassifier
    >>> given = TextClassifier("auto", smoothing=0.5).get_params()
    >>> len(models_of_words(given, n_classes=2, short=True))
    4
    """
    rules = RULES if n_classes > 2 else RULES[:OF_TWO_CLASSES]
    tried = (
        {"model": model, "weighting": weighting, "smoothing": amount, "max_words": None}
        for model, weighting in rules
        if short or model != "bernoulli"
        for amount in AMOUNTS
    )
    unique: list[Parameters] = []
    for parameters in tried:
        told = told_parameters(given, parameters)
        if told not in unique and _goes_together(told):
            unique.append(told)
    return unique


def _goes_together(told: Parameters) -> bool:
    try:
        options_of(told)
    except ValueError:
        return False
    return True


def options_of(told: Mapping[str, Any]) -> TextOptions:
    """The options of a TextClassifier with these parameters, refused if they make no sense."""
    given = [told[name] for name in OPTIONS]
    if all(type(value) in PLAIN for value in given):  # asked several times for each text
        return _known_options(*given)
    return checked_options(*given)


@lru_cache(maxsize=64, typed=True)  # True is not 1 here
def _known_options(*given: Any) -> TextOptions:
    return checked_options(*given)


def with_fewer_words(best: Parameters, n_words: int) -> list[Parameters]:
    """The same candidate with the words that say most, where it has more and they are single.

    >>> [fewer["max_words"] for fewer in with_fewer_words(OPEN, n_words=5000)]
    [1000, 3000]
    """
    if tuple(best["ngrams"]) != (1, 1):
        return []
    return [best | {"max_words": number} for number in NUMBERS_OF_WORDS if number < n_words]
