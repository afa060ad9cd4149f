"""Tables in, answers out: within limits, block by block, and only while somebody takes them."""

import socket
import threading
from urllib.parse import urlsplit

import numpy as np
import pytest

import bayesic as by
from bayesic.serve._streams import PROBABILITIES_AT_ONCE, ROWS_AT_ONCE
from bayesic.serve.request_limits import RequestLimits
from helpers.http_server import ask, serving, wait_until

CSV, LINES = "text/csv", "application/x-ndjson"
N_CLASSES = 400
TIGHT = RequestLimits(rows=3000, cells=20, probabilities=1000)
SKIES = [{"sky": f"sky {n % 7}", "wind": float(n)} for n in range(N_CLASSES)]
KINDS = {"sky": "categorical", "wind": "gaussian"}


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("stores") / "sky.store", TIGHT) as address:
        with by.connect(address) as store:
            store.create("many", by.NaiveBayes(columns=KINDS))
            store.learn("many", SKIES * 2, [f"class {n}" for n in range(N_CLASSES)] * 2)
            store.create("line", by.LeastSquares())
            store.learn("line", [[1.0], [2.0], [3.0]], [2.0, 4.0, 6.0])
        yield address


@pytest.fixture
def asked(monkeypatch):
    """How many rows the model was asked about, each time."""
    known, predict = [], by.NaiveBayes.predict_proba

    def noting(model, rows):
        answers = predict(model, rows)
        known.append(len(answers))
        return answers

    monkeypatch.setattr(by.NaiveBayes, "predict_proba", noting)
    return known


def table(n_rows, form=CSV, last="1.5"):
    """So many rows, with another number for wind in the last of them."""
    cells = [("sky 1", "1.5")] * (n_rows - 1) + [("sky 1", last)]
    if form == CSV:
        return "\n".join(["sky,wind", *(",".join(row) for row in cells), ""]).encode()
    return "".join(f'{{"sky": "{sky}", "wind": {wind}}}\n' for sky, wind in cells).encode()


def predicted(address, body, form, name="many"):
    return ask(address, "POST", f"/models/{name}/predict", body, content_type=form)


@pytest.mark.parametrize("form", [CSV, LINES])
def test_a_table_is_answered_block_by_block(address, asked, form):
    answer = predicted(address, table(1000, form), form)
    assert answer.status == 200
    assert len(answer.bytes.decode().splitlines()) == 1000 + (form == CSV)
    assert sum(asked) == 1000 and max(asked) * N_CLASSES <= PROBABILITIES_AT_ONCE


def test_blocks_together_are_the_whole_table(address):
    rows = [{"sky": f"sky {n % 9}", "wind": n / 7} for n in range(700)]
    lines = "".join(f"{row['sky']},{row['wind']!r}\n" for row in rows)
    told = predicted(address, f"sky,wind\n{lines}".encode(), CSV).bytes.decode().splitlines()[1:]
    here = by.NaiveBayes(columns=KINDS).fit(SKIES * 2, [f"class {n}" for n in range(400)] * 2)
    found = np.array([list(map(float, line.split(",")[1:])) for line in told])
    assert np.array_equal(found, here.predict_proba(rows))
    assert [line.split(",")[0] for line in told] == here.predict(rows).tolist()


def test_a_model_that_predicts_numbers_answers_in_blocks_too(address):
    n_rows = 2 * ROWS_AT_ONCE + 1
    told = predicted(address, b"x0\n" + b"4\n" * n_rows, CSV, "line").bytes.decode().splitlines()
    assert told[0] == "prediction" and len(told) == n_rows + 1
    assert float(told[-1]) == pytest.approx(8)


@pytest.mark.parametrize("form", [CSV, LINES])
def test_too_many_rows_are_counted_and_refused_before_any_is_answered(address, asked, form):
    answer = predicted(address, table(3001, form), form)
    assert answer.status == 413, answer.bytes
    assert "may bring 3,000 rows, got 3,001" in answer.json["message"]
    assert asked == []


def test_too_many_columns_are_refused(address):
    names = ",".join(f"column {n}" for n in range(21))
    answer = predicted(address, f"{names}\n{'1,' * 20}1\n".encode(), CSV)
    assert answer.status == 413 and "20 cells, got 21" in answer.json["message"]


@pytest.mark.parametrize(("form", "last"), [(CSV, "inf"), (LINES, "1e999")])
def test_a_cell_that_cannot_be_read_is_refused_before_any_row_is_answered(
    address, asked, form, last
):
    answer = predicted(address, table(1500, form, last), form)
    assert answer.status == 422, answer.bytes[:500]
    assert "row 1499" in answer.json["message"]
    assert asked == []


@pytest.mark.parametrize("verb", ["predict", "decide", "evaluate"])
def test_an_answer_in_one_piece_has_a_bound_of_rows_times_classes(address, asked, verb):
    labels = {"y": ["class 1"] * 3} if verb == "evaluate" else {}
    body = {"rows": SKIES[:3]} | labels
    answer = ask(address, "POST", f"/models/many/{verb}", body)
    assert answer.status == 413 and asked == []
    assert "1,000 probabilities, and 3 rows with 400 classes" in answer.json["message"]
    assert "Send 2 rows at a time" in answer.json["message"]
    body = {name: given[:2] for name, given in body.items()}
    assert ask(address, "POST", f"/models/many/{verb}", body).status == 200


def test_tensors_have_the_same_bound(address):
    cells = {"datatype": "FP64", "shape": [3], "data": [1.0, 2.0, 3.0]}
    body = {"inputs": [{"name": "wind", **cells}]}
    answer = ask(address, "POST", "/v2/models/many/infer", body)
    assert answer.status == 413 and "3 rows with 400 classes" in answer.json["error"]


def test_blocks_are_not_computed_for_a_client_that_has_gone(tmp_path, monkeypatch):
    goes_on, blocks, predict = threading.Event(), [], by.NaiveBayes.predict_proba

    def waiting(model, rows):
        blocks.append(len(rows))
        if len(blocks) == 2:
            assert goes_on.wait(20)
        return predict(model, rows)

    with serving(tmp_path / "sky.store") as address, by.connect(address) as store:
        store.create("days", by.NaiveBayes(columns=KINDS))
        store.learn("days", SKIES[:2], ["go", "stay"])
        monkeypatch.setattr(by.NaiveBayes, "predict_proba", waiting)
        body, parts = table(9000, LINES), urlsplit(address)
        head = f"POST /models/days/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: {LINES}\r\n"
        with socket.create_connection((parts.hostname, parts.port)) as connection:
            connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            wait_until(lambda: len(blocks) == 2)
        wait_until(lambda: 'route="/models/{name}/predict"' in metrics(address))
        goes_on.set()
        ask(address, "POST", "/models/days/predict", {"row": SKIES[0]})
    assert len(blocks) == 3  # two of the table, and the one row


def metrics(address):
    return ask(address, "GET", "/metrics").bytes.decode()
