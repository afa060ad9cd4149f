"""The page without eyes: what a screen reader finds in the tree of accessibility, and is told."""

import pytest

from bayesic.datasets import asia
from helpers.studio_page import (
    assert_shows,
    assert_text,
    eventually,
    open_example,
    open_section,
    state,
    texts,
)

ASIA = asia()


@pytest.fixture
def desk(page):
    open_example(page)
    assert_shows(page, ASIA)
    return page


def tree(page):
    """What there is for a screen reader: role, name, and further properties of each node."""
    client = page.context.new_cdp_session(page)
    found = client.send("Accessibility.getFullAXTree")["nodes"]
    client.detach()
    return [
        (
            node["role"]["value"],
            node.get("name", {}).get("value", ""),
            {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
            | {"description": node.get("description", {}).get("value", "")},
        )
        for node in found
        if not node["ignored"]
    ]


def named(page, role):
    """Name -> properties of all nodes with a role."""
    return {name: more for its, name, more in tree(page) if its == role}


def spoken(page):
    return texts(page, ".spoken")[0]


def test_every_card_state_and_probability_has_role_name_and_value(desk):
    desk.click(state("xray", "yes"))
    assert_shows(desk, ASIA, given={"xray": "yes"})
    groups, buttons = named(desk, "group"), named(desk, "button")
    marginals = ASIA.query(given={"xray": "yes"})
    assert "network asia" in groups
    for name in ASIA.variables:
        assert name in groups
        header = f"{name}, observed" if name == "xray" else name
        parents = ASIA.parents(name)
        assert header in buttons
        assert buttons[header]["description"] == (
            f"parents: {', '.join(parents)}" if parents else ""
        )
        for label, probability in zip(
            ASIA.states(name), marginals[name].probabilities, strict=True
        ):
            number = (
                f"{100 * probability:.1f}" if 0 < probability < 1 else f"{100 * probability:.0f}"
            )
            is_seen = (name, label) == ("xray", "yes")
            row = f"{name} {label} {number} %" + ", observed" * is_seen
            assert row in buttons, (row, list(buttons))
            assert buttons[row]["pressed"] == ("true" if is_seen else "false")


def test_every_kind_of_evidence_is_in_the_names(desk):
    desk.focus(state("asia", "yes"))
    desk.keyboard.press("d")
    desk.focus(state("dysp", "no"))
    desk.keyboard.press("l")
    desk.keyboard.press("ArrowLeft")
    desk.keyboard.press("Escape")
    desk.focus(state("lung", "yes"))
    desk.keyboard.press("t")
    assert_shows(desk, ASIA, do={"asia": "yes"}, likelihoods={"dysp": [1, 0.95]})
    buttons = named(desk, "button")
    assert {"asia, set", "dysp, with likelihoods", "lung, asked about"} <= buttons.keys()
    assert "asia yes 100 %, set" in buttons
    assert any(name.startswith("dysp no") and name.endswith("likelihood 0.95") for name in buttons)
    assert "do(asia = yes)" in " ".join(
        name for role, name, _ in tree(desk) if role == "StaticText"
    )


def test_what_colours_say_is_said_in_words(desk):
    desk.click(state("lung", "yes"))
    desk.focus(state("asia", "yes"))
    desk.keyboard.press("s")
    open_section(desk, "most-probable")
    desk.wait_for_selector(".state.most-probable")
    desk.wait_for_selector(".card.separated")
    names = named(desk, "button").keys()
    for name in set(ASIA.variables) - {"asia", "lung"}:
        is_cut = ASIA.d_separated("asia", name, ["lung"])
        assert f"{name}, {'independent' if is_cut else 'connected'}" in names
    likeliest = ASIA.most_probable(given={"lung": "yes"})
    rows = {name for name in named(desk, "button") if name.endswith("most probable")}
    assert {tuple(name.split()[:2]) for name in rows} == {*likeliest.items()}
    desk.keyboard.press("Escape")
    desk.click(state("either", "no"))
    assert_text(desk, "#section-evidence [role=alert]", "either")
    names = named(desk, "button").keys()
    assert {"lung, observed, cannot be true", "either, observed, cannot be true"} <= names


def test_a_change_of_evidence_is_told_once_with_what_follows(desk):
    assert spoken(desk) == ""  # what is there at first is no change
    desk.focus(state("lung", "yes"))
    desk.keyboard.press("t")
    desk.click(state("xray", "yes"))
    lung = ASIA.query("lung", given={"xray": "yes"}).probabilities
    told = f"Known: xray = yes. lung: yes {100 * lung[0]:.1f} %, no {100 * lung[1]:.1f} %."
    eventually(lambda: says(desk, told))
    desk.click(state("xray", "yes"))
    lung = ASIA.query("lung").probabilities
    told = f"Known: nothing known. lung: yes {100 * lung[0]:.1f} %, no {100 * lung[1]:.1f} %."
    eventually(lambda: says(desk, told))
    live = [more for role, _, more in tree(desk) if role == "status"]
    assert all(more["live"] == "polite" for more in live)
    assert len(live) == 2  # this one, and notices


def says(page, sentence):
    assert spoken(page) == sentence


def test_an_edit_and_a_clash_are_told(desk):
    desk.click("text=+ variable")
    desk.fill("dialog input", "fever")
    desk.keyboard.press("Enter")
    eventually(lambda: begins(desk, "The network has changed: 9 variables, 8 edges."))
    open_section(desk, "evidence")  # closed, so that no alert is seen there
    desk.click(state("lung", "yes"))
    desk.click(state("either", "no"))
    eventually(lambda: begins(desk, "These cannot be true together:"))


def begins(page, sentence):
    assert spoken(page).startswith(sentence)


def test_chinese_is_spoken_on_a_chinese_page(desk):
    desk.click("[title=中文]")
    desk.click(state("xray", "yes"))
    eventually(lambda: begins(desk, "已知：xray = yes。"))
    assert "网络 asia" in named(desk, "group")
