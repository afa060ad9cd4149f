"""Losses as long tables: the same costs as a dict of action, class and cost."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bayesic as by

CREDIT = {"approve": {"good": 0, "bad": 5}, "decline": {"good": 1, "bad": 0}}
TRIPLES = [(truth, action, CREDIT[action][truth]) for truth in ("bad", "good") for action in CREDIT]
COLUMNS = {
    name: [row[place] for row in TRIPLES] for place, name in enumerate(["truth", "action", "cost"])
}
LONG = {
    "triples": TRIPLES,
    "lists": [list(row) for row in TRIPLES],
    "pairs": {(truth, action): cost for truth, action, cost in TRIPLES},
    "pandas": pd.DataFrame(COLUMNS),
    "polars, another order": pl.DataFrame(COLUMNS).select("cost", "action", "truth"),
    "pyarrow": pa.table(COLUMNS),
    "Chinese": pl.DataFrame(
        {"行动": COLUMNS["action"], "真实": COLUMNS["truth"], "代价": COLUMNS["cost"]}
    ),
    "other words": pd.DataFrame(COLUMNS).set_axis(["Class", "Decision", "Loss"], axis=1),
}
POSTERIOR = [[0.05, 0.95], [0.25, 0.75]]  # bad, good


@pytest.mark.parametrize("written", LONG.values(), ids=LONG)
def test_a_long_table_gives_the_decisions_of_the_dict(written):
    classes = ["bad", "good"]
    ours = by.decide(POSTERIOR, written, classes=classes)
    theirs = by.decide(POSTERIOR, CREDIT, classes=classes)
    assert ours.action.tolist() == theirs.action.tolist() == ["approve", "decline"]
    assert ours.risk.tolist() == theirs.risk.tolist()
    truth, taken = ["good", "bad", "bad"], ["approve", "approve", "decline"]
    assert by.decisions.expected_cost(truth, taken, written) == by.decisions.expected_cost(
        truth, taken, CREDIT
    )


@pytest.mark.parametrize("written", LONG.values(), ids=LONG)
def test_a_classifier_decides_by_a_long_table(written, tmp_path):
    X, y = [[1, 1], [1, 0], [0, 1], [0, 0]], ["good", "good", "good", "bad"]
    bank = by.BayesDecision(by.BernoulliNB(), loss=written).fit(X, y)
    assert bank.predict([[1, 1], [0, 0]]).tolist() == ["approve", "decline"]
    bank.save(tmp_path / "bank.bayes")
    assert by.load(tmp_path / "bank.bayes").predict([[0, 0]]).tolist() == ["decline"]


def test_three_columns_of_numbers_are_a_matrix_and_no_triples():
    decision = by.decide([[0.5, 0.25, 0.25]], [[0, 5, 1], [1, 0, 2]])
    assert decision.risk.tolist() == [[1.5, 1.0]]


@pytest.mark.parametrize(
    ("loss", "match"),
    [
        (TRIPLES[:3], "no cost for action 'decline' when the class is 'good'"),
        ([*TRIPLES, TRIPLES[0]], "got two for 'bad' and 'approve'"),
        ([("bad", ["approve"], 1)], "words or numbers, got 'bad' and"),
        ([("bad", "approve", "much")], "loss must hold numbers"),
    ],
)
def test_costs_that_are_missing_or_given_twice_are_refused(loss, match):
    with pytest.raises(ValueError, match=match):
        by.decide(POSTERIOR, loss, classes=["bad", "good"])


# axes that look transposed --------------------------------------------------------------------

TRANSPOSED = {"good": {"approve": 0, "decline": 1}, "bad": {"approve": 5, "decline": 0}}


def test_classes_for_actions_are_noticed_in_the_refusal():
    with pytest.raises(ValueError, match="the axes look transposed"):
        by.decide(POSTERIOR, TRANSPOSED, classes=["bad", "good"])
    with pytest.raises(ValueError, match="the axes look transposed"):
        by.decide(POSTERIOR, [[0, 5, 1], [1, 0, 2]], classes=["bad", "good"])


@pytest.mark.parametrize("first", ["truth", "Class", "真实"])
def test_a_square_table_whose_rows_are_called_truth_is_told_of(first):
    table = pd.DataFrame({first: ["bad", "good"], "bad": [0, 1], "good": [5, 0]})
    for written in (table, table.set_index(first), pl.from_pandas(table)):
        with pytest.warns(UserWarning, match=f"The first column of loss is called '{first}'"):
            by.decide(POSTERIOR, written, classes=["bad", "good"])
    by.decide(POSTERIOR, table.rename(columns={first: "action"}), classes=["bad", "good"])
