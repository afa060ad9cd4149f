"""How good a model is while it learns: each row is predicted before it is learned.

Only sums are kept, since the server was started. They add up: a batch is a part like any other.
"""

import threading

from bayesic.evaluation.running_scores import Sums


class SumsByModel:
    """The sums of each model. Any thread may call."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sums: dict[str, Sums] = {}

    def add(self, name: str, sums: Sums) -> Sums:
        """Add the sums of some rows; returns those of all so far."""
        with self._lock:
            self._sums[name] = self.of(name) + sums
            return self._sums[name]

    def of(self, name: str) -> Sums:
        """All so far."""
        return self._sums.get(name, Sums())

    def drop(self, name: str) -> None:
        """Forget the sums of a model that was deleted."""
        with self._lock:
            self._sums.pop(name, None)
