"""What NaiveBayes forgets, merges and leaves out, beyond the laws of all models."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bayesic as by
from helpers.comparisons import impossible_rows_allowed, probabilities
from helpers.environment import cells_per_block, environment
from helpers.examples import at_most
from helpers.labelled_rows import quarters

LABELS = ("ham", "news", "spam")
KINDS = {
    "wind": "gaussian",
    "visits": "poisson",
    "member": "bernoulli",
    "note": "text",
    "zip": "categorical",
}
# with these, what is estimated depends on all rows: cut points, bandwidths, the kind itself
CHOSEN = {"rain": "binned", "heat": "kernel"}
CELLS = {
    "sky": st.sampled_from(["sun", "rain", "雨", ""]),
    "wind": st.integers(-4, 4).map(lambda number: number / 2),
    "visits": st.integers(0, 5),
    "member": st.booleans(),
    "note": st.sampled_from(["", "free lunch", "free free", "meeting 今天下雨"]),
    "zip": st.integers(1, 3),
    "rain": st.integers(0, 9).map(float),
    "heat": st.integers(0, 9).map(float),
    "age": st.integers(0, 9).map(float),
}
EXACT = ["sky", *KINDS]  # the columns whose leave-one-out is that of refitting, whatever happens

NO_WEIGHTS = st.none()


@st.composite
def tables(draw, names, min_rows=1, max_rows=6, weights=NO_WEIGHTS):
    """Rows of cells by name, with labels, and weights if told."""
    cell = {name: st.none() | CELLS[name] for name in names}
    row = st.tuples(st.fixed_dictionaries(cell), st.sampled_from(LABELS), weights)
    return draw(st.lists(row, min_size=min_rows, max_size=max_rows))


def arguments(rows):
    """X, y and weights of rows."""
    X = {name: [cells[name] for cells, _, _ in rows] for name in rows[0][0]}
    weights = None if rows[0][2] is None else [weight for _, _, weight in rows]
    return X, [label for _, label, _ in rows], weights


def fresh(rows, **parameters):
    told = {name: kind for name, kind in (KINDS | CHOSEN).items() if name in rows[0][0]}
    return by.NaiveBayes(columns=told, **parameters)


def learned(rows, model=None, **parameters):
    """A model of these rows in which all classes are declared."""
    model = fresh(rows, **parameters) if model is None else model
    X, y, weights = arguments(rows)
    return model.partial_fit(X, y, classes=LABELS, sample_weight=weights)


def assert_same_answers(ours, theirs, rows):
    X, _, _ = arguments(rows)
    assert ours.classes_.tolist() == theirs.classes_.tolist()
    np.testing.assert_array_equal(ours.class_count_, theirs.class_count_)
    for name, counts in theirs.statistics_.columns.items():
        np.testing.assert_array_equal(ours.statistics_.columns[name].table, counts.table)
    assert ours.kinds_ == theirs.kinds_
    np.testing.assert_allclose(
        probabilities(ours, X), probabilities(theirs, X), rtol=1e-6, atol=1e-9
    )


# The choice of the kind may depend on the last digit where two are equal: declared kinds only.
told = tuple(name for name in CELLS if name != "age")


@pytest.mark.parametrize("numeric", ["gaussian", "kernel", "binned", "poisson"])
@pytest.mark.parametrize("typing_error", [1e6, 1e9, 1e15])
def test_forgetting_a_number_far_out_is_never_having_learned_it(numeric, typing_error):
    X, y = {"wind": [1.0, 2.0, 8.0, 9.0]}, ["ham", "ham", "spam", "spam"]
    model = by.NaiveBayes(numeric=numeric).fit(X, y)
    probe = {"wind": [1, 4, 8]}
    before = model.predict_proba(probe)
    far = {"wind": [typing_error]}
    model.partial_fit(far, ["ham"]).forget(far, ["ham"])
    np.testing.assert_allclose(model.predict_proba(probe), before, rtol=1e-9)
    assert model.forget(X, y).class_count_.tolist() == [0, 0]


def test_merging_unites_classes_and_levels_and_columns_in_any_order():
    one = by.NaiveBayes().fit({"sky": ["sun"], "size": ["S"]}, ["ham"])
    other = by.NaiveBayes().fit({"size": ["L"], "sky": ["rain"]}, ["spam"])
    at_once = by.NaiveBayes().fit({"sky": ["sun", "rain"], "size": ["S", "L"]}, ["ham", "spam"])
    probe = {"sky": ["sun", "snow"], "size": ["L", "S"]}
    ours = one.merge(other).predict_proba(probe)
    assert one.classes_.tolist() == ["ham", "spam"]
    np.testing.assert_allclose(ours, at_once.predict_proba(probe), rtol=1e-12)


def test_a_class_that_comes_later_is_as_if_it_had_been_there():
    model = by.NaiveBayes().fit({"wind": [1.0, 2.0], "sky": ["sun", "sun"]}, ["ham", "ham"])
    model.partial_fit({"wind": [5.0, 6.0], "sky": ["rain", None]}, ["spam", "news"])
    at_once = by.NaiveBayes().fit(
        {"wind": [1.0, 2.0, 5.0, 6.0], "sky": ["sun", "sun", "rain", None]},
        ["ham", "ham", "spam", "news"],
    )
    probe = {"wind": [1.5, 6.0], "sky": ["rain", "sun"]}
    np.testing.assert_allclose(model.predict_proba(probe), at_once.predict_proba(probe), rtol=1e-12)


# weights --------------------------------------------------------------------------------------


@given(rows=tables(told, weights=st.sampled_from([0.0, 1.0])))
def test_a_row_of_weight_zero_is_no_row(rows):
    kept = [row for row in rows if row[2] > 0]
    if kept:
        assert_same_answers(learned(rows), learned(kept), rows)


# leave one out --------------------------------------------------------------------------------


def assert_leaving_one_out_is_refitting(rows, **parameters):
    model = learned(rows, **parameters)
    X, y, weights = arguments(rows)
    with impossible_rows_allowed():
        answers = model.leave_one_out(X, y, sample_weight=weights)
    np.testing.assert_allclose(answers.sum(axis=1), 1.0)
    for row in range(len(rows)):
        others = learned(rows[:row] + rows[row + 1 :], **parameters)
        expected = probabilities(others, arguments([rows[row]])[0])[0]
        np.testing.assert_allclose(answers[row], expected, rtol=1e-6, atol=1e-8)


@given(
    rows=tables(EXACT, min_rows=2),
    smoothing=st.sampled_from([1, 0.5, ("m", 2), {"sky": 3, "note": 0.1}]),
    prior=st.sampled_from(["learned", "uniform", {"ham": 0.5, "news": 0.2, "spam": 0.3}]),
)
def test_leaving_one_out_is_learning_all_the_others(rows, smoothing, prior):
    assert_leaving_one_out_is_refitting(rows, smoothing=smoothing, prior=prior)


@at_most(40)
@given(rows=tables(EXACT, min_rows=2))
def test_without_smoothing_as_well(rows):
    assert_leaving_one_out_is_refitting(rows, smoothing=0)


@at_most(40)
@given(rows=tables(EXACT, min_rows=2, max_rows=5, weights=quarters))
def test_a_row_leaves_with_its_whole_weight(rows):
    assert_leaving_one_out_is_refitting(rows)


@at_most(40)
@given(rows=tables(EXACT, min_rows=2, max_rows=5, weights=st.sampled_from([0.1, 0.2, 0.3, 0.7])))
def test_weights_that_cannot_be_summed_exactly_leave_no_trace(rows):
    assert_leaving_one_out_is_refitting(rows)


@pytest.mark.parametrize("column", [*CELLS])
@at_most(15)
@given(data=st.data())
def test_a_row_of_weight_zero_changes_nothing_when_it_leaves(column, data):
    row = st.fixed_dictionaries({column: CELLS[column]})
    with_class = st.tuples(row, st.sampled_from(LABELS), st.just(1.0))
    rows = data.draw(st.lists(with_class, min_size=2, max_size=5))
    cells, label, _ = data.draw(with_class)
    rows.append((cells, label, 0.0))
    model = learned(rows)
    X, y, weights = arguments(rows)
    with impossible_rows_allowed():
        answers = model.leave_one_out(X, y, sample_weight=weights)
    expected = probabilities(model, arguments(rows[-1:])[0])[0]
    np.testing.assert_allclose(answers[-1], expected, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("column", [*CELLS])
@pytest.mark.parametrize("smoothing", [0, 1, ("m", 2), "auto"])
def test_the_only_row_leaves_nothing_and_no_nan(column, smoothing):
    value = {"sky": "sun", "member": True, "note": "free"}.get(column, 3)
    model = by.NaiveBayes(columns={column: KINDS[column]} if column in KINDS else None)
    model.set_params(smoothing=smoothing).fit({column: [value]}, ["ham"])
    with impossible_rows_allowed():
        assert model.leave_one_out({column: [value]}, ["ham"]).tolist() == [[1.0]]


@at_most(30)
@given(rows=tables(tuple(CELLS), min_rows=1, max_rows=9))
@example(rows=[({"age": 3.0}, "ham", None), ({"age": None}, "spam", None)])
def test_leaving_one_out_gives_probabilities_for_all_kinds(rows):
    model = learned(rows, smoothing="auto")
    X, y, _ = arguments(rows)
    with impossible_rows_allowed():
        answers = model.leave_one_out(X, y)
    np.testing.assert_allclose(answers.sum(axis=1), 1.0)


@pytest.mark.parametrize("numeric", ["gaussian", "poisson"])
@pytest.mark.parametrize("far", [1e6, 1e9, 1e12])
def test_leaving_out_a_number_far_out_is_learning_all_the_others(numeric, far):
    X, y = {"wind": [1.0, 2.0, far, 8.0, 9.0]}, ["ham", "ham", "ham", "spam", "spam"]
    model = by.NaiveBayes(numeric=numeric).fit(X, y)
    others = by.NaiveBayes(numeric=numeric).fit({"wind": [1.0, 2.0, 8.0, 9.0]}, y[:2] + y[3:])
    np.testing.assert_allclose(
        model.leave_one_out(X, y)[2], others.predict_proba({"wind": [far]})[0], atol=1e-9
    )


@pytest.mark.filterwarnings("ignore:Some columns tell nothing")
def test_leaving_some_of_the_learned_rows_out_is_leaving_them_out_of_all():
    random = np.random.default_rng(8)
    X = {"wind": random.normal(size=30), "sky": random.choice(["sun", "rain"], 30)}
    y = random.choice(LABELS, 30)
    model = by.NaiveBayes().fit(X, y)
    some = {name: cells[4:9] for name, cells in X.items()}
    np.testing.assert_allclose(
        model.leave_one_out(some, y[4:9]), model.leave_one_out(X, y)[4:9], rtol=1e-9
    )


# threads and kernels --------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:Some columns tell nothing")
@pytest.mark.parametrize("smoothing", [1, "auto"])
def test_answers_do_not_depend_on_threads_or_kernels(smoothing):
    random = np.random.default_rng(3)
    n_rows = 3000
    X = {
        "wind": np.where(random.random(n_rows) < 0.1, np.nan, random.normal(1e6, 1, n_rows)),
        "heat": random.normal(size=n_rows),
        "sky": random.choice(["sun", "rain", "雨"], n_rows),
        "note": random.choice(["free lunch", "meeting"], n_rows),
    }
    y = random.choice(LABELS, n_rows)
    answers = {}
    for threads in ("1", "3"):
        for kernels in ("reference", "compiled"):
            with (
                cells_per_block(1000),
                environment(BAYESIC_THREADS=threads, BAYESIC_KERNELS=kernels),
            ):
                model = by.NaiveBayes(columns={"note": "text"}, smoothing=smoothing).fit(X, y)
                answers[threads, kernels] = model.predict_proba(X), model.leave_one_out(X, y)
    for kernels in ("reference", "compiled"):
        for one, several in zip(answers["1", kernels], answers["3", kernels], strict=True):
            assert one.tobytes() == several.tobytes()
    for one, other in zip(answers["1", "reference"], answers["1", "compiled"], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9)
