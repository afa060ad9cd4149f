"""pyAgrum reads what we write, and the other way round. Its readers round to float32.

UAI is not among the formats. By the rules of the competition the last variable of a scope is the
fastest and the first the slowest; pyAgrum turns the order of the parents, pgmpy takes the child for
the slowest.
"""

import numpy as np
import pytest

from bayesic.datasets.networks import asia
from bayesic.networks.reading import read_network
from helpers.network_examples import agrum_tables


@pytest.mark.parametrize("ending", ["bif", "bifxml", "net"])
def test_pyagrum_reads_what_we_write(ending, tmp_path):
    pyagrum = pytest.importorskip("pyagrum")
    net = asia()
    net.write(tmp_path / f"asia.{ending}")
    theirs = pyagrum.loadBN(str(tmp_path / f"asia.{ending}"))
    for variable, values in agrum_tables(theirs, net):
        np.testing.assert_allclose(net.table(variable).values, values, atol=1e-7)


@pytest.mark.parametrize("ending", ["bif", "bifxml", "net"])
def test_we_read_what_pyagrum_writes(ending, tmp_path):
    pyagrum = pytest.importorskip("pyagrum")
    theirs = pyagrum.fastBN("A{dry|damp|wet}->B[3]<-C->D{yes|no};A->D")
    path = tmp_path / f"random.{ending}"
    pyagrum.saveBN(theirs, str(path))
    ours = read_network(path, normalise=True)
    assert sorted(ours.variables) == sorted(theirs.names())
    for variable, values in agrum_tables(theirs, ours):
        np.testing.assert_allclose(ours.table(variable).values, values, atol=1e-6)
