"""Chinese labels: a font that has the characters is found, or there is one warning."""

import warnings
from io import BytesIO

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from matplotlib import rcParams
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, fontManager

from bayesic import plots
from bayesic.plots import _fonts as fonts

FAMILY = "Melon Hei"
MELON = "好瓜"


@pytest.fixture
def melon_font(tmp_path, monkeypatch):
    """A font whose only characters are those of MELON; it is gone after the test."""
    path = tmp_path / "melon.ttf"
    pen = TTGlyphPen(None)
    pen.moveTo((100, 0))
    for corner in ((100, 800), (800, 800), (800, 0)):
        pen.lineTo(corner)
    pen.closePath()
    names = [".notdef", *(f"uni{ord(character):X}" for character in MELON)]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap(dict(zip(map(ord, MELON), names[1:], strict=True)))
    builder.setupGlyf(dict.fromkeys(names, pen.glyph()))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (900, 100)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": FAMILY, "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.save(path)
    monkeypatch.setattr(fontManager, "ttflist", list(fontManager.ttflist))
    fontManager.addfont(path)
    return str(path)


def figure_with(title):
    figure = Figure()
    figure.add_subplot().set_title(title)
    return figure


def title_of(figure):
    return figure.axes[0].title


def test_the_first_family_that_is_there_and_has_the_characters_is_added(melon_font, monkeypatch):
    monkeypatch.setattr(fonts, "CHINESE_FAMILIES", ("No Such Hei", "DejaVu Serif", FAMILY))
    figure = figure_with(f"a melon: {MELON}")
    plots.add_fonts(figure)
    assert title_of(figure).get_fontfamily() == [*rcParams["font.family"], FAMILY]
    assert findfont(FontProperties(family=[FAMILY])) == melon_font
    figure.savefig(BytesIO())  # would warn of a missing glyph, and warnings are errors


def test_a_label_without_chinese_keeps_its_font(melon_font, monkeypatch):
    monkeypatch.setattr(fonts, "CHINESE_FAMILIES", (FAMILY,))
    figure = figure_with(MELON)
    label = figure.axes[0].set_xlabel("sugar")
    plots.add_fonts(figure)
    assert label.get_fontfamily() == rcParams["font.family"]


def test_a_family_that_the_user_has_chosen_stays_the_first(melon_font, monkeypatch):
    monkeypatch.setattr(fonts, "CHINESE_FAMILIES", (FAMILY,))
    figure = figure_with(MELON)
    title_of(figure).set_fontfamily("DejaVu Serif")
    plots.add_fonts(figure)
    assert title_of(figure).get_fontfamily() == ["DejaVu Serif", FAMILY]


def test_a_font_of_the_user_with_the_characters_needs_no_other(melon_font, monkeypatch):
    monkeypatch.setattr(fonts, "CHINESE_FAMILIES", ())
    figure = figure_with(MELON)
    title_of(figure).set_fontfamily(["DejaVu Sans", FAMILY])
    plots.add_fonts(figure)
    assert title_of(figure).get_fontfamily() == ["DejaVu Sans", FAMILY]


def test_characters_in_no_font_give_one_warning_with_the_way_out(monkeypatch):
    monkeypatch.setattr(fonts, "CHINESE_FAMILIES", ("No Such Hei",))
    figure = figure_with("好瓜")
    figure.axes[0].set_xlabel("密度")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        plots.add_fonts(figure)
    assert len(told) == 1
    assert told[0].filename == __file__
    message = str(told[0].message)
    assert "characters 好 密 度 瓜: they show as boxes" in message.replace("  ", " ")
    assert "No Such Hei" in message
    assert "rcParams['font.family']" in message


def test_of_many_characters_some_are_named(monkeypatch):
    monkeypatch.setattr(fonts, "CHINESE_FAMILIES", ("No Such Hei",))
    with pytest.warns(UserWarning, match=r"(\w ){10}\.\.\.: they"):
        plots.add_fonts(figure_with("一二三四五六七八九十百"))


def test_every_picture_looks_for_fonts(melon_font, monkeypatch):
    monkeypatch.setattr(fonts, "CHINESE_FAMILIES", (FAMILY,))
    axes = plots.confusion(["瓜", "好"], ["瓜", "好"]).axes[0]
    for label in (*axes.get_xticklabels(), *axes.get_yticklabels()):
        assert label.get_fontfamily()[-1] == FAMILY


def test_the_families_are_all_different():
    assert len(set(fonts.CHINESE_FAMILIES)) == len(fonts.CHINESE_FAMILIES)
