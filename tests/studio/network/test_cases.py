"""Files of cases in the studio: rows as evidence, surprise, tests, learning."""

import io

import numpy as np
import pandas as pd
import pytest

import bayesic as by
from bayesic.datasets import asia
from bayesic.networks.network import BeliefNetwork
from bayesic.studio.network.files import bytes_of, network_of
from helpers.http_server import ask
from helpers.studio_server import Desk, open_example, studying, upload

NET = asia()
ROWS = pd.DataFrame(NET.sample(300, seed=3))
CSV = ROWS.to_csv(index=False).encode()


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    with studying(tmp_path_factory.mktemp("studio") / "studio.store") as address:
        desk = open_example(address)
        assert upload(address, CSV, "rows.csv", "cases")["cases"] == "rows"
        yield desk


def load(desk, text, name="odd.csv"):
    return upload(desk.address, text if isinstance(text, bytes) else text.encode(), name, "cases")


def network(desk, name="asia"):
    data = ask(desk.address, "GET", f"/studio/documents/{name}/file?format=json").bytes
    return network_of(data, "network.json")


def test_a_file_of_cases_tells_its_rows_and_columns(desk):
    (first, *_) = desk.get("cases", of="/studio/")["cases"]
    assert first == {"cases": "rows", "n_rows": 300, "columns": list(ROWS.columns)}
    parquet = io.BytesIO()
    ROWS.to_parquet(parquet)
    told = load(desk, parquet.getvalue(), "rows.parquet")
    assert (told["n_rows"], told["columns"]) == (300, list(ROWS.columns))
    tabs = ROWS.to_csv(index=False, sep="\t")
    assert load(desk, tabs, "rows.tsv")["columns"] == list(ROWS.columns)


@pytest.mark.parametrize("number", [0, 7, 299])
def test_a_row_is_evidence(desk, number):
    row = desk.get(f"cases/rows/row?number={number}")
    states = {name: NET.states(name)[code] for name, code in row["given"].items()}
    assert states == ROWS.iloc[number].to_dict() == row["cells"]
    assert row["left_out"] == []


def test_what_tells_nothing_is_left_out_of_a_row(desk):
    name = load(desk, "xray,smoke,age,dysp\nyes,perhaps,33,\n", "strange.csv")["cases"]
    row = desk.get(f"cases/{name}/row?number=0")
    assert row["given"] == {"xray": 0}
    assert row["left_out"] == ["smoke", "age"]
    assert row["cells"] == {"xray": "yes", "smoke": "perhaps", "age": "33", "dysp": ""}


def test_states_that_are_no_texts_are_found_by_their_text(desk):
    net = BeliefNetwork(tables={"rain": {True: 0.25, False: 0.75}, "level": {1: 0.5, 2: 0.5}})
    other = Desk(desk.address, upload(desk.address, bytes_of(net, "json"), "types.json")["name"])
    name = load(desk, "rain,level\nTrue,2\nFalse,1\n", "types.csv")["cases"]
    assert other.get(f"cases/{name}/row?number=0")["given"] == {"rain": 0, "level": 1}
    surprise = other.post(f"cases/{name}/surprise")
    assert surprise["mean"] == pytest.approx((np.log(0.125) + np.log(0.375)) / 2)


def test_the_least_probable_rows_surprise_most(desk):
    answer = desk.post("cases/rows/surprise", {"version": 0})
    expected = NET.log_probability(ROWS)
    assert answer["mean"] == pytest.approx(expected.mean(), rel=1e-12)
    assert (answer["n_impossible"], answer["n_rows"], len(answer["rows"])) == (0, 300, 100)
    assert [each["number"] for each in answer["rows"]] == np.argsort(expected, stable=True)[
        :100
    ].tolist()
    for each in answer["rows"]:
        assert each["log_probability"] == expected[each["number"]]


def test_rows_that_cannot_happen_are_counted(desk):
    name = load(desk, "tub,either\nyes,no\nyes,yes\n", "clash.csv")["cases"]
    answer = desk.post(f"cases/{name}/surprise")
    assert answer["n_impossible"] == 1
    assert answer["rows"][0] == {"number": 0, "log_probability": "-inf"}
    assert answer["mean"] == pytest.approx(np.log(NET.probability_of({"tub": "yes"})))


def test_a_test_is_that_of_the_library(desk):
    answer = desk.post("cases/rows/test", {"target": "lung"})
    posterior = NET.predict_proba(ROWS, "lung")
    codes = (ROWS["lung"] == "no").to_numpy().astype(int)
    truth = posterior[np.arange(300), codes]
    assert answer["accuracy"] == np.mean(posterior.argmax(axis=1) == codes)
    assert answer["log_loss"] == pytest.approx(-np.log(truth).mean(), rel=1e-12)
    hits = np.eye(2)[codes]
    assert answer["brier"] == pytest.approx(((posterior - hits) ** 2).sum(axis=1).mean(), rel=1e-12)
    table = pd.crosstab(ROWS["lung"], np.array(["yes", "no"])[posterior.argmax(axis=1)])
    for row, truth_of in enumerate(["yes", "no"]):
        for column, told in enumerate(["yes", "no"]):
            count = table.get(told, pd.Series(dtype=int)).get(truth_of, 0)
            assert answer["confusion"][row][column] == count
    assert sum(part["n"] for part in answer["calibration"]) == 300
    assert (answer["n_rows"], answer["n_left_out"], answer["states"]) == (300, 0, ["yes", "no"])


def test_rows_without_the_target_are_left_out_of_a_test(desk):
    name = load(desk, "smoke,lung\nyes,yes\nno,\nyes,perhaps\n", "gaps.csv")["cases"]
    answer = desk.post(f"cases/{name}/test", {"target": "lung"})
    assert (answer["n_rows"], answer["n_left_out"]) == (1, 2)
    assert answer["log_loss"] == pytest.approx(-np.log(0.1))
    assert "no row" in desk.post(f"cases/{name}/test", {"target": "xray"})["refused"].lower()


def test_tables_are_learned_from_cases(desk):
    other = open_example(desk.address)
    body = {"base": 0, "cases": "rows", "what": "tables", "smoothing": 1}
    assert other.post("learn", body) == {"name": other.name, "version": 1, "head": 1}
    expected = BeliefNetwork(NET.edges, states={name: NET.states(name) for name in NET.variables})
    assert network(desk, other.name) == expected.fit(ROWS, smoothing=1)
    assert other.ask(version=0)["probabilities"] == desk.ask(version=0)["probabilities"]
    body |= {"smoothing": ["bdeu", 10], "base": 1}
    assert other.post("learn", body)["version"] == 2
    assert network(desk, other.name) == expected.fit(ROWS, smoothing=("bdeu", 10))
    model = ask(desk.address, "GET", f"/studio/documents/{other.name}/file?format=bayes")
    assert model.headers["content-type"].startswith("application/octet-stream")


def test_rows_with_gaps_are_learned_by_em(desk):
    other = open_example(desk.address)
    gaps = ROWS.drop(columns="either")
    name = load(desk, gaps.to_csv(index=False), "hidden.csv")["cases"]
    body = {"cases": name, "what": "tables", "smoothing": 1}
    assert "either" in other.post("learn", body)["refused"]
    assert other.post("learn", body | {"method": "em"})["version"] == 1
    expected = BeliefNetwork(NET.edges, states={name: NET.states(name) for name in NET.variables})
    expected.fit(gaps, smoothing=1, method="em")
    learned = network(desk, other.name)
    for variable in NET.variables:
        assert np.allclose(learned.table(variable).values, expected.table(variable).values)


def test_edges_are_learned_into_a_new_document(desk):
    new = Desk(desk.address, "found")
    told = {"cases": "rows", "what": "structure", "smoothing": 1, "score": "bic"}
    limits = {"forbidden": [["lung", "either"]], "demanded": [["asia", "xray"]]}
    assert new.post("learn", told | limits) == {"name": "found", "version": 0, "head": 0}
    expected = by.learn_structure(
        ROWS, smoothing=1, required=[("asia", "xray")], forbidden=[("lung", "either")]
    )
    found = network(desk, "found")
    assert {*found.edges} == {*expected.edges}
    assert ("asia", "xray") in found.edges and ("lung", "either") not in found.edges


def test_states_keep_their_order_whatever_edges_are_learned(desk):
    other = open_example(desk.address)
    told = {"cases": "rows", "what": "structure", "smoothing": 1}
    assert other.post("learn", told)["version"] == 1
    learned = network(desk, other.name)
    for variable in NET.variables:
        assert learned.states(variable) == NET.states(variable)
    expected = by.learn_structure(ROWS, smoothing=1)
    assert {*learned.edges} == {*expected.edges}
    ours, theirs = (net.query("lung", given={"xray": "yes"}) for net in (learned, expected))
    assert ours["yes"] == pytest.approx(theirs["yes"], rel=1e-12)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"", "empty.csv"),
        (b"a,b\n", "head.csv"),
        (b"PK", "no.parquet"),
        (b"\xff\xfe\x00", "odd.csv"),
    ],
)
def test_a_strange_table_is_refused_with_a_sentence(desk, data, name):
    before = desk.get("cases", of="/studio/")
    refused = load(desk, data, name)["refused"]
    assert refused.endswith(".") and "/tmp" not in refused
    assert desk.get("cases", of="/studio/") == before


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("cases/nothing/surprise", {}),
        ("cases/rows/test", {"target": "nothing"}),
        ("cases/rows/test", {"target": 7}),
        ("learn", {"cases": "rows", "what": "everything"}),
        ("learn", {"cases": "nothing", "what": "tables"}),
        ("learn", {"cases": ["rows"], "what": "tables"}),
        ("learn", {"cases": "rows", "what": "tables", "smoothing": -1}),
        ("learn", {"cases": "rows", "what": "tables", "method": "magic"}),
        ("learn", {"cases": "rows", "what": "structure", "forbidden": ["lung"]}),
        ("learn", {"cases": "rows", "what": "structure", "demanded": [["lung", "nothing"]]}),
        ("learn", {"cases": "rows", "what": "structure", "score": "beauty"}),
    ],
)
def test_what_cannot_be_done_with_cases_is_said_with_a_sentence(desk, path, body):
    assert desk.post(path, body)["refused"].endswith(".")
    assert desk.get("pulse", of="/studio/")["documents"]["asia"] == {"head": 0}


@pytest.mark.parametrize("number", [300, 10**17])
def test_there_is_no_row_behind_the_last(desk, number):
    assert "0 to 299" in desk.get(f"cases/rows/row?number={number}")["refused"]


def test_no_column_of_a_table_is_a_variable(desk):
    name = load(desk, "height\n1.8\n", "heights.csv")["cases"]
    assert "column" in desk.post(f"cases/{name}/surprise")["refused"]
    row = desk.get(f"cases/{name}/row?number=0")
    assert row == {"given": {}, "cells": {"height": "1.8"}, "left_out": ["height"]}
