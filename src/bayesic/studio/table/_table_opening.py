"""Tables over HTTP: what is open, an example, columns, rows."""

from bayesic.catalogue import typed_models
from bayesic.serve.request_bodies import check_fields
from bayesic.serve.server import ServerRequest
from bayesic.studio.table import _fitting, _profile, _row_answers
from bayesic.studio.table._open_tables import OpenTable
from bayesic.studio.table._table_examples import EXAMPLES, write_example
from bayesic.studio.table._table_requests import changes, costs_of, model_of_table, table_of
from bayesic.studio.workspace import Studio

MOST_AT_ONCE = 200  # rows of the list


async def listed(studio: Studio, request: ServerRequest) -> object:
    """The tables that are open, the examples, and what can learn them."""
    return {
        "tables": [
            {"name": each.name, "n_rows": each.n_rows, "n_columns": len(each.columns)}
            for each in studio.cases.values()
        ],
        "examples": [{"name": name, "title": each.title} for name, each in EXAMPLES.items()],
    }


async def opened(studio: Studio, request: ServerRequest) -> object:
    """Open an example; what is to be chosen for it comes along."""
    body = await request.json()
    check_fields(body, ("example",))
    name = body["example"]
    if not isinstance(name, str) or name not in EXAMPLES:
        raise ValueError(f"The examples are {', '.join(EXAMPLES)}, got {name!r:.60}.")
    if name not in studio.cases:
        path = studio.new_path(".csv")
        studio.cases[name] = await request.server.work(write_example, name, path)
    example = EXAMPLES[name]
    return {"table": name, "target": example.target, "costs": example.costs}


async def profiled(studio: Studio, request: ServerRequest) -> object:
    """The columns of a table."""
    body = await request.json()
    check_fields(body, (), ("target", "kinds", "model"))
    table = await table_of(studio, request)
    target, kinds = body.get("target"), body.get("kinds") or {}
    takes = _fitting.kinds_of(body.get("model") or _fitting.suggested_model(table))
    found = await request.server.work(_profile.profiled, table, target, kinds, takes)
    source = source_of(studio, table)
    models = {"models": {name: list(kinds) for name, kinds in _fitting.MODELS.items()}}
    commands = {"commands": {entry.name: entry.typed for entry in typed_models(["table"])}}
    return {**found, **models, **commands, **source, "suggested": _fitting.suggested_model(table)}


def source_of(studio: Studio, table: OpenTable) -> dict[str, object]:
    """Where the rows are, for code: the name of the file; of an example also how Python has it."""
    cases = table.cases
    if cases.original is not None or not studio.keeps(cases.path):
        path = cases.original or cases.path
        return {"file": str(path), "code": None, "encoding": cases.encoding}
    example = EXAMPLES.get(cases.name)
    code = f"{example.code}.to_dict()" if example is not None else None
    _, _, ending = cases.path.name.partition(".")
    return {"file": f"{cases.name}.{ending}", "code": code, "encoding": cases.encoding}


async def rows(studio: Studio, request: ServerRequest) -> object:
    """Some rows of a table; with a model, what it predicts."""
    body = await request.json()
    check_fields(body, (), ("first", "count", "learned", "seq", "costs", "reject"))
    table = await table_of(studio, request)
    first, count = body.get("first", 0), body.get("count", 50)
    for name, number in (("first", first), ("count", count)):
        if not isinstance(number, int) or not 0 <= number <= 10**9:
            raise ValueError(f"{name} must be a whole number of 0 or more, got {number!r:.60}.")
    indices = range(first, min(first + min(count, MOST_AT_ONCE), len(table.numbers)))
    model, target, changed, how = None, None, {}, (None, None)
    if body.get("learned") is not None:
        learned, state = await model_of_table(studio, request, body["learned"])
        model, target = state.model, learned.target
        changed = await request.server.work(changes, request.store, learned)
        how = costs_of(model, body)
    found = await request.server.work(
        _row_answers.listed, model, target, table, indices, changed, *how
    )
    return {
        "columns": list(table.stored),
        "rows": found,
        "n_rows": table.cases.n_rows,
        "n_shown": len(table.numbers),
    }
