"""Two models of a table side by side: each row that a model has learned is left out of it."""

import numpy as np
import pytest

import bayesic as by
from bayesic.studio.table import _fitting
from helpers.http_server import ask
from helpers.studio_page import assert_text, eventually

TENNIS = by.datasets.play_tennis().to_dict()
TARGET = "PlayTennis"
DAYS = [dict(zip(TENNIS, row, strict=True)) for row in zip(*TENNIS.values(), strict=True)]
ROWS = [{name: cell for name, cell in day.items() if name != TARGET} for day in DAYS]
LABELS = TENNIS[TARGET]
MEASURES = ("accuracy", "log_loss", "brier_score")
FORGOTTEN = 2  # by naive Bayes
KINDS = ["NaiveBayes", "AutoBayes"]


def post(address, path, body, **headers):
    found = ask(address, "POST", f"/studio/{path}", body, **headers)
    assert found.status == 200, (found.status, found.bytes)
    return found.json


def learn(address):
    """The names of two models of the days, and what their evaluations say."""
    post(address, "tables", {"example": "tennis"})
    asked = [{"target": TARGET, "model": kind} for kind in KINDS]
    names = [post(address, "tables/tennis/learn", one)["learned"] for one in asked]
    return names, [post(address, "tables/tennis/evaluate", {"learned": name}) for name in names]


@pytest.fixture(params=[0, _fitting.JOURNALLED], ids=["long", "short"])
def learned(address, request, monkeypatch):
    """Of a table that is learned from the file, and of one that is in the journal."""
    monkeypatch.setattr(_fitting, "JOURNALLED", request.param)
    return learn(address)


def test_scores_are_those_of_the_evaluation_one_desk_away(learned, address):
    (naive, auto), evaluations = learned
    found = post(address, f"models/{naive}/compare", {"with": auto})
    for told, kind, evaluation in zip(found["models"], KINDS, evaluations, strict=True):
        assert (told["kind"], told["left_out"], told["is_flattered"]) == (kind, 14, False)
        for measure in MEASURES:
            assert told[measure] == pytest.approx(evaluation[measure], abs=1e-12)


def test_a_row_that_only_one_of_them_knows_is_left_out_of_that_one(learned, address):
    (naive, auto), _ = learned
    post(address, "tables/tennis/forget", {"learned": naive, "row": FORGOTTEN})
    found = post(address, f"models/{auto}/compare", {"with": naive})
    assert [one["left_out"] for one in found["models"]] == [14, 13]
    model = by.NaiveBayes().fit(TENNIS, y=TARGET)
    model.forget([ROWS[FORGOTTEN]], [LABELS[FORGOTTEN]])
    posterior = model.predict_proba(ROWS)
    rest = [number for number in range(14) if number != FORGOTTEN]
    posterior[rest] = model.leave_one_out([ROWS[n] for n in rest], [LABELS[n] for n in rest])
    truth = [model.classes_.tolist().index(label) for label in LABELS]
    expected = -np.log(posterior[range(14), truth]).mean()
    assert found["models"][1]["log_loss"] == pytest.approx(expected, abs=1e-12)


def test_learned_rows_of_a_file_are_recognised(learned, address):
    (naive, auto), _ = learned
    lines = [",".join(TENNIS), *(",".join(day.values()) for day in DAYS)]
    data = "\n".join([*lines, "Sunny,Cool,High,Strong,No", "Rain,Hot,Normal,Strong,No"]).encode()
    path = f"models/{naive}/compare?with={auto}&name=days.csv&label={TARGET}"
    found = post(address, path, data, content_type="application/octet-stream")
    assert found["rows"] == 16
    assert [one["left_out"] for one in found["models"]] == [14, 14]


def test_models_that_came_with_what_they_know_are_flattered_and_that_is_said(address):
    (naive, _), _ = learn(address)
    with by.connect(address) as store:
        store.create("whole", by.NaiveBayes().fit(TENNIS, y=TARGET))
    found = post(address, f"models/{naive}/compare", {"with": "whole"})
    told = [(one["left_out"], one["is_flattered"]) for one in found["models"]]
    assert told == [(14, False), (0, True)]


def test_the_page_names_models_by_their_kind(new_page, address):
    (naive, auto), evaluations = learn(address)
    page = new_page(f"/desk/models#model={naive}&other={auto}")
    page.click("[data-key=compare]")
    assert_text(page, ".compared thead", f"NaiveBayes{naive}")
    assert_text(page, ".compared thead", f"AutoBayes{auto}")
    assert_text(page, "#compare select", f"AutoBayes · {auto}")

    def check():
        cells = page.locator("[data-measure=accuracy]")
        found = cells.evaluate_all("cells => cells.map(cell => Number(cell.dataset.value))")
        assert found == pytest.approx([one["accuracy"] for one in evaluations], abs=1e-12)

    eventually(check)
    assert page.locator("[data-flattered]").count() == 0
