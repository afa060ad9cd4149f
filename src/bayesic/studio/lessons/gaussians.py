"""Gaussian classes, and the boundary between them: naive, linear, quadratic."""

from typing import Any

import numpy as np

from bayesic.data.arguments import check_one_of
from bayesic.kernels import Array
from bayesic.models.normal.gaussian_bayes import GaussianBayes
from bayesic.serve.request_bodies import check_fields
from bayesic.studio.lessons.lesson_values import number, numbers
from bayesic.studio.lessons.plane import CLASSES, by_rows, grid, melons, picture, point

FORMS = ("diagonal", "tied", "full")  # naive Bayes, LDA, QDA
LEAST_SPREAD = 0.01


def gaussians(body: dict[str, Any]) -> dict[str, object]:
    """Log odds over the plane for two Gaussian classes, and the probabilities at a point.

    classes : those of the watermelons if null; else of each class its mean, half an axis of its
              ellipse (standard deviation 1) as a vector, and the length of the other half axis

    >>> answer = gaussians({"classes": None, "covariance": "tied", "point": [0.5, 0.25]})
    >>> answer["n_parameters"], [round(mean, 4) for mean in answer["ellipses"][0]["mean"]]
    (7, [0.5737, 0.2787])
    """
    check_fields(body, ("classes", "covariance", "point"))
    check_one_of("covariance", body["covariance"], FORMS)
    X, y = melons()
    count = np.array([np.count_nonzero(y == label) for label in CLASSES])
    weights = None
    if body["classes"] is not None:
        X, y, weights = _rows_of(body["classes"], count)
    model = GaussianBayes(body["covariance"]).fit(X, y, sample_weight=weights)
    whole = GaussianBayes().fit(X, y, sample_weight=weights)
    at = point("point", body["point"])
    order = [model.classes_.tolist().index(label) for label in CLASSES]
    log_joint = model.predict_joint_log_proba(grid())[:, order]
    return {
        **picture(),
        "ellipses": [_ellipse(whole.means_[c], whole.covariance_[c]) for c in order],
        "model_ellipses": [_ellipse(model.means_[c], _matrix(model, c)) for c in order],
        "covariances": [_matrix(model, c).tolist() for c in order],
        "prior": model.priors_[order].tolist(),
        "n_parameters": model.n_parameters,
        "shares": by_rows(np.exp(log_joint[:, 0] - np.logaddexp(*log_joint.T)).round(3)),
        "log_odds": by_rows((log_joint[:, 0] - log_joint[:, 1]).round(6)),
        "probabilities": model.predict_proba([at])[0, order].tolist(),
    }


def _matrix(model: GaussianBayes, of_class: int) -> Array:
    """The covariance matrix that the model has for a class."""
    found = model.covariance_
    if model.covariance == "tied":
        return found
    return np.diag(found[of_class]) if model.covariance == "diagonal" else found[of_class]


def _ellipse(mean: Array, covariance: Array) -> dict[str, object]:
    """The mean, half of the longer axis as a vector, and the length of half of the other one."""
    values, vectors = np.linalg.eigh(covariance)
    lengths = np.sqrt(np.maximum(values, 0))
    axis = vectors[:, 1] * lengths[1]
    axis = axis if axis[0] >= 0 else -axis
    return {"mean": mean.tolist(), "axis": axis.tolist(), "other": float(lengths[0])}


def _rows_of(given: object, count: Array) -> tuple[Array, Array, Array]:
    """Four rows for each class, at the ends of the axes: they have these means and covariances.

    With u and v as half axes, the rows mean ± sqrt(2) u, mean ± sqrt(2) v have the covariance
    u u' + v v'. The weights of a class add up to the number of its melons.
    """
    if not isinstance(given, list) or len(given) != len(CLASSES):
        raise ValueError(f"classes must be a list of {len(CLASSES)} ellipses, got {given!r:.60}.")
    rows = []
    for one in given:
        check_fields(one, ("mean", "axis", "other"))
        mean = np.array(numbers("mean", one["mean"], 2, -1, 2))
        axis = np.array(numbers("axis", one["axis"], 2, -1, 1))
        length = number("other", one["other"], LEAST_SPREAD, 1)
        if np.hypot(*axis) < LEAST_SPREAD:
            raise ValueError(f"An axis must be at least {LEAST_SPREAD} long, got {one['axis']}.")
        across = np.array([-axis[1], axis[0]]) / np.hypot(*axis) * length
        steps = np.sqrt(2) * np.array([axis, -axis, across, -across])
        rows.append(mean + steps)
    labels = np.repeat(CLASSES, 4)
    return np.concatenate(rows), labels, np.repeat(count / 4, 4)
