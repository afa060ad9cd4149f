"""Estimators that are fed junk: parameters, rows, classes, and every method."""

from collections.abc import Callable
from numbers import Integral
from random import Random
from typing import Any

import bayesic as by
from bayesic import hypotheses
from junk_values import junk, labels

Case = Callable[[], Any]
Target = Callable[[Random], Case]

ROWS = 8
TABLE_MODELS = (
    by.NaiveBayes,
    by.JointBayes,
    by.TreeAugmentedNB,
    by.KDependence,
    by.AveragedOneDependence,
    hypotheses.MDLTreeClassifier,
)
ARRAY_MODELS = (
    by.CategoricalNB,
    by.BernoulliNB,
    by.MultinomialNB,
    by.ComplementNB,
    by.GaussianNB,
    by.GaussianBayes,
    by.QuadraticDiscriminantAnalysis,
    by.LinearDiscriminantAnalysis,
    by.LogisticRegression,
    by.KNeighborsClassifier,
    by.KNeighborsRegressor,
    by.LeastSquares,
    by.GaussianMixture,
    by.KMeans,
)
METHODS = (
    *("predict", "predict_proba", "predict_log_proba", "predict_joint_log_proba", "score"),
    *("partial_fit", "forget", "leave_one_out", "explain", "work", "merge", "sample"),
)
WRAPPED = (by.NaiveBayes, by.GaussianNB, by.MultinomialNB, by.BernoulliNB)


def estimator(Model: type, rows: Callable[[Random], Any]) -> Target:
    """`fit` with some parameters that are junk, and then some other method."""

    def make(random: Random) -> Case:
        model = Model(**_required(Model, random))
        names = sorted(model.get_params(deep=False))
        share = random.choice([0.0, 0.0, 0.2])
        for name in names:
            if random.random() < share:
                value = junk(random)
                # what takes its time when it is asked to is no fault
                counts_work = name in ("n_init", "max_iter")
                is_long = counts_work and isinstance(value, Integral) and value > 100
                setattr(model, name, 1 if is_long else value)
        small = {"n_clusters": 2, "n_components": 2, "max_iter": 5, "n_neighbors": 3}
        for name, value in small.items():  # else eight rows are too few
            if name in names and random.random() > share:
                setattr(model, name, value)
        X = rows(random) if random.random() < 0.7 else junk(random)
        y = labels(random) if random.random() < 0.8 else junk(random)
        X2 = rows(random) if random.random() < 0.6 else junk(random)
        method = random.choice(METHODS)
        return lambda: _learn_and_ask(model, X, y, method, X2)

    return make


def _required(Model: type, random: Random) -> dict[str, Any]:
    if Model in (by.SemiSupervised, by.BayesDecision):
        return {"model": random.choice(WRAPPED)() if random.random() < 0.8 else junk(random)}
    if Model in (hypotheses.BayesOptimalClassifier, hypotheses.GibbsClassifier):
        models = [random.choice(WRAPPED)(), hypotheses.RuleClassifier(len, ["ham", "spam"])]
        return {"models": models if random.random() < 0.8 else junk(random)}
    if Model is hypotheses.RuleClassifier:
        given = [lambda X: ["ham"] * len(X), len, junk(random)]
        classes = ["ham", "spam"] if random.random() < 0.7 else junk(random)
        return {"function": random.choice(given), "classes": classes}
    return {}


def _learn_and_ask(model: Any, X: Any, y: Any, method: str, X2: Any) -> Any:
    model.fit(X, y)
    if not hasattr(model, method):
        return model.predict(X2)
    if method in ("partial_fit", "forget", "leave_one_out", "score"):
        return getattr(model, method)(X, y)
    if method == "merge":
        return model.merge(X2 if X2 is not None else model)
    return getattr(model, method)(*(() if method == "sample" else (X2,)))
