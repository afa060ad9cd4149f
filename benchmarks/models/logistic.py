"""Speed of LogisticRegression and LeastSquares against scikit-learn in the same run.

    python -m benchmarks logistic

Prints two tables and writes them to LOGISTIC.md beside this file. The rows are made for the
purpose, once with features that are independent and of one unit, once with features that go
together and have units of their own.
"""

import os
import platform
import warnings
from collections.abc import Callable
from datetime import date
from importlib.metadata import version
from pathlib import Path

import numpy as np
from sklearn.linear_model import LinearRegression
from sklearn.linear_model import LogisticRegression as TheirRegression
from threadpoolctl import threadpool_limits

from bayesic.models.linear.least_squares import LeastSquares
from bayesic.models.linear.logistic import LogisticRegression
from benchmarks.measuring import Measurement, best, processor, table, tell_and_keep

RESULTS = Path(__file__).with_name("LOGISTIC.md")
PEER = f"scikit-learn {version('scikit-learn')}"
REPEATS = 5
N_ROWS, N_FEATURES, N_CLASSES = 200_000, 50, 5


def made_rows(together: bool) -> tuple[np.ndarray, np.ndarray]:
    """Rows whose classes follow the model, with weights of moderate size."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_ROWS, N_FEATURES))
    if together:
        X = X @ rng.normal(size=(N_FEATURES, N_FEATURES)) * rng.lognormal(0, 1.5, N_FEATURES)
    weights = rng.normal(size=(N_FEATURES, N_CLASSES)) * 1.5 / np.sqrt(N_FEATURES)
    scores = X @ (weights / X.std(axis=0)[:, None])
    return X, (scores + rng.gumbel(size=scores.shape)).argmax(axis=1)


def excess(model: object, X: np.ndarray, y: np.ndarray, least: float) -> float:
    """By how much the mean penalised log loss (C = 1) is above the least."""
    log_probability = model.predict_log_proba(X)[np.arange(len(y)), y]
    return (0.5 * (model.coef_**2).sum() - log_probability.sum()) / len(y) - least


def in_one_blas_thread(function: Callable[[], object]) -> Callable[[], object]:
    def limited() -> object:
        with threadpool_limits(1, "blas"):
            return function()

    return limited


def logistic(together: bool, what: str) -> tuple[list[Measurement], list[str]]:
    """Times of the fit, and how near to the optimum each model is."""
    X, y = made_rows(together)
    size = f"{N_ROWS:,} x {N_FEATURES}, {N_CLASSES} classes, {what}"
    fits: dict[str, Callable[[], object]] = {
        "bayesic lbfgs": lambda: LogisticRegression().fit(X, y),
        "scikit-learn lbfgs": in_one_blas_thread(lambda: TheirRegression().fit(X, y)),
    }
    as_it_comes = [] if together else [lambda: TheirRegression().fit(X, y)]
    repeats = 1 if together else REPEATS
    ours, theirs, *default = best(*fits.values(), *as_it_comes, repeats=repeats)
    models = {name: fit() for name, fit in fits.items()}
    optimum = TheirRegression(solver="newton-cholesky", tol=1e-9).fit(X, y)
    least = excess(optimum, X, y, 0.0)
    lines = [
        f"| {what} | {name} | {int(model.n_iter_[0])} | {excess(model, X, y, least):.1e} |"
        for name, model in models.items()
    ]
    peer = f"{PEER} lbfgs, BLAS in one thread"
    measurements = [
        Measurement("LogisticRegression fit", size, peer, ours, theirs, "1x"),
    ]
    measurements += [
        Measurement("LogisticRegression fit", size, f"{PEER} lbfgs", ours, seconds, "1x")
        for seconds in default
    ]
    return measurements, lines


def line() -> Measurement:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_ROWS, N_FEATURES))
    y = X @ rng.normal(size=N_FEATURES) + rng.normal(size=N_ROWS)
    times = best(
        lambda: LeastSquares().fit(X, y), lambda: LinearRegression().fit(X, y), repeats=REPEATS
    )
    size = f"{N_ROWS:,} x {N_FEATURES}"
    return Measurement("LeastSquares fit", size, f"{PEER} LinearRegression", *times, "")


def report() -> str:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*failed to converge.*")
        plain, plain_lines = logistic(False, "independent")
        mixed, mixed_lines = logistic(True, "correlated, mixed units")
    measurements = [*plain, *mixed, line()]
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "numba"))
    return f"""# Logistic regression and least squares

Measured {date.today()} with `python -m benchmarks logistic` on {os.cpu_count()} cores
({processor()}), Python {platform.python_version()}, {libraries}, {PEER}.
The best of {REPEATS} runs, in turns; one run each for correlated features. The ratio is the other
time divided by ours. "To reach" is what we want; where it is missed, it stands here all the same.
All settings are the defaults (C = 1; tol is 1e-5 here, 1e-4 in scikit-learn; 100 steps at most).
scikit-learn is timed with BLAS held to one thread, and for independent features also as it comes:
on a busy machine the threads of BLAS wait for each other, and it can take many times longer.

{table(measurements)}

How far above the least penalised log loss (the mean over the rows, by scikit-learn's
"newton-cholesky") each search ended:

| rows | model | steps | above the least |
| --- | --- | --- | --- |
{chr(10).join([*plain_lines, *mixed_lines])}
"""


if __name__ == "__main__":
    tell_and_keep(report, RESULTS, __doc__)
