"""What comes in by mistake: values of all kinds that are not what a call asks for."""

import datetime
import math
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
from hypothesis import strategies as st

SCALARS = (
    None, True, False, 0, 1, -1, 2, 7, 10**30, -(10**30), 0.0, 0.5, -0.5, 1e308, -1e308, 5e-324,
    math.nan, math.inf, -math.inf, 1j, "", " ", "yes", "no", "rain", "wet", "雨", "\x00", "\ud800",
    b"rain", "rain" * 500, Decimal("NaN"), Decimal(1), Fraction(1, 3), Ellipsis, NotImplemented,
    int, len, object, SimpleNamespace(rain=1), datetime.date(2020, 2, 29),
    np.float64(0.5), np.int8(1), np.str_("rain"), np.datetime64("NaT"), np.bool_(True),
)  # fmt: skip
COLLECTIONS = (
    [], (), {}, set(), frozenset(), [[]], [()], [{}], [None], [math.nan], ["rain"],
    ["rain", "rain"], [1, 2], [-1], [0.5, 0.5], [0.2, 0.8], [math.inf, 1], [1e308, 1e308],
    [[0.5, 0.5], [0.5, 0.5]],
    [["rain"]], [("rain",)], [("rain", "wet")], [("wet", "rain")], [("rain", "rain")],
    [("rain", "wet"), ("wet", "rain")], [("rain", None)], [(1, 2)], [("rain", "wet", "rain")],
    [["rain", ["wet"]]], [{"rain": "yes"}], [{"rain": "yes"}, {"wet": "no"}], [{"rain": ["yes"]}],
    [{1: 2}], [{"rain": "yes"}, None], ("bdeu", 1), ("bdeu", -1), ("bdeu", None), ("bdeu",),
    {"rain": "yes"}, {"rain": None}, {"rain": 1}, {"rain": []}, {"rain": ["yes"]},
    {"rain": ["yes", "no"]}, {"rain": ["yes", "yes"]}, {"rain": ["yes", None], "wet": [1, 2]},
    {"rain": ["yes", "no"], "wet": ["no"]}, {"rain": ["yes", "no"], "wet": ["no", "yes"]},
    {"rain": {"yes": 0.5, "no": 0.5}}, {"rain": {"yes": 1}}, {"rain": {"yes": "a", "no": "b"}},
    {"rain": {("yes",): {"yes": 1.0}}}, {"rain": {"yes": {"yes": 0.5, "no": 0.5}}},
    {"rain": {"yes": [0.5], "no": [0.5]}}, {"rain": [0.5, 0.5]}, {"rain": [[0.5, 0.5]]},
    {"rain": [0.5, -0.5]}, {"rain": [math.nan, 1]}, {"rain": ["a", "b"]}, {"rain": [1e308, 1e308]},
    {"rain": [None, None]}, {"rain": [[1], [2, 3]]}, {"rain": len}, {"rain": 1j}, {"rain": {}},
    {"rain": set()}, {"rain": {"yes"}}, {"rain": b"yes"}, {"rain": np.array([1, 2])},
    {"rain": np.zeros((2, 0))}, {"rain": np.array(["yes", "no"])}, {"rain": 10**400},
    {None: 1}, {1: "yes"}, {("rain",): "yes"}, {"none": "yes"}, {"": 1}, {math.nan: 1},
    {"rain": {"yes": {}}}, {"rain": {None: 1.0}}, {"rain": {1: 0.5, 2: 0.5}},
    np.zeros(0), np.zeros(3), np.zeros((2, 2)), np.zeros((1, 2, 3)), np.array(None),
    np.array(["rain"]), np.array([None, "rain"], object), np.array([1j]),
    range(3), range(10**5), iter([1]), (x for x in ["rain"]), {"rain": range(3)},
)  # fmt: skip

junk = st.sampled_from(SCALARS + COLLECTIONS) | st.recursive(
    st.sampled_from(SCALARS),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(
            st.sampled_from(["rain", "wet", "yes", "no", "none", 1, None]), inner, max_size=3
        )
    ),
    max_leaves=6,
)
