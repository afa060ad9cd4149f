"""Rows as a statistic: which of them - takes out, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.statistics.instances import Instances
from helpers.comparisons import assert_same


def instances(pairs):
    values = np.array([[value] for value, _ in pairs], np.float64).reshape(-1, 1)
    return Instances(values, np.array([[code] for _, code in pairs], np.int64).reshape(-1, 1))


pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1)), max_size=8)


@given(pairs, st.data())
def test_removing_takes_the_last_of_equal_rows(learned, data):
    removed = data.draw(st.permutations(learned))[: data.draw(st.integers(0, len(learned)))]
    expected = learned[::-1]
    for pair in removed:
        expected.remove(pair)  # the first in reverse order
    assert_same(instances(learned) - instances(removed), instances(expected[::-1]))


@given(pairs)
def test_all_rows_in_their_order_are_at_their_own_places(learned):
    places = instances(learned).places_of(instances(learned))
    assert places.tolist() == [*range(len(learned))]


@pytest.mark.parametrize(
    "given_rows",
    [[(7, 0)], [(5, 1)], [(5, 0), (5, 0), (5, 0)]],
    ids=["another row", "another label", "too often"],
)
def test_what_was_never_learned_is_refused(given_rows):
    learned = instances([(5, 0), (6, 1), (5, 0)])
    with pytest.raises(ValueError, match=r"Only what was learned can be taken away: row 0"):
        learned - instances(given_rows)


def test_the_message_tells_the_row_and_how_often():
    with pytest.raises(ValueError, match=r"row 1, \[7\.0\] .* learned 0 time.* given 1 time"):
        instances([(5, 0)]) - instances([(5, 0), (7, 0)])


@pytest.mark.parametrize(
    ("values", "targets"),
    [
        (np.zeros(3), np.zeros((3, 1))),
        (np.zeros((3, 2)), np.zeros(3)),
        (np.zeros((3, 0)), np.zeros((3, 1))),
        (np.zeros((3, 2)), np.zeros((2, 1))),
        (np.zeros((3, 2)), np.zeros((3, 0))),
        (np.zeros((3, 2), np.float32), np.zeros((3, 1))),
        (np.zeros((3, 2)), np.zeros((3, 1), bool)),
        (np.full((3, 2), np.nan), np.zeros((3, 1))),
        (np.full((3, 2), 1e200), np.zeros((3, 1))),
        (np.zeros((3, 2)), np.full((3, 1), -np.inf)),
    ],
    ids=["1D", "1D targets", "no columns", "lengths", "no targets", "float32", "bool", "NaN"]
    + ["large", "infinite"],
)
def test_what_cannot_have_been_learned_is_refused(values, targets):
    with pytest.raises(ValueError, match=r"[Ll]earned (rows|numbers)|target for each learned row"):
        Instances(values, targets).checked()
