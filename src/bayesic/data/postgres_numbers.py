"""Numbers of a PostgreSQL table by their leading bits, which it takes from their bytes.

Comparisons and divisions, as every engine has them, take it four times as long.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing
from importlib import import_module
from typing import Any

import numpy as np

from bayesic.data.sources import Cut, NumberGroups
from bayesic.kernels import Array

SIGN_AND_EXPONENT, BYTE = 12, 8  # bits

QUERY = """SELECT target, set_byte(substr(bytes, 1, {n}), {last}, get_byte(bytes, {last}) & {mask}),
count(*), avg(x), var_pop(x)
FROM (SELECT target, x, float8send(x) AS bytes FROM ({rows}) AS numbers) AS cells
GROUP BY 1, 2 LIMIT {most}"""


def is_of_postgres(table: Any) -> bool:
    """Whether a lazy table is one of Ibis that PostgreSQL holds.

    >>> is_of_postgres([[1, 2]])
    False
    """
    is_of_ibis = type(table).__module__.partition(".")[0] == "ibis"
    return is_of_ibis and table.get_backend().name == "postgres"


def number_groups_of_postgres(
    table: Any, target: str, columns: Mapping[str, Cut], most: int, called: str
) -> Iterator[NumberGroups]:
    """For each column of an Ibis table its numbers by class and leading bits, or some more.

    called : the name of the class in the groups
    """
    arrow, server = import_module("pyarrow"), table.get_backend()
    for name, cut in columns.items():
        rows = table.select(target=table[target], x=table[name].cast("float64"))
        kept = SIGN_AND_EXPONENT + cut.bits
        n_bytes = -(-kept // BYTE)
        query = QUERY.format(
            n=n_bytes,
            last=n_bytes - 1,
            mask=2**BYTE - 2 ** (BYTE * n_bytes - kept),
            rows=server.compile(rows),
            most=most + 1,
        )
        with closing(server.raw_sql(query)) as cursor:
            found = cursor.fetchall()
        classes, patterns, count, mean, variance = zip(*found, strict=True)
        times = np.array(count, np.int64)
        yield NumberGroups(
            arrow.table({called: arrow.array(classes)}),
            numbers_of_bytes(patterns),
            times,
            np.array(mean, np.float64),
            np.array(variance, np.float64) * times,
        )


def numbers_of_bytes(patterns: Any) -> Array:
    """The numbers that begin with these bytes, all further bits 0; NaN where there are none.

    >>> numbers_of_bytes([b"\\x40\\x08", b"\\xc0\\x08\\x00", None, b"\\x80"])
    array([ 3., -3., nan,  0.])
    """
    unknown = np.float64(np.nan).tobytes()[::-1]
    whole = b"".join((unknown if each is None else each).ljust(BYTE, b"\0") for each in patterns)
    numbers = np.frombuffer(whole, ">f8").astype(np.float64)
    return np.where(np.abs(numbers) < np.finfo(np.float64).tiny, 0.0, numbers)
