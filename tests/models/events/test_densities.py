"""Event models of numbers: they are distributions, and leave a row out exactly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import kstest, laplace, norm
from scipy.stats import poisson as poisson_distribution

from bayesic.data.columns import Nothing, Numbers
from bayesic.estimation.bins import bin_table
from bayesic.estimation.kernel_density import KernelSums
from bayesic.estimation.smoothing import Lambda
from bayesic.models.columns.naive_bayes import NaiveBayes
from bayesic.models.events.densities import Kernel, gaussian, kernel, poisson
from bayesic.models.events.shares import binned
from bayesic.statistics.number_counts import number_counts
from helpers.examples import at_most

N_CLASSES = 2
rows_of_numbers = st.lists(
    st.tuples(st.integers(0, 9).map(float), st.integers(0, 1)), min_size=1, max_size=10
)
EVENTS = {
    "gaussian": gaussian,
    "kernel": lambda counts: kernel(counts, 1.0),
    "binned": lambda counts: binned(counts, Lambda(1.0)),
    "poisson": poisson,
}
each_kind = pytest.mark.parametrize("kind", EVENTS)


def counted(rows):
    values, codes = zip(*rows, strict=True)
    return number_counts(np.array(values, float), np.array(codes), N_CLASSES)


def without(rows, row):
    """The statistic of all rows but one, which may be none at all."""
    values = np.array([value for value, _ in rows])
    codes = np.array([code for _, code in rows])
    kept = np.arange(len(rows)) != row
    return number_counts(values[kept], codes[kept], N_CLASSES)


@each_kind
@given(rows=rows_of_numbers)
def test_cells_not_observed_score_zero_everywhere(kind, rows):
    event = EVENTS[kind](counted(rows))
    assert event.kind == kind
    assert event.scores(event.encode(Nothing(2))).tolist() == [[0.0] * N_CLASSES] * 2
    gap = event.encode(Numbers(np.array([np.nan, 1.0])))
    assert event.scores(gap)[0].tolist() == [0.0, 0.0]
    left_out = event.scores_without(gap[:1], np.array([0]), np.array([1.0]))
    assert left_out.tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize("kind", ["gaussian", "poisson"])
@given(rows=rows_of_numbers)
def test_leaving_a_row_out_is_learning_all_the_others(kind, rows):
    event = EVENTS[kind](counted(rows))
    values, codes = (np.array(part) for part in zip(*rows, strict=True))
    ours = event.scores_without(event.encode(Numbers(values)), codes, np.ones(len(rows)))
    for row in range(len(rows)):
        if len(rows) > 1:
            other = EVENTS[kind](without(rows, row))
            expected = other.scores(other.encode(Numbers(values[[row]])))[0]
            np.testing.assert_allclose(ours[row], expected, rtol=1e-7, atol=1e-7)


@given(rows=rows_of_numbers, amount=st.sampled_from([0.0, 0.5, 1.0]))
def test_a_kernel_without_a_row_is_the_one_of_all_others_with_the_same_bandwidth(rows, amount):
    event = kernel(counted(rows), amount)
    values, codes = (np.array(part) for part in zip(*rows, strict=True))
    ours = event.scores_without(event.encode(Numbers(values)), codes, np.ones(len(rows)))
    for row in range(len(rows)):
        if len(rows) > 1:
            rest = without(rows, row)
            sums = KernelSums(rest.values, rest.table, event.sums.bandwidth)
            expected = Kernel(sums, rest.bits, amount).scores(values[[row]])[0]
            np.testing.assert_allclose(ours[row], expected, rtol=1e-9, atol=1e-9)


@given(rows=rows_of_numbers, amount=st.sampled_from([0.0, 0.5, 1.0]))
def test_bins_without_a_row_are_those_of_all_others_with_the_same_cuts(rows, amount):
    event = binned(counted(rows), Lambda(amount))
    values, codes = (np.array(part) for part in zip(*rows, strict=True))
    ours = event.scores_without(event.encode(Numbers(values)), codes, np.ones(len(rows)))
    for row, encoded in enumerate(event.encode(Numbers(values))):
        table = bin_table(without(rows, row), event.cuts)
        for label in range(N_CLASSES):
            total = table[:, label].sum() + amount * len(table)
            share = (table[encoded, label] + amount) / total if total else 1 / len(table)
            assert np.exp(ours[row, label]) == pytest.approx(share, rel=1e-9)


@at_most(15)
@given(rows=rows_of_numbers)
def test_a_kernel_density_integrates_to_one(rows):
    event = kernel(counted(rows), 1.0)
    points = sorted({value for value, _ in rows})
    reach = 80 * event.sums.bandwidth
    for label in range(N_CLASSES):
        area, _ = quad(
            lambda x, c=label: np.exp(event.scores(np.array([x]))[0, c]),
            points[0] - reach,
            points[-1] + reach,
            points=points,
            limit=300,
        )
        assert area == pytest.approx(1.0, rel=1e-5)


@given(rows=rows_of_numbers, x=st.floats(-20, 20))
def test_normal_scores_are_those_of_scipy(rows, x):
    event = gaussian(counted(rows))
    expected = norm.logpdf(x, event.mean, np.sqrt(event.variance))
    np.testing.assert_allclose(event.scores(np.array([x]))[0], expected, rtol=1e-9, atol=1e-9)


@given(rows=rows_of_numbers, x=st.integers(0, 30))
def test_poisson_scores_are_those_of_scipy(rows, x):
    event = poisson(counted(rows))
    expected = poisson_distribution.logpmf(x, event.rate)
    np.testing.assert_allclose(event.scores(np.array([float(x)]))[0], expected, rtol=1e-9)


@pytest.mark.parametrize("kind", ["gaussian", "kernel", "binned"])
@pytest.mark.parametrize("power", [-100, -3, 5, 100])
def test_another_unit_of_the_column_changes_no_ratio_between_classes(kind, power):
    random = np.random.default_rng(power + 200)
    values, codes = random.normal(size=60), np.repeat([0, 1], 30)
    values[codes == 1] += 1.5
    points = random.normal(size=10)

    def ratio(unit):
        event = EVENTS[kind](number_counts(values * unit, codes, 2))
        scores = event.scores(event.encode(Numbers(points * unit)))
        return scores[:, 0] - scores[:, 1]

    np.testing.assert_allclose(ratio(2.0**power), ratio(1.0), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("amount", [0.0, 1.0])
def test_a_class_without_a_value_has_the_density_of_all_rows(amount):
    counts = number_counts(np.array([1.0, 2.0, 4.0]), np.zeros(3, np.intp), 2)
    event = kernel(counts, amount)
    alone = kernel(number_counts(np.array([1.0, 2.0, 4.0]), np.zeros(3, np.intp), 1), 0.0)
    sums = Kernel(KernelSums(counts.values, counts.table[:, :1], event.sums.bandwidth), 52, 0.0)
    points = np.array([0.0, 1.5, 9.0])
    scores = event.scores(points)
    assert alone.scores(points).shape == (3, 1)
    np.testing.assert_allclose(scores[:, 1], sums.scores(points)[:, 0], rtol=1e-12)


@each_kind
def test_a_column_that_is_the_same_in_all_rows_tells_nothing(kind):
    event = EVENTS[kind](number_counts(np.full(5, 3.0), np.array([0, 0, 0, 1, 1]), 2))
    scores = event.scores(event.encode(Numbers(np.array([3.0, 2.0, 50.0]))))
    if kind == "poisson":  # a row more of the mean is the mean
        scores = scores[:1]
    np.testing.assert_allclose(scores[:, 0], scores[:, 1], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("kind", ["gaussian", "kernel", "binned"])
@pytest.mark.parametrize("far", [1e6, 1e30, 1e140, -1e140])
def test_far_points_are_no_nan_and_raise_no_warning(kind, far):
    event = EVENTS[kind](number_counts(np.array([1.0, 2.0, 3.0, 4.0]), np.array([0, 0, 1, 1]), 2))
    scores = event.scores(event.encode(Numbers(np.array([far]))))
    assert np.isfinite(scores).all()


@pytest.mark.parametrize("numeric", ["kernel", "binned"])
def test_a_row_alone_has_the_answer_that_it_has_among_others(numeric):
    random = np.random.default_rng(3)
    codes = random.integers(0, 3, 200)
    X = random.normal(size=(200, 3)) + codes[:, None]
    X[random.random(X.shape) < 0.1] = np.nan
    X[7] = 1e6
    model = NaiveBayes(numeric=numeric).fit(X, codes)
    alone = np.concatenate([model.predict_joint_log_proba(X[[row]]) for row in range(20)])
    np.testing.assert_allclose(alone, model.predict_joint_log_proba(X)[:20], rtol=1e-12)


# samples --------------------------------------------------------------------------------------


def test_samples_of_a_normal_and_a_kernel_follow_their_densities():
    random = np.random.default_rng(0)
    values, codes = np.array([0.0, 1.0, 5.0, 6.0]), np.array([0, 0, 1, 1])
    counts = number_counts(values, codes, 2)
    drawn = np.zeros(4000, dtype=np.intp)
    normal = gaussian(counts)
    sample = normal.sample(drawn, random)
    assert kstest(sample, norm(normal.mean[0], np.sqrt(normal.variance[0])).cdf).pvalue > 0.001
    density = kernel(counts, 0.0)
    sample = density.sample(drawn, random)
    width = density.sums.bandwidth

    def cdf(x):
        # the sum of two Laplace variables: F(u) of one, less u times its density over two
        u = (np.asarray(x)[:, None] - values[:2]) / width
        return (laplace.cdf(u) - u * laplace.pdf(u) / 2).mean(axis=1)

    assert kstest(sample, cdf).pvalue > 0.001


def test_samples_of_counts_are_whole_and_have_the_mean_of_the_rate():
    event = poisson(number_counts(np.array([1.0, 3.0, 8.0]), np.array([0, 0, 1]), 2))
    sample = event.sample(np.ones(4000, np.intp), np.random.default_rng(0))
    assert (sample == np.floor(sample)).all()
    assert sample.mean() == pytest.approx(event.rate[1], abs=5 * np.sqrt(event.rate[1] / 4000))


def test_samples_of_bins_fall_into_them_by_their_shares():
    values, codes = np.arange(40.0), np.repeat([0, 1], 20)
    event = binned(number_counts(values, codes, 2), Lambda(1.0))
    assert event.cuts.tolist() == [19.5]
    sample = event.sample(np.zeros(4000, np.intp), np.random.default_rng(0))
    assert sample.min() >= 0 and sample.max() <= 39
    assert (sample < 19.5).mean() == pytest.approx(21 / 22, abs=0.02)
