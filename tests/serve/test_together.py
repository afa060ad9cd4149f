"""Rows that are asked about at the same moment are answered together, each as if it came alone."""

import asyncio
import json
import re
import socket
import warnings
from urllib.parse import urlsplit

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from bayesic.catalogue import MODELS
from bayesic.serve._together import MOST, QuestionBatches
from bayesic.store.journal_events import State
from helpers.coroutines import run
from helpers.examples import at_most
from helpers.http_server import ask, serving
from helpers.model_cases import CASES


def model_of(name):
    return re.match(r"\w+", name)[0]


ALONE = {name for name, entry in MODELS.items() if entry.scores_alone}
TOGETHER = {name: case for name, case in CASES.items() if model_of(name) in ALONE}


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def asked_together(model, rows):
    """What comes back for rows that are asked about in one turn of the loop, and in how many."""
    sizes, state = [], State(1, model)

    def asking(name, function, group):
        sizes.append(len(group))
        return function(group)

    async def all_at_once():
        together = QuestionBatches(asking)
        futures = [together.posterior("model", state, row) for row in rows]
        return await asyncio.gather(*futures, return_exceptions=True)

    return run(all_at_once()), sizes


def test_every_model_that_is_asked_together_is_tried_here():
    assert set(map(model_of, TOGETHER)) == ALONE


@pytest.mark.parametrize("case", TOGETHER.values(), ids=TOGETHER.keys())
@given(data=st.data())
@at_most(10)
def test_a_row_gets_the_same_bits_in_whatever_company(case, data):
    batch = data.draw(case.batch())
    try:
        model = case.fit(batch)
    except ValueError:  # rows that this model cannot learn
        return
    rows = [list(row) if isinstance(row, tuple) else row for row in batch.records * 3]
    found, _ = asked_together(model, rows)
    for row, told in zip(rows, found, strict=True):
        try:
            np.testing.assert_array_equal(told, model.predict_proba([row])[0])
        except (ValueError, TypeError) as error:
            assert str(told) == str(error)


def test_rows_of_one_shape_are_one_question_and_no_question_is_too_long():
    days = [{"sky": "rain", "wind": 9.5}, {"sky": "sun", "wind": 1.0}]
    model = by.NaiveBayes().fit(days, ["stay", "go"])
    _, sizes = asked_together(model, days * MOST)
    assert sizes == [MOST, MOST]
    _, sizes = asked_together(model, [*days, {"sky": "sun", "wind": None}, {"sky": "sun"}])
    assert sizes == [2, 1, 1]


def test_a_row_that_is_refused_is_refused_alone():
    days = [{"sky": "rain", "wind": 9.5}, {"sky": "sun", "wind": 1.0}]
    model = by.NaiveBayes(columns={"wind": "gaussian"}).fit(days, ["stay", "go"])
    asked = [{"sky": "sun", "wind": "strong"}, {"sky": "rain", "wind": "2"}, *days]
    found, _ = asked_together(model, asked)
    assert isinstance(found[0], ValueError) and "strong" in str(found[0])
    for row, told in zip(days, found[2:], strict=True):
        assert np.array_equal(told, model.predict_proba([row])[0])


def test_clients_that_ask_at_once_get_what_each_would_get_alone(tmp_path):
    rng = np.random.default_rng(0)
    rows = [{"sky": str(rng.choice(["rain", "sun"])), "wind": rng.normal()} for _ in range(60)]
    labels = [row["sky"] for row in rows]
    with serving(tmp_path / "mail.store") as address:
        ask(address, "PUT", "/models/plans", {"model": "NaiveBayes"})
        ask(address, "POST", "/models/plans/learn", {"rows": rows, "y": labels})
        alone = [ask(address, "POST", "/models/plans/predict", {"row": row}).json for row in rows]
        parts = urlsplit(address)
        clients = [socket.create_connection((parts.hostname, parts.port), 20) for _ in rows]
        for client, row in zip(clients, rows, strict=True):
            body = json.dumps({"row": row}).encode()
            head = "POST /models/plans/predict HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            client.sendall(head.encode() + body)
        for client, expected in zip(clients, alone, strict=True):
            with client, client.makefile("rb") as answer:
                assert json.loads(answer.read().partition(b"\r\n\r\n")[2]) == expected
