"""The draw of texts depends on what they say, not on how they come."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bayesic.data.drawn_texts import drawn_texts

texts = st.none() | st.text(max_size=4) | st.sampled_from(("rain", "下雨", "\ud800"))
rows = st.lists(st.tuples(texts, st.sampled_from(("wet", "dry")), st.sampled_from((1.0, 2.0))))


def drawn(blocks, most):
    some = drawn_texts(
        (
            ([text for text, _, _ in block], [label for _, label, _ in block])
            + (np.array([weight for _, _, weight in block]),)
            for block in blocks
        ),
        most,
    )
    said = [text or "" for text in some.texts]  # nothing tells None from a text without words
    return [*zip(said, some.labels, some.weights.tolist(), strict=True)]


@given(rows, st.integers(1, 6), st.randoms(use_true_random=False), st.integers(0, 5))
def test_neither_the_order_nor_the_blocks_matter(rows, most, random, cut):
    shuffled = rows[:]
    random.shuffle(shuffled)
    assert drawn([shuffled[:cut], shuffled[cut:]], most) == drawn([rows], most)


@given(rows, st.integers(1, 6))
def test_what_is_drawn_was_there_and_is_the_beginning_of_a_longer_draw(rows, most):
    some, more = drawn([rows], most), drawn([rows], most + 3)
    assert some == more[:most]
    assert len(some) == min(most, len(rows))
    assert {*some} <= {(text or "", label, weight) for text, label, weight in rows}


def test_a_draw_of_many_is_no_draw_of_the_first():
    many = [(f"word{number}", "wet", 1.0) for number in range(1000)]
    numbers = [int(text.removeprefix("word")) for text, _, _ in drawn([many], 100)]
    assert 400 < np.mean(numbers) < 600
