"""Mixtures in model files."""

import numpy as np
import pytest

import bayesic as by
from bayesic.files.archive import read_archive, write_archive
from bayesic.mixtures.components import COVARIANCE_TYPES
from helpers.environment import run_python

ROWS = np.random.default_rng(0).normal(size=(60, 3)) + np.repeat([[0.0], [4.0]], 30, axis=0)


@pytest.mark.parametrize("covariance_type", COVARIANCE_TYPES)
def test_a_saved_mixture_is_the_same_density(covariance_type, tmp_path):
    model = by.GaussianMixture(2, covariance_type=covariance_type, random_state=1).fit(ROWS)
    model.save(tmp_path / "mixture.bayes")
    loaded = by.load(tmp_path / "mixture.bayes")
    assert loaded.get_params() == model.get_params()
    np.testing.assert_array_equal(loaded.score_samples(ROWS), model.score_samples(ROWS))
    np.testing.assert_array_equal(loaded.predict_proba(ROWS), model.predict_proba(ROWS))
    np.testing.assert_array_equal(loaded.sample(5).X, model.sample(5).X)
    for name in ("n_iter_", "lower_bound_", "converged_", "n_parameters"):
        assert getattr(loaded, name) == getattr(model, name)
    assert loaded.statistics_.class_count.tolist() == model.statistics_.class_count.tolist()


def test_kernels_that_are_asked_for_and_missing_are_no_fault_of_the_file(tmp_path):
    path = tmp_path / "mixture.bayes"
    by.GaussianMixture(2, random_state=1).fit(ROWS).save(path)
    program = (
        f"import sys; sys.modules['numba'] = None; import bayesic; bayesic.load({str(path)!r})"
    )
    said = run_python(program, BAYESIC_KERNELS="compiled").stderr.splitlines()[-1]
    assert "pip install 'bayesic[fast]'" in said
    assert "damaged" not in said


def test_saved_clusters_are_the_same(tmp_path):
    model = by.KMeans(2, random_state=1).fit(ROWS)
    model.save(tmp_path / "clusters.bayes")
    loaded = by.load(tmp_path / "clusters.bayes")
    np.testing.assert_array_equal(loaded.transform(ROWS), model.transform(ROWS))
    assert loaded.predict(ROWS).tolist() == model.labels_.tolist()
    assert (loaded.inertia_, loaded.n_iter_) == (model.inertia_, model.n_iter_)
    assert not hasattr(loaded, "labels_")


def changed(path, change):
    manifest, arrays = read_archive(path)
    change(manifest, arrays)
    write_archive(path, manifest, arrays)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("weights", np.array([0.5, 0.6])),
        ("weights", np.array([1.0])),
        ("means", np.full((2, 3), np.nan)),
        ("covariances", np.zeros((2, 3, 3))),
        ("trace", np.empty(0)),
        ("trace", np.zeros(3, np.int64)),
    ],
)
def test_a_mixture_that_cannot_be_is_refused(name, value, tmp_path):
    path = tmp_path / "mixture.bayes"
    by.GaussianMixture(2, random_state=1).fit(ROWS).save(path)

    def change(_manifest, arrays):
        place = ["weights", "means", "covariances", "trace"].index(name)  # the order of _state
        arrays[f"extra.{place}"] = value

    changed(path, change)
    with pytest.raises(ValueError, match="is not a bayesic model file"):
        by.load(path)


@pytest.mark.parametrize("model", [by.GaussianMixture(2), by.KMeans(2)], ids=["mixture", "k-means"])
def test_a_file_without_what_was_learned_is_refused(model, tmp_path):
    path = tmp_path / "model.bayes"
    model.set_params(random_state=1).fit(ROWS).save(path)

    def change(manifest, _arrays):
        manifest["extra"] = {"dict": []}

    changed(path, change)
    with pytest.raises(ValueError, match="is not a bayesic model file"):
        by.load(path)


def test_a_saved_semi_supervised_model_is_its_model(tmp_path):
    labels = np.array(["low"] * 3 + [None] * 54 + ["high"] * 3, dtype=object)
    semi = by.SemiSupervised(by.GaussianNB()).fit(ROWS, labels)
    semi.save(tmp_path / "model.bayes")
    loaded = by.load(tmp_path / "model.bayes")
    assert isinstance(loaded, by.GaussianNB)
    np.testing.assert_array_equal(loaded.predict_proba(ROWS), semi.predict_proba(ROWS))
