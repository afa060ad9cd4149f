"""Models that a server has: an address takes the place of a model file.

Answers are computed here, by a copy of the model: so every option means the same, and the numbers
are the same. What is learned or forgotten goes to the server.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import click

if TYPE_CHECKING:
    from bayesic.serve.client import RemoteStore

TOKEN = "bayesic.token"  # in the context: the token of the user


@dataclass(frozen=True)
class OnServer:
    """The address of a model."""

    url: str
    server: str  # the part of the address that is the server
    name: str  # of the model

    def __str__(self) -> str:
        return self.url


def is_address(text: str) -> bool:
    """Whether this is an address, and not the name of a file.

    >>> is_address("http://127.0.0.1:8000/models/spam"), is_address("spam.bayes")
    (True, False)
    """
    return text.lower().startswith(("http://", "https://"))


def address_of(text: str) -> OnServer:
    """The address of a model, if it is one.

    >>> address_of("http://127.0.0.1:8000/models/%E7%9F%AD%E4%BF%A1").name
    '短信'
    """
    parts = urlsplit(text)
    server, _, name = text.rstrip("/").rpartition("/models/")
    if not server or not parts.hostname or not name or "/" in name or parts.query:
        raise ValueError(
            "the URL of a model must look like http://127.0.0.1:8000/models/spam, got "
            f"{text!r:.100}."
        )
    return OnServer(text, server, unquote(name))


def token_given() -> str | None:
    """The token of --token, or of the environment."""
    return click.get_current_context().meta.get(TOKEN)


def model_file(address: OnServer) -> BytesIO:
    """The model as the server has it now, as a model file."""
    return BytesIO(_asked(address, "file"))


def described(address: OnServer) -> dict[str, Any]:
    """The server's description of the model: its name, its classes, its columns."""
    return json.loads(_asked(address))


def _asked(address: OnServer, verb: str = "") -> bytes:
    from bayesic.serve.connection import Connection, path_of

    connection = Connection(address.server, token_given())
    try:
        with told_as_sentences():
            return connection.answer("GET", path_of(address.name, verb))
    finally:
        connection.close()


@contextmanager
def connected(address: OnServer) -> Iterator["RemoteStore"]:
    """The verbs of the store that a server has."""
    from bayesic.serve.client import connect

    with told_as_sentences(), connect(address.server, token_given()) as store:
        yield store


@contextmanager
def told_as_sentences() -> Iterator[None]:
    """A refusal by a store is shown like any other error."""
    from bayesic.store.errors import StoreError

    try:
        yield
    except StoreError as error:
        raise click.ClickException(str(error)) from error
