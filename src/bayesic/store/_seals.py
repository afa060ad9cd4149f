"""Digests by which damage shows: of the cells of each row, and of what came before an event.

seal  : the digest of the cells of a row, of any table
chain : of an event, the digest of its seal and of the chain of the model's event before
head  : the last event of a model, with its chain; so what is missing at the end shows, too

They guard against damage: a disk, a copy, a program that writes where it should not. They are plain
digests without a key, so a deliberate change of the file can also recompute them.
"""

import json
import sqlite3
from hashlib import blake2b
from typing import Any

SIZE = 16  # bytes
START = b""  # before the first event of a model
UNSEALED = "unsealed"  # in place of all digests where a store of version 1 is only read
AT_ONCE = 10_000  # events that are sealed together
SEALED = {
    "model": "number, name, told, seq, sha256, cut",
    "snapshot": "model, seq, sha256",
    "event": "seq, model, call, id, time, op, body, digest",
}


def seal_of(*cells: object) -> bytes:
    """The digest of cells, each of its own type.

    >>> seal_of(1, "rain") == seal_of("1", "rain")
    False
    """
    return blake2b(json.dumps(cells).encode(), digest_size=SIZE).digest()


def chain_of(before: bytes, seal: bytes) -> bytes:
    """The digest of a seal and of all that came before it."""
    return blake2b(before + seal, digest_size=SIZE).digest()


def is_whole(seal: object, *cells: object) -> bool:
    """Whether cells are what was sealed."""
    if seal == UNSEALED:
        return True
    try:
        return seal == seal_of(*cells)
    except TypeError:  # bytes, where there was a text
        return False


def seal_rows(connection: sqlite3.Connection, table: str, key: str, number: int) -> None:
    """Seal the rows of a model in a table, as they are."""
    of_model = f"select rowid, {SEALED[table]} from main.{table} where {key} = ?"
    seals = [(seal_of(*cells), row) for row, *cells in connection.execute(of_model, (number,))]
    connection.executemany(f"update main.{table} set seal = ? where rowid = ?", seals)


def seal_events(connection: sqlite3.Connection, model: int) -> None:
    """Seal all events of a model as they are, and chain them anew."""
    seq, chain = 0, START
    while True:
        found = connection.execute(
            f"select {SEALED['event']} from event where model = ? and seq > ? order by seq limit ?",
            (model, seq, AT_ONCE),
        ).fetchall()
        sealed = []
        for cells in found:
            seq, seal = cells[0], seal_of(*cells)
            chain = chain_of(chain, seal)
            sealed.append((seal, chain, seq))
        connection.executemany("update main.event set seal = ?, chain = ? where seq = ?", sealed)
        if len(found) < AT_ONCE:
            break
    write_head(connection, model, seq, chain)


def write_head(connection: sqlite3.Connection, model: int, seq: int, chain: bytes) -> None:
    """Write which event of a model is the last one."""
    connection.execute(
        "insert or replace into head values (?, ?, ?, ?)",
        (model, seq, chain, seal_of(model, seq, chain.hex())),
    )


def read_head(connection: sqlite3.Connection, model: int) -> tuple[int, Any] | None:
    """The number and the chain of the last event of a model; None if that is damaged."""
    found = connection.execute(
        "select seq, chain, seal from head where model = ?", (model,)
    ).fetchone()
    if found is None:
        return None
    seq, chain, seal = found
    if seal == UNSEALED:
        return seq, chain
    is_sealed = isinstance(chain, bytes) and is_whole(seal, model, seq, chain.hex())
    return (seq, chain) if is_sealed else None
