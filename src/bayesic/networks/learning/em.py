"""Tables of a network from rows with gaps, by expectation and maximisation in turns."""

from bayesic.mixtures.em import climb
from bayesic.networks.learning.objective import Ascent, Objective, Tables


def em_ascent(objective: Objective, start: Tables, max_iter: int, tol: float) -> Ascent:
    """Climb from these tables by EM ([Dempster], [Lauritzen1995]).

        E    N_ijk = sum over rows d of P(Y_i = j, parents of Y_i = k | d, w)
        M    w_ijk = (N_ijk + a_ijk) / sum over j of (N_ijk + a_ijk)

    A row fills its gaps with every state, each with the probability that the tables give it there;
    then all is counted as if it had been observed. No step lowers the objective.

    tol : done when a step gains no more than this share of the objective

    The counts are those of which the last M-step made its tables.

    >>> from bayesic.networks.learning.estimates import checked_smoothing
    >>> from bayesic.networks.learning.incomplete import incomplete_rows
    >>> from bayesic.networks.learning.objective import objective_of
    >>> import numpy as np
    >>> days = {"Rain": ["yes", "yes", "no", None]}
    >>> rows = incomplete_rows(days, {"Rain": ()}, {"Rain": None})
    >>> objective = objective_of(rows, checked_smoothing(0))
    >>> done = em_ascent(objective, [np.array([0.5, 0.5])], max_iter=100, tol=1e-12)
    >>> objective.estimate(done.counts)[0].round(4), done.converged
    (array([0.3333, 0.6667]), True)
    """
    expected, _ = objective.expect(start)
    found = climb(expected, objective.expect, objective.estimate, max_iter, tol)
    return Ascent(found.hidden, found.trace, found.converged)
