"""Files are read in blocks, in order, as written; what cannot be read is told in one line."""

import csv
import gzip
import os
import random
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from bayesic import NaiveBayes
from bayesic.data import duckdb_files
from bayesic.data.columns import Categories, Nothing, Numbers, Texts
from bayesic.data.labels import take_column
from bayesic.data.source import Stored, opened, opened_file
from bayesic.data.tables import as_table
from helpers.cells import seen


def file_blocks(source, *how, **more):
    """The rows of a file as they come."""
    return (block.X for block in opened_file(source).blocks(*how, **more))


def file_columns(source):
    return opened_file(source).kinds


@pytest.fixture(params=["with pyarrow", "without pyarrow"])
def either_way(request, monkeypatch):
    if request.param == "without pyarrow":
        monkeypatch.setattr(duckdb_files, "has_pyarrow", lambda: False)


@pytest.fixture
def write(tmp_path):
    def write(text, name="mail.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def read(source, stored=None, rows_per_block=None):
    """All blocks of a file as one dict of columns, each as (kind, cells)."""
    stored = stored or {}
    blocks = list(file_blocks(source, stored, rows_per_block))
    tables = [as_table(block, stored) for block in blocks]
    assert len(tables) == 1
    return {name: seen(cells) for name, cells in tables[0].columns.items()}


# what a file is -------------------------------------------------------------------------------


def test_paths_and_relations_are_files_and_tables_are_not(tmp_path):
    for source in ("mail.csv", tmp_path / "mail.csv", duckdb.sql("SELECT 1 AS free")):
        assert isinstance(opened(source), Stored)
    for table in ([[1]], {"free": [1]}, np.zeros((1, 1)), pd.DataFrame(), pl.DataFrame(), None):
        assert not isinstance(opened(table), Stored)


# CSV ------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("either_way")
def test_a_csv_file_gives_numbers_and_words_as_written(write):
    path = write(
        'free,天气,wet,code,nobody\n1,雨,true,007,\n,"晴, ""hot""",false,010,""\n2.5,,TRUE,,\n'
    )
    assert read(path) == {
        "free": (Numbers, [1, None, 2.5]),
        "天气": (Categories, ["雨", '晴, "hot"', None]),
        "wet": (Categories, ["true", "false", "TRUE"]),
        "code": (Categories, ["007", "010", None]),
        "nobody": (Nothing, [None, None, None]),
    }


@pytest.mark.usefixtures("either_way")
def test_what_is_told_decides_how_a_column_is_read(write):
    path = write("zip,day,note,id,share\n01,2024-01-05,1,x,1\n1.0,2024-1-6,free,y,0\n")
    stored = {"zip": "category", "day": "category", "note": "text", "id": "ignore"}
    assert read(path, stored | {"share": "number"}) == {
        "zip": (Categories, ["01", "1.0"]),
        "day": (Categories, ["2024-01-05", "2024-1-6"]),
        "note": (Texts, ["1", "free"]),
        "share": (Numbers, [1, 0]),
    }


def test_ignored_columns_are_not_even_read(write):
    path = write("id,free\n" + "1,2\n" * 30_000 + "no number,3\n")
    (block, *_) = file_blocks(path, {"id": "ignore"})
    assert block.column_names == ["free"]
    assert sum(len(block) for block in file_blocks(path, {"id": "ignore"})) == 30_001


def test_when_every_column_is_ignored_the_rows_are_still_counted(write):
    (block,) = file_blocks(write("id\n1\n2\n"), {"id": "ignore"})
    assert as_table(block, {"id": "ignore"}).shape == (2, 0)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mail.csv", "free,sky\n1,rain\n"),
        ("mail.csv", "free;sky\n1;rain\n"),
        ("mail.csv", "free|sky\n1|rain\n"),
        ("mail.txt", "free\tsky\n1\train\n"),
        ("mail.tsv", "free\tsky\n1\train\n"),
        ("MAIL.CSV", "free,sky\n1,rain\n"),
        ("mail.csv", "\ufefffree,sky\n1,rain\n"),
        ("mail.csv", "free,sky\r\n1,rain\r\n"),
        ("mail.csv", "free,sky\n1,rain"),
        ("mail.csv", '"free","sky"\n"1","rain"\n'),
        ("mail.csv", "free, sky \n1,rain\n"),
        ("Bayes' mail (1) 雨.csv", "free,sky\n1,rain\n"),
        ("mail.csv.gz", gzip.compress(b"free,sky\n1,rain\n", mtime=0)),
        ("mail.tsv.gz", gzip.compress(b"free\tsky\n1\train\n", mtime=0)),
    ],
)
def test_delimiters_names_and_line_ends_of_every_kind(write, name, text):
    assert read(write(text, name)) == {"free": (Numbers, [1]), "sky": (Categories, ["rain"])}


def test_the_tab_separates_the_columns_of_a_tsv_file_whatever_else_is_there(write):
    path = write("free,now,win\tsky\n1,2,3\train\n", "mail.tsv")
    assert list(file_columns(path)) == ["free,now,win", "sky"]


def test_a_name_with_stars_and_brackets_is_no_pattern(write):
    write("other\n1\n", "mail1.csv")
    assert list(file_columns(write("free\n1\n", "mail[1].csv"))) == ["free"]
    assert list(file_columns(write("free\n1\n", "mail*.csv"))) == ["free"]


def test_names_that_differ_in_case_only_are_two_columns(write):
    assert list(read(write("Rain,rain\n1,wet\n"))) == ["Rain", "rain"]


def test_a_column_without_a_name_gets_one(write):
    assert list(read(write(",free\n0,1\n"))) == ["column0", "free"]


def test_the_kinds_of_the_columns_can_be_asked_for(write):
    path = write("free,sky,wet,day,at\n1,rain,true,2024-01-05,2024-01-05 10:00:00\n")
    kinds = ["number", "category", "category", "date", "date"]
    assert list(file_columns(path).values()) == kinds


def test_whole_numbers_stay_whole_numbers_as_labels(write):
    path = write("free,mail,share\n1,0,0.5\n2,1,1.5\n")
    (block,) = file_blocks(path, {"mail": "label", "share": "label"})
    rest, labels = take_column(block, "mail")
    assert (labels.dtype.kind, labels.tolist()) == ("i", [0, 1])
    assert take_column(rest, "share")[1].tolist() == [0.5, 1.5]
    (block,) = file_blocks(write("mail,day\ntrue,2024-01-05\n"), {"mail": "label", "day": "label"})
    assert take_column(block, "mail")[1].tolist() == ["true"]
    assert take_column(block, "day")[1].tolist() == ["2024-01-05"]


# blocks ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_blocks_have_the_rows_of_the_file_in_order(tmp_path, ending):
    n_rows = 150_000
    numbers = pd.DataFrame({"row": np.arange(n_rows), "word": [f"w{n % 7}" for n in range(n_rows)]})
    path = tmp_path / f"rows{ending}"
    numbers.to_csv(path, index=False) if ending == ".csv" else numbers.to_parquet(path)
    blocks = [as_table(block) for block in file_blocks(path, rows_per_block=10_000)]
    assert len(blocks) > 10
    rows = np.concatenate([block.columns["row"].values for block in blocks])
    np.testing.assert_array_equal(rows, np.arange(n_rows))
    words = [word for block in blocks for word in seen(block.columns["word"])[1]]
    assert words == numbers["word"].tolist()


@pytest.mark.usefixtures("either_way")
def test_a_file_without_rows_has_no_blocks(write, tmp_path):
    assert list(file_blocks(write("free,sky\n"))) == []
    parquet.write_table(pa.table({"free": pa.array([], pa.int64())}), tmp_path / "empty.parquet")
    assert list(file_blocks(tmp_path / "empty.parquet")) == []


# Parquet and relations ------------------------------------------------------------------------


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("within", ["\n", "\r\n"])
def test_names_and_cells_may_have_several_lines(write, end, within):
    cell = f"hot{within}and dry"
    text = end.join(["free,warmth", "1,20", f'2,"{cell}"', "3,5", ""])
    path = write(text.replace("warmth", f'"warm{within}th"', 1))
    expected = {"free": (Numbers, [1, 2, 3]), f"warm{within}th": (Categories, ["20", cell, "5"])}
    assert read(path) == expected


@pytest.mark.usefixtures("either_way")
def test_a_parquet_file_keeps_its_types(tmp_path):
    path = tmp_path / "Bayes' rain.parquet"
    columns = {"free": [1, None], 'sk"y': ["rain", None], "wet": [True, None]}
    parquet.write_table(pa.table(columns), path)
    assert read(path) == {
        "free": (Numbers, [1, None]),
        'sk"y': (Categories, ["rain", None]),
        "wet": (Categories, ["True", None]),
    }
    assert read(path, {"free": "category", "wet": "ignore"})["free"] == (Categories, ["1", None])
    assert file_columns(path) == {"free": "number", 'sk"y': "category", "wet": "boolean"}


def test_dates_of_a_parquet_file_are_refused_or_taken_as_told(tmp_path):
    path = tmp_path / "days.parquet"
    duckdb.sql("SELECT DATE '2024-01-05' AS day").write_parquet(str(path))
    with pytest.raises(ValueError, match="'day' holds dates"):
        read(path)
    assert read(path, {"day": "category"}) == {"day": (Categories, ["2024-01-05"])}


def test_a_relation_is_read_as_often_as_asked():
    relation = duckdb.sql("SELECT 1 AS free, 'rain' AS sky, 3::DECIMAL(5, 1) AS wind")
    for _ in range(2):
        assert read(relation, {"sky": "ignore"}) == {"free": (Numbers, [1]), "wind": (Numbers, [3])}
    assert file_columns(relation) == {"free": "number", "sky": "category", "wind": "number"}


def test_a_relation_without_pyarrow_is_refused_with_the_way_out(monkeypatch):
    monkeypatch.setattr(duckdb_files, "has_pyarrow", lambda: False)
    with pytest.raises(ValueError, match="needs pyarrow.*pip install pyarrow.*Parquet"):
        file_blocks(duckdb.sql("SELECT 1 AS free"))


def test_a_relation_that_fails_is_told_in_one_line():
    relation = duckdb.sql(
        "SELECT (CASE WHEN n > 5 THEN 'x' ELSE '1' END)::INT AS n FROM range(9) t(n)"
    )
    with pytest.raises(ValueError, match=r"relation cannot be read: .*'x'") as told:
        list(file_blocks(relation))
    assert "\n" not in str(told.value)


# one column of a table ------------------------------------------------------------------------


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_a_column_is_taken_out_of_a_table(make):
    table = make({"free": [1, 2], "邮件": ["ham", "spam"]})
    rest, labels = take_column(table, "邮件")
    assert labels.tolist() == ["ham", "spam"]
    assert seen(as_table(rest).columns["free"]) == (Numbers, [1, 2])
    assert list(as_table(rest).columns) == ["free"]
    assert list(as_table(table).columns) == ["free", "邮件"]


def test_a_column_with_a_number_for_a_name_is_taken_by_its_text():
    rest, labels = take_column(pd.DataFrame({3: [1, 2], 0: [5, 6]}), "0")
    assert labels.tolist() == [5, 6]
    assert list(rest.columns) == [3]


def test_a_column_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(ValueError, match=r"no column 'spam'.*\['free', 'mail'\]"):
        take_column({"free": [1], "mail": ["ham"]}, "spam")


@pytest.mark.parametrize("X", [[[1, 2]], np.zeros((1, 2)), ((1, 2),)])
def test_a_table_without_names_has_no_column_to_take(X):
    with pytest.raises(ValueError, match="which has no names.*dict of columns"):
        take_column(X, "mail")


# what is refused ------------------------------------------------------------------------------


def refused(source, stored=None, rows_per_block=None):
    """The sentence with which reading this file fails: one line."""
    with pytest.raises(ValueError) as told:
        list(file_blocks(source, stored or {}, rows_per_block))
    assert "\n" not in str(told.value)
    assert told.value.__cause__ is None or "CSV Error" not in str(told.value.__cause__)
    return str(told.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no file '.*mail\.csv'.*folder"):
        file_blocks(tmp_path / "mail.csv")


def test_folders_and_other_endings_are_refused(tmp_path, write):
    (tmp_path / "folder.csv").mkdir()
    assert "is a folder" in refused(tmp_path / "folder.csv")
    assert "must end in .csv" in refused(write("free\n1\n", "mail.xlsx"))
    assert "must end in .csv" in refused(write("free\n1\n", "mail"))


@pytest.mark.parametrize("text", ["", "\n\n", "  ", "\ufeff"])
def test_an_empty_file_is_refused(write, text):
    assert "is empty" in refused(write(text))


def test_a_blank_first_line_is_refused(write):
    assert "must start with a line of column names" in refused(write("\nfree,sky\n1,rain\n"))


def test_one_name_for_two_columns_is_refused(write):
    assert "different names, got ['free']" in refused(write("free,sky,free\n1,2,3\n"))


@pytest.mark.usefixtures("either_way")
def test_a_word_among_numbers_is_refused_with_line_column_and_value(write):
    path = write("行,free\n" + "1,2\n" * 30_000 + "3,?\n")
    sentence = refused(path)
    assert "line 30002: column 'free' must hold numbers, got '?'" in sentence
    assert "columns={'free': 'categorical'}" in sentence
    early = write("free\nmany\n")
    assert "line 2: column 'free' must hold numbers, got 'many'" in refused(
        early, {"free": "number"}
    )


@pytest.mark.parametrize("n_good", [2, 30_000])
@pytest.mark.parametrize(("row", "found"), [("1,2,3", 3), ("1", 1)])
def test_a_row_of_another_length_is_refused_with_its_line(write, n_good, row, found):
    path = write("free,sky\n" + "1,rain\n" * n_good + f"{row}\n1,rain\n")
    assert f"line {n_good + 2}: a row must have 2 values" in refused(path)
    assert f"got {found}." in refused(path)


@pytest.mark.parametrize("ends", [("\r\n", "\n"), ("\n", "\r\n"), ("\n", "\r")])
def test_lines_that_end_in_several_ways_are_refused_in_these_words(tmp_path, ends):
    lines = ["free,sky", *["1,rain", "2,sun"] * 10]
    text = "".join(line + ends[at % 2] for at, line in enumerate(lines))
    (tmp_path / "days.csv").write_bytes(text.encode())
    told = refused(tmp_path / "days.csv")
    assert "lines must all end in the same way" in told
    assert "state machine" not in told


def test_a_quote_that_is_not_closed_is_refused_with_its_line(write):
    assert "line 3: a double quote" in refused(write('free,sky\n1,rain\n2,"sun\n3,rain\n'))


def test_text_that_is_not_utf_8_is_refused(write):
    assert "UTF-8" in refused(write("free,sky\n1,café\n".encode("latin-1")))
    assert "UTF-8" in refused(write("free,sky\n1,rain\n".encode("utf-16")))
    late = b"free,sky\n" + b"1,rain\n" * 300_000 + "2,café\n".encode("latin-1")
    assert "UTF-8" in refused(write(late))


def test_a_row_too_long_is_refused(write):
    assert "at most 2 MB" in refused(write("free,sky\n1," + "rain" * 600_000 + "\n"))


def test_untold_dates_are_refused_with_the_way_out(write):
    path = write("day,free\n2024-01-05,1\n")
    assert "columns={'day': 'categorical'}" in refused(path)


def test_infinity_is_refused_by_row_of_the_file(write):
    path = write("free\n1\n2\ninf\n")
    blocks = file_blocks(path)
    with pytest.raises(ValueError, match="got inf in column 'free', row 102"):
        as_table(next(blocks), first_row=100)


def test_broken_files_are_refused(write):
    assert "must be a gzip file" in refused(write("free\n1\n", "mail.csv.gz"))
    packed = gzip.compress(b"free\n" + b"1\n" * 5000)
    assert "must be a gzip file" in refused(write(packed[:20], "mail.csv.gz"))
    assert "cannot be read as a Parquet file" in refused(write("free\n1\n", "mail.parquet"))


@given(st.binary(max_size=300), st.sampled_from([".csv", ".tsv", ".csv.gz", ".parquet"]))
def test_any_bytes_are_read_or_refused_in_one_line(tmp_path_factory, content, ending):
    path = tmp_path_factory.mktemp("bytes") / f"any{ending}"
    path.write_bytes(content)
    try:
        for block in file_blocks(path):
            as_table(block)
    except ValueError as error:
        assert "\n" not in str(error)


@given(st.text(alphabet='a1,;\n\r"\t |.-', max_size=60))
def test_any_text_is_read_or_refused_in_one_line(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("text") / "any.csv"
    path.write_text(text, newline="")
    try:
        for block in file_blocks(path):
            as_table(block)
    except ValueError as error:
        assert "\n" not in str(error)


def test_a_parquet_file_with_changed_bytes_is_read_or_refused(tmp_path):
    path = tmp_path / "rain.parquet"
    parquet.write_table(pa.table({"free": [1, 2, 3], "sky": ["rain", "sun", None]}), path)
    whole, chance = path.read_bytes(), random.Random(7)
    for _ in range(60):
        changed = bytearray(whole)
        changed[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        path.write_bytes(changed[: chance.choice([len(whole), chance.randrange(len(whole))])])
        try:
            for block in file_blocks(path):
                as_table(block)
        except ValueError as error:
            assert "\n" not in str(error)


# the same table, however it comes -------------------------------------------------------------

WORDS = ["rain", "sun", "雨", 'a "hot" day', "wind, strong", "two\nlines", "semi;colon", " ", "x "]
NUMBERS = st.one_of(
    st.integers(-(2**53), 2**53).map(float),
    st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=False),
)


@st.composite
def small_tables(draw):
    n_rows = draw(st.integers(1, 6))

    def column(cells):
        return draw(st.lists(st.none() | cells, min_size=n_rows, max_size=n_rows))

    return {
        "风": column(NUMBERS),
        "sky": column(st.sampled_from(WORDS)),
        "wet": column(st.booleans()),
        "row": [float(row) for row in range(n_rows)],
    }


@given(small_tables())
def test_a_table_is_the_same_in_every_form(tmp_path_factory, columns):
    folder = tmp_path_factory.mktemp("forms")
    rows = list(zip(*columns.values(), strict=True))
    with (folder / "table.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([columns, *rows])
    parquet.write_table(pa.table(columns), folder / "table.parquet")
    forms = {
        "pandas": pd.DataFrame(columns),
        "polars": pl.DataFrame(columns),
        "pyarrow": pa.table(columns),
        "rows": rows,
        "array": np.array([*rows, (None,) * 4], dtype=object)[:-1],
        "csv": next(file_blocks(folder / "table.csv")),
        "parquet": next(file_blocks(folder / "table.parquet")),
    }
    expected = [seen(cells) for cells in as_table(columns).columns.values()]
    for form, X in forms.items():
        assert [seen(cells) for cells in as_table(X).columns.values()] == expected, form


# names that DuckDB would take for something else ---------------------------------------------


def test_a_header_of_twenty_thousand_names_is_read(tmp_path):
    names = [f"gene_{number:05d}" for number in range(20_000)]
    path = tmp_path / "genes.csv"
    path.write_text(f"{','.join(names)}\n{','.join(['1.5'] * len(names))}\n", encoding="utf-8")
    assert path.stat().st_size > 131_072
    assert [*file_columns(path)] == names


@pytest.mark.parametrize("cells", [("0x10", "0x20"), ("0b1", "0b0"), ("7", "0X1F")])
def test_codes_that_look_like_numbers_to_a_program_only_are_categories(write, cells):
    path = write("id,wind,mail\n" + "".join(f"{cell},3,{cell}\n" for cell in cells * 3))
    assert file_columns(path) == {"id": "category", "wind": "number", "mail": "category"}
    model = NaiveBayes().fit(path, y="mail")
    assert model.kinds_["id"] == "categorical"
    assert sorted(model.classes_.tolist()) == sorted(cells)


def test_names_that_stand_twice_in_a_parquet_file_are_refused(tmp_path):
    columns = [pa.array([1, 2]), pa.array([3, 4]), pa.array(["ham", "spam"])]
    table = pa.Table.from_arrays(columns, names=["free", "free", "mail"])
    parquet.write_table(table, tmp_path / "mail.parquet")
    for source in (tmp_path / "mail.parquet", table, table.to_batches()[0]):
        with pytest.raises(ValueError, match=r"different names, got \['free'\] more than once"):
            NaiveBayes().fit(source, y="mail")


def test_names_of_a_parquet_file_that_differ_in_their_case_stay_as_they_are(tmp_path):
    part = pa.array([{"rain": 1, "snow": {"deep": 2}}] * 2)
    columns = {"Rain": [1.5, 2.5], "rain": ["some", "much"], "parts": part, "RAIN": [[1], [2]]}
    parquet.write_table(pa.table(columns), tmp_path / "days.parquet")
    assert [*file_columns(tmp_path / "days.parquet")] == ["Rain", "rain", "parts", "RAIN"]
    stored = {"Rain": "ignore", "parts": "ignore", "RAIN": "ignore"}
    [block] = file_blocks(tmp_path / "days.parquet", stored)
    assert block.to_pydict() == {"rain": ["some", "much"]}


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_a_path_that_is_no_unicode_is_refused_with_a_sentence(tmp_path, ending):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9" + ending.encode())
    try:
        Path(path).write_text("wind,mail\n3,ham\n", encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes names in UTF-8 only")
    with pytest.raises(ValueError, match=r"names are UTF-8.*Rename it"):
        NaiveBayes().fit(path, y="mail")
