"""The posterior of one target in rows of a table, whatever the rows observe of the rest, and why.

What is observed comes in one by one. The weight of evidence of an observation is what it changes in
the log odds of the target, given all that came before:

    weight_k = log P(e_k | answer, e_1 .. e_k-1) / P(e_k | against, e_1 .. e_k-1)

These are exact whatever is observed, and with the log odds of P(target) they add up to those of the
posterior ([Good]). In a naive Bayes network they are its weights. Where variables depend on each
other, the first has the weight of all that it shares with the next.

The Markov blanket of the target comes first, causes before effects, then all others. So in a
complete row the blanket has all the weight. A variable that can say nothing after those before it,
as the graph alone says (d-separation), is left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from bayesic.data.arguments import tell
from bayesic.data.distinct import NOT_OBSERVED
from bayesic.data.languages import Sentence
from bayesic.data.states import States
from bayesic.data.typing import TableLike
from bayesic.evidence.explanation import Explanation, classes_to_compare, difference, explain_scores
from bayesic.evidence.several import Reasons, as_shown, is_single_row
from bayesic.kernels import Array
from bayesic.networks._directed_graph import Parents, markov_blanket, reachable
from bayesic.networks.codes import block_codes, observed_codes, variable_blocks
from bayesic.networks.queries._model import NamedModel
from bayesic.networks.queries._posteriors import row_posteriors
from bayesic.networks.queries.target_answers import posterior_or_prior, prior_of, target_answers

if TYPE_CHECKING:
    from bayesic.evaluation.report import Evaluation


def target_posteriors(model: NamedModel, table: TableLike, target: str) -> Array:
    """P(target | all else that the row observes): (n_rows, states of the target).

    A row whose evidence cannot happen answers P(target), with a warning.
    """
    number = model.number(target)
    answers, n_impossible = [], 0
    for codes in _evidence_blocks(model, table, target):
        posterior, impossible = posterior_or_prior(model, codes, number)
        n_impossible += int(impossible.sum())
        answers.append(posterior)
    tell_impossible(n_impossible, target)
    return np.concatenate(answers)


def evaluated(model: NamedModel, table: TableLike, target: str) -> "Evaluation":
    """How good the answers are in the rows that observe the target."""
    from bayesic.evaluation.report import evaluate_answers  # not needed for an answer

    answers = target_answers(model, observed_codes(model.states, table), target)
    tell_impossible(answers.n_impossible, target)
    return evaluate_answers(answers.answers, Sentence("answers of {model}", model="BeliefNetwork"))


def _evidence_blocks(model: NamedModel, table: TableLike, target: str) -> Iterator[Array]:
    """What the rows observe, as `state_codes`, block by block; nothing of the target.

    A dict of single states is one row.
    """
    number, n_rows = model.number(target), 0
    if isinstance(table, Mapping) and is_single_row(table):
        table = {name: [cell] for name, cell in table.items()}
    others = {name: states for name, states in model.states.items() if name != target}
    for block in variable_blocks(table, model.states):
        n_rows += block.n_rows
        codes = np.full((block.n_rows, len(model.states)), NOT_OBSERVED, order="F")
        codes[:, np.arange(len(model.states)) != number] = block_codes(others, block)
        yield codes
    if not n_rows:
        raise ValueError("The table has no rows: there is nothing to answer.")


def tell_impossible(n_rows: int, target: str) -> None:
    """Warn of rows that were answered by P(target)."""
    if n_rows:
        tell(
            f"{n_rows} row(s) have evidence that cannot happen in this network: the answer for "
            f"them is P({target}). More smoothing makes nothing impossible."
        )


def as_labels(states: States) -> Array:
    """States as an array to pick from, of their own type where all have the same.

    >>> as_labels((True, False)), as_labels(("yes", 1))
    (array([ True, False]), array(['yes', 1], dtype=object))
    """
    same = len({*map(type, states)}) == 1
    return np.array(states) if same else np.fromiter(states, object, len(states))


# why ------------------------------------------------------------------------------------------


def explained(
    model: NamedModel,
    parents: Parents,
    order: Sequence[str],
    table: TableLike,
    target: str,
    against: object = None,
    answer: object = None,
    top: int | None = None,
) -> Explanation | Reasons[Explanation]:
    """The explanation of one row, given as a dict, or those of the rows of a table.

    order : all variables, parents before children
    top   : how many observations to show
    """
    single = isinstance(table, Mapping) and is_single_row(table)
    explanations = [
        one
        for codes in _evidence_blocks(model, table, target)
        for one in _explanations(model, parents, order, codes, target, against, answer)
    ]
    shown = as_shown(explanations, top)
    return shown[0] if single else shown


def _explanations(
    model: NamedModel,
    parents: Parents,
    order: Sequence[str],
    codes: Array,
    target: str,
    against: object = None,
    answer: object = None,
) -> list[Explanation]:
    """The explanation of each row.

    codes : what the rows observe, as `state_codes`; nothing of the target
    """
    number = model.number(target)
    if not len(codes):
        return []
    states = list(model.states[target])
    explained_class, rival = classes_to_compare(states, answer, against)
    log_prior = _log(prior_of(model, number))
    blanket = markov_blanket(parents, target)
    nearest_first = sorted(order, key=lambda name: name not in blanket)
    paths = [[name for name in nearest_first if row[model.numbers[name]] >= 0] for row in codes]
    posteriors = _posteriors_along(model, codes, paths, number)
    explanations = []
    for row, path, along in zip(codes, paths, posteriors, strict=True):
        logs = np.vstack([log_prior, _log(along)])
        is_possible = logs.max(axis=1) > -np.inf
        tells = _tells(parents, target, path) | (is_possible[1:] < is_possible[:-1])
        names = [name for name, telling in zip(path, tells, strict=True) if telling]
        scores = difference(logs[1:], logs[:-1])[tells]
        values = [str(model.states[name][row[model.numbers[name]]]) for name in names]
        last = logs[-1] if is_possible[-1] else log_prior
        explanations.append(
            explain_scores(states, names, log_prior, scores, last, rival, values, explained_class)
        )
    return explanations


def _posteriors_along(
    model: NamedModel, codes: Array, paths: list[list[str]], number: int
) -> list[Array]:
    """For each row, P(target | the first k observations) for k = 1, 2, ... : (n_observed, states).

    Zeros from where the observations cannot happen together.
    """
    prefixes = []
    for row, path in zip(codes, paths, strict=True):
        variables = [model.numbers[name] for name in path]
        prefix = np.full((len(path), len(row)), -1)
        for step, variable in enumerate(variables):
            prefix[step:, variable] = row[variable]
        prefixes.append(prefix)
    [answers], _ = row_posteriors(model, np.concatenate(prefixes), [number], totals=False)
    return np.split(answers, np.cumsum([len(path) for path in paths])[:-1])


def _tells(parents: Parents, target: str, path: list[str]) -> Array:
    """Whether the graph lets an observation tell anything after those before it.

    Where it does not, the weight is 0, and rounding must not make it something else.
    """
    return np.array(
        [name in reachable(parents, [target], path[:step]) for step, name in enumerate(path)],
        dtype=bool,
    )


def _log(probability: Array) -> Array:
    with np.errstate(divide="ignore"):
        return np.log(probability)
