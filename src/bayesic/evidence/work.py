"""The calculation behind an answer, written out as a book does: products of fractions.

In plain text, or in LaTeX for papers, slides and notebooks.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from html import escape
from typing import NamedTuple

import numpy as np

from bayesic.data.languages import said, spoken
from bayesic.data.typing import Label
from bayesic.evidence.fractions import (
    Share,
    decimal_text,
    fraction_text,
    is_short,
    log_share,
    share_text,
    value_text,
)

# Of more factors than this only the first ones and the last are written.
MOST_FACTORS = 12

# Products are exact up to this many binary digits, all classes together; beyond, adding them up
# takes seconds.
MOST_BITS = 2**18


@dataclass(frozen=True)
class Factor:
    """One factor of P(c) * product over j of p(x_j | c), in every class.

    text    : what was observed, as it stands in P(text | c): "晴", "x0=2"
    shares  : its probability in each class, in the order of classes_: counts as they stand, a
              fraction, or the natural logarithm of a number that is not exact (see Share)
    power   : how often it was observed, as in P(free | spam)^2; an int if it is exact
    density : whether the numbers are densities; written with a small p
    """

    text: str
    shares: tuple[Share, ...]
    power: int | float = 1
    density: bool = False

    def to_the(self, power: float) -> "Factor":
        """The factor to this power."""
        return replace(self, power=self.power * power)


@dataclass(frozen=True)
class Work:
    """The worked calculation of one row.

        P(c | x) = P(c) * product over j of p(x_j | c) / sum over the classes of the same

    `joint` is the product and `posterior` the answer of each class: fractions where every factor
    is exact, else floats. If every product is 0 the answer is the prior.

    >>> fair, bent = (1, 2), (3, 4)
    >>> work = Work(("fair", "bent"), (fair, fair), (Factor("heads", (fair, bent), power=2),))
    >>> print(work)
    P(fair)·P(heads|fair)^2 = 1/2·(1/2)^2 = 1/8
    P(bent)·P(heads|bent)^2 = 1/2·(3/4)^2 = 9/32
    P(fair|x) = 4/13 = 0.3077
    P(bent|x) = 9/13 = 0.6923
    """

    classes: tuple[Label, ...]
    prior: tuple[Share, ...]
    factors: tuple[Factor, ...]
    prior_power: int | float = 1  # as in P(spam)^0.5

    @cached_property
    def joint(self) -> dict[object, Fraction | float]:
        """Class -> P(c) * product of its factors; a float may be too small to be told from 0."""
        if self.is_exact:
            return {
                label: _exact_product(self.prior, self.factors, number)
                for number, label in enumerate(self.classes)
            }
        with np.errstate(over="ignore"):  # a product of densities may be too large for a float
            return {label: float(np.exp(log)) for label, log in self.log_joint.items()}

    @cached_property
    def log_joint(self) -> dict[object, float]:
        """Class -> natural logarithm of joint, however small that is."""
        return {
            label: log_power(prior, self.prior_power)
            + sum(log_power(factor.shares[number], factor.power) for factor in self.factors)
            for number, (label, prior) in enumerate(zip(self.classes, self.prior, strict=True))
        }

    @cached_property
    def posterior(self) -> dict[Label, Fraction | float]:
        """Class -> P(c | x); the prior if x is impossible in every class."""
        if self.is_exact:
            products = [Fraction(product) for product in self.joint.values()]
            parts = products if any(products) else [as_fraction(share) for share in self.prior]
            total = sum(parts)
            return {c: part / total for c, part in zip(self.classes, parts, strict=True)}
        logs = [*map(log_share, self.prior)] if self.is_impossible else [*self.log_joint.values()]
        return dict(zip(self.classes, _normalised(logs), strict=True))

    @cached_property
    def is_exact(self) -> bool:
        """Whether all numbers are fractions, and short enough to be multiplied."""
        if any(isinstance(number, float) for number in (self.prior_power, *self.prior)):
            return False
        for factor in self.factors:
            if any(isinstance(number, float) for number in (factor.power, *factor.shares)):
                return False
        return sum(_bits(factor) for factor in self.factors) <= MOST_BITS

    @cached_property
    def is_impossible(self) -> bool:
        """Whether the row is impossible in every class."""
        return all(log == -math.inf for log in self.log_joint.values())

    def __str__(self) -> str:
        return "\n".join(PLAIN.lines(self))

    def _repr_html_(self) -> str:
        lines = "\n".join(escape(line) for line in PLAIN.lines(self))
        return f'<pre style="line-height:1.6;overflow-x:auto">{lines}</pre>'

    def _repr_latex_(self) -> str:
        return self.to_latex()

    def to_latex(self) -> str:
        """The calculation in LaTeX: an `align*` of amsmath. Chinese names need a font with them.

        >>> fair, bent = (1, 2), (3, 4)
        >>> work = Work(("fair", "bent"), (fair, fair), (Factor("heads", (fair, bent)),))
        >>> print(work.to_latex().splitlines()[1])  # doctest: +ELLIPSIS
        P(\\text{fair}) \\cdot P(\\text{heads}\\mid \\text{fair}) &= ... = \\frac{1}{4} \\\\
        """
        body = " \\\\\n".join(LATEX.lines(self))
        return f"\\begin{{align*}}\n{body}\n\\end{{align*}}"

    def to_dict(self) -> dict[str, object]:
        """Strings, numbers, lists and dicts only, for JSON; fractions as text, such as "2/9"."""
        return {
            "exact": self.is_exact,
            "impossible": self.is_impossible,
            "classes": [
                {
                    "class": label,
                    "prior": share_text(self.prior[number]),
                    "factors": [
                        {
                            "text": factor.text,
                            "value": share_text(factor.shares[number]),
                            "power": factor.power,
                            "density": factor.density,
                        }
                        for factor in self.factors
                    ],
                    "joint": self._joint_text(label),
                    "posterior": _posterior_text(self.posterior[label]),
                    "probability": float(self.posterior[label]),
                }
                for number, label in enumerate(self.classes)
            ],
        }

    def _joint_text(self, label: object) -> str:
        if self.is_exact:
            return fraction_text(Fraction(self.joint[label]))
        return decimal_text(self.log_joint[label])

    def posterior_texts(self) -> list[str]:
        """The right side of the equation of each P(c | x), such as = 3/4 = 0.7500."""
        return [_posterior_text(share, signs=True) for share in self.posterior.values()]

    def joint_result(self, number: int) -> str:
        """What the product of a class is, such as = 1/15; nothing if the prior alone says it."""
        label = self.classes[number]
        exactly = self.is_exact and is_short(Fraction(self.joint[label]))
        if not self.factors and exactly:
            return ""
        return f"{'=' if exactly else '≈'} {self._joint_text(label)}"


def as_fraction(share: Share) -> Fraction:
    """An exact share as a number."""
    return Fraction(*share) if isinstance(share, tuple) else Fraction(share)


def _exact_product(prior: Sequence[Share], factors: Sequence[Factor], number: int) -> Fraction:
    """P(c) times all factors, for the class of this number."""
    first = as_fraction(prior[number])
    above, below = first.numerator, first.denominator
    # reduced once at the end: for a long text that is much faster than at every factor
    for factor in factors:
        value = as_fraction(factor.shares[number])
        above *= value.numerator**factor.power
        below *= value.denominator**factor.power
    return Fraction(above, below)


def _bits(factor: Factor) -> float:
    """About how many binary digits a factor adds to the exact products of all classes."""
    below = [as_fraction(share).denominator for share in factor.shares]
    return factor.power * sum(number.bit_length() for number in below)


def log_power(share: Share, power: float) -> float:
    """The logarithm of a share to this power; to the power of 0 it is 1, even 0."""
    return power * log_share(share) if power else 0.0


def _normalised(logs: Sequence[float]) -> list[float]:
    """Numbers given by their logarithms, divided by their sum."""
    largest = max(logs)
    parts = [math.exp(log - largest) for log in logs]
    return [part / math.fsum(parts) for part in parts]


def _posterior_text(probability: Fraction | float, signs: bool = False) -> str:
    """A probability; with signs as the right side of an equation.

    >>> _posterior_text(Fraction(3, 4), signs=True), _posterior_text(0.75, signs=True)
    ('= 3/4 = 0.7500', '≈ 0.7500')
    """
    number = float(probability)
    decimal = f"{number:.4f}" if number >= 1e-4 or number == 0 else f"{number:.4g}"
    if isinstance(probability, float) or not is_short(probability):
        return f"≈ {decimal}" if signs else decimal
    if not signs:
        return str(probability)
    whole = probability.denominator == 1
    return f"= {probability}" if whole else f"= {probability} = {decimal}"


# how it is written ----------------------------------------------------------------------------


class _Notation(NamedTuple):
    """How the equations of a calculation are written; as plain text by default."""

    name: Callable[[object], str] = str  # of a class, or of what was observed
    number: Callable[[str], str] = str  # or the right side of an equation
    given: str = "|"
    times: str = "·"
    dots: str = "…"  # for the middle of a long product
    exponent: str = "^{}"
    brackets: str = "({})"
    column: str = ""  # before the equals signs that stand below each other
    sentence: str = "{}"
    impossible: str = "x is impossible in every class: the answer is the prior."

    def lines(self, work: Work) -> list[str]:
        """The product of each class, then its probability."""
        lines = [self._product_line(work, number) for number in range(len(work.classes))]
        if work.is_impossible:
            lines.append(self.sentence.format(said(self.impossible)))
        for label, result in zip(work.classes, work.posterior_texts(), strict=True):
            left = f"P({self.name(label)}{self.given}x)"
            lines.append(f"{left} {self.column}{self.number(result)}")
        return lines

    def _product_line(self, work: Work, number: int) -> str:
        label = self.name(work.classes[number])
        exponent = self._exponent(work.prior_power)
        symbols = [f"P({label}){exponent}"]
        symbols += [self._symbol(factor, label) for factor in work.factors]
        numbers = [self._power(work.prior[number], work.prior_power)]
        numbers += [self._power(each.shares[number], each.power) for each in work.factors]
        line = f"{self._product(symbols)} {self.column}= {self._product(numbers)}"
        return f"{line} {self.number(work.joint_result(number))}".rstrip()

    def _product(self, parts: Sequence[str]) -> str:
        if len(parts) > MOST_FACTORS:
            parts = [*parts[: MOST_FACTORS - 2], self.dots, parts[-1]]
        return self.times.join(parts)

    def _symbol(self, factor: Factor, label: str) -> str:
        """A factor in letters, such as P(free|spam)^2."""
        letter = "p" if factor.density else "P"
        observed = self.name(spoken(factor.text))
        text = f"{letter}({observed}{self.given}{label})"
        return text + self._exponent(factor.power)

    def _power(self, share: Share, power: float) -> str:
        """A factor in figures, such as (2/9)^2."""
        text = self.number(share_text(share))
        return text if power == 1 else self.brackets.format(text) + self._exponent(power)

    def _exponent(self, power: float) -> str:
        return "" if power == 1 else self.exponent.format(value_text(power))


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


def _result_latex(result: str) -> str:
    r"""The right side of an equation.

    >>> print(_result_latex("= 3/4 = 0.7500"), _result_latex("≈ 1.2e-7"))
    = \frac{3}{4} = 0.7500 \approx 1.2\times 10^{-7}
    """
    return " ".join(_RELATIONS.get(part) or _number_latex(part) for part in result.split())


def _number_latex(number: str) -> str:
    r"""A number: a fraction, a decimal, or one with an exponent.

    >>> print(_number_latex("2/9"), _number_latex("1.135e-4343"), _number_latex("inf"))
    \frac{2}{9} 1.135\times 10^{-4343} \infty
    """
    if number == "inf":
        return r"\infty"
    if "/" in number:
        above, below = number.split("/")
        return rf"\frac{{{above}}}{{{below}}}"
    digits, _, exponent = number.partition("e")
    return rf"{digits}\times 10^{{{int(exponent)}}}" if exponent else digits


def name_latex(name: object) -> str:
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


PLAIN = _Notation()
# What is written is understood by LaTeX with amsmath, by MathJax and by KaTeX alike. MathJax shows
# backslashes inside \text{} as they stand, so signs that LaTeX must escape are written outside.
LATEX = _Notation(
    name=name_latex,
    number=_result_latex,
    given=r"\mid ",
    times=r" \cdot ",
    dots=r"\cdots",
    exponent="^{{{}}}",
    brackets=r"\left({}\right)",
    column="&",
    sentence=r"&\text{{{}}}",
    impossible="Impossible in every class: the answer is the prior.",
)
