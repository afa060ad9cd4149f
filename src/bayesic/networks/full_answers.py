"""Answers of a network in full: all of their states, as lines for reading and as JSON."""

from collections.abc import Mapping
from typing import Any

from bayesic.evidence.bars import probability_text
from bayesic.evidence.text_table import aligned
from bayesic.networks.distribution import Distribution, Marginals, SampledDistribution
from bayesic.networks.shown import BAR_WIDTH, aligned, conditions_text, probability_text, shortened

Answer = Distribution | Marginals


def answer_lines(answer: Answer) -> list[str]:
    """All of an answer: one distribution with bars, or one line for each variable."""
    if isinstance(answer, Marginals):
        return _marginal_lines(answer)
    return _distribution_lines(answer)


def _distribution_lines(distribution: Distribution) -> list[str]:
    """A line for each state, or combination of states, with its probability."""
    names, errors = distribution.variables, _standard_errors(distribution)
    rows = [[*names, *[""] * (3 if errors else 2)]] if len(names) > 1 else []
    for key, share in distribution.items():
        states = list(map(str, key)) if len(names) > 1 else [str(key)]
        error = [f"± {probability_text(errors[key])}"] if errors else []
        rows.append([*states, probability_text(share), *error, "#" * round(BAR_WIDTH * share)])
    lines = aligned(rows, numbers=(len(names),))
    return [distribution.headline(), *lines, *_worth([distribution])]


def _marginal_lines(marginals: Marginals) -> list[str]:
    """A line for each variable: its states with their probabilities, and the largest error."""
    rows = []
    for name, its in marginals.items():
        shares = shortened([f"{state} {probability_text(share)}" for state, share in its.items()])
        errors = _standard_errors(its).values()
        rows.append([name, shares, *([f"± {probability_text(max(errors))}"] if errors else [])])
    any_of_them = next(iter(marginals.values()))
    known = conditions_text(any_of_them.given, any_of_them.do, any_of_them.soft)
    size = f"{len(marginals)} variables" if len(marginals) > 1 else "1 variable"
    headline = f"{size} given {known}" if known else size
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


# JSON ---------------------------------------------------------------------------------------------


def answer_json(answer: Answer, method: str) -> dict[str, Any]:
    """What was asked, and the answer: `marginals` by variable and state, or `joint` as a list."""
    distributions = list(answer.values()) if isinstance(answer, Marginals) else [answer]
    first = distributions[0]
    known = {
        "given": dict(first.given),
        "do": dict(first.do),
        "likelihoods": list(first.soft),
        "method": method,
    }
    if len(first.variables) > 1:
        return known | _joint_json(first)
    marginals = {each.variables[0]: each for each in distributions}
    found: dict[str, Any] = {"marginals": {n: each.to_dict() for n, each in marginals.items()}}
    if isinstance(first, SampledDistribution):
        found |= {"samples": first.samples}
        found["standard_errors"] = {n: dict(_standard_errors(d)) for n, d in marginals.items()}
        found["effective_samples"] = {
            name: each.effective_samples
            for name, each in marginals.items()
            if isinstance(each, SampledDistribution)
        }
    return known | found


def _joint_json(distribution: Distribution) -> dict[str, Any]:
    """The combinations of states of several variables, each with its probability."""
    errors = _standard_errors(distribution)
    rows = []
    for key, share in distribution.items():
        row = {"states": dict(zip(distribution.variables, key, strict=True)), "probability": share}
        rows.append(row | ({"standard_error": errors[key]} if errors else {}))
    found: dict[str, Any] = {"joint": rows}
    if isinstance(distribution, SampledDistribution):
        found |= {
            "samples": distribution.samples,
            "effective_samples": distribution.effective_samples,
        }
    return found
