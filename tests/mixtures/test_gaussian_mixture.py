"""GaussianMixture: the numbers of scikit-learn and SciPy, laws of EM, and what it refuses."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn.mixture
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse, stats
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from bayesic.mixtures.gaussian_mixture import GaussianMixture
from helpers.comparisons import assert_unchanged, state_of
from helpers.environment import cells_per_block, environment
from helpers.examples import at_most

TYPES = ("full", "tied", "diag", "spherical")
every_type = pytest.mark.parametrize("covariance_type", TYPES)
every_start = pytest.mark.parametrize(
    "init_params", ["kmeans", "k-means++", "random", "random_from_data"]
)


def three_clouds(n_rows=600, distance=3.0, seed=0):
    rng = np.random.default_rng(seed)
    clouds = [
        rng.normal(size=(n_rows // 3, 2)) @ rng.normal(size=(2, 2)) + distance * rng.normal(size=2)
        for _ in range(3)
    ]
    return np.concatenate(clouds)


def given_start(X, covariance_type):
    """A start for three components that leaves nothing to chance."""
    unit = np.eye(X.shape[1])
    precisions = {
        "full": np.stack([unit, 2 * unit, unit]),
        "tied": unit,
        "diag": np.ones((3, X.shape[1])),
        "spherical": np.array([1.0, 2.0, 1.0]),
    }[covariance_type]
    return {
        "weights_init": np.array([0.2, 0.3, 0.5]),
        "means_init": X[:: len(X) // 3][:3],
        "precisions_init": precisions,
        "covariance_type": covariance_type,
    }


def quietly(model, X, **arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, **arguments)


# the same as others ---------------------------------------------------------------------------


@every_type
@pytest.mark.parametrize("max_iter", [1, 7])
def test_every_step_is_that_of_scikit_learn(covariance_type, max_iter):
    X = three_clouds()
    arguments = {**given_start(X, covariance_type), "tol": 0.0, "max_iter": max_iter}
    ours = quietly(GaussianMixture(3, **arguments), X)
    theirs = quietly(sklearn.mixture.GaussianMixture(3, **arguments), X)
    for name in ("weights_", "means_", "covariances_", "precisions_cholesky_", "precisions_"):
        np.testing.assert_allclose(
            getattr(ours, name), getattr(theirs, name), rtol=1e-6, atol=1e-9, err_msg=name
        )
    assert ours.n_iter_ == theirs.n_iter_ == max_iter
    assert ours.lower_bound_ == pytest.approx(theirs.score(X), abs=1e-12)


@every_type
@pytest.mark.parametrize("reg_covar", [0.0, 1e-6])
def test_the_fixed_point_is_that_of_scikit_learn(covariance_type, reg_covar):
    X = three_clouds(distance=5.0, seed=3)
    arguments = {**given_start(X, covariance_type), "tol": 1e-13, "max_iter": 3000}
    arguments["reg_covar"] = reg_covar
    ours = GaussianMixture(3, **arguments).fit(X)
    theirs = sklearn.mixture.GaussianMixture(3, **arguments).fit(X)
    assert ours.converged_
    assert theirs.converged_
    for name in ("weights_", "means_", "covariances_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), atol=1e-6)


@every_type
def test_means_alone_may_be_given(covariance_type):
    X = three_clouds(distance=8.0, seed=1)  # k-means finds the same clusters everywhere
    arguments = {"covariance_type": covariance_type, "means_init": X[::200], "tol": 1e-10}
    ours = GaussianMixture(3, max_iter=2000, random_state=0, **arguments).fit(X)
    theirs = sklearn.mixture.GaussianMixture(3, max_iter=2000, random_state=0, **arguments).fit(X)
    order, other = ours.means_[:, 0].argsort(), theirs.means_[:, 0].argsort()
    np.testing.assert_allclose(ours.means_[order], theirs.means_[other], atol=1e-4)


@every_type
def test_answers_are_those_of_scikit_learn(covariance_type):
    X = three_clouds()
    arguments = {**given_start(X, covariance_type), "tol": 0.0, "max_iter": 5}
    ours = quietly(GaussianMixture(3, **arguments), X)
    theirs = quietly(sklearn.mixture.GaussianMixture(3, **arguments), X)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-9)
    np.testing.assert_allclose(ours.score_samples(X), theirs.score_samples(X), rtol=1e-9)
    assert ours.predict(X).tolist() == theirs.predict(X).tolist()
    assert ours.score(X) == pytest.approx(theirs.score(X))
    assert ours.bic(X) == pytest.approx(theirs.bic(X))
    assert ours.aic(X) == pytest.approx(theirs.aic(X))
    assert ours.n_parameters == theirs._n_parameters()


def test_the_density_is_the_weighted_sum_of_scipys():
    X = three_clouds()
    model = GaussianMixture(3, random_state=0).fit(X)
    densities = [
        weight * stats.multivariate_normal(mean, covariance).pdf(X)
        for weight, mean, covariance in zip(
            model.weights_, model.means_, model.covariances_, strict=True
        )
    ]
    np.testing.assert_allclose(np.exp(model.score_samples(X)), np.sum(densities, axis=0))
    expected = densities / np.sum(densities, axis=0)
    np.testing.assert_allclose(model.predict_proba(X).T, expected, atol=1e-300)


def test_one_component_is_the_maximum_likelihood_estimate():
    X = three_clouds()
    model = GaussianMixture(reg_covar=0.0).fit(X)
    np.testing.assert_allclose(model.means_[0], X.mean(axis=0))
    np.testing.assert_allclose(model.covariances_[0], np.cov(X.T, bias=True))
    assert model.weights_.tolist() == [1.0]


# laws -----------------------------------------------------------------------------------------


@at_most(30)
@given(
    hnp.arrays(np.float64, st.tuples(st.integers(3, 12), st.integers(1, 3)),
               elements=st.integers(-4, 4).map(float)),
    st.sampled_from(TYPES),
    st.sampled_from([1e-6, 1e-2, 1.0]),
    st.sampled_from(["kmeans", "k-means++", "random", "random_from_data"]),
)  # fmt: skip
def test_the_likelihood_never_falls_and_nothing_is_nan(X, covariance_type, reg_covar, init_params):
    model = GaussianMixture(
        3,
        covariance_type=covariance_type,
        reg_covar=reg_covar,
        init_params=init_params,
        random_state=0,
    )
    quietly(model, X)
    assert (np.diff(model.trace_) >= 0).all()
    assert model.lower_bound_ == model.trace_[-1]
    assert model.lower_bound_ == pytest.approx(model.score(X))
    for numbers in (model.weights_, model.means_, model.covariances_, model.predict_proba(X)):
        assert np.isfinite(numbers).all()
    assert model.weights_.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


@every_type
def test_a_row_of_weight_two_counts_as_two_and_one_of_weight_zero_as_none(covariance_type):
    X = three_clouds(90)
    weights = np.arange(90) % 3
    start = given_start(X, covariance_type)
    ours = quietly(GaussianMixture(3, max_iter=9, **start), X, sample_weight=weights)
    repeated = quietly(GaussianMixture(3, max_iter=9, **start), np.repeat(X, weights, axis=0))
    np.testing.assert_allclose(ours.covariances_, repeated.covariances_, rtol=1e-9)
    np.testing.assert_allclose(ours.trace_, repeated.trace_, rtol=1e-9)


@every_type
@pytest.mark.parametrize("unit", [1e-15, 1e15])
def test_the_unit_of_the_weights_does_not_matter(covariance_type, unit):
    X = three_clouds(90)
    start = given_start(X, covariance_type)
    ours = quietly(GaussianMixture(3, max_iter=9, **start), X, sample_weight=np.full(90, unit))
    plain = quietly(GaussianMixture(3, max_iter=9, **start), X)
    np.testing.assert_allclose(ours.covariances_, plain.covariances_, rtol=1e-9)
    np.testing.assert_allclose(ours.weights_, plain.weights_, rtol=1e-9)


@every_type
def test_nothing_depends_on_the_number_of_threads(covariance_type):
    X = three_clouds()
    found = []
    with cells_per_block(50):
        for threads in ("1", "4"):
            with environment(BAYESIC_THREADS=threads):
                model = GaussianMixture(3, covariance_type=covariance_type, random_state=0)
                found.append(model.fit(X))
    np.testing.assert_array_equal(found[0].covariances_, found[1].covariances_)
    np.testing.assert_array_equal(found[0].trace_, found[1].trace_)


@every_type
def test_compiled_and_plain_kernels_agree(covariance_type):
    pytest.importorskip("numba")
    X, found = three_clouds(), []
    for kernels in ("reference", "compiled"):
        with environment(BAYESIC_KERNELS=kernels):
            model = GaussianMixture(3, covariance_type=covariance_type, random_state=0)
            found.append(model.fit(X))
    np.testing.assert_allclose(found[0].covariances_, found[1].covariances_, rtol=1e-9)


@every_type
def test_columns_far_from_zero_come_out_right(covariance_type):
    X = three_clouds()
    start = given_start(X, covariance_type)
    near = quietly(GaussianMixture(3, max_iter=5, **start), X)
    start["means_init"] = start["means_init"] + 1e8
    far = quietly(GaussianMixture(3, max_iter=5, **start), X + 1e8)
    np.testing.assert_allclose(far.means_ - 1e8, near.means_, atol=1e-6)
    np.testing.assert_allclose(far.covariances_, near.covariances_, atol=1e-5)


@every_start
def test_every_start_finds_clouds_that_lie_apart(init_params):
    rng = np.random.default_rng(0)
    centres = np.array([[0.0, 0.0], [20.0, 0.0], [0.0, 20.0]])
    X = np.concatenate([rng.normal(size=(100, 2)) + centre for centre in centres])
    model = GaussianMixture(3, init_params=init_params, n_init=8, random_state=0, tol=1e-6).fit(X)
    found = model.means_[model.means_.sum(axis=1).argsort()]
    assert np.abs(found[0]).max() < 0.5
    assert sorted(model.weights_.round(2)) == [0.33, 0.33, 0.33]


def test_more_starts_are_never_worse():
    X = three_clouds(distance=1.0)
    several = GaussianMixture(4, init_params="random_from_data", n_init=6, random_state=0).fit(X)
    one = GaussianMixture(4, init_params="random_from_data", n_init=1, random_state=0).fit(X)
    assert several.lower_bound_ >= one.lower_bound_


def test_the_number_of_components_is_found_by_bic():
    X = three_clouds(distance=8.0, seed=1)
    scores = [GaussianMixture(n, random_state=0, n_init=3).fit(X).bic(X) for n in range(1, 6)]
    assert int(np.argmin(scores)) + 1 == 3


@every_type
def test_samples_have_the_moments_of_the_mixture(covariance_type):
    X = three_clouds()
    model = GaussianMixture(3, covariance_type=covariance_type, random_state=0).fit(X)
    drawn, components = model.sample(40_000)
    assert drawn.shape == (40_000, 2)
    shares = np.bincount(components, minlength=3) / 40_000
    np.testing.assert_allclose(shares, model.weights_, atol=0.01)
    for k in range(3):
        own = drawn[components == k]
        np.testing.assert_allclose(own.mean(axis=0), model.means_[k], atol=0.15)
    assert model.sample(3, random_state=7).X.tolist() == model.sample(3, random_state=7).X.tolist()


def test_statistics_are_those_of_the_last_step():
    X = three_clouds()
    model = GaussianMixture(3, reg_covar=0.0, random_state=0).fit(X)
    kept = model.statistics_
    np.testing.assert_allclose(kept.class_count / len(X), model.weights_)
    np.testing.assert_array_equal(kept.mean, model.means_)
    np.testing.assert_allclose(kept.scatter / kept.class_count[:, None, None], model.covariances_)


# where it gets narrow -------------------------------------------------------------------------


@every_type
def test_a_component_without_rows_keeps_its_place_and_is_told(covariance_type):
    X = three_clouds()
    start = given_start(X, covariance_type)
    start["means_init"] = np.array([[0.0, 0.0], [1.0, 1.0], [1e6, 1e6]])
    with pytest.warns(UserWarning, match="1 of 3 components have no rows"):
        model = GaussianMixture(3, tol=1e-6, max_iter=500, **start).fit(X)
    assert model.weights_[2] == 0
    assert model.means_[2].tolist() == [1e6, 1e6]
    assert np.isfinite(model.covariances_).all()
    assert (model.predict_proba(X)[:, 2] == 0).all()
    start = {name: value for name, value in start.items() if name == "covariance_type"}
    two = GaussianMixture(2, means_init=[[0.0, 0.0], [1.0, 1.0]], random_state=0, **start).fit(X)
    assert np.isfinite(two.lower_bound_)


def test_a_component_that_collapses_is_refused():
    X = np.repeat([[1.0, 2.0], [3.0, 4.0]], 5, axis=0)
    with pytest.raises(ValueError, match="Raise reg_covar, use fewer components"):
        GaussianMixture(2, reg_covar=0.0, random_state=0).fit(X)
    for covariance_type in ("diag", "spherical", "tied"):
        with pytest.raises(ValueError, match="Raise reg_covar"):
            GaussianMixture(2, reg_covar=0.0, covariance_type=covariance_type, random_state=0).fit(
                X
            )


@every_type
def test_rows_that_are_all_the_same_are_learned_with_reg_covar(covariance_type):
    X = np.ones((6, 2))
    with pytest.warns(UserWarning, match="have no rows"):
        model = GaussianMixture(2, covariance_type=covariance_type, random_state=0).fit(X)
    assert np.isfinite(model.score_samples(X)).all()
    np.testing.assert_allclose(model.means_[model.weights_ > 0], 1.0)


@every_type
def test_far_rows_have_an_answer(covariance_type):
    model = GaussianMixture(3, covariance_type=covariance_type, random_state=0).fit(three_clouds())
    far = np.array([[1e300, -1e300], [1e160, 0.0], [1e20, 1e20]])
    answer = model.predict_proba(far)
    assert np.isfinite(answer).all()
    np.testing.assert_allclose(answer.sum(axis=1), 1.0)
    assert not np.isnan(model.score_samples(far)).any()


def test_it_tells_when_it_has_not_converged():
    X = three_clouds(distance=0.5)
    with pytest.warns(UserWarning, match="EM has not converged within max_iter=2"):
        model = GaussianMixture(3, max_iter=2, tol=0.0, random_state=0).fit(X)
    assert not model.converged_
    assert model.n_iter_ == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_components": 0}, "n_components must be a whole number of 1 or more"),
        ({"covariance_type": "round"}, "covariance_type must be one of 'full'"),
        ({"init_params": "best"}, "init_params must be one of 'kmeans'"),
        ({"tol": -1.0}, "tol must be a number of 0 or more"),
        ({"reg_covar": np.nan}, "reg_covar must be a number of 0 or more"),
        ({"max_iter": 0}, "max_iter must be a whole number of 1 or more"),
        ({"n_init": 0}, "n_init must be a whole number of 1 or more"),
        ({"n_components": 2, "weights_init": [0.5, 0.6]}, "weights_init must be probabilities"),
        ({"n_components": 2, "weights_init": [1.0]}, r"in the shape \(2,\)"),
        ({"n_components": 2, "means_init": [[1.0]]}, r"means_init must hold .* shape \(2, 2\)"),
        ({"precisions_init": [[[1.0, 2.0], [0.0, 1.0]]]}, "symmetric"),
        ({"precisions_init": [[[1.0, 2.0], [2.0, 1.0]]]}, "eigenvalues above 0"),
        ({"precisions_init": [[-1.0, 1.0]], "covariance_type": "diag"}, "must be above 0"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_arguments_that_make_no_sense_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        GaussianMixture(**arguments).fit(three_clouds())


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[1.0, np.nan], [2.0, 3.0]], "Input X contains NaN, and GaussianMixture needs every"),
        ([[1.0, np.inf], [2.0, 3.0]], "contains infinity"),
        ([[1e200, 1.0], [2.0, 3.0]], "too large"),
        ([[1.0, 2.0]], "n_samples = 1, n_components = 2"),
    ],
    ids=["gap", "infinity", "large", "few rows"],
)
def test_bad_rows_are_refused_and_change_nothing(X, message):
    model = GaussianMixture(2, random_state=0).fit(three_clouds())
    before = state_of(model)
    with pytest.raises(ValueError, match=message):
        model.fit(X)
    assert_unchanged(model, before)


def test_gaps_are_refused_in_answers_too():
    model = GaussianMixture(2, random_state=0).fit(three_clouds())
    with pytest.raises(ValueError, match="contains NaN"):
        model.score_samples([[np.nan, 1.0]])


def test_answers_need_a_fitted_model():
    for ask in ("predict", "predict_proba", "score_samples", "score", "bic", "aic"):
        with pytest.raises(NotFittedError):
            getattr(GaussianMixture(), ask)([[1.0, 2.0]])
    with pytest.raises(NotFittedError):
        GaussianMixture().sample()


# manners --------------------------------------------------------------------------------------


def test_tables_sparse_matrices_and_lists_are_rows():
    X = three_clouds(60)
    ours = GaussianMixture(2, random_state=0).fit(X)
    table = pd.DataFrame(X, columns=["height", "weight"])
    of_table = GaussianMixture(2, random_state=0).fit(table)
    assert of_table.feature_names_in_.tolist() == ["height", "weight"]
    of_sparse = GaussianMixture(2, random_state=0).fit(sparse.csr_array(X))
    of_lists = GaussianMixture(2, random_state=0).fit(X.tolist())
    for other in (of_table, of_sparse, of_lists):
        np.testing.assert_allclose(other.means_, ours.means_)


def test_it_is_cloned_pickled_searched_and_put_in_a_pipeline():
    X = three_clouds(distance=8.0, seed=1)
    model = GaussianMixture(3, covariance_type="tied", random_state=0)
    assert clone(model).get_params() == model.get_params()
    model.fit(X)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    search = GridSearchCV(GaussianMixture(random_state=0), {"n_components": [1, 3]}).fit(X)
    assert search.best_params_ == {"n_components": 3}
    pipeline = make_pipeline(StandardScaler(), GaussianMixture(3, random_state=0)).fit(X)
    assert len(set(pipeline.predict(X).tolist())) == 3
    assert model.fit_predict(X).tolist() == model.predict(X).tolist()
