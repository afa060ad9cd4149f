"""y may be the name of a column of X, in every estimator."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.linear_model import LogisticRegression

import bayesic as by

RNG = np.random.default_rng(1)
ROWS = RNG.integers(0, 4, (40, 2)) + np.repeat([[0], [2]], 20, axis=0)
FEATURES = {"rain": ROWS[:, 0], "wind": ROWS[:, 1]}
LABELS = np.repeat(["calm", "storm"], 20)

LIBRARIES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}
CLASSIFIERS = {
    "GaussianNB": by.GaussianNB,
    "MultinomialNB": by.MultinomialNB,
    "ComplementNB": by.ComplementNB,
    "BernoulliNB": by.BernoulliNB,
    "CategoricalNB": by.CategoricalNB,
    "GaussianBayes": by.GaussianBayes,
    "LinearDiscriminantAnalysis": by.LinearDiscriminantAnalysis,
    "QuadraticDiscriminantAnalysis": by.QuadraticDiscriminantAnalysis,
    "LogisticRegression": by.LogisticRegression,
    "KNeighborsClassifier": by.KNeighborsClassifier,
    "NaiveBayes": by.NaiveBayes,
    "JointBayes": by.JointBayes,
    "TreeAugmentedNB": by.TreeAugmentedNB,
    "chosen shrinkage": lambda: by.GaussianBayes(shrinkage="auto"),
    "MDLTreeClassifier": by.hypotheses.MDLTreeClassifier,
    "SemiSupervised": lambda: by.SemiSupervised(by.GaussianNB()),
    "SemiSupervised of a table": lambda: by.SemiSupervised(by.NaiveBayes()),
    "BayesDecision": lambda: by.BayesDecision(by.GaussianNB()),
    "BayesDecision of scikit-learn": lambda: by.BayesDecision(LogisticRegression()),
    "BayesOptimalClassifier": lambda: by.hypotheses.BayesOptimalClassifier([by.GaussianNB()]),
}
REGRESSORS = {"LeastSquares": by.LeastSquares, "KNeighborsRegressor": by.KNeighborsRegressor}
ALL = CLASSIFIERS | REGRESSORS


def target_of(name: str) -> np.ndarray:
    return ROWS.sum(axis=1) + 0.5 if name in REGRESSORS else LABELS


@pytest.mark.filterwarnings("ignore:The covariance")
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", ALL)
def test_a_named_column_is_the_target_and_no_feature(name, library):
    make_table, y = LIBRARIES[library], target_of(name)
    table, features = make_table({"weather": y, **FEATURES}), make_table(FEATURES)
    by_name, beside = ALL[name]().fit(table, "weather"), ALL[name]().fit(features, y)
    for asked in (table, features):  # later tables may still have it
        assert by_name.predict(asked).tolist() == beside.predict(features).tolist()
    assert by_name.score(table, "weather") == beside.score(features, y)
    for verb in ("partial_fit", "leave_one_out", "forget"):
        if hasattr(by_name, verb):
            answers = getattr(by_name, verb)(table, "weather"), getattr(beside, verb)(features, y)
            if verb == "leave_one_out":
                assert np.array_equal(*answers)
    assert by_name.predict(table).tolist() == beside.predict(features).tolist()


@pytest.mark.parametrize("name", ALL)
def test_what_is_no_column_is_refused_with_the_way_out(name):
    table = pd.DataFrame({"weather": target_of(name), **FEATURES})
    with pytest.raises(ValueError, match=r"There is no column 'sky'. The columns are \['weather'"):
        ALL[name]().fit(table, "sky")
    with pytest.raises(ValueError, match=r"names a column, but X is a ndarray.*give y as a list"):
        ALL[name]().fit(ROWS, "weather")


@pytest.mark.parametrize("make", [by.GaussianNB, by.LogisticRegression, by.KNeighborsClassifier])
def test_a_dict_and_a_file_have_columns_too(make, tmp_path):
    rows = {"weather": LABELS, **FEATURES}
    pd.DataFrame(rows).to_csv(tmp_path / "weather.csv", index=False)
    expected = make().fit(pd.DataFrame(rows), "weather").predict_proba(pd.DataFrame(FEATURES))
    for X in (rows, tmp_path / "weather.csv"):
        assert np.array_equal(make().fit(X, "weather").predict_proba(X), expected)


def test_the_name_is_kept_in_files_and_forgotten_by_a_new_fit(tmp_path):
    table = pd.DataFrame({"weather": LABELS, **FEATURES})
    model = by.GaussianNB().fit(table, "weather")
    model.save(tmp_path / "storm.bayes")
    loaded = by.load(tmp_path / "storm.bayes")
    assert loaded.predict(table).tolist() == model.predict(table).tolist()
    rows = table.assign(weather=1.0)
    assert model.fit(rows, LABELS).n_features_in_ == 3  # now it is a feature
    assert model.predict(rows).shape == (40,)


def test_gaps_in_a_named_column_are_unlabelled_rows():
    labels = [None if number % 3 else label for number, label in enumerate(LABELS)]
    table = pd.DataFrame({"weather": labels, **FEATURES})
    model = by.SemiSupervised(by.GaussianNB()).fit(table, "weather")
    beside = by.SemiSupervised(by.GaussianNB()).fit(pd.DataFrame(FEATURES), labels)
    assert np.array_equal(model.predict_proba(table), beside.predict_proba(pd.DataFrame(FEATURES)))


def test_a_chosen_model_takes_tables_that_still_have_the_target():
    table = pd.DataFrame({"weather": LABELS, **FEATURES})
    for candidates in ([by.GaussianBayes()], [by.NaiveBayes()]):
        model = by.choose_model(table, "weather", candidates=candidates)
        assert model.score(table, "weather") > 0.5
        assert model.predict(table).shape == (40,)


def test_a_text_classifier_says_how_to_give_a_table_in_memory():
    table = pd.DataFrame({"text": ["free lunch", "rain"], "mail": ["spam", "ham"]})
    with pytest.raises(ValueError, match=r"fit\(X\['text'\], X\['mail'\]\)"):
        by.TextClassifier().fit(table, "mail")


OF_ROWS = [*list(CLASSIFIERS)[:14], *REGRESSORS]


@pytest.mark.filterwarnings("ignore:The covariance")
@pytest.mark.parametrize("name", OF_ROWS)
def test_rows_given_as_dicts_may_have_the_target_among_them(name):
    y = target_of(name).tolist()
    columns = {"weather": y, **{column: cells.tolist() for column, cells in FEATURES.items()}}
    rows = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    by_rows = ALL[name]().fit(rows, "weather")
    by_table = ALL[name]().fit(pd.DataFrame(columns), "weather")
    assert by_rows.predict(rows).tolist() == by_table.predict(pd.DataFrame(FEATURES)).tolist()
    with pytest.raises(ValueError, match="There is no column 'sky'"):
        ALL[name]().fit(rows, "sky")


SERIES = {
    "pandas": (pd.DataFrame, lambda y: pd.Series(y, name="weather")),
    "polars": (pl.DataFrame, lambda y: pl.Series("weather", y)),
}


@pytest.mark.filterwarnings("ignore:The covariance")
@pytest.mark.parametrize("library", SERIES)
@pytest.mark.parametrize("name", ALL)
def test_a_named_series_names_the_target(name, library):
    make_table, series = SERIES[library]
    y = target_of(name)
    model = ALL[name]().fit(make_table(FEATURES), series(y))
    plain = ALL[name]().fit(make_table(FEATURES), y)
    table = make_table({"weather": y, **FEATURES})  # which still has it
    assert model.predict(table).tolist() == plain.predict(make_table(FEATURES)).tolist()
    assert model.score(table, "weather") == plain.score(make_table(FEATURES), y)


def test_a_series_that_is_a_feature_too_or_has_no_name_names_nothing():
    table = pd.DataFrame({"weather": LABELS, **FEATURES})
    for y in (table["weather"], pd.Series(LABELS), pd.Series(LABELS, name=0), pl.Series(LABELS)):
        model = by.NaiveBayes().fit(table, y)
        assert not hasattr(model, "target_name_")
        assert model.feature_names_in_.tolist() == ["weather", "rain", "wind"]


@pytest.mark.parametrize("make", [by.NaiveBayes, by.GaussianNB, by.LogisticRegression])
def test_the_name_of_a_series_is_kept_in_files_and_forgotten_by_a_new_fit(make, tmp_path):
    table, y = pd.DataFrame(FEATURES), pd.Series(LABELS, name="weather")
    model = make().fit(table, y)
    model.save(tmp_path / "storm.bayes")
    assert by.load(tmp_path / "storm.bayes").target_name_ == "weather"
    assert not hasattr(model.fit(table, LABELS), "target_name_")
    assert by.choose_model(table, y, [by.NaiveBayes()]).target_name_ == "weather"
