"""The tables of a store, and those of version 1, which had no seals."""

import sqlite3

from bayesic.store._seals import UNSEALED, seal_events, seal_rows

MARK = 0x62617965  # "baye", in the header of the file
VERSION = 2

HEAD = """
create table head (
    model integer primary key,
    seq integer not null,         -- its last event
    chain blob not null,          -- of that event
    seal blob not null
);
"""
SCHEMA = f"""
create table model (
    number integer primary key autoincrement,
    name text not null unique,
    told text not null,           -- JSON: what the first partial_fit is told
    seq integer not null,         -- the event that created it
    bytes blob not null,          -- as it was then
    sha256 text not null,
    cut integer not null,         -- up to this event the journal is not whole; 0 if all of it is
    seal blob                     -- see seals.py; the bytes have their checksum
);
create table event (
    seq integer primary key autoincrement,
    model integer not null,
    call integer not null,        -- the first event of those that came together
    id text not null,
    time real not null,
    op text not null,
    body text,                    -- JSON: the row; null if there is none, or it was dropped
    digest text,                  -- of a row that was dropped
    seal blob,
    chain blob
);
create index event_of_model on event (model, seq);
create index event_of_id on event (model, id);
create table snapshot (
    model integer not null,
    seq integer not null,
    bytes blob not null,
    sha256 text not null,
    seal blob,
    primary key (model, seq)
);
{HEAD}"""
# how version 1 is read
AS_HEAD = f"""
create temp view head as
    select number as model, 9223372036854775807 as seq, '{UNSEALED}' as chain, '{UNSEALED}' as seal
    from main.model;
"""
DIGESTS = {"model": ("seal",), "snapshot": ("seal",), "event": ("seal", "chain")}


def views(is_sealed: bool, by_table: bool) -> str:
    """How a file is read that is not as it should be: views of the same names before its tables.

    is_sealed : whether its version has digests
    by_table  : its indexes are damaged, and not used
    """
    made = [] if is_sealed else [AS_HEAD]
    for table, digests in DIGESTS.items():
        cells = ["*"] if is_sealed else ["*", *(f"'{UNSEALED}' as {name}" for name in digests)]
        whole = f"main.{table} not indexed" if by_table else f"main.{table}"
        made.append(f"create temp view {table} as select {', '.join(cells)} from {whole};")
    return "\n".join(made)


def upgrade(connection: sqlite3.Connection) -> None:
    """Seal a store of version 1: all of it, or nothing."""
    connection.execute("begin immediate")
    try:
        for column in ("event add seal", "event add chain", "model add seal", "snapshot add seal"):
            connection.execute(f"alter table {column} blob")
        connection.execute(HEAD)
        for (number,) in connection.execute("select number from model").fetchall():
            seal_rows(connection, "model", "number", number)
            seal_rows(connection, "snapshot", "model", number)
            seal_events(connection, number)
        connection.execute(f"pragma user_version = {VERSION}")
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise
