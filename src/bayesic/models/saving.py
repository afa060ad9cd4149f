"""Models that can be written to a file."""

from typing import Any


class Saved:
    """A model that `save` writes to a file and `bayesic.load` reads.

    A model of additive statistics is written as these (`models/base.py`). Any other says what it
    has learned by `_state`, in plain values, arrays and statistics, and takes it back by
    `_restore`, which refuses what cannot be: a file made by hand may say anything.
    """

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
