"""Commands that change the same file at the same time wait for each other: no row is lost."""

import subprocess
import sys

import pytest

import bayesic as by

BAYESIC = [sys.executable, "-m", "bayesic.cli.main"]

HOLDS_THE_FILE = """
import sys, time
from bayesic.files.file_locks import locked
with locked(sys.argv[1], waiting=lambda: None):
    print("locked", flush=True)
    time.sleep(120)
"""

DIES_WHILE_WRITING = """
import os, signal, sys
from bayesic.cli.main import main
os.fsync = lambda number: os.kill(os.getpid(), signal.SIGKILL)
sys.argv = ["bayesic", "update", "tennis.bayes", "tennis.csv"]
main()
"""

no_windows = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")


def started(*words):
    return subprocess.Popen(
        [*BAYESIC, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )


def ended(process):
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out, err


def n_rows(path):
    return int(by.load(path).statistics_.class_count.sum())


def hidden_files(folder):
    return [path.name for path in folder.iterdir() if path.name.startswith(".")]


def test_four_updates_at_once_learn_all_their_rows(folder, model, write):
    for part in range(4):
        days = {"Outlook": [f"Sunny {part}"], "Temperature": ["Hot"], "Humidity": ["High"]}
        write(f"{part}.csv", days | {"Wind": ["Weak"], "PlayTennis": ["No"]})
    for process in [started("update", model, f"{part}.csv") for part in range(4)]:
        ended(process)
    assert n_rows(model) == 14 + 4
    levels = by.load(model).statistics_.columns["Outlook"].levels
    assert {f"Sunny {part}" for part in range(4)} <= set(levels)
    assert hidden_files(folder) == []


def test_merging_into_a_file_forgetting_and_updating_wait_for_each_other(run, folder, model):
    run("fit", "tennis.csv", "--target", "PlayTennis", "--out", "more.bayes")
    at_once = [
        started("merge", model, "more.bayes", "--out", model),
        started("update", model, "tennis.csv"),
        started("forget", model, "tennis.csv"),
    ]
    for process in at_once:
        ended(process)
    assert n_rows(model) == 28


@no_windows
def test_a_command_that_waits_says_so_and_goes_on_when_the_other_is_killed(folder, model):
    command = [sys.executable, "-c", HOLDS_THE_FILE, model]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline().split() == [b"locked"]
        waiting = started("update", model, "tennis.csv")
        told = waiting.stderr.readline()
        assert told == f"note: waiting for another command that changes {model}.\n"
        assert n_rows(model) == 14
        holder.kill()
        holder.wait()
    ended(waiting)
    assert n_rows(model) == 28
    assert hidden_files(folder) == []


@no_windows
def test_a_command_that_is_killed_leaves_the_old_file_and_no_lock(folder, model):
    before = (folder / model).read_bytes()
    died = subprocess.run([sys.executable, "-c", DIES_WHILE_WRITING], capture_output=True)
    assert died.returncode == -9
    assert (folder / model).read_bytes() == before
    assert ended(started("update", model, "tennis.csv"))[1] == ""
    assert n_rows(model) == 28


def test_links_to_a_file_are_that_file(folder, model):
    (folder / "link.bayes").symlink_to(model)
    for process in [started("update", name, "tennis.csv") for name in (model, "link.bayes")]:
        ended(process)
    assert n_rows(model) == 42


def test_a_leftover_of_a_lock_does_no_harm(run, folder, model):
    (folder / ".tennis.bayes.lock").touch()
    run("update", model, "tennis.csv")
    assert n_rows(model) == 28
