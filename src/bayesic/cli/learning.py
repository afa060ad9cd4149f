"""Models as the options of the command line describe them."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import bayesic as by
from bayesic.cli.given import (
    columns_given,
    network_smoothing_given,
    prior_given,
    share_smoothing_given,
    shrinkage_given,
    smoothing_given,
    text_smoothing_given,
)
from bayesic.cli.options import OF_TEXTS
from bayesic.cli.reading import (
    NETWORK_MODELS,
    NUMBER_MODELS,
    is_number_model,
    is_text_model,
    label_named,
)
from bayesic.evidence.text_table import counted, number_text

Learn = Callable[[Any], Any]  # a model that has learned nothing -> the same, having learned


def learned_model(learn: Learn, how: Mapping[str, Any]) -> Any:
    """A model of tables with these options that has learned; what does not fit is refused."""
    told = prior_given(how["prior"])
    model = learn(new_table_model(how))
    model.set_params(prior=prior_of_classes(told, model.classes_))
    # raises if a name in the options is of no column or class
    _ = model.class_prior_, kinds_of(model)
    return model


def new_table_model(how: Mapping[str, Any]) -> Any:
    """A model of columns of any kind that has learned nothing; options of others are not given."""
    columns, name = columns_given(how["columns"]), how["model"] or "naive"
    if name not in NETWORK_MODELS:
        smoothing = smoothing_given(how["smoothing"])
        return by.NaiveBayes(columns, how["numeric"], smoothing, variance=how["variance"])
    arguments = {option: how[option] for option in ("k", "n") if how[option] is not None}
    smoothing = network_smoothing_given(how["smoothing"], name)
    return getattr(by, NETWORK_MODELS[name])(columns=columns, smoothing=smoothing, **arguments)


def learned_text_model(learn: Learn, how: Mapping[str, Any]) -> Any:
    """A TextClassifier with the options that are given, which has learned."""
    given = {name: how[name] for name in OF_TEXTS if how[name] not in (None, "none")}
    return learn(by.TextClassifier(smoothing=text_smoothing_given(how["smoothing"]), **given))


def learned_number_model(learn: Learn, how: Mapping[str, Any]) -> Any:
    """A model of a table of numbers with the options that are given, which has learned.

    A prior is given in the order of the classes, which are known only when it has learned.
    """
    told = prior_given(how["prior"])
    model = learn(getattr(by, NUMBER_MODELS[how["model"]])(**arguments_of_numbers(how)))
    return (
        model
        if told == "learned"
        else model.set_params(priors=prior_in_order(told, model.classes_))
    )


def arguments_of_numbers(how: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a model of a table of numbers, the prior aside."""
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
    return arguments


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
    number = sum(counts)
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
    """Rows or texts of each class."""
    statistics = getattr(model, "statistics_", None)
    if statistics is None:
        return model.class_count_.tolist()
    if hasattr(statistics, "class_count"):
        return statistics.class_count.tolist()
    return np.bincount(statistics.targets[:, 0], minlength=len(model.classes_)).tolist()


def kinds_of(model: Any) -> dict[str, str]:
    """The kind of each column, by name; without a choice of kinds: bins of numbers, categories."""
    if hasattr(model, "kinds_"):
        return dict(model.kinds_)
    if is_number_model(model):
        return dict.fromkeys(model.feature_names_in_.tolist(), "number")
    unnamed = [f"x{number}" for number in range(model.n_features_in_)]
    kinds = dict.fromkeys(getattr(model, "bins_", {}), "binned") | (model.columns or {})
    names = getattr(model, "feature_names_in_", unnamed)
    return {str(name): kinds.get(name, "categorical") for name in names}


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
        number, unit, features = learned["texts"], "text", counted(learned["words"], "word")
    else:
        columns = [kind for kind in learned["columns"].values() if kind != "ignore"]
        number, unit, features = learned["rows"], "row", counted(len(columns), "column")
    n_classes = counted(len(classes), "class", "classes")
    return f"{counted(number, unit)}, {n_classes} ({counts}{more}), {features}"
