"""A store, empty or with some mails."""

import pytest

import bayesic as by
from bayesic.store import _journal
from helpers.clocks import standing_clock
from helpers.stores import LABELS, TEXTS


@pytest.fixture
def path(tmp_path):
    return tmp_path / "models.store"


@pytest.fixture
def clock(monkeypatch):
    return standing_clock(monkeypatch, _journal, "wall_clock")


@pytest.fixture
def store(path):
    with by.open_store(path) as opened:
        yield opened


@pytest.fixture
def mail(store):
    store.create("spam", by.TextClassifier())
    store.learn("spam", TEXTS, LABELS, ids=["m1", "m2", "m3", "m4"])
    return store
