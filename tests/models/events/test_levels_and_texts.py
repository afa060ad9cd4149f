"""Event models of categories, yes or no, and texts, against fractions."""

from collections import Counter
from fractions import Fraction
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.data.columns import Categories, Nothing, Texts
from bayesic.data.tokens import Tokenizer
from bayesic.estimation.smoothing import Lambda, MEstimate
from bayesic.models.events.shares import bernoulli, categorical
from bayesic.models.events.text import text
from bayesic.statistics.level_counts import LevelCounts, level_counts
from bayesic.statistics.table_counts import word_counts_by_class

N_CLASSES = 2
notes = st.lists(
    st.tuples(
        st.none() | st.sampled_from(["", "free", "free lunch", "lunch lunch", "meeting", "下雨"]),
        st.integers(0, 1),
    ),
    min_size=1,
    max_size=8,
)

words = Tokenizer().tokens


def learned_texts(rows, rule, weights=None):
    codes = np.array([label for _, label in rows])
    counts = word_counts_by_class([note for note, _ in rows], codes, N_CLASSES, weights)
    return text(counts, rule, np.bincount(codes, minlength=N_CLASSES))


def text_by_hand(note, rows, label, amount):
    """Product over the known words of (N_cw + lambda) / (N_c + V lambda)."""
    of_class = Counter(w for other, c in rows if c == label for w in words(other or ""))
    vocabulary = {w for other, _ in rows for w in words(other or "")}
    total = sum(of_class.values()) + amount * len(vocabulary)
    return prod(
        Fraction(of_class[w] + amount) / total if total else Fraction(1, len(vocabulary))
        for w in words(note or "")
        if w in vocabulary
    )


@given(rows=notes, note=st.sampled_from([None, "", "free", "lunch free 下雨", "unheard of"]))
def test_a_text_is_as_probable_as_its_known_words(rows, note):
    event = learned_texts(rows, Lambda(1.0))
    scores = event.scores(event.encode(Texts([note])))[0]
    expected = [float(text_by_hand(note, rows, label, 1)) for label in range(N_CLASSES)]
    assert np.exp(scores).tolist() == pytest.approx(expected, rel=1e-12)


@given(rows=notes, amount=st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1)]))
def test_a_text_is_left_out_with_the_words_that_only_it_has(rows, amount):
    event = learned_texts(rows, Lambda(float(amount)))
    encoded = event.encode(Texts([note for note, _ in rows]))
    codes = np.array([label for _, label in rows])
    scores = event.scores_without(encoded, codes, np.ones(len(rows)))
    for row, (note, _) in enumerate(rows):
        others = rows[:row] + rows[row + 1 :]
        expected = [float(text_by_hand(note, others, label, amount)) for label in range(N_CLASSES)]
        assert np.exp(scores[row]).tolist() == pytest.approx(expected, rel=1e-9, abs=1e-300)


def test_a_text_of_ten_thousand_words_does_not_underflow():
    event = learned_texts([("free lunch", 0), ("meeting", 1)], Lambda(1.0))
    scores = event.scores(event.encode(Texts(["free " * 10_000])))[0]
    assert scores.tolist() == pytest.approx([10_000 * np.log(2 / 5), 10_000 * np.log(1 / 4)])


def test_nothing_scores_nothing():
    event = learned_texts([("free lunch", 0), ("meeting", 1)], MEstimate(2.0))
    assert event.scores(event.encode(Nothing(2))).tolist() == [[0.0, 0.0]] * 2


def test_texts_are_sampled_from_the_words_of_their_class():
    event = learned_texts([("free lunch", 0), ("free lunch", 0), ("meeting", 1)], Lambda(0.0))
    drawn = event.sample(np.repeat([0, 1], 500), np.random.default_rng(0))
    lengths = np.array([len(words(note)) for note in drawn])
    assert {word for note in drawn[:500] for word in words(note)} == {"free", "lunch"}
    assert {word for note in drawn[500:] for word in words(note)} == {"meeting"}
    assert lengths[:500].mean() == pytest.approx(2, abs=0.3)
    assert len(event.sample(np.zeros(0, np.intp), np.random.default_rng(0))) == 0


# categories -----------------------------------------------------------------------------------

skies = st.lists(
    st.tuples(st.sampled_from(["sun", "rain", "fog"]), st.integers(0, 1)), min_size=1, max_size=9
)


def learned_levels(rows):
    levels = sorted({level for level, _ in rows})
    codes = np.array([levels.index(level) for level, _ in rows])
    return level_counts(codes, levels, np.array([label for _, label in rows]), N_CLASSES, None)


@given(rows=skies)
def test_categories_seen_and_unseen_get_their_smoothed_shares(rows):
    event = categorical(learned_levels(rows), Lambda(1.0))
    cells = Categories(np.array([0, 1, -1]), (rows[0][0], "snow"))
    scores = event.scores(event.encode(cells))
    n_levels = len({level for level, _ in rows})
    for label in range(N_CLASSES):
        of_class = [level for level, c in rows if c == label]
        total = len(of_class) + n_levels
        seen = Fraction(of_class.count(rows[0][0]) + 1, total)
        assert np.exp(scores[0, label]) == pytest.approx(float(seen), rel=1e-12)
        assert np.exp(scores[1, label]) == pytest.approx(float(Fraction(1, total)), rel=1e-12)
    assert scores[2].tolist() == [0.0, 0.0]


@given(rows=skies)
def test_categories_are_sampled_by_their_shares(rows):
    event = categorical(learned_levels(rows), Lambda(0.0))
    drawn = event.sample(np.full(300, rows[0][1]), np.random.default_rng(1))
    of_class = [level for level, c in rows if c == rows[0][1]]
    for level in {level for level, _ in rows}:
        share = of_class.count(level) / len(of_class)
        assert (drawn == level).mean() == pytest.approx(share, abs=0.15)
    assert set(drawn) <= set(of_class)


def test_yes_or_no_has_two_levels_also_when_one_was_seen():
    event = bernoulli(LevelCounts(("1",), np.array([[3, 1]])), Lambda(1.0))
    scores = np.exp(event.scores(event.encode(Categories(np.array([0, 1]), ("0", "1")))))
    np.testing.assert_allclose(scores, [[1 / 5, 1 / 3], [4 / 5, 2 / 3]])
