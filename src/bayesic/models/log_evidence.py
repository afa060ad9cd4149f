"""Models whose parameters can be integrated out: the probability of all that was learned."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bayesic.data.arguments import check_is_fitted
from bayesic.estimation.normal_evidence import NormalPrior

LEVELS, NUMBERS, COUNTS, WORDS = "levels", "numbers", "counts", "words"
STANDARD = NormalPrior()  # of columns in standard units


@dataclass(frozen=True)
class LogEvidence:
    """log P(D | M), and what D is: only evidences of the same data can be compared."""

    log: float
    seen_as: Mapping[str, str]  # column -> what the model takes its cells for: levels, numbers, ...


def bins_at(cuts: Iterable[float]) -> str:
    """What cells are that only count by their bin.

    >>> bins_at([2.0, 5.5])
    'bins cut at [2.0, 5.5]'
    """
    return f"bins cut at {[*map(float, cuts)]}"


def evidence_of(model: Any, prior: NormalPrior = STANDARD) -> LogEvidence:
    """log P(D | M) of all that a model has learned, and of what."""
    check_is_fitted(model)
    with model.at_work():
        return model._fitted.evidence(model._described().names, prior)
