"""QDA and LDA: the numbers of scikit-learn, laws, the rule of the documents."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import discriminant_analysis as peer
from sklearn.covariance import OAS
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

LDA_ARGUMENTS = [
    {},
    {"store_covariance": True},
    {"priors": [0.5, 0.2, 0.3]},
    {"solver": "lsqr"},
    {"solver": "lsqr", "shrinkage": 0.3, "priors": [0.5, 0.2, 0.3]},
    {"solver": "lsqr", "shrinkage": "auto"},
    {"solver": "eigen"},
    {"solver": "eigen", "shrinkage": 0.3},
    {"solver": "eigen", "shrinkage": "auto"},
    {"solver": "eigen", "covariance_estimator": OAS()},
]
QDA_ARGUMENTS = [
    {"store_covariance": True},
    {"priors": [0.5, 0.2, 0.3]},
    {"reg_param": 0.2, "store_covariance": True},
    {"solver": "eigen", "store_covariance": True},
    {"solver": "eigen", "shrinkage": 0.3, "store_covariance": True},
    {"solver": "eigen", "shrinkage": "auto", "store_covariance": True},
    {"solver": "eigen", "covariance_estimator": OAS()},
]


def pair(ours, theirs, arguments, table):
    """Our model and scikit-learn's, with the same arguments and rows."""
    X, y = TABLES[table]
    if table == "two" and "priors" in arguments:
        arguments = {**arguments, "priors": [0.7, 0.3]}
    return ours(**arguments).fit(X, y), theirs(**arguments).fit(X, y), X


def assert_same_answers(ours, theirs, X):
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-9)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_allclose(
        ours.decision_function(X), theirs.decision_function(X), rtol=1e-7, atol=1e-7
    )


def names(arguments):
    return " ".join(
        f"{name}={type(value).__name__ if 'est' in name else value}"
        for name, value in arguments.items()
    )


# the numbers of scikit-learn ------------------------------------------------------------------


@each_table
@pytest.mark.parametrize("arguments", LDA_ARGUMENTS, ids=names)
def test_linear_answers_and_attributes_are_those_of_scikit_learn(arguments, table):
    ours, theirs, X = pair(LDA, peer.LinearDiscriminantAnalysis, arguments, table)
    assert_same_answers(ours, theirs, X)
    learned = {name for name in vars(theirs) if name.endswith("_")}
    assert all(hasattr(ours, name) for name in learned)
    for name in learned - {"scalings_", "classes_"}:
        expected = np.asarray(getattr(theirs, name))
        np.testing.assert_allclose(
            getattr(ours, name), expected, rtol=1e-6, atol=1e-8, err_msg=name
        )
    optional = {"covariance_", "scalings_", "xbar_", "explained_variance_ratio_"}
    assert {name for name in optional if hasattr(ours, name)} == optional & learned


@each_table
@pytest.mark.parametrize("solver", ["svd", "eigen"])
@pytest.mark.parametrize("n_components", [None, 1])
def test_directions_are_those_of_scikit_learn_up_to_their_signs(table, solver, n_components):
    arguments = {"solver": solver, "n_components": n_components}
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
    assert hasattr(ours, "covariance_") == hasattr(theirs, "covariance_")
    if hasattr(theirs, "covariance_"):
        np.testing.assert_allclose(ours.covariance_, theirs.covariance_, atol=1e-9)


def test_features_that_depend_on_each_other_are_dropped_by_svd_as_in_scikit_learn():
    X = np.column_stack([IRIS, IRIS[:, 0] + IRIS[:, 1], np.ones(150)])
    ours, theirs = (Model().fit(X, SPECIES) for Model in (LDA, peer.LinearDiscriminantAnalysis))
    assert_same_answers(ours, theirs, X)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-8)


@pytest.mark.parametrize("solver", ["svd", "lsqr", "eigen"])
def test_columns_far_from_zero_give_the_same_answers(solver):
    shifted = IRIS + [1e8, -1e7, 0, 0]
    near, far = (LDA(solver=solver).fit(X, SPECIES) for X in (IRIS, shifted))
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


@pytest.mark.parametrize("solver", ["svd", "lsqr", "eigen"])
def test_the_rule_holds_for_every_solver_and_every_two_classes(solver):
    model = LDA(solver=solver).fit(SCALED, CULTIVAR)
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
        (LDA, {"solver": "lsqr", "shrinkage": 0.3}),
        (LDA, {"solver": "lsqr", "shrinkage": 0.3, "priors": [0.5, 0.2, 0.3]}),
        (QDA, {}),
        (QDA, {"reg_param": 0.1}),
        (QDA, {"solver": "eigen", "shrinkage": 0.3, "priors": [0.5, 0.2, 0.3]}),
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
        (LDA, {"solver": "lsqr", "priors": [0.5, 0.2, 0.3]}),
        (LDA, {"solver": "eigen", "shrinkage": 0.2}),
        (LDA, {"solver": "eigen", "priors": [0.5, 0.2, 0.3]}),
        (QDA, {}),
        (QDA, {"reg_param": 0.3, "priors": [0.5, 0.2, 0.3]}),
        (QDA, {"solver": "eigen", "shrinkage": 0.2}),
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
        model = Model(solver="eigen", shrinkage="auto").fit(IRIS[::2], SPECIES[::2])
        model.set_params(shrinkage=None).partial_fit(IRIS[1::2], SPECIES[1::2])
        expected = Model(solver="eigen").fit(IRIS, SPECIES)
        assert_same_answers(model, expected, IRIS)


# reasons --------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [LDA(), LDA(solver="lsqr"), QDA()], ids=["svd", "lsqr", "QDA"])
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
    ("arguments", "error", "message"),
    [
        ({"solver": "magic"}, ValueError, "solver must be one of 'svd'"),
        ({"solver": "eigen", "shrinkage": 1.5}, ValueError, "shrinkage must be None"),
        ({"shrinkage": 0.5}, NotImplementedError, "shrinkage not supported with 'svd'"),
        ({"tol": -1}, ValueError, "tol must be"),
        ({"priors": [0.5, 0.5]}, ValueError, "must match number of classes"),
        ({"priors": [-0.5, 1, 0.5]}, ValueError, "riors must be non-negative"),
    ],
    ids=["solver", "shrinkage", "svd", "tol", "number", "negative"],
)
def test_arguments_that_make_no_sense_are_refused_and_change_nothing(
    Model, arguments, error, message
):
    model = Model().fit(IRIS, SPECIES)
    model.set_params(**arguments)
    before = state_of(model)
    with pytest.raises(error, match=message):
        model.fit(IRIS, SPECIES)
    assert_unchanged(model, before)


@pytest.mark.parametrize("reg_param", [-0.1, 1.1, "much"])
def test_a_share_of_the_unit_matrix_outside_0_and_1_is_refused(reg_param):
    with pytest.raises(ValueError, match="reg_param must be a number from 0 to 1"):
        QDA(reg_param=reg_param).fit(IRIS, SPECIES)


@pytest.mark.parametrize("Model", [LDA, QDA])
@pytest.mark.parametrize(
    "arguments", [{"shrinkage": "auto"}, {"covariance_estimator": OAS()}], ids=["auto", "estimator"]
)
def test_what_needs_all_rows_at_once_cannot_learn_in_pieces(Model, arguments):
    model = Model(solver="eigen", **arguments).fit(IRIS, SPECIES)
    for call in (model.partial_fit, model.forget, model.leave_one_out):
        with pytest.raises(ValueError, match="need all rows at once.*GaussianBayes"):
            call(IRIS, SPECIES)
    with pytest.raises(ValueError, match="need all rows at once"):
        model.merge(model)
    with pytest.raises(ValueError, match="sample_weight does not work with"):
        model.fit(IRIS, SPECIES, sample_weight=np.ones(150))


@pytest.mark.parametrize("Model", [LDA, QDA])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_gaps_and_infinities_are_refused_in_learning_and_in_answers(Model, value):
    model = Model().fit(IRIS, SPECIES)
    row = [[1.0, value, 2.0, 3.0]]
    for call in (model.predict, lambda X: model.partial_fit(X, [0])):
        with pytest.raises(ValueError, match="contains (NaN|infinity)"):
            call(row)


def test_a_singular_covariance_is_refused_by_eigen_with_the_way_out():
    X = np.column_stack([IRIS, IRIS[:, 0]])
    with pytest.raises(np.linalg.LinAlgError, match="solver='svd'"):
        LDA(solver="eigen").fit(X, SPECIES)


def test_leaving_one_out_drops_directions_in_which_the_means_hardly_differ_as_refitting_does():
    around = np.array([[0.5, 0.2], [-0.5, -0.2], [0.1, -0.6], [-0.1, 0.6]])
    far = [2.0, 0.4]  # without it the means lie on a line, but for 1e-5
    X = np.vstack([around, around + [1.0, 0.0], around + [2.0, 1e-5], [far]])
    y = ["low"] * 4 + ["middle"] * 4 + ["high"] * 5
    model = LinearDiscriminantAnalysis(solver="svd").fit(X, y)
    refitted = LinearDiscriminantAnalysis(solver="svd").fit(X[:-1], y[:-1])
    left_out = model.leave_one_out(X, y)[-1]
    assert left_out == pytest.approx(refitted.predict_proba([far])[0], rel=1e-9)
