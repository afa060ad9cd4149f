"""Generative and discriminative twins as the sample grows.

    python -m benchmarks twins

Naive Bayes and logistic regression draw the same kind of boundary, and so do LDA and logistic
regression. One learns p(x, c), the other P(c | x) alone ([NgJordan]). Prints what each makes of
samples of growing size and writes it to TWINS.md beside this file. The tables are those that come
with scikit-learn and, where there are any, some of those of `shared.py`.
"""

import itertools
import platform
import warnings
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from importlib.metadata import version
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bayesic as by
from bayesic.models.linear.logistic import LogisticRegression
from bayesic.models.normal.linear_discriminant import LinearDiscriminantAnalysis
from benchmarks.measuring import tell_and_keep
from benchmarks.models._tables import tables
from benchmarks.shared import TABLES

RESULTS = Path(__file__).with_name("TWINS.md")
N_SPLITS = 10
SIZES = (10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120)
TEST_SHARE = 1 / 3
MOST_TEST_ROWS = 2000
NUMERIC = ("ionosphere", "pendigits", "pima_diabetes", "satimage", "segment", "spambase", "vehicle")


class TiedNB(by.GaussianNB):
    """GaussianNB with the same variances in all classes: its log odds are a weighted sum."""

    def _fit(self, statistics):
        fitted = super()._fit(statistics)
        tied = fitted.prior.probability @ fitted.variance
        return replace(fitted, variance=np.tile(tied, (len(fitted.variance), 1)))


MODELS = {
    "GaussianNB": lambda: by.GaussianNB(var_smoothing=1e-3),
    "tied NB": lambda: TiedNB(var_smoothing=1e-3),
    "LDA": lambda: LinearDiscriminantAnalysis(shrinkage="ledoit-wolf"),
    "logistic": lambda: LogisticRegression(max_iter=200),
    "logistic ML": lambda: LogisticRegression(C=np.inf, max_iter=200),
}
GENERATIVE, DISCRIMINATIVE = ("GaussianNB", "tied NB", "LDA"), ("logistic", "logistic ML")


def data_sets() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Name, features and class numbers of each table."""
    for load in (load_breast_cancer, load_digits, load_iris, load_wine):
        yield load.__name__.removeprefix("load_"), *load(return_X_y=True)
    if TABLES.exists():
        for one in tables(NUMERIC):
            yield one.name, one.X.to_numpy(np.float64), np.unique(one.y, return_inverse=True)[1]


def first_of_each_class(y: np.ndarray) -> np.ndarray:
    """The rows in an order that begins with one row of every class."""
    first = np.unique(y, return_index=True)[1]
    return np.concatenate([np.sort(first), np.setdiff1d(np.arange(len(y)), first)])


def scores(X: np.ndarray, y: np.ndarray, size: int) -> dict[str, tuple[float, float]]:
    """Error and log loss on rows that were not learned, the mean over all splits."""
    sums = {name: np.zeros(2) for name in MODELS}
    n_test = min(MOST_TEST_ROWS, int(len(y) * TEST_SHARE))
    for seed in range(N_SPLITS):
        order = np.random.default_rng(seed).permutation(len(y))
        test, pool = order[:n_test], order[n_test:]
        learned = pool[first_of_each_class(y[pool])][:size]
        for name, make in MODELS.items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # classes of one row
                model = make_pipeline(StandardScaler(), make()).fit(X[learned], y[learned])
                log_probability = model.predict_log_proba(X[test])
            error = (log_probability.argmax(axis=1) != y[test]).mean()
            # a class that is called impossible and comes all the same would weigh infinitely
            own = np.maximum(log_probability[np.arange(n_test), y[test]], np.log(1e-15))
            sums[name] += error, -own.mean()
    return {name: tuple(total / N_SPLITS) for name, total in sums.items()}


def section(name: str, X: np.ndarray, y: np.ndarray) -> tuple[list[str], dict[str, list[float]]]:
    """Lines of the table of one data set, and the errors of each model by size."""
    n_pool = len(y) - min(MOST_TEST_ROWS, int(len(y) * TEST_SHARE))
    n_classes = len(np.unique(y))
    lines, errors = [], {model: [] for model in MODELS}
    for size in [size for size in SIZES if 2 * n_classes <= size <= n_pool]:
        found = scores(X, y, size)
        cells = [f"{100 * error:.1f}" for error, _ in found.values()]
        cells += [f"{loss:.3f}" for _, loss in found.values()]
        lines.append(f"| {name} | {size} | {' | '.join(cells)} |")
        for model, (error, _) in found.items():
            errors[model].append(error)
    return lines, errors


def summary(errors: list[dict[str, list[float]]]) -> str:
    """How often each generative model is ahead of each discriminative one, early and late."""
    lines = []
    for twin, other in itertools.product(GENERATIVE, DISCRIMINATIVE):
        early, late = (
            sum(table[twin][place] < table[other][place] for table in errors) for place in (0, -1)
        )
        lines.append(f"| {twin} | {other} | {early} of {len(errors)} | {late} of {len(errors)} |")
    return "\n".join(lines)


def report() -> str:
    lines, errors = [], []
    for name, X, y in data_sets():
        new, found = section(name, X, y)
        lines += new
        errors.append(found)
        print(*new, sep="\n", flush=True)
    heads = [*(f"error {model}" for model in MODELS), *(f"log loss {model}" for model in MODELS)]
    return f"""# Twins: generative and discriminative models as the sample grows

Made {date.today()} with `python -m benchmarks twins`, Python {platform.python_version()}, numpy
{version("numpy")}, scikit-learn {version("scikit-learn")}. Means over {N_SPLITS} random splits:
a third of the rows (at most {MOST_TEST_ROWS}) is for testing; of the others so many are learned as
`rows` says, at least one of each class. Errors in percent; log loss with natural logarithms and
probabilities of at least 1e-15. Features are standardised on the rows that are learned.

- GaussianNB: var_smoothing=1e-3; a variance for each class. Tied NB: the same with the mean of
  these variances for all classes, which makes it a weighted sum of the features.
- LDA: shrinkage="auto".
- Logistic: C=1, a normal prior on the weights. Logistic ML: C=np.inf, maximum likelihood; where the
  classes can be told apart without a mistake, the weights are where the search stopped.

On how many tables the generative model has the smaller error:

| generative | against | smallest sample | largest sample |
| --- | --- | --- | --- |
{summary(errors)}

| table | rows | {" | ".join(heads)} |
| --- | --- | {" | ".join(["---"] * len(heads))} |
{chr(10).join(lines)}
"""


if __name__ == "__main__":
    tell_and_keep(report, RESULTS, __doc__)
