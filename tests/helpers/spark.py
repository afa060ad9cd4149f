"""One session of Spark for all tests: it takes long to start."""

import atexit
import os
import shutil
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import bayesic

# pyspark says of itself that it does not know pandas 3 yet
KNOWN = "ignore:.*[Pp]andas.*:FutureWarning"


GROUP = pytest.mark.xdist_group("spark")


@cache
def session() -> Any:
    """A session on two threads of this machine; it hears of no other.

    A task is tried three times. The processes that run Python import the same bayesic.
    """
    missing = _missing()
    if missing and os.environ.get("BAYESIC_SPARK_TESTS") == "required":
        pytest.fail(f"BAYESIC_SPARK_TESTS=required, but {missing} not installed.")
    if missing:
        pytest.skip(f"{missing} not installed: nothing is tried on Spark.")
    from pyspark.sql import SparkSession

    places = [str(Path(bayesic.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, places))
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.log.level": "FATAL",  # tests let tasks fail
        "spark.sql.execution.arrow.maxRecordsPerBatch": "200000",
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[2,3]").appName("bayesic")
    started = builder.config(map=settings).getOrCreate()
    atexit.register(started.stop)
    return started


def _missing() -> str:
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        return "Java (Debian: openjdk-17-jre-headless) is"
    try:
        import pyspark  # noqa: F401
    except ImportError:
        return "pyspark is"
    return ""


TYPES = {
    pa.string(): "string",
    pa.float64(): "double",
    pa.float32(): "float",
    pa.int64(): "bigint",
    pa.bool_(): "boolean",
}


def spark_table(table: pa.Table) -> Any:
    """A table as a DataFrame of Spark, in two partitions."""
    from pyspark.sql import types

    made = {"string": types.StringType, "double": types.DoubleType, "float": types.FloatType}
    made |= {"bigint": types.LongType, "boolean": types.BooleanType}
    fields = [types.StructField(f.name, made[TYPES[f.type]]()) for f in table.schema]
    rows = [*zip(*table.to_pydict().values(), strict=True)]
    return session().createDataFrame(rows, types.StructType(fields)).repartition(2)
