"""The disease and its tests: what a result makes of the prior, exactly."""

from collections.abc import Mapping
from fractions import Fraction

from bayesic.hypotheses.bayes_rule import bayes_rule
from bayesic.serve.request_bodies import check_fields
from bayesic.studio.lessons.lesson_values import exact_number, shown

MOST_TESTS = 5


def disease(body: Mapping[str, object]) -> dict[str, object]:
    """The probability of the disease after each result.

        P(disease | r_1, ..., r_n)  ~  P(disease) P(r_1 | disease) ... P(r_n | disease)

    Results are independent, given whether the disease is there.

    >>> book = {"prior": "0.008", "sensitivity": "0.98", "specificity": "0.97", "results": "++"}
    >>> [step["posterior"][0]["text"] for step in disease(book)["steps"]]
    ['49/235', '2401/2680']
    """
    check_fields(body, ("prior", "sensitivity", "specificity", "results"))
    probability, sensitivity, specificity = (
        exact_number(name, body[name]) for name in ("prior", "sensitivity", "specificity")
    )
    results = body["results"]
    if not isinstance(results, str) or set(results) - {"+", "-"} or len(results) > MOST_TESTS:
        raise ValueError(
            f"results must be at most {MOST_TESTS} times + or -, such as '++', got {results!r:.60}."
        )
    prior = [probability, 1 - probability]
    likelihood = {
        "+": [sensitivity, 1 - specificity],
        "-": [1 - sensitivity, specificity],
    }
    steps, before = [], prior
    for result in results:
        after: list[Fraction] = bayes_rule(before, likelihood[result])
        joint = [p * q for p, q in zip(before, likelihood[result], strict=True)]
        steps.append(
            {
                "result": result,
                "prior": [shown(each) for each in before],
                "likelihood": [shown(each) for each in likelihood[result]],
                "joint": [shown(each) for each in joint],
                "evidence": shown(Fraction(sum(joint))),
                "posterior": [shown(each) for each in after],
                "most_probable": _larger(after),
                "most_likely": _larger(likelihood[result]),
            }
        )
        before = after
    return {"prior": [shown(each) for each in prior], "steps": steps}


def _larger(pair: list[Fraction]) -> int | None:
    """Which of two numbers is larger; None if neither is."""
    first, second = pair
    return None if first == second else int(first < second)
