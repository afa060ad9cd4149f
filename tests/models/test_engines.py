"""Rows that are counted where they are give the statistics of the same rows in memory."""

import warnings
from fractions import Fraction
from unittest import mock

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import csv

import bayesic as by
from bayesic.data.duckdb_tables import DuckTable
from bayesic.data.engines import Groups
from bayesic.data.lazy_frames import FrameTable
from helpers.comparisons import assert_same, assert_unchanged, state_of
from helpers.engines import LOCAL, rows_stay

SOURCES = "bayesic.data.engines"
NAMES = ['sk"y', "风", " ", "select", "Sky", "c0", "n", "target"]
WORDS = st.sampled_from([None, "", "rain", "雨", "O'Hara", 'a "hot" day', "NULL", "nan", "1"])
FLOATS = st.sampled_from([None, float("nan"), 0.0, -0.0, 1.0, 2.5, -1e8, 1e8 + 1, 5e-324, 1e-300])
WHOLE = st.sampled_from([None, 0, 1, -3, 2**53])
CELLS = [
    (WORDS, pa.string()),
    (FLOATS, pa.float64()),
    (FLOATS, pa.float32()),
    (WHOLE, pa.int64()),
    (st.sampled_from([None, True, False]), pa.bool_()),
]
LABELS = [
    (st.sampled_from(["spam", "垃圾", "", "it's"]), pa.string()),
    (st.sampled_from([0, 7, -1]), pa.int64()),
    (st.sampled_from([0.0, 7.0]), pa.float64()),
    (st.booleans(), pa.bool_()),
]


@st.composite
def tables(draw):
    """Some columns with odd names, and classes in the column "mail"."""
    n_rows = draw(st.integers(2, 12))
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    columns = {}
    for name in [*names, "mail"]:
        cells, type_ = draw(st.sampled_from(LABELS if name == "mail" else CELLS))
        values = draw(st.lists(cells, min_size=n_rows, max_size=n_rows))
        columns[name] = pa.array(values, type_)
    return pa.table(columns)


def learned(model, X):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y="mail")


@pytest.mark.parametrize("engine", LOCAL)
@pytest.mark.parametrize(
    "model", [by.NaiveBayes(), by.NaiveBayes(numeric="categorical"), by.JointBayes()]
)
@given(table=tables(), together=st.booleans())
def test_the_statistics_are_those_of_the_table_in_memory(
    engine, model, table, together, tmp_path_factory
):
    in_memory = learned(model, table)
    statistics, classes = in_memory.statistics_, in_memory.classes_
    with rows_stay(), mock.patch(f"{SOURCES}.MOST_TOGETHER", 2**14 if together else 0):
        ours = learned(model, LOCAL[engine](table, tmp_path_factory.mktemp("rows")))
    assert_same(ours.statistics_, statistics)
    assert ours.statistics_.class_count.dtype == statistics.class_count.dtype
    assert ours.classes_.dtype == classes.dtype
    assert ours.classes_.tolist() == classes.tolist()


WORDS_OF_ENGINES = {
    "polars Categorical": lambda rows: pl.DataFrame(rows).lazy().cast(pl.Categorical),
    "polars Enum": lambda rows: (
        pl.DataFrame(rows).lazy().cast(pl.Enum(["rain", "雨", "spam", "ham"]))
    ),
    "DuckDB ENUM": lambda rows: (
        duckdb.connect()
        .from_arrow(pa.table(rows))
        .project("sky::ENUM('rain', '雨') AS sky, mail::ENUM('spam', 'ham') AS mail")
    ),
}


@pytest.mark.parametrize("first_rows", [1, 2**14], ids=["counted", "read"])
@pytest.mark.parametrize("engine", WORDS_OF_ENGINES)
def test_categories_of_an_engine_are_words(engine, first_rows):
    rows = {"sky": ["rain", "雨", None, "rain"] * 5, "mail": ["spam", "spam", "ham", "ham"] * 5}
    with mock.patch(f"{SOURCES}.FIRST_ROWS", first_rows):
        ours = by.NaiveBayes().fit(WORDS_OF_ENGINES[engine](rows), y="mail")
    assert ours.classes_.tolist() == ["ham", "spam"]
    assert ours.statistics_.columns["sky"].levels == ("rain", "雨")
    assert ours.statistics_.columns["sky"].table.tolist() == [[5, 5], [0, 5]]


# numbers of many values -----------------------------------------------------------------------


@pytest.mark.parametrize("engine", LOCAL)
@pytest.mark.parametrize("most_groups", [2**18, 20])
@given(
    values=st.lists(
        st.floats(1, 4, exclude_max=True) | st.floats(-4, -1, exclude_min=True) | st.just(None),
        min_size=20,
        max_size=60,
    )
)
def test_numbers_are_grouped_by_as_many_bits_as_are_kept(
    engine, most_groups, values, tmp_path_factory
):
    table = pa.table({"wind": values, "mail": (["ham", "spam", "spam"] * 20)[: len(values)]})
    with mock.patch("bayesic.statistics.value_tables.MOST_VALUES", 8):
        in_memory = learned(by.NaiveBayes(), table)
        with rows_stay(), mock.patch(f"{SOURCES}.MOST_GROUPS", most_groups):
            ours = learned(by.NaiveBayes(), LOCAL[engine](table, tmp_path_factory.mktemp("rows")))
        assert_same(ours.statistics_, in_memory.statistics_, tolerance=1e-9, scale=4)


@pytest.mark.parametrize("engine", LOCAL)
def test_a_mean_of_1e8_and_a_spread_of_1_come_out_right(engine, tmp_path):
    rng = np.random.default_rng(7)
    near, far = 1e8 + rng.standard_normal(30_000), -1e8 + rng.standard_normal(30_000)
    table = pa.table({"wind": [*near, *far], "mail": ["ham"] * 30_000 + ["spam"] * 30_000})
    with rows_stay() as streamed:
        ours = learned(by.NaiveBayes(numeric="gaussian"), LOCAL[engine](table, tmp_path))
    assert streamed == []
    moments = ours.statistics_.columns["wind"].moments
    for number, values in enumerate((near, far)):
        exact = [Fraction(value) for value in values]
        mean = sum(exact) / len(exact)
        scatter = sum((value - mean) ** 2 for value in exact)
        assert moments.mean[number, 0] == pytest.approx(float(mean), rel=1e-15)
        assert moments.scatter[number, 0] == pytest.approx(float(scatter), rel=1e-9)


# columns of few values ------------------------------------------------------------------------


def asked_of(engine, monkeypatch):
    """The lists of columns that an engine is asked for, as they come."""
    Table = FrameTable if engine == "polars" else DuckTable
    groups, asked = Table.groups, []

    def noted(table, families, most):
        asked.extend(map(tuple, families))
        return groups(table, families, most)

    monkeypatch.setattr(Table, "groups", noted)
    return asked


@pytest.mark.parametrize("engine", LOCAL)
def test_columns_of_few_values_are_asked_for_together(engine, tmp_path, monkeypatch):
    asked = asked_of(engine, monkeypatch)
    source = LOCAL[engine](days(), tmp_path)
    monkeypatch.setattr(f"{SOURCES}.MOST_TOGETHER", 100)
    with rows_stay(), mock.patch(f"{SOURCES}.FIRST_ROWS", 60):
        ours = learned(by.NaiveBayes(numeric="categorical"), source)
    # 2 classes; 60 codes, 11 winds, 7 texts, rain, sun and a gap
    assert {*map(frozenset, asked)} == {
        frozenset({"mail", "code"}),
        frozenset({"mail", "wind", "sky"}),
        frozenset({"mail", "text"}),
    }
    in_memory = learned(by.NaiveBayes(numeric="categorical"), days())
    assert_same(ours.statistics_, in_memory.statistics_)


@pytest.mark.parametrize("engine", LOCAL)
def test_columns_of_more_values_than_the_first_rows_promised_are_asked_for_one_by_one(
    engine, tmp_path, monkeypatch
):
    asked = asked_of(engine, monkeypatch)
    source = LOCAL[engine](days(), tmp_path)
    with rows_stay() as streamed, mock.patch(f"{SOURCES}.MOST_GROUPS", 40):
        ours = learned(by.NaiveBayes(), source)
    together, *apart = asked
    assert {*together} == {"mail", "text", "sky", "wind", "code"}
    assert {*apart} == {("mail", name) for name in ("text", "sky", "wind", "code")}
    assert streamed == [["mail", "code"]]
    assert_same(ours.statistics_, learned(by.NaiveBayes(), days()).statistics_)


# what needs rows ------------------------------------------------------------------------------


def days(n_rows=60):
    return pa.table(
        {
            "text": [f"free lunch {number % 7}" for number in range(n_rows)],
            "sky": ["rain", "sun", None] * (n_rows // 3),
            "wind": [float(number % 11) for number in range(n_rows)],
            "code": [f"C{number}" for number in range(n_rows)],
            "mail": ["ham", "spam"] * (n_rows // 2),
        }
    )


@pytest.mark.parametrize("engine", LOCAL)
def test_only_texts_and_columns_of_very_many_values_are_streamed(engine, tmp_path):
    def model():
        return by.NaiveBayes(columns={"text": "text"})

    source = LOCAL[engine](days(), tmp_path)
    with rows_stay() as streamed, mock.patch(f"{SOURCES}.MOST_GROUPS", 40):
        ours = learned(model(), source)
    assert streamed == [["mail", "text", "code"]]
    assert_same(ours.statistics_, learned(model(), days()).statistics_)


@pytest.mark.parametrize("engine", LOCAL)
def test_texts_are_learned_asked_judged_and_forgotten(engine, tmp_path):
    source, texts = LOCAL[engine](days(), tmp_path), days()["text"].to_pylist()
    ours = by.TextClassifier().fit(source, y="mail", text="text")
    in_memory = by.TextClassifier().fit(texts, days()["mail"].to_pylist())
    assert_same(ours.statistics_, in_memory.statistics_)
    assert (ours.text_column_, ours.target_name_) == ("text", "mail")
    assert ours.predict(source).tolist() == in_memory.predict(texts).tolist()
    judged = by.evaluate(ours, source).to_dict()
    assert judged == by.evaluate(in_memory, texts, days()["mail"].to_pylist()).to_dict()
    assert_same(ours.partial_fit(source).forget(source).statistics_, in_memory.statistics_)


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"y": "mail"}, r"Say with text= which column of The \w+ .* holds the texts"),
        ({"y": "mail", "text": "body"}, r"^The \w+ .* has no column 'body'\. The columns are"),
        ({"y": ["ham"] * 60, "text": "text"}, r"labels of The \w+ "),
    ],
)
def test_texts_that_cannot_be_found_are_told(engine, told, message, tmp_path):
    ours = by.TextClassifier().fit(["free lunch"], ["ham"])
    before = state_of(ours)
    with pytest.raises(ValueError, match=message) as raised:
        ours.partial_fit(LOCAL[engine](days(), tmp_path), **told)
    assert "free lunch" not in str(raised.value)  # a relation would print its rows
    assert_unchanged(ours, before)


def test_a_csv_file_is_read_in_blocks(tmp_path, monkeypatch):
    csv.write_csv(days(), tmp_path / "days.csv")
    monkeypatch.setattr("bayesic.data.source.MOST_ROWS_PER_BLOCK", 25)
    ours = learned(by.NaiveBayes(), tmp_path / "days.csv")
    assert_same(ours.statistics_, learned(by.NaiveBayes(), days()).statistics_)


# verbs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", LOCAL)
@pytest.mark.parametrize("Model", [by.NaiveBayes, by.JointBayes])
def test_rows_are_learned_on_forgotten_and_left_out(engine, Model, tmp_path):
    source = LOCAL[engine](days(), tmp_path)
    ours = learned(Model(), days())
    before, left_out = ours.statistics_, ours.leave_one_out(days(), "mail")
    with mock.patch(f"{SOURCES}.FIRST_ROWS", 1):
        np.testing.assert_allclose(ours.leave_one_out(source, "mail"), left_out, rtol=1e-12)
    with rows_stay():
        ours.partial_fit(source, "mail")
        assert ours.class_count_.tolist() == [60, 60]
        assert_same(ours.forget(source, "mail").statistics_, before)


def test_new_classes_and_values_may_come(tmp_path):
    table = pa.table({"sky": ["sun", "hail"], "mail": ["eggs", "ham"]})
    ours = learned(by.NaiveBayes(), pa.table({"sky": ["rain"], "mail": ["ham"]}))
    with rows_stay():
        ours.partial_fit(LOCAL["parquet"](table, tmp_path), "mail")
    assert ours.classes_.tolist() == ["eggs", "ham"]
    assert ours.statistics_.columns["sky"].table.tolist() == [[0, 1], [0, 1], [1, 0]]


# bad input ------------------------------------------------------------------------------------

INFINITE = [1.0] * 40 + [float("inf")]
BAD = {
    "infinite": ({"wind": INFINITE, "mail": ["ham"] * 41}, "got inf in column 'wind', row 40"),
    "floats": ({"wind": [1.0, 2.0], "mail": [0.5, 1.5]}, "Unknown label type: continuous"),
    "no class": ({"wind": [1.0, 2.0], "mail": ["ham", None]}, "NaN or None, first in row 1"),
    "other kind": ({"wind": ["low", "high"], "mail": ["ham", "ham"]}, "'wind', row 0.*'low'"),
    "huge": ({"wind": [1e200, -1e200], "mail": ["ham", "ham"]}, "their squares overflow"),
    "empty": ({"wind": [], "mail": []}, "no rows"),
    "new column": ({"Wind": [1.0], "mail": ["ham"]}, "unseen at fit time.*'Wind'"),
    "no target": ({"wind": [1.0]}, "'mail'"),
}


@pytest.mark.parametrize("engine", LOCAL)
@pytest.mark.parametrize("verb", ["partial_fit", "forget", "leave_one_out"])
@pytest.mark.parametrize("what", BAD)
def test_bad_rows_are_refused_and_change_nothing(engine, verb, what, tmp_path):
    columns, message = BAD[what]
    types = {"wind": pa.float64(), "mail": pa.string()} if what == "empty" else None
    table = pa.table(columns, schema=None if types is None else pa.schema(types.items()))
    ours = by.NaiveBayes().fit({"wind": [1.0, 2.0]}, ["ham", "spam"])
    before, source = state_of(ours), LOCAL[engine](table, tmp_path)
    with (
        mock.patch(f"{SOURCES}.FIRST_ROWS", 1),
        pytest.raises(ValueError, match=message),
    ):
        getattr(ours, verb)(source, "mail")
    assert_unchanged(ours, before)


def closed():
    connection = duckdb.connect()
    relation = connection.sql("SELECT 1.0 AS wind, 'ham' AS mail")
    connection.close()
    return relation


def dropped():
    connection = duckdb.connect()
    connection.execute("CREATE TABLE days AS SELECT 1.0 AS wind, 'ham' AS mail")
    relation = connection.table("days")
    connection.execute("DROP TABLE days")
    return relation


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (closed, r"The DuckDB relation cannot be read: .*closed"),
        (dropped, r"The DuckDB relation cannot be read: .*days"),
        (lambda: pl.scan_parquet("nowhere.parquet"), r"The LazyFrame of polars cannot be read: "),
    ],
    ids=["closed", "dropped", "no file"],
)
@pytest.mark.parametrize("Model", [by.NaiveBayes, by.GaussianNB])
def test_a_table_that_is_gone_is_told_and_changes_nothing(Model, make, message):
    ours = Model().fit({"wind": [1.0, 2.0]}, ["ham", "spam"])
    before, source = state_of(ours), make()
    with pytest.raises(ValueError, match=message):
        ours.partial_fit(source, "mail")
    assert_unchanged(ours, before)


def test_a_table_that_changes_while_it_is_counted_is_read_instead(tmp_path, monkeypatch):
    source = LOCAL["parquet"](days(), tmp_path)
    groups = DuckTable.groups

    def changing(table, families, most):
        for number, found in enumerate(groups(table, families, most)):
            yield Groups(found.table, found.times + (number == 1))

    monkeypatch.setattr(DuckTable, "groups", changing)
    monkeypatch.setattr(f"{SOURCES}.FIRST_ROWS", 1)
    monkeypatch.setattr(f"{SOURCES}.MOST_TOGETHER", 0)
    ours = learned(by.NaiveBayes(), source)
    assert_same(ours.statistics_, learned(by.NaiveBayes(), days()).statistics_)
