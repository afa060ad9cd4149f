"""Tables in, answers out, block by block: CSV and JSON lines."""

import csv
import io
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from starlette.responses import Response, StreamingResponse

from bayesic.catalogue import is_text_model
from bayesic.data.csv_files import open_csv
from bayesic.data.json_text import json_text
from bayesic.data.source import RowBlock, opened
from bayesic.data.tables import number_of_rows
from bayesic.decisions.decide import answer_columns
from bayesic.models.readers.reader import Reader
from bayesic.networks.network import BeliefNetwork
from bayesic.serve.refusals import RefusedError
from bayesic.serve.request_bodies import CSV, check_shapes, parsed, read_body
from bayesic.serve.request_limits import RequestLimits, check_rows, check_size
from bayesic.serve.server import ServerRequest, as_bytes
from bayesic.serve.shapes import classes_of
from bayesic.store.journal_events import State

ROWS_AT_ONCE = 1000
PROBABILITIES_AT_ONCE = 2**15  # written as text in some 20 ms, for which all others wait

Answers = dict[str, list[Any]]  # column -> its cells


async def streamed(request: ServerRequest, state: State, form: str) -> Response:
    """The answers for the rows of a table, in the form in which it came.

    The table is read first, for most clients read no answer before they have sent all. Then it is
    answered block by block, as long as the client takes the answers. All are those of one state of
    the model.
    """
    model = state.model
    if isinstance(model, BeliefNetwork):
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            'Networks answer JSON {"rows": [...], "target": ...}, for they must know the target.',
        )
    limits = request.limits
    data = await read_body(request.http, limits.body, limits.seconds)
    read = tables_of_csv if form == CSV else rows_of_lines
    tables = await request.server.work(read, model, data, limits)
    n_classes = max(1, len(classes_of(model)))
    size = min(ROWS_AT_ONCE, max(1, PROBABILITIES_AT_ONCE // n_classes))
    blocks = (block for rows in tables for block in blocks_of(rows, size))
    written = _lines_of_csv if form == CSV else _json_lines

    def answered(block: object, is_first: bool) -> bytes:
        return as_bytes(written(_answers(model, block), is_first))

    first = await request.of_model(state, answered, next(blocks), True)  # may be refused
    return StreamingResponse(_parts(request, first, blocks, answered), media_type=form)


async def _parts(
    request: ServerRequest,
    first: bytes,
    blocks: Iterator[object],
    answered: Callable[[object, bool], bytes],
) -> AsyncIterator[bytes]:
    """The parts of an answer. Once the client has gone, the next part is not computed."""
    yield first
    for block in blocks:
        yield await request.server.work(answered, block, False)


# rows -------------------------------------------------------------------------------------------


def rows_of_lines(model: object, data: bytes, limits: RequestLimits) -> list[list[object]]:
    """A row on each line, all in one table."""
    lines = [line for line in data.splitlines() if line.strip()]
    if not lines:
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY, "There is no line, so there is no answer."
        )
    check_size(len(lines), 0, limits)
    rows = [parsed(line, limits) for line in lines]
    check_shapes(rows)
    check_rows(rows, limits)
    if not is_text_model(model):  # any text can be answered
        _reader_of(model).read(RowBlock(rows))
    return [rows]


def tables_of_csv(model: object, data: bytes, limits: RequestLimits) -> list[Any]:
    """The tables of CSV, read as from a file: the model says which columns are numbers."""
    if is_text_model(model):
        raise ValueError("Texts come as JSON lines: one text in quotes on each line.")
    reader, tables, n_rows = _reader_of(model), [], 0
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        path.write_bytes(data)
        try:
            check_size(0, len(open_csv(path).names), limits)
            for block in reader.asked(opened(path)):
                n_rows += number_of_rows(block.X)
                if n_rows <= limits.rows:
                    reader.read(block)  # refused before anything is answered
                    tables.append(block.X)
        except (ValueError, TypeError) as error:
            raise ValueError(str(error).replace(str(path), "The CSV")) from None
    check_size(n_rows, 0, limits)
    return tables


def _reader_of(model: Any) -> Reader:
    """How the rows of a model come in; of one around another, those of that."""
    return getattr(model, "model_", model)._reader()


def blocks_of(rows: Any, size: int) -> Iterator[Any]:
    """Rows in blocks: of a list, of a dict of columns, or of a table of pyarrow.

    >>> list(blocks_of([1, 2, 3], 2)), list(blocks_of({"sky": ["rain", "sun"]}, 1))
    ([[1, 2], [3]], [{'sky': ['rain']}, {'sky': ['sun']}])
    """
    for start in range(0, number_of_rows(rows), size):
        here = slice(start, start + size)
        if isinstance(rows, Mapping):
            yield {name: cells[here] for name, cells in rows.items()}
        else:
            yield rows[here] if isinstance(rows, Sequence) else rows.slice(start, size)


# answers ----------------------------------------------------------------------------------------


def _answers(model: Any, rows: Any) -> Answers:
    """Columns of answers, as the command line writes them."""
    if not hasattr(type(model), "predict_proba"):
        return {"prediction": model.predict(rows).tolist()}
    return answer_columns(model.predict_proba(rows), model.classes_)


def _json_lines(answers: Answers, is_first: bool) -> str:
    return "".join(f"{json_text(dict(zip(answers, row, strict=True)))}\n" for row in _rows(answers))


def _lines_of_csv(answers: Answers, is_first: bool) -> str:
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    if is_first:
        writer.writerow(answers)
    writer.writerows(_rows(answers))
    return written.getvalue()


def _rows(answers: Answers) -> Iterator[tuple[object, ...]]:
    return zip(*answers.values(), strict=True)
