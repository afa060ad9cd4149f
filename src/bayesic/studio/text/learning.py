"""Texts that are learned: one that was answered, a folder of classes, a column of a table.

All go into the journal of the store, so they are durable, and can be forgotten by their ids.
"""

import hashlib
import json
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from bayesic.data.mails import text_id
from bayesic.data.table_files import file_blocks, file_columns
from bayesic.data.text_files import text_blocks
from bayesic.serve.bodies import MODEL, check_fields, content_type, list_of, read_body
from bayesic.serve.learning import committed, evaluated
from bayesic.serve.limits import check_growth
from bayesic.serve.server import Asked
from bayesic.store.errors import ConflictError
from bayesic.studio.network.cases import ending_of
from bayesic.studio.studio import Studio
from bayesic.studio.text.opening import label_of, text_model

FEW = 200  # rows by which columns are judged


# one text -----------------------------------------------------------------------------------------


async def teach(studio: Studio, asked: Asked) -> Any:
    """Learn a text with its class; one that was learned with another class is corrected.

    The id of a text is its checksum. So the same text is learned once, from whichever tab.
    """
    body = await asked.json()
    check_fields(body, ("text", "label"))
    text, name = body["text"], body["label"]
    if not isinstance(text, str) or not isinstance(name, str) or not name.strip():
        raise ValueError(f"text and label must be texts, and label not empty, got {body!r:.100}.")
    model = text_model(asked.server.store, asked.name)
    label, id = label_of(model, name.strip()), text_id(text)
    check_growth(model, [label], asked.server.limits)
    try:
        receipt = await evaluated(asked, [text], [label], [id])
        done = "already" if all(receipt["already"]) else "learned"
    except ConflictError:
        receipt = await committed(asked, "correct", asked.name, id, label)
        done = "corrected"
    return {"done": done, "id": id, "label": str(label), "seq": receipt["seq"]}


async def forget(studio: Studio, asked: Asked) -> Any:
    """Take texts back out."""
    body = await asked.json()
    check_fields(body, ("ids",))
    return await committed(asked, "forget", asked.name, list_of(body, "ids") or [])


# a folder -----------------------------------------------------------------------------------------


async def folder(studio: Studio, asked: Asked) -> Any:
    """Learn a folder: its sub-folders are classes, each file in them is a text."""
    text_model(asked.server.store, asked.name)
    data = await _bytes(asked)
    with TemporaryDirectory() as place:
        path, name = Path(place) / "texts", asked.request.query_params.get("name", "texts")
        try:
            await asked.server.work_long(write_folder, data, path)
            receipt = await _learned(asked, str(path))
        except (ValueError, OSError) as error:
            raise ValueError(str(error).replace(str(path), name)) from None
    return receipt


def write_folder(data: bytes, folder: Path) -> None:
    """Write the files that a page has sent into a folder.

    data : a line of JSON, [[path, number of bytes], ...], and then all bytes, one after the other

    >>> with TemporaryDirectory() as place:
    ...     write_folder(b'[["ham/1.txt", 5]]\\nlunch', Path(place))
    ...     Path(place, "ham", "1.txt").read_text()
    'lunch'
    """
    line, _, content = data.partition(b"\n")
    place = 0
    for name, length in json.loads(line):
        parts = PurePosixPath(name).parts
        if not parts or parts[0] == "/" or ".." in parts or "\0" in name or "\\" in name:
            raise ValueError(f"A file of a folder must stand below it, got {name!r:.80}.")
        path = folder.joinpath(*parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content[place : place + length])
        place += length


# a column -----------------------------------------------------------------------------------------


async def columns(studio: Studio, asked: Asked) -> Any:
    """The columns of a table, and which of them seem to be the text and the class."""
    return await asked.server.work_long(of_table, asked, await _bytes(asked), _columns)


def _columns(path: Path) -> dict[str, Any]:
    names = list(file_columns(path))
    first = next(file_blocks(path, dict.fromkeys(names, "text"), FEW), None)
    if first is None:
        raise ValueError(f"{path} has no rows.")
    cells = {name: [str(cell or "") for cell in list(first[name])[:FEW]] for name in names}
    lengths = {name: sum(map(len, cells[name])) for name in names}
    text = max(names, key=lambda name: lengths[name])
    others = [name for name in names if name != text]
    label = min(others, key=lambda name: (len({*cells[name]}), lengths[name]), default=None)
    told = [{"name": name, "example": cells[name][0][:80]} for name in names]
    return {"columns": told, "text": text, "label": label}


async def column(studio: Studio, asked: Asked) -> Any:
    """Learn the texts of a column of a table, with their classes in another column."""
    text_model(asked.server.store, asked.name)
    query, data = asked.request.query_params, await _bytes(asked)
    names = [query.get("text", ""), query.get("label", "")]
    texts, labels = await asked.server.work_long(of_table, asked, data, _texts, *names)
    mark = hashlib.sha256(data + "\0".join(names).encode()).hexdigest()[:16]
    ids = [f"{mark}/{number}" for number in range(1, len(texts) + 1)]
    return await _learned(asked, texts, labels, ids)


def _texts(path: Path, text: str, label: str) -> tuple[list[Any], list[Any]]:
    blocks = [*text_blocks(path, text, label)]
    texts = [each for part, _ in blocks for each in part.texts()]
    return texts, [each for _, labels in blocks if labels is not None for each in labels.tolist()]


def of_table(asked: Asked, data: bytes, function: Any, *given: Any) -> Any:
    """What a function returns of a table that came; sentences have the name of its file."""
    file = asked.request.query_params.get("name", "table.csv")
    with TemporaryDirectory() as place:
        path = Path(place) / f"table{ending_of(file)}"
        path.write_bytes(data)
        try:
            return function(path, *given)
        except (ValueError, TypeError, OSError) as error:
            raise ValueError(str(error).replace(str(path), file)) from None


# both ---------------------------------------------------------------------------------------------


async def _bytes(asked: Asked) -> bytes:
    content_type(asked.request, (MODEL,))
    limits = asked.server.limits
    return await read_body(asked.request, limits.upload, limits.long_seconds)


async def _learned(asked: Asked, *given: Any) -> dict[str, Any]:
    """Learn all of them; how many there were, and how many of them were new."""
    future = await asked.server.work_long(asked.server.store.submit, "learn", asked.name, *given)
    receipt = await asked.server.receipts.of(future)
    new = len(receipt.already) - sum(receipt.already)
    asked.server.metrics.count("bayesic_events_total", new, op="learn", model=asked.name)
    return {"texts": len(receipt.ids), "new": new, "seq": receipt.seq}
