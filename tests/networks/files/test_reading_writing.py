"""All formats: round trips, files told by content, packed files, files that are whole, fuzzing."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.datasets.networks import asia, campfire
from bayesic.networks.network import BeliefNetwork
from bayesic.networks.reading import read_network
from bayesic.networks.writing import WRITERS
from helpers.random_networks import networks

NAMED = [ending for ending in WRITERS if ending not in (".uai", ".json")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("networks")


@pytest.mark.parametrize("ending", NAMED)
@given(net=networks(words_only=True))
def test_names_and_numbers_come_back_to_the_last_bit(ending, folder, net):
    net.write(folder / f"net{ending}")
    assert read_network(folder / f"net{ending}") == net


@given(net=networks())
def test_json_keeps_the_kinds_of_states_too(folder, net):
    net.write(folder / "net.json.gz")
    assert read_network(folder / "net.json.gz") == net


@given(net=networks())
def test_uai_keeps_the_numbers(folder, net):
    net.write(folder / "net.uai")
    again = read_network(folder / "net.uai")
    for ours, theirs in zip(again.factors().tables, net.factors().tables, strict=True):
        assert ours.tobytes() == theirs.tobytes()
    assert again.factors().scopes == net.factors().scopes


names = st.text(min_size=1, max_size=8).filter(lambda text: text.strip())


@pytest.mark.parametrize("ending", [".bif", ".xml", ".net", ".json"])
@given(variable=names, states=st.lists(names, min_size=1, max_size=3, unique=True))
def test_any_name_comes_back_or_is_refused(ending, folder, variable, states):
    shares = [1.0] + [0.0] * (len(states) - 1)
    net = BeliefNetwork(tables={variable: dict(zip(states, shares, strict=True))})
    try:
        net.write(folder / f"odd{ending}")
    except ValueError as error:
        assert ending != ".json"
        assert "Write .json instead" in str(error)
        return
    assert read_network(folder / f"odd{ending}") == net


@pytest.mark.parametrize("ending", WRITERS)
def test_the_format_is_told_by_the_content(ending, tmp_path):
    asia().write(tmp_path / f"asia{ending}")
    (tmp_path / f"asia{ending}").rename(tmp_path / "no-ending")
    assert len(read_network(tmp_path / "no-ending").variables) == 8
    packed = gzip.compress((tmp_path / "no-ending").read_bytes())
    (tmp_path / "packed").write_bytes(packed)
    assert read_network(tmp_path / "packed") == read_network(tmp_path / "no-ending")


def test_the_same_network_gives_the_same_bytes(tmp_path):
    for name in ("first.bif.gz", "second.bif.gz"):
        asia().write(tmp_path / name)
    assert (tmp_path / "first.bif.gz").read_bytes() == (tmp_path / "second.bif.gz").read_bytes()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it is no file of a network: BIF begins with 'network'"),
        (b"PK\x03\x04", "it is no file of a network"),
        (b"belief network", "it is no file of a network"),
        (b"network \xff { }", "line 1: it is not UTF-8 text"),
        (b"\x1f\x8b\x08broken", "must be a gzip file, but is broken"),
        (gzip.compress(b"network a { }")[:-4], "must be a gzip file, but is broken"),
        (gzip.compress(b"x" * 100), "it is no file of a network"),
    ],
    ids=["empty", "zip", "words", "bytes", "gzip", "cut gzip", "other gzip"],
)
def test_other_files_are_refused(content, message, tmp_path):
    (tmp_path / "some.file").write_bytes(content)
    with pytest.raises(ValueError, match=message):
        read_network(tmp_path / "some.file")


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("bayesic.networks.reading.LARGEST_FILE", 1000)
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(b"network" + b" " * 1000))
    with pytest.raises(ValueError, match="is too large: a network file has at most 1,000 bytes"):
        read_network(tmp_path / "bomb.gz")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="There is no file .*none.bif. Check the path"):
        read_network(tmp_path / "none.bif")
    with pytest.raises(FileNotFoundError, match="There is no folder"):
        asia().write(tmp_path / "none" / "asia.bif")
    with pytest.raises(ValueError, match="is written to a file that ends with .bif, .xml"):
        asia().write(tmp_path / "asia.txt")
    (tmp_path / "folder.bif").mkdir()
    with pytest.raises(ValueError, match="is written to a file, got"):
        asia().write(tmp_path / "folder.bif")


@pytest.mark.parametrize("broken", ["os.fsync", "pathlib.Path.replace"])
def test_a_file_is_written_whole_or_not_at_all(broken, tmp_path, monkeypatch):
    asia().write(tmp_path / "asia.bif")
    before = (tmp_path / "asia.bif").read_bytes()

    def fail(*_):
        raise OSError("no space left")

    monkeypatch.setattr(broken, fail)
    with pytest.raises(OSError, match="no space left"):
        asia().with_tables({"asia": [0.5, 0.5]}).write(tmp_path / "asia.bif")
    assert (tmp_path / "asia.bif").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["asia.bif"]


@pytest.mark.parametrize("ending", ["bif", "xml", "net", "uai"])
def test_other_formats_need_all_tables(ending, tmp_path):
    with pytest.raises(ValueError, match=f"A .{ending} file needs all tables; Storm has none"):
        campfire().write(tmp_path / f"fire.{ending}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", ["bif", "xml", "net"])
@pytest.mark.parametrize(
    "table",
    [{"a\x00b": 1}, {" yes": 1}, {"": 1}, {"\ud800": 1}, {"\uffff": 1}, {"line\nline": 1}],
    ids=["control", "space", "empty", "surrogate", "noncharacter", "newline"],
)
def test_names_that_would_not_come_back_are_refused(ending, table, tmp_path):
    net = BeliefNetwork(tables={"Rain": table})
    with pytest.raises(ValueError, match="cannot hold the name .* Write .json instead"):
        net.write(tmp_path / f"odd.{ending}")
    net.write(tmp_path / "odd.json")
    assert read_network(tmp_path / "odd.json") == net


@pytest.mark.parametrize("ending", ["bif", "xml", "net"])
def test_states_become_texts_that_must_differ(ending, tmp_path):
    campfire(0.25, 0.5).write(tmp_path / f"fire.{ending}")
    assert read_network(tmp_path / f"fire.{ending}").states("Storm") == ("True", "False")
    with pytest.raises(ValueError, match="two states of Rain have the same text"):
        BeliefNetwork(tables={"Rain": {"1": 0.5, 1: 0.5}}).write(tmp_path / f"rain.{ending}")
