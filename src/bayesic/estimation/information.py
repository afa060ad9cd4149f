"""How much columns tell about the class, and about each other within the classes, in nats."""

import numpy as np

Array = np.ndarray


def class_information(counts: Array) -> float:
    """The mutual information of a column and the class.

        I(X; C) = sum over v, c of P(v, c) log(P(v, c) / (P(v) P(c)))

    counts : (n_levels, n_classes), rows with each level in each class

    >>> class_information(np.array([[3, 0], [0, 3]])), class_information(np.array([[1, 2], [2, 4]]))
    (0.6931471805599453, 0.0)
    """
    return conditional_information(counts[:, :, None])


def conditional_information(counts: Array) -> float:
    """The mutual information of two columns within the classes ([FriedmanTAN] section 4.1).

        I(X; Y | C) = sum over x, y, c of P(x, y, c) log(P(x, y | c) / (P(x | c) P(y | c)))

    counts : (levels of X, levels of Y, n_classes), rows in which both were observed

    >>> conditional_information(np.array([[[2, 1], [0, 1]], [[0, 1], [2, 1]]]))
    0.34657359027997264
    """
    counts = counts.astype(np.float64)
    of_class = counts.sum(axis=(0, 1))
    expected = counts.sum(axis=1)[:, None, :] * counts.sum(axis=0)[None, :, :]
    occurs = counts > 0
    ratio = counts[occurs] * np.broadcast_to(of_class, counts.shape)[occurs] / expected[occurs]
    if not occurs.any():
        return 0.0
    # rounding may leave less than nothing
    return max(float((counts[occurs] * np.log(ratio)).sum() / of_class.sum()), 0.0)
