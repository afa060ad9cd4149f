"""Known networks, as pgmpy ships them, by names: against pyAgrum and pgmpy."""

import warnings

import numpy as np
import pytest

from helpers.known_networks import in_pgmpy, known_network

pyagrum = pytest.importorskip("pyagrum", reason="pyAgrum is an oracle of these tests")
pytest.importorskip("pgmpy", reason="pgmpy ships the networks and is an oracle of these tests")


@pytest.fixture(scope="module", params=["asia", "alarm", "child", "insurance"])
def networks(request):
    """Our network, and the same in pyAgrum and in pgmpy: rows of all tables sum to 1."""
    net = known_network(request.param)
    return net, in_pyagrum(net), in_pgmpy(request.param)


def in_pyagrum(net):
    network = pyagrum.BayesNet()
    for name in net.variables:
        network.add(pyagrum.LabelizedVariable(name, "", list(net.states(name))))
    for parent, child in net.edges:
        network.addArc(parent, child)
    for name in net.variables:
        axes = [*net.parents(name), name]
        own = network.cpt(name)
        order = [axes.index(other) for other in own.names]
        own.fillWith(net.table(name).values.transpose(order).ravel(order="F").tolist())
    return network


def random_evidence(net, n_rows, share, seed):
    """States of rows of the network itself, a share of them."""
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(n_rows):
        row = {}
        for name in net.topological_order():
            shares = net.table(name)[tuple(row[parent] for parent in net.parents(name))]
            row[name] = net.states(name)[rng.choice(len(shares), p=shares.probabilities)]
        rows.append({name: state for name, state in row.items() if rng.random() < share})
    return rows


@pytest.mark.parametrize("share", [0.1, 0.4])
def test_marginals_and_probabilities_are_those_of_pyagrum(networks, share):
    net, theirs, _ = networks
    rows = random_evidence(net, 6, share, seed=7)
    table = [{name: row.get(name) for name in net.variables} for row in rows]
    batch, log_probability = net.posteriors(table), net.log_probability(table)
    for number, row in enumerate(rows):
        inference = pyagrum.LazyPropagation(theirs)
        inference.setEvidence(row)
        inference.makeInference()
        every = net.query(given=row)
        for name in net.variables:
            expected = inference.posterior(name).toarray()
            for ours in (every[name].probabilities, batch[name][number]):
                np.testing.assert_allclose(ours, expected, rtol=1e-10, atol=1e-12)
        one = net.variables[number]
        ours = net.query(one, row).probabilities
        np.testing.assert_allclose(ours, every[one].probabilities, rtol=1e-10, atol=1e-12)
        if row:
            expected = np.log(inference.evidenceProbability())
            np.testing.assert_allclose(log_probability[number], expected, rtol=1e-10, atol=1e-10)


def test_joint_answers_are_those_of_pgmpy(networks):
    net, _, theirs = networks
    rng = np.random.default_rng(3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy.inference import VariableElimination

        inference = VariableElimination(theirs)
        for row in random_evidence(net, 3, share=0.5, seed=11):
            free = [name for name in net.variables if name not in row]
            targets = [str(name) for name in rng.permutation(free)[:2]]
            answer = inference.query(targets, row, show_progress=False)
            order = [answer.variables.index(name) for name in targets]
            ours = net.query(targets, row).probabilities
            np.testing.assert_allclose(ours, answer.values.transpose(order), rtol=1e-10, atol=1e-12)


def test_interventions_are_those_of_pyagrum_on_the_cut_network(networks):
    net, theirs, _ = networks
    child = next(name for name in reversed(net.topological_order()) if net.children(name))
    state = net.states(child)[0]
    cut = pyagrum.BayesNet(theirs)
    for parent in net.parents(child):
        cut.eraseArc(parent, child)
    cut.cpt(child).fillWith([1.0] + [0.0] * (len(net.states(child)) - 1))
    inference = pyagrum.LazyPropagation(cut)
    inference.makeInference()
    for name, ours in net.query(do={child: state}).items():
        expected = inference.posterior(name).toarray()
        np.testing.assert_allclose(ours.probabilities, expected, rtol=1e-10, atol=1e-12)


def test_mutual_information_is_that_of_pyagrum(networks):
    net, theirs, _ = networks
    target = net.variables[0]
    ours = net.mutual_information(target)
    for other in net.variables[1:4]:
        inference = pyagrum.LazyPropagation(theirs)
        expected = pyagrum.InformationTheory(inference, [target], [other]).mutualInformationXY()
        np.testing.assert_allclose(ours[other], expected, rtol=1e-8, atol=1e-12)
