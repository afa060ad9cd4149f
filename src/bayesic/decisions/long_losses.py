"""Losses written as long tables: one line for each truth and action, with its cost."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bayesic.data.notices import tell

Nested = dict[Any, dict[Any, Any]]  # action -> class -> cost

# how people call the three columns
TRUTH = {"truth", "true", "actual", "class", "label", "y", "target", "真实", "真值", "类别", "实际"}
ACTION = {"action", "decision", "predicted", "prediction", "answer", "行动", "动作", "决策", "预测"}
COST = {"cost", "loss", "price", "代价", "损失", "成本"}


def long_columns(names: Sequence[Any]) -> tuple[Any, Any, Any] | None:
    """The columns of truth, action and cost in a long table, in any order; None for another table.

    >>> long_columns(["action", "truth", "cost"]), long_columns(["action", "good", "bad"])
    (('truth', 'action', 'cost'), None)
    """
    if len(names) != 3:
        return None
    found = [[name for name in names if _word(name) in words] for words in (TRUTH, ACTION, COST)]
    truth, action, cost = found
    return (truth[0], action[0], cost[0]) if truth and action and cost else None


def are_triples(loss: Any) -> bool:
    """Whether this is a list of (truth, action, cost), and no matrix of numbers.

    >>> are_triples([("bad", "approve", 5)]), are_triples([[0, 5, 1], [1, 0, 2]])
    (True, False)
    """
    return (
        isinstance(loss, (list, tuple))
        and len(loss) > 0
        and all(isinstance(row, (list, tuple)) and len(row) == 3 for row in loss)
        and any(isinstance(name, str) for row in loss for name in row[:2])
    )


def are_pairs(loss: Mapping) -> bool:
    """Whether this is a dict of (truth, action) and cost.

    >>> are_pairs({("bad", "approve"): 5}), are_pairs({"approve": {"bad": 5}})
    (True, False)
    """
    return bool(loss) and all(
        isinstance(key, tuple) and len(key) == 2 and not isinstance(cost, Mapping)
        for key, cost in loss.items()
    )


def nested(triples: Iterable[Sequence[Any]]) -> Nested:
    """Action -> class -> cost, from (truth, action, cost).

    >>> nested([("good", "approve", 0), ("bad", "approve", 5)])
    {'approve': {'good': 0, 'bad': 5}}
    """
    costs: Nested = {}
    for truth, action, cost in triples:
        try:
            of_action = costs.setdefault(action, {})
            twice = truth in of_action
        except TypeError as error:
            raise ValueError(
                f"Names of classes and actions must be words or numbers, got {truth!r:.40} and "
                f"{action!r:.40} in loss."
            ) from error
        if twice:
            raise ValueError(
                f"loss must give one cost for each truth and action, got two for {truth!r} and "
                f"{action!r}."
            )
        of_action[truth] = cost
    return costs


def tell_if_rows_are_classes(first_column: Any) -> None:
    """Warn of a table whose first column is called as that of the truth."""
    if _word(first_column) in TRUTH:
        tell(
            f"The first column of loss is called {first_column!r}, as if its rows were classes. "
            "They are taken for actions, and the other columns for classes. If it is the other way "
            "round, transpose the table; if not, call that column 'action'."
        )


def transposed_hint(classes: Sequence[Any], actions: Sequence[Any]) -> str:
    """What to say where the names of the actions are those of the classes.

    >>> transposed_hint(["bad", "good"], ["good", "bad"])
    ' Its actions are the classes: the axes look transposed. Actions come first, then classes.'
    """
    if {*map(str, classes)} != {*map(str, actions)}:
        return ""
    return (
        " Its actions are the classes: the axes look transposed. Actions come first, then classes."
    )


def _word(name: Any) -> str:
    return str(name).strip().casefold()
