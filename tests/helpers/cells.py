"""Cells of a column as plain Python values."""

import numpy as np

from bayesic.data.columns import Categories, Nothing, Numbers, Texts


def seen(cells):
    """The kind of the cells, and each of them with None for not observed."""
    if isinstance(cells, Numbers):
        assert cells.values.dtype == np.float64
        return Numbers, [None if np.isnan(value) else value for value in cells.values.tolist()]
    if isinstance(cells, Categories):
        assert cells.codes.dtype == np.intp
        assert set(cells.codes.tolist()) - {-1} == set(range(len(cells.levels)))
        names = [*cells.levels, None]
        return Categories, [names[code] for code in cells.codes]
    if isinstance(cells, Texts):
        return Texts, cells.texts
    return Nothing, [None] * len(cells)
