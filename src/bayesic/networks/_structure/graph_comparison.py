"""Comparing given structures: the score of each on a table, and the posterior of several."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from bayesic.data.typing import StructureScore, TableLike
from bayesic.html import html_table
from bayesic.kernels.structure import LIKELIHOOD
from bayesic.models.posterior import posterior
from bayesic.networks._structure.coded_columns import CodedColumns, NamedStates, named_states
from bayesic.networks._structure.family_scores import SCORES, ScoreRule, family_score, rule_of

if TYPE_CHECKING:
    from bayesic.networks.network import BeliefNetwork

LOG_LIKELIHOOD = "log_likelihood"


def structure_score(
    net: "BeliefNetwork", table: TableLike, score: StructureScore | Literal["log_likelihood"]
) -> float:
    """The score of the edges of a network on a table: the sum over its families.

    Tables of the network have no part in it. States that it names count though no row has them.
    """
    columns = _columns_of(net, named_states(table))
    rule = _rule(score, columns.n_samples)
    index_of = {name: index for index, name in enumerate(columns.variables)}
    return sum(
        family_score(columns, rule, index_of[name], [index_of[each] for each in net.parents(name)])
        for name in columns.variables
    )


def _rule(score: StructureScore | Literal["log_likelihood"], n_samples: int) -> ScoreRule:
    if score == LOG_LIKELIHOOD:
        return ScoreRule(LOG_LIKELIHOOD, LIKELIHOOD, 0.0)
    try:
        return rule_of(score, n_samples)
    except ValueError as error:
        if isinstance(score, str):
            names = ", ".join(map(repr, (*SCORES, LOG_LIKELIHOOD)))
            raise ValueError(f"score must be one of {names}, got {score!r:.60}.") from error
        raise


def _columns_of(net: "BeliefNetwork", named: NamedStates) -> CodedColumns:
    """The columns of the variables, by the states of the network where it names them."""
    columns = named.columns
    missing = [name for name in net.variables if name not in columns]
    if missing:
        raise ValueError(
            f"The table needs a column for every variable, and lacks {', '.join(missing):.200}. "
            f"It has {', '.join(columns):.200}."
        )
    names = tuple(sorted(net.variables))
    states = tuple(net._states[name] or columns[name].occurring() for name in names)
    codes = [columns[name].numbered(its) for name, its in zip(names, states, strict=True)]
    for name, its, column in zip(names, states, codes, strict=True):
        if column.min() < 0:
            cell = columns[name].states[columns[name].codes[int(column.argmin())]]
            raise ValueError(
                f"{name} has the states {', '.join(map(str, its)):.200}, got {cell!r:.60} in row "
                f"{int(column.argmin())}. Add the state, or leave the row out."
            )
    return CodedColumns(names, states, np.array(codes, np.uint16), named.times)


@dataclass(frozen=True, repr=False)
class Comparison:
    """Structures side by side: the score of each, and how probable it is after the rows.

    >>> from bayesic.networks.network import BeliefNetwork
    >>> rows = {"rain": ["yes", "no", "yes", "no"], "wet": ["yes", "no", "yes", "no"]}
    >>> nets = {"apart": BeliefNetwork(states={"rain": None, "wet": None}),
    ...         "rain wets": BeliefNetwork([("rain", "wet")])}
    >>> print(compare(nets, rows))
    k2, posterior
      rain wets   -5.598  0.769231
      apart       -6.802  0.230769
    """

    score_name: str
    scores: Mapping[str, float]  # name -> log P(D | structure), or what stands for it
    posterior: Mapping[str, float]  # name -> P(structure | D)

    @property
    def best(self) -> str:
        """The most probable one; of equals the first."""
        return max(self.posterior, key=lambda name: self.posterior[name])

    def _lines(self) -> list[tuple[str, str, str]]:
        order = sorted(self.posterior, key=lambda name: -self.posterior[name])
        return [(n, f"{self.scores[n]:.3f}", f"{self.posterior[n]:.6f}") for n in order]

    def __repr__(self) -> str:
        return f"<Comparison of {len(self.scores)} structures by {self.score_name}: {self.best}>"

    def __str__(self) -> str:
        width = max(map(len, self.scores))
        lines = [f"  {name:{width}}  {score:>7}  {share}" for name, score, share in self._lines()]
        return "\n".join([f"{self.score_name}, posterior", *lines])

    def _repr_html_(self) -> str:
        headers = ("structure", self.score_name, "posterior")
        return html_table(headers, self._lines(), "structures", "lrr")


def compare(
    nets: "Mapping[str, BeliefNetwork] | Sequence[BeliefNetwork]",
    table: TableLike,
    score: StructureScore = "k2",
    prior: Mapping[str, float] | Sequence[float] | None = None,
) -> Comparison:
    """The posterior probability of each of several structures.

        P(B | D) = P(B) P(D | B) / sum over B' of P(B') P(D | B')          [CooperHerskovits]

    nets  : networks over the same variables, by name or in a list; their edges and states count,
        their tables do not
    table : complete rows, with a column for each variable
    score : "k2" or "bdeu", whose score is log P(D | B) with all tables integrated out; "bic" and
        "aic" stand for it approximately. With "log_likelihood" more edges are never worse: refused
    prior : P(B) of each, by name or in the order of nets; all alike by default

    Of four days on which rain and wetness agree, P(D | B) is 1/270 with the edge and 1/900 without.

    >>> from bayesic.networks.network import BeliefNetwork
    >>> rows = {"rain": ["yes", "no", "yes", "no"], "wet": ["yes", "no", "yes", "no"]}
    >>> apart = BeliefNetwork(states={"rain": None, "wet": None})
    >>> together = BeliefNetwork([("rain", "wet")])
    >>> found = compare({"apart": apart, "together": together}, rows)
    >>> found.best, round(found.posterior["together"], 6) == round(10 / 13, 6)
    ('together', True)
    """
    named = dict(nets) if isinstance(nets, Mapping) else _numbered(nets)
    _check(named, score)
    scores = {name: structure_score(net, table, score) for name, net in named.items()}
    with np.errstate(divide="ignore"):
        log_prior = np.log(_checked_prior(prior, [*named]))
    shares = posterior(np.array([*scores.values()]) + log_prior)
    label = score if isinstance(score, str) else score[0]
    return Comparison(label, scores, dict(zip(named, shares.tolist(), strict=True)))


def _numbered(nets: "Iterable[BeliefNetwork]") -> "dict[str, BeliefNetwork]":
    return {f"network {number}": net for number, net in enumerate(nets, 1)}


def _check(named: "Mapping[str, BeliefNetwork]", score: object) -> None:
    if len(named) < 2:
        raise ValueError(f"Give two networks or more to compare, got {len(named)}.")
    variables = {frozenset(net.variables) for net in named.values()}
    if len(variables) > 1:
        odd = " or ".join(sorted(frozenset.union(*variables) - frozenset.intersection(*variables)))
        raise ValueError(
            f"Only networks over the same variables can be compared; some lack {odd:.200}. A "
            "variable without edges is named by states={name: None}."
        )
    if score == LOG_LIKELIHOOD:
        raise ValueError(
            "By its likelihood alone a structure with more edges is never worse. Compare by 'k2', "
            "'bdeu' or 'bic'."
        )


def _checked_prior(
    prior: Mapping[str, float] | Iterable[float] | None, names: Sequence[str]
) -> np.ndarray:
    if prior is None:
        return np.full(len(names), 1 / len(names))
    listed = [prior.get(name) for name in names] if isinstance(prior, Mapping) else list(prior)
    try:
        shares = np.array(listed, np.float64)
    except (TypeError, ValueError):
        shares = np.full(len(names), np.nan)
    is_valid = len(shares) == len(names) and np.isfinite(shares).all() and (shares >= 0).all()
    if not is_valid or abs(shares.sum() - 1) > 1e-9:
        raise ValueError(
            f"prior must have a probability for each of the {len(names)} networks, which sum to 1, "
            f"got {prior!r:.100}."
        )
    return shares
