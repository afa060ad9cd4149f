"""Make the pictures that only the textbook has, for docs/textbook and docs/zh/textbook.

    python docs/images/make_textbook.py            # into this folder
    python docs/images/make_textbook.py FOLDER

Pictures with words are made twice, NAME.png and NAME-zh.png. Chinese words and names of columns
need a font that has them; without one there is a warning.
"""

import itertools
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import numpy as np
from make import write
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sklearn.datasets import load_breast_cancer, load_iris

import bayesic as by
from bayesic import hypotheses, plots

Language = Literal["en", "zh"]

BLUE, RED, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#8A8A8A"  # as in the plots
CHINESE = {
    "positive tests": "化验为正的次数",
    "P(cancer)": "P(cancer)",
    "no data": "没有数据",
    "1 day": "1 天",
    "3 days": "3 天",
    "4 days": "4 天",
    "hypotheses": "假设",
    "probability": "概率",
    "general": "一般",
    "specific": "特殊",
    "target function f": "目标函数 f",
    "line of least squares": "最小二乘直线",
    "noisy examples": "有噪声的样例",
    "points": "点",
    "density": "概率密度",
    "mixture": "混合分布",
    "components": "成分",
    "petal length": "花瓣长",
    "petal width": "花瓣宽",
    "generative: LDA": "生成式：LDA",
    "discriminative: logistic regression": "判别式：逻辑回归",
    "naive Gaussian: quadratic": "朴素高斯：二次",
    "LDA: straight": "LDA：直线",
    "QDA: quadratic": "QDA：二次",
    "1 nearest neighbour": "1 近邻",
    "7 nearest neighbours": "7 近邻",
    "mean of the 5 nearest": "5 个近邻的均值",
}


def say(words: str, language: Language) -> str:
    """The words in a language."""
    return CHINESE[words] if language == "zh" else words


def panels(n: int, width: float, height: float, **shared: Any) -> tuple[Figure, list[Axes]]:
    """A figure with n pictures side by side."""
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = list(np.atleast_1d(figure.subplots(1, n, **shared)))
    for ax in axes:
        ax.spines[["top", "right"]].set_visible(False)
    return figure, axes


# 2. Hypotheses ------------------------------------------------------------------------------------


def tests_of_a_patient(language: Language) -> Figure:
    """P(cancer) after 0 to 5 positive tests (example 9)."""
    patient = hypotheses.HypothesisSpace(
        prior={"cancer": Fraction("0.008"), "none": Fraction("0.992")},
        likelihood={"cancer": {"+": Fraction("0.98")}, "none": {"+": Fraction("0.03")}},
    )
    probability = [float(patient.posterior(["+"] * n)["cancer"]) for n in range(6)]
    figure, (ax,) = panels(1, 5.0, 2.8)
    ax.plot(range(6), probability, color=BLUE, marker="o")
    for n, height in enumerate(probability[:4]):
        beside = (6, -12) if n else (9, -4)
        ax.annotate(f"{height:.4f}", (n, height), beside, textcoords="offset points", fontsize=9)
    ax.set(xlabel=say("positive tests", language), ylabel=say("P(cancer)", language))
    plots.add_fonts(figure)
    return figure


def posterior_of_concepts(language: Language) -> Figure:
    """Hypotheses of EnjoySport after 0, 1, 3 and 4 days: the last 95 to remain (example 10)."""
    days = by.datasets.enjoy_sport()
    values = [["Sunny", "Cloudy", "Rainy"], ["Warm", "Cold"], ["Normal", "High"]]
    values += [["Strong", "Light"], ["Warm", "Cool"], ["Same", "Change"]]
    every = list(itertools.product(*(["?", *of_column] for of_column in values)))
    named = {f"x{number}": of_column for number, of_column in enumerate(values)}
    heights = [np.full(len(every), 1 / 973)]
    for n in (1, 3, 4):
        known = hypotheses.brute_force_map(
            days.rows[:n], days.target[:n], values=named, positive="Yes"
        )
        heights.append(np.array([float(known.probability(each)) for each in every]))
    survives = np.argsort(sum(height > 0 for height in heights), kind="stable")
    figure, axes = panels(4, 9.0, 2.6, sharey=True)
    titles = ("no data", "1 day", "3 days", "4 days")
    for ax, height, title in zip(axes, heights, titles, strict=True):
        ax.fill_between(range(len(every)), height[survives], step="mid", color=BLUE, linewidth=1.2)
        ax.set(yscale="log", ylim=(5e-4, 0.5), xlim=(len(every) - 95.5, len(every) + 3), xticks=[])
        ax.set(title=say(title, language), xlabel=say("hypotheses", language))
    axes[0].set_ylabel(say("probability", language))
    plots.add_fonts(figure)
    return figure


def lattice_of_concepts(language: Language) -> Figure:
    """The version space of EnjoySport, general hypotheses above specific ones (example 11)."""
    days = by.datasets.enjoy_sport()
    space = hypotheses.candidate_elimination(days.rows, days.target)
    asked = {each: sum(part != "?" for part in each) for each in space.hypotheses}
    above: dict[Any, list[Any]] = {each: [] for each in asked}
    for upper, lower in itertools.permutations(asked, 2):
        if asked[lower] == asked[upper] + 1 and hypotheses.more_general(upper, lower):
            above[lower].append(upper)
    place: dict[Any, tuple[float, float]] = {}
    for level in sorted(set(asked.values())):
        row = [each for each in asked if asked[each] == level]
        row.sort(key=lambda each: sum(place[upper][0] for upper in above[each]))
        place.update({each: (2 * n - len(row) + 1, -level) for n, each in enumerate(row)})
    figure, (ax,) = panels(1, 8.0, 2.9)
    ax.set_axis_off()
    for lower, uppers in above.items():
        for upper in uppers:
            ax.plot(*zip(place[upper], place[lower], strict=True), color=GREY, zorder=1)
    for each, (x, y) in place.items():
        edge = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": BLUE}
        ax.text(x, y, ", ".join(each), ha="center", va="center", fontsize=9, bbox=edge)
    ax.text(-3.6, -1, f"G  {say('general', language)}", va="center", color=RED)
    ax.text(-3.6, -3, f"S  {say('specific', language)}", va="center", color=RED)
    ax.set(xlim=(-3.7, 3.2), ylim=(-3.4, -0.6))
    plots.add_fonts(figure)
    return figure


def tree_of_days(language: Language) -> Figure:
    """The tree of the shortest description of PlayTennis, each day ten times (example 15)."""
    days = by.datasets.play_tennis("zh")
    columns = dict(zip(days.columns, zip(*days.rows, strict=True), strict=True))
    model = hypotheses.MDLTreeClassifier(exception_weight=1)
    model.fit(columns, days.target, sample_weight=[10] * len(days))
    return plots.tree(model)


# 3. Noise -----------------------------------------------------------------------------------------


def line_with_noise(language: Language) -> Figure:
    """A line, noisy examples, and the line that least squares finds (example 16)."""
    rng = np.random.default_rng(6)
    x = np.sort(rng.uniform(0, 10, 12))
    d = 1 + 0.5 * x + rng.normal(0, 0.9, 12)
    learned = by.LeastSquares().fit(x[:, None], d)
    ends = np.array([0.0, 10.0])
    figure, (ax,) = panels(1, 5.6, 3.0)
    ax.vlines(x, d, learned.predict(x[:, None]), color=GREY, linewidth=0.8)
    ax.plot(ends, 1 + 0.5 * ends, color=BLUE, label=say("target function f", language))
    found = learned.predict(ends[:, None])
    ax.plot(ends, found, "--", color=RED, label=say("line of least squares", language))
    ax.plot(x, d, "o", color="#333333", markersize=4, label=say("noisy examples", language))
    ax.set(xlabel="x", ylabel="d")
    ax.legend(frameon=False, fontsize=9)
    plots.add_fonts(figure)
    return figure


# 5. Networks and hidden variables -----------------------------------------------------------------


def campfire(language: Language) -> Figure:
    """Storm, BusTourGroup and Campfire, after the fire was seen (example 29)."""
    net = by.datasets.campfire(storm=1 / 4, bus_tour_group=1 / 2)
    return plots.network(net, given={"Campfire": True})


def mixture_on_a_line(language: Language) -> Figure:
    """Two Gaussians of variance 1 among 60 points, and how EM climbs (example 34)."""
    rng = np.random.default_rng(1)
    points = np.concatenate([rng.normal(0, 1, 30), rng.normal(3.5, 1, 30)])[:, None]
    found = by.mixtures.means_of_known_variance(points, [[1.0], [2.0]], variance=1.0)
    first = by.mixtures.expected_memberships(points, found.state, variance=1.0)[:, 0]
    grid = np.linspace(-3.5, 7, 300)
    parts = np.exp(-((grid[:, None] - found.state.ravel()) ** 2) / 2) / np.sqrt(8 * np.pi)
    figure, (left, right) = panels(2, 8.4, 2.9)
    left.plot(grid, parts.sum(axis=1), color="#333333", label=say("mixture", language))
    left.plot(grid, parts[:, 0], "--", color=BLUE, label=say("components", language))
    left.plot(grid, parts[:, 1], "--", color=RED)
    colours = [BLUE if share > 0.5 else RED for share in first]
    left.scatter(points[:, 0], np.full(60, -0.012), c=colours, s=30, marker="|", linewidths=1)
    left.set(xlabel=say("points", language), ylabel=say("density", language))
    left.legend(frameon=False, fontsize=9)
    plots.log_likelihood(found.trace, ax=right)
    plots.add_fonts(figure)
    return figure


def mixture_of_petals(language: Language) -> Figure:
    """Three components in the petals of iris, found without the species (example 34)."""
    iris = load_iris()
    names = [say(name, language) for name in ("petal length", "petal width")]
    X = dict(zip(names, iris.data[:, 2:].T, strict=True))
    model = by.GaussianMixture(3, random_state=0).fit(X)
    return plots.mixture(model, X)


# 6. Bayes classifiers -----------------------------------------------------------------------------


def curves_of_twins(language: Language) -> Figure:
    """LDA and logistic regression, as more rows of the breast cancer data are learned (35)."""
    X, y = load_breast_cancer(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    twins = {
        say("generative: LDA", language): by.LinearDiscriminantAnalysis(shrinkage="ledoit-wolf"),
        say("discriminative: logistic regression", language): by.LogisticRegression(C=np.inf),
    }
    return plots.learning_curves(twins, X, y, n_splits=5, size=(7.0, 3.2))


def evidence_of_a_day(language: Language) -> Figure:
    """What speaks for and against a game on the day of example 38."""
    days = by.datasets.play_tennis("zh")
    model = by.NaiveBayes(smoothing=1).fit(days.to_dict(), y="打网球")
    day = dict(zip(days.columns, ("晴", "冷", "高", "有"), strict=True))
    return plots.evidence(model.explain(day))


def melons() -> tuple[Any, Any]:
    """Density and sugar of the melons, and which are good."""
    import pandas as pd

    table = pd.DataFrame(by.datasets.watermelon().to_dict())
    return table[["密度", "含糖率"]], table["好瓜"]


def densities_of_melons() -> Figure:
    """Density and sugar of good and bad melons, each a Gaussian (example 39)."""
    X, y = melons()
    return plots.densities(by.GaussianNB(var_smoothing=0).fit(X, y), X, y)


def boundaries_of_melons(language: Language) -> Figure:
    """The regions of three classifiers (example 39)."""
    X, y = melons()
    models = {
        "naive Gaussian: quadratic": by.GaussianNB(var_smoothing=0),
        "LDA: straight": by.LinearDiscriminantAnalysis(),
        "QDA: quadratic": by.QuadraticDiscriminantAnalysis(),
    }
    figure, axes = panels(3, 9.6, 3.1, sharex=True, sharey=True)
    for ax, (title, model) in zip(axes, models.items(), strict=True):
        plots.decision_regions(model.fit(X, y), X, y, ax=ax)
        ax.set_title(say(title, language), fontsize=10)
        if ax is not axes[-1]:
            ax.get_legend().remove()
        if ax is not axes[0]:
            ax.set_ylabel("")
    plots.add_fonts(figure)
    return figure


def neighbours(language: Language) -> Figure:
    """Regions of 1 and 7 neighbours, and a regression by 5 (example 42)."""
    rng = np.random.default_rng(3)
    X = np.concatenate([rng.normal((0, 0), 1, (40, 2)), rng.normal((1.6, 1.6), 1, (40, 2))])
    y = np.repeat(["A", "B"], 40)
    figure, axes = panels(3, 9.6, 3.0)
    for ax, k, title in zip(
        axes, (1, 7), ("1 nearest neighbour", "7 nearest neighbours"), strict=False
    ):
        plots.decision_regions(by.KNeighborsClassifier(k).fit(X, y), X, y, ax=ax)
        ax.get_legend().remove()
        ax.set(title=say(title, language), xlabel="", ylabel="")
    x = np.sort(rng.uniform(0, 6, 40))
    d = np.sin(x) + rng.normal(0, 0.25, 40)
    grid = np.linspace(0, 6, 600)
    curve = by.KNeighborsRegressor(5).fit(x[:, None], d).predict(grid[:, None])
    axes[2].plot(grid, np.sin(grid), color=GREY)
    axes[2].plot(x, d, "o", color="#333333", markersize=3)
    axes[2].plot(grid, curve, color=RED)
    axes[2].set_title(say("mean of the 5 nearest", language))
    plots.add_fonts(figure)
    return figure


IN_BOTH_LANGUAGES: dict[str, Callable[[Language], Figure]] = {
    "textbook-tests": tests_of_a_patient,
    "textbook-posterior": posterior_of_concepts,
    "textbook-lattice": lattice_of_concepts,
    "textbook-tree": tree_of_days,
    "textbook-line": line_with_noise,
    "textbook-mixture": mixture_on_a_line,
    "textbook-campfire": campfire,
    "textbook-petals": mixture_of_petals,
    "textbook-twins": curves_of_twins,
    "textbook-evidence": evidence_of_a_day,
    "textbook-boundaries": boundaries_of_melons,
    "textbook-neighbours": neighbours,
}
AS_THE_TABLE: dict[str, Callable[[], Figure]] = {
    "textbook-melons": densities_of_melons,
}


def main() -> None:
    """Write all pictures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    figures = {name: make() for name, make in AS_THE_TABLE.items()}
    for name, make in IN_BOTH_LANGUAGES.items():
        figures.update({name: make("en")})
        with by.language("zh"):
            figures.update({f"{name}-zh": make("zh")})
    for name, figure in figures.items():
        path = folder / f"{name}.png"
        write(figure, path)
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
