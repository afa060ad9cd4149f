"""Shares that back off to those given one parent less, and the strength of the back-off.

    p(v | p1 .. pi) = (N(v, p1 .. pi) + s p(v | p1 .. pi-1)) / (N(p1 .. pi) + s)
    p(v)            = (N(v) + s / S) / (N + s)

N(v, p1 .. pi) counts rows with level v and these levels of the parents, N(p1 .. pi) sums it over
the S levels v. So s pseudo-rows are divided by the shares given one parent less, which come from
more rows ([MacKayPeto]). Where N(p1 .. pi) + s = 0 the share is the one given one parent less, so
that s = 0 is the limit of s going to 0.
"""

from collections.abc import Iterable

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels.leaving import leaning, left

# The strengths to choose from, and the default where no row can be left out.
STRENGTHS = (0.5, 2.0, 8.0, 32.0, 128.0)
STRENGTH = 8.0

# Losses that differ by less than this share count as equal, so that summing them in another order
# does not change the choice.
EQUAL = 1e-9


def first_of_least(losses: Array) -> tuple[int, ...]:
    """The index of the least loss, the first of those that are equal.

    >>> first_of_least(np.array([[3.0, 1.0], [1.0 - 1e-12, 2.0]]))
    (0, 1)
    """
    least = losses <= losses.min() * (1 + EQUAL)
    return tuple(map(int, np.unravel_index(int(least.argmax()), losses.shape)))


def steps_of(counts: Array) -> list[Array]:
    """Counts of the levels given no parent, given the first, given the first two, and so on.

    counts : (levels of p1, .., levels of pk, levels)

    >>> steps_of(np.array([[3, 1], [0, 2]]))
    [array([3, 3]), array([[3, 1], [0, 2]])]
    """
    n_parents = counts.ndim - 1
    return [counts.sum(axis=tuple(range(kept, n_parents))) for kept in range(n_parents + 1)]


def backed_off_shares(counts: Array, strength: float) -> Array:
    """The share of each level given the parents, in the shape of the counts; see `steps_of`.

    >>> backed_off_shares(np.array([[3, 1], [0, 0]]), strength=2)  # without parents 2/3 and 1/3
    array([[0.72222222, 0.27777778],
           [0.66666667, 0.33333333]])
    """
    shares = np.full(counts.shape[-1:], 1.0 / max(counts.shape[-1], 1))
    for step in steps_of(counts):
        if step.ndim > 1:
            shares = shares[..., None, :]
        shares = leaning(step, step.sum(axis=-1, keepdims=True), strength, shares)
    return shares


def left_out_losses(counts: Array, strengths: Array) -> Array:
    """-log p(v | p1 .. pk), summed over rows that are left out, for each strength; see `steps_of`.

    A row that is left out has weight 1, or the whole weight of its cell if that is less.

    >>> left_out_losses(np.array([1.0, 1.0]), np.array([2.0])) / np.log(3)  # twice 1/3
    array([2.])
    """
    cells = np.nonzero(counts)
    count = counts[cells]
    one = np.minimum(count, 1.0)
    shares = np.full((len(strengths), len(count)), 1.0 / max(counts.shape[-1], 1))
    for kept, step in enumerate(steps_of(counts)):
        given = cells[:kept]
        own, total = step[(*given, cells[-1])], step.sum(axis=-1)[given]
        shares = leaning(left(own, one), left(total, one), strengths[:, None], shares)
    return -(count * np.log(shares)).sum(axis=1)


def best_strength(tables: Iterable[Array]) -> float:
    """The strength under which the left-out rows of all these tables are most probable.

    >>> best_strength([np.array([[40, 0], [0, 40]])]), best_strength([np.array([[4, 4], [4, 4]])])
    (0.5, 128.0)
    """
    strengths = np.array(STRENGTHS)
    losses = sum((left_out_losses(counts, strengths) for counts in tables), start=0 * strengths)
    return STRENGTHS[first_of_least(losses)[0]] if np.any(losses) else STRENGTH
