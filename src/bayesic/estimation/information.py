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
    occurs = counts > 0
    if not occurs.any():
        return 0.0
    of_class, of_x, of_y = (
        np.broadcast_to(counts.sum(axis=axes, keepdims=True), counts.shape)[occurs]
        for axes in ((0, 1), 1, 0)
    )
    ratio = (counts[occurs] / of_x) * (of_class / of_y)  # products of tiny soft counts would be 0
    # rounding may leave less than nothing
    return max(float((counts[occurs] * np.log(ratio)).sum() / counts.sum()), 0.0)
