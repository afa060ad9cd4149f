"""Parameters as scikit-learn reads, sets, copies and shows them: by its own base class."""

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator
from sklearn.preprocessing import StandardScaler

import bayesic as by
from bayesic.contract.constructor import clone
from bayesic.contract.estimator import Estimator


class Ours(Estimator):
    def __init__(self, rain=1, sun=None, snow="white", *, wind=0.5):
        self.rain, self.sun, self.snow, self.wind = rain, sun, snow, wind


class Theirs(BaseEstimator):
    def __init__(self, rain=1, sun=None, snow="white", *, wind=0.5):
        self.rain, self.sun, self.snow, self.wind = rain, sun, snow, wind


Theirs.__name__ = "Ours"


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"rain": 2, "wind": 0.5},
        {"rain": None, "sun": [1, 2], "snow": "white"},
        {"sun": {"rain": 1}, "snow": np.array([1.0, 2.0])},
        {"sun": np.nan, "rain": StandardScaler(with_mean=False)},
        {"sun": "x" * 40, "snow": "y" * 40, "rain": 3},
    ],
    ids=str,
)
def test_it_is_shown_as_scikit_learn_shows_it(given):
    assert repr(Ours(**given)) == repr(Theirs(**given))


def test_defaults_are_shown_where_scikit_learn_is_told_so():
    with sklearn.config_context(print_changed_only=False):
        assert repr(Ours()) == "Ours(rain=1, snow='white', sun=None, wind=0.5)"


def test_what_is_very_long_is_cut():
    assert len(repr(Ours("x" * 2000))) <= 703
    assert repr(Ours([0.25] * 100_000)).count("0.25") == 30


@pytest.mark.parametrize("deep", [True, False])
def test_parameters_are_those_of_scikit_learn(deep):
    given = {"rain": StandardScaler(), "sun": StandardScaler}
    mine, theirs = Ours(**given).get_params(deep), Theirs(**given).get_params(deep)
    assert mine == theirs and ("rain__with_mean" in mine) == deep


@pytest.mark.parametrize("name", ["fog", "fog__deep", "fog__"])
def test_an_unknown_parameter_is_refused_in_the_words_of_scikit_learn(name):
    said = []
    for estimator in (Ours(rain=2), Theirs(rain=2)):
        with pytest.raises(ValueError, match="Invalid parameter") as refused:
            estimator.set_params(**{name: 1})
        said.append(str(refused.value))
    assert said[0] == said[1]


def test_parameters_inside_a_parameter_are_set():
    model = Ours(rain=1).set_params(rain=Ours(), rain__sun=StandardScaler(), rain__sun__copy=False)
    assert model.rain.sun.copy is False and model.get_params()["rain__sun__copy"] is False


def test_all_parameters_are_set_or_none():
    model = Ours()
    with pytest.raises(ValueError, match="Invalid parameter 'fog'"):
        model.set_params(rain=7, fog=1)
    assert model.rain == 1


@pytest.mark.parametrize("copied", [clone, sklearn.base.clone], ids=["ours", "scikit-learn's"])
def test_a_clone_has_fresh_parameters_and_has_learned_nothing(copied):
    inside = by.NaiveBayes(smoothing=[1.0])
    model = by.BayesDecision(by.calibrated(inside), loss={"go": {"ham": 0, "spam": 1}})
    fresh = copied(model)
    assert repr(fresh) == repr(model) and vars(fresh).keys() == vars(model).keys()
    assert fresh.model.model is not inside and fresh.model.model.smoothing is not inside.smoothing
    assert fresh.loss is not model.loss


def test_what_was_asked_of_a_pipeline_stays_with_a_clone():
    with sklearn.config_context(enable_metadata_routing=True):
        asking = by.KMeans(2).set_output(transform="pandas").set_fit_request(sample_weight=True)
        for fresh in (clone(asking), sklearn.base.clone(asking)):
            assert fresh.get_metadata_routing().fit.requests == {"sample_weight": True}
            assert fresh._sklearn_output_config == {"transform": "pandas"}


def test_what_is_no_estimator_has_no_clone():
    with pytest.raises(TypeError, match="does not implement a 'get_params' method"):
        clone("rain")
