"""TextClassifier keeps the names of the columns of files, in memory and in model files."""

import json
import zipfile

import pandas as pd
import pytest

import bayesic as by
from helpers.comparisons import assert_unchanged, state_of

LABELS = ["spam", "ham", "spam"]
SUBJECTS = ["Free", "Lunch", None]
BODIES = ["free lunch", None, "money"]
JOINED = ["Free\nfree lunch", "Lunch", "money"]


@pytest.fixture(params=["mails.csv", "mails.parquet"])
def mails(tmp_path, request):
    table = pd.DataFrame({"label": LABELS, "subject": SUBJECTS, "body": BODIES})
    path = tmp_path / request.param
    table.to_csv(path, index=False) if path.suffix == ".csv" else table.to_parquet(path)
    return path


def test_the_target_of_a_file_is_kept(mails, tmp_path):
    model = by.TextClassifier().fit(mails, y="label", text="body")
    assert model.target_name_ == "label"
    model.save(tmp_path / "spam.bayes")
    assert by.load(tmp_path / "spam.bayes").target_name_ == "label"


def test_partial_fit_and_forget_take_the_columns_of_fit(mails):
    model = by.TextClassifier().fit(mails, y="label", text=["subject", "body"])
    assert model.partial_fit(mails).class_count_.tolist() == [2, 4]
    assert model.forget(mails).class_count_.tolist() == [1, 2]
    expected = by.TextClassifier().fit(JOINED, LABELS).predict_proba(JOINED)
    assert model.predict_proba(mails).tobytes() == expected.tobytes()


def test_texts_of_several_columns_are_joined_in_the_order_given(mails):
    model = by.TextClassifier(ngrams=(2, 2)).fit(mails, y="label", text=["body", "subject"])
    assert "lunch free" in model.vocabulary_
    assert model.text_column_ == ("body", "subject")


def test_several_columns_are_kept_in_a_model_file(mails, tmp_path):
    model = by.TextClassifier().fit(mails, y="label", text=("subject", "body"))
    model.save(tmp_path / "spam.bayes")
    again = by.load(tmp_path / "spam.bayes")
    assert again.text_column_ == ("subject", "body")
    assert again.predict_proba(mails).tobytes() == model.predict_proba(mails).tobytes()


@pytest.mark.parametrize("text", [["body", "body"], ["body", 3], ["body", "rain"]])
def test_columns_that_cannot_be_are_refused(mails, text):
    model = by.TextClassifier().fit(["free"], ["spam"])
    before = state_of(model)
    with pytest.raises(ValueError, match="text must name|no column 'rain'"):
        model.fit(mails, y="label", text=text)
    assert_unchanged(model, before)


def test_a_list_of_texts_has_no_target():
    assert not hasattr(by.TextClassifier().fit(["free"], ["spam"]), "target_name_")


def test_a_file_of_before_has_no_target_and_loads(mails, tmp_path):
    path, old = tmp_path / "new.bayes", tmp_path / "old.bayes"
    by.TextClassifier().fit(mails, y="label", text="body").save(path)
    with zipfile.ZipFile(path) as new, zipfile.ZipFile(old, "w") as written:
        for name in new.namelist():
            content = new.read(name)
            if name == "manifest.json":
                manifest = json.loads(content)
                manifest["features"]["target"] = None  # as it was always written
                content = json.dumps(manifest).encode()
            written.writestr(name, content)
    model = by.load(old)
    assert not hasattr(model, "target_name_")
    assert model.predict(["free"]).tolist() == ["spam"]
    with pytest.raises(ValueError, match="no labels"):
        model.partial_fit(mails)
