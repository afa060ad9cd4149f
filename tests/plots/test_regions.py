"""Decision regions: colours, boundaries and points are where the formulas put them."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from matplotlib.colors import to_rgb
from scipy.stats import multivariate_normal, norm
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as TheirLDA
from sklearn.linear_model import LinearRegression
from sklearn.linear_model import LogisticRegression as TheirLogistic
from sklearn.neighbors import KNeighborsClassifier as TheirKNN

import bayesic as by
from bayesic import plots
from bayesic.models.neighbours.neighbours import KNeighborsClassifier
from bayesic.models.normal.discriminant import QuadraticDiscriminantAnalysis
from bayesic.models.normal.gaussian_bayes import GaussianBayes
from bayesic.models.normal.linear_discriminant import LinearDiscriminantAnalysis
from bayesic.plots._canvas import COLOURS

IRIS = load_iris()
X, y = IRIS.data[:, :2], IRIS.target_names[IRIS.target]
MELONS = by.datasets.watermelon()
melons = np.array([row[-2:] for row in MELONS.rows], dtype=float)
good = np.where(np.array(MELONS.target) == "是", "good", "bad")


def axes_of(model, X, y):
    return plots.decision_regions(model, X, y).axes[0]


def classes_of_pixels(axes):
    """The number of the class of each pixel by its colour, and the centres of the pixels."""
    image = axes.images[0]
    pixels, (left, right, bottom, top) = np.asarray(image.get_array()), image.get_extent()
    directions = 1 - np.array([to_rgb(colour) for colour in COLOURS])
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    found = ((1 - pixels) @ directions.T).argmax(axis=2)
    n_y, n_x = found.shape
    xs = left + (np.arange(n_x) + 0.5) * (right - left) / n_x
    ys = bottom + (np.arange(n_y) + 0.5) * (top - bottom) / n_y
    return found, np.stack(np.meshgrid(xs, ys), axis=2)


def vertices(axes):
    """The points of all boundary lines."""
    return np.concatenate(
        [
            path.vertices
            for lines in axes.collections
            for path in lines.get_paths()
            if is_lines(lines)
        ]
    )


def is_lines(collection):
    return type(collection).__name__ == "QuadContourSet"


def step(axes):
    left, right, bottom, top = axes.images[0].get_extent()
    return np.hypot(right - left, top - bottom) / axes.images[0].get_array().shape[0]


# regions ------------------------------------------------------------------------------------------


def test_the_regions_of_qda_are_those_of_the_normal_densities():
    pixels, centres = classes_of_pixels(axes_of(GaussianBayes().fit(X, y), X, y))
    scores = [
        multivariate_normal(own.mean(axis=0), np.cov(own.T, bias=True)).logpdf(centres)
        for own in (X[y == name] for name in IRIS.target_names)
    ]
    assert (pixels == np.argmax(scores, axis=0)).all()


def test_the_regions_of_naive_bayes_on_the_watermelons_are_those_of_the_book():
    pixels, centres = classes_of_pixels(axes_of(by.GaussianNB().fit(melons, good), melons, good))
    scores = []
    for label in ("bad", "good"):
        own = melons[good == label]
        log_density = norm(own.mean(axis=0), own.std(axis=0)).logpdf(centres).sum(axis=2)
        scores.append(np.log(len(own) / len(good)) + log_density)
    assert (pixels == np.argmax(scores, axis=0)).mean() > 0.9999  # var_smoothing moves a pixel


def test_the_colour_is_strongest_where_the_class_is_certain():
    model = by.GaussianNB().fit(melons, good)
    axes = axes_of(model, melons, good)
    _, centres = classes_of_pixels(axes)
    certainty = 2 * model.predict_proba(centres.reshape(-1, 2)).max(axis=1) - 1
    strength = (1 - np.asarray(axes.images[0].get_array())).max(axis=2).ravel()
    order = np.argsort(certainty)
    blue = classes_of_pixels(axes)[0].ravel()[order] == 0
    assert (np.diff(strength[order][blue]) >= -1e-12).all()
    assert len(np.unique(strength.round(12)[order][blue])) <= 11


# boundaries ---------------------------------------------------------------------------------------


def test_the_boundary_of_lda_is_the_line_of_the_formula():
    axes = axes_of(LinearDiscriminantAnalysis().fit(melons, good), melons, good)
    theirs = TheirLDA().fit(melons, good)
    distance = (vertices(axes) @ theirs.coef_[0] + theirs.intercept_) / np.linalg.norm(theirs.coef_)
    assert np.abs(distance).max() < 0.1 * step(axes)


def test_the_boundary_of_qda_has_equal_densities_on_both_sides():
    axes = axes_of(QuadraticDiscriminantAnalysis().fit(melons, good), melons, good)

    def log_odds(points):
        scores = [
            np.log(len(own))
            + multivariate_normal(own.mean(axis=0), np.cov(own.T, bias=True)).logpdf(points)
            for own in (melons[good == "good"], melons[good == "bad"])
        ]
        return scores[0] - scores[1]

    line = vertices(axes)
    assert len(line) > 100
    slopes = [(log_odds(line + move) - log_odds(line - move)) / 2e-6 for move in 1e-6 * np.eye(2)]
    distance = log_odds(line) / np.hypot(*slopes)
    assert np.abs(distance).max() < 0.5 * step(axes)


@pytest.mark.parametrize("n_neighbors", [2, 4, 5])
def test_ties_belong_to_the_first_class_as_in_predict(n_neighbors):
    model = KNeighborsClassifier(n_neighbors=n_neighbors).fit(X, y)
    axes = axes_of(model, X, y)
    pixels, centres = classes_of_pixels(axes)
    answers = model.predict(centres.reshape(-1, 2)).reshape(pixels.shape)
    assert (IRIS.target_names[pixels] == answers).mean() > 0.999  # centres are rounded


def test_a_class_that_is_never_the_answer_has_no_boundary():
    weights = np.where(y == "setosa", 1.0, 1e-9)
    axes = axes_of(by.GaussianNB().fit(X[:51], y[:51], sample_weight=weights[:51]), X[:50], y[:50])
    assert not any(map(is_lines, axes.collections))


def test_one_class_alone_fills_the_plane():
    axes = axes_of(by.GaussianNB().fit(X[:50], y[:50]), X[:50], y[:50])
    assert not classes_of_pixels(axes)[0].any()


# points and names ---------------------------------------------------------------------------------


def test_the_points_are_the_data_by_class():
    axes = axes_of(by.GaussianNB().fit(X, y), X, y)
    drawn = [part.get_offsets() for part in axes.collections if not is_lines(part)]
    assert len(drawn) == 3
    for offsets, name in zip(drawn, IRIS.target_names, strict=True):
        np.testing.assert_array_equal(offsets, X[y == name])
    legend = [text.get_text() for text in axes.get_legend().get_texts()]
    assert legend == IRIS.target_names.tolist()
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x0", "x1")


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_tables_of_any_library_are_asked_as_they_came(kind):
    table = kind({"length": X[:, 0], "width": X[:, 1]})
    axes = axes_of(by.NaiveBayes(numeric="gaussian").fit(table, y), table, y)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("length", "width")
    plain = axes_of(by.NaiveBayes(numeric="gaussian").fit(X, y), X, y)
    np.testing.assert_array_equal(axes.images[0].get_array(), plain.images[0].get_array())


@pytest.mark.parametrize("Model", [TheirLogistic, TheirKNN, TheirLDA])
def test_classifiers_of_scikit_learn_are_drawn_too(Model):
    table = pd.DataFrame({"length": X[:, 0], "width": X[:, 1]})
    model = Model().fit(table, y)
    pixels, centres = classes_of_pixels(axes_of(model, table, y))
    asked = pd.DataFrame(centres.reshape(-1, 2), columns=table.columns)
    assert (IRIS.target_names[pixels].ravel() == model.predict(asked)).mean() > 0.999


def test_the_classes_may_be_a_column_of_the_table():
    table = MELONS.to_dict()
    table = {name: table[name] for name in ("密度", "含糖率", "好瓜")}
    model = by.NaiveBayes().fit(table, y="好瓜")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # no font with Chinese may be there
        axes = axes_of(model, table, "好瓜")
    assert axes.get_xlabel() == "密度"


def test_rows_with_gaps_are_left_out_of_the_points():
    some = np.vstack([X, [[np.nan, 3.0]]])
    axes = axes_of(by.GaussianNB().fit(X, y), some, [*y, "setosa"])
    left, right, *_ = axes.images[0].get_extent()
    assert left < X[:, 0].min() and X[:, 0].max() < right


# what is refused ----------------------------------------------------------------------------------


def test_more_than_two_columns_are_refused_with_their_names():
    model = by.GaussianNB().fit(IRIS.data, y)
    with pytest.raises(ValueError, match="two columns, got 4: x0, x1, x2, x3"):
        plots.decision_regions(model, IRIS.data, y)


def test_columns_of_words_are_refused():
    table = {"sky": ["rain", "sun"], "wind": [1.0, 2.0]}
    model = by.NaiveBayes().fit(table, ["late", "early"])
    with pytest.raises(ValueError, match="columns of numbers, but 'sky'"):
        plots.decision_regions(model, table, ["late", "early"])


def test_a_model_without_probabilities_is_refused():
    with pytest.raises(TypeError, match="predict_proba"):
        plots.decision_regions(LinearRegression().fit(X, X[:, 0]), X, y)


def test_a_class_that_was_never_learned_is_refused():
    with pytest.raises(ValueError, match="rose"):
        plots.decision_regions(by.GaussianNB().fit(X, y), X, ["rose"] * len(y))


def test_rows_of_gaps_alone_are_refused():
    with pytest.raises(ValueError, match="without gaps"):
        plots.decision_regions(
            by.GaussianNB().fit(X, y), [[np.nan, 1.0], [1.0, np.nan]], ["setosa"] * 2
        )
