"""What is open in the studio: files and examples in, cards and files out, and what is refused."""

from fractions import Fraction

import pytest

import bayesic as by
from bayesic.datasets import asia, campfire
from bayesic.networks.layout import Sizes, layout
from bayesic.networks.network import BeliefNetwork
from bayesic.studio.network import _boxes
from bayesic.studio.network._network_examples import mails, play_tennis
from bayesic.studio.network.files import FORMATS, bytes_of, network_of
from helpers.http_server import ask
from helpers.studio_server import Desk, open_example, upload

STRANGE = BeliefNetwork(
    edges=[("<img src=x onerror=alert(1)>", "天气/晴")],
    tables={
        "<img src=x onerror=alert(1)>": {"</script>": 0.25, "&amp;": 0.75},
        "天气/晴": {"</script>": {"雨": 0.5, "晴": 0.5}, "&amp;": {"雨": 0.125, "晴": 0.875}},
    },
)


def test_the_page_comes_with_headers_that_let_it_load_nothing_else(address):
    page = ask(address, "GET", "/")
    assert page.status == 200 and page.headers["content-type"].startswith("text/html")
    policy = page.headers["content-security-policy"]
    assert "default-src 'self'" in policy and "unsafe" not in policy
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.headers.get_all("cache-control") == ["no-store"]
    assert ask(address, "GET", "/studio/pulse").headers["cache-control"] == "no-store"


@pytest.mark.parametrize("name", ["../studio.py", "..%2fstudio.py", "nothing.js", "__init__.py"])
def test_only_files_of_the_page_are_given(address, name):
    assert ask(address, "GET", f"/studio/page/{name}").status == 404


def test_examples_are_one_request_away_and_open_beside_each_other(address):
    listed = Desk(address).get("documents", of="/studio/")
    assert listed["documents"] == []
    assert {"asia", "tennis", "mails"} <= {each["name"] for each in listed["examples"]}
    assert [open_example(address).name, open_example(address).name] == ["asia", "asia 2"]
    pulse = Desk(address).get("pulse", of="/studio/")
    assert pulse["documents"] == {"asia": {"head": 0}, "asia 2": {"head": 0}}


def test_the_days_of_the_textbook_answer_with_its_fraction():  # [Mitchell] section 6.9.1
    day = {"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Strong"}
    no = Fraction(5, 14) * Fraction(3, 5) * Fraction(1, 5) * Fraction(4, 5) * Fraction(3, 5)
    yes = Fraction(9, 14) * Fraction(2, 9) * Fraction(3, 9) * Fraction(3, 9) * Fraction(3, 9)
    answer = play_tennis().query("PlayTennis", given=day)
    assert answer["No"] == pytest.approx(float(no / (no + yes)), rel=1e-12)


def test_the_mails_are_smoothed_counts():  # 3 of 5 spam mails and 1 of 6 others say free
    spam, ham = Fraction(5 + 1, 13) * Fraction(3 + 1, 7), Fraction(6 + 1, 13) * Fraction(1 + 1, 8)
    answer = mails().query("mail", given={"free": "yes"})
    assert answer["spam"] == pytest.approx(float(spam / (spam + ham)), rel=1e-12)


def test_a_network_is_told_with_its_cards_and_edges(address):
    shown = open_example(address).show()
    net = asia()
    assert (shown["version"], shown["head"], shown["n_parameters"]) == (0, 0, net.n_parameters)
    assert [each["name"] for each in shown["variables"]] == list(net.variables)
    for card in shown["variables"]:
        assert card["states"] == list(net.states(card["name"]))
        assert card["parents"] == list(net.parents(card["name"]))
        assert card["has_table"] and card["height"] == 24 + 2 * 18
        assert card["x"] >= 0 and card["x"] + card["width"] <= shown["width"] + 0.1
        assert card["y"] >= 0 and card["y"] + card["height"] <= shown["height"] + 0.1
    assert {(each["from"], each["to"]) for each in shown["edges"]} == {*net.edges}
    assert shown["cost"]["cells"] == net.cost().cells


def test_cards_stand_where_the_layout_of_the_library_has_them(address):
    shown, net = open_example(address).show(), asia()
    sizes = Sizes(_boxes.WIDTH, dict.fromkeys(net.variables, 60), 24, 44, 14)
    placed = layout({name: net.parents(name) for name in net.variables}, sizes)
    for card in shown["variables"]:
        x, y = placed.middles[card["name"]]
        assert (card["x"], card["y"]) == (round(x - _boxes.WIDTH / 2, 1), round(y - 30, 1))


def test_edges_begin_and_end_at_their_cards(address):
    shown = open_example(address).show()
    cards = {each["name"]: each for each in shown["variables"]}
    for edge in shown["edges"]:
        above, below = cards[edge["from"]], cards[edge["to"]]
        (x, top, _), (x_end, _, bottom) = edge["route"][0], edge["route"][-1]
        assert top == pytest.approx(above["y"] + above["height"], abs=0.2)
        assert bottom == pytest.approx(below["y"], abs=0.2)
        assert above["x"] <= x <= above["x"] + above["width"]
        assert below["x"] <= x_end <= below["x"] + below["width"]


def test_a_card_with_many_states_is_high_only_if_it_is_opened(address):
    many = BeliefNetwork(tables={"day": {str(day): 1 / 20 for day in range(20)}})
    name = upload(address, bytes_of(many, "json"), "days.json")["name"]
    (closed,) = Desk(address, name).show()["variables"]
    (opened,) = Desk(address, name).show("?open=day")["variables"]
    assert (closed["height"], opened["height"]) == (24 + 7 * 18, 24 + 20 * 18)


@pytest.mark.parametrize("form", [each for each in FORMATS if each not in ("uai", "bayes")])
def test_every_format_goes_out_and_comes_in_again(address, form):
    desk = open_example(address)
    data = ask(address, "GET", f"/studio/documents/asia/file?format={form}")
    assert data.headers["content-disposition"] == f"attachment; filename*=UTF-8''asia.{form}"
    again = upload(address, data.bytes, f"clinic.{form}")
    assert again == {"name": "clinic", "head": 0}
    assert network_of(data.bytes, f"asia.{form}") == asia()
    assert Desk(address, "clinic").ask()["probabilities"] == desk.ask()["probabilities"]


def test_a_model_that_has_learned_goes_out_as_a_model_file(address, tmp_path):
    rows = {"rain": ["yes", "no"], "wet": ["yes", "no"]}
    net = BeliefNetwork([("rain", "wet")]).fit(rows, smoothing=1)
    net.save(tmp_path / "rain.bayes")
    assert upload(address, (tmp_path / "rain.bayes").read_bytes(), "rain.bayes")["name"] == "rain"
    got = ask(address, "GET", "/studio/documents/rain/file?format=bayes").bytes
    (tmp_path / "again.bayes").write_bytes(got)
    assert by.load(tmp_path / "again.bayes") == net
    open_example(address)
    refused = ask(address, "GET", "/studio/documents/asia/file?format=bayes")
    assert refused.status == 200 and "has not learned any rows" in refused.json["refused"]


def test_names_stay_what_they_are(address):
    name = upload(address, bytes_of(STRANGE, "json"), "<b>天气.json")["name"]
    assert name == "<b>天气"
    shown = Desk(address, name).show()
    assert [each["name"] for each in shown["variables"]] == list(STRANGE.variables)
    table = Desk(address, name).get("table/天气/晴")
    assert table["rows"] == [[0.5, 0.5], [0.125, 0.875]] and table["states"] == ["雨", "晴"]
    answer = ask(address, "GET", f"/studio/documents/{name}")
    assert answer.headers["content-type"].startswith("application/json")


@pytest.mark.parametrize(
    ("data", "name", "sentence"),
    [
        (b"hello", "notes.txt", "notes.txt: it is no file of a network"),
        (b"network x {", "broken.bif", "broken.bif"),
        (b"MARKOV\n1\n2\n1\n1 0\n2\n1 3\n", "pair.uai", "no edges to draw"),
        (b"PK nothing", "model.bayes", "model.bayes"),
    ],
)
def test_a_strange_file_is_refused_with_the_sentence_of_the_library(address, data, name, sentence):
    refused = upload(address, data, name)["refused"]
    assert sentence in refused and "/tmp" not in refused


def test_another_model_is_not_a_network(address, tmp_path):
    by.TextClassifier().fit(["free", "rain"], ["spam", "ham"]).save(tmp_path / "spam.bayes")
    refused = upload(address, (tmp_path / "spam.bayes").read_bytes(), "spam.bayes")
    assert "TextClassifier" in refused["refused"]


def test_a_new_network_is_empty_and_a_closed_one_is_gone(address):
    made = ask(address, "POST", "/studio/documents", {"new": "my/clinic"}).json
    assert made == {"name": "my-clinic", "head": 0}
    shown = Desk(address, "my-clinic").show()
    assert (shown["variables"], shown["edges"], shown["width"]) == ([], [], 0.0)
    assert Desk(address, "my-clinic").ask()["probabilities"] == {}
    assert ask(address, "DELETE", "/studio/documents/my-clinic").json == {"closed": "my-clinic"}
    assert "no open document" in Desk(address, "my-clinic").show()["refused"]


def test_a_network_without_some_tables_is_shown(address):
    data = bytes_of(campfire(), "json")
    desk = Desk(address, upload(address, data, "fire.json")["name"])
    cards = {each["name"]: each for each in desk.show()["variables"]}
    assert [cards[name]["has_table"] for name in ("Storm", "Campfire")] == [False, True]
    assert desk.get("table/Storm")["rows"] == [[None, None]]
    assert desk.get("table/Storm")["missing"]
    assert "table of" in desk.ask()["refused"]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/studio/documents", {"example": "nothing"}),
        ("POST", "/studio/documents", {"new": 7}),
        ("POST", "/studio/documents", {}),
        ("GET", "/studio/documents/nothing", None),
        ("GET", "/studio/documents/asia?version=5", None),
        ("GET", "/studio/documents/asia/table/nothing", None),
        ("GET", "/studio/documents/asia/file?format=exe", None),
        ("DELETE", "/studio/documents/nothing", None),
        ("POST", "/studio/documents/asia/head", {"version": 1}),
        ("POST", "/studio/documents/asia/head", {"version": "0"}),
        ("POST", "/studio/documents/asia/head", {"version": True}),
    ],
)
def test_what_cannot_be_done_is_said_with_a_sentence_and_no_error(address, method, path, body):
    open_example(address)
    answer = ask(address, method, path, body)
    assert answer.status == 200 and answer.json["refused"].endswith(".")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b"7", b"[" * 100 + b"]" * 100])
def test_junk_in_place_of_json_is_refused_as_by_the_server(address, body):
    open_example(address)
    headers = {"content_type": "application/json"}
    answer = ask(address, "POST", "/studio/documents/asia/ask", body, **headers)
    assert 400 <= answer.status < 500 and answer.json["message"]


def test_a_form_of_another_site_cannot_ask(address):
    open_example(address)
    data = b'{"version": 0}'
    for path in ("/studio/documents/asia/head", "/studio/documents", "/studio/cases"):
        assert ask(address, "POST", path, data, content_type="text/plain").status == 415
    assert ask(address, "GET", "/studio/pulse", host="evil.example").status == 400


def test_the_models_of_the_store_are_there_too(address):
    ask(address, "PUT", "/models/spam", {"model": "TextClassifier"})
    assert ask(address, "GET", "/models").json["models"][0]["name"] == "spam"
    described = ask(address, "GET", "/openapi.json").json["paths"]
    assert {"/studio/documents/{name}/table/{variable}", "/models/{name}"} <= {*described}
