"""Small questions that together need every compiled kernel: `bayesic warm-up`.

Numba compiles a kernel for the types of its first arguments, and keeps it on disk. So each question
is asked as a user asks it, of a table so small that it takes no time by itself.
"""

import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import product
from typing import Any

import numpy as np
from scipy import sparse

import bayesic as by
from bayesic.data.counted_texts import CountedTexts
from bayesic.data.tokens import Tokenizer
from bayesic.data.typing import QueryMethod
from bayesic.progress import bar_of

ROWS = 60
LABELS = [("ham", "news", "spam")[row % 3] for row in range(ROWS)]
NUMBERS = np.random.default_rng(0).normal(size=(ROWS, 3))
WHOLE = np.random.default_rng(1).integers(0, 4, (ROWS, 3))
WEIGHTS = np.where(np.arange(ROWS) % 2, 0.5, 2.0)
WEATHER = {
    "sky": ["sunny", "rain", "snow", "rain"] * 15,
    "wind": ["weak", "strong", "weak"] * 20,
    "wet": ["no", "yes", "yes", "yes"] * 15,
    "play": ["yes", "no", "no", "no", "yes"] * 12,
}
EDGES = [("sky", "wet"), ("wind", "play"), ("wet", "play")]
RAIN = {"sky": "rain"}
TEXTS = ["Free money, 今天下雨", "lunch today", "free lunch, 明天天气好"] * 20

SAMPLERS: tuple[QueryMethod, ...] = ("forward", "likelihood-weighting", "gibbs")
TEXT_OPTIONS: tuple[dict[str, Any], ...] = (
    {"language": "en"},
    {},
    {"ngrams": (1, 2)},
    {"analyzer": "char", "ngrams": (1, 2)},
)


def questions() -> dict[str, Callable[[], Any]]:
    """What is asked, by the name that a bar shows."""
    network = by.BeliefNetwork(EDGES).fit(WEATHER, smoothing=1)
    return {
        "naive Bayes": _naive_bayes,
        "leave-one-out": _leave_one_out,
        "k-means": lambda: by.KMeans(2).fit(NUMBERS).predict(NUMBERS),
        "Gaussian mixtures": _mixtures,
        "discriminant analysis": _discriminants,
        "dependent columns": _dependence,
        "forests": _forests,
        "texts": _texts,
        "structure": _structures,
        "samples": lambda: [
            network.query("play", RAIN, method=method, samples=100) for method in SAMPLERS
        ],
        "posteriors": lambda: network.query("play", RAIN),
        "soft evidence": lambda: network.query("play", RAIN, likelihoods={"wet": [0.9, 0.2]}),
        "posteriors of rows": lambda: network.posteriors({"sky": WEATHER["sky"]}),
        "most probable states": lambda: network.most_probable(RAIN),
        "EM": lambda: by.BeliefNetwork(EDGES).fit(
            WEATHER | {"wet": [None, *WEATHER["wet"][1:]]}, smoothing=1, method="em"
        ),
    }


def warm_up() -> list[str]:
    """Ask all questions of compiled kernels, with a bar; their names.

    The environment variable BAYESIC_KERNELS is set meanwhile, for the whole process.
    """
    if find_spec("numba") is None:
        raise ImportError(
            "Compiled kernels need Numba, which is not installed here; all works without. "
            "Install it with: pip install 'bayesic[fast]'."
        )
    with _compiled_kernels(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        asked = questions()
        with bar_of("compiling kernels", len(asked)) as advance:
            for ask in asked.values():
                ask()
                advance()
    return list(asked)


@contextmanager
def _compiled_kernels() -> Iterator[None]:
    before = os.environ.get("BAYESIC_KERNELS")
    os.environ["BAYESIC_KERNELS"] = "compiled"
    try:
        yield
    finally:
        del os.environ["BAYESIC_KERNELS"]
        if before is not None:
            os.environ["BAYESIC_KERNELS"] = before


def _forests() -> None:
    model = by.BayesForest(4).fit(NUMBERS, LABELS)
    model.leave_one_out(NUMBERS, LABELS)
    model.predict(NUMBERS)


def _naive_bayes() -> None:
    with_gaps = np.where(NUMBERS > 2, np.nan, NUMBERS)
    by.GaussianNB().fit(with_gaps, LABELS).predict(with_gaps)
    for weights in (None, WEIGHTS):
        by.GaussianNB().fit(NUMBERS, LABELS, sample_weight=weights).predict(NUMBERS)
        by.CategoricalNB().fit(WHOLE, LABELS, sample_weight=weights).predict(WHOLE)
        by.MultinomialNB().fit(sparse.csr_array(WHOLE), LABELS, sample_weight=weights)


def _leave_one_out() -> None:
    by.GaussianNB().fit(NUMBERS, LABELS).leave_one_out(NUMBERS, LABELS)
    for Model in (by.CategoricalNB, by.ComplementNB, by.MultinomialNB):
        Model().fit(WHOLE, LABELS).leave_one_out(WHOLE, LABELS)


def _mixtures() -> None:
    for covariance in ("full", "tied", "diag", "spherical"):
        by.GaussianMixture(2, covariance_type=covariance).fit(NUMBERS).predict(NUMBERS)


def _discriminants() -> None:
    for Model in (by.LinearDiscriminantAnalysis, by.QuadraticDiscriminantAnalysis):
        model = Model().fit(NUMBERS, LABELS)
        model.predict(NUMBERS)
        model.leave_one_out(NUMBERS, LABELS)
    by.GaussianBayes().fit(np.tile(NUMBERS, (10, 1)), LABELS * 10)  # many rows of each class


def _dependence() -> None:
    models = by.TreeAugmentedNB, by.AveragedOneDependence
    for Model, smoothing in product(models, (1, ("back-off", 1))):
        for weights in (None, WEIGHTS):
            model = Model(smoothing=smoothing).fit(WEATHER, LABELS, sample_weight=weights)
            model.predict(WEATHER)
            model.leave_one_out(WEATHER, LABELS, sample_weight=weights)


def _texts() -> None:
    for options in TEXT_OPTIONS:
        for weights in (None, WEIGHTS):
            by.TextClassifier(**options).fit(TEXTS, LABELS, sample_weight=weights).predict(TEXTS)
    many_words = [" ".join(f"word{number}" for number in range(10_000))]
    without_rjieba = Tokenizer(chinese="characters")
    for texts in (CountedTexts(TEXTS, without_rjieba), CountedTexts(many_words, Tokenizer())):
        _ = texts.words, texts.counts


def _structures() -> None:
    each_once = WEATHER | {"day": [*map(str, range(ROWS))]}
    for table in (WEATHER, each_once):  # equal rows are counted once, with weights
        for method in ("hill-climb", "exact", "chow-liu", "pc"):
            by.learn_structure(table, method)
