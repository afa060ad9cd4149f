import json
from dataclasses import asdict

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.datasets.networks import asia
from bayesic.networks._structure.coded_columns import coded_columns
from bayesic.networks._structure.search import METHODS
from bayesic.networks.structure_learning import learn_structure
from helpers.coded_tables import sampled_rows
from helpers.environment import run_python
from helpers.examples import at_most

ROWS = sampled_rows(asia(), 2000, seed=0)
ORDER = ["asia", "smoke", "tub", "lung", "bronc", "either", "xray", "dysp"]


def options_of(method):
    return {"method": method, "order": ORDER} if method == "k2" else {"method": method}


@pytest.mark.parametrize("method", METHODS)
def test_every_method_gives_a_network_with_tables_and_an_account(method):
    net = learn_structure(ROWS, **options_of(method))
    assert net.variables == tuple(ROWS)
    assert net.states("asia") == ("no", "yes")
    assert not net.variables_without_table
    account = net.search_
    assert account.method == method
    assert list(account.edges) == net.edges
    assert account.score_name == ("k2" if method == "k2" else "bic")
    assert len(str(account).splitlines()) == 1 + len(net.edges)
    parent, child = net.edges[0]
    root = next(name for name in net.variables if not net.parents(name))
    assert net.table(root)["yes"] == pytest.approx(np.mean(ROWS[root] == "yes"))
    assert parent in net.table(child).parents


@pytest.mark.parametrize("method", METHODS)
def test_neither_rows_nor_columns_in_another_order_change_the_edges(method):
    expected = learn_structure(ROWS, **options_of(method))
    rng = np.random.default_rng(1)
    rows = rng.permutation(2000)
    for names in (list(reversed(ROWS)), rng.permutation(list(ROWS)).tolist()):
        other = {name: np.asarray(ROWS[name])[rows] for name in names}
        found = learn_structure(other, **options_of(method))
        assert set(found.edges) == set(expected.edges)
        assert found.search_.score == expected.search_.score
        assert found.variables == tuple(names)


def test_the_seed_of_hashes_has_no_part():
    program = (
        "import json, numpy as np\n"
        "from bayesic.networks.structure_learning import learn_structure\n"
        "rng = np.random.default_rng(0)\n"
        "table = {name: rng.integers(3, size=300) for name in ('rain', 'wet', 'slip', 'wind')}\n"
        "table['slip'] = (table['rain'] + table['wet']) % 3\n"
        "table['wind'] = np.where(rng.random(300) < 0.8, table['rain'], table['wind'])\n"
        "net = learn_structure(table)\n"
        "print(json.dumps([net.edges, net.search_.trace]))\n"
    )
    answers = [run_python(program, PYTHONHASHSEED=seed) for seed in ("1", "2")]
    assert answers[0].stderr == ""
    assert json.loads(answers[0].stdout) == json.loads(answers[1].stdout)


def test_the_same_seed_gives_the_same_network():
    first, second = (learn_structure(ROWS, seed=3, restarts=5) for _ in range(2))
    assert first == second
    assert asdict(first.search_) == asdict(second.search_)


TABLES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table, "dict": dict}


@pytest.mark.parametrize("make", TABLES.values(), ids=TABLES)
def test_any_table_will_do(make):
    columns = {name: values.tolist() for name, values in ROWS.items()}
    assert learn_structure(make(columns)).edges == learn_structure(ROWS).edges


def test_a_list_of_rows_with_booleans_and_numbers_will_do():
    rows = [{"Storm": bool(day % 2), "lights": day % 2 + 1} for day in range(40)]
    net = learn_structure(rows)
    assert len(net.edges) == 1
    assert net.states("lights") == (1, 2)
    assert net.query("lights", given={"Storm": True})[2] == 1.0


def test_the_trace_ends_at_the_score_and_was_never_above():
    account = learn_structure(ROWS, restarts=20).search_
    assert account.trace[-1] == max(account.trace)
    assert account.trace[-1] == pytest.approx(account.score, rel=1e-12)
    assert np.cumsum([step.gain for step in account.steps])[-1] == pytest.approx(
        account.score - learn_structure(ROWS, max_parents=0).search_.score
    )
    assert account.steps[0].change == "add"


def test_the_gain_of_an_edge_is_what_the_score_loses_without_it():
    net = learn_structure(ROWS)
    edge = net.edges[0]
    rest = [other for other in net.edges if other != edge]
    without = learn_structure(
        ROWS, method="exact", required=rest, forbidden=all_edges_but(rest)
    ).search_.score
    assert net.search_.score - without == pytest.approx(net.search_.edges[edge], abs=1e-8)


def all_edges_but(kept):
    return [
        (parent, child)
        for parent in ROWS
        for child in ROWS
        if parent != child and (parent, child) not in kept
    ]


def test_hill_climbing_with_restarts_reaches_the_best_of_all():
    best = learn_structure(ROWS, method="exact").search_.score
    assert learn_structure(ROWS, restarts=30).search_.score == pytest.approx(best, rel=1e-12)


@pytest.mark.parametrize("method", ["hill-climb", "exact", "k2", "pc"])
def test_required_and_forbidden_edges_and_tiers_hold(method):
    free = learn_structure(ROWS, **options_of(method))
    forbidden = free.edges[:1]
    net = learn_structure(
        ROWS,
        **options_of(method),
        required=[("asia", "bronc")],
        forbidden=forbidden,
        tiers=[["asia", "smoke"], ["lung", "tub", "bronc"]],
    )
    assert ("asia", "bronc") in net.edges
    assert not set(forbidden) & set(net.edges)
    late, early = {"lung", "tub", "bronc"}, {"asia", "smoke"}
    assert not [edge for edge in net.edges if edge[0] in late and edge[1] in early]


@pytest.mark.parametrize("method", ["hill-climb", "exact", "k2"])
def test_no_variable_has_more_than_the_most_parents(method):
    for most in (0, 1):
        net = learn_structure(ROWS, **options_of(method), max_parents=most)
        assert max(len(net.parents(name)) for name in net.variables) == most


def test_pc_tells_which_edges_have_no_direction():
    account = learn_structure(ROWS, method="pc", test="chi-squared", significance=0.01).search_
    joined = {frozenset(edge) for edge in account.edges}
    assert account.undirected
    assert {frozenset(edge) for edge in account.undirected} <= joined
    assert " -- " in str(account)


def test_smoothing_is_that_of_the_tables():
    net = learn_structure({"coin": ["heads", "heads", "tails"]}, smoothing=1)
    assert net.table("coin")["heads"] == pytest.approx(3 / 5)


@at_most(20)
@given(st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_equal_rows_are_kept_once_and_count_as_often_as_they_occur(n_columns, seed):
    rng = np.random.default_rng(seed)
    table = {f"coin{number}": rng.integers(2, size=100) for number in range(n_columns)}
    columns = coded_columns(table)
    assert columns.weights is not None
    assert columns.n_samples == 100
    assert len(np.unique(columns.codes, axis=1).T) == columns.codes.shape[1]


# what is refused ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"rain": ["yes", None]}, "null in column 'rain', row 1.*EM learns the tables"),
        ({"rain": [None, None]}, "null in column 'rain', row 0"),
        ({"size": [1.0, np.nan]}, "null in column 'size', row 1"),
        ({"size": [1.5, 2.0]}, "got 1.5 in column 'size'. Cut it into a few states"),
        ({"size": list(range(40))}, "got 40 different ones in column 'size'"),
        ({"rain": []}, "learned from rows, got none"),
    ],
    ids=["text null", "all null", "number null", "fractions", "many numbers", "no rows"],
)
def test_tables_without_states_are_refused(table, message):
    with pytest.raises(ValueError, match=message):
        learn_structure(table)


def test_columns_without_names_are_refused():
    with pytest.raises(TypeError, match="columns must have names"):
        learn_structure(np.zeros((3, 2)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "greedy"}, "method must be one of 'hill-climb'"),
        ({"score": "mdl"}, "score must be one of"),
        ({"restarts": -1}, "restarts must be a whole number of 0 or more"),
        ({"seed": "x"}, "seed must be a whole number"),
        ({"max_parents": -1}, "max_parents must be a whole number of 0 or more"),
        ({"method": "chow-liu", "max_parents": 2}, "'chow-liu' has no max_parents"),
        ({"method": "chow-liu", "forbidden": [("asia", "tub")]}, "'chow-liu' has no forbidden"),
        ({"order": ORDER}, "'hill-climb' has no order.*use method='k2'"),
        ({"required": [("asia", "moon")]}, "required names 'moon', which is no column"),
        ({"required": "asia"}, "a list of edges .parent, child., got 'asia'"),
        ({"forbidden": [("asia",)]}, "forbidden holds pairs"),
        ({"tiers": ["asia"]}, "tiers must be lists of variables"),
        ({"tiers": [["asia"], ["asia"]]}, "in one of the tiers, got 'asia' in two"),
        (
            {"required": [("asia", "tub")], "forbidden": [("asia", "tub")]},
            "asia -> tub cannot be required and forbidden",
        ),
        (
            {"required": [("asia", "tub"), ("tub", "asia")]},
            "must not lead back to where they started",
        ),
        (
            {"required": [("asia", "tub"), ("lung", "tub")], "max_parents": 1},
            "leave room for the required edges",
        ),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_options_that_make_no_sense_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        learn_structure(ROWS, **options)
