"""Concept learning: the most specific hypothesis, and all that agree with the examples."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bayesic.data.typing import Label, LabelsLike, TableLike
from bayesic.html import MOST_ROWS, html_table, left_out
from bayesic.hypotheses.attributes import (
    ANY,
    NOTHING,
    Attributes,
    Conjunction,
    cells_of,
    covered_rows,
    covering_hypotheses,
    most_general_of,
)
from bayesic.hypotheses.training_examples import Examples, examples_of
from bayesic.kernels import Array

DONT_KNOW = "don't know"


@dataclass(frozen=True, eq=False)
class VersionSpace:
    """All conjunctions that agree with every example, between the boundaries S and G.

    Without positive examples S is the empty hypothesis; else it is what `find_s` gives. What lies
    above S are the conjunctions of some of its values. Which of them cover no negative example is
    seen for all of them at once (`attributes.py`).
    """

    examples: Examples

    @cached_property
    def specific(self) -> tuple[Conjunction, ...]:
        """The boundary S: the most specific hypotheses. For conjunctions there is just one."""
        return (self.examples.most_specific(),)

    @cached_property
    def general(self) -> tuple[Conjunction, ...]:
        """The boundary G: the most general hypotheses."""
        most_general = most_general_of(self._agrees, self._above.sizes)
        if not most_general.any():  # every possible row is a negative example
            return self.specific
        return self._conjunctions(np.flatnonzero(most_general))

    @cached_property
    def size(self) -> int:
        """How many hypotheses there are."""
        return int(np.count_nonzero(self._agrees)) + self._has_empty

    @property
    def hypotheses(self) -> tuple[Conjunction, ...]:
        """All of them; the empty hypothesis last, if it is one of them."""
        some = self._conjunctions(np.flatnonzero(self._agrees))
        return some + self.specific if self._has_empty else some

    def __contains__(self, hypothesis: Sequence[object]) -> bool:
        """Whether a hypothesis agrees with every example."""
        covered = self.examples.covered_by(self.examples.attributes.checked(hypothesis))
        return bool((covered == self.examples.positive).all())

    def votes(self, X: TableLike) -> Array:
        """For each row how many of the hypotheses say yes: int64 (n_rows,)."""
        codes = self._encoded(self.examples.attributes.encode(X))
        return self._yes[cells_of(codes, self._above.sizes)]

    def classify(self, X: TableLike) -> Array:
        """For each row the label that all hypotheses agree on, or "don't know"."""
        votes = self.votes(X)
        negative, positive = self.examples.labels
        answers = np.full(len(votes), DONT_KNOW, dtype=object)
        answers[votes == 0] = negative
        answers[votes == self.size] = positive
        return answers

    def __str__(self) -> str:
        lines = (f"  {name}: ({', '.join(map(str, its))})" for name, its in self._boundaries())
        return "\n".join([self._headline(), *lines])

    def _repr_html_(self) -> str:
        rows = [(name, *hypothesis) for name, hypothesis in self._boundaries()]
        headers, notes = ("", *self.examples.attributes.names), left_out(len(rows), "hypotheses")
        return html_table(headers, rows[:MOST_ROWS], self._headline(), notes=notes)

    def _headline(self) -> str:
        noun = "hypothesis agrees" if self.size == 1 else "hypotheses agree"
        return f"{self.size} {noun} with {len(self.examples.positive)} examples"

    def _boundaries(self) -> list[tuple[str, Conjunction]]:
        """S and G with the names of the boundaries."""
        return [("S", one) for one in self.specific] + [("G", one) for one in self.general]

    @property
    def _has_empty(self) -> bool:
        return NOTHING in self.specific[0]

    @cached_property
    def _above(self) -> Attributes:
        """The attributes with the values that a hypothesis above S can ask for."""
        attributes = self.examples.attributes
        if self._has_empty:
            return attributes
        values = tuple(() if wanted == ANY else (wanted,) for wanted in self.specific[0])
        return Attributes(attributes.names, values)

    def _encoded(self, codes: Array) -> Array:
        """The codes of rows among the values of `_above`."""
        columns = []
        pairs = zip(self.examples.attributes.values, self._above.values, strict=True)
        for column, (values, kept) in zip(codes.T, pairs, strict=True):
            number = [kept.index(value) if value in kept else len(kept) for value in values]
            columns.append(np.array([*number, len(kept)])[column])
        return np.column_stack(columns)

    @cached_property
    def _agrees(self) -> Array:
        """Which conjunctions above S cover no negative example: bool, one for each."""
        rows = self._encoded(self.examples.codes[~self.examples.positive])
        return ~covered_rows(rows, np.ones(len(rows), dtype=bool), self._above.sizes)

    @cached_property
    def _yes(self) -> Array:
        """For each row that there can be, how many hypotheses cover it."""
        return covering_hypotheses(self._agrees.astype(np.int64), self._above.sizes)

    def _conjunctions(self, cells: Array) -> tuple[Conjunction, ...]:
        return conjunctions_at(cells, self._above)


def conjunctions_at(cells: Array, attributes: Attributes) -> tuple[Conjunction, ...]:
    """The conjunctions in these cells of the cube.

    >>> conjunctions_at(np.array([1, 3]), Attributes(("sky", "wind"), (("sun",), ("yes",))))
    (('sun', '?'), ('?', '?'))
    """
    columns: list[list[str]] = []
    for values in reversed(attributes.values):
        cells, digits = np.divmod(cells, len(values) + 1)
        columns.append(np.array([*values, ANY], dtype=object)[digits].tolist())
    return tuple(zip(*reversed(columns), strict=True))


def find_s(
    X: TableLike,
    y: LabelsLike | None = None,
    positive: Label | None = None,
    values: Mapping[str, Sequence[object]] | None = None,
) -> Conjunction:
    """The most specific conjunction that agrees with the examples ([Mitchell] section 2.4).

    It starts with nothing and is made more general by each positive example, just as far as
    needed. Examples that no conjunction agrees with are refused.

    positive : the label that means yes; not needed for usual words: Yes, True, 1, +, 是, 正
    values   : column -> all its values, where X does not show all of them

    >>> from bayesic.datasets.textbook import enjoy_sport
    >>> days = enjoy_sport()
    >>> find_s(days.rows, days.target)
    ('Sunny', 'Warm', '?', 'Strong', '?', '?')
    """
    examples = examples_of(X, y, positive, values)
    examples.refuse_contradiction()
    return examples.most_specific()


def candidate_elimination(
    X: TableLike,
    y: LabelsLike | None = None,
    positive: Label | None = None,
    values: Mapping[str, Sequence[object]] | None = None,
) -> VersionSpace:
    """All conjunctions that agree with the examples ([Mitchell] section 2.5).

    The boundaries are those that candidate elimination reaches row by row, in any order of the
    rows. Examples that no conjunction agrees with are refused. The arguments are those of find_s.

    >>> from bayesic.datasets.textbook import enjoy_sport
    >>> days = enjoy_sport()
    >>> space = candidate_elimination(days.rows, days.target)
    >>> space.specific
    (('Sunny', 'Warm', '?', 'Strong', '?', '?'),)
    >>> space.general
    (('Sunny', '?', '?', '?', '?', '?'), ('?', 'Warm', '?', '?', '?', '?'))
    >>> space.size, ("Sunny", "?", "?", "Strong", "?", "?") in space
    (6, True)
    >>> new = [("Sunny", "Warm", "Normal", "Strong", "Cool", "Change"),
    ...        ("Rainy", "Cold", "Normal", "Light", "Warm", "Same"),
    ...        ("Sunny", "Warm", "Normal", "Light", "Warm", "Same")]
    >>> space.votes(new).tolist(), space.classify(new).tolist()
    ([6, 0, 3], ['Yes', 'No', "don't know"])
    """
    examples = examples_of(X, y, positive, values)
    examples.refuse_contradiction()
    return VersionSpace(examples)
