"""Columns of every dtype of pandas, polars and pyarrow are learned, or refused with a sentence."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bayesic as by

LABELS = ["ham", "spam"] * 4
WHOLE = [1, 2, 3, 1, 2, 3, 1, 2]
HUGE = [2**63, 2**63 + 1] * 4
WORDS, BYTES, TRUTHS = ["rain", "sun"] * 4, [b"rain", b"sun"] * 4, [True, False] * 4
PRICES = [Decimal("1.5"), Decimal("2")] * 4
DAY, TIME, SPAN = dt.date(2024, 1, 5), dt.time(1), dt.timedelta(1)
MOMENT = dt.datetime(2024, 1, 5, 3)

POLARS = {
    **{name: (WHOLE, getattr(pl, name)) for name in ("Int8", "Int64", "UInt64", "Float32")},
    **{name: (WHOLE, getattr(pl, name)) for name in ("Int128", "UInt128") if hasattr(pl, name)},
    "UInt64 from 2**63": (HUGE, pl.UInt64),
    "Int128 from 2**100": ([2**100, 1] * 4, pl.Int128),
    "Boolean": (TRUTHS, pl.Boolean),
    "Decimal": (PRICES, pl.Decimal(5, 2)),
    "Date": ([DAY] * 8, pl.Date),
    "Datetime": ([MOMENT] * 8, pl.Datetime("us", "UTC")),
    "Duration": ([SPAN] * 8, pl.Duration),
    "Time": ([TIME] * 8, pl.Time),
    "String": (WORDS, pl.String),
    "Categorical": (WORDS, pl.Categorical),
    "Enum": (WORDS, pl.Enum(["rain", "sun", "snow"])),
    "Binary": (BYTES, pl.Binary),
    "List": ([[1], [2]] * 4, pl.List(pl.Int64)),
    "Array": ([[1, 2]] * 8, pl.Array(pl.Int64, 2)),
    "Struct": ([{"rain": 1}] * 8, pl.Struct({"rain": pl.Int64})),
    "Object": ([object()] * 8, pl.Object),
    "Null": ([None] * 8, pl.Null),
}
ARROW = {
    "int8": (WHOLE, pa.int8()),
    "uint64 from 2**63": (HUGE, pa.uint64()),
    "float32": (WHOLE, pa.float32()),
    "bool": (TRUTHS, pa.bool_()),
    "decimal": (PRICES, pa.decimal128(5, 2)),
    "long decimal": (PRICES, pa.decimal256(50, 2)),
    "date": ([DAY] * 8, pa.date32()),
    "timestamp": ([MOMENT] * 8, pa.timestamp("us", "UTC")),
    "time": ([TIME] * 8, pa.time64("us")),
    "duration": ([SPAN] * 8, pa.duration("us")),
    "string": (WORDS, pa.string()),
    "large string": (WORDS, pa.large_string()),
    "string view": (WORDS, pa.string_view()),
    "binary": (BYTES, pa.binary()),
    "list": ([[1], [2]] * 4, pa.list_(pa.int64())),
    "struct": ([{"rain": 1}] * 8, pa.struct([("rain", pa.int64())])),
    "map": ([[("rain", 1)]] * 8, pa.map_(pa.string(), pa.int64())),
    "null": ([None] * 8, pa.null()),
    "dictionary": (WORDS, pa.dictionary(pa.int32(), pa.string())),
}
PANDAS = {
    "UInt64 from 2**63": pd.Series(HUGE, dtype="UInt64"),
    "uint64 from 2**63": pd.Series(np.array(HUGE, dtype=np.uint64)),
    "boolean": pd.Series(TRUTHS, dtype="boolean"),
    "string": pd.Series(WORDS, dtype="string"),
    "category": pd.Series(WHOLE).astype("category"),
    "interval": pd.Series(pd.cut(WHOLE, 3)),
    "period": pd.Series(pd.period_range("2024-01", periods=8, freq="M")),
    "timezone": pd.Series(pd.date_range("2024-01-05", periods=8, tz="UTC")),
    "timedelta": pd.Series([SPAN] * 8),
    "complex": pd.Series(np.ones(8) * 1j),
    "sparse": pd.Series(WHOLE).astype("Sparse[int]"),
    "objects": pd.Series([[1], {"rain": 1}] * 4),
    "bytes": pd.Series(BYTES),
    "Decimal": pd.Series(PRICES),
    **{
        f"arrow {name}": pd.Series(values, dtype=pd.ArrowDtype(kind))
        for name, (values, kind) in ARROW.items()
        if name not in ("uint64 from 2**63", "null", "string view", "map", "long decimal")
    },
}
COLUMNS = {
    **{f"polars {name}": pl.Series("x", *made) for name, made in POLARS.items()},
    **{f"arrow {name}": pa.array(values, kind) for name, (values, kind) in ARROW.items()},
    **{f"pandas {name}": column for name, column in PANDAS.items()},
}
MODELS = {
    "naive Bayes": by.NaiveBayes,
    "categorical": lambda: by.NaiveBayes(columns={"x": "categorical"}),
    "text": lambda: by.NaiveBayes(columns={"x": "text"}),
    "gaussian": lambda: by.NaiveBayes(columns={"x": "gaussian"}),
    "tree": by.TreeAugmentedNB,
    "array": by.GaussianNB,
    "linear": by.LogisticRegression,
    "neighbours": lambda: by.KNeighborsClassifier(1),
    "description": by.hypotheses.MDLTreeClassifier,
}


def table_of(name: str, **columns):
    if name.startswith("polars"):
        return pl.DataFrame(columns)
    return pa.table(columns) if name.startswith("arrow") else pd.DataFrame(columns)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_of_any_dtype_is_learned_or_refused_with_a_sentence(name, make):
    table = table_of(name, x=COLUMNS[name])
    try:
        answers = make().fit(table, LABELS).predict_proba(table)
    except (ValueError, TypeError) as error:
        assert "X " in str(error) or "olumn" in str(error)
    else:
        assert np.allclose(answers.sum(axis=1), 1.0)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", COLUMNS)
def test_labels_of_any_dtype_are_learned_or_refused_with_a_sentence(name):
    tables = {"x": table_of(name, x=COLUMNS[name], wind=WHOLE)}  # by name, and as they are
    for labels, table in [(COLUMNS[name], np.arange(16).reshape(8, 2) % 3), *tables.items()]:
        try:
            classes = by.NaiveBayes().fit(table, labels).classes_
        except (ValueError, TypeError) as error:
            assert "y " in str(error) or "abel" in str(error)
        else:
            assert 1 <= len(classes) <= 8


@pytest.mark.parametrize("make", [by.GaussianNB, by.NaiveBayes, by.LeastSquares])
def test_numbers_of_128_bits_count_as_any_other(make):
    wide, narrow = (pl.DataFrame({"x": pl.Series(WHOLE, dtype=d)}) for d in (pl.Int128, pl.Int64))
    targets = pl.Series(WHOLE, dtype=pl.Int128)
    ours = make().fit(wide, targets, sample_weight=targets).predict(wide)
    assert ours.tolist() == make().fit(narrow, WHOLE, sample_weight=WHOLE).predict(narrow).tolist()


@pytest.mark.parametrize("make", [by.NaiveBayes, by.TreeAugmentedNB])
@pytest.mark.parametrize("first", [2**63, 2**64 - 2, 2**63 - 1])
def test_whole_numbers_from_2_to_the_63rd_on_are_categories_like_others(make, first):
    numbers = np.array([first, first + 1] * 8, dtype=np.uint64)
    for column in (numbers, pd.Series(numbers), pl.Series(numbers), pa.array(numbers)):
        model = make(columns={"x": "categorical"}).fit({"x": column}, ["ham", "spam"] * 8)
        assert model.predict({"x": column}).tolist() == ["ham", "spam"] * 8


@pytest.mark.parametrize(
    "make", [by.NaiveBayes, by.TreeAugmentedNB, by.KDependence, by.hypotheses.MDLTreeClassifier]
)
def test_words_asked_of_a_model_that_learned_an_array_of_numbers_are_refused(make):
    rows = np.random.default_rng(0).normal(size=(40, 2)) + np.repeat([[0.0], [5.0]], 20, axis=0)
    model = make().fit(rows, np.repeat(["low", "high"], 20))
    words = {"sky": ["rain", "sun"], "wind": ["strong", "weak"]}
    for table in (pd.DataFrame(words), pl.DataFrame(words), words, [["rain", "strong"]]):
        with pytest.raises(ValueError, match=r"row 0: must be a number, got 'rain'"):
            model.predict(table)


def test_a_table_with_names_is_matched_by_position_where_what_was_learned_had_none():
    rows = [["1", 1.5], ["2", 2.5], ["1", 1.0], ["2", 3.0]]
    model = by.NaiveBayes().fit(rows, ["ham", "spam"] * 2)
    with pytest.warns(UserWarning, match="fitted without feature names"):
        by_position = model.predict_proba({"code": [1, 2], "wind": [1.5, 2.5]})
    assert np.array_equal(by_position, model.predict_proba([["1", 1.5], ["2", 2.5]]))
