"""What a model has learned, as plain values: for JSON, and for the tables of `show`."""

from typing import Any

from bayesic.evidence.column_table import ColumnTable

MOST_TELLING = 3  # values of a column in the overview
TOP_WORDS = 10  # of each class


def model_description(model: Any) -> dict[str, Any]:
    """Parameters, classes and columns of a model."""
    summary = model.summary()
    told = summary.to_dict()
    columns = {part.name: part for part in summary.columns}
    return {
        "model": type(model).__name__,
        "parameters": model.get_params(deep=False),
        "target": summary.target,
        "rows": summary.rows,
        "n_parameters": summary.n_parameters,
        "entropy": summary.entropy,
        "classes": told["classes"],
        "columns": [
            column_overview(model, name)
            | {"bits": columns[name].bits, "left_out": columns[name].left_out}
            for name in model._column_names()
        ],
        "pairs": told["pairs"],
    }


def text_description(model: Any) -> dict[str, Any]:
    """Parameters and classes of a model of texts, and the words that speak for each class."""
    # different words: with tf-idf their occurrences are not kept
    texts, words = model.class_count_, (model.statistics_.texts_with > 0).sum(axis=0)
    numbers = zip(texts.tolist(), words.tolist(), (texts / texts.sum()).tolist(), strict=True)
    return {
        "model": type(model).__name__,
        "parameters": model.get_params(deep=False),
        "tokenizer": model.tokenizer_.name,
        "texts": texts.sum().item(),
        "words": len(model.vocabulary_),
        "smoothing": model.smoothing_,
        "classes": [
            {
                "class": label,
                "texts": n_texts,
                "words": n_words,
                "share": share,
                "top_words": {
                    word: weight
                    for word, weight in model.top_words(label, TOP_WORDS).items()
                    if weight > 0
                },
            }
            for label, (n_texts, n_words, share) in zip(
                model.classes_.tolist(), numbers, strict=True
            )
        ],
    }


def column_overview(model: Any, name: str) -> dict[str, Any]:
    """The kind of a column and its most telling values, or its numbers in each class."""
    column = column_description(model.table(name))
    values = column.pop("values", None)
    if values is not None:
        column["number_of_values"] = len(values)
        if not values or "information" in values[0]:
            column["most_telling"] = most_telling(values)
    return {key: part for key, part in column.items() if key not in ("given", "others")}


def most_telling(values: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The values that tell most of the class, and what they tell."""
    return [
        {key: value[key] for key in ("value", "speaks_for", "factor", "information")}
        for value in sorted(values, key=lambda value: -value["information"])[:MOST_TELLING]
    ]


def column_description(table: ColumnTable) -> dict[str, Any]:
    """All that is known of one column."""
    known = table.to_dict()
    classes = known.get("classes", [])
    if classes and "weight" in classes[0]:
        del known["classes"]
        known["weights"] = {part["class"]: part["weight"] for part in classes}
    return known
