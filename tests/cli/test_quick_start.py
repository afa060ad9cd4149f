"""`bayesic predict` of a text loads only what it needs, and says what the library says."""

import json
import subprocess
import sys

import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

import bayesic as by
from helpers.command_line import modules_loaded

TEXTS = ["Free lunch, free money", "lunch today?", "money for free", "Rain today", "明天下雨"]
LABELS = ["spam", "ham", "spam", "ham", "ham"]
NOT_NEEDED = ("sklearn", "pandas", "pyarrow", "duckdb", "narwhals", "rich", "numba", "matplotlib")
NOT_NEEDED += ("scipy.stats", "scipy.special", "scipy.linalg", "scipy.optimize")

LOADED = f"""
import sys
from bayesic.cli.main import main
sys.argv = ["bayesic", *sys.argv[1:]]
try:
    main()
finally:
    print([name for name in {NOT_NEEDED!r} if name in sys.modules], file=sys.stderr)
"""


@pytest.fixture
def spam(folder):
    by.TextClassifier().fit(TEXTS, LABELS).save("spam.bayes")
    return "spam.bayes"


def test_a_text_is_answered_with_little_but_numpy(spam):
    assert modules_loaded("predict", spam, "--text", "free") == "['numpy', 'scipy']"


@pytest.mark.parametrize("words", [("--text", "free"), ("--stdin", "mail"), ("win.eml", "--proba")])
def test_a_text_a_mail_and_a_file_load_nothing_that_is_not_needed(folder, spam, words):
    (folder / "win.eml").write_text("Subject: free\n\nmoney\n")
    command = [sys.executable, "-c", LOADED, "predict", spam, *words]
    ran = subprocess.run(command, input=b"Subject: free\n\nmoney\n", capture_output=True)
    assert b"spam" in ran.stdout
    assert ran.stderr == b"[]\n"


@pytest.mark.parametrize(
    "options",
    [
        {"model": "bernoulli", "stop_words": "en"},
        {"model": "complement", "ngrams": (1, 2)},
        {"weighting": "tf-idf"},
        {"weighting": "log-count-ratio", "smoothing": "auto"},
        {"analyzer": "char", "ngrams": (2, 3), "min_count": 2},
    ],
)
def test_the_answers_are_those_of_the_library(folder, options):
    model = by.TextClassifier(**options).fit(TEXTS, LABELS)
    model.save("spam.bayes")
    asked = [*TEXTS, "free rain", ""]
    words = [part for text in asked for part in ("--text", text)]
    command = [sys.executable, "-m", "bayesic", "predict", "spam.bayes", "--json", *words]
    rows = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert [[row["P(ham)"], row["P(spam)"]] for row in rows] == model.predict_proba(asked).tolist()


def test_other_processes_keep_the_classes_of_scikit_learn(run, spam):
    assert run("predict", spam, "--text", "free").stdout == "spam\n"
    model = by.load(spam)
    assert isinstance(model, BaseEstimator)
    assert isinstance(model, ClassifierMixin)
