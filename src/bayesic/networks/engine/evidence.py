"""Evidence for a junction tree: states that were observed, likelihoods of those that were not."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from bayesic.kernels.trees import Evidence
from bayesic.networks.engine.potentials import WIDEST

Array = np.ndarray

Likelihoods = Mapping[int, Array]


class ScaledEvidence(NamedTuple):
    """Evidence as the kernels take it, and the log of what its likelihoods were divided by."""

    evidence: Evidence
    log_scale: Array | float


def checked_evidence(
    sizes: Array, evidence: Array, likelihoods: Likelihoods | None = None
) -> ScaledEvidence:
    """Evidence whose states and likelihoods fit variables with this many states.

    >>> known = checked_evidence(np.array([2, 3]), [[0, -1]], {1: [0.2, 0.0, 0.1]})
    >>> known.evidence.states, known.evidence.likelihoods
    (array([[ 0, -1]]), array([[1. , 0. , 0.5]]))
    >>> np.exp(known.log_scale).round(4)
    array([0.2])
    """
    states = _checked_states(sizes, evidence)
    soft_place = np.full(len(sizes), -1, np.int64)
    if not likelihoods:
        return ScaledEvidence(Evidence(states, soft_place, np.empty((1, 0))), 0.0)
    parts, place, log_scale = [], 0, np.zeros(1)
    for variable, given in likelihoods.items():
        values = _checked_likelihood(sizes, len(states), variable, given)
        largest = values.max(axis=1)
        largest[largest == 0] = 1.0
        parts.append(values / largest[:, None])
        if is_wide(values):
            raise ValueError(
                f"the likelihoods of variable {variable} must not be more than 1e270 times each "
                "other. Put them in as a factor of this variable, which may have any numbers."
            )
        log_scale = log_scale + np.log(largest)
        soft_place[variable] = place
        place += values.shape[1]
    n_rows = max(len(part) for part in parts)
    joined = np.concatenate([np.broadcast_to(p, (n_rows, p.shape[1])) for p in parts], axis=1)
    return ScaledEvidence(Evidence(states, soft_place, joined), log_scale)


def is_wide(likelihoods: Array) -> bool:
    """Whether a number other than 0 is so far below another that their ratio loses digits.

    >>> is_wide(np.array([1e-300, 1e300])), is_wide(np.array([0.0, 1e300]))
    (True, False)
    """
    exponents, positive = np.frexp(likelihoods)[1], likelihoods > 0
    largest = exponents.max(axis=-1, where=positive, initial=np.iinfo(np.int32).min // 2)
    smallest = exponents.min(axis=-1, where=positive, initial=np.iinfo(np.int32).max // 2)
    return bool((largest - smallest > WIDEST).any())


def _checked_states(sizes: Array, evidence: Array) -> Array:
    given = np.asarray(evidence)
    if given.ndim != 2 or given.shape[1] != len(sizes):
        raise ValueError(
            f"evidence has one column for each of the {len(sizes)} variables, "
            f"got an array of shape {given.shape}."
        )
    if given.dtype.kind not in "iu":
        raise ValueError(
            f"evidence holds numbers of states, -1 where nothing was observed, got {given.dtype}."
        )
    states = np.array(given, dtype=np.int64, order="C")
    wrong = (states < -1) | (states >= sizes)
    if wrong.any():
        row, variable = np.argwhere(wrong)[0]
        raise ValueError(
            f"the states of variable {variable} go from 0 to {sizes[variable] - 1}, or -1 where it "
            f"was not observed; row {row} has {states[row, variable]}."
        )
    return states


def _checked_likelihood(sizes: Array, n_rows: int, variable: int, given: Array) -> Array:
    if not 0 <= variable < len(sizes):
        raise ValueError(
            f"variables go from 0 to {len(sizes) - 1}, got likelihoods of variable {variable!r}."
        )
    values = np.atleast_2d(np.asarray(given, dtype=np.float64))
    if values.ndim != 2 or values.shape[1] != sizes[variable] or len(values) not in (1, n_rows):
        raise ValueError(
            f"the likelihoods of variable {variable} are {sizes[variable]} numbers, for all "
            f"rows or for each of the {n_rows} rows, got shape {np.shape(given)}."
        )
    if not (values.min(initial=0.0) >= 0 and values.max(initial=0.0) < np.inf):
        raise ValueError(
            f"the likelihoods of variable {variable} must be finite numbers from 0 on."
        )
    return values


def distinct_rows(evidence: Evidence) -> tuple[Array, Array] | tuple[None, None]:
    """The first of each kind of row and the kind of each row; None where every row is its own kind.

    >>> states = np.array([[0, -1], [1, 0], [0, -1]])
    >>> distinct_rows(Evidence(states, np.array([-1, -1]), np.empty((1, 0))))
    (array([0, 1]), array([0, 1, 0]))
    """
    states = evidence.states
    n_rows, n_variables = states.shape
    if n_rows < 2 or n_variables == 0 or len(evidence.likelihoods) > 1:
        return None, None
    # as short as they can be: rows are compared byte by byte
    short = states.astype(np.min_scalar_type(-1 - int(states.max())))
    whole = short.view(np.dtype((np.void, short.itemsize * n_variables))).ravel()
    _, first, inverse = np.unique(whole, return_index=True, return_inverse=True)
    return (None, None) if len(first) == n_rows else (first, inverse)
