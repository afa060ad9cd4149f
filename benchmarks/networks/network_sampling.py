"""Samples of ALARM against pgmpy and pyAgrum, in the same run.

    python -m benchmarks network_sampling

Prints a table and writes it to NETWORK_SAMPLING.md beside this file. It takes about 8 minutes.
"""

import os
import platform
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from datetime import date
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyagrum

from bayesic.networks._sampling.estimate import sampled_posterior
from bayesic.networks._sampling.forward import forward_samples
from bayesic.networks.network import BeliefNetwork
from benchmarks.measuring import best, processor, tell_and_keep

RESULTS = Path(__file__).with_name("NETWORK_SAMPLING.md")
REPEATS, PEER_REPEATS = 5, 2
N_ROWS, N_SAMPLES = 1_000_000, 20_000
EVIDENCE = {"HRBP": "HIGH", "CVP": "LOW", "SAO2": "LOW"}


def alarm() -> tuple[BeliefNetwork, object, pyagrum.BayesNet]:
    """ALARM as pgmpy ships it: ours, pgmpy's, pyAgrum's."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy.utils import get_example_model

        theirs = get_example_model("alarm")
    tables, edges = {}, []
    for cpd in theirs.get_cpds():
        edges += [(parent, cpd.variable) for parent in cpd.variables[1:]]
        tables[cpd.variable] = np.moveaxis(np.asarray(cpd.values, dtype=np.float64), 0, -1)
    states = {cpd.variable: cpd.state_names[cpd.variable] for cpd in theirs.get_cpds()}
    ours = BeliefNetwork(edges, tables, states, normalise=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "alarm.bif"
        ours.write(path)
        return ours, theirs, pyagrum.loadBN(str(path))


def in_turns(ours: list[Callable], theirs: list[Callable]) -> list[float]:
    """The best time of each; the slow ones are run less often."""
    times = best(*ours, *theirs, repeats=PEER_REPEATS)
    more = best(*ours, repeats=REPEATS - PEER_REPEATS)
    return [*map(min, times, more), *times[len(ours) :]]


def forward(net: BeliefNetwork, peer: object, agrum: pyagrum.BayesNet) -> Iterator[list[str]]:
    from pgmpy.sampling import BayesianModelSampling

    sampler = BayesianModelSampling(peer)
    generator = pyagrum.BNDatabaseGenerator(agrum)

    def by_pgmpy() -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sampler.forward_sample(size=N_ROWS, show_progress=False)

    def by_agrum() -> None:
        generator.drawSamples(N_ROWS)
        generator.to_pandas()

    columns, frame, polars, pgmpy_frame, agrum_frame, agrum_drawn = in_turns(
        [
            lambda: forward_samples(net, N_ROWS),
            lambda: pd.DataFrame(forward_samples(net, N_ROWS)),
            lambda: pl.DataFrame(forward_samples(net, N_ROWS)),
        ],
        [by_pgmpy, by_agrum, lambda: generator.drawSamples(N_ROWS)],
    )
    job = f"{N_ROWS:,} forward samples"
    yield row(f"{job}: columns of texts", columns, "pgmpy, pandas of texts", pgmpy_frame, "5x")
    yield row(f"{job}: columns of texts", columns, "pyAgrum, pandas of texts", agrum_frame, "5x")
    yield row(f"{job}: pandas of texts", frame, "pgmpy, pandas of texts", pgmpy_frame, "5x")
    yield row(f"{job}: pandas of texts", frame, "pyAgrum, pandas of texts", agrum_frame, "5x")
    yield row(f"{job}: polars of texts", polars, "pyAgrum, pandas of texts", agrum_frame, "")
    yield row(
        f"{job}: columns of texts", columns, "pyAgrum, numbers kept inside", agrum_drawn, "5x"
    )


def posteriors(net: BeliefNetwork, agrum: pyagrum.BayesNet) -> Iterator[list[str]]:
    job = f"all marginals, {len(EVIDENCE)} observed, {N_SAMPLES:,} samples"
    for method, Peer in (
        ("likelihood-weighting", pyagrum.WeightedSampling),
        ("gibbs", pyagrum.GibbsSampling),
    ):

        def theirs(Peer: type = Peer) -> object:
            inference = Peer(agrum)
            inference.setEvidence(EVIDENCE)
            inference.setMaxIter(N_SAMPLES)
            inference.setEpsilon(1e-12)
            inference.setMinEpsilonRate(1e-12)
            inference.setMaxTime(600)
            inference.makeInference()
            return [inference.posterior(name).toarray() for name in net.variables]

        def ours(method: str = method) -> object:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return sampled_posterior(net, None, EVIDENCE, method=method, samples=N_SAMPLES)

        ours_time, their_time = in_turns([ours], [theirs])
        yield row(f"{method}: {job}", ours_time, Peer.__name__ + " of pyAgrum", their_time, "")


def row(job: str, ours: float, other: str, theirs: float, bar: str) -> list[str]:
    return [job, f"{ours:.3f} s", other, f"{theirs:.3f} s", f"{theirs / ours:.1f}x", bar]


def report() -> str:
    net, peer, agrum = alarm()
    start = time.perf_counter()
    forward_samples(net, N_ROWS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sampled_posterior(net, None, EVIDENCE, method="gibbs", samples=N_SAMPLES)
    ready = time.perf_counter() - start
    head = ["job", "bayesic", "the other", "its time", "ratio", "to reach"]
    rows = [head, ["---"] * len(head), *forward(net, peer, agrum), *posteriors(net, agrum)]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
    libraries = ", ".join(
        f"{name} {version(name)}"
        for name in ("numpy", "numba", "pandas", "polars", "pgmpy", "pyagrum")
    )
    return f"""# Samples of networks

Measured {date.today()} with `python -m benchmarks network_sampling` on {os.cpu_count()} cores
({processor()}), Python {platform.python_version()}, {libraries}.
ALARM (37 variables), as pgmpy ships it. The best of {REPEATS} runs, of the others {PEER_REPEATS},
in turns. The first calls, which compile or load the kernels, took {ready:.1f} s and are in no time
below.

"Columns of texts" is what `forward_samples` gives: a NumPy array of Python texts for each variable.
pgmpy and pyAgrum give a pandas table of texts; so there is a line with ours in pandas as well,
where most of the time is that of pandas. pyAgrum can also stop before: then it has drawn numbers of
states, which Python reads one by one. The ratio is the other time divided by ours.

In the last lines the number of samples is the same. Our 64 chains have a burn-in of 100 sweeps
each, pyAgrum's one chain has none.

{table}
"""


if __name__ == "__main__":
    tell_and_keep(report, RESULTS, __doc__)
