"""UAI: networks, factors and evidence; what is refused."""

import numpy as np
import pytest

from bayesic.networks.factor_model import FactorModel
from bayesic.networks.factors import Factors
from bayesic.networks.reading import read_evidence, read_network
from helpers.network_examples import WET, assert_refused, read

UAI = """BAYES
2
2 3
2
1 0
2 0 1

2
 0.25 0.75
6
 0.1 0.2 0.7
 0.8 0.1 0.1
"""

MARKOV = UAI.replace("BAYES", "MARKOV")


def test_uai_has_no_names(tmp_path):
    net = read(UAI, tmp_path)
    assert net.variables == ("x0", "x1")
    assert net.states("x1") == ("0", "1", "2")
    assert net.table("x1").values.tolist() == WET.table("wet").values.tolist()


def test_the_child_of_a_uai_table_is_the_last_of_its_scope(tmp_path):
    turned = UAI.replace("1 0\n2 0 1", "2 0 1\n1 0").replace(
        "2\n 0.25 0.75\n6\n 0.1 0.2 0.7\n 0.8 0.1 0.1",
        "6\n 0.1 0.2 0.7\n 0.8 0.1 0.1\n2\n 0.25 0.75",
    )
    assert read(turned, tmp_path) == read(UAI, tmp_path)


def test_a_markov_file_gives_a_factor_model(tmp_path):
    model = read(MARKOV.replace("0.25 0.75", "1e-300 7"), tmp_path)
    assert isinstance(model, FactorModel)
    assert model.variables == ("x0", "x1")
    assert model.states("x1") == ("0", "1", "2")
    factors = model.factors()
    assert factors.cardinalities == (2, 3)
    assert factors.scopes == ((0,), (0, 1))
    assert factors.tables[0].tolist() == [1e-300, 7.0]
    assert factors.tables[1].shape == (2, 3)


def test_states_of_variables_in_no_scope_are_not_made_up_without_end(tmp_path):
    text = "MARKOV\n2\n2 9000000\n1\n1 0\n2\n1 1\n"
    assert_refused(text, tmp_path, 3, "at most 1,000,000 states, got 9,000,002")


def test_factors_fit_into_uai_only(tmp_path):
    factors = Factors(
        (2, 1), ((1, 0), (), (0,)), (np.ones((1, 2)), np.array(3.5), np.array([0.1, 0.2]))
    )
    model = FactorModel(factors, {"Storm": ["yes", "no"], "Rain": ["always"]})
    model.write(tmp_path / "model.uai")
    again = read_network(tmp_path / "model.uai").factors()
    assert (again.cardinalities, again.scopes) == (factors.cardinalities, factors.scopes)
    assert all(map(np.array_equal, again.tables, factors.tables))
    with pytest.raises(ValueError, match="Factors without names fit into .uai files only"):
        model.write(tmp_path / "model.bif")


MALFORMED = {
    "kind": ("2\n2 3", "two\n2 3", 2, "expected the number of variables"),
    "huge": ("2\n2 3", "1000000000000\n2 3", 2, "at most 200000, got '1000000000000'"),
    "many": ("2\n2 3", "100000\n2 3", 12, "the file ends where the number of states"),
    "huge states": ("2 3\n", "2 9000000\n", 10, "has 18000000 entries, got 6"),
    "no state": ("2 3\n", "2 0\n", 3, "a variable has at least one state, got 0"),
    "scope": ("2 0 1", "2 0 2", 6, "expected the number of a variable, at most 1, got '2'"),
    "twice": ("2 0 1", "2 1 1", 6, "a scope names each variable once"),
    "entries": ("6\n", "5\n", 10, "a factor over variables with 2 x 3 states has 6 entries"),
    "cut": (" 0.8 0.1 0.1\n", "", 11, "the file ends where the entries of a factor"),
    "more": ("0.8 0.1 0.1\n", "0.8 0.1 0.1 0\n", 12, "expected the end of the file, got '0'"),
    "number": ("0.8", "0.8a", 12, "'0.8a' should be a number"),
    "negative": ("0.8", "-0.8", 12, "entries are 0 or more, got -0.8"),
    "no table": ("2 0 1", "2 1 0", 3, "but variable 1 has none"),
    "sum": ("0.25 0.75", "0.25 0.7", 5, "P(x0) must sum to 1"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_file_is_refused_with_line_and_reason(name, tmp_path):
    old, new, line, reason = MALFORMED[name]
    assert old in UAI
    assert_refused(UAI.replace(old, new), tmp_path, line, reason)


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("", {}),
        ("0", {}),
        ("0\n", {}),
        ("2  0 1  17 0", {"x0": "1", "x17": "0"}),
        ("1\n2 0 1 17 0\n", {"x0": "1", "x17": "0"}),
        ("1\n0", {}),
        ("1 3 1", {"x3": "1"}),
    ],
    ids=["empty", "zero", "line", "pairs", "one set", "one empty set", "one pair"],
)
def test_evidence_is_read(text, evidence, tmp_path):
    path = tmp_path / "some.evid"
    path.write_text(text)
    assert read_evidence(path) == evidence


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("many", "expected the number of observed variables"),
        ("2 0 1", "2 observed variables are 4 numbers, got 2"),
        ("2 0 1 0 1", "the variable 0 is observed twice"),
        ("1 2 0 1 3", "the file ends where a variable and its state should come"),
        ("1 1 0 1 3", "another number"),
        ("1 0 -1", "expected a variable and its state"),
        ("2\n1 0 1\n1 3 1", "2 observed variables are 4 numbers, got 6"),
    ],
    ids=["word", "cut", "twice", "odd", "more", "negative", "two sets"],
)
def test_wrong_evidence_is_refused(text, reason, tmp_path):
    path = tmp_path / "some.evid"
    path.write_text(text)
    with pytest.raises(ValueError, match=f"some.evid, line 1: .*{reason}"):
        read_evidence(path)
