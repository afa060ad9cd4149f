"""Questions to ALARM through the public methods against pyAgrum, in the same run.

    python -m benchmarks networks

States are texts, and tables are data frames of texts, as users have them. Prints a table and writes
it to NETWORKS.md beside this file. Large networks are in `network_engine.py`, tables from rows in
`network_learning.py`, samples in `network_sampling.py`, rows with gaps in `network_em.py`.
"""

import os
import platform
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from datetime import date
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
import pyagrum

from bayesic.networks.network import BeliefNetwork
from bayesic.networks.reading import read_network
from benchmarks.measuring import Measurement, best, processor, table, tell_and_keep
from benchmarks.networks.network_sampling import alarm

RESULTS = Path(__file__).with_name("NETWORKS.md")
PEER = f"pyAgrum {version('pyagrum')}"
N_ROWS, PEER_ROWS, TARGET = 10_000, 300, "HRBP"
OBSERVED = ("CVP", "HISTORY", "BP", "SAO2", "PRESS")
QUESTION = """
import bayesic as by
by.datasets.asia().query("lung", given={"smoke": "yes"})
"""


def one_query(net: BeliefNetwork, agrum: pyagrum.BayesNet, rows: pd.DataFrame) -> Measurement:
    given = {name: rows[name][0] for name in OBSERVED}
    inference = pyagrum.ShaferShenoyInference(agrum)

    def ours() -> list[np.ndarray]:
        answers = net.query(given=given)
        return [answers[name].probabilities for name in net.variables]

    def theirs() -> list[np.ndarray]:
        inference.setEvidence(given)
        inference.makeInference()
        return [inference.posterior(name).toarray() for name in net.variables]

    for mine, other in zip(ours(), theirs(), strict=True):
        np.testing.assert_allclose(mine, other, atol=1e-6)
    times = best(ours, theirs, repeats=10, in_a_row=20)
    size = f"{len(OBSERVED)} observed"
    return Measurement("all marginals, one query", size, f"{PEER} Shafer-Shenoy", *times, "8x")


def by_loop(agrum: pyagrum.BayesNet, rows: pd.DataFrame, targets: list[str]) -> Callable:
    """pyAgrum has no batch for rows with gaps: one inference for each."""
    inference = pyagrum.LazyPropagation(agrum)
    inference.setTargets(set(targets))
    records = [
        {name: state for name, state in row.items() if isinstance(state, str)}
        for row in rows[:PEER_ROWS].to_dict("records")
    ]

    def run() -> None:
        for record in records:
            inference.setEvidence(record)
            inference.makeInference()
            for target in targets:
                inference.posterior(target).toarray()

    return run


def batches(
    net: BeliefNetwork, agrum: pyagrum.BayesNet, rows: pd.DataFrame
) -> Iterator[Measurement]:
    from pyagrum.lib.discreteTypeProcessor import DiscreteTypeProcessor
    from pyagrum.skbn import BNClassifier

    complete = rows.drop(columns=TARGET)
    classifier = BNClassifier(type_processor=DiscreteTypeProcessor())
    classifier.fromTrainedModel(agrum, TARGET, variableList=list(complete.columns))
    size = f"{N_ROWS:,} rows of texts"
    ours, theirs = best(
        lambda: net.posteriors(complete, [TARGET]),
        lambda: classifier.predict_proba(complete),
        in_a_row=3,
    )
    yield Measurement("one target, others observed", size, f"{PEER} BNClassifier", ours, theirs,
                      "20x")  # fmt: skip
    gaps = complete.mask(np.random.default_rng(1).random(complete.shape) < 0.3)
    for job, targets, bar in (
        ("one target, 30 % missing", [TARGET], "40x"),
        ("all 37 marginals, 30 % missing", list(net.variables), "20x"),
    ):
        ours, theirs = best(
            lambda: net.posteriors(gaps, targets),  # noqa: B023
            by_loop(agrum, gaps, targets),
            repeats=2,
            in_a_row=3,
        )
        peer = f"{PEER} loop, from {PEER_ROWS} rows"
        yield Measurement(job, size, peer, ours, theirs * N_ROWS / PEER_ROWS, bar)


def reading() -> Measurement:
    (package,) = find_spec("pgmpy").submodule_search_locations
    packed = Path(package) / "utils" / "example_models" / "munin.bif.gz"
    net = read_network(packed, normalise=True)
    path = RESULTS.with_name("munin-for-a-moment.bif")
    net.write(path)
    try:
        times = best(lambda: read_network(path), lambda: pyagrum.loadBN(str(path)), repeats=3)
    finally:
        path.unlink()
    return Measurement("read MUNIN", "1,041 variables, BIF", PEER, *times, "0.5x")


def importing() -> Measurement:
    """A process that asks one question, less one that only starts Python."""
    programs = ["pass", QUESTION, "import pyagrum"]
    start, ours, theirs = best(
        *(lambda text=text: subprocess.run([sys.executable, "-c", text], check=True)
          for text in programs),
        repeats=7,
    )  # fmt: skip
    return Measurement("import and ask ASIA", "a new process, without Python's own start",
                       f"import of {PEER}", ours - start, theirs - start, "0.3 s")  # fmt: skip


def routes(query: Measurement, others: Measurement, one: Measurement, every: Measurement) -> str:
    """Which rows take which route, and the numbers above that it is kept for."""
    in_passes = N_ROWS * query.ours
    answers = [f"{each.theirs / each.ours:.1f}x" for each in (query, others, one, every)]
    return f"""| route | rows that take it | kept for |
| --- | --- | --- |
| Markov blankets, in NumPy | no two neighbours are unobserved, as in a row that is complete but \
for the target | one target, others observed: {answers[1]} without compiled kernels; passes in \
NumPy would take {N_ROWS:,} times the time of one query, {in_passes:.1f} s |
| two passes over a small tree, in NumPy and compiled | trees of at most 2^20 cells | one query, \
in NumPy: {answers[0]}; rows with 30 % missing, compiled: {answers[2]} and {answers[3]} |
| messages in any tree, in logs and, compiled, in blocks | larger trees, likelihoods in many \
rows, most probable states, and rows with numbers too small for passes | LINK, MUNIN, BARLEY and \
DIABETES in `NETWORK_ENGINE.md`: time, and at most twice the memory of pyAgrum |"""


def report() -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        net, _, agrum = alarm()
        rows = pd.DataFrame(net.sample(N_ROWS, seed=1)).astype("str")
        measured = [one_query(net, agrum, rows), *batches(net, agrum, rows)]
        measured += [reading(), importing()]
    libraries = ", ".join(
        f"{name} {version(name)}" for name in ("numpy", "numba", "pandas", "pyagrum")
    )
    return f"""# Belief networks

Measured {date.today()} with `python -m benchmarks networks` on {os.cpu_count()} cores
({processor()}), Python {platform.python_version()}, {libraries}.
ALARM, through the public methods; the best of several runs, in turns of three or more (a query:
twenty) in a row. The ratio is the other time divided by ours. One query is answered by NumPy,
tables by the compiled kernels; loading or compiling them is in no number.

{table(measured)}

## Three routes

{routes(*measured[:4])}
"""


if __name__ == "__main__":
    tell_and_keep(report, RESULTS, __doc__)
