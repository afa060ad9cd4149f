"""Statistics of arrays: matrices of all kinds, gaps, weights, and what the numbers mean.

Counts are compared bit for bit, moments to 1e-12 relative to the scale of the data.
"""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import sparse

import bayesic as by
from bayesic.data.blocks import row_blocks
from bayesic.statistics.category_counts import CategoryCounts, category_counts
from bayesic.statistics.features import (
    FeatureCounts,
    PresenceCounts,
    feature_counts,
    presence_counts,
)
from bayesic.statistics.moments import ClassMoments, class_moments
from helpers.comparisons import arrays_in, assert_same, assert_same_model, probabilities
from helpers.environment import cells_per_block, environment
from helpers.labelled_rows import (
    FIVE,
    WORDS,
    Rows,
    fresh,
    labelled_rows,
    quarters,
    quarters_or_zero,
)

TOLERANCE = 1e-12
SCALE = 4.0  # the largest number in labelled_rows
SUMMARIES = {
    FeatureCounts: feature_counts,
    PresenceCounts: presence_counts,
    CategoryCounts: category_counts,
    ClassMoments: class_moments,
}

each_statistic = pytest.mark.parametrize("Statistic", SUMMARIES)
each_model = pytest.mark.parametrize("Model", FIVE)


def summary(Statistic, rows, X=None):
    """The statistics of these rows among all WORDS; of none, the zero."""
    X = rows.X if X is None else X
    if len(rows.y) == 0:
        return Statistic.empty(len(WORDS), X.shape[1])
    return SUMMARIES[Statistic](X, rows.codes, len(WORDS), rows.weights)


def assert_equal(ours, theirs):
    assert_same(ours, theirs, TOLERANCE, SCALE)


some_rows = st.booleans().flatmap(
    lambda weighted: labelled_rows(missing=True, weights=quarters if weighted else None)
)

# blocks ---------------------------------------------------------------------------------------


@each_statistic
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_blocks_of_any_size_give_the_same(Statistic, weighted, kind):
    rows = many_rows(seed=3, n_rows=500, weighted=weighted)
    X = kind(rows.X)
    whole = summary(Statistic, rows, X)
    for cells in (1, 100, 777):
        with cells_per_block(cells):
            assert_equal(summary(Statistic, rows, X), whole)


# what cannot be taken away --------------------------------------------------------------------


@each_statistic
def test_more_rows_of_a_class_than_were_added_cannot_be_taken_away(Statistic):
    spam = summary(Statistic, Rows(np.array([[1, 0]]), np.array(["spam"])))
    ham = summary(Statistic, Rows(np.array([[1, 0]]), np.array(["ham"])))
    with pytest.raises(ValueError, match="Only what was learned can be .*Check"):
        spam - (spam + spam)
    with pytest.raises(ValueError, match="Only what was learned can be .*Check"):
        spam - ham


@each_statistic
def test_rows_with_other_cells_than_were_added_cannot_be_taken_away(Statistic):
    learned = summary(Statistic, Rows(np.array([[1, 0], [2, 0]]), np.array(["spam", "spam"])))
    another = summary(Statistic, Rows(np.array([[0, 4]]), np.array(["spam"])))
    with pytest.raises(ValueError, match="Only what was learned can be .*Check"):
        learned - another


@given(st.floats(3.0, 1e6))
def test_a_value_farther_out_than_the_spread_allows_cannot_be_taken_away(value):
    learned = class_moments(np.array([[0.0], [1.0], [2.0]]), np.array([0, 0, 0]), 1)
    with pytest.raises(ValueError, match="Only what was learned can be taken away"):
        learned - class_moments(np.array([[value]]), np.array([0]), 1)


@pytest.mark.parametrize("offset", [0.0, 1e4, 1e8, 1.7e9])
@pytest.mark.parametrize("seed", range(5))
def test_what_was_added_can_be_taken_away_however_far_from_zero(offset, seed):
    X = offset + np.random.default_rng(seed).normal(size=(12, 3))
    codes = np.arange(12) % 2
    for kept in (2, 3, 4, 6):
        some, more = (
            class_moments(X[:kept], codes[:kept], 2),
            class_moments(X[kept:], codes[kept:], 2),
        )
        assert_same((some + more) - more, some, TOLERANCE, scale=offset + 5.0)


# values that stay as they are -----------------------------------------------------------------


@each_statistic
def test_a_statistic_does_not_follow_the_data_it_came_from(Statistic):
    rows = Rows(np.array([[1.0, 2.0], [0.0, 1.0]]), np.array(["spam", "ham"]), np.array([1.0, 2.0]))
    statistics = summary(Statistic, rows)
    before = [array.copy() for array in arrays_in(statistics)]
    rows.X[:], rows.weights[:] = 4.0, 9.0
    for array, copy in zip(arrays_in(statistics), before, strict=True):
        np.testing.assert_array_equal(array, copy)


# weights --------------------------------------------------------------------------------------


@each_statistic
@given(rows=labelled_rows(missing=True))
def test_weights_of_one_are_no_weights(Statistic, rows):
    weighted = Rows(rows.X, rows.y, np.ones(len(rows.y)))
    assert_equal(summary(Statistic, weighted), summary(Statistic, rows))


@each_statistic
@given(rows=labelled_rows(min_rows=2, weights=st.floats(0.01, 100.0)))
def test_rows_of_any_weight_can_be_taken_away_one_by_one(Statistic, rows):
    statistics = summary(Statistic, rows)
    rest = statistics
    for row in range(len(rows.y)):
        rest = rest - summary(Statistic, rows.where([row]))
    assert rest.class_count.max() <= 1e-12 * statistics.class_count.max()


@given(labelled_rows(min_rows=2))
def test_moments_can_be_taken_away_row_by_row(rows):
    rest = summary(ClassMoments, rows)
    for row in range(len(rows.y) - 1):
        rest = rest - summary(ClassMoments, rows.where([row]))
        assert_equal(rest, summary(ClassMoments, rows.where(slice(row + 1, None))))


def test_counts_without_weights_are_whole_numbers_and_with_weights_floats():
    rows = Rows(np.array([[1, 0], [2, 3]]), np.array(["spam", "ham"]))
    weighted = Rows(rows.X, rows.y, np.array([0.5, 1.0]))
    for Statistic in (FeatureCounts, PresenceCounts, CategoryCounts):
        assert {array.dtype.kind for array in arrays_in(summary(Statistic, rows))} == {"i"}
        counts = summary(Statistic, weighted)
        assert counts.class_count.dtype == np.float64
        assert counts.class_count.tolist() == [1.0, 0.0, 0.5]


@each_statistic
def test_whole_weights_of_any_size_leave_exactly_the_rest(Statistic):
    rows = Rows(
        np.array([[1, 0], [0, 1], [1, 1], [0, 1]]),
        np.array(["ham", "ham", "spam", "spam"]),
        np.array([1e11, 1.0, 1.0, 2.0]),
    )
    rest = summary(Statistic, rows) - summary(Statistic, rows.where([0]))
    assert rest.class_count.tolist() == [1.0, 0.0, 3.0]
    if Statistic is not ClassMoments:  # means lose digits
        assert_equal(rest, summary(Statistic, rows.where([1, 2, 3])))


# kinds of matrices ----------------------------------------------------------------------------


@each_statistic
@given(
    rows=st.booleans().flatmap(lambda some: labelled_rows(missing=some, weights=quarters_or_zero))
)
def test_sparse_rows_give_the_same_as_dense_rows(Statistic, rows):
    assume(rows.weights.any())
    for weights in (rows.weights, None):
        same = Rows(rows.X, rows.y, weights)
        with_stored_zeros = sparse.csr_array(np.where(rows.X == 0, 9.0, rows.X))
        with_stored_zeros.data[with_stored_zeros.data == 9.0] = 0.0
        for X in (sparse.csr_array(rows.X), with_stored_zeros):
            assert_equal(summary(Statistic, same, X), summary(Statistic, same))


@each_statistic
@pytest.mark.parametrize("dtype", ["int8", "uint8", "uint64", "float16", "float32", "longdouble"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_every_dtype_and_order_gives_the_same(Statistic, dtype, order):
    rows = many_rows(seed=5, n_rows=50)
    X = np.asarray(rows.X, dtype=dtype, order=order)
    assert_equal(summary(Statistic, rows, X), summary(Statistic, rows))


@each_statistic
@given(rows=labelled_rows(missing=True))
def test_a_missing_cell_is_left_out_and_the_rest_of_its_row_counts(Statistic, rows):
    statistics = summary(Statistic, rows)
    class_count = [(rows.y == word).sum() for word in WORDS]
    assert statistics.class_count.tolist() == class_count
    for feature in range(rows.X.shape[1]):
        observed = ~np.isnan(rows.X[:, feature])
        alone = summary(Statistic, Rows(rows.X[:, [feature]], rows.y).where(observed))
        for name, of_feature in columns_of(statistics, feature).items():
            np.testing.assert_allclose(
                of_feature, columns_of(alone, 0)[name], rtol=TOLERANCE, atol=TOLERANCE * 16
            )


def columns_of(statistics, feature):
    """What a statistic says about one feature."""
    if isinstance(statistics, FeatureCounts):
        return {"occurrences": statistics.feature_count[:, feature]}
    if isinstance(statistics, PresenceCounts):
        return {
            "present": statistics.present[:, feature],
            "absent": statistics.absent[:, feature],
        }
    if isinstance(statistics, CategoryCounts):
        first = statistics.first
        return {"table": statistics.table[first[feature] : first[feature + 1]]}
    return {
        f"{name} {part}": getattr(getattr(statistics, name), part)[:, feature]
        for name in ("per_class", "overall")
        for part in ("count", "mean", "scatter")
    }


# what the numbers mean ------------------------------------------------------------------------

MAILS = Rows(
    np.array([[2, 0, 1], [0, 0, 3], [1, 4, 0], [2, 0, 1]]), np.array(["ham", "spam", "spam", "ham"])
)


def test_feature_counts_are_sums_over_the_rows_of_a_class():
    counts = summary(FeatureCounts, MAILS)
    assert counts.class_count.tolist() == [2, 0, 2]
    assert counts.feature_count.tolist() == [[4, 0, 2], [0, 0, 0], [1, 4, 3]]


def test_presence_counts_are_rows_with_and_without_a_feature():
    counts = summary(PresenceCounts, MAILS)
    assert counts.present.tolist() == [[2, 0, 2], [0, 0, 0], [1, 1, 1]]
    assert counts.absent.tolist() == [[0, 2, 0], [0, 0, 0], [1, 1, 1]]


def test_presence_is_above_the_threshold():
    counts = presence_counts(MAILS.X, MAILS.codes, 3, threshold=1.0)
    assert counts.present.tolist() == [[2, 0, 0], [0, 0, 0], [0, 1, 1]]


def test_category_counts_are_rows_with_each_value():
    counts = summary(CategoryCounts, MAILS)
    assert counts.n_categories.tolist() == [3, 5, 4]
    of_last = counts.table[counts.first[2] :]
    assert of_last.tolist() == [[0, 0, 1], [2, 0, 0], [0, 0, 0], [0, 0, 1]]
    assert counts.observed().tolist() == [[2, 0, 2]] * 3


def test_category_tables_grow_and_shrink_with_the_largest_code():
    small = summary(CategoryCounts, Rows(np.array([[1, 0]]), np.array(["ham"])))
    large = summary(CategoryCounts, Rows(np.array([[0, 7]]), np.array(["spam"])))
    assert (small + large).n_categories.tolist() == [2, 8]
    assert ((small + large) - large).n_categories.tolist() == [2, 1]
    assert (small + large).without_largest().n_categories.tolist() == [1, 1]


def test_moments_are_count_mean_and_squares_around_the_mean():
    moments = summary(ClassMoments, MAILS)
    assert moments.per_class.count.tolist() == [[2, 2, 2], [0, 0, 0], [2, 2, 2]]
    assert moments.per_class.mean.tolist() == [[2, 0, 1], [0, 0, 0], [0.5, 2, 1.5]]
    assert moments.per_class.scatter.tolist() == [[0, 0, 0], [0, 0, 0], [0.5, 8, 4.5]]
    assert moments.overall.mean.tolist() == [[1.25, 1, 1.25]]
    assert moments.overall.scatter.tolist() == [[2.75, 12, 4.75]]


# models ---------------------------------------------------------------------------------------


@each_model
@given(rows=some_rows)
def test_a_model_that_forgot_everything_keeps_nothing_but_its_classes(Model, rows):
    model = (
        fresh(Model)
        .fit(rows.X, rows.y, sample_weight=rows.weights)
        .forget(rows.X, rows.y, sample_weight=rows.weights)
    )
    for array in arrays_in(model.statistics_):
        assert not array.any()
    np.testing.assert_allclose(probabilities(model, rows.X), 1 / len(model.classes_))


@each_model
@given(rows=labelled_rows(missing=True))
def test_a_row_of_weight_two_can_be_forgotten_in_two_halves(Model, rows):
    twice = np.full(len(rows.y), 2.0)
    model = fresh(Model).fit(rows.X, rows.y, sample_weight=twice)
    once = fresh(Model).fit(rows.X, rows.y)
    model.forget(rows.X, rows.y)
    assert_same_model(model, once, rows.X)
    model.forget(rows.X, rows.y)
    for array in arrays_in(model.statistics_):
        assert not array.any()


@each_model
@given(rows=some_rows)
def test_merging_leaves_the_other_model_as_it_was_and_itself_twice_is_all_rows_twice(Model, rows):
    model, other = (fresh(Model).fit(rows.X, rows.y, sample_weight=rows.weights) for _ in range(2))
    model.merge(other)
    assert_same(
        other.statistics_, fresh(Model).fit(rows.X, rows.y, sample_weight=rows.weights).statistics_
    )
    assert_same_model(other.merge(other), model, rows.X)


@each_model
def test_classes_of_both_models_are_sorted_after_a_merge(Model):
    first = fresh(Model).fit([[1, 0], [0, 2]], ["spam", "ham"])
    first.merge(fresh(Model).fit([[0, 1], [3, 0]], ["news", "advertisement"]))
    assert first.classes_.tolist() == ["advertisement", "ham", "news", "spam"]
    assert first.class_count_.tolist() == [1, 1, 1, 1]


# threads --------------------------------------------------------------------------------------


def many_rows(seed, n_rows, n_features=4, weighted=False):
    random = np.random.default_rng(seed)
    return Rows(
        random.integers(0, 5, size=(n_rows, n_features)),
        np.array(WORDS)[random.integers(0, len(WORDS), size=n_rows)],
        random.integers(1, 9, n_rows) / 4 if weighted else None,
    )


@each_model
@pytest.mark.parametrize("kernels", ["reference", "compiled"])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@pytest.mark.parametrize("weighted", [False, True])
def test_any_number_of_threads_gives_the_same_bit_for_bit(Model, kernels, kind, weighted):
    random = np.random.default_rng(11)
    rows = many_rows(seed=11, n_rows=700)
    weights = random.random(700) if weighted else None  # sums of these depend on their order
    numbers = random.normal(size=(700, 4)) if Model is by.GaussianNB else rows.X
    X = kind(numbers * (rows.X > 0))
    answers = {}
    for threads in ("1", "2", "7"):
        with environment(BAYESIC_THREADS=threads, BAYESIC_KERNELS=kernels), cells_per_block(128):
            assert len(row_blocks(700, 4, at_least=8 * len(WORDS))) > 7
            model = Model().fit(X, rows.y, sample_weight=weights)
            answers[threads] = [
                *arrays_in(model.statistics_),
                model.predict_proba(X),
                model.leave_one_out(X, rows.y, sample_weight=weights),
            ]
    for threads in ("2", "7"):
        for one, many in zip(answers["1"], answers[threads], strict=True):
            np.testing.assert_array_equal(one, many, strict=True)
