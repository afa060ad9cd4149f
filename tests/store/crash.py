"""Kill -9 a process that learns, at random moments, and look at what is left in its store.

    python tests/store/crash.py --kills 1000
    python tests/store/crash.py --syncs 200        # needs strace

Four clients learn, correct and forget. Each writes down what it is about to do, and that it was
told that it is done. After each kill: all that was acknowledged is there, nothing was learned
twice, the model is that of the rows that are left, and `verify` finds nothing. What was not yet
acknowledged may be there or not.

--syncs counts system calls instead: each commit must have waited for the disk.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from itertools import count
from pathlib import Path

import bayesic as by

CLIENTS = 4
KILLS_OF_A_STORE = 50
WORDS = ["free", "money", "lunch", "today", "rain", "雨", "prize", "win", "meeting"]
LABELS = ["ham", "spam"]
GONE = None  # what an id means once it is forgotten


def client(store, number, turn, log):
    """Learn, correct and forget until the process is killed."""
    rng, mine, parent = random.Random(f"{turn} {number}"), [], os.getppid()
    for step in count():
        if os.getppid() != parent:
            os._exit(1)  # nobody is left to kill it
        verb = rng.choice(["learn", "learn", "learn", "correct", "forget"]) if mine else "learn"
        if verb == "learn":
            ids = [f"{turn}-{number}-{step}-{k}" for k in range(rng.randint(1, 3))]
            labels = [rng.choice(LABELS) for _ in ids]
            texts = [" ".join(rng.choices(WORDS, k=4)) for _ in ids]
            given, meant = (texts, labels, ids), dict(zip(ids, labels, strict=True))
            mine += ids
        elif verb == "correct":
            id, label = rng.choice(mine), rng.choice(LABELS)
            given, meant = (id, label), {id: label}
        else:
            id = mine.pop(rng.randrange(len(mine)))
            given, meant = ([id],), {id: GONE}
        log.write(f"try {meant!r}\n")
        getattr(store, verb)("spam", *given)
        log.write(f"done {meant!r}\n")


def live(path, turn):
    """Open the store and let the clients work."""
    with by.open_store(path, snapshot_every=100) as store:
        store.create("spam", by.TextClassifier(), classes=LABELS)
        threads = []
        for number in range(CLIENTS):
            log = path.with_name(f"{turn}-{number}.log").open("w", buffering=1)
            threads.append(threading.Thread(target=client, args=(store, number, turn, log)))
            threads[-1].start()
        for thread in threads:
            thread.join()


def allowed(folder):
    """What each id may mean: as acknowledged, or as was tried at the end."""
    told, tried, n_done = {}, {}, 0
    for log in folder.glob("*.log"):
        last = {}
        for line in log.read_text().splitlines():
            word, _, meant = line.partition(" ")
            try:
                last = eval(meant)  # our own words
            except SyntaxError:  # the last line was cut off: then it was not yet tried
                break
            if word == "done":
                told |= last
                n_done += 1
                last = {}
        tried |= last
    return told, tried, n_done


def problems_of(path):
    """What is wrong with the store after a kill, and how many calls were acknowledged."""
    told, tried, n_done = allowed(path.parent)
    with by.open_store(path) as store:
        if not store.models():  # killed before anything
            return [f"lost {id}" for id in told], n_done, 0
        verified, problems = store.verify(), []
        rows = {}
        for event in store.history("spam"):
            rows[event.id] = GONE if event.op == "forget" else event.row and event.row.y
        rows.pop("", None)
        counted = Counter(label for label in rows.values() if label is not GONE)
        held = store.model("spam")
        n_of_class = held.class_count_.tolist() if hasattr(held, "classes_") else [0, 0]
    if not verified.ok:
        problems += verified.problems
    if n_of_class != [counted[label] for label in LABELS]:
        problems.append(f"The model counts {n_of_class}, its rows are {counted}.")
    for id in told.keys() | tried.keys() | rows.keys():
        may_be = [each[id] for each in (told, tried) if id in each] + ([GONE] * (id not in told))
        if rows.get(id) not in may_be:
            problems.append(f"{id} is {rows.get(id)}, and should be one of {may_be}.")
    unacknowledged = sum(rows.get(id) is not GONE for id in tried.keys() - told.keys())
    return problems, n_done, unacknowledged


def in_child(work):
    """Run this in a process of its own, which need not load the library again; its number."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException as error:
            print(f"{type(error).__name__}: {error}", flush=True)
            os._exit(1)
        os._exit(0)
    return pid


def kill_and_look(kills, seed):
    """After how many of so many kills something was wrong."""
    learn_one_by_one(3)  # so that all is loaded before the first fork
    rng, start = random.Random(seed), time.perf_counter()
    n_bad = n_done = n_kept = 0
    for first in range(0, kills, KILLS_OF_A_STORE):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "mail.store"
            for turn in range(first, min(kills, first + KILLS_OF_A_STORE)):
                pid = in_child(lambda path=path, turn=turn: live(path, turn))
                time.sleep(rng.uniform(0.01, 0.5))
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                n_bad += os.waitpid(in_child(lambda path=path: look(path)), 0)[1] != 0
            done, kept = map(int, (Path(folder) / "found").read_text().split())
        n_kills, seconds = turn + 1, time.perf_counter() - start
        n_done, n_kept = n_done + done, n_kept + kept
        print(
            f"{n_kills} kills in {seconds:.0f} s, {n_bad} with problems; {n_done} calls "
            f"acknowledged, {n_kept} rows kept of the last calls, which were not",
            flush=True,
        )
    return n_bad


def look(path):
    """Say what is wrong, in a process of its own."""
    problems, n_done, n_kept = problems_of(path)
    path.with_name("found").write_text(f"{n_done} {n_kept}")
    for problem in problems:
        print(problem, flush=True)
    os._exit(bool(problems))


def learn_one_by_one(commits):
    """So many commits, one after the other."""
    with tempfile.TemporaryDirectory() as folder, by.open_store(f"{folder}/mail.store") as store:
        store.create("spam", by.TextClassifier())
        for number in range(commits):
            store.learn("spam", [" ".join(WORDS)], ["spam"], ids=[number])


def count_syncs(commits):
    """Whether the system was asked to write to the disk at least once for each commit."""
    if not shutil.which("strace"):
        print("strace is not installed: nothing was counted")
        return 0
    command = ["strace", "-f", "-c", "-e", "trace=fsync,fdatasync", sys.executable, __file__]
    traced = subprocess.run(
        [*command, "--learn", str(commits)], capture_output=True, text=True, check=True
    )
    lines = [line.split() for line in traced.stderr.splitlines() if line.endswith("sync")]
    n_syncs = sum(int(calls) for _, _, _, calls, *_ in lines)  # %, seconds, each, calls
    print(f"{commits} commits: {n_syncs} fsync and fdatasync")
    return int(n_syncs < commits)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--syncs", type=int, default=0)
    parser.add_argument("--learn", type=int, default=0, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.learn:
        learn_one_by_one(asked.learn)
        sys.exit()
    sys.exit(
        (kill_and_look(asked.kills, asked.seed) if asked.kills else 0)
        + (count_syncs(asked.syncs) if asked.syncs else 0)
    )
