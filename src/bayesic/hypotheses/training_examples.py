"""Rows with a yes or no: what concept learning learns from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from numbers import Real

import numpy as np

from bayesic.data.distinct import category_name
from bayesic.data.labels import encode_labels, take_column
from bayesic.data.targets import with_own_target
from bayesic.data.typing import Label, LabelsLike, TableLike
from bayesic.hypotheses.attributes import ANY, NOTHING, Attributes, Conjunction, attributes_of
from bayesic.kernels import Array

WORDS = {
    *("yes", "y", "true", "t", "positive", "pos", "+", "ja", "oui", "si", "sí"),
    *("是", "真", "正", "正例", "正类", "阳", "阳性", "对", "有", "好"),
}
ONES, ZEROS = {"1", "+1"}, {"0", "-1"}


@dataclass(frozen=True, eq=False)
class Examples:
    """The rows as numbers of values, and which of them are positive."""

    attributes: Attributes
    codes: Array  # intp (n_rows, n_attributes)
    positive: Array  # bool (n_rows,)
    labels: tuple[Label, Label]  # what y calls the negative and the positive rows

    def most_specific(self) -> Conjunction:
        """The least general conjunction that covers all positive rows: it is unique.

        An attribute keeps its value if all positive rows have it. Without positive rows it is
        the empty hypothesis.
        """
        rows = self.codes[self.positive]
        if len(rows) == 0:
            return (NOTHING,) * len(self.attributes.names)
        columns = zip(rows.T, self.attributes.values, strict=True)
        return tuple(
            values[column[0]] if (column == column[0]).all() else ANY for column, values in columns
        )

    def covered_by(self, hypothesis: Conjunction) -> Array:
        """Which rows the hypothesis covers: bool (n_rows,)."""
        covered = np.ones(len(self.codes), dtype=bool)
        for column, wanted, values in zip(
            self.codes.T, hypothesis, self.attributes.values, strict=True
        ):
            if wanted != ANY:
                covered &= column == (values.index(wanted) if wanted in values else -1)
        return covered

    def refuse_contradiction(self) -> None:
        """Refuse rows that no conjunction can tell apart.

        A conjunction that is right for all rows exists if and only if the most specific one that
        covers the positive rows covers no negative row: any other covers more.
        """
        specific = self.most_specific()
        wrong = np.flatnonzero(self.covered_by(specific) & ~self.positive)
        if len(wrong) == 0:
            return
        row = int(wrong[0])
        same = np.flatnonzero((self.codes == self.codes[row]).all(axis=1) & self.positive)
        why = (
            f"rows {int(same[0])} and {row} are the same with different labels"
            if len(same)
            else f"all conjunctions that cover the positive rows also cover row {row}, which is "
            f"{self.labels[0]!r}; the most specific of them is {specific}"
        )
        raise ValueError(
            f"No conjunction of attributes agrees with these rows: {why}. Correct the rows, or "
            "use brute_force_map(..., noise=0.1), which allows for wrong labels."
        )


def examples_of(
    X: TableLike,
    y: LabelsLike | None,
    positive: Label | None = None,
    values: Mapping[str, Sequence[object]] | None = None,
) -> Examples:
    """Rows X with labels y as examples; positive is the label that means yes.

    y may be the name of a column of X, and be left out where X is a textbook's table.

    Without `positive` it is the one that is a usual word for it: True, 1, "yes", "+", "是", "正".

    >>> examples_of([["Sunny"], ["Rainy"]], ["Yes", "No"]).positive
    array([ True, False])
    """
    X, y = with_own_target(X, y)
    X, y = take_column(X, y) if isinstance(y, str) else (X, y)
    labels, label_codes = encode_labels(y)
    names = labels.tolist()
    if len(names) > 2:
        raise ValueError(
            f"A concept has two labels, yes and no; y has {names}. Choose one against the rest."
        )
    positive = _positive_label(names, positive)
    negative = next((name for name in names if name != positive), f"not {positive}")
    attributes = attributes_of(X, values)
    codes = attributes.encode(X)
    if len(codes) != len(label_codes):
        raise ValueError(
            f"X has {len(codes)} rows, y has {len(label_codes)} labels: give one label for each "
            "row."
        )
    is_positive = np.array([name == positive for name in names])[label_codes]
    return Examples(attributes, codes, is_positive, (negative, positive))


def _positive_label(labels: list[Label], positive: Label | None = None) -> Label:
    """The label that means yes: as given, or the one that is a usual word for it.

    Case does not matter. 1 means yes beside 0 or -1. Where neither or both are such words, the
    label must be given: the larger of "+" and "-" is "-", and that of 正 and 负 is 负.

    >>> _positive_label(["+", "-"]), _positive_label(["正", "负"]), _positive_label([-1, 1])
    ('+', '正', 1)
    """
    if positive is not None:
        if len(labels) == 2 and not any(_is_same(label, positive) for label in labels):
            raise ValueError(f"positive must be one of the labels {labels}, got {positive!r:.50}.")
        return positive
    if len(labels) < 2:
        raise ValueError(
            f"y has one label only, {labels[0]!r}. Say positive={labels[0]!r} if it means yes."
        )
    names = [category_name(label).strip().casefold() for label in labels]
    positive_words = [label for label, name in zip(labels, names, strict=True) if name in WORDS]
    if not positive_words and set(names) & ZEROS:
        positive_words = [label for label, name in zip(labels, names, strict=True) if name in ONES]
    if len(positive_words) == 1:
        return positive_words[0]
    raise ValueError(
        f"Which of the labels {labels} means yes? Say positive={labels[1]!r} or "
        f"positive={labels[0]!r}. Without it, labels such as yes and no, true and false, 1 and 0, "
        "+ and -, 正 and 负, 是 and 否 are known."
    )


def _is_same(label: object, positive: object) -> bool:
    # an array or a table has an answer of its own to ==
    return isinstance(positive, (str, Real, date, np.generic)) and bool(label == positive)
