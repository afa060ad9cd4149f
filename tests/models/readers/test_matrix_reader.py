"""Rows of numbers as a model takes them in."""

import numpy as np
import pytest
from scipy import sparse

from bayesic.data.source import RowBlock
from bayesic.models.readers.known_columns import KnownColumns
from bayesic.models.readers.matrix_reader import MatrixReader

WEATHER = KnownColumns("LogisticRegression", 2, ("rain", "wind"))


@pytest.mark.parametrize(
    "rows", [[[1.0, np.nan]], sparse.csr_array([[0.0, np.nan]]), {"rain": [1.0], "wind": [None]}]
)
def test_gaps_are_refused_where_a_model_needs_all_features(rows):
    reader = MatrixReader(KnownColumns("LogisticRegression"), complete=True)
    with pytest.raises(ValueError, match="NaN, and LogisticRegression needs every feature"):
        reader.read(RowBlock(rows))


def test_one_row_by_name_with_a_gap_is_refused_where_a_model_needs_all_features():
    row = {"rain": 1.0, "wind": np.nan}
    with pytest.raises(ValueError, match="NaN, and LogisticRegression needs every feature"):
        MatrixReader(WEATHER, complete=True).one(row)
    (values,), single = MatrixReader(WEATHER).one(row)
    assert single and values.tolist() == pytest.approx([1.0, np.nan], nan_ok=True)


def test_infinities_are_refused_where_a_model_needs_all_features():
    reader = MatrixReader(KnownColumns("LogisticRegression"), complete=True)
    with pytest.raises(ValueError, match="contains infinity"):
        reader.read(RowBlock([[1.0, -np.inf]]))


def test_a_missing_column_is_refused_where_a_model_needs_all_features():
    rows = RowBlock({"wind": [3.0]})
    with pytest.raises(ValueError, match=r"yet now missing: \['rain'\].*needs every feature"):
        MatrixReader(WEATHER, complete=True).read(rows)
    with pytest.warns(UserWarning, match=r"no column\(s\) \['rain'\]"):
        matrix, _ = MatrixReader(WEATHER).read(rows)
    assert matrix.tolist() == [pytest.approx([np.nan, 3.0], nan_ok=True)]


def test_complete_rows_come_in_by_the_names_of_their_columns():
    matrix, _ = MatrixReader(WEATHER, complete=True).read(RowBlock({"wind": [3], "rain": [1]}))
    assert matrix.tolist() == [[1, 3]]


def test_another_number_of_columns_is_refused_in_a_few_words_also_where_they_are_many():
    reader = MatrixReader(KnownColumns("MultinomialNB", 50_000))
    with pytest.raises(
        ValueError, match="expecting 50000 features as input: 'x0', 'x1'"
    ) as refusal:
        reader.read(RowBlock([[1.0, 2.0]]))
    assert len(str(refusal.value)) < 400
