"""Where variables stand in a picture: kept in files, and no part of what a network is."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from bayesic.datasets.networks import asia
from bayesic.networks.network import BeliefNetwork
from bayesic.networks.writing import WRITERS
from helpers.network_examples import WET, agrum_tables, assert_refused, read
from helpers.random_networks import networks

ENDINGS = [ending for ending in WRITERS if ending != ".uai"]
coordinates = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-3000, 3000)
PLACES = {"rain": (12.5, -30.0), "wet": (1e-7, 1e300)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("networks")


@pytest.mark.parametrize("ending", ENDINGS)
@given(net=networks(words_only=True), data=st.data())
def test_positions_come_back_to_the_last_bit(ending, folder, net, data):
    pairs = st.tuples(coordinates, coordinates)
    placed = data.draw(st.dictionaries(st.sampled_from(net.variables), pairs))
    there = net.with_positions(placed)
    there.write(folder / f"net{ending}")
    again = by.read_network(folder / f"net{ending}")
    assert again == net
    assert again.positions == {name: tuple(map(float, its)) for name, its in placed.items()}


@pytest.mark.parametrize("ending", WRITERS)
def test_files_of_networks_without_positions_do_not_mention_them(ending, tmp_path):
    asia().write(tmp_path / f"net{ending}")
    assert "position" not in (tmp_path / f"net{ending}").read_text()


def test_positions_are_no_part_of_what_a_network_is():
    placed = WET.with_positions(PLACES)
    assert WET.positions == {}
    assert placed == WET
    assert hash(placed) == hash(WET)
    assert BeliefNetwork(WET.edges, states={"rain": None}, positions={"wet": [1, 2]}).positions == {
        "wet": (1.0, 2.0)
    }
    placed.positions["rain"] = (0, 0)  # a copy
    assert placed.positions == PLACES


def test_positions_go_along():
    placed = WET.with_positions(PLACES)
    rows = WET.sample(20)
    for same in (
        placed.with_tables({"rain": [0.5, 0.5]}),
        placed.do({"wet": "dry"}),
        copy.copy(placed),
        pickle.loads(pickle.dumps(placed)),
        pickle.loads(pickle.dumps(placed)).fit(rows),
        BeliefNetwork(WET.edges, positions=PLACES).partial_fit(rows),
    ):
        assert same.positions == PLACES
    learned = WET.with_tables({}).fit(rows)
    moved = learned.with_positions(PLACES)  # what was learned stays
    assert moved.forget(rows) is moved
    assert learned == WET.with_tables({}).fit(rows)
    assert placed.with_positions({"wet": (1, 2)}).positions == {"wet": (1.0, 2.0)}


def test_model_files_keep_them(tmp_path):
    rows = WET.sample(20)
    BeliefNetwork(WET.edges, positions=PLACES).fit(rows).save(tmp_path / "wet.bayes")
    assert by.load(tmp_path / "wet.bayes").positions == PLACES
    BeliefNetwork(WET.edges).fit(rows).save(tmp_path / "wet.bayes")
    assert by.load(tmp_path / "wet.bayes").positions == {}


@pytest.mark.parametrize(
    "line",
    [
        "property position = (73, 165) ;",
        'property "position = (73, 165)" ;',
        "property position=(73.0,165.0);",
        "property weight = 3; property POSITION ( 73 165 );",
    ],
)
def test_bif_files_of_others(line, folder):
    text = f"network rain {{ }} variable rain {{ type discrete [ 1 ] {{ yes }}; {line} }}"
    net = read(text + " probability ( rain ) { table 1.0; }", folder)
    assert net.positions == {"rain": (73.0, 165.0)}


@pytest.mark.parametrize(
    "line",
    [
        "position = (73)",
        "position = (73, 165, 2)",
        "position = (here, there)",
        "position = (1e999, 0)",
        "position = (nan, 0)",
        "disposition = (1, 2)",
        "position = " + "(" * 300,
        "",
    ],
)
def test_properties_that_are_no_position_are_left_out(line, folder):
    bif = f"network rain {{ }} variable rain {{ type discrete [ 1 ] {{ yes }}; property {line} ; }}"
    xml = f"<PROPERTY>{line}</PROPERTY><OUTCOME>yes</OUTCOME>"
    net = f'node rain {{ states = ("yes"); {line or "label = 1"}; }}'
    for text in (
        bif + " probability ( rain ) { table 1.0; }",
        f"<BIF><NETWORK><VARIABLE><NAME>rain</NAME>{xml}</VARIABLE><DEFINITION><FOR>rain</FOR>"
        "<TABLE>1</TABLE></DEFINITION></NETWORK></BIF>",
        f"net {{ }} {net} potential (rain) {{ data = (1.0); }}",
    ):
        assert read(text, folder).positions == {}


def test_xmlbif_and_net_files_of_others(folder):
    xml = (
        '<BIF VERSION="0.3"><NETWORK><NAME>dog</NAME><VARIABLE TYPE="nature"><NAME>light-on</NAME>'
        "<OUTCOME>true</OUTCOME><PROPERTY>colour = red</PROPERTY>"
        "<PROPERTY> position = (73.0,165.5) </PROPERTY></VARIABLE><DEFINITION><FOR>light-on</FOR>"
        "<TABLE>1</TABLE></DEFINITION></NETWORK></BIF>"
    )
    assert read(xml, folder).positions == {"light-on": (73.0, 165.5)}
    net = (
        'net { node_size = (80 40); } node rain { label = "Rain?"; position = (110 -20); '
        'states = ("yes"); } potential (rain) { data = (1.0); }'
    )
    assert read(net, folder).positions == {"rain": (110.0, -20.0)}


@pytest.mark.parametrize("position", ["[1]", '["1", 2]', "[true, 2]", "{}", "null", "[1, 1e999]"])
def test_json_with_another_position_is_refused(position, folder):
    entry = '{"name": "rain", "states": ["yes"], "parents": [], "table": [[1.0]], "position": '
    text = '{"format": "bayesic network", "version": 1, "variables": [' + entry + position + "}]}"
    assert_refused(text, folder, None, "The position of rain must be two finite numbers")


def test_pyagrum_reads_files_with_positions(tmp_path):
    pyagrum = pytest.importorskip("pyagrum")
    net = asia().with_positions(
        {name: (9.5 * place, -3) for place, name in enumerate(asia().variables)}
    )
    for ending in ("bif", "bifxml", "net"):
        net.write(tmp_path / f"asia.{ending}")
        theirs = pyagrum.loadBN(str(tmp_path / f"asia.{ending}"))
        for variable, values in agrum_tables(theirs, net):
            assert values == pytest.approx(net.table(variable).values, abs=1e-6)


@pytest.mark.parametrize(
    "positions",
    [{"wet": 3}, {"wet": (1, 2, 3)}, {"wet": ("1", 2)}, {"wet": (1, float("nan"))},
     {"wet": (True, 1)}, {"wet": (10**400, 1)}, {"wet": (1j, 1)}, {"dry": (1, 2)}],
    ids=str,
)  # fmt: skip
def test_what_is_no_position_is_refused(positions):
    with pytest.raises(ValueError, match=r"^(The position of wet must be|positions are of var)"):
        WET.with_positions(positions)
    with pytest.raises(TypeError, match="positions must be a mapping"):
        WET.with_positions([(1, 2)])
