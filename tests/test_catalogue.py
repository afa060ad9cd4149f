"""The catalogue is true: what it says of each model, the models say of themselves."""

import inspect
import warnings
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import bayesic as by
from bayesic.catalogue import LEANING, MODELS, ON_TOP, STATISTICS, class_named, entry_of
from bayesic.cli._model_options import model_options, option_of, takers
from bayesic.cli._signatures import parameters_of
from bayesic.data.typing import Kind
from bayesic.estimation.back_off import STRENGTH
from bayesic.export._class_scores import FORMULAS
from bayesic.lazy_names import homes_in
from bayesic.models.fitted import Fitted
from bayesic.models.linear.logistic import LinearScores

SOURCE = Path(by.__file__).parent
TYPED = [name for name, entry in MODELS.items() if entry.options]
OF_TABLES = [name for name, entry in MODELS.items() if entry.kinds]

# parameters without an option on the command line, and why
WITHOUT_OPTION = {
    "choices": "for models that learn row by row within one process",
    "seed": "results are to be the same again",
    "n_trees": "60 are enough; fewer or more are for programs",
    "splits": "choose_model and AutoBayes try both",
    "m": "of one paper",
    "unbiased": "as in a textbook",
    "reg_param": "--shrinkage does the same",
    "solver": "how, not what",
    "n_components": "of transform",
    "store_covariance": "of an attribute",
    "tol": "how, not what",
    "covariance_estimator": "an object of Python",
    "fit_intercept": "there is one",
    "max_iter": "how, not what",
    "algorithm": "how, not what",
    "p": "the usual distance",
    "metric": "the usual distance",
    "weights of KNeighborsClassifier": "each neighbour votes once",
    "prior of TextClassifier": "is that of the texts; --prior is of tables",
}


@pytest.mark.parametrize("name", MODELS | ON_TOP)
def test_the_class_stands_where_the_catalogue_says(name):
    kind = class_named(name)
    assert (kind.__name__, kind.__module__) == (name, (MODELS | ON_TOP)[name].home)


@pytest.mark.parametrize("name", STATISTICS)
def test_the_statistics_stand_where_the_catalogue_says(name):
    kind = getattr(import_module(STATISTICS[name]), name)
    assert (kind.__name__, kind.__module__) == (name, STATISTICS[name])


def test_the_stub_of_the_package_says_the_same():
    homes = homes_in((SOURCE / "__init__.pyi").read_text(encoding="utf-8"))
    entries = {**MODELS, **ON_TOP}
    listed = {name: home for name, home in homes.items() if name in entries}
    assert listed == {name: entries[name].home for name in listed}
    assert entries.keys() - listed == {"MDLTreeClassifier"}  # which is one of by.hypotheses


def test_a_model_derived_from_another_is_one_of_its_kind():
    class Mine(by.NaiveBayes):
        pass

    assert entry_of(Mine()) is MODELS["NaiveBayes"]
    assert entry_of("a text").options == ()


# the command line ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TYPED)
def test_signatures_that_are_read_are_those_of_the_classes(name):
    real = inspect.signature(class_named(name)).parameters
    read = parameters_of(name)
    assert {each: one.default for each, one in read.items()} == {
        each: one.default for each, one in real.items()
    }
    assert all(read[each].says for each in MODELS[name].options)


@pytest.mark.parametrize("name", TYPED)
def test_every_parameter_has_an_option_or_a_reason_for_having_none(name):
    others = parameters_of(name).keys() - set(MODELS[name].options)
    assert [one for one in others if {one, f"{one} of {name}"}.isdisjoint(WITHOUT_OPTION)] == []


def test_every_reason_is_needed():
    left = {one for name in TYPED for one in parameters_of(name).keys() - {*MODELS[name].options}}
    assert {each.partition(" of ")[0] for each in WITHOUT_OPTION} - left <= {
        *("solver", "store_covariance", "tol", "covariance_estimator", "fit_intercept")
    }


def test_every_option_of_the_catalogue_is_one_of_the_command_line():
    made = {option.name for option in model_options()}
    assert made == takers().keys()
    assert made == {option_of(each) for name in TYPED for each in MODELS[name].options}


# the page and export ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OF_TABLES)
@pytest.mark.parametrize("kind", Kind.__args__)
def test_the_kinds_of_columns_are_those_that_the_model_takes(name, kind):
    model = class_named(name)(columns={"sky": kind})
    if kind in MODELS[name].kinds:
        model._check_parameters()
    else:
        with pytest.raises(ValueError, match="sky"):
            model._check_parameters()


def formulas():
    waiting, found = [Fitted], set()
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        found.add(kind.formula)
    return found - {None}


def test_every_formula_is_that_of_a_fitted_object():
    for name in MODELS:
        class_named(name)
    assert formulas() | {LinearScores.formula} == FORMULAS.keys()


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "name", [name for name, entry in MODELS.items() if hasattr(class_named(name), "predict_proba")]
)
def test_exported_models_are_those_that_can_be_written(name):
    rows, plans = np.random.default_rng(0).integers(0, 4, (20, 2)), ["go", "stay"] * 10
    if MODELS[name].reads == "texts":
        rows = ["free money", "lunch today"] * 10
    model = class_named(name)().fit(rows, plans)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if MODELS[name].exported:
            assert by.to_sql(model, "days").startswith(("with", "select"))
        else:
            with pytest.raises(TypeError, match="can be exported"):
                by.to_sql(model, "days")


def test_candidates_lean_as_strongly_as_others_do():
    assert LEANING == {"smoothing": ("back-off", STRENGTH)}
