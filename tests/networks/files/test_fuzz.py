"""Damaged files load or are refused with a sentence: nothing else happens."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.datasets.networks import asia
from bayesic.networks.factor_model import FactorModel
from bayesic.networks.network import BeliefNetwork
from bayesic.networks.reading import read_evidence, read_network
from helpers.examples import at_most


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("networks")


PIECES = [
    "{", "}", "(", ")", "[", "]", ";", "|", '"', ",", "=", "<", ">", "\\", "/*", "//", "%", "\n",
    "\x00", "\ufeff", "晴", "0", "1", "-1", "1e999", "nan", "999999999999", "1_0", "true", "null",
    "network", "variable", "probability", "table", "default", "property", "type discrete", "yes",
    "node", "potential", "data", "states", "class", "net", "BAYES", "MARKOV", "<TABLE>", "</BIF>",
    "<!ENTITY a 'b'>", "&a;", "&lt;", "<!--", "]]>", "x0", "[[0.5, 0.5]]",
]  # fmt: skip


@pytest.fixture(scope="module")
def valid(folder):
    """A valid file of each format, by its ending."""
    files = {}
    for ending in [".bif", ".xml", ".net", ".uai", ".json"]:
        asia().write(folder / f"valid{ending}")
        files[ending] = (folder / f"valid{ending}").read_text(encoding="utf-8")
    files["markov"] = files[".uai"].replace("BAYES", "MARKOV")
    return files


@st.composite
def edits(draw):
    """A few changes of a text: pieces put in, cut out, moved, doubled."""
    return draw(
        st.lists(
            st.tuples(
                st.sampled_from(["insert", "cut", "replace", "double", "end"]),
                st.floats(0, 1),
                st.integers(0, 30),
                st.sampled_from(PIECES) | st.text(max_size=3),
            ),
            min_size=1,
            max_size=4,
        )
    )


def edited(text, changes):
    for kind, where, length, piece in changes:
        start = int(where * len(text))
        middle = text[start : start + length]
        new = {
            "insert": piece + middle,
            "cut": "",
            "replace": piece,
            "double": middle * 2,
            "end": "",
        }
        text = text[:start] + new[kind] + ("" if kind == "end" else text[start + length :])
    return text


@pytest.mark.parametrize("ending", [".bif", ".xml", ".net", ".uai", ".json", "markov"])
@at_most(150)
@given(changes=edits(), normalise=st.booleans())
def test_a_damaged_file_loads_or_is_refused_with_a_sentence(
    ending, valid, folder, changes, normalise
):
    path = folder / "damaged"
    path.write_bytes(edited(valid[ending], changes).encode("utf-8", "surrogatepass"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            net = read_network(path, normalise=normalise)
        except ValueError as error:
            assert type(error) is ValueError
            assert str(error).startswith(str(path))
            assert str(error).endswith(".")
            return
    assert isinstance(net, (BeliefNetwork, FactorModel))


@at_most(100)
@given(st.binary(max_size=200))
def test_any_bytes_load_or_are_refused(folder, content):
    path = folder / "bytes"
    path.write_bytes(content)
    for read in (read_network, read_evidence):
        try:
            read(path)
        except ValueError as error:
            assert str(error).startswith(str(path))


@pytest.mark.parametrize(
    "text",
    [
        "/*" * 200_000,
        '"' * 200_001,
        "network a {} " + '"' * 200_001,
        "network a {} variable b { type discrete [ 1 ] { " + "1 " * 200_000,
        "network a {} " + "/* */" * 100_000 + "(" * 100_000,
        "net {} " + "(" * 200_000,
        "net {} node a { states = (" + '"a" ' * 100_000,
        "BAYES 1 1 1 1 0 1 " + "1 " * 200_000,
        "<BIF>" + "<A>" * 200_000,
        "{" + "[" * 200_000,
        "%" * 200_000,
        "% \n" * 100_000,
        'network a {} "' + "\\" * 200_001,
    ],
    ids=[
        "comments", "quotes", "open quote", "open list", "brackets", "net brackets", "net states",
        "numbers", "xml", "json", "percent", "lines", "backslashes",
    ],
)  # fmt: skip
def test_long_nonsense_is_refused_in_time(text, tmp_path):
    (tmp_path / "nonsense").write_text(text)
    with pytest.raises(ValueError, match="nonsense"):
        read_network(tmp_path / "nonsense")
