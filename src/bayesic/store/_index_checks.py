"""Indexes of a journal: no digest guards them, so they are compared with the tables on opening."""

import sqlite3

from bayesic.store._journal_lines import JournalConnection, check_all
from bayesic.store._versions import views
from bayesic.store.errors import DamagedError


def damage_of(connection: sqlite3.Connection) -> str | None:
    """The first thing that SQLite finds wrong with a file; None if all is well.

    Of 1,000,000 events this takes one to two seconds.
    """
    try:
        (line,) = connection.execute("pragma integrity_check(1)").fetchone()
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # or what it says is no text
        return str(error)
    return None if line == "ok" else line.splitlines()[-1]


def are_made_anew(connection: sqlite3.Connection, is_sealed: bool) -> bool:
    """Make the indexes anew from the tables, if these are whole; else all is left as it was.

    is_sealed : whether events have seals, by which it is seen
    """
    try:
        connection.execute("begin immediate")
        connection.execute("reindex")
        if damage_of(connection) is not None:
            raise DamagedError("It is not only the indexes.")
        if is_sealed:
            for (model,) in connection.execute("select model from head").fetchall():
                check_all(connection, model)
        connection.execute("commit")
    except (sqlite3.DatabaseError, UnicodeDecodeError, DamagedError):
        if connection.in_transaction:
            connection.execute("rollback")
        return False
    return True


def read_by_table(connection: JournalConnection, is_sealed: bool) -> None:
    """Read without the indexes of the file, which are damaged."""
    connection.executescript(views(is_sealed, by_table=True))
    connection.by_table = True
