"""The prior of models that name classes: learned, uniform, or class -> probability."""

from collections.abc import Mapping

from bayesic.estimation.prior import ClassPrior, checked_prior
from bayesic.kernels import Array


def check_named_prior(prior: object) -> None:
    """Refuse what is neither a word nor a dict."""
    is_word = isinstance(prior, str) and prior in ("learned", "uniform")
    if not is_word and not isinstance(prior, Mapping):
        raise ValueError(
            "prior must be 'learned', 'uniform' or a dict such as {'ham': 0.8, 'spam': 0.2}, "
            f"got {prior!r}."
        )


def named_prior(prior: object, classes: Array, class_count: Array, smoothing: float) -> ClassPrior:
    """The prior that a user asks for: "learned", "uniform", or class -> probability."""
    check_named_prior(prior)
    if not isinstance(prior, Mapping):
        return ClassPrior(class_count, str(prior), smoothing)
    names = classes.tolist()
    missing = [name for name in names if name not in prior]
    unknown = [name for name in prior if name not in names]
    if missing or unknown:
        raise ValueError(
            f"prior must give a probability for each class: it lacks {missing} and has the "
            f"unknown {unknown}. The classes are {names}."
        )
    given = checked_prior([prior[name] for name in names], len(names))
    return ClassPrior(class_count, given, smoothing)
