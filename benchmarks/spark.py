"""Counting on Spark against MLlib's NaiveBayes, on the same DataFrame.

    python benchmarks/spark.py --rows 10000000

Both learn 8 columns of whole numbers below 10 and a class. MLlib takes them as a vector. It is made
beforehand and not timed, as is the DataFrame; both are cached. The start of the session, and first
runs, which start the processes of Python, are on lines of their own. Times are the least of three
runs, in turns.
"""

import argparse
import os
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import bayesic as by

N_COLUMNS = 8
COLUMNS = [f"c{number}" for number in range(N_COLUMNS)]


def session() -> Any:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "2g",
        "spark.log.level": "ERROR",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
    }
    return SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()


def rows(spark: Any, n_rows: int) -> Any:
    """Whole numbers that lean on the class, from the number of the row."""
    from pyspark.sql import functions

    numbered = spark.range(0, n_rows, 1, 4)
    label = (functions.xxhash64("id") % 2 + 2) % 2
    cells = [
        (
            ((functions.xxhash64("id", functions.lit(number)) % 8 + 8) % 8) + label * (number % 3)
        ).cast("int")
        for number in range(N_COLUMNS)
    ]
    named = [cell.alias(name) for cell, name in zip(cells, COLUMNS, strict=True)]
    return numbered.select(label.cast("double").alias("label"), *named).cache()


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    result = work()
    return time.perf_counter() - began, result


def ways(frame: Any) -> dict[str, Callable[[], Any]]:
    from pyspark.ml.classification import NaiveBayes
    from pyspark.ml.feature import VectorAssembler

    vectors = VectorAssembler(inputCols=COLUMNS, outputCol="features").transform(frame)
    vectors = vectors.select("label", "features").cache()
    vectors.count()
    mllib = NaiveBayes(modelType="multinomial")
    return {
        "Spark MLlib NaiveBayes, multinomial": lambda: mllib.fit(vectors),
        "bayesic NaiveBayes, groups": lambda: by.NaiveBayes(numeric="categorical").fit(
            frame, y="label"
        ),
        "bayesic MultinomialNB, partitions": lambda: by.MultinomialNB().fit(frame, y="label"),
        "bayesic GaussianNB, partitions": lambda: by.GaussianNB().fit(frame, y="label"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    n_rows = parser.parse_args().rows
    warnings.simplefilter("ignore")
    started, spark = seconds(session)
    frame = rows(spark, n_rows)
    made, _ = seconds(frame.count)
    jobs = ways(frame)
    where = f"Spark {spark.version} on {spark.sparkContext.master}"
    print(f"{n_rows:,} rows, {N_COLUMNS} columns, {where}")
    print(f"{'session':<40} {started:8.1f} s")
    print(f"{'the DataFrame made and cached':<40} {made:8.1f} s")
    best: dict[str, float] = {}
    models: dict[str, Any] = {}
    for turn in range(3):
        for name, work in jobs.items():
            took, models[name] = seconds(work)
            if turn == 0:
                print(f"{name + ', first':<40} {took:8.2f} s")
            best[name] = min(took, best.get(name, np.inf))
    for name, took in best.items():
        print(f"{name:<40} {took:8.2f} s")
    theirs = models["Spark MLlib NaiveBayes, multinomial"]
    ours = models["bayesic MultinomialNB, partitions"]
    np.testing.assert_allclose(ours.feature_log_prob_, theirs.theta.toArray(), rtol=1e-9)
    print("MultinomialNB has the parameters of MLlib, to 1e-9.")
    spark.stop()


if __name__ == "__main__":
    main()
