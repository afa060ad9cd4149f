"""Texts of any container become the same bytes; what is no text is refused, and its row named."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.data import texts as texts_module
from bayesic.data.texts import TextBytes, as_texts, joined_texts
from helpers.examples import at_most

MAIL = ["free lunch", None, "", "今天下雨", "rain ☔ e\u0301"]

any_text = st.text(st.characters())  # all of Unicode, lone surrogates included
plain_text = st.text()  # all that UTF-8 can write
columns_of = {
    "list": list,
    "tuple": tuple,
    "array of objects": lambda mail: np.array(mail, dtype=object),
    "pandas": lambda mail: pd.Series(mail, dtype="str"),
    "pandas of objects": lambda mail: pd.Series(mail, dtype=object),
    "pandas string": lambda mail: pd.Series(mail, dtype=pd.StringDtype("python")),
    "pandas of Arrow": lambda mail: pd.Series(mail, dtype=pd.ArrowDtype(pa.string())),
    "pandas category": lambda mail: pd.Series(mail, dtype="category"),
    "polars": lambda mail: pl.Series(mail, dtype=pl.String),
    "polars category": lambda mail: pl.Series(mail, dtype=pl.Categorical),
    "Arrow string": lambda mail: pa.array(mail, pa.string()),
    "Arrow large string": lambda mail: pa.array(mail, pa.large_string()),
    "Arrow string view": lambda mail: pa.array(mail, pa.string_view()),
    "Arrow dictionary": lambda mail: pa.array(mail, pa.string()).dictionary_encode(),
    "Arrow bytes": lambda mail: pa.array(mail, pa.binary()),
    "Arrow chunks": lambda mail: pa.chunked_array(
        [pa.array(mail[:2], pa.string()), pa.array(mail[2:], pa.string())]
    ),
    "Arrow chunks of dictionaries": lambda mail: pa.chunked_array(
        [pa.array(some, pa.string()).dictionary_encode() for some in (mail[:2], mail[2:])]
    ),
}
every_column = pytest.mark.parametrize("column_of", columns_of.values(), ids=columns_of.keys())


# what comes in --------------------------------------------------------------------------------


@every_column
def test_every_container_gives_the_same_texts(column_of):
    texts = as_texts(column_of(MAIL))
    assert texts.texts() == MAIL
    assert len(texts) == 5
    assert texts.missing.tolist() == [False, True, False, False, False]
    assert texts.data.dtype == np.uint8
    assert texts.offsets.dtype == np.int64


@every_column
def test_every_container_may_be_empty(column_of):
    texts = as_texts(column_of([]))
    assert (len(texts), texts.n_bytes, texts.texts()) == (0, 0, [])


@every_column
def test_every_container_may_hold_nothing_but_gaps(column_of):
    assert as_texts(column_of([None, None, None])).texts() == [None, None, None]


@at_most(20)
@given(st.lists(st.none() | plain_text, max_size=5))
def test_every_container_keeps_every_text_that_utf_8_can_write(mail):
    for column_of in columns_of.values():
        assert as_texts(column_of(mail)).texts() == mail


@given(st.lists(st.none() | any_text))
def test_lone_surrogates_are_kept(mail):
    texts = as_texts(mail)
    assert texts.texts() == mail
    assert texts.data.tobytes() == b"".join(
        (text or "").encode("utf-8", "surrogatepass") for text in mail
    )


def test_lone_surrogates_are_kept_in_columns_that_arrow_cannot_hold():
    for dtype in (object, pd.StringDtype("python")):
        assert as_texts(pd.Series(["free", "\ud83d"], dtype=dtype)).texts() == ["free", "\ud83d"]


def test_arrays_of_numpy_strings_are_texts():
    assert as_texts(np.array(["free", "雨"])).texts() == ["free", "雨"]
    assert as_texts(np.array(["free", "雨"], dtype=np.dtypes.StringDType())).texts() == [
        "free",
        "雨",
    ]
    assert as_texts([np.str_("free"), "雨"]).texts() == ["free", "雨"]


def test_none_nan_and_na_are_missing_and_the_empty_text_is_not():
    mail = ["free", None, float("nan"), np.float64("nan"), pd.NA, ""]
    assert as_texts(mail).missing.tolist() == [False, True, True, True, True, False]


def test_bytes_are_texts_if_they_are_utf_8():
    assert as_texts([b"free", "雨".encode(), "sun"]).texts() == ["free", "雨", "sun"]


def test_texts_that_were_made_before_are_taken_as_they_are():
    texts = as_texts(MAIL)
    assert as_texts(texts) is texts


def test_columns_are_read_without_pyarrow_too(monkeypatch):
    monkeypatch.setattr(texts_module, "find_spec", lambda name: None)
    for name in ("pandas", "pandas category", "polars", "polars category"):
        assert as_texts(columns_of[name](MAIL)).texts() == MAIL


# Arrow ----------------------------------------------------------------------------------------


def address_of(texts):
    return texts.data.__array_interface__["data"][0]


@pytest.mark.parametrize("type_", [pa.string(), pa.large_string()])
def test_the_characters_of_an_arrow_column_are_not_copied(type_):
    column = pa.array(MAIL, type_)
    assert address_of(as_texts(column)) == column.buffers()[2].address
    assert address_of(as_texts(pa.chunked_array([column]))) == column.buffers()[2].address


@given(st.lists(st.none() | plain_text, max_size=8), st.integers(0, 8), st.integers(0, 8))
def test_a_slice_of_an_arrow_column_holds_only_its_rows(mail, start, length):
    for column in (pa.array(mail, pa.string()), pa.array(mail, pa.string()).dictionary_encode()):
        chunks = pa.chunked_array([column.slice(start, length), column])
        assert as_texts(column.slice(start, length)).texts() == mail[start : start + length]
        assert as_texts(chunks).texts() == mail[start : start + length] + mail


def test_a_null_of_arrow_has_no_bytes_even_if_there_are_characters_below_it():
    offsets = pa.py_buffer(np.array([0, 4, 9, 12], dtype=np.int32))
    valid = pa.py_buffer(bytes([0b101]))
    characters = pa.py_buffer("freelunch雨".encode())
    texts = as_texts(pa.Array.from_buffers(pa.string(), 3, [valid, offsets, characters]))
    assert texts.texts() == ["free", None, "雨"]
    assert texts.n_bytes == len("free雨".encode())


def test_an_arrow_string_that_is_not_utf_8_is_refused_by_row():
    column = pa.array([b"free", b"caf\xe9"]).view(pa.string())
    with pytest.raises(ValueError, match=r"must be UTF-8, got b'caf\\xe9' in row 8\."):
        as_texts(column, first_row=7)


# parts ----------------------------------------------------------------------------------------


@given(st.lists(st.none() | any_text, max_size=8), st.slices(8).filter(lambda rows: rows.step == 1))
def test_a_part_has_the_texts_of_its_rows_and_shares_the_bytes(mail, rows):
    texts = as_texts(mail)
    part = texts.part(rows)
    assert part.texts() == mail[rows]
    assert part.n_bytes == sum(
        len(text.encode("utf-8", "surrogatepass")) for text in mail[rows] if text
    )
    assert address_of(part) == address_of(texts)
    assert part.part(slice(1, None)).texts() == mail[rows][1:]


@given(st.lists(st.lists(st.none() | any_text, max_size=4), max_size=4))
def test_joined_parts_are_the_whole(parts):
    whole = joined_texts([as_texts(part) for part in parts])
    assert whole.texts() == [text for part in parts for text in part]
    cut = [whole.part(slice(0, 2)), whole.part(slice(2, None))]
    assert joined_texts(cut).texts() == whole.texts()


def test_rows_of_a_part_follow_one_another():
    with pytest.raises(ValueError, match="must follow one another, got step 2"):
        as_texts(["rain", "sun", "rain"]).part(slice(None, None, 2))


def test_one_text_is_found_by_its_row_from_either_end():
    texts = as_texts(["rain", None, "sun"])
    assert (texts.text(0), texts.text(1), texts.text(-1)) == ("rain", None, "sun")
    with pytest.raises(IndexError):
        texts.text(3)


def test_nobody_can_write_to_the_bytes_and_arrays_of_others_stay_writeable():
    data = np.frombuffer(b"free", dtype=np.uint8).copy()
    texts = TextBytes(data, np.array([0, 4]), np.array([False]))
    for array in (texts.data, texts.offsets, texts.missing):
        assert not array.flags.writeable
    assert data.flags.writeable


# what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize("alone", ["free lunch", b"free lunch", Path("mails")])
def test_one_text_alone_is_refused(alone):
    with pytest.raises(TypeError, match=r"alone\. Give a list of texts, \[text\] for one"):
        as_texts(alone)


@pytest.mark.parametrize("value", [3, 2.5, True, ["free", "lunch"], pd.Timestamp("2024-01-05")])
def test_what_is_no_text_is_refused_by_row(value):
    with pytest.raises(TypeError, match=rf"\({type(value).__name__}\) in row 41\. Turn it into"):
        as_texts(["free", value], first_row=40)


@pytest.mark.parametrize("library", [np.array, pd.Series, pl.Series, pa.array])
def test_a_column_of_numbers_is_refused_by_row(library):
    with pytest.raises(TypeError, match=r"Texts must be strings, got 3 \(int\) in row 0"):
        as_texts(library([3, 4]))


def test_categories_that_are_numbers_are_refused():
    with pytest.raises(TypeError, match=r"got 3 \(int\) in row 0"):
        as_texts(pd.Series([3, 4], dtype="category"))


def test_bytes_that_are_not_utf_8_are_refused_by_row():
    with pytest.raises(ValueError, match=r"must be UTF-8, got b'caf\\xe9' in row 1\. Decode it"):
        as_texts(["free", b"caf\xe9"])


def test_a_message_shows_only_the_start_of_a_long_value():
    for wrong in ("free " * 1_000_000, [["free"] * 1_000_000], [b"\xff" * 1_000_000]):
        with pytest.raises((TypeError, ValueError)) as refused:
            as_texts(wrong)
        assert len(str(refused.value)) < 300


def test_an_array_with_two_dimensions_is_refused_even_with_one_column():
    with pytest.raises(ValueError, match=r"2 dimensions\. Give X\[:, 0\]"):
        as_texts(np.array([["free"], ["lunch"]]))
    with pytest.raises(ValueError, match="0 dimensions. Give a list of texts"):
        as_texts(np.array("free"))


@pytest.mark.parametrize("library", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_a_table_is_refused_with_the_way_to_its_column(library):
    with pytest.raises(
        TypeError, match=r"the columns \['body'\]\. Give one of them, .* X\['body'\]"
    ):
        as_texts(library({"body": ["free"]}))


@pytest.mark.parametrize("wrong", [None, 3, {"free"}, iter(["free"])])
def test_other_things_are_refused(wrong):
    with pytest.raises(TypeError, match=f"got {type(wrong).__name__}. Give a list of texts"):
        as_texts(wrong)
