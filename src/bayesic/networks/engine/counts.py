"""Expected family counts: how often each entry of each table was used, as far as can be known."""

import numpy as np

from bayesic.kernels.trees import rows_of
from bayesic.networks.engine.evidence import Likelihoods, checked_evidence, distinct_rows
from bayesic.networks.engine.inference import LOG_2
from bayesic.networks.engine.roads import counts_of_rows
from bayesic.networks.engine.tree import JunctionTree

Array = np.ndarray


def expected_family_counts(
    tree: JunctionTree,
    evidence: Array,
    weights: Array | None = None,
    likelihoods: Likelihoods | None = None,
) -> tuple[list[Array], Array]:
    """For each factor the expected count of each of its entries, and log P(evidence) of each row.

        N_f[s] = sum over rows r of weight_r * P(scope of f = s | evidence of row r)

    This is the E step of EM [Lauritzen1995]. Rows with the same evidence are counted once, with the
    sum of their weights; no row is kept. Impossible rows have a log of -inf and count for nothing.

    weights : numbers from 0 on, one for each row; None means 1. The rest is as in `posteriors`.

    Returns a list of float64 arrays, each in the shape of the table of its factor, and float64
    (n_rows,).

    >>> from bayesic.networks.engine.factors import Factors
    >>> from bayesic.networks.engine.tree import compile_tree
    >>> rain_and_wet = Factors((2, 2), ((0,), (0, 1)), ([0.8, 0.2], [[0.9, 0.1], [0.2, 0.8]]))
    >>> rows = [[-1, 1], [-1, 1], [0, 0]]
    >>> (rain, both), _ = expected_family_counts(compile_tree(rain_and_wet), rows)
    >>> rain.round(4)
    array([1.6667, 1.3333])
    >>> both.round(4)
    array([[1.    , 0.6667], [0.    , 1.3333]])
    """
    known = checked_evidence(tree.plan.sizes, evidence, likelihoods)
    weights = _checked_weights(weights, len(known.evidence.states))
    first, inverse = distinct_rows(known.evidence)
    different = known.evidence
    if first is not None and inverse is not None:
        different = rows_of(different, first)
        weights = np.bincount(inverse, weights, minlength=len(first))
    scopes = tree.factors.scopes
    counts, log_total = counts_of_rows(tree, scopes, different, weights)
    log_evidence = (log_total if inverse is None else log_total[inverse]) + LOG_2 * tree.exponent
    ends = np.cumsum([table.size for table in tree.factors.tables], dtype=np.int64)
    by_factor = [
        part.reshape(table.shape)
        for part, table in zip(np.split(counts, ends[:-1]), tree.factors.tables, strict=True)
    ] if scopes else []  # fmt: skip
    return by_factor, log_evidence + known.log_scale


def _checked_weights(weights: Array | None, n_rows: int) -> Array:
    if weights is None:
        return np.ones(n_rows)
    given = np.array(weights, dtype=np.float64)
    if given.shape != (n_rows,):
        raise ValueError(
            f"there is one weight for each of the {n_rows} rows, got shape {given.shape}."
        )
    if not (given.min(initial=0.0) >= 0 and given.max(initial=0.0) < np.inf):
        raise ValueError("weights must be finite numbers from 0 on.")
    return given
