"""Speed of GaussianMixture and KMeans against scikit-learn in the same run.

    python -m benchmarks mixtures

Prints a table and writes it to MIXTURES.md beside this file.
"""

import os
import platform
import time
import warnings
from collections.abc import Iterator
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import sklearn.cluster
import sklearn.mixture

from bayesic.mixtures.gaussian_mixture import GaussianMixture
from bayesic.mixtures.k_means import KMeans
from benchmarks.measuring import PEER, Measurement, best, processor, table, tell_and_keep

RESULTS = Path(__file__).with_name("MIXTURES.md")
N_FEATURES, N_COMPONENTS, N_STEPS, REPEATS = 50, 5, 10, 3

# Standard deviation of the coordinates of the centres; that of the rows around them is 1.
DATA = {"apart": 1.0, "overlapping": 0.25}


def rows(n_rows: int, how: str) -> np.ndarray:
    """Rows around five centres."""
    rng = np.random.default_rng(0)
    centres = DATA[how] * rng.normal(size=(N_COMPONENTS, N_FEATURES))
    return centres[rng.integers(0, N_COMPONENTS, n_rows)] + rng.normal(size=(n_rows, N_FEATURES))


def steps_of_mixture(Model: Any, X: np.ndarray, covariance_type: str) -> Any:
    """Ten steps from the same start: five rows as means, unit covariances."""
    unit = np.eye(N_FEATURES)
    precisions = {
        "full": np.repeat(unit[None], N_COMPONENTS, axis=0),
        "tied": unit,
        "diag": np.ones((N_COMPONENTS, N_FEATURES)),
        "spherical": np.ones(N_COMPONENTS),
    }[covariance_type]
    return Model(
        N_COMPONENTS,
        covariance_type=covariance_type,
        weights_init=np.full(N_COMPONENTS, 1 / N_COMPONENTS),
        means_init=X[:N_COMPONENTS],
        precisions_init=precisions,
        max_iter=N_STEPS,
        tol=0.0,
    ).fit(X)


def steps_of_k_means(Model: Any, X: np.ndarray) -> Any:
    """Ten steps from the same start: five rows as centres."""
    start = X[:N_COMPONENTS]
    return Model(N_COMPONENTS, init=start, n_init=1, max_iter=N_STEPS, tol=0.0).fit(X)


def compile_time() -> float:
    """Seconds to compile the kernels of this page, or to load them from the cache."""
    start = time.perf_counter()
    small = rows(20_000, "apart")
    steps_of_k_means(KMeans, small)
    for covariance_type in ("tied", "diag"):
        steps_of_mixture(GaussianMixture, small, covariance_type)
    return time.perf_counter() - start


def measured() -> Iterator[Measurement]:
    X, size = rows(300_000, "overlapping"), f"300,000 x {N_FEATURES}, {N_COMPONENTS} clusters"
    assert steps_of_k_means(KMeans, X).n_iter_ == N_STEPS
    assert steps_of_k_means(sklearn.cluster.KMeans, X).n_iter_ == N_STEPS
    times = best(
        lambda: steps_of_k_means(KMeans, X),
        lambda: steps_of_k_means(sklearn.cluster.KMeans, X),
    )
    yield Measurement(f"KMeans, {N_STEPS} steps", size, PEER, *times, "1x")
    times = best(
        lambda: KMeans(N_COMPONENTS, random_state=0).fit(X),
        lambda: sklearn.cluster.KMeans(N_COMPONENTS, random_state=0).fit(X),
        repeats=REPEATS,
    )
    yield Measurement("KMeans, as it comes", size, PEER, *times, "1x")
    for how, covariance_type, bar in (
        ("apart", "full", "5x"),
        ("overlapping", "full", "5x"),
        ("apart", "tied", "1x"),
        ("apart", "diag", "1x"),
        ("apart", "spherical", "1x"),
    ):
        yield of_mixture(how, covariance_type, bar)


def of_mixture(how: str, covariance_type: str, bar: str) -> Measurement:
    X = rows(100_000, how)
    found = [0, 0]

    def ours() -> None:
        found[0] = steps_of_mixture(GaussianMixture, X, covariance_type).n_iter_

    def theirs() -> None:
        model = steps_of_mixture(sklearn.mixture.GaussianMixture, X, covariance_type)
        found[1] = model.n_iter_

    times = best(ours, theirs, repeats=REPEATS, in_a_row=2)
    size = f"100,000 x {N_FEATURES}, {N_COMPONENTS} components, {how}"
    job = f"GaussianMixture {covariance_type}, {N_STEPS} steps"
    if found != [N_STEPS, N_STEPS]:
        job += f" (ours took {found[0]}, theirs {found[1]})"
    return Measurement(job, size, PEER, *times, bar)


def report() -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ten steps are not enough, which both tell
        compiling = compile_time()
        lines = list(measured())
    names = ("numpy", "scipy", "scikit-learn", "numba")
    libraries = ", ".join(f"{name} {version(name)}" for name in names)
    return f"""# Mixtures

Measured {date.today()} with `python -m benchmarks mixtures` on {os.cpu_count()} cores
({processor()}), Python {platform.python_version()}, {libraries}.

Both sides take {N_STEPS} steps from the same start, `tol=0`. The best of {REPEATS} runs (KMeans
step by step: of 5; mixtures: of {2 * REPEATS}, two in a row, since threads of the other may still
look for work in the first), the two in turns, everything included; both use all cores, as
installed. The ratio is the other time divided by ours. "To reach" is what we want; where it is
missed, it stands here all the same. To compile the kernels, or to load them from the cache, took
{compiling:.1f} s more, once.

Rows lie with deviation 1 around {N_COMPONENTS} centres, whose coordinates have the deviation
{DATA["apart"]:g} ("apart") or {DATA["overlapping"]:g} ("overlapping", as for KMeans). Where clouds
lie apart, most shares are below rounding, and such rows are left out of the M-step.

The products of matrices in scikit-learn run in threads of BLAS, which wait for each other. Where
other programs use the same cores, its mixtures become many times slower than on a quiet machine;
ours run in one thread a block.

{table(lines)}
"""


if __name__ == "__main__":
    tell_and_keep(report, RESULTS, __doc__)
