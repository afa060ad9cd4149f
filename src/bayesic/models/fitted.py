"""What follows from the statistics of a model: all that its answers need, and never changed."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import DTypeLike

from bayesic.data.arguments import refuse_unfitted
from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.matrices import cells_per_row
from bayesic.data.typing import HasShape
from bayesic.estimation.dependent_columns import DependentPairs
from bayesic.estimation.prior import ClassPrior
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.summary import ColumnSummary
from bayesic.evidence.work import Factor
from bayesic.kernels import Array
from bayesic.models.posterior import Finish, answer_prior_where_impossible, best_class, posterior

# how to ask about learned rows what a model would say if it had not seen them
LEAVE_ONE_OUT, OUT_OF_BAG, IN_FOLDS = "leave-one-out", "out-of-bag", "folds"

# a matrix, a table, texts: as the reader of the model gives them
Rows = TypeVar("Rows", bound=HasShape)
Scorer = Callable[[slice], Array]
# the features that speak for or against a row, what each adds, (n_reasons, n_classes), its value
Reason = tuple[Sequence[str], Array, Sequence[str | None]]

# From here on there are half as many: between blocks threads wait for each other.
MANY_BLOCKS = 64


class Fitted(ABC, Generic[Rows]):
    """The distribution of the rows of each class. A model rebuilds it whenever it learns.

    rows is what the reader of the model gives: a matrix, a table, texts.
    """

    prior: ClassPrior
    prior_power: float = 1  # with which P(c) is multiplied, for `work`

    # LEAVE_ONE_OUT if nothing was chosen by the rows, beyond counting them. Else what is left of
    # the counts without a row still has what was chosen using the row, and flatters: IN_FOLDS
    judged_by: str = IN_FOLDS

    # the function of export/ that writes the scores as expressions, where there is one
    formula: ClassVar[str | None] = None

    # scores ---------------------------------------------------------------------------------

    @abstractmethod
    def scorer(self, rows: Rows) -> Scorer:
        """A function from a block of rows to log p(x | c): (n_rows, n_classes)."""

    @abstractmethod
    def scorer_without(self, rows: Rows, codes: Array, weights: Array) -> Scorer:
        """The same, where each row is scored as if it had not been learned."""

    def joint_scorer_without(
        self, rows: Rows, codes: Array, weights: Array
    ) -> Callable[[slice], tuple[Array, int]]:
        """A function from a block of rows to log p(x, c), each row as if it had not been learned.

        It gives (n_classes, n_rows), with the log prior for rows that no class can explain, and the
        number of those.
        """
        score = self.scorer_without(rows, codes, weights)

        def scores_of(block: slice) -> tuple[Array, int]:
            log_prior = self.prior.log_without(codes[block], weights[block])
            scores = np.add(score(block).T, self.prior.in_scores(log_prior), order="C")
            return answer_prior_where_impossible(scores, log_prior)

        return scores_of

    def answers_of(self, rows: Rows, finish: Finish | None, dtype: DTypeLike) -> tuple[Array, int]:
        """What finish makes of log p(x, c) of rows; None for the bare scores.

        Also the number of rows that are impossible in every class.
        """
        return scored_answers(self, rows, finish, dtype)

    def answers_without(self, rows: Rows, codes: Array, weights: Array) -> tuple[Array, int]:
        """P(c | x) of learned rows, (n_rows, n_classes), each as if it had not been learned.

        Also the number of rows that are impossible in every class.
        """
        score = self.joint_scorer_without(rows, codes, weights)
        out = np.empty((len(codes), len(self.prior.class_count)))

        def fill(block: slice) -> int:
            scores, n_impossible = score(block)
            out[block] = posterior(scores).T
            return n_impossible

        n_impossible = sum(in_threads(fill, self.blocks(rows)))
        return out, n_impossible

    def blocks(self, rows: Rows) -> list[slice]:
        """The rows in blocks, each of which is scored by one thread."""
        cells = max(cells_per_row(rows), len(self.prior.class_count))
        blocks = row_blocks(rows.shape[0], cells)
        return row_blocks(rows.shape[0], cells / 2) if len(blocks) > MANY_BLOCKS else blocks

    # reasons --------------------------------------------------------------------------------

    @abstractmethod
    def terms(self, rows: Rows) -> Array:
        """What each feature adds to log p(x | c): (n_rows, n_features, n_classes)."""

    no_product: str | None = None  # why the answer is no product of factors, where it is none
    counted: ClassVar[bool] = False  # whether values tell how often a feature occurs

    def reasons(
        self, rows: Rows, names: Sequence[str], shown: Sequence[Sequence[str | None]]
    ) -> Iterator[Reason]:
        """What speaks for and against each row, for `explain`: its features, unless a model says
        otherwise. names are those of the features, shown are the cells of each row.
        """
        return zip(repeat(names), self.terms(rows), shown, strict=False)

    def factors(self, row: Rows, names: Sequence[str], shown: Sequence[str | None]) -> list[Factor]:
        """The factors p(x_j | c) of one row, for `work`: densities, unless a model counts.

        names are those of the features, shown are its cells; features that were not observed have
        no factor. The text is what stands in P(text | c).
        """
        return _density_factors(names, shown, self.terms(row)[0])

    # what was learned -----------------------------------------------------------------------

    remarks: Sequence[str] = ()  # what else a reader of the summary must know

    def column_names(self, names: Sequence[str]) -> Sequence[str]:
        """The names by which `table` is asked, where rows have columns of these names: these."""
        return names

    @property
    @abstractmethod
    def n_parameters(self) -> int:
        """Numbers that are estimated, the prior aside."""

    def summaries(self, names: Sequence[str]) -> list[ColumnSummary]:
        """Each column with its bits, for `summary`: unknown, unless a model says them."""
        return [ColumnSummary(name, "number") for name in names]

    def table(self, place: int, names: Sequence[str], classes: list, exact: bool) -> ColumnTable:
        """All that is known of the column at this place, for `table`."""
        return ColumnTable(names[place], "number")

    def pairs(
        self, names: Sequence[str], rows: Rows | None, codes: Array | None
    ) -> DependentPairs | None:
        """Columns that depend on each other: in these rows, or (None) in what was learned."""
        return None


def scored_answers(
    fitted: Any, rows: HasShape, finish: Finish | None, dtype: DTypeLike
) -> tuple[Array, int]:
    """`Fitted.answers_of` of anything that has a prior, scorer and blocks."""
    log_prior = fitted.prior.log[:, None]
    in_scores, scorer = fitted.prior.in_scores(log_prior), fitted.scorer(rows)
    shape = (rows.shape[0], len(log_prior))
    out = np.empty(shape[:1] if finish is best_class else shape, dtype=dtype)

    def fill(block: slice) -> int:
        scores = np.add(scorer(block).T, in_scores, order="C")
        if finish is None:
            out[block] = scores.T
            return 0
        scores, n_impossible = answer_prior_where_impossible(scores, log_prior)
        out[block] = finish(scores).T
        return n_impossible

    n_impossible = sum(in_threads(fill, fitted.blocks(rows)))
    return out, n_impossible


def _density_factors(
    names: Sequence[str], shown: Sequence[str | None], log_densities: Array
) -> list[Factor]:
    """The density of each feature that was observed; log_densities (n_features, n_classes).

    >>> factors = _density_factors(["rain", "wind"], ["3", None], np.zeros((2, 1)))
    >>> [factor.text for factor in factors]
    ['rain=3']
    """
    return [
        Factor(f"{name}={text}", tuple(log_density), density=True)
        for name, text, log_density in zip(names, shown, log_densities.tolist(), strict=True)
        if text is not None
    ]


def learned(name: str, of_what: str) -> property:
    """An attribute of a model that is one of its fitted object, such as "prior.log".

    Where that is None, the model does not have the attribute.
    """
    parts = name.split(".")

    def of_model(model: Any) -> object:
        refuse_unfitted(model)
        found = model._fitted
        for part in parts:
            found = getattr(found, part)
        if found is None:
            raise AttributeError(f"{type(model).__name__} has not learned its {name}: {of_what}")
        return found

    return property(of_model, doc=of_what)
