"""Answers that must be sure enough: a class is answered only from a probability on."""

from collections.abc import Mapping
from typing import Any

import numpy as np

Array = np.ndarray


def most_probable_above(posterior: Array, classes: Array, thresholds: Mapping[Any, float]) -> Array:
    """The most probable class of each row, of those that reach their threshold.

    A class with a threshold t is answered only where P(class | x) >= t; a class without one always
    can be. So with spam: 0.99 a mail is spam if that is at least 0.99 probable, and otherwise the
    most probable of the others. By costs: t = 0.99 is right where to lose a mail costs 99 times as
    much as to see a spam.

    >>> posterior = np.array([[0.005, 0.995], [0.05, 0.95]])
    >>> most_probable_above(posterior, np.array(["ham", "spam"]), {"spam": 0.99})
    array(['spam', 'ham'], dtype='<U4')
    """
    least = np.array(
        [checked_thresholds(thresholds, classes).get(c, 0.0) for c in classes.tolist()]
    )
    return classes[np.where(posterior >= least, posterior, -1.0).argmax(axis=1)]


def checked_thresholds(thresholds: Mapping[Any, float], classes: Array) -> dict[Any, float]:
    """The thresholds, if they are probabilities of classes, and leave a class to be answered.

    >>> checked_thresholds({"spam": 0.99}, np.array(["ham", "spam"]))
    {'spam': 0.99}
    """
    known = classes.tolist()
    for label, least in thresholds.items():
        if label not in known:
            raise ValueError(
                f"A threshold must be of one of the classes {', '.join(map(str, known))}, got "
                f"{label!r}."
            )
        if not 0 <= least <= 1:
            raise ValueError(f"The threshold of {label!r} must be from 0 to 1, got {least}.")
    if len(thresholds) == len(known):
        raise ValueError(
            "At least one class must have no threshold: it is answered where no other class is "
            "probable enough."
        )
    return dict(thresholds)
