"""Tables of Ibis: types that Arrow knows, and what PostgreSQL needs so that it hurries.

Ibis reads answers through a cursor of the server. PostgreSQL works on such a query with one process
and in the hope that few rows are wanted; a query whose rows are all taken at once it shares among
several.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa
    from ibis.expr.datatypes import DataType as IbisType

# Each process that shares a union of groups would compile all of it to machine code: for a million
# rows that is half as much work again as the counting. Servers that only speak like PostgreSQL may
# not have the setting.
WITHOUT_COMPILER = "SELECT set_config(name, 'off', true) FROM pg_settings WHERE name = 'jit'"


def readable(table: "ir.Table") -> "ir.Table":
    """An Ibis table whose columns can all be handed on.

    To Ibis decimals that say nothing of their length have 9 places. Ids and addresses come from the
    database as objects that Arrow does not know.
    """
    types = table.schema().items()
    other = {name: "float64" for name, type_ in types if type_.is_decimal()}
    other |= {name: "string" for name, type_ in types if _is_an_object(type_)}
    return table.cast(other) if other else table


def _is_an_object(type_: "IbisType") -> bool:
    return type_.is_uuid() or type_.is_inet() or type_.is_macaddr()


def all_rows(table: "ir.Table") -> "pa.Table":
    """All rows of an Ibis table as a pyarrow table: groups, which are not many."""
    backend = table.get_backend()
    connection: Any = getattr(backend, "con", None)
    if backend.name != "postgres" or not hasattr(connection, "transaction"):
        return table.to_pyarrow()
    query, schema = backend.compile(table), table.schema().to_pyarrow()
    # binary: numbers need not be written as digits and read again
    with connection.transaction(force_rollback=True), connection.cursor(binary=True) as cursor:
        cursor.execute(WITHOUT_COMPILER)  # until the rollback
        rows = cursor.execute(query).fetchall()
    arrow = import_module("pyarrow")
    together = arrow.array(rows, arrow.struct(list(schema)))  # to take them apart first is slow
    return arrow.Table.from_batches([arrow.RecordBatch.from_struct_array(together)])
