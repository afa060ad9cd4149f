"""What every action costs in every class, in any way to write it, and what it costs on average."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bayesic.data.arguments import as_numbers, tell
from bayesic.data.frames import is_table
from bayesic.data.source import opened_file
from bayesic.decisions.names import as_names, positions
from bayesic.kernels import Array
from bayesic.statistics.additive import Immutable

Nested = dict[Any, dict[Any, Any]]  # action -> class -> cost

REJECT = "reject"  # the name of taking no action, whatever the other actions are called

# how people call the three columns
TRUTH = {"truth", "true", "actual", "class", "label", "y", "target", "真实", "真值", "类别", "实际"}
ACTION = {"action", "decision", "predicted", "prediction", "answer", "行动", "动作", "决策", "预测"}
COST = {"cost", "loss", "price", "代价", "损失", "成本"}


@dataclass(frozen=True, eq=False)
class Loss(Immutable):
    """The cost of every action in every class, with their names."""

    actions: tuple  # names of the rows; their numbers if they have no names
    classes: tuple | None  # names of the columns; None if they have no names
    matrix: Array  # (n_actions, n_classes)


def expected_loss(posterior: Array, loss: Array) -> Array:
    """The risk of every action for every row: (n_rows, n_actions).

        R(i | x) = sum over j of loss_ij P(c_j | x)

    loss : (n_actions, n_classes), the cost of action i when the class is j

    >>> expected_loss(np.array([[0.75, 0.25]]), np.array([[0, 5], [1, 0]]))
    array([[1.25, 0.75]])
    """
    # not posterior @ loss.T: its last digit depends on how many rows come at once
    return np.einsum("rj,ij->ri", posterior, loss)


def as_loss(loss: Any, classes: tuple | None = None, n_classes: int | None = None) -> Loss:
    """Any way to write a loss, as a Loss with its columns in the order of the classes.

    loss : an array (n_actions, n_classes); a dict action -> class -> cost; a pandas, polars or
        pyarrow table with a column for each class, whose first column (or pandas index, if it
        holds names) has the names of the actions; a long table with columns truth, action and
        cost, a list of (truth, action, cost), or a dict (truth, action) -> cost; None for 0-1 loss
    classes : names of the classes, if they are known; a loss with other names is refused
    n_classes : number of classes, where only that is known

    An array has no names. If it has as many rows as there are named classes, action i is "say
    class i" and has the name of the class; otherwise actions have their numbers as names.

    >>> credit = {"approve": {"good": 0, "bad": 5}, "decline": {"good": 1, "bad": 0}}
    >>> as_loss(credit, classes=("bad", "good")).matrix
    array([[5., 0.],
           [0., 1.]])
    """
    if _are_triples(loss):
        loss = _nested(loss)
    if isinstance(loss, Mapping):
        by_pairs = _are_pairs(loss)
        loss = _nested((*pair, cost) for pair, cost in loss.items()) if by_pairs else loss
        return _in_order_of(classes, _checked(_from_mapping(loss)))
    if is_table(loss):
        return _in_order_of(classes, _checked(_from_table(loss)))
    return _checked(_from_array(loss, classes, n_classes if classes is None else len(classes)))


def read_loss(path: Path) -> Nested:
    """Action -> class -> cost, from a CSV, TSV or Parquet file.

    The first column names the actions, each other column is a class; or its three columns are
    truth, action and cost.
    """
    file = opened_file(path)
    first, *others = names = file.names
    in_long = _long_columns(names)
    kinds = ("category", "category", "number")
    declared = dict(zip(in_long, kinds, strict=True)) if in_long else {first: "category"}
    table = file.whole(dict.fromkeys(others, "number") | declared)
    columns = table if isinstance(table, Mapping) else table.to_pydict()
    if in_long is not None:
        return _nested(zip(*(columns[name] for name in in_long), strict=True))
    _tell_if_rows_are_classes(first)
    loss: Nested = {}
    for action, *costs in zip(*columns.values(), strict=True):
        if action in loss:
            raise ValueError(f"{path}: every action must have one row, got {action!r} twice.")
        loss[action] = dict(zip(others, costs, strict=True))
    return loss


def checked_reject_loss(reject_loss: object, actions: tuple) -> float:
    """The cost of taking no action as a finite number.

    >>> checked_reject_loss(1, actions=("approve", "decline"))
    1.0
    """
    cost = as_numbers(reject_loss, "reject_loss")
    if cost.ndim > 0 or not np.isfinite(cost):
        raise ValueError(
            f"reject_loss must be one finite number, got {reject_loss!r}. "
            "Leave it out if there is always something to do."
        )
    if REJECT in actions:
        raise ValueError(
            f"reject_loss gives the name {REJECT!r} to taking no action, but loss has an action "
            f"of that name. Call it something else, or leave out reject_loss."
        )
    return float(cost)


def _from_array(loss: object, classes: tuple | None, n_classes: int | None) -> Loss:
    matrix = _zero_one(n_classes) if loss is None else _checked_array(loss, n_classes)
    if classes is not None and len(matrix) == len(classes):
        return Loss(classes, classes, matrix)
    return Loss(tuple(range(len(matrix))), classes, matrix)


def _zero_one(n_classes: int | None) -> Array:
    if n_classes is None:
        raise ValueError(
            "Without a loss every mistake costs 1, but which classes are there? "
            "Give loss, or classes=['ham', 'spam']."
        )
    return 1.0 - np.eye(n_classes)


def _checked_array(loss: object, n_classes: int | None) -> Array:
    matrix = as_numbers(loss, "loss")
    if matrix.ndim != 2 or 0 in matrix.shape or matrix.shape[1] != (n_classes or matrix.shape[1]):
        columns = "class" if n_classes is None else f"of the {n_classes} classes"
        is_turned = matrix.ndim == 2 and matrix.shape[0] == n_classes
        hint = " It has a row for each class: the axes look transposed." if is_turned else ""
        raise ValueError(
            f"loss must have a row for each action and a column for each {columns}, "
            f"got shape {matrix.shape}. loss[i][j] is the cost of action i in class j.{hint}"
        )
    return matrix


def _from_mapping(loss: Mapping) -> Loss:
    costs_of = dict(loss)
    for action, costs in costs_of.items():
        if not isinstance(costs, Mapping):
            raise TypeError(
                "A loss that is a dict must hold a dict of costs for each action, got "
                f"{costs!r} for {action!r}. Write {{action: {{class: cost}}}}."
            )
    classes = tuple(dict.fromkeys(name for costs in costs_of.values() for name in costs))
    for action, costs in costs_of.items():
        missing = [name for name in classes if name not in costs]
        if missing:
            raise ValueError(
                f"loss has no cost for action {action!r} when the class is {missing[0]!r}: it has "
                f"costs for {list(costs)}. Give the cost, 0 if there is none."
            )
    rows = [[costs[name] for name in classes] for costs in costs_of.values()]
    return Loss(tuple(costs_of), classes, as_numbers(rows, "loss"))


def _from_table(loss: Any) -> Loss:
    import narwhals as nw

    frame = nw.from_native(loss)
    if isinstance(frame, nw.LazyFrame):
        raise TypeError(
            f"loss must be a table in memory, got a lazy {type(loss).__name__}. "
            "Read it first: .collect() in polars, .df() or .pl() in DuckDB."
        )
    if 0 in frame.shape:
        return Loss((), (), np.empty((0, 0)))
    columns = dict(zip(frame.columns, frame.iter_columns(), strict=True))
    in_long = _long_columns(frame.columns)
    if in_long is not None:
        lists = [columns[name].to_list() for name in in_long]
        return _from_mapping(_nested(zip(*lists, strict=True)))
    index: Any = nw.maybe_get_index(frame)
    has_index = _holds_names(index)
    first = index.name if has_index else frame.columns[0]
    actions = as_names(index if has_index else columns.pop(first).to_list(), "The actions of loss")
    _tell_if_rows_are_classes(first)
    costs = [
        as_numbers(column.to_numpy(), f"loss, class {name!r},") for name, column in columns.items()
    ]
    return Loss(actions, tuple(columns), np.array(costs).reshape(len(costs), len(actions)).T)


def _holds_names(index: Any) -> bool:
    """Whether a pandas index was set by the user, not just made of the numbers of the rows."""
    return index is not None and (index.name is not None or index.dtype.kind not in "iu")


def _in_order_of(classes: tuple | None, loss: Loss) -> Loss:
    if classes is None or loss.classes is None:
        return loss
    columns = positions(classes, loss.classes)
    missing = [name for name, column in zip(classes, columns, strict=True) if column < 0]
    unknown = [name for number, name in enumerate(loss.classes) if number not in columns]
    if missing or unknown:
        raise ValueError(
            f"loss must have a cost for each class and for nothing else. Classes: {list(classes)}, "
            f"missing in loss: {missing}, in loss but no class: {unknown}. "
            "In a table the first column has the names of the actions."
            f"{_transposed_hint(classes, loss.actions)}"
        )
    return Loss(loss.actions, classes, loss.matrix[:, columns])


def _checked(loss: Loss) -> Loss:
    n_actions, n_classes = len(loss.actions), loss.matrix.shape[-1]
    if loss.matrix.shape != (n_actions, n_classes) or 0 in loss.matrix.shape:
        raise ValueError(
            "loss must have one cost for each action and class, and at least one of both, got "
            f"shape {loss.matrix.shape}. Write {{action: {{class: cost}}}}."
        )
    not_finite = np.argwhere(~np.isfinite(loss.matrix))
    if len(not_finite):
        row, column = not_finite[0]
        name = int(column) if loss.classes is None else loss.classes[column]
        raise ValueError(
            f"loss must be finite, got {loss.matrix[row, column]} for action "
            f"{loss.actions[row]!r} in class {name!r}. Use a large number instead of infinity."
        )
    return loss


# long tables: one line for each truth and action, with its cost ----------------------------------


def _long_columns(names: Sequence[object]) -> tuple[Any, Any, Any] | None:
    """The columns of truth, action and cost in a long table, in any order; None for another table.

    >>> _long_columns(["action", "truth", "cost"]), _long_columns(["action", "good", "bad"])
    (('truth', 'action', 'cost'), None)
    """
    if len(names) != 3:
        return None
    found = [[name for name in names if _word(name) in words] for words in (TRUTH, ACTION, COST)]
    truth, action, cost = found
    return (truth[0], action[0], cost[0]) if truth and action and cost else None


def _are_triples(loss: object) -> bool:
    """Whether this is a list of (truth, action, cost), and no matrix of numbers.

    >>> _are_triples([("bad", "approve", 5)]), _are_triples([[0, 5, 1], [1, 0, 2]])
    (True, False)
    """
    return (
        isinstance(loss, (list, tuple))
        and len(loss) > 0
        and all(isinstance(row, (list, tuple)) and len(row) == 3 for row in loss)
        and any(isinstance(name, str) for row in loss for name in row[:2])
    )


def _are_pairs(loss: Mapping) -> bool:
    """Whether this is a dict of (truth, action) and cost.

    >>> _are_pairs({("bad", "approve"): 5}), _are_pairs({"approve": {"bad": 5}})
    (True, False)
    """
    return bool(loss) and all(
        isinstance(key, tuple) and len(key) == 2 and not isinstance(cost, Mapping)
        for key, cost in loss.items()
    )


def _nested(triples: Iterable[Sequence[object]]) -> Nested:
    """Action -> class -> cost, from (truth, action, cost).

    >>> _nested([("good", "approve", 0), ("bad", "approve", 5)])
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


def _tell_if_rows_are_classes(first_column: object) -> None:
    """Warn of a table whose first column is called as that of the truth."""
    if _word(first_column) in TRUTH:
        tell(
            f"The first column of loss is called {first_column!r}, as if its rows were classes. "
            "They are taken for actions, and the other columns for classes. If it is the other way "
            "round, transpose the table; if not, call that column 'action'."
        )


def _transposed_hint(classes: Sequence[object], actions: Sequence[object]) -> str:
    """What to say where the names of the actions are those of the classes.

    >>> _transposed_hint(["bad", "good"], ["good", "bad"])
    ' Its actions are the classes: the axes look transposed. Actions come first, then classes.'
    """
    if {*map(str, classes)} != {*map(str, actions)}:
        return ""
    return (
        " Its actions are the classes: the axes look transposed. Actions come first, then classes."
    )


def _word(name: object) -> str:
    return str(name).strip().casefold()
