"""The whole joint table of a small model: the oracle of networks, factor models and the engine."""

import numpy as np
from hypothesis import strategies as st

from bayesic.networks.factors import Factors
from bayesic.networks.network import BeliefNetwork

STATES = (("yes", "no"), (True, False), ("晴", "多云", "雨"), (0, 1, 2), ("always",))


@st.composite
def sparse_networks(draw, max_variables=8):
    """A network with at most three parents for each variable and zeros in its tables, and an rng.

    Tables may be zero where a parent is in some state, so that evidence can be impossible.
    """
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_variables = draw(st.integers(1, max_variables))
    names = [f"v{number}" for number in rng.permutation(n_variables)]
    zeros = draw(st.sampled_from([0.0, 0.3, 0.6]))
    states = {name: STATES[rng.integers(len(STATES))] for name in names}
    edges, tables = [], {}
    for place, name in enumerate(names):
        parents = [str(parent) for parent in rng.permutation(names[:place])[: rng.integers(0, 4)]]
        edges += [(parent, name) for parent in parents]
        shape = [len(states[member]) for member in (*parents, name)]
        table = rng.random(shape) * (rng.random(shape) >= zeros)
        table[..., 0] += table.sum(axis=-1) == 0
        tables[name] = table / table.sum(axis=-1, keepdims=True)
    return BeliefNetwork(edges, tables, states), rng


def joint_table(model):
    """The product of all factors over all states: of a network, a factor model, or factors."""
    factors = model if isinstance(model, Factors) else model.factors()
    joint = np.ones(factors.cardinalities)
    for scope, table in zip(factors.scopes, factors.tables, strict=True):
        shape = [size if v in scope else 1 for v, size in enumerate(factors.cardinalities)]
        joint = joint * table.transpose(np.argsort(scope)).reshape(shape)
    return joint


def with_evidence(model, joint, given, likelihoods=None):
    """The joint table times what was observed: 0 where it does not agree."""
    for variable, state in given.items():
        weights = [float(its == state) for its in model.states(variable)]
        joint = joint * along(model, variable, weights)
    for variable, weights in (likelihoods or {}).items():
        joint = joint * along(model, variable, weights)
    return joint


def along(model, variable, weights):
    """A vector over the states of a variable, in the shape of the joint table."""
    axis = model.variables.index(variable)
    shape = [-1 if number == axis else 1 for number in range(len(model.variables))]
    return np.reshape(weights, shape)


def summed_to(joint, axes):
    """The sum over all other axes; these are left, in this order."""
    rest = tuple(axis for axis in range(joint.ndim) if axis not in axes)
    return joint.sum(axis=rest).transpose(np.argsort(np.argsort(axes)))


def marginal(model, joint, variables):
    """The sum over all others, the axes in the order of the variables, divided by the total."""
    axes = [model.variables.index(variable) for variable in variables]
    return summed_to(joint, axes) / joint.sum()


def random_given(model, rng, share=0.4, leave_out=()):
    """Random states of some variables, which may be impossible together."""
    return {
        name: model.states(name)[rng.integers(len(model.states(name)))]
        for name in model.variables
        if rng.random() < share and name not in leave_out
    }
