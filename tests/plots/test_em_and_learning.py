"""Mixtures, the climb of EM, and learning curves."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.patches import Ellipse
from scipy.stats import chi2
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.mixture import GaussianMixture as TheirMixture
from sklearn.neighbors import KNeighborsClassifier as TheirKNN

import bayesic as by
from bayesic import plots
from bayesic.mixtures.gaussian_mixture import GaussianMixture
from bayesic.mixtures.semi_supervised import SemiSupervised
from bayesic.models.linear.logistic import LogisticRegression
from bayesic.plots._learning_curves import learning_scores

IRIS = load_iris()
PETALS = IRIS.data[:, 2:]
TYPES = ("full", "tied", "diag", "spherical")


# mixtures -----------------------------------------------------------------------------------------


def outline(ellipse):
    """Points on an ellipse."""
    return ellipse.get_patch_transform().transform(ellipse.get_path().vertices[:-1:3])


def covariance_of(model, number):
    """By the shapes that scikit-learn documents."""
    if model.covariance_type == "tied":
        return model.covariances_
    own = model.covariances_[number]
    return {"full": own, "diag": own * np.eye(2), "spherical": own * np.eye(2)}[
        model.covariance_type
    ]


@pytest.mark.parametrize("covariance_type", TYPES)
@pytest.mark.parametrize("Model", [TheirMixture, GaussianMixture], ids=["theirs", "ours"])
def test_ellipses_hold_half_and_95_percent_of_a_component(Model, covariance_type):
    model = Model(3, covariance_type=covariance_type, random_state=0).fit(PETALS)
    axes = plots.mixture(model, PETALS).axes[0]
    ellipses = [patch for patch in axes.patches if isinstance(patch, Ellipse)]
    assert len(ellipses) == 6
    for place, patch in enumerate(ellipses):
        number, mass = place // 2, (0.5, 0.95)[place % 2]
        deviation = outline(patch) - model.means_[number]
        inverse = np.linalg.inv(covariance_of(model, number))
        squares = np.einsum("ni,ij,nj->n", deviation, inverse, deviation)
        np.testing.assert_allclose(squares, chi2(2).ppf(mass), rtol=1e-6)


def test_points_have_the_colour_of_their_component_and_the_legend_its_weight():
    table = pd.DataFrame(PETALS, columns=["length", "width"])
    model = TheirMixture(2, random_state=0).fit(table)
    axes = plots.mixture(model, table).axes[0]
    for part, number in zip(axes.collections, range(2), strict=True):
        np.testing.assert_array_equal(part.get_offsets(), PETALS[model.predict(table) == number])
    legend = axes.get_legend()
    shown = [text.get_text() for text in legend.get_texts()]
    assert shown == [f"{weight:.3f}" for weight in model.weights_]
    assert (axes.get_xlabel(), legend.get_title().get_text()) == ("length", "weight")


def test_ellipses_are_inside_the_picture():
    model = TheirMixture(1, random_state=0).fit(PETALS)
    axes = plots.mixture(model, PETALS).axes[0]
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    points = np.concatenate([outline(patch) for patch in axes.patches])
    assert left <= points[:, 0].min() and points[:, 0].max() <= right
    assert bottom <= points[:, 1].min() and points[:, 1].max() <= top


def test_a_mixture_of_more_columns_is_refused():
    with pytest.raises(ValueError, match="mixture needs rows of two columns, got 4"):
        plots.mixture(TheirMixture(2).fit(IRIS.data), IRIS.data)


@pytest.mark.parametrize("model", [by.GaussianNB(), TheirMixture(2)], ids=["other", "not fitted"])
def test_what_is_no_fitted_mixture_is_refused(model):
    with pytest.raises(TypeError, match="fitted GaussianMixture"):
        plots.mixture(model, PETALS)


# EM -----------------------------------------------------------------------------------------------


def test_the_trace_is_drawn_from_step_one_on():
    axes = plots.log_likelihood([-3.5, -2.0, -1.75]).axes[0]
    np.testing.assert_array_equal(axes.lines[0].get_xydata(), [[1, -3.5], [2, -2], [3, -1.75]])
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("step", "log likelihood")


def test_models_with_a_trace_are_drawn():
    labels = [label if number % 5 == 0 else None for number, label in enumerate(IRIS.target)]
    models = (
        SemiSupervised(by.GaussianNB()).fit(IRIS.data, labels),
        LogisticRegression().fit(IRIS.data, IRIS.target),
        GaussianMixture(2, random_state=0).fit(PETALS),
    )
    for model in models:
        line = plots.log_likelihood(model).axes[0].lines[0]
        np.testing.assert_array_equal(line.get_ydata(), model.trace_)


@pytest.mark.parametrize("trace", [[], [[1.0]], "rain", None, 3.0])
def test_what_is_no_trace_is_refused(trace):
    with pytest.raises(ValueError, match="log likelihoods of at least one step"):
        plots.log_likelihood(trace)


# learning curves ----------------------------------------------------------------------------------


def coins(n_rows=90):
    """A feature that is the class, in random order."""
    codes = np.random.default_rng(0).permutation(n_rows) % 2
    return codes[:, None].astype(float), np.array(["heads", "tails"])[codes]


def test_curves_of_models_whose_loss_is_known():
    X, y = coins()
    models = {"one half": DummyClassifier(strategy="uniform"), "knows": TheirKNN(1)}
    axes = plots.learning_curves(models, X, y, measure="log loss", n_splits=3).axes[0]
    guess, knows = (line.get_xydata() for line in axes.lines)
    assert guess[:, 0].tolist() == knows[:, 0].tolist() == [10, 20, 40, 60]
    np.testing.assert_allclose(guess[:, 1], np.log(2))
    np.testing.assert_allclose(knows[:, 1], 0, atol=1e-12)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == list(models)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("rows learned", "log loss")


def test_the_error_is_the_share_of_wrong_answers_on_rows_that_were_not_learned():
    X, y = coins()
    constant = DummyClassifier(strategy="constant", constant="heads")
    scores = learning_scores(constant, X, y, "error", [10, 20], n_splits=4, random_state=0)
    assert scores.shape == (4, 2)
    np.testing.assert_array_equal(scores[:, 0], scores[:, 1])  # the test rows are the same
    assert ((scores * 30).round(9) % 1 == 0).all()  # thirty test rows
    assert scores.mean() == pytest.approx(0.5, abs=0.15)


def test_a_certain_and_wrong_answer_costs_no_more_than_a_small_probability():
    X, y = coins()
    constant = DummyClassifier(strategy="constant", constant="heads")
    wrong = learning_scores(constant, X, y, "error", [10], 2, random_state=0)
    loss = learning_scores(constant, X, y, "log loss", [10], 2, random_state=0)
    np.testing.assert_allclose(loss, -np.log(1e-15) * wrong)


def test_bands_are_one_standard_error_wide_on_both_sides():
    X, y = IRIS.data, IRIS.target
    axes = plots.learning_curves({"naive": by.GaussianNB()}, X, y, sizes=[20, 60], n_splits=5)
    axes = axes.axes[0]
    scores = learning_scores(by.GaussianNB(), X, y, "error", [20, 60], 5, random_state=0)
    band = axes.collections[0].get_paths()[0].vertices
    mean, error = scores.mean(axis=0), scores.std(axis=0, ddof=1) / np.sqrt(5)
    np.testing.assert_allclose(axes.lines[0].get_ydata(), mean)
    for size, low, high in zip([20, 60], mean - error, mean + error, strict=True):
        heights = band[band[:, 0] == size, 1]
        np.testing.assert_allclose([heights.min(), heights.max()], [low, high])


def test_the_same_state_gives_the_same_splits_and_the_models_stay_as_they_are():
    X, y = coins()
    model = TheirKNN(1)
    first, second = (
        plots.learning_curves({"knn": model}, X, y, n_splits=2, random_state=3).axes[0].lines[0]
        for _ in range(2)
    )
    np.testing.assert_array_equal(first.get_ydata(), second.get_ydata())
    assert not hasattr(model, "classes_")


def test_numbers_that_would_overlap_are_left_out_of_the_axis():
    X, y = coins()
    axes = plots.learning_curves({"knn": TheirKNN(1)}, X, y, sizes=[10, 11, 40, 60]).axes[0]
    assert axes.get_xticks().tolist() == [10, 40, 60]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"measure": "beauty"}, "measure must be one of 'error', 'log loss'"),
        ({"sizes": [1]}, "from 2, one row of each class, to 60"),
        ({"sizes": [61]}, "from 2, one row of each class, to 60"),
        ({"sizes": []}, "sizes must be"),
        ({"n_splits": 0}, "n_splits must be a whole number"),
    ],
)
def test_wrong_arguments_are_refused(changes, message):
    X, y = coins()
    with pytest.raises(ValueError, match=message):
        plots.learning_curves({"knn": TheirKNN(1)}, X, y, **changes)


def test_one_class_has_no_learning_curve():
    with pytest.raises(ValueError, match="at least two classes"):
        plots.learning_curves({"knn": TheirKNN(1)}, [[1.0]] * 9, ["heads"] * 9)


def test_rows_and_labels_of_learning_curves_must_be_as_many():
    with pytest.raises(ValueError, match="X has 3 rows, y has 6 labels"):
        plots.learning_curves({"naive": by.GaussianNB()}, np.zeros((3, 2)), ["ham", "spam"] * 3)
    with pytest.raises(TypeError, match="models must be a dict of name and classifier"):
        plots.learning_curves([by.GaussianNB()], np.zeros((6, 2)), ["ham", "spam"] * 3)
