"""What NaiveBayes takes: tables of any library, dicts, rows, arrays and files, matched by name."""

import warnings

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from bayesic.data.tables import as_table
from helpers.examples import at_most

COLUMNS = {
    "sky": ["sun", "rain", None, "雨", "sun", "rain"],
    "wind": [1.5, 2.5, 3.0, None, 7.0, 8.5],
    "visits": [0, 1, 2, 3, 4, 9],
    "年龄": [30.0, 41.0, 25.0, 33.0, 60.0, 58.0],
}
LABELS = ["ham", "ham", "ham", "spam", "spam", "spam"]
CHINESE = {"年龄": "gaussian", "visits": "poisson"}


def model():
    return by.NaiveBayes(columns=CHINESE)


def expected():
    return model().fit(COLUMNS, LABELS).predict_proba(COLUMNS)


def csv_file(folder, columns=COLUMNS, labels=LABELS):
    path = folder / "mail's.csv"
    pd.DataFrame(columns | {"label": labels}).to_csv(path, index=False)
    return path


def parquet_file(folder):
    path = folder / "mail.parquet"
    pl.DataFrame(COLUMNS | {"label": LABELS}).write_parquet(path)
    return path


@pytest.mark.parametrize(
    "form",
    [
        pd.DataFrame,
        pl.DataFrame,
        pa.table,
        lambda columns: {name: np.array(cells, dtype=object) for name, cells in columns.items()},
        lambda columns: {name: pd.Series(cells) for name, cells in columns.items()},
        lambda columns: [
            dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
        ],
    ],
    ids=["pandas", "polars", "pyarrow", "dict of arrays", "dict of series", "list of dicts"],
)
def test_tables_of_any_library_give_the_same_answers(form):
    table = form(COLUMNS)
    ours = model().fit(table, LABELS)
    np.testing.assert_allclose(ours.predict_proba(table), expected(), rtol=1e-12)
    np.testing.assert_allclose(ours.predict_proba(COLUMNS), expected(), rtol=1e-12)
    assert ours.feature_names_in_.tolist() == list(COLUMNS)


def test_rows_and_arrays_give_the_same_answers_by_position():
    rows = list(zip(*COLUMNS.values(), strict=True))
    told = {"x3": "gaussian", "x2": "poisson"}
    for X in (rows, np.array(rows, dtype=object), [list(row) for row in rows]):
        ours = by.NaiveBayes(columns=told).fit(X, LABELS)
        np.testing.assert_allclose(ours.predict_proba(X), expected(), rtol=1e-12)
        assert not hasattr(ours, "feature_names_in_")
        assert ours.n_features_in_ == 4


@pytest.mark.parametrize("file", [csv_file, parquet_file], ids=["CSV", "Parquet"])
def test_files_give_the_same_answers(file, tmp_path):
    path = file(tmp_path)
    ours = model().fit(path, y="label")
    for given_path in (path, str(path)):
        np.testing.assert_allclose(ours.predict_proba(given_path), expected(), rtol=1e-12)
    in_memory = model().fit(COLUMNS, LABELS)
    left_out = in_memory.leave_one_out(COLUMNS, LABELS)
    np.testing.assert_allclose(ours.leave_one_out(path, "label"), left_out, rtol=1e-12)
    assert ours.predict(path).tolist() == in_memory.predict(COLUMNS).tolist()


def test_a_duckdb_relation_gives_the_same_answers(tmp_path):
    connection = duckdb.connect()
    relation = connection.read_parquet(str(parquet_file(tmp_path)))
    ours = model().fit(relation, y="label")
    np.testing.assert_allclose(ours.predict_proba(relation), expected(), rtol=1e-12)


def test_a_file_in_many_blocks_is_the_file_at_once(tmp_path, monkeypatch):
    path = csv_file(tmp_path)
    at_once = model().fit(path, y="label")
    monkeypatch.setattr("bayesic.data.source.MOST_ROWS_PER_BLOCK", 2)
    in_blocks = model().fit(path, y="label")
    np.testing.assert_allclose(in_blocks.predict_proba(path), expected(), rtol=1e-9)
    np.testing.assert_allclose(
        in_blocks.leave_one_out(path, "label"), at_once.leave_one_out(path, "label"), rtol=1e-9
    )
    assert in_blocks.forget(path, "label").class_count_.tolist() == [0, 0]


def test_labels_and_weights_beside_a_file(tmp_path, monkeypatch):
    monkeypatch.setattr("bayesic.data.source.MOST_ROWS_PER_BLOCK", 4)
    path = tmp_path / "mail.csv"
    pd.DataFrame(COLUMNS).to_csv(path, index=False)
    weights = [1.0, 2.0, 1.0, 0.5, 1.0, 3.0]
    ours = model().fit(path, LABELS, sample_weight=weights).predict_proba(path)
    beside = model().fit(COLUMNS, LABELS, sample_weight=weights).predict_proba(COLUMNS)
    np.testing.assert_allclose(ours, beside, rtol=1e-9)
    for y in (LABELS[:5], LABELS + ["ham"]):
        with pytest.raises(ValueError, match="6 rows"):
            model().fit(path, y)


@pytest.mark.parametrize("form", [csv_file, lambda _: pd.DataFrame(COLUMNS | {"label": LABELS})])
def test_columns_that_are_told_to_be_ignored_are_not_looked_at(form, tmp_path):
    source = form(tmp_path)
    ours = by.NaiveBayes(columns={"visits": "ignore", "年龄": "gaussian"}).fit(source, "label")
    without = {name: COLUMNS[name] for name in ("sky", "wind", "年龄")}
    plain = by.NaiveBayes(columns={"年龄": "gaussian"}).fit(without, LABELS)
    np.testing.assert_allclose(ours.predict_proba(source), plain.predict_proba(without), rtol=1e-12)
    assert ours.kinds_["visits"] == "ignore"
    assert ours.n_features_in_ == 4


def test_files_are_learned_and_predicted_block_by_block(tmp_path, monkeypatch):
    path = csv_file(tmp_path)
    ours = model().fit(path, y="label")
    taken = []

    def seen(X, *args):
        table = as_table(X, *args)
        taken.append(table.n_rows)
        return table

    monkeypatch.setattr("bayesic.models.readers.table_reader.as_table", seen)
    monkeypatch.setattr("bayesic.data.source.MOST_ROWS_PER_BLOCK", 2)
    one_each = [1.0] * 6  # weights beside a file: its rows must come
    for do in (
        lambda: ours.predict_proba(path),
        lambda: model().fit(path, "label", sample_weight=one_each),
    ):
        taken.clear()
        do()
        assert taken == [2, 2, 2]


# names ----------------------------------------------------------------------------------------


@at_most(20)
@given(order=st.permutations(list(COLUMNS)))
def test_columns_are_matched_by_name_in_any_order(order):
    ours = model().fit({name: COLUMNS[name] for name in order}, LABELS)
    reversed_columns = dict(reversed(list(COLUMNS.items())))
    np.testing.assert_allclose(ours.predict_proba(reversed_columns), expected(), rtol=1e-12)
    assert ours.feature_names_in_.tolist() == order


def test_a_missing_column_is_all_null_with_a_warning_that_points_here():
    ours = model().fit(COLUMNS, LABELS)
    less = {name: cells for name, cells in COLUMNS.items() if name != "wind"}
    with pytest.warns(UserWarning, match=r"no column\(s\) \['wind'\]") as caught:
        answers = ours.predict_proba(less)
    assert caught[0].filename == __file__
    nulls = ours.predict_proba(less | {"wind": [None] * 6})
    np.testing.assert_allclose(answers, nulls, rtol=1e-12)
    with pytest.warns(UserWarning, match="wind"):
        ours.partial_fit(less, LABELS)
    assert ours.statistics_.columns["wind"].n_observed.tolist() == [3, 2]


def test_an_unknown_column_is_refused_with_the_difference_of_the_names():
    ours = model().fit(COLUMNS, LABELS)
    renamed = {("Wind" if name == "wind" else name): cells for name, cells in COLUMNS.items()}
    with pytest.raises(ValueError, match=r"\['Wind'\].*\['wind'\].*drop or rename"):
        ours.predict(renamed)


def test_the_column_of_the_classes_may_still_be_there_when_asked():
    table = pd.DataFrame(COLUMNS | {"label": LABELS})
    ours = model().fit(table, "label")
    np.testing.assert_allclose(ours.predict_proba(table), expected(), rtol=1e-12)
    assert "label" not in ours.feature_names_in_
    assert ours.partial_fit(table, "label").class_count_.tolist() == [6, 6]


def test_names_on_one_side_only_are_taken_by_position_with_a_warning():
    rows = list(zip(*COLUMNS.values(), strict=True))
    named = model().fit(COLUMNS, LABELS)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        np.testing.assert_allclose(named.predict_proba(rows), expected(), rtol=1e-12)
    unnamed = by.NaiveBayes(columns={"x3": "gaussian", "x2": "poisson"}).fit(rows, LABELS)
    with pytest.warns(UserWarning, match="fitted without feature names"):
        np.testing.assert_allclose(unnamed.predict_proba(COLUMNS), expected(), rtol=1e-12)


# values ---------------------------------------------------------------------------------------


def test_a_category_is_its_text_whatever_library_it_comes_from():
    told = {"zip": "categorical"}
    whole = by.NaiveBayes(columns=told).fit({"zip": [1, 2, 1, 3]}, ["ham", "ham", "spam", "spam"])
    for cells in ([1.0, None], ["1", None], np.array([1, np.nan])):
        ours = whole.predict_proba({"zip": cells})
        np.testing.assert_allclose(ours[0], [0.5, 0.5], rtol=1e-12)
        np.testing.assert_allclose(ours[1], [0.5, 0.5], rtol=1e-12)


def test_a_table_without_a_single_known_category_makes_one_wonder():
    ours = by.NaiveBayes().fit({"sky": ["sun", "rain"]}, ["ham", "spam"])
    with pytest.warns(UserWarning, match="Column 'sky': none of its values was ever learned"):
        ours.predict({"sky": ["SUN"] * 30})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours.predict({"sky": ["SUN"] * 3})
        ours.predict({"sky": ["SUN"] * 30 + ["sun"]})


def test_columns_that_begin_with_gaps_are_learned_when_values_come():
    ours = by.NaiveBayes().fit({"sky": [None, None], "wind": [1.0, 2.0]}, ["ham", "spam"])
    assert ours.kinds_["sky"] == "ignore"
    ours.partial_fit({"sky": ["sun", "rain"], "wind": [None, None]}, ["ham", "spam"])
    at_once = by.NaiveBayes().fit(
        {"sky": [None, None, "sun", "rain"], "wind": [1.0, 2.0, None, None]}, ["ham", "spam"] * 2
    )
    probe = {"sky": ["sun"], "wind": [2.0]}
    np.testing.assert_allclose(ours.predict_proba(probe), at_once.predict_proba(probe), rtol=1e-12)
