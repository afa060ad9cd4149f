"""BIF: the networks of the repository, what the format allows, what is refused."""

import gzip
import warnings
from importlib.util import find_spec
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from bayesic.datasets.networks import asia
from bayesic.networks._files.bif import bif_text
from bayesic.networks.reading import read_network
from helpers.network_examples import assert_refused, read

SPEC = find_spec("pgmpy")
REPOSITORY = Path(SPEC.origin).parent / "utils" / "example_models" if SPEC else Path("nowhere")
needs_repository = pytest.mark.skipif(
    not REPOSITORY.is_dir(), reason="the networks of the repository come with pgmpy"
)

# variables, edges, free parameters, most parents, most states: as bnlearn.com lists them, and
# pyAgrum and pgmpy count them
SIZES = {
    "alarm": (37, 46, 509, 4, 4),
    "andes": (223, 338, 1157, 6, 2),
    "asia": (8, 8, 18, 2, 2),
    "barley": (48, 84, 114005, 4, 67),
    "cancer": (5, 4, 10, 2, 2),
    "child": (20, 25, 230, 2, 6),
    "diabetes": (413, 602, 429409, 2, 21),
    "earthquake": (5, 4, 10, 2, 2),
    "hailfinder": (56, 66, 2656, 4, 11),
    "hepar2": (70, 123, 1453, 6, 4),
    "insurance": (27, 52, 1008, 3, 5),
    "link": (724, 1125, 14211, 3, 4),
    "mildew": (35, 46, 540150, 3, 100),
    "munin": (1041, 1397, 80592, 3, 21),
    "munin1": (186, 273, 15622, 3, 21),
    "munin2": (1003, 1244, 69431, 3, 21),
    "munin3": (1041, 1306, 71059, 3, 21),
    "munin4": (1038, 1388, 80352, 3, 21),
    "pathfinder": (109, 195, 72079, 5, 63),
    "pigs": (441, 592, 5618, 2, 3),
    "sachs": (11, 17, 178, 3, 3),
    "survey": (6, 6, 21, 2, 3),
    "water": (32, 66, 10083, 5, 4),
    "win95pts": (76, 112, 574, 7, 2),
}


def size(net):
    return (
        len(net.variables),
        len(net.edges),
        net.n_parameters,
        max(len(net.parents(variable)) for variable in net.variables),
        max(len(net.states(variable)) for variable in net.variables),
    )


@needs_repository
@pytest.mark.parametrize("name", SIZES)
def test_every_network_of_the_repository_loads(name, tmp_path):
    net = read_network(REPOSITORY / f"{name}.bif.gz")
    assert size(net) == SIZES[name]
    if net.n_parameters < 20_000:
        net.write(tmp_path / "again.bif")
        assert read_network(tmp_path / "again.bif") == net


@needs_repository
@pytest.mark.parametrize("name", ["asia", "child", "survey", "sachs"])
def test_all_numbers_are_those_that_pgmpy_reads(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy.readwrite import BIFReader

        text = gzip.decompress((REPOSITORY / f"{name}.bif.gz").read_bytes()).decode()
        theirs = BIFReader(string=text).get_model()
    ours = read_network(REPOSITORY / f"{name}.bif.gz")
    assert sorted(ours.edges) == sorted(theirs.edges())
    for variable in ours.variables:
        cpd = theirs.get_cpds(variable)
        parents = ours.parents(variable)
        for states in product(*map(ours.states, [*parents, variable])):
            named = dict(zip([*parents, variable], states, strict=True))
            assert ours.table(variable)[states] == cpd.get_value(**named)


@needs_repository
def test_states_of_child_with_signs_in_them_are_read():  # pyAgrum cannot
    net = read_network(REPOSITORY / "child.bif.gz")
    assert net.states("LowerBodyO2") == ("<5", "5-12", "12+")
    assert net.states("CO2Report") == ("<7.5", ">=7.5")
    assert net.states("ChestXray")[-1] == "Asy/Patch"
    assert net.states("CardiacMixing")[-1] == "Transp."


@needs_repository
def test_asia_is_the_published_one():
    assert read_network(REPOSITORY / "asia.bif.gz") == asia()


# the format -------------------------------------------------------------------------------------

OLD_STYLE = """// names in quotes, no bar and no commas, as JavaBayes writes it
network "Dogs" { // a property
    property "credal-set constant-density-bounded 1.1" ;
}
variable  "light-on" { //2 values
    type discrete[2] {  "true"  "false" };
    property "position = (218, 195)" ;
}
/* several
   lines */
variable  "family out" { type discrete[3] { "all" "some" "none" }; }
probability (  "light-on"  "family out" ) { //2 variable(s) and 6 values
    table 0.6 0.3 0.05 0.4 0.7 0.95 ;
}
probability (  "family out" ) { table 0.25 0.25 0.5 ; property "p = (1)" ; }
"""


def test_a_table_counts_with_the_child_slowest(tmp_path):
    net = read(OLD_STYLE, tmp_path)
    assert net.variables == ("light-on", "family out")
    assert net.table("light-on").values.tolist() == [[0.6, 0.4], [0.3, 0.7], [0.05, 0.95]]


def test_pyagrum_reads_a_table_in_the_same_order(tmp_path):
    pyagrum = pytest.importorskip("pyagrum")
    text = bif_text(asia())
    rows = "  (yes) 0.98, 0.02;\n  (no) 0.05, 0.95;"
    assert rows in text
    path = tmp_path / "table.bif"
    path.write_text(text.replace(rows, "  table 0.98, 0.05, 0.02, 0.95;"))
    network = pyagrum.loadBN(str(path))  # its tables live as long as it does
    theirs = network.cpt("xray")
    ours = read_network(path).table("xray")
    for number, state in enumerate(("yes", "no")):
        expected = theirs[{"either": number}]
        np.testing.assert_allclose(ours[state].probabilities, expected, atol=1e-7)  # float32


BASE = """network unknown {
}
variable rain {
  type discrete [ 2 ] { yes, no };
}
variable wet {
  type discrete [ 3 ] { dry, damp, wet };
}
probability ( rain ) {
  table 0.25, 0.75;
}
probability ( wet | rain ) {
  (yes) 0.1, 0.2, 0.7;
  (no) 0.8, 0.1, 0.1;
}
"""


def test_rows_that_are_not_there_have_the_default(tmp_path):
    text = BASE.replace("(no) 0.8, 0.1, 0.1", "default 0.5 0.25 0.25")
    assert read(text, tmp_path).table("wet")["no"].to_dict() == {
        "dry": 0.5,
        "damp": 0.25,
        "wet": 0.25,
    }


def test_blocks_may_come_in_any_order(tmp_path):
    variables, probabilities = BASE.split("probability ( rain )")
    text = "probability ( rain )" + probabilities + variables.replace("network unknown {\n}", "")
    assert read(text, tmp_path) == read(BASE, tmp_path)


def test_rows_are_divided_by_their_sums_if_asked(tmp_path):
    text = BASE.replace("0.25, 0.75", "0.333, 0.333")
    assert read(text, tmp_path, normalise=True).table("rain")["yes"] == 0.5
    with pytest.raises(ValueError, match=r"line 9: P\(rain\) must sum to 1, got 0.666"):
        read(text, tmp_path)


def test_a_byte_order_mark_and_line_ends_of_windows_do_not_matter(tmp_path):
    text = "\ufeff" + BASE.replace("\n", "\r\n")
    assert read(text, tmp_path) == read(BASE, tmp_path)


MALFORMED = {
    "word": ("probability ( rain )", "probabilty ( rain )", 9, "got 'probabilty'"),
    "no states": ("{ yes, no };\n}\nvariable wet", "{ };\n}\nvariable wet", 4, "'2' states, but n"),
    "count": ("[ 3 ]", "[ 4 ]", 7, "should have '4' states, but names 3"),
    "huge count": ("[ 3 ]", "[ 1000000000000 ]", 7, "but names 3"),
    "no type": ("type discrete [ 2 ] { yes, no };", "", 3, "the variable rain has no states"),
    "continuous": ("type discrete [ 2 ]", "type continuous [ 2 ]", 4, "expected 'type discrete"),
    "state twice": ("{ yes, no };", "{ yes, yes };", 3, "rain has the state 'yes' twice"),
    "variable twice": ("variable wet", "variable rain", 6, "rain is declared a second time"),
    "unknown parent": ("wet | rain", "wet | snow", 12, "the variable snow is not declared"),
    "unknown child": ("( rain )", "( snow )", 9, "the variable snow is not declared"),
    "two children": ("wet | rain", "wet rain | rain", 12, "in front of '|'"),
    "no name": ("( rain )", "( )", 9, "expected the name of a variable"),
    "table twice": ("wet | rain", "rain", 12, "the variable rain has a second table"),
    "cycle": (
        "( rain ) {\n  table 0.25, 0.75;",
        "( rain | rain ) {\n default 1, 0;",
        9,
        "rain -> rain",
    ),
    "parent twice": ("wet | rain", "wet | rain, rain", 13, "named by 2 states, got 1"),
    "row missing": ("  (no) 0.8, 0.1, 0.1;\n", "", 12, "needs 2 rows, got 1"),
    "row twice": ("(no)", "(yes)", 14, "has this row twice"),
    "unknown state": ("(no)", "(perhaps)", 14, "'perhaps' is no state of that parent"),
    "few numbers": ("0.8, 0.1, 0.1", "0.8, 0.2", 14, "needs 3 numbers here, got 2"),
    "many numbers": ("0.25, 0.75", "0.25, 0.25, 0.5", 10, "needs 2 numbers here, got 3"),
    "no number": ("0.7;", "O.7;", 13, "'O.7' should be a number"),
    "nan": ("0.8, 0.1", "nan, 0.1", 14, "'nan' should be a number"),
    "infinite": ("0.8, 0.1", "1e999, 0.1", 14, "'1e999' should be a number"),
    "underscore": ("0.75;", "0_0.75;", 9, "'0_0.75' should be a number"),
    "other digits": ("0.75;", "０.75;", 9, "'０.75' should be a number"),
    "sum": ("0.7;", "0.6;", 12, "P(wet | rain=yes) must sum to 1"),
    "negative": ("0.25, 0.75", "-0.25, 1.25", 9, "finite and 0 or more, got -0.25"),
    "both": ("(yes) 0.1, 0.2, 0.7;", "table 1 0 0 0 1 1;", 12, "has a table and rows beside it"),
    "entry": ("(yes) 0.1", "row 0.1", 13, "expected a row '(...)', 'table' or 'default'"),
    "semicolon": ("0.75;", "0.75", 11, "expected ';', got '}'"),
    "bracket": ("(yes) 0.1", "(yes 0.1", 13, "expected ')', got ';'"),
    "quote": ("{ yes, no }", '{ "yes, no }', 4, "the quoted word that begins here does not end"),
    "brace": ("0.1, 0.1;\n}\n", "0.1, 0.1;\n", 12, "the '}' that ends what begins here is missing"),
    "mark": ("network unknown {\n}", "network unknown {\n}}", 2, "got '}'"),
    "no probability": (
        "probability ( rain ) {\n  table 0.25, 0.75;\n}\n",
        "",
        None,
        "rain has no table",
    ),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_file_is_refused_with_line_and_reason(name, tmp_path):
    old, new, line, reason = MALFORMED[name]
    assert old in BASE
    assert_refused(BASE.replace(old, new, 1), tmp_path, line, reason)


def test_a_table_that_would_be_huge_is_refused_before_it_is_made(tmp_path):
    states = ", ".join(f"s{number}" for number in range(100))
    names = [f"v{number}" for number in range(7)]
    text = "network big { }\n" + "".join(
        f"variable {name} {{ type discrete [ 100 ] {{ {states} }}; }}\n" for name in names
    )
    shares = ", ".join(["0.01"] * 100)
    text += f"probability ( v0 | {', '.join(names[1:])} ) {{ default {shares}; }}\n"
    with pytest.raises(
        ValueError, match="line 9: .* at most 10,000,000 numbers .* got 100(,000){4}"
    ):
        read(text, tmp_path)
