"""Speed and accuracy of Gaussian Bayes, QDA and LDA against scikit-learn in the same run.

    python -m benchmarks gaussian

Prints the tables and writes them to GAUSSIAN.md beside this file. The accuracy needs tables
(`shared.py`); where there are none, a sentence says so.
"""

import os
import platform
import warnings
from collections.abc import Callable, Iterator
from datetime import date
from importlib.metadata import version
from pathlib import Path

import numpy as np
import sklearn.discriminant_analysis as peer

from bayesic.models.normal.discriminant import QuadraticDiscriminantAnalysis
from bayesic.models.normal.gaussian_bayes import GaussianBayes
from bayesic.models.normal.linear_discriminant import LinearDiscriminantAnalysis
from benchmarks.measuring import PEER, Measurement, best, processor, table, tell_and_keep
from benchmarks.models._tables import Table, tables
from benchmarks.shared import TABLES

RESULTS = Path(__file__).with_name("GAUSSIAN.md")
SHORT_REPEATS = 25  # short jobs, which other work on the machine disturbs most
OFFICIAL = ("vowel", "satimage", "pendigits")
WITH_SINGULAR_CLASSES = ("glass", "ionosphere", "spambase", "segment", "pendigits")
MODELS: dict[str, Callable] = {
    "LDA": LinearDiscriminantAnalysis,
    "QDA": GaussianBayes,
    'QDA, shrinkage="auto"': lambda: GaussianBayes(shrinkage="auto"),
    'QDA, shrinkage="ledoit-wolf"': lambda: GaussianBayes(shrinkage="ledoit-wolf"),
    "LDA of scikit-learn": peer.LinearDiscriminantAnalysis,
    "QDA of scikit-learn": peer.QuadraticDiscriminantAnalysis,
}


def speed(rng: np.random.Generator) -> Iterator[Measurement]:
    X, y = rng.normal(size=(300_000, 50)), rng.integers(0, 5, 300_000)
    size = "300,000 x 50, 5 classes"
    linear, quadratic, svd_peer, lsqr_peer, quadratic_peer = best(
        lambda: LinearDiscriminantAnalysis().fit(X, y),
        lambda: QuadraticDiscriminantAnalysis().fit(X, y),
        lambda: peer.LinearDiscriminantAnalysis().fit(X, y),
        lambda: peer.LinearDiscriminantAnalysis(solver="lsqr").fit(X, y),
        lambda: peer.QuadraticDiscriminantAnalysis().fit(X, y),
    )
    yield Measurement("LDA fit", size, f"{PEER}, svd", linear, svd_peer, "20x")
    yield Measurement("LDA fit", size, f"{PEER}, lsqr", linear, lsqr_peer, "3x")
    yield Measurement("QDA fit", size, PEER, quadratic, quadratic_peer, "20x")
    ours = QuadraticDiscriminantAnalysis().fit(X, y)
    theirs = peer.QuadraticDiscriminantAnalysis().fit(X, y)
    answers = best(lambda: ours.predict_proba(X), lambda: theirs.predict_proba(X))
    yield Measurement("QDA predict_proba", size, PEER, *answers, "4x")


def leaving_one_out(rng: np.random.Generator) -> Iterator[Measurement]:
    X, y = rng.normal(size=(20_000, 20)), rng.integers(0, 5, 20_000)
    for name, make in (
        ("QDA", QuadraticDiscriminantAnalysis),
        ("LDA", LinearDiscriminantAnalysis),
    ):
        model = make().fit(X, y)
        seconds, ours, theirs = best(
            lambda model=model: model.leave_one_out(X, y),
            lambda make=make: make().fit(X, y),
            lambda make=make: getattr(peer, make.__name__)().fit(X, y),
            repeats=SHORT_REPEATS,
        )
        size = "20,000 x 20, 5 classes"
        for other, refit in (("ours", ours), (PEER, theirs)):
            against = f"20,000 refits of {other}, from one"
            yield Measurement(
                f"{name} leave_one_out", size, against, seconds, refit * len(y), "1000x"
            )


def accuracy(make: Callable, data: Table) -> float | None:
    """The share of right answers over all folds; None where the model refuses."""
    X, right, asked = data.X.to_numpy(dtype=float), 0, 0
    for train, test in data.folds:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # singular classes: told in the table's text
                answers = make().fit(X[train], data.y[train]).predict(X[test])
        except np.linalg.LinAlgError:
            return None
        right += int((answers == data.y[test]).sum())
        asked += len(test)
    return right / asked


def accuracy_table() -> str:
    names = sorted({*OFFICIAL, *WITH_SINGULAR_CLASSES})
    shares = {
        data.name: [accuracy(make, data) for make in MODELS.values()] for data in tables(names)
    }
    lines = [["table", *MODELS], ["---"] * (len(MODELS) + 1)]
    lines += [[name, *map(shown, of_table)] for name, of_table in shares.items()]
    means = [
        mean_of(column) for column in zip(*map(shares.get, WITH_SINGULAR_CLASSES), strict=True)
    ]
    lines.append([f"mean of {', '.join(WITH_SINGULAR_CLASSES)}", *map(shown, means)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def mean_of(column: tuple[float | None, ...]) -> float | None:
    return None if None in column else float(np.mean(column))


def shown(share: float | None) -> str:
    return "refused" if share is None else f"{share:.4f}"


def report() -> str:
    rng = np.random.default_rng(0)
    measured = [*speed(rng), *leaving_one_out(rng)]
    libraries = ", ".join(
        f"{name} {version(name)}" for name in ("numpy", "scipy", "scikit-learn", "numba")
    )
    if TABLES.exists():
        shares = accuracy_table()
    else:
        shares = "Not measured: the tables are not at hand (see `benchmarks/shared.py`)."
    return f"""# Gaussian Bayes

Measured {date.today()} with `python -m benchmarks gaussian` on {os.cpu_count()} cores
({processor()}), Python {platform.python_version()}, {libraries}.
The best of 5 runs (leave_one_out: of {SHORT_REPEATS}), in turns. The ratio is the other
time divided by ours. "To reach" is what we want; where it is missed, it stands here all the same.

{table(measured)}

## Accuracy

Share of right answers on rows that were not learned: the official split of vowel, satimage and
pendigits, else ten folds. QDA is `GaussianBayes()`, which shrinks singular classes by itself;
scikit-learn's refuses them.

{shares}
"""


if __name__ == "__main__":
    tell_and_keep(report, RESULTS, __doc__)
