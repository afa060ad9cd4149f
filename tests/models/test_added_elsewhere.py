"""Estimators of numbers on Spark and a database: the engine adds up, and the rows stay there."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import bayesic as by
from bayesic.statistics.moments import ClassMoments
from helpers.comparisons import assert_unchanged, state_of
from helpers.databases import postgresql, tables_on
from helpers.engines import rows_stay
from helpers.spark import KNOWN, session, spark_table

pytestmark = [pytest.mark.xdist_group("spark"), pytest.mark.filterwarnings(KNOWN)]

N_ROWS = 90
LABELS = [["ham", "垃圾", "O'Hara"][number % 7 % 3] for number in range(N_ROWS)]
COUNTS = pa.table(
    {
        'sk"y.a': pa.array([number % 5 for number in range(N_ROWS)], pa.int64()),
        "风": pa.array([number * number % 11 for number in range(N_ROWS)], pa.int64()),
        "wet": pa.array([number % 3 == 0 for number in range(N_ROWS)], pa.bool_()),
        "mail": LABELS,
    }
)
# gaps of both kinds, a large mean with a small spread, and a column that one class lacks
GAPS = pa.table(
    {
        "wind": pa.array([[1.5, None, 0.0, float("nan"), 2.5][n % 5] for n in range(N_ROWS)]),
        "long": [1e8 + abs(np.sin(number)) * (1 + number % 2) for number in range(N_ROWS)],
        "grade": pa.array([[1, 2, None, 0][number % 4] for number in range(N_ROWS)], pa.int64()),
        "rare": pa.array(
            [None if label == "垃圾" else 0.25 * (n % 4) for n, label in enumerate(LABELS)]
        ),
        "wet": pa.array([[True, False, None][number % 3] for number in range(N_ROWS)], pa.bool_()),
        "mail": LABELS,
    }
)
SHARES = GAPS.select(["rare", "wet", "mail"])
CASES = {
    "multinomial": (by.MultinomialNB, COUNTS),
    "multinomial, gaps": (by.MultinomialNB, GAPS),
    "complement": (by.ComplementNB, COUNTS),
    "complement, gaps": (by.ComplementNB, GAPS),
    "bernoulli": (by.BernoulliNB, COUNTS),
    "bernoulli, gaps": (lambda: by.BernoulliNB(binarize=1.5), GAPS),
    "bernoulli, shares": (lambda: by.BernoulliNB(binarize=None), SHARES),
    "gaussian": (by.GaussianNB, COUNTS),
    "gaussian, gaps": (by.GaussianNB, GAPS),
}


@pytest.fixture(autouse=True)
def _few_first_rows(monkeypatch):
    monkeypatch.setattr("bayesic.data.engines.FIRST_ROWS", 4)  # short tables are not added up


@pytest.fixture(scope="module")
def server():
    with postgresql() as database:
        yield database


@pytest.fixture(params=["postgresql", "spark"])
def engine(request):
    """table -> the same rows elsewhere, in no order."""
    if request.param == "spark":
        session()
        yield spark_table
        return
    with tables_on(request.getfixturevalue("server")) as put:
        yield put


def in_memory(table):
    """With a gap of one kind, and rows and classes apart, as scikit-learn has them."""
    rows = pd.DataFrame(table.drop_columns("mail").to_pydict())
    is_whole = "float64" not in map(str, rows.dtypes) and not rows.isna().any(axis=None)
    return rows.astype(int if is_whole else float), table["mail"].to_pylist()


def assert_close(ours, theirs):
    """Whole numbers to the last digit, others but for rounding."""
    if not isinstance(theirs, ClassMoments):
        for mine, other in zip(vars(ours).values(), vars(theirs).values(), strict=True):
            assert mine.dtype == other.dtype
            np.testing.assert_allclose(mine, other, rtol=1e-14 if other.dtype == float else 0)
        return
    np.testing.assert_array_equal(ours.class_count, theirs.class_count)
    ours, theirs = ours.per_class, theirs.per_class
    np.testing.assert_array_equal(ours.count, theirs.count)
    np.testing.assert_allclose(ours.mean, theirs.mean, rtol=1e-14)
    of_rounding = theirs.count * (1e-15 * theirs.mean) ** 2
    assert (abs(ours.scatter - theirs.scatter) <= 1e-7 * theirs.scatter + of_rounding).all()


@pytest.mark.parametrize("name", CASES)
def test_the_statistics_are_those_of_the_rows(engine, name):
    make, table = CASES[name]
    expected = make().fit(*in_memory(table))
    with rows_stay() as streamed:
        model = make().fit(engine(table), y="mail")
    assert streamed == []
    assert_close(model.statistics_, expected.statistics_)
    assert model.classes_.tolist() == expected.classes_.tolist()
    assert model.feature_names_in_.tolist() == table.column_names[:-1]


@pytest.mark.parametrize("name", [name for name in CASES if "gaps" not in name])
def test_they_are_added_and_forgotten(engine, name):
    make, table = CASES[name]
    first, last = table.slice(0, 40), table.slice(40)
    whole, part = make().fit(*in_memory(table)), make().fit(*in_memory(first))
    model = make().partial_fit(*in_memory(first), classes=sorted(set(LABELS)))
    with rows_stay():
        model.partial_fit(engine(last), y="mail")
        assert_close(model.statistics_, whole.statistics_)
        model.forget(engine(last), y="mail")
    assert_close(model.statistics_, part.statistics_)


@pytest.mark.parametrize(
    ("make", "number", "sentence"),
    [
        (by.MultinomialNB, -1.0, "Negative values in data passed to MultinomialNB"),
        (by.MultinomialNB, 1e101, "too large to be added up"),
        (by.GaussianNB, float("inf"), "contains infinity"),
        (by.GaussianNB, 1e200, "too large: their squares overflow"),
        (by.BernoulliNB, float("-inf"), "contains infinity"),
        (lambda: by.BernoulliNB(binarize=None), 1.5, "must lie between 0 and 1"),
    ],
)
def test_what_is_refused_in_memory_is_refused_there(engine, make, number, sentence):
    numbers = [0.5] * (N_ROWS - 2) + [number, -number if number == float("inf") else number]
    table = pa.table({"wind": numbers, "wet": [0.25] * N_ROWS, "mail": LABELS})
    model = make().fit(*in_memory(table.slice(0, 60)))
    before = state_of(model)
    with pytest.raises(ValueError, match=sentence):
        model.partial_fit(engine(table), y="mail")
    assert_unchanged(model, before)
    with pytest.raises(ValueError, match=sentence):
        make().fit(engine(table), y="mail")


def test_a_row_without_a_class_is_refused(engine):
    table = COUNTS.set_column(3, "mail", pa.array([None, *LABELS[1:]]))
    with pytest.raises(ValueError, match="Input y contains NaN or None"):
        by.GaussianNB().fit(engine(table), y="mail")


def test_more_columns_than_a_query_takes_are_read(engine, monkeypatch):
    for most in ("MOST_SUMS", "MOST_SUMS_OF_SPARK"):
        monkeypatch.setattr(f"bayesic.models.readers.counted_matrices.{most}", 8)
    monkeypatch.delattr("bayesic.data.lazy_frames.FrameTable.class_sums")
    expected = by.GaussianNB().fit(*in_memory(COUNTS)).statistics_
    assert_close(by.GaussianNB().fit(engine(COUNTS), y="mail").statistics_, expected)
