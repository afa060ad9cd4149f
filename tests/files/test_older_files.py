"""Model files of an older version still load, and answer as a model that learns the same rows now.

The files in older_files/ were written once, by `python tests/files/test_older_files.py NAME`. They
stay as they are; a new model adds its own.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bayesic as by
from bayesic.files import model_files as files

FOLDER = Path(__file__).parent / "older_files"

COUNTS = np.array([[row % 3, row * row % 4, (row + row // 4) % 5] for row in range(24)])
LABELS = np.where((COUNTS[:, 0] + COUNTS[:, 1] + np.arange(24) // 5) % 3 == 0, "ham", "spam")
NUMBERS = COUNTS + np.sin(7.0 * np.arange(72)).reshape(24, 3)
SKY = np.where(COUNTS[:, 0] > 1, "rain", "sun").tolist()
TABLE = {
    "sky": SKY,
    "wind": NUMBERS[:, 1].tolist(),
    "雨": ["是" if n else "否" for n in COUNTS[:, 1]],
}
TEXTS = ["free lunch today", "rain and 雨", "free money", "lunch in the rain"] * 6
MIXED = {**TABLE, "words": TEXTS, "n": COUNTS[:, 2].tolist()}
MIXED_NUMBERS = {"wind": NUMBERS[:, 1].tolist(), "rain": NUMBERS[:, 0].tolist(), "sky": SKY}
NETWORK = {"Storm": ["yes", "no"] * 12, "Fire": (["no"] * 3 + ["yes"]) * 6}
LOSS = {"read": {"ham": 0, "spam": 1}, "drop": {"ham": 10, "spam": 0}}

# what each file holds: a model that has learned, and the rows to ask it about
MODELS: dict[str, tuple[Callable[[], Any], Any]] = {
    "GaussianNB": (lambda: by.GaussianNB().fit(NUMBERS, LABELS), NUMBERS),
    "MultinomialNB": (lambda: by.MultinomialNB(alpha=0.5).fit(COUNTS, LABELS), COUNTS),
    "ComplementNB": (lambda: by.ComplementNB(norm=True).fit(COUNTS, LABELS), COUNTS),
    "BernoulliNB": (lambda: by.BernoulliNB(binarize=1.0).fit(COUNTS, LABELS), COUNTS),
    "CategoricalNB": (lambda: by.CategoricalNB(min_categories=6).fit(COUNTS, LABELS), COUNTS),
    "GaussianBayes": (lambda: by.GaussianBayes(shrinkage="auto").fit(NUMBERS, LABELS), NUMBERS),
    "GaussianBayes-spherical": (
        lambda: by.GaussianBayes("spherical").fit(NUMBERS, LABELS),
        NUMBERS,
    ),
    "LinearDiscriminantAnalysis": (
        lambda: by.LinearDiscriminantAnalysis(shrinkage=0.1).fit(NUMBERS, LABELS),
        NUMBERS,
    ),
    "QuadraticDiscriminantAnalysis": (
        lambda: by.QuadraticDiscriminantAnalysis().fit(NUMBERS, LABELS),
        NUMBERS,
    ),
    "LogisticRegression": (lambda: by.LogisticRegression().fit(NUMBERS, LABELS), NUMBERS),
    "LeastSquares": (lambda: by.LeastSquares().fit(NUMBERS, COUNTS[:, 2]), NUMBERS),
    "KNeighborsClassifier": (lambda: by.KNeighborsClassifier(3).fit(NUMBERS, LABELS), NUMBERS),
    "KNeighborsRegressor": (lambda: by.KNeighborsRegressor(3).fit(NUMBERS, COUNTS[:, 2]), NUMBERS),
    "GaussianMixture": (lambda: by.GaussianMixture(2, random_state=0).fit(NUMBERS), NUMBERS),
    "KMeans": (lambda: by.KMeans(2, random_state=0).fit(NUMBERS), NUMBERS),
    "NaiveBayes": (
        lambda: by.NaiveBayes(columns={"words": "text", "n": "poisson"}).fit(MIXED, LABELS),
        MIXED,
    ),
    "NaiveBayes-rows": (lambda: by.NaiveBayes(smoothing="auto").fit(NUMBERS, LABELS), NUMBERS),
    "NaiveBayes-weights": (lambda: by.NaiveBayes(weights="learned").fit(TABLE, LABELS), TABLE),
    "JointBayes": (lambda: by.JointBayes(columns={"wind": "ignore"}).fit(TABLE, LABELS), TABLE),
    "TreeAugmentedNB": (lambda: by.TreeAugmentedNB().fit({**TABLE, "y": LABELS}, y="y"), TABLE),
    "KDependence": (lambda: by.KDependence(k=2).fit(TABLE, LABELS), TABLE),
    "AveragedOneDependence": (lambda: by.AveragedOneDependence().fit(TABLE, LABELS), TABLE),
    "TextClassifier": (lambda: by.TextClassifier(ngrams=(1, 2)).fit(TEXTS, LABELS), TEXTS),
    "TextClassifier-tf-idf": (
        lambda: by.TextClassifier(model="complement", weighting="tf-idf").fit(TEXTS, LABELS),
        TEXTS,
    ),
    "MDLTreeClassifier": (lambda: by.hypotheses.MDLTreeClassifier().fit(TABLE, LABELS), TABLE),
    "AutoBayes": (lambda: by.AutoBayes("quick").fit(MIXED_NUMBERS, LABELS), MIXED_NUMBERS),
    "BayesForest": (lambda: by.BayesForest(n_trees=4).fit(TABLE, LABELS), TABLE),
    "BayesDecision": (
        lambda: by.BayesDecision(by.GaussianNB(), LOSS).fit(NUMBERS, LABELS),
        NUMBERS,
    ),
    "Calibrated": (lambda: by.calibrated(by.GaussianNB()).fit(NUMBERS, LABELS), NUMBERS),
    "BeliefNetwork": (
        lambda: by.BeliefNetwork(edges=[("Storm", "Fire")]).fit(NETWORK, smoothing=1),
        {"Storm": ["yes", "no", None]},
    ),
}
NOT_MERGED = {
    "BayesDecision",
    "GaussianMixture",
    "KMeans",
    "LogisticRegression",
    "MDLTreeClassifier",
}


def answers(model: Any, rows: Any) -> Any:
    """What a model says of rows: probabilities where it has them."""
    if isinstance(model, by.BeliefNetwork):
        return model.predict_proba(rows, "Fire")
    return model.predict_proba(rows) if hasattr(model, "predict_proba") else model.predict(rows)


@pytest.mark.parametrize("name", MODELS)
def test_older_files_load_and_answer_as_models_that_learn_now(name):
    learn, rows = MODELS[name]
    loaded, learned = by.load(FOLDER / f"{name}.bayes"), learn()
    assert type(loaded) is type(learned)
    np.testing.assert_allclose(answers(loaded, rows), answers(learned, rows), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", sorted(set(MODELS) - NOT_MERGED))
def test_older_files_go_on_learning(name):
    learn, rows = MODELS[name]
    loaded, learned = by.load(FOLDER / f"{name}.bayes"), learn()
    both = answers(loaded.merge(learned), rows)
    np.testing.assert_allclose(both, answers(learn().merge(learned), rows), rtol=1e-9, atol=1e-12)


def test_every_model_that_a_file_holds_has_an_older_file():
    assert {*files.MODELS, "BeliefNetwork", "BayesDecision", "Calibrated"} <= {
        name.split("-")[0] for name in MODELS
    }
    assert {path.stem for path in FOLDER.iterdir()} == set(MODELS)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        MODELS[name][0]().save(FOLDER / f"{name}.bayes")
