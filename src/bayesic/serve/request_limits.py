"""How much one request may bring, and how large a model may grow; each with its sentence."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from bayesic.serve.refusals import RefusedError


@dataclass(frozen=True)
class RequestLimits:
    """What a server takes. Larger than any of these is refused."""

    body: int = 1_000_000  # bytes of a request
    upload: int = 64_000_000  # bytes of a model file
    rows: int = 10_000  # of a request
    cells: int = 10_000  # of a row
    probabilities: int = 1_000_000  # of an answer in one piece: rows times classes
    depth: int = 20  # of lists and objects in each other
    classes: int = 1_000  # of a model
    vocabulary: int = 1_000_000  # words of a model of texts
    waiting: int = 500  # calls that wait for the disk
    connections: int = 1_000
    seconds: float = 30.0  # for a request to come in, for an answer, and for it to be taken
    long_seconds: float = 600.0  # for what reads the whole journal


def check_depth(value: object, most: int) -> None:
    """Refuse lists and objects that are nested too deeply.

    >>> check_depth([[1]], most=2)
    """
    level = [value]
    for _ in range(most):
        level = [part for whole in level for part in _parts(whole)]
        if not level:
            return
    if any(isinstance(part, (dict, list)) for part in level):
        raise too_deep(most)


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def too_deep(most: int) -> RefusedError:
    """Why JSON that is nested too deeply is refused."""
    return RefusedError(
        HTTPStatus.BAD_REQUEST,
        f"Lists and objects may be nested {most} deep, and here they are deeper. A row is a flat "
        "object, a flat list, or a text.",
    )


def check_rows(rows: Sequence[object], limits: RequestLimits) -> None:
    """Refuse too many rows, or too many cells in one of them."""
    check_size(len(rows), widest_of(rows), limits)


def widest_of(rows: Sequence[object]) -> int:
    """How many cells the longest of the rows has; texts have none."""
    return max((len(row) for row in rows if isinstance(row, (dict, list))), default=0)


def check_size(n_rows: int, widest: int, limits: RequestLimits) -> None:
    """Refuse so many rows, or so many cells in one of them."""
    if n_rows > limits.rows:
        raise RefusedError(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            f"A request may bring {limits.rows:,} rows, got {n_rows:,}. Send them in parts, or "
            "start the server with a larger --max-rows.",
        )
    if widest > limits.cells:
        raise RefusedError(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            f"A row may have {limits.cells:,} cells, got {widest:,}. Leave columns out, or start "
            "the server with a larger --max-cells.",
        )


def check_answer(n_rows: int, n_classes: int, limits: RequestLimits) -> None:
    """Refuse an answer that is too large for one piece.

    >>> check_answer(10_000, 100, RequestLimits())
    """
    most = max(1, limits.probabilities // max(1, n_classes))
    if n_rows > most:
        raise RefusedError(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            f"An answer may have {limits.probabilities:,} probabilities, and {n_rows:,} rows with "
            f"{n_classes:,} classes have more. Send {most:,} rows at a time; predict answers CSV "
            "and JSON lines in parts, and takes more.",
        )


def check_growth(model: object, labels: Sequence[object] | None, limits: RequestLimits) -> None:
    """Refuse rows with which a model would have too many classes or words."""
    # all that are counted; those that take part would have to be found again for each row
    n_words = getattr(getattr(model, "statistics_", None), "n_words", 0)
    if n_words >= limits.vocabulary:
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            f"A model may know {limits.vocabulary:,} words, and this one knows {n_words:,}. Start "
            "the server with a larger --max-vocabulary.",
        )
    if labels is None or not hasattr(type(model), "predict_proba"):  # numbers are predicted
        return
    known = getattr(model, "classes_", None)
    classes = {*map(_hashable, [] if known is None else known.tolist()), *map(_hashable, labels)}
    if len(classes) > limits.classes:
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            f"A model may know {limits.classes:,} classes, and with these rows it would know "
            f"{len(classes):,}. Is y really the class? If it is, start the server with a larger "
            "--max-classes.",
        )


def _hashable(label: object) -> object:
    return str(label) if isinstance(label, (dict, list)) else label
