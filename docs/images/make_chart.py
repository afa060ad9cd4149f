"""Draw the chart of docs/which-model.md: from what you have and want to the name to use.

    python docs/images/make_chart.py            # into this folder
    python docs/images/make_chart.py FOLDER

It is plain SVG with the fonts of the reader, and readable in light and in dark.
"""

import sys
from html import escape
from pathlib import Path
from typing import NamedTuple

WIDTH, MARGIN = 960, 16
HAVE, WANT, USE = 16, 270, 610  # where the columns begin
LINE, GAP = 34, 14  # height of a wish, and between two groups


class Wish(NamedTuple):
    """What somebody wants, in English and Chinese, and the names that give it."""

    english: str
    chinese: str
    names: str


class Group(NamedTuple):
    """What somebody has, in English and Chinese, and all that can be wished for there."""

    english: str
    chinese: str
    wishes: tuple[Wish, ...]


HEADINGS = {"en": ("I have ...", "I want ...", "use"), "zh": ("我有……", "我想要……", "使用")}

CHART = (
    Group(
        "a table and a class",
        "一张带类别的表",
        (
            Wish("the best probabilities", "最准的概率", "AutoBayes"),
            Wish("speed, and reasons that add up", "速度，和能相加的理由", "NaiveBayes"),
            Wish(
                "columns that depend on each other", "各列相互依赖", "TreeAugmentedNB, KDependence"
            ),
            Wish("one model to read, picked for me", "替我挑一个读得懂的模型", "choose_model"),
        ),
    ),
    Group(
        "numbers in an array",
        "数值数组",
        (
            Wish(
                "scikit-learn's naive Bayes, faster",
                "更快的 scikit-learn 朴素贝叶斯",
                "GaussianNB, ...",
            ),
            Wish("Gaussian classes", "高斯分布的类别", "GaussianBayes, LDA, QDA"),
            Wish("the discriminative twin", "判别式的孪生模型", "LogisticRegression"),
            Wish("the most similar rows", "最相似的行", "KNeighborsClassifier"),
        ),
    ),
    Group(
        "texts",
        "文本",
        (
            Wish("labels", "类别标签", "TextClassifier"),
            Wish("labels, but few are known", "只有少量标签", "SemiSupervised"),
        ),
    ),
    Group(
        "numbers, no classes",
        "数值，没有类别",
        (
            Wish("groups", "分组", "GaussianMixture, KMeans"),
            Wish("a number to predict", "预测一个数值", "LeastSquares, KNeighborsRegressor"),
        ),
    ),
    Group(
        "dependent variables",
        "相互依赖的变量",
        (
            Wish("any probability, given anything", "任意条件下的任意概率", "BeliefNetwork"),
            Wish("the edges from data", "从数据找出边", "learn_structure"),
        ),
    ),
    Group(
        "a fitted model",
        "一个学好的模型",
        (
            Wish("to know how good it is", "知道它有多好", "evaluate"),
            Wish("probabilities to believe", "可信的概率", "calibrated"),
            Wish("the action of least cost", "代价最小的行动", "BayesDecision"),
            Wish("to keep it, and let it learn on", "保存它，让它继续学习", "open_store"),
        ),
    ),
)

STYLE = """
  text { font: 15px system-ui, "Noto Sans CJK SC", "Microsoft YaHei", sans-serif; fill: #1f2328; }
  .head { font-weight: 600; fill: #59636e; }
  .have { font-weight: 600; }
  .name { font: 14px ui-monospace, Consolas, monospace; fill: #0b5394; }
  rect { fill: #f6f8fa; stroke: #d1d9e0; }
  rect.page { fill: #ffffff; stroke: none; }
  rect.use { fill: #eaf3fb; stroke: #9fc5e8; }
  path { fill: none; stroke: #818b98; stroke-width: 1.5; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .head { fill: #9198a1; }
    .name { fill: #9cd0ff; }
    rect { fill: #161b22; stroke: #3d444d; }
    rect.page { fill: #0d1117; stroke: none; }
    rect.use { fill: #12283d; stroke: #2f5d8a; }
  }
"""


def chart(language: str) -> str:
    """The chart as the text of an SVG file."""
    have, want, use = HEADINGS[language]
    parts = [
        _text(HAVE, 26, have, "head"),
        _text(WANT, 26, want, "head"),
        _text(USE, 26, use, "head"),
    ]
    top = 42
    for group in CHART:
        parts += _group(group, language, top)
        top += LINE * len(group.wishes) + GAP
    size = f'viewBox="0 0 {WIDTH} {top}" width="{WIDTH}" height="{top}"'
    style = f"<style>{STYLE}</style>"
    page = _box(0, 0, WIDTH, top, "page")  # its own ground: the page around it may be dark or light
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        style,
        page,
        *parts,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _group(group: Group, language: str, top: int) -> list[str]:
    place = 0 if language == "en" else 1
    height = LINE * len(group.wishes)
    middle = top + height // 2
    parts = [
        _box(HAVE, top + 3, WANT - HAVE - 40, height - 6),
        _text(HAVE + 12, middle + 5, group[place], "have"),
    ]
    for number, wish in enumerate(group.wishes):
        y = top + LINE * number + LINE // 2
        start, bend = WANT - 40, WANT - 22
        parts.append(f'<path d="M{start} {middle} H{bend} V{y} H{WANT - 6}"/>')
        parts.append(_text(WANT, y + 5, wish[place], "want"))
        parts.append(_box(USE - 10, y - 13, WIDTH - USE + 10 - MARGIN, 26, "use"))
        parts.append(_text(USE, y + 5, wish.names, "name"))
    return parts


def _box(x: int, y: int, width: int, height: int, kind: str = "box") -> str:
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>'


def _text(x: int, y: int, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x}" y="{y}">{escape(text)}</text>'


def main() -> None:
    """Write the chart in both languages."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for language, name in {"en": "which-model", "zh": "which-model-zh"}.items():
        path = folder / f"{name}.svg"
        path.write_text(chart(language), encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
