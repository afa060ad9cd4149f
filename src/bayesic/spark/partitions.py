"""One summary of each partition of a DataFrame, each counted once.

Spark runs a task again if it fails, and may run it twice at the same time. So summaries come back
with the number of their partition, and of each partition one is kept.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from bayesic.data.arrow_rows import arrow_batches
from bayesic.data.source import Stored
from bayesic.files.summaries import as_bytes, from_bytes

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SCHEMA = "partition long, refusal string, summary binary"


class TaskResult(NamedTuple):
    """What a task has returned: a summary, or why there can be none."""

    partition: int
    refusal: str | None
    summary: bytes | None


def summaries(frame: "DataFrame", summarise: Callable[[Stored], object]) -> list[Any]:
    """summarise(rows) of each partition that has rows, in the order of the partitions.

    summarise : runs on the executors; gives plain values, arrays and statistics, and refuses bad
                rows by a ValueError or TypeError, which becomes the error of the call
    """

    def task(batches: Iterator[object]) -> Iterator[Any]:
        return _summarised(batches, names, summarise)

    names = tuple(frame.columns)
    with spark_errors():
        found = numbered(frame).mapInArrow(task, SCHEMA).collect()
    return [from_bytes(data) for data in one_of_each(TaskResult(*row) for row in found)]


def one_of_each(returned: Iterable[TaskResult]) -> list[bytes]:
    """The summary of each partition once, in their order; or the first refusal as an error.

    >>> first, second = TaskResult(0, None, b"a"), TaskResult(1, None, b"b")
    >>> one_of_each([second, first, second])
    [b'a', b'b']
    """
    kept: dict[int, TaskResult] = {}
    for each in returned:
        kept.setdefault(each.partition, each)
    in_order = [kept[number] for number in sorted(kept)]
    for each in in_order:
        if each.refusal is not None:
            raise ValueError(
                f"{each.refusal} (In partition {each.partition} of the DataFrame; rows are counted "
                "from 0 in each.)"
            )
    return [each.summary for each in in_order if each.summary is not None]


def collected(frame: "DataFrame") -> Any:
    """All rows of a small DataFrame, as a pyarrow table."""
    import narwhals as nw

    with spark_errors():
        table = nw.from_native(numbered(frame)).collect(backend="pyarrow").to_native()
    return table.rename_columns(list(frame.columns))


def narrowed(frame: "DataFrame", names: Sequence[str]) -> "DataFrame":
    """The DataFrame with these of its columns alone."""
    renamed, index = numbered(frame), {name: f"c{at}" for at, name in enumerate(frame.columns)}
    return renamed.select(*(index[name] for name in names)).toDF(*names)


def numbered(frame: "DataFrame") -> "DataFrame":
    """The DataFrame with columns called c0, c1, ...: to Spark a dot in a name has a meaning."""
    names = list(frame.columns)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(
            f"The columns of a DataFrame must have different names, but {twice!r} comes twice. "
            "Rename or drop one of them."
        )
    return frame.toDF(*(f"c{index}" for index in range(len(names))))


@contextmanager
def spark_errors() -> Iterator[None]:
    """While this lasts, what Spark raises becomes a sentence."""
    try:
        yield
    except Exception as error:  # of Java, of py4j, of gRPC, of pyspark
        if type(error).__module__.partition(".")[0] not in ("pyspark", "py4j", "grpc"):
            raise
        raise ValueError(_sentence(str(error))) from error


def _sentence(message: str) -> str:
    if "No module named 'bayesic'" in message:
        return (
            "The executors of Spark cannot import bayesic. Install it there, or ship it with "
            "spark.archives or a virtual environment named by PYSPARK_PYTHON; nothing was learned."
        )
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    said = next((line for line in lines if _is_reason(line)), lines[0] if lines else "it is gone")
    return (
        f"Spark could not finish: {said.rstrip('.'):.300}. Look at its log, and whether executors "
        "were lost; nothing was learned."
    )


def _is_reason(line: str) -> bool:
    """Whether a line of a traceback says what has happened: RuntimeError: no more memory.

    >>> [_is_reason(line) for line in ("Traceback (most recent call last):", "OSError: gone")]
    [False, True]
    """
    name, colon, _ = line.partition(": ")
    return bool(colon) and name.isidentifier() and name.endswith(("Error", "Exception"))


# on the executors -----------------------------------------------------------------------------


def rows_of(batches: Iterator[Any], names: Sequence[str]) -> Stored | None:
    """The rows of a partition, None if it has none."""
    os.environ.setdefault("BAYESIC_THREADS", "1")  # each processor has its own task
    first = next((batch for batch in batches if batch.num_rows), None)
    if first is None:
        return None

    def every() -> Iterator[object]:
        yield first
        yield from batches

    return arrow_batches(tuple(names), tuple(first.schema.types), every())


def _summarised(
    batches: Iterator[object], names: Sequence[str], summarise: Callable[[Stored], object]
) -> Iterator[object]:
    """The summary of a partition as one row of SCHEMA; none if the partition has no rows."""
    rows = rows_of(batches, names)
    if rows is None:
        return
    refusal = summary = None
    try:
        summary = as_bytes(summarise(rows))
    except (TypeError, ValueError) as error:
        refusal = str(error)
        for _ in batches:  # Spark waits until all are taken
            pass
    from pyspark import TaskContext

    arrow, context = import_module("pyarrow"), cast("Any", TaskContext.get())
    yield arrow.RecordBatch.from_arrays(
        [
            arrow.array([context.partitionId()], arrow.int64()),
            arrow.array([refusal], arrow.string()),
            arrow.array([summary], arrow.binary()),
        ],
        names=["partition", "refusal", "summary"],
    )
