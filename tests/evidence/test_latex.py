"""Worked calculations in LaTeX: the same numbers, and nothing that LaTeX or MathJax trips over."""

import math
import re
import warnings
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.mathtext import MathTextParser

import bayesic as by
from bayesic.evidence.work import Factor, Work, name_latex
from helpers.comparisons import impossible_rows_allowed

COMMANDS = {
    "begin", "end", "frac", "text", "cdot", "cdots", "mid", "left", "right", "approx", "times",
    "infty", "backslash", "wedge", "sim", "vert", "{", "}", "$", "&", "#", "%", "_", "\\",
}  # fmt: skip

names = st.text(max_size=12)
shares = (
    st.tuples(st.integers(0, 9), st.integers(10, 20))
    | st.fractions(Fraction(0), Fraction(1), max_denominator=50)
    | st.floats(-900, 5)
)


@st.composite
def works(draw, share=shares):
    """Calculations of two classes, with all kinds of factors."""
    classes = draw(st.lists(names | st.integers(), min_size=2, max_size=2, unique_by=str))
    factors = [
        draw(st.builds(Factor, names, st.tuples(share, share), st.integers(1, 3), st.booleans()))
        for _ in range(draw(st.integers(0, 14)))
    ]
    return Work(tuple(classes), ((1, 3), (2, 3)), tuple(factors))


def lines_of(work):
    first, *lines, last = work.to_latex().split("\n")
    assert (first, last) == (r"\begin{align*}", r"\end{align*}")
    assert all(line.endswith(r" \\") for line in lines[:-1])
    return [line.removesuffix(r" \\") for line in lines]


def assert_balanced(latex):
    """Braces are balanced, and every one is closed before the line ends."""
    depth = 0
    for sign in re.sub(r"\\[{}\\]", "", latex):
        depth += (sign == "{") - (sign == "}")
        assert depth >= 0
    assert depth == 0


def value_of(product):
    """The number that a product of fractions stands for."""
    value = Fraction(1)
    for part in product.split(r" \cdot "):
        power = re.fullmatch(r"\\left\((.*)\\right\)\^\{(\d+)\}", part)
        base, exponent = (power[1], int(power[2])) if power else (part, 1)
        fraction = re.fullmatch(r"\\frac\{(\d+)\}\{(\d+)\}", base)
        value *= (Fraction(int(fraction[1]), int(fraction[2])) if fraction else Fraction(base)) ** (
            exponent
        )
    return value


@given(works())
def test_only_known_commands_and_balanced_braces_are_written(work):
    latex = work.to_latex()
    assert set(re.findall(r"\\([a-z]+|.)", latex)) <= COMMANDS
    for line in lines_of(work):
        assert_balanced(line)
        assert len(re.findall(r"(?<!\\)&", line)) == 1  # the column of the equals signs
        plain = re.sub(r"\\text\{[^{}\\$&#%_^~|<>]*\}", "", line)  # nothing to escape inside
        assert r"\text" not in plain
        assert not re.search(r"(?<!\\)[$#%_~]", plain)
        assert not re.search(r"<(?! )", line)  # no tag of HTML begins here
    assert "nan" not in re.sub(r"\\text\{.*?\}", "", latex)


def exact_shares():
    return st.tuples(st.integers(0, 9), st.integers(10, 20)) | st.fractions(
        Fraction(0), Fraction(1), max_denominator=50
    )


@given(works(exact_shares()).filter(lambda work: len(work.factors) <= 4))
def test_fractions_are_those_of_the_calculation(work):
    *products, _, _ = (line for line in lines_of(work) if not line.startswith("&"))
    for line, label in zip(products, work.classes, strict=True):
        *_, numbers, result = line.split("= ") if work.factors else (*line.split("= "), "")
        assert value_of(numbers.strip()) == work.joint[label]
        if work.factors and r"\approx" not in line:
            assert value_of(result) == work.joint[label]


def test_the_book_in_latex():  # Li Hang, example 4.1
    table = by.datasets.li_hang()
    model = by.NaiveBayes(numeric="categorical", smoothing=0).fit(table.to_dict(), y="Y")
    assert lines_of(model.work((2, "S"))) == [
        r"P(-1) \cdot P(2\mid -1) \cdot P(\text{S}\mid -1) &= "
        r"\frac{6}{15} \cdot \frac{2}{6} \cdot \frac{3}{6} = \frac{1}{15}",
        r"P(1) \cdot P(2\mid 1) \cdot P(\text{S}\mid 1) &= "
        r"\frac{9}{15} \cdot \frac{3}{9} \cdot \frac{1}{9} = \frac{1}{45}",
        r"P(-1\mid x) &= \frac{3}{4} = 0.7500",
        r"P(1\mid x) &= \frac{1}{4} = 0.2500",
    ]


def test_densities_powers_and_m_estimates():
    density = by.GaussianNB(var_smoothing=0).fit([[1.0], [3.0], [7.0], [9.0]], [0, 0, 1, 1])
    number = math.exp(-(1.2**2) / 2) / math.sqrt(2 * math.pi)  # mean 2, variance 1
    assert lines_of(density.work([3.2]))[0] == (
        rf"P(0) \cdot p(\text{{x0=3.2}}\mid 0) &= \frac{{2}}{{4}} \cdot {number:.4f}"
        rf" \approx {number / 2:.5f}"
    )
    assert r"\times 10^{-" in density.work([90.0]).to_latex()
    words = by.MultinomialNB().fit([[2, 0], [0, 1]], ["ham", "spam"]).work([3, 1])
    assert r"\left(\frac{3}{4}\right)^{3} \cdot \frac{1}{4}" in words.to_latex()
    estimate = by.NaiveBayes(smoothing=("m", 3)).fit(
        {"sky": ["晴", "晴", "雨"]}, ["out", "out", "in"]
    )
    latex = estimate.work({"sky": "晴"}).to_latex()
    share = (2 + 3 * Fraction(2 + 1, 3 + 2)) / (2 + 3)  # m p of p = 3/5, smoothed over all rows
    assert rf" \cdot \frac{{{share.numerator}}}{{{share.denominator}}} = " in latex


def test_an_impossible_row_says_so():
    model = by.CategoricalNB(alpha=0).fit([[0, 1], [1, 0]], ["ham", "spam"])
    with impossible_rows_allowed():
        latex = model.work([0, 0]).to_latex()
    assert r"&\text{Impossible in every class: the answer is the prior.} \\" in latex


def test_names_are_text_and_what_must_be_escaped_stands_outside():
    assert name_latex("天气=晴") == r"\text{天气=晴}"
    assert name_latex("a_b") == r"\text{a}\_\text{b}"
    assert name_latex("50% off\n{now}") == r"\text{50}\%\text{ off }\{\text{now}\}"
    assert name_latex("<script>") == r"< \text{script}> "
    assert name_latex(r"\input") == r"\backslash \text{input}"
    assert [name_latex(3), name_latex("-2.5"), name_latex("")] == ["3", "-2.5", r"\text{}"]


@given(works())
def test_matplotlib_can_set_every_line(work):  # a parser of formulas that is not ours
    parser = MathTextParser("path")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # characters that its fonts do not have
        for line in lines_of(work):
            # it knows neither the column of an align nor these two, which LaTeX escapes so
            known = re.sub(r"\\[&#]|&", "", line)
            parser.parse(f"${known}$")


def test_notebooks_and_papers_get_the_same():
    work = by.CategoricalNB().fit([[0], [1]], ["ham", "spam"]).work([0])
    assert work._repr_latex_() == work.to_latex()


def test_a_long_product_is_cut_as_in_the_text():
    work = by.BernoulliNB().fit([[0] * 30, [1] * 30], ["ham", "spam"]).work([1] * 30)
    assert lines_of(work)[0].count(r"\cdots") == 2


@pytest.mark.parametrize("share", [(0, 3), Fraction(1), -1e5, math.log(0.25)], ids=str)
def test_every_kind_of_share_is_written(share):
    work = Work(("rain", "sun"), ((1, 2), (1, 2)), (Factor("wet", (share, (1, 2))),))
    assert_balanced(work.to_latex())
