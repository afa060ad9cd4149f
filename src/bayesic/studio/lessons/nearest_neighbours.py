"""k nearest neighbours among the watermelons."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from bayesic.models.neighbours.neighbours import KNeighborsClassifier
from bayesic.serve.request_bodies import check_fields
from bayesic.studio.lessons.lesson_values import shown, whole
from bayesic.studio.lessons.plane import CLASSES, by_rows, grid, melons, picture, point


def neighbours(body: Mapping[str, object]) -> dict[str, Any]:
    """The k melons that are nearest to a point, and the share of each class among them.

    >>> answer = neighbours({"k": 3, "point": [0.7, 0.4]})
    >>> [one["text"] for one in answer["shares"]]
    ['1', '0']
    """
    check_fields(body, ("k", "point"))
    model = _model(body["k"])
    reason = model.explain([point("point", body["point"])])[0]  # type: ignore[index]
    labels = [one.label for one in reason.neighbours]
    return {
        "nearest": [
            {"row": one.row, "label": CLASSES.index(one.label), "distance": one.distance}
            for one in reason.neighbours
        ],
        "shares": [shown(Fraction(labels.count(label), len(labels))) for label in CLASSES],
        "answer": CLASSES.index(reason.answer),
    }


def regions(body: Mapping[str, object]) -> dict[str, object]:
    """The share of good melons among the k nearest, at each point of a grid."""
    check_fields(body, ("k",))
    model = _model(body["k"])
    good = model.classes_.tolist().index(CLASSES[0])
    return {**picture(), "shares": by_rows(model.predict_proba(grid())[:, good].round(6))}


def _model(k: object) -> KNeighborsClassifier:
    X, y = melons()
    return KNeighborsClassifier(n_neighbors=whole("k", k, 1, len(y))).fit(X, y)
