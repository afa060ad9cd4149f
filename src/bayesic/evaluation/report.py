"""All scores of answers in one report: printed, in a notebook, as a dict, as data frames."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from bayesic.data.json_text import json_value
from bayesic.data.languages import language, noun, number_of, said
from bayesic.data.typing import LossLike
from bayesic.evaluation import scores
from bayesic.evaluation.judged import Answers, as_answers
from bayesic.evaluation.scores import (
    CalibrationBin,
    ClassScore,
    DecisionCost,
    WorstRow,
    calibration,
    cost_of_answers,
    expected_calibration_error,
    worst_rows,
)
from bayesic.evidence.shown_tables import Shown, ShownTable, ShownTables
from bayesic.evidence.text_table import number_text
from bayesic.kernels import Array

if TYPE_CHECKING:
    import pandas as pd

N_WORST = 5  # rows that are shown, if nothing is said


@dataclass(frozen=True, eq=False)
class Evaluation(Shown):
    """Scores of the class probabilities of rows whose classes are known. Natural logarithms.

    `print` shows them, and so does a notebook. With weights of rows, every mean is a weighted one,
    and numbers of rows are sums of weights, but for n_rows and n_impossible.
    """

    how: str  # which rows were judged, for the reader
    unit: str  # "row" or "text"
    answers: Answers  # what was judged
    accuracy: float
    log_loss: float  # infinite if the truth of any row was taken to be impossible
    n_impossible: int  # rows whose truth got the probability 0
    log_loss_of_others: float  # over the rows that are left; NaN if there are none
    brier_score: float
    expected_calibration_error: float
    class_scores: tuple[ClassScore, ...]
    calibration: tuple[CalibrationBin, ...]
    confusion: Array  # (n_classes, n_classes)  rows: the truth, columns: the answer
    cost: DecisionCost | None  # None without a loss
    worst: tuple[WorstRow, ...]  # the worst first

    @property
    def n_rows(self) -> int:
        """How many rows were judged."""
        return len(self.answers.codes)

    @property
    def classes(self) -> tuple:
        """The classes of the model, then those of the rows that it does not know."""
        return self.answers.names

    # for readers ----------------------------------------------------------------------------

    def headline(self) -> str:
        """How many rows were judged, and how."""
        return f"{self._counted(self.n_rows)}: {said(self.how)}"

    def _counted(self, number: int) -> str:
        return number_of(number_text(number), number == 1, self.unit)

    def notes(self) -> list[str]:
        """What must be said beside the numbers."""
        if not self.n_impossible:
            return []
        others = ""
        if self.n_impossible < self.n_rows:
            others = said(
                "; over the other {things} it is {loss}",
                things=noun(self.unit, plural=True),
                loss=f"{self.log_loss_of_others:.4f}",
            )
        one = "{rows} has a true class with probability 0, so the log loss is infinite{others}."
        several = (
            "{rows} have a true class with probability 0, so the log loss is infinite{others}."
        )
        rows = self._counted(self.n_impossible)
        return [said(one if self.n_impossible == 1 else several, rows=rows, others=others)]

    def shown(self) -> ShownTables:
        """The numbers, table by table."""
        units = noun(self.unit, plural=True)
        classes = [[str(score.label), *score[1:]] for score in self.class_scores]
        bins = [_bin_row(part) for part in self.calibration if part.n_rows]
        names = [str(name) for name in self.classes]
        confusion = [[name, *row] for name, row in zip(names, self.confusion.tolist(), strict=True)]
        worst = [[str(row.row), *map(str, row[1:3]), row.probability] for row in self.worst]
        shares = ["share", "mean probability", "precision", "recall", "F1"]
        confidence = ["confidence", units, "mean confidence", "share right"]
        tables = [
            _table("Scores", ["score", "value"], self._score_rows()),
            _table("Classes", ["class", units, *shares], classes),
            _table("Calibration", confidence, bins),
            ShownTable([said("truth \\ answer"), *names], confusion, said("Confusion")),
            _table("Actions", ["action", units], self._action_rows()),
            _table("Worst", [noun(self.unit), "truth", "answer", "P(truth)"], worst),
        ]
        filled = [table for table in tables if table.rows]
        return ShownTables(filled, [self.headline(), *self.notes()])

    def _score_rows(self) -> list[list[object]]:
        rows: list[tuple[str, object]] = [
            ("accuracy", self.accuracy),
            ("log loss", self.log_loss),
            ("Brier score", self.brier_score),
            ("expected calibration error", self.expected_calibration_error),
        ]
        if self.cost is not None:
            rows += [
                ("expected cost", self.cost.expected_cost),
                ("cost of trusting the likeliest class", self.cost.zero_one_cost),
                (
                    said("cost of always {action}", action=repr(self.cost.constant_action)),
                    self.cost.constant_cost,
                ),
            ]
        return [[said(name), value] for name, value in rows]

    def _action_rows(self) -> list[list[object]]:
        actions = {} if self.cost is None else self.cost.actions
        return [[str(action), n_rows] for action, n_rows in actions.items()]

    def __repr__(self) -> str:
        with language("en"):
            headline = self.headline()
        return (
            f"<Evaluation of {headline}; accuracy {self.accuracy:.4f}, log loss "
            f"{self.log_loss:.4f}>"
        )

    # for programs ---------------------------------------------------------------------------

    def to_dict(self) -> dict[str, object]:
        """Strings, numbers, lists and dicts only, for JSON: NaN is None, infinity is text."""
        names = [str(name) for name in self.classes]
        confusion = zip(names, self.confusion.tolist(), strict=True)
        values: dict[str, object] = {
            "how": self.how,
            "rows": self.n_rows,
            "accuracy": self.accuracy,
            "log_loss": json_value(self.log_loss),
            "impossible_rows": self.n_impossible,
            "log_loss_of_others": json_value(self.log_loss_of_others),
            "brier_score": self.brier_score,
            "expected_calibration_error": self.expected_calibration_error,
            "classes": [for_json(score._asdict()) for score in self.class_scores],
            "calibration": [for_json(part._asdict()) for part in self.calibration],
            "confusion": {name: dict(zip(names, row, strict=True)) for name, row in confusion},
            "worst": [for_json(row._asdict()) for row in self.worst],
        }
        if self.cost is not None:
            costs = self.cost._asdict()
            actions = {str(action): n_rows for action, n_rows in costs.pop("actions").items()}
            values |= for_json(costs) | {"actions": actions}
        return values

    def to_pandas(self) -> "dict[str, pd.DataFrame]":
        """The tables as data frames by name: "scores", "classes", "calibration", "confusion"...

        >>> evaluation = evaluate_posterior([[0.75, 0.25]], ["ham"], ["ham", "spam"])
        >>> evaluation.to_pandas()["confusion"]
        answer  ham  spam
        truth
        ham       1     0
        spam      0     0
        """
        frame = import_module("pandas").DataFrame  # never required, so it is not loaded before
        confusion = frame(self.confusion, self.classes, self.classes)
        with language("en"):
            score_rows = self._score_rows()
        frames = {
            "scores": frame(score_rows, columns=["score", "value"]),
            "classes": frame(list(self.class_scores), columns=ClassScore._fields),
            "calibration": frame(list(self.calibration), columns=CalibrationBin._fields),
            "confusion": confusion.rename_axis("truth").rename_axis("answer", axis=1),
            "worst": frame(list(self.worst), columns=WorstRow._fields),
        }
        if self.cost is not None:
            rows = list(self.cost.actions.items())
            frames["actions"] = frame(rows, columns=["action", "n_rows"])
        return frames


def evaluate_posterior(
    posterior: object,
    y: Sequence[object] | Array,
    classes: object,
    how: str = "probabilities as given",
) -> Evaluation:
    """All scores of the class probabilities of some rows.

    posterior : (n_rows, n_classes), such as predict_proba gives
    y         : the true class of each row; one that is not among the classes had probability 0
    classes   : names of the columns of posterior, such as model.classes_

    >>> posterior, classes = [[0.75, 0.25], [0.5, 0.5]], ["ham", "spam"]
    >>> evaluation = evaluate_posterior(posterior, ["ham", "spam"], classes)
    >>> evaluation.accuracy, round(evaluation.log_loss, 4), evaluation.confusion.tolist()
    (0.5, 0.4904, [[1, 0], [1, 0]])
    """
    return evaluate_answers(as_answers(posterior, y, classes), how)


def evaluate_answers(
    answers: Answers,
    how: str,
    unit: str = "row",
    loss: LossLike | None = None,
    reject_loss: float | None = None,
    n_worst: int = N_WORST,
) -> Evaluation:
    """All scores of answers; costs if there is a loss, or a cost of taking no action."""
    facts = answers.posterior, answers.codes, answers.weights
    posterior, codes, weights = facts
    possible = scores.truth_probability(posterior, codes) > 0
    bins = calibration(*facts)
    n_classes = len(answers.names)
    has_costs = loss is not None or reject_loss is not None
    costs = posterior, answers.labels, answers.names, loss, reject_loss, weights
    return Evaluation(
        how=how,
        unit=unit,
        answers=answers,
        accuracy=scores.accuracy(*facts),
        log_loss=scores.log_loss(*facts),
        n_impossible=int((~possible).sum()),
        log_loss_of_others=_log_loss_of(answers, possible),
        brier_score=scores.brier_score(*facts),
        expected_calibration_error=expected_calibration_error(bins),
        class_scores=scores.class_scores(posterior, codes, answers.names, weights),
        calibration=bins,
        confusion=scores.confusion_counts(codes, posterior.argmax(axis=1), n_classes, weights),
        cost=cost_of_answers(*costs) if has_costs else None,
        worst=worst_rows(posterior, codes, answers.names, answers.rows, n_worst),
    )


def _table(title: str, headers: Sequence[str], rows: Sequence[Sequence[object]]) -> ShownTable:
    return ShownTable([*map(said, headers)], rows, said(title))


def _log_loss_of(answers: Answers, kept: Array) -> float:
    if not kept.any():
        return float("nan")
    weights = None if answers.weights is None else answers.weights[kept]
    return scores.log_loss(answers.posterior[kept], answers.codes[kept], weights)


def _bin_row(part: CalibrationBin) -> list[object]:
    limits = {"low": f"{part.low:.1f}", "high": f"{part.high:.1f}"}
    return [said("{low} to {high}", **limits), *part[2:]]


_NAMES = {"label": "class", "n_rows": "rows"}  # in Python class is a keyword


def for_json(values: Mapping[str, object]) -> dict[str, object]:
    """Values of a record as JSON can hold them.

    >>> for_json({"label": "spam", "f1": float("nan")})
    {'class': 'spam', 'f1': None}
    """
    return {_NAMES.get(name, name): json_value(value) for name, value in values.items()}
