"""Questions to a network: thin methods over the functions in `queries`."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from bayesic.data.snapshots import answering, snapshot
from bayesic.networks.distribution import Marginals
from bayesic.networks.queries.batches import log_probability, posteriors
from bayesic.networks.queries.events import probability_of
from bayesic.networks.queries.evidence import known
from bayesic.networks.queries.explanation import MostProbable, most_probable
from bayesic.networks.queries.information import Information, mutual_information
from bayesic.networks.queries.interventions import check_not_set, intervened, with_interventions
from bayesic.networks.queries.marginals import exact_answer
from bayesic.networks.queries.model import NamedModel

if TYPE_CHECKING:
    from bayesic.networks.network import BeliefNetwork

Array = np.ndarray
Given = Mapping[str, Any] | None

METHODS = ("exact", "likelihood-weighting", "gibbs", "forward")


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


class Answers(ExactAnswers):
    """What a belief network is asked: it can be intervened in and sampled from, too."""

    def query(
        self,
        target: str | Iterable[str] | None = None,
        given: Given = None,
        likelihoods: Given = None,
        do: Given = None,
        method: str = "exact",
        samples: int = 100_000,
        seed: int = 0,
    ) -> Any:
        """P(target | given, do): how probable the states of the target are.

        target      : a variable -> its Distribution; several -> their joint Distribution, keyed by
                      tuples of states; None -> Marginals, the Distribution of each variable
        given       : variable -> its observed state; None or NaN: not observed
        likelihoods : soft evidence, variable -> P(what was seen | state), a mapping or numbers
        do          : variable -> the state it is set to from outside, whatever its parents say
        method      : "exact", or "likelihood-weighting", "gibbs", "forward": from so many samples,
                      with `standard_error` and `effective_samples`

        Evidence that cannot happen raises ImpossibleEvidence, which names it.

        >>> from bayesic.datasets.networks import asia
        >>> print(asia().query("lung", given={"xray": "yes"}, likelihoods={"smoke": [0.9, 0.2]}))
        P(lung | xray=yes, likelihoods of smoke)
          yes  0.5998  ############
          no   0.4002  ########
        """
        if not isinstance(method, str) or method not in METHODS:
            raise ValueError(f"method is one of {', '.join(METHODS)}; got {method!r}.")
        if do is not None and (not isinstance(do, Mapping) or do):
            cut = self.do(do)
            check_not_set(do, given, likelihoods)
            answer = cut.query(target, given, likelihoods, None, method, samples, seed)
            return with_interventions(answer, cut, do)
        if method == "exact":
            return exact_answer(self._named_model(), target, given, likelihoods)
        from bayesic.networks.sampling.estimate import sampled_posterior

        net = cast("BeliefNetwork", snapshot(self))
        answer = sampled_posterior(net, target, given, likelihoods, method, samples, seed)
        return Marginals(answer) if target is None else answer

    @answering
    def do(self, values: Mapping[str, Any]) -> "BeliefNetwork":
        """The network after setting these variables from outside; see `intervened`."""
        return intervened(cast("BeliefNetwork", self), values)

    @answering
    def sample(
        self, n: int, seed: int = 0, given: Given = None, likelihoods: Given = None
    ) -> dict[str, Array]:
        """n rows drawn from the network, as columns that pandas and polars take directly.

        With evidence they are drawn from the posterior; see `forward_samples`.
        """
        from bayesic.networks.sampling.forward import forward_samples

        return forward_samples(cast("BeliefNetwork", self), n, seed, given, likelihoods)
