"""Damaged journals, and models that are pickled while they answer.

The law of a journal: whatever byte of a closed store changes, each question is answered as before
or refused by one of the errors of the store; and if `verify` says that all is well, the models and
their histories are those that were acknowledged.
"""

import pickle
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import bayesic as by
from bayesic.store.errors import StoreError
from bayesic.store.model_bytes import bytes_of
from junk_values import spoiled_bytes

Case = Callable[[], Any]
NAMES = ("plans", "mails")
ROWS = {"sky": ["rain", "sun", "snow"] * 4, "wind": [1.0, 2.5, 7.0, 0.5] * 3}
PLAYS = ["stay", "go", "go"] * 4


@cache
def _kept() -> tuple[bytes, dict[str, Any]]:
    """The file of a closed store, and all that was acknowledged."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "store"
        with by.open_store(path, snapshot_every=5) as store:
            store.create("plans", by.NaiveBayes())
            store.create("mails", by.TextClassifier())
            for number, play in enumerate(PLAYS):
                row = {name: column[number] for name, column in ROWS.items()}
                store.learn("plans", [row], [play], ids=[number])
                store.learn("mails", [f"word{number} {row['sky']}"], [play], ids=[str(number)])
            store.forget("plans", [3])
            store.correct("mails", "4", "go")
            told = {name: _told(store, name) for name in NAMES}
        return path.read_bytes(), told


def _told(store: Any, name: str) -> tuple[bytes, list]:
    return bytes_of(store.model(name)), [str(event) for event in store.history(name)]


def journal_bytes(random: Random) -> Case:
    """A closed store with a byte changed, or some."""
    content, told = _kept()
    if random.random() < 0.7:
        place = random.randrange(len(content))
        changed = bytearray(content)
        changed[place] ^= 1 << random.randrange(8)
        content = bytes(changed)
    else:
        content = spoiled_bytes(random, content)
    return lambda: _asked_all(content, told)


def _asked_all(content: bytes, told: dict[str, Any]) -> None:
    path = Path("store")
    path.write_bytes(content)
    try:
        with by.open_store(path) as store:
            is_well, seen = _quietly(lambda: store.verify().ok), {}
            for name in NAMES:
                seen[name] = _quietly(lambda name=name: _told(store, name))
                _quietly(lambda name=name: store.export(name, f"{len(name)}.csv"))
                _quietly(lambda name=name: store.at(name, 8))
                _quietly(lambda name=name: store.replay(name))
    except StoreError:
        return  # it cannot be opened, and says so
    except Exception as error:
        raise AssertionError(f"a bare {type(error).__name__}: {error}") from error
    if is_well and seen != told:
        raise AssertionError("verify says that all is well, and what was learned is another")


def _quietly(ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except StoreError:
        return None


# pickles --------------------------------------------------------------------------------------

MODELS = (
    by.NaiveBayes, by.TreeAugmentedNB, by.AveragedOneDependence, by.JointBayes, by.BayesForest,
)  # fmt: skip


def pickled_while_asked(random: Random) -> Case:
    """A model that two threads ask while a third pickles it: the copy answers as the model does."""
    Model, times = random.choice(MODELS), random.randrange(1, 6)
    return lambda: _raced(Model(), times)


def _raced(model: Any, times: int) -> None:
    model.fit(ROWS, PLAYS)
    start, faults = threading.Barrier(3), []

    def ask(verb: str) -> None:
        start.wait()
        try:
            for _ in range(times):
                getattr(model, verb)(ROWS)
        except Exception as error:
            faults.append(error)

    threads = [threading.Thread(target=ask, args=[verb]) for verb in ("predict_proba", "explain")]
    for thread in threads:
        thread.start()
    start.wait()
    try:
        copies = [pickle.loads(pickle.dumps(model)) for _ in range(times)]
    finally:
        for thread in threads:
            thread.join()
    if faults:
        raise AssertionError(f"asked while it is pickled: {faults[0]!r}")
    expected = model.predict_proba(ROWS)
    if not all(np.array_equal(copy.predict_proba(ROWS), expected) for copy in copies):
        raise AssertionError("a pickled model answers otherwise")
