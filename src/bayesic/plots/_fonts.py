"""Fonts for labels in any script: where the usual font has no Chinese, one that has is added."""

from collections.abc import Iterable
from functools import cache

from matplotlib.figure import Figure, SubFigure
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font
from matplotlib.text import Text

from bayesic.data.arguments import tell

# Families with Chinese characters, tried in this order: free ones, then those of macOS and Windows,
# then fonts for other languages that have many of the characters too.
CHINESE_FAMILIES = (
    *("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN"),
    *("WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Droid Sans Fallback"),
    *("PingFang SC", "Hiragino Sans GB", "Heiti SC", "STHeiti", "Songti SC"),
    *("Microsoft YaHei", "SimHei", "DengXian", "SimSun", "Arial Unicode MS"),
    *("Noto Serif CJK SC", "Source Han Serif SC", "AR PL UMing CN", "AR PL UKai CN"),
    *("Noto Sans CJK JP", "Noto Sans CJK TC", "Noto Sans CJK HK", "Noto Sans CJK KR"),
    *("IPAexGothic", "Unifont"),
)
MOST_SHOWN = 10  # characters in the warning


def add_fonts(figure: Figure | SubFigure) -> None:
    """Give each label of a figure fonts that have all its characters.

    All functions of this module do so; call it again after adding your own Chinese labels. Warns
    once per figure if no font has some characters.

    >>> from bayesic import plots
    >>> figure = plots.log_likelihood([-30.0, -20.0, -19.5])
    >>> title = figure.suptitle("EM climbs")
    >>> plots.add_fonts(figure)
    """
    if not hasattr(figure, "findobj"):
        raise TypeError(
            f"figure must be a figure of matplotlib, as the functions of plots give, got "
            f"{type(figure).__name__}."
        )
    without_font: set[str] = set()
    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        own = text.get_fontfamily()
        families, missing = families_for(text.get_text(), own)
        without_font |= missing
        if len(families) > len(own):
            text.set_fontfamily(families)
    if without_font:
        shown = " ".join(sorted(without_font)[:MOST_SHOWN])
        more = " ..." if len(without_font) > MOST_SHOWN else ""
        tell(
            f"No font was found that has the characters {shown}{more}: they show as boxes. Install "
            f"one, such as {CHINESE_FAMILIES[0]}, or register one with "
            "matplotlib.font_manager.fontManager.addfont(path), and name it in "
            "matplotlib.rcParams['font.family']."
        )


def families_for(text: str, usual: Iterable[str]) -> tuple[list[str], set[str]]:
    """The usual families and as many more as a text needs, and the characters that none has.

    matplotlib takes each character from the first family that has it.

    >>> families_for("rain", ["DejaVu Sans"])
    (['DejaVu Sans'], set())
    """
    families = list(usual)
    missing = {character for character in text if character.isprintable()}
    for family in families:
        missing -= _characters_of(findfont(FontProperties(family=[family])))
    if not missing:
        return families, missing
    for family in _installed(CHINESE_FAMILIES):
        covered = missing & _characters_of(findfont(FontProperties(family=[family])))
        if covered:
            families.append(family)
            missing -= covered
        if not missing:
            break
    return families, missing


def _installed(families: Iterable[str]) -> list[str]:
    """Those of the families that matplotlib knows."""
    installed = {font.name for font in fontManager.ttflist}
    return [family for family in families if family in installed]


@cache
def _characters_of(path: str) -> frozenset[str]:
    """All characters of a font file."""
    return frozenset(map(chr, get_font(path).get_charmap()))
