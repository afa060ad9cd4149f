"""Probability distributions: of one variable, of several jointly, of each of many, or sampled."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Any

import numpy as np

from bayesic.data.languages import said
from bayesic.data.states import State, States
from bayesic.kernels import Array
from bayesic.networks.network_text import (
    MOST_ROWS,
    aligned,
    conditions_text,
    counted,
    distribution_html,
    distribution_text,
    marginals_html,
    marginals_text,
    probability_text,
    state_lines,
    state_text,
    states_and_shares,
)
from bayesic.networks.variable_names import number_of_state
from bayesic.statistics.additive import Immutable


@dataclass(frozen=True, eq=False, repr=False)
class Distribution(Immutable, Mapping):
    """P(variables | given), read like a mapping from states to probabilities.

    The keys are states. For several variables they are tuples, in the order of the variables.
    States keep their order. Two distributions are equal if they map the same states to the same
    numbers.

    >>> fire = Distribution(("Campfire",), (("yes", "no"),), np.array([0.4, 0.6]))
    >>> fire["yes"], fire.max(), fire
    (0.4, 'no', Distribution(Campfire={'yes': 0.4, 'no': 0.6}))
    >>> print(fire)
    P(Campfire)
      yes  0.4000  ########
      no   0.6000  ############
    """

    variables: tuple[str, ...]
    states: tuple[States, ...]  # of each variable
    probabilities: Array  # (states of the first, states of the second, ...)
    given: Mapping[str, State] = field(default_factory=dict)  # what was observed
    do: Mapping[str, State] = field(default_factory=dict)  # what was set from outside
    soft: tuple[str, ...] = ()  # variables of which likelihoods were given

    def __getitem__(self, key: object) -> float:
        names = (key,) if len(self.variables) == 1 else key
        if not isinstance(names, tuple) or len(names) != len(self.variables):
            raise KeyError(f"Give a state of each of {', '.join(self.variables)}, got {key!r}.")
        try:
            index = tuple(map(number_of_state, names, self.states, self.variables))
        except ValueError as error:  # a mapping says KeyError, which `in` and `get` rely on
            raise KeyError(str(error)) from None
        return float(self.probabilities[index])

    def __iter__(self) -> Iterator[Any]:
        return iter(self.states[0]) if len(self.states) == 1 else product(*self.states)

    def __len__(self) -> int:
        return self.probabilities.size

    def max(self) -> Any:
        """The most probable state, or tuple of states; the first of equal ones."""
        index = np.unravel_index(self.probabilities.argmax(), self.probabilities.shape)
        names = tuple(
            states[int(number)] for states, number in zip(self.states, index, strict=True)
        )
        return names[0] if len(names) == 1 else names

    def to_dict(self) -> dict[Any, float]:
        """State, or tuple of states -> probability."""
        return dict(zip(self, self.probabilities.ravel().tolist(), strict=True))

    def headline(self) -> str:
        """What it is the distribution of, as P(Campfire | Storm=True)."""
        names = ", ".join(self.variables)
        conditions = conditions_text(self.given, self.do, self.soft)
        return f"P({names} | {conditions})" if conditions else f"P({names})"

    def __repr__(self) -> str:
        return f"Distribution({', '.join(self.variables)}={self.to_dict()})"

    def __str__(self) -> str:
        return distribution_text(self)

    def _repr_html_(self) -> str:
        return distribution_html(self)


@dataclass(frozen=True, eq=False, repr=False)
class SampledDistribution(Distribution):
    """A `Distribution` that knows its standard errors.

    `standard_error` has the same keys. About 95 % of the estimates are within two of them. Where
    they are small beside 1 / effective_samples, trust them less: a state that never came up has
    the standard error 0, yet its probability may be up to 3 / effective_samples.

    `effective_samples` says how many independent samples of the posterior would be as good.

    >>> fire = SampledDistribution(
    ...     ("Campfire",), (("yes", "no"),), np.array([0.4, 0.6]),
    ...     errors=np.array([0.049, 0.049]), effective_samples=100.0, samples=250,
    ... )
    >>> fire["yes"], fire.standard_error["yes"]
    (0.4, 0.049)
    >>> print(fire)
    P(Campfire)
      yes  0.4000  ########
      no   0.6000  ############
    from 250 samples, worth 100; standard errors
      yes  0.0490
      no   0.0490
    """

    errors: Array = field(kw_only=True)  # standard error of each probability
    effective_samples: float = field(kw_only=True)
    samples: int = field(kw_only=True)

    @property
    def standard_error(self) -> dict[Any, float]:
        """State, or tuple of states -> standard error of its probability."""
        return dict(zip(self, self.errors.ravel().tolist(), strict=True))

    def __str__(self) -> str:
        shown = islice(self.standard_error.items(), MOST_ROWS)
        lines = aligned([(state_text(key), probability_text(error)) for key, error in shown], (1,))
        worth = said("{worth}; standard errors", worth=self._worth())
        return "\n".join([distribution_text(self), worth, *lines])

    def _repr_html_(self) -> str:
        largest = probability_text(float(self.errors.max()))
        largest_error = "{worth}; largest standard error {error}"
        note = said(largest_error, worth=self._worth(), error=largest)
        return f"{distribution_html(self)}<div>{note}</div>"

    def _worth(self) -> str:
        numbers = {"samples": f"{self.samples:,}", "effective": f"{self.effective_samples:,.0f}"}
        return said("from {samples} samples, worth {effective}", **numbers)


class Marginals(Mapping[str, Distribution]):
    """Variable -> its distribution, of all variables under the same conditions.

    shares : variable -> its distribution, or the probabilities of its states. The latter become a
        distribution when they are asked for: making all of them would take a good part of the time
        of a small question
    states, given, soft : of the distributions to be made
    log_evidence : log P(given, and what the likelihoods are of), of exact answers of a network
        that has all tables; else None

    >>> print(Marginals({"Storm": np.array([0.25, 0.75])}, {"Storm": (True, False)}))
    Marginals of 1 variable
      Storm  True 0.2500, False 0.7500
    """

    def __init__(
        self,
        shares: Mapping[str, Distribution | Array],
        states: Mapping[str, States] | None = None,
        given: Mapping[str, State] | None = None,
        soft: tuple[str, ...] = (),
        log_evidence: float | None = None,
    ) -> None:
        self.log_evidence = log_evidence
        self._shares = dict(shares)
        self._states = states or {}
        self._given = given or {}
        self._soft = soft

    def __getitem__(self, variable: str) -> Distribution:
        share = self._shares[variable]
        if isinstance(share, np.ndarray):
            share.flags.writeable = False
            made = object.__new__(Distribution)  # at half the time of its constructor
            made.__dict__.update(
                variables=(variable,), states=(self._states[variable],), probabilities=share,
                given=self._given, do={}, soft=self._soft,
            )  # fmt: skip
            self._shares[variable] = share = made
        return share

    def __iter__(self) -> Iterator[str]:
        return iter(self._shares)

    def __len__(self) -> int:
        return len(self._shares)

    def __repr__(self) -> str:
        return f"Marginals({', '.join(map(repr, self.values()))})"

    def __str__(self) -> str:
        return marginals_text(self)

    def _repr_html_(self) -> str:
        return marginals_html(self)


# answers in full, as lines for reading --------------------------------------------------------


def answer_lines(answer: Distribution | Marginals) -> list[str]:
    """All of an answer: one distribution with bars, or one line for each variable."""
    if isinstance(answer, Marginals):
        return _marginal_lines(answer)
    lines = state_lines(answer, errors=_standard_errors(answer))
    return [answer.headline(), *lines, *_worth([answer])]


def _marginal_lines(marginals: Marginals) -> list[str]:
    """A line for each variable: its states with their probabilities, and the largest error."""
    rows = []
    for name, its in marginals.items():
        errors = _standard_errors(its).values()
        error = [f"± {probability_text(max(errors))}"] if errors else []
        rows.append([name, states_and_shares(its), *error])
    first = next(iter(marginals.values()))
    conditions = conditions_text(first.given, first.do, first.soft)
    size = counted(len(marginals), "variable")
    headline = f"{size} given {conditions}" if conditions else size
    return [headline, *aligned(rows), *_worth(list(marginals.values()))]


def _standard_errors(distribution: Distribution) -> Mapping[Any, float]:
    """State, or tuple of states -> standard error; nothing if the answer is exact."""
    if isinstance(distribution, SampledDistribution):
        return distribution.standard_error
    return {}


def _worth(distributions: list[Distribution]) -> list[str]:
    """How good the samples are, as a line; nothing if the answer is exact."""
    sampled = [each for each in distributions if isinstance(each, SampledDistribution)]
    if not sampled:
        return []
    fewest = min(each.effective_samples for each in sampled)
    return [f"from {sampled[0].samples:,} samples, worth {fewest:,.0f}; ± standard error"]


# answers in full, as JSON ---------------------------------------------------------------------


def answer_json(answer: Distribution | Marginals, method: str) -> dict[str, object]:
    """The question and its answer: `marginals` by variable and state, or `joint` as a list."""
    distributions = list(answer.values()) if isinstance(answer, Marginals) else [answer]
    first = distributions[0]
    conditions = {
        "given": dict(first.given),
        "do": dict(first.do),
        "likelihoods": list(first.soft),
        "method": method,
    }
    if len(first.variables) > 1:
        return conditions | _joint_json(first)
    marginals = {each.variables[0]: each for each in distributions}
    found: dict[str, object] = {"marginals": {n: each.to_dict() for n, each in marginals.items()}}
    if isinstance(first, SampledDistribution):
        found |= {"samples": first.samples}
        found["standard_errors"] = {n: dict(_standard_errors(d)) for n, d in marginals.items()}
        found["effective_samples"] = {
            name: each.effective_samples
            for name, each in marginals.items()
            if isinstance(each, SampledDistribution)
        }
    return conditions | found


def _joint_json(distribution: Distribution) -> dict[str, object]:
    """The combinations of states of several variables, each with its probability."""
    errors = _standard_errors(distribution)
    rows = []
    for key, share in distribution.items():
        row = {"states": dict(zip(distribution.variables, key, strict=True)), "probability": share}
        rows.append(row | ({"standard_error": errors[key]} if errors else {}))
    answer: dict[str, object] = {"joint": rows}
    if isinstance(distribution, SampledDistribution):
        answer |= {
            "samples": distribution.samples,
            "effective_samples": distribution.effective_samples,
        }
    return answer
