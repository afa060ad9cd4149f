"""Products of factors: asked like networks, against the whole joint table."""

import gzip
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from bayesic.networks._engine import tree as tree_module
from bayesic.networks.factor_model import FactorModel
from bayesic.networks.factors import Factors
from bayesic.networks.queries.impossible import ImpossibleEvidence
from bayesic.networks.reading import read_evidence, read_network
from helpers.enumeration import joint_table, marginal, random_given, with_evidence
from helpers.examples import at_most

some = at_most(40)


@pytest.fixture(params=["whole tree", "part"], autouse=True)
def route(request, monkeypatch):
    if request.param == "part":
        monkeypatch.setattr(tree_module, "MOST_FLAT_CELLS", 0)


@st.composite
def factor_models(draw):
    """Factors of any size, with zeros, and an rng; some variables may be in no factor."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_variables = draw(st.integers(1, 6))
    sizes = rng.integers(1, 4, n_variables)
    scopes, tables = [], []
    for _ in range(draw(st.integers(0, 7))):
        scope = rng.permutation(n_variables)[: rng.integers(0, 4)]
        shape = sizes[scope]
        scopes.append(scope)
        tables.append(rng.random(shape) * (rng.random(shape) > 0.2) * 10.0 ** rng.integers(-3, 4))
    states = {f"v{v}": tuple(map(str, range(size))) for v, size in enumerate(sizes)}
    return FactorModel(Factors(tuple(sizes), tuple(scopes), tuple(tables)), states), rng


def close(ours, theirs):
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


@for_all(factor_models())
@some
def test_answers_are_those_of_the_joint_table(case):
    model, rng = case
    joint = joint_table(model)
    observed = random_given(model, rng)
    left = with_evidence(model, joint, observed)
    with np.errstate(divide="ignore"):
        close(model.log_partition(), np.log(joint.sum()))
        close(model.log_partition(observed), np.log(left.sum()))
    if left.sum() == 0:
        with pytest.raises(ImpossibleEvidence):
            model.query(None, observed)
        return
    for name, distribution in model.query(None, observed).items():
        close(distribution.probabilities, marginal(model, left, [name]))
        close(model.query(name, observed).probabilities, distribution.probabilities)
    several = [str(name) for name in rng.permutation(model.variables)[:3]]
    close(model.query(several, observed).probabilities, marginal(model, left, several))
    best = model.most_probable(observed)
    cell = tuple(int(best[name]) for name in model.variables)
    close(left[cell], left.max())
    close(best.probability, left.max() / left.sum())
    close(model.probability_of(observed), left.sum() / joint.sum())
    row = [{name: observed.get(name) for name in model.variables}]
    close(model.log_probability(row), np.log(left.sum() / joint.sum()))
    for name, answers in model.posteriors(row).items():
        close(answers[0], marginal(model, left, [name]))


def test_factors_that_are_zero_everywhere_allow_nothing():
    model = FactorModel(Factors((2,), ((0,),), ([0.0, 0.0],)), {"Rain": ["yes", "no"]})
    assert model.log_partition() == -np.inf
    for question in (
        model.query,
        model.most_probable,
        lambda: model.query("Rain"),
        lambda: model.log_probability({"Rain": ["yes"]}),
    ):
        with pytest.raises(ImpossibleEvidence, match="product of the factors is 0 for all states"):
            question()


def test_names_must_fit_the_factors():
    factors = Factors((2, 3), ((0, 1),), (np.ones((2, 3)),))
    with pytest.raises(ValueError, match=r"name the \(2, 3\) states .* got \(2,\)"):
        FactorModel(factors, {"Rain": ["yes", "no"]})
    model = FactorModel(factors, {"Rain": [True, False], "Sky": ["晴", "多云", "雨"]})
    assert model.variables == ("Rain", "Sky")
    assert model.states("Sky") == ("晴", "多云", "雨")
    assert pickle.loads(pickle.dumps(model)).query("Rain") == {True: 0.5, False: 0.5}
    with pytest.raises(ValueError, match="There is no variable 'Snow'"):
        model.states("Snow")
    with pytest.raises(TypeError, match="do"):
        model.query("Rain", do={"Sky": "雨"})


# Marginals and partition functions that the inference competition of 2014 published
CASES = Path(__file__).parents[3] / "shared" / "data" / "network" / "uai"
SMALL = ("CSP_12", "Grids_12", "Promedus_24", "Promedus_30", "Promedus_33")


@pytest.mark.parametrize("name", SMALL)
def test_published_answers_come_out(name):
    if not CASES.is_dir():
        pytest.skip("needs the files of the competition")
    model = read_network(CASES / f"{name}.uai.gz")
    observed = read_evidence(CASES / f"{name}.uai.evid")
    found = model.query(None, observed)
    with gzip.open(CASES / f"{name}.uai.MAR.gz", "rt") as file:
        numbers = iter(file.read().split()[1:])
    for variable in range(int(next(numbers))):
        published = [float(next(numbers)) for _ in range(int(next(numbers)))]
        ours = found[f"x{variable}"].probabilities
        np.testing.assert_allclose(ours, published, atol=1e-6)  # as many digits as are printed
    log_10 = float((CASES / f"{name}.uai.PR").read_text().split()[1])
    assert model.log_partition(observed) / np.log(10) == pytest.approx(log_10, rel=5e-6)
