"""Random factors so small that their whole joint table can be made, and evidence for them."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import strategies as st

from bayesic.networks._engine import tree
from bayesic.networks.factors import Factors
from helpers.environment import environment

ROUTES = {"passes": "reference", "logs": "reference", "compiled": "compiled", "blocks": "compiled"}

every_route = pytest.mark.parametrize("route", ROUTES)


@contextmanager
def taking(route: str) -> Iterator[None]:
    """Answer by one of the four: small trees or any tree, in NumPy or by compiled kernels."""
    with environment(BAYESIC_KERNELS=ROUTES[route]), pytest.MonkeyPatch.context() as patch:
        if route in ("logs", "blocks"):
            patch.setattr(tree, "MOST_FLAT_CELLS", 0)
        yield


@st.composite
def models(draw, max_variables=8, entries=None):
    """Random factors or a random network; zeros, single states, separate parts."""
    n_variables = draw(st.integers(1, max_variables))
    sizes = [draw(st.integers(1, 4 if n_variables < 6 else 3)) for _ in range(n_variables)]
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    zeros = draw(st.sampled_from([0.0, 0.2, 0.5]))
    network = draw(st.booleans())
    scopes, tables = [], []
    for child in range(n_variables) if network else range(draw(st.integers(0, n_variables + 2))):
        n_others = min(int(rng.integers(0, 4)), child if network else n_variables)
        others = rng.permutation(child if network else n_variables)[:n_others]
        scope = (*map(int, others), child) if network else tuple(map(int, others))
        shape = [sizes[variable] for variable in scope]
        table = rng.random(shape) * (rng.random(shape) >= zeros)
        if network:
            table = table + 1e-3 * (table.sum(axis=-1, keepdims=True) == 0)
            table = table / table.sum(axis=-1, keepdims=True)
        elif entries is not None:
            table = table * 10.0 ** rng.integers(*entries, shape)
        scopes.append(scope)
        tables.append(table)
    return Factors(tuple(sizes), tuple(scopes), tuple(tables)), rng


def agreeing(joint, row):
    """The joint table with 0 where it does not agree with the evidence."""
    out = np.zeros_like(joint)
    cells = tuple(slice(None) if state < 0 else slice(state, state + 1) for state in row)
    out[cells] = joint[cells]
    return out


def random_evidence(rng, factors, n_rows):
    sizes = np.array(factors.cardinalities)
    states = (rng.random((n_rows, len(sizes))) * sizes).astype(int)
    return np.where(rng.random(states.shape) < rng.random((n_rows, 1)), states, -1)


def normalised(table):
    total = table.sum()
    return table / total if total > 0 else np.zeros_like(table)


def close(ours, theirs):
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


def random_likelihoods(rng, factors, n_rows):
    """Soft evidence of up to two variables, zeros included."""
    likelihoods = {}
    for variable in rng.permutation(factors.n_variables)[:2]:
        shape = (n_rows, factors.cardinalities[variable])
        likelihoods[int(variable)] = rng.random(shape) * 3 * (rng.random(shape) > 0.2)
    return likelihoods


def with_likelihoods(joint, likelihoods, row):
    for variable, values in likelihoods.items():
        shape = [-1 if axis == variable else 1 for axis in range(joint.ndim)]
        joint = joint * values[row % len(values)].reshape(shape)
    return joint
