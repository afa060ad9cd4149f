"""Equal rows, and only they, are one group."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bayesic.data import matrices as module
from bayesic.data.matrices import equal_rows, row_keys

few_values = st.sampled_from([0.0, -0.0, 1.0, 2.0, -1.5, 1e300, 5e-324])
matrices = hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=2), elements=few_values)


def enumerated(values):
    """First rows and group numbers, row by row."""
    groups: dict[tuple, int] = {}
    first, group = [], []
    for number, row in enumerate(values.tolist()):
        if tuple(row) not in groups:
            groups[tuple(row)] = len(groups)
            first.append(number)
        group.append(groups[tuple(row)])
    return first, group


@given(matrices)
def test_groups_are_those_of_comparing_all_rows(values):
    first, group = equal_rows(values)
    assert (first.tolist(), group.tolist()) == enumerated(values)


def test_no_rows_have_no_groups():
    first, group = equal_rows(np.empty((0, 3)))
    assert first.tolist() == group.tolist() == []


def test_small_whole_numbers_have_different_keys():
    grid = np.stack(np.meshgrid(*[np.arange(20.0)] * 3), axis=-1).reshape(-1, 3)
    assert len(np.unique(row_keys(grid, seed=0))) == 20**3


def test_different_rows_with_the_same_key_are_told_apart(monkeypatch):
    def weak_keys(values, seed):
        keys = row_keys(values, seed)
        return keys if seed else keys % np.uint64(2)

    monkeypatch.setattr(module, "row_keys", weak_keys)
    values = np.array([[1.0], [2.0], [3.0], [2.0], [4.0]])
    first, group = equal_rows(values)
    assert (first.tolist(), group.tolist()) == ([0, 1, 2, 4], [0, 1, 2, 1, 3])


@pytest.mark.parametrize("order", ["C", "F"])
def test_every_memory_order_is_taken(order):
    values = np.array([[1.0, 2.0], [1.0, 2.0], [2.0, 1.0]], order=order)
    assert equal_rows(values)[1].tolist() == [0, 0, 1]
