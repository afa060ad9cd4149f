"""KMeans: the numbers of scikit-learn, laws, clusters without rows, and what it refuses."""

import numpy as np
import pandas as pd
import pytest
import sklearn.cluster
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from bayesic.mixtures.k_means import KMeans
from helpers.comparisons import assert_unchanged, state_of
from helpers.environment import cells_per_block, environment
from helpers.examples import at_most

IRIS = load_iris().data


@pytest.mark.parametrize("n_clusters", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("tol", [0.0, 1e-4])
def test_clusters_are_those_of_scikit_learn_from_the_same_start(n_clusters, tol):
    arguments = {"init": IRIS[:: len(IRIS) // n_clusters][:n_clusters], "n_init": 1, "tol": tol}
    ours = KMeans(n_clusters, **arguments).fit(IRIS)
    theirs = sklearn.cluster.KMeans(n_clusters, **arguments).fit(IRIS)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=1e-12)
    assert ours.labels_.tolist() == theirs.labels_.tolist()
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-12)
    np.testing.assert_allclose(ours.transform(IRIS), theirs.transform(IRIS), atol=1e-6)
    assert ours.predict(IRIS).tolist() == theirs.predict(IRIS).tolist()
    assert ours.score(IRIS) == pytest.approx(theirs.score(IRIS))


@pytest.mark.parametrize("max_iter", [1, 2, 3])
def test_every_step_is_that_of_scikit_learn(max_iter):
    arguments = {"init": IRIS[:3], "n_init": 1, "tol": 0.0, "max_iter": max_iter}
    ours, theirs = KMeans(3, **arguments).fit(IRIS), sklearn.cluster.KMeans(3, **arguments)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *_, **__: None)
        theirs.fit(IRIS)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=1e-12)
    assert ours.labels_.tolist() == theirs.labels_.tolist()
    assert ours.n_iter_ == theirs.n_iter_ == max_iter


def test_two_steps_by_hand():
    # from 0 and 1: {0} and {1, 8, 9}, centres 0 and 6; then {0, 1} and {8, 9}, centres 1/2, 17/2
    X, init = [[0.0], [1.0], [8.0], [9.0]], [[0.0], [1.0]]
    one = KMeans(2, init=init, max_iter=1).fit(X)
    assert one.cluster_centers_.tolist() == [[0.0], [6.0]]
    assert one.trace_.tolist() == [-(0 + 1 + 4 + 9)]
    done = KMeans(2, init=init).fit(X)
    assert done.cluster_centers_.tolist() == [[0.5], [8.5]]
    assert done.inertia_ == 1.0
    assert done.labels_.tolist() == [0, 0, 1, 1]


rows = hnp.arrays(
    np.float64,
    st.tuples(st.integers(3, 12), st.integers(1, 3)),
    elements=st.integers(-4, 4).map(float),
)


@pytest.mark.filterwarnings("ignore:.*clusters were requested")
@at_most(40)
@given(rows, st.integers(1, 3), st.sampled_from(["k-means++", "random"]))
def test_the_inertia_never_rises_and_rows_are_at_their_nearest_centre(X, n_clusters, init):
    model = KMeans(n_clusters, init=init, n_init=2, random_state=0).fit(X)
    assert (np.diff(model.trace_) >= 0).all()
    distance = cdist(X, model.cluster_centers_, "sqeuclidean")
    np.testing.assert_allclose(distance.min(axis=1), distance[np.arange(len(X)), model.labels_])
    assert model.inertia_ == pytest.approx(distance.min(axis=1).sum())
    assert model.inertia_ == pytest.approx(-model.trace_[-1], abs=1e-9)
    for k in set(model.labels_.tolist()):
        own = X[model.labels_ == k].mean(axis=0)
        np.testing.assert_allclose(own, model.cluster_centers_[k], atol=1e-9)


@pytest.mark.filterwarnings("ignore:.*clusters were requested")
@at_most(25)
@given(rows, st.data())
def test_weights_are_repeated_rows(X, data):
    weights = data.draw(hnp.arrays(np.int64, len(X), elements=st.integers(0, 3)))
    if not weights.any():
        return
    init = X[:2]
    ours = KMeans(2, init=init).fit(X, sample_weight=weights)
    repeated = np.repeat(X, weights, axis=0)
    if len(repeated) < 2:
        return
    theirs = KMeans(2, init=init).fit(repeated)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, atol=1e-9)
    assert ours.inertia_ == pytest.approx(theirs.inertia_, abs=1e-9)
    assert ours.score(X, sample_weight=weights) == pytest.approx(-theirs.inertia_, abs=1e-9)


@pytest.mark.parametrize("kernels", ["reference", "compiled"])
def test_nothing_depends_on_the_number_of_threads(kernels):
    if kernels == "compiled":
        pytest.importorskip("numba")
    found = []
    with cells_per_block(40):
        for threads in ("1", "4"):
            with environment(BAYESIC_THREADS=threads, BAYESIC_KERNELS=kernels):
                found.append(KMeans(3, random_state=0).fit(IRIS))
    np.testing.assert_array_equal(found[0].cluster_centers_, found[1].cluster_centers_)
    np.testing.assert_array_equal(found[0].trace_, found[1].trace_)


def test_columns_far_from_zero_come_out_right():
    near = KMeans(3, init=IRIS[::50]).fit(IRIS)
    far = KMeans(3, init=IRIS[::50] + 1e8).fit(IRIS + 1e8)
    np.testing.assert_allclose(far.cluster_centers_ - 1e8, near.cluster_centers_, atol=1e-6)
    assert far.labels_.tolist() == near.labels_.tolist()
    assert far.inertia_ == pytest.approx(near.inertia_, rel=1e-6)


def test_far_apart_clusters_are_found_from_any_start():
    rng = np.random.default_rng(0)
    centres = np.array([[0.0, 0.0], [50.0, 0.0], [0.0, 50.0], [50.0, 50.0]])
    X = np.concatenate([rng.normal(size=(25, 2)) + centre for centre in centres])
    for seed in range(10):
        model = KMeans(4, random_state=seed).fit(X)
        assert sorted(np.bincount(model.labels_).tolist()) == [25, 25, 25, 25]
    of_random_rows = KMeans(4, init="random", random_state=0).fit(X)  # ten starts
    assert of_random_rows.inertia_ == pytest.approx(model.inertia_)


# clusters without rows ------------------------------------------------------------------------


def test_a_centre_without_rows_is_placed_on_the_farthest_row():
    X = np.array([[0.0], [1.0], [2.0], [30.0]])
    model = KMeans(2, init=[[1.0], [1000.0]]).fit(X)  # all rows are nearer to 1
    assert sorted(model.cluster_centers_.ravel().tolist()) == [1.0, 30.0]
    assert model.inertia_ == 2.0


def test_fewer_different_rows_than_clusters_are_told():
    with pytest.warns(UserWarning, match="4 clusters were requested, but only 2 have rows"):
        model = KMeans(4, random_state=0).fit(np.repeat([[1.0, 2.0], [5.0, 6.0]], 3, axis=0))
    assert model.inertia_ == 0.0
    assert np.isfinite(model.cluster_centers_).all()


# what is refused, and manners -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_clusters": 0}, "n_clusters must be a whole number of 1 or more"),
        ({"n_clusters": 200}, "n_samples=150 should be >= n_clusters=200"),
        ({"init": "best"}, "init must be 'k-means"),
        ({"init": [[1.0, 2.0]]}, r"an array of shape \(8, 4\), got shape \(1, 2\)"),
        ({"init": np.full((8, 4), np.nan)}, "finite centre"),
        ({"n_init": 0}, "n_init must be a whole number of 1 or more"),
        ({"n_init": "many"}, "n_init must be a whole number"),
        ({"max_iter": 0}, "max_iter must be a whole number of 1 or more"),
        ({"tol": -1}, "tol must be a number of 0 or more"),
    ],
    ids=lambda value: "" if isinstance(value, str) else "-".join(value),
)
def test_arguments_that_make_no_sense_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        KMeans(**arguments).fit(IRIS)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[1.0, np.nan], [2.0, 3.0]], "Input X contains NaN, and KMeans needs every feature"),
        ([[1.0, -np.inf], [2.0, 3.0]], "contains infinity"),
        ([[1e200, 1.0], [2.0, 3.0]], "too large"),
    ],
    ids=["gap", "infinity", "large"],
)
def test_bad_rows_are_refused_and_change_nothing(X, message):
    model = KMeans(2, random_state=0).fit(IRIS)
    before = state_of(model)
    with pytest.raises(ValueError, match=message):
        model.fit(X)
    assert_unchanged(model, before)


def test_answers_need_a_fitted_model():
    for ask in ("predict", "transform", "score"):
        with pytest.raises(NotFittedError):
            getattr(KMeans(), ask)(IRIS)


def test_tables_and_sparse_matrices_are_rows():
    ours = KMeans(3, random_state=0).fit(IRIS)
    of_table = KMeans(3, random_state=0).fit(pd.DataFrame(IRIS, columns=list("wxyz")))
    assert of_table.feature_names_in_.tolist() == list("wxyz")
    of_sparse = KMeans(3, random_state=0).fit(sparse.csr_array(IRIS))
    for other in (of_table, of_sparse):
        np.testing.assert_allclose(other.cluster_centers_, ours.cluster_centers_)


def test_it_is_cloned_and_put_in_a_pipeline():
    model = KMeans(3, init="random", random_state=0)
    assert clone(model).get_params() == model.get_params()
    assert model.fit_predict(IRIS).tolist() == model.labels_.tolist()
    assert model.get_feature_names_out().tolist() == ["kmeans0", "kmeans1", "kmeans2"]
    pipeline = make_pipeline(StandardScaler(), KMeans(3, random_state=0)).fit(IRIS)
    assert pipeline.transform(IRIS).shape == (150, 3)
