"""Conditional tables: what may be one, and how it is read."""

import pickle
from fractions import Fraction

import numpy as np
import pytest

from bayesic.networks._conditional_tables import conditional_table
from bayesic.networks.variable_names import NetworkError

WEATHER = {"Weather": ("rain", "sun")}
BOTH = {"Storm": (True, False), "Bus": (True, False)}
FIRE = {
    (True, True): {"yes": 0.4, "no": 0.6},
    (True, False): {"yes": 0.1, "no": 0.9},
    (False, True): {"yes": 0.8, "no": 0.2},
    (False, False): {"yes": 0.2, "no": 0.8},
}


def test_rows_and_numbers_are_found_by_name():
    fire = conditional_table("Campfire", FIRE, parents=BOTH)
    assert fire.states == ("yes", "no")
    assert fire.values.tolist() == [[[0.4, 0.6], [0.1, 0.9]], [[0.8, 0.2], [0.2, 0.8]]]
    assert fire[True, False].to_dict() == {"yes": 0.1, "no": 0.9}
    assert fire[True, False].given == {"Storm": True, "Bus": False}
    assert fire[False, True, "yes"] == 0.8
    assert (fire.n_rows, fire.n_parameters) == (4, 4)
    assert [states for states, _ in fire.rows()] == list(FIRE)


def test_without_parents_a_state_gives_its_number():
    rain = conditional_table("Rain", {"yes": 0.25, "no": 0.75})
    assert rain["yes"] == 0.25
    assert rain[()].to_dict() == {"yes": 0.25, "no": 0.75}
    assert rain.n_parameters == 1


def test_a_single_parent_needs_no_tuple():
    plain = {"rain": {"yes": 0.1, "no": 0.9}, "sun": {"yes": 0.5, "no": 0.5}}
    tuples = {(weather,): row for weather, row in plain.items()}
    assert conditional_table("Fire", plain, parents=WEATHER) == conditional_table(
        "Fire", tuples, parents=WEATHER
    )


def test_rows_and_states_may_come_in_any_order():
    shuffled = {key: dict(reversed(FIRE[key].items())) for key in reversed(FIRE)}
    ours = conditional_table("Campfire", shuffled, ("yes", "no"), BOTH)
    assert ours == conditional_table("Campfire", FIRE, ("yes", "no"), BOTH)


def test_numbers_are_kept_as_they_are_given():
    given = np.array([1 / 3, 1 / 3, 1 / 3 + 5e-7])
    table = conditional_table("Sky", given, ("clear", "cloudy", "grey"))
    assert table.values.tobytes() == given.tobytes()


def test_normalising_divides_by_the_sum():
    table = conditional_table("Fire", [[1, 3], [5, 0]], ("yes", "no"), WEATHER, normalise=True)
    assert table.values.tolist() == [[0.25, 0.75], [1.0, 0.0]]


def test_fractions_are_numbers():
    thirds = conditional_table("Sky", {"blue": Fraction(1, 3), "grey": Fraction(2, 3)})
    assert thirds["blue"] == 1 / 3


def test_nobody_can_change_a_table():
    given = np.array([0.5, 0.5])
    table = conditional_table("Rain", given, ("yes", "no"))
    given[0] = 0.0
    assert table["yes"] == 0.5
    for same in (table, pickle.loads(pickle.dumps(table))):
        with pytest.raises(ValueError, match="read-only"):
            same.values[0] = 1.0


def test_tables_are_equal_if_all_names_and_numbers_are():
    table = conditional_table("Rain", {True: 0.5, False: 0.5})
    assert table == conditional_table("Rain", {True: 0.5, False: 0.5})
    assert hash(table) == hash(pickle.loads(pickle.dumps(table)))
    assert table != conditional_table("Rain", {1: 0.5, 0: 0.5})
    assert table != conditional_table("Rain", {True: 0.25, False: 0.75})
    assert table != conditional_table("Snow", {True: 0.5, False: 0.5})
    assert table != "Rain"


BAD = {
    "sum": (
        {**FIRE, (True, False): {"yes": 0.1, "no": 0.8}},
        r"P\(Campfire \| Storm=True, Bus=False\) must sum to 1, got 0.9",
    ),
    "negative": (
        {**FIRE, (True, False): {"yes": -0.1, "no": 1.1}},
        r"finite and 0 or more, got -0.1 in P\(Campfire \| Storm=True, Bus=False\)",
    ),
    "nan": (np.full((2, 2, 2), np.nan), "finite and 0 or more, got nan"),
    "infinite": (np.full((2, 2, 2), np.inf), "finite and 0 or more, got inf"),
    "shape": (
        np.full((2, 2), 0.5),
        r"shape \(2, 2, 2\), one axis for each of Storm, Bus, Campfire",
    ),
    "missing row": (
        {key: row for key, row in FIRE.items() if key != (False, True)},
        r"4 rows, got 3; there is none for \(False, True\)",
    ),
    "row of other states": (
        {**FIRE, (True, "maybe"): {"yes": 0.5, "no": 0.5}},
        "Bus has the states True, False, got 'maybe'",
    ),
    "short key": ({**FIRE, True: {"yes": 0.5, "no": 0.5}}, "keyed by a state of each"),
    "missing state": ({**FIRE, (True, True): {"yes": 1.0}}, r"missing \['no'\], unknown \[\]"),
    "unknown state": (
        {**FIRE, (True, True): {"yes": 0.5, "no": 0.5, "perhaps": 0.0}},
        r"missing \[\], unknown \['perhaps'\]",
    ),
    "no rows": ({}, "4 rows, got 0"),
    "not nested": ({"yes": 0.5, "no": 0.5}, "nested in the wrong way: it has parents"),
    "words": ({**FIRE, (True, True): {"yes": "much", "no": 0.5}}, "must hold numbers"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_wrong_table_is_refused_with_what_and_where(name):
    table, message = BAD[name]
    with pytest.raises(ValueError, match=message):
        conditional_table("Campfire", table, ("yes", "no"), BOTH)


def test_a_row_may_come_once():
    twice = {"rain": {"yes": 1.0, "no": 0.0}, ("rain",): {"yes": 1.0, "no": 0.0}}
    with pytest.raises(NetworkError, match=r"two rows for \('rain',\)"):
        conditional_table("Fire", twice, parents=WEATHER)


def test_a_nested_table_needs_parents():
    with pytest.raises(ValueError, match="it has no parents"):
        conditional_table("Campfire", FIRE)
    with pytest.raises(ValueError, match="it has parents"):
        conditional_table("Campfire", {}, parents=BOTH)


def test_an_array_needs_names():
    with pytest.raises(ValueError, match="an array, which has no names"):
        conditional_table("Rain", [0.5, 0.5])


@pytest.mark.parametrize("table", [[[0.0, 0.0], [1.0, 0.0]], [[1e308, 1e308], [1.0, 0.0]]])
def test_what_has_no_sum_cannot_be_normalised(table):
    with pytest.raises(ValueError, match=r"P\(Fire \| Weather=rain\) cannot be divided by its sum"):
        conditional_table("Fire", table, ("yes", "no"), WEATHER, normalise=True)


@pytest.mark.parametrize("key", [(), ("rain", "yes", "no"), ("rain", "no", "yes", "yes")])
def test_a_key_of_the_wrong_length_is_refused(key):
    table = conditional_table("Fire", [[0.5, 0.5], [0.5, 0.5]], ("yes", "no"), WEATHER)
    with pytest.raises(ValueError, match=r"A row of P\(Fire \| Weather\) is named by the states"):
        table[key]


def test_a_state_that_is_none_is_refused():
    table = conditional_table("Fire", [[0.5, 0.5], [0.5, 0.5]], ("yes", "no"), WEATHER)
    with pytest.raises(ValueError, match="Weather has the states 'rain', 'sun', got 'snow'"):
        table["snow"]


def test_long_tables_are_printed_in_part():
    states = tuple(range(30))
    table = conditional_table("Day", np.full((30, 30), 1 / 30), states, {"Month": states})
    lines = str(table).splitlines()
    assert lines[0] == "P(Day | Month)"
    assert "(22 more)" in lines[1]
    assert lines[-1] == "  ... and 10 more rows"
    assert len(lines) == 23
    html = table._repr_html_()
    assert "22 more states" in html
    assert "10 more rows" in html


def test_names_are_escaped_in_html():
    html = conditional_table("O<2", {"<5": 0.5, ">=5": 0.5})._repr_html_()
    assert "P(O&lt;2)" in html
    assert "&lt;5" in html
    assert "<5" not in html
    assert repr(conditional_table("O2", {"low": 1.0})) == "ConditionalTable(O2, shape=(1,))"
