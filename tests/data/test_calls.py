"""Calls that do not fit, and models that have learned nothing, are answered in the user's words."""

import inspect
import re

import numpy as np
import pytest

import bayesic as by
from bayesic import hypotheses
from helpers.model_cases import CASES

TENNIS = by.datasets.play_tennis()
DAYS, PLAY = TENNIS.rows, TENNIS.target
VERBS = ("fit", "partial_fit", "forget", "leave_one_out")
MODELS = {type(case.make()): case.make for case in CASES.values()}
OF_SCIKIT_LEARN = (
    *("get_params", "get_metadata_routing", "set_output", "fit_transform"),
    "get_feature_names_out",
)


def methods_of(model):
    """The public methods of a model that this library wrote, by name."""
    names = [name for name in dir(type(model)) if not name.startswith("_")]
    found = {name: inspect.getattr_static(type(model), name) for name in names}
    written = {
        name: getattr(type(model), name, None)  # some kinds do not offer it
        for name in found
        if name not in OF_SCIKIT_LEARN
    }
    return {
        name: method
        for name, method in written.items()
        if inspect.isfunction(method) and method.__module__.startswith("bayesic.")
    }


@pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.__name__)
def test_no_sentence_names_a_class_that_users_never_see(kind):
    model = MODELS[kind]()
    public = {each.__name__ for each in MODELS} | {"BayesDecision"}
    for name in methods_of(model):
        for given in ((), (DAYS,) * 9):
            try:
                getattr(model, name)(*given)
            except Exception as error:
                named = re.findall(r"(\w+)\.\w+\(\)", str(error))
                assert set(named) <= public, (name, str(error))
                assert "no attribute '_" not in str(error), (name, str(error))


@pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.__name__)
def test_what_only_learning_sets_is_said_to_be_missing(kind):
    model = MODELS[kind]()
    for name in [] if kind is hypotheses.RuleClassifier else dir(kind):  # its classes are given
        if name.endswith("_") and not name.startswith("_"):
            assert not hasattr(model, name), name
            with pytest.raises(AttributeError) as refused:
                getattr(model, name)
            assert "no attribute '_" not in str(refused.value)
            assert "'statistics_'" not in str(refused.value)


@pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("verb", VERBS)
def test_what_comes_after_the_data_is_given_by_name(kind, verb):
    if not hasattr(kind, verb) or kind is by.BeliefNetwork or kind is hypotheses.RuleClassifier:
        return
    model = MODELS[kind]()
    told = rf"{kind.__name__}.{verb} got 3 arguments without a name. It takes X and y"
    with pytest.raises(TypeError, match=told):
        getattr(model, verb)(DAYS, PLAY, 1)


def test_a_network_is_not_smoothed_by_what_comes_second():
    net = by.BeliefNetwork([("Storm", "Campfire")])
    with pytest.raises(
        TypeError, match=r"BeliefNetwork.fit got 2 .* takes table, and by name smoo"
    ):
        net.fit({"Storm": [True], "Campfire": ["no"]}, 1)


def test_the_lambda_of_a_document_is_no_weight():
    with pytest.raises(
        TypeError, match=r"The model itself takes smoothing: NaiveBayes\(smoothing="
    ):
        by.NaiveBayes().fit(DAYS, PLAY, 1)
    with pytest.raises(
        TypeError, match=r"The model itself takes alpha: MultinomialNB\(alpha=...\)"
    ):
        by.MultinomialNB().fit([[1]], ["spam"], 1)


@pytest.mark.parametrize("word", ["alpha", "l", "lam", "lambda_", "laplace"])
def test_words_for_smoothing_are_answered_with_ours(word):
    for kind in (by.NaiveBayes, by.TextClassifier, by.TreeAugmentedNB, by.BayesForest):
        with pytest.raises(
            TypeError, match=f"{kind.__name__} has no argument '{word}'. Write smoo"
        ):
            kind(**{word: 0.5})
    with pytest.raises(TypeError, match=r"parameter of the model: NaiveBayes\(smoothing=0.5\)"):
        by.NaiveBayes().fit(DAYS, PLAY, **{word: 0.5})
    with pytest.raises(TypeError, match=r"BeliefNetwork.fit has no argument .*Write smoothing=0.5"):
        by.BeliefNetwork([("a", "b")]).fit({"a": [1], "b": [2]}, **{word: 0.5})


def test_scikit_learns_models_answer_with_scikit_learns_word():
    with pytest.raises(
        TypeError, match=r"MultinomialNB has no argument 'smoothing'. Write alpha=2"
    ):
        by.MultinomialNB(smoothing=2)


ESTIMATORS = [
    estimator
    for estimator in map(vars(by).get, by.__all__)
    if inspect.isclass(estimator) and hasattr(estimator, "predict") and hasattr(estimator, "fit")
    if estimator is not by.BeliefNetwork
]
every_estimator = pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda kind: kind.__name__)


@every_estimator
@pytest.mark.parametrize(
    "given",
    [(TENNIS,), (DAYS, PLAY), ([*DAYS],), (np.ones((3, 2)),), ({"sky": ["sun", "rain"]}, PLAY)],
    ids=["table", "rows and classes", "rows", "array", "columns"],
)
def test_rows_given_to_a_constructor_are_refused_at_once(estimator, given):
    name = estimator.__name__
    with pytest.raises(TypeError, match=rf"^{name} .* Rows are given to fit: {name}\(\w*\).fit"):
        estimator(*given)


@pytest.mark.parametrize("model", [by.NaiveBayes, by.JointBayes, by.KDependence, by.BayesForest])
def test_rows_given_as_a_parameter_with_a_name_are_refused_by_the_first_verb(model):
    made = model(columns=DAYS)  # as scikit-learn's `clone` and `set_params` may
    for ask in (lambda: made.predict(DAYS), lambda: made.fit(DAYS, PLAY), made.summary):
        with pytest.raises(TypeError, match=r"columns must be a dict of .*Rows are given to fit"):
            ask()


def test_parameters_given_in_order_are_checked_at_once():
    for make, told in (
        (lambda: by.NaiveBayes("gaussian"), "columns must be a dict"),
        (lambda: by.KDependence(-1), "k must be"),
        (lambda: by.TextClassifier("naive"), "model must be"),
        (lambda: by.GaussianBayes("round"), "covariance must be"),
        (lambda: by.KNeighborsClassifier("five"), "n_neighbors must be"),
        (lambda: by.GaussianMixture(0), "n_components must be"),
        (lambda: by.SemiSupervised("NaiveBayes"), "needs a model"),
    ):
        with pytest.raises((TypeError, ValueError), match=told):
            make()


@pytest.mark.parametrize("model", [by.TreeAugmentedNB, by.KDependence, by.AveragedOneDependence])
def test_a_smoothing_that_is_misspelled_is_answered_with_those_that_the_model_has(model):
    with pytest.raises(ValueError, match="'back-off' to lean on") as refused:
        model(smoothing="backoff").fit(DAYS, PLAY)
    assert "auto" not in str(refused.value)
    model(smoothing="back-off").fit(DAYS, PLAY)


def test_an_error_within_a_call_that_fits_stays_what_it_is():
    with pytest.raises(TypeError, match="Only models of the same kind can be merged"):
        by.NaiveBayes().fit(DAYS, PLAY).merge(by.GaussianNB().fit([[1.0], [2.0]], ["a", "b"]))


@pytest.mark.parametrize("verb", ["fit", "partial_fit"])
def test_a_textbook_table_knows_its_target(verb):
    model = getattr(by.NaiveBayes(), verb)(TENNIS)
    expected = by.NaiveBayes().fit(DAYS, PLAY)
    assert model.target_name_ == "PlayTennis"
    assert np.array_equal(model.predict_proba(TENNIS), expected.predict_proba(DAYS))
    assert np.array_equal(model.leave_one_out(TENNIS), expected.leave_one_out(DAYS, PLAY))
    assert model.score(TENNIS) == expected.score(DAYS, PLAY)
    assert model.forget(TENNIS).class_count_.tolist() == [0, 0]
    tree = hypotheses.MDLTreeClassifier().fit(TENNIS)
    assert tree.feature_names_in_.tolist() == list(TENNIS.columns)


def test_other_rows_need_y():
    with pytest.raises(ValueError, match=r"NaiveBayes requires y to be passed.* Give y: the class"):
        by.NaiveBayes().fit(DAYS)
    with pytest.raises(ValueError, match="requires y to be passed.* Give y: the class"):
        by.TextClassifier().fit(["free lunch"])
    with pytest.raises(ValueError, match="choose_model needs y"):
        by.choose_model(DAYS)


def test_whatever_takes_rows_and_classes_takes_a_textbook_table():
    model = by.NaiveBayes().fit(TENNIS)
    columns = TENNIS.to_dict()
    for on_top in (by.Calibrated, by.BayesDecision, by.SemiSupervised):
        ours = on_top(by.NaiveBayes()).fit(TENNIS)
        theirs = on_top(by.NaiveBayes()).fit(DAYS, PLAY)
        assert np.array_equal(ours.predict_proba(TENNIS), theirs.predict_proba(DAYS))
        assert ours.score(TENNIS) == theirs.score(DAYS, PLAY)
    ours, theirs = by.evaluate(model, TENNIS), by.evaluate(model, columns, y="PlayTennis")
    assert ours.to_dict() == theirs.to_dict()
    pair = [model, by.TreeAugmentedNB().fit(TENNIS)]
    ours, theirs = by.compare(pair, TENNIS), by.compare(pair, columns, y="PlayTennis")
    assert ours.to_dict() == theirs.to_dict()
    chosen = by.choose_model(TENNIS, candidates=[by.NaiveBayes(), by.TreeAugmentedNB()])
    assert chosen.target_name_ == "PlayTennis"
    edges = [("PlayTennis", "Wind")]
    learned = by.BeliefNetwork(edges).fit(TENNIS), by.BeliefNetwork(edges).fit(columns)
    assert str(learned[0].table("Wind")) == str(learned[1].table("Wind"))
    assert by.learn_structure(TENNIS).edges == by.learn_structure(columns).edges
    sport = by.datasets.enjoy_sport()
    assert hypotheses.find_s(sport) == hypotheses.find_s(sport.rows, sport.target)
    assert hypotheses.candidate_elimination(sport).size == 6


def test_probabilities_are_no_state():
    net = by.datasets.asia()
    with pytest.raises(ValueError, match=r"Write distributions=\{'smoke': ...\} in query"):
        net.query("lung", given={"smoke": {"yes": 0.3, "no": 0.7}})
    with pytest.raises(ValueError, match=r"An event names states of smoke.*\['yes', 'no'\]"):
        net.probability_of({"smoke": {"yes": 0.3, "no": 0.7}})
