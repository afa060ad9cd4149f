"""The average of the whole family, for users who do not want to choose."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any, ClassVar, Literal

import numpy as np

from bayesic.catalogue import class_named
from bayesic.contract.constructor import clone
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
from bayesic.kernels import Array
from bayesic.kernels.leaving import left
from bayesic.models.classifier import CountingClassifier
from bayesic.models.columns.table_settings import declared_kinds
from bayesic.models.fitted import OUT_OF_BAG, learned
from bayesic.models.notes import Note, restore_notes, state_of_notes
from bayesic.models.readers.known_columns import know_columns_of, known_columns
from bayesic.models.readers.reader import CodedRows
from bayesic.models.readers.table_reader import TableReader
from bayesic.models.trees.forest import BayesForest
from bayesic.progress import bar_of
from bayesic.selection._honest import FoldRows, asked_in_folds, judge_of
from bayesic.selection._identifiers import say_left_out
from bayesic.selection._members import (
    MEMBER_MODELS,
    TREES,
    Member,
    MemberScore,
    MemberScores,
    candidates,
    columns_apart,
)
from bayesic.selection._pooled_members import PooledMembers
from bayesic.statistics.pooled import PooledCounts

KINDS_OF_COLUMNS = ("categorical", "binned", "text", "ignore")
# rows that the weights are learned from
MOST_ASKED = {"quick": 500, "normal": 1000, "thorough": 1000}
MOST_PROBABILITIES = 4_000_000  # of these rows, from each member
MOST_BIASES = 1000  # with more classes there are too few rows of each: they have none
MOST_GROWN_FROM = 20_000  # rows, where it must be quick; all of them are counted in the trees


# rows -------------------------------------------------------------------------------------------


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


def _asked(every: CodedRows, labels: list, class_count: Array, most: int) -> FoldRows:
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


def _said_of(member: Member, every: CodedRows, fold_rows: FoldRows) -> tuple[Array, str]:
    """log p(c | x) of rows that the member has not seen, (n_rows, n_classes); how it was judged.

    It has counted all rows, and chooses here what is its own.
    """
    model, rows = member.model, as_taken(every, member)
    if isinstance(model, BayesForest) and len(fold_rows.rows):
        return model._out_of_bag(rows, *fold_rows, choose=True), OUT_OF_BAG  # once for both
    model._look_after([rows], True)
    judged = model._keep(model.statistics_)._fitted.judged_by
    if not len(fold_rows.rows):
        return np.zeros((0, len(rows.classes))), judged  # type: ignore[arg-type]

    def learn(_: int, others: CodedRows) -> CountingClassifier:
        new = clone(model)
        know_columns_of(new, model)
        new._learn_rows([others], is_all=True)
        return new

    return judge_of(model, rows, fold_rows, learn)(slice(0, len(fold_rows.rows))), judged


# notes ------------------------------------------------------------------------------------------


def _choose_members(model: "AutoBayes", rows: Iterable[CodedRows]) -> list[str]:
    """Choose the members and grow their trees, unless that is done.

    Returns the columns that no member takes, because they look like identifiers.
    """
    if hasattr(model, "_members"):
        return []
    every = _joined(rows)
    apart = columns_apart(every.X, model.columns)
    members = candidates(every.X, model.effort, model.columns, int(model.seed), apart)
    few = _few_of(every) if model.effort == "quick" else every
    seconds: list[float] = []
    model._seconds = seconds
    with bar_of("learning members", len(members)) as advance:
        for member in members:
            began = perf_counter()
            know_columns_of(member.model, model)
            seen = few if isinstance(member.model, BayesForest) else every
            member.model._look_before([as_taken(seen, member)])
            seconds.append(perf_counter() - began)
            advance()
    model._members = tuple(members)
    return apart.identifiers


def _say_left_out(model: "AutoBayes", seen: list[str]) -> Iterable[str]:
    if seen:
        example = f"columns={{{seen[0]!r}: 'categorical'}}"
        yield f"{say_left_out(seen)} To include one, declare its type: {example}."


def _refuse_other_members(model: "AutoBayes", other: "AutoBayes") -> None:
    if len(model._members) != len(other._members):
        raise ValueError(
            "Only averages of the same members can be merged: fit one, and let copies of it "
            "learn with partial_fit."
        )


def _take_trees(model: "AutoBayes", statistics: PooledCounts) -> None:
    for member, part in zip(model._members, statistics.parts, strict=True):
        if hasattr(part, "forest"):
            member.model.forest_ = part.forest


def _state_of_members(model: "AutoBayes") -> dict[str, object]:
    members = [
        {
            "model": type(member.model).__name__,
            "parameters": member.model.get_params(deep=False),
            "extra": state_of_notes(member.having(model.classes_, part)),
            "numbers": member.numbers,
            **({} if member.text is None else {"text": member.text}),
        }
        for member, part in zip(model._members, model.statistics_.parts, strict=True)
    ]
    return {"members": members}


def _restore_members(model: "AutoBayes", state: dict[str, Any]) -> None:
    members = []
    for entry in state["members"]:
        if entry["model"] not in MEMBER_MODELS:
            raise ValueError(f"No member can be a {entry['model']!r:.60}.")
        own = class_named(entry["model"])(**entry["parameters"])
        own._check_parameters()
        know_columns_of(own, model)
        own.classes_ = model.classes_
        restore_notes(own, entry["extra"])
        members.append(Member(own, entry["numbers"], entry.get("text")))
    model._members = tuple(members)


MEMBERS = Note(
    before=_choose_members,
    keep=_take_trees,
    notices=_say_left_out,
    alike=_refuse_other_members,
    keys=frozenset({"members"}),
    state=_state_of_members,
    restore=_restore_members,
)


def _learn_pool(model: "AutoBayes", rows: Iterable[CodedRows], is_all: bool) -> None:
    """Let the members choose what is theirs, and learn the weights, unless that is done."""
    if not is_all and hasattr(model, "_pool"):
        return
    every = _joined(rows)
    class_count = model.statistics_.class_count
    most = min(MOST_ASKED[model.effort], MOST_PROBABILITIES // len(class_count))
    fold_rows = _asked(every, model.classes_.tolist(), class_count, most)
    codes, weights = every.codes[fold_rows.rows], every.all_weights[fold_rows.rows]
    said, scores = [], []
    parts = zip(model._members, model.statistics_.parts, model._seconds, strict=True)
    with bar_of("learning members", len(model._members)) as advance:
        for member, part, seconds in parts:
            began, own = perf_counter(), member.model
            own.classes_, own.statistics_ = model.classes_, part
            answers, judged = _said_of(member, every, fold_rows)
            said.append(answers)
            loss = _log_loss(said[-1], codes, weights)
            del own.statistics_  # those of the pool are all that is kept
            own.__dict__.pop("_following", None)
            spent = seconds + perf_counter() - began
            scores.append(MemberScore(own, 0.0, loss, judged, spent))
            advance()
    has_bias = len(class_count) <= MOST_BIASES
    model._pool = pool_weights(np.stack(said), codes, weights, with_bias=has_bias)
    model._bias = dict(zip(model.classes_.tolist(), model._pool.bias.tolist(), strict=True))
    model.members_ = MemberScores.of(scores, model._pool.weights.tolist())


def _state_of_pool(model: "AutoBayes") -> dict[str, object]:
    return {"weights": model._pool.weights, "bias": model.bias_}


def _restore_pool(model: "AutoBayes", state: dict[str, Any]) -> None:
    weights, bias = (np.asarray(state[name], np.float64) for name in ("weights", "bias"))
    if weights.shape != (len(model._members),) or not (weights >= 0).all():
        raise ValueError("An average has a weight of 0 or more for each of its members.")
    if bias.ndim != 1 or not np.isfinite(bias).all() or not all(map(is_number, weights)):
        raise ValueError("An average has finite weights and biases.")
    model._pool = Pool(weights, bias)
    model._bias = dict(zip(model.classes_.tolist(), bias.tolist(), strict=True))


POOL = Note(
    after=_learn_pool,
    keys=frozenset({"weights", "bias"}),
    state=_state_of_pool,
    restore=_restore_pool,
)


# the model --------------------------------------------------------------------------------------


class AutoBayes(CountingClassifier[PooledCounts, PooledMembers, dict[str, str]]):
    """The average of a family of models, with weights learned from rows that they have not seen.

        P(c | x)  ~  exp(b_c + sum over m of w_m log p_m(c | x)),  w_m >= 0

    The Bayes optimal classifier in practice: nothing is chosen, all members vote. They are two
    `BayesForest`, of the best and of random cuts, `NaiveBayes` (except with "quick"),
    `GaussianBayes` with several shrinkages if at least half of the columns are numeric, and a
    `TextClassifier("auto")` for each text column. Weights and biases maximise the probability of up
    to 1,000 rows ("quick": 500), each predicted by the members as if they had not seen it: forests
    by the trees that were not grown from it, Gaussian classes by leave-one-out, and members that
    make choices (types, bandwidths, words) by folds. With more than 1,000 classes there are no
    biases (b = 0), and with more than 4,000 fewer such rows: 4,000,000 / classes.

    Tables are taken as they are: numbers, categories, texts, missing values. Columns that look like
    identifiers are left out, with a warning, unless `columns` says what they are.

    `partial_fit`, `forget` and `merge` are those of the members, and exact; the choices of `fit`
    (splits, strengths, weights, words) stay. `leave_one_out` keeps the weights as well.

    Parameters
    ----------
    effort : how much time learning may take: "quick", "normal" or "thorough". That is 30, 60 or 200
        trees per forest; quick ones are grown from at most 20,000 rows (all are counted)
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
    _members: tuple[Member, ...]
    _pool: Pool

    notes = (MEMBERS, POOL)
    fitted_class = PooledMembers
    declares_classes = False
    tags: ClassVar[dict[str, bool]] = {
        **CountingClassifier.tags,
        "categorical": True,
        "string": True,
    }

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

    def _parse(self) -> dict[str, str]:
        check_one_of("effort", self.effort, tuple(TREES))
        check_whole_number("seed", self.seed, 0)
        return declared_kinds(self.columns, KINDS_OF_COLUMNS, type(self).__name__)

    def _reader(self) -> TableReader:
        kinds = self._settings
        if not hasattr(self, "_members"):
            return TableReader(known_columns(self), kinds, "binned")
        forest = self._members[0].model.forest_
        stored = {
            **dict.fromkeys(forest.cuts, "number"),
            **dict.fromkeys(forest.levels, "category"),
            **{member.text: "text" for member in self._members if member.text is not None},
        }
        return TableReader(known_columns(self), kinds, "binned", stored, forest.levels)

    def _count(self, X: Table, codes: Array, n_classes: int, weights: Array | None) -> PooledCounts:
        parts = tuple(
            member.model._count(member.rows(X), codes, n_classes, weights)
            for member in self._members
        )
        counts = np.bincount(codes, weights, minlength=n_classes)
        return PooledCounts(counts, parts)

    def _fit(self, statistics: PooledCounts) -> PooledMembers:
        models = tuple(
            member.having(self.classes_, part)
            for member, part in zip(self._members, statistics.parts, strict=True)
        )
        # a class that came later has none
        bias = np.array([self._bias.get(label, 0.0) for label in self.classes_.tolist()])
        pool = replace(self._pool, bias=bias)
        return PooledMembers(self._members, models, pool, statistics.class_count)

    # answers --------------------------------------------------------------------------------

    def votes(self, X: TableLike) -> dict[str, Array]:
        """What each member predicts: its name, and P(c | x), (n_samples, n_classes)."""
        check_is_fitted(self)
        return self._fitted.votes_of_all(self._rows(X))
