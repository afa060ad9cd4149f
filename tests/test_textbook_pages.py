"""The chapters of the textbook: twins in two languages, and complete. Doctests run their code."""

import doctest
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
HOME = {"en": DOCS, "zh": DOCS / "zh"}
LANGUAGES = list(HOME)
CHAPTERS = sorted(f"textbook/{page.name}" for page in (DOCS / "textbook").glob("*.md"))
PAGES = ["textbook.md", *CHAPTERS]
EXAMPLE = {"en": r"^## Example (\d+): ", "zh": r"^## 例 (\d+)："}
EXERCISE = {"en": r"^\*\*Exercise (\d+)\.\*\*", "zh": r"^\*\*习题 (\d+)。\*\*"}
ANSWER = {"en": "<details><summary>Answer</summary>", "zh": "<details><summary>答案</summary>"}
SPOKEN = 'by.language("zh")'  # the only difference between the code of the twins
CHINESE = re.compile(r"[\u4e00-\u9fff]")
PRINTED = re.compile(
    r"print\((?!net\.table)\w.*\.(work|explain|table|summary|most_probable|to_text)\("
)
SCRIPT = DOCS / "images" / "make_textbook.py"
MOST_BYTES = 80_000  # of a picture

# case -> the example that works it out, and what that example must show in either language
CASES = {
    1: (2, ["'1/15 1/45'", "'3/4 1/4'", "array([-1])"]),
    2: (4, ["'7/17 10/17'", "'28/459 5/153'", "'28/43 15/43'"]),
    3: (5, ["'1/9 1/12'"]),
    4: (37, ["= 1/189", "= 18/875", "= 125/611", "= 486/611"]),
    5: (38, ["= 5/726", "= 15/784", "= 392/1481", "= 1089/1481", "P(多云|No) = 3/8·1/8"]),
    6: (36, ["'5/14 9/14'", "5/14·0/5 = 0", "9/14·1/9 = 1/14"]),
    7: (39, ["459/800 223/800", "893/1800 347/2250", "[0. 0.]", "QuadraticDiscriminantAnalysis"]),
    8: (41, [r"$L \left( p + \frac{p (p + 1)}{2} \right)$", "$2 L p$", "10, 7, 8"]),
    9: (35, [r"\lambda_{ij} P(c_j \mid x)", "'125/611 486/611'", "'625/611 486/611'"]),
    10: (
        8,
        ["0.9210526315789473", "0.9105263157894737", "0.9052631578947369", "0.6421052631578947"],
    ),
    11: (9, ["0.00784 / 0.0376", "0.2085", "('none', 'cancer')"]),
    12: (13, ["{'+': Fraction(2, 5), '-': Fraction(3, 5)}"]),
    13: (10, [r"\frac{|VS_{H,D}|}{|H|}", "(973, Fraction(6, 973))", "Fraction(1, 6)"]),
    14: (
        11,
        [
            "(('Sunny', 'Warm', '?', 'Strong', '?', '?'),)",
            "(('Sunny', '?', '?', '?', '?', '?'), ('?', 'Warm', '?', '?', '?', '?'))",
            "(6, True)",
        ],
    ),
    15: (16, ["'1/2 5/2 1/2'", "max(near) == best"]),
    16: (19, [r"(d_i - h(x_i))\, x_i", "'3/10 1/20'"]),
    17: (14, [r"-\log_2 P(h) - \log_2 P(D \mid h)", "none none", "cancer cancer"]),
    18: (22, [r"\frac{n_k + 1}{n + |Vocabulary|}", "700/1000·1/1404·701/1404"]),
    19: (23, ["89 %", "drop_top=100, min_count=3"]),
    20: (24, ["(0.36, 0.1)"]),
    21: (29, ["0.4\n", "'1/80'"]),
    22: (31, [r"\frac{P(y_{ij}, u_{ik} \mid d)}{w_{ijk}}", "'20/7 0'", "'1/2 1/2'"]),
    23: (33, ["2000 [('Storm', 'Campfire'), ('BusTourGroup', 'Campfire')]"]),
    24: (34, ["E[z_{ij}] =", "[0.7311, 0.2689]", "[1.0, 8.5]"]),
    25: (25, ["'7/120 1/80'", "'1/3 2/3'", "3/240", "24/36", "12/36"]),
    26: (27, ["[1, 1, 1, 0, 0, 0]", "[0, 2, 0, 1, 0, 0]", "[0, 0, 1, 0, 1, 1]"]),
    27: (28, [r"\pi_k = \frac{n_k}{N}", "'2/3 1/3'", "'1/6 1/2 1/6 1/6 0 0'"]),
    28: (26, ["(0.0, 0.0)", "(0.6098, True)"]),
    29: (42, ["rain (0.6667)", "array([30.])"]),
    30: (1, ["Fraction(17, 1000)", "Fraction(5, 17)", "Fraction(1, 1)"]),
    31: (2, ["fit(table.rows, table.target)", "('1/15 1/45', array([-1]))"]),
    32: (21, [r"\frac{n_c + m p}{n + m}", "2/21", "5/17", "10/119"]),
    33: (40, ["0.05238", "6.858e-05", "[1.203304 1.959012] [0.066221 0.788052]", "0.669113"]),
    34: (30, ["'1/5 4/19'"]),
    35: (32, ["[0.75, 0.25]", "[0.9, 0.1]"]),
    36: (6, ["(18, 12)", "118,098", "(118098, 60)"]),
    37: (11, ['"+" if label == "Yes" else "-"', "hypotheses.find_s(X, signs)"]),
}


def page(language, name):
    return (HOME[language] / name).read_text(encoding="utf-8")


def whole(language):
    return "".join(page(language, name) for name in PAGES)


def examples_of(language):
    """Number of an example -> the text below its heading, up to the next heading."""
    parts = re.split(r"^(?=## )", whole(language), flags=re.MULTILINE)
    found = [(re.match(EXAMPLE[language], part), part) for part in parts]
    return {int(heading[1]): part for heading, part in found if heading}


def prompts(language, name):
    """What is typed and what is printed, in order."""
    examples = doctest.DocTestParser().get_examples(page(language, name))
    return [(each.source, each.want) for each in examples]


def without_language(prompts):
    """The prompts but the one that sets the language."""
    return [each for each in prompts if not each[0].startswith(SPOKEN)]


def numbers(printed):
    return re.findall(r"\d+(?:[./]\d+)?", printed)


def plain(picture):
    """The name of a picture, whatever its language."""
    return Path(picture).stem.removesuffix("-zh")


def pictures(language, name):
    return re.findall(r"!\[[^]]+\]\(([^)]+)\)", page(language, name))


def formulas(language, name):
    """The displayed formulas without their words and spaces."""
    found = re.findall(r"^\$\$$(.*?)^\$\$$", page(language, name), re.MULTILINE | re.DOTALL)
    return [re.sub(r"\\text\{.*?\}|\s+", "", each) for each in found]


# twins --------------------------------------------------------------------------------------------


def test_both_languages_have_the_same_chapters():
    assert len(CHAPTERS) == 8
    chinese = sorted(f"textbook/{page.name}" for page in (DOCS / "zh/textbook").glob("*.md"))
    assert chinese == CHAPTERS


@pytest.mark.parametrize("name", PAGES)
def test_the_twins_run_the_same_code(name):
    ours, theirs = prompts("en", name), prompts("zh", name)
    assert len(ours) > 3
    assert [source for source, _ in ours] == [source for source, _ in without_language(theirs)]


@pytest.mark.parametrize("name", PAGES)
def test_the_twins_print_the_same_numbers_and_the_same_words_unless_in_chinese(name):
    chinese = without_language(prompts("zh", name))
    for (_, ours), (_, theirs) in zip(prompts("en", name), chinese, strict=True):
        assert numbers(ours) == numbers(theirs)
        assert ours == theirs or CHINESE.search(theirs)


@pytest.mark.parametrize("name", PAGES)
def test_what_can_be_printed_in_chinese_is(name):
    sources = [source for source, _ in prompts("zh", name)]
    printed = [place for place, source in enumerate(sources) if PRINTED.match(source)]
    spoken = [place for place, source in enumerate(sources) if source.startswith(SPOKEN)]
    assert not printed or min(spoken) < min(printed)


@pytest.mark.parametrize("name", PAGES)
def test_the_twins_have_the_same_displayed_formulas(name):
    assert formulas("en", name) == formulas("zh", name)


@pytest.mark.parametrize("name", PAGES)
def test_the_twins_show_the_same_pictures(name):
    assert [*map(plain, pictures("en", name))] == [*map(plain, pictures("zh", name))]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_picture_in_two_languages_is_shown_in_that_of_the_page(language):
    for name in PAGES:
        for picture in pictures(language, name):
            in_chinese = (DOCS / "images" / f"{plain(picture)}-zh.png").is_file()
            assert picture.endswith("-zh.png") == (in_chinese and language == "zh")


# complete -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_examples_are_numbered_in_reading_order(language):
    found = [int(n) for n in re.findall(EXAMPLE[language], whole(language), re.MULTILINE)]
    assert found == [*range(1, len(found) + 1)]
    assert len(found) == 43


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_contents_say_which_examples_a_chapter_has(language):
    entry = page(language, "textbook.md")
    for chapter in CHAPTERS[:6]:
        found = re.findall(EXAMPLE[language], page(language, chapter), re.MULTILINE)
        row = next(line for line in entry.splitlines() if f"({chapter})" in line)
        assert re.findall(r"\d+", row.split("|")[2]) == [found[0], found[-1]]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_every_case_shows_its_answer(case, language):
    example, answers = CASES[case]
    shown = examples_of(language)[example]
    assert [answer for answer in answers if answer not in shown] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_of_cases_is_that_of_the_examples(language):
    rows = re.findall(r"^\|( \d.*)\|$", page(language, "textbook.md"), re.MULTILINE)
    listed = {}
    for cells in (row.split("|") for row in rows if row.count("|") == 7):
        for examples, cases in zip(cells[::2], cells[1::2], strict=True):
            listed.update({int(n): numbers(examples) for n in numbers(cases)})
    assert sorted(listed) == sorted(CASES)
    assert [case for case, (example, _) in CASES.items() if str(example) not in listed[case]] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_misprint_of_the_tables_is_shown_by_a_calculation(language):
    chapter = page(language, "textbook/7-misprints.md")
    listed = [int(n) for n in re.findall(r"^\| (\d+) \| ", chapter, re.MULTILINE)]
    shown = [
        int(n) for bold in re.findall(r"\*\*([\d,、 ]+)\.\*\*", chapter) for n in numbers(bold)
    ]
    assert listed == shown == [*range(1, 33)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_exercise_has_an_answer_that_runs(language):
    chapter = page(language, "textbook/8-exercises.md")
    parts = re.split(EXERCISE[language], chapter, flags=re.MULTILINE)
    assert [int(n) for n in parts[1::2]] == [*range(1, 21)]
    for part in parts[2::2]:
        _, answer = part.split(ANSWER[language])
        assert ">>> " in answer.partition("</details>")[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_python_is_in_blocks_and_uses_public_names(language):
    blocks = re.findall(r"^```python\n(.*?)^```$", whole(language), re.MULTILINE | re.DOTALL)
    assert sum(block.count(">>> ") for block in blocks) == whole(language).count(">>> ")
    assert [block for block in blocks if "from bayesic." in block] == []


# pictures -----------------------------------------------------------------------------------------


def test_the_script_makes_every_picture_that_only_these_pages_have():
    made = re.findall(r'"(textbook-\w+)":', SCRIPT.read_text(encoding="utf-8"))
    files = list((DOCS / "images").glob("textbook-*.png"))
    every = [link for language in LANGUAGES for name in PAGES for link in pictures(language, name)]
    shown = {Path(link).stem for link in every}
    assert {file.stem for file in files} == {name for name in shown if "textbook-" in name}
    assert sorted({plain(file) for file in files}) == sorted(made)
    assert [file.name for file in files if file.stat().st_size >= MOST_BYTES] == []
