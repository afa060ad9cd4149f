"""XMLBIF: what it holds, what is refused."""

import pytest

from bayesic.networks.network import BeliefNetwork
from bayesic.networks.reading import read_network
from helpers.network_examples import WET, assert_refused, read

XML = """<?xml version="1.0"?>
<!DOCTYPE BIF [
  <!ELEMENT BIF ( NETWORK )*>
]>
<BIF VERSION="0.3">
<NETWORK>
<NAME>wet</NAME>
<VARIABLE TYPE="nature"><NAME> rain </NAME>
  <OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME><PROPERTY>position = (1, 2)</PROPERTY></VARIABLE>
<VARIABLE><NAME>wet</NAME>
  <OUTCOME>dry</OUTCOME><OUTCOME>damp</OUTCOME><OUTCOME>wet</OUTCOME></VARIABLE>
<DEFINITION><FOR>rain</FOR><TABLE>0.25 0.75</TABLE></DEFINITION>
<DEFINITION><FOR>wet</FOR><GIVEN>rain</GIVEN>
  <TABLE>
    0.1 0.2 0.7 <!-- yes -->
    0.8 0.1 0.1
  </TABLE></DEFINITION>
</NETWORK>
</BIF>
"""


def test_it_holds_the_network(tmp_path):
    assert read(XML, tmp_path) == WET


def test_xml_tells_its_encoding(tmp_path):
    net = BeliefNetwork(tables={"größe": {"klein": 0.5, "groß": 0.5}})
    path = tmp_path / "net.xml"
    net.write(path)
    text = path.read_text(encoding="utf-8").replace("UTF-8", "ISO-8859-1")
    path.write_bytes(text.encode("latin-1"))
    assert read_network(path) == net
    path.write_bytes(text.replace("ISO-8859-1", "UTF-16").encode("utf-16"))
    assert read_network(path) == net


MALFORMED = {
    "not closed": ("</NETWORK>", "", 19, "it is no XML: mismatched tag"),
    "other root": ("BIF", "FIB", 5, "expected the element BIF, got 'FIB'"),
    "no network": ("NETWORK", "NET", 5, "expected one NETWORK in BIF, got 0"),
    "entity": ("<!ELEMENT BIF ( NETWORK )*>", '<!ENTITY a "aaaa">', 3, "entities cannot be"),
    "decision": ('"nature"', '"decision"', 8, "only variables of TYPE nature"),
    "no name": ("<NAME>wet</NAME>\n  <OUT", "<OUT", 10, "expected one NAME in VARIABLE"),
    "no states": (
        "<OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME>",
        "",
        8,
        "the variable rain has no states",
    ),
    "few numbers": ("0.25 0.75", "1.0", 12, "the table of rain needs 2 numbers, got 1"),
    "number": ("0.25 0.75", "0,25 0.75", 12, "'0,25' should be a number"),
    "sum": ("0.7 ", "0.6 ", 13, "P(wet | rain=yes) must sum to 1"),
    "parent": ("<GIVEN>rain", "<GIVEN>snow", 13, "the variable snow is not declared"),
    "no table": ("<TABLE>0.25 0.75</TABLE>", "", 12, "expected one TABLE in DEFINITION, got 0"),
    "deep": ("<NAME>wet</NAME>\n<VAR", "<A>" * 30 + "\n<VAR", 7, "nested too deep"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_file_is_refused_with_line_and_reason(name, tmp_path):
    old, new, line, reason = MALFORMED[name]
    assert old in XML
    assert_refused(XML.replace(old, new), tmp_path, line, reason)
