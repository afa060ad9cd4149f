"""The table desk over HTTP: what it tells is what the library says to the same rows."""

import json
from concurrent.futures import ThreadPoolExecutor
from math import fsum, log

import pytest

import bayesic as by
from bayesic.store.model_bytes import model_of
from bayesic.studio.table import _fitting, _open_tables
from helpers.http_server import ask
from helpers.studio_server import upload

TENNIS = by.datasets.play_tennis().to_dict()
TARGET = "PlayTennis"
DAYS = [dict(zip(TENNIS, row, strict=True)) for row in zip(*TENNIS.values(), strict=True)]


class Table:
    """Asks a studio about one table, as a tab of the page does."""

    def __init__(self, address, name, tab="tab"):
        self.address, self.name, self.tab = address, name, tab

    def post(self, path, **body):
        where = f"/studio/tables/{self.name}/{path}"
        found = ask(self.address, "POST", where, body, x_studio_tab=self.tab)
        assert found.status == 200, (found.status, found.bytes)
        return found.json

    def learn(self, target=TARGET, model="NaiveBayes", **more):
        return self.post("learn", target=target, model=model, **more)


@pytest.fixture
def tennis(address):
    found = ask(address, "POST", "/studio/tables", {"example": "tennis"}).json
    assert found["target"] == TARGET
    return Table(address, found["table"])


def loaded(address, text, name="rows.csv"):
    return Table(address, upload(address, text.encode(), name, "cases")["cases"])


def without_target(row):
    return {name: cell for name, cell in row.items() if name != TARGET}


# columns ------------------------------------------------------------------------------------------


def test_columns_have_the_bits_that_the_library_tells(tennis):
    summary = by.NaiveBayes().fit(TENNIS, y=TARGET).summary()
    bits = {column.name: column.bits for column in summary.columns}
    found = tennis.post("profile", target=TARGET)
    shown = {column["name"]: column["bits"] for column in found["columns"]}
    assert shown == pytest.approx({**bits, TARGET: None}, abs=1e-12)
    assert found["columns"][0]["bars"] == [["Sunny", 5], ["Rain", 5], ["Overcast", 4]]
    assert found["suggested"] == "AutoBayes"


def test_identifiers_dates_and_texts_are_noticed_and_what_is_missing_is_counted(address):
    lines = [
        f"C{n:03},{n},2026-01-{n % 28 + 1:02},day {n} of rain,{'' if n % 4 else n / 8},{n % 2}"
        for n in range(40)
    ]
    table = loaded(address, "\n".join(["customer,number,day,note,height,wet", *lines]))
    columns = {c["name"]: c for c in table.post("profile", target="wet")["columns"]}
    looks = {name: column["look"] for name, column in columns.items()}
    assert looks == {
        "customer": "identifier", "number": "count", "day": "date",
        "note": "text", "height": None, "wet": None,
    }  # fmt: skip
    left_out = [name for name, column in columns.items() if column["kind"] == "ignore"]
    assert left_out == ["customer", "number", "day"]
    assert columns["height"]["missing"] == 30
    learned = table.learn("wet")
    assert learned["columns"] == {**dict.fromkeys(left_out, "ignore"), "note": "text"}
    assert table.learn("wet", "TreeAugmentedNB")["columns"]["note"] == "ignore"
    assert learned["classes"] == [0, 1]


def test_a_chosen_kind_is_told_to_the_model(address):
    rows = "\n".join(f"{n % 3},{n % 2}" for n in range(40))
    table = loaded(address, "level,wet\n" + rows)
    columns = table.post("profile", target="wet", kinds={"level": "categorical"})["columns"]
    assert columns[0]["found"] == "categorical"
    assert table.learn("wet", kinds={"level": "gaussian"})["columns"] == {"level": "gaussian"}
    assert "one of categorical" in table.learn("wet", kinds={"level": "tall"})["refused"]
    assert "no column 'depth'" in table.learn("wet", kinds={"depth": "binned"})["refused"]


@pytest.mark.parametrize(
    "data, sentence",
    [
        ("", "empty"),
        ("sky,wind\n", "no rows"),
        ("sky,sky\nrain,sun\n", "sky"),
        ("a,b\n1,2\n3\n4,5,6\n", "line"),
        ("天气,去\n晴,是\n".encode("gbk"), "is not. save it as utf-8."),
    ],
)
def test_a_strange_file_gets_the_sentence_of_the_library(address, data, sentence):
    data = data if isinstance(data, bytes) else data.encode()
    found = upload(address, data, "odd.csv", "cases")
    assert sentence in found["refused"].lower()
    assert "/tmp" not in found["refused"]


def test_a_target_with_too_many_values_is_refused(address):
    table = loaded(address, "height,n\n" + "\n".join(f"{n / 7},{n % 2}" for n in range(400)))
    found = table.post("profile", target="height")
    assert "400 different values" in found["unfit"]
    assert [column["name"] for column in found["columns"]] == ["height", "n"]
    assert "400 different values" in table.learn("height")["refused"]
    assert "no column 'age'" in table.learn("age")["refused"]
    assert table.post("profile", target="n")["unfit"] is None


def test_a_table_of_one_column_says_what_it_needs(address):
    table = loaded(address, "sky\nrain\nsun\n")
    assert "a column beside the target" in table.post("profile", target="sky")["unfit"]
    assert "a column beside the target" in table.learn("sky")["refused"]


# reasons ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["NaiveBayes", "AutoBayes", "TreeAugmentedNB"])
def test_reasons_are_those_of_the_library_and_add_up(tennis, model):
    expected = getattr(by, model)().fit(TENNIS, y=TARGET)
    learned = tennis.learn(model=model)["learned"]
    for number in (0, 5, 13):
        row = without_target(DAYS[number])
        explanation = expected.explain(row)
        found = tennis.post("explain", learned=learned, row=number)
        weights = {each["name"]: each["weight"] for each in found["evidence"]}
        assert weights == pytest.approx(explanation.weights, abs=1e-12)
        assert found["probability"] == pytest.approx([*explanation.probability.values()], abs=1e-12)
        total = fsum([found["prior_log_odds"], *weights.values()])
        assert total == pytest.approx(found["log_odds"], abs=1e-12)
        assert found["cells"] == [[name, cell] for name, cell in row.items()]
        assert found["label"] == DAYS[number][TARGET]


def test_the_classes_of_a_pool_vote(tennis):
    learned = tennis.learn(model="AutoBayes")
    members = {each["member"]: each["weight"] for each in learned["members"]}
    votes = tennis.post("explain", learned=learned["learned"], row=0)["votes"]
    assert {vote["member"]: vote["weight"] for vote in votes} == pytest.approx(members)


def test_a_changed_cell_is_answered_as_the_changed_row(tennis):
    learned, model = tennis.learn()["learned"], by.NaiveBayes().fit(TENNIS, y=TARGET)
    found = tennis.post("explain", learned=learned, row=0, cells={"Outlook": "Rain", "Wind": ""})
    row = {**without_target(DAYS[0]), "Outlook": "Rain", "Wind": None}
    assert found["probability"] == pytest.approx(model.predict_proba([row])[0].tolist(), abs=1e-12)
    work = tennis.post("work", learned=learned, row=0, cells={"Outlook": "Rain", "Wind": ""})
    assert work["work"] == str(model.work(row))


def test_a_cell_of_numbers_takes_numbers(address):
    table = loaded(address, "height,sex\n1.5,f\n1.75,f\n1.75,m\n2,m\n")
    learned = table.learn("sex")["learned"]
    said = table.post("explain", learned=learned, row=0, cells={"height": "tall"})["refused"]
    assert "'height' holds numbers, got 'tall'" in said
    assert "no column" in table.post("explain", learned=learned, row=0, cells={"w": "1"})["refused"]
    assert "not among them" in table.post("explain", learned=learned, row=9)["refused"]


def test_an_average_says_why_it_has_no_fractions_and_no_nomogram(tennis):
    learned = tennis.learn(model="AutoBayes")["learned"]
    assert "AutoBayes is an average" in tennis.post("work", learned=learned, row=0)["refused"]
    assert "no such sum" in tennis.post("nomogram", learned=learned)["refused"]


def test_each_request_for_fractions_is_answered_in_its_own_language(address):
    rows = "".join(f"{1.5 + n / 100},{'f' if n < 20 else 'm'}\n" for n in range(40))
    table = loaded(address, f"height,sex\n{rows}")
    learned = table.learn("sex", kinds={"height": "binned"})["learned"]

    def work(language):
        return table.post("work", learned=learned, row=39, language=language)["work"]

    languages = ["en", "zh"] * 20
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(work, languages))
    english, chinese = found[:2]
    assert found == [english, chinese] * 20
    assert "P(height from 1.695|m)" in english
    assert chinese == english.replace("from 1.695", "从 1.695 起")
    assert (
        "language must be 'en' or 'zh'"
        in table.post("work", learned=learned, row=39, language="fr")["refused"]
    )


# evaluation and costs -----------------------------------------------------------------------------


def test_evaluation_is_leave_one_out_of_the_library(tennis):
    learned, model = tennis.learn()["learned"], by.NaiveBayes().fit(TENNIS, y=TARGET)
    loss = {"play": {"No": 4, "Yes": 0}, "stay": {"No": 0, "Yes": 1}}
    expected = by.evaluate(model, TENNIS, TARGET, loss=loss, reject_loss=0.5, cv="leave-one-out")
    costs = {"actions": ["play", "stay"], "costs": [[4, 0], [0, 1]]}
    found = tennis.post("evaluate", learned=learned, costs=costs, reject=0.5)
    assert found["accuracy"] == expected.accuracy
    assert found["log_loss"] == pytest.approx(expected.log_loss, abs=1e-12)
    assert found["confusion"] == expected.confusion.tolist()
    assert found["actions"] == expected.cost.actions
    assert found["expected_cost"] == pytest.approx(expected.cost.expected_cost, abs=1e-12)
    assert [each["row"] for each in found["worst"]] == [row.row for row in expected.worst]


def test_the_regions_of_actions_follow_from_the_costs(tennis):
    learned = tennis.learn()["learned"]
    costs = {"actions": ["play", "stay"], "costs": [[4, 0], [0, 1]]}
    found = tennis.post("evaluate", learned=learned, costs=costs, reject=0.5)["regions"]
    # stay costs P(Yes) and play 4 (1 - P(Yes)): to take no action is best between 1/2 and 7/8
    assert [each["action"] for each in found] == ["stay", "reject", "play"]
    assert [each["to"] for each in found[:2]] == pytest.approx([0.5, 0.874], abs=1e-9)
    assert (
        "a number for each of the 2 classes"
        in tennis.post("evaluate", learned=learned, costs={"actions": ["play"], "costs": [[1]]})[
            "refused"
        ]
    )


def test_the_list_tells_predictions_and_actions(tennis):
    learned, model = tennis.learn()["learned"], by.NaiveBayes().fit(TENNIS, y=TARGET)
    found = tennis.post("rows", first=3, count=4, learned=learned, reject=0.2)
    rows = [without_target(day) for day in DAYS[3:7]]
    assert [row["number"] for row in found["rows"]] == [3, 4, 5, 6]
    assert [row["predicted"] for row in found["rows"]] == model.predict(rows).tolist()
    posterior = model.predict_proba(rows)
    assert [row["probability"] for row in found["rows"]] == pytest.approx(posterior.max(axis=1))
    actions = by.decide(posterior, reject_loss=0.2, classes=model.classes_).action.tolist()
    assert [row["action"] for row in found["rows"]] == actions


# the store ----------------------------------------------------------------------------------------


def models(address):
    return [each["name"] for each in ask(address, "GET", "/models").json["models"]]


def history(address, name):
    return ask(address, "GET", f"/models/{name}/history").json["events"]


def test_a_corrected_label_and_a_forgotten_row_are_in_the_journal_with_their_ids(tennis):
    learned = tennis.learn()["learned"]
    tennis.post("correct", learned=learned, row=5, label="Yes")
    tennis.post("forget", learned=learned, row=2)
    events = history(tennis.address, learned)
    assert [event["id"] for event in events[1:15]] == [str(n) for n in range(14)]
    (correct, forget) = events[15:]
    assert (correct["op"], correct["id"], correct["y"]) == ("correct", "5", "Yes")
    assert (forget["op"], forget["id"]) == ("forget", "2")
    days = [{**DAYS[5], TARGET: "Yes"} if n == 5 else day for n, day in enumerate(DAYS) if n != 2]
    rows, labels = [without_target(day) for day in days], [day[TARGET] for day in days]
    model = by.NaiveBayes().fit(rows, labels)
    found = tennis.post("explain", learned=learned, row=0)
    expected = model.predict_proba([without_target(DAYS[0])])[0].tolist()
    assert found["probability"] == pytest.approx(expected, abs=1e-12)
    assert tennis.post("explain", learned=learned, row=2)["forgotten"] is True
    assert tennis.post("explain", learned=learned, row=5)["corrected"] == "Yes"
    report = by.evaluate(model, rows, labels, cv="leave-one-out")
    assert tennis.post("evaluate", learned=learned)["log_loss"] == pytest.approx(report.log_loss)


def test_the_same_choices_give_the_same_model_and_others_another(tennis):
    first = tennis.learn()
    tennis.post("forget", learned=first["learned"], row=0)
    assert tennis.learn()["learned"] == first["learned"]
    assert tennis.learn(model="AutoBayes")["learned"] != first["learned"]
    assert models(tennis.address) == ["tennis", "tennis 2"]


def test_what_cannot_be_learned_leaves_no_model(tennis):
    assert "refused" in tennis.learn(kinds={"Wind": "gaussian"})
    assert models(tennis.address) == []
    assert "must be one of AutoBayes" in tennis.learn(model="KMeans")["refused"]
    assert "Learn it first" in tennis.post("explain", learned="tennis", row=0)["refused"]
    learned = tennis.learn()["learned"]
    assert (
        "one of ['No', 'Yes']"
        in tennis.post("correct", learned=learned, row=0, label="Perhaps")["refused"]
    )


def test_the_model_can_be_downloaded(tennis, tmp_path):
    learned = tennis.learn()["learned"]
    where = f"/studio/tables/tennis/file?learned={learned}"
    (tmp_path / "tennis.bayes").write_bytes(ask(tennis.address, "GET", where).bytes)
    model = by.load(tmp_path / "tennis.bayes")
    rows = [without_target(day) for day in DAYS]
    expected = by.NaiveBayes().fit(TENNIS, y=TARGET).predict_proba(rows)
    assert model.predict_proba(rows).tolist() == expected.tolist()
    assert model.target_name_ == TARGET
    assert model.predict_proba(DAYS).tolist() == expected.tolist()  # with the target among them


def test_rows_without_a_label_are_left_out(address):
    table = loaded(address, "sky,go\nsun,yes\nrain,no\nsun,\nrain,no\n")
    learned = table.learn("go")
    assert learned["n_rows"] == 3
    found = table.post("explain", learned=learned["learned"], row=2)
    expected = by.NaiveBayes().fit({"sky": ["sun", "rain", "rain"]}, ["yes", "no", "no"])
    assert found["probability"] == pytest.approx(
        expected.predict_proba([{"sky": "sun"}])[0].tolist()
    )
    assert found["label"] is None


def test_weights_of_nothing_are_the_prior(tennis):
    learned = tennis.learn()["learned"]
    gaps = dict.fromkeys(without_target(DAYS[0]), "")
    found = tennis.post("explain", learned=learned, row=0, cells=gaps)
    assert found["log_odds"] == pytest.approx(log(10 / 6), abs=1e-12)  # (9 + 1) / (5 + 1)


# long tables --------------------------------------------------------------------------------------


@pytest.fixture
def long_tables(monkeypatch):
    """Tables are learned as long ones are: by a worker, from the file."""
    monkeypatch.setattr(_fitting, "JOURNALLED", 0)


@pytest.mark.parametrize("model", ["NaiveBayes", "AutoBayes"])
def test_a_long_table_is_learned_from_the_file_and_can_be_changed(long_tables, tennis, model):
    learned = tennis.learn(model=model)
    assert (learned["n_rows"], learned["learned"]) == (14, "tennis")
    assert [event["op"] for event in history(tennis.address, "tennis")] == ["create"]
    whole = getattr(by, model)().fit(TENNIS, y=TARGET)
    expected = whole.predict_proba([without_target(DAYS[0])])[0].tolist()
    found = tennis.post("explain", learned="tennis", row=0)
    assert found["probability"] == pytest.approx(expected, abs=1e-12)
    tennis.post("correct", learned="tennis", row=5, label="Yes")
    tennis.post("correct", learned="tennis", row=5, label="No")
    tennis.post("forget", learned="tennis", row=2)
    events = [(event["op"], event["id"]) for event in history(tennis.address, "tennis")[1:]]
    assert events == [
        ("adopt", "5"),
        ("correct", "5"),
        ("correct", "5"),
        ("adopt", "2"),
        ("forget", "2"),
    ]
    whole.forget([without_target(DAYS[2])], [DAYS[2][TARGET]])
    expected = whole.predict_proba([without_target(DAYS[0])])[0].tolist()
    found = tennis.post("explain", learned="tennis", row=0)
    assert found["probability"] == pytest.approx(expected, abs=1e-12)
    assert tennis.post("evaluate", learned="tennis")["rows"] == 13
    assert ask(tennis.address, "GET", "/verify").json["ok"]


def test_rows_without_a_label_are_left_out_of_long_tables_too(long_tables, address):
    table = loaded(address, "sky,go\nsun,yes\nrain,no\nsun,\nrain,no\n")
    learned = table.learn("go")
    found = table.post("explain", learned=learned["learned"], row=2)
    expected = by.NaiveBayes().fit({"sky": ["sun", "rain", "rain"]}, ["yes", "no", "no"])
    assert found["probability"] == pytest.approx(
        expected.predict_proba([{"sky": "sun"}])[0].tolist()
    )


def test_pictures_of_a_long_table_are_of_some_rows_evenly(address, monkeypatch):
    monkeypatch.setattr(_open_tables, "SAMPLE", 10)
    lines = [f"{'' if n % 5 else n},{n % 2}" for n in range(35)]
    table = loaded(address, "\n".join(["height,wet", *lines]))
    found = table.post("profile", target="wet")
    assert (found["n_rows"], found["n_shown"]) == (35, 10)
    assert found["columns"][0]["missing"] == 28  # of all rows
    rows = table.post("rows", first=0, count=100)["rows"]
    assert [row["number"] for row in rows] == [0, 3, 7, 10, 14, 17, 21, 24, 28, 31]
    learned = table.learn("wet")
    assert learned["n_rows"] == 35
    assert "not among them" in table.post("explain", learned=learned["learned"], row=1)["refused"]


def test_progress_is_told_while_a_worker_learns(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("sky,go\n" + "sun,yes\nrain,no\n" * 50)
    told = tmp_path / "rows.progress"
    data = _fitting.fitted((), path, "go", "NaiveBayes", {}, 100, told)
    assert json.loads(told.read_text()) == {"what": "reading rows", "done": 100, "total": 100}
    assert model_of(data).class_count_.tolist() == [50, 50]
    _fitting.fitted((), path, "go", "AutoBayes", {}, 100, told)
    assert json.loads(told.read_text())["what"] == "learning members"
