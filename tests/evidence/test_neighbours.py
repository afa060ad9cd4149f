"""Neighbours as a table to read."""

from bayesic.evidence.neighbour_table import Neighbour, Neighbours


def test_labels_in_chinese_stand_in_their_column():
    nearest = (Neighbour(3, "好瓜", 0.125, 1.5), Neighbour(12, "no", 11.0, 0.5))
    assert str(Neighbours("好瓜", nearest, {"好瓜": 0.75, "no": 0.25})).splitlines() == [
        "好瓜 (0.7500) from the 2 nearest rows",
        "  row  label  distance  weight",
        "    3  好瓜     0.1250  1.5000",
        "   12  no      11.0000  0.5000",
    ]


def test_numbers_have_no_share():
    assert str(Neighbours(2.5, (Neighbour(0, 2.5, 0.0, 1.0),))).splitlines() == [
        "2.5 from the nearest row",
        "  row  label  distance  weight",
        "    0  2.5      0.0000  1.0000",
    ]


def test_several_outputs_are_shown_together():
    text = str(Neighbours((1.0, 0.25), (Neighbour(0, (1.0, 0.25), 0.0, 1.0),)))
    assert text.startswith("(1, 0.25) from the nearest row")
