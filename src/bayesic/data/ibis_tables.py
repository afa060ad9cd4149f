"""Answers to questions that Ibis has written: what PostgreSQL needs so that it hurries.

Ibis reads answers through a cursor of the server. PostgreSQL works on such a query with one process
and in the hope that few rows are wanted; a query whose rows are all taken at once it shares among
several.
"""

from importlib import import_module
from typing import Any

# To compile a union of groups to machine code takes longer than to count a million rows. Servers
# that only speak like PostgreSQL may not have the setting.
WITHOUT_COMPILER = "SELECT set_config(name, 'off', true) FROM pg_settings WHERE name = 'jit'"


def all_rows(table: Any) -> Any:
    """All rows of an Ibis table as a pyarrow table: groups, which are not many."""
    backend = table.get_backend()
    connection: Any = getattr(backend, "con", None)
    if backend.name != "postgres" or not hasattr(connection, "transaction"):
        return table.to_pyarrow()
    query, schema = backend.compile(table), table.schema().to_pyarrow()
    with connection.transaction(force_rollback=True), connection.cursor() as cursor:
        cursor.execute(WITHOUT_COMPILER)  # until the rollback
        rows = cursor.execute(query).fetchall()
    arrow = import_module("pyarrow")
    together = arrow.array(rows, arrow.struct(list(schema)))  # to take them apart first is slow
    return arrow.Table.from_batches([arrow.RecordBatch.from_struct_array(together)])
