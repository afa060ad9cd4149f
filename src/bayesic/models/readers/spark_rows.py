"""The rows of a Spark DataFrame: counted where they are, chosen by from a sample of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from bayesic.data.arrow_rows import arrow_rows
from bayesic.data.source import Stored, no_order
from bayesic.models.readers.reader import CodedRows, CodedSource, Counted, CountsRows
from bayesic.spark.partitions import collected, narrowed, summaries
from bayesic.spark.sampled_rows import sampled
from bayesic.statistics.additive import sum_of_pairs, united

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class CountingPartition:
    """What is done with a partition: its blocks are counted as those of a file are."""

    model: CountsRows
    target: str | None
    told: dict[str, object]

    def rows(self, source: Stored) -> Iterator[CodedRows]:
        """As the model reads them."""
        return self.model._coded_blocks(source, self.target, None, **self.told)

    def __call__(self, source: Stored) -> Counted | None:
        """Classes and statistics."""
        return sum_of_pairs(united, map(self.model._counted_block, self.rows(source)))


def spark_rows(
    model: CountsRows,
    source: Stored,
    target: object,
    sample_weight: object,
    told: dict[str, object],
) -> CodedSource:
    """The rows of a DataFrame. When they are needed, the model gets to know its columns first.

    target : the name of the column of classes
    told : what else the reader of the model is told
    """
    if sample_weight is not None or not isinstance(target, (str, type(None))):
        raise no_order("The DataFrame of Spark")
    reading, frame = CountingPartition(model, target, told), source.X

    @cache
    def needed() -> "DataFrame":
        first = collected(frame.limit(1))
        if not first.num_rows:
            raise ValueError(
                "The DataFrame has no rows, so there is nothing to learn. Check the filters before "
                "it."
            )
        for _ in reading.rows(arrow_rows(first)):
            pass
        return narrowed(frame, _columns(model, frame, target))

    @cache
    def sample() -> list[CodedRows]:
        return [*reading.rows(sampled(needed())[0])]

    def count(state: Callable[[], CountsRows]) -> Counted | None:
        parts = summaries(needed(), CountingPartition(state(), target, told))
        return sum_of_pairs(united, map(tuple, parts))

    named = target if not told else None
    return CodedSource(sample, source, named, count)


def _columns(model: CountsRows, frame: "DataFrame", target: str | None) -> list[str]:
    """The columns that take part, and the classes; all where columns go by their places."""
    texts = getattr(model, "text_column_", None)
    columns = [texts] if isinstance(texts, str) else [*(texts or model._reader().features)]
    if not set(columns) <= set(frame.columns):
        return list(frame.columns)
    label = getattr(model, "target_name_", None) if target is None else target
    return [name for name in frame.columns if name in columns or name == label]
