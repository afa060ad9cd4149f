"""How probable all rows are under each of some models: P(D | M), parameters integrated out."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from bayesic.catalogue import MODELS, class_named
from bayesic.data.typing import Classifier
from bayesic.kernels import Array
from bayesic.models.log_evidence import LogEvidence, evidence_of


def check_have_evidence(models: Sequence[Classifier]) -> None:
    """Refuse models whose evidence is not known, or is of other rows."""
    from sklearn.frozen import FrozenEstimator  # takes long to load

    for model in models:
        if isinstance(model, FrozenEstimator):
            raise ValueError(
                "weights='evidence' compares P(D | M) of the rows that fit is given, and a "
                "frozen model has that of the rows it had learned before. Pass the model itself, "
                "or use "
                "weights='held-out'."
            )
        if not hasattr(model, "log_evidence"):
            known = [name for name in MODELS if hasattr(class_named(name), "log_evidence")]
            raise TypeError(
                f"weights='evidence' needs models with log_evidence, and {type(model).__name__} "
                f"has no closed form of it. Those that have it are {', '.join(known)}; "
                "weights='held-out' takes any classifier."
            )


def log_evidences(learned: Sequence[Classifier]) -> Array:
    """log P(D | M) of models that have learned the same rows; of different data it is refused.

    >>> from bayesic.models.arrays.bernoulli import BernoulliNB
    >>> coin = BernoulliNB().fit([[1], [1], [0]], ["heads", "heads", "tails"])
    >>> np.exp(log_evidences([coin, coin])).round(4)  # classes 1/12, cells 1/3 * 1/2
    array([0.0139, 0.0139])
    """
    evidences = [evidence_of(model) for model in learned]
    numbered = list(zip(learned, evidences, strict=True))
    for (one, first), (other, second) in pairwise(numbered):
        _check_same_data(one, first, other, second)
    return np.array([each.log for each in evidences])


def _check_same_data(
    one: Classifier, first: LogEvidence, other: Classifier, second: LogEvidence
) -> None:
    """Refuse to compare models to which the data are not the same."""
    mine, theirs = first.seen_as, second.seen_as
    if mine == theirs:
        return
    names = [*mine, *(name for name in theirs if name not in mine)]
    column = next(name for name in names if mine.get(name) != theirs.get(name))
    shown = [each.get(column, "nothing: it is not used") for each in (mine, theirs)]
    raise ValueError(
        "weights='evidence' compares P(D | M) of the same data D under all models, and these take "
        f"column {column!r} for different data: {type(one).__name__} for {shown[0]:.80}, "
        f"{type(other).__name__} for {shown[1]:.80}. Declare the columns in all models, or use "
        "weights='held-out', which compares P(class | row)."
    )
