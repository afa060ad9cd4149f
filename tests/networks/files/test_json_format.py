"""JSON of our own: what it holds, what is refused."""

import json
import math

import pytest

from bayesic.datasets.networks import campfire
from bayesic.networks.network import BeliefNetwork
from bayesic.networks.reading import read_network
from helpers.network_examples import WET, assert_refused, read

JSON = """{"format": "bayesic network", "version": 1, "variables": [
{"name": "rain", "states": ["yes", "no"], "parents": [], "table": [[0.25, 0.75]]},
{"name": "wet", "states": ["dry", "damp", "wet"], "parents": ["rain"],
 "table": [[0.1, 0.2, 0.7], [0.8, 0.1, 0.1]]}
]}
"""


def test_it_holds_the_network(tmp_path):
    assert read(JSON, tmp_path) == WET


def test_json_is_valid_json(tmp_path):
    campfire(0.25, 0.5).write(tmp_path / "fire.json")
    content = json.loads((tmp_path / "fire.json").read_text(encoding="utf-8"))
    assert [entry["name"] for entry in content["variables"]] == [
        "Storm",
        "BusTourGroup",
        "Campfire",
    ]
    assert math.fsum(content["variables"][2]["table"][3]) == 1.0


def test_json_keeps_what_other_formats_cannot(tmp_path):
    odd = BeliefNetwork(
        edges=[("a\nb", " padded ")],
        tables={"a\nb": {True: 0.5, 2: 0.25, "2": 0.125, 2.5: 0.125}},
        states={"later": None},
    )
    odd.write(tmp_path / "odd.json")
    again = read_network(tmp_path / "odd.json")
    assert again == odd
    assert [type(state) for state in again.states("a\nb")] == [bool, int, str, float]
    assert again.variables_without_table == ("later", " padded ")


MALFORMED = {
    "syntax": ('"parents": [],', '"parents": [', 2, "it is no JSON"),
    "other": ("bayesic network", "belief network", None, "expected a JSON object with"),
    "newer": ('"version": 1', '"version": 2', None, "it has version 2"),
    "keys": ('"name": "wet"', '"nam": "wet"', None, "variables[1] should have the keys"),
    "name": ('"name": "wet"', '"name": 3', None, "name of variables[1] should be a text"),
    "twice": ('"name": "wet"', '"name": "rain"', None, "rain is declared a second time"),
    "states": ('["yes", "no"]', '"yes"', None, "states of variables[0] should be a list"),
    "no states": ('["yes", "no"]', "null", None, "the table of rain needs the states of rain"),
    "state": ('["yes", "no"]', '["yes", ["no"]]', None, "texts, booleans or finite numbers"),
    "parents": ('["rain"]', "[1]", None, "the parents of variables[1] should be a list"),
    "parent": ('["rain"]', '["snow"]', None, "the parent 'snow' is no variable"),
    "rows": ("[[0.25, 0.75]]", "[0.25, 0.75]", None, "should be a list of rows"),
    "text": ("0.25", '"0.25"', None, "the table of rain should hold numbers only"),
    "nan": ("0.25", "NaN", None, "it holds NaN"),
    "infinite": ("0.25", "1e999", None, "finite and 0 or more, got inf"),
    "integer": ("0.25", "1" + "0" * 400, None, "a number that is too large"),
    "digits": ("0.25", "1" * 5000, None, "it is no JSON that can be read"),
    "shape": ("[0.8, 0.1, 0.1]", "[0.9, 0.1]", None, "should have 2 rows of 3 numbers"),
    "sum": ("0.25", "0.5", None, "P(rain) must sum to 1, got 1.25"),
    "deep": ("0.25", "[" * 100_000, None, "it is nested too deep"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_file_is_refused_with_line_and_reason(name, tmp_path):
    old, new, line, reason = MALFORMED[name]
    assert old in JSON
    assert_refused(JSON.replace(old, new), tmp_path, line, reason)
