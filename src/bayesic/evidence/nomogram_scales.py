"""A whole model as points to add up: what each value of each column adds to the log odds."""

from collections.abc import Sequence
from dataclasses import dataclass

from bayesic.data.typing import Label
from bayesic.evidence.explanation import json_number
from bayesic.evidence.text_table import text_table


@dataclass(frozen=True)
class NomogramColumn:
    """What a column adds to the log odds, value by value.

    weight of a value = log p(value | answer) / p(value | against)
    """

    name: str
    kind: str  # "categorical", "gaussian", ...; "text", which has no values here
    values: tuple[Label, ...]  # levels; of measurements, numbers from the least to the largest seen
    weights: tuple[float, ...]  # of these values
    is_curve: bool = False  # whether there are values between those that are given


@dataclass(frozen=True)
class Nomogram:
    """All weights of evidence of a model, for one class against another ([Good]).

        log P(answer | x) / P(against | x) = prior_log_odds + sum over the columns of weights

    A cell that is not observed adds nothing.
    """

    answer: Label
    against: Label
    prior_log_odds: float
    columns: tuple[NomogramColumn, ...]  # in the order in which the model has them

    def __str__(self) -> str:
        rows = [
            [column.name, str(value), weight]
            for column in self.columns
            if not column.is_curve
            for value, weight in zip(column.values, column.weights, strict=True)
        ]
        curves = [
            [column.name, f"{column.values[index]:g}", column.weights[index]]
            for column in self.columns
            if column.is_curve
            for index in (0, len(column.values) // 2, -1)
        ]
        head = f"{self.answer} rather than {self.against}: what each value adds to the log odds"
        table = text_table(["column", "value", "weight"], [*rows, *curves])
        return "\n".join([head, f"prior {self.prior_log_odds:+.4f}", *table])

    def to_dict(self) -> dict[str, object]:
        """Strings, numbers, lists and dicts only, for JSON: infinities are text."""
        return {
            "answer": self.answer,
            "against": self.against,
            "prior_log_odds": json_number(self.prior_log_odds),
            "columns": [
                {
                    "name": column.name,
                    "kind": column.kind,
                    "values": list(column.values),
                    "weights": [json_number(weight) for weight in column.weights],
                    "is_curve": column.is_curve,
                }
                for column in self.columns
            ],
        }


def compared_classes(
    classes: Sequence[object], answer: int | None, against: int | None
) -> list[int]:
    """The numbers of two classes: the last against the first, by default.

    >>> compared_classes(["No", "Yes"], None, None), compared_classes(["a", "b", "c"], 0, None)
    ([1, 0], [0, 1])
    """
    if len(classes) < 2:
        raise ValueError(f"A nomogram compares two classes, and there is only {list(classes)}.")
    last = len(classes) - 1
    first = answer if answer is not None else last if against != last else 0
    other = against if against is not None else 0 if first != 0 else 1
    return [first, other]
