"""Rows are cut into blocks by their shape alone and put together in order."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.data import blocks
from bayesic.data.blocks import available_processors, in_threads, number_of_threads, row_blocks
from helpers.environment import environment


@given(st.integers(0, 5000), st.floats(0, 1e7), st.integers(0, 300))
def test_blocks_cover_every_row_once_and_in_order(n_rows, cells_per_row, at_least):
    covered = [
        row
        for block in row_blocks(n_rows, cells_per_row, at_least)
        for row in range(block.start, block.stop)
    ]
    assert covered == list(range(n_rows))


@given(st.integers(1, 5000), st.integers(1, 10**6), st.integers(1, 300))
def test_all_blocks_but_the_last_have_the_same_size_of_at_least_the_rows_asked_for(
    n_rows, cells_per_row, at_least
):
    sizes = [block.stop - block.start for block in row_blocks(n_rows, cells_per_row, at_least)]
    assert len(set(sizes[:-1])) <= 1
    assert all(size >= at_least for size in sizes[:-1])
    assert all(
        size == at_least or size * cells_per_row <= blocks.CELLS_PER_BLOCK for size in sizes[:-1]
    )


@pytest.mark.parametrize("threads", ["1", "2", "7"])
def test_results_come_in_the_order_of_the_blocks(threads):
    cut = [slice(start, start + 1) for start in range(50)]
    with environment(BAYESIC_THREADS=threads):
        assert list(in_threads(lambda block: block.start, cut)) == list(range(50))


def test_blocks_run_side_by_side_where_there_are_threads():
    meeting = threading.Barrier(2, timeout=30)  # breaks unless two blocks are inside at once

    def meet(block):
        meeting.wait()
        return block.start

    with environment(BAYESIC_THREADS="2"):
        assert list(in_threads(meet, [slice(0, 1), slice(1, 2)])) == [0, 1]


@pytest.mark.parametrize("threads", ["1", "2"])
def test_an_error_in_a_block_is_the_error_of_the_whole(threads):
    def fail_on_the_third(block):
        if block.start == 2:
            raise ValueError("the third block is broken")
        return block.start

    cut = [slice(start, start + 1) for start in range(5)]
    with environment(BAYESIC_THREADS=threads), pytest.raises(ValueError, match="third block"):
        list(in_threads(fail_on_the_third, cut))


def test_no_blocks_give_no_results():
    assert list(in_threads(lambda block: block.start, [])) == []


def test_the_number_of_threads_is_as_told(monkeypatch):
    monkeypatch.setenv("BAYESIC_THREADS", "7")
    assert number_of_threads() == 7


def test_without_being_told_every_processor_is_used(monkeypatch):
    monkeypatch.delenv("BAYESIC_THREADS", raising=False)
    assert number_of_threads() == available_processors() >= 1


@pytest.mark.parametrize("told", ["0", "-1", "two", "1.5", "", " ", "²"])
def test_another_number_of_threads_is_refused_with_the_way_out(monkeypatch, told):
    monkeypatch.setenv("BAYESIC_THREADS", told)
    with pytest.raises(
        ValueError, match="BAYESIC_THREADS must be a whole number of 1 or more.*Unset it"
    ):
        number_of_threads()
