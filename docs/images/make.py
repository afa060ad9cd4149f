"""Make all pictures of docs/plots.md again.

    python docs/images/make.py            # into this folder
    python docs/images/make.py FOLDER

The Chinese ones need a font with Chinese characters; without one there is a warning.
"""

import sys
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

import numpy as np
from matplotlib.figure import Figure
from PIL import Image
from sklearn.datasets import load_digits, load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bayesic as by
from bayesic import plots
from bayesic.mixtures.gaussian_mixture import GaussianMixture
from bayesic.mixtures.semi_supervised import SemiSupervised
from bayesic.models.linear.logistic import LogisticRegression
from bayesic.models.neighbours.neighbours import KNeighborsClassifier
from bayesic.models.normal.discriminant import QuadraticDiscriminantAnalysis
from bayesic.models.normal.gaussian_bayes import GaussianBayes
from bayesic.models.normal.linear_discriminant import LinearDiscriminantAnalysis

DOTS_PER_INCH = 100
PER_LINE = 3

CLASSIFIERS = {
    "naive Gaussian: quadratic": lambda: by.GaussianNB(),
    "QDA: quadratic": lambda: QuadraticDiscriminantAnalysis(),
    "LDA: straight": lambda: LinearDiscriminantAnalysis(),
    "logistic regression: straight": lambda: LogisticRegression(C=np.inf),
    "5 nearest neighbours": lambda: KNeighborsClassifier(n_neighbors=5),
}


# decision regions ---------------------------------------------------------------------------------


def regions(X: Mapping[str, Any], y: Any) -> Figure:
    """The regions of all classifiers side by side, with one legend."""
    import pandas as pd

    table = pd.DataFrame(X)
    figure = Figure(figsize=(10.5, 6.4), layout="constrained")
    for place, (title, make) in enumerate(CLASSIFIERS.items(), start=1):
        ax = figure.add_subplot(2, PER_LINE, place)
        plots.decision_regions(make().fit(table, y), table, y, ax=ax)
        ax.set_title(title, fontsize=10)
        handles = ax.get_legend().legend_handles
        ax.get_legend().remove()
    empty = figure.add_subplot(2, PER_LINE, len(CLASSIFIERS) + 1)
    empty.set_axis_off()
    empty.legend(handles=handles, loc="upper left", frameon=False)
    plots.add_fonts(figure)
    return figure


def regions_of_melons() -> Figure:
    """Watermelon 3.0 by density and sugar."""
    table = by.datasets.watermelon().to_dict()
    return regions({name: table[name] for name in ("密度", "含糖率")}, table["好瓜"])


def regions_of_iris() -> Figure:
    """Iris by the two sepal measurements, which overlap."""
    iris = load_iris()
    X = dict(zip(iris.feature_names[:2], iris.data[:, :2].T, strict=True))
    return regions(X, iris.target_names[iris.target])


# densities ----------------------------------------------------------------------------------------


def densities_of_iris() -> Figure:
    """The four normal densities of each iris."""
    import pandas as pd

    iris = load_iris()
    X, y = pd.DataFrame(iris.data, columns=iris.feature_names), iris.target_names[iris.target]
    return plots.densities(by.GaussianNB().fit(X, y), X, y)


def densities_of_melons() -> Figure:
    """Categories and numbers of watermelon 3.0."""
    table = by.datasets.watermelon().to_dict()
    return plots.densities(by.NaiveBayes().fit(table, y="好瓜"), table, "好瓜")


# how good answers are -----------------------------------------------------------------------------


def calibration_of_naive_bayes() -> Figure:
    """A feature that was measured three times: naive Bayes counts it as three, and is too sure."""
    rng = np.random.default_rng(0)
    y = np.repeat(["rain", "sun"], 1500)
    feature = rng.normal(np.where(y == "rain", 0.0, 1.5), 1.0)
    X = feature[:, None] + 0.2 * rng.standard_normal((len(y), 3))
    model = by.GaussianNB().fit(X, y)
    return plots.calibration(model.leave_one_out(X, y), y, classes=model.classes_)


def confusion_of_digits() -> Figure:
    """Handwritten digits by Gaussian naive Bayes, each as if it had not been learned."""
    X, y = load_digits(return_X_y=True)
    model = by.GaussianNB(var_smoothing=1e-2).fit(X, y)
    answers = model.classes_[model.leave_one_out(X, y).argmax(axis=1)]
    return plots.confusion(y, answers)


def evidence_of_a_day(language: Literal["en", "zh"]) -> Figure:
    """Why there is no game of tennis on a sunny, cool, humid and windy day."""
    days = by.datasets.play_tennis(language)
    model = by.NaiveBayes().fit(days.to_dict(), y=days.target_name)
    english = by.datasets.play_tennis()
    codes = english.encode(("Sunny", "Cool", "High", "Strong"))
    day = [levels[code] for levels, code in zip(days.levels, codes, strict=True)]
    with by.language(language):
        return plots.evidence(model.explain(tuple(day)))


# EM -----------------------------------------------------------------------------------------------


def ellipses_of_iris() -> Figure:
    """Three components found in the petals of iris, without the names of the species."""
    import pandas as pd

    iris = load_iris()
    X = pd.DataFrame(iris.data[:, 2:], columns=iris.feature_names[2:])
    return plots.mixture(GaussianMixture(3, random_state=0).fit(X), X)


def climb_on_digits() -> Figure:
    """EM with ten labelled digits and all others unlabelled."""
    X, y = load_digits(return_X_y=True)
    labels: list[Any] = [None] * len(y)
    for digit in range(10):
        first = int(np.flatnonzero(y == digit)[0])
        labels[first] = int(y[first])
    model = SemiSupervised(by.MultinomialNB(), tol=1e-7).fit(X, labels)
    return plots.log_likelihood(model)


# twins --------------------------------------------------------------------------------------------


def curves_of_twins() -> Figure:
    """Generative models next to logistic regression, as more rows are learned."""
    X, y = load_digits(return_X_y=True)
    twins = {
        "naive Gaussian, one variance": GaussianBayes("diagonal", shrinkage=1.0),
        "LDA": LinearDiscriminantAnalysis(shrinkage="ledoit-wolf"),
        "logistic, maximum likelihood": logistic(C=np.inf),
        "logistic, C=1": logistic(C=1.0),
    }
    return plots.learning_curves(twins, X, y, n_splits=5, size=(8.0, 4.0))


def logistic(C: float) -> Any:
    """Logistic regression on features of equal spread."""
    return make_pipeline(StandardScaler(), LogisticRegression(C=C, max_iter=1000))


# networks -----------------------------------------------------------------------------------------


def campfire_in_chinese() -> Figure:
    """The network of the campfire with names in Chinese, the fire observed."""
    fire = by.BeliefNetwork(
        edges=[("暴风雨", "营火"), ("旅游团巴士", "营火")],
        tables={
            "暴风雨": {"有": 0.25, "无": 0.75},
            "旅游团巴士": {"有": 0.5, "无": 0.5},
            "营火": {
                ("有", "有"): {"有": 0.4, "无": 0.6},
                ("有", "无"): {"有": 0.1, "无": 0.9},
                ("无", "有"): {"有": 0.8, "无": 0.2},
                ("无", "无"): {"有": 0.2, "无": 0.8},
            },
        },
    )
    with by.language("zh"):
        return plots.network(fire, given={"营火": "有"})


def alarm() -> Figure:
    """The ALARM network, 37 variables, as pgmpy ships it."""
    from pgmpy.utils import get_example_model

    theirs = get_example_model("alarm")
    tables = {name: theirs.get_cpds(name) for name in sorted(theirs)}
    net = by.BeliefNetwork(
        edges=[(parent, name) for name, its in tables.items() for parent in its.variables[1:]],
        tables={name: np.moveaxis(its.values, 0, -1) for name, its in tables.items()},
        states={name: its.state_names[name] for name, its in tables.items()},
        normalise=True,
    )
    return plots.network(net, given={"HRBP": "HIGH", "EXPCO2": "LOW"})


PICTURES: dict[str, Callable[[], Figure]] = {
    "regions-watermelon": regions_of_melons,
    "regions-iris": regions_of_iris,
    "densities-iris": densities_of_iris,
    "densities-watermelon": densities_of_melons,
    "calibration": calibration_of_naive_bayes,
    "confusion": confusion_of_digits,
    "evidence": lambda: evidence_of_a_day("en"),
    "evidence-zh": lambda: evidence_of_a_day("zh"),
    "mixture": ellipses_of_iris,
    "log-likelihood": climb_on_digits,
    "learning-curves": curves_of_twins,
    "network-asia": lambda: plots.network(by.datasets.asia(), given={"xray": "yes"}),
    "network-campfire-zh": campfire_in_chinese,
    "network-alarm": alarm,
}


def write(figure: Figure, path: Path) -> None:
    """Write a picture with 256 colours, which makes a small file."""
    pixels = BytesIO()
    figure.savefig(pixels, dpi=DOTS_PER_INCH)
    picture = Image.open(pixels).convert("RGB")
    few = picture.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


def main() -> None:
    """Write all pictures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for name, make in PICTURES.items():
        path = folder / f"{name}.png"
        write(make(), path)
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
