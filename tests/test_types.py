"""Public signatures say what they take: literals and protocols in place of Any and str."""

import inspect
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_overloads

import numpy as np
import pytest

import bayesic as by
from bayesic.data import languages, tokens, typing
from bayesic.estimation.nearest import ALGORITHMS, WEIGHTS
from bayesic.estimation.text_weights import TEXT_MODELS, WEIGHTINGS
from bayesic.estimation.univariate import VARIANCES
from bayesic.export._dialects import DIALECTS
from bayesic.hypotheses.bayes_rule import Hypothesis
from bayesic.models.columns.schema import KINDS, NUMERIC_KINDS
from bayesic.models.held_choices import CHOICES
from bayesic.models.neighbours.instance_based import METRICS
from bayesic.models.normal.gaussian_bayes import COVARIANCES
from bayesic.models.trees.forest import SPLITS
from bayesic.networks._structure.family_scores import SCORES
from bayesic.networks._structure.search import METHODS as SEARCHES
from bayesic.networks.distribution import Distribution, Marginals
from bayesic.networks.network import METHODS as QUERIES
from bayesic.selection._members import TREES
from website.public import public_names

# what may be anything, and why
ANYTHING = {
    ("hypotheses.Hypothesis.__init__", "prior"): "a number of any kind, a fraction stays one",
}
# texts that are no choice of a few words
FREE_TEXT = {("to_onnx", "missing")}


def public_things():
    for one in public_names():
        yield one.name, one.value


def functions_of(name, thing):
    """Public functions, constructors and methods, under the decorators."""
    if not inspect.isclass(thing):
        return [(name, inspect.unwrap(thing))] if callable(thing) else []
    members = [
        (f"{name}.{member}", inspect.unwrap(function))
        for member, function in inspect.getmembers(thing, callable)
        if member == "__init__" or not member.startswith("_")
    ]
    return [
        (path, function)
        for path, function in members
        if inspect.isfunction(function) and function.__module__.startswith("bayesic")
    ]


def parameters():
    for name, thing in public_things():
        for path, function in functions_of(name, thing):
            for each in inspect.signature(function).parameters.values():
                stars = each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
                if each.name not in ("self", "cls") and not stars:
                    yield path, each


def members_of(annotation):
    """The types of a union, which may be the only one."""
    if get_origin(annotation) in (Union, UnionType):
        return [part for each in get_args(annotation) for part in members_of(each)]
    return [annotation]


def words_of(annotation):
    """The literals of a type."""
    parts = members_of(annotation)
    return [word for part in parts if get_origin(part) is Literal for word in get_args(part)]


def test_no_public_parameter_is_any():
    found = {(path, each.name) for path, each in parameters() if Any in members_of(each.annotation)}
    assert found == set(ANYTHING)


def test_every_public_parameter_has_a_type():
    assert [(path, each.name) for path, each in parameters() if each.annotation is each.empty] == []


def test_an_option_with_a_word_as_default_names_all_its_words():
    found = [
        (path, each.name)
        for path, each in parameters()
        if isinstance(each.default, str) and each.default not in words_of(each.annotation)
    ]
    assert set(found) == FREE_TEXT


@pytest.mark.parametrize(
    ("function", "option", "words"),
    [
        (by.AutoBayes, "effort", TREES),
        (by.BayesForest, "splits", SPLITS),
        (by.GaussianBayes, "covariance", COVARIANCES),
        (by.KNeighborsClassifier, "algorithm", ALGORITHMS),
        (by.KNeighborsClassifier, "metric", METRICS),
        (by.KNeighborsRegressor, "weights", WEIGHTS),
        (by.NaiveBayes, "choices", CHOICES),
        (by.NaiveBayes, "numeric", NUMERIC_KINDS),
        (by.NaiveBayes, "variance", VARIANCES),
        (by.TextClassifier, "analyzer", tokens.ANALYZERS),
        (by.TextClassifier, "language", tokens.LANGUAGES),
        (by.TextClassifier, "model", (*TEXT_MODELS, "auto")),
        (by.TextClassifier, "tokenizer", tokens.NAMED),
        (by.TextClassifier, "weighting", WEIGHTINGS),
        (by.BeliefNetwork.query, "method", QUERIES),
        (by.networks.compare, "score", SCORES),
        (by.learn_structure, "method", SEARCHES),
        (by.to_sql, "dialect", DIALECTS),
        (by.language, "name", languages.LANGUAGES),
    ],
)
def test_the_words_of_a_type_are_those_that_are_accepted(function, option, words):
    annotation = inspect.signature(function).parameters[option].annotation
    assert sorted(words_of(annotation)) == sorted(words)


def test_kinds_of_columns_are_those_that_there_are():
    assert sorted(get_args(typing.Kind)) == sorted(KINDS)


def test_a_model_is_anything_with_probabilities():
    assert inspect.signature(by.evaluate).parameters["model"].annotation is typing.Classifier


def test_a_loss_is_an_array_a_dict_or_a_table():
    annotation = inspect.signature(by.decide).parameters["loss"].annotation
    assert set(members_of(annotation)) == {*members_of(typing.LossLike), type(None)}


@pytest.mark.parametrize(
    ("function", "returned"),
    [
        (by.BeliefNetwork.query, {Marginals, Distribution}),
        (by.networks.FactorModel.query, {Marginals, Distribution}),
        (by.KNeighborsClassifier.kneighbors, {tuple[np.ndarray, np.ndarray], np.ndarray}),
        (by.hypotheses.bayes_rule, {dict[Hypothesis, Any], list[Any], np.ndarray}),
    ],
)
def test_what_comes_back_depends_on_what_is_asked(function, returned):
    ways = get_overloads(inspect.unwrap(function))
    assert {inspect.signature(way).return_annotation for way in ways} == returned
    assert set(members_of(inspect.signature(function).return_annotation)) == returned
