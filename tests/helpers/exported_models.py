"""Models that can be exported, rows to ask them about, and what they should say."""

import warnings

import numpy as np
from hypothesis import strategies as st
from sklearn.base import clone

import bayesic as by

ODD = ["", " ", "  leading", "it's", 'the "best"', "雨", "🌧️", "100%", "a\\b", "%s", "null", "true"]
WORDS = st.sampled_from(["sun", "rain", *ODD])
NUMBERS = st.sampled_from([0.0, 1.0, -1.5, 2.0, 3.25, 1e9, -1e300, 1e300, 1e-300, 5e-324])
LABELS = st.sampled_from(["play", "it's", "不"])


ROW = st.fixed_dictionaries(
    {
        '天 "1"': st.none() | WORDS,
        "wind": st.none() | NUMBERS,
        "it's": st.none() | st.integers(0, 3),
        "windy": st.none() | st.booleans(),
    }
)
TABLE = st.lists(st.tuples(ROW, LABELS), min_size=1, max_size=8)


def in_columns(rows):
    return {name: [row[name] for row in rows] for name in rows[0]}


MODELS = {
    "naive": by.NaiveBayes(numeric="gaussian"),
    "naive, binned, weights": by.NaiveBayes(numeric="binned", weights="learned"),
    "naive, categories": by.NaiveBayes(numeric="categorical", smoothing=("m", 2)),
    "naive, no smoothing": by.NaiveBayes(
        columns={"it's": "poisson", "windy": "bernoulli"}, numeric="gaussian", smoothing=0
    ),
    "naive, kernels": by.NaiveBayes(numeric="kernel"),
    "naive, kernels, no smoothing": by.NaiveBayes(numeric="kernel", smoothing=0, weights="learned"),
    "tree": by.TreeAugmentedNB(),
    "tree, weights": by.TreeAugmentedNB(weights="learned", smoothing=0),
    "network": by.KDependence(k=2, smoothing=("back-off", 2)),
    "network, chosen": by.KDependence(k="auto", smoothing=("m", 1)),
    "average": by.AveragedOneDependence(),
    "average, back-off": by.AveragedOneDependence(smoothing=("back-off", 1), m=2),
    "average, no smoothing": by.AveragedOneDependence(smoothing=0),
    "forest": by.BayesForest(n_trees=3),
    "forest at random": by.BayesForest(n_trees=2, splits="random", smoothing=2.0),
    "calibrated": by.calibrated(by.NaiveBayes(numeric="gaussian", smoothing=0)),
}


NUMBER_MODELS = {
    "GaussianNB": by.GaussianNB(),
    "diagonal": by.GaussianBayes("diagonal"),
    "spherical": by.GaussianBayes("spherical", shrinkage=0.5),
    "full": by.GaussianBayes(shrinkage=0.1),
    "tied": by.GaussianBayes("tied"),
    "QDA": by.QuadraticDiscriminantAnalysis(shrinkage=0.5),
    "LDA": by.LinearDiscriminantAnalysis(),
    "LDA, shrunk": by.LinearDiscriminantAnalysis(shrinkage=0.5),
    "logistic": by.LogisticRegression(),
    "calibrated": by.calibrated(by.GaussianNB()),
}
HOLDS_GAPS = {"GaussianNB", "diagonal", "spherical", "calibrated", "full", "tied"}
FAR = [1e300, -1e300, 1e12, 0.0, 1e-300]


COUNT_MODELS = {
    "MultinomialNB": by.MultinomialNB(),
    "MultinomialNB, no smoothing": by.MultinomialNB(alpha=0),
    "ComplementNB": by.ComplementNB(norm=True),
    "BernoulliNB": by.BernoulliNB(binarize=1.0),
    "BernoulliNB, no smoothing": by.BernoulliNB(alpha=0),
    "CategoricalNB": by.CategoricalNB(),
    "CategoricalNB, no smoothing": by.CategoricalNB(alpha=0, min_categories=7),
    "semi-supervised": by.SemiSupervised(by.MultinomialNB()),
}


def answer(model, rows):
    """The probabilities, and how large the scores behind them are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rows that are impossible, columns that tell nothing
        expected = model.predict_proba(rows)
        inside = getattr(model, "model_", model)
        if not hasattr(inside, "predict_joint_log_proba"):
            return expected, 1.0
        scores = np.abs(inside.predict_joint_log_proba(rows))
    return expected, np.where(np.isfinite(scores), scores, 0.0).max(axis=1, keepdims=True)


def quietly(model, *given, **told):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(*given, **told)


# models and rows --------------------------------------------------------------------------------


def model_of_numbers(name, n_classes):
    """A model, and rows to ask it about: near and far, with gaps where it holds them."""
    rng = np.random.default_rng(n_classes)
    y = np.arange(40) % n_classes
    X = rng.normal(size=(40, 3)) * [1, 100, 1e-3] + [0, 1e4, 5] + y[:, None] * [1, -100, 0]
    model = quietly(clone(NUMBER_MODELS[name]), X, np.array(["rain", "sun", "雪"])[y])
    asked = np.vstack([X, *([number, 1e4, 5] for number in FAR)])
    if name == "logistic":
        asked = asked[np.abs(asked).max(axis=1) < 1e200]  # it refuses rows of which no sum is known
    if name in HOLDS_GAPS:
        asked[0], asked[1, 0], asked[2, 1:] = np.nan, np.nan, np.nan
    return model, asked


def model_of_counts(name):
    """The same for counts, with a count that was never seen."""
    rng = np.random.default_rng(5)
    X, y = rng.poisson(1.0, size=(30, 4)).astype(float), np.arange(30) % 3
    model = quietly(clone(COUNT_MODELS[name]), X, np.array(["rain", "sun", "雪"], object)[y])
    X[0, 0], X[1], X[2, 1] = np.nan, np.nan, 9
    return model, X


def normal_classes_with_every_gap():
    """The same for rows with every pattern of gaps in five features."""
    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(60, 5)) @ rng.normal(size=(5, 5)), np.arange(60) % 3
    asked = np.repeat(X[:1], 32, axis=0)
    asked[[[bool(n >> at & 1) for at in range(5)] for n in range(32)]] = np.nan
    return by.GaussianBayes().fit(X, y), asked


def model_of_towns(name):
    """The same for columns of many levels."""
    rng = np.random.default_rng(2)
    levels = np.array([f"town {number} 市'" for number in range(60)])
    columns = {at: levels[rng.integers(0, 60, 200)].tolist() for at in ("from", "to", "by way of")}
    model = quietly(clone(MODELS[name]), columns, (np.arange(200) % 3).tolist())
    columns["to"][:3] = [None, "nowhere", ""]
    return model, columns


def deep_trees(n_trees):
    """The same for classes that have nothing to do with the columns."""
    rng = np.random.default_rng(4)
    columns = {"wind": rng.normal(size=600).tolist(), "rain": rng.normal(size=600).tolist()}
    model = by.BayesForest(n_trees=n_trees).fit(columns, rng.integers(0, 3, 600).tolist())
    return model, columns


# refusals ---------------------------------------------------------------------------------------

SKY = {"sky": ["sun", "rain", "sun", "rain"]}


def fitted(model, columns=SKY, labels=("yes", "no", "yes", "yes")):
    return quietly(model, columns, list(labels))


REFUSED = [
    (fitted(by.NaiveBayes(columns={"sky": "text"})), "column 'sky' is text"),
    (
        fitted(
            by.NaiveBayes(numeric="kernel"),
            {"wind": [number / 7 for number in range(5000)]},
            [number % 2 for number in range(5000)],
        ),
        "different numbers can be exported, but column 'wind' has more",
    ),
    (fitted(by.AveragedOneDependence(n=2)), "n=1, got n=2"),
    (
        fitted(by.TextClassifier(), ["sun", "rain", "sun", "rain"]),
        "Neither SQL nor ONNX cuts words: count them in columns",
    ),
    (fitted(by.JointBayes()), "got JointBayes"),
    (fitted(by.BernoulliNB(binarize=None), np.eye(4)), "binarize=None"),
    (fitted(by.ComplementNB(alpha=0), np.eye(4)), "infinite"),
]
