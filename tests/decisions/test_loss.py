"""Losses: the same costs from an array, a dict or a table, and what is refused."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from bayesic.decisions.loss import as_loss, expected_loss

CREDIT = {"approve": {"good": 0, "bad": 5}, "decline": {"good": 1, "bad": 0}}
COLUMNS = {"action": ["approve", "decline"], "good": [0, 1], "bad": [5, 0]}


def index_of_names() -> pd.DataFrame:
    return pd.DataFrame(CREDIT).T


TABLES = {
    "pandas": pd.DataFrame(COLUMNS),
    "pandas, some rows": pd.DataFrame(COLUMNS, index=[3, 7]),
    "pandas, index of names": index_of_names(),
    "pandas, index with a name": pd.DataFrame(COLUMNS).set_index("action"),
    "pandas, nullable": pd.DataFrame(COLUMNS).convert_dtypes(),
    "polars": pl.DataFrame(COLUMNS),
    "pyarrow": pa.table(COLUMNS),
}


def test_expected_loss_of_fractions_that_floats_can_hold_is_exact():
    risk = expected_loss(np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([[0, 5], [1, 0], [2, 2]]))
    assert risk.tolist() == [[1.25, 0.75, 2.0], [2.5, 0.5, 2.0]]


# the same costs, whatever they are written in -------------------------------------------------


@pytest.mark.parametrize("written", [CREDIT, *TABLES.values()], ids=["dict", *TABLES])
def test_names_and_costs_are_the_same_from_a_dict_and_from_any_table(written):
    loss = as_loss(written)
    assert loss.actions == ("approve", "decline")
    assert loss.classes == ("good", "bad")
    assert loss.matrix.tolist() == [[0.0, 5.0], [1.0, 0.0]]


@pytest.mark.parametrize("written", [CREDIT, *TABLES.values()], ids=["dict", *TABLES])
def test_columns_follow_the_order_of_the_classes(written):
    loss = as_loss(written, classes=("bad", "good"))
    assert loss.classes == ("bad", "good")
    assert loss.matrix.tolist() == [[5.0, 0.0], [0.0, 1.0]]


def test_actions_of_a_dict_may_list_the_classes_in_different_orders():
    loss = as_loss({"approve": {"good": 0, "bad": 5}, "decline": {"bad": 0, "good": 1}})
    assert loss.classes == ("good", "bad")
    assert loss.matrix.tolist() == [[0.0, 5.0], [1.0, 0.0]]


def test_numbers_may_name_actions_and_classes():
    costs = {-1: {-1: 0, 1: 2}, 1: {-1: 3, 1: 0}}
    for written in (costs, pd.DataFrame(costs).T.rename_axis("action")):
        loss = as_loss(written, classes=(-1, 1))
        assert loss.actions == (-1, 1)
        assert loss.matrix.tolist() == [[0.0, 2.0], [3.0, 0.0]]


def test_classes_that_are_numbers_are_found_under_names_that_are_text():
    table = pl.DataFrame({"action": ["keep", "drop"], "1": [4, 0], "-1": [0, 7]})
    loss = as_loss(table, classes=(-1, 1))
    assert loss.classes == (-1, 1)
    assert loss.matrix.tolist() == [[0.0, 4.0], [7.0, 0.0]]


def test_a_pandas_table_with_numbers_as_column_names_is_a_loss():
    table = pd.DataFrame([[0, 2], [3, 0]], index=["keep", "drop"])
    assert as_loss(table, classes=(0, 1)).matrix.tolist() == [[0.0, 2.0], [3.0, 0.0]]


def test_an_array_has_the_names_of_the_classes_only_if_it_has_as_many_rows():
    classes = ("ham", "spam")
    assert as_loss([[0, 1], [1, 0]], classes).actions == classes
    assert as_loss([[0, 1], [1, 0], [0.5, 0.5]], classes).actions == (0, 1, 2)
    assert as_loss([[0, 1], [1, 0]]).actions == (0, 1)


def test_without_a_loss_every_mistake_costs_one():
    loss = as_loss(None, classes=("ham", "news", "spam"))
    assert loss.actions == loss.classes == ("ham", "news", "spam")
    assert loss.matrix.tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def test_a_loss_cannot_be_written_to_and_the_array_given_stays_writable():
    given_array = np.array([[0.0, 1.0], [1.0, 0.0]])
    loss = as_loss(given_array)
    with pytest.raises(ValueError, match="read-only"):
        loss.matrix[0, 0] = 7
    given_array[0, 0] = 7


# what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "written",
    [
        {"approve": {"good": 0, "bda": 5}, "decline": {"good": 1, "bda": 0}},
        pl.DataFrame({"action": ["approve", "decline"], "good": [0, 1], "bda": [5, 0]}),
    ],
)
def test_names_that_are_no_classes_are_shown_as_a_difference(written):
    match = r"Classes: \['bad', 'good'\], missing in loss: \['bad'\].*no class: \['bda'\]"
    with pytest.raises(ValueError, match=match):
        as_loss(written, classes=("bad", "good"))


def test_a_table_without_names_of_actions_is_told_where_they_belong():
    with pytest.raises(
        ValueError, match=r"missing in loss: \['good'\].*first column has the names"
    ):
        as_loss(pl.DataFrame({"good": [0, 1], "bad": [5, 0]}), classes=("bad", "good"))


def test_a_cost_that_is_left_out_is_named_by_action_and_class():
    loss = {"approve": {"good": 0}, "decline": {"good": 1, "bad": 0}}
    with pytest.raises(ValueError, match=r"no cost for action 'approve' when the class is 'bad'"):
        as_loss(loss)


@pytest.mark.parametrize(
    "written",
    [
        {"approve": {"good": 0, "bad": np.inf}},
        {"approve": {"good": 0, "bad": None}},
        pd.DataFrame({"action": ["approve"], "good": [0], "bad": [np.nan]}),
        pl.DataFrame({"action": ["approve"], "good": [0], "bad": [None]}),
        pa.table({"action": ["approve"], "good": [0], "bad": pa.array([None], pa.int64())}),
    ],
)
def test_costs_that_are_not_finite_are_named_by_action_and_class(written):
    match = "loss must be finite, got (nan|inf) for action 'approve' in class 'bad'"
    with pytest.raises(ValueError, match=match):
        as_loss(written)


@pytest.mark.parametrize(
    ("written", "match"),
    [
        ({}, "at least one of both"),
        ({"approve": {}}, "at least one of both"),
        ({"approve": [0, 5]}, r"dict of costs for each action, got \[0, 5\] for 'approve'"),
        ({"approve": {"good": "little"}}, "loss must hold numbers"),
        ({"approve": {"good": [0, 5]}}, "one cost for each action and class"),
        ([{"good": 0, "bad": 5}], "loss must hold numbers"),
        (
            pl.DataFrame({"action": ["approve"], "good": ["little"]}),
            "loss, class 'good', must hold",
        ),
        (pl.DataFrame({"action": ["approve"]}), "at least one of both"),
        (pl.DataFrame({"action": [], "good": []}), "at least one of both"),
        (pl.DataFrame({"action": ["wait", "wait"], "good": [0, 1]}), r"\['wait'\] more than once"),
        (pl.DataFrame({"action": ["wait", None], "good": [0, 1]}), "must all have a name"),
        (pl.DataFrame(COLUMNS).lazy(), "lazy LazyFrame.*collect"),
        (
            pd.DataFrame([["wait", 0, 1]], columns=["action", "good", "good"]),
            r"names, got \['good'\]",
        ),
        (None, "which classes are there"),
    ],
)
def test_losses_that_are_none_are_refused(written, match):
    with pytest.raises((TypeError, ValueError), match=match):
        as_loss(written)
