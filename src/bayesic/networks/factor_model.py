"""Models with named variables: what all are asked, and products of factors, which are no more.

Products whose factors need not be probabilities are what UAI files of type MARKOV hold.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import overload

from bayesic.data.arguments import check_whole_number
from bayesic.data.calls import in_words
from bayesic.data.states import States
from bayesic.data.typing import TableLike
from bayesic.files.whole_files import PathLike
from bayesic.kernels import Array
from bayesic.networks._engine.exact_inference import log_partition
from bayesic.networks.codes import observed_codes
from bayesic.networks.distribution import Distribution, Marginals
from bayesic.networks.factors import Factors
from bayesic.networks.queries._conflict import conflict
from bayesic.networks.queries._inference_cost import InferenceCost, cost
from bayesic.networks.queries._model import NamedModel
from bayesic.networks.queries._most_probable import MostProbable, most_probable
from bayesic.networks.queries._mutual_information import Information, mutual_information
from bayesic.networks.queries._posteriors import (
    exact_answer,
    log_probability,
    posteriors,
    probability_of,
)
from bayesic.networks.queries._relevant import relevant_part
from bayesic.networks.queries.checked_evidence import checked_evidence
from bayesic.networks.queries.surprise import Surprise, surprise
from bayesic.networks.variable_names import Given, NetworkError, checked_states, checked_variable


class ExactAnswers(ABC):
    """What any model with named variables is asked, belief network or product of factors.

    A model has `_named_model()`: its factors and their names, made once.
    """

    @abstractmethod
    def _named_model(self) -> NamedModel:
        """The factors and their names."""

    @in_words
    def posteriors(
        self, table: TableLike, targets: str | Iterable[str] | None = None
    ) -> dict[str, Array]:
        """P(target | what the row observed) for each row: target -> array (n_rows, states).

        table   : any dataframe, dict of columns, list of dicts; see `state_codes`. Any cell may be
                  null and columns may be absent: both count as missing. Columns that are not
                  variables are ignored
        targets : variables; None means all. If a row observes a target, that state gets 1

        Equal rows are computed once. Rows with evidence that cannot happen are rows of zeros, with
        a warning that counts them.
        """
        return posteriors(self._named_model(), table, targets)

    @in_words
    def log_probability(self, table: TableLike) -> Array:
        """log P(what the row observed) for each row; -inf where that cannot happen.

        Cells may be null, and columns missing: they are summed over.
        """
        return log_probability(self._named_model(), table)

    @in_words
    def surprise(self, table: TableLike, n: int = 100) -> Surprise:
        """The n rows of a table that the model finds least probable, and the mean over all.

        table : as for `log_probability`, or the path of a CSV or Parquet file

        >>> from bayesic.datasets.networks import asia
        >>> rows = {"smoke": ["yes", "no"], "lung": ["yes", "yes"]}  # 0.5 * 0.1 and 0.5 * 0.01
        >>> found = asia().surprise(rows, n=1)
        >>> found.rows[0].row, round(found.rows[0].log_probability, 4)
        (1, -5.2983)
        """
        check_whole_number("n", n, 1)
        model = self._named_model()
        return surprise(model, observed_codes(model.states, table), n)

    @in_words
    def most_probable(self, given: Given = None, likelihoods: Given = None) -> MostProbable:
        """The most probable states of all variables together: variable -> state.

        Its `probability` is P(these states | given, likelihoods), with likelihoods as in `query`.
        (The most probable state of each variable separately is `query(...)[variable].max()`; these
        need not be compatible.)

        """
        model = self._named_model()
        observed = checked_evidence(model, given, likelihoods)
        return most_probable(model, observed)

    @in_words
    def probability_of(
        self, event: Mapping[str, object], given: Given = None, likelihoods: Given = None
    ) -> float:
        """P(event | given), where an event maps variables to a state or a collection of states."""
        model = self._named_model()
        return probability_of(model, event, checked_evidence(model, given, likelihoods))

    @in_words
    def mutual_information(
        self,
        target: str,
        given: Given = None,
        likelihoods: Given = None,
    ) -> Information:
        """What to ask next: variable -> expected bits about the target, most first.

        Variables that are given are left out; those with likelihoods are not.

        """
        model = self._named_model()
        observed = checked_evidence(model, given, likelihoods)
        number = model.number(target)
        return mutual_information(model, number, observed)

    @in_words
    def conflict(self, given: Given = None, likelihoods: Given = None) -> float:
        """By how many bits findings conflict: log2 of P(e1) P(e2) ... / P(e1, e2, ...).

        Above 0 they contradict each other; see `queries/conflict.py`.
        """
        model = self._named_model()
        return conflict(model, checked_evidence(model, given, likelihoods))

    @in_words
    def cost(self, given: Given = None) -> InferenceCost:
        """How much work the exact posteriors of all variables are, without computing them.

        given : variable -> its observed state, which can make it less

        `cells` counts the cells of all tables of the junction tree, `seconds` is roughly how long
        they take. If `fits` is False they do not fit in memory: sample, or observe more.
        """
        model = self._named_model()
        return cost(model, checked_evidence(model, given))


class FactorModel(ExactAnswers):
    """A distribution proportional to a product of tables: a Markov network.

        P(x) = 1/Z product over factors f of table_f[x restricted to scope_f]     [KF] chapter 4

    factors : scopes by number, and a table for each
    states  : variable -> its states; variables are numbered in this order

    It is queried like a belief network: `query`, `posteriors`, `log_probability`, `most_probable`,
    `probability_of`, `mutual_information`. There are no edges to cut, so nothing can be set from
    outside.

    >>> from bayesic.networks.factors import Factors
    >>> friends = Factors((2, 2), ((0, 1),), ([[3.0, 1.0], [1.0, 3.0]],))
    >>> model = FactorModel(friends, {"Ann": ["yes", "no"], "Bob": ["yes", "no"]})
    >>> model
    <FactorModel: 2 variables, 1 factors>
    >>> model.query("Ann", given={"Bob": "yes"})
    Distribution(Ann={'yes': 0.75, 'no': 0.25})
    >>> round(model.log_partition(), 4)  # log(3 + 1 + 1 + 3)
    2.0794
    """

    def __init__(self, factors: Factors, states: Mapping[str, Iterable[object]]) -> None:
        if not isinstance(factors, Factors) or not isinstance(states, Mapping):
            raise TypeError(
                "A FactorModel is made of Factors and a mapping from variables to their states, "
                f"got {type(factors).__name__} and {type(states).__name__}."
            )
        self._states = {
            checked_variable(name): checked_states(name, its) for name, its in states.items()
        }
        self._factors = factors
        if tuple(map(len, self._states.values())) != factors.cardinalities:
            raise NetworkError(
                f"states must name the {factors.cardinalities} states of the variables of the "
                f"factors, got {tuple(map(len, self._states.values()))}."
            )
        self._compiled: NamedModel | None = None

    @overload
    def query(
        self,
        target: None = None,
        given: Given = None,
        likelihoods: Given = None,
    ) -> Marginals: ...

    @overload
    def query(
        self,
        target: str | Iterable[str],
        given: Given = None,
        likelihoods: Given = None,
    ) -> Distribution: ...

    def query(
        self,
        target: str | Iterable[str] | None = None,
        given: Given = None,
        likelihoods: Given = None,
    ) -> Distribution | Marginals:
        """P(target | given): exact, from the junction tree.

        target      : a variable -> its Distribution; several -> their joint Distribution, keyed by
                      tuples of states; None -> Marginals, the Distribution of each variable
        given       : variable -> its observed state; None or NaN: not observed
        likelihoods : soft evidence, variable -> P(what was seen | state): {"yes": 0.9, "no": 0.2},
                      or numbers in the order of the states

        Evidence that cannot happen raises ImpossibleEvidence, which names it.
        """
        return exact_answer(self._named_model(), target, given, likelihoods)

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of all variables."""
        return tuple(self._states)

    def states(self, variable: str) -> States:
        """The states of a variable, in their order."""
        return self._states[self.variables[self._named_model().number(variable)]]

    def factors(self) -> Factors:
        """The factors, by numbers of variables and states."""
        return self._factors

    def log_partition(self, given: Given = None) -> float:
        """log Z: the log of the sum of the product of all factors over all states.

        given : variable -> its observed state; the sum is then over the states that agree with it
        """
        model = self._named_model()
        observed = checked_evidence(model, given)
        if not observed.states:
            return model.log_partition
        part = relevant_part(model, (), observed, among=range(len(self._factors.scopes)))
        return log_partition(part.tree())

    def write(self, path: PathLike) -> None:
        """Write the factors to a .uai file; names are lost."""
        from bayesic.networks.writing import write_network

        write_network(self._factors, path)

    def _named_model(self) -> NamedModel:
        if self._compiled is None:
            self._compiled = NamedModel(self._states, self._factors, directed=False)
        return self._compiled

    def __getstate__(self) -> dict[str, object]:
        return {**vars(self), "_compiled": None}

    def __repr__(self) -> str:
        n_factors = len(self._factors.scopes)
        return f"<FactorModel: {len(self._states)} variables, {n_factors} factors>"
