"""Posteriors: for one question, of an event, and for many rows at once."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import exp
from typing import Any

import numpy as np

from bayesic.data.arguments import tell
from bayesic.data.typing import TableLike
from bayesic.kernels import Array
from bayesic.kernels.trees import RowEvidence
from bayesic.networks._engine import exact_inference
from bayesic.networks._engine.tree import Scopes
from bayesic.networks.codes import state_codes
from bayesic.networks.distribution import Distribution, Marginals
from bayesic.networks.queries._model import NamedModel
from bayesic.networks.queries._relevant import relevant_part
from bayesic.networks.queries.checked_evidence import CheckedEvidence, checked_evidence
from bayesic.networks.queries.impossible import impossible
from bayesic.networks.variable_names import Given, NetworkError, names_in, number_of_state

# one question: of one variable, of several jointly, of each -----------------------------------


def exact_answer(
    model: NamedModel,
    target: str | Iterable[str] | None,
    given: Given,
    likelihoods: Given,
) -> Distribution | Marginals:
    """P(target | given) by names: of one variable, of several jointly, of each for None."""
    evidence = checked_evidence(model, given, likelihoods)
    names, soft = evidence.named(model), evidence.soft(model)
    if target is None:
        shares, log_evidence = _all_marginals(model, evidence)
        marginals = dict(zip(model.variables, shares, strict=True))
        return Marginals(marginals, model.states, names, soft, log_evidence)
    numbers = [model.number(name) for name in names_in(target)]
    targets = tuple(model.variables[number] for number in numbers)
    if not numbers or len(set(numbers)) < len(numbers):
        raise ValueError(
            f"Ask about one or more different variables, got {list(targets)}. "
            "Leave the target out for the distribution of each variable."
        )
    states = tuple(model.states[name] for name in targets)
    return Distribution(targets, states, joint(model, numbers, evidence), names, {}, soft)


def joint(model: NamedModel, targets: Sequence[int], evidence: CheckedEvidence) -> Array:
    """P(targets | evidence), one axis for each target.

    >>> from bayesic.datasets.networks import asia
    >>> model = asia()._named_model()
    >>> joint(model, [model.number("lung")], CheckedEvidence({model.number("smoke"): 0}))
    array([0.1, 0.9])
    """
    if model.is_quick and len(targets) == 1 and not evidence.is_wide:
        row = evidence.row(len(model.states))
        (answers,), log_evidence = exact_inference.posteriors(model.tree, row, targets)
    else:
        part = relevant_part(model, targets, evidence)
        tree = part.tree(together=True)
        answers, log_evidence = exact_inference.joint_posterior(tree, part.row(), part.targets)
    if log_evidence[0] == -np.inf:
        raise impossible(model, evidence)
    return answers[0]


def _all_marginals(
    model: NamedModel, evidence: CheckedEvidence
) -> tuple[list[Array], float | None]:
    """P(v | evidence) of each variable v, and log P(evidence) of a whole network."""
    if model.is_quick and not evidence.is_wide:
        row = evidence.row(len(model.states))
        answers, log_evidence = exact_inference.posteriors(model.tree, row)
        marginals = [answer[0] for answer in answers]
    else:
        marginals, log_evidence = _with_observed_held(model, evidence)
    if log_evidence[0] == -np.inf:
        raise impossible(model, evidence)
    return marginals, float(log_evidence[0]) if model.has_all_tables else None


def _with_observed_held(model: NamedModel, evidence: CheckedEvidence) -> tuple[list[Array], Array]:
    """The same from a tree for this evidence alone, which can be far narrower."""
    free = [v for v in range(len(model.states)) if v not in evidence.states]
    # all factors of a whole network: what is observed altogether counts in P(evidence)
    among = range(len(model.factors.scopes)) if model.has_all_tables else None
    part = relevant_part(model, free, evidence, among)
    answers, log_evidence = exact_inference.posteriors(part.tree(), part.row(), part.targets)
    marginals = [
        np.eye(size)[evidence.states.get(v, 0)]
        for v, size in enumerate(model.factors.cardinalities)
    ]
    for variable, answer in zip(free, answers, strict=True):
        marginals[variable] = answer[0]
    return marginals, log_evidence


# an event: each of some variables is in one of some states ------------------------------------


def probability_of(
    model: NamedModel, event: Mapping[str, object], evidence: CheckedEvidence
) -> float:
    """P(event | given) = P(event, given) / P(given).

    event : variable -> its state, or a collection of states of which it has one
    """
    if not isinstance(event, Mapping):
        raise TypeError(
            f"An event is a mapping from variables, got {type(event).__name__}. "
            "Write {'Storm': True, 'Level': ['low', 'high']}."
        )
    inside = {model.number(name): _indicator(model, name, states) for name, states in event.items()}
    factors = relevant_part(model, tuple(inside), evidence).owners
    log_given = _log_sum(model, evidence, factors)
    if log_given == -np.inf:
        raise impossible(model, evidence)
    return min(1.0, exp(_log_sum(model, _with_event(evidence, inside), factors) - log_given))


def _log_sum(model: NamedModel, evidence: CheckedEvidence, factors: Sequence[int]) -> float:
    """The log of the sum of the product of these factors over all states that agree."""
    part = relevant_part(model, (), evidence, among=frozenset(factors))
    return float(exact_inference.posteriors(part.tree(), part.row(), ())[1][0])


def _with_event(evidence: CheckedEvidence, inside: Mapping[int, Array]) -> CheckedEvidence:
    """The evidence and the event: a variable with one state of the event counts as observed.

    To observe it cuts the model, and so makes it smaller.
    """
    states, likelihoods = dict(evidence.states), dict(evidence.likelihoods)
    for variable, indicator in inside.items():
        if variable in states or indicator.sum() != 1:
            likelihoods[variable] = likelihoods.get(variable, 1.0) * indicator
        else:
            states[variable] = int(indicator.argmax())
    return CheckedEvidence(states, likelihoods)


def _indicator(model: NamedModel, variable: str, states: Any) -> Array:
    """1 for the states of the event, 0 for the others."""
    if isinstance(states, Mapping):
        raise NetworkError(
            f"An event names states of {variable}, got {dict(states)}. Write "
            f"{{{variable!r}: {[*states]}}} for one of these.",
            variable,
        )
    is_list = isinstance(states, Collection) and not isinstance(states, str)
    indicator = np.zeros(len(model.states[variable]))
    for state in states if is_list else [states]:
        indicator[number_of_state(state, model.states[variable], variable)] = 1.0
    return indicator


# many rows: tables in which any cell may be null ----------------------------------------------


def posteriors(
    model: NamedModel, table: TableLike, targets: str | Iterable[str] | None = None
) -> dict[str, Array]:
    """Target -> P(target | what the row observed), float64 (n_rows, states of the target).

    Rows whose evidence is impossible are rows of 0, with a warning.
    """
    variables = model.variables if targets is None else names_in(targets)
    numbers = [model.number(name) for name in variables]
    answers, log_evidence = row_posteriors(
        model, state_codes(model.states, table), numbers, totals=False
    )
    rows = np.flatnonzero(log_evidence == -np.inf)
    if len(rows):
        tell(
            f"{len(rows)} of {len(log_evidence)} rows have evidence that cannot happen, "
            f"first row {rows[0]}. Their posteriors are 0 for every state; log_probability "
            "is -inf there, and query names what clashes."
        )
    return {model.variables[v]: answer for v, answer in zip(numbers, answers, strict=True)}


def log_probability(model: NamedModel, table: TableLike) -> Array:
    """log P(what the row observed), summed over all that it did not; -inf if it cannot happen."""
    return row_log_probability(model, state_codes(model.states, table))


def row_log_probability(model: NamedModel, codes: Array) -> Array:
    """The same of rows that are numbered already, as `state_codes`."""
    if model.log_partition == -np.inf:
        raise impossible(model, CheckedEvidence())
    _, log_evidence = row_posteriors(model, codes, ())
    return log_evidence - model.log_partition


def row_posteriors(
    model: NamedModel, codes: Array, targets: Sequence[int], totals: bool = True
) -> tuple[list[Array], Array]:
    """The posterior of each target in each row, and the log of P(evidence); see `posteriors`.

    Rows in which what is not observed stands alone need no tree. Others are computed together in
    the tree of the whole model, or one by one where that is too wide: what a row observes can make
    its own tree narrow.
    """
    model.check_tables(range(len(model.states)))

    def others(scopes: Scopes, evidence: RowEvidence) -> tuple[Array, Array]:
        if model.is_narrow:
            return exact_inference.answers_from_tree(model.tree, scopes, evidence)
        return _one_by_one(model, [variable for (variable,) in scopes], evidence.states, totals)

    rows = exact_inference.scaled_evidence(np.array(codes, np.int64, order="C")).evidence
    return exact_inference.posteriors_by(model.factors, others, rows, targets, totals)


def _one_by_one(
    model: NamedModel, targets: Sequence[int], states: Array, totals: bool
) -> tuple[Array, Array]:
    """Each different row from its own tree."""
    different, kind = np.unique(states, axis=0, return_inverse=True)
    sizes = [model.factors.cardinalities[target] for target in targets]
    answers, log_total = np.zeros((len(different), sum(sizes))), np.empty(len(different))
    among = range(len(model.factors.scopes)) if totals else None
    for number, row in enumerate(different):
        evidence = CheckedEvidence({int(v): int(row[v]) for v in np.flatnonzero(row >= 0)})
        free = [target for target in targets if target not in evidence.states]
        part = relevant_part(model, free, evidence, among)
        posterior, log_total[number : number + 1] = exact_inference.posteriors(
            part.tree(), part.row(), part.targets
        )
        if log_total[number] > -np.inf:
            of_target = dict(zip(free, posterior, strict=True))
            seen = [np.eye(size)[row[t]] for t, size in zip(targets, sizes, strict=True)]
            shares = [of_target.get(t, [s])[0] for t, s in zip(targets, seen, strict=True)]
            answers[number] = np.concatenate([*shares, []])
    return answers[kind], log_total[kind]
