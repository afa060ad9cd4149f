"""A small network, a wide one, and how the tests read texts as files."""

import numpy as np
import pytest

from bayesic.networks.network import BeliefNetwork
from bayesic.networks.reading import read_network

WET = BeliefNetwork(
    edges=[("rain", "wet")],
    tables={
        "rain": {"yes": 0.25, "no": 0.75},
        "wet": {
            "yes": {"dry": 0.1, "damp": 0.2, "wet": 0.7},
            "no": {"dry": 0.8, "damp": 0.1, "wet": 0.1},
        },
    },
)


def grid(width, seed=0):
    """Every variable depends on those above it and to its left."""
    rng = np.random.default_rng(seed)
    edges, tables, states = [], {}, {}
    for row in range(width):
        for column in range(width):
            name = f"cell {row} {column}"
            parents = [f"cell {row - 1} {column}"] * (row > 0)
            parents += [f"cell {row} {column - 1}"] * (column > 0)
            edges += [(parent, name) for parent in parents]
            share = rng.uniform(0.05, 0.95, [2] * len(parents))
            tables[name], states[name] = np.stack([share, 1 - share], -1), ("black", "white")
    return BeliefNetwork(edges, tables, states)


def read(text, folder, **arguments):
    """The network in a file with this text."""
    path = folder / "some.file"
    path.write_text(text, encoding="utf-8")
    return read_network(path, **arguments)


def assert_refused(text, folder, line, reason):
    """The text is refused with a sentence that gives the line (None for none) and the reason."""
    with pytest.raises(ValueError) as caught:
        read(text, folder)
    message = str(caught.value)
    assert reason in message
    assert (f"some.file, line {line}: " if line else "some.file: ") in message
    assert message.endswith(".")


def agrum_tables(theirs, net):
    """Each variable of a network, and the numbers that pyAgrum has for it, in our order."""
    for variable in net.variables:
        parents = net.parents(variable)
        cpt = theirs.cpt(variable)
        shape = [len(net.states(parent)) for parent in parents]
        values = np.empty((*shape, len(net.states(variable))))
        for place in np.ndindex(*shape):
            row = dict(zip(parents, map(int, place), strict=True))
            values[place] = cpt[row] if parents else cpt.tolist()
        yield variable, values
