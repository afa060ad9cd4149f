"""Files of cases over HTTP: load one, step through its rows, compare them with a network."""

from pathlib import Path
from typing import Any

from bayesic.data.encodings import checked_encoding, copy_in_utf_8
from bayesic.data.source import CSV_ENDINGS
from bayesic.serve.request_bodies import MODEL, check_fields, content_type, read_body
from bayesic.serve.server import ServerRequest
from bayesic.studio.network import _case_rows
from bayesic.studio.network._case_rows import Cases, read_cases
from bayesic.studio.network.documents import free_name
from bayesic.studio.network.files import name_of
from bayesic.studio.workspace import Studio

TABLES = (*CSV_ENDINGS, ".parquet")


def is_table(file: str) -> bool:
    """Whether a file is a table, and no network, by its name.

    >>> is_table("rows.csv.gz"), is_table("asia.bif")
    (True, False)
    """
    return file.lower().endswith(TABLES)


def ending_of(file: str) -> str:
    """The extension by which a table is read; that of CSV for any other file.

    >>> ending_of("Rows.TSV"), ending_of("notes")
    ('.tsv', '.csv')
    """
    found = [ending for ending in TABLES if file.lower().endswith(ending)]
    return max(found, key=len, default=".csv")


async def loaded(studio: Studio, request: ServerRequest) -> object:
    """Load the bytes of a CSV, TSV or Parquet file. A page may have turned them into UTF-8."""
    content_type(request.http, (MODEL,))
    limits = request.limits
    data = await read_body(request.http, limits.upload, limits.seconds)
    file = request.http.query_params.get("name", "rows.csv")
    encoding = request.http.query_params.get("encoding")
    if encoding is not None:
        encoding = checked_encoding(encoding)
    path = studio.new_path(ending_of(file))
    found = await request.server.work_long(_kept, data, path, file)
    name = free_name(name_of(file), studio.cases)  # only now: two may come at the same time
    studio.cases[name] = found._replace(name=name, encoding=encoding)
    return entry_of(studio.cases[name])


def _kept(data: bytes, path: Path, file: str) -> Cases:
    path.write_bytes(data)
    try:
        return read_cases(file, path)
    except (ValueError, TypeError, OSError) as error:
        path.unlink()
        raise ValueError(str(error).replace(str(path), file)) from None


def cases_of_file(studio: Studio, name: str, path: Path, encoding: str | None) -> Cases:
    """The cases of a file of the user; one that is not UTF-8 is copied."""
    if encoding is None or ending_of(path.name) == ".parquet":
        return read_cases(name, path)
    encoding = checked_encoding(encoding)
    copy = studio.new_path(ending_of(path.name).removesuffix(".gz"))
    copy_in_utf_8(path, copy, encoding)
    try:
        return read_cases(name, copy)._replace(encoding=encoding, original=path)
    except ValueError as error:
        raise ValueError(str(error).replace(str(copy), str(path))) from None


def entry_of(cases: Cases) -> dict[str, Any]:
    """What the page needs to know about a file of cases."""
    return {"cases": cases.name, "n_rows": cases.n_rows, "columns": list(cases.columns)}


async def listed(studio: Studio, request: ServerRequest) -> object:
    """All files of cases that are loaded."""
    return {"cases": [entry_of(each) for each in studio.cases.values()]}


async def row(studio: Studio, request: ServerRequest) -> object:
    """One row: what it observes of the network."""
    document, number = studio.document(request), request.number("number", 0)
    version = document.version(request.number("version", document.head))
    cases = cases_of(studio, request.path_parameters["cases"])
    return await request.server.work(_case_rows.row_at, version.network, cases, number)


async def surprise(studio: Studio, request: ServerRequest) -> object:
    """The rows that are least probable in the network."""
    body = await request.json()
    check_fields(body, (), ("version",))
    version = studio.version(request, body.get("version"))
    cases = cases_of(studio, request.path_parameters["cases"])
    return await studio.long(request, version, _case_rows.surprise, cases)


async def tested(studio: Studio, request: ServerRequest) -> object:
    """How well the network tells a target in these rows."""
    body = await request.json()
    check_fields(body, ("target",), ("version",))
    version = studio.version(request, body.get("version"))
    cases = cases_of(studio, request.path_parameters["cases"])
    return await studio.long(request, version, _case_rows.tested, cases, body["target"])


def cases_of(studio: Studio, name: object) -> Cases:
    """The cases of this name."""
    if not isinstance(name, str) or name not in studio.cases:
        loaded = ", ".join(studio.cases) or "none"
        raise ValueError(f"There are no cases {name!r:.100}. Loaded are: {loaded:.500}.")
    return studio.cases[name]
