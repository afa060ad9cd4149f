"""Tables for the reader: one value, printed and as HTML; each result in four forms."""

import json

import pytest

import bayesic as by
from bayesic.evidence.shown_tables import Shown, ShownTable, ShownTables

DAYS = {"sky": ["sun", "rain", "sun", "rain"] * 5, "wind": [1.0, 2.5, 1.5, 3.0] * 5}
PLANS = ["go", "stay", "go", "stay"] * 5
RESULTS = {
    "Summary": lambda: naive().summary(),
    "ColumnTable": lambda: naive().table("sky"),
    "Evaluation": lambda: by.evaluate(naive(), DAYS, PLANS),
    "ModelComparison": lambda: by.compare(
        [naive(), by.NaiveBayes(smoothing=2).fit(DAYS, PLANS)], DAYS, PLANS
    ),
    "Drift": lambda: by.drift(naive(), naive()),
    "Scores": lambda: by.choose_model(DAYS, PLANS, [by.NaiveBayes(), by.JointBayes()]).scores_,
    "MemberScores": lambda: by.AutoBayes(effort="quick").fit(DAYS, PLANS).members_,
}


def naive():
    return by.NaiveBayes().fit(DAYS, PLANS)


def test_head_tables_and_notes_stand_apart():
    days = ShownTable(["天气", "days"], [["晴", 5], ["rain", 1200]], "Weather", notes=["of a year"])
    shown = ShownTables([days, ShownTable(["wind"], [[None]])], ["Two tables"], ["The end."])
    assert str(shown).splitlines() == [
        "Two tables",
        "",
        "Weather",
        "  天气   days",
        "  晴        5",
        "  rain  1,200",
        "  of a year",
        "",
        "  wind",
        "     -",
        "",
        "The end.",
    ]


def test_of_a_long_table_the_rest_is_counted_in_the_language_that_is_spoken():
    table = ShownTable(["sky"], [["sun"], ["rain"]], total=7)
    assert str(table).splitlines()[-1] == "  ... and 5 more"
    with by.language("zh"):
        assert str(table).splitlines()[-1] == "  …… 还有 5 项"
        assert "…… 还有 5 项" in table.to_html()
    assert "more" not in str(ShownTable(["sky"], [["sun"], ["rain"]], total=2))


def test_html_has_every_text_once_and_none_is_a_tag():
    table = ShownTable(["<i>"], [["<b>sun"]], "<u>", notes=["<s>"])
    html = ShownTables([table], ["<h1>"], ["<p>"]).to_html()
    for text in ("i", "b", "u", "s", "h1", "p"):
        assert html.count(f"&lt;{text}&gt;") == 1
        assert f"<{text}>" not in html.replace("<b>&lt;u&gt;</b>", "")  # a title is bold


def test_nothing_to_show_is_an_empty_text():
    assert str(ShownTables([])) == ""


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_is_text_html_plain_values_and_a_data_frame(name):
    result = RESULTS[name]()
    assert type(result).__name__ == name and isinstance(result, Shown)
    shown = result.shown()
    assert str(result) == str(shown) and result._repr_html_() == shown.to_html()
    titles = [table.title for table in shown.tables if table.title]
    assert titles and all(title in str(result) for title in titles)
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))
    frames = result.to_pandas()
    frames = frames if isinstance(frames, dict) else {"": frames}
    assert all(frame.shape[1] > 0 for frame in frames.values())


def test_no_result_is_forgotten_above():
    assert {each.__name__ for each in Shown.__subclasses__()} <= set(RESULTS)
