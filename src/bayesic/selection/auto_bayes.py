"""The average of the whole family, for people who do not want to choose."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter
from typing import Any, NoReturn

import numpy as np
from scipy.special import log_softmax, logsumexp

from bayesic.data.arguments import check_one_of, check_whole_number, is_number
from bayesic.data.blocks import row_blocks
from bayesic.data.labels import encode_labels
from bayesic.data.tables import Table, joined
from bayesic.estimation.forest import row_keys
from bayesic.estimation.pool import Pool, pool_weights
from bayesic.estimation.prior import class_prior
from bayesic.evidence.summary import ColumnSummary
from bayesic.kernels import Array
from bayesic.kernels.leaving import left
from bayesic.models.classifier import CountingClassifier
from bayesic.models.fitted import Fitted, Scorer, learned
from bayesic.models.posterior import log_posterior
from bayesic.models.readers.known_columns import known_columns
from bayesic.models.readers.reader import CodedRows
from bayesic.models.readers.table_reader import TableReader
from bayesic.models.schema import checked_kinds, refuse_other_kinds
from bayesic.progress import bar_of
from bayesic.selection.members import (
    KINDS,
    TREES,
    Member,
    MemberScore,
    MemberScores,
    candidates,
)
from bayesic.statistics.pooled import PooledCounts

KINDS_OF_COLUMNS = ("categorical", "binned", "ignore")
MOST_ASKED = 1000  # rows that the weights are learned from
CELLS_PER_ROW = 400  # numbers at work to answer a row


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
class PooledMembers(Fitted):
    """P(c | x)  ~  exp(b_c + sum over m of w_m log p_m(c | x))."""

    members: tuple[Member, ...]
    models: tuple[CountingClassifier, ...]  # the members with all that they have learned
    pool: Pool
    class_count: Array

    @cached_property
    def used(self) -> list[tuple[Member, Fitted, float]]:
        """Those with a weight."""
        every = zip(self.members, self.models, self.pool.weights.tolist(), strict=True)
        return [(member, model._fitted, weight) for member, model, weight in every if weight > 0]

    @cached_property
    def prior(self) -> PooledPrior:  # type: ignore[override]
        """b_c + sum over m of w_m log P_m(c)."""
        log = self.pool.bias.copy()
        for _, fitted, weight in self.used:
            log += weight * _own_prior(fitted)
        return PooledPrior(self.class_count, log)

    def blocks(self, rows: Table) -> list[slice]:
        """The rows in blocks, each of which is scored by one thread."""
        return row_blocks(rows.n_rows, CELLS_PER_ROW, at_least=64)

    def scorer(self, rows: Table) -> Scorer:
        """What the members say of rows, beyond the prior."""
        scorers = [
            (fitted.scorer(member.rows(rows)), _own_prior(fitted), weight)
            for member, fitted, weight in self.used
        ]

        def scores_of(block: slice) -> Array:
            scores = np.tile(self.pool.bias - self.prior.log, (block.stop - block.start, 1))
            for scorer, log_prior, weight in scorers:
                said = log_softmax(scorer(block) + log_prior, axis=1)
                scores += weight * np.maximum(said, self.pool.least_log)
            return scores

        return scores_of

    def scorer_without(self, rows: Table, codes: Array, weights: Array) -> NoReturn:
        """Not by itself: see joint_scorer_without."""
        raise NotImplementedError  # nobody asks: the pool is no product of a prior and the rest

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

    def terms(self, rows: Table) -> Array:
        """What each column adds in all members together, by their weights.

        Where the pool takes what a member says for less than it is (see `Pool`), all columns of the
        member count for less, in proportion.
        """
        names = list(rows.columns)
        total = np.zeros((rows.n_rows, len(names), len(self.class_count)))
        for member, fitted, weight in self.used:
            terms, log_prior = fitted.terms(member.rows(rows)), _own_prior(fitted)
            added = terms.sum(axis=1)
            whole = logsumexp(log_prior + added, axis=1)[:, None]
            cut = np.maximum(log_prior + added - whole, self.pool.least_log) + whole - log_prior
            share = np.divide(cut, added, out=np.ones_like(cut), where=added != 0)
            places = [names.index(name) for name in member.numbers or names]
            total[:, places] += weight * terms * share[:, None]
        return total

    # what was learned -----------------------------------------------------------------------

    @property
    def n_parameters(self) -> int:
        """Those of all members, and the weights."""
        return sum(model.n_parameters for model in self.models) + len(self.models)

    def summaries(self, names: Sequence[str]) -> list[ColumnSummary]:
        """Each column as the first forest knows it."""
        return self.models[0]._fitted.summaries(names)


def _own_prior(fitted: Any) -> Array:
    """What of the prior of a member goes into its scores."""
    return fitted.prior.in_scores(fitted.prior.log)


class AutoBayes(CountingClassifier):
    """The average of a family of models, with weights learned from rows that they have not seen.

        P(c | x)  ~  exp(b_c + sum over m of w_m log p_m(c | x)),  w_m >= 0

    The Bayes optimal classifier in practice: nothing is chosen, all members vote. They are two
    `BayesForest`, of the best and of random cuts, and where at least half of the columns are
    numbers `GaussianBayes` of several shrinkages. Weights and biases are those under which up to
    1,000 rows are most probable, each judged by what a member says of it without having seen it:
    forests by the trees that were not grown from it, Gaussian classes by leave-one-out.

    Tables are taken as they are: numbers, categories, gaps. `partial_fit`, `forget` and `merge` are
    those of the members, and exact; what was chosen by `fit` (splits, strengths, weights) stays.
    `leave_one_out` keeps the weights as well.

    Parameters
    ----------
    effort : "quick" with 30 trees a forest, "normal" with 60, "thorough" with 200
    columns : dict of column name and "categorical", "binned" or "ignore", for columns that are not
        what they look like
    seed : of all that is drawn

    Attributes
    ----------
    members_ : a table of the members: weight, log loss, how it was judged, seconds
    weights_, bias_ : of the pool

    Examples
    --------
    >>> import bayesic as by
    >>> tennis = by.datasets.play_tennis().to_dict()
    >>> model = AutoBayes().fit(tennis, y="PlayTennis")
    >>> model.predict(tennis).tolist()[:4], [row.judged for row in model.members_]
    (['No', 'No', 'Yes', 'Yes'], ['out-of-bag', 'out-of-bag'])
    """

    statistics_: PooledCounts
    declares_classes = False

    weights_ = learned("pool.weights", "The weight of each member.")
    bias_ = learned("pool.bias", "What is added to the score of each class.")

    def __init__(self, effort: str = "normal", columns: Any = None, seed: int = 0) -> None:
        self.effort = effort
        self.columns = columns
        self.seed = seed

    def _check_parameters(self) -> None:
        check_one_of("effort", self.effort, tuple(TREES))
        check_whole_number("seed", self.seed, 0)
        self._kinds()

    def _kinds(self) -> dict[str, str]:
        told = checked_kinds(self.columns)
        refuse_other_kinds(told, KINDS_OF_COLUMNS, type(self).__name__)
        return told

    def _reader(self) -> TableReader:
        if not hasattr(self, "_members"):
            return TableReader(known_columns(self), self._kinds(), "binned")
        forest = self._members[0].model.forest_
        stored = {
            **dict.fromkeys(forest.cuts, "number"),
            **dict.fromkeys(forest.levels, "category"),
        }
        return TableReader(known_columns(self), self._kinds(), "binned", stored, forest.levels)

    # learning -------------------------------------------------------------------------------

    def _before_counting(self, rows: Iterable[CodedRows]) -> None:
        """Decide who takes part, and grow the trees, unless that is done."""
        if hasattr(self, "_members"):
            return
        blocks = [*rows]
        labels = np.concatenate([block.classes[block.codes] for block in blocks])  # type: ignore[index]
        classes, codes = encode_labels(labels)
        table = joined([block.X for block in blocks])
        every = CodedRows(table, classes, codes, np.concatenate([b.all_weights for b in blocks]))
        members = candidates(table, self.effort, self.columns, int(self.seed))
        self._seconds = []
        with bar_of("learning members", len(members)) as advance:
            for member in members:
                began = perf_counter()
                member.model._before_counting([replace_rows(every, member)])
                self._seconds.append(perf_counter() - began)
                advance()
        self._members = tuple(members)

    def _count(self, X: Table, codes: Array, n_classes: int, weights: Array | None) -> PooledCounts:
        parts = tuple(
            member.model._count(member.rows(X), codes, n_classes, weights)
            for member in self._members
        )
        counts = np.bincount(codes, weights, minlength=n_classes)
        return PooledCounts(counts, parts)

    def _after_counting(self, rows: Iterable[CodedRows], is_all: bool) -> None:
        """Let the members choose what is theirs, and learn the weights, unless that is done."""
        if not is_all and hasattr(self, "_pool"):
            return
        blocks = [*rows]
        asked = _asked(blocks, self.classes_.tolist(), self.statistics_.class_count)
        members, said, scores = [], [], []
        parts = zip(self._members, self.statistics_.parts, self._seconds, strict=True)
        for member, part, seconds in parts:
            began = perf_counter()
            model = member.having(self.classes_, part) if member.numbers else member.model
            if not member.numbers:
                model.classes_, model.statistics_ = self.classes_, part
                model._after_counting([replace_rows(block, member) for block in blocks], True)
                model = member.having(self.classes_, part)
            members.append(member)
            said.append(_said_of(model, member, asked))
            own = log_softmax(said[-1], axis=1)[np.arange(len(asked.codes)), asked.codes]
            loss = -float(np.average(own, weights=asked.all_weights)) if len(own) else np.nan
            scores.append((member, loss, seconds + perf_counter() - began))
        self._members = tuple(members)
        self._pool = pool_weights(np.stack(said), asked.codes, asked.all_weights)
        self.members_ = _member_scores(scores, self._pool.weights)

    def _fit(self, statistics: PooledCounts) -> PooledMembers:
        models = tuple(
            member.having(self.classes_, part)
            for member, part in zip(self._members, statistics.parts, strict=True)
        )
        bias = self._pool.bias
        if len(bias) < len(self.classes_):  # a class that came later has none
            bias = np.append(bias, np.zeros(len(self.classes_) - len(bias)))
        pool = replace(self._pool, bias=bias)
        return PooledMembers(self._members, models, pool, statistics.class_count)

    def _check_mergeable(self, other: "AutoBayes") -> None:
        if len(self._members) != len(other._members):
            raise ValueError(
                "Only averages of the same members can be merged: fit one, and let copies of it "
                "learn with partial_fit."
            )
        for mine, theirs in zip(self._members, other._members, strict=True):
            mine.model._check_mergeable(theirs.model)

    def _has_features_of(self, statistics: PooledCounts) -> bool:
        return len(statistics.parts) == len(self._members)

    # answers --------------------------------------------------------------------------------

    def votes(self, X: Any) -> dict[str, Array]:
        """What each member says of rows: its name, and P(c | x), (n_samples, n_classes)."""
        rows = self._rows(X)
        return {
            repr(member.model): np.exp(
                log_softmax(model._answers(member.rows(rows), log_posterior), axis=1)
            )
            for member, model in zip(self._fitted.members, self._fitted.models, strict=True)
        }

    def work(self, row: Any, feature_names: Any = None) -> NoReturn:
        """Not for this model: it is an average, and no product. See `explain` and `votes`."""
        raise TypeError(
            "work writes out one product of shares, and AutoBayes is an average of many. "
            "explain(row) gives what each column adds, and votes(X) what each member says."
        )

    # files ----------------------------------------------------------------------------------

    def _extra_state(self) -> dict[str, Any]:
        return {
            "members": [
                {
                    "model": type(member.model).__name__,
                    "parameters": member.model.get_params(deep=False),
                    "extra": member.model._extra_state(),
                    "judged": member.judged,
                    "numbers": member.numbers,
                }
                for member in self._members
            ],
            "weights": self._pool.weights,
            "bias": self._pool.bias,
        }

    def _restore_extra_state(self, state: dict[str, Any]) -> None:
        members = []
        for told in state["members"]:
            model = KINDS[told["model"]](**told["parameters"])
            model._check_parameters()
            model._restore_extra_state(told["extra"])
            members.append(Member(model, str(told["judged"]), told["numbers"]))
        weights, bias = (np.asarray(state[name], np.float64) for name in ("weights", "bias"))
        if weights.shape != (len(members),) or not (weights >= 0).all():
            raise ValueError("An average has a weight from 0 on for each of its members.")
        if bias.ndim != 1 or not np.isfinite(bias).all() or not all(map(is_number, weights)):
            raise ValueError("An average has finite weights and biases.")
        self._members, self._pool = tuple(members), Pool(weights, bias)

    def _keep(self, statistics: PooledCounts) -> Any:
        for member, part in zip(self._members, statistics.parts, strict=True):
            if hasattr(part, "forest"):
                member.model.forest_ = part.forest
        return super()._keep(statistics)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def replace_rows(rows: CodedRows, member: Member) -> CodedRows:
    """The rows as a member takes them."""
    return CodedRows(member.rows(rows.X), rows.classes, rows.codes, rows.weights)


def _asked(blocks: Sequence[CodedRows], labels: list, class_count: Array) -> CodedRows:
    """Rows to learn the weights from: those with the least keys, not alone in their class."""
    keys = [row_keys(block.X, labels, block.codes, block.all_weights) for block in blocks]
    codes = np.concatenate([block.codes for block in blocks])
    weights = np.concatenate([block.all_weights for block in blocks])
    has_others = (left(class_count[codes].astype(np.float64), weights) > 0) & (weights > 0)
    order = np.argsort(np.concatenate(keys), kind="stable")
    chosen = order[has_others[order]][:MOST_ASKED]
    table = joined([block.X for block in blocks]).at(chosen)
    return CodedRows(table, blocks[0].classes, codes[chosen], weights[chosen])


def _said_of(model: CountingClassifier, member: Member, asked: CodedRows) -> Array:
    """log p(c | x) of rows that the model has not seen: (n_rows, n_classes)."""
    n_rows = len(asked.codes)
    if not n_rows:
        return np.zeros((0, len(model.classes_)))
    rows = member.rows(asked.X)
    score = model._fitted.joint_scorer_without(rows, asked.codes, asked.all_weights)
    with model._at_work():
        return log_posterior(score(slice(0, n_rows))[0]).T


def _member_scores(scores: list[tuple[Member, float, float]], weights: Array) -> MemberScores:
    rows = [
        MemberScore(member.model, weight, loss, member.judged, seconds)
        for (member, loss, seconds), weight in zip(scores, weights.tolist(), strict=True)
    ]
    return MemberScores(tuple(sorted(rows, key=lambda row: -row.weight)))
