"""Cells for spreadsheets, which take a text that begins with = for a formula, and run it."""

import re

FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠]")  # what such a text begins with
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


def without_formula(cell: object) -> object:
    """A cell that no spreadsheet takes for a formula: a text gets an apostrophe in front.

    Numbers stay, also as texts.

    >>> without_formula("=1+1"), without_formula("-1.5"), without_formula(-1.5)
    ("'=1+1", '-1.5', -1.5)
    """
    if isinstance(cell, str) and FORMULA.match(cell) and not NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell
