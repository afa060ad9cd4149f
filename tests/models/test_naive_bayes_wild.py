"""Wild tables: no NaN and no exception out of finite input, whatever the columns hold."""

import warnings

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bayesic as by
from helpers.comparisons import impossible_rows_allowed
from helpers.examples import at_most

numbers = st.one_of(
    st.none(),
    st.integers(-3, 3),
    st.sampled_from([0.0, -0.0, 1e8, 1e8 + 1, 1e139, -1e139, 1e-300, 5e-324, 0.1, np.nan]),
    st.floats(-1e6, 1e6),
)
wide_numbers = numbers | st.sampled_from([1e200, -1e200, 1.7e308, -1.7e308])
words = st.none() | st.sampled_from(["", " ", "sun", "雨", "今天", "é", "0", "None", "nan"])
texts = st.none() | st.sampled_from(["", "!", "free lunch", "今天下雨", "free " * 50, "雨 rain"])
counts = st.none() | st.integers(0, 5) | st.sampled_from([0, 1000, 10**12])
yes_or_no = st.none() | st.sampled_from([0, 1])
COLUMNS = {
    "风": numbers,
    "same": st.just(4.5),
    "sky": words,
    "note": texts,
    "visits": counts,
    "member": yes_or_no,
    "nothing": st.none(),
}
KINDS = {"note": "text", "visits": "poisson", "member": "bernoulli", "sky": "categorical"}
parameters = st.fixed_dictionaries(
    {
        "numeric": st.sampled_from(["auto", "gaussian", "kernel", "binned"]),
        "smoothing": st.sampled_from([0, 1e-12, 1, 1e6, ("m", 0), ("m", 2), "auto"]),
        "prior": st.sampled_from(["learned", "uniform"]),
    }
)


@st.composite
def wild_tables(draw, cells=COLUMNS, max_rows=8):
    n_rows = draw(st.integers(1, max_rows))

    def column(strategy):
        return draw(st.lists(strategy, min_size=n_rows, max_size=n_rows))

    X = {name: column(strategy) for name, strategy in cells.items()}
    return X, column(st.sampled_from(["ham", "spam", "新闻"]))


def assert_probabilities(answers, n_rows, n_classes):
    assert answers.shape == (n_rows, n_classes)
    assert not np.isnan(answers).any()
    np.testing.assert_allclose(answers.sum(axis=1), 1.0)


@at_most(80)
@given(table=wild_tables(), parameters=parameters)
def test_finite_input_gives_probabilities_and_no_warning_but_of_impossible_rows(table, parameters):
    X, y = table
    model = by.NaiveBayes(columns=KINDS, **parameters)
    with impossible_rows_allowed():
        model.fit(X, y)
        n_classes = len(set(y))
        assert_probabilities(model.predict_proba(X), len(y), n_classes)
        assert_probabilities(np.exp(model.predict_log_proba(X)), len(y), n_classes)
        assert_probabilities(model.leave_one_out(X, y), len(y), n_classes)
        assert not np.isnan(model.log_density(X)).any()
        assert not np.isnan(model.predict_joint_log_proba(X)).any()
        assert set(model.predict(X)) <= set(y)
        sample = model.sample(5, random_state=0)
        assert not any(
            isinstance(cell, float) and np.isnan(cell)
            for cells in sample.X.values()
            for cell in cells.tolist()
        )


@at_most(50)
@given(
    table=wild_tables(),
    asked=wild_tables(COLUMNS | {"风": wide_numbers, "same": wide_numbers}),
    parameters=parameters,
)
@example(
    table=({"风": [1e-3, 0.0], "same": [4.5, 4.5]}, ["ham", "spam"]),
    asked=({"风": [1.7e308], "same": [-1.7e308]}, ["ham"]),
    parameters={"numeric": "kernel"},
)
def test_rows_never_seen_get_probabilities_too(table, asked, parameters):
    X, y = table
    told = {name: kind for name, kind in KINDS.items() if name in X}
    model = by.NaiveBayes(columns=told, **parameters).fit(X, y)
    with impossible_rows_allowed():
        answers = model.predict_proba(asked[0])
    assert_probabilities(answers, len(asked[1]), len(set(y)))


@at_most(60)
@given(table=wild_tables(), parameters=parameters, data=st.data())
def test_wild_weights_give_probabilities_too(table, parameters, data):
    X, y = table
    weight = st.sampled_from([1e-12, 0.1, 0.3, 1.0, 7.0, 1e12])
    weights = data.draw(st.lists(weight, min_size=len(y), max_size=len(y)))
    model = by.NaiveBayes(columns=KINDS, **parameters)
    with impossible_rows_allowed():
        model.fit(X, y, sample_weight=weights)
        assert_probabilities(model.predict_proba(X), len(y), len(set(y)))
        assert_probabilities(model.leave_one_out(X, y, sample_weight=weights), len(y), len(set(y)))


@at_most(40)
@given(first=wild_tables(), second=wild_tables(), parameters=parameters)
def test_wild_tables_are_learned_and_forgotten(first, second, parameters):
    model = by.NaiveBayes(columns=KINDS, **parameters).fit(*first)
    classes = sorted({*first[1], *second[1]})
    with impossible_rows_allowed():
        model.partial_fit(*second)
        assert_probabilities(model.predict_proba(first[0]), len(first[1]), len(classes))
        model.forget(*second)
        assert_probabilities(model.predict_proba(first[0]), len(first[1]), len(classes))
        model.forget(*first)
        answers = model.predict_proba(first[0])
    # nothing is left, and nothing is told
    np.testing.assert_allclose(answers, 1 / len(classes))


def test_one_row_one_column_one_class():
    for value in ("sun", 3.0, True, None):
        model = by.NaiveBayes().fit([[value]], ["ham"])
        assert model.predict_proba([[value], [None]]).tolist() == [[1.0], [1.0]]
        assert model.predict([[value]]).tolist() == ["ham"]


def test_a_column_that_is_always_null_is_no_evidence():
    sky = {"sky": ["sun", "rain", "sun"]}
    y = ["ham", "spam", "spam"]
    plain = by.NaiveBayes().fit(sky, y).predict_proba(sky)
    gaps = sky | {"gap": [None] * 3}
    model = by.NaiveBayes().fit(gaps, y)
    np.testing.assert_allclose(model.predict_proba(gaps), plain, rtol=1e-12)
    np.testing.assert_allclose(
        model.predict_proba(sky | {"gap": ["new", "new", None]}), plain, rtol=1e-12
    )


def test_a_table_of_nothing_but_ignored_columns_answers_the_prior():
    model = by.NaiveBayes(columns={"id": "ignore"}).fit({"id": [1, 2, 3]}, ["ham", "spam", "spam"])
    assert model.predict_proba({"id": [9]})[0].tolist() == pytest.approx([2 / 5, 3 / 5])
    assert model.log_density({"id": [9]})[0] == pytest.approx(0.0, abs=1e-12)
    (explanation,) = model.explain({"id": [9]})
    assert explanation.probability == pytest.approx({"ham": 2 / 5, "spam": 3 / 5})


def test_impossible_rows_answer_the_prior_and_say_so():
    model = by.NaiveBayes(smoothing=0).fit(
        {"sky": ["sun", "rain", "rain"]}, ["ham", "spam", "spam"]
    )
    with pytest.warns(UserWarning, match="impossible in every class") as caught:
        answers = model.predict_proba({"sky": ["fog"]})
    assert answers[0].tolist() == pytest.approx([1 / 3, 2 / 3])
    assert caught[0].filename == __file__
    assert np.isneginf(model.log_density({"sky": ["fog"]})[0])


def test_a_count_where_all_were_zero_does_not_silence_the_other_columns():
    X = {"visits": [0, 0, 0, 0], "sky": ["sun", "sun", "rain", "rain"]}
    model = by.NaiveBayes(columns={"visits": "poisson"}).fit(X, ["ham", "ham", "spam", "spam"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answers = model.predict_proba({"visits": [3], "sky": ["sun"]})
    without = model.predict_proba({"visits": [None], "sky": ["sun"]})
    np.testing.assert_allclose(answers, without, rtol=1e-12)


@pytest.mark.parametrize("numeric", ["auto", "gaussian", "kernel", "binned"])
def test_numbers_far_from_zero_are_told_apart_as_near_zero(numeric):
    random = np.random.default_rng(6)
    values = random.normal(size=80).round(3)
    y = random.choice(["ham", "spam"], 80)
    values[y == "spam"] += 2
    near, far = (
        by.NaiveBayes(numeric=numeric)
        .fit({"wind": values + shift}, y)
        .predict_proba({"wind": np.linspace(-2, 4, 7) + shift})
        for shift in (0.0, 1e8)
    )
    np.testing.assert_allclose(far, near, atol=1e-5)


@pytest.mark.parametrize("numeric", ["auto", "gaussian", "kernel", "binned"])
def test_more_values_than_the_table_holds_change_little(numeric, monkeypatch):
    random = np.random.default_rng(9)
    values = random.normal(size=900)
    y = random.choice(["ham", "spam"], 900)
    values[y == "spam"] -= 1.5
    probe = {"wind": np.linspace(-4, 3, 20)}
    exact = by.NaiveBayes(numeric=numeric).fit({"wind": values}, y)
    answers = exact.predict_proba(probe), exact.leave_one_out({"wind": values}, y)
    monkeypatch.setattr("bayesic.statistics.value_tables.MOST_VALUES", 300)
    cut = by.NaiveBayes(numeric=numeric).fit({"wind": values}, y)
    assert cut.statistics_.columns["wind"].bits < 20
    coarse = cut.predict_proba(probe), cut.leave_one_out({"wind": values}, y)
    for ours, theirs in zip(coarse, answers, strict=True):
        # a cut point may move by the width of a cell: some rows change their bins
        assert (np.abs(ours - theirs) > 0.02).mean() < 0.01
