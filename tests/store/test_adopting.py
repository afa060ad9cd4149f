"""Rows that a model had learned before it came into a store get ids, and can be changed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from bayesic.store.errors import ConflictError, UnknownIdError
from helpers.stores import same

ROWS = [{"sky": sky, "wind": wind} for sky in ("rain", "sun") for wind in (1.0, 2.5, 4.0)] * 2
LABELS = ["stay", "go", "stay", "go", "go", "go"] * 2


@pytest.fixture
def store(tmp_path):
    with by.open_store(tmp_path / "days.store") as store:
        store.create("days", by.NaiveBayes().fit(ROWS, LABELS))
        yield store


def rest(*left_out):
    numbers = [n for n in range(len(ROWS)) if n not in left_out]
    return [ROWS[n] for n in numbers], [LABELS[n] for n in numbers]


def test_to_adopt_changes_no_model_and_is_in_the_journal(store):
    before = store.state("days").model
    receipt = store.adopt("days", ROWS[:2], LABELS[:2], ids=[0, 1])
    assert same(store.state("days").model, before)
    events = store.history("days")[1:]
    assert [(event.op, event.id, event.row.y) for event in events] == [
        ("adopt", "0", "stay"),
        ("adopt", "1", "go"),
    ]
    again = store.adopt("days", ROWS[:2], LABELS[:2], ids=[0, 1])
    assert (again.seqs, again.already) == (receipt.seqs, (True, True))


def test_an_adopted_row_is_forgotten_and_corrected_exactly(store):
    store.adopt("days", ROWS[:2], LABELS[:2], ids=[0, 1])
    store.forget("days", [1])
    assert same(store.model("days"), by.NaiveBayes().fit(*rest(1)))
    store.correct("days", 0, "go")
    rows, labels = rest(0, 1)
    assert same(store.model("days"), by.NaiveBayes().fit([*rows, ROWS[0]], [*labels, "go"]))
    assert store.verify().ok


@pytest.mark.parametrize("is_compacted", [False, True])
def test_a_replay_knows_what_was_taken_out(store, is_compacted):
    store.adopt("days", ROWS[:3], LABELS[:3], ids=[0, 1, 2])
    store.forget("days", [1])
    store.correct("days", 0, "go")
    if is_compacted:
        store.compact("days")
        assert [event.op for event in store.history("days")][1:] == ["adopt", "forget", "correct"]
    expected = store.predict_proba("days", ROWS)
    assert np.allclose(store.replay("days").predict_proba(ROWS), expected, atol=1e-12)
    other = store.replay("days", by.JointBayes())  # it knows only what the journal has
    assert other.class_count_.tolist() == [1, 1]
    assert store.verify().ok


def test_it_is_the_same_after_the_store_was_opened_again(tmp_path):
    path = tmp_path / "days.store"
    with by.open_store(path) as store:
        store.create("days", by.NaiveBayes().fit(ROWS, LABELS))
        store.adopt("days", [ROWS[4]], [LABELS[4]], ids=["monday"])
        store.correct("days", "monday", "stay")
        expected = store.predict_proba("days", ROWS).tolist()
    with by.open_store(path) as store:
        assert store.predict_proba("days", ROWS).tolist() == expected
        assert store.verify().ok


@given(changes=st.lists(st.tuples(st.integers(0, 11), st.sampled_from(["forget", "go", "stay"]))))
def test_any_changes_give_the_model_of_the_rows_that_are_left(tmp_path_factory, changes):
    labels = dict(enumerate(LABELS))
    with by.open_store(tmp_path_factory.mktemp("stores") / "days.store") as store:
        store.create("days", by.NaiveBayes(columns={"wind": "categorical"}).fit(ROWS, LABELS))
        for number, change in changes:
            if number not in labels or len(labels) == 1:
                continue
            if not any(event.id == str(number) for event in store.history("days")):
                store.adopt("days", [ROWS[number]], [labels[number]], ids=[number])
            if change == "forget":
                store.forget("days", [number])
                del labels[number]
            else:
                store.correct("days", number, change)
                labels[number] = change
        known = store.state("days").model.statistics_.class_count.tolist()
        counts = [[*labels.values()].count(label) for label in ("go", "stay")]
        assert known == counts
        assert store.replay("days").statistics_.class_count.tolist() == counts


def test_what_makes_no_sense_is_refused_and_changes_nothing(store):
    store.create("new", by.NaiveBayes())
    store.learn("new", ROWS, LABELS, ids=range(12))
    store.adopt("days", [ROWS[0]], [LABELS[0]], ids=[0])
    n_events = len(store.history("days"))
    with pytest.raises(ValueError, match="had learned nothing when it came into the store"):
        store.adopt("new", ROWS[:1], LABELS[:1], ids=[99])
    with pytest.raises(ValueError, match="give one for each row"):
        store.adopt("days", ROWS[:1], LABELS[:1])
    with pytest.raises(ConflictError, match="belongs to another row"):
        store.adopt("days", [ROWS[1]], [LABELS[1]], ids=[0])
    with pytest.raises(ValueError):
        store.adopt("days", [{"sky": "snow", "wind": 1.0}], ["go"], ids=[7])  # never learned
    store.forget("days", [0])
    with pytest.raises(UnknownIdError, match="was forgotten. Learn it again"):
        store.adopt("days", [ROWS[0]], [LABELS[0]], ids=[0])
    assert len(store.history("days")) == n_events + 1
