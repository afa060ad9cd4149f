"""NaiveBayes as a scikit-learn estimator, and as something to be saved."""

import io
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import bayesic as by


def mail(n_rows=120, seed=0):
    random = np.random.default_rng(seed)
    label = random.choice(["ham", "spam"], n_rows)
    spam = label == "spam"
    table = pd.DataFrame(
        {
            "sky": np.where(random.random(n_rows) < 0.5, "sun", np.where(spam, "rain", "雨")),
            "length": random.normal(np.where(spam, 3.0, 0.0), 1.0),
            "note": np.where(spam, "free lunch", "meeting today"),
        }
    )
    table.loc[::9, "sky"] = None
    table.loc[::7, "length"] = np.nan
    return table, label


def fitted(**parameters):
    table, label = mail()
    return by.NaiveBayes(columns={"note": "text"}, **parameters).fit(table, label)


def test_tags_tell_the_truth():
    tags = by.NaiveBayes().__sklearn_tags__()
    assert tags.input_tags.allow_nan
    assert tags.input_tags.categorical
    assert tags.input_tags.string


def test_clone_copies_the_arguments_and_nothing_learned():
    model = fitted(smoothing={"sky": 2}, prior={"ham": 0.5, "spam": 0.5})
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert not hasattr(copy, "classes_") and not hasattr(copy, "statistics_")


def test_cross_validation_and_grid_search():
    table, label = mail()
    model = by.NaiveBayes(columns={"note": "ignore"})
    assert cross_val_score(model, table, label, cv=4).mean() > 0.85
    search = GridSearchCV(
        model,
        {"numeric": ["auto", "gaussian", "binned"], "smoothing": [0.5, 1, ("m", 2), "auto"]},
        scoring="neg_log_loss",
        cv=3,
    )
    search.fit(table, label)
    assert search.best_score_ == pytest.approx(search.cv_results_["mean_test_score"].max())
    assert not np.isnan(search.cv_results_["mean_test_score"]).any()
    answers = cross_val_predict(model, table, label, method="predict_proba")
    assert answers.shape == (120, 2)


def test_pipelines_and_decisions():
    table, label = mail()
    loss = {"keep": {"ham": 0, "spam": 1}, "delete": {"ham": 20, "spam": 0}}
    pipeline = make_pipeline(
        FunctionTransformer(lambda table: table.assign(long=table["length"] > 1)),
        by.BayesDecision(by.NaiveBayes(columns={"note": "ignore"}), loss=loss),
    )
    actions = pipeline.fit(table, label).predict(table)
    assert set(actions) <= {"keep", "delete"}
    assert (actions[label == "ham"] == "delete").mean() < 0.05
    scaled = make_pipeline(
        ColumnTransformer([("length", "passthrough", ["length"])]), by.NaiveBayes()
    )
    assert get_scorer("accuracy")(scaled.fit(table, label), table, label) > 0.8


# parameters hold at once ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "parameters",
    [
        {"smoothing": 5},
        {"smoothing": "auto"},
        {"smoothing": {"sky": ("m", 3)}},
        {"prior": "uniform"},
        {"prior": {"ham": 0.9, "spam": 0.1}},
        {"numeric": "kernel"},
        {"numeric": "binned"},
        {"columns": {"note": "text", "length": "gaussian"}},
        {"columns": {"note": "text", "length": "ignore"}},
    ],
    ids=str,
)
def test_parameters_set_after_learning_hold_without_a_new_fit(parameters):
    table, label = mail()
    model = fitted()
    model.predict_proba(table)  # whatever is remembered of the old parameters must not be used
    changed = model.set_params(**parameters).predict_proba(table)
    again = by.NaiveBayes(**model.get_params()).fit(table, label).predict_proba(table)
    np.testing.assert_allclose(changed, again, rtol=1e-12)


def test_a_parameter_that_is_assigned_holds_at_once_too():
    table, _ = mail()
    model = fitted(smoothing={"sky": 1})
    model.smoothing = {"sky": 50}
    again = fitted(smoothing={"sky": 50}).predict_proba(table)
    np.testing.assert_array_equal(model.predict_proba(table), again)


def test_answering_does_not_change_what_a_model_has_learned():
    table, label = mail()
    model = fitted()
    statistics = model.statistics_
    before = pickle.dumps(model.statistics_)
    model.predict(table)
    model.leave_one_out(table, label)
    model.sample(3)
    assert model.statistics_ is statistics
    assert pickle.dumps(model.statistics_) == before


# saving ---------------------------------------------------------------------------------------


def by_pickle(model, folder):
    return pickle.loads(pickle.dumps(model))


def by_joblib(model, folder):
    buffer = io.BytesIO()
    joblib.dump(model, buffer)
    buffer.seek(0)
    return joblib.load(buffer)


def by_file(model, folder):
    model.save(folder / "mail.bayes")
    return by.load(folder / "mail.bayes")


@pytest.mark.parametrize("copied", [by_pickle, by_joblib, by_file])
@pytest.mark.parametrize("smoothing", [1, ("m", 2), {"sky": 0.5}, "auto"], ids=str)
def test_a_model_that_was_saved_answers_and_learns_as_before(copied, smoothing, tmp_path):
    table, label = mail()
    model = fitted(smoothing=smoothing, prior={"ham": 0.5, "spam": 0.5})
    copy = copied(model, tmp_path)
    assert copy.get_params() == model.get_params()
    np.testing.assert_array_equal(copy.predict_proba(table), model.predict_proba(table))
    more, more_label = mail(30, seed=4)
    for each in (copy, model):
        each.partial_fit(more, more_label).forget(table, label)
    np.testing.assert_array_equal(copy.predict_proba(more), model.predict_proba(more))


@pytest.mark.parametrize("copied", [by_pickle, by_joblib, by_file])
def test_the_column_of_the_classes_is_still_known_after_saving(copied, tmp_path):
    table, label = mail()
    with_label = table.assign(label=label)
    model = by.NaiveBayes(columns={"note": "text"}).fit(with_label, "label")
    copy = copied(model, tmp_path)
    np.testing.assert_array_equal(copy.predict_proba(with_label), model.predict_proba(table))


@pytest.mark.parametrize(
    "model",
    [
        lambda: fitted().set_params(columns={"note": "text", "length": "ignore"}),
        lambda: fitted().merge(
            by.NaiveBayes(columns={"note": "text", "sky": "ignore"}).fit(*mail(20, seed=3))
        ),
        lambda: by.NaiveBayes(columns={"sky": "ignore", "note": "text"})
        .fit(*mail(20, seed=3))
        .merge(fitted()),
        lambda: by.NaiveBayes().fit([[1, None], [2, None]], [0, 1]),
        lambda: by.NaiveBayes().fit({"length": [1e150, -1e150]}, ["ham", "ham"]),
        lambda: by.NaiveBayes().fit({"sky": ["sun"], "length": [1.0]}, ["ham"], sample_weight=1e20),
        lambda: by.NaiveBayes(numeric="poisson").fit({"visits": [0, 0]}, [True, False]),
    ],
    ids=["a column ignored later", "merged with one that ignores", "ignores what was merged",
         "a column of gaps", "large numbers", "a large weight", "zeros"],
)  # fmt: skip
def test_whatever_can_be_learned_can_be_saved(model, tmp_path):
    try:
        learned = model()
    except ValueError as error:  # refused when learning is fine as well
        assert "too large" in str(error)
        return
    loaded = by_file(learned, tmp_path)
    assert loaded.kinds_ == learned.kinds_
    assert loaded.classes_.tolist() == learned.classes_.tolist()
