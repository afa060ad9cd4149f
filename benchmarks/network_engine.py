"""The exact inference engine against pyAgrum, in the same run.

python benchmarks/network_engine.py [more networks that pgmpy ships: munin diabetes barley ...]
"""

import os
import platform
import sys
import time
import warnings
from collections.abc import Callable

import numpy as np
import pyagrum

from bayesic.networks.engine.factors import Factors
from bayesic.networks.engine.inference import posteriors
from bayesic.networks.engine.tree import compile_tree

TARGET, N_ROWS, PEER_ROWS = 12, 10_000, 200


def shipped_network(name: str) -> Factors:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy.utils import get_example_model

        theirs = get_example_model(name)
    names = list(theirs.nodes())
    number = {node: place for place, node in enumerate(names)}
    scopes, tables = [], []
    for node in names:
        cpd = theirs.get_cpds(node)
        table = np.moveaxis(np.asarray(cpd.values, dtype=np.float64), 0, -1)
        tables.append(table / table.sum(axis=-1, keepdims=True))
        scopes.append((*(number[parent] for parent in cpd.variables[1:]), number[node]))
    return Factors(tuple(t.shape[-1] for t in tables), tuple(scopes), tuple(tables))


def in_pyagrum(factors: Factors) -> pyagrum.BayesNet:
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


def best(job: Callable[[], object], times: int) -> float:
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        job()
        taken.append(time.perf_counter() - start)
    return min(taken)


def asked_of_pyagrum(inference: object, rows: np.ndarray, targets: list[int]) -> None:
    for states in rows:
        inference.setEvidence({f"v{v}": int(s) for v, s in enumerate(states) if s >= 0})
        inference.makeInference()
        for target in targets:
            inference.posterior(target).toarray()


def report(job: str, ours: float, theirs: float) -> None:
    print(f"| {job} | {ours * 1e6:,.1f} | {theirs * 1e6:,.1f} | {theirs / ours:.1f}x |", flush=True)


def measure_alarm() -> None:
    factors = shipped_network("alarm")
    network, tree, rows = in_pyagrum(factors), compile_tree(factors), sampled(factors, N_ROWS)
    everything = list(range(factors.n_variables))
    start = time.perf_counter()
    posteriors(tree, rows[:1])
    print(f"loading or compiling: {time.perf_counter() - start:.1f} s\n")
    print("| ALARM, microseconds for one row | bayesic | pyAgrum | |\n| --- | --- | --- | --- |")
    one = np.full((1, factors.n_variables), -1)
    one[0, [3, 10, 17, 25, 30]] = rows[0, [3, 10, 17, 25, 30]]
    peer = pyagrum.ShaferShenoyInference(network)
    theirs = best(lambda: asked_of_pyagrum(peer, one, everything), 50)
    report("all marginals, 5 observed", best(lambda: posteriors(tree, one), 200), theirs)
    missing = np.where(np.random.default_rng(1).random(rows.shape) < 0.3, -1, rows)
    missing[:, TARGET] = -1
    complete = rows.copy()
    complete[:, TARGET] = -1
    jobs = (
        ("one target, 30 % missing", missing, [TARGET]),
        ("all targets, 30 % missing", missing, everything),
        ("one target, all others observed", complete, [TARGET]),
    )
    for job, evidence, targets in jobs:
        lazy = pyagrum.LazyPropagation(network)
        lazy.setTargets(set(targets))
        few = evidence[:PEER_ROWS]
        theirs = best(lambda: asked_of_pyagrum(lazy, few, targets), 2) / PEER_ROWS  # noqa: B023
        ours = best(lambda: posteriors(tree, evidence, targets), 5) / N_ROWS  # noqa: B023
        report(job, ours, theirs)


def measure_large(name: str) -> None:
    factors = shipped_network(name)
    network = in_pyagrum(factors)
    nothing = np.full((1, factors.n_variables), -1)
    ours = best(lambda: posteriors(compile_tree(factors), nothing), 2)
    peer = pyagrum.LazyPropagation(network)
    everything = list(range(factors.n_variables))
    theirs = best(lambda: asked_of_pyagrum(peer, nothing, everything), 1)
    report(f"{name}: all marginals, tree included", ours, theirs)


if __name__ == "__main__":
    os.environ.setdefault("BAYESIC_KERNELS", "compiled")
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} processors, "
          f"Python {platform.python_version()}, NumPy {np.__version__}, "
          f"pyAgrum {pyagrum.__version__}\n")  # fmt: skip
    measure_alarm()
    for network_name in sys.argv[1:]:
        measure_large(network_name)
