"""Lengths in bits: what binned columns and decision trees measure by."""

import numpy as np

Array = np.ndarray


def choice_bits(n_choices: float) -> float:
    """Bits to name one of n things that are equally probable: log2 n; 0 if there is none.

    >>> choice_bits(8), choice_bits(0)
    (3.0, 0.0)
    """
    return float(np.log2(max(n_choices, 1)))


def bits_of(class_count: Array) -> Array:
    """n times the entropy of the class, in bits: what it takes to write the classes of n rows.

        n Ent = n log2 n - sum over c of n_c log2 n_c

    >>> bits_of(np.array([[2.0, 2.0], [0.0, 4.0]]))
    array([4., 0.])
    """
    total = class_count.sum(axis=-1)
    logs = np.log2(np.where(class_count > 0, class_count, 1.0))
    log_total = np.log2(np.where(total > 0, total, 1.0))
    return np.maximum(total * log_total - (class_count * logs).sum(axis=-1), 0.0)
