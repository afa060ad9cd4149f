"""How many rows of evidence the compiled kernels compute side by side."""

from math import ceil

import numpy as np

from bayesic.kernels.trees import AXES, FACTORS
from bayesic.networks.engine.tree import JunctionTree

Array = np.ndarray

LANES = 64
MOST_BYTES = 2**27

# Nanoseconds, measured on networks from 8 to 441 variables with 10 to 90 % of the cells missing.
STEP_IN_LANES, STEP_ALONE, PART_ALONE = 0.6, 2.0, 400.0
NANOSECONDS_PER_BLOCK = 2e6  # Python's share of the time does not show


def lanes_and_rows_at_once(tree: JunctionTree, states: Array) -> tuple[int, int]:
    """The lanes for these rows, and the rows of a block, a function of the evidence alone.

    Alone, a row computes with tables that its evidence has shrunk. In lanes, many rows compute with
    whole tables, but have next to nothing to do beside that.
    """
    if len(states) == 1:
        return 1, 1
    parts = np.diff(tree.plan.cliques[:, FACTORS]) + 1
    missing = (states < 0).mean(axis=0)
    growth = (1.0 + missing * (tree.plan.sizes - 1))[tree.plan.axes]
    cells = np.multiply.reduceat(np.append(growth, 1.0), tree.plan.cliques[:-1, AXES])
    alone = float(2 * cells @ parts) * STEP_ALONE + float(parts.sum()) * PART_ALONE
    in_lanes = tree.steps * STEP_IN_LANES
    if in_lanes < alone and LANES * tree.n_bytes < MOST_BYTES:
        return LANES, LANES * ceil(NANOSECONDS_PER_BLOCK / (LANES * in_lanes))
    return 1, ceil(NANOSECONDS_PER_BLOCK / alone)
