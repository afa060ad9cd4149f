"""Posteriors from samples, for networks that are too wide for exact answers."""

from collections.abc import Iterable
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from bayesic.data.arguments import check_one_of, check_whole_number, tell
from bayesic.networks._sampling.forward import check_not_endless
from bayesic.networks._sampling.gibbs_chains import gibbs_estimate
from bayesic.networks._sampling.sampling_plan import groups_of, sampling_plan
from bayesic.networks._sampling.weighting import Estimate, weighted_estimate
from bayesic.networks.distribution import Marginals, SampledDistribution
from bayesic.networks.queries._model import by_method
from bayesic.networks.variable_names import Given, names_in

if TYPE_CHECKING:
    from bayesic.kernels.network_sampling import VariableGroups
    from bayesic.networks._sampling.sampling_plan import SamplingPlan
    from bayesic.networks.network import BeliefNetwork


METHODS = ("likelihood-weighting", "gibbs", "forward")
MOST_CELLS = 2**20  # of a joint distribution
FEW = 100  # effective samples below which we warn


def sampled_posterior(
    net: "BeliefNetwork",
    targets: str | Iterable[str] | None = None,
    given: Given = None,
    likelihoods: Given = None,
    method: str = "likelihood-weighting",
    samples: int = 100_000,
    seed: int = 0,
) -> SampledDistribution | Marginals:
    """P(targets | evidence), estimated, with standard errors.

    targets     : a variable; several, for their joint distribution; None for each of all variables
    given       : variable -> observed state
    likelihoods : variable -> P(what was seen | state), a mapping or numbers in the order of states
    method      : "likelihood-weighting" holds the observed variables, draws the others and weighs
                  every row; "forward" keeps a row with a probability that grows with its weight;
                  "gibbs" changes one variable at a time, given all others
    samples     : rows that are drawn, for "gibbs": sweeps that are counted, rounded up to 64 chains
    seed        : the same seed gives the same answer, for any number of threads

    Likelihood weighting is the first choice. Where the evidence is far down and rare, few rows have
    all the weight, and Gibbs sampling can be better, if the tables have no zeros.

    >>> from bayesic.datasets.networks import asia
    >>> lung = sampled_posterior(asia(), "lung", {"smoke": "yes"}, samples=10_000)
    >>> round(lung["yes"], 2), round(lung.standard_error["yes"], 3), lung.effective_samples
    (0.1, 0.003, 10000.0)
    """
    check_one_of("method", method, METHODS)
    check_whole_number("samples", samples, least=1)
    check_not_endless("samples", samples)
    check_whole_number("seed", seed, least=0)
    targets_of = _asked(net, targets)
    needed = [variable for group in targets_of for variable in group]
    plan = sampling_plan(net, given, likelihoods, needed)
    groups, shapes = groups_of(plan, targets_of)
    estimate = _estimate(plan, groups, method, int(samples), int(seed))
    if estimate is None:
        raise ValueError(
            f"None of {samples:,} samples agrees with {plan.evidence_text()}: it "
            f"is impossible, or too rare to be sampled. Ask with {by_method('exact')}, which "
            "shows which of the two it is, or leave out some of the evidence."
        )
    _tell_if_few(estimate, method, samples)

    def answer(number: int, group: tuple[str, ...], shape: tuple[int, ...]) -> SampledDistribution:
        cells = slice(*groups.first_cell[number : number + 2])
        return SampledDistribution(
            group,
            tuple(net.states(variable) for variable in group),
            estimate.probabilities[cells].reshape(shape),
            plan.given,
            soft=plan.soft,
            errors=estimate.errors[cells].reshape(shape),
            effective_samples=float(estimate.effective_samples[number]),
            samples=int(samples),
        )

    answers = list(map(answer, range(len(targets_of)), targets_of, shapes))
    if targets is None:
        return Marginals(dict(zip(net.variables, answers, strict=True)))
    return answers[0]


def _asked(net: "BeliefNetwork", targets: str | Iterable[str] | None) -> list[tuple[str, ...]]:
    """The variables of each distribution that is asked for."""
    if targets is None:
        return [(variable,) for variable in net.variables]
    group = tuple(net.variables[net._named_model().number(name)] for name in names_in(targets))
    if not group or len(set(group)) < len(group):
        raise ValueError(f"Ask about one or more different variables, got {list(group)}.")
    size = prod(len(net.states(variable)) for variable in group)
    if size > MOST_CELLS:
        raise ValueError(
            f"A joint distribution may have {MOST_CELLS:,} combinations of states, got {size:,} "
            f"for {', '.join(group)}. Ask about fewer variables at once."
        )
    return [group]


def _estimate(
    plan: "SamplingPlan", groups: "VariableGroups", method: str, samples: int, seed: int
) -> Estimate | None:
    if method == "gibbs":
        return gibbs_estimate(plan, groups, samples, seed)
    return weighted_estimate(plan, groups, samples, seed, keep=method == "forward")


def _tell_if_few(estimate: Estimate, method: str, samples: int) -> None:
    fewest = float(estimate.effective_samples.min(initial=np.inf))
    if fewest >= min(FEW, samples / 10):
        return
    advice = {
        "likelihood-weighting": "the evidence is rare, and a few rows have all the weight. Try "
        f"{by_method('gibbs')}, or more samples",
        "forward": "the evidence is rare, and few rows agree. Try "
        f"{by_method('likelihood-weighting')}",
        "gibbs": "the chains hardly move, because zeros in tables trap them. Try "
        f"{by_method('likelihood-weighting')}",
    }
    tell(f"{samples:,} samples are worth only {fewest:,.0f}: {advice[method]}.")
