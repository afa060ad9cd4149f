"""The compiled kernels do what the reference does, and both do what the formulas say."""

import math
import shutil
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

import bayesic
from bayesic.kernels import _compiled as compiled
from bayesic.kernels import _compiled_without_row as compiled_without_row
from bayesic.kernels import _reference as reference
from bayesic.kernels import pick, without_row
from helpers.comparisons import arrays_in, impossible_rows_allowed
from helpers.environment import environment, run_python
from helpers.labelled_rows import FIVE, WORDS, fresh, labelled_rows

TWINS = ["reference", "compiled"]
both = pytest.mark.parametrize("module", [reference, compiled], ids=TWINS)
both_without = pytest.mark.parametrize("module", [without_row, compiled_without_row], ids=TWINS)

numbers = st.floats(-100, 100) | st.just(np.nan)
with_infinities = st.sampled_from([0.0, 1.5, -2.0, np.nan, np.inf, -np.inf])
weight_lists = st.none() | st.lists(st.floats(0.0, 8.0), min_size=12, max_size=12)


@st.composite
def blocks(draw, elements, dtype=np.float64):
    """A block of rows, the class of each among n_classes of which some may be empty, weights."""
    n_rows, n_features = draw(st.integers(1, 12)), draw(st.integers(1, 4))
    n_classes = draw(st.integers(1, 4))
    values = draw(hnp.arrays(dtype, (n_rows, n_features), elements=elements))
    codes = draw(hnp.arrays(np.intp, n_rows, elements=st.integers(0, n_classes - 1)))
    weights = draw(weight_lists)
    weights = None if weights is None else np.array(weights[:n_rows])
    return values, codes, weights, n_classes


def close(ours, theirs, tolerance=1e-12):
    np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance * 1e4)


# the kernels that are held equal below
TESTED = (
    "category_counts",
    "category_scores",
    "class_moments",
    "class_sums",
    "class_sums_of_entries",
    "gaussian_scores",
)
TESTED_WITHOUT_ROW = (
    "complement_without_row",
    "gaussian_without_row",
    "multinomial_without_row",
)


# the two modules ------------------------------------------------------------------------------


def test_every_kernel_is_tested_here():
    assert set(compiled.__all__) == set(reference.__all__) == set(TESTED)
    names = set(compiled_without_row.__all__), set(without_row.__all__)
    assert names == (set(TESTED_WITHOUT_ROW), set(TESTED_WITHOUT_ROW))


# sums -----------------------------------------------------------------------------------------


@both
@given(block=blocks(st.floats(-100, 100)))
def test_class_sums_are_weighted_sums_of_the_rows_of_each_class(module, block):
    values, codes, weights, n_classes = block
    expected = np.zeros((n_classes, values.shape[1]))
    for row, code in enumerate(codes):
        expected[code] += values[row] * (1.0 if weights is None else weights[row])
    close(module.class_sums(values, codes, weights, n_classes), expected)


@both
def test_nan_in_one_class_stays_out_of_the_sums_of_the_others(module):
    values = np.array([[np.nan, 1.0], [2.0, np.inf]])
    sums = module.class_sums(values, np.array([0, 1]), None, 3)
    np.testing.assert_array_equal(sums, [[np.nan, 1.0], [2.0, np.inf], [0.0, 0.0]])


# stored entries -------------------------------------------------------------------------------


@both
@given(block=blocks(st.floats(-100, 100)), empty=st.integers(0, 2))
def test_sums_of_stored_entries_are_those_of_the_dense_rows(module, block, empty):
    values, codes, weights, n_classes = block
    dense = np.where(np.arange(values.size).reshape(values.shape) % 3 <= empty, 0.0, values)
    rows = sparse.csr_array(dense)
    sums = module.class_sums_of_entries(
        np.diff(rows.indptr), rows.indices, rows.data, codes, weights, n_classes, dense.shape[1]
    )
    close(sums, reference.class_sums(dense, codes, weights, n_classes))


# moments --------------------------------------------------------------------------------------


def moments_by_hand(values, codes, weights, n_classes):
    """Weight, mean and scatter in exact fractions, cell by cell."""
    out = np.zeros((3, n_classes, values.shape[1]))
    for c in range(n_classes):
        for feature in range(values.shape[1]):
            pairs = [
                (Fraction(values[row, feature]), Fraction(1 if weights is None else weights[row]))
                for row in np.flatnonzero(codes == c)
                if not math.isnan(values[row, feature])
            ]
            count = sum(weight for _, weight in pairs)
            if count > 0:
                mean = sum(weight * value for value, weight in pairs) / count
                scatter = sum(weight * (value - mean) ** 2 for value, weight in pairs)
                out[:, c, feature] = float(count), float(mean), float(scatter)
    return out


@both
@given(block=blocks(numbers))
def test_class_moments_are_those_of_exact_arithmetic(module, block):
    assume(block[2] is None or block[2].min() >= 1e-3 or not block[2].any())
    for ours, exact in zip(module.class_moments(*block), moments_by_hand(*block), strict=True):
        close(ours, exact)


@given(blocks(numbers))
def test_class_moments_are_the_same_in_both(block):
    for ours, theirs in zip(
        compiled.class_moments(*block), reference.class_moments(*block), strict=True
    ):
        assert ours.shape == theirs.shape == (block[3], block[0].shape[1])
        assert ours.dtype == theirs.dtype == np.float64
        close(ours, theirs)


@given(blocks(with_infinities))
def test_an_infinity_shows_in_the_mean_of_its_own_cell_only_and_in_both(block):
    values, codes, weights, n_classes = block
    assume(weights is None or weights.min() > 0)
    with np.errstate(invalid="ignore"):
        ours, theirs = compiled.class_moments(*block), reference.class_moments(*block)
    infinite = np.array(
        [np.isinf(values[codes == c]).any(axis=0) for c in range(n_classes)]
    ).reshape(n_classes, values.shape[1])
    for count, mean, scatter in (ours, theirs):
        assert np.isfinite(count).all()
        assert (~np.isfinite(mean) == infinite).all()
        assert np.isfinite(scatter[~infinite]).all()
    for mine, other in zip(ours, theirs, strict=True):
        close(mine[~infinite], other[~infinite])


def test_class_moments_of_more_rows_than_fit_the_cache_are_the_same_in_both():
    random = np.random.default_rng(1)
    values = 1e4 + random.normal(size=(3 * compiled.CELLS_IN_CACHE // 4, 5))
    values[::1000, 2] = np.nan
    codes, weights = random.integers(0, 3, len(values)), random.random(len(values))
    for given_weights in (None, weights):
        for ours, theirs in zip(
            compiled.class_moments(values, codes, given_weights, 3),
            reference.class_moments(values, codes, given_weights, 3),
            strict=True,
        ):
            np.testing.assert_allclose(ours, theirs, rtol=1e-9)


# categories -----------------------------------------------------------------------------------

codes_or_missing = st.integers(-1, 4)


def tables_of(categories):
    """Where the rows of each feature begin in a table that has room for the largest code."""
    return np.concatenate([[0], np.cumsum(categories.max(axis=0) + 1)])


@both
@given(block=blocks(codes_or_missing, np.int64))
def test_category_counts_are_counted_cell_by_cell(module, block):
    categories, codes, weights, n_classes = block
    first = tables_of(categories)
    expected = np.zeros((first[-1], n_classes))
    for row, feature in np.argwhere(categories >= 0):
        cell = first[feature] + categories[row, feature]
        expected[cell, codes[row]] += 1.0 if weights is None else weights[row]
    counts = module.category_counts(categories, codes, weights, first, n_classes)
    assert counts.shape == expected.shape
    if weights is None:
        assert counts.dtype == np.int64
        np.testing.assert_array_equal(counts, expected)
    else:
        assert counts.dtype == np.float64
        close(counts, expected)


@given(blocks(codes_or_missing, np.int64))
def test_category_counts_are_the_same_in_both(block):
    categories, codes, weights, n_classes = block
    arguments = (categories, codes, weights, tables_of(categories), n_classes)
    np.testing.assert_array_equal(
        compiled.category_counts(*arguments), reference.category_counts(*arguments), strict=True
    )


@st.composite
def category_tables(draw):
    """Category codes, some unknown to the table of log probabilities, and the table."""
    categories, _, _, n_classes = draw(blocks(st.integers(-1, 9), np.int64))
    sizes = draw(hnp.arrays(np.int64, categories.shape[1], elements=st.integers(1, 5)))
    first = np.concatenate([[0], np.cumsum(sizes)])
    log_probability = draw(
        hnp.arrays(
            np.float64, (int(first[-1]), n_classes), elements=st.floats(-20, 0) | st.just(-np.inf)
        )
    )
    return categories, log_probability, first


@both
@given(table=category_tables())
def test_category_scores_add_up_the_rows_of_the_table(module, table):
    categories, log_probability, first = table
    expected = np.zeros((len(categories), log_probability.shape[1]))
    for row, feature in np.argwhere(categories >= 0):
        # the last row of a feature serves all values that it does not know
        known = min(categories[row, feature], first[feature + 1] - first[feature] - 1)
        expected[row] += log_probability[first[feature] + known]
    close(module.category_scores(*table), expected)


@given(category_tables())
def test_category_scores_are_the_same_in_both(table):
    ours, theirs = compiled.category_scores(*table), reference.category_scores(*table)
    assert ours.dtype == theirs.dtype == np.float64
    np.testing.assert_array_equal(ours, theirs)


# densities ------------------------------------------------------------------------------------


@st.composite
def densities(draw, elements):
    values, _, _, n_classes = draw(blocks(elements))
    shape = (n_classes, values.shape[1])
    mean = draw(hnp.arrays(np.float64, shape, elements=st.floats(-100, 100)))
    variance = draw(hnp.arrays(np.float64, shape, elements=st.floats(1e-3, 1e3)))
    return values, mean, variance


@both
@given(density=densities(numbers))
def test_gaussian_scores_are_sums_of_log_densities_of_what_was_observed(module, density):
    values, mean, variance = density
    expected = np.zeros((len(values), len(mean)))
    for row, c in np.ndindex(expected.shape):
        for feature in np.flatnonzero(~np.isnan(values[row])):
            x, m, v = values[row, feature], mean[c, feature], variance[c, feature]
            expected[row, c] += -0.5 * math.log(2 * math.pi * v) - (x - m) ** 2 / (2 * v)
    np.testing.assert_allclose(module.gaussian_scores(*density), expected, rtol=1e-11, atol=1e-9)


@given(densities(numbers))
def test_gaussian_scores_are_the_same_in_both(density):
    np.testing.assert_allclose(
        compiled.gaussian_scores(*density),
        reference.gaussian_scores(*density),
        rtol=1e-12,
        atol=1e-9,
    )


@both
@given(density=densities(with_infinities))
def test_an_infinity_is_impossible_in_every_class_and_never_nan(module, density):
    values, mean, _ = density
    scores = module.gaussian_scores(*density)
    assert scores.shape == (len(values), len(mean))
    infinite = np.isinf(values).any(axis=1)
    assert np.isneginf(scores[infinite]).all()
    assert np.isfinite(scores[~infinite]).all()


@both
def test_a_row_without_any_observation_scores_zero(module):
    scores = module.gaussian_scores(np.full((1, 3), np.nan), np.zeros((2, 3)), np.ones((2, 3)))
    assert scores.tolist() == [[0.0, 0.0]]


@both
def test_the_smallest_variance_gives_no_nan(module):
    tiny = np.full((2, 1), np.finfo(np.float64).tiny)
    mean = np.array([[0.0], [1.0]])
    with np.errstate(over="ignore"):
        scores = module.gaussian_scores(np.array([[0.0], [0.5], [1e3]]), mean, tiny)
    assert not np.isnan(scores).any()
    assert scores[0, 0] == pytest.approx(-0.5 * math.log(2 * math.pi * tiny[0, 0]))
    assert scores[0, 1] < -1e300


# leaving a row out ----------------------------------------------------------------------------
#
# The specification: forget the row by learning all others, in plain Python, then score it.


class Learned:
    """Rows with classes and weights, and what a kernel needs of them."""

    def __init__(self, values, codes, weights, n_classes):
        self.values, self.codes, self.weights = values, codes, weights
        self.n_classes, self.n_features = n_classes, values.shape[1]

    def __repr__(self):
        return f"Learned({self.values!r}, {self.codes!r}, {self.weights!r}, {self.n_classes})"

    def rows(self, chosen=None):
        """(values, class, weight) of all rows, or of all but one."""
        return [
            (self.values[row], int(self.codes[row]), float(self.weights[row]))
            for row in range(len(self.codes))
            if row != chosen
        ]

    def sums(self, of_value, without=None):
        """Sum of weight * of_value(x), class by class: (n_classes, n_features)."""
        sums = np.zeros((self.n_classes, self.n_features))
        for values, code, weight in self.rows(without):
            sums[code] += weight * np.array([of_value(value) for value in values])
        return sums


@st.composite
def learned_rows(draw, elements, dtype=np.float64, min_rows=1):
    n_rows, n_features = draw(st.integers(min_rows, 7)), draw(st.integers(1, 4))
    n_classes = draw(st.integers(1, 3))
    values = draw(hnp.arrays(dtype, (n_rows, n_features), elements=elements))
    codes = draw(hnp.arrays(np.intp, n_rows, elements=st.integers(0, n_classes - 1)))
    quarter = st.integers(1, 8).map(lambda number: number / 4)
    weights = draw(st.just(np.ones(n_rows)) | hnp.arrays(np.float64, n_rows, elements=quarter))
    return Learned(values, codes, weights, n_classes)


counts_of_words = st.integers(0, 4).map(float)
alphas = st.sampled_from([0.0, 0.5, 1.0])


def log_or_minus_infinity(number):
    return math.log(number) if number > 0 else -math.inf


def multinomial_by_hand(learned, alpha):
    scores = []
    for row, (values, code, _) in enumerate(learned.rows()):
        smoothed = learned.sums(float, without=row)[code] + alpha
        total = smoothed.sum()
        score = 0.0
        for value, count in zip(values, smoothed, strict=True):
            if value > 0:
                share = count / total if total > 0 else 1 / learned.n_features
                score += value * log_or_minus_infinity(share)
        scores.append(score)
    return np.array(scores)


@both_without
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@given(learned=learned_rows(counts_of_words), alpha=alphas)
def test_multinomial_without_row_is_learning_the_others(module, kind, learned, alpha):
    scores = module.multinomial_without_row(
        kind(learned.values),
        learned.codes,
        learned.weights,
        learned.sums(float),
        np.full(learned.n_features, alpha),
    )
    np.testing.assert_allclose(scores, multinomial_by_hand(learned, alpha), rtol=1e-10, atol=1e-10)


def complement_by_hand(learned, alpha, norm):
    """Finite part and weight of +inf of the scores, as alpha goes to 0 if it is 0."""
    shape = (len(learned.codes), learned.n_classes)
    finite, boundless = np.zeros(shape), np.zeros(shape)
    for row, c in np.ndindex(shape):
        sums = learned.sums(float, without=row)
        smoothed = sums.sum(axis=0) - sums[c] + alpha
        total, values = smoothed.sum(), learned.values[row]
        if total == 0:
            smoothed, total = np.ones(learned.n_features), learned.n_features
        gone = smoothed == 0
        logs = np.array([0.0 if count == 0 else math.log(count) for count in smoothed])
        weights = math.log(total) - logs
        if norm and gone.any():
            finite[row, c] = values[gone].sum() / gone.sum()
        elif norm:
            even = abs(weights.sum()) < 1e-12
            finite[row, c] = (
                values.sum() / len(values) if even else values @ weights / weights.sum()
            )
        else:
            finite[row, c], boundless[row, c] = values @ weights, values[gone].sum()
    return finite, boundless


@both_without
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@pytest.mark.parametrize("norm", [False, True], ids=["plain", "normalised"])
@given(learned=learned_rows(counts_of_words), alpha=alphas)
def test_complement_without_row_is_learning_the_others(module, kind, norm, learned, alpha):
    sums = learned.sums(float)
    ours = module.complement_without_row(
        kind(learned.values),
        learned.codes,
        learned.weights,
        sums.sum(axis=0) - sums,
        np.full(learned.n_features, alpha),
        norm,
    )
    for mine, expected in zip(ours, complement_by_hand(learned, alpha, norm), strict=True):
        np.testing.assert_allclose(mine, expected, rtol=1e-9, atol=1e-9)


def presence_by_hand(learned, alpha):
    scores = []
    for row, (values, code, _) in enumerate(learned.rows()):
        present = learned.sums(lambda value: value == 1, without=row)[code] + alpha
        absent = learned.sums(lambda value: value == 0, without=row)[code] + alpha
        score = 0.0
        for value, with_it, without_it in zip(values, present, absent, strict=True):
            total = with_it + without_it
            if not math.isnan(value):
                count = with_it if value == 1 else without_it
                score += log_or_minus_infinity(count / total if total > 0 else 0.5)
        scores.append(score)
    return np.array(scores)


@given(learned=learned_rows(st.sampled_from([0.0, 1.0, np.nan])), alpha=alphas)
def test_presence_without_row_is_learning_the_others(learned, alpha):
    missing = np.isnan(learned.values).astype(np.float64)
    scores = without_row.presence_without_row(
        (learned.values == 1).astype(np.float64),
        missing if missing.any() else None,
        learned.codes,
        learned.weights,
        learned.sums(lambda value: value == 1),
        learned.sums(lambda value: value == 0),
        np.full(learned.n_features, alpha),
    )
    np.testing.assert_allclose(scores, presence_by_hand(learned, alpha), rtol=1e-10, atol=1e-10)


def category_by_hand(learned, sizes, alpha):
    scores = []
    for row, (categories, code, _) in enumerate(learned.rows()):
        score = 0.0
        for feature, category in enumerate(categories):
            others = [(x[feature], w) for x, c, w in learned.rows(row) if c == code]
            of_class = [(value, weight) for value, weight in others if value >= 0]
            count = sum(weight for value, weight in of_class if value == category)
            total = sum(weight for _, weight in of_class) + alpha * sizes[feature]
            if category >= 0:
                share = (count + alpha) / total if total > 0 else 1 / max(sizes[feature], 1)
                score += log_or_minus_infinity(share)
        scores.append(score)
    return np.array(scores)


@given(
    learned=learned_rows(st.integers(-1, 3), np.int64),
    alpha=alphas,
    least=st.sampled_from([0, 2, 5]),
)
def test_category_without_row_is_learning_the_others(learned, alpha, least):
    first = tables_of(learned.values)
    table = np.zeros((first[-1], learned.n_classes))
    for categories, code, weight in learned.rows():
        for feature, category in enumerate(categories):
            if category >= 0:
                table[first[feature] + category, code] += weight
    observed = np.array([table[start:stop].sum(axis=0) for start, stop in pairwise(first)])
    sizes = np.maximum(np.diff(first), least)
    scores = without_row.category_without_row(
        learned.values, learned.codes, learned.weights, table, first, observed, sizes, alpha
    )
    expected = category_by_hand(learned, sizes, alpha)
    np.testing.assert_allclose(scores, expected, rtol=1e-10, atol=1e-10)


def gaussian_by_hand(learned, var_smoothing):
    scores = np.zeros((len(learned.codes), learned.n_classes))
    for row in range(len(learned.codes)):
        others = np.arange(len(learned.codes)) != row
        values, weights = learned.values[others], learned.weights[others]
        count, mean, scatter = moments_by_hand(
            values, learned.codes[others], weights, learned.n_classes
        )
        overall = moments_by_hand(values, np.zeros(len(values), int), weights, 1)
        all_count, all_mean, all_scatter = (part[0] for part in overall)
        spread = [s / n if n else 0.0 for s, n in zip(all_scatter, all_count, strict=True)]
        epsilon = var_smoothing * max(spread)
        for c, feature in np.ndindex(learned.n_classes, learned.n_features):
            x = learned.values[row, feature]
            if math.isnan(x):
                continue
            if count[c, feature]:
                m, v = mean[c, feature], scatter[c, feature] / count[c, feature]
            else:
                m, v = all_mean[feature], spread[feature]
            v += epsilon
            scores[row, c] += -0.5 * math.log(2 * math.pi * v) - (x - m) ** 2 / v / 2
    return scores


@both_without
@given(
    learned=learned_rows(st.integers(0, 4).map(float) | st.just(np.nan), min_rows=3),
    smoothing=st.sampled_from([1e-3, 0.5]),
)
def test_gaussian_without_row_is_learning_the_others(module, learned, smoothing):
    assume(smoothed_everywhere(learned))
    per_class = moments_by_hand(learned.values, learned.codes, learned.weights, learned.n_classes)
    overall = moments_by_hand(learned.values, np.zeros_like(learned.codes), learned.weights, 1)
    scores = module.gaussian_without_row(
        learned.values, learned.codes, learned.weights, tuple(per_class), tuple(overall), smoothing
    )
    # a feature that no other row shows adds the same to every class: differences are compared
    expected = gaussian_by_hand(learned, smoothing)
    np.testing.assert_allclose(
        scores - scores[:, :1], expected - expected[:, :1], rtol=1e-7, atol=1e-7
    )


def smoothed_everywhere(learned):
    """Whether some column varies without any one row, so that epsilon is above 0."""
    return all(
        any(len({x for x in column if not math.isnan(x)}) > 1 for column in others.T)
        for others in (np.delete(learned.values, row, axis=0) for row in range(len(learned.codes)))
    )


@pytest.mark.parametrize("smoothing", [1e-9, 0.0, 0.1])
@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_gaussian_without_row_is_the_same_in_both_for_many_rows(smoothing, offset):
    random = np.random.default_rng(4)
    values = offset + random.normal(size=(5000, 6)) * [1.0, 2.0, 0.1, 1.0, 5.0, 1.0]
    codes, weights = random.integers(0, 3, 5000), random.random(5000) + 0.5
    values[codes == 2, 3] = offset + 1.0  # the same in all rows of a class
    per_class = reference.class_moments(values, codes, weights, 3)
    overall = reference.class_moments(values, np.zeros(5000, np.intp), weights, 1)
    arguments = (values, codes, weights, per_class, overall, smoothing)
    ours, theirs = (
        compiled_without_row.gaussian_without_row(*arguments),
        without_row.gaussian_without_row(*arguments),
    )
    assert not np.isnan(theirs).any()
    np.testing.assert_allclose(ours, theirs, rtol=1e-7)


@pytest.mark.parametrize("alpha", [0.0, 1e-6, 1.0])
@pytest.mark.parametrize("weight", [1e-3, 1.0])
def test_counts_without_row_are_the_same_in_both_where_a_row_is_a_small_part(alpha, weight):
    random = np.random.default_rng(5)
    values = random.integers(0, 3, size=(3000, 8)).astype(np.float64)
    values[:, 7] = 0.0  # never occurs
    values[0, 6] = 500.0  # one row with a large part of a count
    codes, weights = random.integers(0, 3, 3000), np.full(3000, weight)
    sums = reference.class_sums(values, codes, weights, 3)
    smoothing = np.full(8, alpha)
    np.testing.assert_allclose(
        compiled_without_row.multinomial_without_row(values, codes, weights, sums, smoothing),
        without_row.multinomial_without_row(values, codes, weights, sums, smoothing),
        rtol=1e-12,
    )
    for norm in (False, True):
        arguments = (values, codes, weights, sums.sum(axis=0) - sums, smoothing, norm)
        for ours, theirs in zip(
            compiled_without_row.complement_without_row(*arguments),
            without_row.complement_without_row(*arguments),
            strict=True,
        ):
            np.testing.assert_allclose(ours, theirs, rtol=1e-11)


# which of the two -----------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["fast", "Compiled", "reference ", "1"])
def test_other_words_are_refused_with_the_way_out(monkeypatch, word):
    monkeypatch.setenv("BAYESIC_KERNELS", word)
    with pytest.raises(ValueError, match="must be 'reference' or 'compiled', got .*Unset it"):
        pick("classes", 1)
    with pytest.raises(ValueError, match="BAYESIC_KERNELS"):
        bayesic.GaussianNB().fit([[1.0], [2.0]], ["ham", "spam"])


@pytest.mark.parametrize("Model", FIVE)
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@given(rows=labelled_rows(missing=True, max_rows=12, weights=st.sampled_from([0.5, 1.0, 3.0])))
def test_whole_models_are_the_same_with_either(Model, kind, rows):
    X = kind(rows.X)
    models, answers = {}, {}
    for name in ("reference", "compiled"):
        with environment(BAYESIC_KERNELS=name):
            models[name] = fresh(Model).partial_fit(
                X, rows.y, classes=WORDS, sample_weight=rows.weights
            )
            with impossible_rows_allowed():
                answers[name] = (
                    models[name].predict_proba(X),
                    models[name].leave_one_out(X, rows.y, sample_weight=rows.weights),
                )
    for ours, theirs in zip(
        arrays_in(models["compiled"].statistics_),
        arrays_in(models["reference"].statistics_),
        strict=True,
    ):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)
    for ours, theirs in zip(answers["compiled"], answers["reference"], strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("smoothing", [0.0, 1e-9])
def test_a_column_constant_in_a_class_is_left_out_the_same_with_either(smoothing):
    X = np.array([[0.0, 1.0], [0.0, 2.0], [0.0, 4.0], [1.0, 3.0], [2.0, 5.0], [4.0, 9.0]])
    y = ["ham"] * 3 + ["spam"] * 3
    model = bayesic.GaussianNB(var_smoothing=smoothing).fit(X, y)
    with environment(BAYESIC_KERNELS="reference"), impossible_rows_allowed():
        expected = model.leave_one_out(X, y)
    with environment(BAYESIC_KERNELS="compiled"), impossible_rows_allowed():
        np.testing.assert_allclose(model.leave_one_out(X, y), expected, rtol=1e-9, atol=1e-12)


# machines that are not as they should be ------------------------------------------------------

TINY_JOB = """
import bayesic as by
model = by.GaussianNB().fit([[1.0], [2.0], [8.0], [9.0]], ["low", "low", "high", "high"])
print(model.predict([[1.5], [8.5]]).tolist(), {where})
"""


def test_a_cache_directory_that_cannot_be_made_is_no_error(tmp_path):
    file = tmp_path / "a regular file"
    file.write_text("so there can be no directory below it")
    program = TINY_JOB.format(where="by.kernels.pick('classes', 1).__name__")
    run = run_python(program, NUMBA_CACHE_DIR=str(file / "cache"), BAYESIC_KERNELS="compiled")
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "['low', 'high'] bayesic.kernels._compiled"


def test_no_place_at_all_to_keep_machine_code_is_no_error(tmp_path):
    file = tmp_path / "a regular file"
    file.write_text("so there can be no directory below it")
    package = tmp_path / "elsewhere" / "bayesic"
    shutil.copytree(
        Path(bayesic.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__")
    )
    (package / "kernels" / "__pycache__").write_text("no directory either")
    run = run_python(
        TINY_JOB.format(where="by.__file__"),
        PYTHONPATH=str(package.parent),
        NUMBA_CACHE_DIR=str(file / "cache"),
        HOME=str(file / "home"),
        XDG_CACHE_HOME=str(file / "user"),
        BAYESIC_KERNELS="compiled",
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == f"['low', 'high'] {package / '__init__.py'}"


def test_without_numba_large_work_is_done_by_the_reference():
    run = run_python(
        """
import sys
sys.modules["numba"] = None  # importing it fails, as where it is not installed
import numpy as np
import bayesic as by
from bayesic.kernels import STEPS_THAT_REPAY_COMPILING, pick
n_rows = STEPS_THAT_REPAY_COMPILING // 2  # with two columns
X = np.tile([[1.0, 5.0], [3.0, 9.0]], (n_rows // 2, 1))
assert X.size >= STEPS_THAT_REPAY_COMPILING
model = by.GaussianNB(var_smoothing=0).fit(X, np.arange(n_rows) % 4 // 2)
print(model.theta_.tolist(), model.var_.tolist(), pick("classes", X.size).__name__)
print(by.CategoricalNB().fit(X, np.arange(n_rows) % 2).predict(X)[:4].tolist())
"""
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == [
        "[[2.0, 7.0], [2.0, 7.0]] [[1.0, 4.0], [1.0, 4.0]] bayesic.kernels._reference",
        "[0, 1, 0, 1]",
    ]


def test_without_numba_asking_for_compiled_kernels_says_how_to_get_them():
    run = run_python(
        """
import sys
sys.modules["numba"] = None
from bayesic.kernels import pick
try:
    pick("classes", 1)
except ImportError as error:
    print(error)
""",
        BAYESIC_KERNELS="compiled",
    )
    assert "pip install 'bayesic[fast]'" in run.stdout, run.stderr


@pytest.mark.parametrize("kernels", ["reference", "compiled"])
def test_the_largest_code_there_is_counts_as_unseen_and_reads_no_foreign_memory(kernels):
    # in a process of its own: a read beyond the table may end it
    run = run_python(
        """
import numpy as np
import bayesic as by
model = by.CategoricalNB().fit([[0, 0], [1, 1], [1, 0]], ["ham", "spam", "spam"])
largest = np.array([[np.iinfo(np.int64).max] * 2])
assert (model.predict_proba(largest) == model.predict_proba([[7, 7]])).all()
assert model.explain(largest)[0].probability == model.explain([[7, 7]])[0].probability
try:
    model.leave_one_out(largest, ["ham"])
except ValueError as error:
    assert "Only what was learned" in str(error) or "at most 99999" in str(error)
else:
    raise AssertionError("a row that was never learned was left out")
""",
        BAYESIC_KERNELS=kernels,
    )
    assert run.returncode == 0, run.stderr
