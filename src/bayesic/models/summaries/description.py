"""What a model has learned, as plain values for JSON: in one line, or all of it.

Any model of tables or texts that has learned will do.
"""

from collections.abc import Mapping
from typing import Any

from bayesic.data.typing import Label
from bayesic.evidence.column_table import ColumnTable, whole
from bayesic.evidence.text_table import counted, number_text

MOST_TELLING = 3  # values of a column in the overview
TOP_WORDS = 10  # of each class
MOST_CLASSES = 10  # in a line
MOST_CLASSES_OF_COLUMN = 4  # the same, of what is known of a column

Known = dict[str, Any]


def learned_so_far(model: Any) -> Known:
    """How many rows or texts were learned, of which classes, with which columns or words."""
    groups = model._groups()
    classes = dict(zip(map(str, groups.labels), map(whole, groups.rows), strict=True))
    number = sum(classes.values())
    if model._unit == "text":
        learned = {"texts": number, "classes": classes, "words": len(model.vocabulary_)}
        return learned | _chosen(model)
    target = getattr(model, "target_name_", None)
    return {"rows": number, "classes": classes, "columns": column_kinds(model), "target": target}


def learned_line(learned: Mapping[str, Any]) -> str:
    """The same in one line.

    >>> learned_line({"rows": 3, "classes": {"ham": 2, "spam": 1}, "columns": {"free": "text"}})
    '3 rows, 2 classes (ham 2, spam 1), 1 column'
    >>> learned_line({"texts": 1, "classes": {"ham": 1}, "words": 2000})
    '1 text, 1 class (ham 1), 2,000 words'
    """
    classes = learned["classes"]
    shown = list(classes.items())[:MOST_CLASSES]
    counts = ", ".join(f"{label} {number_text(count)}" for label, count in shown)
    more = ", ..." if len(classes) > MOST_CLASSES else ""
    if "texts" in learned:
        number, unit, features = learned["texts"], "text", counted(learned["words"], "word")
    else:
        columns = [kind for kind in learned["columns"].values() if kind != "ignore"]
        number, unit, features = learned["rows"], "row", counted(len(columns), "column")
    n_classes = counted(len(classes), "class", "classes")
    line = f"{counted(number, unit)}, {n_classes} ({counts}{more}), {features}"
    return line + (f"; chosen: {settings_text(learned['chosen'])}" if "chosen" in learned else "")


def settings_text(parameters: Mapping[str, object]) -> str:
    """Parameters in one line.

    >>> settings_text({"model": "complement", "ngrams": (1, 2)})
    "model='complement', ngrams=(1, 2)"
    """
    return ", ".join(f"{name}={value!r}" for name, value in parameters.items())


def _chosen(model: Any) -> Known:
    """Of a model of texts that chooses, the parameters that it has chosen."""
    return {"chosen": dict(model.chosen_.parameters)} if model.model == "auto" else {}


def column_kinds(model: Any) -> dict[str, str]:
    """The kind of each column, by name; without a choice of kinds: bins of numbers, categories."""
    if hasattr(model, "kinds_"):
        return dict(model.kinds_)
    names = model._described().names
    if not hasattr(model, "columns"):  # it takes numbers only
        return dict.fromkeys(names, "number")
    kinds = dict.fromkeys(getattr(model, "bins_", {}), "binned") | (model.columns or {})
    return {str(name): kinds.get(name, "categorical") for name in names}


def description(model: Any) -> Known:
    """Parameters, classes and columns of a model; of texts the words that speak for each class."""
    made = {"model": type(model).__name__, "parameters": model.get_params(deep=False)}
    return made | (_of_texts(model) if model._unit == "text" else _of_table(model))


def column_description(table: ColumnTable) -> Known:
    """All that is known of one column."""
    known = table.to_dict()
    classes = known.get("classes", [])
    if classes and "weight" in classes[0]:
        del known["classes"]
        known["weights"] = {part["class"]: part["weight"] for part in classes}
    return known


def column_line(column: Mapping[str, Any]) -> str:
    """What `description` says of a column, in one line.

    >>> column_line({"kind": "categorical", "number_of_values": 2, "depends_on": ["Wind"]})
    '2 values, depends on Wind'
    """
    if "number_of_values" in column:
        noun = {"binned": "bin", "text": "word"}.get(column["kind"], "value")
        number = counted(column["number_of_values"], noun)
        if "most_telling" not in column:
            parents = ", ".join(column.get("depends_on", []))
            return f"{number}, depends on {parents}" if parents else number
        if column["number_of_values"] < 2:
            return f"{number}, which says nothing"
        told = [
            f"{part['value']} → {part['speaks_for']} ×{part['factor']:.3g}"
            for part in column["most_telling"]
        ]
        return f"{number}: {', '.join(told)}"
    told = [f"{label} {weight:+.4g}" for label, weight in column.get("weights", {}).items()]
    told += [
        f"{part['class']} {part['mean']:.4g} ± {part['standard_deviation']:.3g}"
        for part in column.get("classes", [])
    ]
    more = ["..."] if len(told) > MOST_CLASSES_OF_COLUMN else []
    return ", ".join(told[:MOST_CLASSES_OF_COLUMN] + more)


def _of_table(model: Any) -> Known:
    summary = model.summary()
    told = summary.to_dict()
    columns = {part.name: part for part in summary.columns}
    return {
        "target": summary.target,
        "rows": summary.rows,
        "n_parameters": summary.n_parameters,
        "entropy": summary.entropy,
        "classes": told["classes"],
        "columns": [
            _column_overview(model.table(name))
            | {"bits": columns[name].bits, "left_out": columns[name].left_out}
            for name in model._described().names
        ],
        "pairs": told["pairs"],
    }


def _column_overview(table: ColumnTable) -> Known:
    """The kind of a column and its most telling values, or its numbers in each class."""
    column = column_description(table)
    values = column.pop("values", None)
    if values is not None:
        column["number_of_values"] = len(values)
        if not values or "information" in values[0]:
            column["most_telling"] = [
                {key: value[key] for key in ("value", "speaks_for", "factor", "information")}
                for value in sorted(values, key=lambda value: -value["information"])[:MOST_TELLING]
            ]
    return {key: part for key, part in column.items() if key not in ("given", "others")}


def _of_texts(model: Any) -> Known:
    # different words: with tf-idf their occurrences are not kept
    texts, words = model.class_count_, (model.statistics_.texts_with > 0).sum(axis=0)
    shares = texts / texts.sum()
    rows = zip(
        model.classes_.tolist(), texts.tolist(), words.tolist(), shares.tolist(), strict=True
    )
    return {
        "tokenizer": model.tokenizer_.name,
        "texts": texts.sum().item(),
        "words": len(model.vocabulary_),
        "smoothing": model.smoothing_,
        **_chosen(model),
        "classes": [
            {"class": label, "texts": n_texts, "words": n_words, "share": share}
            | {"top_words": _words_for(model, label)}
            for label, n_texts, n_words, share in rows
        ],
    }


def _words_for(model: Any, label: Label) -> dict[str, float]:
    words = model.top_words(label, TOP_WORDS)
    return {word: weight for word, weight in words.items() if weight > 0}
