"""Whether an estimator has learned."""

from typing import Any


def has_learned(estimator: Any) -> bool:
    """Whether something was set that only learning sets: its names end with an underscore.

    >>> class Urn: ...
    >>> has_learned(Urn())
    False
    """
    return any(name.endswith("_") and not name.startswith("__") for name in vars(estimator))


def forget_learned(estimator: Any) -> None:
    """Take away all that learning has set: a model that learns anew begins with nothing."""
    for name in [name for name in vars(estimator) if name.endswith("_")]:
        delattr(estimator, name)


def check_is_fitted(estimator: Any) -> None:
    """Refuse an estimator that has learned nothing, as scikit-learn's function of this name does.

    That one is loaded only to refuse: it takes long to load.
    """
    if not has_learned(estimator):
        from sklearn.utils import validation

        validation.check_is_fitted(estimator)
