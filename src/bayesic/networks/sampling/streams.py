"""Random numbers in streams: what a seed gives does not depend on threads.

Every block of rows, and every block of chains, has a stream of its own, made from the seed, from
what it is for, and from the number of the block.
"""

from enum import IntEnum

import numpy as np

Array = np.ndarray

# Random numbers of one block: as many rows of a network as need about this many. It is part of
# what a seed means: another number gives other samples.
DRAWS_PER_BLOCK = 2**17


class Purpose(IntEnum):
    """What a stream is for; each has streams of its own."""

    ROWS = 0
    KEEPING = 1
    STARTS = 2
    CHAINS = 3


def stream(seed: int, purpose: Purpose, *block: int) -> np.random.Generator:
    """The stream of this block, independent of all others."""
    sequence = np.random.SeedSequence(seed, spawn_key=(purpose, *block))
    return np.random.Generator(np.random.PCG64DXSM(sequence))


def uniforms(generator: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Numbers in (0, 1]: without 0, so that a state of probability 0 never comes up."""
    draws = generator.random(shape)
    return np.subtract(1.0, draws, out=draws)


def rows_per_block(n_variables: int) -> int:
    """Rows that share a stream.

    >>> rows_per_block(37), rows_per_block(1_000_000)
    (3542, 1)
    """
    return max(1, DRAWS_PER_BLOCK // max(1, n_variables))
