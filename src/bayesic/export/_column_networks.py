"""Columns of levels that depend on each other: networks of columns, and the mean of many."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bayesic.estimation.dependent_columns import Parents
from bayesic.estimation.term_weights import weighted
from bayesic.export._expressions import (
    NEVER,
    Conditional,
    Expression,
    LookupTable,
    NameOf,
    Number,
    Relation,
    Sum,
    Times,
    total,
)
from bayesic.export._logs import log_sums
from bayesic.export._naive_bayes import Terms, bins_of, summed
from bayesic.export._steps import Steps
from bayesic.kernels import Array
from bayesic.models.columns.weighed_columns import weight_of
from bayesic.models.levels.averaged_dependence import AveragedColumns
from bayesic.models.levels.column_network import ColumnNetwork
from bayesic.models.levels.level_columns import LevelColumns
from bayesic.statistics.aligned import CODE


@dataclass(frozen=True, eq=False)
class ColumnCode:
    """The number of the level of a column: from 0 on, then one for new levels, one for a gap."""

    column: int  # its number among those that were learned
    n_levels: int  # that were learned
    value: NameOf

    @property
    def n_codes(self) -> int:
        """All of them."""
        return self.n_levels + 2


def network_scores(fitted: ColumnNetwork, steps: Steps) -> list[Expression]:
    """log P(c) + sum over the columns of log p(x_j | parents of j, c), times their weights."""
    codes, names = _codes(fitted, steps), list(fitted.counts.levels)
    tables = []
    for column in fitted.used:
        weight = weight_of(fitted.weights, names[column])
        if column in codes and weight != 0:
            family = [codes[each] for each in (column, *fitted.parents[column]) if each in codes]
            logs = fitted.scores_given(fitted.parents, _combinations(fitted, family))[column]
            tables.append((_key(family), _table(weighted(weight, logs))))
    log_prior = fitted.prior.in_scores(fitted.prior.log)
    return summed(log_prior, steps.entries(tables))


def averaged_scores(fitted: AveragedColumns, steps: Steps) -> list[Expression]:
    """log P(c) + log of the sum over the columns i of p_i(x | c); see AveragedOneDependence.

    By how many it is to be divided is the same for all classes. Where no column may be the one that
    the others depend on, each stands alone.
    """
    if fitted.n != 1:
        raise ValueError(
            f"AveragedOneDependence can be exported with n=1, got n={fitted.n}: all triples of "
            "columns would be too much. Fit it with n=1, or use KDependence(k=2)."
        )
    codes, n_classes = [*_codes(fitted, steps).values()], len(fitted.classes)
    alone = steps.entries((code.value, _alone(fitted, code)) for code in codes)
    if not alone:
        return summed(fitted.prior.log, [])
    (n_models,) = steps.let(total([entries[n_classes] for entries in alone]))
    naive = steps.let(*summed(fitted.prior.log, [entries[n_classes + 1 :] for entries in alone]))
    models = _models(fitted, steps, codes, [entries[:n_classes] for entries in alone])
    sums = log_sums(steps, models)
    return [
        Conditional(((Relation(n_models, "=", Number(0.0)), plain),), Sum((Number(constant), log)))
        for constant, plain, log in zip(fitted.prior.log.tolist(), naive, sums, strict=True)
    ]


def _models(
    fitted: AveragedColumns, steps: Steps, codes: Sequence[ColumnCode], alone: Sequence[Terms]
) -> list[tuple[NameOf, ...]]:
    """For each class, log p_i(x | c) of each column i: -inf where nothing may depend on it."""
    pairs = [(one, other) for at, one in enumerate(codes) for other in codes[at + 1 :]]
    tables = ((_key(pair), _pair_table(fitted, *pair)) for pair in pairs)
    n_classes = len(fitted.classes)
    parts: dict[int, list[Terms]] = {
        code.column: [terms] for code, terms in zip(codes, alone, strict=True)
    }
    for (one, other), entries in zip(pairs, steps.entries(tables), strict=True):
        parts[other.column].append(entries[:n_classes])
        parts[one.column].append(entries[n_classes:])
    scores = steps.let(
        *(
            total([terms[code] for terms in of_column])
            for code in range(n_classes)
            for of_column in parts.values()
        )
    )
    return [scores[len(codes) * code : len(codes) * (code + 1)] for code in range(n_classes)]


def _alone(fitted: AveragedColumns, code: ColumnCode) -> LookupTable:
    """log p(x_i | c), -inf where nothing may depend on x_i; whether it may; log p(x_i | c)."""
    no_parents: Parents = [()] * len(fitted.counts.levels)
    logs = fitted.scores_given(no_parents, _combinations(fitted, [code]))[code.column]
    count = np.append(fitted.tables.level_total[code.column], [0.0, 0.0])
    may = ((count > 0) & (count >= fitted.at_least))[:, None]
    return _table(np.hstack([np.where(may, logs, NEVER), may, logs]))


def _pair_table(fitted: AveragedColumns, one: ColumnCode, other: ColumnCode) -> LookupTable:
    """log p of the level of one given that of the other, and of the other given the one."""
    levels, n_columns = _combinations(fitted, [one, other]), len(fitted.counts.levels)
    both = []
    for child, parent in ((one.column, other.column), (other.column, one.column)):
        parents: Parents = [(parent,) if at == child else () for at in range(n_columns)]
        both.append(fitted.scores_given(parents, levels)[child])
    return _table(np.hstack(both))


# codes ----------------------------------------------------------------------------------------


def _codes(fitted: LevelColumns, steps: Steps) -> dict[int, ColumnCode]:
    """The codes of the columns that are not ignored, computed in a step."""
    learned = [
        (column, name, levels)
        for column, (name, levels) in enumerate(fitted.counts.levels.items())
        if name in fitted.by_column
    ]
    named = [each for each in learned if each[1] not in fitted.bins]
    keys = [
        (steps.cell(name, "number"), _code_table(tuple(map(float, levels))))
        if name in fitted.counts.edges
        else (steps.cell(name, "category", levels), _code_table(levels))
        for _, name, levels in named
    ]
    found: dict[int, Expression] = {
        column: entry for (column, _, _), (entry,) in zip(named, steps.entries(keys), strict=True)
    }
    numbers = [each for each in learned if each[1] in fitted.bins]
    places = bins_of(steps, {name: fitted.bins[name].cuts for _, name, _ in numbers})
    bins = [
        (index, _bin_codes(len(fitted.bins[name].cuts) + 1, levels))
        for index, (_, name, levels) in zip(places, numbers, strict=True)
    ]
    found |= {
        column: entry for (column, _, _), (entry,) in zip(numbers, steps.entries(bins), strict=True)
    }
    sizes = {column: len(levels) for column, _, levels in learned}
    values = steps.let(*found.values())
    return {
        column: ColumnCode(column, sizes[column], value)
        for column, value in sorted(zip(found, values, strict=True), key=lambda pair: pair[0])
    }


def _code_table(levels: tuple) -> LookupTable:
    """The code of each level."""
    codes = np.arange(len(levels) + 2)[:, None]
    return LookupTable(levels, codes[:-2], codes[-2], codes[-1])


def _bin_codes(n_bins: int, levels: tuple[str, ...]) -> LookupTable:
    """The code of each bin: bins are levels by their numbers, if they occurred."""
    index = {level: code for code, level in enumerate(levels)}
    codes = np.array([[index.get(str(number), len(levels))] for number in range(n_bins)])
    new, gap = np.array([len(levels)]), np.array([len(levels) + 1])
    return LookupTable(tuple(range(n_bins)), codes, new, gap)


def _combinations(fitted: LevelColumns, codes: Sequence[ColumnCode]) -> Array:
    """Rows with all levels of some columns, the last one fastest; other columns have gaps."""
    shape = [code.n_codes for code in codes]
    rows = np.full((len(fitted.counts.levels), int(np.prod(shape))), -1, CODE)
    for code, levels in zip(codes, np.indices(shape, CODE), strict=True):
        rows[code.column] = np.where(levels == code.n_codes - 1, -1, levels).ravel()
    return rows


def _key(codes: Sequence[ColumnCode]) -> Expression:
    """The number of a row among those of `_combinations`."""
    key: Expression = codes[0].value
    for code in codes[1:]:
        key = Sum((Times((key, Number(code.n_codes))), code.value))
    return key


def _table(numbers: Array) -> LookupTable:
    """Numbers by key, from 0 on; rows of zeros are left out."""
    keys, nothing = np.flatnonzero(numbers.any(axis=1)), np.zeros(numbers.shape[1])
    return LookupTable(tuple(keys.tolist()), numbers[keys], nothing, nothing)
