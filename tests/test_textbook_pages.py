"""The two pages of textbook cases: twins, and complete. Their examples run as doctests."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
PAGES = {"en": DOCS / "textbook.md", "zh": DOCS / "textbook.zh.md"}
HEADING = {"en": r"^### Case (\d+): (.+)$", "zh": r"^### 例 (\d+)：(.+)$"}

# number -> what the case is, and what its part of either page must show
CASES = {
    1: ("Li Hang table 4.1, maximum likelihood", ["'1/15 1/45'", "'3/4 1/4'", "array([-1])"]),
    2: ("the same, lambda = 1", ["'7/17 10/17'", "'28/459 5/153'", "'28/43 15/43'"]),
    3: ("an unseen value", ["'1/9 1/12'"]),
    4: ("play tennis, maximum likelihood", ["= 1/189", "= 18/875", "= 125/611", "= 486/611"]),
    5: (
        "play tennis, Laplace correction",
        ["= 5/726", "= 15/784", "= 392/1481", "= 1089/1481", "P(多云|No) = 3/8·1/8"],
    ),
    6: ("play tennis, the joint table", ["'5/14 9/14'", "5/14·0/5 = 0", "9/14·1/9 = 1/14"]),
    7: (
        "watermelon 3.0",
        ["459/800 223/800", "893/1800 347/2250", "[0. 0.]", "QuadraticDiscriminantAnalysis"],
    ),
    8: ("parameter counts", ["L (p + p (p + 1) / 2)", "L p + p (p + 1) / 2", "2 L p", "10, 7, 8"]),
    9: ("loss matrix", ["lambda_ij P(c_j | x)", "'125/611 486/611'", "'625/611 486/611'"]),
    10: (
        "breast cancer",
        ["0.9210526315789473", "0.9105263157894737", "0.9052631578947369", "0.6421052631578947"],
    ),
    11: ("medical test", ["0.00784 / 0.0376", "0.2085", "('none', 'cancer')"]),
    12: ("three hypotheses", ["{'+': Fraction(2, 5), '-': Fraction(3, 5)}"]),
    13: ("brute-force MAP", ["|VS| / |H|", "(973, Fraction(6, 973))", "Fraction(1, 6)"]),
    14: (
        "EnjoySport",
        [
            "(('Sunny', 'Warm', '?', 'Strong', '?', '?'),)",
            "(('Sunny', '?', '?', '?', '?', '?'), ('?', 'Warm', '?', '?', '?', '?'))",
            "(6, True)",
        ],
    ),
    15: ("least squares", ["'1/2 5/2 1/2'", "max(near) == best"]),
    16: ("sigmoid unit", ["(d_i - h(x_i)) x_i", "'3/10 1/20'"]),
    17: ("description length", ["-log2 P(h) - log2 P(D | h)", "none none", "cancer cancer"]),
    18: ("Learn_Naive_Bayes_Text", ["(n_k + 1) / (n + |Vocabulary|)", "700/1000·1/1404·701/1404"]),
    19: ("Joachims, 20 newsgroups", ["89 %", "drop_top=100, min_count=3"]),
    20: ("NewsWeeder", ["(0.36, 0.1)"]),
    21: ("Storm, BusTourGroup, Campfire", ["0.4\n", "'1/80'"]),
    22: ("gradient of a table entry", ["P(y_ij, u_ik | d) / w_ijk", "'20/7 0'"]),
    23: ("K2", ["2000 [('Storm', 'Campfire'), ('BusTourGroup', 'Campfire')]"]),
    24: ("EM for k Gaussians", ["E[z_ij] = exp(", "[0.7311, 0.2689]", "[1.0, 8.5]"]),
    25: ("a word in spam", ["'7/120 1/80'", "'1/3 2/3'", "3/240", "24/36", "12/36"]),
    26: (
        "texts as vectors",
        ["[1, 1, 1, 0, 0, 0]", "[0, 2, 0, 1, 0, 0]", "[0, 0, 1, 0, 1, 1]"],
    ),
    27: ("Lagrange", ["pi_k     = n_k / N", "'2/3 1/3'", "'1/6 1/2 1/6 1/6 0 0'"]),
    28: ("a mail of 10,000 words", ["(0.0, 0.0)", "(0.6098, True)"]),
    29: ("neighbours", ["rain (0.6667)", "array([30.])"]),
    32: ("m-estimate", ["(n_c + m p) / (n + m)", "2/21", "5/17", "10/119"]),
    33: (
        "mixed watermelons",
        ["0.05238", "6.858e-05", "[1.203304 1.959012] [0.066221 0.788052]", "0.669113"],
    ),
    30: ("a partition", ["Fraction(17, 1000)", "Fraction(5, 17)", "Fraction(1, 1)"]),
}


def page(language):
    return PAGES[language].read_text(encoding="utf-8")


def code_blocks(language):
    return re.findall(r"^```python\n(.*?)^```$", page(language), re.MULTILINE | re.DOTALL)


def cases_of(language):
    """Case number -> the text below its heading, up to the next heading."""
    parts = re.split(r"^(?=#{2,3} )", page(language), flags=re.MULTILINE)
    found = [(re.match(HEADING[language], part, re.MULTILINE), part) for part in parts]
    return {int(heading[1]): part for heading, part in found if heading}


def pictures(language):
    return re.findall(r"!\[[^]]+\]\(([^)]+)\)", page(language))


def test_the_twins_run_the_same_examples():
    assert len(code_blocks("en")) > len(CASES)
    assert code_blocks("en") == code_blocks("zh")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_all_python_of_a_page_is_in_these_blocks(language):
    prompts = sum(block.count(">>> ") for block in code_blocks(language))
    assert prompts == page(language).count(">>> ")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_case_has_one_heading(language):
    numbers = [int(number) for number, _ in re.findall(HEADING[language], page(language), re.M)]
    assert sorted(numbers) == sorted(CASES)


def test_the_twins_have_the_cases_in_the_same_order():
    assert list(cases_of("en")) == list(cases_of("zh"))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("number", CASES)
def test_every_case_shows_its_answer(number, language):
    name, answers = CASES[number]
    shown = cases_of(language)[number]
    assert [answer for answer in answers if answer not in shown] == [], name


def test_the_twins_show_the_same_pictures():
    assert pictures("en")
    assert pictures("en") == pictures("zh")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_link_of_a_page_leads_to_a_file(language):
    links = re.findall(r"\]\(([^)#:]+)\)", page(language))
    assert [link for link in links if not (DOCS / link).is_file()] == []


def test_the_script_makes_every_picture_that_only_these_pages_have():
    made = (DOCS / "images" / "make_textbook.py").read_text(encoding="utf-8")
    own = [Path(link).stem for link in pictures("en") if "textbook-" in link]
    assert sorted(own) == sorted(re.findall(r'"(textbook-\w+)":', made))
    assert sorted(own) == sorted(file.stem for file in (DOCS / "images").glob("textbook-*.png"))
