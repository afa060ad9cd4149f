"""A network that learns its tables by counting: thin methods over the functions in `learning`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from bayesic.data.snapshots import answering, learning, snapshot
from bayesic.networks.learning.account import COUNTED, Account
from bayesic.networks.learning.complete import counted_families
from bayesic.networks.learning.estimates import checked_smoothing, estimated_tables
from bayesic.networks.states import States
from bayesic.statistics.families import FamilyCounts

if TYPE_CHECKING:
    from bayesic.data.archive import PathLike
    from bayesic.evidence.explanation import Explanation
    from bayesic.evidence.several import Reasons
    from bayesic.evidence.summary import Summary
    from bayesic.networks.learning.uncertainty import TableUncertainty
    from bayesic.networks.network import BeliefNetwork
    from bayesic.networks.queries.model import NamedModel
    from bayesic.networks.tables import ConditionalTable

Array = np.ndarray


class Learnable:
    """What a belief network learns from data, and what it answers about one variable of it.

    A network is a function of its family counts, `statistics_`: `fit` counts, `partial_fit` adds,
    `forget` takes away, `merge` adds those of another network. Each changes the tables in place and
    returns the network. If it fails, nothing is changed.

    Rows with gaps are learned by `fit` with a method; then the counts are expected ones.

    After learning there are

    statistics_ : the family counts
    smoothing_  : the smoothing
    method_     : None if all was counted, "em" or "gradient"
    trace_      : log P(rows) and log prior, up to a constant, after each step; it never falls
    n_iter_     : how many steps were taken; 0 if all was counted
    converged_  : whether the last step found nothing more to gain, as far as tol tells
    """

    statistics_: FamilyCounts
    smoothing_: Any
    method_: str | None
    trace_: Array
    n_iter_: int
    converged_: bool
    _parents: dict[str, tuple[str, ...]]
    _states: "dict[str, States | None]"
    _tables: "dict[str, ConditionalTable]"
    _given_states: "dict[str, States | None]"

    if TYPE_CHECKING:  # of the network

        def _named_model(self) -> NamedModel: ...

        def _set_tables(
            self, states: Mapping[str, States | None], tables: Mapping[str, ConditionalTable]
        ) -> None: ...

        def topological_order(self) -> list[str]: ...

        def table(self, variable: str) -> ConditionalTable: ...

    # what was learned ---------------------------------------------------------------------------

    def _n_rows(self) -> float | None:
        """How many rows the tables were learned from, or their weight; None if from none."""
        if not hasattr(self, "statistics_") or not self._parents:
            return None
        return self.statistics_.tables()[next(iter(self._parents))].sum().item()

    def summary(self, target: str | None = None) -> "Summary":
        """Variables with their states and parents, and how much each tells of a target, in bits.

        target : a variable; I(target; v) of every other variable v is computed from the tables
        """
        from bayesic.networks.summary import network_summary

        return network_summary(cast("BeliefNetwork", self), target)

    # learning: statistics with + and - ----------------------------------------------------------

    @learning
    def fit(
        self,
        table: Any,
        smoothing: Any = 0,
        sample_weight: Any = None,
        method: str | None = None,
        starts: int = 1,
        seed: int = 0,
        max_iter: int = 1000,
        tol: float = 1e-6,
    ) -> Self:
        """Learn all tables from rows; whatever was learned or given before is gone.

        table         : any dataframe, dict of columns, list of dicts, or the path of a CSV or
                        Parquet file, which is read in pieces. It needs a column for each variable;
                        others are not looked at
        smoothing     : added to each count before shares are taken: 0, a number, or ("bdeu", ess),
                        which spreads ess rows over each table
        sample_weight : weights of the rows; a row of weight 2 counts twice
        method        : None counts, and needs every cell. "em" and "gradient" take null cells, and
                        variables without a column if their states are given; see
                        `learning/em.py`, `learning/gradient.py`

        The rest is for these methods, which climb to a local maximum:

        starts        : how many tables to start from; the best end is kept
        seed          : of the starts
        max_iter      : at most so many steps from each start
        tol           : done when a step of EM gains no more than this share of the objective, or
                        when the gradient is this close to 0

        States that were given keep their order, and have a place in the tables also if they do not
        occur; others follow in sorted order. With smoothing=0, a row of a table whose states of the
        parents were never seen is uniform: nothing is known there.

        >>> from bayesic.networks.network import BeliefNetwork
        >>> days = {"Storm": [True, True, False, False], "Campfire": ["no", "no", "yes", "no"]}
        >>> net = BeliefNetwork(edges=[("Storm", "Campfire")]).fit(days, smoothing=1)
        >>> print(net.table("Campfire"))
        P(Campfire | Storm)
          Storm      no     yes
          False  0.5000  0.5000
          True   0.7500  0.2500
        """
        rule = checked_smoothing(smoothing)
        if method is None:
            counts = counted_families(table, self._parents, self._given(), sample_weight)
            return self._estimate(counts, smoothing)
        from bayesic.networks.learning.hidden import Search, expected_families
        from bayesic.networks.learning.incomplete import incomplete_rows

        search = Search(method, starts, seed, max_iter, tol).checked()
        rows = incomplete_rows(table, self._parents, self._given(), sample_weight)
        counts, account = expected_families(rows, rule, search)
        return self._estimate(counts, smoothing, account)

    @learning
    def partial_fit(self, table: Any, smoothing: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows: the same network comes out as from all rows in one `fit`.

        smoothing : None for that of the last call, 0 at first

        Tables that were given by hand are refused: they say shares, and not of how many rows, so
        nothing can be added to them. Tables of `fit` with a method are refused as well: what was
        expected in the gaps of the first rows would change with the new ones.
        """
        self._check_counted("partial_fit")
        is_first = not hasattr(self, "statistics_")
        if is_first and self._tables:
            raise ValueError(
                "partial_fit adds to counts, but the tables of this network were given without "
                "any. Use fit, which learns them anew, or begin with a network of edges alone."
            )
        smoothing = self._smoothing(smoothing)
        counts = counted_families(table, self._parents, self._states, sample_weight)
        return self._estimate(counts if is_first else self.statistics_ + counts, smoothing)

    @learning
    def forget(self, table: Any, sample_weight: Any = None) -> Self:
        """Take rows back out: the same network comes out as if they had never been learned.

        Rows that were never learned are refused where the counts show it.
        """
        self._check_learned()
        self._check_counted("forget")
        counts = counted_families(table, self._parents, self._states, sample_weight)
        return self._estimate(self.statistics_ - counts, self.smoothing_)

    @learning
    def merge(self, other: "Learnable") -> Self:
        """Add all rows that another network of the same edges has learned."""
        self._check_learned()
        if not isinstance(other, Learnable):
            raise TypeError(
                f"Only a network can be merged into a network, got a {type(other).__name__}."
            )
        other = snapshot(other)
        other._check_learned()
        for network in (self, other):
            network._check_counted("merge")
        return self._estimate(self.statistics_ + other.statistics_, self.smoothing_)

    def _estimate(self, counts: FamilyCounts, smoothing: Any, account: Account = COUNTED) -> Self:
        given = self._given()
        rule = checked_smoothing(smoothing)
        states, tables = estimated_tables(counts, given, rule)
        # nothing was changed so far: what fails, fails above
        self._set_tables(states, tables)
        self.statistics_, self.smoothing_, self._given_states = counts, smoothing, given
        self.method_, self.trace_, self.converged_ = account
        self.n_iter_ = len(account.trace)
        return self

    def _given(self) -> "dict[str, States | None]":
        """The states that were there before anything was learned."""
        return getattr(self, "_given_states", self._states)

    def _smoothing(self, smoothing: Any) -> Any:
        asked = getattr(self, "smoothing_", 0) if smoothing is None else smoothing
        checked_smoothing(asked)
        return asked

    def _check_learned(self) -> None:
        if not hasattr(self, "statistics_"):
            raise ValueError(
                "This network has not learned any rows. Call fit(table) first: tables that were "
                "given by hand have no counts behind them."
            )

    def _check_counted(self, what: str) -> None:
        method = getattr(self, "method_", None)
        if method is not None:
            raise ValueError(
                f"{what} needs counts of what was observed, but this network has learned by "
                f"method={method!r}: its counts were expected, and each hangs on all rows. Call "
                f"fit with all rows that shall count."
            )

    # answers about one variable -----------------------------------------------------------------

    @answering
    def predict(self, table: Any, target: str) -> Array:
        """The most probable state of the target in each row; see `predict_proba`."""
        from bayesic.networks.learning.prediction import as_labels

        best = self.predict_proba(table, target).argmax(axis=1)
        return as_labels(self._named_model().states[target])[best]

    @answering
    def predict_proba(self, table: Any, target: str) -> Array:
        """P(target | all else that a row observes): (n_rows, states), as `states(target)`.

        Any cell may be null, and columns may be missing: not observed. A column of the target is
        not looked at. A row whose evidence cannot happen answers P(target), with a warning.
        """
        from bayesic.networks.learning.prediction import target_posteriors

        return target_posteriors(self._named_model(), table, target)

    @answering
    def explain(
        self,
        table: Any,
        target: str,
        against: Any = None,
        answer: Any = None,
        top: int | None = None,
    ) -> "Explanation | Reasons[Explanation]":
        """Why a row gets its answer: P(target) and what each observation adds, in log odds.

        table   : one row as a dict, which gives one Explanation; or a table, which gives a list
        against : the state to compare the answer with; None for all others
        answer  : the state to explain; None for the most probable one
        top     : how many observations to show, the strongest first; the others are added up

        Observations come in one by one, the Markov blanket of the target first. The weight of each
        is what it changes after those before it; see `networks/learning/reasons.py`.
        """
        from bayesic.evidence.rows import is_single_row
        from bayesic.evidence.several import with_top
        from bayesic.networks.learning.prediction import evidence_blocks
        from bayesic.networks.learning.reasons import explanations

        model, order = self._named_model(), self.topological_order()
        single = isinstance(table, Mapping) and is_single_row(table)
        rows = {name: [cell] for name, cell in table.items()} if single else table
        explained = [
            one
            for codes in evidence_blocks(model, rows, target)
            for one in explanations(model, self._parents, order, codes, target, against, answer)
        ]
        shown = with_top(explained, top)
        return shown[0] if single else shown

    @answering
    def leave_one_out(self, table: Any, target: str, sample_weight: Any = None) -> Array:
        """P(target | all else) of each learned row, as if that row had not been learned.

        Equal to learning all other rows, with the same states given, and predicting this one, for
        every row. A row that cannot happen without itself answers P(target) of the network as it
        is, with a warning. Give the weights that were learned.
        """
        from bayesic.networks.learning.without_row import left_out_posteriors

        self._check_learned()
        self._check_counted("leave_one_out")
        # raises if any of these rows was never learned, as far as the counts show it
        learned = counted_families(table, self._parents, self._states, sample_weight)
        _ = self.statistics_ - learned
        rule = checked_smoothing(self.smoothing_)
        model = self._named_model()
        return left_out_posteriors(model, self.statistics_, rule, table, target, sample_weight)

    @answering
    def posterior_uncertainty(
        self, variable: str, level: float = 0.95, smoothing: Any = None
    ) -> "TableUncertainty":
        """How sure each entry of a learned table is: standard deviation and interval.

        level     : probability of the entry being in the interval
        smoothing : the prior, as in `fit`, above 0; None for that of the fit

        The entries have a Dirichlet distribution; see `networks/learning/uncertainty.py`.
        """
        from bayesic.networks.learning.uncertainty import table_uncertainty

        self._check_learned()
        self._check_counted("posterior_uncertainty")
        rule, table = checked_smoothing(self._smoothing(smoothing)), self.table(variable)
        counts = self.statistics_.tables(self._named_model().states)[variable]
        return table_uncertainty(table, counts, rule.pseudo_count(counts.shape), level)

    @answering
    def save(self, path: "PathLike") -> None:
        """Write what was learned to a model file, which `bayesic.load(path)` reads.

        It holds edges, states and counts, and no code. For the tables alone, and for tables that
        were given by hand, there is `write`.
        """
        from bayesic.networks.learning.saving import save_network

        self._check_learned()
        save_network(cast("BeliefNetwork", self), path)
