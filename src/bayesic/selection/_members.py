"""The members of a pool: models that learn the same rows, and how each of them is judged."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayesic.catalogue import MODELS
from bayesic.data.columns import Categories, Cells, Numbers, Texts
from bayesic.data.counted_texts import CountedTexts
from bayesic.data.json_text import json_value
from bayesic.data.tables import Table
from bayesic.data.typing import Kind, Splits
from bayesic.evidence.shown_tables import Shown, ShownTable, ShownTables, as_frame
from bayesic.kernels import Array
from bayesic.models.classifier import CountingClassifier
from bayesic.models.columns.looks import look_of_cells
from bayesic.models.columns.naive_bayes import NaiveBayes
from bayesic.models.columns.schema import checked_kinds
from bayesic.models.normal.gaussian_bayes import GaussianBayes
from bayesic.models.trees.forest import BayesForest
from bayesic.models.words.text_classifier import TextClassifier
from bayesic.selection._identifiers import IDENTIFIERS
from bayesic.selection._score_table import model_text, short_text
from bayesic.statistics.additive import ClassStatistic

if TYPE_CHECKING:
    import pandas as pd

# the models of which members can be
MEMBER_MODELS = {name for name, entry in MODELS.items() if entry.pooled}
TREES = {"quick": 30, "normal": 60, "thorough": 200}
SHRINKAGES = {"quick": (0.1,), "normal": (0.03, 0.1, 0.3), "thorough": (0.01, 0.03, 0.1, 0.3)}
MOST_NUMBERS = 200  # columns: the covariances of more take longer than all trees


@dataclass(frozen=True, eq=False)
class Member:
    """A model with all that it has chosen, but no counts; and the rows as it takes them."""

    model: CountingClassifier
    numbers: dict[str, float] | None = None  # numeric columns it takes -> what stands for a gap
    text: str | None = None  # the column of texts that it takes

    @property
    def name(self) -> str:
        """How it is written, and which texts it takes."""
        return model_text(self.model) + ("" if self.text is None else f" of {self.text!r}")

    def names(self, table: Table) -> list[str]:
        """The columns that it takes."""
        if self.text is not None:
            return [self.text]
        kinds = checked_kinds(self.model.columns) if self.numbers is None else {}
        return [name for name in self.numbers or table.columns if kinds.get(name) != "ignore"]

    def rows(self, table: Table) -> Table | CountedTexts | Array:
        """A table without columns of texts; or its numbers as a matrix; or its texts."""
        if self.text is not None:
            tokenizer = getattr(self.model, "tokenizer_", None) or self.model._settings.tokenizer
            return CountedTexts(_texts(table.columns[self.text]), tokenizer)
        if self.numbers is None:
            columns = {name: table.columns[name] for name in self.names(table)}
            return replace(table, columns=columns)
        matrix = np.empty((table.n_rows, len(self.numbers)))
        for column, (name, for_gap) in enumerate(self.numbers.items()):
            cells = table.columns[name]
            values = cells.values if isinstance(cells, Numbers) else np.full(len(cells), np.nan)
            matrix[:, column] = np.where(np.isnan(values), for_gap, values)
        return matrix

    def having(self, classes: Array, statistics: ClassStatistic) -> CountingClassifier:
        """The model as if it had learned these statistics."""
        model = copy(self.model)
        model.classes_ = classes
        return model._keep(statistics)


class Columns(NamedTuple):
    """The columns of a table that are not plain numbers or categories."""

    texts: list[str]  # as given, or as they look
    identifiers: list[str]  # as they look, unless there is nothing else


def columns_apart(table: Table, columns: Mapping[str, Kind] | None) -> Columns:
    """Those that most members leave out; columns : how they were declared."""
    kinds = checked_kinds(columns)
    looks = {
        name: look_of_cells(cells) for name, cells in table.columns.items() if name not in kinds
    }
    texts = [name for name in table.columns if kinds.get(name, looks.get(name)) == "text"]
    identifiers = [name for name, look in looks.items() if look in IDENTIFIERS]
    return Columns(texts, identifiers if len(identifiers) < len(table.columns) else [])


def candidates(
    table: Table, effort: str, columns: Mapping[str, Kind] | None, seed: int, apart: Columns
) -> list[Member]:
    """Forests and naive Bayes for every table; Gaussian classes where half of it are numbers.

    Columns of texts have a member of their own, and are left out by the others; identifiers are
    left out by all.
    """
    n_trees, texts = TREES[effort], apart.texts
    columns = {**(columns or {}), **dict.fromkeys((*texts, *apart.identifiers), "ignore")} or None
    drawn: tuple[Splits, ...] = ("best", "random")
    members = [
        Member(BayesForest(n_trees, splits, columns, seed=2 * seed + number))
        for number, splits in enumerate(drawn)
    ]
    if effort != "quick":
        members.append(Member(NaiveBayes(columns)))
    numbers = {
        name: _mean(cells.values)
        for name, cells in sorted(table.columns.items())
        if isinstance(cells, Numbers) and name not in apart.identifiers and _differ(cells.values)
    }
    n_columns = len(table.columns) - len(apart.identifiers)
    if numbers and 2 * len(numbers) >= n_columns and len(numbers) <= MOST_NUMBERS:
        shapes = [GaussianBayes("full", shrinkage=weight) for weight in SHRINKAGES[effort]]
        shapes.append(GaussianBayes("tied", shrinkage=0.03))
        members += [Member(model, numbers) for model in shapes]
    members += [Member(TextClassifier("auto"), text=name) for name in texts]
    return members


def _mean(values: Array) -> float:
    with np.errstate(
        over="ignore", invalid="ignore"
    ):  # the model refuses numbers that are so large
        return float(np.nanmean(values))


def _differ(values: Array) -> bool:
    """Whether there are two different numbers: one alone has no spread, and no density."""
    observed = values[~np.isnan(values)]
    return len(observed) > 0 and bool((observed != observed[0]).any())


def _texts(cells: Cells) -> list[str | None]:
    if isinstance(cells, Texts):
        return cells.texts
    if not isinstance(cells, Categories):  # nothing was observed
        return [None] * len(cells)
    levels = np.array([*cells.levels, None], dtype=object)
    return levels[cells.codes].tolist()


class MemberScore(NamedTuple):
    """What is known of one member."""

    model: CountingClassifier
    weight: float  # in the pool
    log_loss: float  # of rows that it has not seen, by itself; NaN if there are none to ask
    judged: str  # how that was measured
    seconds: float  # to learn, and to answer these rows


@dataclass(frozen=True)
class MemberScores(Shown, Sequence[MemberScore]):
    """The members of a pool, those of most weight first."""

    rows: tuple[MemberScore, ...]

    @classmethod
    def of(cls, scores: Sequence[MemberScore], weights: Sequence[float]) -> "MemberScores":
        """Of members, once their weights are known."""
        rows = (row._replace(weight=weight) for row, weight in zip(scores, weights, strict=True))
        return cls(tuple(sorted(rows, key=lambda row: -row.weight)))

    def __getitem__(self, index: Any) -> Any:
        return self.rows[index]

    def __len__(self) -> int:
        return len(self.rows)

    def shown(self) -> ShownTables:
        """Each member with its weight in the pool, and how good it is by itself."""
        headers = ["member", "weight", "log loss", "judged by", "seconds"]
        rows = [[short_text(row.model), *row[1:]] for row in self.rows]
        return ShownTables([ShownTable(headers, rows, "Members of the pool")])

    def to_dict(self) -> dict[str, object]:
        """Strings, numbers, lists and dicts only, for JSON; models as they are written."""
        rows = [row._asdict() | {"model": model_text(row.model)} for row in self.rows]
        return {"members": json_value(rows)}

    def to_pandas(self) -> "pd.DataFrame":
        """A row for each member."""
        return as_frame([row._asdict() for row in self.rows])

    __repr__ = Shown.__str__
