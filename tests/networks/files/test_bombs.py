"""Small files that unpack into huge ones: refused with a sentence, before they fill the memory."""

import gzip
import sys
from itertools import pairwise

import pytest

from bayesic.networks.network import BeliefNetwork
from bayesic.networks.reading import read_network
from helpers.environment import run_python

resource = pytest.importorskip("resource", reason="memory is measured as Unix does it")

JSON = '{"format": "bayesic network", "version": 1, "variables": ['
# what is repeated, behind what a file of this format begins with
BOMBS = {
    "bif marks": ("network rain { ", "{x} "),
    "bif words": ("network rain { } variable rain { type discrete [ 2 ] { ", "x "),
    "bif quotes": ("network rain { } variable rain { type discrete [ 2 ] { ", '"x" '),
    "net words": ("net { } node rain { states = (", "x "),
    "net numbers": ('net { } node rain { states = ("x"); } potential (rain) { data = (', "(1) "),
    "uai": ("MARKOV 2 2 2 1 ", "1 "),
    "json lists": (JSON, "[],"),
    "json numbers": (JSON, "1.5,"),
    "xml elements": ("<BIF><NETWORK>", "<A/>"),
    "xml attributes": ("<BIF ", 'a="" '),
}
READ = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (12 * 2**30,) * 2)
import bayesic.networks.reading as reading
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    reading.read_network(sys.argv[1])
except ValueError as error:
    print(error)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
UNIT = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes


@pytest.mark.parametrize(
    ("name", "n_bytes"), [("bif marks", 300_000_000), *((name, 100_000_000) for name in BOMBS)]
)
def test_a_bomb_is_refused_and_takes_no_more_than_a_gigabyte(tmp_path, name, n_bytes):
    begin, repeated = BOMBS[name]
    path = tmp_path / "bomb.gz"
    with gzip.open(path, "wb", compresslevel=1) as stream:
        stream.write(begin.encode())
        block = repeated.encode() * (1_000_000 // len(repeated))
        for _ in range(n_bytes // len(block)):
            stream.write(block)
    assert path.stat().st_size < 4_500_000
    run = run_python(READ.replace("sys.argv[1]", repr(str(path))))
    *sentence, peak = run.stdout.splitlines()
    assert "a network file has at most" in sentence[0], run.stderr
    assert "Split the network" in sentence[0]
    assert int(peak) * UNIT < 1e9


def test_a_table_that_a_line_makes_huge_is_refused(tmp_path):
    names = [f"cause{number}" for number in range(27)]
    text = "network rain { }"
    text += "".join(f"variable {name} {{ type discrete [2] {{ x, y }}; }}\n" for name in names)
    text += f"probability (cause0 | {', '.join(names[1:])}) {{ default 0.5, 0.5; }}"
    (tmp_path / "rain.bif").write_text(text)
    with pytest.raises(ValueError, match=r"line 28: .* at most 10,000,000 numbers .* 134,217,728"):
        read_network(tmp_path / "rain.bif")


@pytest.mark.parametrize("ending", ["bif", "net", "xmlbif", "uai", "json"])
def test_a_large_network_that_is_none_of_this_is_read(tmp_path, ending):
    names = [f"x{number}" for number in range(2_000)]
    net = BeliefNetwork(
        list(pairwise(names)),
        {names[0]: [0.25, 0.75]} | {name: [[0.5, 0.5], [0.125, 0.875]] for name in names[1:]},
        {name: ["0", "1"] for name in names},
    )
    net.write(tmp_path / f"chain.{ending}")
    assert read_network(tmp_path / f"chain.{ending}") == net
