"""docs/which-model.md names everything that is public, and says what each model can do."""

import runpy

import numpy as np
import pytest

import bayesic as by
from bayesic.catalogue import MODELS
from helpers.pages import DOCS, names_in, tables_of, text_of

PAGES = {"en": DOCS / "which-model.md", "zh": DOCS / "zh" / "which-model.md"}
ABLE = {"en": ("yes", "no"), "zh": ("能", "不能")}
ARRAYS = ["GaussianNB", "CategoricalNB", "BernoulliNB", "MultinomialNB", "ComplementNB"]
ROOMS = [by.decisions, by.mixtures, by.networks]  # each of their names is a line of its own
PUBLIC = {*by.__all__, *MODELS, *(name for room in ROOMS for name in room.__all__)}
PUBLIC |= {"bayes_rule", "class_prior", "datasets", "hypotheses", "plots", "spark"}
RNG = np.random.default_rng(0)
X = np.round(RNG.random((60, 3)) * 3)
Y = np.where(X[:, 0] + X[:, 1] > 3, "rain", "sun")

every_page = pytest.mark.parametrize("language", PAGES)


def names_to_use(language):
    """All names in the last column of the tables that begin with what somebody has."""
    tables = [table for table in tables_of(PAGES[language]) if len(table[0]) == 3]
    return {name for table in tables for row in table[1:] for name in names_in(row[2])}


def able(language):
    """The table of what models can do: name -> learns from gaps, forgets, explains, exports."""
    (table,) = [table for table in tables_of(PAGES[language]) if len(table[0]) == 5]
    found = {}
    for first, *cells in table[1:]:
        several = ARRAYS if "array models" in first or "数组模型" in first else []
        found |= dict.fromkeys([*names_in(first), *several], cells)
    return found


@every_page
def test_every_public_name_and_every_model_stands_in_a_table(language):
    assert sorted(PUBLIC - names_to_use(language)) == []


@every_page
def test_every_name_in_a_table_exists(language):
    assert sorted(names_to_use(language) - PUBLIC) == []


def test_every_name_on_the_chart_exists():
    chart = runpy.run_path(str(DOCS / "images" / "make_chart.py"))["CHART"]
    short = {"LDA", "QDA", "..."}
    names = {name for group in chart for wish in group.wishes for name in wish.names.split(", ")}
    assert sorted(names - short - PUBLIC) == []


@every_page
def test_the_chart_is_the_one_that_is_drawn(language):
    drawn = runpy.run_path(str(DOCS / "images" / "make_chart.py"))["chart"](language)
    name = "which-model.svg" if language == "en" else "which-model-zh.svg"
    assert text_of(DOCS / "images" / name) == drawn
    assert f"images/{name})" in text_of(PAGES[language])


@every_page
@pytest.mark.filterwarnings("ignore:Some columns tell nothing")
@pytest.mark.parametrize("name", [name for name in able("en") if name in MODELS])
def test_the_page_says_what_each_model_can_do(name, language):
    yes, no = ABLE[language]
    gaps, forgets, explains, exports = able(language)[name]
    model = fitted(name)
    assert forgets.startswith(yes) == all(hasattr(model, verb) for verb in VERBS)
    assert explains != no
    assert hasattr(model, "explain")
    assert exports.startswith(yes) == is_exported(model)
    if name != "TextClassifier":
        assert (gaps != no) == answers_gaps(model)
        assert (gaps == yes) == learns_gaps(name)


VERBS = ("partial_fit", "forget", "merge")


def fitted(name):
    if name == "TextClassifier":
        return by.TextClassifier().fit(["free lunch", "rain"], ["spam", "ham"])
    return getattr(by, name)().fit(X, Y)


def is_exported(model):
    try:
        by.to_sql(model, "days")
    except (TypeError, ValueError):
        return False
    return True


def with_gap():
    rows = X.copy()
    rows[0, 1] = np.nan
    return rows


def answers_gaps(model):
    try:
        return bool(np.isfinite(model.predict_proba(with_gap())).all())
    except ValueError:
        return False


def learns_gaps(name):
    """Whether a row with a gap adds what is known of it to the counts of the columns."""
    if name == "JointBayes":  # it counts for the prior alone
        return False
    try:
        getattr(by, name)().fit(with_gap(), Y)
    except ValueError:
        return False
    return True
