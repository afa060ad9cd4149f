"""The verbs of a store over HTTP: what is answered is what the library answers."""

import numpy as np
import pytest

import bayesic as by
from helpers.http_server import ask, serving

MAILS = ["free money, buy today", "lunch today?", "get a free gift", "rain, no lunch"]
LABELS = ["spam", "ham", "spam", "ham"]
DAYS = [
    {"sky": "rain", "wind": 9.5},
    {"sky": "sun", "wind": 1.0},
    {"sky": "sun", "wind": 2.5},
    {"sky": "rain", "wind": None},
]
NEAREST = {"n_neighbors": 1}
PLANS = ["stay", "go", "go", "stay"]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("stores") / "mail.store") as address:
        yield address


def learned(address, name, model="TextClassifier", rows=MAILS, y=LABELS, **told):
    created = ask(address, "PUT", f"/models/{name}", {"model": model, **told})
    assert created.status == 201, created.bytes
    body = {"rows": rows, "ids": list(range(len(rows)))} | ({} if y is None else {"y": y})
    answer = ask(address, "POST", f"/models/{name}/learn", body)
    assert answer.status == 200, answer.bytes
    return answer.json


def test_a_model_that_learned_over_http_answers_as_one_that_learned_here(address):
    learned(address, "answers")
    told = ask(address, "POST", "/models/answers/predict", {"rows": MAILS}).json
    here = by.TextClassifier().fit(MAILS, LABELS)
    assert told["predictions"] == here.predict(MAILS).tolist()
    assert told["classes"] == ["ham", "spam"]
    assert np.array_equal(told["probabilities"], here.predict_proba(MAILS))


def test_one_row_is_answered_without_lists_around_it(address):
    receipt = learned(address, "one")
    told = ask(address, "POST", "/models/one/predict", {"row": "free gift"}).json
    assert told["seq"] == receipt["seq"]
    assert told["prediction"] == "spam"
    assert sum(told["probabilities"]) == pytest.approx(1.0)


def test_tables_come_as_objects_and_null_is_a_gap(address):
    learned(address, "plans", "NaiveBayes", DAYS, PLANS)
    told = ask(address, "POST", "/models/plans/predict", {"rows": DAYS}).json
    assert told["predictions"] == by.NaiveBayes().fit(DAYS, PLANS).predict(DAYS).tolist()


def test_nan_is_a_gap(address):
    learned(address, "gaps", "NaiveBayes", DAYS, PLANS)
    body = b'{"rows": [{"sky": "rain", "wind": NaN}, {"sky": "rain", "wind": null}]}'
    headers = {"content_type": "application/json"}
    told = ask(address, "POST", "/models/gaps/predict", body, **headers).json
    assert told["probabilities"][0] == told["probabilities"][1]


@pytest.mark.parametrize("number", [b"Infinity", b"-Infinity", b"1e999"])
def test_infinities_are_refused_and_change_nothing(address, number):
    name = f"infinite {number.decode()}".replace(" ", "%20")
    before = learned(address, name, "NaiveBayes", DAYS, PLANS)["seq"]
    headers = {"content_type": "application/json"}
    row = b'"row": {"sky": "rain", "wind": ' + number + b"}"
    for verb, body in (("learn", b"{" + row + b', "y": "go"}'), ("predict", b"{" + row + b"}")):
        answer = ask(address, "POST", f"/models/{name}/{verb}", body, **headers)
        assert answer.status == 422, answer.bytes
        assert "Numbers must be finite" in answer.json["message"]
    told = ask(address, "POST", f"/models/{name}/predict", {"rows": DAYS}).json
    assert told["seq"] == before
    assert np.array_equal(
        told["probabilities"], by.NaiveBayes(choices="hold").fit(DAYS, PLANS).predict_proba(DAYS)
    )


def test_numbers_are_predicted_without_classes(address):
    rows, y = [[1.0], [2.0], [3.0]], [2.0, 4.0, 6.0]
    learned(address, "line", "LeastSquares", rows, y)
    told = ask(address, "POST", "/models/line/predict", {"row": [4.0]}).json
    assert told["prediction"] == pytest.approx(8.0)
    assert "classes" not in told
    refused = ask(address, "POST", "/models/line/explain", {"row": [4.0]})
    assert refused.status == 422 and "no reasons" in refused.json["message"]


def test_classes_are_told_ahead_where_a_model_must_know_them(address):
    learned(address, "ahead", "GaussianNB", [[1.0], [2.0]], [0, 1], classes=[0, 1])
    assert ask(address, "POST", "/models/ahead/predict", {"row": [1.1]}).json["prediction"] == 0


def test_forget_and_correct_are_exact(address):
    learned(address, "exact")
    ask(address, "POST", "/models/exact/correct", {"id": 3, "y": "spam"})
    ask(address, "POST", "/models/exact/forget", {"ids": [0]})
    right = by.TextClassifier().fit(MAILS[1:], ["ham", "spam", "spam"])
    told = ask(address, "POST", "/models/exact/predict", {"rows": MAILS}).json
    assert np.array_equal(told["probabilities"], right.predict_proba(MAILS))
    events = ask(address, "GET", "/models/exact/history?after=1").json["events"]
    assert [event["op"] for event in events][-2:] == ["correct", "forget"]
    assert len(ask(address, "GET", "/models/exact/history?limit=2").json["events"]) == 2


def test_the_same_id_is_learned_once_and_with_another_row_refused(address):
    first = learned(address, "once")
    again = ask(address, "POST", "/models/once/learn", {"row": MAILS[1], "y": "ham", "id": 1}).json
    assert again["already"] == [True] and again["seqs"] == [first["seqs"][1]]
    other = ask(address, "POST", "/models/once/learn", {"row": "dinner", "y": "ham", "id": 1})
    assert other.status == 409
    assert other.json["error"] == "ConflictError"


def test_an_idempotency_key_stands_for_ids(address):
    learned(address, "key")
    for body in ({"row": "free", "y": "spam"}, {"rows": ["free", "lunch"], "y": ["spam", "ham"]}):
        key = f"try {len(body)} {next(iter(body))}"
        first = ask(address, "POST", "/models/key/learn", body, idempotency_key=key).json
        again = ask(address, "POST", "/models/key/learn", body, idempotency_key=key).json
        assert not any(first["already"]) and all(again["already"])
        assert first["seqs"] == again["seqs"]
    body = {"row": "lunch", "y": "spam"}
    assert (
        ask(address, "POST", "/models/key/learn", body, idempotency_key="try 2 row").status == 409
    )


def test_the_reason_is_that_of_the_library(address):
    learned(address, "why")
    body = {"row": "free lunch", "top": 1, "answer": "spam", "against": "ham"}
    told = ask(address, "POST", "/models/why/explain", body).json
    here = by.TextClassifier().fit(MAILS, LABELS).explain("free lunch", answer="spam", top=1)
    assert told["log_odds"] == here.to_dict()["log_odds"]
    assert told["answer"] == "spam"


def test_neighbours_are_reasons_too(address):
    learned(address, "near", "KNeighborsClassifier", [[1.0], [2.0]], [0, 1], parameters=NEAREST)
    told = ask(address, "POST", "/models/near/explain", {"row": [1.2]}).json
    assert told["answer"] == 0
    refused = ask(address, "POST", "/models/near/explain", {"row": [1.2], "top": 1})
    assert refused.status == 422 and "do not depend on top" in refused.json["message"]


def test_decide_takes_the_action_of_least_expected_loss(address):
    learned(address, "costs")
    loss = {"keep": {"spam": 1, "ham": 0}, "drop": {"spam": 0, "ham": 9}}
    told = ask(address, "POST", "/models/costs/decide", {"rows": MAILS, "loss": loss}).json
    posterior = by.TextClassifier().fit(MAILS, LABELS).predict_proba(MAILS)  # ham, spam
    for action, risk, (ham, spam) in zip(told["actions"], told["risks"], posterior, strict=True):
        assert risk == pytest.approx(min(spam, 9 * ham))
        assert action == ("keep" if spam < 9 * ham else "drop")
    refused = ask(address, "POST", "/models/costs/decide", {"row": "a", "loss": "/etc/passwd"})
    assert refused.status == 422
    rejected = ask(address, "POST", "/models/costs/decide", {"row": "?", "reject_loss": 0.01}).json
    assert rejected == {"seq": told["seq"], "action": "reject", "risk": 0.01}


def test_evaluate_predicts_each_row_before_it_learns_it(address):
    learned(address, "honest")
    here = by.TextClassifier().fit(MAILS, LABELS)
    new = [("free rain", "spam"), ("lunch money", "ham"), ("gift", "ham"), ("news", "new class")]
    losses, right = [], 0
    for row, label in new[:3]:
        told = ask(address, "POST", "/models/honest/evaluate", {"row": row, "y": label}).json
        posterior = here.predict_proba([row])[0]
        assert told["probabilities"] == [posterior.tolist()]
        losses.append(-np.log(posterior[here.classes_.tolist().index(label)]))
        right += here.predict([row])[0] == label
        here.partial_fit([row], [label])
        assert told["evaluation"]["log_loss"] == pytest.approx(np.mean(losses))
        assert told["evaluation"]["accuracy"] == pytest.approx(right / len(losses))
    row, label = new[3]
    ask(address, "POST", "/models/honest/evaluate", {"row": row, "y": label, "id": "new"})
    ask(address, "POST", "/models/honest/evaluate", {"row": row, "y": label, "id": "new"})
    scores = ask(address, "GET", "/models/honest/evaluation").json
    assert (scores["rows"], scores["not_scored"]) == (3, 1)
    assert sum(part["rows"] for part in scores["calibration"]) == 3


def test_a_class_whose_rows_were_all_forgotten_is_new_again(address):
    ask(address, "PUT", "/models/back", {"model": "TextClassifier"})
    body = {"rows": ["sun", "rain", "sun"], "y": ["go", "stay", "go"], "ids": ["1", "2", "3"]}
    assert ask(address, "POST", "/models/back/learn", body).status == 200
    assert ask(address, "POST", "/models/back/forget", {"ids": ["2"]}).status == 200
    for label, counted in (("stay", (0, 1)), ("go", (1, 1)), ("stay", (2, 1))):
        told = ask(address, "POST", "/models/back/evaluate", {"row": "rain", "y": label})
        scores = told.json["evaluation"]
        assert (scores["rows"], scores["not_scored"]) == counted
    assert scores["log_loss"] < 2


def test_a_network_is_asked_about_any_of_its_variables(address):
    days = [{"storm": True, "fire": "no"}, {"storm": False, "fire": "yes"}]
    days.append({"storm": False, "fire": "no"})
    parameters = {"edges": [["storm", "fire"]]}
    learned(address, "day", "BeliefNetwork", days, None, parameters=parameters, smoothing=1)
    body = {"targets": "fire", "given": {"storm": True}}
    told = ask(address, "POST", "/models/day/query", body).json
    assert told["marginals"]["fire"]["no"] == pytest.approx(2 / 3)  # (1 + 1) / (1 + 2)
    body = {"row": {"storm": True}, "target": "fire"}
    one = ask(address, "POST", "/models/day/predict", body).json
    assert one["prediction"] == "no" and one["probabilities"] == pytest.approx([2 / 3, 1 / 3])
    assert ask(address, "POST", "/models/day/predict", {"row": {"storm": True}}).status == 422
    ask(address, "POST", "/models/day/correct", {"id": 0, "y": {"fire": "yes"}})
    told = ask(address, "POST", "/models/day/query", {"targets": "fire"}).json
    assert told["marginals"]["fire"]["yes"] == pytest.approx(2 / 5 * 2 / 3 + 3 / 5 * 2 / 4)
    learned(address, "no network")
    assert ask(address, "POST", "/models/no network/query", {}).status == 422


def test_a_model_file_goes_up_and_comes_down(address, tmp_path):
    model = by.NaiveBayes().fit(DAYS, PLANS)
    model.save(tmp_path / "plans.bayes")
    data = (tmp_path / "plans.bayes").read_bytes()
    binary = {"content_type": "application/octet-stream"}
    assert ask(address, "PUT", "/models/up", data, **binary).status == 201
    assert ask(address, "PUT", "/models/up", data, **binary).status == 200  # the same again
    down = ask(address, "GET", "/models/up/file")
    (tmp_path / "down.bayes").write_bytes(down.bytes)
    there = by.load(tmp_path / "down.bayes")
    assert np.array_equal(there.predict_proba(DAYS), model.predict_proba(DAYS))
    broken = ask(address, "PUT", "/models/broken", data[:-50], **binary)
    assert broken.status == 422 and "cannot be read" in broken.json["message"]
    assert ask(address, "PUT", "/models/up", {"model": "NaiveBayes"}).status == 409


def test_models_are_listed_summed_up_and_deleted(address):
    learned(address, "gone", "NaiveBayes", DAYS, PLANS)
    told = ask(address, "GET", "/models/gone").json
    assert told["model"] == "NaiveBayes" and told["classes"] == ["go", "stay"]
    assert set(told["columns"]) == {"sky", "wind"}
    assert "gone" in [each["name"] for each in ask(address, "GET", "/models").json["models"]]
    summary = ask(address, "GET", "/models/gone/summary").json
    assert summary["rows"] == 4
    assert ask(address, "DELETE", "/models/gone").json == {"deleted": "gone"}
    assert ask(address, "GET", "/models/gone").status == 404


def test_what_has_learned_nothing_says_so(address):
    ask(address, "PUT", "/models/empty", {"model": "TextClassifier"})
    assert ask(address, "GET", "/models/empty/summary").json["rows"] == 0
    assert ask(address, "POST", "/models/empty/predict", {"row": "free"}).status == 422
    assert ask(address, "GET", "/models/empty/evaluation").json["rows"] == 0


def test_json_lines_and_csv_are_answered_in_kind(address):
    learned(address, "table", "NaiveBayes", DAYS, PLANS)
    here = by.NaiveBayes().fit(DAYS, PLANS)
    lines = b'{"sky": "rain", "wind": 2}\n' * 2500
    told = ask(address, "POST", "/models/table/predict", lines, content_type="application/x-ndjson")
    answers = told.bytes.decode().splitlines()
    assert len(answers) == 2500 and len(set(answers)) == 1
    assert '"prediction": "stay"' in answers[0]
    table = b"sky,wind\nrain,9.5\nsun,1\nrain,\n"
    told = ask(address, "POST", "/models/table/predict", table, content_type="text/csv")
    head, *rows = told.bytes.decode().splitlines()
    assert head == "prediction,P(go),P(stay)"
    expected = here.predict_proba([DAYS[0], DAYS[1], DAYS[3]])
    assert np.array_equal([list(map(float, row.split(",")[1:])) for row in rows], expected)


def test_texts_come_as_json_lines_and_not_as_csv(address):
    learned(address, "texts")
    told = ask(
        *(address, "POST", "/models/texts/predict", '"free gift"\n"雨"\n'.encode()),
        content_type="application/x-ndjson",
    )
    assert told.bytes.decode().splitlines()[0].startswith('{"prediction": "spam"')
    assert (
        ask(address, "POST", "/models/texts/predict", b"x\n", content_type="text/csv").status == 422
    )


def test_names_labels_and_columns_may_be_chinese(address):
    rows, y = [{"天气": "雨"}, {"天气": "晴"}], ["不去", "去"]
    learned(address, "出行", "NaiveBayes", rows, y)
    told = ask(address, "POST", "/models/出行/predict", {"row": {"天气": "雨"}}).json
    assert told["prediction"] == "不去"


def test_an_answer_can_wait_for_an_event(address):
    receipt = learned(address, "waits")
    seq = receipt["seq"]
    path = f"/models/waits/predict?at_least={seq}"
    assert ask(address, "POST", path, {"row": "free"}).json["seq"] >= seq
    assert ask(address, "POST", "/models/waits/predict?at_least=soon", {"row": "a"}).status == 422


def test_an_id_may_have_ten_thousand_characters(address):
    learned(address, "long")
    told = ask(address, "POST", "/models/long/learn", {"row": "a", "y": "ham", "id": "长" * 10_000})
    assert told.json["ids"] == ["长" * 10_000]
