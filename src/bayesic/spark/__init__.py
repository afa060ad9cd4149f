"""Learning from Spark DataFrames, and answering them: `model.fit(dataframe, y="class")`.

    partition  --mapInArrow-->  statistics, as the bytes of a model file  --driver-->  +

What a partition does is what a block of rows does anywhere: it is summarised. What the driver does
is `+`. Executors must be able to import bayesic.
"""

from bayesic.spark._answered_frames import predict

__all__ = ["predict"]
