"""Hugin NET: what it holds, what is refused."""

import pytest

from helpers.network_examples import WET, assert_refused, read

NET = """% a comment
net { node_size = (80 40); }
node rain { label = "Does it
rain {?}"; position = (1 2); states = ("yes" "no"); }
discrete node wet { states = ( "dry" "damp" "wet" ); HR_Desc = ""; }
potential (rain) { data = ( 0.25 0.75 ); }
potential (wet | rain)
{
  data = ((0.1 0.2 0.7)   % yes
          (0.8 0.1 0.1)); % no
  experience = (1 1);
}
"""


def test_it_holds_the_network(tmp_path):
    assert read(NET, tmp_path) == WET


def test_a_class_around_a_net_is_looked_into(tmp_path):
    inner = NET.replace("net { node_size = (80 40); }", "")
    assert read(f"class Wet {{ inputs = (); {inner} }}", tmp_path) == WET


MALFORMED = {
    "word": ("potential (rain)", "potental (rain)", 6, "got 'potental'"),
    "continuous": ("discrete node", "continuous node", 5, "only discrete chance nodes"),
    "decision": ("discrete node", "decision", 5, "only discrete chance nodes"),
    "no states": ('states = ("yes" "no");', "", 3, "the variable rain has no states"),
    "twice": ("node wet", "node rain", 5, "the node rain is declared a second time"),
    "parent": ("wet | rain", "wet | snow", 7, "the node snow is not declared"),
    "joint": ("(wet | rain)", "(wet rain)", 7, "in front of '|'"),
    "few numbers": ("(0.8 0.1 0.1)", "(0.8 0.2)", 7, "needs 6 numbers, got 5"),
    "number": ("0.8 0.1 0.1", "normal 0.1 0.1", 10, "'normal' should be a number"),
    "brackets": ("(0.8 0.1 0.1));", "(0.8 0.1 0.1);", 8, "brackets around the numbers of wet"),
    "no data": ("data = ( 0.25 0.75 );", "", 6, "the table of rain has no data"),
    "no end": ("data = ( 0.25 0.75 );", "data = ( 0.25 0.75 )", 6, "do not end with ';'"),
    "string": ('HR_Desc = ""', 'HR_Desc = "', 5, "the ';' that ends"),
    "sum": ("0.8 0.1", "0.7 0.1", 7, "P(wet | rain=no) must sum to 1"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_file_is_refused_with_line_and_reason(name, tmp_path):
    old, new, line, reason = MALFORMED[name]
    assert old in NET
    assert_refused(NET.replace(old, new), tmp_path, line, reason)
