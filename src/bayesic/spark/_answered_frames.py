"""Answers beside the rows of a DataFrame, computed where the rows are."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesic.data.arguments import check_is_fitted
from bayesic.data.lazy_frames import is_of_spark
from bayesic.data.snapshots import snapshot
from bayesic.data.typing import Predictor
from bayesic.kernels import Array
from bayesic.spark.partitions import numbered, rows_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ANSWERS = ("prediction", "probability")
TYPES = {"U": "string", "O": "string", "T": "string", "i": "long", "u": "long"}
TYPES |= {"b": "boolean", "f": "double"}  # of what is predicted, by the kind of its array


def predict(
    dataframe: "DataFrame", model: Predictor, columns: Sequence[str] | None = None
) -> "DataFrame":
    """The DataFrame with two more columns, `prediction` and `probability`.

    dataframe : of Spark, classic or Connect
    model : fitted, on whatever rows; it goes to the executors once
    columns : those that the model is asked with, if they are not called what was learned: for a
        model that was fitted on arrays or a list of texts

    probability is an array, in the order of `model.classes_` (of a mixture: of its components); a
    model that has no probabilities, such as LeastSquares, gives `prediction` alone. Nothing is
    computed before Spark is asked for the rows.

    >>> import bayesic as by
    >>> model = by.NaiveBayes().fit({"sky": ["rain", "sun"], "plan": ["stay", "go"]}, y="plan")
    >>> days = spark.createDataFrame([("rain",)], ["sky"])  # doctest: +SKIP
    >>> by.spark.predict(days, model).first()["prediction"]  # doctest: +SKIP
    'stay'
    """
    if not is_of_spark(dataframe):
        raise TypeError(
            f"bayesic.spark.predict takes a DataFrame of Spark, got a {type(dataframe).__name__}. "
            "Call model.predict or model.predict_proba for rows in memory."
        )
    if not hasattr(model, "predict"):
        raise TypeError(f"A model that can predict is needed, got a {type(model).__name__}.")
    check_is_fitted(model)
    names = tuple(dataframe.columns)
    asked = _columns(names, model, columns)
    state, answers = snapshot(model), ANSWERS[: 2 if hasattr(model, "predict_proba") else 1]
    taken = [name for name in answers if name.lower() in {name.lower() for name in names}]
    if taken:
        raise ValueError(
            f"The DataFrame has a column {taken[0]!r} already. Rename it: "
            f"dataframe.withColumnRenamed({taken[0]!r}, 'other')."
        )

    def task(batches: Iterator[object]) -> Iterator[Any]:
        return _answered(batches, names, asked, state)

    from pyspark.sql import types

    renamed = numbered(dataframe)
    schema = types.StructType(list(renamed.schema.fields))
    schema = schema.add(answers[0], TYPES[_labels(model).dtype.kind])
    if len(answers) == 2:
        schema = schema.add(answers[1], types.ArrayType(types.DoubleType()))
    return renamed.mapInArrow(task, schema).toDF(*names, *answers)


def _labels(model: object) -> Array:
    """What can be predicted, or something of its kind."""
    for name in ("actions_", "classes_"):
        if hasattr(model, name):
            return np.asarray(getattr(model, name))
    is_number = getattr(model, "_estimator_type", None) == "regressor" or hasattr(model, "coef_")
    return np.zeros(1) if is_number else np.zeros(1, np.int64)  # a component, or a cluster


def _columns(
    names: Sequence[str], model: object, declared: Sequence[str] | None
) -> tuple[str, ...]:
    """The columns that the model is asked with."""
    texts = getattr(model, "text_column_", None)
    learned = (texts,) if isinstance(texts, str) else texts
    learned = getattr(model, "feature_names_in_", None) if learned is None else learned
    if declared is None and learned is None:
        raise ValueError(
            "The model was fitted on columns without names. Say with columns= which of the "
            f"DataFrame it is to be asked with: {', '.join(map(repr, names))}."
        )
    wanted = tuple(declared if declared is not None else learned)  # type: ignore[arg-type]  # one is there
    missing = [name for name in wanted if name not in names]
    if missing:
        raise ValueError(
            f"The DataFrame has no column {missing[0]!r}, by which the model answers. It has "
            f"{', '.join(map(repr, names))}. Add it, with nulls where it was not observed."
        )
    return wanted


# on the executors -----------------------------------------------------------------------------


def _answered(
    batches: Iterator[object], names: Sequence[str], asked: Sequence[str], model: object
) -> Iterator[Any]:
    """Batches with the answers of the model beside their columns."""
    arrow, rows = import_module("pyarrow"), rows_of(batches, names)
    if rows is None:
        return
    for batch in rows.table.batches([*range(len(names))], {}, 0):
        table = arrow.Table.from_batches([batch])
        answers = _answers(model, table.rename_columns(list(names)).select(list(asked)))
        for name, cells in zip(ANSWERS, answers, strict=False):
            table = table.append_column(name, cells)
        yield from table.to_batches()


def _answers(model: Any, table: object) -> list[Any]:
    arrow, rows = import_module("pyarrow"), _as_learned(model, table)
    predicted = np.asarray(model.predict(rows))
    type_ = arrow.string() if TYPES[predicted.dtype.kind] == "string" else None
    answers = [arrow.array(predicted.tolist(), type_)]
    if hasattr(model, "predict_proba"):
        probability = np.ascontiguousarray(model.predict_proba(rows), dtype=np.float64)
        n_rows, n_classes = probability.shape
        ends = arrow.array(np.arange(n_rows + 1, dtype=np.int32) * n_classes)
        answers.append(arrow.ListArray.from_arrays(ends, arrow.array(probability.ravel())))
    return answers


def _as_learned(model: object, table: Any) -> object:
    """The columns as the model knows them: of texts the texts, without names an array."""
    if hasattr(model, "tokenizer_"):
        from bayesic.data.texts import as_texts, texts_beside

        return texts_beside([as_texts(table[name]) for name in table.column_names])
    if hasattr(model, "feature_names_in_"):
        return table
    return np.column_stack([column.to_numpy() for column in table.columns])
