"""Scores of given structures, and the posterior of several, against exact fractions."""

from fractions import Fraction
from itertools import product
from math import exp, factorial, log, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from bayesic import BeliefNetwork

# [CooperHerskovits] table 1: ten cases of three variables
TEN_CASES = {
    "x1": [1, 1, 0, 1, 0, 0, 1, 0, 1, 0],
    "x2": [0, 1, 0, 1, 0, 1, 1, 0, 1, 0],
    "x3": [0, 1, 1, 1, 0, 1, 1, 0, 1, 0],
}
CHAIN = BeliefNetwork([("x1", "x2"), ("x2", "x3")])
FORK = BeliefNetwork([("x1", "x2"), ("x1", "x3")])
APART = BeliefNetwork(states={"x1": None, "x2": None, "x3": None})


def counted(rows, child, parents, states):
    """Combination of the parents -> how often each state of the child comes with it."""
    counts = {key: [0] * len(states[child]) for key in product(*(states[p] for p in parents))}
    for row in rows:
        counts[tuple(row[p] for p in parents)][states[child].index(row[child])] += 1
    return counts


def exact_k2(rows, net, states):
    """P(D | structure), [CooperHerskovits] theorem 1, as a fraction."""
    return prod(
        Fraction(factorial(len(each) - 1), factorial(sum(each) + len(each) - 1))
        * prod(map(factorial, each))
        for child in net.variables
        for each in counted(rows, child, net.parents(child), states).values()
    )


def rows_of(table):
    return [dict(zip(table, cells, strict=True)) for cells in zip(*table.values(), strict=True)]


BITS = dict.fromkeys(TEN_CASES, (0, 1))


def test_the_two_structures_of_cooper_and_herskovits_have_their_printed_probabilities():
    # [CooperHerskovits] section 2: 2.23e-9 and 2.23e-10
    assert exp(CHAIN.score(TEN_CASES, "k2")) == pytest.approx(2.23e-9, rel=2e-3)
    assert exp(FORK.score(TEN_CASES, "k2")) == pytest.approx(2.23e-10, rel=2e-3)
    found = by.networks.compare({"chain": CHAIN, "fork": FORK}, TEN_CASES)
    chain, fork = (exact_k2(rows_of(TEN_CASES), net, BITS) for net in (CHAIN, FORK))
    assert found.posterior["chain"] == pytest.approx(float(chain / (chain + fork)), rel=1e-12)
    assert found.best == "chain"


@given(st.lists(st.tuples(*[st.integers(0, 1)] * 3), min_size=1, max_size=12))
def test_k2_is_the_exact_fraction(cells):
    table = {name: [row[place] for row in cells] for place, name in enumerate(TEN_CASES)}
    nets = [BeliefNetwork(net.edges, states=BITS) for net in (CHAIN, FORK, APART)]
    exact = [exact_k2(rows_of(table), net, BITS) for net in nets]
    for net, fraction in zip(nets, exact, strict=True):
        assert net.score(table, "k2") == pytest.approx(float(log(fraction)), abs=1e-9)
    found = by.networks.compare(nets, table)
    shares = [float(fraction / sum(exact)) for fraction in exact]
    assert [*found.posterior.values()] == pytest.approx(shares, abs=1e-12)


def test_the_likelihood_is_that_of_relative_frequencies():
    rows = rows_of(TEN_CASES)
    exact = sum(
        n * log(Fraction(n, sum(each)))
        for child in CHAIN.variables
        for each in counted(rows, child, CHAIN.parents(child), BITS).values()
        for n in each
        if n
    )
    assert CHAIN.score(TEN_CASES, "log_likelihood") == pytest.approx(exact, rel=1e-12)
    # five free parameters, ten rows
    assert CHAIN.score(TEN_CASES) == pytest.approx(exact - 5 * log(10) / 2, rel=1e-12)
    assert CHAIN.score(TEN_CASES, "aic") == pytest.approx(exact - 5, rel=1e-12)


def test_bdeu_scores_structures_alike_that_say_the_same():
    back = BeliefNetwork([("x3", "x2"), ("x2", "x1")])
    for score in ("bdeu", ("bdeu", 10), "bic"):
        assert back.score(TEN_CASES, score) == pytest.approx(CHAIN.score(TEN_CASES, score))


def test_a_score_is_that_of_the_search():
    learned = by.learn_structure(TEN_CASES, score="bdeu")
    assert learned.score(TEN_CASES, "bdeu") == pytest.approx(learned.search_.score)


def test_states_that_no_row_has_count():
    rain = {"rain": ["yes", "yes"]}
    two = BeliefNetwork(states={"rain": ["yes", "no"]})
    three = BeliefNetwork(states={"rain": ["yes", "no", "hail"]})
    assert exp(two.score(rain, "k2")) == pytest.approx(float(Fraction(1, 3)))
    assert exp(three.score(rain, "k2")) == pytest.approx(float(Fraction(1, 6)))


def test_a_file_is_scored_like_its_rows(tmp_path):
    lines = [",".join(TEN_CASES), *(",".join(map(str, row.values())) for row in rows_of(TEN_CASES))]
    (tmp_path / "cases.csv").write_text("\n".join(lines), encoding="utf-8")
    for score in ("k2", "bic"):
        assert CHAIN.score(tmp_path / "cases.csv", score) == CHAIN.score(TEN_CASES, score)


def test_a_prior_of_structures_counts():
    chain, fork = (exact_k2(rows_of(TEN_CASES), net, BITS) for net in (CHAIN, FORK))
    expected = float(chain / (chain + 9 * fork))
    for prior in ([0.1, 0.9], {"fork": 0.9, "chain": 0.1}):
        found = by.networks.compare({"chain": CHAIN, "fork": FORK}, TEN_CASES, prior=prior)
        assert found.posterior["chain"] == pytest.approx(expected, rel=1e-12)
    sure = by.networks.compare({"chain": CHAIN, "fork": FORK}, TEN_CASES, prior=[0, 1])
    assert sure.posterior == {"chain": 0.0, "fork": 1.0}


def test_what_cannot_be_compared_is_refused_with_a_sentence():
    with pytest.raises(ValueError, match="two networks or more"):
        by.networks.compare([CHAIN], TEN_CASES)
    with pytest.raises(ValueError, match="same variables.*x3"):
        by.networks.compare([CHAIN, BeliefNetwork([("x1", "x2")])], TEN_CASES)
    with pytest.raises(ValueError, match="never worse"):
        by.networks.compare([CHAIN, FORK], TEN_CASES, "log_likelihood")
    with pytest.raises(ValueError, match="sum to 1"):
        by.networks.compare([CHAIN, FORK], TEN_CASES, prior=[0.5, 0.6])
    with pytest.raises(ValueError, match="sum to 1"):
        by.networks.compare([CHAIN, FORK], TEN_CASES, prior={"chain": 1})
    with pytest.raises(ValueError, match="lacks x3"):
        CHAIN.score({"x1": [0], "x2": [1]})
    with pytest.raises(ValueError, match="'log_likelihood', got 'mdl'"):
        CHAIN.score(TEN_CASES, "mdl")
    narrow = BeliefNetwork(states={"rain": ["yes", "no"]})
    with pytest.raises(ValueError, match="'hail' in row 1"):
        narrow.score({"rain": ["yes", "hail"]})


def test_notebooks_and_prints_show_the_best_first():
    found = by.networks.compare({"fork": FORK, "chain": CHAIN}, TEN_CASES, "bic")
    assert str(found).splitlines()[1].split()[0] == "chain"
    assert "chain" in found._repr_html_()
    assert repr(found) == "<Comparison of 2 structures by bic: chain>"
