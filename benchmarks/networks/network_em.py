"""EM for the tables of ALARM from rows with gaps against pyAgrum and pgmpy, in the same run.

    python -m benchmarks network_em

Prints a table and writes it to NETWORK_EM.md beside this file. It takes about 3 minutes.
"""

import logging
import os
import platform
import time
import warnings
from collections.abc import Callable
from datetime import date
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import pyagrum

from bayesic.networks._learning.estimates import checked_smoothing
from bayesic.networks._learning.incomplete import incomplete_rows, objective_of
from bayesic.networks.network import BeliefNetwork
from benchmarks.measuring import Measurement, best, processor, table, tell_and_keep
from benchmarks.networks.network_sampling import alarm

RESULTS = Path(__file__).with_name("NETWORK_EM.md")
N_ROWS, MISSING, STEPS, PEER_REPEATS, REPEATS = 1000, 0.1, 5, 2, 7
SIZE = f"{N_ROWS:,} x 37"
HIDDEN = "LVFAILURE"


def rows_with_gaps(rows: pd.DataFrame) -> pd.DataFrame:
    gaps = np.random.default_rng(0).random(rows.shape) < MISSING
    return rows.mask(gaps)


def ours(net: BeliefNetwork, rows: pd.DataFrame, smoothing: float) -> BeliefNetwork:
    """So many steps, however little the last one gains."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it has not converged
        states = {name: net.states(name) for name in net.variables}
        learned = BeliefNetwork(net.edges, states=states)
        learned.fit(rows, smoothing, method="em", max_iter=STEPS, tol=0)
    assert learned.n_iter_ == STEPS, learned.n_iter_
    return learned


def by_agrum(template: pyagrum.BayesNet, rows: pd.DataFrame) -> pyagrum.BayesNet:
    learner = pyagrum.BNLearner(rows, template, ["?"])
    learner.useSmoothingPrior(1)  # without a prior it refuses parents that were never seen
    learner.useEMWithDiffCriterion(1e-12)
    learner.EMsetMaxIter(STEPS)
    learned = learner.learnParameters(template.dag())
    assert learner.EMnbrIterations() == STEPS, learner.EMnbrIterations()
    return learned


def by_pgmpy(net: BeliefNetwork, rows: pd.DataFrame) -> list:
    from pgmpy.models import DiscreteBayesianNetwork
    from pgmpy.parameter_estimator import DiscreteEM

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = DiscreteBayesianNetwork(net.edges, latents={HIDDEN})
        learner = DiscreteEM(max_iter=STEPS, show_progress=False, seed=0)
        return learner.fit(model, rows).parameters_


def in_turns(mine: Callable, other: Callable) -> tuple[float, float]:
    """The best time of a step of each; the slow one is run less often."""
    both = best(mine, other, repeats=PEER_REPEATS)
    [more] = best(mine, repeats=REPEATS - PEER_REPEATS)
    return min(both[0], more) / STEPS, both[1] / STEPS


def reached(net: BeliefNetwork, rows: pd.DataFrame, learned: Callable) -> float:
    """log P(rows) and log prior, up to a constant, of the tables that someone has learned."""
    states = {name: net.states(name) for name in net.variables}
    objective = objective_of(incomplete_rows(rows, net._parents, states), checked_smoothing(1))
    return objective.expect([learned(name) for name in net.variables])[1]


def agrum_table(net: BeliefNetwork, learned: pyagrum.BayesNet, name: str) -> np.ndarray:
    """Its numbers in the order of our axes and states."""
    family, cpt = (*net.parents(name), name), learned.cpt(name)
    variables = list(reversed(cpt.names))
    values = cpt.toarray().transpose([variables.index(member) for member in family])
    order = [
        [learned.variable(member).labels().index(str(s)) for s in net.states(member)]
        for member in family
    ]
    return values[np.ix_(*order)]


def report() -> str:
    logging.disable(logging.WARNING)
    net, _, agrum = alarm()
    complete = pd.DataFrame(net.sample(N_ROWS)).astype("str")
    gaps, hidden = rows_with_gaps(complete), complete.drop(columns=HIDDEN)
    marked = gaps.fillna("?")
    start = time.perf_counter()
    first = ours(net, gaps, 1)
    loading = time.perf_counter() - start
    theirs = by_agrum(agrum, marked)
    ends = [
        reached(net, gaps, lambda name: first.table(name).values),
        reached(net, gaps, lambda name: agrum_table(net, theirs, name)),
    ]
    measured = [
        Measurement(
            f"EM, {MISSING:.0%} of the cells missing, a step", SIZE, "pyAgrum",
            *in_turns(lambda: ours(net, gaps, 1), lambda: by_agrum(agrum, marked)), "50x",
        ),
        Measurement(
            f"EM, {HIDDEN} hidden, a step", SIZE, "pgmpy",
            *in_turns(lambda: ours(net, hidden, 0), lambda: by_pgmpy(net, hidden)), "50x",
        ),
    ]  # fmt: skip
    libraries = ", ".join(
        f"{name} {version(name)}" for name in ("numpy", "numba", "pandas", "pgmpy", "pyagrum")
    )
    return f"""# Tables of networks from rows with gaps

Measured {date.today()} with `python -m benchmarks network_em` on {os.cpu_count()} cores
({processor()}), Python {platform.python_version()}, {libraries}.
ALARM (37 variables, 46 edges), as pgmpy ships it; {N_ROWS:,} rows drawn from it. Each learns with
{STEPS} steps of EM, all that is around them included: reading the rows, making the
first tables. The time is that of all divided by the steps; ours the best of {REPEATS} runs, the
others' of {PEER_REPEATS}, in turns. Loading our compiled kernels once took
{loading - measured[0].ours * STEPS:.2f} s more.

Against pyAgrum there is a pseudo-count of 1, as it refuses parents that were never seen without.
After these {STEPS} steps the log of P(rows) and of the prior is {ends[0]:.2f} for us, {ends[1]:.2f}
for pyAgrum; the starts differ. pgmpy leaves out every row in which a cell is missing, which here is
nearly all of them: so it has complete rows, and one variable that is never observed. The ratio is
the other time divided by ours. "To reach" is what we want; where it is missed, it stands here all
the same.

{table(measured)}
"""


if __name__ == "__main__":
    tell_and_keep(report, RESULTS, __doc__)
