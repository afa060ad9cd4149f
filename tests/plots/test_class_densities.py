"""Class densities: lines, points, areas and bars hold the numbers of the formulas."""

import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from matplotlib.patches import Rectangle, StepPatch
from scipy.stats import norm, poisson
from sklearn.datasets import load_iris

import bayesic as by
from bayesic import plots
from bayesic.models.normal.discriminant import QuadraticDiscriminantAnalysis
from bayesic.models.normal.gaussian_bayes import GaussianBayes

IRIS = load_iris()
X, y = IRIS.data, IRIS.target_names[IRIS.target]
NAMES = IRIS.target_names.tolist()
DAYS = by.datasets.play_tennis()


def panels(figure):
    return {axes.get_title(): axes for axes in figure.axes}


def areas(axes):
    """Heights and edges of each histogram."""
    steps = [patch for patch in axes.patches if isinstance(patch, StepPatch) and patch.fill]
    return [(patch.get_data().values, patch.get_data().edges) for patch in steps]


def bars(axes):
    return [patch.get_height() for patch in axes.patches if isinstance(patch, Rectangle)]


# numbers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model",
    [by.GaussianNB(var_smoothing=0), GaussianBayes(), GaussianBayes("diagonal")],
    ids=["GaussianNB", "full", "diagonal"],
)
def test_lines_are_the_normal_densities_of_each_feature(model):
    shown = panels(plots.densities(model.fit(X, y), X, y))
    assert list(shown) == ["x0", "x1", "x2", "x3"]
    for values, axes in zip(X.T, shown.values(), strict=True):
        assert len(axes.lines) == 3
        for line, name in zip(axes.lines, NAMES, strict=True):
            own = values[y == name]
            grid, density = line.get_data()
            expected = norm(own.mean(), own.std()).pdf(grid)
            np.testing.assert_allclose(density, expected, rtol=1e-6, atol=1e-12)


def test_lines_of_a_table_have_the_variance_with_a_floor():
    axes = plots.densities(by.NaiveBayes(numeric="gaussian").fit(X, y), X, y).axes[0]
    own = [X[y == name, 0] for name in NAMES]
    scatter = [50 * values.var() for values in own]
    within = (sum(scatter) + X[:, 0].var()) / 151
    for line, values, squares in zip(axes.lines, own, scatter, strict=True):
        grid, density = line.get_data()
        expected = norm(values.mean(), np.sqrt((squares + within) / 50)).pdf(grid)
        np.testing.assert_allclose(density, expected, rtol=1e-9, atol=1e-12)


def test_one_covariance_for_all_gives_lines_of_one_width():
    axes = plots.densities(GaussianBayes("tied").fit(X, y), X, y).axes[0]
    spread = np.sqrt(np.mean([X[y == name, 0].var() for name in NAMES]))
    for line, name in zip(axes.lines, NAMES, strict=True):
        grid, density = line.get_data()
        expected = norm(X[y == name, 0].mean(), spread).pdf(grid)
        np.testing.assert_allclose(density, expected, rtol=1e-9, atol=1e-12)


def test_areas_are_the_histograms_of_the_rows():
    axes = plots.densities(by.GaussianNB().fit(X, y), X, y).axes[2]
    assert len(areas(axes)) == 3
    for (heights, edges), name in zip(areas(axes), NAMES, strict=True):
        own = X[y == name, 2]
        np.testing.assert_allclose(heights, np.histogram(own, edges, density=True)[0])
        assert (heights * np.diff(edges)).sum() == pytest.approx(1)


def test_gaps_are_left_out_of_the_data():
    some = X.copy()
    some[::2, 0] = np.nan
    axes = plots.densities(by.GaussianNB().fit(some, y), some, y).axes[0]
    own = some[y == "setosa", 0]
    heights, edges = areas(axes)[0]
    expected = np.histogram(own[~np.isnan(own)], edges, density=True)[0]
    np.testing.assert_allclose(heights, expected)


def test_a_class_without_rows_has_a_line_and_no_area():
    axes = plots.densities(by.GaussianNB().fit(X, y), X[:100], y[:100]).axes[0]
    assert (len(axes.lines), len(areas(axes))) == (3, 2)


def test_names_of_columns_and_classes_are_shown():
    table = pd.DataFrame(X, columns=IRIS.feature_names)
    figure = plots.densities(by.GaussianNB().fit(table, y), table, y)
    assert list(panels(figure)) == IRIS.feature_names
    assert [text.get_text() for text in figure.legends[0].get_texts()] == NAMES


# tables -------------------------------------------------------------------------------------------


def test_points_of_categories_are_smoothed_shares_and_bars_those_of_the_rows():
    table = DAYS.to_dict()
    model = by.NaiveBayes().fit(table, y=DAYS.target_name)
    axes = panels(plots.densities(model, table, DAYS.target_name))["Outlook"]
    names = [label.get_text() for label in axes.get_xticklabels()]
    assert sorted(names) == ["Overcast", "Rain", "Sunny"]
    days = list(zip(table["Outlook"], table["PlayTennis"], strict=True))
    counts = {label: [days.count((name, label)) for name in names] for label in ("No", "Yes")}
    for line, (label, n_rows) in zip(axes.lines, (("No", 5), ("Yes", 9)), strict=True):
        expected = [float(Fraction(count + 1, n_rows + 3)) for count in counts[label]]
        np.testing.assert_allclose(line.get_ydata(), expected, rtol=1e-12)
    expected = [count / 5 for count in counts["No"]] + [count / 9 for count in counts["Yes"]]
    np.testing.assert_allclose(bars(axes), expected)


def test_points_of_counts_are_poisson_probabilities():
    table, labels = {"visits": [0, 1, 1, 2, 4, 6, 7, 3]}, ["few"] * 4 + ["many"] * 4
    model = by.NaiveBayes(columns={"visits": "poisson"}).fit(table, labels)
    (axes,) = plots.densities(model, table, labels).axes
    # the mean of all is 3: as if each class had one more row, with 3 visits
    for line, rate in zip(axes.lines, [(4 + 3) / 5, (20 + 3) / 5], strict=True):
        np.testing.assert_allclose(line.get_ydata(), poisson(rate).pmf(range(8)), rtol=1e-9)
    shares = [labels_at / 4 for labels_at in (1, 2, 1, 0, 0, 0, 0, 0)]
    np.testing.assert_allclose(bars(axes)[:8], shares)


def test_bins_have_the_area_one():
    rng = np.random.default_rng(0)
    labels = np.repeat(["low", "high"], 200)
    table = {"length": rng.normal(np.where(labels == "low", 0.0, 3.0))}
    model = by.NaiveBayes(numeric="binned").fit(table, labels)
    (axes,) = plots.densities(model, table, labels).axes
    steps = [patch.get_data() for patch in axes.patches if isinstance(patch, StepPatch)]
    assert len(steps) == 4
    for values, edges, _ in steps:
        assert (values * np.diff(edges)).sum() == pytest.approx(1, rel=1e-9)
        assert edges[[0, -1]].tolist() == [table["length"].min(), table["length"].max()]
    heights, edges = areas(axes)[0]  # of high: classes are sorted
    inside = np.histogram(table["length"][labels == "high"], edges)[0]
    np.testing.assert_allclose(heights * np.diff(edges) * 200, inside)


def test_texts_and_ignored_columns_have_no_panel():
    table = {"body": ["free money", "lunch"], "sky": ["rain", "sun"], "id": [1, 2]}
    model = by.NaiveBayes(columns={"body": "text", "id": "ignore"}).fit(table, ["spam", "ham"])
    assert list(panels(plots.densities(model, table, ["spam", "ham"]))) == ["sky"]


def test_of_many_categories_the_most_frequent_are_shown():
    cities = [f"city {number}" for number in range(30) for _ in range(number + 1)]
    labels = ["ham", "spam"] * (len(cities) // 2) + ["ham"] * (len(cities) % 2)
    model = by.NaiveBayes().fit({"city": cities}, labels)
    (axes,) = plots.densities(model, {"city": cities}, labels).axes
    shown = {label.get_text() for label in axes.get_xticklabels()}
    assert shown == {f"city {number}" for number in range(22, 30)}


def test_the_watermelons_have_a_panel_for_each_column():
    melons = by.datasets.watermelon()
    model = by.NaiveBayes().fit(melons.to_dict(), y="好瓜")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # no font with Chinese may be there
        figure = plots.densities(model, melons.to_dict(), "好瓜")
    assert tuple(panels(figure)) == melons.columns


# choice and refusal -------------------------------------------------------------------------------


def test_columns_chooses_panels_in_this_order():
    model = by.GaussianNB().fit(X, y)
    assert list(panels(plots.densities(model, X, y, columns=["x2", "x0"]))) == ["x2", "x0"]


def test_an_unknown_column_is_refused():
    with pytest.raises(ValueError, match="got 'x9'. They are x0, x1, x2, x3"):
        plots.densities(by.GaussianNB().fit(X, y), X, y, columns=["x9"])


def test_too_many_panels_are_refused_with_the_way_out():
    wide = np.tile(X, (1, 8))
    with pytest.raises(ValueError, match=r"from 1 to 30 features, got 32.*columns="):
        plots.densities(by.GaussianNB().fit(wide, y), wide, y)


def test_texts_alone_have_no_density():
    table = {"body": ["free money", "lunch"]}
    model = by.NaiveBayes(columns={"body": "text"}).fit(table, ["spam", "ham"])
    with pytest.raises(ValueError, match="neither text nor ignored"):
        plots.densities(model, table, ["spam", "ham"])


@pytest.mark.parametrize(
    "model", [QuadraticDiscriminantAnalysis(), by.MultinomialNB()], ids=["QDA", "MultinomialNB"]
)
def test_other_models_are_refused(model):
    with pytest.raises(TypeError, match="GaussianNB, GaussianBayes and NaiveBayes"):
        plots.densities(model.fit(X, y), X, y)
