"""The first document's table from the command line, and a loss that is a long table."""

import json

import pytest

import bayesic as by


@pytest.fixture
def book(run, write):
    write("book.csv", by.datasets.li_hang().to_dict())
    write("asked.csv", {"X1": [2, 1], "X2": ["S", "M"]})
    return run("fit", "book.csv", "--target", "Y", "--smoothing", "0", "-o", "book.bayes")


def test_the_first_table_comes_out_of_the_command_line(run, book):
    lines = run("predict", "book.bayes", "asked.csv").stdout.splitlines()
    answers = [line.split(",") for line in lines[1:]]
    assert [answer[1] for answer in answers] == ["-1", "-1"]
    assert list(map(float, answers[0][2:])) == pytest.approx([3 / 4, 1 / 4], rel=1e-12)
    shown = json.loads(run("show", "book.bayes", "--json").stdout)
    assert {column["kind"] for column in shown["columns"]} == {"categorical"}


def test_a_column_that_tells_nothing_is_named_in_a_note(run, write, book):
    write("codes.csv", {"code": [1, 2, 3, 4] * 10, "walk": ["in", "in", "out", "out", "out"] * 8})
    told = run("fit", "codes.csv", "--target", "walk", "-o", "codes.bayes")
    assert "note: Some columns tell nothing about the class" in told.stderr
    assert "columns={'code': 'categorical'}" in told.stderr
    smoothed = run("fit", "book.csv", "--target", "Y", "-o", "smoothed.bayes")
    assert "tell nothing" not in book.stderr + smoothed.stderr


def test_a_loss_may_be_a_long_table(run, write, book):
    costs = {"go": {"-1": 0, "1": 9}, "stay": {"-1": 1, "1": 0}}
    rows = [(truth, action, costs[action][truth]) for action in costs for truth in ("-1", "1")]
    columns = dict(zip(("truth", "action", "cost"), zip(*rows, strict=True), strict=True))
    write("long.csv", columns)
    write("wide.csv", {"action": list(costs), "-1": [0, 1], "1": [9, 0]})
    long, wide = (
        run("predict", "book.bayes", "asked.csv", "--loss", name).stdout
        for name in ("long.csv", "wide.csv")
    )
    assert long == wide
    assert "stay" in long  # R(go) = 9/4, R(stay) = 3/4
