r"""Worked calculations in LaTeX, for papers and slides, and for notebooks.

What is written is understood by LaTeX with amsmath, by MathJax and by KaTeX alike. MathJax shows
backslashes inside \text{} as they stand, so signs that LaTeX must escape are written outside of it.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bayesic.evidence.shares import share_text, value_text

if TYPE_CHECKING:
    from bayesic.evidence.work import Factor, Work

# Signs that mean something to LaTeX, or look different in its text fonts -> the same in a formula.
# The space behind "<" keeps a page of HTML from taking it for a tag.
SIGNS = {
    "\\": r"\backslash ",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\wedge ",
    "~": r"\sim ",
    "|": r"\vert ",
    "<": "< ",
    ">": "> ",
}
_SIGNS = re.compile("([" + re.escape("".join(SIGNS)) + "])")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_RELATIONS = {"=": "=", "≈": r"\approx"}


def work_latex(work: "Work") -> str:
    """The lines of the calculation, with their equals signs in one column."""
    lines = [_product_line(work, number) for number in range(len(work.classes))]
    if work.is_impossible:
        lines.append(r"&\text{Impossible in every class: the answer is the prior.}")
    for label, result in zip(work.classes, work.posterior_texts(), strict=True):
        lines.append(rf"P({name_latex(label)}\mid x) &{result_latex(result)}")
    body = " \\\\\n".join(lines)
    return f"\\begin{{align*}}\n{body}\n\\end{{align*}}"


def _product_line(work: "Work", number: int) -> str:
    label = name_latex(work.classes[number])
    symbols = [f"P({label})", *(symbol_latex(factor, label) for factor in work.factors)]
    numbers = [number_latex(share_text(work.prior[number]))]
    numbers += [power_latex(factor, number) for factor in work.factors]
    result = result_latex(work.joint_result(number))
    return f"{_product(symbols)} &= {_product(numbers)} {result}".rstrip()


def _product(parts: Sequence[str]) -> str:
    from bayesic.evidence.work import written_product

    return written_product(parts, dots=r"\cdots", times=r" \cdot ")


def symbol_latex(factor: "Factor", label: str) -> str:
    """A factor in letters; the label is LaTeX already."""
    letter = "p" if factor.density else "P"
    return rf"{letter}({name_latex(factor.text)}\mid {label}){_power(factor)}"


def power_latex(factor: "Factor", number: int) -> str:
    """A factor in figures, for the class of this number."""
    share = number_latex(share_text(factor.shares[number]))
    return share if factor.power == 1 else rf"\left({share}\right){_power(factor)}"


def _power(factor: "Factor") -> str:
    return "" if factor.power == 1 else f"^{{{value_text(factor.power)}}}"


def result_latex(result: str) -> str:
    r"""The right side of an equation.

    >>> print(result_latex("= 3/4 = 0.7500"), result_latex("≈ 1.2e-7"))
    = \frac{3}{4} = 0.7500 \approx 1.2\times 10^{-7}
    """
    return " ".join(_RELATIONS.get(part) or number_latex(part) for part in result.split())


def number_latex(number: str) -> str:
    r"""A number: a fraction, a decimal, or one with an exponent.

    >>> print(number_latex("2/9"), number_latex("1.135e-4343"), number_latex("inf"))
    \frac{2}{9} 1.135\times 10^{-4343} \infty
    """
    if number == "inf":
        return r"\infty"
    if "/" in number:
        above, below = number.split("/")
        return rf"\frac{{{above}}}{{{below}}}"
    digits, _, exponent = number.partition("e")
    return rf"{digits}\times 10^{{{int(exponent)}}}" if exponent else digits


def name_latex(name: Any) -> str:
    r"""A name as text inside a formula; numbers stay numbers.

    >>> print(name_latex("晴"), name_latex(-1), name_latex("50%_off"))
    \text{晴} -1 \text{50}\%\_\text{off}
    """
    line = " ".join(str(name).split())
    if _NUMBER.fullmatch(line):
        return line
    printable = "".join(character for character in line if character.isprintable())
    parts = [part for part in _SIGNS.split(printable) if part]
    return "".join(SIGNS.get(part) or rf"\text{{{part}}}" for part in parts) or r"\text{}"
