"""The tables of ALARM from rows against pgmpy and pyAgrum, in the same run.

    python -m benchmarks network_learning

Prints a table and writes it to NETWORK_LEARNING.md beside this file.
"""

import os
import platform
import tempfile
import time
import warnings
from collections.abc import Iterator
from datetime import date
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyagrum

from bayesic.networks.network import BeliefNetwork
from benchmarks.measuring import Measurement, best, processor, table, tell_and_keep
from benchmarks.networks.network_sampling import alarm

RESULTS = Path(__file__).with_name("NETWORK_LEARNING.md")
REPEATS = 5
N_ROWS = 100_000
SIZE = f"{N_ROWS:,} x 37"
TARGET = "HRBP"


def columns_of_all_kinds(net: BeliefNetwork) -> dict[str, Any]:
    """The same rows as tables of different kinds of columns."""
    objects = pd.DataFrame(
        {name: pd.Series(cells, dtype=object) for name, cells in net.sample(N_ROWS).items()}
    )
    texts = objects.astype("str")
    return {
        "pandas, categories": objects.astype("category"),
        "pandas, Arrow texts": texts,
        "pandas, objects": objects,
        "polars, texts": pl.from_pandas(texts),
    }


def by_pgmpy(net: BeliefNetwork, rows: pd.DataFrame) -> Any:
    from pgmpy.models import DiscreteBayesianNetwork

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return DiscreteBayesianNetwork(net.edges).fit(rows)


def by_agrum(template: pyagrum.BayesNet, rows: pd.DataFrame) -> pyagrum.BayesNet:
    learner = pyagrum.BNLearner(rows, template)
    learner.useSmoothingPrior(1)  # without a prior it refuses parents that were never seen
    return learner.learnParameters(template.dag())


def check_same_tables(net: BeliefNetwork, rows: pd.DataFrame) -> None:
    """All of what is measured must have learned the same."""
    theirs = by_pgmpy(net, rows)
    for name in net.variables:
        cpd, family = theirs.get_cpds(name), (*net.parents(name), name)
        values = np.asarray(cpd.values).transpose([cpd.variables.index(each) for each in family])
        order = [[cpd.state_names[each].index(s) for s in net.states(each)] for each in family]
        np.testing.assert_allclose(net.table(name).values, values[np.ix_(*order)], atol=1e-12)


def learning(
    net: BeliefNetwork, agrum: pyagrum.BayesNet, kinds: dict[str, Any]
) -> Iterator[Measurement]:
    texts = kinds["pandas, Arrow texts"]
    for kind, rows in kinds.items():

        def ours(rows: Any = rows, smoothing: float = 0) -> BeliefNetwork:
            return BeliefNetwork(net.edges).fit(rows, smoothing)

        theirs = rows if isinstance(rows, pd.DataFrame) else texts
        bars = ("5x", "10x") if kind == "pandas, categories" else ("", "10x")
        mine, other = best(ours, lambda rows=theirs: by_pgmpy(net, rows))
        yield Measurement(f"tables, {kind}", SIZE, "pgmpy", mine, other, bars[0])
        mine, other = best(partial(ours, smoothing=1), lambda rows=theirs: by_agrum(agrum, rows))
        yield Measurement(f"tables, {kind}", SIZE, "pyAgrum", mine, other, bars[1])


def more(net: BeliefNetwork, rows: pd.DataFrame) -> Iterator[Measurement]:
    """What has no peer: against doing it by learning again."""
    learned = BeliefNetwork(net.edges).fit(rows, smoothing=1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        rows.to_parquet(path)
        of_file, of_memory = best(
            lambda: BeliefNetwork(net.edges).fit(path),
            lambda: BeliefNetwork(net.edges).fit(pd.read_parquet(path)),
            repeats=REPEATS,
        )
    job, other = "tables, Parquet file in pieces", "ours, all of it read by pandas first"
    yield Measurement(job, SIZE, other, of_file, of_memory, "")
    [left_out] = best(lambda: learned.leave_one_out(rows, TARGET), repeats=REPEATS)
    [refit] = best(lambda: BeliefNetwork(net.edges).fit(rows[1:], smoothing=1), repeats=REPEATS)
    against = f"{N_ROWS:,} refits of ours, from one"
    yield Measurement(f"leave_one_out, {TARGET}", SIZE, against, left_out, refit * N_ROWS, "")


def report() -> str:
    net, _, agrum = alarm()
    kinds = columns_of_all_kinds(net)
    start = time.perf_counter()
    categories = kinds["pandas, categories"]
    check_same_tables(BeliefNetwork(net.edges).fit(categories), categories)
    print(f"same tables as pgmpy ({time.perf_counter() - start:.1f} s)", flush=True)
    measured = [*learning(net, agrum, kinds), *more(net, categories)]
    libraries = ", ".join(
        f"{name} {version(name)}"
        for name in ("numpy", "pandas", "polars", "pyarrow", "pgmpy", "pyagrum")
    )
    return f"""# Tables of networks from rows

Measured {date.today()} with `python -m benchmarks network_learning` on {os.cpu_count()} cores
({processor()}), Python {platform.python_version()}, {libraries}.
ALARM (37 variables, 46 edges), as pgmpy ships it; {N_ROWS:,} rows drawn from it. The best of
{REPEATS} runs, in turns. Nothing is compiled. Against pgmpy
plain shares are learned, and it is checked that the tables are the same; against pyAgrum shares
with a pseudo-count of 1, as it refuses parents that were never seen without.

We get the edges alone, and find the states in the rows; so does pgmpy. pyAgrum gets the states as
well. It and pgmpy do not take polars: there they have the Arrow texts of pandas. The cells of
"objects" are shared, as they are in a table that pandas has read. The ratio is the other time
divided by ours. "To reach" is what we want; where it is missed, it stands here all the same.

{table(measured)}
"""


if __name__ == "__main__":
    tell_and_keep(report, RESULTS, __doc__)
