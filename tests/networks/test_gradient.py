"""Tables from rows with gaps along the gradient: checked by numbers, and the same end as EM."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import minimize
from scipy.special import softmax

import bayesic as by
from bayesic.networks._learning.estimates import checked_smoothing
from bayesic.networks._learning.gradient import gradient, nearest_shares, stepped
from bayesic.networks._learning.incomplete import incomplete_rows, objective_of
from bayesic.networks.network import BeliefNetwork
from bayesic.networks.queries._model import factors_of
from helpers.enumeration import joint_table, sparse_networks, with_evidence
from helpers.examples import at_most

EDGES = [("Storm", "Campfire"), ("Bus", "Campfire")]
PARENTS = {"Storm": (), "Bus": (), "Campfire": ("Storm", "Bus")}
STATES = dict.fromkeys(PARENTS, ("no", "yes"))
ROWS = {
    "Storm": ["yes", None, "no", "no", None, "yes", None, "no"],
    "Bus": ["yes", "yes", None, "no", None, None, "yes", "yes"],
    "Campfire": ["yes", "no", "yes", None, "yes", "no", "no", "yes"],
}


class Free:
    """A network whose tables are any numbers: what the derivatives are taken of."""

    def __init__(self, tables):
        self.network = BeliefNetwork(EDGES, states=STATES)
        self.variables, self.states = self.network.variables, self.network.states
        self.tables = tables

    def factors(self):
        sizes = [len(self.network.states(name)) for name in self.network.variables]
        return factors_of(self.network._parents, sizes, self.tables)


def log_rows(tables):
    """log P(rows), from the whole joint table."""
    model = Free(tables)
    joint = joint_table(model)
    rows = [dict(zip(ROWS, cells, strict=True)) for cells in zip(*ROWS.values(), strict=True)]
    observed = [{name: cell for name, cell in row.items() if cell is not None} for row in rows]
    return sum(np.log(with_evidence(model, joint, given).sum()) for given in observed)


def log_objective(tables, pseudo):
    return log_rows(tables) + pseudo * sum(np.log(table).sum() for table in tables)


def objective(smoothing):
    return objective_of(incomplete_rows(ROWS, PARENTS, STATES), checked_smoothing(smoothing))


def some_tables(seed):
    rng = np.random.default_rng(seed)
    return [rng.dirichlet([2, 2], size=(2,) * len(its)) for its in PARENTS.values()]


@pytest.mark.parametrize("smoothing", [0, 0.5])
def test_the_gradient_is_the_numerical_one(smoothing):  # [Mitchell] eq. 6.25
    tables, climbed = some_tables(1), objective(smoothing)
    counts, value = climbed.expect(tables)
    assert value == pytest.approx(log_objective(tables, smoothing), rel=1e-12)
    slopes = gradient(climbed.with_pseudo_counts(counts), tables)
    for number, table in enumerate(tables):
        for entry in np.ndindex(table.shape):
            ends = []
            for change in (1e-5, -1e-5):
                moved = [each.copy() for each in tables]
                moved[number][entry] += change
                ends.append(log_objective(moved, smoothing))
            numerical = (ends[0] - ends[1]) / 2e-5
            assert slopes[number][entry] == pytest.approx(numerical, rel=1e-6)


@at_most(50)
@given(st.integers(0, 1000), st.sampled_from([1e-6, 0.01, 1.0, 50.0]))
def test_every_step_keeps_the_sums_of_rows_at_one(seed, rate):
    tables = some_tables(seed)
    counts, _ = objective(0).expect(tables)
    for table in stepped(counts, tables, rate):
        assert (table > 0).all()
        np.testing.assert_allclose(table.sum(axis=-1), 1, rtol=1e-12)


def test_a_step_is_the_one_of_the_document_up_to_the_way_back_to_sums_of_one():
    """w + eta N / w, from which the same number is taken in each row."""
    tables = [np.array([0.5, 0.3, 0.2])]
    counts, eta = [np.array([3.0, 2.0, 5.0])], 0.001
    [after] = stepped(counts, tables, rate=eta * 10)
    moved = tables[0] + eta * counts[0] / tables[0]
    np.testing.assert_allclose(after, moved - (moved.sum() - 1) / 3, rtol=1e-12)


def test_shares_of_counts_stay_and_dividing_by_the_sum_would_leave_them():
    counts = [np.array([9.0, 1.0])]
    [stays] = stepped(counts, [np.array([0.9, 0.1])], rate=0.1)
    np.testing.assert_allclose(stays, [0.9, 0.1], rtol=1e-12)
    roots = np.array([0.75, 0.25])  # proportional to the square roots of the counts
    divided = roots + 0.01 * counts[0] / roots
    np.testing.assert_allclose(divided / divided.sum(), roots, rtol=1e-12)


@at_most(100)
@given(hnp.arrays(float, (3, 4), elements=st.floats(-5, 5)), st.sampled_from([0.0, 0.01]))
def test_the_nearest_shares_are_the_nearest(points, smallest):
    """No corner lies on the side of the point: the angle there is never acute."""
    shares = nearest_shares(points, smallest)
    assert (shares >= smallest).all()
    np.testing.assert_allclose(shares.sum(axis=-1), 1, atol=1e-12)
    corners = smallest + (1 - 4 * smallest) * np.eye(4)
    for corner in corners:
        assert (((points - shares) * (corner - shares)).sum(axis=-1) <= 1e-12).all()


@pytest.mark.parametrize("smoothing", [0.5, 1])
def test_em_gradient_and_scipy_reach_the_same_optimum(smoothing):
    def tables_of(point):
        return [
            softmax(part.reshape(-1, 2), axis=-1).reshape((2,) * (len(its) + 1))
            for part, its in zip(np.split(point, [2, 4]), PARENTS.values(), strict=True)
        ]

    found = minimize(lambda point: -log_objective(tables_of(point), smoothing), np.zeros(12))
    for method, tol in (("em", 1e-14), ("gradient", 1e-9)):
        net = BeliefNetwork(EDGES, states=STATES).fit(
            ROWS, smoothing=smoothing, method=method, tol=tol
        )
        assert net.converged_
        assert net.trace_[-1] == pytest.approx(-found.fun, rel=1e-8)
        for ours, theirs in zip(net._parents, tables_of(found.x), strict=True):
            np.testing.assert_allclose(net.table(ours).values, theirs, atol=1e-4)


@at_most(10)
@given(made=sparse_networks(max_variables=4))
def test_both_methods_end_together_where_few_cells_are_missing(made):
    net, rng = made
    rows = net.sample(20, seed=int(rng.integers(100)))
    table = {
        name: [None if rng.random() < 0.1 else cell for cell in cells]
        for name, cells in rows.items()
    }
    states = {name: net.states(name) for name in net.variables}
    ends = [
        BeliefNetwork(net.edges, states=states)
        .fit(table, smoothing=1, method=method, tol=tol, max_iter=5000)
        .trace_[-1]
        for method, tol in (("em", 1e-12), ("gradient", 1e-8))
    ]
    assert ends[0] == pytest.approx(ends[1], rel=1e-6)


def test_a_hidden_variable_has_the_same_optimum_by_both_methods():
    rng = np.random.default_rng(0)
    ill = rng.random(200) < 0.4
    chances = zip(("fever", "cough", "rash"), (0.9, 0.8, 0.7), (0.2, 0.1, 0.3), strict=True)
    table = {
        name: np.where(rng.random(200) < np.where(ill, often, rare), "yes", "no")
        for name, often, rare in chances
    }
    ends = []
    for method, tol in (("em", 1e-12), ("gradient", 1e-7)):
        net = BeliefNetwork([("ill", name) for name in table], states={"ill": ["no", "yes"]})
        net.fit(table, smoothing=1, method=method, tol=tol, max_iter=5000)
        order = np.argsort(net.table("fever").values[:, 1])
        ends.append([net.trace_[-1], *net.table("cough").values[order].ravel()])
    np.testing.assert_allclose(ends[0], ends[1], rtol=1e-3)
    assert ends[0][0] == pytest.approx(ends[1][0], rel=1e-8)


# the steps of the book ----------------------------------------------------------------------------

STATES_OF_RAIN = {"Rain": ["no", "yes"], "Wet": ["no", "yes"]}
STEP = {"method": "gradient", "starts": "tables", "max_iter": 1}


def campfire():
    """The campfire of [Mitchell] figure 6.3, with P(Storm) = 1/4 and P(Bus) = 1/2."""
    tables = {"Storm": {True: 0.25, False: 0.75}, "BusTourGroup": {True: 0.5, False: 0.5}}
    return by.datasets.campfire().with_tables(tables)


def test_one_call_is_one_step_of_the_book():
    """(1 + 1/7) / 0.4 = 20/7 by hand, and 0 for no fire: half the difference moves."""
    rows = [
        {"Storm": True, "BusTourGroup": True, "Campfire": True},
        {"Storm": None, "BusTourGroup": True, "Campfire": True},
        {"Storm": None, "BusTourGroup": False, "Campfire": False},
    ]
    net = campfire().fit(rows, learning_rate=0.01, **STEP)
    expected = Fraction(2, 5) + Fraction(1, 100) * Fraction(20, 7) / 2
    assert net.table("Campfire")[True, True, True] == pytest.approx(float(expected), rel=1e-14)
    no_fire = Fraction(3, 4) * Fraction(4, 5), Fraction(1, 4) * Fraction(9, 10)
    storm = 1 + Fraction(1, 7) + no_fire[1] / sum(no_fire)
    slope = storm / Fraction(1, 4) - (3 - storm) / Fraction(3, 4)
    assert net.table("Storm")[True] == pytest.approx(float(Fraction(1, 4) + slope / 200), rel=1e-14)
    assert (net.n_iter_, net.converged_) == (1, False)


def test_steps_on_nine_and_one_end_at_nine_tenths_by_the_recursion_of_the_book():
    """w + eta (9 / w - 1 / (1 - w)) / 2; divided by its sum, the row would stop at 3/4."""
    net = BeliefNetwork(tables={"Rain": {"yes": 0.5, "no": 0.5}})
    rows, w = {"Rain": ["yes"] * 9 + ["no"]}, Fraction(1, 2)
    for _ in range(4):
        w += (9 / w - 1 / (1 - w)) / 200
        net.fit(rows, learning_rate=0.01, **STEP)
        assert net.table("Rain")["yes"] == pytest.approx(float(w), rel=1e-14)
    net.fit(rows, method="gradient", learning_rate=0.01, starts="tables", tol=1e-12)
    assert net.converged_
    assert net.table("Rain")["yes"] == pytest.approx(0.9, abs=1e-8)
    assert (np.diff(net.trace_) >= 0).all()


def test_single_steps_are_the_same_as_many_and_a_file_keeps_them(tmp_path):
    table = {
        name: [cell if cell is None else cell == "yes" for cell in ROWS[name]] for name in ROWS
    }
    table["BusTourGroup"] = table.pop("Bus")
    at_once = campfire()
    with pytest.warns(UserWarning, match="have not converged within max_iter=3"):
        at_once.fit(table, learning_rate=0.01, **STEP | {"max_iter": 3})
    one_by_one = campfire()
    for _ in range(3):
        one_by_one.fit(table, learning_rate=0.01, **STEP)
    one_by_one.save(tmp_path / "steps.bayes")
    for other in (one_by_one, by.load(tmp_path / "steps.bayes")):
        for name in at_once.variables:
            ours, theirs = at_once.table(name).values, other.table(name).values
            np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_a_learning_rate_that_is_too_large_is_told_and_no_step_down_is_taken():
    net = BeliefNetwork(tables={"Rain": {"yes": 0.5, "no": 0.5}})
    with pytest.warns(UserWarning, match=r"learning_rate=0.04 is too large"):
        net.fit({"Rain": ["yes"] * 9 + ["no"]}, learning_rate=0.04, **STEP | {"max_iter": 100})
    assert not net.converged_
    assert (np.diff(net.trace_) >= 0).all()


def test_em_starts_from_the_tables_of_the_network():
    rows = [{"Storm": None, "BusTourGroup": True, "Campfire": True}]
    net = campfire().fit(rows, **STEP | {"method": "em"})
    assert net.table("Storm")[True] == pytest.approx(1 / 7, rel=1e-14)  # P(storm | bus, fire)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"learning_rate": 0}, r"learning_rate must be a number above 0, got 0\. None finds"),
        ({"learning_rate": True}, "learning_rate must be a number above 0"),
        ({"method": "em"}, "learning_rate is only for method='gradient', got 0.1"),
        ({"method": None}, "learning_rate is only for method='gradient'"),
        ({"smoothing": 1}, "with smoothing=0, got Lambda"),
        ({"starts": "here"}, "starts must be a whole number of 1 or more, or 'tables'"),
        ({"table": [{"Storm": "perhaps"}]}, "a place in the tables for every state, but Storm"),
    ],
    ids=["zero", "boolean", "em", "counting", "smoothing", "starts", "new-state"],
)
def test_steps_that_make_no_sense_are_refused(options, message):
    net = campfire()
    given = {"table": [{"Storm": True}], "learning_rate": 0.1, **STEP, **options}
    with pytest.raises(ValueError, match=message):
        net.fit(**given)
    assert net == campfire()


def test_tables_to_start_from_must_be_there_and_allow_the_rows():
    with pytest.raises(ValueError, match="Storm has no table yet"):
        by.datasets.campfire().fit([{"Storm": True}], method="em", starts="tables")
    dry = BeliefNetwork(
        [("Rain", "Wet")], {"Rain": [1, 0], "Wet": [[1, 0], [0, 1]]}, STATES_OF_RAIN
    )
    with pytest.raises(ValueError, match="impossible under the tables to start from"):
        dry.fit({"Rain": [None], "Wet": ["yes"]}, method="em", starts="tables")
