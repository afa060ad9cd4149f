"""Features that are counted, words above all: what each tells of the class."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from bayesic.estimation.information import telling
from bayesic.evidence.column_table import ColumnTable, shares_by_class
from bayesic.evidence.fractions import class_shares, exact
from bayesic.evidence.summary import ColumnSummary

Array = np.ndarray

BITS_OF_OCCURRENCES = "bits: what each adds to the bits that one occurrence of any of them tells."


def word_summaries(
    names: Sequence[str], log_shares: Array, prior: Array, kind: str
) -> list[ColumnSummary]:
    """What each feature adds to the bits that one occurrence of any of them tells.

    log_shares : (n_features, n_classes), log p(feature | class)
    """
    bits = np.maximum(telling(np.exp(log_shares), prior)[0], 0.0).tolist()
    return [ColumnSummary(name, kind, bits=told) for name, told in zip(names, bits, strict=True)]


def word_table(
    name: str,
    kind: str,
    place: int,
    counts: Array,
    alphas: Array,
    classes: Sequence[Any],
    prior: Array,
    fractions: bool,
) -> ColumnTable:
    """How often a feature occurs in each class, and its share of all that is counted there.

    counts : (n_features, n_classes); alphas : (n_features,), what is added to each
    """
    totals, n_features = counts.sum(axis=0), len(counts)
    amounts = [*map(exact, alphas)] if fractions else None
    added = exact(alphas[place])
    added_to_all = sum(amounts, start=Fraction(0)) if amounts else exact(alphas.sum())
    shares = class_shares(counts[place], totals, added, added_to_all, n_features)
    numbers = shares_by_class(classes, shares, fractions)
    told, favoured, factor = telling(np.array([[*map(float, numbers.values())]]), prior)
    record = {
        "value": name,
        "counts": dict(zip(classes, counts[place].tolist(), strict=True)),
        "shares": numbers,
        "speaks_for": classes[favoured[0]],
        "factor": float(factor[0]),
        "information": float(told[0]),
    }
    return ColumnTable(name, kind, values=(record,), facts={"smoothing": float(alphas[place])})
