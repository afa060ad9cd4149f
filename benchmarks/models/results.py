"""Speed and memory against scikit-learn in the same run: `make bench`.

Prints one table and writes it to RESULTS.md beside this file. Times are the best of five; the time
to compile (or to load from the cache) is on its own line and counts nowhere else.
"""

import os
import platform
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import sklearn.naive_bayes as peer
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.preprocessing import OrdinalEncoder

import bayesic as by
import bayesic.kernels
from benchmarks.data import streaming
from benchmarks.measuring import PEER, REPEATS, Measurement, best, processor, table, tell_and_keep

RESULTS = Path(__file__).with_name("RESULTS.md")


def against_peer(job: str, size: str, ours: Callable, theirs: Callable, bar: str) -> Measurement:
    return Measurement(job, size, PEER, *best(ours, theirs), bar)


def fit_and_score(
    name: str, X: object, y: np.ndarray, size: str, bars: tuple[str, str], method: str
) -> Iterator[Measurement]:
    """The fit and one prediction method of one estimator, ours and scikit-learn's."""
    our_class, their_class = getattr(by, name), getattr(peer, name)
    ours, theirs = our_class().fit(X, y), their_class().fit(X, y)
    yield against_peer(
        f"{name} fit", size, lambda: our_class().fit(X, y), lambda: their_class().fit(X, y), bars[0]
    )
    yield against_peer(
        f"{name} {method}",
        size,
        lambda: getattr(ours, method)(X),
        lambda: getattr(theirs, method)(X),
        bars[1],
    )


def gaussian(rng: np.random.Generator) -> Iterator[Measurement]:
    X, y = rng.normal(size=(1_000_000, 50)), rng.integers(0, 5, 1_000_000)
    size = "1,000,000 x 50, 5 classes"
    yield from fit_and_score("GaussianNB", X, y, size, ("15x", "15x"), "predict_proba")
    yield Measurement(
        "GaussianNB fit against X.sum()",
        size,
        f"NumPy {version('numpy')}",
        *best(lambda: by.GaussianNB().fit(X, y), X.sum),
        "0.5x",
    )


def categorical(rng: np.random.Generator) -> Iterator[Measurement]:
    X, y = rng.integers(0, 8, (1_000_000, 30)), rng.integers(0, 5, 1_000_000)
    size = "1,000,000 x 30 int64, 8 values, 5 classes"
    yield from fit_and_score("CategoricalNB", X, y, size, ("25x", "8x"), "predict_proba")


def multinomial(rng: np.random.Generator) -> Iterator[Measurement]:
    X, y = word_counts(rng, n_texts=20_000, n_words=50_000), rng.integers(0, 20, 20_000)
    size = f"CSR 20,000 x 50,000, {X.nnz:,} entries, 20 classes"
    yield from fit_and_score("MultinomialNB", X, y, size, ("1.5x", "1x"), "predict")


def bernoulli(rng: np.random.Generator) -> Iterator[Measurement]:
    X, y = rng.integers(0, 2, (200_000, 200)).astype(np.float64), rng.integers(0, 5, 200_000)
    size = "200,000 x 200, 5 classes"
    yield from fit_and_score("BernoulliNB", X, y, size, ("5x", "3x"), "predict_proba")


def mixed_table(rng: np.random.Generator) -> Iterator[Measurement]:
    """A table of words and numbers, as pandas has it; our fit includes the choice of the kinds."""
    n_rows = 1_000_000
    codes = rng.integers(0, 3, n_rows)
    y = np.array(["ham", "news", "spam"])[codes]
    values = np.array([f"value {number}" for number in range(20)])
    words = {
        f"word {column}": values[(rng.integers(0, 20, n_rows) + codes) % 20] for column in range(10)
    }
    numbers = {
        f"number {column}": rng.normal(size=n_rows) + 0.3 * column * codes for column in range(10)
    }
    table = pd.DataFrame({**words, **numbers})

    def theirs() -> None:
        encoded = OrdinalEncoder().fit_transform(table[list(words)])
        peer.CategoricalNB().fit(encoded, y)
        peer.GaussianNB().fit(table[list(numbers)], y)

    size = "1,000,000 x (10 strings + 10 numbers), 3 classes"
    ours = by.NaiveBayes().fit(table, y)
    yield Measurement(
        "NaiveBayes fit",
        size,
        f"OrdinalEncoder + CategoricalNB + GaussianNB, {PEER}",
        *best(lambda: by.NaiveBayes().fit(table, y).kinds_, theirs, repeats=3),
        "5x",
    )
    yield Measurement(
        "NaiveBayes leave_one_out against predict_proba",
        size,
        "bayesic predict_proba",
        *best(lambda: ours.leave_one_out(table, y), lambda: ours.predict_proba(table), repeats=3),
        "0.25x",
    )


def leave_one_out(rng: np.random.Generator) -> Iterator[Measurement]:
    counts, y = rng.poisson(2.0, (100_000, 20)), rng.integers(0, 5, 100_000)
    measurements = rng.normal(size=(100_000, 20))
    for name in ("GaussianNB", "CategoricalNB", "BernoulliNB", "MultinomialNB", "ComplementNB"):
        X = measurements if name == "GaussianNB" else counts
        model = getattr(by, name)().fit(X, y)
        yield Measurement(
            f"{name} leave_one_out against predict_proba",
            "100,000 x 20, 5 classes",
            "bayesic predict_proba",
            *best(
                lambda model=model, X=X: model.leave_one_out(X, y),
                lambda model=model, X=X: model.predict_proba(X),
            ),
            "0.25x",
        )


def small(rng: np.random.Generator) -> Iterator[Measurement]:
    X, y = load_iris(return_X_y=True)
    whole = np.floor(X).astype(np.int64)
    for name in ("GaussianNB", "CategoricalNB", "BernoulliNB", "MultinomialNB", "ComplementNB"):
        data = whole if name == "CategoricalNB" else X
        ours, theirs = getattr(by, name), getattr(peer, name)
        yield Measurement(
            f"{name} fit",
            "iris, 150 x 4",
            PEER,
            *best(
                lambda ours=ours, data=data: ours().fit(data, y),
                lambda theirs=theirs, data=data: theirs().fit(data, y),
                repeats=200,
            ),
            "1x",
        )


def word_counts(rng: np.random.Generator, n_texts: int, n_words: int) -> sparse.csr_array:
    """Texts of about 150 words, the frequency of a word falling with its rank as in a language."""
    lengths = rng.poisson(150, n_texts)
    words = np.minimum(rng.zipf(1.3, lengths.sum()) - 1, n_words - 1)
    rows = np.repeat(np.arange(n_texts), lengths)
    ones = np.ones(len(words), dtype=np.int64)
    X = sparse.coo_array((ones, (rows, words)), shape=(n_texts, n_words)).tocsr()
    X.sum_duplicates()
    return X


def memory(rng: np.random.Generator) -> Iterator[Measurement]:
    """Most memory that a fit takes on top of its input, as NumPy reports it."""
    X, y = rng.normal(size=(1_000_000, 50)), rng.integers(0, 5, 1_000_000)
    ours, theirs = (
        peak_memory(lambda model=model: model.GaussianNB().fit(X, y)) for model in (by, peer)
    )
    size = "1,000,000 x 50, 5 classes"
    yield Measurement("GaussianNB fit, memory above X", size, PEER, ours, theirs, "50 MB", "MB")


def peak_memory(function: Callable[[], object]) -> float:
    tracemalloc.start()
    function()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def importing() -> Iterator[Measurement]:
    measure = """
import sys, time
start = time.perf_counter()
__import__(sys.argv[1])
print(time.perf_counter() - start)
"""
    ours, theirs = (
        min(float(run_python(measure, module)) for _ in range(10))
        for module in ("bayesic", "numpy")
    )
    numpy = f"NumPy {version('numpy')}"
    yield Measurement("import bayesic against import numpy", "", numpy, ours, theirs, "0.67x")


def run_python(program: str, *arguments: str) -> str:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def compile_time(rng: np.random.Generator) -> float:
    """Seconds of the first use of every compiled kernel: importing Numba, compiling or loading."""
    X, y = rng.normal(size=(500, 3)), rng.integers(0, 2, 500)
    start = time.perf_counter()
    for model in (by.GaussianNB(), by.CategoricalNB()):
        data = X if isinstance(model, by.GaussianNB) else np.abs(X).astype(np.int64)
        model.fit(data, y)
        model.predict_proba(data)
        model.leave_one_out(data, y)
    return time.perf_counter() - start


def measure(kernels: str) -> tuple[list[Measurement], float]:
    """All measurements with one kind of kernels, and the time to make those ready."""
    rng = np.random.default_rng(0)
    os.environ["BAYESIC_KERNELS"] = kernels
    ready = compile_time(rng)
    if kernels == "compiled":
        del os.environ["BAYESIC_KERNELS"]  # from here on as a user has it: the size decides
    jobs = (gaussian, categorical, multinomial, bernoulli, leave_one_out, small)
    return [line for job in jobs for line in job(rng)], ready


def report() -> str:
    compiled, compile_seconds = measure("compiled")
    compiled += [*mixed_table(np.random.default_rng(2))]
    compiled += [*memory(np.random.default_rng(1)), *importing()]
    # without Numba one thing counts: not to be slower than scikit-learn
    reference = [replace(line, bar="1x") for line in measure("reference")[0] if line.other == PEER]
    libraries = ", ".join(
        f"{name} {version(name)}" for name in ("numpy", "scipy", "scikit-learn", "numba")
    )
    return f"""# Results

Measured {date.today()} with `make bench` on {os.cpu_count()} cores ({processor()}),
Python {platform.python_version()}, {libraries}.
The best of {REPEATS} runs (iris: of 200), the two in turns, everything included: validation, coding
of labels, results.
The ratio is the other time divided by ours: above 1 we are faster. "To reach" is the ratio we want.
Where it is missed, it stands here all the same.

## As installed with `bayesic[fast]`

Numba kernels from {by.kernels.STEPS_THAT_REPAY_COMPILING:,} steps on (rows x columns x classes),
NumPy below.
Making the compiled kernels ready (importing Numba, compiling or loading from the cache) took
{compile_seconds:.2f} s, once in a process; it is in none of the times below.

{table(compiled)}

A file that is read in blocks (`python -m benchmarks streaming`, larger with `--gigabytes`):
{streaming.learn(gigabytes=0.5)}.

## Without Numba

The same with the reference kernels only. Nothing here may be slower than scikit-learn.

{table(reference)}
"""


if __name__ == "__main__":
    tell_and_keep(report, RESULTS, __doc__)
