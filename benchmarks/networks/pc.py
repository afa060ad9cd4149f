"""Structure by tests of independence: PC against pyAgrum and pgmpy, in the same run.

    python -m benchmarks pc

Prints the table and writes it to PC.md beside this file; with --dry it is printed only.
"""

import os
import platform
import warnings
from collections.abc import Callable, Iterable
from datetime import date
from functools import partial
from importlib.metadata import version
from pathlib import Path

import pandas as pd
import pyagrum

from bayesic.networks._structure.coded_columns import coded_columns
from bayesic.networks._structure.pc import pc
from benchmarks.measuring import best, processor, tell_and_keep

RESULTS = Path(__file__).with_name("PC.md")
REPEATS, N_ROWS, SIGNIFICANCE, MOST_GIVEN = 3, 10_000, 0.05, 3
TESTS = {"g-squared": ("G2", "g_sq"), "chi-squared": ("Chi2", "chi_square")}

Edges = set[frozenset[str]]


def alarm() -> tuple[pd.DataFrame, Edges]:
    """Rows that the network ALARM draws, and its edges."""
    from pgmpy.utils import get_example_model

    network = get_example_model("alarm")
    rows = network.simulate(N_ROWS, seed=0, show_progress=False).astype(str)
    return rows, skeleton(network.edges())


def skeleton(edges: Iterable[tuple[str, str]]) -> Edges:
    return {frozenset(edge) for edge in edges}


def ours(rows: pd.DataFrame, test: str) -> Edges:
    graph = pc(coded_columns(rows), test, SIGNIFICANCE, max_condition=MOST_GIVEN)
    return skeleton([*graph.directed, *graph.undirected])


def by_pyagrum(rows: pd.DataFrame, test: str) -> Edges:
    learner = pyagrum.BNLearner(rows)
    learner.usePC()
    learner.setPCAlpha(SIGNIFICANCE)
    learner.setPCStable(True)
    learner.setPCMaxCondSetSize(MOST_GIVEN)
    getattr(learner, f"use{TESTS[test][0]}Test")()
    graph = learner.learnPDAG()
    name = learner.nameFromId
    return skeleton((name(one), name(other)) for one, other in [*graph.arcs(), *graph.edges()])


def by_pgmpy(rows: pd.DataFrame, test: str) -> Edges:
    from pgmpy.causal_discovery import PC

    search = PC(
        variant="stable",
        ci_test=TESTS[test][1],
        significance_level=SIGNIFICANCE,
        max_cond_vars=MOST_GIVEN,
        show_progress=False,
    )
    return skeleton(search.fit(rows).skeleton_.edges())


LIBRARIES: dict[str, Callable[[pd.DataFrame, str], Edges]] = {
    "bayesic": ours,
    "pyAgrum": by_pyagrum,
    "pgmpy": by_pgmpy,
}


def lines() -> list[str]:
    rows, true = alarm()
    ours(rows, "g-squared")  # compiles, or loads what is compiled
    told = []
    for test in TESTS:
        found = {name: learn(rows, test) for name, learn in LIBRARIES.items()}
        seconds = best(
            *(partial(learn, rows, test) for learn in LIBRARIES.values()),
            repeats=REPEATS,
        )
        for (name, edges), time in zip(found.items(), seconds, strict=True):
            told.append(
                f"| {test} | {name} | {time:.2f} | {time / seconds[0]:.1f} | {len(edges & true)} "
                f"| {len(edges - true)} |"
            )
    return told


def report() -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        measured = "\n".join(lines())
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba"))
    peers = ", ".join(f"{name} {version(name)}" for name in ("pyagrum", "pgmpy"))
    return f"""# PC on ALARM

Measured {date.today()} with `python -m benchmarks pc` on {os.cpu_count()} cores ({processor()}),
Python {platform.python_version()}, {libraries}; {peers}.

{N_ROWS:,} rows that ALARM (37 variables, 46 edges) draws. Significance {SIGNIFICANCE}, at most
{MOST_GIVEN} variables given. From the table to the graph; the best of {REPEATS} runs, in turns,
after a first one that compiles. Edges are counted without their direction.

| test | library | seconds | times ours | edges of 46 | extra |
| --- | --- | ---: | ---: | ---: | ---: |
{measured}

The tests differ where cells are empty: pyAgrum counts the degrees of freedom in another way, and
pgmpy corrects tables of two by two for continuity. Ours is as in the documentation of
`degrees_of_freedom`.
"""


if __name__ == "__main__":
    tell_and_keep(report, RESULTS, __doc__)
