"""Moments with cross-products: the laws of a statistic, and numbers against exact fractions."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from bayesic.statistics.cross_moments import CrossMoments, cross_moments
from bayesic.statistics.moments import class_moments
from helpers.comparisons import arrays_in, assert_same
from helpers.environment import cells_per_block, environment
from helpers.labelled_rows import WORDS, Rows, labelled_rows, quarters

TOLERANCE = 1e-12
few_examples = settings(max_examples=25)


def summary(rows):
    """The statistics of these rows among all WORDS; of none, the zero."""
    if len(rows.y) == 0:
        return CrossMoments.empty(len(WORDS), rows.X.shape[1])
    return cross_moments(rows.X, rows.codes, len(WORDS), rows.weights)


def assert_equal(ours, theirs, scale=4.0):
    """Counts to the bit, means and scatters to 1e-12 of the scale of the data.

    Where no more than rounding is left of the scatter of a feature it is 0, and so is its scatter
    with the others, which may be larger: at most sqrt(s_ii s_jj).
    """
    np.testing.assert_array_equal(ours.class_count, theirs.class_count)
    rows = max(1.0, float(theirs.class_count.max()))
    np.testing.assert_allclose(ours.mean, theirs.mean, rtol=0, atol=TOLERANCE * scale)
    atol = 1e-12 * rows * scale**2
    own = [np.diagonal(moments.scatter, axis1=1, axis2=2) for moments in (ours, theirs)]
    np.testing.assert_allclose(*own, rtol=0, atol=atol)
    varies = (own[0] > 0) & (own[1] > 0)
    both = varies[:, :, None] & varies[:, None, :]
    np.testing.assert_allclose(ours.scatter[both], theirs.scatter[both], rtol=0, atol=atol)
    bound = np.sqrt(np.max(own, axis=0))
    difference = np.abs(ours.scatter - theirs.scatter)
    assert (difference <= bound[:, :, None] * bound[:, None, :] * (1 + 1e-9) + atol).all()


def stacked(some, more):
    weights = None if some.weights is None else np.concatenate([some.weights, more.weights])
    return Rows(np.vstack([some.X, more.X]), np.concatenate([some.y, more.y]), weights)


@st.composite
def two_tables(draw):
    n_features = draw(st.integers(1, 3))
    weights = draw(st.sampled_from([None, quarters]))
    return tuple(draw(labelled_rows(n_features=n_features, weights=weights)) for _ in range(2))


some_rows = st.booleans().flatmap(lambda some: labelled_rows(weights=quarters if some else None))


# zero, + and - --------------------------------------------------------------------------------


@few_examples
@given(some_rows)
def test_zero_changes_nothing(rows):
    moments = summary(rows)
    zero = CrossMoments.empty(len(WORDS), rows.X.shape[1])
    for same in (moments + zero, zero + moments, moments - zero):
        for ours, theirs in zip(arrays_in(same), arrays_in(moments), strict=True):
            np.testing.assert_array_equal(ours, theirs, strict=True)


@few_examples
@given(some_rows)
def test_moments_minus_themselves_are_zero(rows):
    rest = summary(rows) - summary(rows)
    assert not any(array.any() for array in arrays_in(rest))


@few_examples
@given(two_tables())
def test_parts_are_added_and_taken_away(pair):
    some, more = map(summary, pair)
    assert_equal(some + more, more + some)
    assert_equal(some + more, summary(stacked(*pair)))
    assert_equal((some + more) - more, some)
    assert_equal((some + more) - some, more)


@few_examples
@given(st.data(), some_rows)
def test_any_order_and_any_pieces_give_the_same(data, rows):
    whole = summary(rows)
    order = data.draw(st.permutations(range(len(rows.y))))
    assert_equal(summary(rows.where(order)), whole)
    size = len(rows.y)
    pieces = np.array(data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size)))
    parts = (summary(rows.where(pieces == piece)) for piece in range(4))
    assert_equal(sum(parts, start=CrossMoments.empty(len(WORDS), rows.X.shape[1])), whole)


@few_examples
@given(hnp.arrays(np.float64, (6, 2), elements=st.floats(-1e6, 1e6)), st.permutations(range(6)))
@example(np.array([[1, 1e-5], [0, 0], [0, 0], [0, 77], [0, 0], [0, 0]]), [0, 1, 2, 3, 4, 5])
def test_any_numbers_obey_the_laws(X, order):
    codes, scale = np.array([0, 0, 1, 0, 1, 1]), max(1.0, np.abs(X).max())
    whole = cross_moments(X, codes, 2)
    first, second = cross_moments(X[:3], codes[:3], 2), cross_moments(X[3:], codes[3:], 2)
    assert_equal(cross_moments(X[order], codes[order], 2), whole, scale)
    assert_equal(first + second, whole, scale)
    assert_equal(whole - second, first, scale)


@few_examples
@given(some_rows)
def test_the_moments_of_each_feature_are_those_of_gaussian_nb(rows):
    expected = class_moments(rows.X, rows.codes, len(WORDS), rows.weights)
    assert_same(summary(rows).class_moments, expected, TOLERANCE, scale=4.0)


@few_examples
@given(some_rows)
def test_all_rows_as_one_class_are_the_summary_without_classes(rows):
    expected = cross_moments(rows.X, np.zeros(len(rows.y), int), 1, rows.weights)
    assert_equal(summary(rows).overall(), expected)


@few_examples
@given(some_rows)
def test_more_classes_are_the_same_moments_at_other_places(rows):
    positions = np.array([3, 0, 4])
    expected = cross_moments(rows.X, positions[rows.codes], 5, rows.weights)
    assert_equal(summary(rows).with_classes_at(positions, 5), expected)


@few_examples
@given(labelled_rows(weights=st.integers(0, 3)))
def test_a_row_of_weight_two_counts_twice_and_a_row_of_weight_zero_not_at_all(rows):
    assume(rows.weights.any())
    times = rows.weights.astype(int)
    repeated = Rows(rows.X, rows.y).where(np.repeat(np.arange(len(rows.y)), times))
    assert_equal(summary(rows), summary(repeated))


# what cannot be taken away --------------------------------------------------------------------


def test_more_rows_than_were_added_cannot_be_taken_away():
    spam = summary(Rows(np.array([[1, 0]]), np.array(["spam"])))
    ham = summary(Rows(np.array([[1, 0]]), np.array(["ham"])))
    for removed in (spam + spam, ham):
        with pytest.raises(ValueError, match="Only what was learned can be .*Check"):
            spam - removed


def test_rows_with_other_values_cannot_be_taken_away():
    learned = summary(Rows(np.array([[1, 0], [2, 0]]), np.array(["spam", "spam"])))
    with pytest.raises(ValueError, match="Only what was learned can be .*Check"):
        learned - summary(Rows(np.array([[0, 4]]), np.array(["spam"])))


# numbers --------------------------------------------------------------------------------------


def exact_scatter(X, weights):
    """Mean and scatter as fractions of the very numbers that came in."""
    rows = [[Fraction(float(value)) for value in row] for row in X]
    weights = [Fraction(float(weight)) for weight in weights]
    mean = [
        sum(w * row[j] for w, row in zip(weights, rows, strict=True)) / sum(weights)
        for j in range(X.shape[1])
    ]
    scatter = [
        [
            sum(
                w * (row[i] - mean[i]) * (row[j] - mean[j])
                for w, row in zip(weights, rows, strict=True)
            )
            for j in range(X.shape[1])
        ]
        for i in range(X.shape[1])
    ]
    return np.array(mean, dtype=float), np.array(scatter, dtype=float)


@pytest.mark.parametrize("offset", [0.0, 1e8, -1e8, 1.7e9])
@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
def test_columns_far_from_zero_come_out_right(offset, weighted):
    random = np.random.default_rng(8)
    X = offset + random.normal(size=(60, 3)) @ np.array([[1, 0.5, 0], [0, 1, 0.9], [0, 0, 1]])
    codes = np.arange(60) % 2
    weights = random.random(60) if weighted else None
    for moments in (
        cross_moments(X, codes, 2, weights),
        cross_moments(sparse.csr_array(X), codes, 2, weights),
    ):
        for c in range(2):
            chosen = codes == c
            mean, scatter = exact_scatter(
                X[chosen], np.ones(30) if not weighted else weights[chosen]
            )
            np.testing.assert_allclose(moments.mean[c], mean, rtol=4e-15, atol=1e-14)
            np.testing.assert_allclose(moments.scatter[c], scatter, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("offset", [0.0, 1e4, 1e8])
def test_small_blocks_and_forgetting_keep_the_digits_far_from_zero(offset):
    X = offset + np.random.default_rng(3).normal(size=(90, 2))
    codes = np.arange(90) % 3
    whole = cross_moments(X, codes, 3)
    with cells_per_block(4):
        in_blocks = cross_moments(X, codes, 3)
    np.testing.assert_allclose(in_blocks.scatter, whole.scatter, atol=1e-6)
    rest = whole - cross_moments(X[45:], codes[45:], 3)
    np.testing.assert_allclose(
        rest.scatter, cross_moments(X[:45], codes[:45], 3).scatter, atol=1e-5
    )


def test_a_column_without_spread_has_no_products():
    X = np.column_stack([np.full(9, 0.1), np.arange(9.0)])
    scatter = cross_moments(X, np.zeros(9, int), 1).scatter[0]
    assert scatter.tolist() == [[0.0, 0.0], [0.0, pytest.approx(60.0)]]


def test_any_number_of_threads_gives_the_same_bit_for_bit():
    random = np.random.default_rng(1)
    X, codes, weights = random.normal(size=(900, 3)), random.integers(0, 3, 900), random.random(900)
    answers = []
    for threads in ("1", "2", "7"):
        with environment(BAYESIC_THREADS=threads), cells_per_block(300):
            answers.append(list(arrays_in(cross_moments(X, codes, 3, weights))))
    for other in answers[1:]:
        for one, many in zip(answers[0], other, strict=True):
            np.testing.assert_array_equal(one, many, strict=True)


@pytest.mark.parametrize("dtype", ["int8", "float32", "longdouble"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_every_dtype_and_order_gives_the_same(dtype, order):
    X = np.random.default_rng(5).integers(0, 5, (50, 3))
    codes = np.arange(50) % 2
    given_so = cross_moments(np.asarray(X, dtype=dtype, order=order), codes, 2)
    assert_equal(given_so, cross_moments(X, codes, 2))
    assert given_so.scatter.dtype == np.float64


# values that stay as they are, and bad input --------------------------------------------------


def test_nothing_can_be_changed_also_after_pickling():
    moments = cross_moments(np.arange(6.0).reshape(3, 2), np.array([0, 0, 1]), 2)
    for same in (moments, moments + moments, pickle.loads(pickle.dumps(moments))):
        for array in arrays_in(same):
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.nan, "contains NaN.*Fill the gaps"),
        (np.inf, "contains infinity"),
        (1e200, "too large: their squares overflow.*larger unit"),
    ],
    ids=["gap", "infinity", "large"],
)
def test_what_cannot_be_summed_is_refused(kind, value, message):
    X = kind(np.array([[1.0, 2.0], [value, 3.0], [4.0, 5.0]]))
    with pytest.raises(ValueError, match=message):
        cross_moments(X, np.array([0, 0, 0]), 1)


@few_examples
@given(some_rows)
def test_what_came_from_rows_passes_the_check(rows):
    assert summary(rows).checked().n_features == rows.X.shape[1]


@pytest.mark.parametrize(
    "change",
    [
        {"class_count": np.array([-1, 2])},
        {"mean": np.zeros((2, 3))},
        {"mean": np.full((2, 2), np.nan)},
        {"scatter": np.full((2, 2, 2), np.nan)},
        {"scatter": np.array([[[1.0, 0.5], [0.2, 1.0]]] * 2)},
        {"scatter": np.array([[[1.0, 3.0], [3.0, 1.0]]] * 2)},
        {"scatter": np.zeros((2, 2))},
    ],
    ids=["below 0", "shape", "NaN mean", "NaN", "lopsided", "too correlated", "flat"],
)
def test_what_cannot_have_come_from_rows_is_refused(change):
    whole = cross_moments(np.arange(8.0).reshape(4, 2) ** 2, np.array([0, 0, 1, 1]), 2)
    made = CrossMoments(**{**vars(whole), **change})
    with pytest.raises(ValueError, match="must"):
        made.checked()
