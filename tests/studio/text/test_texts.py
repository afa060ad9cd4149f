"""The text desk over HTTP: what it answers is what the library says."""

import csv
import io
import json
import math
import threading

import pytest

import bayesic as by
from bayesic.data.mails import text_id
from bayesic.studio.text._example_mails import MAILS
from helpers.http_server import ask
from helpers.studio_server import OCTETS

TEXTS, LABELS = zip(*MAILS, strict=True)
QUESTION = "Free lunch? 今天开会 👩‍🚀"


def get(address, path):
    return checked(ask(address, "GET", f"/studio/{path}"))


def post(address, path, body):
    how = {"content_type": OCTETS} if isinstance(body, bytes) else {}
    return checked(ask(address, "POST", f"/studio/{path}", body, **how))


def checked(found):
    assert found.status == 200, found.bytes
    return found.json


@pytest.fixture
def mails(address):
    assert post(address, "texts", {"example": "mails"}) == {"name": "mails"}
    return address


@pytest.fixture
def model():
    return by.TextClassifier().fit(list(TEXTS), list(LABELS))


# answers ----------------------------------------------------------------------------------------


def assert_answers(answer, model, text):
    (reason,) = model.explain([text])
    probabilities = [each["probability"] for each in answer["classes"]]
    assert probabilities == pytest.approx(model.predict_proba([text])[0].tolist(), abs=1e-12)
    assert answer["predicted"] == answer["answer"] == model.predict([text])[0]
    weights = {each["word"]: each["weight"] for each in answer["weights"]}
    assert weights == pytest.approx(reason.weights, abs=1e-12)
    assert answer["log_odds"] == pytest.approx(reason.log_odds, abs=1e-12)
    assert "".join(piece["text"] for piece in answer["pieces"]) == text
    added = [piece["weight"] for piece in answer["pieces"] if piece.get("weight") is not None]
    assert answer["prior"] + math.fsum(added) == pytest.approx(reason.log_odds, abs=1e-12)


@pytest.mark.parametrize("text", [QUESTION, "", "snow", TEXTS[0], TEXTS[-1], "a\r\n<b>free</b>"])
def test_an_answer_is_that_of_the_library_word_by_word(mails, model, text):
    assert_answers(post(mails, "texts/mails/ask", {"text": text}), model, text)


def test_another_class_than_the_predicted_one_can_be_explained(mails, model):
    answer = post(mails, "texts/mails/ask", {"text": QUESTION, "answer": "spam"})
    (reason,) = model.explain([QUESTION], answer="spam")
    assert (answer["answer"], answer["log_odds"]) == ("spam", pytest.approx(reason.log_odds))
    refused = post(mails, "texts/mails/ask", {"text": QUESTION, "answer": "news"})
    assert "must be one of the classes" in refused["refused"]


def test_a_text_is_never_taken_for_the_path_of_a_file(mails, tmp_path):
    (tmp_path / "secret.txt").write_text("free prize money")
    text = str(tmp_path / "secret.txt")
    answer = post(mails, "texts/mails/ask", {"text": text})
    assert not {"prize", "money"} & {each["word"] for each in answer["weights"]}


def test_words_of_probability_zero_rule_classes_out(address):
    body = {"model": "TextClassifier", "parameters": {"smoothing": 0}}
    assert ask(address, "PUT", "/models/plain", body).status == 201
    for text, label in [("free 今天", "spam"), ("lunch 明天", "ham")]:
        post(address, "texts/plain/teach", {"text": text, "label": label})
    answer = post(address, "texts/plain/ask", {"text": "free day"})
    assert answer["classes"][1] == {"name": "spam", "probability": 1.0}
    assert [piece.get("weight") for piece in answer["pieces"]] == ["inf", None, None]
    assert answer["log_odds"] == "inf"
    both = post(address, "texts/plain/ask", {"text": "free lunch"})
    assert both["impossible"]
    assert [each["probability"] for each in both["classes"]] == [0.5, 0.5]


def test_three_classes_are_weighed_against_the_rest(mails):
    post(mails, "texts/mails/teach", {"text": "snow and rain today", "label": "weather"})
    model = by.TextClassifier().fit([*TEXTS, "snow and rain today"], [*LABELS, "weather"])
    answer = post(mails, "texts/mails/ask", {"text": "rain today, free"})
    assert answer["against"] is None
    assert_answers(answer, model, "rain today, free")


def test_the_most_telling_words_are_those_of_the_library(mails, model):
    told = get(mails, "texts/mails")
    assert told["texts"] == len(MAILS)
    assert told["words"] == len(model.vocabulary_)
    for each in told["classes"]:
        assert dict(each["words"]) == pytest.approx(model.top_words(each["name"], 12))


def test_an_example_learns_its_mails_once(mails):
    assert post(mails, "texts", {"example": "mails"}) == {"name": "mails"}
    (one,) = get(mails, "texts")["models"]
    assert one == {"name": "mails", "texts": len(MAILS)}


def test_a_model_that_has_learned_nothing_cuts_texts_and_answers_nothing(address):
    post(address, "texts", {"new": "empty"})
    answer = post(address, "texts/empty/ask", {"text": "free lunch"})
    assert answer["classes"] == []
    assert [piece["text"] for piece in answer["pieces"]] == ["free", " ", "lunch"]
    post(address, "texts/empty/teach", {"text": "free", "label": "spam"})
    assert post(address, "texts/empty/ask", {"text": "free"})["predicted"] == "spam"


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        ("texts", {"new": "a/b"}, "a name without a slash"),
        ("texts", {"new": "mails"}, "already"),
        ("texts", {"example": "poems"}, "one of mails"),
        ("texts/mails/ask", {"text": 3}, "text must be a text"),
        ("texts/mails/ask", {}, "The body must have 'text'"),
        ("texts/mails/teach", {"text": "free", "label": " "}, "label not empty"),
        ("texts/mails/forget", {"ids": ["nobody"]}, "nobody"),
        ("texts/poems/ask", {"text": "free"}, "poems"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_sentence(mails, path, body, sentence):
    assert sentence in post(mails, path, body)["refused"]


# learning ---------------------------------------------------------------------------------------


def test_a_text_is_learned_once_and_corrected_and_forgotten(mails, model):
    text = "Free lunch for the team"
    first = post(mails, "texts/mails/teach", {"text": text, "label": "ham"})
    assert first == {"done": "learned", "id": text_id(text), "label": "ham", "seq": first["seq"]}
    assert post(mails, "texts/mails/teach", {"text": text, "label": "ham"})["done"] == "already"
    assert_answers(
        post(mails, "texts/mails/ask", {"text": QUESTION}),
        by.TextClassifier().fit([*TEXTS, text], [*LABELS, "ham"]),
        QUESTION,
    )
    corrected = post(mails, "texts/mails/teach", {"text": text, "label": "news"})
    assert (corrected["done"], corrected["id"]) == ("corrected", text_id(text))
    assert_answers(
        post(mails, "texts/mails/ask", {"text": QUESTION}),
        by.TextClassifier().fit([*TEXTS, text], [*LABELS, "news"]),
        QUESTION,
    )
    events = ask(mails, "GET", "/models/mails/history?limit=1000").json["events"]
    assert [(one["op"], one["id"], one["y"]) for one in events[-2:]] == [
        ("learn", text_id(text), "ham"),
        ("correct", text_id(text), "news"),
    ]
    post(mails, "texts/mails/forget", {"ids": [text_id(text)]})
    answer = post(mails, "texts/mails/ask", {"text": QUESTION})
    shares = {each["name"]: each["probability"] for each in answer["classes"]}
    expected = model.predict_proba([QUESTION])[0].tolist()
    assert [shares["ham"], shares["spam"]] == pytest.approx(expected, abs=1e-12)
    assert ask(mails, "GET", "/verify").json["ok"]


def test_tabs_that_learn_at_the_same_time_lose_nothing(mails):
    def taught(tab):
        for number in range(10):
            body = {"text": f"mail {number} of tab {tab}", "label": "ham" if tab % 2 else "spam"}
            assert post(mails, "texts/mails/teach", body)["done"] == "learned"

    threads = [threading.Thread(target=taught, args=[tab]) for tab in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert get(mails, "texts/mails")["texts"] == len(MAILS) + 40
    assert ask(mails, "GET", "/verify").json["ok"]


def sent(files):
    """The files of a folder as the page sends them."""
    head = json.dumps([[name, len(data)] for name, data in files.items()])
    return head.encode() + b"\n" + b"".join(files.values())


def test_a_folder_is_learned_as_the_library_reads_it(address, tmp_path):
    files = {
        "spam/1.txt": "free money, 免费".encode(),
        "spam/2.eml": b"Message-ID: <2@rain.example>\nSubject: prize\n\nclick now",
        "ham/1.txt": "lunch \xe9".encode("latin-1"),
        "ham/deeper/2.txt": b"rain today",
        ".hidden": b"nothing",
    }
    for name, data in files.items():
        (tmp_path / "mails" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mails" / name).write_bytes(data)
    model = by.TextClassifier().fit(tmp_path / "mails")
    post(address, "texts", {"new": "mine"})
    learned = post(address, "texts/mine/folder?name=mails", sent(files))
    assert (learned["texts"], learned["new"]) == (4, 4)
    assert_answers(post(address, "texts/mine/ask", {"text": QUESTION}), model, QUESTION)
    assert post(address, "texts/mine/folder?name=mails", sent(files))["new"] == 0


@pytest.mark.parametrize("name", ["../away.txt", "/away.txt", "a/../../away.txt", "a\\..\\b", "\0"])
def test_files_of_a_folder_stay_below_it(address, name):
    post(address, "texts", {"new": "mine"})
    assert (
        "must stand below it" in post(address, "texts/mine/folder", sent({name: b"x"}))["refused"]
    )


def test_a_folder_without_classes_is_refused_with_the_sentence_of_the_library(address):
    post(address, "texts", {"new": "mine"})
    found = post(address, "texts/mine/folder?name=letters", sent({"1.txt": b"rain"}))
    assert "There are no labels for the texts of 'letters'" in found["refused"]


def table(rows):
    file = io.StringIO()
    csv.writer(file).writerows([["who", "what", "text"], *rows])
    return file.getvalue().encode()


def test_a_column_is_learned_with_the_classes_of_another(address):
    rows = [[n, label, text] for n, (text, label) in enumerate([*MAILS, MAILS[0]])]
    found = post(address, "text-columns?name=mails.csv", table(rows))
    assert [each["name"] for each in found["columns"]] == ["who", "what", "text"]
    assert (found["text"], found["label"]) == ("text", "what")
    post(address, "texts", {"new": "mine"})
    path = "texts/mine/column?name=mails.csv&text=text&label=what"
    assert post(address, path, table(rows))["new"] == len(rows)
    model = by.TextClassifier().fit([*TEXTS, TEXTS[0]], [*LABELS, LABELS[0]])
    assert_answers(post(address, "texts/mine/ask", {"text": QUESTION}), model, QUESTION)
    assert post(address, path, table(rows))["new"] == 0


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (table([]), "mails.csv has no rows"),
        (b"", "mails.csv"),
        (b"PK\3\4\0\0\0", "mails.csv"),
    ],
)
def test_a_strange_table_gets_the_sentence_of_the_library(address, data, sentence):
    assert sentence in post(address, "text-columns?name=mails.csv", data)["refused"]
