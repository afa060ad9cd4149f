"""P(D | M) by the chain rule: row after row, each given those before it, in exact fractions."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

Row = Mapping[str, Any]


def share(level: Any, before: Sequence[Any], pseudo: Fraction, all_pseudo: Fraction) -> Fraction:
    """(n_v + a_v) / (N + A) in those before."""
    return (list(before).count(level) + pseudo) / (len(before) + all_pseudo)


def naive(
    parents: Mapping[str, Sequence[str]],
    sizes: Mapping[str, int],
    amount: Fraction,
    per_table: bool = False,
) -> Callable[[Row, list[Row]], Fraction]:
    """P(row | rows of its class before it): each column given its parents; None is not observed.

    amount is the pseudo-count of a level, or what its table has in all.
    """

    def of_row(row: Row, before: list[Row]) -> Fraction:
        probability = Fraction(1)
        for column, given in parents.items():
            if row[column] is None:
                continue
            alike = [r[column] for r in before if all(r[p] == row[p] for p in given)]
            known = [level for level in alike if level is not None]
            each = amount / sizes[column] if per_table else amount
            probability *= share(row[column], known, each, each * sizes[column])
        return probability

    return of_row


def whole_rows(n_cells: int, amount: Fraction) -> Callable[[Row, list[Row]], Fraction]:
    """P(row | rows of its class before it): all columns together."""
    return lambda row, before: share(row, before, amount, amount * n_cells)


def counted(n_words: int, amount: Fraction) -> Callable[[Row, list[Row]], Fraction]:
    """P(words of a row, one after the other | rows of its class before it)."""

    def of_row(row: Row, before: list[Row]) -> Fraction:
        seen = [word for r in before for word, times in r.items() for _ in range(times)]
        probability = Fraction(1)
        for word, times in row.items():
            for _ in range(times):
                probability *= share(word, seen, amount, amount * n_words)
                seen.append(word)
        return probability

    return of_row


def chain(
    rows: Sequence[Row],
    labels: Sequence[Any],
    of_row: Callable[[Row, list[Row]], Fraction],
    amount: Fraction,
    given: Mapping[Any, Fraction] | None = None,
) -> Fraction:
    """The product over the rows of P(class, row | all before); amount is that of a class."""
    probability, n_classes = Fraction(1), len(set(labels))
    for at, (row, label) in enumerate(zip(rows, labels, strict=True)):
        before = [r for r, other in zip(rows[:at], labels[:at], strict=True) if other == label]
        of_class = given[label] if given else share(label, labels[:at], amount, amount * n_classes)
        probability *= of_class * of_row(row, before)
    return probability
