"""Belief networks: variables with named states, a graph without cycles, a table for each.

`BeliefNetwork` is all that users call, and so longer than other files. Its methods hold no more
than a docstring and a few calls: the work is done in `_directed_graph.py`, `queries/`,
`_sampling/`, `_learning/` and `_files/`, by functions that get it, or what they need of it. Files,
samples and EM are loaded by the methods that need them: a new process answers a question at once.
"""

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, Self, overload

from bayesic.data.snapshots import answering, learning, snapshot
from bayesic.data.spelling import spelt
from bayesic.data.states import States
from bayesic.data.typing import (
    ArrayLike,
    Label,
    NetworkSmoothing,
    QueryMethod,
    StructureScore,
    TableLike,
)
from bayesic.estimation.smoothing import BackOff, TableSmoothing
from bayesic.evidence.explanation import Explanation
from bayesic.evidence.several import Reasons
from bayesic.evidence.summary import Summary
from bayesic.files.whole_files import PathLike
from bayesic.kernels import Array
from bayesic.networks import _directed_graph as directed_graph
from bayesic.networks._conditional_tables import (
    ConditionalTable,
    check_normalise,
    checked_tables,
)
from bayesic.networks._learning.estimates import (
    COUNTED,
    Account,
    Search,
    TableUncertainty,
    as_pseudo_counts,
    checked_smoothing,
    estimated_tables,
    table_uncertainty,
    with_strength,
)
from bayesic.networks._learning.left_out import left_out_posteriors
from bayesic.networks._learning.prediction import (
    as_labels,
    evaluated,
    explained,
    target_posteriors,
)
from bayesic.networks.codes import counted_families
from bayesic.networks.distribution import Distribution, Marginals
from bayesic.networks.factor_model import ExactAnswers
from bayesic.networks.factors import Factors
from bayesic.networks.network_text import (
    network_headline,
    network_html,
    network_summary,
    network_text,
)
from bayesic.networks.positions import Position, checked_positions
from bayesic.networks.queries._model import NamedModel, factors_of, named_model
from bayesic.networks.queries._posteriors import exact_answer
from bayesic.networks.queries.checked_evidence import (
    check_not_set,
    checked_mapping,
    intervened,
    with_interventions,
)
from bayesic.networks.queries.impossible import ImpossibleEvidence, impossible_where_set
from bayesic.networks.queries.jeffrey import answer_after_jeffrey
from bayesic.networks.variable_names import Given, checked_edges, checked_variable, listed, names_in
from bayesic.statistics.families import FamilyCounts

if TYPE_CHECKING:
    from bayesic.evaluation.report import Evaluation
    from bayesic.networks._engine.tree import JunctionTree
    from bayesic.networks.structure_learning import SearchAccount


METHODS = ("exact", "likelihood-weighting", "gibbs", "forward")


class BeliefNetwork(ExactAnswers):
    """A joint distribution, as a product over the variables given their parents.

        P(y_1, ..., y_n) = product over i of P(y_i | parents(Y_i))        [Mitchell] section 6.11.2

    edges     : pairs (parent, child); the parents of a variable keep this order
    tables    : variable -> its table: a mapping by names of states, or an array with one axis for
        each parent and the last for the variable; see `conditional_table`. A variable may have no
        table yet.
    states    : variable -> its states. Where they are left out, or None, they come from the table;
        without a table they are not known yet.
    normalise : divide each row of the tables by its sum, instead of refusing what does not sum to 1
    positions : variable -> (x, y), its centre in a picture, for some or all variables

    The variables have the order of `states`, then of `tables`, then of `edges`. States are strings,
    booleans or numbers. Variables and edges never change. `with_tables` returns another network;
    `fit` changes the tables of this one.

    A network is a function of its family counts, `statistics_`: `fit` counts, `partial_fit` adds,
    `forget` subtracts, `merge` adds those of another network. Each changes the tables in place and
    returns the network. If it fails, nothing changes.

    Rows with missing values are learned by `fit` with a method; then the counts are expected
    counts.

    After learning there are

    statistics_ : the family counts
    smoothing_  : the smoothing
    strength_   : s of the smoothing "back-off"
    method_     : None if all was counted, "em" or "gradient"
    trace_      : log P(rows) and log prior, up to a constant, after each step; it never falls
    n_iter_     : how many steps were taken; 0 if all was counted
    converged_ : whether the last step gained nothing more, within tol

    >>> net = BeliefNetwork(
    ...     edges=[("Storm", "Campfire"), ("BusTourGroup", "Campfire")],
    ...     tables={
    ...         "Storm": {True: 0.25, False: 0.75},
    ...         "BusTourGroup": {True: 0.5, False: 0.5},
    ...         "Campfire": {
    ...             (True, True): {True: 0.4, False: 0.6},
    ...             (True, False): {True: 0.1, False: 0.9},
    ...             (False, True): {True: 0.8, False: 0.2},
    ...             (False, False): {True: 0.2, False: 0.8},
    ...         },
    ...     },
    ... )
    >>> print(net)
    BeliefNetwork: 3 variables, 2 edges, 6 free parameters
      Storm         True, False
      BusTourGroup  True, False
      Campfire      True, False  <- Storm, BusTourGroup
    >>> net.table("Campfire")[True, False]
    Distribution(Campfire={True: 0.1, False: 0.9})
    """

    search_: "SearchAccount"  # of learn_structure: how the edges were found
    statistics_: FamilyCounts
    smoothing_: object
    method_: str | None
    trace_: Array
    n_iter_: int
    converged_: bool
    _shape: "JunctionTree | None" = None  # of questions that were answered with other tables
    _positions: Mapping[str, Position] = MappingProxyType({})  # of pickles without any

    def __init__(
        self,
        edges: Iterable[tuple[str, str]] = (),
        tables: Mapping[str, object] | None = None,
        states: Mapping[str, Iterable[object] | None] | None = None,
        normalise: bool = False,
        positions: Mapping[str, tuple[float, float]] | None = None,
    ) -> None:
        check_normalise(normalise)
        pairs = checked_edges(edges)
        given_tables = _by_variable("tables", tables)
        given_states = _by_variable("states", states)
        self._parents = directed_graph.parents_of(pairs, [*given_states, *given_tables])
        self._order = directed_graph.topological_order(self._parents)
        known_states, made = checked_tables(self._parents, given_tables, given_states, normalise)
        self._positions = checked_positions({} if positions is None else positions, self._parents)
        self._given_states = known_states  # before anything is learned
        self._set_tables(known_states, made)

    def _set_tables(
        self, states: Mapping[str, States | None], tables: Mapping[str, ConditionalTable]
    ) -> None:
        """Keep these states and tables, all checked before, and drop what was computed of others.

        This is the one place where they change.
        """
        made = vars(self).get("_compiled")
        self._shape = made[0].known_shape if made else self._shape
        self._states = {name: states[name] for name in self._parents}
        self._tables = {name: tables[name] for name in self._parents if name in tables}
        self._compiled: list[NamedModel] = []  # what is made of these, shared by all snapshots

    def __getstate__(self) -> dict[str, object]:
        return {**vars(self), "_compiled": [], "_shape": None}

    # what it is made of -------------------------------------------------------------------------

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of all variables."""
        return tuple(self._parents)

    @property
    def edges(self) -> list[tuple[str, str]]:
        """All pairs (parent, child): by child, in the order of the variables."""
        return [(parent, child) for child, its in self._parents.items() for parent in its]

    def states(self, variable: str) -> States:
        """The states of a variable, in their order."""
        states = self._states[self._known(variable)]
        if states is None:
            raise ValueError(
                f"The states of {variable} are not known yet. Give states={{{variable!r}: [...]}} "
                "or its table, or learn them from data."
            )
        return states

    def parents(self, variable: str) -> tuple[str, ...]:
        """The parents of a variable, in the order of the axes of its table."""
        return self._parents[self._known(variable)]

    def children(self, variable: str) -> tuple[str, ...]:
        """The children of a variable, in the order of the variables."""
        self._known(variable)
        return tuple(child for child, its in self._parents.items() if variable in its)

    def table(self, variable: str) -> ConditionalTable:
        """The conditional table of a variable: names, and numbers in `values`."""
        if self._known(variable) not in self._tables:
            raise ValueError(
                f"{variable} has no table yet. "
                + spelt(
                    "Give one with with_tables({{{variable!r}: ...}}), or learn it from data.",
                    variable=variable,
                )
            )
        return self._tables[variable]

    @property
    def variables_without_table(self) -> tuple[str, ...]:
        """The variables without a table, to be given or learned."""
        return tuple(name for name in self._parents if name not in self._tables)

    @property
    @answering
    def n_parameters(self) -> int:
        """How many free parameters its tables have, whether the tables exist yet or not.

        sum over i of (states of Y_i - 1) product over its parents of their states
        """
        size = {name: len(self.states(name)) for name in self._parents}
        return sum(
            (size[name] - 1) * math.prod(size[parent] for parent in parents)
            for name, parents in self._parents.items()
        )

    @answering
    def with_tables(self, tables: Mapping[str, object]) -> "BeliefNetwork":
        """The same network with these tables in place of its own.

        >>> rain = BeliefNetwork(states={"Rain": ["yes", "no"]})
        >>> rain.with_tables({"Rain": [0.25, 0.75]}).table("Rain")["yes"]
        0.25
        """
        new = _by_variable("tables", tables)
        for variable in new:
            self._known(variable)
        old = {name: table.values for name, table in self._tables.items() if name not in new}
        return BeliefNetwork(self.edges, {**old, **new}, self._states, positions=self._positions)

    @property
    def positions(self) -> dict[str, Position]:
        """Where variables are drawn: variable -> (x, y) of its centre, x right, y down.

        They come from a file or `with_positions`, for some variables, all or none, and are written
        to files. Positions do not matter when two networks are compared.
        """
        return dict(self._positions)

    def with_positions(self, positions: Mapping[str, Position]) -> Self:
        """The same network with its variables in these places, and in no others.

        >>> rain = BeliefNetwork(states={"Rain": ["yes", "no"]})
        >>> rain.with_positions({"Rain": (10, 20)}).positions
        {'Rain': (10.0, 20.0)}
        """
        moved = snapshot(self)
        moved._positions = checked_positions(positions, self._parents)
        return moved

    # the graph ----------------------------------------------------------------------------------

    def topological_order(self) -> list[str]:
        """All variables, parents before children; otherwise in the order of the variables."""
        return list(self._order)

    def ancestors(self, variable: str) -> list[str]:
        """Parents of a variable, their parents and so on."""
        return directed_graph.ancestors(self._parents, [self._known(variable)])

    def descendants(self, variable: str) -> list[str]:
        """Children of a variable, their children and so on."""
        return directed_graph.descendants(self._parents, [self._known(variable)])

    def markov_blanket(self, variable: str) -> list[str]:
        """Parents, children and their other parents: if these are known, nothing else matters."""
        return directed_graph.markov_blanket(self._parents, self._known(variable))

    def d_separated(
        self,
        first: str | Iterable[str],
        second: str | Iterable[str],
        given: str | Iterable[str] = (),
    ) -> bool:
        """Whether the edges alone say that first and second are independent, given the third.

        Each is a variable or a list of them; see `graph.d_separated`.
        """
        groups = [self._group(variables) for variables in (first, second, given)]
        several = [*groups[0], *groups[1], *groups[2]]
        if len(set(several)) < len(several):
            raise ValueError(
                f"Ask about different variables, got {groups[0]} and {groups[1]} given {groups[2]}."
            )
        return directed_graph.d_separated(self._parents, *groups)

    def d_connected(
        self, variable: str, given: str | Iterable[str] = (), soft: str | Iterable[str] = ()
    ) -> list[str]:
        """All other variables that are not d-separated from a variable, given these.

        soft : variables with soft evidence; see `graph.reachable`

        >>> from bayesic.datasets.networks import asia
        >>> asia().d_connected("asia", given="either")
        ['tub', 'smoke', 'lung', 'bronc', 'dysp']
        """
        start = [self._known(variable)]
        reached = directed_graph.reachable(
            self._parents, start, self._group(given), self._group(soft)
        )
        return [name for name in self._parents if name in reached and name != variable]

    def open_path(
        self,
        first: str,
        second: str,
        given: str | Iterable[str] = (),
        soft: str | Iterable[str] = (),
    ) -> list[str]:
        """A shortest path along which first and second depend on each other; empty if d-separated.

        Where two edges meet in a variable, there is evidence at it or below it; see
        `graph.open_path`.

        >>> from bayesic.datasets.networks import asia
        >>> asia().open_path("asia", "smoke", given="dysp")
        ['asia', 'tub', 'either', 'lung', 'smoke']
        """
        ends = self._known(first), self._known(second)
        return directed_graph.open_path(self._parents, *ends, self._group(given), self._group(soft))

    def _group(self, variables: str | Iterable[str]) -> list[str]:
        return [self._known(name) for name in names_in(variables)]

    def _known(self, variable: str) -> str:
        if not isinstance(variable, str) or variable not in self._parents:
            raise ValueError(
                f"There is no variable {variable!r} in the network. "
                f"It has {listed(self.variables) or 'none'}."
            )
        return variable

    # questions ----------------------------------------------------------------------------------

    def _named_model(self) -> NamedModel:
        """The model that answers questions: made once, and again when tables change."""
        made = self._compiled
        return made[0] if made else self._made_model()

    @answering
    def _made_model(self) -> NamedModel:
        states = {name: self.states(name) for name in self._parents}
        tables = {name: table.values for name, table in self._tables.items()}
        model = named_model(self._parents, states, tables, self._shape)
        self._compiled.append(model)
        return model

    @overload
    def query(
        self,
        target: None = None,
        given: Given = None,
        likelihoods: Given = None,
        do: Given = None,
        method: QueryMethod = "exact",
        samples: int = 100_000,
        seed: int = 0,
        distributions: Given = None,
    ) -> Marginals: ...

    @overload
    def query(
        self,
        target: str | Iterable[str],
        given: Given = None,
        likelihoods: Given = None,
        do: Given = None,
        method: QueryMethod = "exact",
        samples: int = 100_000,
        seed: int = 0,
        distributions: Given = None,
    ) -> Distribution: ...

    def query(
        self,
        target: str | Iterable[str] | None = None,
        given: Given = None,
        likelihoods: Given = None,
        do: Given = None,
        method: QueryMethod = "exact",
        samples: int = 100_000,
        seed: int = 0,
        distributions: Given = None,
    ) -> Distribution | Marginals:
        """P(target | given, do): the probabilities of the states of the target.

        target      : a variable -> its Distribution; several -> their joint Distribution, keyed by
                      tuples of states; None -> Marginals, the Distribution of each variable
        given       : variable -> its observed state; None or NaN: not observed
        likelihoods : soft evidence, variable -> P(what was seen | state), a mapping or numbers
        do          : variable -> the state it is set to from outside, whatever its parents say
        method      : "exact", or "likelihood-weighting", "gibbs", "forward": from this many
                      samples, with `standard_error` and `effective_samples`

        distributions : what the belief in a variable becomes, variable -> the probabilities of its
                      states: Jeffrey's rule; see `queries/jeffrey.py`. For exact answers

        Evidence that cannot happen raises ImpossibleEvidence, which names it.

        >>> from bayesic.datasets.networks import asia
        >>> print(asia().query("lung", given={"xray": "yes"}, likelihoods={"smoke": [0.9, 0.2]}))
        P(lung | xray=yes, likelihoods of smoke)
          yes  0.5998  ############
          no   0.4002  ########
        """
        if not isinstance(method, str) or method not in METHODS:
            raise ValueError(f"method is one of {', '.join(METHODS)}; got {method!r}.")
        how = likelihoods, do, method, samples, seed, distributions
        return self._answer(target, given, *how)

    def _answer(
        self,
        target: str | Iterable[str] | None,
        given: Given,
        likelihoods: Given,
        do: Given,
        method: QueryMethod,
        samples: int,
        seed: int,
        distributions: Given,
    ) -> Distribution | Marginals:
        """What `query` answers."""
        if do is not None and (not isinstance(do, Mapping) or do):
            cut = self.do(do)
            check_not_set(do, given, {**(likelihoods or {}), **(distributions or {})})
            try:
                how = method, samples, seed, distributions
                answer = cut._answer(target, given, likelihoods, None, *how)
            except ImpossibleEvidence:
                raise impossible_where_set(cut, do, given, likelihoods) from None
            return with_interventions(answer, cut, do)
        if distributions:
            return answer_after_jeffrey(
                self._named_model(), target, given, likelihoods, distributions, method
            )
        if method == "exact":
            return exact_answer(self._named_model(), target, given, likelihoods)
        from bayesic.networks._sampling.estimate import sampled_posterior

        net = snapshot(self)
        return sampled_posterior(net, target, given, likelihoods, method, samples, seed)

    @answering
    def do(self, values: Mapping[str, object]) -> "BeliefNetwork":
        """The network after setting these variables from outside; see `intervened`."""
        edges, tables = intervened(self, values)
        return BeliefNetwork(edges, tables, self._states, positions=self._positions)

    @answering
    def sample(
        self, n: int, seed: int = 0, given: Given = None, likelihoods: Given = None
    ) -> dict[str, Array]:
        """n rows drawn from the network, as columns that pandas and polars take directly.

        With evidence they are drawn from the posterior; see `forward_samples`.
        """
        from bayesic.networks._sampling.forward import forward_samples

        return forward_samples(self, n, seed, given, likelihoods)

    def summary(self, target: str | None = None) -> Summary:
        """Variables with their states and parents, and how much each says about a target, in bits.

        target : a variable; I(target; v) of every other variable v is computed from the tables
        """
        return network_summary(self, target)

    # learning: statistics with + and - ----------------------------------------------------------

    @learning
    def fit(
        self,
        table: TableLike,
        *,
        smoothing: NetworkSmoothing = 0,
        sample_weight: ArrayLike | None = None,
        method: Literal["em", "gradient"] | None = None,
        starts: int | Literal["tables"] = 1,
        seed: int = 0,
        max_iter: int = 1000,
        tol: float = 1e-6,
        learning_rate: float | None = None,
    ) -> Self:
        """Learn all tables from rows; whatever was learned or given before is gone.

        table         : any dataframe, dict of columns, list of dicts, the path of a CSV or Parquet
                        file, or a lazy table, which are counted where they are, or read in pieces.
                        It needs a column for each variable; others are ignored
        smoothing     : added to each count before shares are taken: 0, a number, or ("bdeu", ess),
                        which spreads ess rows over each table; or "back-off", where each share
                        leans on that without the last parent (`estimation/back_off.py`). Its
                        strength maximises the probability of left-out rows and is chosen again
                        whenever rows are learned or forgotten; or set it, ("back-off", s)
        sample_weight : weights of the rows; a row of weight 2 counts twice
        method        : None counts, and needs every cell. "em" and "gradient" take null cells, and
                        variables without a column if their states are given; see
                        `_learning/expected.py`, `_learning/gradient.py`

        The rest is for these methods, which climb to a local maximum:

        starts        : how many tables to start from, drawn at random; the best result is kept. Or
                        "tables", to start from the current tables of the network
        seed          : of the starts
        max_iter      : the most steps from each start
        tol           : stop when a step of EM gains no more than this share of the objective, or
                        when the gradient is this close to 0
        learning_rate : eta of "gradient", the same in every step, with smoothing=0; None for one
                        that fits each step. With max_iter=1 and starts="tables" each call of `fit`
                        is one step, w_ijk <- w_ijk + eta N_ijk / w_ijk, after which the nearest row
                        with a sum of 1 is taken ([Mitchell] section 6.11.5)

        Given states keep their order and their place in the tables even if they do not occur;
        others follow in sorted order. With smoothing=0, a table row whose parent states were never
        seen is uniform: nothing is known there.

        >>> days = {"Storm": [True, True, False, False], "Campfire": ["no", "no", "yes", "no"]}
        >>> net = BeliefNetwork(edges=[("Storm", "Campfire")]).fit(days, smoothing=1)
        >>> print(net.table("Campfire"))
        P(Campfire | Storm)
          Storm      no     yes
          False  0.5000  0.5000
          True   0.7500  0.2500
        """
        rule, account = checked_smoothing(smoothing), COUNTED
        if method is None and learning_rate is None:
            counts = counted_families(table, self._parents, self._given_states, sample_weight)
        else:
            from bayesic.networks._learning.expected import expected_from

            search = Search(method, starts, seed, max_iter, tol, learning_rate).checked(rule)
            pseudo = as_pseudo_counts(rule, f"method={method!r}")
            counts, account = expected_from(self, table, sample_weight, pseudo, search)
        return self._learn(counts, smoothing, account)

    @learning
    def partial_fit(
        self,
        table: TableLike,
        *,
        smoothing: NetworkSmoothing | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn more rows (incremental): the network is the same as from one `fit` on all rows.

        smoothing : None for that of the last call, 0 at first

        Tables given by hand are refused: they have shares but no number of rows, so nothing can be
        added to them. Tables of `fit` with a method are refused as well: the expectations for the
        gaps of the first rows would change with the new ones.
        """
        self._check_counted("partial_fit")
        is_first = not hasattr(self, "statistics_")
        if is_first and self._tables:
            raise ValueError(
                "partial_fit adds to counts, but the tables of this network were given without "
                "any. Use fit, which learns them from scratch, or start with a network that has "
                "only edges."
            )
        smoothing = self._smoothing(smoothing)
        counts = counted_families(table, self._parents, self._states, sample_weight)
        return self._learn(counts if is_first else self.statistics_ + counts, smoothing)

    @learning
    def forget(self, table: TableLike, *, sample_weight: ArrayLike | None = None) -> Self:
        """Remove rows (unlearning): the network is then the same as if it had never learned them.

        Rows that were never learned are refused where the counts show it.
        """
        self._check_learned()
        self._check_counted("forget")
        counts = counted_families(table, self._parents, self._states, sample_weight)
        return self._learn(self.statistics_ - counts, self.smoothing_)

    @learning
    def merge(self, other: "BeliefNetwork") -> Self:
        """Add all rows that another network of the same edges has learned."""
        self._check_learned()
        if not isinstance(other, BeliefNetwork):
            raise TypeError(
                f"Only a network can be merged into a network, got a {type(other).__name__}."
            )
        other = snapshot(other)
        other._check_learned()
        for network in (self, other):
            network._check_counted("merge")
        return self._learn(self.statistics_ + other.statistics_, self.smoothing_)

    def _learn(self, counts: FamilyCounts, smoothing: object, account: Account = COUNTED) -> Self:
        """Keep these counts, and the tables that follow from them."""
        rule = checked_smoothing(smoothing)
        states, tables = estimated_tables(counts, self._given_states, rule)
        # nothing was changed so far: what fails, fails above
        self._set_tables(states, tables)
        self.statistics_, self.smoothing_ = counts, smoothing
        self.method_, self.trace_, self.converged_ = account
        self.n_iter_ = len(account.trace)
        return self

    def _n_rows(self) -> float | None:
        """How many rows the tables were learned from, or their weight; None if from none."""
        if not hasattr(self, "statistics_") or not self._parents:
            return None
        return self.statistics_.tables()[next(iter(self._parents))].sum().item()

    def _smoothing(self, smoothing: NetworkSmoothing | None) -> NetworkSmoothing:
        chosen = getattr(self, "smoothing_", 0) if smoothing is None else smoothing
        checked_smoothing(chosen)
        return chosen

    def _check_learned(self) -> None:
        if not hasattr(self, "statistics_"):
            raise ValueError(
                "This network has not learned any rows. Call fit(table) first: tables given by "
                "hand have no counts."
            )

    def _check_counted(self, what: str) -> None:
        method = getattr(self, "method_", None)
        if method is not None:
            raise ValueError(
                f"{what} needs counts of what was observed, but this network has learned by "
                f"method={method!r}: its counts are expectations, and each depends on all rows. "
                f"Call fit again with all the rows you want to include."
            )

    # answers about one variable -----------------------------------------------------------------

    @answering
    def predict(self, table: TableLike, target: str) -> Array:
        """The most probable state of the target in each row; see `predict_proba`."""
        best = self.predict_proba(table, target).argmax(axis=1)
        return as_labels(self._named_model().states[target])[best]

    @answering
    def predict_proba(self, table: TableLike, target: str) -> Array:
        """P(target | all else that a row observes): (n_rows, states), as `states(target)`.

        Any cell may be null and columns may be absent: both count as missing. A column of the
        target is ignored. A row whose evidence is impossible gets P(target), with a warning.
        """
        return target_posteriors(self._named_model(), table, target)

    @answering
    def evaluate(self, table: TableLike, target: str) -> "Evaluation":
        """How well the network answers a target from all else that the rows observe.

        Rows that do not observe the target are left out. A row whose evidence is impossible gets
        P(target), with a warning. Pass rows that the network has not learned.

        >>> from bayesic.datasets.networks import asia
        >>> rows = {"xray": ["yes", "no", "no"], "either": ["yes", "yes", "no"]}
        >>> report = asia().evaluate(rows, "either")
        >>> report.accuracy, report.confusion.tolist()
        (0.6666666666666666, [[1, 1], [0, 1]])
        """
        return evaluated(self._named_model(), table, target)

    @answering
    def explain(
        self,
        table: TableLike,
        target: str,
        against: Label | None = None,
        answer: Label | None = None,
        top: int | None = None,
    ) -> Explanation | Reasons[Explanation]:
        """Why a row gets its answer: P(target) and what each observation adds, in log odds.

        table   : one row as a dict, which gives one Explanation; or a table, which gives a list
        against : the state to compare the answer with; None for all others
        answer  : the state to explain; None for the most probable one
        top     : how many observations to show, the strongest first; the others are added up

        Observations enter one by one, the Markov blanket of the target first. The weight of each is
        its change after those before it; see `networks/_learning/prediction.py`.
        """
        model, order = self._named_model(), self.topological_order()
        how = against, answer, top
        return explained(model, self._parents, order, table, target, *how)

    @answering
    def leave_one_out(
        self, table: TableLike, target: str, *, sample_weight: ArrayLike | None = None
    ) -> Array:
        """P(target | all else) of each learned row, as if that row had not been learned.

        Equal to learning all other rows, with the same states given, and predicting this one, for
        every row. A row that is impossible without itself gets P(target) of the network as it is,
        with a warning. Pass the weights that were learned.
        """
        self._check_learned()
        self._check_counted("leave_one_out")
        model, counts = self._named_model(), self.statistics_
        return left_out_posteriors(model, counts, self._rule(), table, target, sample_weight)

    def score(
        self, table: TableLike, score: StructureScore | Literal["log_likelihood"] = "bic"
    ) -> float:
        """How well the edges fit complete rows, whatever the tables say: a logarithm.

        score : "bic", "aic", "k2", "bdeu", ("bdeu", equivalent sample size), or "log_likelihood",
            that of the relative frequencies; see `_structure.family_scores.ScoreRule`

        >>> days = {"rain": ["yes", "no", "yes"], "wet": ["yes", "no", "no"]}
        >>> net = BeliefNetwork([("rain", "wet")])
        >>> round(1 / math.exp(net.score(days, "k2")), 9)  # P(D) = 1/12 * 1/2 * 1/6
        144.0
        """
        from bayesic.networks._structure.graph_comparison import structure_score

        return structure_score(self, table, score)

    @property
    def strength_(self) -> float:
        """s of the smoothing "back-off", given or chosen."""
        rule = self._rule() if hasattr(self, "statistics_") else None
        if not isinstance(rule, BackOff):
            raise AttributeError("strength_ is there after fit with smoothing='back-off'.")
        return rule.amount

    def _rule(self) -> TableSmoothing:
        """The smoothing of the tables, with its strength."""
        rule, states = checked_smoothing(self.smoothing_), self._named_model().states
        return with_strength(rule, self.statistics_, states)

    @answering
    def posterior_uncertainty(
        self, variable: str, level: float = 0.95, smoothing: NetworkSmoothing | None = None
    ) -> TableUncertainty:
        """How certain each entry of a learned table is: standard deviation and interval.

        level     : probability of the entry being in the interval
        smoothing : the prior, as in `fit`, above 0; None for that of the fit

        The entries have a Dirichlet distribution; see `networks/_learning/estimates.py`.
        """
        self._check_learned()
        self._check_counted("posterior_uncertainty")
        rule, table = checked_smoothing(self._smoothing(smoothing)), self.table(variable)
        counts = self.statistics_.tables(self._named_model().states)[variable]
        return table_uncertainty(table, counts, rule, level)

    # files --------------------------------------------------------------------------------------

    @answering
    def factors(self) -> Factors:
        """One factor for each variable, its number last in the scope: the tables as they are."""
        sizes = [len(self.states(name)) for name in self._parents]
        return factors_of(self._parents, sizes, [self.table(name).values for name in self._parents])

    @answering
    def write(self, path: PathLike) -> None:
        """Write the network to a file in the format of its extension; see docs/network-files.md."""
        from bayesic.networks.writing import write_network

        write_network(self, path)

    @answering
    def save(self, path: PathLike) -> None:
        """Write what was learned to a model file, which `bayesic.load(path)` reads.

        The file holds edges, states and counts, but no code. Use `write` for tables without counts,
        such as those given by hand.
        """
        from bayesic.networks._learning.model_file import save_network

        self._check_learned()
        save_network(self, path)

    @classmethod
    def _restored(cls, manifest: Mapping[str, object], arrays: Mapping[str, Array]) -> Self:
        """The network of a model file, its tables estimated again."""
        from bayesic.networks._learning.model_file import restored_network

        return restored_network(cls, manifest, arrays)

    # as a value and as text ---------------------------------------------------------------------

    @answering
    def __eq__(self, other: object) -> bool:
        """Whether variables, states, parents and tables are the same, numbers bit for bit."""
        if not isinstance(other, BeliefNetwork):
            return NotImplemented
        return (
            list(self._parents.items()) == list(other._parents.items())
            and _typed(self._states) == _typed(other._states)
            and self._tables == other._tables
        )

    def __hash__(self) -> int:
        return hash(tuple(self._parents.items()))

    def __repr__(self) -> str:
        return f"<{network_headline(self)}>"

    @answering
    def __str__(self) -> str:
        return network_text(self)

    @answering
    def _repr_html_(self) -> str:
        return network_html(self)


def _by_variable(name: str, given: Given) -> dict[str, object]:
    return {checked_variable(key): value for key, value in checked_mapping(name, given).items()}


def _typed(states: Mapping[str, States | None]) -> list:
    """The states with their types: True, 1 and 1.0 are equal, but not the same state."""
    return [(name, [(type(state), state) for state in its or ()]) for name, its in states.items()]
