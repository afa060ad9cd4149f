"""What has changed between two spans of the journal: `by.drift` of the rows that are left."""

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from bayesic.store.errors import UnknownIdError
from helpers.clocks import DAY

MAILS = ["free money", "lunch today", "free gift", "rain today", "free coins", "no lunch"]
LABELS = ["spam", "ham", "spam", "ham", "spam", "ham"]


@pytest.fixture
def mails(store, clock):
    """Two mails on each of three days, the first of May and the next."""
    store.create("spam", by.TextClassifier())
    for k in (0, 2, 4):
        store.learn("spam", MAILS[k : k + 2], LABELS[k : k + 2], ids=[k, k + 1])
        clock[0] += DAY
    return store


def of_rows(earlier, later, **how):
    """The changes between mails of these numbers."""
    models = [
        by.TextClassifier(**how).fit([MAILS[k] for k in rows], [LABELS[k] for k in rows])
        for rows in (earlier, later)
    ]
    return by.drift(*models)


def test_the_rows_since_an_event_beside_those_before(mails):
    numbers = {event.id: event.seq for event in mails.history("spam")}
    assert mails.drift("spam", numbers["2"]) == of_rows([0, 1], [2, 3, 4, 5])
    assert mails.drift("spam", numbers["2"], until=numbers["4"]) == of_rows([0, 1], [2, 3])
    asked = mails.drift("spam", numbers["3"], start=numbers["1"], until=numbers["5"])
    assert asked == of_rows([1, 2], [3, 4])


@pytest.mark.parametrize(
    "since",
    [
        "2026-05-02",
        datetime(2026, 5, 2, tzinfo=UTC),
        np.datetime64("2026-05-02"),
        datetime(2026, 5, 2, tzinfo=UTC).timestamp(),
    ],
)
def test_the_rows_since_a_moment_beside_those_before(mails, since):
    assert mails.drift("spam", since) == of_rows([0, 1], [2, 3, 4, 5])
    assert mails.drift("spam", since, until="2026-05-03") == of_rows([0, 1], [2, 3])
    assert mails.drift("spam", "2026-05-03", start=since) == of_rows([2, 3], [4, 5])


@given(
    ops=st.lists(st.tuples(st.sampled_from(["forget", "correct"]), st.integers(0, 5)), max_size=4)
)
def test_what_was_forgotten_or_corrected_counts_as_it_is_now(tmp_path_factory, ops):
    labels, left = dict(enumerate(LABELS)), [0, 1, 2, 3, 4, 5]
    with by.open_store(tmp_path_factory.mktemp("stores") / "mail.store") as store:
        store.create("spam", by.TextClassifier())
        receipt = store.learn("spam", MAILS, LABELS, ids=range(6))
        for op, k in ops:
            if k in left and op == "forget":
                store.forget("spam", k)
                left.remove(k)
            elif k in left:
                labels[k] = "ham" if labels[k] == "spam" else "spam"
                store.correct("spam", k, labels[k])
                left = [*(each for each in left if each != k), k]  # it counts from now on
        since = receipt.seqs[3]
        events = {event.id: event.seq for event in store.history("spam")}
        spans = (
            [k for k in left if events[str(k)] < since],
            [k for k in left if events[str(k)] >= since],
        )
        if not all(spans):
            with pytest.raises(ValueError, match="Both spans need rows"):
                store.drift("spam", since)
            return
        models = [
            by.TextClassifier().fit([MAILS[k] for k in span], [labels[k] for k in span])
            for span in spans
        ]
        assert store.drift("spam", since) == by.drift(*models)


def test_of_a_table_it_is_that_of_the_rows_learned_at_once(store):
    random = np.random.default_rng(0)
    columns = {"heat": random.normal(size=2500), "sky": random.choice(["rain", "sun"], size=2500)}
    play = np.where(columns["heat"] + random.normal(size=2500) > 0, "yes", "no")
    columns["heat"][1200:] += 2.0
    store.create("days", by.NaiveBayes())
    receipt = store.learn("days", columns, play)
    found = store.drift("days", receipt.seqs[1200])
    spans = [slice(1200), slice(1200, None)]
    models = [
        by.NaiveBayes().fit({name: cells[span] for name, cells in columns.items()}, play[span])
        for span in spans
    ]
    expected = by.drift(*models)
    assert (found.n_earlier, found.n_later) == (1200, 1300)
    assert found.changes[0].column == "heat"
    for ours, theirs in zip(found.changes, expected.changes, strict=True):
        assert ours.column == theirs.column
        assert ours.change == pytest.approx(theirs.change, rel=1e-9, abs=1e-12)


def test_what_a_model_knew_before_it_came_does_not_count(store):
    fitted = by.TextClassifier().fit(["old news"], ["ham"])
    store.create("spam", fitted)
    receipt = store.learn("spam", MAILS, LABELS)
    assert store.drift("spam", receipt.seqs[2]) == of_rows([0, 1], [2, 3, 4, 5])


def test_texts_are_cut_as_the_model_has_chosen(store):
    fitted = by.TextClassifier("auto").fit(MAILS * 3, LABELS * 3)
    store.create("spam", fitted)
    receipt = store.learn("spam", MAILS, LABELS)
    expected = of_rows([0, 1], [2, 3, 4, 5], **fitted.chosen_.parameters)
    assert store.drift("spam", receipt.seqs[2]) == expected


def test_rows_fade_within_each_span_by_their_times(store, clock):
    store.create("spam", by.TextClassifier(decay="1 days"))
    for k in range(4):
        store.learn("spam", [MAILS[k]], [LABELS[k]])
        clock[0] += DAY
    models = [
        by.TextClassifier().fit(MAILS[k : k + 2], LABELS[k : k + 2], sample_weight=[0.5, 1.0])
        for k in (0, 2)
    ]
    found, expected = store.drift("spam", "2026-05-03"), by.drift(*models)
    assert found.n_earlier == found.n_later == 1.5
    changes = {each.column: each.change for each in expected.changes}
    assert {each.column: each.change for each in found.changes} == pytest.approx(changes)


def test_rows_that_have_left_the_window_do_not_count(store):
    store.create("spam", by.TextClassifier(), window=4)
    receipt = store.learn("spam", MAILS, LABELS)
    assert store.drift("spam", receipt.seqs[4]) == of_rows([2, 3], [4, 5])


def test_what_cannot_be_told_is_refused_with_the_way_out(mails):
    with pytest.raises(ValueError, match="got 6 before and 0 after, with since='2027-01-01'. hist"):
        mails.drift("spam", "2027-01-01")
    with pytest.raises(ValueError, match="got 0 before and 6 after"):
        mails.drift("spam", 0)
    for since in (None, "yesterday", True, float("nan"), [3]):
        with pytest.raises(ValueError, match="since must be the number of an event, or a moment"):
            mails.drift("spam", since)
    mails.create("day", by.JointBayes())
    with pytest.raises(TypeError, match="column by column, .* got a JointBayes. Learn the rows"):
        mails.drift("day", 1)
    mails.compact("spam", keep_rows=False)
    with pytest.raises(UnknownIdError, match="no longer there"):
        mails.drift("spam", "2026-05-02")
