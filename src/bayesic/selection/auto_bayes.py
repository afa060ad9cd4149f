"""The average of the whole family, for people who do not want to choose."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any, Literal, NoReturn

import numpy as np
from sklearn.base import clone

from bayesic.data.arguments import (
    check_is_fitted,
    check_one_of,
    check_whole_number,
    is_number,
)
from bayesic.data.labels import encode_labels
from bayesic.data.tables import Table, joined
from bayesic.data.typing import Kind, TableLike
from bayesic.estimation.pool import Pool, pool_weights
from bayesic.estimation.row_keys import least_keys, row_keys
from bayesic.evidence.explanation import Explanation
from bayesic.evidence.several import Reasons
from bayesic.kernels import Array
from bayesic.kernels.leaving import left
from bayesic.models.classifier import CountingClassifier
from bayesic.models.fitted import learned
from bayesic.models.forest import BayesForest
from bayesic.models.posterior import posterior
from bayesic.models.readers.known_columns import know_columns_of, known_columns
from bayesic.models.readers.reader import CodedRows
from bayesic.models.readers.table_reader import TableReader
from bayesic.models.schema import checked_kinds, refuse_other_kinds
from bayesic.progress import bar_of
from bayesic.selection.honest import Asked, asked_in_folds, judge_of
from bayesic.selection.identifiers import say_left_out
from bayesic.selection.members import (
    KINDS,
    TREES,
    Member,
    MemberScore,
    MemberScores,
    candidates,
    columns_apart,
)
from bayesic.selection.pooled_members import PooledMembers
from bayesic.statistics.pooled import PooledCounts

KINDS_OF_COLUMNS = ("categorical", "binned", "text", "ignore")
# rows that the weights are learned from
MOST_ASKED = {"quick": 500, "normal": 1000, "thorough": 1000}
MOST_GROWN_FROM = 20_000  # rows, where it must be quick; all of them are counted in the trees


class AutoBayes(CountingClassifier):
    """The average of a family of models, with weights learned from rows that they have not seen.

        P(c | x)  ~  exp(b_c + sum over m of w_m log p_m(c | x)),  w_m >= 0

    The Bayes optimal classifier in practice: nothing is chosen, all members vote. They are two
    `BayesForest`, of the best and of random cuts, `NaiveBayes` (except with "quick"),
    `GaussianBayes` with several shrinkages if at least half of the columns are numeric, and a
    `TextClassifier("auto")` for each text column. Weights and biases maximise the probability of up
    to 1,000 rows ("quick": 500), each predicted by the members as if they had not seen it: forests
    by the trees that were not grown from it, Gaussian classes by leave-one-out, and members that
    make choices (types, bandwidths, words) by folds.

    Tables are taken as they are: numbers, categories, texts, missing values. Columns that look like
    identifiers are left out, with a warning, unless `columns` says what they are.

    `partial_fit`, `forget` and `merge` are those of the members, and exact; the choices of `fit`
    (splits, strengths, weights, words) stay. `leave_one_out` keeps the weights as well.

    Parameters
    ----------
    effort : "quick" with 30 trees per forest, grown from at most 20,000 rows (all are counted),
        "normal" with 60, "thorough" with 200
    columns : dict of column name and "categorical", "binned", "text" or "ignore", for columns that
        are not what they look like
    seed : of all random draws

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
    (['No', 'No', 'Yes', 'Yes'], ['leave-one-out', 'out-of-bag', 'out-of-bag'])
    """

    statistics_: PooledCounts
    declares_classes = False

    weights_ = learned("pool.weights", "The weight of each member.")
    bias_ = learned("pool.bias", "What is added to the score of each class.")

    def __init__(
        self,
        effort: Literal["quick", "normal", "thorough"] = "normal",
        columns: Mapping[str, Kind] | None = None,
        seed: int = 0,
    ) -> None:
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
            **{member.text: "text" for member in self._members if member.text is not None},
        }
        return TableReader(known_columns(self), self._kinds(), "binned", stored, forest.levels)

    # learning -------------------------------------------------------------------------------

    def _before_counting(self, rows: Iterable[CodedRows]) -> list[str]:
        """Decide who takes part, and grow the trees, unless that is done.

        Returns the columns that nobody takes, because they look like identifiers.
        """
        if hasattr(self, "_members"):
            return []
        every = _joined(rows)
        apart = columns_apart(every.X, self.columns)
        members = candidates(every.X, self.effort, self.columns, int(self.seed), apart)
        few = _few_of(every) if self.effort == "quick" else every
        self._seconds = []
        with bar_of("learning members", len(members)) as advance:
            for member in members:
                began = perf_counter()
                know_columns_of(member.model, self)
                seen = few if isinstance(member.model, BayesForest) else every
                member.model._before_counting([as_taken(seen, member)])
                self._seconds.append(perf_counter() - began)
                advance()
        self._members = tuple(members)
        return apart.identifiers

    def _notices(self, seen: list[str]) -> Iterable[str]:
        if seen:
            told = f"columns={{{seen[0]!r}: 'categorical'}}"
            yield f"{say_left_out(seen)} To include one, declare its type: {told}."

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
        every = _joined(rows)
        class_count, most = self.statistics_.class_count, MOST_ASKED[self.effort]
        asked = _asked(every, self.classes_.tolist(), class_count, most)
        codes, weights = every.codes[asked.rows], every.all_weights[asked.rows]
        said, scores = [], []
        parts = zip(self._members, self.statistics_.parts, self._seconds, strict=True)
        with bar_of("learning members", len(self._members)) as advance:
            for member, part, seconds in parts:
                began, model = perf_counter(), member.model
                model.classes_, model.statistics_ = self.classes_, part
                said.append(_said_of(member, every, asked))
                loss, judged = _log_loss(said[-1], codes, weights), model._judged_by()
                del model.statistics_  # those of the pool are all that is kept
                model.__dict__.pop("_following", None)
                spent = seconds + perf_counter() - began
                scores.append(MemberScore(model, 0.0, loss, judged, spent))
                advance()
        self._pool = pool_weights(np.stack(said), codes, weights)
        self._bias = dict(zip(self.classes_.tolist(), self._pool.bias.tolist(), strict=True))
        self.members_ = MemberScores.of(scores, self._pool.weights.tolist())

    def _fit(self, statistics: PooledCounts) -> PooledMembers:
        models = tuple(
            member.having(self.classes_, part)
            for member, part in zip(self._members, statistics.parts, strict=True)
        )
        # a class that came later has none
        bias = np.array([self._bias.get(label, 0.0) for label in self.classes_.tolist()])
        pool = replace(self._pool, bias=bias)
        return PooledMembers(self._members, models, pool, statistics.class_count)

    def _check_mergeable(self, other: "AutoBayes") -> None:
        if len(self._members) != len(other._members):
            raise ValueError(
                "Only averages of the same members can be merged: fit one, and let copies of it "
                "learn with partial_fit."
            )

    def _has_features_of(self, statistics: PooledCounts) -> bool:
        return len(statistics.parts) == len(self._members)

    # answers --------------------------------------------------------------------------------

    def votes(self, X: TableLike) -> dict[str, Array]:
        """What each member predicts: its name, and P(c | x), (n_samples, n_classes)."""
        check_is_fitted(self)
        return self._votes(self._rows(X))

    def _votes(self, rows: Table) -> dict[str, Array]:
        return {
            member.name: model._answers(member.rows(rows), posterior)
            for member, model in zip(self._fitted.members, self._fitted.models, strict=True)
        }

    def _explained(self, X: Any, *how: Any, **more: Any) -> Any:
        """Each explanation, with what the members say that have a weight."""
        explained = super()._explained(X, *how, **more)
        votes, classes = self._votes(self._reader().one(X)[0]), self.classes_.tolist()
        names = [name for name, weight in zip(votes, self.weights_, strict=True) if weight > 0]

        def with_votes(explanation: Explanation, row: int) -> Explanation:
            place = classes.index(explanation.answer)
            return replace(explanation, votes={n: votes[n][row, place].item() for n in names})

        if isinstance(explained, Explanation):
            return with_votes(explained, 0)
        return Reasons(with_votes(each, row) for row, each in enumerate(explained))

    def work(self, row: TableLike, feature_names: Iterable[str] | None = None) -> NoReturn:
        """Not for this model: it is an average, not a product. See `explain` and `votes`."""
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
                    "extra": member.having(self.classes_, part)._extra_state(),
                    "numbers": member.numbers,
                    **({} if member.text is None else {"text": member.text}),
                }
                for member, part in zip(self._members, self.statistics_.parts, strict=True)
            ],
            "weights": self._pool.weights,
            "bias": self.bias_,
        }

    def _restore_extra_state(self, state: dict[str, Any]) -> None:
        members = []
        for told in state["members"]:
            model = KINDS[told["model"]](**told["parameters"])
            model._check_parameters()
            know_columns_of(model, self)
            model.classes_ = self.classes_
            model._restore_extra_state(told["extra"])
            members.append(Member(model, told["numbers"], told.get("text")))
        weights, bias = (np.asarray(state[name], np.float64) for name in ("weights", "bias"))
        if weights.shape != (len(members),) or not (weights >= 0).all():
            raise ValueError("An average has a weight of 0 or more for each of its members.")
        if bias.ndim != 1 or not np.isfinite(bias).all() or not all(map(is_number, weights)):
            raise ValueError("An average has finite weights and biases.")
        self._members, self._pool = tuple(members), Pool(weights, bias)
        self._bias = dict(zip(self.classes_.tolist(), bias.tolist(), strict=True))

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


def _joined(rows: Iterable[CodedRows]) -> CodedRows:
    """All rows in one block, which many are that come from memory."""
    blocks = [*rows]
    if len(blocks) == 1:
        return blocks[0]
    labels = np.concatenate([block.classes[block.codes] for block in blocks])  # type: ignore[index]
    weights = [block.weights for block in blocks if block.weights is not None]
    table = joined([block.X for block in blocks])
    return CodedRows(table, *encode_labels(labels), np.concatenate(weights) if weights else None)


def _few_of(rows: CodedRows) -> CodedRows:
    """Rows that are enough to see where to cut: those with the least keys."""
    if len(rows.codes) <= MOST_GROWN_FROM:
        return rows
    keys = row_keys(rows.X, rows.classes.tolist(), rows.codes, rows.all_weights)  # type: ignore[union-attr]
    return rows.at(np.sort(least_keys(keys, MOST_GROWN_FROM)))


def as_taken(rows: CodedRows, member: Member) -> CodedRows:
    """The rows as a member takes them."""
    return CodedRows(member.rows(rows.X), rows.classes, rows.codes, rows.weights)


def _asked(every: CodedRows, labels: list, class_count: Array, most: int) -> Asked:
    """Rows to learn the weights from: those with the least keys, not alone in their class."""
    codes, weights = every.codes, every.all_weights
    keys = row_keys(every.X, labels, codes, weights)
    has_others = (left(class_count[codes].astype(np.float64), weights) > 0) & (weights > 0)
    order = np.argsort(keys, kind="stable")
    return asked_in_folds(order[has_others[order]][:most], codes)


def _log_loss(log_probability: Array, codes: Array, weights: Array) -> float:
    """The mean of -log p of the own class; NaN if there are no rows."""
    own = log_probability[np.arange(len(codes)), codes]
    return float(0.0 - np.average(own, weights=weights)) if len(own) else np.nan


def _said_of(member: Member, every: CodedRows, asked: Asked) -> Array:
    """log p(c | x) of rows that the member has not seen, (n_asked, n_classes).

    It has counted all rows, and chooses here what is its own.
    """
    model, rows = member.model, as_taken(every, member)
    if isinstance(model, BayesForest) and len(asked.rows):
        return model._out_of_bag(rows, *asked, choose=True)  # asked once for both
    model._after_counting([rows], True)
    model._keep(model.statistics_)
    if not len(asked.rows):
        return np.zeros((0, len(rows.classes)))  # type: ignore[arg-type]

    def learn(_: int, others: CodedRows) -> CountingClassifier:
        new = clone(model)
        know_columns_of(new, model)
        new._learn_rows([others], is_all=True)
        return new

    return judge_of(model, rows, asked, learn)(slice(0, len(asked.rows)))
