"""Explanations as bars: plain text, the colours of a terminal, HTML."""

import io
import math
from html.parser import HTMLParser

import numpy as np
from rich.console import Console
from scipy.special import logsumexp

import bayesic as by
from bayesic.evidence.explanation import explain_scores
from bayesic.evidence.text_table import display_width


def explained(classes, features, prior, scores, **arguments):
    """The explanation of a row whose features add these scores to the log prior of each class."""
    prior, scores = np.array(prior), np.array(scores)
    joint = prior + scores.sum(axis=0)
    return explain_scores(classes, features, prior, scores, joint - logsumexp(joint), **arguments)


def mail(**arguments):
    of_words = np.log([[0.5, 0.4], [0.125, 0.5], [0.25, 0.25]])
    words = ["lunch", "免费", "the"]
    return explained(["spam", "ham"], words, np.log([0.5, 0.5]), of_words, **arguments)


def drawn(explanation, color_system=None):
    file = io.StringIO()
    console = Console(file=file, width=80, force_terminal=True, color_system=color_system)
    console.print(explanation)
    return file.getvalue()


class Page(HTMLParser):
    """The tags and the text of a piece of HTML."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.text, self.open = [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


# plain text -----------------------------------------------------------------------------------


def test_the_text_names_both_sides_and_the_strongest_evidence_first():
    lines = str(mail()).splitlines()
    assert lines[0] == "ham (0.7619) rather than spam"  # 0.1 / (0.1 + 0.03125)
    assert [line.split()[0] for line in lines[1:]] == ["prior", "免费", "lunch", "the", "log"]
    assert "+1.3863" in lines[2]
    assert lines[2].count("+") == 1 + 20
    assert "-0.2231" in lines[3]
    assert lines[-1].split()[-1] == f"{math.log(3.2):+.4f}"


def test_the_text_says_that_the_other_side_is_the_rest():
    classes, words = ["spam", "ham", "news"], np.log([[0.5, 0.25, 0.25]])
    why = explained(classes, ["free"], np.log([1 / 3] * 3), words)
    assert str(why).startswith("spam (0.5000) against the rest\n")
    why = explained(classes, ["free"], np.log([1 / 3] * 3), words, against=2)
    assert str(why).startswith("spam (0.5000) rather than news\n")


def test_chinese_and_latin_names_are_aligned_as_a_terminal_shows_them():
    why = explained(["是", "否"], ["湿度", "wind"], np.zeros(2), np.log([[0.5, 0.2]] * 2))
    starts = {display_width(line.split("+")[0]) for line in str(why).splitlines()[1:]}
    assert len(starts) == 1


def test_an_accent_that_stands_on_a_letter_takes_no_column():
    assert display_width("caf\u00e9") == display_width("cafe\u0301") == 4


def test_certain_evidence_is_shown_as_infinite():
    scores = np.array([[0.0, -np.inf], [-1.0, -1.0]])
    why = explained(["ham", "spam"], ["bill", "the"], np.log([0.5, 0.5]), scores)
    assert why.probability == {"ham": 1.0, "spam": 0.0}
    for shown in (str(why), drawn(why), why._repr_html_()):
        assert "+inf" in shown
        assert "nan" not in shown


# rich -----------------------------------------------------------------------------------------


def test_a_terminal_shows_names_values_weights_and_bars():
    lines = drawn(mail(values=["2", "1", None])).splitlines()
    assert lines[0].strip() == "ham (0.7619) rather than spam"
    assert lines[2].split() == ["免费", "1", "+1.3863", "█" * 20]
    assert lines[3].split() == ["lunch", "2", "-0.2231", "█" * 3]  # 20 * 0.2231 / 1.3863
    assert lines[4].split() == ["the", "+0.0000"]
    assert lines[5].split() == ["log", "odds", "+1.1632"]


def test_bars_for_and_against_have_different_colours():
    lines = drawn(mail(), color_system="standard").splitlines()
    assert "\x1b[32m█" in lines[2]
    assert "\x1b[31m█" in lines[3]


def test_square_brackets_in_names_are_no_markup_in_a_terminal():
    why = explained(["[red]", "ham"], ["[bold]free"], np.zeros(2), np.log([[0.5, 0.25]]))
    assert "[red] (0.6667)" in drawn(why)
    assert "[bold]free" in drawn(why)


# HTML -----------------------------------------------------------------------------------------


def test_names_of_classes_features_and_values_are_escaped_in_html():
    attack = "<script>alert('免费')</script>"
    why = explained(
        [attack, attack + "2"], [attack], np.zeros(2), np.log([[0.5, 0.25]]), values=[attack]
    )
    page = Page(why._repr_html_())
    assert "script" not in {tag for tag, _ in page.tags}
    assert "".join(page.text).count(attack) == 4
    model = by.MultinomialNB().fit([[1, 0], [0, 2]], [attack, "ham"])
    row = model.explain([1, 0], feature_names=["<b onclick=x>", '"><img src=x>'])
    tags = {tag for tag, _ in Page(row._repr_html_()).tags}
    assert tags == {"table", "caption", "tbody", "tr", "td", "div", "b"}


def test_the_html_is_whole_and_brings_its_own_style():
    page = Page(mail(values=["2", "1", None])._repr_html_())
    assert page.open == []
    assert all(set(attributes) <= {"style"} for _, attributes in page.tags)
    assert "ham (0.7619) rather than spam" in page.text


def test_the_longest_bar_fills_its_half():
    html = mail()._repr_html_()
    assert "left:50%;width:50.0%" in html  # 免费 for ham
    assert "right:50%;width:8.0%" in html  # lunch against it: 50 * 0.2231 / 1.3863
