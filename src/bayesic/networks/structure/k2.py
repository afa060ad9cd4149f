"""K2: parents for each variable among those before it, one at a time, as long as each gains."""

from collections.abc import Sequence

import numpy as np

from bayesic.kernels.structure import ADD, DROP
from bayesic.networks.structure.family_scores import FamilyScores
from bayesic.networks.structure.hill_climbing import ROUNDING, Climbed, Move
from bayesic.networks.structure.limits import Limits, members_of

Array = np.ndarray


def k2(scores: FamilyScores, limits: Limits, order: Sequence[int]) -> Climbed:
    """The structure of the algorithm K2 ([CooperHerskovits] section 3.2), with one addition.

    order : the numbers of all variables, parents before children

    Each variable begins with the parents that it must have. The one that gains most is added until
    none gains, or the variable has its most parents. The addition: a parent is dropped again where
    that gains most. A parent that comes first only stands in for others that come later.
    """
    parents = limits.fixed.copy()
    own = [scores.of(child, members_of(row)) for child, row in enumerate(parents)]
    moves = []
    before = np.zeros(scores.n_variables, bool)
    for child in order:
        while True:
            own[child], gains = scores.changes(child, members_of(parents[child]))
            gains = np.where(_may_change(parents[child], before, limits, child), gains, -np.inf)
            rounding = ROUNDING * abs(own[child])
            if gains.max() <= rounding:
                break
            parent = int(np.argmax(gains >= gains.max() - rounding))  # the first of equal ones
            kind = DROP if parents[child, parent] else ADD
            parents[child, parent] ^= True
            own[child] += float(gains[parent])
            moves.append(Move(kind, child, parent, float(gains[parent]), sum(own)))
        before[child] = True
    return Climbed(parents, sum(own), tuple(moves))


def _may_change(parents: Array, before: Array, limits: Limits, child: int) -> Array:
    """Which variables may be added as a parent or dropped."""
    room = parents.sum() < limits.most_parents
    return np.where(parents, ~limits.fixed[child], before & limits.addable[child] & room)
