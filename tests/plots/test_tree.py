"""Pictures of decision trees."""

import io

import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.datasets import load_iris

from bayesic.hypotheses.mdl_tree.tree_classifier import MDLTreeClassifier
from bayesic.plots import _canvas as canvas
from bayesic.plots import tree
from bayesic.plots._tree_diagram import MOST_LEAVES

IRIS = load_iris(as_frame=True)
SPECIES = IRIS.target_names[IRIS.target]


def fitted():
    return MDLTreeClassifier().fit(IRIS.data, SPECIES)


def texts(figure):
    return [text.get_text() for text in figure.axes[0].texts]


def test_every_test_answer_and_leaf_is_written():
    model = fitted()
    words = texts(tree(model))
    n_tests = len(model.tree_.column) - model.n_leaves_
    assert sum("row" in word for word in words) == model.n_leaves_
    assert sum(word.startswith("petal") for word in words) == n_tests
    assert {"<= 0.8", "> 0.8", "setosa (50 rows)"} <= set(words)
    assert len(words) == n_tests + model.n_leaves_ + len(model.tree_.column) - 1


def test_leaves_have_the_colour_of_their_class_and_do_not_overlap():
    model = fitted()
    marks = [line for line in tree(model).axes[0].lines if line.get_marker() not in ("None", "")]
    leaf_class = model.tree_.class_count[model.tree_.is_leaf].argmax(axis=1)
    expected = sorted(canvas.colour(number) for number in leaf_class.tolist())
    assert sorted(line.get_color() for line in marks) == expected
    heights = sorted(line.get_ydata()[0] for line in marks)
    assert heights == list(range(model.n_leaves_))


def test_the_title_tells_leaves_and_bits():
    model = fitted()
    title = tree(model).axes[0].get_title()
    assert title == f"{model.n_leaves_} leaves, {model.description_length_:.1f} bits"


def test_labels_stay_within_the_picture():
    figure = tree(fitted())
    figure.draw_without_rendering()
    width = figure.bbox.width
    for text in figure.axes[0].texts:
        box = text.get_window_extent()
        assert box.x0 >= 0 and box.x1 <= width, text.get_text()


def test_a_single_leaf():
    model = MDLTreeClassifier().fit([[1.0], [1.0]], ["sun", "sun"])
    figure = tree(model)
    assert texts(figure) == ["sun (2 rows)"]
    assert figure.axes[0].get_title() == "1 leaf, 1.0 bits"


def test_of_large_trees_the_first_tests_are_drawn():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    model = MDLTreeClassifier(exception_weight=100).fit(X, rng.integers(0, 2, 400))
    assert model.n_leaves_ > MOST_LEAVES
    words = texts(tree(model))
    ends = [word for word in words if "row" in word]
    assert len(ends) <= MOST_LEAVES
    hidden = [int(word.split("… ")[1].split()[0]) for word in ends if "…" in word]
    assert sum(hidden) + len(ends) - len(hidden) == model.n_leaves_


@pytest.mark.filterwarnings("ignore:No font was found", "ignore:Glyph")
def test_chinese_names_stand_as_they_are():
    sky, y = ["晴", "雨"] * 10, ["出门", "在家"] * 10
    figure = tree(MDLTreeClassifier().fit({"天气": sky}, y))
    assert texts(figure) == ["天气", "= 晴", "出门 (10 rows)", "= 雨", "在家 (10 rows)"]
    figure.savefig(io.BytesIO())


def test_dollars_are_no_formula_and_long_names_are_cut():
    price = {"a rather long name of a column with $5$": [1.0, 2.0] * 10}
    figure = tree(MDLTreeClassifier().fit(price, ["$x$", "$y$"] * 10))
    assert not any(text.get_parse_math() for text in figure.axes[0].texts)
    assert texts(figure)[0] == "a rather long name of a…"


def test_axes_and_size():
    figure = Figure()
    assert tree(fitted(), ax=figure.add_subplot()) is figure
    assert tree(fitted(), size=(3, 2)).get_size_inches().tolist() == [3, 2]


@pytest.mark.parametrize("wrong", [MDLTreeClassifier(), "tree"], ids=["not fitted", "no model"])
def test_something_else_is_refused(wrong):
    with pytest.raises(TypeError, match="fitted MDLTreeClassifier"):
        tree(wrong)
