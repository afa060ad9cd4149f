"""What an average of models answers: the fitted object of `AutoBayes`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bayesic.data.blocks import row_blocks
from bayesic.data.tables import Table
from bayesic.estimation.pool import Pool, log_softmax
from bayesic.estimation.prior import class_prior
from bayesic.evidence.summary import ColumnSummary
from bayesic.kernels import Array
from bayesic.models.classifier import CountingClassifier
from bayesic.models.fitted import Fitted, Scorer
from bayesic.models.posterior import log_posterior, posterior
from bayesic.selection._members import Member

CELLS_PER_ROW = 400  # numbers at work to answer a row
WITHOUT_END = 1e6  # nats, what a term counts for that makes a class impossible


@dataclass(frozen=True, eq=False)
class PooledPrior:
    """What the members and the biases of the pool say before any column is looked at."""

    class_count: Array
    log: Array  # (n_classes,)

    @property
    def probability(self) -> Array:
        """The shares of the classes."""
        return class_prior(self.class_count)

    def in_scores(self, log_prior: Array) -> Array:
        """All of it."""
        return log_prior


@dataclass(frozen=True, eq=False)
class PooledMembers(Fitted[Table]):
    """P(c | x)  ~  exp(b_c + sum over m of w_m log p_m(c | x))."""

    members: tuple[Member, ...]
    models: tuple[CountingClassifier, ...]  # the members with all that they have learned
    pool: Pool
    class_count: Array

    no_product = (
        "work writes out one product of shares, and AutoBayes is an average of many. "
        "explain(row) gives what each column adds, and votes(X) what each member says."
    )

    @cached_property
    def used(self) -> list[tuple[Member, Fitted, float]]:
        """Those with a weight."""
        every = zip(self.members, self.models, self.pool.weights.tolist(), strict=True)
        return [(member, model._fitted, weight) for member, model, weight in every if weight > 0]

    @cached_property
    def prior(self) -> PooledPrior:  # type: ignore[override]
        """b_c + sum over m of w_m log P_m(c), of which the pool takes none for less than it does.

        A class without rows, as after `forget`, has a prior of 0 in some members.
        """
        log = self.pool.bias.copy()
        for _, fitted, weight in self.used:
            log += weight * np.maximum(own_prior(fitted), self.pool.least_log)
        return PooledPrior(self.class_count, log)

    def blocks(self, rows: Table) -> list[slice]:
        """The rows in blocks, each of which is scored by one thread."""
        return row_blocks(rows.n_rows, CELLS_PER_ROW, at_least=64)

    def scorer(self, rows: Table) -> Scorer:
        """What the members say of rows, beyond the prior."""
        scorers = [
            (fitted.scorer(member.rows(rows)), own_prior(fitted), weight)
            for member, fitted, weight in self.used
        ]

        def scores_of(block: slice) -> Array:
            scores = np.tile(self.pool.bias - self.prior.log, (block.stop - block.start, 1))
            for scorer, log_prior, weight in scorers:
                said = log_softmax(scorer(block) + log_prior)
                scores += weight * np.maximum(said, self.pool.least_log)
            return scores

        return scores_of

    def scorer_without(self, rows: Table, codes: Array, weights: Array) -> Scorer:
        """The same of rows that they have not seen."""
        joint = self.joint_scorer_without(rows, codes, weights)
        return lambda block: joint(block)[0].T - self.prior.log

    def joint_scorer_without(
        self, rows: Table, codes: Array, weights: Array
    ) -> Callable[[slice], tuple[Array, int]]:
        """What the members say of rows that they have not seen; weights and biases stay."""
        scorers = [
            (fitted.joint_scorer_without(member.rows(rows), codes, weights), weight)
            for member, fitted, weight in self.used
        ]

        def scores_of(block: slice) -> tuple[Array, int]:
            scores = np.tile(self.pool.bias[:, None], (1, block.stop - block.start))
            for scorer, weight in scorers:
                scores += weight * np.maximum(log_posterior(scorer(block)[0]), self.pool.least_log)
            return scores, 0

        return scores_of

    # reasons --------------------------------------------------------------------------------

    def votes(self, rows: Table) -> dict[str, Array]:
        """What each member that has a weight predicts: its name, and P(c | x)."""
        weights = self.pool.weights.tolist()
        said = self.votes_of_all(rows)
        return {name: said[name] for name, weight in zip(said, weights, strict=True) if weight > 0}

    def votes_of_all(self, rows: Table) -> dict[str, Array]:
        """What each member predicts."""
        return {
            member.name: model._answers(member.rows(rows), posterior)
            for member, model in zip(self.members, self.models, strict=True)
        }

    def terms(self, rows: Table) -> Array:
        """What each column adds in all members together, by their weights.

        Where the pool takes what a member says for less than it is (see `Pool`), all columns of the
        member count for less.
        """
        names, least = list(rows.columns), self.pool.least_log
        total = np.zeros((rows.n_rows, len(names), len(self.class_count)))
        for member, fitted, weight in self.used:
            terms, log_prior = fitted.terms(member.rows(rows)), own_prior(fitted)
            scores = np.where(log_prior > -np.inf, log_prior + terms.sum(axis=1), -np.inf)
            whole = np.logaddexp.reduce(scores, axis=1)[:, None]
            taken = np.maximum(scores - whole, least) + whole - np.maximum(log_prior, least)
            places = [names.index(name) for name in member.names(rows)]
            total[:, places] += weight * adding_up_to(taken, terms)
        return total

    # what was learned -----------------------------------------------------------------------

    @property
    def n_parameters(self) -> int:
        """Those of all members, and the weights."""
        return sum(model.n_parameters for model in self.models) + len(self.models)

    def summaries(self, names: Sequence[str]) -> list[ColumnSummary]:
        """Each column as the first forest knows it."""
        return self.models[0]._fitted.summaries(names)


def adding_up_to(total: Array, terms: Array) -> Array:
    """The terms, (n_rows, n_columns, n_classes), made to add up to a total, (n_rows, n_classes).

    All of them are made smaller in proportion, as far as that will do; what is left is shared
    equally. A term without end counts as a very large one.

    >>> adding_up_to(np.array([[-8.0, 3.0]]), np.array([[[-15.0, 1.0], [-1.0, 0.0]]]))
    array([[[-7.5,  2. ],
            [-0.5,  1. ]]])
    """
    terms = np.nan_to_num(terms, neginf=-WITHOUT_END, posinf=WITHOUT_END)
    added = terms.sum(axis=1)
    is_less = (np.abs(total) < np.abs(added)) & (np.sign(total) * np.sign(added) >= 0)
    share = np.divide(total, added, out=np.ones_like(total), where=is_less)
    each = (total - share * added) / max(terms.shape[1], 1)
    return terms * share[:, None] + each[:, None]


def own_prior(fitted: Fitted) -> Array:
    """What of the prior of a member goes into its scores."""
    return fitted.prior.in_scores(fitted.prior.log)
