"""What a model has learned, as plain values: for JSON, and for the tables of `show`."""

from typing import Any

import numpy as np

from bayesic.cli.learning import class_counts, kinds_of
from bayesic.cli.reading import is_number_model
from bayesic.models.events.shares import Binned, Shares
from bayesic.models.schema import refuse_unknown_names
from bayesic.statistics.combinations import CombinationCounts
from bayesic.statistics.instances import Instances
from bayesic.statistics.moments import Moments, class_moments

Array = np.ndarray

MOST_TELLING = 3  # values of a column in the overview
TOP_WORDS = 10  # of each class


def model_description(model: Any) -> dict[str, Any]:
    """Parameters, classes and columns of a model."""
    prior = getattr(model, "class_prior_", getattr(model, "priors_", None))
    counts = class_counts(model)
    return {
        "model": type(model).__name__,
        "parameters": model.get_params(deep=False),
        "target": getattr(model, "target_name_", None),
        "rows": sum(counts),
        "classes": [
            {"class": label, "rows": count, "prior": share}
            for label, count, share in zip(
                model.classes_.tolist(),
                counts,
                [None] * len(counts) if prior is None else prior.tolist(),
                strict=True,
            )
        ],
        "columns": [column_overview(model, name) for name in kinds_of(model)],
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
    column = column_description(model, name)
    values = column.pop("values", None)
    if values is not None:
        column["number_of_values"] = len(values)
        if not values or "information" in values[0]:
            column["most_telling"] = most_telling(values)
    return column


def most_telling(values: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The values that tell most of the class, and what they tell."""
    return [
        {key: value[key] for key in ("value", "speaks_for", "factor", "information")}
        for value in sorted(values, key=lambda value: -value["information"])[:MOST_TELLING]
    ]


def column_description(model: Any, name: str) -> dict[str, Any]:
    """All that is known of one column."""
    kinds = kinds_of(model)
    refuse_unknown_names({name: None}, list(kinds), "--column")
    if is_number_model(model):
        return number_description(model, name)
    if isinstance(model.statistics_, CombinationCounts):
        return level_description(model, name, kinds[name])
    event = getattr(model, "events_", {}).get(name)
    if event is None:
        return {"name": name, "kind": kinds[name]}
    known: dict[str, Any] = {"name": name, "kind": event.kind}
    classes = model.classes_.tolist()
    if isinstance(event, Shares):
        known["smoothing"] = event.rule.amount
        if isinstance(event, Binned):
            known["cuts"] = event.cuts.tolist()
        return known | {"values": value_descriptions(event, classes, model.class_prior_)}
    moments = model.statistics_.columns[name].moments
    deviation = np.sqrt(getattr(event, "variance", moments.variance()[:, 0]))
    mean = getattr(event, "mean", moments.mean[:, 0])
    return known | {"classes": number_in_classes(classes, moments.count[:, 0], mean, deviation)}


def number_in_classes(
    classes: list, count: Array, mean: Array, deviation: Array
) -> list[dict[str, Any]]:
    """Mean and standard deviation of a column of numbers in each class."""
    numbers = zip(classes, count.tolist(), mean.tolist(), deviation.tolist(), strict=True)
    return [
        {
            "class": label,
            "observed": int(observed) if float(observed).is_integer() else observed,
            "mean": mean,
            "standard_deviation": spread,
        }
        for label, observed, mean, spread in numbers
    ]


def number_description(model: Any, name: str) -> dict[str, Any]:
    """What a model of a table of numbers knows of a column: weights, or mean and spread."""
    known: dict[str, Any] = {"name": name, "kind": "number"}
    place, classes = model.feature_names_in_.tolist().index(name), model.classes_.tolist()
    if not hasattr(model, "statistics_"):
        of_classes = classes[-len(model.coef_) :]  # of two classes the weights are of the second
        return known | {
            "weights": dict(zip(of_classes, model.coef_[:, place].tolist(), strict=True))
        }
    moments = column_moments(model.statistics_, place, len(classes))
    deviation = np.sqrt(moments.variance()[:, 0])
    return known | {
        "classes": number_in_classes(classes, moments.count[:, 0], moments.mean[:, 0], deviation)
    }


def level_description(model: Any, name: str, kind: str) -> dict[str, Any]:
    """What a model in which columns depend on each other knows of one: parents, and counts."""
    known: dict[str, Any] = {"name": name, "kind": kind}
    statistics, classes = model.statistics_, list(map(str, model.classes_.tolist()))
    if name not in statistics.levels:  # ignored, or never observed
        return known
    if hasattr(model, "parents_"):
        known["depends_on"] = list(model.parents_[name])
    counts = statistics.of(list(statistics.levels).index(name))
    texts: list[str] = list(statistics.levels[name])
    if name in model.bins_:
        texts = [model.bins_[name].text(int(number)).strip() for number in texts]
    return known | {
        "values": [
            {"value": text, "counts": dict(zip(classes, row, strict=True))}
            for text, row in zip(texts, counts.tolist(), strict=True)
        ]
    }


def column_moments(statistics: Any, place: int, n_classes: int) -> Moments:
    """Count, mean and scatter of one column in each class; of rows that are kept, from these."""
    if isinstance(statistics, Instances):
        values, codes = statistics.values[:, [place]], statistics.targets[:, 0]
        return class_moments(values, codes, n_classes).per_class
    moments = statistics.class_moments.per_class
    return Moments(*(array[:, [place]] for array in moments.arrays()))


def value_descriptions(event: Any, classes: list, prior: Array) -> list[dict[str, Any]]:
    """Counts and shares of each value (bin, word) of a column, and how telling it is."""
    shares = np.exp(event.log_table[: len(event.table)])
    information, favoured, factor = telling(shares, prior)
    return [
        {
            "value": text,
            "counts": dict(zip(map(str, classes), event.table[number].tolist(), strict=True)),
            "shares": dict(zip(map(str, classes), shares[number].tolist(), strict=True)),
            "speaks_for": classes[favoured[number]],
            "factor": float(factor[number]),
            "information": float(information[number]),
        }
        for number, text in enumerate(value_texts(event))
    ]


def telling(shares: Array, prior: Array) -> tuple[Array, Array, Array]:
    """What each value tells of the class: its part of the mutual information, in bits.

        information(v) = sum over c of P(c) p(v|c) log2 (p(v|c) / p(v))

    Also the number of the class that the value speaks for most, and the factor p(v|c) / p(v) by
    which seeing it changes the probability of that class.

    shares : (n_values, n_classes), p(v | c); prior : (n_classes,)

    >>> information, favoured, factor = telling(np.array([[1.0, 0.0], [0.0, 1.0]]), np.full(2, 0.5))
    >>> information, favoured, factor
    (array([0.5, 0.5]), array([0, 1]), array([2., 2.]))
    """
    overall = shares @ prior
    known = overall > 0
    factors = shares / np.where(known, overall, 1.0)[:, None]
    logs = np.log2(np.where(factors > 0, factors, 1.0))
    favoured = factors.argmax(axis=1)
    information = (shares * prior * logs).sum(axis=1)
    return information, favoured, factors.max(axis=1)


def value_texts(event: Any) -> list[str]:
    """The values of a column as a reader knows them."""
    if isinstance(event, Binned):
        return [event.bin_text(number).strip() for number in range(len(event.table))]
    return list(event.words if event.kind == "text" else event.levels)
