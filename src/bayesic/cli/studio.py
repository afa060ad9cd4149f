"""`bayesic studio`: the page in the browser, and the server behind it."""

import secrets
import webbrowser
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

import click

from bayesic.cli.serve import end_at_once, end_in_peace, known_tokens
from bayesic.data.spelling import spelling_by
from bayesic.serve.access_tokens import Token, new_token
from bayesic.store.errors import StoreError
from bayesic.store.store import open_store
from bayesic.studio.launch import run
from bayesic.studio.network.cases import cases_of_file, is_table
from bayesic.studio.network.documents import free_name
from bayesic.studio.network.files import OtherModelError, name_of, read_document
from bayesic.studio.workspace import EntryTicket, Studio

SPELLING = {
    "Open it with read_only=True to read and follow it.": (
        "End that one first, or name another store with --store."
    ),
}


def studio(
    files: tuple[Path, ...],
    port: int,
    no_open: bool,
    store: Path | None,
    tokens: Path | None,
    encoding: str | None,
    no_token: bool,
) -> None:
    """Serve the studio until it is stopped."""
    if no_token and tokens is not None:
        raise click.UsageError(
            "--tokens admits those who have a token, --no-token everybody: pass only one of them."
        )
    known, token = known_tokens(tokens), None
    if tokens is None and not no_token:
        token, kept = new_token("admin", "studio")
        known = (kept,)
    try:
        with spelling_by(SPELLING):
            is_working = _run(files, port, no_open, store, known, token, encoding)
    except StoreError as error:
        raise click.ClickException(str(error)) from error
    click.echo("The studio is closed.")
    if is_working:
        end_at_once()


def _run(
    files: tuple[Path, ...],
    port: int,
    no_open: bool,
    store: Path | None,
    known: tuple[Token, ...],
    token: str | None,
    encoding: str | None,
) -> bool:
    with ExitStack() as stack:
        made = Studio()
        stack.callback(made.close)
        if store is None:
            store = Path(stack.enter_context(TemporaryDirectory())) / "studio.store"
        page = first = opened(made, files, store, encoding)
        if token is not None:
            page += f"{'&' if '#' in page else '#'}token={token}"
            # all accounts see what programs are started with, so the browser gets no token there
            made.entry = EntryTicket(secrets.token_urlsafe(), page)
            first = f"entry/{made.entry.ticket}"

        def started(address: str) -> None:
            click.echo(f"The studio is open at {address}/{page} (Ctrl-C ends it).")
            if not no_open:
                webbrowser.open(f"{address}/{first}")

        end_in_peace()
        return run(store, port, made, started, known)


def opened(
    studio: Studio, files: tuple[Path, ...], store: Path, encoding: str | None = None
) -> str:
    """Open all files, and tell where on the page to begin.

    At the first network, with the cases; without a network at the first table, or at the first of
    the models that were taken into the store.
    """
    begin: dict[str, str] = {}
    for path in files:
        if is_table(path.name):
            name = free_name(name_of(path.name), studio.cases)
            studio.cases[name] = cases_of_file(studio, name, path, encoding)
            begin.setdefault("cases", name)
            continue
        try:
            network = read_document(path, str(path))
            document = studio.documents.add(name_of(path.name), network, path.name, str(path))
            begin.setdefault("document", document.name)
        except OtherModelError as error:
            begin.setdefault("model", _taken_in(store, name_of(path.name), error.model))
    if "document" in begin:
        return f"desk/network#{urlencode(begin)}"
    if "cases" in begin:
        return f"desk/table#{urlencode({'table': begin['cases']})}"
    return f"desk/models#{urlencode(begin)}" if begin else ""


def _taken_in(store: Path, name: str, model: object) -> str:
    """Keep a model in the store, under its name or one like it that is free."""
    with open_store(store) as models:
        free = free_name(name, dict.fromkeys(models.models()))
        models.create(free, model)
    return free
