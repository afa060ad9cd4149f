"""A store with a million events: how long a server takes to start again, and how much it holds.

python -m benchmarks.serve._server_million STORE        # learns them; prints the memory on the way
"""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import bayesic as by
from benchmarks.serve._serving import Serving, memory_of

MODULE = "benchmarks.serve._server_million"
EVENTS, FEW, AT_ONCE = 1_000_000, 10_000, 10_000
BEHIND = 9_999  # events after the last snapshot, at most
WORDS = [f"word{number:04d}" for number in range(2_000)]
WORDS_OF_A_TEXT = 10
LABELS = ("ham", "spam")


def mails(rng: random.Random, n_mails: int) -> tuple[list[str], list[str]]:
    """Short texts of a small vocabulary: all of it is in the first ten thousand."""
    texts = [" ".join(rng.choices(WORDS, k=WORDS_OF_A_TEXT)) for _ in range(n_mails)]
    return texts, rng.choices(LABELS, k=n_mails)


def learn_all(path: Path) -> None:
    """Learn a million texts, the last of them one by one, and die: print the memory on the way."""
    rng, told = random.Random(0), {}
    with by.open_store(path) as store:
        store.create("spam", by.TextClassifier())
        for number in range(AT_ONCE, EVENTS - BEHIND + 1, AT_ONCE):
            store.learn("spam", *mails(rng, AT_ONCE))
            if number == FEW:
                told["few"] = memory_of(os.getpid())
    with by.open_store(path) as store:
        texts, labels = mails(rng, BEHIND)
        some = zip(texts, labels, strict=True)
        futures = [store.submit("learn", "spam", [text], [label]) for text, label in some]
        for future in futures:
            future.result()
        told["many"] = memory_of(os.getpid())
        print(json.dumps(told), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)


def start(path: Path) -> tuple[float, int]:
    """The seconds until a server answers a first question, and the bytes that it then holds."""
    begin = time.perf_counter()
    with Serving(path) as server:
        status = server.ask("/models/spam/predict", {"row": " ".join(WORDS[:10])})
        seconds = time.perf_counter() - begin
        assert status == 200
        return seconds, memory_of(server.process.pid)


def of_a_million(folder: Path) -> dict[str, float]:
    """All that is measured, by name: seconds and bytes."""
    path = folder / "million.store"
    learned = subprocess.run(
        [sys.executable, "-m", MODULE, str(path)], stdout=subprocess.PIPE, text=True, check=False
    )
    found: dict[str, float] = json.loads(learned.stdout)
    found["killed"], _ = start(path)
    found["closed"], found["started"] = start(path)
    with sqlite3.connect(path) as connection:
        (found["events"],) = connection.execute("select count(*) from event").fetchone()
        connection.execute("delete from snapshot")
    connection.close()
    found["replayed"], _ = start(path)
    small = folder / "small.store"
    with by.open_store(small) as store:
        store.create("spam", by.TextClassifier())
        store.learn("spam", *mails(random.Random(0), FEW))
    _, found["small"] = start(small)
    return found


if __name__ == "__main__":
    learn_all(Path(sys.argv[1]))
