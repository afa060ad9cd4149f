"""Tables from rows with gaps by EM: against exact fractions, other libraries, and its laws."""

import copy
import warnings
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.files.archive import read_archive, refusing, write_archive
from bayesic.networks._learning.estimates import checked_smoothing
from bayesic.networks._learning.expected import em_ascent, start_tables
from bayesic.networks._learning.incomplete import incomplete_rows, objective_of
from bayesic.networks._learning.model_file import restored_network
from bayesic.networks.network import BeliefNetwork
from helpers.comparisons import assert_same, assert_unchanged, state_of
from helpers.enumeration import sparse_networks
from helpers.environment import environment
from helpers.examples import at_most

PARENTS = {"Storm": (), "Bus": (), "Campfire": ("Storm", "Bus")}
STATES = dict.fromkeys(PARENTS, ("no", "yes"))
EDGES = [("Storm", "Campfire"), ("Bus", "Campfire")]
ROWS = {
    "Storm": ["yes", None, "no", "no", None, "yes", None, "no"],
    "Bus": ["yes", "yes", None, "no", None, None, "yes", "yes"],
    "Campfire": ["yes", "no", "yes", None, "yes", "no", "no", "yes"],
}
# [Mitchell] figure 6.3 for Campfire; P(yes), by Storm and Bus
START = {
    "Storm": {(): Fraction(1, 3)},
    "Bus": {(): Fraction(1, 2)},
    "Campfire": {
        ("yes", "yes"): Fraction(4, 10), ("yes", "no"): Fraction(1, 10),
        ("no", "yes"): Fraction(8, 10), ("no", "no"): Fraction(2, 10),
    },
}  # fmt: skip


def network():
    return BeliefNetwork(EDGES, states=STATES)


def probability(tables, name, row):
    yes = tables[name][tuple(row[parent] for parent in PARENTS[name])]
    return yes if row[name] == "yes" else 1 - yes


def completions(row, tables):
    """All ways to fill the gaps of a row, each with its share, and the probability of the row."""
    ways = []
    for states in product(("no", "yes"), repeat=3):
        full = dict(zip(PARENTS, states, strict=True))
        if all(row[name] in (None, full[name]) for name in PARENTS):
            share = Fraction(1)
            for name in PARENTS:
                share *= probability(tables, name, full)
            ways.append((full, share))
    total = sum(share for _, share in ways)
    return [(full, share / total) for full, share in ways], total


def as_arrays(tables):
    arrays = []
    for name, parents in PARENTS.items():
        states = product(("no", "yes"), repeat=len(parents))
        rows = [[1 - tables[name][given], tables[name][given]] for given in states]
        arrays.append(np.array(rows, dtype=float).reshape((2,) * (len(parents) + 1)))
    return arrays


def one_step(tables, pseudo):
    """The next tables and the log of P(rows) before, by enumeration in fractions."""
    count = {name: {} for name in PARENTS}
    log_rows = 0.0
    for cells in zip(*ROWS.values(), strict=True):
        ways, total = completions(dict(zip(ROWS, cells, strict=True)), tables)
        log_rows += np.log(float(total))
        for full, share in ways:
            for name, parents in PARENTS.items():
                key = tuple(full[parent] for parent in parents), full[name]
                count[name][key] = count[name].get(key, Fraction(0)) + share
    after = {}
    for name, parents in PARENTS.items():
        after[name] = {}
        for states in product(("no", "yes"), repeat=len(parents)):
            no, yes = (count[name].get((states, state), Fraction(0)) for state in ("no", "yes"))
            after[name][states] = (yes + pseudo[name]) / (yes + no + 2 * pseudo[name])
    return after, log_rows


def log_prior(tables, pseudo):
    return sum(
        float(pseudo[name]) * float(np.log(table).sum())
        for name, table in zip(PARENTS, as_arrays(tables), strict=True)
        if pseudo[name]
    )


@pytest.mark.parametrize(
    ("smoothing", "pseudo"),
    [
        (0, dict.fromkeys(PARENTS, Fraction(0))),
        (1, dict.fromkeys(PARENTS, Fraction(1))),
        (("bdeu", 4), {"Storm": Fraction(2), "Bus": Fraction(2), "Campfire": Fraction(1, 2)}),
    ],
    ids=["plain", "laplace", "bdeu"],
)
def test_steps_are_those_of_exact_fractions(smoothing, pseudo):
    objective = objective_of(incomplete_rows(ROWS, PARENTS, STATES), checked_smoothing(smoothing))
    exact, tables = START, as_arrays(START)
    for _ in range(3):
        after, log_rows = one_step(exact, pseudo)
        counts, value = objective.expect(tables)
        assert value == pytest.approx(log_rows + log_prior(exact, pseudo), rel=1e-12)
        tables = objective.estimate(counts)
        for ours, theirs in zip(tables, as_arrays(after), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-12)
        exact = {  # fractions double their length with each step
            name: {given: share.limit_denominator(10**15) for given, share in table.items()}
            for name, table in after.items()
        }


def test_the_climb_takes_these_steps():
    objective = objective_of(incomplete_rows(ROWS, PARENTS, STATES), checked_smoothing(1))
    done = em_ascent(objective, as_arrays(START), max_iter=2, tol=0)
    first, _ = one_step(START, dict.fromkeys(PARENTS, Fraction(1)))
    second, log_first = one_step(first, dict.fromkeys(PARENTS, Fraction(1)))
    assert done.trace[0] == pytest.approx(log_first + log_prior(first, dict.fromkeys(PARENTS, 1)))
    for ours, theirs in zip(objective.estimate(done.counts), as_arrays(second), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)


# laws ---------------------------------------------------------------------------------------


@st.composite
def gappy_tables(draw):
    """A network without tables, with all states given, and rows of it with gaps."""
    net, rng = draw(sparse_networks(max_variables=5))
    n_rows = draw(st.integers(1, 12))
    rows = net.sample(n_rows, seed=int(rng.integers(100)))
    share = draw(st.sampled_from([0.0, 0.2, 0.7]))
    hidden = draw(st.sampled_from([*net.variables, ""]))
    table = {
        name: [None if rng.random() < share else cell for cell in cells]
        for name, cells in rows.items()
        if name != hidden or len(rows) == 1
    }
    states = {name: net.states(name) for name in net.variables}
    return BeliefNetwork(net.edges, states=states), table, n_rows


@pytest.mark.parametrize("method", ["em", "gradient"])
@at_most(25)
@given(made=gappy_tables(), smoothing=st.sampled_from([0, 0.5, ("bdeu", 3)]))
def test_the_objective_never_falls_and_counts_are_those_of_the_rows(method, made, smoothing):
    net, table, n_rows = made
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # thirty steps may not be enough
        net.fit(table, smoothing=smoothing, method=method, max_iter=30, tol=1e-9)
    assert np.isfinite(net.trace_).all()
    assert (np.diff(net.trace_) >= 0).all()
    assert net.n_iter_ == len(net.trace_) <= 30
    net.statistics_.checked()
    for counts in net.statistics_.tables().values():
        assert counts.sum() == pytest.approx(n_rows)
    for name in net.variables:
        values = net.table(name).values
        assert np.isfinite(values).all()
        np.testing.assert_allclose(values.sum(axis=-1), 1, atol=1e-12)
    if smoothing == 0:  # no prior: the trace is the log of P(rows), which the network itself gives
        assert net.log_probability(table).sum() >= net.trace_[-1] - 1e-9 * (1 - net.trace_[-1])


def test_complete_rows_are_counted():
    rows = {name: [cell or "no" for cell in cells] for name, cells in ROWS.items()}
    ours, counted = network().fit(rows, smoothing=1, method="em"), network().fit(rows, smoothing=1)
    for name in PARENTS:
        np.testing.assert_allclose(ours.table(name).values, counted.table(name).values, rtol=1e-15)
    assert ours.converged_
    assert (counted.method_, counted.n_iter_, counted.converged_) == (None, 0, True)


def same_tables(ours, theirs, rtol=1e-9):
    assert ours.variables == theirs.variables
    for name in ours.variables:
        assert ours.states(name) == theirs.states(name)
        np.testing.assert_allclose(ours.table(name).values, theirs.table(name).values, rtol=rtol)


def test_order_of_rows_and_weights_for_equal_rows():
    expected = network().fit(ROWS, smoothing=1, method="em")
    turned = {name: cells[::-1] for name, cells in ROWS.items()}
    same_tables(network().fit(turned, smoothing=1, method="em"), expected)
    twice = {name: cells * 2 for name, cells in ROWS.items()}
    weighted = network().fit(ROWS, smoothing=1, sample_weight=[2] * 8, method="em")
    same_tables(network().fit(twice, smoothing=1, method="em"), weighted)
    more = {name: [*cells, "often"] for name, cells in ROWS.items()}
    without = network().fit(more, smoothing=1, sample_weight=[1] * 8 + [0], method="em")
    same_tables(without, expected)  # a row that weighs nothing brings no states


@pytest.mark.parametrize(
    "as_table",
    [
        pd.DataFrame,
        lambda rows: pd.DataFrame(rows).astype("category"),
        lambda rows: pd.DataFrame(rows).astype(pd.CategoricalDtype(["yes", "unused", "no"])),
        pl.DataFrame,
        lambda rows: pl.DataFrame(rows).to_arrow(),
        lambda rows: [
            dict(zip(rows, cells, strict=True)) for cells in zip(*rows.values(), strict=True)
        ],
    ],
    ids=["pandas", "categories", "more categories", "polars", "arrow", "dicts"],
)
def test_any_table(as_table):
    expected = BeliefNetwork(EDGES).fit(ROWS, smoothing=1, method="em")
    same_tables(BeliefNetwork(EDGES).fit(as_table(ROWS), smoothing=1, method="em"), expected)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_file(tmp_path, ending):
    path, frame = tmp_path / f"rows.{ending}", pl.DataFrame(ROWS)
    frame.write_csv(path) if ending == "csv" else frame.write_parquet(path)
    ours = BeliefNetwork(EDGES).fit(path, smoothing=1, method="em")
    same_tables(ours, BeliefNetwork(EDGES).fit(ROWS, smoothing=1, method="em"))


def test_states_of_other_types_and_new_states_after_those_given():
    table = {"rain": [True, None, False, None], "sky": [3, 1, None, 2]}
    net = BeliefNetwork([("rain", "sky")], states={"rain": None, "sky": [2]})
    net.fit(pd.DataFrame(table), method="em")
    assert net.states("sky") == (2, 1, 3)
    assert net.states("rain") == (False, True)


def test_threads_change_no_bit_and_kernels_no_digit():
    rng = np.random.default_rng(3)
    rows = pd.DataFrame(rng.integers(0, 3, (400, 3)), columns=list(PARENTS)).astype("Int64")
    rows = rows.mask(rng.random(rows.shape) < 0.3)
    fits = []
    for threads, kernels in (("1", "compiled"), ("2", "compiled"), ("2", "reference")):
        with environment(BAYESIC_THREADS=threads, BAYESIC_KERNELS=kernels):
            fits.append(BeliefNetwork(EDGES).fit(rows, smoothing=1, method="em"))
    assert fits[0] == fits[1]
    same_tables(fits[0], fits[2])


# hidden variables -------------------------------------------------------------------------------

SYMPTOMS = ("fever", "cough", "rash")


def ill_people(n_rows=300, seed=0):
    """Three symptoms of one hidden illness."""
    rng = np.random.default_rng(seed)
    ill = rng.random(n_rows) < 0.4
    return {
        name: np.where(rng.random(n_rows) < np.where(ill, often, rare), "yes", "no")
        for name, often, rare in zip(SYMPTOMS, (0.9, 0.8, 0.7), (0.2, 0.1, 0.3), strict=True)
    }


def illness():
    return BeliefNetwork([("ill", name) for name in SYMPTOMS], states={"ill": ["no", "yes"]})


def test_a_hidden_variable_is_found_from_the_exact_shares_of_three_symptoms():
    """Three symptoms are enough to tell: the best tables are the true ones, up to the names."""
    ill, often, rare = 0.4, np.array([0.9, 0.8, 0.7]), np.array([0.2, 0.1, 0.3])
    patterns = np.array([*product((False, True), repeat=3)])
    shares = [
        share * np.where(patterns, yes, 1 - yes).prod(axis=1)
        for share, yes in ((ill, often), (1 - ill, rare))
    ]
    table = dict(zip(SYMPTOMS, patterns.T, strict=True))
    weights = 1000 * sum(shares)
    net = illness().fit(
        table, smoothing=0, sample_weight=weights, method="em", tol=1e-13, max_iter=10_000
    )
    best = (weights * np.log(weights / 1000)).sum()
    assert net.trace_[-1] == pytest.approx(best, rel=1e-9)
    order = np.argsort(net.table("fever").values[:, 1])
    np.testing.assert_allclose(net.table("ill").values[order], [1 - ill, ill], atol=1e-3)
    for name, rows in zip(SYMPTOMS, np.stack([rare, often], axis=1), strict=True):
        np.testing.assert_allclose(net.table(name).values[order, 1], rows, atol=1e-3)
    assert set(net.predict(table, "ill")) == {"no", "yes"}


def test_starts_are_seeded_and_the_best_is_kept():
    table = ill_people(60)
    one = illness().fit(table, method="em", seed=4)
    assert illness().fit(table, method="em", seed=4) == one
    assert illness().fit(table, method="em", seed=5) != one
    assert illness().fit(table, method="em", seed=4, starts=4).trace_[-1] >= one.trace_[-1]


def test_no_start_has_a_zero_or_equal_shares():
    known = illness()._states | dict.fromkeys(SYMPTOMS, ("no", "yes"))
    rows = incomplete_rows(ill_people(20), illness()._parents, known)
    for number in range(3):
        for table in start_tables(rows, 0, number):
            assert (table > 0).all()
            assert (table[..., 0] != table[..., 1]).all()
            np.testing.assert_allclose(table.sum(axis=-1), 1)


# other libraries --------------------------------------------------------------------------------


@pytest.mark.parametrize("smoothing", [0, 1])
def test_pyagrum_has_the_same_optimum(smoothing):
    """It starts by chance, and from some starts stops early: below our end, and never above it."""
    pyagrum = pytest.importorskip("pyagrum", reason="pyAgrum is an oracle of this test")
    rng = np.random.default_rng(0)
    storm = rng.integers(0, 2, 200)
    bus = np.where(rng.random(200) < 0.8, storm, 1 - storm)
    fire = np.where(rng.random(200) < 0.7, bus, 1 - bus)
    rows = pd.DataFrame({"Storm": storm, "Bus": bus, "Campfire": fire}).astype(str)
    rows = rows.mask(rng.random(rows.shape) < 0.2)
    ours = BeliefNetwork([("Storm", "Bus"), ("Bus", "Campfire")])
    ours.fit(rows, smoothing=smoothing, method="em", tol=1e-14)
    known = {name: ours.states(name) for name in ours.variables}
    objective = objective_of(
        incomplete_rows(rows, ours._parents, known), checked_smoothing(smoothing)
    )
    template = pyagrum.fastBN("Storm{0|1}->Bus{0|1}->Campfire{0|1}")
    ends = []
    for seed in range(1, 9):
        pyagrum.initRandom(seed)
        learner = pyagrum.BNLearner(rows.fillna("?"), template, ["?"])
        learner.useSmoothingPrior(1) if smoothing else learner.useNoPrior()
        learner.useEMWithDiffCriterion(1e-10)
        learner.EMsetMaxIter(1000)
        theirs = learner.learnParameters(template.dag())
        tables = [theirs.cpt(name).toarray() for name in ours.variables]
        assert objective.expect(tables)[1] <= ours.trace_[-1] + 1e-9
        ends.append((learner.EMnbrIterations(), tables))
    _, longest = max(ends, key=lambda end: end[0])
    for name, table in zip(ours.variables, longest, strict=True):
        np.testing.assert_allclose(ours.table(name).values, table, atol=1e-6)


def test_pgmpy_finds_nothing_to_change():
    """One of its steps from our tables, with a hidden variable: it leaves rows with gaps out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy.factors.discrete import TabularCPD
        from pgmpy.models import DiscreteBayesianNetwork
        from pgmpy.parameter_estimator import DiscreteEM

        table = ill_people(40)
        ours = illness().fit(table, method="em", tol=1e-15, max_iter=20_000)
        names = {name: list(ours.states(name)) for name in ours.variables} | {"ill": [0, 1]}
        start = {
            name: TabularCPD(
                name, 2, ours.table(name).values.reshape(-1, 2).T,
                ours.parents(name) or None, [2] * len(ours.parents(name)) or None, names,
            )
            for name in ours.variables
        }  # fmt: skip
        model = DiscreteBayesianNetwork(ours.edges, latents={"ill"})
        steps = DiscreteEM(init_cpds=start, max_iter=1, show_progress=False)
        steps.fit(model, pd.DataFrame(table))
    for cpd in steps.parameters_:
        order = [cpd.state_names[cpd.variable].index(state) for state in names[cpd.variable]]
        after = np.moveaxis(np.asarray(cpd.values), 0, -1)[..., order]
        np.testing.assert_allclose(ours.table(cpd.variable).values, after, atol=1e-5)


# what cannot be done ----------------------------------------------------------------------------


def test_what_was_expected_is_neither_added_to_nor_taken_from():
    net, counted = (
        network().fit(ROWS, smoothing=1, method="em"),
        network().fit(full_rows(), smoothing=1),
    )
    calls = {
        "partial_fit": lambda: net.partial_fit(full_rows()),
        "forget": lambda: net.forget(full_rows()),
        "merge": lambda: net.merge(counted),
        "leave_one_out": lambda: net.leave_one_out(full_rows(), "Bus"),
        "posterior_uncertainty": lambda: net.posterior_uncertainty("Bus"),
    }
    before = state_of(net)
    for name, call in calls.items():
        with pytest.raises(ValueError, match=rf"{name} needs counts .* method='em'.* Call fit"):
            call()
    with pytest.raises(ValueError, match="merge needs counts"):
        counted.merge(net)
    assert_unchanged(net, before)
    net.fit(full_rows(), smoothing=1)  # all is forgotten: now it is counted
    assert net == counted
    assert net.method_ is None
    net.partial_fit(full_rows())


def full_rows():
    return {name: [cell or "yes" for cell in cells] for name, cells in ROWS.items()}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "newton"}, "method must be one of None, 'em', 'gradient', got 'newton'"),
        ({"starts": 0}, "starts must be a whole number of 1 or more"),
        ({"seed": -1}, "seed must be a whole number of 0 or more"),
        ({"max_iter": 0}, "max_iter must be a whole number of 1 or more"),
        ({"tol": np.nan}, "tol must be a number of 0 or more"),
        ({"smoothing": -1}, "smoothing must be 0 or more"),
        ({"sample_weight": [1, 2]}, "sample_weight must have one weight for each row"),
        ({"table": {name: [] for name in ROWS}}, "no rows"),
        ({"sample_weight": [0] * 8}, "above 0 for at least one row"),
        ({"table": {"Storm": ["yes"], "Bus": ["yes", "no"]}}, "same number of rows"),
    ],
    ids=[
        "method", "starts", "seed", "max_iter", "tol", "smoothing", "weights", "empty", "zero",
        "lengths",
    ],
)  # fmt: skip
def test_bad_input_changes_nothing(options, message):
    net = network().fit(ROWS, method="em")
    before = state_of(net)
    with pytest.raises(ValueError, match=message):
        net.fit(**{"table": ROWS, "method": "em", **options})
    assert_unchanged(net, before)


def test_gaps_without_a_method_are_refused_with_the_way_out():
    with pytest.raises(ValueError, match=r"'Storm' is null in 3 .* method='em'"):
        network().fit(ROWS)
    with pytest.raises(ValueError, match=r"missing 'Storm'.* method='em'"):
        network().fit({name: ROWS[name] for name in ("Bus", "Campfire")})


def test_a_variable_that_is_never_observed_needs_its_states():
    with pytest.raises(ValueError, match=r"never observed .* those of 'ill' .* states=\{'ill'"):
        BeliefNetwork([("ill", "fever")]).fit({"fever": ["yes", "no"]}, method="em")
    with pytest.raises(ValueError, match="'ill'"):
        BeliefNetwork([("ill", "fever")]).fit(
            {"fever": ["yes", "no"], "ill": [None, None]}, method="em"
        )


def test_too_few_steps_are_told():
    with pytest.warns(UserWarning, match="max_iter=2"):
        net = illness().fit(ill_people(), method="em", max_iter=2)
    assert (net.converged_, net.n_iter_) == (False, 2)


# files ------------------------------------------------------------------------------------------


def test_a_file_keeps_how_it_was_learned(tmp_path):
    net = illness().fit(ill_people(50), smoothing=1, method="em")
    net.save(tmp_path / "ill.bayes")
    manifest, arrays = read_archive(tmp_path / "ill.bayes")
    again = restored_network(BeliefNetwork, manifest, arrays)
    same_tables(again, net, rtol=1e-14)
    assert_same(again.statistics_, net.statistics_)
    assert (again.method_, again.n_iter_, again.converged_) == ("em", net.n_iter_, True)
    np.testing.assert_array_equal(again.trace_, net.trace_)
    with pytest.raises(ValueError, match="partial_fit"):
        again.partial_fit(ill_people(50))


@pytest.mark.parametrize(
    "account", [None, {"tuple": ["em", None, True]}, {"tuple": [["em"], 1, 2]}]
)
def test_a_file_that_says_nonsense_is_refused(tmp_path, account):
    path = tmp_path / "ill.bayes"
    illness().fit(ill_people(50), smoothing=1, method="em").save(path)
    manifest, arrays = read_archive(path)
    pairs = manifest["extra"]["dict"]
    manifest["extra"] = {"dict": [[k, account if k == "account" else v] for k, v in pairs]}
    write_archive(path, copy.deepcopy(manifest), arrays)
    with pytest.raises(ValueError), refusing(path):
        restored_network(BeliefNetwork, *read_archive(path))
