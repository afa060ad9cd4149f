"""Class probabilities of rows whose classes are known: what is to be judged."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bayesic.data.arguments import as_numbers, checked_weights
from bayesic.data.labels import encode_labels
from bayesic.decisions.names import name_array
from bayesic.decisions.sure_answers import checked_posterior
from bayesic.kernels import Array


@dataclass(frozen=True, eq=False)
class Answers:
    """What a model says of some rows, and what they are in truth."""

    names: tuple  # the classes of the model, then those of the rows that it does not know
    posterior: Array  # (n_rows, n_classes)
    codes: Array  # (n_rows,)  the number of the true class of each row
    rows: Array  # (n_rows,)  the number of each row in what was given, from 0 on
    weights: Array | None  # (n_rows,)  above 0; None if every row counts once

    @property
    def labels(self) -> Array:
        """The true class of each row."""
        return name_array(self.names)[self.codes]

    @property
    def answers(self) -> Array:
        """The most probable class of each row."""
        return name_array(self.names)[self.posterior.argmax(axis=1)]


def as_answers(
    posterior: object,
    y: Sequence[object] | Array,
    classes: object,
    rows: Array | None = None,
    sample_weight: object = None,
) -> Answers:
    """Probabilities and true classes, checked. A class that is not in `classes` gets 0.

    posterior : (n_rows, n_classes), such as predict_proba gives
    y         : the true class of each row
    classes   : names of the columns of posterior, such as model.classes_
    rows      : the number of each row in what was given; 0, 1, 2, ... if left out

    >>> answers = as_answers([[0.75, 0.25]], ["news"], ["ham", "spam"])
    >>> answers.names, answers.posterior, answers.codes
    (('ham', 'spam', 'news'), array([[0.75, 0.25, 0.  ]]), array([2]))
    """
    if len(y) == 0:
        raise ValueError("There must be at least one row to evaluate, got none.")
    (labels, indices), known = encode_labels(y), np.asarray(classes).tolist()
    numbers = np.arange(len(indices)) if rows is None else rows
    probability = _checked_probability(posterior, len(indices), len(known), numbers)
    _refuse_other_kinds(labels.tolist(), known)
    names = (*known, *(label for label in labels.tolist() if label not in set(known)))
    position = {name: number for number, name in enumerate(names)}
    codes = np.array([position[label] for label in labels.tolist()], dtype=np.intp)[indices]
    unknown = np.zeros((len(codes), len(names) - len(known)))
    weights = checked_weights(sample_weight, len(codes))
    answers = Answers(names, np.hstack([probability, unknown]), codes, numbers, weights)
    return answers if weights is None else _without_weightless(answers, weights)


def _refuse_other_kinds(labels: Sequence[object], classes: Sequence[object]) -> None:
    """Refuse words where the model has learned numbers, or the other way round.

    They would all be classes that the model does not know, and every answer would be wrong.
    """
    are_words = {name: isinstance(name, str) for name in (*labels, *classes)}
    if set(labels).isdisjoint(classes) and len({*are_words.values()}) > 1:
        raise TypeError(
            "y must hold labels of the same type as the classes of the model, got "
            f"{list(labels)[:3]}, where the classes are {list(classes)[:3]}. Turn words into "
            "numbers, or numbers into words."
        )


def _checked_probability(posterior: object, n_rows: int, n_classes: int, numbers: Array) -> Array:
    probability = as_numbers(posterior, "posterior")
    if probability.shape != (n_rows, n_classes):
        raise ValueError(
            f"posterior must have a row for each of the {n_rows} labels and a column for each "
            f"of the {n_classes} classes, got shape {probability.shape}."
        )
    is_nan = np.isnan(probability).any(axis=1)
    if is_nan.any():
        raise ValueError(
            f"The probabilities of {is_nan.sum()} of {n_rows} rows are NaN, first in row "
            f"{numbers[is_nan.argmax()]}: there is no answer to evaluate. Leave these rows out, "
            "or use a model that can predict them."
        )
    return checked_posterior(probability)


def _without_weightless(answers: Answers, weights: Array) -> Answers:
    """A row of weight 0 is not a row."""
    kept = weights > 0
    return Answers(
        answers.names,
        answers.posterior[kept],
        answers.codes[kept],
        answers.rows[kept],
        weights[kept],
    )
