"""Known networks, as pgmpy ships them, against pyAgrum and pgmpy."""

import warnings

import numpy as np
import pytest

from bayesic.networks._engine.exact_inference import joint_posterior, most_probable, posteriors
from bayesic.networks._engine.tree import compile_tree
from helpers.environment import environment
from helpers.known_networks import in_pgmpy, known_network

pyagrum = pytest.importorskip("pyagrum", reason="pyAgrum is an oracle of these tests")
pytest.importorskip("pgmpy", reason="pgmpy ships the networks and is an oracle of these tests")

NETWORKS = ("asia", "alarm", "child", "insurance")
both = pytest.mark.parametrize("kernels", ["reference", "compiled"])


@pytest.fixture(scope="module", params=NETWORKS)
def networks(request):
    """Our factors, and the same tables in float64 in pyAgrum and in pgmpy."""
    net = known_network(request.param)
    factors = net.factors()
    return factors, in_pyagrum(factors), in_pgmpy(request.param), list(net.variables)


def in_pyagrum(factors):
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


def sampled_evidence(factors, n_rows, share, seed):
    """Rows of the network itself, of which a share is not observed."""
    rng = np.random.default_rng(seed)
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
        above = rng.random((n_rows, 1)) > np.cumsum(shares, axis=1)[:, :-1]
        rows[:, child] = above.sum(axis=1)
    return np.where(rng.random(rows.shape) < share, -1, rows)


@both
@pytest.mark.parametrize("share", [0.3, 0.9])
def test_all_posteriors_are_those_of_pyagrum(networks, kernels, share):
    factors, theirs, _, _ = networks
    evidence = sampled_evidence(factors, n_rows=8, share=share, seed=3)
    with environment(BAYESIC_KERNELS=kernels):
        ours, log_evidence = posteriors(compile_tree(factors), evidence)
    for row, states in enumerate(evidence):
        inference = pyagrum.LazyPropagation(theirs)
        observed = {f"v{v}": int(state) for v, state in enumerate(states) if state >= 0}
        inference.setEvidence(observed)
        inference.makeInference()
        for variable, answer in enumerate(ours):
            expected = inference.posterior(variable).toarray()
            np.testing.assert_allclose(answer[row], expected, rtol=1e-10, atol=1e-12)
        if observed:
            expected = np.log(inference.evidenceProbability())
            np.testing.assert_allclose(log_evidence[row], expected, rtol=1e-10, atol=1e-10)


def test_joint_posteriors_and_most_probable_states_are_those_of_pgmpy(networks):
    factors, _, theirs, names = networks
    # pgmpy makes the joint table of all that a map_query asks: leave three variables open
    (states,) = sampled_evidence(factors, n_rows=1, share=0.0, seed=5)
    free = [0, factors.n_variables // 2, factors.n_variables - 1]
    states[free] = -1
    state_names = {name: theirs.get_cpds(name).state_names[name] for name in names}
    observed = {
        name: state_names[name][state]
        for name, state in zip(names, states, strict=True)
        if state >= 0
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy.inference import VariableElimination

        inference = VariableElimination(theirs)
        answer = inference.query([names[v] for v in free], observed, show_progress=False)
        best = inference.map_query([names[v] for v in free], observed, show_progress=False)
    tree = compile_tree(factors)
    order = [answer.variables.index(names[variable]) for variable in free]
    ours, _ = joint_posterior(tree, states[None], free)
    np.testing.assert_allclose(ours[0], answer.values.transpose(order), rtol=1e-6, atol=1e-8)
    (chosen,), _ = most_probable(tree, states[None])
    for name, state in zip(names, chosen, strict=True):
        assert state_names[name][state] == {**observed, **best}[name]
