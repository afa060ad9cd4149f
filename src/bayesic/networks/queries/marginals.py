"""Posteriors for one question: of one variable, of several jointly, of each variable."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from bayesic.networks.distribution import Distribution, Marginals
from bayesic.networks.engine.inference import joint_posterior, posteriors
from bayesic.networks.queries.evidence import Known, known
from bayesic.networks.queries.impossible import impossible
from bayesic.networks.queries.model import NamedModel
from bayesic.networks.queries.relevant import relevant_part
from bayesic.networks.variable_names import names_in

Array = np.ndarray


def exact_answer(
    model: NamedModel,
    target: str | Iterable[str] | None,
    given: Mapping[str, Any] | None,
    likelihoods: Mapping[str, Any] | None,
) -> Distribution | Marginals:
    """P(target | given) by names: of one variable, of several jointly, of each for None."""
    evidence = known(model, given, likelihoods)
    names, soft = evidence.named(model), evidence.soft(model)
    if target is None:
        marginals = zip(model.variables, all_marginals(model, evidence), strict=True)
        return Marginals(dict(marginals), model.states, names, soft)
    numbers = [model.number(name) for name in names_in(target)]
    targets = tuple(model.variables[number] for number in numbers)
    if not numbers or len(set(numbers)) < len(numbers):
        raise ValueError(
            f"Ask about one or more different variables, got {list(targets)}. "
            "Leave the target out for the distribution of each variable."
        )
    states = tuple(model.states[name] for name in targets)
    return Distribution(targets, states, joint(model, numbers, evidence), names, {}, soft)


def joint(model: NamedModel, targets: Sequence[int], evidence: Known) -> Array:
    """P(targets | what is known), one axis for each target.

    >>> from bayesic.datasets.networks import asia
    >>> model = asia()._named_model()
    >>> joint(model, [model.number("lung")], Known({model.number("smoke"): 0}))
    array([0.1, 0.9])
    """
    if model.is_quick and len(targets) == 1 and not evidence.is_wide:
        row = evidence.row(len(model.states))
        (answers,), log_evidence = posteriors(model.tree, row, targets)
    else:
        part = relevant_part(model, targets, evidence)
        tree = part.tree(together=True)
        answers, log_evidence = joint_posterior(tree, part.row(), part.targets)
    if log_evidence[0] == -np.inf:
        raise impossible(model, evidence)
    return answers[0]


def all_marginals(model: NamedModel, evidence: Known) -> list[Array]:
    """P(v | what is known) of each variable v."""
    if model.is_quick and not evidence.is_wide:
        row = evidence.row(len(model.states))
        answers, log_evidence = posteriors(model.tree, row)
        marginals = [answer[0] for answer in answers]
    else:
        marginals, log_evidence = _with_observed_held(model, evidence)
    if log_evidence[0] == -np.inf:
        raise impossible(model, evidence)
    return marginals


def _with_observed_held(model: NamedModel, evidence: Known) -> tuple[list[Array], Array]:
    """The same from a tree for this evidence alone, which can be far narrower."""
    free = [v for v in range(len(model.states)) if v not in evidence.states]
    part = relevant_part(model, free, evidence)
    answers, log_evidence = posteriors(part.tree(), part.row(), part.targets)
    marginals = [
        np.eye(size)[evidence.states.get(v, 0)]
        for v, size in enumerate(model.factors.cardinalities)
    ]
    for variable, answer in zip(free, answers, strict=True):
        marginals[variable] = answer[0]
    return marginals, log_evidence
