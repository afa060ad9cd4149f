"""A command loads only what it needs, and says what the library says."""

import ast
import json
import subprocess
import sys

import pytest

import bayesic as by
from bayesic.data import duckdb_files
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


# tables -----------------------------------------------------------------------------------------

DAYS = "sky,wind,rain\nsun,1.5,no\ncloud,2.5,yes\nsun,0.5,no\ncloud,4.5,yes\nsun,2.0,no\n"
# these are what a CSV file is read by, and what arrays stand on
OF_TABLES = {"duckdb", "scipy.special", "scipy.linalg"}


@pytest.fixture
def days(folder):
    (folder / "days.csv").write_text(DAYS)
    by.NaiveBayes().fit("days.csv", y="rain").save("days.bayes")
    return "days.csv"


@pytest.mark.parametrize(
    "words",
    [
        ("fit", "days.csv", "--target", "rain", "-o", "new.bayes"),
        ("predict", "days.bayes", "days.csv"),
        ("update", "days.bayes", "days.csv"),
        ("show", "days.bayes"),
    ],
    ids=lambda words: words[0],
)
def test_a_small_table_is_learned_and_answered_without_scikit_learn_and_pandas(days, words):
    ran = subprocess.run([sys.executable, "-c", LOADED, *words], capture_output=True, text=True)
    assert ran.stdout
    loaded = set(ast.literal_eval(ran.stderr.splitlines()[-1]))
    assert loaded - OF_TABLES - ({"rich"} if words[0] == "show" else set()) == set()


def test_a_small_table_is_the_same_table_by_pyarrow(days, monkeypatch):
    monkeypatch.setattr(duckdb_files, "SMALL_FILE", 0)
    learned = by.NaiveBayes().fit(days, y="rain")
    small = by.load("days.bayes")
    assert str(learned) == str(small)
    assert learned.predict_proba(days).tolist() == small.predict_proba(days).tolist()
