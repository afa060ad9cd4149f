"""Texts that are learned: one that was answered, a folder of classes, a column of a table.

All go into the journal of the store, so they are durable, and can be forgotten by their ids.
"""

import hashlib
import json
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from bayesic.data.mails import text_id
from bayesic.data.source import opened_file
from bayesic.data.text_files import text_blocks
from bayesic.serve.learning import committed, evaluated
from bayesic.serve.request_bodies import MODEL, check_fields, content_type, list_of, read_body
from bayesic.serve.request_limits import check_growth
from bayesic.serve.server import ServerRequest
from bayesic.store.errors import ConflictError
from bayesic.studio.network.cases import ending_of
from bayesic.studio.text._text_opening import label_of, text_model
from bayesic.studio.workspace import Studio

FEW = 200  # rows by which columns are judged


# one text -----------------------------------------------------------------------------------------


async def teach(studio: Studio, request: ServerRequest) -> object:
    """Learn a text with its class; one that was learned with another class is corrected.

    The id of a text is its checksum. So the same text is learned once, from whichever tab.
    """
    body = await request.json()
    check_fields(body, ("text", "label"))
    text, name = body["text"], body["label"]
    if not isinstance(text, str) or not isinstance(name, str) or not name.strip():
        raise ValueError(f"text and label must be texts, and label not empty, got {body!r:.100}.")
    model = text_model(request.store, request.name)
    label, id = label_of(model, name.strip()), text_id(text)
    check_growth(model, [label], request.limits)
    try:
        receipt = await evaluated(request, [text], [label], [id])
        done = "already" if all(receipt["already"]) else "learned"
    except ConflictError:
        receipt = await committed(request, "correct", request.name, id, label)
        done = "corrected"
    return {"done": done, "id": id, "label": str(label), "seq": receipt["seq"]}


async def forget(studio: Studio, request: ServerRequest) -> object:
    """Take texts back out."""
    body = await request.json()
    check_fields(body, ("ids",))
    return await committed(request, "forget", request.name, list_of(body, "ids") or [])


# a folder -----------------------------------------------------------------------------------------


async def folder(studio: Studio, request: ServerRequest) -> object:
    """Learn a folder: its sub-folders are classes, each file in them is a text."""
    text_model(request.store, request.name)
    data = await _bytes(request)
    with TemporaryDirectory() as made:
        path, name = Path(made) / "texts", request.http.query_params.get("name", "texts")
        try:
            await request.server.work_long(write_folder, data, path)
            receipt = await _learned(request, str(path))
        except (ValueError, OSError) as error:
            raise ValueError(str(error).replace(str(path), name)) from None
    return receipt


def write_folder(data: bytes, folder: Path) -> None:
    """Write the files that a page has sent into a folder.

    data : a line of JSON, [[path, number of bytes], ...], and then all bytes, one after the other

    >>> with TemporaryDirectory() as made:
    ...     write_folder(b'[["ham/1.txt", 5]]\\nlunch', Path(made))
    ...     Path(made, "ham", "1.txt").read_text()
    'lunch'
    """
    line, _, content = data.partition(b"\n")
    start = 0
    for name, length in json.loads(line):
        parts = PurePosixPath(name).parts
        if not parts or parts[0] == "/" or ".." in parts or "\0" in name or "\\" in name:
            raise ValueError(f"A file of a folder must stand below it, got {name!r:.80}.")
        path = folder.joinpath(*parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content[start : start + length])
        start += length


# a column -----------------------------------------------------------------------------------------


async def columns(studio: Studio, request: ServerRequest) -> object:
    """The columns of a table, and which of them seem to be the text and the class."""
    return await request.server.work_long(of_table, request, await _bytes(request), _columns)


def _columns(path: Path) -> dict[str, Any]:
    file = opened_file(path)
    names = file.names
    first = next(file.blocks(dict.fromkeys(names, "text"), FEW), None)
    if first is None:
        raise ValueError(f"{path} has no rows.")
    cells = {name: [str(cell or "") for cell in list(first.X[name])[:FEW]] for name in names}
    lengths = {name: sum(map(len, cells[name])) for name in names}
    text = max(names, key=lambda name: lengths[name])
    others = [name for name in names if name != text]
    label = min(others, key=lambda name: (len({*cells[name]}), lengths[name]), default=None)
    examples = [{"name": name, "example": cells[name][0][:80]} for name in names]
    return {"columns": examples, "text": text, "label": label}


async def column(studio: Studio, request: ServerRequest) -> object:
    """Learn the texts of a column of a table, with their classes in another column."""
    text_model(request.store, request.name)
    query, data = request.http.query_params, await _bytes(request)
    names = [query.get("text", ""), query.get("label", "")]
    texts, labels = await request.server.work_long(of_table, request, data, _texts, *names)
    mark = hashlib.sha256(data + "\0".join(names).encode()).hexdigest()[:16]
    ids = [f"{mark}/{number}" for number in range(1, len(texts) + 1)]
    return await _learned(request, texts, labels, ids)


def _texts(path: Path, text: str, label: str) -> tuple[list[Any], list[Any]]:
    blocks = [*text_blocks(opened_file(path), text, label)]
    texts = [each for part, _ in blocks for each in part.texts()]
    return texts, [each for _, labels in blocks if labels is not None for each in labels.tolist()]


def of_table(request: ServerRequest, data: bytes, function: Any, *given: Any) -> Any:
    """What a function returns of a table that came; sentences have the name of its file."""
    file = request.http.query_params.get("name", "table.csv")
    with TemporaryDirectory() as made:
        path = Path(made) / f"table{ending_of(file)}"
        path.write_bytes(data)
        try:
            return function(path, *given)
        except (ValueError, TypeError, OSError) as error:
            raise ValueError(str(error).replace(str(path), file)) from None


# both ---------------------------------------------------------------------------------------------


async def _bytes(request: ServerRequest) -> bytes:
    content_type(request.http, (MODEL,))
    limits = request.limits
    return await read_body(request.http, limits.upload, limits.long_seconds)


async def _learned(request: ServerRequest, *given: object) -> dict[str, Any]:
    """Learn all of them; how many there were, and how many of them were new."""
    future = await request.server.work_long(request.store.submit, "learn", request.name, *given)
    receipt = await request.server.receipts.of(future)
    new = len(receipt.already) - sum(receipt.already)
    request.server.metrics.count("bayesic_events_total", new, op="learn", model=request.name)
    return {"texts": len(receipt.ids), "new": new, "seq": receipt.seq}
