"""Random graphs and networks for property tests."""

import numpy as np
from hypothesis import strategies as st

from bayesic.networks.network import BeliefNetwork

NAMES = (
    "Storm",
    "BusTourGroup",
    "Campfire",
    "天气",
    "forest fire",
    "x 0",
    '"quoted"',
    "back\\slash",
)
# all kinds; the last three are states that the files of others have
WORDS = ("yes", "no", "maybe", "晴", "多云", "<5", "5-12", "Asy/Patch")


@st.composite
def graphs(draw, max_variables=7):
    """Variable -> parents, without cycles, the variables in any order."""
    names = draw(st.permutations([f"v{number}" for number in range(max_variables)]))
    names = names[: draw(st.integers(1, max_variables))]
    parents = {
        name: tuple(other for other in names[:place] if draw(st.booleans()))
        for place, name in enumerate(names)
    }
    return {name: parents[name] for name in draw(st.permutations(names))}


@st.composite
def state_names(draw, words_only=False):
    """The states of a variable: texts, booleans or numbers."""
    words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True)
    if words_only:
        return tuple(draw(words))
    whole = st.lists(st.integers(-3, 3), min_size=1, max_size=4, unique=True)
    parts = st.lists(st.sampled_from([0.1, 2.5, 1e300]), min_size=1, max_size=3, unique=True)
    return tuple(draw(words | whole | parts | st.just((True, False))))


@st.composite
def probability_tables(draw, shape):
    """An array whose rows sum to one up to rounding, zeros included."""
    size = int(np.prod(shape))
    weights = draw(st.lists(st.integers(0, 50), min_size=size, max_size=size))
    table = np.array(weights, dtype=np.float64).reshape(shape)
    table[..., 0] += table.sum(axis=-1) == 0
    return table / table.sum(axis=-1, keepdims=True)


@st.composite
def networks(draw, max_variables=4, words_only=False):
    """Networks with all tables: some variables isolated, some with one state."""
    names = draw(st.permutations(NAMES))[: draw(st.integers(1, max_variables))]
    states = {name: draw(state_names(words_only)) for name in names}
    edges = [
        (parent, child)
        for place, child in enumerate(names)
        for parent in draw(st.permutations(names[:place]))
        if draw(st.booleans())
    ]
    tables = {}
    for name in names:
        parents = [parent for parent, child in edges if child == name]
        shape = [len(states[variable]) for variable in (*parents, name)]
        tables[name] = draw(probability_tables(shape))
    return BeliefNetwork(edges, tables, states)
