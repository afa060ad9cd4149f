"""Networks from rows that are counted where they are are those of the same rows in memory."""

from unittest import mock

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import csv

from bayesic.networks._structure.coded_files import GrowingCodes
from bayesic.networks.network import BeliefNetwork
from bayesic.networks.structure_learning import learn_structure
from helpers.comparisons import assert_same, assert_unchanged, state_of
from helpers.engines import LOCAL, rows_stay
from helpers.examples import at_most

EDGES = [("sky", "wind"), ("sky", "play"), ("wind", "play")]
CELLS = {
    "sky": (st.sampled_from(["sun", "雨", "", "it's"]), pa.string()),
    "wind": (st.booleans(), pa.bool_()),
    "play": (st.sampled_from([2, 10, -1]), pa.int64()),
}


@st.composite
def tables(draw):
    n_rows = draw(st.integers(2, 12))
    lists = {
        name: pa.array(draw(st.lists(cells, min_size=n_rows, max_size=n_rows)), type_)
        for name, (cells, type_) in CELLS.items()
    }
    return pa.table(lists)


@pytest.mark.parametrize("engine", LOCAL)
@at_most(20)
@given(table=tables())
def test_families_are_counted_by_the_engine(engine, table, tmp_path_factory):
    source = LOCAL[engine](table, tmp_path_factory.mktemp("rows"))
    in_memory = BeliefNetwork(EDGES).fit(table, smoothing=1)
    with rows_stay():
        ours = BeliefNetwork(EDGES).fit(source, smoothing=1)
        assert ours == in_memory
        assert_same(ours.statistics_, in_memory.statistics_)
        assert ours.statistics_.table.dtype == np.int64
        assert_same(ours.partial_fit(source).forget(source).statistics_, in_memory.statistics_)


def days(n_rows=60):
    rain = [number % 3 == 0 for number in range(n_rows)]
    return pa.table(
        {
            "wet": [int(wet or number % 5 == 0) for number, wet in enumerate(rain)],
            "rain": ["yes" if wet else "no" for wet in rain],
            "coin": [["head", "tail"][number % 2] for number in range(n_rows)],
        }
    )


@pytest.mark.parametrize("engine", LOCAL)
@pytest.mark.parametrize("method", ["hill-climb", "chow-liu", "pc", "exact"])
def test_a_structure_is_learned_from_rows_or_from_equal_rows(engine, method, tmp_path):
    source, in_memory = LOCAL[engine](days(), tmp_path), learn_structure(days(), method)
    read = learn_structure(source, method)
    with rows_stay(), mock.patch("bayesic.data.engines.FIRST_ROWS", 50):
        counted = learn_structure(source, method)
    for ours in (read, counted):
        assert ours == in_memory
        assert ours.search_ == in_memory.search_


def test_a_structure_is_learned_from_a_csv_file_in_many_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr("bayesic.data.source.MOST_ROWS_PER_BLOCK", 7)
    monkeypatch.setattr("bayesic.networks._structure.coded_files.FIRST_ROOM", 4)
    csv.write_csv(days(), tmp_path / "days.csv")
    ours, theirs = learn_structure(tmp_path / "days.csv"), learn_structure(days())
    assert ours == theirs
    assert_same(ours.statistics_, theirs.statistics_)


@given(
    blocks=st.lists(st.lists(st.integers(-1, 300), max_size=9), max_size=9),
    room=st.sampled_from([0, 1, 8, 100]),
)
def test_codes_grow_block_by_block_and_as_wide_as_they_must(blocks, room):
    with mock.patch("bayesic.networks._structure.coded_files.FIRST_ROOM", room):
        growing = GrowingCodes()
    for block in blocks:
        narrow = np.int8 if max(block, default=0) < 128 else np.int16
        growing.append(np.array(block, narrow))
    expected = [code for block in blocks for code in block]
    assert growing.whole().tolist() == expected
    assert growing.whole().dtype == (np.int8 if max(expected, default=0) < 128 else np.int16)


# bad input ------------------------------------------------------------------------------------

BAD = {
    "a gap": ({"sky": ["sun", None], "wind": [True, False]}, "'sky' is null in 1.*row 1"),
    "no column": ({"sky": ["sun", "rain"]}, "missing 'wind'"),
    "no rows": ({"sky": [], "wind": []}, "no rows"),
}


@pytest.mark.parametrize("engine", LOCAL)
@pytest.mark.parametrize("what", BAD)
def test_bad_rows_are_refused_and_change_nothing(engine, what, tmp_path, monkeypatch):
    monkeypatch.setattr("bayesic.data.engines.FIRST_ROWS", 1)
    columns, message = BAD[what]
    types = {"sky": pa.string(), "wind": pa.bool_()}
    table = pa.table({name: pa.array(cells, types[name]) for name, cells in columns.items()})
    net = BeliefNetwork([("sky", "wind")]).fit({"sky": ["sun", "rain"], "wind": [True, False]})
    before = state_of(net)
    with pytest.raises(ValueError, match=message):
        net.partial_fit(LOCAL[engine](table, tmp_path))
    assert_unchanged(net, before)


@pytest.mark.parametrize("engine", LOCAL)
@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"rain": ["yes"] * 40 + [None]}, "null in column 'rain', row 40"),
        ({"size": [1.5, 2.0] * 20}, "got 1.5 in column 'size'. Cut it into a few states"),
        ({"size": list(range(40))}, "got 40 different ones in column 'size'"),
    ],
)
def test_columns_without_states_are_refused(engine, columns, message, tmp_path, monkeypatch):
    source = LOCAL[engine](pa.table(columns), tmp_path)
    with pytest.raises(ValueError, match=message):
        learn_structure(source)
    monkeypatch.setattr("bayesic.data.engines.FIRST_ROWS", 4)
    with pytest.raises(ValueError, match=message):
        learn_structure(source)


def test_a_table_too_large_to_be_coded_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("bayesic.networks._structure.coded_files.MOST_CELLS", 100)
    with pytest.raises(ValueError, match="at most 100 cells.*sample"):
        learn_structure(LOCAL["parquet"](days(), tmp_path))
