"""GaussianBayes: numbers against scipy and scikit-learn, laws, gaps, singular classes."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal
from sklearn import discriminant_analysis as peer
from sklearn.datasets import load_iris, load_wine
from sklearn.metrics import log_loss
from sklearn.naive_bayes import GaussianNB

from bayesic.models.normal.gaussian_bayes import GaussianBayes
from helpers.comparisons import assert_unchanged, state_of
from helpers.examples import at_most
from helpers.labelled_rows import WORDS, Rows, labelled_rows, quarters

KINDS = ("full", "tied", "diagonal", "spherical")
each_kind = pytest.mark.parametrize("kind", KINDS)
IRIS, SPECIES = load_iris(return_X_y=True)
WINE, CULTIVAR = load_wine(return_X_y=True)


@pytest.fixture
def singular_allowed():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*is singular.*")
        yield


def quiet(function, *arguments, **by_name):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*is singular.*")
        return function(*arguments, **by_name)


def learned(model, rows):
    return quiet(model.partial_fit, rows.X, rows.y, classes=WORDS, sample_weight=rows.weights)


# numbers --------------------------------------------------------------------------------------


def expected_covariance(kind, X, y, unbiased=False):
    """By the formulas of the documents, with NumPy's own covariance."""
    groups = [X[y == label] for label in np.unique(y)]
    matrices = [np.cov(group.T, bias=True) for group in groups]
    sizes = np.array([len(group) for group in groups])
    lost = 1 if unbiased else 0
    scatters = [matrix * size for matrix, size in zip(matrices, sizes, strict=True)]
    if kind == "tied":
        return sum(scatters) / (len(y) - lost * len(groups))
    full = np.array([s / (n - lost) for s, n in zip(scatters, sizes, strict=True)])
    if kind == "full":
        return full
    variances = np.diagonal(full, axis1=1, axis2=2)
    return variances if kind == "diagonal" else variances.mean(axis=1)


@each_kind
@pytest.mark.parametrize("unbiased", [False, True], ids=["biased", "unbiased"])
def test_means_and_covariances_are_those_of_the_formulas(kind, unbiased):
    model = GaussianBayes(kind, unbiased=unbiased).fit(WINE, CULTIVAR)
    np.testing.assert_allclose(
        model.means_, [WINE[c == CULTIVAR].mean(axis=0) for c in range(3)], rtol=1e-13
    )
    expected = expected_covariance(kind, WINE, CULTIVAR, unbiased)
    np.testing.assert_allclose(model.covariance_, expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.priors_, np.bincount(CULTIVAR) / len(CULTIVAR))


@each_kind
def test_log_densities_are_those_of_scipy(kind):
    model = GaussianBayes(kind).fit(IRIS, SPECIES)
    covariance = expected_covariance(kind, IRIS, SPECIES)
    joint = model.predict_joint_log_proba(IRIS)
    for c in range(3):
        of_class = covariance if kind == "tied" else covariance[c]
        matrix = np.diag(np.broadcast_to(of_class, 4)) if of_class.ndim < 2 else of_class
        expected = multivariate_normal(IRIS[c == SPECIES].mean(axis=0), matrix).logpdf(IRIS)
        np.testing.assert_allclose(joint[:, c], expected + np.log(1 / 3), rtol=1e-9)
    np.testing.assert_allclose(model.log_density(IRIS), np.logaddexp.reduce(joint, axis=1))


def test_full_tied_and_diagonal_are_three_models_of_scikit_learn():
    for kind, theirs in [
        ("full", peer.QuadraticDiscriminantAnalysis()),
        ("tied", peer.LinearDiscriminantAnalysis()),
        ("diagonal", GaussianNB(var_smoothing=0)),
    ]:
        expected = theirs.fit(WINE, CULTIVAR).predict_proba(WINE)
        ours = GaussianBayes(kind).fit(WINE, CULTIVAR).predict_proba(WINE)
        np.testing.assert_allclose(ours, expected, atol=1e-8)


def test_all_shrinkage_of_the_full_covariance_is_the_tied_one():
    full = GaussianBayes("full", shrinkage=1).fit(WINE, CULTIVAR)
    tied = GaussianBayes("tied").fit(WINE, CULTIVAR)
    np.testing.assert_allclose(full.predict_proba(WINE), tied.predict_proba(WINE), atol=1e-10)


def test_half_the_shrinkage_is_half_way_to_the_pooled_covariance():
    model = GaussianBayes(shrinkage=0.5).fit(IRIS, SPECIES)
    alone, pooled = (expected_covariance(kind, IRIS, SPECIES) for kind in ("full", "tied"))
    np.testing.assert_allclose(model.covariance_, (alone + pooled) / 2, rtol=1e-10)


def test_half_the_shrinkage_of_a_tied_covariance_halves_the_correlations():
    model = GaussianBayes("tied", shrinkage=0.5).fit(IRIS, SPECIES)
    pooled = expected_covariance("tied", IRIS, SPECIES)
    expected = pooled / 2 + np.diag(np.diag(pooled)) / 2
    np.testing.assert_allclose(model.covariance_, expected, rtol=1e-10)


def test_the_weight_of_ledoit_and_wolf_is_near_that_of_fourth_powers_for_gaussian_rows():
    from sklearn.covariance import ledoit_wolf

    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 5)) @ rng.normal(size=(5, 5))
    model = GaussianBayes(shrinkage="ledoit-wolf").fit(X, ["rain"] * 60)
    scale = X.std(axis=0)
    expected = ledoit_wolf(X / scale)[0] * scale[:, None] * scale
    off = ~np.eye(5, dtype=bool)
    np.testing.assert_allclose(model.covariance_[0][off] / expected[off], 1.0, atol=0.03)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("full", lambda L, p: L * (p + p * (p + 1) / 2)),
        ("tied", lambda L, p: L * p + p * (p + 1) / 2),
        ("diagonal", lambda L, p: 2 * L * p),
        ("spherical", lambda L, p: L * (p + 1)),
    ],
    ids=KINDS,
)
def test_the_number_of_parameters_is_that_of_the_documents(kind, expected):
    assert GaussianBayes(kind).fit(WINE, CULTIVAR).n_parameters == expected(3, 13)


def test_given_priors_count():
    model = GaussianBayes(priors=[0.2, 0.3, 0.5]).fit(IRIS, SPECIES)
    theirs = peer.QuadraticDiscriminantAnalysis(priors=[0.2, 0.3, 0.5]).fit(IRIS, SPECIES)
    np.testing.assert_allclose(model.predict_proba(IRIS), theirs.predict_proba(IRIS), atol=1e-10)


@each_kind
def test_columns_far_from_zero_give_the_same_answers(kind):
    shifted = IRIS + [1e8, -1e7, 0, 0]
    near, far = (GaussianBayes(kind).fit(X, SPECIES) for X in (IRIS, shifted))
    np.testing.assert_allclose(far.predict_proba(shifted), near.predict_proba(IRIS), atol=2e-6)


@each_kind
def test_samples_have_the_moments_of_the_model(kind):
    model = GaussianBayes(kind, priors=[0.2, 0.3, 0.5]).fit(IRIS, SPECIES)
    X, y = model.sample(60_000, random_state=0)
    assert np.bincount(y) / len(y) == pytest.approx([0.2, 0.3, 0.5], abs=0.01)
    again = GaussianBayes(kind).fit(X, y)
    np.testing.assert_allclose(again.means_, model.means_, atol=0.03)
    np.testing.assert_allclose(again.covariance_, model.covariance_, atol=0.02)
    same = model.sample(5, random_state=1)
    np.testing.assert_array_equal(same.X, model.sample(5, random_state=1).X)
    assert model.sample(0).X.shape == (0, 4)


# leaving one out ------------------------------------------------------------------------------


some_rows = st.booleans().flatmap(
    lambda some: labelled_rows(min_rows=2, weights=quarters if some else None)
)
models = st.builds(
    GaussianBayes,
    st.sampled_from(KINDS),
    shrinkage=st.sampled_from([None, 0.3]),
    unbiased=st.booleans(),
    priors=st.sampled_from([None, [0.5, 0.2, 0.3]]),
)


def refits(model, rows):
    """Class probabilities of each row from a model of all the others, learned from nothing."""
    answers = []
    for row in range(len(rows.y)):
        others = rows.where(np.arange(len(rows.y)) != row)
        fresh = learned(GaussianBayes(**model.get_params()), others)
        answers.append(fresh.predict_proba(rows.X[[row]])[0])
    return np.array(answers)


@at_most(60)
@given(model=models, rows=some_rows)
def test_leaving_one_out_is_learning_all_the_others(model, rows):
    learned(model, rows)
    answers = model.leave_one_out(rows.X, rows.y, sample_weight=rows.weights)
    np.testing.assert_allclose(answers, refits(model, rows), rtol=1e-6, atol=1e-7)


RULES = [(kind, shrinkage) for kind in KINDS for shrinkage in (None, 0.2, 1.0)]
RULES += [("full", "ledoit-wolf"), ("tied", "ledoit-wolf")]


@pytest.mark.parametrize(("kind", "shrinkage"), RULES)
@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
def test_leaving_out_ordinary_measurements(kind, shrinkage, weighted):
    random = np.random.default_rng(3)
    y = np.repeat(WORDS, [12, 5, 9])
    X = random.normal(size=(26, 3)) @ random.normal(size=(3, 3)) + np.arange(26)[:, None] // 12
    X[0] += 1e3  # an outlier: much of the scatter goes with it
    rows = Rows(X, y, random.integers(1, 60, 26) / 4 if weighted else None)
    model = learned(GaussianBayes(kind, shrinkage=shrinkage), rows)
    answers = model.leave_one_out(rows.X, rows.y, sample_weight=rows.weights)
    np.testing.assert_allclose(answers, refits(model, rows), rtol=1e-5, atol=1e-7)


def test_leaving_out_a_row_that_keeps_its_class_regular(singular_allowed):
    # 4 rows of rain in 3 features: with 3 of them its covariance is singular
    X = np.vstack([np.eye(3), [[1.0, 1, 1]], np.random.default_rng(0).normal(size=(9, 3))])
    rows = Rows(X, np.array(["ham"] * 4 + ["spam"] * 9))
    model = learned(GaussianBayes(), rows)
    answers = model.leave_one_out(rows.X, rows.y)
    np.testing.assert_allclose(answers, refits(model, rows), rtol=1e-6, atol=1e-9)


def test_leaving_out_with_features_that_depend_on_each_other(singular_allowed):
    random = np.random.default_rng(1)
    X = random.normal(size=(30, 3))
    X[:, 2] = X[:, 0] + X[:, 1]
    rows = Rows(np.column_stack([X, np.full(30, 7.0)]), np.repeat(WORDS, 10))
    for kind in KINDS:
        model = learned(GaussianBayes(kind), rows)
        answers = model.leave_one_out(rows.X, rows.y)
        np.testing.assert_allclose(answers, refits(model, rows), rtol=1e-5, atol=1e-7)


# shrinkage by leave-one-out -------------------------------------------------------------------


@each_kind
def test_the_automatic_weight_has_the_least_leave_one_out_log_loss(kind):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 8)) + y[:, None] * 0.5
    model = GaussianBayes(kind, shrinkage="auto").fit(X, y)
    losses = {}
    for weight in (0.0, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 1.0):
        fixed = GaussianBayes(kind, shrinkage=weight).fit(X, y)
        losses[weight] = log_loss(y, fixed.leave_one_out(X, y))
    assert losses[model.shrinkage_] == pytest.approx(min(losses.values()))
    assert model.shrinkage_ > 0
    fixed = GaussianBayes(kind, shrinkage=model.shrinkage_).fit(X, y)
    np.testing.assert_array_equal(fixed.predict_proba(X), model.predict_proba(X))


def test_the_automatic_weight_survives_forgetting_and_learning_more():
    rng = np.random.default_rng(0)
    y = np.arange(80) % 2
    X = rng.normal(size=(80, 6)) + y[:, None]
    model = GaussianBayes(shrinkage="auto").fit(X[:60], y[:60])
    before = model.shrinkage_
    model.partial_fit(X[60:], y[60:]).forget(X[60:], y[60:])
    assert model.shrinkage_ in (0.0, 0.01, 0.03, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 1.0)
    assert GaussianBayes(shrinkage="auto").fit(X[:60], y[:60]).shrinkage_ == before


# singular classes -----------------------------------------------------------------------------


def test_a_singular_class_is_shrunk_with_a_warning_that_names_it():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(33, 4))
    y = ["rain"] * 30 + ["snow"] * 3
    with pytest.warns(UserWarning, match="of class 'snow' is singular.*shrinkage='auto'"):
        model = GaussianBayes().fit(X, y)
    pooled = (np.cov(X[:30].T, bias=True) * 30 + np.cov(X[30:].T, bias=True) * 3) / 33
    expected = 3 / 7 * np.cov(X[30:].T, bias=True) + 4 / 7 * pooled  # d / (n + d) = 4 / 7
    np.testing.assert_allclose(model.covariance_[1], expected, rtol=1e-10)
    np.testing.assert_allclose(model.covariance_[0], np.cov(X[:30].T, bias=True), rtol=1e-10)


def test_a_singular_tied_covariance_is_shrunk_with_a_warning():
    X = np.random.default_rng(0).normal(size=(20, 3))
    X[:, 2] = X[:, 0]
    with pytest.warns(UserWarning, match="of all classes together is singular"):
        model = GaussianBayes("tied").fit(X, ["rain", "snow"] * 10)
    assert np.isfinite(model.predict_log_proba(X)).all()


@pytest.mark.filterwarnings("ignore:.*is singular")
@each_kind
@pytest.mark.parametrize(
    "X",
    [
        np.zeros((4, 2)),
        np.array([[0.0, 1], [0, 1], [3, 1], [3, 1]]),
        np.array([[0.0, 1], [1, 2], [2, 3], [3, 4]]),
        np.array([[1e8, 1], [1e8, 2], [1e8 + 1, 1], [1e8 + 1, 5]]),
        np.array([[1e-150, 1], [0, 2], [0, 1], [2e-150, 5]]),
        np.array([[1e120, 1], [-1e120, 2], [0, 1], [2e119, 5]]),
    ],
    ids=["constant", "constant in classes", "on a line", "far", "tiny", "huge"],
)
def test_odd_data_gives_finite_answers(kind, X):
    for shrinkage in (None, 0.1, "auto"):
        model = GaussianBayes(kind, shrinkage=shrinkage).fit(X, ["rain", "rain", "snow", "snow"])
        for answers in (
            model.predict_proba(X),
            model.leave_one_out(X, ["rain"] * 2 + ["snow"] * 2),
        ):
            np.testing.assert_allclose(answers.sum(axis=1), 1.0)


@pytest.mark.filterwarnings("ignore:.*is singular")
@each_kind
def test_a_class_of_one_row_and_a_class_of_none_can_be_learned(kind):
    model = GaussianBayes(kind, priors=[0.3, 0.3, 0.4])
    X = [[1.0, 2], [2, 1], [5, 5]]
    model.partial_fit(X, ["ham", "ham", "spam"], classes=WORDS)
    answers = model.predict_proba([[1, 1], [5, 6], [99, -99]])
    np.testing.assert_allclose(answers.sum(axis=1), 1.0)
    np.testing.assert_allclose(model.means_[1], np.mean(X, axis=0))


@each_kind
def test_far_points_stay_numbers(kind):
    model = GaussianBayes(kind).fit(IRIS, SPECIES)
    far = np.array([[1e6] * 4, [-1e100, 0, 0, 0], [1e6, -1e6, 1e6, -1e6]])
    assert np.isfinite(model.predict_proba(far)).all()


# gaps -----------------------------------------------------------------------------------------


@each_kind
def test_rows_with_gaps_have_the_density_of_what_was_observed(kind):
    X = IRIS[::7].copy()
    random = np.random.default_rng(0)
    X[random.random(X.shape) < 0.4] = np.nan
    X[0] = np.nan
    model = GaussianBayes(kind).fit(IRIS, SPECIES)
    covariance = expected_covariance(kind, IRIS, SPECIES)
    joint = model.predict_joint_log_proba(X)
    for row, values in enumerate(X):
        seen = ~np.isnan(values)
        for c in range(3):
            of_class = covariance if kind == "tied" else covariance[c]
            matrix = np.diag(np.broadcast_to(of_class, 4)) if of_class.ndim < 2 else of_class
            mean = IRIS[c == SPECIES].mean(axis=0)
            expected = np.log(1 / 3)
            if seen.any():
                density = multivariate_normal(mean[seen], matrix[np.ix_(seen, seen)])
                expected += density.logpdf(values[seen])
            assert joint[row, c] == pytest.approx(expected, rel=1e-9)


@each_kind
def test_gaps_in_learning_are_refused_and_change_nothing(kind):
    model = GaussianBayes(kind).fit(IRIS, SPECIES)
    before = state_of(model)
    with pytest.raises(ValueError, match="contains NaN.*Fill the gaps"):
        model.partial_fit([[1.0, np.nan, 2, 3]], [0])
    assert_unchanged(model, before)


# reasons --------------------------------------------------------------------------------------


@each_kind
def test_the_weights_of_evidence_add_up_to_the_log_odds(kind):
    model = GaussianBayes(kind).fit(IRIS, SPECIES)
    rows = np.vstack([IRIS[[60, 120]], [[5.0, np.nan, 4.0, np.nan]]])
    for row, explanation in zip(rows, model.explain(rows, against=0), strict=True):
        joint = model.predict_joint_log_proba([row])[0]
        answer = int(joint.argmax())
        assert explanation.log_odds == pytest.approx(joint[answer] - joint[0])
        total = explanation.prior_log_odds + sum(explanation.weights.values())
        assert total == pytest.approx(explanation.log_odds)


def test_with_correlations_a_feature_says_what_it_adds_to_those_before_it():
    two = SPECIES > 0
    whole, part = (
        GaussianBayes().fit(X[two], SPECIES[two]).explain(X[[60]])[0] for X in (IRIS, IRIS[:, :2])
    )
    sign = 1 if whole.answer == part.answer else -1
    expected = [sign * weight for weight in part.weights.values()]
    assert list(whole.weights.values())[:2] == pytest.approx(expected)


# bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"covariance": "round"}, "covariance must be one of 'full'.*got 'round'"),
        ({"shrinkage": 1.5}, "shrinkage must be None, a number from 0 to 1.*got 1.5"),
        ({"shrinkage": -0.1}, "shrinkage must be"),
        ({"shrinkage": "much"}, "shrinkage must be"),
        ({"shrinkage": True}, "shrinkage must be"),
        ({"shrinkage": float("nan")}, "shrinkage must be"),
        ({"covariance": "diagonal", "shrinkage": "ledoit-wolf"}, "shrinks correlations"),
        ({"priors": [0.5, 0.5]}, "must match number of classes"),
    ],
    ids=["covariance", "above", "below", "word", "bool", "nan", "diagonal", "priors"],
)
def test_arguments_that_make_no_sense_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        GaussianBayes(**arguments).fit(IRIS, SPECIES)


@each_kind
def test_what_was_never_learned_cannot_be_forgotten_or_left_out(kind):
    model = GaussianBayes(kind).fit(IRIS, SPECIES)
    before = state_of(model)
    for call in (model.forget, model.leave_one_out):
        with pytest.raises(ValueError, match="Only what was learned"):
            call([[1e4, 0, 0, 0]], [0])
    assert_unchanged(model, before)


@each_kind
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinities_are_refused(kind, value):
    model = GaussianBayes(kind).fit(IRIS, SPECIES)
    for call in (model.predict, model.explain):
        with pytest.raises(ValueError, match="contains infinity"):
            call([[1.0, 2, value, 3]])
