"""Where learning from rows with gaps starts: tables by chance, near what was observed."""

import numpy as np

from bayesic.estimation.shares import smoothed_shares
from bayesic.networks.learning.incomplete import IncompleteRows
from bayesic.networks.learning.objective import Tables


def start_tables(rows: IncompleteRows, seed: int, number: int) -> Tables:
    """The tables of one of several starts, without a 0: nothing is impossible.

    The first start, number 0, has the shares of the rows in which a whole family was observed, with
    pseudo-counts by chance (exponential, of mean 1). Where no row is, such as around a variable
    that is never observed, this is a row of a table drawn uniformly. Equal shares would never do
    there: the states of the variable would stay the same for ever. All other starts are drawn
    uniformly everywhere.

    A start hangs on the seed and its number alone, not on how many there are.

    >>> from bayesic.networks.learning.incomplete import incomplete_rows
    >>> days = {"Rain": ["yes"] * 6000 + ["no"] * 3000 + [None] * 1000}
    >>> rows = incomplete_rows(days, {"Rain": ()}, {"Rain": None})
    >>> start_tables(rows, seed=0, number=0)[0].round(2)
    array([0.33, 0.67])
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    return [
        smoothed_shares((number == 0) * counts + rng.exponential(size=counts.shape), 0.0)
        for counts in rows.observed_counts()
    ]
