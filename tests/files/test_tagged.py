"""Values as tagged JSON: what comes back is what was given, to the type."""

import json
import math
from dataclasses import dataclass, fields
from enum import IntEnum
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bayesic.files.tagged import decode, encode


@dataclass(frozen=True, eq=False)
class Weather:
    """A record as statistics are: fields of any kind, and a check of its own."""

    words: tuple[str, ...]
    count: np.ndarray
    inner: Any = None

    def checked(self):
        if (self.count < 0).any():
            raise ValueError("count must be 0 or more.")
        return self


RECORDS = {"Weather": Weather}
texts = st.text(st.characters(), max_size=4)  # lone surrogates included

scalars = hnp.arrays(
    st.sampled_from([np.bool_, np.int8, np.uint64, np.float32, np.float64, "U3"]), ()
).map(lambda array: array[()])
plain = st.none() | st.booleans() | st.integers() | st.floats() | texts
values = st.recursive(
    plain | scalars | hnp.arrays(st.sampled_from([bool, int, float, "U2"]), (2,)),
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.lists(inside, max_size=3).map(tuple)
        | st.dictionaries(texts | st.integers(), inside, max_size=3)
        | st.lists(inside, max_size=3).map(lambda parts: np.fromiter(parts, object, len(parts)))
    ),
    max_leaves=6,
)


def through_json(value, records=RECORDS):
    arrays = {}
    node = encode(value, "value", arrays, records)
    return decode(json.loads(json.dumps(node, allow_nan=False)), arrays, records)


def assert_equal(ours, theirs):
    assert type(ours) is type(theirs)
    if isinstance(theirs, dict):
        assert_equal(list(ours), list(theirs))
        assert_equal(list(ours.values()), list(theirs.values()))
    elif isinstance(theirs, (list, tuple)):
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs, strict=True):
            assert_equal(mine, other)
    elif isinstance(theirs, np.ndarray):
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
        assert_equal(ours.ravel().tolist(), theirs.ravel().tolist())
    elif isinstance(theirs, Weather):
        for field in fields(Weather):
            assert_equal(getattr(ours, field.name), getattr(theirs, field.name))
    else:
        assert repr(ours) == repr(theirs)


@given(values)
def test_values_come_back_as_they_were(value):
    assert_equal(through_json(value), value)


@pytest.mark.parametrize(
    "value",
    [math.inf, -math.inf, math.nan, -0.0, 5e-324, 10**30, 1.0, True, ("m", 2), [("m", 2)], {}]
    + [
        {1: "one", "1": "text"},
        np.float64(0.1),
        np.float64(math.nan),
        np.bool_(True),
        np.str_("雨"),
    ]
    + [np.array([["rain", 3], [None, 2.5]], dtype=object), np.array([], dtype=object)]
    + [np.array(["rain", "雨"], dtype=np.dtypes.StringDType()), np.array(7), np.zeros((0, 3))],
    ids=repr,
)
def test_the_difficult_ones_come_back_as_they_were(value):
    assert_equal(through_json(value), value)


@given(st.lists(texts, max_size=5), st.lists(st.integers(0, 9), max_size=3))
def test_records_come_back_with_their_words_and_inner_records(words, count):
    inner = Weather(("sun",), np.array([1.5]))
    value = Weather(tuple(words), np.array(count, np.int64), {"wind": inner, "sky": inner})
    assert_equal(through_json(value), value)


def test_many_words_are_kept_out_of_the_json():
    arrays = {}
    words = tuple(f"word {number}" for number in range(10_000))
    node = encode(Weather(words, np.zeros(1)), "weather", arrays, RECORDS)
    assert len(json.dumps(node)) < 200
    assert decode(node, arrays, RECORDS).words == words


class Kind(IntEnum):
    RAIN = 1


@pytest.mark.parametrize(
    "value",
    [Fraction(1, 2), {"rain"}, b"rain", 1j, Kind.RAIN, {1.5: "rain"}, {None: 1}, len, object()]
    + [np.datetime64("2024-01-05"), np.zeros(1, "M8[D]"), np.longdouble(1), [Fraction(1, 2)]]
    + [np.array([Fraction(1, 2)]), {"odds": {"rain": Fraction(1, 2)}}, np.ma.zeros(1)],
    ids=lambda value: type(value).__name__,
)
def test_other_values_are_refused_by_name(value):
    with pytest.raises(TypeError, match=r"parameters\.alpha\S* is or holds an? .*use pickle"):
        encode(value, "parameters.alpha", {}, RECORDS)


def test_a_record_that_is_not_listed_is_refused():
    value = Weather((), np.zeros(1))
    with pytest.raises(TypeError, match="is or holds a Weather"):
        encode(value, "weather", {}, {})
    node = encode(value, "weather", {}, RECORDS)
    with pytest.raises(ValueError, match="'Weather', which this version does not know"):
        decode(node, {}, {})


def test_a_record_is_checked():
    arrays = {}
    node = encode(Weather((), np.zeros(1)), "weather", arrays, RECORDS)
    arrays["weather.count"] = np.array([-1.0])
    with pytest.raises(ValueError, match="count must be 0 or more"):
        decode(node, arrays, RECORDS)


@pytest.mark.parametrize(
    "node",
    [{}, {"code": "import os"}, {"tuple": [], "dict": []}, {"tuple": 3}, {"dict": [["rain"]]}]
    + [{"dict": [["rain", 1], ["rain", 2]]}, {"dict": [[1.5, 1]]}, {"float": "spam"}]
    + [{"array": "elsewhere"}, {"array": ["two"]}, {"words": "elsewhere"}, {"words": "two"}]
    + [{"scalar": "two"}, {"objects": [1]}, {"objects": {"shape": [3], "values": [1]}}]
    + [{"record": "Weather"}, {"record": {"class": "Weather", "fields": {"words": 1, "rain": 2}}}]
    + [{"record": {"class": "os.system", "fields": {}}}],
    ids=repr,
)
def test_json_that_is_never_written_is_refused(node):
    with pytest.raises((ValueError, TypeError, KeyError)):
        decode(node, {"two": np.zeros(2)}, RECORDS)


@pytest.mark.parametrize(
    ("encoded", "ends"),
    [
        (b"rain", [2]),
        (b"rain", [2, 5]),
        (b"rain", [3, 2, 4]),
        (b"rain", [-1, 4]),
        (b"rain", []),
        (b"\xff\xff", [2]),
        ("雨".encode(), [1, 3]),
    ],
)
def test_words_whose_ends_do_not_fit_are_refused(encoded, ends):
    arrays = {"x.bytes": np.frombuffer(encoded, np.uint8), "x.ends": np.array(ends, np.int64)}
    with pytest.raises(ValueError):
        decode({"words": "x"}, arrays, {})
