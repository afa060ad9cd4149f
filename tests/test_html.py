"""What notebooks show: whole HTML, escaped, in the colours of the page, with the same numbers."""

import pickle
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from bayesic.html import AGAINST_COLOUR, FOR_COLOUR, Markup, escape, html_table
from bayesic.models.neighbours.neighbours import KNeighborsClassifier
from helpers.examples import at_most

ATTACK = "<script>alert('免费')</script>&amp;\""
TAGS = {"table", "caption", "thead", "tbody", "tr", "th", "td", "div", "b", "details", "summary"}
names = st.text(min_size=1, max_size=8).filter(str.strip)


class Page(HTMLParser):
    """The tags and the text of a piece of HTML; every tag must be closed."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes, self.pieces, self.open = set(), [], [], []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes += attributes
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.pieces.append(data)

    @property
    def text(self):
        return " ".join(self.pieces)


def numbers_in(text):
    """The decimal numbers of a text."""
    return re.findall(r"\d+\.\d+", text)


# the things that show themselves ----------------------------------------------------------------


def table_of(name):
    return {name: [name, "sun", name, "sun"], "wind": ["no", "no", "yes", "no"]}


def explanation(name):
    model = by.NaiveBayes().fit(table_of(name), [name, "dry", name, "dry"])
    return model.explain({name: name, "wind": "yes"})


def explanations(name):
    model = by.NaiveBayes().fit(table_of(name), [name, "dry", name, "dry"])
    return model.explain(table_of(name), top=1)


def textbook_table(name):
    return by.datasets.TextbookTable(
        name, (name, "x"), ((name, 0.25), ("sun", 2)), name, (name, "dry")
    )


def neighbours(name):
    return KNeighborsClassifier(2).fit([[1.0], [2.0], [4.0]], [name, name, "dry"]).explain([1.5])


def lists_of_neighbours(name):
    return KNeighborsClassifier(2).fit([[1.0], [2.0], [4.0]], [name, name, "dry"]).explain([[1.5]])


def decision(name):
    return by.decide([[0.3, 0.7]], {name: {"wet": 0, "dry": 5}}, classes=["dry", "wet"])


def scores(name):
    model = by.choose_model(
        table_of(name), [name, "dry", name, "dry"], candidates=[by.NaiveBayes(), by.JointBayes()]
    )
    return model.scores_


def version_space(name):
    rows = {"sky": [name, name, "sun"], name: ["a", "b", "b"]}
    return by.hypotheses.candidate_elimination(rows, ["Yes", "Yes", "No"], positive="Yes")


def search(name):
    rain = ["yes", "no"] * 20
    return by.learn_structure({name: rain, "wet": rain}).search_


def path(name):
    rows = [["wet"], ["dry"]] * 10
    tree = by.hypotheses.MDLTreeClassifier().fit(rows, [name, "other name"] * 10)
    return tree.explain(["wet"])


def marginals(name):
    return by.BeliefNetwork([(name, "wet")]).fit({name: ["a", "b"], "wet": ["c", "d"]}).query()


NAMED = (
    explanation,
    explanations,
    textbook_table,
    neighbours,
    lists_of_neighbours,
    decision,
    version_space,
    search,
    path,
    marginals,
)


@pytest.mark.parametrize("made_of", NAMED, ids=lambda made_of: made_of.__name__)
def test_names_are_escaped_and_nothing_is_loaded(made_of):
    page = Page(made_of(ATTACK)._repr_html_())
    assert ATTACK in "".join(page.pieces)
    assert page.tags <= TAGS
    assert {name for name, _ in page.attributes} == {"style"}
    style = " ".join(value for _, value in page.attributes)
    assert "url(" not in style
    # colours of the page: none are set but those of bars, which are seen on white and on black
    assert {*re.findall(r"#\w+", style)} <= {FOR_COLOUR, AGAINST_COLOUR}


@pytest.mark.parametrize("made_of", NAMED, ids=lambda made_of: made_of.__name__)
@at_most(15)
@given(name=names)
def test_any_name_gives_whole_html(made_of, name):
    if name.strip() in ("wind", "wet", "dry", "sky", "x", "sun", "other name", "wet"):
        return
    try:
        shown = made_of(name)
    except (TypeError, ValueError):  # a name that the model refuses
        return
    assert Page(shown._repr_html_()).tags <= TAGS


@pytest.mark.parametrize("made_of", [*NAMED, scores], ids=lambda made_of: made_of.__name__)
def test_the_numbers_are_those_of_the_text(made_of):
    shown = made_of("下雨")
    page = Page(shown._repr_html_())
    if made_of in (textbook_table, decision):  # these have no text of their own
        told = "0.25" if made_of is textbook_table else "1.5"  # 0.3 of 5
        assert told in page.text
    else:
        assert numbers_in(str(shown)) == numbers_in(page.text) or made_of is version_space
    assert "下雨" in page.text or made_of is scores


# one by one -------------------------------------------------------------------------------------


def test_a_textbook_table_shows_all_its_cells():
    table = by.datasets.play_tennis("zh")
    page = Page(table._repr_html_())
    for cell in (*table.columns, table.target_name, table.source):
        assert cell in page.text
    assert page.pieces.count("晴") == sum(row[0] == "晴" for row in table.rows)


def test_a_ranking_shows_place_row_and_probability():
    model = by.BernoulliNB().fit([[1, 0], [1, 1], [0, 1]], ["dull", "liked", "liked"])
    ranking = by.decisions.rank(model, [[1, 0], [1, 1], [0, 1]] * 10, "liked")
    page = Page(ranking._repr_html_())
    assert page.pieces[:3] == ["place", "row", "probability"]
    assert page.pieces[3:6] == ["1", str(ranking.index[0]), f"{ranking.probability[0]:.4g}"]
    assert page.pieces[-1] == "... and 10 more rows"


CREDIT = {"approve": {"good": 0, "bad": 5}, "decline": {"good": 1, "bad": 0}}


def test_a_decision_shows_the_risk_of_each_action():
    decided = by.decide([[0.25, 0.75]], CREDIT, classes=["bad", "good"])
    page = Page(decided._repr_html_())
    assert page.pieces == [
        "row", "action", "risk of approve", "risk of decline", "0", "decline", "1.25", "0.75",
    ]  # fmt: skip


def test_a_decision_is_still_a_pair():
    decided = by.decide([[0.25, 0.75]], CREDIT, reject_loss=0.5, classes=["bad", "good"])
    action, risk = decided
    assert (action.tolist(), risk.tolist()) == (["reject"], [[1.25, 0.75]])
    assert len(decided) == 2 and decided.action is decided[0]
    again = pickle.loads(pickle.dumps(decided))
    assert again._repr_html_() == decided._repr_html_()
    assert "risk of 0" in Page(decided._replace(risk=np.array([[1.0]]))._repr_html_()).text


def test_a_candidate_that_was_left_out_says_why():
    model = by.choose_model(
        {"sky": ["sun", "rain"] * 10},
        ["dry", "wet"] * 10,
        candidates=[by.NaiveBayes(), by.GaussianNB()],
    )
    reason = next(score.reason for score in model.scores_ if score.reason)
    assert reason in "".join(Page(model.scores_._repr_html_()).pieces)


def test_a_version_space_shows_its_boundaries():  # [Mitchell] section 2.5
    days = by.datasets.textbook.enjoy_sport()
    space = by.hypotheses.candidate_elimination(days.rows, days.target)
    assert str(space).splitlines() == [
        "6 hypotheses agree with 4 examples",
        "  S: (Sunny, Warm, ?, Strong, ?, ?)",
        "  G: (Sunny, ?, ?, ?, ?, ?)",
        "  G: (?, Warm, ?, ?, ?, ?)",
    ]
    pieces = Page(space._repr_html_()).pieces
    assert pieces[0] == "6 hypotheses agree with 4 examples"
    assert pieces[-7:] == ["G", "?", "Warm", "?", "?", "?", "?"]


def test_edges_whose_direction_is_not_told_have_no_arrow():
    columns = {"rain": ["yes", "no"] * 30, "wet": ["yes", "no"] * 30}
    found = by.learn_structure(columns, method="pc").search_
    assert re.search("rain -- wet|wet -- rain", Page(found._repr_html_()).text)


# the helper -------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.text(), st.text()), max_size=5), st.text())
def test_cells_come_back_as_they_were(rows, caption):
    page = Page(html_table(("one", "other"), rows, caption or None, "lr"))
    expected = [caption] * bool(caption) + ["one", "other"] + [cell for row in rows for cell in row]
    plain = [text.replace("\r\n", "\n").replace("\r", "\n") for text in expected]
    shown = "".join(page.pieces).replace("\r\n", "\n").replace("\r", "\n")
    assert shown == "".join(plain)


def test_only_markup_is_left_as_it_is():
    assert escape(Markup("<b>")) == "<b>" and escape("<b>") == "&lt;b&gt;"
    assert escape(escape("<b>")) == "&lt;b&gt;"


def test_rows_of_another_length_than_the_alignment_are_refused():
    with pytest.raises(ValueError):
        html_table(None, [("rain", "sun")], align="l")
