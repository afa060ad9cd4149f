"""The table of scores of candidates: how good each is at rows that it has not learned."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from bayesic.html import html_table
from bayesic.models.classifier import CountingClassifier

WIDEST, MOST_WORDS = 48, 90  # letters of a model and of a reason


class Score(NamedTuple):
    """What is known of one candidate."""

    model: CountingClassifier  # as it was given, not fitted
    log_loss: float  # of rows that it has not seen, their mean; NaN if it was left out
    behind: float  # the same less that of the chosen model, on the rows that both have answered
    error: float  # standard error of behind
    accuracy: float  # share of these rows whose most probable class is right
    n_rows: int  # that were asked
    judged: str  # how they were asked as rows not seen: leave-one-out, out-of-bag or folds
    reason: str  # why it was left out, empty if it was not


def left_out(candidate: CountingClassifier, reason: str) -> Score:
    """The line of a candidate that cannot learn the table."""
    return Score(candidate, np.nan, np.nan, np.nan, np.nan, 0, "", reason)


@dataclass(frozen=True)
class Scores(Sequence[Score]):
    """The candidates, the best first: those of the last round, then those of the rounds before.

    print shows them as a table. For a data frame: pandas.DataFrame(scores).
    """

    rows: tuple[Score, ...]

    def __getitem__(self, place: Any) -> Any:
        return self.rows[place]

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        names = [short_text(score.model) for score in self.rows]
        width = max(map(len, [*names, "model"]))
        head = f"{'model':{width}}  log loss   behind        accuracy    rows  judged by"
        lines = [_line(score) for score in self.rows]
        return "\n".join(
            [head, *(f"{name:{width}}  {line}" for name, line in zip(names, lines, strict=True))]
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        headers = (
            "model",
            "log loss",
            "behind",
            "accuracy",
            "rows",
            "judged by",
            "left out because",
        )
        rows = [(model_text(score.model), *_cells(score), score.reason) for score in self.rows]
        return html_table(headers, rows, "The best model first, by rows not seen", "lrrrrll")


def _line(score: Score) -> str:
    if score.reason:
        return f"left out: {_cut(score.reason, MOST_WORDS)}"
    loss, behind, accuracy, n_rows, judged = _cells(score)
    return f"{loss:>8}   {behind:15} {accuracy:>6} {n_rows:>7}  {judged}"


def _cells(score: Score) -> tuple[str, str, str, str, str]:
    """All but the name and the reason; nothing of what was left out."""
    if score.reason:
        return "", "", "", "", ""
    behind = f"{score.behind:.4f} ± {score.error:.4f}" if score.behind or score.error else ""
    return f"{score.log_loss:.4f}", behind, f"{score.accuracy:.1%}", str(score.n_rows), score.judged


def model_text(model: CountingClassifier) -> str:
    """A model as it is written, in one line."""
    return " ".join(repr(model).split())


def short_text(model: CountingClassifier) -> str:
    """The same, cut where it is too long for a table."""
    return _cut(model_text(model), WIDEST)


def _cut(text: str, most: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1]}…"


def reasons_of(scores: Sequence[Score]) -> str:
    """Why candidates were left out, a line for each reason."""
    models: dict[str, list[CountingClassifier]] = {}
    for score in scores:
        models.setdefault(score.reason, []).append(score.model)
    return "\n".join(
        f"- {model_text(first)}{f' and {len(more)} more' if more else ''}: {reason}"
        for reason, (first, *more) in models.items()
    )
