"""Models of the last rows, and models whose rows fade, in a store."""

import numpy as np
import pytest

import bayesic as by
from bayesic.store.errors import ClockError
from bayesic.store.model_bytes import bytes_of
from helpers.clocks import DAY, FIRST_OF_MAY


@pytest.fixture
def path(tmp_path):
    return tmp_path / "mail.store"


def words(store):
    return store.model("mail").vocabulary_


# windows ------------------------------------------------------------------------------------------


def test_rows_leave_when_a_span_of_time_has_gone_by(path, clock):
    with by.open_store(path) as store:
        store.create("mail", by.TextClassifier(), window="30 days")
        for day, word in ((0, "free"), (10, "lunch"), (30, "money"), (45, "rain")):
            clock[0] = FIRST_OF_MAY + day * DAY
            store.learn("mail", [word], ["ham"], ids=[word])
            if day == 30:  # a row that is 30 days old has left
                assert words(store) == ("lunch", "money")
        assert words(store) == ("money", "rain")
        assert [event.op for event in store.history("mail")].count("leave") == 2
        assert store.verify().ok


def test_one_call_may_bring_more_rows_than_the_window_has_room_for(path):
    with by.open_store(path) as store:
        store.create("mail", by.TextClassifier(), window=2)
        store.learn("mail", ["old"], ["ham"])
        receipt = store.learn("mail", ["free", "lunch", "money"], ["ham"] * 3, ids=[1, 2, 3])
        assert words(store) == ("lunch", "money")
        assert store.learn("mail", ["free"], ["ham"], ids=[1]).already == (True,)
        assert receipt.seq < store.state("mail").seq
        assert store.verify().ok


def test_the_state_after_a_receipt_has_no_row_that_has_left(path):
    with by.open_store(path) as store:
        store.create("mail", by.TextClassifier(), window=1)
        first, second = (store.learn("mail", [word], ["ham"]) for word in ("free", "rain"))
        assert store.at("mail", first.seq).vocabulary_ == ("free",)
        assert store.at("mail", second.seq).vocabulary_ == ("rain",)


def test_a_reader_sees_the_window_too(path):
    with by.open_store(path) as store, by.open_store(path, read_only=True) as reader:
        store.create("mail", by.TextClassifier(), window=1)
        store.learn("mail", ["free"], ["ham"])
        receipt = store.learn("mail", ["rain"], ["ham"])
        assert reader.wait("mail", receipt.seq).model.vocabulary_ == ("rain",)


def test_what_is_held_is_chosen_anew_as_rows_leave(path):
    random = np.random.default_rng(0)
    with by.open_store(path) as store:
        store.create("rain", by.NaiveBayes(), window=40)

        def learn(n_rows, scale):
            rain = scale * np.exp(random.normal(size=n_rows))
            store.learn("rain", {"rain": rain}, np.where(rain > scale, "wet", "dry"))

        learn(40, 1.0)
        for _ in range(40):
            learn(1, 100.0)
        model = store.model("rain")
        assert model.statistics_.class_count.sum() == 40
        assert model.held_.n_rows >= 36  # of the rows that are there
        assert store.verify().ok


@pytest.mark.parametrize("window", [0, -5, 2.5, "moon", "0 days", True])
def test_what_is_no_window_is_refused(path, window):
    with by.open_store(path) as store:
        with pytest.raises(ValueError, match="window must be"):
            store.create("mail", by.TextClassifier(), window=window)
        assert store.models() == []


def test_rows_either_fade_or_leave(path):
    with by.open_store(path) as store, pytest.raises(ValueError, match="Rows either fade or leave"):
        store.create("mail", by.TextClassifier(decay=10), window=10)


def test_a_window_needs_its_rows(path):
    with by.open_store(path) as store:
        store.create("mail", by.TextClassifier(), window=1)
        store.learn("mail", ["free"], ["ham"])
        with pytest.raises(ValueError, match="needs its rows until they leave it"):
            store.compact("mail", keep_rows=False)


# clocks -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kept", [{"window": "30 days"}, {"decay": "30 days"}])
def test_a_clock_that_leaps_ahead_is_refused_until_somebody_says_that_it_is_right(
    path, clock, kept
):
    window, decay = kept.get("window"), kept.get("decay")
    with by.open_store(path) as store:
        store.create("mail", by.TextClassifier(decay=decay), window=window)
        store.learn("mail", ["free"], ["ham"])
        before = bytes_of(store.model("mail"))
        clock[0] += 14 * 365 * DAY
        for call in (("learn", ["rain"], ["ham"]), ("learn", ["sun"], ["spam"])):
            verb, *given = call
            with pytest.raises(
                ClockError, match=r"says 2040-04-27.*of 2026-05-01.*trust_clock=True"
            ):
                getattr(store, verb)("mail", *given)
        many = [store.submit("learn", "mail", ["rain"], ["ham"]) for _ in range(3)]
        assert all(isinstance(future.exception(), ClockError) for future in many)
        clock[0] = FIRST_OF_MAY + DAY
        assert bytes_of(store.model("mail")) == before
        store.learn("mail", ["lunch"], ["ham"])
        assert words(store) == ("free", "lunch")
    clock[0] += 400 * DAY
    with by.open_store(path, trust_clock=True) as store:
        store.learn("mail", ["rain"], ["ham"])
        assert window is None or words(store) == ("rain",)
    with by.open_store(path) as store:
        store.learn("mail", ["sun"], ["ham"])
        assert store.verify().ok


def test_a_clock_that_is_behind_the_last_event_is_told(path, clock):
    with by.open_store(path) as store:
        store.create("mail", by.TextClassifier(), window="30 days")
    clock[0] -= 2 * DAY
    with pytest.warns(UserWarning, match="behind the last event .* of 2026-05-01 00:00 UTC"):
        by.open_store(path).close()


# fading -------------------------------------------------------------------------------------------


def test_rows_fade_by_the_times_of_the_journal(path, clock):
    mails, labels = ["free money", "lunch today", "rain today"], ["spam", "ham", "ham"]
    with by.open_store(path) as store:
        store.create("mail", by.TextClassifier(decay="2 days"))
        for mail, label in zip(mails, labels, strict=True):
            store.learn("mail", [mail], [label])
            clock[0] += 2 * DAY
        expected = by.TextClassifier().fit(mails, labels, sample_weight=[0.25, 0.5, 1])
        ours = store.predict_proba("mail", mails)
        np.testing.assert_allclose(ours, expected.predict_proba(mails), rtol=1e-12)


@pytest.mark.parametrize("decay", [3, "2 hours"])
def test_a_model_that_fades_is_the_same_bit_for_bit_when_it_is_replayed(path, clock, decay):
    random = np.random.default_rng(0)
    with by.open_store(path, snapshot_every=5) as store:
        store.create("rain", by.NaiveBayes(decay=decay))
        for size in (1, 1, 1, 3, 1, 2, 1, 4):
            rain = random.normal(size=size)
            store.learn("rain", {"rain": rain}, np.where(rain > 0, "wet", "dry"))
            clock[0] += 1234.5
        many = [store.submit("learn", "rain", [{"rain": k}], ["wet"]) for k in range(5)]
        _ = [future.result() for future in many]
        held = bytes_of(store.model("rain"))
        assert store.verify().ok
        assert bytes_of(store.replay("rain")) == held
    with by.open_store(path) as again:
        assert bytes_of(again.model("rain")) == held


def test_a_faded_row_can_be_neither_forgotten_nor_corrected(path):
    with by.open_store(path) as store:
        store.create("mail", by.TextClassifier(decay=5))
        store.learn("mail", ["free"], ["ham"], ids=[1])
        for call in (("forget", [1]), ("correct", 1, "spam")):
            verb, *given = call
            with pytest.raises(ValueError, match="With decay=5 rows fade"):
                getattr(store, verb)("mail", *given)
        assert [event.op for event in store.history("mail")] == ["create", "learn"]
