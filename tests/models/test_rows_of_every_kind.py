"""Neighbours, lines and logistic regression take rows of every kind, and say which they cannot."""

from inspect import signature

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bayesic as by

RNG = np.random.default_rng(7)
ROWS = RNG.normal(size=(90, 3)).round(3)
NAMES = ["rain", "wind", "雨"]
SKY = np.where(ROWS[:, 0] + RNG.normal(size=90) > 0, "wet", "dry")
FLOW = (ROWS @ [2.0, -1.0, 0.5] + RNG.normal(size=90)).round(3)
TABLE = pd.DataFrame(ROWS, columns=NAMES)

MODELS = {
    "neighbours": (lambda: by.KNeighborsClassifier(4, weights="distance"), SKY),
    "means": (lambda: by.KNeighborsRegressor(3), FLOW),
    "line": (by.LeastSquares, FLOW),
    "logistic": (by.LogisticRegression, SKY),
}
COUNTING = [name for name in MODELS if name != "logistic"]
MIXTURES = {
    "centres": lambda: by.KMeans(3, random_state=0),
    "mixture": lambda: by.GaussianMixture(2, random_state=0),
}


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch):
    monkeypatch.setattr("bayesic.data.source.MOST_ROWS_PER_BLOCK", 40)


def kinds_of_rows(table: pd.DataFrame, folder) -> dict:
    """The same rows in memory, with names, and in files that are read in three blocks."""
    table.to_csv(folder / "weather.csv", index=False)
    table.to_csv(folder / "weather.tsv", index=False, sep="\t")
    table.to_parquet(folder / "weather.parquet")
    return {
        "pandas": table,
        "polars": pl.from_pandas(table),
        "pyarrow": pa.Table.from_pandas(table),
        "dict": table.to_dict("list"),
        "CSV": folder / "weather.csv",
        "TSV": str(folder / "weather.tsv"),
        "Parquet": folder / "weather.parquet",
        "relation": duckdb.connect().read_csv(str(folder / "weather.csv")),
    }


def answers(model, rows):
    return model.predict_proba(rows) if hasattr(model, "predict_proba") else model.predict(rows)


@pytest.mark.parametrize("name", MODELS)
def test_the_same_rows_give_the_same_model(name, tmp_path):
    make, y = MODELS[name]
    expected = answers(make().fit(ROWS, y), ROWS)
    score = make().fit(ROWS, y).score(ROWS, y)
    for kind, rows in kinds_of_rows(TABLE.assign(target=y), tmp_path).items():
        model = make().fit(rows, "target")
        assert model.feature_names_in_.tolist() == NAMES, kind
        np.testing.assert_allclose(answers(model, rows), expected, rtol=1e-7, err_msg=kind)
        assert model.score(rows, "target") == pytest.approx(score), kind
    for kind, rows in kinds_of_rows(TABLE, tmp_path).items():
        beside = make().fit(rows, y)
        np.testing.assert_allclose(answers(beside, rows), expected, rtol=1e-7, err_msg=kind)


@pytest.mark.parametrize("name", MODELS)
def test_columns_are_known_by_their_names(name):
    make, y = MODELS[name]
    model = make().fit(TABLE, y)
    expected = answers(make().fit(ROWS, y), ROWS)
    rows = TABLE[NAMES[::-1]].to_dict("records")
    for asked in (TABLE[NAMES[::-1]], rows, TABLE[NAMES[::-1]].to_dict("list")):
        np.testing.assert_allclose(answers(model, asked), expected, rtol=1e-9)
    with pytest.raises(ValueError, match=r"unseen at fit time: \['snow'\]"):
        model.predict(TABLE.assign(snow=1.0))
    with pytest.raises(ValueError, match=r"yet now missing: \['wind'\].*needs every feature"):
        model.predict(TABLE.drop(columns="wind"))


@pytest.mark.parametrize("name", COUNTING)
def test_rows_of_a_file_are_learned_left_out_and_forgotten(name, tmp_path):
    make, y = MODELS[name]
    TABLE.assign(target=y).to_csv(tmp_path / "weather.csv", index=False)
    first, last = TABLE[:50].assign(target=y[:50]), TABLE[50:].assign(target=y[50:])
    last.to_csv(tmp_path / "last.csv", index=False)
    whole = make().fit(TABLE, y)
    model = make().fit(first, "target").partial_fit(tmp_path / "last.csv", "target")
    np.testing.assert_allclose(answers(model, TABLE), answers(whole, TABLE), rtol=1e-9)
    left_out = model.leave_one_out(tmp_path / "weather.csv", "target")
    np.testing.assert_allclose(left_out, whole.leave_one_out(TABLE, y), rtol=1e-9)
    model.forget(tmp_path / "last.csv", "target")
    rest = make().fit(first, "target")
    np.testing.assert_allclose(answers(model, TABLE), answers(rest, TABLE), rtol=1e-7)


@pytest.mark.parametrize("name", MODELS)
def test_words_and_gaps_are_refused(name, tmp_path):
    make, y = MODELS[name]
    words = TABLE.assign(wind=["calm", "storm"] * 45)
    words.to_csv(tmp_path / "words.csv", index=False)
    with pytest.raises(ValueError, match="'wind' holds words such as 'calm'.*use NaiveBayes"):
        make().fit(words.to_dict("list"), y)
    with pytest.raises(ValueError, match="'wind' holds other values.*use NaiveBayes"):
        make().fit(tmp_path / "words.csv", y)
    with pytest.raises(ValueError, match="contains NaN"):
        make().fit({"wind": [1.0, None, 3.0]}, y[:3])


NUMBER_MODELS = [*MODELS.values(), (by.GaussianNB, SKY), (by.BernoulliNB, SKY)]


@pytest.mark.parametrize(("make", "y"), NUMBER_MODELS)
def test_booleans_are_ones_and_zeros_also_where_they_are_stored(make, y, tmp_path):
    table = TABLE.assign(wind=TABLE["wind"] > 0, target=y)
    table.to_parquet(tmp_path / "weather.parquet")
    table.to_csv(tmp_path / "weather.csv", index=False)
    numbers = TABLE.assign(wind=1.0 * table["wind"])
    expected = answers(make().fit(numbers, y), numbers)
    stored = {
        "Parquet": tmp_path / "weather.parquet",
        "relation": duckdb.connect().read_parquet(str(tmp_path / "weather.parquet")),
        "lazy": pl.from_pandas(table).lazy(),
    }
    for kind, rows in {"memory": table, **stored}.items():
        model = make().fit(rows, "target")
        np.testing.assert_allclose(answers(model, rows), expected, rtol=1e-12, err_msg=kind)
    with pytest.raises(ValueError, match="'wind' holds other values.*use NaiveBayes"):
        make().fit(tmp_path / "weather.csv", "target")  # there, True is a word like yes


@pytest.mark.parametrize("name", ["means", "line"])
def test_a_target_of_words_is_no_number(name, tmp_path):
    TABLE.assign(target=SKY).to_csv(tmp_path / "weather.csv", index=False)
    for rows in (TABLE.assign(target=SKY), tmp_path / "weather.csv"):
        with pytest.raises(ValueError, match="y must hold numbers"):
            MODELS[name][0]().fit(rows, "target")


@pytest.mark.parametrize("name", MIXTURES)
def test_mixtures_take_rows_of_every_kind(name, tmp_path):
    expected = MIXTURES[name]().fit(ROWS).predict(ROWS)
    for kind, rows in kinds_of_rows(TABLE, tmp_path).items():
        model = MIXTURES[name]().fit(rows)
        assert model.feature_names_in_.tolist() == NAMES, kind
        assert model.predict(rows).tolist() == expected.tolist(), kind


# arguments --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("Model", "fit", "partial_fit"),
    [
        (by.GaussianNB, "sample_weight", "classes sample_weight"),
        (by.KNeighborsClassifier, "", "classes"),
        (by.KNeighborsRegressor, "", ""),
        (by.LeastSquares, "sample_weight", "sample_weight"),
    ],
)
def test_models_show_the_arguments_that_mean_something_to_them(Model, fit, partial_fit):
    for verb in ("fit", "forget", "leave_one_out"):
        assert [*signature(getattr(Model(), verb)).parameters] == ["X", "y", *fit.split()]
    assert [*signature(Model().partial_fit).parameters] == ["X", "y", *partial_fit.split()]
    assert hasattr(Model(), "set_fit_request") == bool(fit)  # of scikit-learn: weights are routed


@pytest.mark.parametrize("Model", [by.KNeighborsClassifier, by.KNeighborsRegressor])
def test_neighbours_take_no_weights(Model):
    with pytest.raises(TypeError, match="sample_weight"):
        Model().fit(ROWS, SKY, sample_weight=np.ones(90))


def test_parameters_that_are_set_later_hold_at_once():
    line = by.LeastSquares().fit(ROWS, FLOW).set_params(fit_intercept=False)
    again = by.LeastSquares(fit_intercept=False).fit(ROWS, FLOW)
    assert line.coef_.tolist() == again.coef_.tolist()
    assert (line.intercept_, line.n_parameters) == (0.0, again.n_parameters)
    with pytest.raises(ValueError, match="fit_intercept must be True or False"):
        line.set_params(fit_intercept="yes").predict(ROWS)
    assert line.set_params(fit_intercept=True).n_parameters == 5


def test_what_needs_all_rows_waits_for_the_next_fit():
    model = by.LogisticRegression().fit(ROWS, SKY)
    before = model.coef_.tolist(), model.n_parameters
    model.set_params(C=0.01, fit_intercept=False)
    assert (model.coef_.tolist(), model.n_parameters) == before
    again = by.LogisticRegression(C=0.01, fit_intercept=False).fit(ROWS, SKY)
    assert model.fit(ROWS, SKY).coef_.tolist() == again.coef_.tolist()
