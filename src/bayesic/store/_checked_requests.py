"""What users give to the verbs that write, checked, as requests."""

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any

from bayesic.data.arguments import has_learned, is_whole_number
from bayesic.data.labels import declared_classes
from bayesic.networks.network import BeliefNetwork
from bayesic.store._admission import check_model, check_names, check_rows
from bayesic.store._adopting import Adopt
from bayesic.store._requests import Compact, Correct, Create, Delete, Forget, Learn, Request
from bayesic.store._windows import check_window
from bayesic.store.model_bytes import bytes_of, checked_model, model_of
from bayesic.store.plain_rows import Id, Ids, Row, check_label, plain
from bayesic.store.text_rows import rows_and_ids


def _create(
    name: str,
    model: object,
    classes: object = None,
    smoothing: object = None,
    window: object = None,
) -> Request:
    if not isinstance(name, str) or not name or not _is_writable(name):
        raise ValueError(f"The name of a model must be a text, got {name!r:.80}.")
    checked_model(model)
    if window is not None:
        check_window(window, model)
    mine = model_of(bytes_of(model))
    if "choices" in _parameters(mine):
        mine.set_params(choices="hold")  # so that one row costs one row
    declared = _declared(mine, classes, smoothing)
    check_model(mine, declared.get("classes", ()))
    data = bytes_of(mine)
    return Create(name, model_of(data), data, declared, window)


def _parameters(model: Any) -> Mapping[str, Any]:
    return {} if isinstance(model, BeliefNetwork) else model.get_params(deep=False)


def _declared(model: Any, classes: object, smoothing: object) -> dict[str, Any]:
    """What the first `partial_fit` gets, if the model takes it."""
    name, takes = type(model).__name__, signature(model.partial_fit).parameters
    given = {"classes": classes, "smoothing": smoothing}
    declared = {argument: value for argument, value in given.items() if value is not None}
    for argument in declared:
        if argument not in takes or has_learned(model):
            state = "a fitted" if has_learned(model) else "a"
            raise TypeError(f"{argument} means nothing to {state} {name}. Leave it out.")
    if "classes" in declared:
        declared["classes"] = declared_classes(classes).tolist()
    elif _needs_classes(model):
        raise ValueError(
            f"A {name} must know its classes before it learns row by row. Give all that can come: "
            "create(name, model, classes=['ham', 'spam'])."
        )
    return declared


def _needs_classes(model: Any) -> bool:
    """Whether the first `partial_fit` needs every class."""
    takes = "classes" in signature(model.partial_fit).parameters
    return takes and not has_learned(model) and getattr(model, "declares_classes", False)


def _learn(name: str, rows: object, y: object = None, ids: Ids | None = None) -> Learn:
    given, ids = rows_and_ids(rows, y, ids)
    check_rows(given)
    checked = None if ids is None else _ids(ids)
    if checked is not None and len(checked) != len(given):
        raise ValueError(f"Give one id for each of the {len(given)} rows, got {len(checked)}.")
    return Learn(name, given, checked)


def _adopt(name: str, rows: object, y: object = None, ids: Ids | None = None) -> Request:
    learn = _learn(name, rows, y, ids)
    if learn.ids is None:
        raise ValueError("adopt gives ids to rows that a model knows: give one for each row.")
    return Adopt(name, learn.rows, learn.ids)


def _forget(name: str, ids: Any) -> Request:
    return Forget(name, _ids([ids] if isinstance(ids, str) or is_whole_number(ids) else ids))


def _correct(name: str, id: Id, y: object) -> Request:
    (checked,) = _ids([id])
    if isinstance(y, Mapping):
        cells = {str(key): plain(cell) for key, cell in y.items()}
        check_rows([Row(cells)])
        return Correct(name, checked, cells)
    label = plain(y)
    check_label(label)
    check_names("A class", [label])
    return Correct(name, checked, label)


def _compact(name: str, keep_rows: bool = True) -> Request:
    return Compact(name, bool(keep_rows))


def _ids(ids: Ids) -> Sequence[str]:
    """Ids as texts: a whole number is the text of its digits."""
    listed = list(ids)
    for id in listed:
        is_text = isinstance(id, str) and id and _is_writable(id)
        if not is_text and not is_whole_number(id):
            raise TypeError(f"An id must be a text or a whole number, got {id!r:.80}.")
    checked = list(map(str, listed))
    if not checked or len(set(checked)) < len(checked):
        raise ValueError(
            f"Give at least one id, and each only once, got {len(checked)} with "
            f"{len(set(checked))} different ones."
        )
    return checked


def _is_writable(text: str) -> bool:
    """Whether UTF-8 can hold it: half of a surrogate pair it cannot."""
    return all(not 0xD800 <= ord(mark) <= 0xDFFF for mark in text)


REQUESTS: dict[str, Callable[..., Request]] = {
    "create": _create,
    "delete": Delete,
    "learn": _learn,
    "adopt": _adopt,
    "forget": _forget,
    "correct": _correct,
    "compact": _compact,
}
