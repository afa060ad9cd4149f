"""Rows of random states, drawn in blocks."""

from types import ModuleType
from typing import NamedTuple

import numpy as np

from bayesic.networks.sampling.sampling_plan import Plan
from bayesic.networks.sampling.streams import rows_per_block, uniforms

Array = np.ndarray


class Rows(NamedTuple):
    """States of all variables of a plan, and how well each row agrees with the evidence."""

    codes: Array  # int64 (n_variables, n_rows)
    log_weight: Array  # float64 (n_rows,)


class Block(NamedTuple):
    """Some of the rows, and the number of their stream."""

    number: int
    rows: slice

    @property
    def n_rows(self) -> int:
        """How many rows it has."""
        return self.rows.stop - self.rows.start


def blocks_of(plan: Plan, n_rows: int) -> list[Block]:
    """Blocks that cover n_rows rows: they depend on the plan alone, the last one may be short."""
    step = rows_per_block(len(plan.variables))
    return [
        Block(number, slice(start, min(n_rows, start + step)))
        for number, start in enumerate(range(0, n_rows, step))
    ]


def drawn_rows(
    plan: Plan, kernels: ModuleType, generator: np.random.Generator, n_rows: int
) -> Rows:
    """Rows in which observed variables have their states, and all others follow their parents.

    The weight of a row is P(evidence | its other states). Fewer rows are the first of more.
    """
    n_variables = len(plan.variables)
    rows = Rows(np.empty((n_variables, n_rows), np.int64), np.empty(n_rows))
    draws = uniforms(generator, (n_rows, n_variables))
    kernels.draw_rows(plan.families, plan.known, draws, *rows)
    return rows


def kept_rows(plan: Plan, rows: Rows, generator: np.random.Generator) -> Array:
    """Which rows to keep, so that those are samples of the posterior: bool (n_rows,).

    A row is kept with the probability w / (largest weight that a row can have): rejection
    sampling. Where all that leads to the evidence was observed, every row is kept.
    """
    draws = uniforms(generator, rows.log_weight.shape)
    return np.log(draws) <= rows.log_weight - plan.log_largest
