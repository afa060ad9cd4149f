"""What the nearest rows say: shares of classes, and means."""

import numpy as np

Array = np.ndarray

WEIGHTS = ("uniform", "distance")


def neighbour_weights(distance: Array, weights: str) -> Array:
    """How much each of the k neighbours counts: (n_asked, k), k in all for each row.

        uniform    w_i = 1
        distance   w_i ~ 1 / d_i

    If neighbours are at distance 0, they share the weight and the others count nothing.

    >>> neighbour_weights(np.array([[1.0, 3.0], [0.0, 3.0]]), "distance")
    array([[1.5, 0.5],
           [2. , 0. ]])
    """
    if weights == "uniform":
        return np.ones_like(distance)
    nearest = distance[:, :1]
    # relative to the nearest: 1 / d alone could be too large for a number
    closeness = np.where(distance == nearest, 1.0, nearest / np.where(distance == 0, 1.0, distance))
    total = np.zeros_like(nearest)
    for neighbour in range(distance.shape[1]):
        total += closeness[:, neighbour, None]
    return closeness * (distance.shape[1] / total)


def class_shares(codes: Array, weights: Array, n_classes: int, smoothing: float) -> Array:
    """The share of each class among the neighbours: (n_asked, n_classes).

        P(c | x) = (k_c + lambda) / (k + K lambda)

    k_c is the weight of the neighbours of class c, k that of all of them, K the number of classes.
    lambda = 0 gives the plain shares, lambda = 1 those of Laplace.

    codes   : (n_asked, k), the class number of each neighbour
    weights : (n_asked, k), as `neighbour_weights` gives them

    >>> class_shares(np.array([[0, 1, 1]]), np.ones((1, 3)), n_classes=2, smoothing=1.0)
    array([[0.4, 0.6]])
    """
    n_asked, k = codes.shape
    shares = np.full((n_asked, n_classes), float(smoothing))
    for neighbour in range(k):  # one after the other: a row does not hang on those beside it
        shares[np.arange(n_asked), codes[:, neighbour]] += weights[:, neighbour]
    return shares / (k + n_classes * smoothing)


def neighbour_means(targets: Array, weights: Array) -> Array:
    """The weighted mean of the neighbours' targets: (n_asked, n_outputs).

        f(x) = sum over i of w_i y_i / k

    targets : (n_asked, k, n_outputs)

    >>> neighbour_means(np.array([[[1.0], [2.0], [6.0]]]), np.ones((1, 3)))
    array([[3.]])
    """
    n_asked, k, n_outputs = targets.shape
    total = np.zeros((n_asked, n_outputs))
    for neighbour in range(k):
        total += weights[:, neighbour, None] * targets[:, neighbour]
    return total / k
