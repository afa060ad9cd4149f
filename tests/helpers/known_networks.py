"""Published networks (asia, alarm, child, insurance), as pgmpy ships them."""

import warnings
from functools import cache

import numpy as np
import pytest

from bayesic.networks.network import BeliefNetwork


@cache
def in_pgmpy(name):
    """The network as pgmpy reads it, the rows of its tables divided by their sums in float64."""
    pytest.importorskip("pgmpy", reason="pgmpy ships the networks")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy.utils import get_example_model

        theirs = get_example_model(name)
    for cpd in theirs.get_cpds():
        values = np.asarray(cpd.values, dtype=np.float64)
        cpd.values = values / values.sum(axis=0)
    return theirs


@cache
def known_network(name):
    """The same network as ours, the variables in the order of their names."""
    theirs = in_pgmpy(name)
    cpds = {name: theirs.get_cpds(name) for name in sorted(theirs.nodes())}
    edges = [(parent, name) for name, cpd in cpds.items() for parent in cpd.variables[1:]]
    tables = {name: np.moveaxis(cpd.values, 0, -1) for name, cpd in cpds.items()}
    states = {name: cpd.state_names[name] for name, cpd in cpds.items()}
    return BeliefNetwork(edges, tables, states)
