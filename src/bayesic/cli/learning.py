"""Models as the options of the command line describe them."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import bayesic as by
from bayesic.cli.options import (
    OF_TEXTS,
    columns_given,
    prior_given,
    smoothing_given,
    text_smoothing_given,
)
from bayesic.cli.reading import is_text_model, label_named

Learn = Callable[[Any], Any]  # a model that has learned nothing -> the same, having learned


def learned_model(learn: Learn, how: Mapping[str, Any]) -> Any:
    """A NaiveBayes with these options that has learned; options that do not fit are refused."""
    told = prior_given(how["prior"])
    columns, smoothing = columns_given(how["columns"]), smoothing_given(how["smoothing"])
    model = learn(by.NaiveBayes(columns, how["numeric"], smoothing))
    model.set_params(prior=prior_of_classes(told, model.classes_))
    _ = model.class_prior_, model.kinds_  # raises if a name in the options is of no column or class
    return model


def learned_text_model(learn: Learn, how: Mapping[str, Any]) -> Any:
    """A TextClassifier with the options that are given, which has learned."""
    given = {name: how[name] for name in OF_TEXTS if how[name] not in (None, "none")}
    return learn(by.TextClassifier(smoothing=text_smoothing_given(how["smoothing"]), **given))


def prior_of_classes(told: Any, classes: np.ndarray) -> Any:
    """The prior with the labels that were learned instead of their texts.

    >>> prior_of_classes({"1": 0.5, "2": 0.5}, np.array([1, 2]))
    {1: 0.5, 2: 0.5}
    """
    if not isinstance(told, Mapping):
        return told
    return {label_named(classes, name): share for name, share in told.items()}


def summary(model: Any) -> dict[str, Any]:
    """What to say of a model after learning, for JSON."""
    number = model.statistics_.class_count.sum().item()
    counts = zip(map(str, model.classes_.tolist()), class_counts(model), strict=True)
    if is_text_model(model):
        return {"texts": number, "classes": dict(counts), "words": len(model.vocabulary_)}
    return {
        "rows": number,
        "classes": dict(counts),
        "columns": kinds_of(model),
        "target": getattr(model, "target_name_", None),
    }


def class_counts(model: Any) -> list[float]:
    """Rows or texts of each class."""
    return model.statistics_.class_count.tolist()


def kinds_of(model: Any) -> dict[str, str]:
    """The kind of each column, by name; a model without a choice of kinds has categories only."""
    if hasattr(model, "kinds_"):
        return dict(model.kinds_)
    unnamed = [f"x{number}" for number in range(model.n_features_in_)]
    told = model.columns or {}
    names = getattr(model, "feature_names_in_", unnamed)
    return {str(name): told.get(name, "categorical") for name in names}


def summary_sentence(learned: Mapping[str, Any]) -> str:
    """The same in one line.

    >>> summary_sentence({"rows": 3, "classes": {"ham": 2, "spam": 1}, "columns": {"free": "text"}})
    '3 rows, 2 classes (ham 2, spam 1), 1 column'
    >>> summary_sentence({"texts": 1, "classes": {"ham": 1}, "words": 2000})
    '1 text, 1 class (ham 1), 2,000 words'
    """
    classes = learned["classes"]
    counts = ", ".join(
        f"{label} {number_text(count)}" for label, count in list(classes.items())[:10]
    )
    more = ", ..." if len(classes) > 10 else ""
    if "texts" in learned:
        learned_from, features = (
            counted(learned["texts"], "text"),
            counted(learned["words"], "word"),
        )
    else:
        columns = [kind for kind in learned["columns"].values() if kind != "ignore"]
        learned_from, features = counted(learned["rows"], "row"), counted(len(columns), "column")
    n_classes = counted(len(classes), "class", "classes")
    return f"{learned_from}, {n_classes} ({counts}{more}), {features}"


def counted(number: float, singular: str, plural: str | None = None) -> str:
    """A number with its noun.

    >>> counted(1, "row"), counted(2, "class", "classes")
    ('1 row', '2 classes')
    """
    return f"{number_text(number)} {singular if number == 1 else plural or singular + 's'}"


def number_text(number: float) -> str:
    """A count, or a sum of weights, for the reader.

    >>> number_text(3_000_000), number_text(2.5)
    ('3,000,000', '2.5')
    """
    return f"{number:,}" if isinstance(number, int) else f"{number:,.6g}"
