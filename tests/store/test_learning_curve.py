"""How good a model was while it learned: the same as predicting each row, then learning it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from helpers.examples import at_most
from helpers.stores import DAYS, LABELS, PLAY, TEXTS


def by_hand(model, rows, labels):
    """Accuracy and log loss so far after each row that could be predicted."""
    right, lost, found = 0.0, 0.0, []
    for row, label in zip(rows, labels, strict=True):
        if hasattr(model, "classes_") and label in model.classes_.tolist():
            posterior = dict(
                zip(model.classes_.tolist(), model.predict_proba([row])[0], strict=True)
            )
            right += max(posterior, key=posterior.__getitem__) == label
            lost -= np.log(posterior[label])
            found.append((right / (len(found) + 1), lost / (len(found) + 1)))
        model.partial_fit([row], [label])
    return found


def told(points):
    return [(point.accuracy, point.log_loss) for point in points]


@at_most(20)
@given(st.lists(st.sampled_from(list(zip(TEXTS, LABELS, strict=True))), min_size=3, max_size=12))
def test_each_row_is_predicted_before_it_is_learned(tmp_path_factory, mails):
    texts, labels = map(list, zip(*mails, strict=True))
    with by.open_store(tmp_path_factory.mktemp("curve") / "mail.store") as store:
        store.create("spam", by.TextClassifier())
        for text, label in mails:
            store.learn("spam", [text], [label])
        found = told(store.learning_curve("spam", points=len(mails)))
    expected = by_hand(by.TextClassifier(choices="hold"), texts, labels)
    assert np.array(found) == pytest.approx(np.array(expected), abs=1e-12)


def test_rows_that_came_together_are_predicted_one_after_the_other(store):
    store.create("spam", by.TextClassifier())
    store.learn("spam", TEXTS, LABELS)
    assert told(store.learning_curve("spam", points=4)) == [
        pytest.approx(each) for each in by_hand(by.TextClassifier(choices="hold"), TEXTS, LABELS)
    ]


def test_what_was_forgotten_is_no_longer_known_to_what_predicts(store):
    store.create("spam", by.TextClassifier())
    store.learn("spam", ["free", "lunch"], ["spam", "ham"], ids=["m1", "m2"])
    store.learn("spam", ["free"], ["ham"], ids=["m3"])
    store.correct("spam", "m3", "spam")
    store.forget("spam", ["m3"])
    store.learn("spam", ["free"], ["spam"])
    known = by.TextClassifier().fit(["free", "lunch"], ["spam", "ham"])
    last = store.learning_curve("spam")[-1]
    assert last.recent_log_loss == pytest.approx(-np.log(known.predict_proba(["free"])[0, 1]))
    assert last.n_rows == 2


def test_parts_are_told_with_their_event_and_time(store, clock):
    store.create("plans", by.NaiveBayes())
    rows = [dict(zip(DAYS, row, strict=True)) for row in zip(*DAYS.values(), strict=True)]
    for row, label in zip(rows, PLAY, strict=True):
        receipt = store.learn("plans", [row], [label])
    points = store.learning_curve("plans", points=2)
    assert points[-1].seq == receipt.seq
    assert points[-1].time == store.latest("plans", 1)[0].time
    assert len(points) == 1  # the first part has nothing to be predicted by


def test_a_model_that_came_fitted_is_scored_from_the_first_row_on(store):
    store.create("spam", by.TextClassifier().fit(TEXTS, LABELS))
    store.learn("spam", ["free money"], ["spam"])
    assert [point.n_rows for point in store.learning_curve("spam")] == [1]


def test_the_curve_begins_where_the_journal_was_cut(mail):
    mail.compact("spam")
    mail.learn("spam", ["free money"], ["spam"])
    assert [point.n_rows for point in mail.learning_curve("spam")] == [1]


def test_what_predicts_no_class_and_odd_numbers_of_points_are_refused(store):
    store.create("day", by.BeliefNetwork([("storm", "fire")]), smoothing=1)
    with pytest.raises(ValueError, match="Only what predicts classes has a learning curve"):
        store.learning_curve("day")
    store.create("spam", by.TextClassifier())
    with pytest.raises(ValueError, match="points must be a whole number of 1 or more"):
        store.learning_curve("spam", points=0)
    assert store.learning_curve("spam") == []


def test_the_latest_events_come_first_and_in_parts(mail):
    assert [event.id for event in mail.latest("spam", 2)] == ["m4", "m3"]
    last = mail.latest("spam", 2)[-1].seq
    assert [event.op for event in mail.latest("spam", 9, before=last)] == [
        "learn",
        "learn",
        "create",
    ]
    with pytest.raises(ValueError, match="limit must be a whole number"):
        mail.latest("spam", 0)
