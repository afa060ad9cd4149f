"""What a learned model says of the rows of its table: as plain values for the page."""

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from bayesic.decisions.decide import decide
from bayesic.evidence.explanation import json_number
from bayesic.kernels import Array
from bayesic.studio.table._open_tables import OpenTable, corrected, shown

N_GRID = 1000  # steps from 0 to 1 on which actions are compared


def loss_of(costs: object, classes: Sequence[object]) -> object:
    """The loss that a person has typed: {"actions": [...], "costs": [[...], ...]}; None for 0-1."""
    if costs is None:
        return None
    given = costs if isinstance(costs, dict) else {}
    actions, rows = given.get("actions"), given.get("costs")
    is_grid = (
        isinstance(actions, list)
        and isinstance(rows, list)
        and len(actions) == len(rows)
        and all(isinstance(row, list) and len(row) == len(classes) for row in rows)
    )
    if not is_grid:
        raise ValueError(
            f"Costs must be a row for each action with a number for each of the {len(classes)} "
            f"classes, got {costs!r:.100}."
        )
    assert actions is not None and rows is not None
    named = zip(actions, rows, strict=True)
    return {action: dict(zip(classes, row, strict=True)) for action, row in named}


def explained(
    model: Any, row: Mapping[str, Any], asked: Mapping[str, Any], loss: object, reject: object
) -> dict[str, Any]:
    """Why a row gets its answer: the evidence, the members' votes, the action of least loss.

    asked : the classes to compare, `answer` and `against`; None for the predicted one and the rest
    """
    start = perf_counter()
    found = model.explain(dict(row), **asked)
    classes = model.classes_.tolist()
    probability = [found.probability[label] for label in classes]
    return {
        "answer": found.answer,
        "against": found.against,
        "prior_log_odds": json_number(found.prior_log_odds),
        "evidence": [
            {
                "name": name,
                "value": found.values.get(name),
                "weight": json_number(weight),
            }
            for name, weight in found.weights.items()
        ],
        "log_odds": json_number(found.log_odds),
        "ruled_out": [[label, list(names)] for label, names in found.ruled_out.items()],
        "classes": classes,
        "probability": probability,
        "votes": _votes(model, found.votes),
        "decision": decided(probability, classes, loss, reject),
        "milliseconds": 1000 * (perf_counter() - start),
    }


def _votes(model: Any, votes: Mapping[str, float]) -> list[dict[str, object]]:
    if not votes:
        return []
    weights = [weight for weight in model.weights_.tolist() if weight > 0]
    named = zip(votes.items(), weights, strict=True)
    return [
        {"member": name, "probability": vote, "weight": weight} for (name, vote), weight in named
    ]


def worked(model: Any, row: Mapping[str, Any]) -> str:
    """The calculation of a row in fractions; models without a product say why there is none."""
    return str(model.work(dict(row)))


def decided(
    probability: Sequence[float], classes: list, loss: Any, reject: Any
) -> dict[str, object]:
    """The action of least expected loss, and what each action is expected to cost."""
    decision = decide([probability], loss, reject, classes)
    return {
        "action": decision.action.tolist()[0],
        "actions": list(decision.actions),
        "risks": decision.risk[0].tolist(),
    }


def regions(classes: list, loss: Any, reject: Any) -> list[dict[str, object]]:
    """Of two classes: which action is best as P(second class) goes from 0 to 1."""
    if len(classes) != 2:
        return []
    grid = np.linspace(0.0, 1.0, N_GRID + 1)
    actions = decide(np.column_stack([1 - grid, grid]), loss, reject, classes).action.tolist()
    found: list[dict[str, Any]] = []
    for share, action in zip(grid.tolist(), actions, strict=True):
        if found and found[-1]["action"] == action:
            found[-1]["to"] = share
        else:
            found.append({"action": action, "from": share, "to": share})
    return found


def listed(
    model: Any,
    target: str | None,
    table: OpenTable,
    indices: Sequence[int],
    changed: Mapping[str, object],
    loss: Any,
    reject: Any,
) -> list[dict[str, Any]]:
    """Rows of a table for the list: their cells, and what the model predicts.

    changed : id -> the label that a row was given since, None if it was forgotten
    """
    rows = [
        {
            "number": int(table.numbers[index]),
            "cells": [shown(cell) for cell in table.row(index).values()],
        }
        for index in indices
    ]
    if model is None or target is None or not rows:
        return rows
    posterior: Array = model.predict_proba(table.without(target, indices))
    classes = model.classes_.tolist()
    actions = decide(posterior, loss, reject, classes).action.tolist()
    for index, row, probability, action in zip(
        indices, rows, posterior.tolist(), actions, strict=True
    ):
        id = str(row["number"])
        best = int(np.argmax(probability))
        row |= {
            "predicted": classes[best],
            "probability": probability[best],
            "action": action,
            "forgotten": id in changed and changed[id] is None,
            "corrected": corrected(changed, id, table.rows[target][index]),
        }
    return rows
