"""Distributions: read like a mapping, printed with bars."""

import pickle

import numpy as np
import pytest

from bayesic.networks.distribution import Distribution, Marginals

FIRE = Distribution(("Campfire",), ((True, False),), np.array([0.4, 0.6]), {"Storm": True})
TWO = Distribution(
    ("Sky", "Wind"), (("晴", "多云"), ("weak", "strong")), np.array([[0.5, 0.25], [0.25, 0.0]])
)


def test_it_reads_like_a_mapping():
    assert FIRE[True] == 0.4
    assert list(FIRE) == [True, False]
    assert dict(FIRE.items()) == {True: 0.4, False: 0.6} == FIRE.to_dict()
    assert list(FIRE.values()) == [0.4, 0.6]
    assert len(FIRE) == 2
    assert True in FIRE
    assert "rain" not in FIRE
    assert FIRE.get("rain") is None
    assert FIRE.max() is False


def test_several_variables_have_tuples_of_states():
    assert TWO["晴", "strong"] == 0.25
    assert TWO.max() == ("晴", "weak")
    assert list(TWO) == [("晴", "weak"), ("晴", "strong"), ("多云", "weak"), ("多云", "strong")]
    assert TWO.to_dict()["多云", "strong"] == 0.0


def test_no_variables_are_one_certain_event():
    nothing = Distribution((), (), np.array(1.0))
    assert nothing.to_dict() == {(): 1.0}
    assert nothing.max() == ()


def test_the_first_of_equal_states_is_the_most_probable():
    assert Distribution(("Rain",), (("yes", "no"),), np.array([0.5, 0.5])).max() == "yes"


def test_texts_are_found_by_what_they_write():
    from_file = Distribution(("Storm",), (("True", "1"),), np.array([0.25, 0.75]))
    assert (from_file[True], from_file[1]) == (0.25, 0.75)


@pytest.mark.parametrize("key", ["晴", ("晴",), ("晴", "none"), ("晴", "weak", "dry"), 3])
def test_other_keys_are_no_keys(key):
    assert key not in TWO
    with pytest.raises(KeyError):
        TWO[key]


def test_equal_distributions_have_equal_numbers():
    assert Distribution(("Fire",), ((False, True),), np.array([0.6, 0.4])) == FIRE
    assert FIRE == {True: 0.4, False: 0.6}
    assert Distribution(("Campfire",), ((True, False),), np.array([0.5, 0.5])) != FIRE


def test_it_prints_what_it_is_of_and_bars():
    assert str(FIRE).splitlines() == [
        "P(Campfire | Storm=True)",
        "  True   0.4000  ########",
        "  False  0.6000  ############",
    ]
    assert str(TWO).splitlines()[:3] == [
        "P(Sky, Wind)",
        "  Sky   Wind",
        "  晴    weak    0.5000  ##########",
    ]
    assert repr(FIRE) == "Distribution(Campfire={True: 0.4, False: 0.6})"


def test_it_tells_what_was_set_and_what_was_seen_in_part():
    fire = Distribution(
        ("Campfire",), ((True, False),), np.array([0.4, 0.6]), {"Storm": True}, {"Bus": False},
        ("Thunder",),
    )  # fmt: skip
    expected = "P(Campfire | do(Bus=False), Storm=True, likelihoods of Thunder)"
    assert fire.headline() == expected


def test_marginals_are_a_mapping_that_prints_lines():
    states = {"Campfire": (True, False), "Sky": ("<5",)}
    shares = {"Campfire": np.array([0.4, 0.6]), "Sky": np.array([1.0])}
    marginals = Marginals(shares, states, {"Storm": True})
    assert dict(marginals) == {"Campfire": {True: 0.4, False: 0.6}, "Sky": {"<5": 1.0}}
    assert marginals["Campfire"] is marginals["Campfire"]
    assert marginals["Campfire"].headline() == "P(Campfire | Storm=True)"
    assert Marginals({"Campfire": FIRE})["Campfire"] is FIRE
    assert repr(Marginals({"Campfire": FIRE})) == f"Marginals({FIRE!r})"
    assert pickle.loads(pickle.dumps(marginals)) == marginals
    assert str(marginals).splitlines() == [
        "Marginals of 2 variables given Storm=True",
        "  Campfire  True 0.4000, False 0.6000",
        "  Sky       <5 1.0000",
    ]
    assert "&lt;5 1.0000" in marginals._repr_html_()
    assert str(Marginals({})) == "Marginals of 0 variables"


def test_many_states_are_shown_in_part():
    days = Distribution(("Day",), (tuple(range(31)),), np.full(31, 1 / 31))
    assert str(days).splitlines()[-1] == "  ... and 11 more states"
    assert "11 more states" in days._repr_html_()


def test_html_escapes_names():
    odd = Distribution(("<Age>",), (("<5", "5+"),), np.array([0.25, 0.75]))
    html = odd._repr_html_()
    assert "P(&lt;Age&gt;)" in html
    assert "<5" not in html
    assert "width:25.0%" in html


def test_it_cannot_be_changed_and_can_be_pickled():
    same = pickle.loads(pickle.dumps(TWO))
    assert same == TWO
    assert same.variables == TWO.variables
    for distribution in (TWO, same):
        with pytest.raises(ValueError, match="read-only"):
            distribution.probabilities[0, 0] = 1.0
