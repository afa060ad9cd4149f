"""The exact inference engine against pyAgrum, in the same run.

    python -m benchmarks network_engine

Prints the tables and writes them to NETWORK_ENGINE.md beside this file. The networks are those that
pgmpy ships. The cases of the UAI 2014 competition do not come with the repository (`shared.py`).
"""

import gzip
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from datetime import date
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from bayesic.networks._engine.exact_inference import (
    expected_family_counts,
    most_probable,
    posteriors,
)
from bayesic.networks._engine.tree import compile_tree
from bayesic.networks.factors import Factors, conditioned
from benchmarks.measuring import best, processor, tell_and_keep
from benchmarks.shared import NETWORKS

RESULTS = Path(__file__).with_name("NETWORK_ENGINE.md")
MODULE = "benchmarks.networks.network_engine"
UAI = NETWORKS / "uai"
LARGE = ("barley", "diabetes", "link", "munin")
N_ROWS, EM_ROWS = 10_000, 1_000
ASKED, N_OBSERVED, N_QUESTIONS = ("asia", "insurance", "alarm", "andes"), 5, 20
MB = 1e6
MOST_MEMORY, MOST_SECONDS = 6 * 2**30, 120
NO_ANSWER = f"none in {MOST_MEMORY // 2**30} GB and {MOST_SECONDS} s"


def shipped_network(name: str) -> Factors:
    """A network that pgmpy ships; pgmpy is not imported."""
    from bayesic.networks.reading import read_network

    (package,) = find_spec("pgmpy").submodule_search_locations
    path = Path(package) / "utils" / "example_models" / f"{name}.bif.gz"
    return read_network(path, normalise=True).factors()


def in_pyagrum(factors: Factors) -> object:
    import pyagrum

    network = pyagrum.BayesNet()
    for number, size in enumerate(factors.cardinalities):
        network.add(pyagrum.LabelizedVariable(f"v{number}", "", size))
    for scope in factors.scopes:
        for parent in scope[:-1]:
            network.addArc(parent, scope[-1])
    for scope, table in zip(factors.scopes, factors.tables, strict=True):
        own = network.cpt(scope[-1])
        order = [scope.index(int(name[1:])) for name in own.names]
        own.fillWith(table.transpose(order).ravel(order="F").tolist())
    return network


def sampled(factors: Factors, n_rows: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    rows = np.full((n_rows, factors.n_variables), -1)
    waiting = list(range(factors.n_variables))
    while waiting:
        variable = waiting.pop(0)
        *parents, child = factors.scopes[variable]
        if (rows[:, parents] < 0).any():
            waiting.append(variable)
            continue
        shares = factors.tables[variable][tuple(rows[:, parent] for parent in parents)]
        shares = np.broadcast_to(shares, (n_rows, factors.cardinalities[child]))
        rows[:, child] = (rng.random((n_rows, 1)) > np.cumsum(shares, 1)[:, :-1]).sum(axis=1)
    return rows


def with_missing(rows: np.ndarray, share: float) -> np.ndarray:
    return np.where(np.random.default_rng(1).random(rows.shape) < share, -1, rows)


def asked_of_pyagrum(inference: object, rows: np.ndarray, targets: list[int]) -> None:
    for states in rows:
        inference.setEvidence({f"v{v}": int(s) for v, s in enumerate(states) if s >= 0})
        inference.makeInference()
        for target in targets:
            inference.posterior(target).toarray()


# one question ----------------------------------------------------------------------------------


def question_line(name: str) -> str:
    """All marginals with five observations, whose states are new each time; all in NumPy."""
    import pyagrum

    factors = shipped_network(name)
    observed = np.random.default_rng(3).choice(factors.n_variables, N_OBSERVED, replace=False)
    rows = np.full((N_QUESTIONS, factors.n_variables), -1)
    rows[:, observed] = sampled(factors, N_QUESTIONS)[:, observed]
    everything = list(range(factors.n_variables))
    peer = pyagrum.LazyPropagation(in_pyagrum(factors))
    (making,) = best(lambda: posteriors(compile_tree(factors), rows[:1]), repeats=3)
    tree = compile_tree(factors)
    ours, theirs = best(
        lambda: [posteriors(tree, row[None]) for row in rows],
        lambda: asked_of_pyagrum(peer, rows, everything),
        repeats=7,
    )
    told = f"{name} | {making * 1e3:,.1f} | {ours / N_QUESTIONS * 1e3:,.3f}"
    return f"| {told} | {theirs / N_QUESTIONS * 1e3:,.3f} | {theirs / ours:,.1f}x | 1x |"


# one row after the other ------------------------------------------------------------------------


def line(job: str, ours: float, theirs: float, unit: float, bar: str) -> str:
    ratio = f"{theirs / ours:,.1f}x"
    return f"| {job} | {ours * unit:,.1f} | {theirs * unit:,.1f} | {ratio} | {bar} |"


def em_line() -> str:
    import pandas as pd
    import pyagrum

    factors = shipped_network("alarm")
    network, tree = in_pyagrum(factors), compile_tree(factors)
    rows = with_missing(sampled(factors, EM_ROWS), 0.1)
    table = pd.DataFrame(rows, columns=[f"v{v}" for v in range(rows.shape[1])])
    table = table.astype(str).replace("-1", "?")
    learner = pyagrum.BNLearner(table, network, ["?"])
    learner.useSmoothingPrior(1.0)
    learner.useEM(1e-9)
    learner.EMsetMaxIter(2)
    times = []
    for iterations in (2, 4):
        learner.EMsetMaxIter(iterations)
        times += best(lambda: learner.learnParameters(network.dag()), repeats=1)
    (ours,) = best(
        lambda: expected_family_counts(tree.with_tables(factors.tables), rows), repeats=5
    )
    theirs = (times[1] - times[0]) / 2
    return line(f"{EM_ROWS:,} rows, 10 % missing, one iteration", ours, theirs, 1e3, "50x")


def most_probable_line() -> str:
    factors = shipped_network("alarm")
    tree, rows = compile_tree(factors), with_missing(sampled(factors, N_ROWS), 0.3)
    (seconds,) = best(lambda: most_probable(tree, rows), repeats=3)
    return f"{seconds / N_ROWS * 1e6:,.1f} microseconds a row"


# large networks, each in a process of its own ---------------------------------------------------


def measured_alone(library: str, path: str) -> None:
    """Print the seconds of all marginals and the memory they took, above the network itself."""
    # without this pyAgrum takes all the memory of a machine for LINK
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    with np.load(path) as arrays:
        n_factors = len(arrays.files) // 2
        scopes = tuple(tuple(map(int, arrays[f"scope{n}"])) for n in range(n_factors))
        tables = tuple(arrays[f"table{n}"] for n in range(n_factors))
    factors = Factors(tuple(table.shape[-1] for table in tables), scopes, tables)
    nothing = np.full((1, factors.n_variables), -1)
    small = Factors((2,), ((0,),), ([0.5, 0.5],))
    if library == "bayesic":
        posteriors(compile_tree(small), [[-1]])  # nothing to compute: loads no kernels
        load = best(lambda: warm_up(), repeats=1)[0]
        job = lambda: posteriors(compile_tree(factors), nothing)  # noqa: E731
    else:
        load, network, everything = 0.0, in_pyagrum(factors), list(range(factors.n_variables))
        import pyagrum

        peers = []

        def job() -> None:
            peers[:] = [pyagrum.LazyPropagation(network)]
            asked_of_pyagrum(peers[0], nothing, everything)

    before = peak_memory()
    (seconds,) = best(job, repeats=1)
    used = peak_memory() - before
    (again,) = best(job, repeats=2)
    print(json.dumps({"seconds": min(seconds, again), "MB": used, "peak": peak_memory(),
                      "load": load}))  # fmt: skip


def warm_up() -> None:
    """Load the compiled kernels with a question whose two variables are neighbours."""
    pair = Factors((2, 2), ((0, 1),), (np.full((2, 2), 0.25),))
    posteriors(compile_tree(pair), [[-1, -1]])
    posteriors(compile_tree(pair), [[-1, -1]], None, {0: [1.0, 0.5]})  # those for large trees


def peak_memory() -> float:
    """The peak of this program; ru_maxrss would begin with that of its parent."""
    status = Path("/proc/self/status").read_text()
    (kilobytes,) = (row.split()[1] for row in status.splitlines() if row.startswith("VmHWM"))
    return int(kilobytes) * 1024 / MB


def large_line(name: str, folder: str) -> str:
    factors = shipped_network(name)
    path = str(Path(folder) / f"{name}.npz")
    arrays = {f"table{n}": table for n, table in enumerate(factors.tables)}
    np.savez(path, **arrays, **{f"scope{n}": scope for n, scope in enumerate(factors.scopes)})
    ours, theirs = (in_its_own_process(library, path) for library in ("bayesic", "pyagrum"))
    if ours is None or theirs is None:
        told = [f"{one['seconds']:.2f}" if one else NO_ANSWER for one in (ours, theirs)]
        used = [f"{one['MB']:,.0f}" if one else "" for one in (ours, theirs)]
        peaks = [f"{one['peak']:,.0f}" if one else "" for one in (ours, theirs)]
        return f"| {name} | {' | '.join(told)} | | {' | '.join(used)} | {' | '.join(peaks)} |"
    return (
        f"| {name} | {ours['seconds']:.2f} | {theirs['seconds']:.2f} "
        f"| {theirs['seconds'] / ours['seconds']:.1f}x | {ours['MB']:,.0f} | {theirs['MB']:,.0f} "
        f"| {ours['peak']:,.0f} | {theirs['peak']:,.0f} |"
    )


def in_its_own_process(library: str, path: str) -> dict[str, float] | None:
    """What `measured_alone` prints; None where it does not end within memory and time."""
    command = [sys.executable, "-m", MODULE, "--alone", library, path]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return None
    return json.loads(done.stdout) if done.returncode == 0 else None


# UAI 2014 ---------------------------------------------------------------------------------------


def uai_line(name: str) -> str:
    """One case: the seconds, and how far the answers are from the published ones."""
    from bayesic.networks.reading import read_evidence, read_network

    factors = read_network(UAI / f"{name}.uai.gz").factors()
    evidence = read_evidence(UAI / f"{name}.uai.evid")
    observed = {int(variable[1:]): int(state) for variable, state in evidence.items()}
    nothing = np.full((1, factors.n_variables), -1)
    start = time.perf_counter()
    tree = compile_tree(conditioned(factors, observed))
    answers, log_evidence = posteriors(tree, nothing)
    seconds = time.perf_counter() - start
    content = (UAI / f"{name}.uai.MAR.gz").read_bytes()
    words = gzip.decompress(content).decode().split()[2:]
    place, worst = 0, 0.0
    for variable, answer in enumerate(answers):
        size = int(words[place])
        published = np.array(words[place + 1 : place + 1 + size], dtype=np.float64)
        place += 1 + size
        if variable not in observed:
            worst = max(worst, float(np.abs(answer[0] - published).max()))
    published_log = float((UAI / f"{name}.uai.PR").read_text().split()[1])
    distance = abs(log_evidence[0] / np.log(10) - published_log)
    return f"| {name} | {factors.n_variables} | {seconds:.2f} | {worst:.1e} | {distance:.1e} |"


def uai_table() -> str:
    names = sorted(path.name.removesuffix(".uai.gz") for path in UAI.glob("*.uai.gz"))
    if not names:
        return "The cases were not there when this was measured."
    lines = "\n".join(map(uai_line, names))
    return (
        "| case | variables | seconds | furthest marginal | log10 Z is off by |\n"
        f"| --- | ---: | ---: | ---: | ---: |\n{lines}"
    )


def report() -> str:
    questions = "\n".join(map(question_line, ASKED))
    os.environ["BAYESIC_KERNELS"] = "compiled"
    (load,) = best(warm_up, repeats=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        em = em_line()
    with tempfile.TemporaryDirectory() as folder:
        large = "\n".join(large_line(name, folder) for name in LARGE)
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "pyagrum"))
    return f"""# Exact inference

Measured {date.today()} with `python -m benchmarks network_engine` on {os.cpu_count()} cores
({processor()}), Python {platform.python_version()}, {libraries}.
Compiled kernels but for single questions; loading or compiling them took {load:.1f} s and is in no
other number. States are numbers here: `networks` measures questions with texts. The ratio is the
other time divided by ours.

## One question: milliseconds for all marginals with {N_OBSERVED} observations

In NumPy, against `LazyPropagation` of pyAgrum; the same variables are observed in other states each
time. The first question makes the tree.

| network | first | bayesic | pyAgrum | ratio | to reach |
| --- | ---: | ---: | ---: | ---: | ---: |
{questions}

## Most probable states

The most probable states of all variables of ALARM, {N_ROWS:,} rows, 30 % missing:
{most_probable_line()}.

## ALARM: milliseconds for an iteration of EM

| job | bayesic | pyAgrum | ratio | to reach |
| --- | ---: | ---: | ---: | ---: |
{em}

Ours is the expected counts of all tables, new tables in the tree included. For pyAgrum it is half
of the time that four iterations take beyond two.

## All marginals of large networks

Making the tree included; each library in a process of its own, the best of 3 runs. Memory in MB:
what the first run added to the peak, then the peak of the whole process.

| network | bayesic, s | pyAgrum, s | ratio | bayesic, MB | pyAgrum, MB | peak | peak |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
{large}

To reach: 1x in time, at most twice the memory.

## UAI 2014

Evidence is held before the tree is made. Published marginals have six decimals.

{uai_table()}
"""


if __name__ == "__main__":
    if sys.argv[1:2] == ["--alone"]:
        measured_alone(*sys.argv[2:])
    else:
        tell_and_keep(report, RESULTS, __doc__)
