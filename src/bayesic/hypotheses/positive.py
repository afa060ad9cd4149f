"""Which of two labels means yes."""

from datetime import date
from numbers import Real
from typing import Any

import numpy as np

from bayesic.data.columns import category_name

WORDS = {
    *("yes", "y", "true", "t", "positive", "pos", "+", "ja", "oui", "si", "sí"),
    *("是", "真", "正", "正例", "正类", "阳", "阳性", "对", "有", "好"),
}
ONES, ZEROS = {"1", "+1"}, {"0", "-1"}


def positive_label(labels: list[Any], positive: Any = None) -> Any:
    """The label that means yes: as told, or the one that is a usual word for it.

    Case does not matter. 1 means yes beside 0 or -1. Where neither or both are such words, nobody
    can tell: the larger label of "+" and "-" is "-", and that of 正 and 负 is 负.

    >>> positive_label(["+", "-"]), positive_label(["正", "负"]), positive_label([-1, 1])
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
    found = [label for label, name in zip(labels, names, strict=True) if name in WORDS]
    if not found and set(names) & ZEROS:
        found = [label for label, name in zip(labels, names, strict=True) if name in ONES]
    if len(found) == 1:
        return found[0]
    raise ValueError(
        f"Which of the labels {labels} means yes? Say positive={labels[1]!r} or "
        f"positive={labels[0]!r}. Without it, labels such as yes and no, true and false, 1 and 0, "
        "+ and -, 正 and 负, 是 and 否 are known."
    )


def _is_same(label: Any, positive: Any) -> bool:
    # an array or a table has an answer of its own to ==
    return isinstance(positive, (str, Real, date, np.generic)) and bool(label == positive)
