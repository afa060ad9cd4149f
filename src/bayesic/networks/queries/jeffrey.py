"""Jeffrey's rule: the belief in some variables becomes the one that is given."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from bayesic.data.arguments import as_numbers
from bayesic.kernels import Array
from bayesic.networks.distribution import Distribution, Marginals
from bayesic.networks.queries._model import NamedModel
from bayesic.networks.queries._posteriors import exact_answer, joint
from bayesic.networks.queries.checked_evidence import (
    CheckedEvidence,
    checked_evidence,
    checked_mapping,
    numbers_by_state,
)
from bayesic.networks.queries.impossible import ImpossibleEvidence
from bayesic.networks.variable_names import Given, NetworkError

MOST_ROUNDS = 1000
CLOSE = 1e-12  # how far a belief may be from what it becomes
SUM = 1e-6  # how far from 1 the numbers may sum to


def answer_after_jeffrey(
    model: NamedModel,
    target: str | Iterable[str] | None,
    given: Given,
    likelihoods: Given,
    distributions: Mapping[str, object],
    method: str,
) -> Distribution | Marginals:
    """The exact answer after the belief in some variables has become what is given."""
    if method != "exact":
        raise ValueError(f"distributions need method='exact', got {method!r}.")
    fitted = likelihoods_to_become(model, distributions, given, likelihoods)
    answer = exact_answer(model, target, given, {**(likelihoods or {}), **fitted})
    if isinstance(answer, Marginals):
        answer.log_evidence = None  # a belief that becomes something has no probability
    return answer


def likelihoods_to_become(
    model: NamedModel,
    distributions: Mapping[str, object],
    given: Given = None,
    likelihoods: Given = None,
) -> dict[str, Array]:
    """Likelihoods under which the posterior of each of these variables is the one that is given.

        P'(x) = P(x) product over v of target_v(x_v) / P(x_v)

    is Jeffrey's rule [Jeffrey] for one variable. For several, each in turn is put right until all
    are: iterative proportional fitting [Deming], which changes P by as little as can be, in bits.

    distributions : variable -> the probabilities of its states, a mapping or numbers in their order

    >>> from bayesic.datasets.networks import asia
    >>> likelihoods_to_become(asia()._named_model(), {"smoke": [0.2, 0.8]})
    {'smoke': array([0.25, 1.  ])}
    """
    evidence = checked_evidence(model, given, likelihoods)
    targets = {}
    for name, distribution in checked_mapping("distributions", distributions).items():
        number = model.number(name)
        if number in evidence.states or number in evidence.likelihoods:
            raise NetworkError(
                f"{name} is in distributions, and also in given or likelihoods. Use only one of "
                "them.",
                name,
            )
        targets[number] = _checked_distribution(name, model, distribution)
    for number, target in targets.items():
        _check_possible(model, number, target, joint(model, [number], evidence))
    return _fitted(model, evidence, targets)


def _fitted(
    model: NamedModel, evidence: CheckedEvidence, targets: Mapping[int, Array]
) -> dict[str, Array]:
    """Likelihoods by iterative proportional fitting; the largest of each variable is 1."""
    names = [model.variables[number] for number in targets]
    fitted = {number: np.ones(len(target)) for number, target in targets.items()}
    for _ in range(MOST_ROUNDS):
        distance = 0.0
        for number, target in targets.items():
            soft = {**evidence.likelihoods, **fitted}
            now = joint(model, [number], CheckedEvidence(evidence.states, soft))
            distance = max(distance, float(np.abs(now - target).max()))
            fitted[number] = _put_right(fitted[number], target, now)
            if not np.array_equal(fitted[number] > 0, target > 0):
                raise _apart(names, distance)  # a likelihood that runs away to 0
        if distance <= CLOSE:
            return dict(zip(names, fitted.values(), strict=True))
    raise _apart(names, distance)


def _apart(names: Sequence[str], distance: float) -> ImpossibleEvidence:
    return ImpossibleEvidence(
        f"The beliefs in {', '.join(names)} cannot become this at the same time: one of them was "
        f"still {distance:.2g} away when the others were right. Give the distribution of fewer "
        "variables, or distributions that agree.",
        {},
        names,
    )


def _put_right(likelihood: Array, target: Array, now: Array) -> Array:
    """The likelihood under which a belief that is now this becomes the target.

    >>> _put_right(np.array([1.0, 0.5]), np.array([0.5, 0.5]), np.array([0.8, 0.2]))
    array([0.5, 1. ])
    """
    ratio = np.divide(target, now, out=np.zeros_like(target), where=(target > 0) & (now > 0))
    wanted = likelihood * ratio
    return wanted / wanted.max() if wanted.any() else wanted


def _checked_distribution(name: str, model: NamedModel, distribution: object) -> Array:
    given = numbers_by_state(name, model, distribution, "The distribution")
    values = as_numbers(given, f"The distribution of {name}")
    n_states = len(model.states[name])
    is_right = values.shape == (n_states,) and values.min() >= 0
    if not is_right or not abs(values.sum() - 1) <= SUM:  # this way round a NaN does not pass
        raise NetworkError(
            f"The distribution of {name} is {n_states} numbers of 0 or more that sum to 1, one for "
            f"each of its states; got {given!r:.100}.",
            name,
        )
    return values / values.sum()


def _check_possible(model: NamedModel, number: int, target: Array, now: Array) -> None:
    """Refuse to give a probability to a state that the evidence rules out."""
    wrong = np.flatnonzero((target > 0) & (now <= 0))
    if len(wrong):
        name = model.variables[number]
        state = model.states[name][wrong[0]]
        raise ImpossibleEvidence(
            f"{name}={state} cannot happen given what is known, so its probability cannot become "
            f"{target[wrong[0]]:.4g}. Give it 0, or check what was observed.",
            {},
            [name],
        )
