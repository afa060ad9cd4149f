"""The joint table of all columns: what it counts, and what it refuses."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.data.tables import as_table
from bayesic.statistics.joint import JointCounts, joint_counts, patterns, row_keys
from helpers.labelled_rows import WORDS, quarters_or_zero

COLUMNS = ("wind", "sky", "天")
CELLS = ("rain", "sun", "雪", None)
NOTHING = JointCounts.empty(len(WORDS))

cells = st.sampled_from(CELLS)
days = st.tuples(cells, cells, cells, st.sampled_from(range(len(WORDS))), quarters_or_zero)
many_days = st.lists(days, max_size=8)


def counted(days, weighted=True):
    """The statistic of days: three cells, the number of a class, and a weight."""
    if not days:
        return NOTHING
    *columns, codes, weights = zip(*days, strict=True)
    stored = dict.fromkeys(COLUMNS, "category")
    table = as_table(dict(zip(COLUMNS, map(list, columns), strict=True)), stored)
    given_weights = np.array(weights) if weighted else None
    return joint_counts(table, np.array(codes), len(WORDS), given_weights)


def complete(days):
    return [day for day in days if None not in day[:3] and day[4] > 0]


# what is counted --------------------------------------------------------------------------------


@given(many_days)
def test_the_table_holds_every_complete_row_by_class(days):
    expected = Counter()
    for *words, code, weight in complete(days):
        expected[*words, code] += Fraction(weight)
    counts = counted(days)
    found = {}
    for codes, by_class in zip(counts.rows.tolist(), counts.table.tolist(), strict=True):
        row = {
            name: levels[code]
            for (name, levels), code in zip(counts.levels.items(), codes, strict=True)
        }
        for code, count in enumerate(by_class):
            if count:
                found[*(row[name] for name in COLUMNS), code] = Fraction(count)
    assert found == expected


@given(many_days)
def test_all_rows_count_for_their_class_also_those_with_gaps(days):
    expected = [sum(day[4] for day in days if day[3] == code) for code in range(len(WORDS))]
    assert counted(days).class_count.tolist() == expected


@given(many_days)
def test_levels_are_those_of_complete_rows_in_sorted_order(days):
    rows = complete(days)
    expected = {
        name: tuple(sorted({row[column] for row in rows})) for column, name in enumerate(COLUMNS)
    }
    levels = counted(days).levels
    assert levels == (expected if rows else {})
    assert list(levels) == sorted(levels)


def test_rows_without_weights_are_counted_in_whole_numbers():
    counts = counted([("rain", "sun", "sun", 0, 1.0), ("rain", "sun", "sun", 2, 1.0)], False)
    assert counts.table.tolist() == [[1, 0, 1]]
    assert counts.table.dtype == counts.class_count.dtype == np.int64


@given(many_days, st.lists(st.tuples(*[st.sampled_from([*CELLS, "fog"])] * 3), max_size=4))
def test_rows_with_gaps_are_counted_wherever_they_agree(days, asked):
    counts = counted(days)
    place = {
        name: {None: -1} | {level: code for code, level in enumerate(levels)}
        for name, levels in counts.levels.items()
    }
    codes = np.array(
        [
            [
                places.get(day[COLUMNS.index(name)], len(counts.levels[name]))
                for name, places in place.items()
            ]
            for day in asked
        ],
        dtype=np.int64,
    ).reshape(len(asked), len(place))
    expected = [
        [
            sum(
                weight
                for *words, of_class, weight in complete(days)
                if of_class == code
                and all(one in (None, other) for one, other in zip(day, words, strict=True))
            )
            for code in range(len(WORDS))
        ]
        for day in asked
    ]
    assert counts.counts_of(codes).tolist() == expected


# what is refused --------------------------------------------------------------------------------

RAINY = ("rain", "sun", "sun", 0, 1.0)
SUNNY = ("sun", "rain", "sun", 1, 1.0)


@pytest.mark.parametrize(
    ("taken", "reason"),
    [
        (("rain", "rain", "sun", 0, 1.0), r"the row {'sky': 'rain', 'wind': 'rain', '天': 'sun'}"),
        (("雪", "sun", "sun", 0, 1.0), r"the row {'sky': 'sun', 'wind': '雪', '天': 'sun'}"),
        (("sun", "rain", "sun", 0, 1.0), "would leave a count of -1"),
        (("rain", "sun", "sun", 0, 2.0), "would leave a count of -1"),
        (("rain", "sun", None, 2, 1.0), "would leave a count of -1"),
    ],
)
def test_what_was_never_counted_cannot_be_taken_away(taken, reason):
    with pytest.raises(ValueError, match=f"Only what was learned can be taken away: .*{reason}"):
        counted([RAINY, SUNNY]) - counted([taken])


def test_a_complete_row_cannot_be_taken_from_rows_with_gaps_alone():
    with pytest.raises(ValueError, match="was never seen"):
        counted([("rain", None, "sun", 0, 1.0)]) - counted([RAINY])


def test_tables_of_other_columns_are_refused_with_their_names():
    sky = joint_counts(as_table({"sky": ["rain"]}), np.array([0]), len(WORDS))
    for combine in (JointCounts.__add__, JointCounts.__sub__):
        with pytest.raises(ValueError, match=r"\['sky', 'wind', '天'\] and \['sky'\]"):
            combine(counted([RAINY]), sky)


@pytest.mark.parametrize(
    "changed",
    [
        {"class_count": np.array([1, -1, 0])},
        {"class_count": np.array([1, 1])},
        {"table": np.array([[1, 0, 0]])},
        {"table": np.array([[1, 0, 0], [0, 0, 0]])},
        {"table": np.array([[1, 0, 0], [0, np.nan, 0]])},
        {"table": np.array([[1, 0], [0, 1]])},
        {"rows": np.array([[0, 1, 0], [1, 0, 0]])},  # int64
        {"rows": np.array([[0, 1], [1, 0]], np.int32)},
        {"rows": np.array([[1, 0, 0], [0, 1, 0]], np.int32)},
        {"rows": np.array([[0, 1, 0], [0, 1, 0]], np.int32)},
        {"rows": np.array([[0, 1, 0], [2, 0, 0]], np.int32)},
        {"rows": np.array([[-1, 1, 0], [1, 0, 0]], np.int32)},
        {"rows": np.zeros((0, 3), np.int32), "table": np.zeros((0, 3), np.int64)},
        {"levels": {}},
        {"levels": {"sky": ("rain", "sun"), "wind": ("rain", "sun")}},
        {"levels": {"sky": ("sun", "rain"), "wind": ("rain", "sun"), "天": ("sun",)}},
        {"levels": {"wind": ("rain", "sun"), "sky": ("rain", "sun"), "天": ("sun",)}},
        {"levels": {"sky": ("rain", "sun"), "wind": ("rain", "sun"), "天": ("sun", "雪")}},
    ],
    ids=repr,
)
def test_what_cannot_have_been_counted_does_not_pass_the_check(changed):
    counts = counted([RAINY, SUNNY], weighted=False)
    with pytest.raises(ValueError):
        replace(counts, **changed).checked()


# rows as numbers --------------------------------------------------------------------------------


@pytest.mark.parametrize("largest", [2**62, 7, 1])
def test_keys_order_rows_as_tuples_also_when_numbers_run_out(largest, monkeypatch):
    monkeypatch.setattr("bayesic.statistics.joint.LARGEST_KEY", largest)
    rows = [*product(range(3), range(2), range(4))] * 2
    rows = rows[5:] + rows[:5]
    keys = row_keys(np.array(rows), [3, 2, 4]).tolist()
    for (one, key), (other, another) in product(zip(rows, keys, strict=True), repeat=2):
        assert (key < another) == (one < other)


def test_a_hundred_columns_of_many_levels_are_told_apart():
    rows = np.random.default_rng(0).integers(1000, size=(50, 100))
    rows = np.concatenate([rows, rows])
    keys = row_keys(rows, [1000] * 100)
    assert keys[:50].tolist() == keys[50:].tolist()
    assert len(set(keys.tolist())) == 50


def test_rows_are_grouped_by_the_columns_that_they_are_observed_in():
    observed = np.array([[True, False], [True, True], [False, False], [True, False]])
    groups = {tuple(columns): rows.tolist() for columns, rows in patterns(observed)}
    assert groups == {(0,): [0, 3], (0, 1): [1], (): [2]}
