"""What a request brings: bytes within limits and in time, of a known type; JSON; rows."""

import asyncio
import json
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from http import HTTPStatus
from typing import Any

from starlette.requests import ClientDisconnect, Request

from bayesic.serve.refusals import RefusedError
from bayesic.serve.request_limits import RequestLimits, check_depth, check_rows, too_deep

JSON, LINES, CSV, MODEL, PARQUET = (
    "application/json",
    "application/x-ndjson",
    "text/csv",
    "application/octet-stream",
    "application/vnd.apache.parquet",
)


class IncomingRequest(Request):
    """A request whose headers are decoded once, because each is read several times."""

    @cached_property
    def headers(self) -> Mapping[str, str]:  # type: ignore[override]
        """The headers by their names, in small letters; of one that comes twice, the first."""
        pairs = reversed(self.scope["headers"])
        return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in pairs}


def content_type(request: Request, known: Collection[str]) -> str:
    """The type of the body, if it is one of the known ones.

    A page of another site cannot make a browser send these without asking the server first.
    """
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given not in known:
        raise RefusedError(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            f"The header Content-Type must say {' or '.join(known)}, got {given or 'nothing'!r}.",
        )
    encoding = request.headers.get("content-encoding", "identity")
    if encoding != "identity":
        raise RefusedError(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            f"Bodies come as they are, got Content-Encoding {encoding!r}. Send it uncompressed.",
        )
    return given


async def read_body(request: Request, most: int, seconds: float) -> bytes:
    """All bytes of a request, if they are not too many and come in time."""
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) > most:
        raise _too_large(most)
    read = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                read += part
                if len(read) > most:
                    raise _too_large(most)
    except TimeoutError:
        raise RefusedError(
            HTTPStatus.REQUEST_TIMEOUT,
            f"A request must be here within {seconds:g} s, and this one was not. Send it again, "
            "with fewer rows.",
            {"connection": "close"},
        ) from None
    except ClientDisconnect:  # only the log reads this
        raise RefusedError(
            HTTPStatus.BAD_REQUEST, "The client went away before all had come."
        ) from None
    return bytes(read)


def _too_large(most: int) -> RefusedError:
    return RefusedError(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        f"A body may have {most:,} bytes, and this one has more. Send it in parts, or start the "
        "server with a larger --max-body.",
        {"connection": "close"},
    )


def parsed(data: bytes, limits: RequestLimits) -> Any:
    """The value of JSON. NaN is taken as null, a gap; so are numbers too large as infinite.

    >>> parsed(b'{"row": {"sky": "rain", "wind": NaN}}', RequestLimits())
    {'row': {'sky': 'rain', 'wind': nan}}
    """
    try:
        value = json.loads(data)
    except RecursionError:
        raise too_deep(limits.depth) from None
    except ValueError as error:  # also of bytes that are not UTF-8
        raise RefusedError(
            HTTPStatus.BAD_REQUEST, f"The body must be JSON, but is not: {error}."
        ) from None
    check_depth(value, limits.depth)
    return value


async def read_json(
    request: Request, limits: RequestLimits, any_type: bool = False
) -> dict[str, Any]:
    """The JSON object of a request.

    any_type : whether the type may be left out, where nothing can be changed
    """
    if not any_type or "content-type" in request.headers:
        content_type(request, (JSON,))
    value = parsed(await read_body(request, limits.body, limits.seconds), limits)
    return _checked_object(value)


def _checked_object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            f'The body must be an object, such as {{"rows": [...]}}, got {value!r:.60}.',
        )
    return value


def check_fields(body: object, needed: Sequence[str], allowed: Sequence[str] = ()) -> None:
    """Refuse a body that lacks a field, or has one that means nothing."""
    fields = _checked_object(body)
    missing = [name for name in needed if name not in fields]
    unknown = [name for name in fields if name not in {*needed, *allowed}]
    if missing or unknown:
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            f"The body must have {_listed(needed)} and may have {_listed(allowed)}, got "
            f"{_listed(list(fields)[:20])}.",
        )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names)) or "nothing else"


def rows_asked(body: Mapping[str, object], limits: RequestLimits) -> tuple[list[Any], bool]:
    """The rows of a body, and whether it is one by itself: `row`, or `rows`."""
    if ("row" in body) == ("rows" in body):
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            'Give either "row", one row or text, or "rows", a list of them.',
        )
    is_one = "row" in body
    rows = [body["row"]] if is_one else body["rows"]
    if not isinstance(rows, list) or not rows:
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            f'"rows" must be a list of at least one row, got {rows!r:.60}.',
        )
    check_shapes(rows)
    check_rows(rows, limits)
    return rows, is_one


def check_shapes(rows: Sequence[object]) -> None:
    """Refuse what is not a row, rows of different shapes, and cells with more in them."""
    if not any(all(isinstance(row, shape) for row in rows) for shape in SHAPES):
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "Rows must be all objects {column: cell}, all lists of cells, or all texts, got "
            f"{rows[0]!r:.60}" + (f" and {len(rows) - 1} more." if len(rows) > 1 else "."),
        )
    for row in rows:
        cells = row.values() if isinstance(row, dict) else row if isinstance(row, list) else ()
        for cell in cells:
            if isinstance(cell, (dict, list)):
                raise RefusedError(
                    HTTPStatus.UNPROCESSABLE_ENTITY,
                    f"A cell is a text, a number, true, false or null, got {cell!r:.60}. Give "
                    "each of its parts a column of its own.",
                )


SHAPES: tuple[Any, ...] = (dict, list, str | None)


def list_of(body: Mapping[str, object], name: str) -> list[object] | None:
    """A field that is a list, or None if it is not there."""
    value = body.get(name)
    if value is not None and not isinstance(value, list):
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY, f'"{name}" must be a list, got {value!r:.60}.'
        )
    return value
