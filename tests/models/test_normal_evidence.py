"""log_evidence of normal classes: the product of t densities, row after row, is the oracle."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import bayesic as by
from helpers.examples import at_most

LABELS = ("ham", "spam")
KINDS = ("full", "tied", "diagonal", "spherical")


class Running:
    """One covariance in d dimensions and the means of some groups, after the rows so far."""

    def __init__(self, prior, d, mean):
        self.nu, self.psi = prior["variance_rows"] + d + 1, np.zeros((d, d))
        self.psi += prior["variance_rows"] * np.diag(np.broadcast_to(prior["variance"], d))
        self.mean, self.rows, self.known = mean, prior["mean_rows"], {}

    def log_density(self, group, row):
        """That of one row more, which is learned then."""
        mean, rows = self.known.get(group, (self.mean, self.rows))
        freedom = self.nu - len(row) + 1
        shape = self.psi * (rows + 1) / (rows * freedom)
        log = stats.multivariate_t.logpdf(row, mean, shape, freedom)
        step = row - mean
        self.psi = self.psi + rows / (rows + 1) * np.outer(step, step)
        self.nu += 1
        self.known[group] = mean + step / (rows + 1), rows + 1
        return float(log)


def by_chain_rule(kind, X, labels, prior):
    """The sum over rows of log P(class | those before) + log p(row | its class, those before)."""
    total, seen, running = 0.0, [], {}
    d = X.shape[1]
    centre = np.broadcast_to(np.asarray(prior["mean"], float), d)
    for row, label in zip(X, labels, strict=True):
        total += np.log((seen.count(label) + 1) / (len(seen) + len(set(labels))))
        seen.append(label)
        if kind in ("full", "tied"):
            key = label if kind == "full" else "all"
            own = running.setdefault(key, Running(prior, d, centre))
            total += own.log_density(label, row)
            continue
        for column in range(d):  # spherical: the columns of a class are groups with one variance
            key = label if kind == "spherical" else (label, column)
            each = {**prior, "variance": np.broadcast_to(prior["variance"], d)[column]}
            own = running.setdefault(key, Running(each, 1, None))
            own.mean = centre[[column]]
            total += own.log_density((label, column), row[[column]])
    return total


@st.composite
def some_rows(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_rows, d = draw(st.integers(1, 9)), draw(st.integers(1, 3))
    X = rng.normal(rng.normal(size=d), draw(st.sampled_from([0.1, 1.0, 30.0])), size=(n_rows, d))
    return X, rng.choice(LABELS, n_rows).tolist()


PRIORS = st.fixed_dictionaries(
    {
        "mean": st.sampled_from([0.0, -2.0]),
        "variance": st.sampled_from([1.0, 0.25, 9.0]),
        "mean_rows": st.sampled_from([1.0, 0.1, 4.0]),
        "variance_rows": st.sampled_from([1.0, 0.5, 6.0]),
    }
)


@pytest.fixture(autouse=True)
def quiet():
    """Few rows have singular covariances, of which fit warns: the evidence does not ask them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


@pytest.mark.parametrize("kind", KINDS)
@given(table=some_rows(), prior=PRIORS)
@at_most(40)
def test_it_is_the_product_of_what_each_row_was_before_it_came(kind, table, prior):
    X, labels = table
    model = by.GaussianBayes(kind).fit(X, labels)
    expected = by_chain_rule(kind, X, labels, prior)
    assert model.log_evidence(**prior) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(some_rows(), PRIORS)
@at_most(40)
def test_gaussian_naive_bayes_is_the_diagonal_one(table, prior):
    X, labels = table
    naive, diagonal = by.GaussianNB().fit(X, labels), by.GaussianBayes("diagonal").fit(X, labels)
    assert naive.log_evidence(**prior) == pytest.approx(diagonal.log_evidence(**prior), rel=1e-12)


@given(some_rows(), PRIORS)
@at_most(40)
def test_of_one_column_all_but_tied_are_the_same(table, prior):
    X, labels = table
    full, diagonal, spherical = (
        by.GaussianBayes(kind).fit(X[:, :1], labels).log_evidence(**prior)
        for kind in ("full", "diagonal", "spherical")
    )
    assert full == pytest.approx(diagonal, rel=1e-11)
    assert full == pytest.approx(spherical, rel=1e-11)


def test_means_and_variances_may_differ_by_column():
    rng = np.random.default_rng(0)
    X, labels = rng.normal([5, -40], [1, 20], size=(12, 2)), ["ham", "spam"] * 6
    prior = {"mean": [4, -30], "variance": [2.0, 300.0], "mean_rows": 1, "variance_rows": 2}
    for kind in ("full", "tied", "diagonal"):
        ours = by.GaussianBayes(kind).fit(X, labels).log_evidence(**prior)
        assert ours == pytest.approx(by_chain_rule(kind, X, labels, prior), rel=1e-10)
    with pytest.raises(ValueError, match="one number for covariance='spherical'"):
        by.GaussianBayes("spherical").fit(X, labels).log_evidence(**prior)


def test_gaps_are_left_out_of_naive_bayes():
    X, labels = np.array([[1.0, np.nan], [2.0, 3.0], [np.nan, 5.0]]), ["ham", "spam", "ham"]
    classes = np.log(1 / 2 * 1 / 3 * 2 / 4)
    prior = {"mean": 0.0, "variance": 1.0, "mean_rows": 1.0, "variance_rows": 1.0}
    cells = sum(
        Running(prior, 1, np.zeros(1)).log_density("one", X[row, [column]])
        for row, column in np.argwhere(~np.isnan(X))
    )
    assert by.GaussianNB().fit(X, labels).log_evidence() == pytest.approx(classes + cells)


def test_another_unit_is_another_prior():
    X, labels = np.random.default_rng(1).normal(size=(10, 2)), ["ham", "spam"] * 5
    for kind in KINDS:
        plain = by.GaussianBayes(kind).fit(X, labels).log_evidence()
        larger = by.GaussianBayes(kind).fit(1000 * X, labels).log_evidence(variance=1e6)
        assert larger == pytest.approx(plain - 20 * np.log(1000), rel=1e-11)


def test_far_and_many_rows_stay_exact():
    X = np.random.default_rng(2).normal(1e8, 1, size=(3000, 2))
    labels = ["ham", "spam"] * 1500
    there = {"mean": 1e8, "variance": 1.0, "mean_rows": 1e12, "variance_rows": 1e12}
    ours = by.GaussianBayes("full").fit(X, labels).log_evidence(**there)
    known = stats.norm.logpdf(X, 1e8, 1).sum()  # a prior that is as good as known parameters
    classes = -np.log(3001) - np.log(np.arange(1501, 3001) / np.arange(1, 1501)).sum()
    assert ours == pytest.approx(known + classes, rel=1e-6)


def test_a_class_without_rows_adds_nothing():
    X, labels = [[1.0], [2.0]], ["ham", "ham"]
    model = by.GaussianNB().partial_fit(X, labels, classes=["ham", "spam"])
    alone = by.GaussianNB().fit(X, labels)
    assert model.log_evidence() == pytest.approx(alone.log_evidence() + np.log(1 / 2 * 2 / 3))


@pytest.mark.parametrize(
    ("given_prior", "message"),
    [
        ({"mean_rows": 0}, "mean_rows must be a number above 0, .* got 0"),
        ({"variance_rows": "many"}, "variance_rows must be a number above 0, .* got 'many'"),
        ({"mean_rows": 5e-324}, "1e-100 to 1e\\+100, got 5e-324"),
        ({"variance": 0}, "variance must be above 0, got 0"),
        ({"variance": [1, 2, 3]}, "one for each of the 2 columns"),
        ({"mean": float("nan")}, "mean must be a number"),
        ({"mean": 1e200}, "mean must be a number"),
    ],
)
def test_a_prior_that_is_none_is_refused(given_prior, message):
    model = by.GaussianNB().fit([[1.0, 2.0], [3.0, 4.0]], ["ham", "spam"])
    with pytest.raises(ValueError, match=message):
        model.log_evidence(**given_prior)
    with pytest.raises(ValueError, match="too far from the prior"):
        by.GaussianNB().fit([[1e130], [3.0]], LABELS).log_evidence(variance=1e-130)
