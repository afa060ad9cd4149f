"""Models as the options of the command line describe them."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import bayesic as by
from bayesic.cli.options import (
    OF_TEXTS,
    columns_given,
    prior_given,
    share_smoothing_given,
    shrinkage_given,
    smoothing_given,
    text_smoothing_given,
)
from bayesic.cli.reading import NUMBER_MODELS, is_number_model, is_text_model, label_named

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


def learned_number_model(learn: Learn, how: Mapping[str, Any]) -> Any:
    """A model of a table of numbers with the options that are given, which has learned."""
    told = prior_given(how["prior"])
    model = learn(new_number_model(how))
    if told == "learned":
        return model
    # only now it is known which classes there are, and a prior is given in their order
    return learn(model.set_params(priors=prior_in_order(told, model.classes_)))


def new_number_model(how: Mapping[str, Any]) -> Any:
    """A model of a table of numbers that has learned nothing; options of others are not given."""
    arguments: dict[str, Any] = {}
    if how["shrinkage"] is not None:
        arguments["shrinkage"] = shrinkage_given(how["shrinkage"])
        if how["model"] != "gaussian":
            arguments["solver"] = "eigen"  # the usual one does not shrink
    if how["C"] is not None:
        arguments["C"] = how["C"]
    if how["neighbors"] is not None:
        arguments["n_neighbors"] = how["neighbors"]
    if how["smoothing"]:
        arguments["smoothing"] = share_smoothing_given(how["smoothing"])
    return getattr(by, NUMBER_MODELS[how["model"]])(**arguments)


def prior_in_order(told: Any, classes: np.ndarray) -> list[float]:
    """The prior probability of each class: "uniform", or by name, as told.

    >>> prior_in_order({"spam": 0.2, "ham": 0.8}, np.array(["ham", "spam"]))
    [0.8, 0.2]
    """
    names = [str(label) for label in classes.tolist()]
    if told == "uniform":
        return [1.0 / len(names)] * len(names)
    if set(told) != set(names):
        raise ValueError(
            f"--prior must give a probability for each class, {', '.join(names)}: got "
            f"{', '.join(told)}."
        )
    return [told[name] for name in names]


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
    counts = class_counts(model)
    number = None if None in counts else sum(counts)
    classes = dict(zip(map(str, model.classes_.tolist()), counts, strict=True))
    if is_text_model(model):
        return {"texts": number, "classes": classes, "words": len(model.vocabulary_)}
    return {
        "rows": number,
        "classes": classes,
        "columns": kinds_of(model),
        "target": getattr(model, "target_name_", None),
    }


def class_counts(model: Any) -> list[Any]:
    """Rows or texts of each class; None where the model does not keep them."""
    statistics = getattr(model, "statistics_", None)
    if statistics is None:
        return [None] * len(model.classes_)
    if hasattr(statistics, "class_count"):
        return statistics.class_count.tolist()
    return np.bincount(statistics.targets[:, 0], minlength=len(model.classes_)).tolist()


def kinds_of(model: Any) -> dict[str, str]:
    """The kind of each column, by name; a model without a choice of kinds has categories only."""
    if hasattr(model, "kinds_"):
        return dict(model.kinds_)
    if is_number_model(model):
        return dict.fromkeys(model.feature_names_in_.tolist(), "number")
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
    >>> summary_sentence({"rows": None, "classes": {"ham": None}, "columns": {"free": "number"}})
    '1 class (ham), 1 column'
    """
    classes = learned["classes"]
    counts = ", ".join(
        label if count is None else f"{label} {number_text(count)}"
        for label, count in list(classes.items())[:10]
    )
    more = ", ..." if len(classes) > 10 else ""
    if "texts" in learned:
        number, unit, features = learned["texts"], "text", counted(learned["words"], "word")
    else:
        columns = [kind for kind in learned["columns"].values() if kind != "ignore"]
        number, unit, features = learned["rows"], "row", counted(len(columns), "column")
    learned_from = "" if number is None else f"{counted(number, unit)}, "
    n_classes = counted(len(classes), "class", "classes")
    return f"{learned_from}{n_classes} ({counts}{more}), {features}"


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
