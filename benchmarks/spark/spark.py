"""Counting on Spark against MLlib's NaiveBayes, on the same DataFrame.

    python -m benchmarks spark --rows 10000000

Both learn 8 columns of whole numbers below 10 and a class. MLlib takes them as a vector. It is made
beforehand and not timed, as is the DataFrame; both are cached. The start of the session, and first
runs, which start the processes of Python, are told apart. Times are the least of three runs, in
turns. Writes SPARK.md beside this file.
"""

import argparse
import os
import platform
import sys
import time
import warnings
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

import bayesic as by
from benchmarks import load
from benchmarks.measuring import processor

RESULTS = Path(__file__).with_name("SPARK.md")
MLLIB = "Spark MLlib NaiveBayes, multinomial"
N_COLUMNS = 8
COLUMNS = [f"c{number}" for number in range(N_COLUMNS)]


def session() -> Any:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "4g",
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
        MLLIB: lambda: mllib.fit(vectors),
        "bayesic NaiveBayes, groups": lambda: by.NaiveBayes(numeric="categorical").fit(
            frame, y="label"
        ),
        "bayesic MultinomialNB, sums": lambda: by.MultinomialNB().fit(frame, y="label"),
        "bayesic GaussianNB, sums": lambda: by.GaussianNB().fit(frame, y="label"),
        "bayesic GaussianBayes, partitions": lambda: by.GaussianBayes().fit(frame, y="label"),
    }


def report(n_rows: int) -> str:
    warnings.simplefilter("ignore")
    started, spark = seconds(session)
    frame = rows(spark, n_rows)
    made, _ = seconds(frame.count)
    jobs = ways(frame)
    first: dict[str, float] = {}
    best: dict[str, float] = {}
    models: dict[str, Any] = {}
    for _ in range(3):
        for name, work in jobs.items():
            took, models[name] = seconds(work)
            first.setdefault(name, took)
            best[name] = min(took, best.get(name, np.inf))
    theirs, ours = models[MLLIB], models["bayesic MultinomialNB, sums"]
    np.testing.assert_allclose(ours.feature_log_prob_, theirs.theta.toArray(), rtol=1e-9)
    where = f"Spark {spark.version} on {spark.sparkContext.master}"
    spark.stop()
    lines = [
        [name, f"{first[name]:.1f} s", f"{took:.2f} s", f"{took / best[MLLIB]:.2f}x", bar(name)]
        for name, took in best.items()
    ]
    head = ["model", "first run", "least of three", "ratio", "to reach"]
    table = "\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * 5, *lines])
    return f"""# Spark

Measured {date.today()} with `python -m benchmarks spark` on {os.cpu_count()} cores
({processor()}), Python {platform.python_version()}, {where}.

{n_rows:,} rows of {N_COLUMNS} columns of whole numbers and a class, cached. MLlib takes a vector,
which is made and cached beforehand and not timed. The session took {started:.1f} s to start, the
DataFrame {made:.1f} s. First runs start the processes of Python. `MultinomialNB` has the parameters
of MLlib, to 1e-9. The ratio is our time divided by MLlib's; where what is to be reached is missed,
it stands here all the same.

{table}
"""


def bar(name: str) -> str:
    return "1x" if name.startswith("bayesic Na") or name.endswith("sums") else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dry", action="store_true", help=f"do not write {RESULTS.name}")
    parser.add_argument("--rows", type=int, default=10_000_000)
    asked = parser.parse_args()
    before = load.load_at_rest()  # later the processes of Spark cannot be told from others
    text = f"{report(asked.rows)}\nOther programs kept {before:.2f} processors busy before.\n"
    print(text)
    if not asked.dry and load.is_quiet(before, before):
        RESULTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
