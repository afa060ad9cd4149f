"""The table of scores of candidates: how good each is at rows that it has not learned."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayesic.data.json_text import json_value
from bayesic.evidence.shown_tables import Shown, ShownTable, ShownTables, as_frame
from bayesic.evidence.text_table import short
from bayesic.models.classifier import CountingClassifier

if TYPE_CHECKING:
    import pandas as pd

WIDEST = 48  # columns of a terminal for a model


class Score(NamedTuple):
    """What is known of one candidate."""

    model: CountingClassifier  # as it was given, not fitted
    log_loss: float  # of rows that it has not seen, their mean; NaN if it was left out
    behind: float  # the same less that of the chosen model, on the rows that both have answered
    error: float  # standard error of behind
    accuracy: float  # share of these rows whose most probable class is right
    n_rows: int  # that were judged
    judged: str  # how, as rows not seen: leave-one-out, out-of-bag or folds
    reason: str  # why it was left out, empty if it was not


def left_out(candidate: CountingClassifier, reason: str) -> Score:
    """The line of a candidate that cannot learn the table."""
    return Score(candidate, np.nan, np.nan, np.nan, np.nan, 0, "", reason)


@dataclass(frozen=True)
class Scores(Shown, Sequence[Score]):
    """The candidates, the best first: those of the last round, then those of the rounds before."""

    rows: tuple[Score, ...]

    def __getitem__(self, index: Any) -> Any:
        return self.rows[index]

    def __len__(self) -> int:
        return len(self.rows)

    def shown(self) -> ShownTables:
        """Those that could learn the table, and below them why the others could not."""
        headers = ["model", "log loss", "behind", "accuracy", "rows", "judged by"]
        rows = [_cells(score) for score in self.rows if not score.reason]
        refused = reasons_of([score for score in self.rows if score.reason])
        notes = [f"left out: {reason}" for reason in refused]
        title = "The best model first, by rows not seen"
        return ShownTables([ShownTable(headers, rows, title, notes=notes)])

    def to_dict(self) -> dict[str, object]:
        """Strings, numbers, lists and dicts only, for JSON; models as they are written."""
        rows = [score._asdict() | {"model": model_text(score.model)} for score in self.rows]
        return {"candidates": json_value(rows)}

    def to_pandas(self) -> "pd.DataFrame":
        """A row for each candidate."""
        return as_frame([score._asdict() for score in self.rows])

    __repr__ = Shown.__str__


def _cells(score: Score) -> list[object]:
    behind = f"{score.behind:.4f} ± {score.error:.4f}" if score.behind or score.error else ""
    good = [score.log_loss, behind, f"{score.accuracy:.1%}"]
    return [short_text(score.model), *good, score.n_rows, score.judged]


def model_text(model: CountingClassifier) -> str:
    """A model as it is written, in one line."""
    return " ".join(repr(model).split())


def short_text(model: CountingClassifier) -> str:
    """The same, cut where it is too long for a table."""
    return short(model_text(model), WIDEST)


def reasons_of(scores: Sequence[Score]) -> list[str]:
    """Why candidates were left out, a line for each reason."""
    models: dict[str, list[CountingClassifier]] = {}
    for score in scores:
        models.setdefault(score.reason, []).append(score.model)
    return [
        f"{model_text(first)}{f' and {len(more)} more' if more else ''}: {reason}"
        for reason, (first, *more) in models.items()
    ]
