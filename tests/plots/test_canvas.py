"""What all pictures share."""

import subprocess
import sys
import warnings
from io import BytesIO

import numpy as np
import pytest
from matplotlib import rcParams
from matplotlib.figure import Figure
from PIL import Image

import bayesic as by
from bayesic import plots
from bayesic.plots import _canvas as canvas


def test_pictures_need_no_pyplot_and_change_nothing_global():
    program = """
import io, sys, matplotlib
before = {name: matplotlib.rcParams[name] for name in matplotlib.rcParams if name != "backend"}
from bayesic import plots
plots.log_likelihood([1.0, 2.0]).savefig(io.BytesIO())
assert before == {name: matplotlib.rcParams[name] for name in before}
print("matplotlib.pyplot" in sys.modules)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.stdout.strip() == "False", ran.stderr


def test_without_matplotlib_the_error_tells_what_to_install():
    program = """
import sys
sys.modules["matplotlib"] = None
try:
    from bayesic import plots
except ModuleNotFoundError as error:
    print(error)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "pip install 'bayesic[plot]'" in ran.stdout, ran.stderr


def test_every_public_name_is_documented():
    for name in plots.__all__:
        assert getattr(plots, name).__doc__, name


def luminance(colour):
    """Relative luminance as the guidelines for accessible pages define it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


def test_colours_differ_and_are_visible_on_white():
    assert len(set(canvas.COLOURS)) == len(canvas.COLOURS)
    for colour in canvas.COLOURS:
        assert 1.05 / (luminance(colour) + 0.05) > 2, colour


def test_there_are_56_pairs_of_colour_and_marker():
    pairs = {(canvas.colour(number), canvas.marker(number)) for number in range(56)}
    assert len(pairs) == 56


def test_size_is_that_of_the_figure():
    figure = plots.log_likelihood([1.0, 2.0], size=(3, 2))
    assert figure.get_size_inches().tolist() == [3, 2]


@pytest.mark.parametrize("size", [(3,), (0, 2), (3, float("nan")), (1, 2, 3)])
def test_a_wrong_size_is_refused(size):
    with pytest.raises(ValueError, match="width and height in inches"):
        plots.log_likelihood([1.0], size=size)


def test_axes_that_are_given_are_drawn_on():
    figure = Figure()
    left, right = figure.subplots(1, 2)
    assert plots.log_likelihood([1.0, 2.0], ax=right) is figure
    assert (len(left.lines), len(right.lines)) == (0, 1)


def shown_by_a_notebook(value):
    """What a notebook gets: it calls the methods _repr_*_ that there are, and drops None."""
    methods = [name for name in dir(value) if name.startswith("_repr_") and name.endswith("_")]
    answers = {name: getattr(value, name)() for name in methods}
    return {name: answer for name, answer in answers.items() if answer is not None}


def test_a_figure_shows_itself_as_a_picture_of_its_size():
    figure = plots.log_likelihood([1.0, 2.0], size=(3, 2))
    assert isinstance(figure, Figure)
    ((name, png),) = shown_by_a_notebook(figure).items()
    assert name == "_repr_png_" and png.startswith(b"\x89PNG")
    with Image.open(BytesIO(png)) as picture:
        assert picture.format == "PNG"
        assert picture.size == (3 * figure.dpi, 2 * figure.dpi)
        assert len(picture.convert("L").getcolors(256)) > 2  # something is drawn
    assert shown_by_a_notebook(figure)[name] == png  # showing it changes nothing


def test_a_figure_of_ones_own_stays_what_it_is():
    figure = Figure()
    assert plots.log_likelihood([1.0, 2.0], ax=figure.add_subplot()) is figure
    assert type(figure) is Figure and not hasattr(figure, "_repr_png_")


def test_every_new_figure_shows_itself():
    tree = by.hypotheses.MDLTreeClassifier().fit(
        [[1.0], [2.0], [8.0], [9.0]] * 5, ["rain", "sun"] * 10
    )
    net = by.BeliefNetwork([("sky", "wet")]).fit({"sky": ["rain", "sun"], "wet": ["yes", "no"]})
    X, y = [[1.0, 2.0], [2.0, 1.0], [8.0, 9.0]], ["rain", "rain", "sun"]
    model = by.GaussianNB().fit(X, y)
    for figure in (
        plots.tree(tree),
        plots.network(net),
        plots.densities(model, X, y),
        plots.evidence(model.explain([1.0, 2.0])),
        plots.confusion(["rain", "sun"], ["rain", "rain"]),
    ):
        assert figure._repr_png_().startswith(b"\x89PNG")


def test_characters_without_a_font_are_told_of_once():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "No font was found")  # on machines without one
        figure = plots.confusion(["雨", "晴"], ["雨", "雨"])
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_size_and_axes_together_are_refused():
    with pytest.raises(ValueError, match="Leave out one"):
        plots.log_likelihood([1.0], size=(3, 2), ax=Figure().add_subplot())


def test_dollars_in_names_are_no_formula():
    axes = plots.confusion(["$5", "$x^2$"], ["$5", "$x^2$"]).axes[0]
    assert [label.get_parse_math() for label in axes.get_xticklabels()] == [False, False]
    assert rcParams["text.parse_math"]


def test_long_names_are_tilted_and_short_ones_are_not():
    long, short = ["a rather long name", "another long name"], ["ham", "spam"]
    assert plots.confusion(long, long).axes[0].get_xticklabels()[0].get_rotation() == 35
    assert plots.confusion(short, short).axes[0].get_xticklabels()[0].get_rotation() == 0
