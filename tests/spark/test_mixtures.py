"""EM on Spark: one pass over the partitions for each step, the same numbers as in memory."""

from unittest import mock

import numpy as np
import pyarrow as pa
import pytest

import bayesic as by
from bayesic.mixtures import _spark_em as spark_em
from bayesic.spark import sampled_rows
from helpers.spark import GROUP, KNOWN, spark_table

pytestmark = [GROUP, pytest.mark.filterwarnings(KNOWN)]
RNG = np.random.default_rng(8)
ROWS = np.vstack([RNG.normal(0.0, 1.0, (120, 2)), RNG.normal(5.0, 2.0, (180, 2))])
TABLE = pa.table({"height": ROWS[:, 0], "weight": ROWS[:, 1]})
START = {
    "weights_init": [0.5, 0.5],
    "means_init": [[1.0, 2.0], [2.0, 1.0]],
}
UNITS = {
    "full": [np.eye(2).tolist()] * 2,
    "tied": np.eye(2).tolist(),
    "diag": np.ones((2, 2)).tolist(),
    "spherical": [1.0, 1.0],
}


@pytest.fixture(scope="module")
def frame():
    return spark_table(TABLE).cache()


def mixture(kind):
    start = {**START, "precisions_init": UNITS[kind]}
    return by.GaussianMixture(2, covariance_type=kind, tol=1e-3, **start)


@pytest.mark.parametrize("kind", UNITS)
def test_every_step_has_the_numbers_of_the_rows_in_memory(kind, frame):
    in_memory = mixture(kind).fit(TABLE)
    with mock.patch.object(spark_em, "summaries", wraps=spark_em.summaries) as passes:
        ours = mixture(kind).fit(frame)
    assert ours.n_iter_ == in_memory.n_iter_ > 2
    assert passes.call_count == ours.n_iter_ + 1  # the first is that of the start
    np.testing.assert_allclose(ours.trace_, in_memory.trace_, rtol=1e-9)
    for name in ("weights_", "means_", "covariances_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(in_memory, name), rtol=1e-9)


def test_it_begins_with_a_sample_that_is_the_same_for_any_partitions(monkeypatch):
    monkeypatch.setattr(sampled_rows, "MOST_SAMPLED", 100)
    frame = spark_table(TABLE)
    models = [by.GaussianMixture(2, random_state=1).fit(frame.repartition(n)) for n in (1, 4)]
    np.testing.assert_allclose(models[0].means_, models[1].means_, rtol=1e-9)
    assert sorted(models[0].means_.round(0).tolist()) == [[0.0, 0.0], [5.0, 5.0]]


def test_what_cannot_be_learned_is_refused(frame):
    with pytest.raises(ValueError, match="no order of rows"):
        by.GaussianMixture().fit(frame, sample_weight=np.ones(300))
    with pytest.raises(ValueError, match="The DataFrame has no rows"):
        by.GaussianMixture().fit(frame.where("height > 1e9"))
    with pytest.raises(ValueError, match="n_samples = 1, n_components = 2"):
        by.GaussianMixture(2).fit(frame.limit(1))
