"""What is done around Spark, without Spark."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.catalogue import STATISTICS
from bayesic.data.arrow_rows import arrow_batches
from bayesic.data.lazy_frames import is_of_spark
from bayesic.files.summaries import as_bytes, from_bytes
from bayesic.spark.partitions import TaskResult, one_of_each
from bayesic.spark.sampled_rows import keys_of
from helpers.comparisons import assert_same
from helpers.statistic_cases import CASES, N_CLASSES

WRITTEN = [name for name in CASES if CASES[name].kind.__name__ in STATISTICS]


@pytest.mark.parametrize("name", WRITTEN)
@given(data=st.data())
def test_statistics_come_back_as_they_were(name, data):
    case = CASES[name]
    records = data.draw(st.lists(case.record, min_size=1, max_size=6))
    codes = np.arange(len(records)) % N_CLASSES
    counted = case.count(records, codes, N_CLASSES, None)
    classes, statistics = from_bytes(as_bytes((np.array(["ham", "spam", "垃圾"]), counted)))
    assert classes.tolist() == ["ham", "spam", "垃圾"]
    assert_same(statistics, counted)


@given(tries=st.lists(st.integers(0, 5), max_size=20))
def test_of_each_partition_one_summary_is_kept_however_often_it_was_computed(tries):
    returned = [TaskResult(number, None, bytes([number])) for number in tries]
    assert one_of_each(returned) == [bytes([number]) for number in sorted(set(tries))]


def test_a_partition_that_refuses_its_rows_refuses_all():
    returned = [TaskResult(1, None, b"counts"), TaskResult(4, "Numbers must be finite.", None)]
    with pytest.raises(ValueError, match=r"^Numbers must be finite. \(In partition 4 of"):
        one_of_each(returned)


def test_data_frames_are_known_by_their_type_alone():
    classic = type("DataFrame", (), {"__module__": "pyspark.sql.classic.dataframe"})
    connect = type("DataFrame", (), {"__module__": "pyspark.sql.connect.dataframe"})
    made_from_it = type("Mails", (classic,), {})
    pandas = type("DataFrame", (), {"__module__": "pyspark.pandas.frame"})
    assert [is_of_spark(kind()) for kind in (classic, connect, made_from_it, pandas)] == [
        True, True, True, False,
    ]  # fmt: skip


@given(sizes=st.lists(st.integers(0, 5), max_size=8), most=st.integers(1, 9))
def test_small_batches_are_put_together_in_order(sizes, most):
    ends = np.cumsum([0, *sizes])
    batches = [
        pa.RecordBatch.from_pydict({"rain": pa.array(np.arange(start, end, dtype=np.int64))})
        for start, end in pairwise(ends)
    ]
    rows = arrow_batches(("rain",), (pa.int64(),), batches)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bayesic.data.arrow_rows.CELLS_OF_A_BLOCK", most)
        found = [block.column(0).to_pylist() for block in rows.table.batches([0], {}, 0)]
    assert [cell for block in found for cell in block] == list(range(sum(sizes)))
    assert all(len(block) >= most for block in found[:-1])
    assert [] not in found


@given(order=st.permutations(range(9)))
def test_the_key_of_a_row_hangs_on_its_cells_alone(order):
    table = pa.table({"wind": [0.5 * n for n in range(9)], "sky": ["雨", None, "sun"] * 3})
    keys = keys_of(table)
    assert len(set(keys.tolist())) == 9
    np.testing.assert_array_equal(keys_of(table.take(order)), keys[list(order)])
