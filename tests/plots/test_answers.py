"""Confusion and calibration of answers, and the evidence of one answer."""

import numpy as np
import pytest
from scipy.stats import beta
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import confusion_matrix

import bayesic as by
from bayesic import plots
from bayesic.evidence.explanation import Explanation
from bayesic.models.neighbours.neighbours import KNeighborsClassifier
from bayesic.plots._canvas import COLOURS

WORDS = np.array(["ham", "news", "spam"])


def random_answers(n_rows=200, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.choice(WORDS, n_rows)
    return y, np.where(rng.random(n_rows) < 0.6, y, rng.choice(WORDS, n_rows))


# confusion ----------------------------------------------------------------------------------------


def test_the_cells_are_the_confusion_matrix():
    y, predicted = random_answers()
    axes = plots.confusion(y, predicted).axes[0]
    theirs = confusion_matrix(y, predicted)
    written = [text.get_text() for text in axes.texts]
    shares = theirs / theirs.sum(axis=1, keepdims=True)
    assert written == [
        f"{count}\n{100 * share:.0f} %"
        for count, share in zip(theirs.flat, shares.flat, strict=True)
    ]
    np.testing.assert_allclose(axes.images[0].get_array(), shares)
    right = int((y == predicted).sum())
    assert axes.get_title() == f"accuracy {right / 200:.4f}: {right} of 200 right"


def test_the_names_stand_at_both_axes():
    axes = plots.confusion(*random_answers()).axes[0]
    for labels in (axes.get_xticklabels(), axes.get_yticklabels()):
        assert [label.get_text() for label in labels] == WORDS.tolist()
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("answer", "truth")


def test_classes_that_were_never_answered_or_never_true_have_their_row_and_column():
    axes = plots.confusion(["ham", "news"], ["ham", "spam"]).axes[0]
    assert [text.get_text() for text in axes.texts] == [
        *("1\n100 %", "0", "0"),
        *("0", "0", "1\n100 %"),
        *("0", "0", "0"),
    ]


def test_classes_give_the_order():
    axes = plots.confusion(["ham", "spam"], ["ham", "ham"], classes=["spam", "ham"]).axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["spam", "ham"]
    assert [text.get_text() for text in axes.texts] == ["0", "1\n100 %", "0", "1\n100 %"]


@pytest.mark.parametrize(("n_classes", "n_lines"), [(10, 2), (11, 1), (26, 0)])
def test_many_classes_leave_out_shares_then_counts(n_classes, n_lines):
    texts = plots.confusion(range(n_classes), range(n_classes)).axes[0].texts
    assert len(texts) == (n_classes**2 if n_lines else 0)
    assert max((len(text.get_text().split("\n")) for text in texts), default=0) == n_lines


def test_numbers_are_white_on_dark_cells():
    first, *_ = plots.confusion(["ham", "spam"], ["ham", "spam"]).axes[0].texts
    assert first.get_color() == "white"


@pytest.mark.parametrize(
    ("y", "predicted", "classes", "message"),
    [
        (["ham"], ["ham", "spam"], None, "same number of rows, got 1 and 2"),
        ([], [], None, "at least one label"),
        (["ham"], ["spam"], ["ham"], "spam.* do not exist"),
    ],
)
def test_wrong_answers_are_refused(y, predicted, classes, message):
    with pytest.raises(ValueError, match=message):
        plots.confusion(y, predicted, classes=classes)


# calibration --------------------------------------------------------------------------------------


def test_points_are_mean_confidence_and_share_right():
    posterior = np.array([[0.9, 0.1], [0.95, 0.05], [0.25, 0.75], [0.35, 0.65]])
    axes = plots.calibration(posterior, ["ham", "spam", "spam", "spam"]).axes[0]
    points = axes.lines[1].get_xydata()  # the first line is the diagonal
    # bins are (0.6, 0.7], (0.7, 0.8], (0.8, 0.9] and (0.9, 1]
    np.testing.assert_allclose(points, [[0.65, 1], [0.75, 1], [0.9, 1], [0.95, 0]])


def test_intervals_are_those_of_the_beta_distribution():
    posterior = np.tile([0.2, 0.8], (12, 1))
    axes = plots.calibration(posterior, ["ham"] * 3 + ["spam"] * 9).axes[0]
    ((start, end),) = axes.collections[0].get_segments()
    np.testing.assert_allclose([start[1], end[1]], beta(10, 4).ppf([0.025, 0.975]))
    assert start[0] == end[0] == pytest.approx(0.8)


def test_a_model_is_asked_for_its_probabilities():
    X, y = load_breast_cancer(return_X_y=True)
    model = by.GaussianNB().fit(X, y)
    ours, theirs = (
        plots.calibration(model, y, X=X).axes[0],
        plots.calibration(model.predict_proba(X), y, classes=model.classes_).axes[0],
    )
    np.testing.assert_array_equal(ours.lines[1].get_xydata(), theirs.lines[1].get_xydata())
    assert ours.get_title() == theirs.get_title()


def test_bars_show_how_many_rows_there_are():
    posterior = np.array([[0.95, 0.05]] * 3 + [[0.55, 0.45]])
    axes = plots.calibration(posterior, ["ham"] * 4, classes=["ham", "spam"]).axes[0]
    small, large = (patch.get_height() for patch in axes.patches)
    assert large == pytest.approx(3 * small)
    assert [text.get_text() for text in axes.texts] == ["1", "3", "rows"]


def test_the_title_has_the_expected_calibration_error():
    posterior = np.array([[0.9, 0.1], [0.6, 0.4]])  # one right, one wrong: (0.1 + 0.6) / 2
    axes = plots.calibration(posterior, ["ham", "spam"]).axes[0]
    assert axes.get_title() == "expected calibration error 0.3500, 2 rows"


def test_wrong_probabilities_are_refused():
    model = by.GaussianNB().fit([[1.0], [2.0]], ["ham", "spam"])
    with pytest.raises(ValueError, match="calibration.model, y, X=X"):
        plots.calibration(model, ["ham"])
    with pytest.raises(ValueError, match="X is for a model"):
        plots.calibration([[0.5, 0.5]], ["ham"], X=[[1.0]])
    with pytest.raises(ValueError, match="2 columns, but y has 1 classes.*classes="):
        plots.calibration([[0.5, 0.5]], ["ham"])
    with pytest.raises(ValueError, match="at least one label"):
        plots.calibration(np.empty((0, 2)), [], classes=["ham", "spam"])


# evidence -----------------------------------------------------------------------------------------


def bars(axes):
    return [patch.get_width() for patch in axes.patches]


def names(axes):
    return [label.get_text() for label in axes.get_yticklabels()]


def explained(weights, **changes):
    parts = {
        "answer": "spam",
        "against": "ham",
        "prior_log_odds": 0.5,
        "weights": weights,
        "log_odds": 0.5 + sum(weights.values()),
        "probability": {"ham": 0.25, "spam": 0.75},
    }
    return Explanation(**parts | changes)


def test_bars_are_the_weights_the_strongest_first_between_prior_and_sum():
    reasons = explained({"free": 1.0, "lunch": -2.0, "money": 0.25}, values={"free": "1"})
    axes = plots.evidence(reasons).axes[0]
    assert bars(axes) == [0.5, -2.0, 1.0, 0.25, -0.25]
    assert names(axes) == ["prior", "lunch", "free = 1", "money", "log odds"]
    written = [text.get_text() for text in axes.texts]
    assert written == ["+0.50", "-2.00", "+1.00", "+0.25", "-0.25"]
    assert axes.get_title() == "spam (0.7500) rather than ham"
    assert "for ham" in axes.get_xlabel() and "for spam" in axes.get_xlabel()


def test_what_speaks_for_the_answer_has_another_colour_than_what_speaks_against_it():
    axes = plots.evidence(explained({"free": 1.0, "lunch": -2.0})).axes[0]
    drawn = [patch.get_facecolor() for patch in axes.patches]
    assert drawn[0] == drawn[2] != drawn[1]
    assert COLOURS[0] != COLOURS[1]


def test_many_words_are_added_up():
    reasons = explained({f"word{number}": 1 / (number + 1) for number in range(40)})
    axes = plots.evidence(reasons).axes[0]
    assert len(bars(axes)) == 17
    assert names(axes)[-2:] == ["26 others", "log odds"]
    assert bars(axes)[-2] == pytest.approx(sum(1 / (number + 1) for number in range(14, 40)))
    assert sum(bars(axes)[:-1]) == pytest.approx(bars(axes)[-1])


def test_infinite_weights_are_hatched_and_longer_than_all_others():
    model = by.NaiveBayes(smoothing=0).fit(by.datasets.play_tennis().to_dict(), y="PlayTennis")
    axes = plots.evidence(model.explain(("Overcast", "Cool", "High", "Strong"))).axes[0]
    hatched = [patch for patch in axes.patches if patch.get_hatch()]
    assert [text.get_text() for text in axes.texts].count("+inf") == len(hatched) == 2
    longest = max(abs(patch.get_width()) for patch in axes.patches if not patch.get_hatch())
    assert all(patch.get_width() > longest for patch in hatched)
    assert max(axes.get_xlim()) > max(bars(axes))


def test_evidence_without_any_weight_is_drawn():
    axes = plots.evidence(explained({"free": 0.0}, prior_log_odds=0.0, log_odds=0.0)).axes[0]
    assert bars(axes) == [0.0, 0.0, 0.0]


def test_against_the_rest_is_said():
    axes = plots.evidence(explained({"free": 1.0}, against=None)).axes[0]
    assert "for the rest" in axes.get_xlabel()


def test_what_is_no_explanation_of_one_row_is_refused():
    model = by.GaussianNB().fit([[1.0], [2.0]], ["ham", "spam"])
    with pytest.raises(TypeError, match="one row.*got list"):
        plots.evidence(model.explain([[1.0], [2.0]]))
    neighbours = KNeighborsClassifier(1).fit([[1.0], [2.0]], ["ham", "spam"])
    with pytest.raises(TypeError, match="got Neighbours"):
        plots.evidence(neighbours.explain([1.0]))
