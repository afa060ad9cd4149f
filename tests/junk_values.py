"""Values that nobody should give, and good ones to spoil. `random` is a random.Random."""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import scipy.sparse as sp

WORDS = ("rain", "sun", "雨", "", "yes", "no", "spam", "auto", "1", "nan", "a b", "x0", "0x10")
NUMBERS = (
    *(0, 1, -1, 2, 3, 7, 100, 2**31, 2**63, -(2**63), 10**30, 10**400),
    *(0.0, -0.0, 0.5, -2.5, 1e-300, 1e300, 1e308, 5e-324, float("nan"), float("inf")),
    *(float("-inf"), Decimal("0.3"), Decimal("NaN"), Decimal("1e5000"), Fraction(1, 3), 1 + 2j),
    *(True, False, np.float32(0.1), np.int8(-3), np.uint64(2**63 + 1), np.bool_(True)),
)
ODD: tuple[Callable[[], Any], ...] = (
    lambda: None,
    lambda: ...,
    object,
    lambda: int,
    lambda: len,
    lambda: b"bytes",
    lambda: bytearray(b"more"),
    lambda: {1, 2},
    lambda: frozenset("ab"),
    lambda: range(3),
    lambda: slice(1, 2),
    lambda: iter([1, 2]),
    lambda: (number for number in "abc"),
    lambda: date(2024, 1, 5),
    lambda: datetime(2024, 1, 5, 3),
    lambda: timedelta(3),
    lambda: np.datetime64("NaT"),
    lambda: pd.NA,
    lambda: pd.NaT,
    lambda: Path("no/such/file.csv"),
    lambda: "\ud800",
    lambda: "a\x00b",
    lambda: "x" * 5000,
    lambda: np.array(3),
    lambda: np.zeros(0),
    lambda: np.zeros((0, 2)),
    lambda: np.zeros((2, 0)),
    lambda: np.zeros((2, 2, 2)),
    lambda: np.array([1 + 1j, 2]),
    lambda: np.array([b"x", b"y"]),
    lambda: np.array(["2024-01-05", "NaT"], dtype="datetime64[D]"),
    lambda: np.array([(1, 2.0)], dtype=[("a", int), ("b", float)]),
    lambda: np.array([None, "x", 2], dtype=object),
    lambda: np.ma.masked_array([1.0, 2.0], [True, False]),
    lambda: np.full((3, 2), np.inf),
    lambda: np.full((3, 2), np.nan),
    lambda: np.array([[1e308, -1e308], [1e308, 1.0]]),
    lambda: sp.csr_matrix((3, 2)),
    lambda: sp.coo_array(np.eye(3)),
    lambda: pd.DataFrame(),
    lambda: pd.DataFrame({"rain": [1, None], "sun": ["x", "y"]}),
    lambda: pd.DataFrame([[1, 2]], columns=["same", "same"]),
    lambda: pd.Series([1, 2, 3]),
    lambda: pd.Series(["a", "b"], index=["rain", "sun"]),
    lambda: pd.Categorical(["a", "b"]),
    lambda: pl.DataFrame({"rain": [1, 2], "sun": [[1], [2]]}),
    lambda: pl.Series([1, None]),
    lambda: pl.DataFrame({"rain": [1, 2]}).lazy(),
    lambda: pa.table({"rain": [1, 2]}),
    lambda: pa.array([1, None]),
    lambda: _in_itself(),
    lambda: [[1, 2], [3]],
    lambda: [[], []],
    lambda: [{}],
    lambda: [{"rain": 1}, {"sun": 2}],
    lambda: {"rain": []},
    lambda: {"rain": [1, 2], "sun": [1]},
    lambda: {"rain": {"sun": 0.5}, "sun": 3},
    lambda: {(1, 2): 3},
)


def _in_itself() -> list:
    strange: list = [1]
    strange.append(strange)
    return strange


def junk(random: Random, depth: int = 2) -> Any:
    """Anything: a number, a word, an odd thing, or a list, tuple, dict or array of such."""
    choice = random.randrange(10)
    if choice < 3 or depth == 0:
        return random.choice(NUMBERS if random.random() < 0.6 else WORDS)
    if choice < 7:
        return random.choice(ODD)()
    items = [junk(random, depth - 1) for _ in range(random.randrange(4))]
    if choice == 7:
        return items if random.random() < 0.7 else tuple(items)
    if choice == 8:
        return {random.choice(WORDS): item for item in items}
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


def column(random: Random, n_rows: int) -> list:
    """One column of a table that might come."""
    kinds: tuple[Callable[[], Any], ...] = (
        lambda: random.choice(WORDS),
        lambda: random.randrange(5),
        lambda: random.gauss(0, 1),
        lambda: random.choice([None, 1.5, float("nan")]),
        lambda: random.choice([True, False]),
        lambda: 10.0 ** random.randrange(-300, 300),
    )
    make = random.choice(kinds)
    values = [make() for _ in range(n_rows)]
    if random.random() < 0.1:
        values[random.randrange(n_rows)] = junk(random, 1)
    return values


def table(random: Random, n_rows: int = 8) -> Any:
    """A table of some kind, most of them good."""
    columns = {
        name: column(random, n_rows) for name in ("sky", "wind", "温度")[: _up_to(random, 3)]
    }
    if random.random() < 0.3:
        return [list(row) for row in zip(*columns.values(), strict=True)]
    return columns


def matrix(random: Random, n_rows: int = 8, n_columns: int = 2) -> Any:
    """An array of numbers, some of them strange."""
    values = np.array([[random.gauss(0, 1) for _ in range(n_columns)] for _ in range(n_rows)])
    if random.random() < 0.3:
        values = np.floor(values * 2)
    if random.random() < 0.2:
        values = np.abs(values)
    if random.random() < 0.1:
        values *= 10.0 ** random.randrange(-300, 300)
    if random.random() < 0.1:
        values[random.randrange(n_rows), 0] = random.choice([np.nan, np.inf, 1e308, 5e-324])
    return values.tolist() if random.random() < 0.2 else values


def labels(random: Random, n_rows: int = 8) -> list:
    """Class labels, most of them good."""
    kinds = (["ham", "spam"], [0, 1], ["雨", "晴", "雪"], [True, False], ["+", "-"], [1.0, 2.0])
    names = random.choice(kinds)
    found = [random.choice(names) for _ in range(n_rows)]
    if random.random() < 0.1:
        found[0] = junk(random, 1)
    return found


def texts(random: Random, n_rows: int = 8) -> list:
    """Short texts."""
    return [" ".join(random.choices(WORDS, k=_up_to(random, 5))) for _ in range(n_rows)]


def spoiled_text(random: Random, text: str) -> str:
    """A text with some parts taken out, doubled, moved or replaced."""
    for _ in range(_up_to(random, 4)):
        tokens = re.split(r"(\W)", text)
        place, other = random.randrange(len(tokens)), random.randrange(len(tokens))
        what = random.randrange(6)
        if what == 0:
            del tokens[place : place + _up_to(random, 5)]
        elif what == 1:
            tokens[place:place] = tokens[other : other + _up_to(random, 20)]
        elif what == 2:
            tokens[place], tokens[other] = tokens[other], tokens[place]
        elif what == 3:
            tokens[place] = random.choice(["-1", "1e999", "NaN", "99999999999", "0x10", "", '"'])
        elif what == 4:
            tokens[place] = random.choice([*"{}()[]<>|;,:\n\r\t\x00\ufeff'é雨", "\ud800"])
        else:
            del tokens[place:]
        text = "".join(tokens)
    return text


def spoiled_bytes(random: Random, content: bytes) -> bytes:
    """Bytes with some of them changed, taken out or doubled."""
    changed = bytearray(content)
    for _ in range(_up_to(random, 6)):
        if not changed:
            break
        place = random.randrange(len(changed))
        what = random.randrange(4)
        if what == 0:
            changed[place] = random.randrange(256)
        elif what == 1:
            del changed[place : place + _up_to(random, 50)]
        elif what == 2:
            changed[place:place] = changed[place : place + _up_to(random, 50)]
        else:
            changed[place] ^= 1 << random.randrange(8)
    return bytes(changed)


def _up_to(random: Random, most: int) -> int:
    return random.randrange(1, most + 1)


NAMES = (
    *("sky", "雨", "", " ", "a b", "constructor", "__proto__", "toString", "hasOwnProperty", "nan"),
    *("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "None", "null", "True", "0", "1e5", "class", "y"),
    *("<script>alert(1)</script>", "a'; drop table x; --", 'a"b', "a\\b", "a\nb", "a\rb", "a\x00b"),
    *("\ud800", "\udfff", "\U0001f327\ufe0f", "e\u0301", "\u00e9", "\u202eabc", "\u200b", "\ufeff"),
    *(
        "x" * 300,
        "雨" * 5000,
        "x0",
        "{name}",
        "%s",
        "${x}",
        "..",
        "/",
        "a/b",
        "a.b",
        "a,b",
        "ß",
        "ẞ",
    ),
)  # of classes, columns and models
