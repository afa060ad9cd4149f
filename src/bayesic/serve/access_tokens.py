"""Tokens and their rights; only the hashes of tokens are kept.

A file of tokens has a line for each: its right, its name, and the SHA-256 of the token. A token has
256 random bits, so that no slow hash is needed.
"""

import hashlib
import os
import secrets
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from bayesic.serve.refusals import RefusedError

RIGHTS = ("read", "learn", "admin")  # each has those before it
N_BYTES = 32


@dataclass(frozen=True)
class Token:
    """A line of the file."""

    right: str
    name: str  # for the log
    sha256: str


def read_tokens(path: Path) -> tuple[Token, ...]:
    """The tokens of a file."""
    tokens = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        words = line.split()
        if not words:
            continue
        if len(words) != 3 or words[0] not in RIGHTS or len(words[2]) != 64:
            raise ValueError(
                f"Each line of {path} must have a right ({', '.join(RIGHTS)}), a name and a "
                f"SHA-256, got {line!r:.80} in line {number}. --new-token writes such lines."
            )
        tokens.append(Token(*words))
    return tuple(tokens)


def new_token(right: str, name: str) -> tuple[str, Token]:
    """A token, which is kept nowhere, and what is kept of it."""
    token = secrets.token_urlsafe(N_BYTES)
    return token, Token(right, name, _hashed(token))


def add_token(path: Path, right: str) -> str:
    """Make a token, write its hash to the file, and return it: it is kept nowhere else.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     token = add_token(Path(folder) / "tokens", "learn")
    ...     allowed(read_tokens(Path(folder) / "tokens"), f"Bearer {token}", "read")
    'learn-1'
    """
    known = read_tokens(path) if path.exists() else ()
    token, kept = new_token(right, f"{right}-{len(known) + 1}")
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "a") as file:
        file.write(f"{kept.right} {kept.name} {kept.sha256}\n")
    return token


def allowed(tokens: tuple[Token, ...], authorization: str, right: str) -> str:
    """The name of the token that came, if it has this right; "" where none is needed."""
    if not tokens:
        return ""
    scheme, _, given = authorization.partition(" ")
    hashed = _hashed(given.strip())
    found = None
    for token in tokens:  # all of them: the time says nothing
        if secrets.compare_digest(token.sha256, hashed):
            found = token
    if found is None or scheme.lower() != "bearer":
        raise RefusedError(
            HTTPStatus.UNAUTHORIZED,
            "A token is needed here, and none that is known came. Send the header "
            "Authorization: Bearer TOKEN. `bayesic studio` prints its token at the end of the "
            "address; `bayesic serve --new-token` makes one.",
            {"www-authenticate": "Bearer"},
        )
    if RIGHTS.index(found.right) < RIGHTS.index(right):
        raise RefusedError(
            HTTPStatus.FORBIDDEN,
            f"This needs a token with the right {right!r}, and {found.name} has {found.right!r}.",
        )
    return found.name


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
