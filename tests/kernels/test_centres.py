"""Rows and centres: the compiled kernels are the plain ones, and these are SciPy's distances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.spatial.distance import cdist

from bayesic.kernels import centres as plain
from helpers.examples import at_most

compiled = pytest.importorskip("bayesic.kernels._compiled_centres")

small = st.integers(-4, 4).map(float)


@st.composite
def rows_and_centres(draw):
    n_rows, n_features = draw(st.integers(1, 9)), draw(st.integers(1, 4))
    values = draw(hnp.arrays(np.float64, (n_rows, n_features), elements=small))
    centres = draw(hnp.arrays(np.float64, (draw(st.integers(1, 4)), n_features), elements=small))
    weights = draw(hnp.arrays(np.float64, n_rows, elements=st.integers(0, 3).map(float)))
    return values, centres, weights


@pytest.mark.parametrize("kernels", [plain, compiled], ids=["plain", "compiled"])
@at_most(25)
@given(case=rows_and_centres())
def test_squared_distances_are_those_of_scipy(kernels, case):
    values, centres, _ = case
    ours = kernels.squared_distances(values, centres)
    np.testing.assert_array_equal(ours, cdist(centres, values, "sqeuclidean"))


@at_most(40)
@given(rows_and_centres())
def test_the_compiled_kernel_is_the_plain_one(case):
    for ours, theirs in zip(
        compiled.nearest_centres(*case), plain.nearest_centres(*case), strict=True
    ):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("kernels", [plain, compiled], ids=["plain", "compiled"])
@at_most(25)
@given(case=rows_and_centres())
def test_every_row_counts_at_its_first_nearest_centre(kernels, case):
    values, centres, weights = case
    codes, count, steps, total = kernels.nearest_centres(*case)
    distance = cdist(values, centres, "sqeuclidean")
    assert codes.tolist() == distance.argmin(axis=1).tolist()
    assert total == (weights * distance.min(axis=1)).sum()
    for k, centre in enumerate(centres):
        own = codes == k
        assert count[k] == weights[own].sum()
        expected = (weights[own, None] * (values[own] - centre)).sum(axis=0)
        np.testing.assert_array_equal(steps[k], expected)


@pytest.mark.parametrize("kernels", [plain, compiled], ids=["plain", "compiled"])
def test_small_distances_far_from_zero_keep_their_digits(kernels):
    values, centres = np.array([[1e8 + 1.0, 1e8]]), np.array([[1e8, 1e8], [1e8 + 3.0, 1e8]])
    assert kernels.squared_distances(values, centres).ravel().tolist() == [1.0, 4.0]


@at_most(25)
@given(st.integers(1, 6), st.integers(1, 4), st.integers(1, 3), st.integers(0, 1000))
def test_the_compiled_weighted_moments_are_the_plain_ones(n_rows, n_features, n_parts, seed):
    rng = np.random.default_rng(seed)
    values, centres = rng.normal(size=(n_rows, n_features)), rng.normal(size=(n_parts, n_features))
    shares = rng.random((n_parts, n_rows)) * rng.integers(0, 2, (n_parts, n_rows))
    for ours, theirs in zip(
        compiled.weighted_moments(values, centres, shares),
        plain.weighted_moments(values, centres, shares),
        strict=True,
    ):
        np.testing.assert_allclose(ours, theirs, atol=1e-14)
