"""Models that can be written to a file."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from bayesic.data.snapshots import answering

Array = np.ndarray


class Saved:
    """A model that `save` writes to a file and `bayesic.load` reads.

    A model of additive statistics is written as these (`models/counting.py`). Any other says what
    it has learned by `_state`, in plain values, arrays and statistics, and takes it back by
    `_restore`, which refuses what cannot be: a file made by hand may say anything.
    """

    @answering
    def save(self, path: Any) -> None:
        """Write the model to a file, which `bayesic.load(path)` reads.

        It holds the parameters and what was learned, and no code. A file that was there before is
        replaced at the end, in one step: if saving fails, it is still whole.
        """
        self._save(path)

    def _save(self, path: Any, decision: dict[str, Any] | None = None) -> None:
        from bayesic.models.files import save

        save(self, path, decision)

    def _saved_parameters(self) -> dict[str, Any]:
        """The parameters, as far as a file can hold them."""
        return self.get_params(deep=False)  # type: ignore[attr-defined]  # of scikit-learn


def checked_arrays(
    state: Any, shapes: Mapping[str, tuple[int, ...] | None], others: Collection[str] = ()
) -> dict[str, Array]:
    """The arrays of a state, if they hold finite numbers in these shapes; None: one axis, any.

    others : what else the state has, and nothing more

    >>> checked_arrays({"trace": np.array([0.5])}, {"trace": None})
    {'trace': array([0.5])}
    """
    expected = [*shapes, *others]
    if not isinstance(state, dict) or set(state) != set(expected):
        raise ValueError(f"The state must have {', '.join(expected)}, and nothing else.")
    arrays = {name: state[name] for name in shapes}
    for name, array in arrays.items():
        if not isinstance(array, np.ndarray) or array.dtype != np.float64:
            raise ValueError(f"{name} must be an array of float64.")
        shape = shapes[name] or (max(1, array.size),)
        if array.shape != shape or not np.isfinite(array).all():
            raise ValueError(
                f"{name} must hold finite numbers in the shape {shape}, got {array.shape}."
            )
    return arrays
