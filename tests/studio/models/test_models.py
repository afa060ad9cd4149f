"""The models desk over HTTP: the verbs of the store, and what follows from its journal."""

import numpy as np
import pytest

import bayesic as by
from helpers.http_server import ask, teach_models
from helpers.stores import same
from helpers.studio_server import OCTETS, studying

MAILS = [
    ("free money", "spam"),
    ("lunch today", "ham"),
    ("free lunch", "ham"),
    ("rain today", "ham"),
    ("money now", "spam"),
]


@pytest.fixture
def store(tmp_path):
    """The address of a studio, whose store has a model of mails and one of each kind."""
    path = tmp_path / "studio.store"
    with by.open_store(path) as opened:
        teach_models(opened)
        opened.create("mails", by.TextClassifier())
        for number, (text, label) in enumerate(MAILS):
            opened.learn("mails", [text], [label], ids=[f"m{number}"])
    with studying(path) as address:
        yield address


def get(address, path):
    return checked(ask(address, "GET", f"/studio/models{path}"))


def post(address, path, body, **how):
    return checked(ask(address, "POST", f"/studio/models{path}", body, **how))


def checked(found):
    assert found.status == 200, found.bytes
    return found.json


def downloaded(address, name, tmp_path):
    (tmp_path / "model.bayes").write_bytes(ask(address, "GET", f"/studio/models/{name}/file").bytes)
    return by.load(tmp_path / "model.bayes")


def test_all_models_are_listed_with_what_they_have_learned(store):
    models = {each["name"]: each for each in get(store, "")["models"]}
    assert {name: (each["kind"], each["rows"]) for name, each in models.items()} == {
        "plans": ("NaiveBayes", 3),
        "短信": ("TextClassifier", 2),
        "numbers": ("GaussianNB", 2),
        "day": ("BeliefNetwork", None),
        "empty": ("JointBayes", None),
        "mails": ("TextClassifier", 5),
    }
    events = ask(store, "GET", "/models/mails/history").json["events"]
    assert models["mails"]["time"] == events[-1]["time"]
    assert dict(zip(models["mails"]["classes"], models["mails"]["counts"], strict=True)) == {
        "ham": 3,
        "spam": 2,
    }
    assert get(store, "/mails") == models["mails"]


def test_the_learning_curve_is_that_of_the_store(store):
    points = get(store, "/mails/curve?points=100")["points"]
    model, lost = by.TextClassifier(choices="hold"), []
    for text, label in MAILS:
        if hasattr(model, "classes_") and label in model.classes_:
            place = model.classes_.tolist().index(label)
            lost.append(-np.log(model.predict_proba([text])[0, place]))
        model.partial_fit([text], [label])
    assert [point["log_loss"] for point in points] == pytest.approx(
        [np.mean(lost[: n + 1]) for n in range(len(lost))], abs=1e-12
    )
    assert "Only what predicts classes" in get(store, "/day/curve")["refused"]


def test_history_comes_from_its_end_and_rows_are_forgotten_and_corrected_from_it(store, tmp_path):
    events = get(store, "/mails/latest?limit=2")["events"]
    assert [event["id"] for event in events] == ["m4", "m3"]
    older = get(store, f"/mails/latest?limit=9&before={events[-1]['seq']}")["events"]
    assert [event["op"] for event in older] == ["learn", "learn", "learn", "create"]
    post(store, "/mails/forget", {"ids": ["m4"]})
    post(store, "/mails/correct", {"id": "m2", "y": "spam"})
    texts, labels = zip(*MAILS[:4], strict=True)
    expected = by.TextClassifier().fit(texts, [*labels[:2], "spam", labels[3]])
    assert same(downloaded(store, "mails", tmp_path), expected)
    assert "nobody" in post(store, "/mails/forget", {"ids": ["nobody"]})["refused"]


def test_a_copy_is_the_model_as_it_was_to_the_last_bit(store, tmp_path):
    seq = next(e["seq"] for e in get(store, "/mails/latest?limit=9")["events"] if e["id"] == "m2")
    assert post(store, "/mails/copy", {"seq": seq}) == {"name": f"mails@{seq}"}
    texts, labels = zip(*MAILS[:3], strict=True)
    copy = downloaded(store, f"mails@{seq}", tmp_path)
    assert same(copy, by.TextClassifier().fit(texts, labels))
    assert post(store, "/mails/copy", {"seq": seq}) == {"name": f"mails@{seq}"}
    assert get(store, "/mails")["rows"] == 5
    assert "no state after event" in post(store, "/mails/copy", {"seq": 0})["refused"]
    assert "the number of an event" in post(store, "/mails/copy", {"seq": "1"})["refused"]
    assert ask(store, "GET", "/verify").json["ok"]


def test_what_came_later_is_taken_back_row_by_row(store, tmp_path):
    seq = next(e["seq"] for e in get(store, "/mails/latest?limit=9")["events"] if e["id"] == "m3")
    post(store, "/mails/correct", {"id": "m0", "y": "ham"})
    post(store, "/mails/forget", {"ids": ["m1", "m2"]})
    checked(ask(store, "POST", "/models/mails/learn", {"row": "other", "y": "ham", "id": "m2"}))
    done = post(store, "/mails/take-back", {"seq": seq})
    assert (done["forgotten"], done["corrected"], done["learned"]) == (1, 1, 2)
    texts, labels = zip(*MAILS[:4], strict=True)
    model, expected = downloaded(store, "mails", tmp_path), by.TextClassifier().fit(texts, labels)
    question = ["free lunch now", "rain and money"]
    assert model.predict_proba(question) == pytest.approx(expected.predict_proba(question))
    assert model.statistics_.class_count.tolist() == expected.statistics_.class_count.tolist()
    assert post(store, "/mails/take-back", {"seq": seq})["forgotten"] == 0
    assert ask(store, "GET", "/verify").json["ok"]


def test_drift_is_that_of_the_store(store):
    seq = get(store, "/mails/latest?limit=3")["events"][-1]["seq"]
    found = get(store, f"/mails/drift?since={seq}")
    texts, labels = zip(*MAILS, strict=True)
    expected = by.drift(
        by.TextClassifier().fit(texts[:2], labels[:2]),
        by.TextClassifier().fit(texts[2:], labels[2:]),
    ).to_dict()
    assert [each["column"] for each in found["changes"]] == [
        each["column"] for each in expected["changes"]
    ]
    assert "Both spans need rows" in get(store, "/mails/drift?since=999999")["refused"]


def assert_scored(told, model, rows, labels, left_out=False):
    """Rows that are left out are answered by a model that has learned all the others."""
    posterior = model.predict_proba(rows)
    if left_out:
        posterior = np.concatenate([without_row(rows, labels, row) for row in range(len(rows))])
    assert told["left_out"] == left_out * len(rows)
    places = [model.classes_.tolist().index(label) for label in labels]
    shares = posterior[np.arange(len(labels)), places]
    assert told["log_loss"] == pytest.approx(-np.log(shares).mean(), abs=1e-12)
    assert told["accuracy"] == np.mean(posterior.argmax(axis=1) == places)
    return posterior.argmax(axis=1).tolist()


def without_row(rows, labels, row):
    """The answer for a row of a model that has learned all other rows."""
    rest = [place for place in range(len(rows)) if place != row]
    model = by.TextClassifier()
    model.partial_fit(
        [rows[p] for p in rest], [labels[p] for p in rest], classes=sorted(set(labels))
    )
    return model.predict_proba([rows[row]])


def test_two_models_are_compared_on_the_rows_of_the_journal(store):
    seq = get(store, "/mails")["seq"]
    (copy,) = post(store, "/mails/copy", {"seq": seq}).values()
    post(store, "/mails/correct", {"id": "m1", "y": "spam"})
    found = post(store, "/mails/compare", {"with": copy})
    texts, before = zip(*MAILS, strict=True)
    labels = ["spam", "spam", "ham", "ham", "spam"]
    models = [by.TextClassifier().fit(texts, each) for each in (labels, before)]
    assert [told["kind"] for told in found["models"]] == ["TextClassifier"] * 2
    assert [told["is_flattered"] for told in found["models"]] == [False, True]  # a copy came whole
    answers = [
        assert_scored(told, model, texts, labels, left_out=not told["is_flattered"])
        for told, model in zip(found["models"], models, strict=True)
    ]
    differ = {text for text, one, other in zip(texts, *answers, strict=True) if one != other}
    assert {each["row"] for each in found["differ"]} == differ
    assert found["n_differ"] == len(differ) > 0
    assert "no rows" in post(store, f"/{copy}/compare", {"with": "mails"})["refused"]


def test_two_models_are_compared_on_a_table(store):
    seq = next(e["seq"] for e in get(store, "/mails/latest?limit=9")["events"] if e["id"] == "m1")
    (copy,) = post(store, "/mails/copy", {"seq": seq}).values()
    table = b"n,body,kind\n1,free money today,spam\n2,rain,ham\n3,now,ham\n"
    path = f"/mails/compare?with={copy}&name=new.csv&text=body&label=kind"
    found = post(store, path, table, content_type=OCTETS)
    texts, labels = zip(*MAILS, strict=True)
    new = ["free money today", "rain", "now"], ["spam", "ham", "ham"]
    assert_scored(found["models"][0], by.TextClassifier().fit(texts, labels), *new)
    assert_scored(found["models"][1], by.TextClassifier().fit(texts[:2], labels[:2]), *new)
    days = b"sky,wind,plan\nsun,1.5,go\nrain,8,stay\n"
    path = "/plans/compare?with=plans&name=days.csv&label=plan"
    assert post(store, path, days, content_type=OCTETS)["rows"] == 2
    path = "/plans/compare?with=mails&name=days.csv&label=plan"
    assert post(store, path, days, content_type=OCTETS)["refused"]
    path = "/mails/compare?with=mails&name=days.csv&label=nothing"
    assert "days.csv has no column" in post(store, path, days, content_type=OCTETS)["refused"]


def test_a_model_is_deleted_downloaded_and_taken_in_again(store, tmp_path):
    data = ask(store, "GET", "/studio/models/mails/file").bytes
    assert checked(ask(store, "DELETE", "/studio/models/mails")) == {"deleted": "mails"}
    assert "mails" not in {each["name"] for each in get(store, "")["models"]}
    assert post(store, "?name=mails.bayes", data, content_type=OCTETS) == {"name": "mails"}
    texts, labels = zip(*MAILS, strict=True)
    assert same(downloaded(store, "mails", tmp_path), by.TextClassifier().fit(texts, labels))
    again = post(store, "?name=mails.bayes", data, content_type=OCTETS)
    assert "already" in again["refused"]
    assert post(store, "?name=odd.bayes", b"no model", content_type=OCTETS)["refused"]
