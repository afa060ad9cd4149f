"""A model of a store is what one `fit` of the rows in a plain dict gives, whatever happened."""

import shutil
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import bayesic as by
from bayesic.store.errors import ConflictError, UnknownIdError
from bayesic.store.model_bytes import bytes_of
from helpers.comparisons import assert_same
from helpers.examples import at_most

CLASSES = ["ham", "spam", "雨"]
KINDS = {"sky": "categorical", "wind": "gaussian"}
SKIES = {"sky": ("sun", "rain"), "play": ("go", "stay", "read")}
EDGES = [("sky", "play")]

labels = st.sampled_from(CLASSES)
gaps_and_numbers = st.none() | st.integers(-6, 6).map(lambda number: number / 4)
KIND_OF_ROWS = {
    "words": st.lists(st.sampled_from(["free", "lunch", "雨", "rain"]), max_size=4).map(" ".join),
    "cells": st.fixed_dictionaries(
        {"sky": st.sampled_from(["sun", "rain", None]), "wind": gaps_and_numbers}
    ),
    "numbers": st.lists(gaps_and_numbers, min_size=2, max_size=2),
    "states": st.fixed_dictionaries({name: st.sampled_from(SKIES[name]) for name in SKIES}),
}
MODELS = {
    "words": by.TextClassifier,
    "cells": lambda: by.NaiveBayes(columns=KINDS),
    "numbers": lambda: by.GaussianNB(var_smoothing=1e-3),
    "states": lambda: by.BeliefNetwork(EDGES, states=SKIES),
}
TOLD = {"states": {"smoothing": 1}}


def fitted(kind, rows):
    """The model that learns these rows at once."""
    X, y = [x for x, _ in rows], [y for _, y in rows]
    given = [X] if kind == "states" else [X, y]
    return MODELS[kind]().partial_fit(*given, **TOLD.get(kind, {"classes": CLASSES}))


class Life(RuleBasedStateMachine):
    """A store, and a plain dict from ids to rows that says what the model should have learned."""

    kind = "words"
    window = None  # how many rows, the last ones

    def __init__(self):
        super().__init__()
        self.folder = TemporaryDirectory()
        self.path = Path(self.folder.name) / "0.store"
        self.rows, self.left = {}, {}
        self.store = by.open_store(self.path, snapshot_every=4)
        self.n_ids = 0

    @initialize()
    def create(self):
        told = TOLD.get(self.kind, {"classes": CLASSES})
        self.store.create("model", MODELS[self.kind](), **told, window=self.window)

    def drawn(self, data, n_rows):
        x = KIND_OF_ROWS[self.kind]
        y = st.none() if self.kind == "states" else labels
        return data.draw(st.lists(st.tuples(x, y), min_size=n_rows, max_size=n_rows))

    def given(self, rows):
        """What `learn` is given for these rows."""
        y = None if self.kind == "states" else [y for _, y in rows]
        return [x for x, _ in rows], y

    def known(self, data):
        return data.draw(st.sampled_from(sorted(self.rows)))

    @rule(data=st.data(), n_rows=st.integers(1, 4))
    def learn(self, data, n_rows):
        rows = self.drawn(data, n_rows)
        ids = [f"row {self.n_ids + k}" for k in range(n_rows)]
        self.n_ids += n_rows
        receipt = self.store.learn("model", *self.given(rows), ids)
        assert receipt.already == (False,) * n_rows and len(set(receipt.seqs)) == n_rows
        self.keep(ids, rows)

    def keep(self, ids, rows):
        """The dict is in the order in which rows came, or were corrected: the first leave."""
        self.rows |= dict(zip(ids, rows, strict=True))
        while self.window is not None and len(self.rows) > self.window:
            id = next(iter(self.rows))
            self.left[id] = self.rows.pop(id)

    @rule(data=st.data(), sizes=st.lists(st.integers(1, 2), min_size=2, max_size=4))
    def learn_at_the_same_time(self, data, sizes):
        """Calls that wait together are committed together."""
        calls = []
        for size in sizes:
            rows, ids = self.drawn(data, size), [f"row {self.n_ids + k}" for k in range(size)]
            self.n_ids += size
            calls.append(self.store.submit("learn", "model", *self.given(rows), ids))
            self.keep(ids, rows)
        assert all(call.result().already[0] is False for call in calls)

    @precondition(lambda self: self.rows)
    @rule(data=st.data())
    def learn_again(self, data):
        id = self.known(data)
        assert self.store.learn("model", *self.given([self.rows[id]]), [id]).already == (True,)

    @precondition(lambda self: self.left)
    @rule(data=st.data(), label=labels)
    def ask_for_what_has_left(self, data, label):
        id = data.draw(st.sampled_from(sorted(self.left)))
        assert self.store.learn("model", *self.given([self.left[id]]), [id]).already == (True,)
        assert self.store.forget("model", [id]).already == (True,)
        with pytest.raises(UnknownIdError, match="has left the window"):
            self.store.correct("model", id, label)

    @precondition(lambda self: self.rows and self.kind == "words")
    @rule(data=st.data())
    def learn_another_row_under_the_same_id(self, data):
        id = self.known(data)
        with pytest.raises(ConflictError):
            self.store.learn("model", ["a text that nobody wrote"], ["ham"], [id])

    @precondition(lambda self: self.rows)
    @rule(data=st.data())
    def forget(self, data):
        ids = data.draw(st.lists(st.sampled_from(sorted(self.rows)), min_size=1, unique=True))
        self.store.forget("model", ids)
        for id in ids:
            del self.rows[id]

    @rule()
    def forget_what_was_never_learned(self):
        with pytest.raises(UnknownIdError):
            self.store.forget("model", ["no such row"])

    @precondition(lambda self: self.rows)
    @rule(data=st.data(), label=labels, play=st.sampled_from(SKIES["play"]))
    def correct(self, data, label, play):
        id = self.known(data)
        before = x, _ = self.rows[id]
        if self.kind == "states":
            self.store.correct("model", id, {"play": play})
            self.rows[id] = ({**x, "play": play}, None)
        else:
            self.store.correct("model", id, label)
            self.rows[id] = (x, label)
        if self.rows[id] != before:
            self.rows[id] = self.rows.pop(id)  # it counts from its correction on

    @rule()
    def compact(self):
        self.store.compact("model")

    @rule()
    def close_and_open(self):
        self.store.close()
        self.store = by.open_store(self.path, snapshot_every=4)

    @rule()
    def crash(self):
        """What is on the disk at this moment, opened again."""
        after = self.path.with_name(f"{int(self.path.stem) + 1}.store")
        for ending in ("", "-wal"):
            before = Path(f"{self.path}{ending}")
            if before.exists():
                shutil.copy(before, f"{after}{ending}")
        self.store.close()
        self.path, self.store = after, by.open_store(after, snapshot_every=4)

    @invariant()
    def the_model_is_that_of_the_dict(self):
        if not self.store.models() or not self.rows:
            return
        ours, theirs = self.store.state("model").model, fitted(self.kind, [*self.rows.values()])
        is_exact = self.kind in ("words", "states")
        tolerance = 0.0 if is_exact else 1e-12
        assert_same(ours.statistics_, theirs.statistics_, tolerance, scale=20.0)

    def teardown(self):
        with self.folder, self.store:
            if not self.store.models():  # a life can end before it has begun
                return
            held, verified = self.store.state("model").model, self.store.verify()
            self.store.close()
            assert verified.ok, str(verified)
            with by.open_store(self.path, read_only=True) as again:
                assert bytes_of(again.state("model").model) == bytes_of(held)


@pytest.mark.parametrize("kind", MODELS)
def test_whatever_happens_the_model_is_one_fit_of_the_rows_that_are_left(kind):
    run(kind, None)


@pytest.mark.parametrize("kind", MODELS)
def test_whatever_happens_a_window_is_one_fit_of_the_last_rows(kind):
    run(kind, 3)


def run(kind, window):
    machine = type("Life", (Life,), {"kind": kind, "window": window})
    steps = settings(at_most(15), stateful_step_count=15)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run_state_machine_as_test(machine, settings=steps)
