"""Tables in, answers out, block by block: CSV and JSON lines."""

import csv
import io
from collections.abc import AsyncIterator, Iterator
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from starlette.responses import Response, StreamingResponse

from bayesic.data.json_text import json_text
from bayesic.decisions.decide import answer_columns
from bayesic.networks.network import BeliefNetwork
from bayesic.serve.bodies import CSV, check_shapes, parsed, read_body
from bayesic.serve.limits import Limits, check_rows
from bayesic.serve.refusals import RefusedError
from bayesic.serve.server import Asked
from bayesic.serve.shapes import is_text_model
from bayesic.store.events import State

BLOCK = 1000  # rows


async def streamed(asked: Asked, state: State, form: str) -> Response:
    """The answers for the rows of a table, in the form in which it came.

    The table is read first, for most clients read no answer before they have sent all. All answers
    are those of one state of the model.
    """
    model = state.model
    if isinstance(model, BeliefNetwork):
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            'Networks answer JSON {"rows": [...], "target": ...}, for they must know the target.',
        )
    limits = asked.server.limits
    data = await read_body(asked.request, limits.body, limits.seconds)
    if form == CSV:
        answers = await asked.server.work(_answers_to_csv, model, data)
        return StreamingResponse(_lines_of_csv(answers), media_type=CSV)
    rows = rows_of_lines(data, limits)
    first = await asked.of_model(state, _answers, model, rows[:BLOCK])  # may be refused
    return StreamingResponse(_json_lines(asked, model, rows, first), media_type=form)


def rows_of_lines(data: bytes, limits: Limits) -> list[Any]:
    r"""A row on each line.

    >>> rows_of_lines(b'{"sky": "rain"}\n{"sky": "sun"}\n', Limits())
    [{'sky': 'rain'}, {'sky': 'sun'}]
    """
    rows = [parsed(line, limits) for line in data.splitlines() if line.strip()]
    if not rows:
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY, "There is no line, so there is no answer."
        )
    check_shapes(rows)
    check_rows(rows, limits)
    return rows


def _answers(model: Any, rows: Any) -> dict[str, list[Any]]:
    """Columns of answers, as the command line writes them."""
    if not hasattr(type(model), "predict_proba"):
        return {"prediction": model.predict(rows).tolist()}
    return answer_columns(model.predict_proba(rows), model.classes_)


async def _json_lines(
    asked: Asked, model: Any, rows: list[Any], first: dict[str, list[Any]]
) -> AsyncIterator[str]:
    yield _lines(first)
    for start in range(BLOCK, len(rows), BLOCK):
        yield _lines(await asked.server.work(_answers, model, rows[start : start + BLOCK]))


def _lines(answers: dict[str, list[Any]]) -> str:
    rows = zip(*answers.values(), strict=True)
    return "".join(f"{json_text(dict(zip(answers, row, strict=True)))}\n" for row in rows)


def _answers_to_csv(model: Any, data: bytes) -> dict[str, list[Any]]:
    """CSV is read as from a file: the model says which columns are numbers."""
    if is_text_model(model):
        raise ValueError("Texts come as JSON lines: one text in quotes on each line.")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        path.write_bytes(data)
        try:
            return _answers(model, path)
        except (ValueError, TypeError) as error:
            raise ValueError(str(error).replace(str(path), "The CSV")) from None


def _lines_of_csv(answers: dict[str, list[Any]]) -> Iterator[str]:
    rows = list(zip(*answers.values(), strict=True))
    for start in range(0, max(len(rows), 1), BLOCK):
        written = io.StringIO()
        writer = csv.writer(written, lineterminator="\n")
        if start == 0:
            writer.writerow(answers)
        writer.writerows(rows[start : start + BLOCK])
        yield written.getvalue()
