"""The ALARM network, 10,000 rows: against the scores and structures of other libraries."""

import warnings
from functools import cache

import pandas as pd
import pytest

from bayesic.networks._structure.coded_columns import coded_columns
from bayesic.networks._structure.family_scores import family_score, rule_of
from bayesic.networks.structure_learning import learn_structure
from helpers.coded_tables import sampled_rows
from helpers.known_networks import known_network

pyagrum = pytest.importorskip("pyagrum", reason="pyAgrum is an oracle of these tests")


def alarm():
    return known_network("alarm")


@cache
def rows():
    return pd.DataFrame(sampled_rows(alarm(), 10_000, seed=0)).astype("category")


def score_of(edges, score="bic"):
    columns = coded_columns(rows())
    rule = rule_of(score, columns.n_samples)
    number = {name: place for place, name in enumerate(columns.variables)}
    parents = {name: [number[one] for one, child in edges if child == name] for name in number}
    return sum(
        family_score(columns, rule, number[name], its_parents)
        for name, its_parents in parents.items()
    )


@pytest.mark.parametrize("score", ["bic", "aic", "k2", ("bdeu", 10.0)], ids=str)
def test_scores_are_those_of_pgmpy(score):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy.estimators import AIC, BIC, K2, BDeu

        theirs = {"bic": BIC, "aic": AIC, "k2": K2}
        few = rows()[["HR", "CATECHOL", "HRBP", "ERRLOWOUTPUT", "INSUFFANESTH", "TPR"]]
        if isinstance(score, tuple):
            peer = BDeu(few, equivalent_sample_size=score[1])
        else:
            peer = theirs[score](few)
        families = {
            "HR": ["CATECHOL"],
            "HRBP": ["ERRLOWOUTPUT", "HR"],
            "CATECHOL": ["INSUFFANESTH", "TPR", "HR"],
            "TPR": [],
        }
        expected = {name: peer.local_score(name, its) for name, its in families.items()}
    columns = coded_columns(few)
    number = {name: place for place, name in enumerate(columns.variables)}
    rule = rule_of(score, columns.n_samples)
    for name, its in families.items():
        ours = family_score(columns, rule, number[name], [number[parent] for parent in its])
        assert ours == pytest.approx(expected[name], rel=1e-9)


def test_hill_climbing_is_not_below_pyagrum_and_restarts_not_below_the_truth():
    learner = pyagrum.BNLearner(rows())
    learner.useScoreBIC()
    learner.useGreedyHillClimbing()
    dag = learner.learnDAG()
    theirs = [(learner.nameFromId(one), learner.nameFromId(other)) for one, other in dag.arcs()]
    ours = learn_structure(rows())
    assert score_of(ours.edges) == pytest.approx(ours.search_.score, rel=1e-12)
    assert ours.search_.score >= score_of(theirs)
    many = learn_structure(rows(), restarts=150)
    assert many.search_.score >= score_of(alarm().edges)


def test_k2_finds_all_but_few_of_the_46_edges():
    net = learn_structure(rows(), method="k2", order=alarm().topological_order())
    truth = set(alarm().edges)
    assert len(truth) == 46
    assert len(truth & set(net.edges)) >= 44
    assert len(set(net.edges) - truth) <= 2
    assert net.search_.score >= score_of(truth, "k2")
