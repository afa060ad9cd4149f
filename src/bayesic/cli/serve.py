"""`bayesic serve`: a store over HTTP."""

import logging
import os
import signal
import sys
from pathlib import Path

import click

from bayesic.data.spelling import spelling_by
from bayesic.store.errors import StoreError

try:
    from bayesic.serve import running
except ImportError as error:
    if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn", "anyio", "h11"):
        raise
    raise ImportError(
        "The server needs Starlette and uvicorn, which are not installed. Run pip install "
        "'bayesic[serve]'.",
        name=error.name,
    ) from error
from bayesic.serve.access_tokens import Token, add_token, read_tokens
from bayesic.serve.request_limits import RequestLimits

SPELLING = {
    "read_only=True": "--read-only",
    "Open it with read_only=True to read and follow it.": "Use --read-only to read and follow it.",
}


def serve(
    store: Path,
    host: str,
    port: int,
    tokens: Path | None,
    new_token: str | None,
    names: tuple[str, ...],
    read_only: bool,
    quiet: bool,
    **limits: int,
) -> None:
    """Serve a store until it is stopped; or make a token."""
    if new_token is not None:
        if tokens is None:
            raise click.UsageError("--new-token writes to the file that --tokens names: give both.")
        click.echo(add_token(tokens, new_token))
        return
    known = known_tokens(tokens)
    if not quiet:
        _log_to_stderr()
    end_in_peace()
    at_most = RequestLimits(
        **{name.removeprefix("max_"): number for name, number in limits.items()}
    )
    try:
        with spelling_by(SPELLING):
            is_working = running.serve(
                *(store, host, port, at_most, known, names, read_only),
                started=lambda address: click.echo(f"Serving {store} on {address}"),
            )
    except StoreError as error:
        raise click.ClickException(str(error)) from error
    if is_working:
        end_at_once()


def known_tokens(tokens: Path | None) -> tuple[Token, ...]:
    """The tokens of a file, which has some; none without a file."""
    known = () if tokens is None else read_tokens(tokens)
    if tokens is not None and not known:
        raise ValueError(f"{tokens} has no token in it. Make one with --new-token learn.")
    return known


def _log_to_stderr() -> None:
    """A line of JSON for each request, and what fails."""
    handler = logging.StreamHandler(sys.stderr)
    for name in ("bayesic.access", "bayesic.failures"):
        logging.getLogger(name).addHandler(handler)
    logging.getLogger("bayesic.access").setLevel(logging.INFO)


def end_in_peace() -> None:
    """Signals end the server when it has finished: what uvicorn raises again then means nothing."""
    signal.signal(signal.SIGTERM, lambda *_: None)
    signal.signal(signal.SIGINT, lambda *_: None)
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a client that is gone is not an end


def end_at_once() -> None:
    """End without waiting for threads: the store is closed, their answers are not needed."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
