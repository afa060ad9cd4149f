"""QDA and LDA: the numbers of scikit-learn, laws, the rule of the documents."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import discriminant_analysis as peer
from sklearn.datasets import load_iris, load_wine
from sklearn.preprocessing import StandardScaler

from bayesic.datasets import watermelon
from bayesic.models.normal.discriminant import QuadraticDiscriminantAnalysis
from bayesic.models.normal.gaussian_bayes import GaussianBayes
from bayesic.models.normal.linear_discriminant import LinearDiscriminantAnalysis
from helpers.comparisons import assert_unchanged, state_of
from helpers.examples import at_most
from helpers.labelled_rows import WORDS, Rows, labelled_rows, quarters

LDA, QDA = LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
IRIS, SPECIES = load_iris(return_X_y=True)
WINE, CULTIVAR = load_wine(return_X_y=True)
SCALED = StandardScaler().fit_transform(WINE)
TABLES = {
    "iris": (IRIS, SPECIES),
    "wine": (SCALED, CULTIVAR),
    "two": (IRIS[SPECIES > 0], SPECIES[SPECIES > 0]),
}
each_table = pytest.mark.parametrize("table", TABLES)

LDA_ARGUMENTS = [{}, {"priors": [0.5, 0.2, 0.3]}, {"shrinkage": 0.3}]
QDA_ARGUMENTS = [{}, {"priors": [0.5, 0.2, 0.3]}, {"reg_param": 0.2}, {"shrinkage": 0.3}]


def pair(ours, theirs, arguments, table):
    """Our model and scikit-learn's, with the same arguments and rows."""
    X, y = TABLES[table]
    if table == "two" and "priors" in arguments:
        arguments = {**arguments, "priors": [0.7, 0.3]}
    solver = {"solver": "eigen"} if "shrinkage" in arguments else {"store_covariance": True}
    return ours(**arguments).fit(X, y), theirs(**arguments, **solver).fit(X, y), X


def assert_same_answers(ours, theirs, X):
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-9)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    mine, other = (model.decision_function(X) for model in (ours, theirs))
    if getattr(theirs, "solver", None) == "eigen" and mine.ndim > 1:
        # theirs, of x and not of x - centre, differs by a number for each row
        mine, other = mine - mine[:, :1], other - other[:, :1]
    np.testing.assert_allclose(mine, other, rtol=1e-7, atol=1e-7)


def names(arguments):
    return " ".join(f"{name}={value}" for name, value in arguments.items())


# the numbers of scikit-learn ------------------------------------------------------------------


@each_table
@pytest.mark.parametrize("arguments", LDA_ARGUMENTS, ids=names)
def test_linear_answers_and_attributes_are_those_of_scikit_learn(arguments, table):
    ours, theirs, X = pair(LDA, peer.LinearDiscriminantAnalysis, arguments, table)
    assert_same_answers(ours, theirs, X)
    learned = {name for name in vars(theirs) if name.endswith("_")}
    assert all(hasattr(ours, name) for name in learned)
    other = {"scalings_", "classes_"}
    if "shrinkage" in arguments:  # of shrunk distances between the means, and of x, not x - centre
        other |= {"explained_variance_ratio_", "coef_", "intercept_"}
    if "priors" in arguments:  # theirs goes by these, as their rule does not
        other |= {"covariance_"}
    for name in learned - other:
        expected = np.asarray(getattr(theirs, name))
        np.testing.assert_allclose(
            getattr(ours, name), expected, rtol=1e-6, atol=1e-8, err_msg=name
        )


@each_table
@pytest.mark.parametrize("n_components", [None, 1])
def test_directions_are_those_of_scikit_learn_up_to_their_signs(table, n_components):
    arguments = {"n_components": n_components}
    ours, theirs, X = pair(LDA, peer.LinearDiscriminantAnalysis, arguments, table)
    expected = theirs.transform(X)
    shown = ours.transform(X)
    np.testing.assert_allclose(np.abs(shown), np.abs(expected), rtol=1e-6, atol=1e-8)
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()
    np.testing.assert_array_equal(ours.fit_transform(X, TABLES[table][1]), shown)


@each_table
@pytest.mark.parametrize("arguments", QDA_ARGUMENTS, ids=names)
def test_quadratic_answers_and_attributes_are_those_of_scikit_learn(arguments, table):
    ours, theirs, X = pair(QDA, peer.QuadraticDiscriminantAnalysis, arguments, table)
    assert_same_answers(ours, theirs, X)
    for name in ("means_", "priors_", "scalings_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-8)
    for mine, other in zip(ours.rotations_, theirs.rotations_, strict=True):
        np.testing.assert_allclose(np.abs(mine), np.abs(other), atol=1e-6)
    if hasattr(theirs, "covariance_"):
        np.testing.assert_allclose(ours.covariance_, theirs.covariance_, atol=1e-9)


@pytest.mark.parametrize("Model", [LDA, QDA])
def test_ledoit_and_wolf_shrink_as_in_gaussian_bayes(Model):
    rows, kinds = SCALED[::3], CULTIVAR[::3]
    ours = Model(shrinkage="ledoit-wolf").fit(rows, kinds)
    shape = "tied" if Model is LDA else "full"
    expected = GaussianBayes(shape, shrinkage="ledoit-wolf").fit(rows, kinds)
    np.testing.assert_allclose(ours.covariance_, expected.covariance_, rtol=1e-12)
    np.testing.assert_allclose(ours.predict_proba(SCALED), expected.predict_proba(SCALED))


def test_features_that_depend_on_each_other_are_dropped_as_in_scikit_learn():
    X = np.column_stack([IRIS, IRIS[:, 0] + IRIS[:, 1], np.ones(150)])
    ours, theirs = (Model().fit(X, SPECIES) for Model in (LDA, peer.LinearDiscriminantAnalysis))
    assert_same_answers(ours, theirs, X)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-8)


def test_columns_far_from_zero_give_the_same_answers():
    shifted = IRIS + [1e8, -1e7, 0, 0]
    near, far = (LDA().fit(X, SPECIES) for X in (IRIS, shifted))
    np.testing.assert_allclose(far.predict_proba(shifted), near.predict_proba(IRIS), atol=2e-6)


# the documents --------------------------------------------------------------------------------


def test_the_rule_between_two_classes_is_a_0_and_a_of_the_documents():
    rain, snow = [[0, 0], [2, 0], [0, 2], [2, 2]], [[4, 3], [6, 3], [4, 5], [6, 5], [5, 4]]
    model = LDA().fit([*rain, *snow], ["rain"] * 4 + ["snow"] * 5)
    # both classes: squares of 4 and no products, so Sigma = 8/9 I
    sigma = Fraction(8, 9)
    means = (1, 1), (5, 4)
    a = [(first - second) / sigma for first, second in zip(*means, strict=True)]
    half = (
        sum((first + second) * weight for first, second, weight in zip(*means, a, strict=True)) / 2
    )
    rule = model.rule("rain", "snow")
    assert rule.a.tolist() == pytest.approx([float(weight) for weight in a], rel=1e-12)
    assert rule.a_0 == pytest.approx(np.log(4 / 5) - float(half), rel=1e-12)
    for x in ([3.0, 2.0], [3.2, 2.9], [2.5, 3.0]):
        log_odds = -np.diff(model.predict_log_proba([x])[0])[0]
        assert rule.a_0 + rule.a @ x == pytest.approx(log_odds, rel=1e-9)
        assert (rule.a_0 + rule.a @ x > 0) == (model.predict([x])[0] == "rain")


def test_the_rule_holds_for_every_two_classes():
    model = LDA().fit(SCALED, CULTIVAR)
    log_probability = model.predict_log_proba(SCALED)
    for first, second in [(0, 1), (2, 0)]:
        rule = model.rule(first, second)
        expected = log_probability[:, first] - log_probability[:, second]
        np.testing.assert_allclose(rule.a_0 + SCALED @ rule.a, expected, atol=1e-8)
    with pytest.raises(ValueError, match=r"among the classes \[0, 1, 2\], got \[7\]"):
        model.rule(0, 7)


def curvature(model, X):
    """How far log odds along a line through the data are from a straight line."""
    line = X.min(axis=0) + np.linspace(0, 1, 5)[:, None] * (X.max(axis=0) - X.min(axis=0))
    log_odds = np.diff(model.predict_log_proba(line), axis=1).ravel()
    return np.abs(np.diff(log_odds, n=2)).max()


def test_boundaries_on_the_watermelons_are_quadratic_straight_and_quadratic():
    melons = watermelon()
    X = np.array([row[-2:] for row in melons.rows], dtype=float)  # density and sugar
    full, naive = (GaussianBayes(kind).fit(X, melons.target) for kind in ("full", "diagonal"))
    assert curvature(full, X) > 0.1
    assert curvature(LDA().fit(X, melons.target), X) < 1e-9
    assert curvature(naive, X) > 0.1
    good = [[Fraction(str(value)) for value in row[-2:]] for row in melons.rows[:8]]
    mean = [sum(column) / 8 for column in zip(*good, strict=True)]
    squares = [sum((row[j] - mean[j]) ** 2 for row in good) / 8 for j in range(2)]
    assert naive.classes_.tolist() == ["否", "是"]
    assert naive.means_[1].tolist() == pytest.approx([float(value) for value in mean], rel=1e-12)
    expected = [float(value) for value in squares]
    assert naive.covariance_[1].tolist() == pytest.approx(expected, rel=1e-12)
    assert np.diag(full.covariance_[1]).tolist() == pytest.approx(expected, rel=1e-12)


# learning in pieces ---------------------------------------------------------------------------

some_rows = st.booleans().flatmap(
    lambda some: labelled_rows(min_rows=2, weights=quarters if some else None)
)
models = st.sampled_from(
    [
        (LDA, {}),
        (LDA, {"priors": [0.5, 0.2, 0.3]}),
        (LDA, {"shrinkage": 0.3}),
        (LDA, {"shrinkage": "ledoit-wolf", "priors": [0.5, 0.2, 0.3]}),
        (QDA, {}),
        (QDA, {"reg_param": 0.1}),
        (QDA, {"shrinkage": 0.3, "priors": [0.5, 0.2, 0.3]}),
        (QDA, {"shrinkage": "ledoit-wolf"}),
    ]
)


def quiet(function, *arguments, **by_name):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*is singular so far.*")
        return function(*arguments, **by_name)


def learned(model, rows):
    Model, arguments = model
    return quiet(
        Model(**arguments).partial_fit, rows.X, rows.y, classes=WORDS, sample_weight=rows.weights
    )


def refits(model, rows):
    answers = []
    for row in range(len(rows.y)):
        others = rows.where(np.arange(len(rows.y)) != row)
        answers.append(learned(model, others).predict_proba(rows.X[[row]])[0])
    return np.array(answers)


@at_most(30)
@given(model=models, data=st.data(), rows=some_rows)
def test_pieces_forgetting_and_merging(model, data, rows):
    cut = data.draw(st.integers(1, len(rows.y) - 1))
    some, more = rows.where(slice(None, cut)), rows.where(slice(cut, None))
    at_once = learned(model, rows).predict_proba(rows.X)
    in_pieces, merged, both = learned(model, some), learned(model, some), learned(model, rows)
    quiet(in_pieces.partial_fit, more.X, more.y, sample_weight=more.weights)
    quiet(merged.merge, learned(model, more))
    np.testing.assert_allclose(in_pieces.predict_proba(rows.X), at_once, atol=1e-6)
    np.testing.assert_allclose(merged.predict_proba(rows.X), at_once, atol=1e-6)
    quiet(both.forget, more.X, more.y, sample_weight=more.weights)
    expected = learned(model, some).predict_proba(rows.X)
    np.testing.assert_allclose(both.predict_proba(rows.X), expected, atol=1e-6)


@at_most(50)
@given(model=models, rows=some_rows)
def test_leaving_one_out_is_learning_all_the_others(model, rows):
    answers = learned(model, rows).leave_one_out(rows.X, rows.y, sample_weight=rows.weights)
    np.testing.assert_allclose(answers, refits(model, rows), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize(
    "model",
    [
        (LDA, {}),
        (LDA, {"priors": [0.5, 0.2, 0.3]}),
        (LDA, {"shrinkage": 0.2}),
        (LDA, {"shrinkage": "ledoit-wolf"}),
        (QDA, {}),
        (QDA, {"reg_param": 0.3, "priors": [0.5, 0.2, 0.3]}),
        (QDA, {"shrinkage": 0.2}),
        (QDA, {"shrinkage": "ledoit-wolf"}),
    ],
    ids=lambda model: f"{model[0].__name__} {names(model[1])}",
)
@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
def test_leaving_out_ordinary_measurements(model, weighted):
    rng = np.random.default_rng(0)
    rows = Rows(IRIS[::5], np.array(WORDS)[SPECIES[::5]])
    if weighted:
        rows = Rows(rows.X, rows.y, rng.integers(1, 5, 30) / 2)
    answers = learned(model, rows).leave_one_out(rows.X, rows.y, sample_weight=rows.weights)
    np.testing.assert_allclose(answers, refits(model, rows), rtol=1e-6, atol=1e-9)


def test_learning_in_pieces_warns_of_a_class_that_is_singular_so_far():
    model = QDA()
    with pytest.warns(UserWarning, match="of class 'ham', 'spam' is singular so far"):
        model.partial_fit([[1.0, 2], [3, 4]], ["ham", "spam"], classes=["ham", "spam"])
    model.partial_fit([[2.0, 1], [4, 4], [3, 1], [5, 2]], ["ham", "spam"] * 2)
    expected = QDA().fit([[1, 2], [3, 4], [2, 1], [4, 4], [3, 1], [5, 2]], ["ham", "spam"] * 3)
    np.testing.assert_allclose(
        model.predict_proba(IRIS[:, :2]), expected.predict_proba(IRIS[:, :2])
    )


@pytest.mark.parametrize("Model", [LDA, QDA])
def test_small_weights_are_no_small_numbers_of_rows(Model):
    light = Model().fit(IRIS, SPECIES, sample_weight=np.full(150, 0.02))  # each class weighs 1
    np.testing.assert_allclose(
        light.predict_proba(IRIS), Model().fit(IRIS, SPECIES).predict_proba(IRIS), atol=1e-9
    )


def test_learning_in_pieces_after_a_change_of_arguments_uses_the_statistic():
    for Model in (LDA, QDA):
        model = Model(shrinkage="ledoit-wolf").fit(IRIS[::2], SPECIES[::2])
        model.set_params(shrinkage=None).partial_fit(IRIS[1::2], SPECIES[1::2])
        expected = Model().fit(IRIS, SPECIES)
        assert_same_answers(model, expected, IRIS)


# reasons --------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [LDA(), QDA()], ids=["LDA", "QDA"])
def test_the_weights_of_evidence_add_up_to_the_log_odds(model):
    model.fit(IRIS, SPECIES)
    explanation = model.explain(IRIS[[70]], against=0)[0]
    log_probability = model.predict_log_proba(IRIS[[70]])[0]
    expected = log_probability.max() - log_probability[0]
    assert explanation.log_odds == pytest.approx(expected)
    total = explanation.prior_log_odds + sum(explanation.weights.values())
    assert total == pytest.approx(expected)


# what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize("Model", [LDA, QDA])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"shrinkage": 1.5}, "shrinkage must be None, a number from 0 to 1 or 'ledoit-wolf', got"),
        ({"shrinkage": "auto"}, "shrinkage must be None, a number from 0 to 1 or 'ledoit-wolf', g"),
        ({"priors": [0.5, 0.5]}, "must match number of classes"),
        ({"priors": [-0.5, 1, 0.5]}, "riors must be non-negative"),
        ({"priors": [0.5, 1, 0.5]}, "sum of the priors should be 1"),
    ],
    ids=["shrinkage", "auto", "number", "negative", "sum"],
)
def test_arguments_that_make_no_sense_are_refused_and_change_nothing(Model, arguments, message):
    model = Model().fit(IRIS, SPECIES)
    model.set_params(**arguments)
    before = state_of(model)
    with pytest.raises(ValueError, match=message):
        model.fit(IRIS, SPECIES)
    assert_unchanged(model, before)


@pytest.mark.parametrize("reg_param", [-0.1, 1.1, "much"])
def test_a_share_of_the_unit_matrix_outside_0_and_1_is_refused(reg_param):
    with pytest.raises(ValueError, match="reg_param must be a number from 0 to 1"):
        QDA(reg_param=reg_param).fit(IRIS, SPECIES)


def test_one_of_two_ways_to_shrink_is_enough():
    with pytest.raises(ValueError, match="Give one of the two"):
        QDA(reg_param=0.1, shrinkage=0.1).fit(IRIS, SPECIES)


@pytest.mark.parametrize("Model", [LDA, QDA])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_gaps_and_infinities_are_refused_in_learning_and_in_answers(Model, value):
    model = Model().fit(IRIS, SPECIES)
    row = [[1.0, value, 2.0, 3.0]]
    for call in (model.predict, lambda X: model.partial_fit(X, [0])):
        with pytest.raises(ValueError, match="contains (NaN|infinity)"):
            call(row)


def test_a_singular_class_is_refused_by_qda_with_the_way_out():
    X = np.column_stack([IRIS, IRIS[:, 0]])
    with pytest.raises(np.linalg.LinAlgError, match="not full rank.*Give a shrinkage or a reg_pa"):
        QDA().fit(X, SPECIES)
    shrunk = QDA(reg_param=0.1).fit(X, SPECIES)
    assert shrunk.score(X, SPECIES) > 0.9


def test_leaving_one_out_drops_directions_in_which_the_means_hardly_differ_as_refitting_does():
    around = np.array([[0.5, 0.2], [-0.5, -0.2], [0.1, -0.6], [-0.1, 0.6]])
    far = [2.0, 0.4]  # without it the means lie on a line, but for 1e-5
    X = np.vstack([around, around + [1.0, 0.0], around + [2.0, 1e-5], [far]])
    y = ["low"] * 4 + ["middle"] * 4 + ["high"] * 5
    model = LinearDiscriminantAnalysis().fit(X, y)
    refitted = LinearDiscriminantAnalysis().fit(X[:-1], y[:-1])
    left_out = model.leave_one_out(X, y)[-1]
    assert left_out == pytest.approx(refitted.predict_proba([far])[0], rel=1e-9)
