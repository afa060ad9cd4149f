"""The lessons in a browser: the digits of the books, by mouse and by keys."""

from fractions import Fraction
from math import exp, log

import pytest

from helpers.studio_page import (
    address_of,
    assert_accessible,
    assert_text,
    eventually,
    loaded_bytes,
    texts,
)

LESSONS = ["disease", "tennis", "version-space", "gaussians", "em", "neighbours", "campfire"]
SHOWN = {  # what is there as soon as a lesson is
    "disease": "[data-step='0']",
    "tennis": "[data-factor=posterior]",
    "version-space": ".size",
    "gaussians": "[data-handle=probe][transform]",
    "em": "[data-responsibility]",
    "neighbours": "[data-melon]",
    "campfire": "[data-states]",
}
MOST_BYTES = 150_000


def open_lesson(new_page, name, more="", **how):
    page = new_page(f"/desk/lessons#lesson={name}{more}", **how)
    page.wait_for_selector(SHOWN[name])
    return page


def fraction_texts(page, selector):
    found = page.locator(f"{selector} [data-fraction]")
    for one in found.all():
        assert float(one.get_attribute("data-probability")) == float(
            Fraction(one.get_attribute("data-fraction"))
        )
    return [one.get_attribute("data-fraction") for one in found.all()]


def assert_fractions(page, selector, expected):
    eventually(lambda: _assert_equal(fraction_texts(page, selector), expected))


def numbers(page, selector, attribute):
    return [float(one.get_attribute(attribute)) for one in page.locator(selector).all()]


def assert_numbers(page, selector, attribute, expected, tolerance=1e-12):
    def check():
        assert numbers(page, selector, attribute) == pytest.approx(expected, abs=tolerance)

    eventually(check)


def _assert_equal(found, expected):
    assert found == expected


# the desk -------------------------------------------------------------------------------------


def test_all_lessons_are_listed_and_open_by_a_click(new_page):
    page = new_page("/desk/lessons")
    page.wait_for_selector("[data-lesson]")
    assert page.locator("[data-lesson]").count() == len(LESSONS)
    for name in LESSONS:
        page.click(f"[data-lesson={name}]")
        page.wait_for_selector(SHOWN[name])
    page.click("[data-key='all lessons']")
    page.wait_for_selector(".overview")
    assert page.locator("#lesson > *").count() == 0


# a page that is left writes its address at once, here before it hears of the click
CLICK_WHILE_THE_ADDRESS_IS_WRITTEN = """() => {
    document.querySelector("[data-lesson=neighbours]").click();
    dispatchEvent(new Event("pagehide"));
}"""


def test_a_click_is_not_lost_while_the_address_is_written(new_page):
    page = new_page("/desk/lessons")
    page.wait_for_selector("[data-lesson]")
    page.click("[data-lesson=tennis]")
    page.wait_for_selector(SHOWN["tennis"])
    page.evaluate(CLICK_WHILE_THE_ADDRESS_IS_WRITTEN)
    page.wait_for_selector(SHOWN["neighbours"], timeout=10_000)


@pytest.mark.parametrize("name", LESSONS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_lesson_fits_a_phone_in_both_languages(new_page, name, language):
    locale = {"en": "en-US", "zh": "zh-CN"}[language]
    page = open_lesson(new_page, name, viewport={"width": 390, "height": 844}, locale=locale)
    for part in ("document.documentElement", "document.querySelector('#lessons')"):
        assert page.evaluate(f"{part}.scrollWidth - {part}.clientWidth") == 0
    wider = "one => one.scrollWidth > one.clientWidth"
    tables = "[...document.querySelectorAll('.scrolled-table')]"
    assert not page.evaluate(f"{tables}.some({wider})")  # the button at its end is seen
    words = " ".join(texts(page, ".prose dt"))
    assert words == {"en": "Try See Why", "zh": "试 看 为何"}[language]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everybody_can_use_the_lessons(new_page, page_tools, theme):
    page = new_page("/desk/lessons", color_scheme=theme, bypass_csp=True)
    page.wait_for_selector("[data-lesson]")
    assert_accessible(page, page_tools)
    for name in LESSONS:
        page.click(f"[data-lesson={name}]")
        page.wait_for_selector(SHOWN[name])
        assert_accessible(page, page_tools)


def test_the_lessons_are_small(new_page):
    page = open_lesson(new_page, "gaussians")
    assert loaded_bytes(page) < MOST_BYTES


def test_an_address_with_nonsense_shows_the_sentence_of_the_library(new_page):
    page = new_page("/desk/lessons#lesson=disease&prior=2")
    assert_text(page, "#lesson .refused", "prior must be from 0 to 1")
    page = new_page("/desk/lessons#lesson=nothing")
    page.wait_for_selector(".overview")


# the disease ----------------------------------------------------------------------------------


def test_two_positive_tests_and_a_negative_one(new_page):
    page = open_lesson(new_page, "disease")
    assert_fractions(page, "[data-step='0'] td:last-child", ["49/235", "186/235"])
    assert_fractions(page, "[data-step='1'] td:last-child", ["2401/2680", "279/2680"])
    assert_text(page, "[data-step='0']", "Most probable (MAP): no disease. Most likely (ML): dis")
    page.click("[data-field=second][data-value='-']")
    has = Fraction(8, 1000) * Fraction(98, 100) * Fraction(2, 100)
    not_has = Fraction(992, 1000) * Fraction(3, 100) * Fraction(97, 100)
    expected = [str(has / (has + not_has)), str(not_has / (has + not_has))]
    assert_fractions(page, "[data-step='1'] td:last-child", expected)
    page.keyboard.press("Control+z")
    assert_fractions(page, "[data-step='1'] td:last-child", ["2401/2680", "279/2680"])


def test_the_prior_by_keys_is_kept_by_a_reload_and_undone_in_one_step(new_page):
    page = open_lesson(new_page, "disease")
    page.focus("input[type=range][data-field=prior]")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    has, not_has = Fraction(1, 100) * Fraction(98, 100), Fraction(99, 100) * Fraction(3, 100)
    expected = [str(has / (has + not_has)), str(not_has / (has + not_has))]
    assert_fractions(page, "[data-step='0'] td:last-child", expected)
    page.wait_for_url("**prior=0.01")
    page.reload()
    assert_fractions(page, "[data-step='0'] td:last-child", expected)
    page.fill("input[type=number][data-field=prior]", "0.5")
    assert_fractions(page, "[data-step='0'] td:last-child", ["98/101", "3/101"])
    page.click("[data-key=undo]")
    assert_fractions(page, "[data-step='0'] td:last-child", expected)


# play tennis ----------------------------------------------------------------------------------


def test_the_fractions_of_the_book_and_of_an_edited_table(new_page):
    page = open_lesson(new_page, "tennis")
    assert_fractions(page, "[data-factor=Outlook]", ["3/5", "2/9"])
    assert_fractions(page, "[data-factor=joint]", ["18/875", "1/189"])
    assert_fractions(page, "[data-factor=posterior]", ["486/611", "125/611"])
    page.click("[data-field=smoothing][data-value='1']")
    assert_fractions(page, "[data-factor=posterior]", ["1089/1481", "392/1481"])
    page.click("[data-field=smoothing][data-value='0']")
    page.select_option("[aria-label='play? 1']", label="Yes")
    assert_fractions(page, "[data-factor=prior]", ["4/14", "10/14"])
    assert_fractions(page, "[data-factor=Outlook]", ["2/4", "3/10"])
    page.click("[data-key='delete 13']")
    assert_fractions(page, "[data-factor=prior]", ["3/13", "10/13"])
    eventually(lambda: _assert_equal(address_of(page).partition("&rows=")[2].count("."), 12))
    page.reload()
    assert_fractions(page, "[data-factor=prior]", ["3/13", "10/13"])
    page.click("[data-key=book]")
    assert_fractions(page, "[data-factor=posterior]", ["486/611", "125/611"])


def test_the_table_in_chinese(new_page):
    page = open_lesson(new_page, "tennis")
    page.click("[title=中文]")
    assert_text(page, "[data-factor=天气]", "晴")
    assert_fractions(page, "[data-factor=posterior]", ["486/611", "125/611"])


# the version space ----------------------------------------------------------------------------


def test_the_version_space_shrinks_example_by_example(new_page):
    page = open_lesson(new_page, "version-space", "&used=0")
    for size in (973, 64, 32, 28, 6):
        assert_numbers(page, ".size output", "data-size", [size])
        if size > 6:
            page.click("[data-key='next example']")
    boundary = "[data-boundary={}] [data-hypothesis]"
    specific, general = (page.locator(boundary.format(name)) for name in "SG")
    assert specific.get_attribute("data-hypothesis") == "Sunny,Warm,?,Strong,?,?"
    assert [one.get_attribute("data-hypothesis") for one in general.all()] == [
        "Sunny,?,?,?,?,?",
        "?,Warm,?,?,?,?",
    ]
    assert page.locator(".lattice rect").count() == 6
    page.select_option("[aria-label='enjoy? 4']", label="No")  # the fourth day is not enjoyed
    # all subsets of five values, less those that cover the third or the fourth day
    assert_numbers(page, ".size output", "data-size", [2**5 - (2**2 + 2**3 - 2)])
    page.keyboard.press("Control+z")
    assert_numbers(page, ".size output", "data-size", [6])


def test_a_contradiction_is_told(new_page):
    page = open_lesson(new_page, "version-space")
    page.select_option("[aria-label='enjoy? 2']", label="No")
    page.select_option("[aria-label='Humidity 2']", label="Normal")
    assert_text(page, ".space .refused", "No conjunction of attributes agrees")


# Gaussian classes -----------------------------------------------------------------------------


def boundary_points(page):
    """The ends of the pieces of the boundary, in the units of the data."""
    path = page.locator("[data-boundary]").get_attribute("d") or ""  # not yet drawn
    pairs = [piece.split(" ") for piece in path.replace("M", "L").split("L") if piece]
    return [((float(x) - 34) / 480, 0.6 - 0.7 * float(y) / 336) for x, y in pairs]


def test_the_line_of_lda_goes_through_the_middle_and_moves_with_a_mean(new_page):
    # circles of the same size with priors 8 : 9: the boundary is x = middle + shift
    circle = "{},0.25,0.1,0,0.1"
    classes = f"{circle.format(0.7)};{circle.format(0.3)}"
    page = open_lesson(new_page, "gaussians", f"&form=tied&classes={classes}&at=0.5,0.25")

    def check(expected):
        points = boundary_points(page)
        assert len(points) > 100
        assert [x for x, _ in points] == pytest.approx([expected] * len(points), abs=1e-4)

    shift = 0.01 / 0.4 * -log(8 / 9)
    eventually(lambda: check(0.5 + shift))
    # at the middle of both means only the priors speak
    assert_numbers(page, "output[data-class]", "data-probability", [8 / 17, 9 / 17], 1e-9)
    page.focus("[data-handle='mean 0']")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")  # the mean is at 0.8
    eventually(lambda: check(0.55 + 0.01 / 0.5 * -log(8 / 9)))
    page.wait_for_url("**0.8%2C0.25*")
    page.reload()
    eventually(lambda: check(0.55 + 0.01 / 0.5 * -log(8 / 9)))


def test_ellipses_are_dragged_and_the_boundary_bends(new_page):
    page = open_lesson(new_page, "gaussians")
    before = page.locator("[data-boundary]").get_attribute("d")
    box = page.locator("[data-handle='mean 1'] .dot").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 40, y + 20, steps=5)
    page.mouse.up()

    def bent():
        assert page.locator("[data-boundary]").get_attribute("d") != before

    def as_before():
        assert page.locator("[data-boundary]").get_attribute("d") == before

    eventually(bent)
    page.click("[data-key=undo]")  # the whole drag is one step
    eventually(as_before)
    assert page.locator("[data-key=undo]").is_disabled()
    page.click("[data-field=form][data-value=tied]")
    eventually(lambda: _assert_equal(*numbers(page, "[data-covariance]", "data-covariance")))


# EM -------------------------------------------------------------------------------------------


def em_step(points, means, spread):
    weights = [[exp(-((x - m) ** 2) / (2 * spread**2)) for m in means] for x in points]
    shares = [[one / sum(pair) for one in pair] for pair in weights]
    return [
        sum(pair[j] * x for pair, x in zip(shares, points, strict=True))
        / sum(pair[j] for pair in shares)
        for j in (0, 1)
    ], [pair[0] for pair in shares]


def test_em_goes_one_step_with_each_click(new_page):
    page = open_lesson(new_page, "em")
    points = numbers(page, "[data-point]", "data-point")
    means = [4.0, 5.0]
    for _ in range(3):
        then, shares = em_step(points, means, 1.0)
        assert_numbers(page, "[data-mean]", "data-mean", means)
        assert_numbers(page, "[data-point]", "data-responsibility", shares)
        page.click("[data-key='one step']")
        means = then
    assert_numbers(page, "[data-mean]", "data-mean", means)
    curve = numbers(page, ".curve circle", "data-value")
    assert len(curve) == 4
    assert curve == sorted(curve)
    page.wait_for_url("**steps=3")
    page.reload()
    assert_numbers(page, "[data-mean]", "data-mean", means)
    page.focus("[data-handle='start 0']")
    page.keyboard.press("ArrowLeft")
    means = [3.9, 5.0]
    for _ in range(3):
        means, _ = em_step(points, means, 1.0)
    assert_numbers(page, "[data-mean]", "data-mean", means)


# neighbours -----------------------------------------------------------------------------------


def test_k_from_1_to_17(new_page):
    page = open_lesson(new_page, "neighbours")
    page.focus("input[type=range][data-field=k]")
    page.keyboard.press("End")
    assert_fractions(page, ".belief", ["8/17", "9/17"])
    assert page.locator(".melon.near").count() == 17
    page.keyboard.press("Home")
    assert_fractions(page, ".belief", ["1", "0"])  # the nearest to (0.5, 0.2) is a good one

    def click_a_bad_one():  # the picture may just be drawn again
        box = page.locator(".melon[data-melon='10']").bounding_box()
        page.mouse.click(box["x"] + 3, box["y"] + 4)

    eventually(click_a_bad_one)
    assert_fractions(page, ".belief", ["0", "1"])
    assert page.locator(".melon.near").get_attribute("data-melon") == "10"
    page.keyboard.press("Control+z")
    assert_fractions(page, ".belief", ["1", "0"])


# storm and campfire ---------------------------------------------------------------------------


def test_storm_and_campfire(new_page):
    page = open_lesson(new_page, "campfire")
    both = "[data-row='true true'] [data-probability]"
    assert_numbers(page, both, "data-probability", [0.4, 0.6])
    storm = "[data-variable=Storm][data-state=t]"
    page.click("[data-variable=Campfire][data-state=t]")
    assert_numbers(page, storm, "data-probability", [1 / 7])
    page.focus("[data-variable=Campfire][data-state=f]")
    page.keyboard.press("Enter")
    assert_numbers(page, storm, "data-probability", [1 / 3])
    page.click("[data-variable=BusTourGroup][data-state=t]")
    assert_numbers(page, storm, "data-probability", [1 / 2])
    eventually(lambda: _assert_equal(address_of(page).partition("&known=")[2], "%3Ftf"))
    page.reload()
    assert_numbers(page, storm, "data-probability", [1 / 2])
    page.click("text=open it on the network desk")
    page.wait_for_selector(".state[data-probability]")
    assert "/desk/network#document=campfire" in page.url
