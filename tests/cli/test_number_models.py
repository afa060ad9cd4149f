"""`--model gaussian|qda|lda|logistic|knn`: the command line gives the answers of the library."""

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal
from sklearn.model_selection import StratifiedKFold

import bayesic as by
from bayesic.data import duckdb_files, source
from bayesic.evaluation.report import evaluate_posterior

MODELS = {
    "gaussian": by.GaussianBayes,
    "qda": by.QuadraticDiscriminantAnalysis,
    "lda": by.LinearDiscriminantAnalysis,
    "logistic": by.LogisticRegression,
    "knn": by.KNeighborsClassifier,
}
KEEPS_STATISTICS = [name for name in MODELS if name != "logistic"]

every_model = pytest.mark.parametrize("name", MODELS)
every_that_adds = pytest.mark.parametrize("name", KEEPS_STATISTICS)

FIT = ("fit", "melons.csv", "--target", "good")


@pytest.fixture
def melons(folder, write):
    """melons.csv with 40 rows of numbers and their classes, and the same as a DataFrame."""
    rng = np.random.default_rng(3)
    good = np.arange(40) % 2 == 0
    table = pd.DataFrame(
        {
            "density": (0.5 + 0.1 * good + 0.15 * rng.standard_normal(40)).round(3),
            "糖": (0.2 + 0.1 * good + 0.1 * rng.standard_normal(40)).round(3),
            "seeds": rng.poisson(200, 40),
            "good": np.where(good, "yes", "no"),
        }
    )
    write("melons.csv", {column: table[column].tolist() for column in table})
    asked = table[["seeds", "糖", "density"]].iloc[:5]  # in another order
    write("asked.csv", {column: asked[column].tolist() for column in asked} | {"note": ["x"] * 5})
    return table


def rows_of(table):
    return table.drop(columns="good"), table["good"].to_numpy()


def in_python(name, table, **options):
    return MODELS[name](**options).fit(*rows_of(table))


def probabilities(result):
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    return [[float(row["P(no)"]), float(row["P(yes)"])] for row in rows]


def assert_same_answers(path, expected, table):
    X, _ = rows_of(table)
    loaded = by.load(path)
    assert type(loaded) is type(expected)
    np.testing.assert_allclose(loaded.predict_proba(X), expected.predict_proba(X), rtol=1e-9)


# learning and answers ---------------------------------------------------------------------------


@every_model
def test_fit_learns_what_the_library_learns(run, melons, name):
    told = run(*FIT, "--model", name, "-o", "m.bayes").stdout
    assert told == "m.bayes: 40 rows, 2 classes (no 20, yes 20), 3 columns.\n"
    assert_same_answers("m.bayes", in_python(name, melons), melons)
    assert by.load("m.bayes").feature_names_in_.tolist() == ["density", "糖", "seeds"]


@every_model
def test_blocks_and_parquet_make_no_difference(run, folder, melons, name, monkeypatch):
    monkeypatch.setattr(source, "MOST_ROWS_PER_BLOCK", 7)
    melons.to_parquet(folder / "melons.parquet")
    run("fit", "melons.parquet", "--model", name, "-o", "m.bayes")
    assert_same_answers("m.bayes", in_python(name, melons), melons)


@every_model
def test_the_name_of_the_target_is_kept(run, melons, write, name):
    first = {column: melons[column].tolist() for column in ("good", "density", "seeds")}
    write("first.csv", first)  # its last column is no target
    run("fit", "first.csv", "--target", "good", "--model", name, "-o", "m.bayes")
    assert json.loads(run("show", "m.bayes", "--json").stdout)["target"] == "good"
    assert "Classes of good" in run("show", "m.bayes").stdout
    told = run("evaluate", "m.bayes", "first.csv")
    assert told.stdout.startswith("40 rows") and told.stderr == ""
    if name != "logistic":
        told = run("update", "m.bayes", "first.csv", "--json")
        assert json.loads(told.stdout)["target"] == "good" and told.stderr == ""


@every_model
def test_columns_are_found_by_name_in_any_order(run, melons, name):
    run(*FIT, "--model", name, "-o", "m.bayes")
    expected = in_python(name, melons).predict_proba(rows_of(melons)[0].iloc[:5])
    np.testing.assert_allclose(probabilities(run("predict", "m.bayes", "asked.csv")), expected)


def test_naive_is_the_model_that_is_learned_without_a_name(run, melons):
    run(*FIT, "--model", "naive", "-o", "named.bayes")
    run(*FIT, "-o", "usual.bayes")
    X, _ = rows_of(melons)
    named, usual = by.load("named.bayes"), by.load("usual.bayes")
    assert type(named) is by.NaiveBayes
    assert named.predict_proba(X).tolist() == usual.predict_proba(X).tolist()


@pytest.mark.parametrize(
    ("name", "words", "options"),
    [
        ("gaussian", ("--shrinkage", "0.3"), {"shrinkage": 0.3}),
        ("gaussian", ("--shrinkage", "auto"), {"shrinkage": "auto"}),
        ("gaussian", ("--prior", "uniform"), {"priors": [0.5, 0.5]}),
        ("gaussian", ("--covariance", "tied"), {"covariance": "tied"}),
        ("qda", ("--shrinkage", "0.3"), {"shrinkage": 0.3}),
        ("qda", ("--prior", "yes=0.9", "--prior", "no=0.1"), {"priors": [0.1, 0.9]}),
        ("lda", ("--shrinkage", "ledoit-wolf"), {"shrinkage": "ledoit-wolf"}),
        ("logistic", ("-C", "100"), {"C": 100.0}),
        ("knn", ("--neighbors", "3", "--smoothing", "0.5"), {"n_neighbors": 3, "smoothing": 0.5}),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, tuple) else None,
)
def test_options_are_arguments_of_the_model(run, melons, name, words, options):
    run(*FIT, "--model", name, *words, "-o", "m.bayes")
    assert_same_answers("m.bayes", in_python(name, melons, **options), melons)


def test_only_gaussian_answers_rows_with_gaps(run, melons, write):
    write("gaps.csv", {"density": [0.5], "糖": [None], "seeds": [190]})
    for name in ("gaussian", "lda", "logistic", "knn"):
        run(*FIT, "--model", name, "-o", f"{name}.bayes")
    gaps = pd.DataFrame({"density": [0.5], "糖": [np.nan], "seeds": [190]})
    expected = in_python("gaussian", melons).predict_proba(gaps)
    np.testing.assert_allclose(
        probabilities(run("predict", "gaussian.bayes", "gaps.csv")), expected
    )
    for name in ("lda", "logistic", "knn"):
        assert "contains NaN" in run("predict", f"{name}.bayes", "gaps.csv", code=1).stderr


# evaluate ---------------------------------------------------------------------------------------


@every_model
def test_folds_are_answered_by_models_of_the_other_folds(run, melons, name):
    words = ("evaluate", "melons.csv", "--target", "good", "--model", name, "--cv", 4, "--json")
    told = json.loads(run(*words).stdout)
    X, y = rows_of(melons)
    posterior = np.empty((40, 2))
    for train, test in StratifiedKFold(4, shuffle=True, random_state=0).split(y, y):
        posterior[test] = MODELS[name]().fit(X.iloc[train], y[train]).predict_proba(X.iloc[test])
    theirs = evaluate_posterior(posterior, y, np.array(["no", "yes"])).to_dict()
    assert told["accuracy"] == theirs["accuracy"]
    assert float(told["log_loss"]) == pytest.approx(float(theirs["log_loss"]))


@every_model
def test_a_share_and_another_table_are_held_out(run, melons, name):
    words = ("evaluate", "melons.csv", "--target", "good", "--model", name, "--json")
    assert json.loads(run(*words, "--share", "0.25").stdout)["rows"] == 10
    run(*FIT, "--model", name, "-o", "m.bayes")
    told = json.loads(run(*words[:2], "melons.csv", *words[2:]).stdout)
    assert told == json.loads(run("evaluate", "m.bayes", "melons.csv", "--json").stdout)
    X, y = rows_of(melons)
    assert told["accuracy"] == np.mean(in_python(name, melons).predict(X) == y)


@every_that_adds
def test_leave_one_out_is_that_of_the_library(run, melons, name):
    words = ("evaluate", "melons.csv", "--target", "good", "--model", name, "--leave-one-out")
    told = json.loads(run(*words, "--json").stdout)
    X, y = rows_of(melons)
    posterior = in_python(name, melons).leave_one_out(X, y)
    assert told["accuracy"] == evaluate_posterior(posterior, y, np.array(["no", "yes"])).accuracy


def test_a_class_that_a_fold_has_not_learned_gets_probability_0(run, write):
    heights = [1.0, 2.0, 3.0, 7.0, 8.0, 9.0, 5.0]
    write("few.csv", {"height": heights, "size": ["low"] * 3 + ["high"] * 3 + ["rare"]})
    words = ("evaluate", "few.csv", "--model", "logistic", "--cv", 3, "--json")
    told = json.loads(run(*words).stdout)
    assert [part["class"] for part in told["classes"]] == ["high", "low", "rare"]
    assert told["log_loss"] == "inf"


# reasons, pictures, show ------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in MODELS if name != "knn"])
def test_explain_gives_the_weights_of_evidence(run, melons, name):
    run(*FIT, "--model", name, "-o", "m.bayes")
    told = json.loads(run("explain", "m.bayes", "asked.csv", "--row", 3, "--json").stdout)
    expected = in_python(name, melons).explain(rows_of(melons)[0].iloc[3].to_dict()).to_dict()
    assert told["answer"] == expected["answer"]
    assert told["weights"] == pytest.approx(expected["weights"], rel=1e-6)


def test_explain_shows_the_neighbours(run, melons):
    run(*FIT, "--model", "knn", "-o", "m.bayes")
    expected = in_python("knn", melons).explain(rows_of(melons)[0].iloc[3].to_dict())
    assert run("explain", "m.bayes", "asked.csv", "--row", 3).stdout == f"{expected}\n"
    told = json.loads(run("explain", "m.bayes", "asked.csv", "--row", 3, "--json").stdout)
    assert [part["row"] for part in told["neighbours"]] == [one.row for one in expected.neighbours]
    assert told["probability"] == expected.probability


def densities_of(told):
    """The product of prior and densities of each class, as it is written out."""
    return [float(line.rpartition(" ")[2]) for line in told.splitlines()[:2]]


@pytest.mark.parametrize("shrinkage", [(), ("--shrinkage", 0.2)], ids=["plain", "shrunk"])
def test_the_calculation_of_lda_shows_densities(run, melons, shrinkage):
    run(*FIT, "--model", "lda", *shrinkage, "-o", "m.bayes")
    told = run("explain", "m.bayes", "asked.csv", "--work").stdout
    assert "p(糖=" in told and " given density|no)" in told and " given density,糖|yes)" in told
    X, y = rows_of(melons)
    within = sum(X[y == c].cov(ddof=0) for c in ("no", "yes")) / 2
    if shrinkage:
        within = 0.8 * within + 0.2 * np.trace(within) / 3 * np.eye(3)
    theirs = [
        0.5 * multivariate_normal(X[y == c].mean(), within).pdf(X.iloc[0]) for c in ("no", "yes")
    ]
    assert densities_of(told) == pytest.approx(theirs, rel=1e-3)


def test_the_calculation_of_lda_keeps_to_the_directions_with_spread(run, melons, write):
    table = {"density": melons["density"].tolist(), "half": (melons["density"] / 2).tolist()}
    write("double.csv", table | {"good": melons["good"].tolist()})
    run("fit", "double.csv", "--model", "lda", "-o", "m.bayes")
    told = run("explain", "m.bayes", "double.csv", "--work").stdout
    groups = melons.groupby("good")["density"]
    spread = np.sqrt(groups.var(ddof=0).mean())  # in units of this the density is that of z
    z = (melons["density"][0] - groups.mean()) / spread
    theirs = 0.5 * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    assert "P(no)·p(x in 1 direction|no)" in told
    assert densities_of(told) == pytest.approx(theirs.tolist(), rel=1e-3)


@every_that_adds
def test_show_tells_rows_means_and_spread(run, melons, name):
    run(*FIT, "--model", name, "-o", "m.bayes")
    told = json.loads(run("show", "m.bayes", "--json").stdout)
    assert told["model"] == MODELS[name].__name__
    assert [(part["class"], part["rows"]) for part in told["classes"]] == [("no", 20), ("yes", 20)]
    sugar = json.loads(run("show", "m.bayes", "--column", "糖", "--json").stdout)
    groups = melons.groupby("good")["糖"]
    for part in sugar["classes"]:
        assert part["mean"] == pytest.approx(groups.mean()[part["class"]])
        assert part["standard_deviation"] == pytest.approx(groups.std(ddof=0)[part["class"]])
    assert "density   number   no 0." in run("show", "m.bayes").stdout


def test_show_tells_the_weights_of_logistic_regression(run, melons):
    run(*FIT, "--model", "logistic", "-o", "m.bayes")
    told = json.loads(run("show", "m.bayes", "--json").stdout)
    weights = [part["weights"]["yes"] for part in told["columns"]]
    assert weights == pytest.approx(in_python("logistic", melons).coef_[0].tolist())
    assert "class   weight" in run("show", "m.bayes", "--column", "糖").stdout
    assert told["rows"] == 40


@every_model
def test_regions_are_drawn_for_two_columns(run, folder, melons, write, name):
    write("two.csv", {column: melons[column].tolist() for column in ("density", "seeds", "good")})
    run("fit", "two.csv", "--model", name, "-o", "m.bayes")
    told = run("plot", "regions", "m.bayes", "two.csv", "--target", "good", "-o", "r.svg")
    assert told.stdout == "r.svg: 40 rows of two.csv.\n"
    assert told.stderr == ""
    run("plot", "confusion", "m.bayes", "two.csv", "-o", "c.png")
    assert (folder / "r.svg").exists() and (folder / "c.png").exists()


# changing ---------------------------------------------------------------------------------------


@every_that_adds
def test_update_forget_and_merge_are_those_of_the_library(run, melons, write, name):
    for part, rows in (("first", melons[:26]), ("second", melons[26:])):
        write(f"{part}.csv", {column: rows[column].tolist() for column in rows})
        run("fit", f"{part}.csv", "--model", name, "-o", f"{part}.bayes")
    run("update", "first.bayes", "second.csv", "-o", "updated.bayes")
    assert_same_answers("updated.bayes", in_python(name, melons), melons)
    run("merge", "first.bayes", "second.bayes", "-o", "merged.bayes")
    assert_same_answers("merged.bayes", in_python(name, melons), melons)
    told = run("forget", "merged.bayes", "second.csv", "--target", "good").stdout
    assert told == "merged.bayes: 26 rows, 2 classes (no 13, yes 13), 3 columns.\n"
    assert_same_answers("merged.bayes", in_python(name, melons[:26]), melons)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("update", "m.bayes", "melons.csv"), "cannot learn more rows"),
        (("forget", "m.bayes", "melons.csv"), "cannot forget rows"),
        (("merge", "m.bayes", "m.bayes", "-o", "x.bayes"), "cannot be merged"),
        (("evaluate", "m.bayes", "melons.csv", "--leave-one-out"), "Use --cv"),
    ],
    ids=lambda part: part[0] if isinstance(part, tuple) else None,
)
def test_logistic_regression_says_what_it_cannot_do(run, folder, melons, words, expected):
    run(*FIT, "--model", "logistic", "-o", "m.bayes")
    before = (folder / "m.bayes").read_bytes()
    assert expected in run(*words, code=2).stderr
    assert (folder / "m.bayes").read_bytes() == before


@pytest.mark.parametrize("words", [(), ("--prior", "uniform")], ids=["learned", "given"])
def test_the_rows_are_learned_once(run, melons, words, monkeypatch):
    calls, fit = [], by.LinearDiscriminantAnalysis.fit

    def counted(*given, **named):
        calls.append(given)
        return fit(*given, **named)

    monkeypatch.setattr(by.LinearDiscriminantAnalysis, "fit", counted)
    run(*FIT, "--model", "lda", *words, "-o", "m.bayes")
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("update", "m.bayes", "rare.csv"), "learn all rows together with fit"),
        (("forget", "m.bayes", "rare.csv"), "Only what was learned can be forgotten"),
        (("evaluate", "m.bayes", "rare.csv", "--leave-one-out"), "that were learned can be left"),
        (("plot", "regions", "m.bayes", "rare.csv", "-o", "r.png"), "Leave these rows out"),
    ],
    ids=lambda part: part[0] if isinstance(part, tuple) else None,
)
def test_classes_that_the_model_does_not_know_are_named(run, melons, write, words, expected):
    two = {column: melons[column].tolist() for column in ("density", "seeds", "good")}
    write("two.csv", two)
    write("rare.csv", two | {"good": ["rare", *two["good"][1:]]})
    run("fit", "two.csv", "--model", "qda", "-o", "m.bayes")
    told = run(*words, "--target", "good", code=1).stderr
    assert "rare.csv must have classes that the model has learned (no, yes), got the class" in told
    assert expected in told and "partial_fit" not in told


# errors -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [
        (("--model", "best"), 2, "--model must be one of naive, tan, kdb, aode, forest"),
        (("--model", "complement"), 2, "name their column by --text"),
        (
            ("--model", "qda", "--columns", "seeds=poisson"),
            2,
            "--columns is for --model naive, tan, kdb, aode, forest, auto, not for qda",
        ),
        (("--model", "lda", "--numeric", "binned"), 2, "--numeric is for --model naive"),
        (("--model", "qda", "--smoothing", "1"), 2, "--smoothing is for --model naive, tan"),
        (("--model", "knn", "--prior", "uniform"), 2, "--prior is for --model naive, tan"),
        (("--model", "logistic", "--prior", "uniform"), 2, "--prior is for --model naive"),
        (("--model", "qda", "-C", "1"), 2, "-C is for --model logistic, not for qda"),
        (("--neighbors", "3"), 2, "--neighbors is for --model knn, not for naive"),
        (("--model", "knn", "--smoothing", "auto"), 2, "one number such as 0.5, for knn, got"),
        (("--model", "knn", "--neighbors", "0"), 1, "n_neighbors must be"),
        (("--model", "logistic", "-C", "-1"), 1, "C must be a number above 0"),
        (("--model", "gaussian", "--shrinkage", "much"), 1, "shrinkage must be None, a number"),
        (("--model", "lda", "--prior", "yes=1"), 1, "--prior must give a probability for each"),
        (("--model", "lda", "--ngrams", "2"), 2, "--ngrams is for models of texts"),
        (("--model", "lda", "--target", "taste"), 1, "--target must name a column of melons.csv"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, tuple) else None,
)
def test_options_that_do_not_fit_are_refused(run, folder, melons, words, code, expected):
    assert expected in run("fit", "melons.csv", *words, "-o", "m.bayes", code=code).stderr
    assert not (folder / "m.bayes").exists()


def test_models_of_tables_and_their_options_are_not_for_texts(run, write):
    write("mails.csv", {"body": ["free money", "lunch"], "label": ["spam", "ham"]})
    words = ("fit", "mails.csv", "--text", "body", "--target", "label", "-o", "m.bayes")
    assert "--model qda is for tables" in run(*words, "--model", "qda", code=2).stderr
    assert "--shrinkage is for models of tables" in run(*words, "--shrinkage", 1, code=2).stderr


@every_model
def test_columns_without_numbers_are_named_with_the_way_out(run, tennis, write, name):
    write("mixed.csv", {"heat": [20] * 14, **tennis})
    told = run("fit", "mixed.csv", "--model", name, "-o", "m.bayes", code=1).stderr
    assert "'Outlook'" in told and "--model naive" in told


def test_a_table_of_classes_alone_has_nothing_to_learn(run, write):
    write("classes.csv", {"good": ["yes", "no"]})
    told = run("fit", "classes.csv", "--model", "lda", "-o", "m.bayes", code=1).stderr
    assert "must have a column of numbers" in told


def test_a_missing_column_is_named(run, melons, write):
    run(*FIT, "--model", "lda", "-o", "m.bayes")
    write("short.csv", {"density": [0.5], "糖": [0.2]})
    assert "now missing: ['seeds']" in run("predict", "m.bayes", "short.csv", code=1).stderr


def test_a_column_of_numbers_is_no_target(run, melons):
    run(*FIT, "--model", "lda", "-o", "m.bayes")
    told = run("update", "m.bayes", "melons.csv", "--target", "seeds", code=2).stderr
    assert "which the model has learned as numbers" in told


def test_neighbours_have_no_weights_of_evidence(run, melons):
    run(*FIT, "--model", "knn", "-o", "m.bayes")
    words = ("explain", "m.bayes", "asked.csv")
    assert "--work is for models with" in run(*words, "--work", code=2).stderr
    assert "--against is for models with" in run(*words, "--against", "no", code=2).stderr
    told = run("plot", "evidence", "m.bayes", "asked.csv", "-o", "e.png", code=2).stderr
    assert "evidence is for models with" in told


def test_logistic_regression_has_no_product_to_write_out(run, melons):
    run(*FIT, "--model", "logistic", "-o", "m.bayes")
    told = run("explain", "m.bayes", "asked.csv", "--work", code=2).stderr
    assert "it only knows P(class | row)" in told


@pytest.mark.parametrize(
    "words",
    [("fit", "--model", "qda", "-o", "m.bayes"), ("evaluate", "--model", "qda", "--cv", "2")],
    ids=" ".join,
)
def test_columns_that_depend_on_each_other_are_told_with_a_way_out(run, melons, write, words):
    table = {"density": melons["density"].tolist(), "half": (melons["density"] / 2).tolist()}
    write("double.csv", table | {"good": melons["good"].tolist()})
    told = run(words[0], "double.csv", *words[1:], code=1).stderr
    assert "The covariance matrix of class no is not full rank:" in told
    assert "--model gaussian" in told and "reg_param" not in told


def test_a_row_that_is_not_there_is_refused(run, melons):
    run(*FIT, "--model", "knn", "-o", "m.bayes")
    told = run("explain", "m.bayes", "asked.csv", "--row", 5, code=1).stderr
    assert "--row must be from 0 to 4, the rows of asked.csv, got 5" in told


def test_a_model_of_an_array_has_no_names_to_find_columns_by(run, melons):
    X, y = rows_of(melons)
    by.GaussianBayes().fit(X.to_numpy(), y).save("m.bayes")
    assert "without names" in run("predict", "m.bayes", "asked.csv", code=1).stderr


# without pyarrow --------------------------------------------------------------------------------


@every_model
def test_pyarrow_makes_no_difference(run, folder, melons, write, name, monkeypatch):
    write("gaps.csv", {"density": [0.5, None], "糖": [None, None], "seeds": [190, 200]})
    words = [
        (*FIT, "--model", name, "-o", "m.bayes"),
        ("predict", "m.bayes", "asked.csv", "--keep"),
        ("evaluate", "m.bayes", "melons.csv", "--target", "good"),
        ("evaluate", "melons.csv", "--target", "good", "--model", name, "--cv", 3),
        ("explain", "m.bayes", "asked.csv", "--row", 1),
        *([("predict", "m.bayes", "gaps.csv")] if name == "gaussian" else []),
    ]
    with_it = [run(*each) for each in words]
    monkeypatch.setattr(duckdb_files, "has_pyarrow", lambda: False)
    for each, before in zip(words, with_it, strict=True):
        result = run(*each)
        assert result.stdout == before.stdout
        assert result.stderr == before.stderr == ""


def test_regions_without_pyarrow_name_the_axes(run, folder, melons, write, monkeypatch):
    monkeypatch.setattr(duckdb_files, "has_pyarrow", lambda: False)
    write("two.csv", {column: melons[column].tolist() for column in ("density", "seeds", "good")})
    run("fit", "two.csv", "--model", "lda", "-o", "m.bayes")
    drawn = {}
    monkeypatch.setattr(by.plots, "decision_regions", record(by.plots.decision_regions, drawn))
    run("plot", "regions", "m.bayes", "two.csv", "--target", "good", "-o", "r.png")
    assert drawn["axes"] == ("density", "seeds")


def record(draw, drawn):
    """The same picture, with the names of its axes noted."""

    def drawing(*arguments):
        figure = draw(*arguments)
        axes = figure.axes[0]
        drawn["axes"] = axes.get_xlabel(), axes.get_ylabel()
        return figure

    return drawing
