"""Structure by scores: hill climbing and K2 against pyAgrum and pgmpy, in the same run.

    python -m benchmarks structure

Prints the tables and writes them to STRUCTURE.md beside this file; with --dry it prints only.
"""

import os
import platform
import warnings
from collections.abc import Callable, Iterable
from datetime import date
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from time import perf_counter

import pandas as pd
import pyagrum

from bayesic.networks._directed_graph import topological_order
from bayesic.networks._structure.coded_columns import coded_columns, numbers_of
from bayesic.networks._structure.family_scores import family_score, rule_of
from bayesic.networks.structure_learning import learn_structure
from benchmarks.measuring import best, processor, tell_and_keep

RESULTS = Path(__file__).with_name("STRUCTURE.md")
REPEATS, N_ROWS, SAMPLES, MANY_RESTARTS = 3, 10_000, 3, 200

Edges = list[tuple[str, str]]


@cache
def rows_of_alarm(seed: int) -> pd.DataFrame:
    """Rows that the network ALARM draws, as categories."""
    rows = alarm().simulate(N_ROWS, seed=seed, show_progress=False)
    return rows.astype(str).astype("category")


@cache
def alarm():
    from pgmpy.utils import get_example_model

    return get_example_model("alarm")


def true_edges() -> Edges:
    return list(alarm().edges())


def order() -> list[str]:
    parents = {name: [] for name in sorted(alarm().nodes())}
    for parent, child in true_edges():
        parents[child].append(parent)
    return topological_order(parents)


def bic_of(rows: pd.DataFrame, edges: Edges) -> float:
    columns = coded_columns(rows)
    number, rule = numbers_of(columns), rule_of("bic", columns.n_samples)
    return sum(
        family_score(
            columns, rule, number[name], [number[one] for one, child in edges if child == name]
        )
        for name in number
    )


# hill climbing ----------------------------------------------------------------------------------


def climb(rows: pd.DataFrame, restarts: int | None = None) -> Edges:
    return learn_structure(rows, restarts=restarts).edges


def climb_by_pyagrum(rows: pd.DataFrame) -> Edges:
    learner = pyagrum.BNLearner(rows)
    learner.useScoreBIC()
    learner.useGreedyHillClimbing()
    return named(learner, learner.learnDAG().arcs())


def climb_by_pgmpy(rows: pd.DataFrame) -> Edges:
    from pgmpy.estimators import HillClimbSearch

    search = HillClimbSearch(rows)
    return list(search.estimate(scoring_method="bic-d", show_progress=False).edges())


# K2 ---------------------------------------------------------------------------------------------


def k2(rows: pd.DataFrame) -> Edges:
    return learn_structure(rows, method="k2", order=order()).edges


def k2_by_pyagrum(rows: pd.DataFrame) -> Edges:
    learner = pyagrum.BNLearner(rows)
    learner.useScoreK2()
    learner.useK2([learner.idFromName(name) for name in order()])
    return named(learner, learner.learnDAG().arcs())


def named(learner: pyagrum.BNLearner, arcs: Iterable[tuple[int, int]]) -> Edges:
    return [(learner.nameFromId(one), learner.nameFromId(other)) for one, other in arcs]


# tables -----------------------------------------------------------------------------------------


def timed(job: str, libraries: dict[str, Callable[[pd.DataFrame], Edges]]) -> list[str]:
    rows, true = rows_of_alarm(0), set(true_edges())
    found = {name: learn(rows) for name, learn in libraries.items()}
    seconds = best(*(partial(learn, rows) for learn in libraries.values()), repeats=REPEATS)
    return [
        f"| {job} | {name} | {time:.3f} | {time / seconds[0]:.1f} | {bic_of(rows, edges):,.0f} "
        f"| {len(set(edges) & true)} | {len(set(edges) - true)} |"
        for (name, edges), time in zip(found.items(), seconds, strict=True)
    ]


def scores() -> list[str]:
    told = []
    for seed in range(SAMPLES):
        rows = rows_of_alarm(seed)
        start = perf_counter()
        many = climb(rows, MANY_RESTARTS)
        seconds = perf_counter() - start
        each = [climb(rows), climb_by_pyagrum(rows), climb_by_pgmpy(rows), true_edges(), many]
        told.append(
            f"| {seed} | {' | '.join(f'{bic_of(rows, edges):,.0f}' for edges in each)} "
            f"| {seconds:.2f} |"
        )
    return told


def report() -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = perf_counter()
        climb(rows_of_alarm(0))
        first = perf_counter() - start
        table = timed(
            "hill climbing, BIC",
            {"bayesic": climb, "pyAgrum": climb_by_pyagrum, "pgmpy": climb_by_pgmpy},
        )
        table += timed("K2, the true order", {"bayesic": k2, "pyAgrum": k2_by_pyagrum})
        samples = scores()
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba"))
    peers = ", ".join(f"{name} {version(name)}" for name in ("pyagrum", "pgmpy"))
    return f"""# Structure by scores on ALARM

Measured {date.today()} with `python -m benchmarks structure` on {os.cpu_count()} cores
({processor()}), Python {platform.python_version()}, {libraries}; {peers}.

{N_ROWS:,} rows that ALARM (37 variables, 46 edges) draws, as categories of pandas. From the table
to the edges; ours counts the tables of the network as well. The best of {REPEATS} runs, in turns. A
first run, which compiles or loads what is compiled, took {first:.2f} s.

| job | library | seconds | times ours | BIC | edges of 46 | extra |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
{chr(10).join(table)}

An edge turned the other way counts as extra. What pgmpy finds depends on the seed of Python's
hashes.

BIC of several samples, and the seconds that {MANY_RESTARTS} restarts took:

| sample | bayesic | pyAgrum | pgmpy | true network | bayesic, {MANY_RESTARTS} restarts | seconds |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: |
{chr(10).join(samples)}
"""


if __name__ == "__main__":
    tell_and_keep(report, RESULTS, __doc__)
