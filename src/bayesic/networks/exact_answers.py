"""Questions to any model with named variables: thin methods over the functions in `queries`."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from bayesic.networks.queries.batches import log_probability, posteriors
from bayesic.networks.queries.event_probability import probability_of
from bayesic.networks.queries.evidence import known
from bayesic.networks.queries.marginals import exact_answer
from bayesic.networks.queries.model import NamedModel
from bayesic.networks.queries.most_probable import MostProbable, most_probable
from bayesic.networks.queries.mutual_information import Information, mutual_information

Array = np.ndarray
Given = Mapping[str, Any] | None


class ExactAnswers(ABC):
    """What any model with named variables is asked, belief network or product of factors.

    A model has `_named_model()`: its factors and their names, made once.
    """

    @abstractmethod
    def _named_model(self) -> NamedModel:
        """The factors and their names."""

    def query(
        self,
        target: str | Iterable[str] | None = None,
        given: Given = None,
        likelihoods: Given = None,
    ) -> Any:
        """P(target | given): exact, from the junction tree.

        target      : a variable -> its Distribution; several -> their joint Distribution, keyed by
                      tuples of states; None -> Marginals, the Distribution of each variable
        given       : variable -> its observed state; None or NaN: not observed
        likelihoods : soft evidence, variable -> P(what was seen | state): {"yes": 0.9, "no": 0.2},
                      or numbers in the order of the states

        Evidence that cannot happen raises ImpossibleEvidence, which names it.
        """
        return exact_answer(self._named_model(), target, given, likelihoods)

    def posteriors(
        self, table: Any, targets: str | Iterable[str] | None = None
    ) -> dict[str, Array]:
        """P(target | what the row observed) for each row: target -> array (n_rows, states).

        table   : any dataframe, dict of columns, list of dicts; see `state_codes`. Any cell may be
                  null, and columns may be missing: not observed. Columns that are no variables are
                  ignored
        targets : variables; None means all. Where a row observes a target, its state has the 1

        Equal rows are computed once. Rows with evidence that cannot happen are rows of zeros, with
        a warning that counts them.
        """
        return posteriors(self._named_model(), table, targets)

    def log_probability(self, table: Any) -> Array:
        """log P(what the row observed) for each row; -inf where that cannot happen.

        Cells may be null, and columns missing: they are summed over.
        """
        return log_probability(self._named_model(), table)

    def most_probable(self, given: Given = None) -> MostProbable:
        """The most probable states of all variables together: variable -> state.

        Its `probability` is P(these states | given). (The most probable states of the variables
        one by one are `query(...)[variable].max()`, and need not go together.)
        """
        model = self._named_model()
        return most_probable(model, known(model, given))

    def probability_of(self, event: Mapping[str, Any], given: Given = None) -> float:
        """P(event | given), where an event maps variables to a state or a collection of states."""
        model = self._named_model()
        return probability_of(model, event, known(model, given))

    def mutual_information(self, target: str, given: Given = None) -> Information:
        """What to ask next: variable -> bits it is expected to tell about the target, most first.

        Variables that are given are left out.
        """
        model = self._named_model()
        return mutual_information(model, model.number(target), known(model, given))
