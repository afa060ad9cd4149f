"""Tables of a network from complete rows: shares, smoothing, states, and what is refused."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from bayesic.estimation.back_off import STRENGTHS
from bayesic.networks.network import BeliefNetwork
from helpers.comparisons import assert_unchanged, state_of

EDGES = [("Storm", "Campfire"), ("Bus", "Campfire"), ("Storm", "Lightning")]
ROWS = {
    "Storm": [True, True, True, False, False, False, False],
    "Bus": ["yes", "no", "yes", "yes", "no", "no", "no"],
    "Campfire": ["small", "none", "none", "large", "large", "small", "large"],
    "Lightning": [2, 10, 2, 0, 0, 0, 2],
    "day": list("MTWTFSS"),  # no variable
}


def learned(**options):
    return BeliefNetwork(EDGES).fit(ROWS, **options)


def share_of(net, family, cell, pseudo):
    """(N + a) / (N_parents + r a) as an exact fraction, 1 / r where that is 0 / 0."""
    rows = list(zip(*(ROWS[name] for name in family), strict=True))
    n_states = len(net.states(family[-1]))
    below = sum(row[:-1] == cell[:-1] for row in rows) + n_states * pseudo
    if not below:
        return Fraction(1, n_states)
    return (Counter(rows)[cell] + pseudo) / Fraction(below)


@pytest.mark.parametrize(
    "smoothing",
    [0, 1, 0.5, ("bdeu", 10), ["bdeu", 1]],
    ids=["none", "laplace", "half", "bdeu 10", "bdeu 1"],
)
def test_tables_are_exact_shares(smoothing):
    net = learned(smoothing=smoothing)
    for name in net.variables:
        family = (*net.parents(name), name)
        if isinstance(smoothing, (tuple, list)):
            pseudo = Fraction(smoothing[1], net.table(name).values.size)
        else:
            pseudo = Fraction(smoothing)
        for cell in product(*map(net.states, family)):
            expected = share_of(net, family, cell, pseudo)
            assert net.table(name)[cell] == pytest.approx(float(expected), rel=1e-15)


def backed_off(net, family, cell, strength):
    """(N + s p without the last parent) / (N_parents + s) as an exact fraction."""
    rows = list(zip(*(ROWS[name] for name in family), strict=True))
    if len(family) == 1:
        less = Fraction(1, len(net.states(family[-1])))
    else:
        less = backed_off(net, (*family[:-2], family[-1]), (*cell[:-2], cell[-1]), strength)
    below = sum(row[:-1] == cell[:-1] for row in rows) + strength
    return (Counter(rows)[cell] + strength * less) / below if below else less


@pytest.mark.parametrize("strength", [Fraction(0), Fraction(1, 2), Fraction(8)], ids=str)
def test_tables_that_back_off_are_exact_shares(strength):
    net = learned(smoothing=("back-off", float(strength)))
    for name in net.variables:
        family = (*net.parents(name), name)
        for cell in product(*map(net.states, family)):
            expected = backed_off(net, family, cell, strength)
            assert net.table(name)[cell] == pytest.approx(float(expected), rel=1e-14)


def test_the_strength_makes_rows_that_are_left_out_most_probable():
    states = {name: learned().states(name) for name in learned().variables}

    def log_likelihood(strength):
        total = 0.0
        for left in range(7):
            others = {name: [*cells[:left], *cells[left + 1 :]] for name, cells in ROWS.items()}
            net = BeliefNetwork(EDGES, states=states).fit(others, smoothing=("back-off", strength))
            for name in net.variables:
                cell = [ROWS[member][left] for member in (*net.parents(name), name)]
                total += np.log(net.table(name)[tuple(cell)])
        return total

    best = max(STRENGTHS, key=log_likelihood)
    net = learned(smoothing="back-off")
    assert net.strength_ == best
    assert net == learned(smoothing=("back-off", best))


def test_back_off_is_no_prior():
    with pytest.raises(ValueError, match="method='em' needs pseudo-counts.*smoothing=1"):
        learned(smoothing="back-off", method="em")
    net = learned(smoothing="back-off")
    with pytest.raises(ValueError, match="uncertainty of a table needs pseudo-counts"):
        net.posterior_uncertainty("Storm")
    assert net.posterior_uncertainty("Storm", smoothing=1).mean.sum() == pytest.approx(1)
    with pytest.raises(AttributeError, match="strength_"):
        learned().strength_  # noqa: B018


def test_states_are_learned_with_their_types_in_sorted_order():
    net = learned()
    assert net.states("Storm") == (False, True)
    assert type(net.states("Storm")[0]) is bool
    assert net.states("Lightning") == (0, 2, 10)
    assert net.states("Campfire") == ("large", "none", "small")


def test_states_that_are_given_keep_their_order_and_their_place():
    states = {"Campfire": ["none", "huge", "small", "large"], "Storm": ["True", "False"]}
    net = BeliefNetwork(EDGES, states=states).fit(ROWS)
    assert net.states("Campfire") == ("none", "huge", "small", "large")
    assert net.states("Storm") == ("True", "False")
    assert net.states("Lightning") == (0, 2, 10)
    assert net.table("Campfire")["True", "yes", "huge"] == 0
    assert net.table("Campfire")["True", "yes", "small"] == 0.5


def test_new_states_stand_behind_those_given():
    net = BeliefNetwork(EDGES, states={"Campfire": ["small"]}).fit(ROWS)
    assert net.states("Campfire") == ("small", "large", "none")


def test_tables_given_by_hand_are_replaced():
    net = BeliefNetwork(tables={"Bus": {"no": 0.9, "yes": 0.1}}).fit(ROWS)
    assert net.table("Bus")["yes"] == 3 / 7
    assert net.states("Bus") == ("no", "yes")


def test_a_second_fit_begins_anew():
    net = learned().fit({name: column[:3] for name, column in ROWS.items()})
    assert net.states("Storm") == (True,)
    assert net.table("Storm")[True] == 1


def test_a_row_of_parents_never_seen_is_uniform():
    net = BeliefNetwork(EDGES, states={"Bus": ["yes", "no", "late"]}).fit(ROWS)
    assert net.table("Campfire")[True, "late"].to_dict() == pytest.approx(
        dict.fromkeys(net.states("Campfire"), 1 / 3), rel=1e-15
    )


@pytest.mark.parametrize(
    "make",
    [
        pd.DataFrame,
        lambda rows: pd.DataFrame(rows).astype("category"),
        lambda rows: pd.DataFrame(rows).astype(object),
        pl.DataFrame,
        pa.table,
        lambda rows: pa.table({k: pa.array(v).dictionary_encode() for k, v in rows.items()}),
        lambda rows: pd.DataFrame(rows).to_dict("records"),
        lambda rows: {name: np.array(column) for name, column in rows.items()},
        lambda rows: {name: np.array(column, object) for name, column in rows.items()},
        lambda rows: pd.DataFrame(rows).astype({"Lightning": float}),
        lambda rows: pd.DataFrame(rows).astype({"Lightning": "Int64", "Storm": "boolean"}),
    ],
    ids=[
        "pandas", "categories", "objects", "polars", "arrow", "dictionaries", "records", "arrays",
        "arrays of objects", "floats", "nullable",
    ],
)  # fmt: skip
def test_all_kinds_of_tables_give_the_same_network(make):
    net = BeliefNetwork(EDGES).fit(make(ROWS), smoothing=1)
    assert net == learned(smoothing=1)  # types of states included


@pytest.mark.parametrize("n_words", [3, 70, 300])
@pytest.mark.parametrize("shared", [True, False])
def test_long_columns_of_objects(n_words, shared):
    rng = np.random.default_rng(0)
    words = np.array([f"word {number}" for number in range(n_words)], object)
    column = words[rng.integers(0, n_words, 20_000)]
    if not shared:  # each cell an object of its own
        column = np.array(["".join([*word]) for word in column], object)
    counts = Counter(column.tolist())
    for cells in (column, pd.Series(column, dtype=object), column[::-1]):
        net = BeliefNetwork(states={"word": None}).fit({"word": cells})
        assert net.states("word") == tuple(sorted(words))
        shares = [counts[word] / 20_000 for word in net.states("word")]
        assert net.table("word").values.tolist() == shares


def test_a_gap_among_shared_objects_is_refused():
    column = np.array(["yes", "no", None, "yes"], object)
    with pytest.raises(ValueError, match="'Bus' is null in 1"):
        BeliefNetwork(states={"Bus": None}).fit({"Bus": column})


def test_categories_that_do_not_occur_are_no_states():
    column = pd.Categorical(["yes", "no"], categories=["late", "yes", "no"])
    net = BeliefNetwork(states={"Bus": None}).fit({"Bus": pd.Series(column)})
    assert net.states("Bus") == ("no", "yes")


def test_texts_stay_texts():
    net = BeliefNetwork(states={"door": None}).fit({"door": ["1", "2", "1"]})
    assert net.states("door") == ("1", "2")


def test_one_state_by_whatever_name():
    for cells in ([1, "1", 1.0, True], np.array([1, "1", 1, True], object)):
        net = BeliefNetwork(states={"door": None}).fit({"door": cells})
        assert net.states("door") == (1,)


def test_dates_become_texts():
    days = pd.DataFrame({"day": pd.to_datetime(["2024-01-05", "2024-01-06"])})
    assert BeliefNetwork(states={"day": None}).fit(days).states("day") == (
        "2024-01-05",
        "2024-01-06",
    )


def test_chinese_names():
    net = BeliefNetwork([("天气", "野营")]).fit({"天气": ["晴", "雨"], "野营": ["去", "不去"]})
    assert net.table("野营")["晴", "去"] == 1


def test_weights_are_repetitions():
    weighted = learned(sample_weight=[2, 1, 0, 1, 3, 0, 1])
    times = {name: list(np.repeat(np.array(column, object), [2, 1, 0, 1, 3, 0, 1]))
             for name, column in ROWS.items()}  # fmt: skip
    assert weighted == BeliefNetwork(EDGES).fit(times)


def test_disconnected_variables_are_learned():
    net = BeliefNetwork(states={"Storm": None, "Bus": None}).fit(ROWS)
    assert net.table("Storm")[True] == 3 / 7


# what is refused --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({**ROWS, "Bus": ["yes", None, "no", None, "no", "no", "no"]},
         r"'Bus' is null in 2 of them, first in row 1.* EM"),
        ({**ROWS, "Lightning": [np.nan] * 7}, r"'Lightning' is null in 7 .* EM"),
        ({name: ROWS[name] for name in ("Storm", "Bus")}, r"missing 'Campfire', 'Lightning'.* EM"),
        ({"rain": [1, 2]}, r"names of variables, 'Storm', .* got 'rain'"),
        ({name: [] for name in ROWS}, "no rows"),
        ({**ROWS, "Bus": ["yes"]}, "same number of rows"),
        ({**ROWS, "Bus": np.array(["yes"], object)}, "same number of rows"),
        (np.zeros((3, 4)), "got a ndarray"),
        ([["yes", "no"]], "got a list"),
        (dict.fromkeys(ROWS, True), "needs a list for each column"),
    ],
    ids=[
        "null", "all null", "missing", "names", "empty", "lengths", "objects", "array", "rows",
        "one row",
    ],
)  # fmt: skip
def test_tables_that_cannot_be_counted_change_nothing(table, message):
    for net in (learned(), BeliefNetwork(EDGES)):
        before = state_of(net)
        for learn in (net.fit, net.partial_fit):
            with pytest.raises((ValueError, TypeError), match=message):
                learn(table)
        assert_unchanged(net, before)


def test_null_of_a_category_column_is_refused_too():
    table = pd.DataFrame({"Bus": pd.Categorical(["yes", None])})
    with pytest.raises(ValueError, match="'Bus' is null in 1"):
        BeliefNetwork(states={"Bus": None}).fit(table)


@pytest.mark.parametrize(
    "smoothing",
    [-1, np.nan, np.inf, "bdeu", ("bdeu", 0), ("bdeu", -1), ("lambda", 1), ("bdeu",), None, True],
    ids=str,
)
def test_smoothing_that_makes_no_sense(smoothing):
    net = learned()
    before = state_of(net)
    with pytest.raises(ValueError, match="smoothing must be"):
        net.fit(ROWS, smoothing=smoothing)
    assert_unchanged(net, before)


@pytest.mark.parametrize("weights", [[1, 2], [1] * 8, [-1] * 7, [0] * 7, [np.nan] * 7], ids=str)
def test_weights_that_make_no_sense(weights):
    with pytest.raises(ValueError, match="sample_weight must"):
        learned(sample_weight=weights)


def test_a_network_without_variables_learns_nothing():
    with pytest.raises(ValueError, match="no variables"):
        BeliefNetwork().fit(ROWS)


def test_states_with_the_same_text_are_refused():
    net = BeliefNetwork(states={"door": [1, "1"]})
    with pytest.raises(ValueError, match="same text"):
        net.fit({"door": [1, 1]})


def test_a_continuous_column_is_no_variable():
    rng = np.random.default_rng(0)
    rows = {"height": rng.random(20_000), "weight": rng.random(20_000)}
    with pytest.raises(ValueError, match="bins"):
        BeliefNetwork([("height", "weight")]).fit(rows)


# other programs ---------------------------------------------------------------------------------


def sampled_asia(n_rows):
    from bayesic.datasets.networks import asia

    net, rng = asia(), np.random.default_rng(0)
    columns = {}
    for name in net.topological_order():
        table = net.table(name)
        places = tuple(columns[parent] for parent in table.parents)
        shares = np.broadcast_to(table.values[places], (n_rows, len(table.states)))
        columns[name] = (rng.random((n_rows, 1)) > np.cumsum(shares, axis=1)[:, :-1]).sum(axis=1)
    rows = {name: np.array(net.states(name), object)[codes] for name, codes in columns.items()}
    return net, pd.DataFrame(rows)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("smoothing", [0, 1, ("bdeu", 5)], ids=["plain", "k2", "bdeu"])
def test_same_tables_as_pgmpy(smoothing):
    from pgmpy.models import DiscreteBayesianNetwork
    from pgmpy.parameter_estimator import DiscreteBayesianEstimator, DiscreteMLE

    estimators = {
        0: lambda states: DiscreteMLE(state_names=states),
        1: lambda states: DiscreteBayesianEstimator(states, prior_type="K2"),
        ("bdeu", 5): lambda states: DiscreteBayesianEstimator(states, "BDeu", 5),
    }
    net, rows = sampled_asia(500)
    states = {name: list(net.states(name)) for name in net.variables}
    theirs = DiscreteBayesianNetwork(net.edges).fit(rows, estimators[smoothing](states))
    ours = BeliefNetwork(net.edges, states=states).fit(rows, smoothing=smoothing)
    for name in ours.variables:
        cpd = theirs.get_cpds(name)
        family = (*ours.parents(name), name)
        values = np.asarray(cpd.values).transpose([cpd.variables.index(each) for each in family])
        order = [[cpd.state_names[each].index(state) for state in states[each]] for each in family]
        np.testing.assert_allclose(ours.table(name).values, values[np.ix_(*order)], atol=1e-12)
