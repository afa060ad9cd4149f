"""Fitted classifiers side by side on the same rows: scores, differences, rows that they dispute."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bayesic.data.arguments import check_whole_number
from bayesic.data.languages import said
from bayesic.data.typing import ArrayLike, Classifier, Folds, Label, LabelsLike, TableLike
from bayesic.evaluation.evaluate import evaluate
from bayesic.evaluation.judged import Answers
from bayesic.evaluation.report import Evaluation, for_json
from bayesic.evaluation.scores import disputed, paired_difference, row_losses, truth_probability
from bayesic.evidence.shown_tables import Shown, ShownTable, ShownTables
from bayesic.evidence.text_table import number_text
from bayesic.kernels import Array

if TYPE_CHECKING:
    import pandas as pd

N_DISPUTED = 10  # rows that are shown, if nothing is said
SCORES = ("accuracy", "log loss", "Brier score", "expected calibration error")


class Difference(NamedTuple):
    """How much a model differs from another one: mean of the rows, and its standard error."""

    model: str
    other: str
    log_loss: float  # above 0: the model is worse than the other
    log_loss_error: float  # NaN if a log loss is infinite, or if there is one row
    accuracy: float  # above 0: the model is better than the other
    accuracy_error: float


class DisputedRow(NamedTuple):
    """A row that the models answer differently."""

    row: int  # its number in what was given, from 0 on
    truth: Label
    answers: dict[str, Label]  # model -> its answer
    probabilities: dict[str, float]  # model -> P(truth)


@dataclass(frozen=True, eq=False)
class ModelComparison(Shown):
    """Several models on the same rows. `print` shows it, and so does a notebook."""

    evaluations: dict[str, Evaluation]  # model -> its report, the least log loss first
    n_disputed: int  # rows that do not get the same answer from all
    disputed: tuple[DisputedRow, ...]  # the first of them, P(truth) differing most first

    @property
    def best(self) -> str:
        """The model of least log loss; of equals the first."""
        return next(iter(self.evaluations))

    @property
    def n_rows(self) -> int:
        """How many rows were answered."""
        return self.evaluations[self.best].n_rows

    @property
    def differences(self) -> tuple[Difference, ...]:
        """The differences of all other models from the best."""
        return tuple(self.difference(name, self.best) for name in [*self.evaluations][1:])

    def difference(self, model: str, other: str) -> Difference:
        """How much one model differs from another, row by row.

        With d_i the difference of the two in row i, and D their mean over N rows, the standard
        error is sqrt(sum (d_i - D)^2 / (N (N - 1))), [Mitchell] eq. 5.18. It is far below that of
        either score: rows that are hard for both have no part in it.
        """
        first, second = self._answers(model), self._answers(other)
        losses = _losses(first), _losses(second)
        right = _is_right(first), _is_right(second)
        weights = first.weights
        return Difference(
            model,
            other,
            *paired_difference(*losses, weights=weights),
            *paired_difference(*right, weights=weights),
        )

    def _answers(self, name: str) -> Answers:
        if name not in self.evaluations:
            known = ", ".join(self.evaluations)
            raise KeyError(f"There is no model {name!r} in this comparison. It has: {known}.")
        return self.evaluations[name].answers

    # for readers ----------------------------------------------------------------------------

    def headline(self) -> str:
        """How many rows were answered, and how many of them differently."""
        counted = self.evaluations[self.best]._counted
        return said(
            "{rows}, {number} of them answered differently",
            rows=counted(self.n_rows),
            number=number_text(self.n_disputed),
        )

    def notes(self) -> list[str]:
        """What must be said beside the numbers of each model."""
        pairs = self.evaluations.items()
        return [f"{name}: {note}" for name, report in pairs for note in report.notes()]

    def shown(self) -> ShownTables:
        """Scores, differences from the best, and the rows that are answered differently."""
        scores = [said("model"), *map(said, SCORES)]
        differences = ["log loss", "standard error", "accuracy", "standard error"]
        tables = [
            ShownTable(scores, self._score_rows(), said("Scores")),
            ShownTable(
                [said("model"), *map(said, differences)],
                [[each.model, *each[2:]] for each in self.differences],
                said("Differences from {model}", model=self.best),
            ),
            ShownTable(
                [said("row"), said("truth"), *self.evaluations],
                [[str(each.row), str(each.truth), *_cells(each)] for each in self.disputed],
                said("Answered differently, with P(truth)"),
            ),
        ]
        filled = [table for table in tables if table.rows]
        return ShownTables(filled, [self.headline(), *self.notes()])

    def _score_rows(self) -> list[list[object]]:
        names = [name.replace(" ", "_") for name in map(str.lower, SCORES)]
        pairs = self.evaluations.items()
        return [[model, *(getattr(report, name) for name in names)] for model, report in pairs]

    def __repr__(self) -> str:
        others = len(self.evaluations) - 1
        return f"<ModelComparison on {self.n_rows} rows: {self.best} best, {others} behind it>"

    # for programs ---------------------------------------------------------------------------

    def to_dict(self) -> dict[str, object]:
        """Strings, numbers, lists and dicts only, for JSON: NaN is None, infinity is text."""
        return {
            "rows": self.n_rows,
            "best": self.best,
            "models": {name: report.to_dict() for name, report in self.evaluations.items()},
            "differences": [for_json(each._asdict()) for each in self.differences],
            "disputed_rows": self.n_disputed,
            "disputed": [
                for_json({"row": each.row, "truth": each.truth})
                | {"answers": for_json(each.answers), "probabilities": each.probabilities}
                for each in self.disputed
            ],
        }

    def to_pandas(self) -> "dict[str, pd.DataFrame]":
        """Data frames by name: "scores", "differences" and "disputed"."""
        frame = import_module("pandas").DataFrame  # never required, so it is not loaded before
        scores = ["model", *(name.replace(" ", "_") for name in map(str.lower, SCORES))]
        models = [*self.evaluations]
        sure = [f"P(truth) {name}" for name in models]
        rows = [
            [each.row, each.truth, *each.answers.values(), *each.probabilities.values()]
            for each in self.disputed
        ]
        return {
            "scores": frame(self._score_rows(), columns=scores),
            "differences": frame(list(self.differences), columns=Difference._fields),
            "disputed": frame(rows, columns=["row", "truth", *models, *sure]),
        }


def compare(
    models: Mapping[str, Classifier] | Sequence[Classifier],
    X: TableLike,
    y: LabelsLike | None = None,
    *,
    cv: Folds | None = None,
    sample_weight: ArrayLike | None = None,
    text: str | Sequence[str] | None = None,
    seed: int = 0,
    worst: int = N_DISPUTED,
) -> ModelComparison:
    """Classifiers side by side: the scores of each, how far they differ, and on which rows.

    All of them answer the same rows, so that their difference is known better than the score of
    either: each difference comes with the standard error of the mean over rows. A difference of
    less than twice its error may be chance.

    `print` and notebooks show the comparison; `to_dict` gives plain values for JSON, `to_pandas`
    the tables as data frames. Structures of belief networks: `by.networks.compare`.

    Parameters
    ----------
    models : two or more classifiers with predict_proba, by name or in a list, where they are named
        after their class
    X, y, cv, sample_weight, text, seed : rows and how they are held out, as in `evaluate`. With
        cv=None, rows that none of the models has learned; with "leave-one-out", rows that all of
        them have learned; with folds, copies of all models learn the same folds
    worst : how many of the rows to list that are answered differently

    Examples
    --------
    >>> from bayesic import JointBayes, NaiveBayes
    >>> from bayesic.datasets import play_tennis
    >>> tennis = play_tennis().to_dict()
    >>> models = [each().fit(tennis, y="PlayTennis") for each in (NaiveBayes, JointBayes)]
    >>> comparison = compare(models, tennis, cv="leave-one-out")
    >>> comparison.best, comparison.n_disputed
    ('JointBayes', 4)
    >>> (difference,) = comparison.differences
    >>> round(difference.log_loss, 3), round(difference.log_loss_error, 3)
    (0.024, 0.158)
    """
    check_whole_number("worst", worst, 0)
    named = _named(models)
    cv = list(cv) if isinstance(cv, Iterator) else cv  # every model asks for the folds
    reports = {
        name: evaluate(
            model,
            X,
            y,
            cv=cv,
            sample_weight=sample_weight,
            text=text,
            seed=seed,
            worst=worst,
        )
        for name, model in named.items()
    }
    _refuse_other_rows(reports)
    order = sorted(reports, key=lambda name: reports[name].log_loss)
    return _compared({name: reports[name] for name in order}, worst)


def _compared(reports: dict[str, Evaluation], n: int) -> ModelComparison:
    every = [report.answers for report in reports.values()]
    answers = [each.answers.tolist() for each in every]
    probability = np.array([truth_probability(each.posterior, each.codes) for each in every])
    disputed_rows = disputed(answers, probability)
    numbers, truth = every[0].rows.tolist(), every[0].labels.tolist()
    rows = tuple(
        DisputedRow(
            numbers[row],
            truth[row],
            {name: each[row] for name, each in zip(reports, answers, strict=True)},
            dict(zip(reports, probability[:, row].tolist(), strict=True)),
        )
        for row in disputed_rows[:n]
    )
    return ModelComparison(reports, len(disputed_rows), rows)


def _losses(answers: Answers) -> Array:
    return row_losses(answers.posterior, answers.codes)


def _is_right(answers: Answers) -> Array:
    return answers.posterior.argmax(axis=1) == answers.codes


def _named(models: object) -> dict[str, Classifier]:
    """Every model by its name; those of a list by their class, counted where it is the same."""
    if isinstance(models, Mapping):
        named = {str(name): model for name, model in models.items()}
    elif isinstance(models, str) or not isinstance(models, Iterable):
        raise TypeError(
            "models must be a dict or a list of fitted classifiers, got a "
            f"{type(models).__name__}. Write compare([first, second], X, y)."
        )
    else:
        named = {}
        for model in models:
            name = kind = type(model).__name__
            while name in named:
                name = f"{kind} {1 + sum(type(each).__name__ == kind for each in named.values())}"
            named[name] = model
    if len(named) < 2:
        raise ValueError(f"Give two models or more to compare, got {len(named)}.")
    if any(type(model).__name__ == "BeliefNetwork" for model in named.values()):
        raise TypeError(
            "compare takes classifiers, got a BeliefNetwork. Compare the structures of networks by "
            "bayesic.networks.compare."
        )
    return named


def _refuse_other_rows(reports: dict[str, Evaluation]) -> None:
    """Refuse folds that were drawn anew for each model."""
    rows = [report.answers.rows for report in reports.values()]
    if not all(np.array_equal(rows[0], each) for each in rows[1:]):
        raise ValueError(
            "cv must give the same folds to all models. Give the splitter a random_state, or cv a "
            "number."
        )


def _cells(row: DisputedRow) -> list[str]:
    pairs = zip(row.answers.values(), row.probabilities.values(), strict=True)
    return [f"{answer} ({share:.4f})" for answer, share in pairs]
