"""What is told after `fit` of columns and targets that should hardly be taken as they are."""

import datetime as dt
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bayesic as by
from bayesic.data.columns import Numbers
from bayesic.models.columns.looks import look_of_cells

N_ROWS = 40
SKY = ["sun", "sun", "rain", "rain", "snow"] * 8
WALK = ["out", "out", "in", "in", "in"] * 8
MODELS = (
    by.NaiveBayes,
    by.JointBayes,
    by.TreeAugmentedNB,
    by.KDependence,
    by.AveragedOneDependence,
    by.BayesForest,
)
LOOKS = {
    "text": ([f"we met {n} friends" for n in range(N_ROWS)], "columns={'odd': 'text'}"),
    "Chinese text": ([f"今天在公园遇到第{n}个朋友" for n in range(N_ROWS)], "'text'}"),
    "identifier": ([f"C-{7 * n}" for n in range(N_ROWS)], "identifiers.*{'odd': 'ignore'}"),
    "number of the row": (list(range(1, N_ROWS + 1)), "consecutive.*{'odd': 'ignore'}"),
    "date": ([f"2024-03-{1 + n % 9:02}" for n in range(N_ROWS)], r"date_columns\(table, 'odd'\)"),
}


def notices_of(learn):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        learn()
    return [str(notice.message) for notice in told]


@pytest.mark.parametrize("Model", MODELS)
@pytest.mark.parametrize("look", LOOKS)
def test_a_column_is_told_of_once_with_the_way_out(Model, look):
    values, match = LOOKS[look]
    table = {"sky": SKY, "odd": values}
    with pytest.warns(UserWarning, match=match):
        Model().fit(table, WALK)
    assert len(notices_of(lambda: Model().fit(table, WALK))) == 1
    told = {"odd": "ignore"}
    assert notices_of(lambda: Model(columns=told).fit(table, WALK)) == []


@pytest.mark.parametrize("Model", MODELS)
@pytest.mark.parametrize("look", ["identifier", "number of the row", "text"])
def test_a_file_gets_the_notice_of_the_table_in_memory(Model, look, tmp_path):
    table = {"sky": SKY, "odd": LOOKS[look][0], "walk": WALK}
    path = tmp_path / "walks.csv"
    pd.DataFrame(table).to_csv(path, index=False)
    in_memory = notices_of(lambda: Model().fit(table, "walk"))
    assert notices_of(lambda: Model().fit(path, "walk")) == in_memory != []


def test_small_tables_usual_columns_and_weights_are_not_told_of():
    few = {"sky": SKY[:20], "id": [f"C{n}" for n in range(20)], "row": list(range(20))}
    assert notices_of(lambda: by.NaiveBayes().fit(few, WALK[:20])) == []
    repeated = {
        "sky": SKY,
        "age": [20 + n // 2 for n in range(N_ROWS)],
        "zip": [f"Z{n % 9}" for n in range(N_ROWS)],
    }
    learned = notices_of(lambda: by.NaiveBayes(numeric="gaussian").fit(repeated, WALK))
    assert learned == []
    many = {"sky": SKY, "id": LOOKS["identifier"][0]}
    weighted = notices_of(lambda: by.NaiveBayes().fit(many, WALK, sample_weight=[0.5] * N_ROWS))
    assert weighted == []


def test_later_pieces_are_not_told_of():
    table = {"sky": SKY, "odd": LOOKS["identifier"][0]}
    assert notices_of(lambda: by.NaiveBayes().partial_fit(table, WALK)) == []


def test_the_numbers_of_many_rows_are_seen_although_the_table_keeps_but_their_first_digits():
    n_rows = 20_000
    labels = np.random.default_rng(0).choice(["in", "out"], n_rows)
    told = notices_of(lambda: by.NaiveBayes().fit({"row": np.arange(n_rows) + 7}, labels))
    assert "consecutive whole numbers" in told[0]
    other = np.random.default_rng(1).permutation(n_rows).astype(float) * 1.0001
    assert "consecutive" not in " ".join(
        notices_of(lambda: by.NaiveBayes().fit({"wind": other}, labels))
    )


def test_a_target_of_many_numbers_is_asked_if_it_is_a_measurement():
    ages = [20 + n % 25 for n in range(N_ROWS)]
    told = notices_of(lambda: by.NaiveBayes().fit({"sky": SKY}, ages))
    assert len(told) == 1
    assert "LeastSquares or KNeighborsRegressor" in told[0]
    names = [f"person {age}" for age in ages]
    assert notices_of(lambda: by.NaiveBayes().fit({"sky": SKY}, names)) == []


# columns that tell nothing --------------------------------------------------------------------

SILENT = {"same": ["x"] * N_ROWS, "none": [None] * N_ROWS, "coin": [1, 2] * (N_ROWS // 2)}


@pytest.mark.parametrize("Model", [by.NaiveBayes, by.TreeAugmentedNB, by.AveragedOneDependence])
def test_columns_that_tell_nothing_are_named_with_the_reason(Model):
    with pytest.warns(UserWarning, match="tell nothing about the class.*'coin': 'categorical'"):
        model = Model().fit({"sky": SKY, **SILENT}, WALK)
    assert model.uninformative_columns_ == {
        "same": "the same value in all rows",
        "none": "no value was observed",
        "coin": "no cut between its numbers tells the classes apart",
    }
    asked = {"sky": ["sun"], "same": ["y"], "none": [None], "coin": [2]}
    without = Model(columns=dict.fromkeys(SILENT, "ignore")).fit({"sky": SKY, **SILENT}, WALK)
    assert model.predict_proba(asked | {"same": ["x"]}) == pytest.approx(
        without.predict_proba(asked), rel=1e-12
    )


def test_columns_that_are_ignored_are_not_among_them():
    model = by.NaiveBayes(columns=dict.fromkeys(SILENT, "ignore"))
    assert model.fit({"sky": SKY, **SILENT}, WALK).uninformative_columns_ == {}


# choose_model ---------------------------------------------------------------------------------


def test_choose_model_leaves_identifiers_out_and_says_so():
    table = {"sky": SKY, "id": LOOKS["identifier"][0], "row": LOOKS["number of the row"][0]}
    with pytest.warns(UserWarning, match="look like identifiers: 'id', 'row'"):
        model = by.choose_model(table, WALK)
    assert model.columns == {"id": "ignore", "row": "ignore"}
    assert model.predict(table).tolist() == WALK  # the sky says it


def test_an_average_leaves_identifiers_out_unless_told_what_they_are():
    table = {"sky": SKY, "id": LOOKS["identifier"][0], "row": LOOKS["number of the row"][0]}
    with pytest.warns(UserWarning, match="identifiers: 'id', 'row'.*{'id': 'categorical'}"):
        model = by.AutoBayes("quick").fit(table, WALK)
    other = {"sky": SKY, "id": ["C-1"] * N_ROWS, "row": [1e6] * N_ROWS}
    assert (model.predict_proba(other) == model.predict_proba(table)).all()
    weights = model.explain({"sky": "sun", "id": "C-0", "row": 1}).weights
    assert weights["id"] == weights["row"] == 0
    told = by.AutoBayes("quick", columns={"row": "binned", "id": "ignore"}).fit(table, WALK)
    assert not (told.predict_proba(other) == told.predict_proba(table)).all()


def test_an_average_of_identifiers_alone_learns_them():
    assert notices_of(lambda: by.AutoBayes("quick").fit({"row": range(N_ROWS)}, WALK)) == []


def test_numbers_of_rows_are_told_from_other_whole_numbers():
    gaps = np.append(np.arange(5.0, 45.0), [np.nan, np.nan])
    numbers = {
        "count": [gaps, gaps[::-1], np.arange(-20.0, 20.0)],
        None: [gaps[:20], np.append(gaps, 44.0), gaps + 0.5, gaps * 2, np.full(40, 3.0)],
    }
    for look, columns in numbers.items():
        assert [look_of_cells(Numbers(values)) for values in columns] == [look] * len(columns)


def test_candidates_of_ones_own_learn_what_they_are_given():
    table = {"sky": SKY, "id": LOOKS["identifier"][0]}
    with pytest.warns(UserWarning, match="nearly as many values as rows"):
        model = by.choose_model(table, WALK, candidates=[by.NaiveBayes()])
    assert model.columns is None


# dates ----------------------------------------------------------------------------------------

MOMENTS = [dt.datetime(2024, 1, 5, 17, 30), None, dt.datetime(2023, 12, 31, 0, 0)]
TABLES = {
    "pandas": lambda: pd.DataFrame({"when": MOMENTS, "price": [3, 4, 5]}, index=[7, 8, 9]),
    "polars": lambda: pl.DataFrame({"when": MOMENTS, "price": [3, 4, 5]}),
    "pyarrow": lambda: pa.table({"when": MOMENTS, "price": [3, 4, 5]}),
    "dict": lambda: {"when": MOMENTS, "price": [3, 4, 5]},
    "strings": lambda: {"when": ["2024-01-05 17:30", "", "2023/12/31"], "price": [3, 4, 5]},
    "Chinese": lambda: {"when": ["2024年1月5日 17:30", None, "2023年12月31日"], "price": [3, 4, 5]},
}


@pytest.mark.parametrize("kind", TABLES)
def test_dates_become_year_month_weekday_and_hour(kind):
    given = TABLES[kind]()
    found = by.date_columns(given, "when")
    assert type(found) is type(given)
    columns = pl.from_pandas(found) if kind == "pandas" else found
    columns = (
        columns.to_pydict()
        if kind == "pyarrow"
        else dict(columns)
        if kind == "dict"
        else (columns if isinstance(columns, dict) else columns.to_dict(as_series=False))
    )
    assert {name: list(values) for name, values in columns.items()} == {
        "when_year": [2024, None, 2023],
        "when_month": [1, None, 12],
        "when_weekday": [5, None, 7],  # a Friday and a Sunday
        "when_hour": [17, None, 0],
        "price": [3, 4, 5],
    }


def test_dates_without_times_have_no_hour_and_rows_may_be_dicts():
    rows = [{"when": dt.date(2024, 2, 29), "price": 3}]
    assert by.date_columns(rows, "when") == [
        {"when_year": 2024, "when_month": 2, "when_weekday": 4, "price": 3}
    ]


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (([[1, 2]], "when"), "named columns"),
        (({"day": ["2024-01-05"]}, "when"), "no column 'when'. It has"),
        (({"when": ["soon"]}, "when"), "must hold dates, got 'soon' in row 0"),
        (({"when": ["2024-01-05"], "when_year": [1]}, "when"), "already has a column 'when_year'"),
    ],
)
def test_what_has_no_dates_is_refused(arguments, match):
    with pytest.raises((TypeError, ValueError), match=match):
        by.date_columns(*arguments)


def test_a_column_of_dates_is_refused_with_the_way_out(tmp_path):
    path = tmp_path / "days.csv"
    path.write_text("when,walk\n2024-01-05,in\n2024-01-06,out\n", encoding="utf-8")
    with pytest.raises(ValueError, match="date_columns"):
        by.NaiveBayes().fit(path, "walk")
    with pytest.raises(ValueError, match="date_columns"):
        by.NaiveBayes().fit({"when": [dt.date(2024, 1, 5)] * 4}, ["in", "out"] * 2)
