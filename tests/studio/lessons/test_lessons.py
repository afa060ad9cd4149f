"""The numbers of the lessons: against exact fractions and plain formulas."""

import json
from fractions import Fraction
from math import exp, log, pi, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from bayesic.datasets import enjoy_sport, watermelon
from bayesic.hypotheses.version_space import DONT_KNOW
from bayesic.studio.lessons.campfire import VARIABLES
from bayesic.studio.lessons.concept_learning import LEVELS
from bayesic.studio.lessons.disease import disease
from bayesic.studio.lessons.routes import LESSONS
from helpers.http_server import ask
from helpers.studio_page import PAGE

BOOK = {"prior": "0.008", "sensitivity": "0.98", "specificity": "0.97", "results": "++"}
DAY = [0, 2, 0, 1]  # sunny, cool, humid, windy
MELONS = np.array([row[-2:] for row in watermelon().rows], dtype=float)
GOOD = np.array([label == "是" for label in watermelon().target])


def answer(address, lesson, **body):
    found = ask(address, "POST", f"/studio/lessons/{lesson}", body)
    assert found.status == 200, found.bytes
    return found.json


def fractions(shown):
    for one in shown:
        assert one["value"] == float(Fraction(one["text"]))
    return [Fraction(one["text"]) for one in shown]


# the disease ----------------------------------------------------------------------------------


def test_two_positive_tests(address):
    found = answer(address, "disease", **BOOK)
    first, second = found["steps"]
    assert fractions(first["joint"]) == [Fraction(784, 100_000), Fraction(2976, 100_000)]
    assert fractions(first["posterior"]) == [Fraction(784, 3760), Fraction(2976, 3760)]
    assert first["most_probable"] == 1  # no disease
    assert first["most_likely"] == 0  # disease
    assert fractions(second["prior"]) == fractions(first["posterior"])
    assert fractions(second["posterior"]) == [Fraction(2401, 2680), Fraction(279, 2680)]


chances = st.fractions(Fraction(1, 1000), Fraction(999, 1000), max_denominator=1000)


@given(chances, chances, chances, st.text("+-", min_size=1, max_size=3))
def test_results_in_any_order_give_the_product_of_their_likelihoods(prior, ill, well, results):
    body = {"prior": str(prior), "sensitivity": str(ill), "specificity": str(well)}
    has, not_has = prior, 1 - prior
    for result in results:
        has *= ill if result == "+" else 1 - ill
        not_has *= 1 - well if result == "+" else well
    for order in (results, results[::-1]):
        last = disease({**body, "results": order})["steps"][-1]
        assert last["posterior"][0]["value"] == float(has / (has + not_has))


# play tennis ----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("smoothing", "joint", "posterior"),
    [
        (0, ["18/875", "1/189"], ["486/611", "125/611"]),
        (1, ["15/784", "5/726"], ["1089/1481", "392/1481"]),
    ],
)
def test_the_day_of_the_book(address, language, smoothing, joint, posterior):
    found = answer(address, "tennis", rows=None, day=DAY, smoothing=smoothing, language=language)
    assert found["classes"] == ["No", "Yes"]
    assert [one["text"] for one in found["joint"]] == joint
    assert [one["text"] for one in found["posterior"]] == posterior


def test_an_edited_table_has_other_fractions(address):
    rows = answer(address, "tennis", rows=None, day=DAY, smoothing=0, language="en")["rows"]
    rows[0][4] = 1  # the first day, sunny and hot, is played on
    found = answer(address, "tennis", rows=rows, day=DAY, smoothing=0, language="en")
    assert [one["text"] for one in found["prior"]] == ["4/14", "10/14"]
    assert [one["text"] for one in found["factors"][0]["shares"]] == ["2/4", "3/10"]


def test_a_day_that_is_impossible_has_the_prior(address):
    rows = [[0, 0, 0, 0, 0], [1, 1, 1, 1, 1]]
    found = answer(address, "tennis", rows=rows, day=[2, 2, 0, 0], smoothing=0, language="en")
    assert found["impossible"] is True
    assert fractions(found["posterior"]) == [Fraction(1, 2)] * 2


# the version space ----------------------------------------------------------------------------


def test_the_version_space_shrinks_to_six(address):
    found = answer(address, "version-space", rows=None, day=[0, 0, 0, 1, 0, 0])
    sizes = [step["size"] for step in found["steps"]]
    # nothing, or a value or "?" of each attribute; subsets of six and of five values; less those
    # that cover the rainy day; subsets of three values, less the two that cover it
    assert sizes == [1 + 4 * 3**5, 2**6, 2**5, 2**5 - 2**2, 2**3 - 2]
    last = found["steps"][-1]
    assert last["specific"] == [["Sunny", "Warm", "?", "Strong", "?", "?"]]
    assert last["general"] == [["Sunny", *"?????"], ["?", "Warm", *"????"]]
    assert len(last["hypotheses"]) == 6
    assert len(last["edges"]) == 7  # of figure 2.3
    assert (last["votes"], last["answer"]) == (3, "don't know")


def test_a_wrong_label_leaves_no_hypothesis(address):
    rows = answer(address, "version-space", rows=None, day=[0] * 6)["rows"]
    rows[1][6] = 0
    rows[1][2] = 0  # the same day as the first one, and not enjoyed
    steps = answer(address, "version-space", rows=rows, day=[0] * 6)["steps"]
    assert "refused" not in steps[1]
    assert "No conjunction" in steps[2]["refused"]


# Gaussian classes -----------------------------------------------------------------------------


def gaussian_odds(points, form):
    """The log odds of good against bad, by another library."""
    parts = [MELONS[GOOD], MELONS[~GOOD]]
    matrices = [np.cov(part.T, bias=True) for part in parts]
    if form == "tied":
        matrices = [sum(len(p) * m for p, m in zip(parts, matrices, strict=True)) / 17] * 2
    if form == "diagonal":
        matrices = [np.diag(np.diag(matrix)) for matrix in matrices]
    scores = [
        log(len(part) / 17) + multivariate_normal(part.mean(axis=0), matrix).logpdf(points)
        for part, matrix in zip(parts, matrices, strict=True)
    ]
    return scores[0] - scores[1]


@pytest.mark.parametrize(("form", "free"), [("diagonal", 8), ("tied", 7), ("full", 10)])
def test_gaussian_classes_of_the_melons(address, form, free):
    at = [0.52, 0.21]
    found = answer(address, "gaussians", classes=None, covariance=form, point=at)
    assert found["n_parameters"] == free
    assert found["probabilities"][0] == pytest.approx(
        1 / (1 + exp(-gaussian_odds([at], form))), rel=1e-9
    )
    x, y = np.meshgrid(np.linspace(0, 1, 81), np.linspace(-0.1, 0.6, 57))
    odds = np.array(found["log_odds"])
    np.testing.assert_allclose(odds, gaussian_odds(np.dstack([x, y]), form), atol=2e-6)
    bends = np.abs(np.diff(odds, 2, axis=1)).max()
    assert (bends < 1e-5) == (form == "tied")  # only LDA is straight
    again = answer(address, "gaussians", classes=found["ellipses"], covariance=form, point=at)
    np.testing.assert_allclose(again["log_odds"], odds, atol=1e-5)


# EM -------------------------------------------------------------------------------------------


def test_em_takes_the_steps_of_the_book(address):
    points, means, spread = [1, 1.5, 2, 4.5, 7, 8, 8.8], [4.0, 5.0], 1.3
    body = {"points": points, "means": means, "spread": spread, "steps": 4}
    found = answer(address, "em", **body)
    expected = means
    for step in found["steps"]:
        assert step["means"] == pytest.approx(expected, rel=1e-12)
        weights = [[exp(-((x - m) ** 2) / (2 * spread**2)) for m in expected] for x in points]
        density = [sum(pair) / 2 / sqrt(2 * pi) / spread for pair in weights]
        assert step["log_likelihood"] == pytest.approx(sum(map(log, density)), rel=1e-12)
        shares = [[one / sum(pair) for one in pair] for pair in weights]
        total = [sum(pair[j] for pair in shares) for j in (0, 1)]
        expected = [
            sum(pair[j] * x for pair, x in zip(shares, points, strict=True)) / total[j]
            for j in (0, 1)
        ]
    np.testing.assert_allclose(found["responsibilities"], shares, rtol=1e-9)
    curve = [step["log_likelihood"] for step in found["steps"]]
    assert curve == sorted(curve)


def test_em_with_a_small_spread_is_k_means(address):
    body = {"points": [0, 1, 9, 10], "means": [0, 5], "spread": 0.1, "steps": 5}
    assert answer(address, "em", **body)["steps"][-1]["means"] == [0.5, 9.5]


# neighbours -----------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 4, 17])
def test_the_nearest_melons(address, k):
    at = [0.5, 0.2]
    distance = np.sqrt(((MELONS - at) ** 2).sum(axis=1))
    nearest = np.argsort(distance, kind="stable")[:k]
    found = answer(address, "neighbours", k=k, point=at)
    assert [one["row"] for one in found["nearest"]] == nearest.tolist()
    assert fractions(found["shares"])[0] == Fraction(int(GOOD[nearest].sum()), k)
    regions = answer(address, "regions", k=k)
    assert regions["shares"][24][40] == pytest.approx(GOOD[nearest].sum() / k, abs=1e-6)


# storm and campfire ---------------------------------------------------------------------------

FIRE = {
    (1, 1): Fraction(2, 5),
    (1, 0): Fraction(1, 10),
    (0, 1): Fraction(4, 5),
    (0, 0): Fraction(1, 5),
}


def test_the_joint_of_storm_bus_tour_and_campfire(address):
    found = answer(address, "campfire", storm="1/4", bus="1/2", given={})
    assert len(found["joint"]) == 8
    for row in found["joint"]:
        storm, bus, fire = row["states"]
        chance = FIRE[storm, bus] if fire else 1 - FIRE[storm, bus]
        exact = (Fraction(1, 4) if storm else Fraction(3, 4)) * Fraction(1, 2) * chance
        assert row["probability"] == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize(
    ("given", "storm"),
    [
        ({"Campfire": True}, Fraction(1, 7)),
        ({"Campfire": False}, Fraction(1, 3)),
        ({"Campfire": False, "BusTourGroup": True}, Fraction(1, 2)),
        ({"BusTourGroup": True}, Fraction(1, 4)),
    ],
)
def test_what_follows_for_the_storm(address, given, storm):
    found = answer(address, "campfire", storm="0.25", bus="0.5", given=given)
    assert found["beliefs"]["Storm"] == pytest.approx([float(storm), float(1 - storm)], rel=1e-12)


# words -----------------------------------------------------------------------------------------


def test_every_word_of_the_examples_is_there_in_chinese():
    words = json.loads((PAGE / "lessons" / "chinese.json").read_text("utf-8"))
    said = {*enjoy_sport().columns, *(level for levels in LEVELS for level in levels)}
    assert {*said, *VARIABLES, DONT_KNOW, "Yes", "No"} <= words.keys()


# what cannot be -------------------------------------------------------------------------------

TENNIS = {"rows": None, "day": DAY, "smoothing": 0, "language": "en"}
ELLIPSE = {"mean": [0.5, 0.2], "axis": [0.1, 0], "other": 0.1}
EM = {"points": [1, 2], "means": [1, 2], "spread": 1, "steps": 1}


@pytest.mark.parametrize(
    ("lesson", "body", "sentence"),
    [
        ("disease", {**BOOK, "prior": "2"}, "prior must be from 0 to 1"),
        ("disease", {**BOOK, "prior": "a lot"}, "a number such as 0.008"),
        ("disease", {**BOOK, "prior": "1/0"}, "a number such as 0.008"),
        ("disease", {**BOOK, "prior": "0", "sensitivity": "1", "specificity": "1"}, "impossible"),
        ("disease", {**BOOK, "results": "+?"}, "results"),
        ("tennis", {**TENNIS, "rows": []}, "at least one day"),
        ("tennis", {**TENNIS, "rows": [[0, 0, 0, 0, 7]]}, "from 0 to 1"),
        ("tennis", {**TENNIS, "day": [0, 2]}, "4 cells"),
        ("tennis", {**TENNIS, "language": "fr"}, "language"),
        ("version-space", {"rows": "all", "day": [0] * 6}, "rows must be"),
        ("version-space", {"rows": None, "day": [9] * 6}, "from 0 to 2"),
        ("gaussians", {"classes": [ELLIPSE], "covariance": "full", "point": [0, 0]}, "2 ellipses"),
        ("gaussians", {"classes": None, "covariance": "round", "point": [0, 0]}, "covariance"),
        (
            "gaussians",
            {"classes": [{**ELLIPSE, "axis": [0, 0]}] * 2, "covariance": "full", "point": [0, 0]},
            "An axis",
        ),
        ("em", {**EM, "points": []}, "1 to 60 numbers"),
        ("em", {**EM, "points": [None]}, "a point"),
        ("em", {**EM, "steps": 1000}, "from 0 to 60"),
        ("em", {**EM, "spread": 0}, "spread"),
        ("neighbours", {"k": 18, "point": [0, 0]}, "from 1 to 17"),
        ("neighbours", {"k": 3, "point": ["here", 0]}, "point"),
        ("regions", {"k": 0}, "from 1 to 17"),
        ("campfire", {"storm": "-1", "bus": "0.5", "given": {}}, "storm must be"),
        ("campfire", {"storm": "0", "bus": "0.5", "given": {"Rain": True}}, "given"),
        ("campfire", {"storm": "0", "bus": "0.5", "given": {"Storm": True}}, "Storm"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(address, lesson, body, sentence):
    assert sentence in answer(address, lesson, **body)["refused"]


def test_a_field_that_is_missing_is_named(address):
    for lesson in LESSONS:
        found = ask(address, "POST", f"/studio/lessons/{lesson}", {"nonsense": 1})
        assert found.status == 422
        assert "nonsense" in found.json["message"]


def test_the_desks_that_there_are(address):
    desks = ask(address, "GET", "/studio/desks").json["desks"]
    assert {"lessons", "network"} <= set(desks)
    assert "start" not in desks
    assert "frame" not in desks
    for desk in desks:
        assert ask(address, "GET", f"/desk/{desk}").status == 200
