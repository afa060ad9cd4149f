"""Speed of candidate elimination, brute force over all conjunctions, their votes, and MDL trees.

    python -m benchmarks hypotheses

Prints a table and writes it to HYPOTHESES.md beside this file.
"""

import os
import platform
from collections.abc import Callable, Iterator
from datetime import date
from fractions import Fraction
from importlib.metadata import version
from itertools import product
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

from bayesic.hypotheses import brute_force_map
from bayesic.hypotheses.mdl_tree.tree_classifier import MDLTreeClassifier
from bayesic.hypotheses.version_space import candidate_elimination
from benchmarks.measuring import best, processor, tell_and_keep

RESULTS = Path(__file__).with_name("HYPOTHESES.md")
COLOURS = ("red", "green", "blue")


def versions(rng: np.random.Generator) -> Iterator[list[str]]:
    """One positive row is the hard case: 2^20 hypotheses are above it."""
    X = rng.choice(["yes", "no"], (1_000, 20))
    one = np.arange(1_000) == 0
    concept = (X[:, 2] == "yes") & (X[:, 5] == "no") & (X[:, 11] == "yes")
    for what, y in (("1 positive row", one), ("a concept of 3 attributes", concept)):

        def learn(y: np.ndarray = y) -> None:
            space = candidate_elimination(X, y)
            _ = space.specific, space.general, space.size

        space = candidate_elimination(X, y)
        found = f"G has {len(space.general):,}, {space.size:,} hypotheses"
        yield row("candidate elimination: S, G, size", f"1,000 x 20, {what}", found, learn)
    space = candidate_elimination(X, one)
    _ = space.votes(X[:1])
    yield row(
        "votes of the version space, its table ready",
        "1,000 rows asked",
        "",
        lambda: space.votes(X),
    )


def posteriors(rng: np.random.Generator) -> Iterator[list[str]]:
    X = rng.choice(COLOURS, (1_000, 10))
    clean = (X[:, 0] == "red") & (X[:, 3] == "blue")
    noisy = clean ^ (rng.random(1_000) < 0.1)

    def specific_first(asked: int) -> int:
        return 2**asked

    size = "1,000 x 10, 4^10 + 1 hypotheses"
    for what, y, arguments in (
        ("no noise, uniform prior, exact", clean, {}),
        ("no noise, specific first, exact", clean, {"prior": specific_first}),
        ("noise 0.1, floats", noisy, {"noise": 0.1}),
        (
            "noise 1/10, specific first, exact",
            noisy,
            {"noise": Fraction(1, 10), "prior": specific_first},
        ),
    ):

        def learn(y: np.ndarray = y, arguments: dict = arguments) -> None:
            _ = brute_force_map(X, y, **arguments).map_hypothesis

        found = " ".join(brute_force_map(X, y, **arguments).map_hypothesis)
        yield row(f"brute force: {what}", size, found, learn)
    learned = brute_force_map(X, noisy, noise=0.1)

    def vote() -> None:
        learned.__dict__.pop("_yes", None)
        learned.vote(X)

    yield row("Bayes optimal vote of all hypotheses", size + ", 1,000 rows asked", "", vote)


def one_by_one(rng: np.random.Generator) -> Iterator[list[str]]:
    """The plain way: each hypothesis asks each row. Few hypotheses, or it takes for ever."""
    X = rng.choice(COLOURS, (1_000, 6))
    y = (X[:, 0] == "red") & (X[:, 3] == "blue")

    def plain() -> None:
        for wanted in product((*COLOURS, None), repeat=6):
            covered = np.ones(len(X), dtype=bool)
            for place, value in enumerate(wanted):
                if value is not None:
                    covered &= X[:, place] == value
            _ = (covered == y).all()

    size = "1,000 x 6, 4^6 hypotheses"
    yield row("one hypothesis after the other, in NumPy", size, "", plain, repeats=1)
    yield row("the same by brute_force_map", size, "", lambda: brute_force_map(X, y))


def trees() -> Iterator[list[str]]:
    X, y = make_classification(10_000, 20, n_informative=10, random_state=0)
    ours, theirs = MDLTreeClassifier().fit(X, y), DecisionTreeClassifier(random_state=0).fit(X, y)
    size = "10,000 x 20 numbers"
    for model, n_leaves in ((ours, ours.n_leaves_), (theirs, theirs.get_n_leaves())):

        def learn(model: MDLTreeClassifier | DecisionTreeClassifier = model) -> None:
            model.fit(X, y)

        yield row(f"{type(model).__name__}: fit", size, f"{n_leaves} leaves", learn)


def row(
    job: str, size: str, found: str, function: Callable[[], object], repeats: int = 5
) -> list[str]:
    (seconds,) = best(function, repeats=repeats)
    return [job, size, found, f"{seconds:.3f} s"]


def report() -> str:
    rng = np.random.default_rng(0)
    head = ["job", "size", "found", "time"]
    rows = [head, ["---"] * 4, *versions(rng), *posteriors(rng), *one_by_one(rng), *trees()]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "scikit-learn"))
    return f"""# Hypotheses

Measured {date.today()} with `python -m benchmarks hypotheses` on {os.cpu_count()} cores
({processor()}), Python {platform.python_version()}, {libraries}.
The best of 5 runs (one hypothesis after the other: of 1), everything included: reading the table,
labels, the answer. The last lines measure the plain way, and trees beside those of scikit-learn.

To reach: about a second for candidate elimination on 20 attributes x 1,000 rows, and for brute
force over 1,000,000 hypotheses.

{table}
"""


if __name__ == "__main__":
    tell_and_keep(report, RESULTS, __doc__)
