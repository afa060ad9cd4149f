"""Long questions: cost before, workers beside, newer questions in place of older ones."""

import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import anyio
import numpy as np
import pytest

from bayesic.datasets import asia
from bayesic.networks.network import BeliefNetwork
from bayesic.studio import workspace as studios
from bayesic.studio._worker_processes import CancelledError, WorkerProcesses
from bayesic.studio.network import _beliefs, _evidence_questions
from bayesic.studio.network._given_evidence import GivenEvidence
from bayesic.studio.workspace import Studio
from helpers import studio_work as work
from helpers.http_server import ask, wait_until
from helpers.studio_server import Desk, studying

WORK = Path(work.__file__).parents[1]


@pytest.fixture(autouse=True)
def findable(monkeypatch):
    """Lets workers import the questions of this test."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(WORK), *sys.path]))


def run(function, *given):
    """What a coroutine returns. A browser may have a loop of its own in this thread."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(anyio.run, function, *given).result()


@pytest.fixture
def workers():
    made = WorkerProcesses()
    yield made
    made.end()


def test_a_worker_answers_as_this_process_does(workers):
    evidence = GivenEvidence({"xray": "yes"})
    found = run(workers.answer, "tab", 1, asia(), _beliefs.beliefs, evidence)
    assert found == _beliefs.beliefs(asia(), evidence)


def test_what_a_function_raises_or_prints_does_not_harm_the_worker(workers):
    async def questions():
        for function in (work.fail, work.vanish):
            with pytest.raises(ValueError) as caught:
                await workers.answer("tab", 1, asia(), function)
            yield caught.value
        yield await workers.answer("tab", 1, asia(), work.print_much)

    async def all_of_it():
        return [each async for each in questions()]

    failed, gone, printed = run(all_of_it)
    assert str(failed) == "It rains."
    assert "lack of memory" in str(gone)
    assert printed == "printed"


def test_a_newer_question_ends_the_older_one_of_its_slot_alone(workers):
    found = {}

    async def one(name, slot, seconds):
        try:
            found[name] = await workers.answer(slot, 1, asia(), work.wait_for, seconds)
        except CancelledError:
            found[name] = "cancelled"

    async def all_of_it():
        async with anyio.create_task_group() as group:
            group.start_soon(one, "old", "tab", 600)
            group.start_soon(one, "other", "another tab", 3)
            await anyio.sleep(1.5)
            group.start_soon(one, "waits", "tab", 600)
            await anyio.sleep(0.1)
            group.start_soon(one, "new", "tab", 0)

    start = time.monotonic()
    run(all_of_it)
    assert found == {"old": "cancelled", "other": 8, "waits": "cancelled", "new": 8}
    assert time.monotonic() - start < 60


def test_workers_keep_the_network(workers):
    async def all_of_it():
        first = await workers.answer("tab", 1, asia(), work.wait_for, 0)
        again = await workers.answer("tab", 1, None, work.wait_for, 0)  # it is not sent again
        rain = BeliefNetwork(states={"rain": ["yes", "no"]})
        other = await workers.answer("tab", 2, rain, work.wait_for, 0)
        return first, again, other

    assert run(all_of_it) == (8, 8, 1)


def test_nothing_is_left_when_a_server_ends(workers):
    async def all_of_it():
        async with anyio.create_task_group() as group:
            group.start_soon(caught)
            await anyio.sleep(1)
            processes.extend(each._process for each in workers._busy.values())
            workers.end()

    async def caught():
        with pytest.raises(CancelledError):
            await workers.answer("tab", 1, asia(), work.wait_for, 600)

    processes = []
    run(all_of_it)
    assert len(processes) == 1
    wait_until(lambda: processes[0].poll() is not None)


# over HTTP ----------------------------------------------------------------------------------------


@pytest.fixture
def wide(tmp_path, monkeypatch):
    """A studio to which everything is long, with ASIA open."""
    monkeypatch.setattr(studios, "QUICK", 0.0)
    studio = Studio()
    studio.documents.add("asia", asia())
    with studying(tmp_path / "studio.store", studio) as address:
        yield address


def in_thread(function, *given, **by_name):
    found = []
    thread = threading.Thread(target=lambda: found.append(function(*given, **by_name)))
    thread.start()
    return thread, found


def test_a_long_question_has_the_same_answer(wide):
    answer = Desk(wide).ask(evidence={"given": {"xray": 0}})
    expected = asia().query(given={"xray": "yes"})
    for name, probabilities in answer["probabilities"].items():
        assert np.array_equal(probabilities, expected[name].probabilities)
    clash = {"given": {"tub": 0, "either": 1}}
    assert Desk(wide).ask(evidence=clash)["impossible"]["variables"] == ["tub", "either"]
    assert "no variable" in Desk(wide).post("ask-next", {"target": "rain"})["refused"]


def test_costly_questions_are_offered_and_not_begun(wide, monkeypatch):
    monkeypatch.setattr(_evidence_questions, "COSTLY", 0.0)
    offered = Desk(wide).ask()["costly"]
    assert (offered["cells"], offered["fits"]) == (asia().cost().cells, True)
    assert 0 < offered["seconds"] < 1
    assert Desk(wide).ask(exact=True)["method"] == "exact"
    assert Desk(wide).ask(samples=1000)["method"] == "likelihood-weighting"


def test_a_newer_question_of_a_tab_cancels_the_older_and_short_ones_never_wait(wide, monkeypatch):
    monkeypatch.setattr(_beliefs, "beliefs", work.wait_for_evidence)
    slow = in_thread(Desk(wide, tab="one").ask, evidence={"given": {"xray": 0}})
    other = in_thread(Desk(wide, tab="two").ask)
    time.sleep(0.5)
    start = time.monotonic()
    assert ask(wide, "GET", "/studio/pulse").status == 200
    assert Desk(wide).show()["version"] == 0
    assert time.monotonic() - start < 5
    assert Desk(wide, tab="one").ask()["waited"] == 0
    for thread, _ in (slow, other):
        thread.join(60)
    assert slow[1][0]["cancelled"] is True
    assert other[1][0]["waited"] == 0


def test_a_page_that_goes_away_ends_its_question(tmp_path, monkeypatch):
    monkeypatch.setattr(studios, "QUICK", 0.0)
    monkeypatch.setattr(_beliefs, "beliefs", work.wait_for_evidence)
    studio = Studio()
    studio.documents.add("asia", asia())
    with studying(tmp_path / "studio.store", studio) as address:
        parts = urlsplit(address)
        connection = HTTPConnection(parts.hostname, parts.port, timeout=30)
        body = b'{"evidence": {"given": {"xray": 0}}}'
        headers = {"content-type": "application/json"}
        connection.request("POST", "/studio/documents/asia/ask", body, headers)
        wait_until(lambda: studio.workers._busy)
        connection.close()
        wait_until(lambda: not studio.workers._busy)
