"""A forest of counts: the laws with its splits held fixed, what it answers, and why."""

from bisect import bisect_right
from copy import deepcopy
from fractions import Fraction
from math import exp, factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from bayesic.estimation.forest import cuts_of, times_drawn
from bayesic.estimation.row_keys import least_keys, row_keys
from bayesic.kernels.forest import CHILD, COLUMN, CUT, FOR_MISSING, LEAF, MISSING, UNKNOWN
from bayesic.statistics.forest import MANY, bins_of
from helpers.environment import environment
from helpers.examples import at_most

WORDS = ["rain", "sun", "雪", None]


@st.composite
def tables(draw, most=14):
    """Columns of numbers and words with gaps, and classes."""
    n_rows = draw(st.integers(4, most))
    number = st.integers(0, 5).map(float) | st.none()
    lists = {"least": n_rows, "wind": number, "sky": st.sampled_from(WORDS)}
    columns = {
        name: draw(st.lists(lists[name], min_size=n_rows, max_size=n_rows))
        for name in ("wind", "sky")
    }
    columns["wind"][0], columns["sky"][0] = 1.0, "rain"  # so that it is seen what they hold
    labels = draw(st.lists(st.sampled_from(["no", "yes"]), min_size=n_rows, max_size=n_rows))
    return columns, labels


def part(columns, rows):
    return {name: [cells[row] for row in rows] for name, cells in columns.items()}


def grown(columns, labels, n_trees=4):
    return by.BayesForest(n_trees=n_trees).fit(columns, labels)


def rank_of(forest, tree, name, cell):
    """The rank of a cell in a tree, from what the forest says of its columns."""
    column = forest.columns.index(name)
    n_codes = forest.n_codes
    if cell is None:
        code = n_codes[column] - 2
    elif name in forest.cuts:
        code = sum(cut <= cell for cut in forest.cuts[name])
    else:
        known = forest.levels[name]
        code = known.index(cell) if cell in known else n_codes[column] - 1
    return int(forest.ranks[tree, sum(n_codes[:column]) + code])


def path_of(forest, tree, row):
    """The nodes that a row comes to, by recursion."""

    def below(node):
        column, cut, child, for_missing = forest.nodes[node].tolist()
        assert (COLUMN, CUT, CHILD, FOR_MISSING) == (0, 1, 2, 3)
        if column == LEAF:
            return [node]
        name = forest.columns[column]
        rank = rank_of(forest, tree, name, row[name])
        if rank == UNKNOWN or (rank == MISSING and for_missing == LEAF):
            return [node]
        return [node, *below(for_missing if rank == MISSING else child + (rank > cut))]

    return below(int(forest.first_node[tree]))


def counts_by_hand(forest, columns, labels, classes):
    counts = np.zeros((len(forest.nodes), len(classes)), int)
    for number, label in enumerate(labels):
        row = {name: cells[number] for name, cells in columns.items()}
        for tree in range(forest.n_trees):
            for node in path_of(forest, tree, row):
                counts[node, classes.index(label)] += 1
    return counts


def mean_by_hand(forest, counts, trees, row, strength):
    """The mean over trees of the back-off along the path, in fractions."""
    n_classes = counts.shape[1]
    answers = []
    for tree in trees:
        p = [Fraction(1, n_classes)] * n_classes
        for node in path_of(forest, tree, row):
            whole = int(counts[node].sum()) + strength
            p = [(int(n) + strength * q) / whole for n, q in zip(counts[node], p, strict=True)]
        answers.append(p)
    return [sum(each) / len(answers) for each in zip(*answers, strict=True)]


@given(tables())
@at_most(50)
def test_the_counts_of_every_node_are_those_of_rows_that_come_to_it(table):
    columns, labels = table
    model = grown(columns, labels)
    classes = model.classes_.tolist()
    expected = counts_by_hand(model.forest_, columns, labels, classes)
    np.testing.assert_array_equal(model.statistics_.table, expected)


@given(tables(), st.sampled_from([0.25, 2.0]))
@at_most(30)
def test_answers_are_the_mean_of_trees_that_back_off(table, strength):
    columns, labels = table
    model = by.BayesForest(n_trees=3, smoothing=strength).fit(columns, labels)
    asked = {"wind": [2.5, None, 1.0], "sky": ["hail", "sun", None]}
    counts, forest = model.statistics_.table, model.forest_
    for number, answer in enumerate(model.predict_proba(asked)):
        row = {name: cells[number] for name, cells in asked.items()}
        expected = mean_by_hand(forest, counts, range(3), row, Fraction(strength))
        np.testing.assert_allclose(answer, [float(p) for p in expected], rtol=1e-9)


@given(tables(), tables(), tables())
@at_most(30)
def test_with_the_splits_held_learning_in_pieces_forgetting_and_merging_are_exact(
    first, second, third
):
    model = grown(*first)
    at_once = deepcopy(model).partial_fit(*second).partial_fit(*third)
    other_order = deepcopy(model).partial_fit(*third).partial_fit(*second)
    copy = deepcopy(model).partial_fit(*second).forget(*first)
    merged = deepcopy(model).partial_fit(*third).merge(copy)
    for learned in (other_order, merged):
        np.testing.assert_array_equal(learned.statistics_.table, at_once.statistics_.table)
        assert (learned.predict_proba(first[0]) == at_once.predict_proba(first[0])).all()
    at_once.forget(*third).forget(*second)
    places = np.searchsorted(at_once.classes_, model.classes_)
    np.testing.assert_array_equal(at_once.statistics_.table[:, places], model.statistics_.table)


@given(tables())
@at_most(30)
def test_leaving_a_row_out_is_asking_the_trees_that_were_not_grown_from_it_without_its_counts(
    table,
):
    columns, labels = table
    model = by.BayesForest(n_trees=4, smoothing=1.0).fit(columns, labels)
    forest, classes = model.forest_, model.classes_.tolist()
    found = model.leave_one_out(columns, labels)
    rows = model._rows(columns)
    codes = np.array([classes.index(label) for label in labels])
    keys = row_keys(rows, classes, codes, np.ones(len(codes)))
    for number, label in enumerate(labels):
        others = [row for row in range(len(labels)) if row != number]
        counts = counts_by_hand(forest, part(columns, others), [labels[o] for o in others], classes)
        unseen = [t for t in range(4) if times_drawn(keys, t, forest)[number] == 0] or range(4)
        row = {name: cells[number] for name, cells in columns.items()}
        expected = mean_by_hand(forest, counts, unseen, row, Fraction(1))
        np.testing.assert_allclose(found[number], [float(p) for p in expected], rtol=1e-9)
        assert label in classes


@given(tables(), st.randoms(use_true_random=False))
@at_most(30)
def test_the_order_of_rows_does_not_matter(table, random):
    columns, labels = table
    rows = list(range(len(labels)))
    random.shuffle(rows)
    first = grown(columns, labels)
    second = grown(part(columns, rows), [labels[row] for row in rows])
    assert first.forest_.is_same(second.forest_)
    np.testing.assert_array_equal(first.statistics_.table, second.statistics_.table)
    assert (first.strength_, first.temperature_) == pytest.approx(
        (second.strength_, second.temperature_), rel=1e-6
    )


@given(tables())
@at_most(30)
def test_reasons_add_up_to_the_log_odds(table):
    columns, labels = table
    model = grown(columns, labels)
    for reason in model.explain(columns):
        total = reason.prior_log_odds + sum(reason.weights.values())
        assert total == pytest.approx(reason.log_odds, abs=1e-9)


def exclusive_or(n_rows, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4))
    return X, np.where((X[:, 0] > 0) == (X[:, 1] > 0), "same", "other")


def test_two_columns_that_tell_only_together_are_found():
    X, y = exclusive_or(600)
    more, truth = exclusive_or(600, seed=1)
    assert by.BayesForest().fit(X, y).score(more, truth) > 0.95


def test_columns_without_a_word_about_the_class_leave_the_prior():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 5)), rng.integers(0, 2, 400)
    model = by.BayesForest().fit(X, y)
    loss = -np.log(
        model.predict_proba(rng.normal(size=(4000, 5)))[np.arange(4000), rng.integers(0, 2, 4000)]
    )
    assert loss.mean() < np.log(2) + 0.03


def test_the_same_bits_for_any_number_of_threads_and_both_kernels():
    X, y = exclusive_or(300)
    answers = []
    for threads in ("1", "2", "8"):
        for kernels in ("reference", "compiled"):
            with environment(BAYESIC_THREADS=threads, BAYESIC_KERNELS=kernels):
                answers.append(by.BayesForest(n_trees=6).fit(X, y))
    for model in answers[1:]:
        assert model.forest_.is_same(answers[0].forest_)
        np.testing.assert_array_equal(model.statistics_.table, answers[0].statistics_.table)
        np.testing.assert_allclose(model.predict_proba(X), answers[0].predict_proba(X), rtol=1e-9)


@pytest.mark.parametrize("kind", ["numbers", "words"])
def test_a_row_of_weight_zero_is_absent(kind):
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 4))
    y = np.where(X[:, 0] + X[:, 1] * random.normal(size=300) > 0, "rain", "sun")
    X = X if kind == "numbers" else (2 * X).round().astype(int).astype(str)
    weights = random.integers(0, 2, 300)
    kept = weights > 0
    model = by.BayesForest(n_trees=5).fit(X, y, sample_weight=weights.astype(float))
    without = by.BayesForest(n_trees=5).fit(X[kept], y[kept])
    assert np.array_equal(model.predict_proba(X[kept]), without.predict_proba(X[kept]))
    left_out = model.leave_one_out(X[kept], y[kept])
    assert np.array_equal(left_out, without.leave_one_out(X[kept], y[kept]))


def test_a_row_of_weight_two_counts_twice():
    X, y = exclusive_or(40)
    weights = np.where(np.arange(40) < 10, 2.0, 1.0)
    model = by.BayesForest(n_trees=5).fit(X, y)
    heavier = deepcopy(model).partial_fit(X[:10], y[:10])
    model = by.BayesForest(n_trees=5).fit(X, y, sample_weight=weights)
    root = model.forest_.first_node[:-1]
    np.testing.assert_array_equal(
        model.statistics_.table[root], heavier.statistics_.table[heavier.forest_.first_node[:-1]]
    )


def test_new_classes_and_new_levels_may_come():
    model = by.BayesForest(n_trees=5).fit({"sky": ["rain", "sun"] * 5}, ["in", "out"] * 5)
    model.partial_fit({"sky": ["hail"]}, ["cellar"])
    assert model.classes_.tolist() == ["cellar", "in", "out"]
    assert model.predict_proba({"sky": ["hail"]})[0, 0] > 0
    assert model.predict({"sky": ["rain"]}).tolist() == ["in"]


def test_forests_grown_from_other_rows_are_not_merged():
    X, y = exclusive_or(60)
    first, second = (
        by.BayesForest(n_trees=3).fit(X, y),
        by.BayesForest(n_trees=3).fit(X[:30], y[:30]),
    )
    with pytest.raises(ValueError, match="only for the same trees"):
        first.merge(second)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_trees": 0}, "n_trees must be a whole number of 1 or more"),
        ({"splits": "good"}, "splits must be one of 'best', 'random'"),
        ({"smoothing": 0}, "smoothing must be 'auto' or above 0"),
        ({"smoothing": "some"}, "smoothing must be 'auto' or above 0"),
        ({"smoothing": np.inf}, "smoothing must be 'auto' or above 0 and finite"),
        ({"n_trees": 10_001}, "n_trees must be a whole number up to 10000, got 10001"),
        ({"seed": -1}, "seed must be a whole number of 0 or more"),
        ({"columns": {"wind": "text"}}, "BayesForest does not take every kind of column"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        by.BayesForest(**options).fit({"wind": [1.0, 2.0]}, ["no", "yes"])


@pytest.mark.parametrize("seed", [2**44, 2**63, 10**30])
def test_a_seed_may_be_of_any_size(seed):
    forest = by.BayesForest(n_trees=2, seed=seed).fit({"wind": [1.0, 2.0]}, ["no", "yes"])
    assert forest.predict_proba({"wind": [1.0]}).sum() == pytest.approx(1)


def test_a_forest_has_no_product_to_write_out():
    model = by.BayesForest(n_trees=2).fit([[1.0], [2.0]], ["no", "yes"])
    with pytest.raises(TypeError, match="explain"):
        model.work([1.0])


def test_numbers_are_cut_between_values_even_where_floats_are_neighbours():
    one = np.nextafter(1.0, 2.0)
    assert cuts_of(np.array([1.0, one])) == (one,)
    assert cuts_of(np.array([5.0, np.nan])) == ()
    largest = np.finfo(float).max
    assert np.isfinite(cuts_of(np.array([-largest, largest]))).all()
    many = cuts_of(np.arange(1000.0))
    assert len(many) == 31
    assert (np.histogram(np.arange(1000.0), [-1, *many, 1000])[0] >= 30).all()


@given(
    st.lists(st.floats(), min_size=1, max_size=20),
    st.sets(st.floats(allow_nan=False), max_size=20),
    st.sampled_from([1, MANY]),
)
def test_the_bin_of_a_number_is_how_many_cuts_it_has_reached(numbers, cuts, times):
    cuts = tuple(sorted(cuts))
    expected = [99 if number != number else bisect_right(cuts, number) for number in numbers]
    found = bins_of(np.tile(np.array(numbers), times), cuts, gap=99)
    assert found.tolist() == expected * times


@given(st.lists(st.integers(0, 9), max_size=30), st.integers(1, 12))
def test_least_keys_are_the_first_of_all_in_order(keys, number):
    expected = sorted(range(len(keys)), key=keys.__getitem__)[:number]
    assert least_keys(np.array(keys, np.uint64), number).tolist() == expected


def test_trees_are_grown_from_each_row_as_often_as_a_poisson_number():
    X, y = exclusive_or(40)
    forest = by.BayesForest(n_trees=2).fit(X, y).forest_
    n_keys = 200_000
    times = times_drawn(np.arange(n_keys, dtype=np.uint64), 1, forest)
    for number, found in enumerate(np.bincount(times, minlength=5)[:5].tolist()):
        expected = exp(-1) / factorial(number) * n_keys
        assert abs(found - expected) < 5 * expected**0.5


def test_the_strength_and_the_temperature_are_kept_in_files_and_by_set_params(tmp_path):
    X, y = exclusive_or(200)
    model = by.BayesForest(n_trees=10).fit(X, y)
    model.save(tmp_path / "forest.bayes")
    loaded = by.load(tmp_path / "forest.bayes")
    assert (loaded.strength_, loaded.temperature_) == (model.strength_, model.temperature_)
    assert (loaded.leave_one_out(X, y) == model.leave_one_out(X, y)).all()
    model.set_params(smoothing=3.0)
    assert (model.strength_, model.temperature_) == (3.0, 1.0)
    model.set_params(smoothing="auto")
    assert model.strength_ == loaded.strength_
