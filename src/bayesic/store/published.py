"""The published states: replaced all at once, read without a lock."""

import threading
from time import monotonic

from bayesic.store._requests import stored_in, whole
from bayesic.store.errors import StoreError
from bayesic.store.journal_events import State, StoredModel


def did_not_come(name: str, seq: int, seconds: float | None) -> TimeoutError:
    """The error when an event does not come."""
    return TimeoutError(
        f"Event {seq} of {name!r} did not come within {seconds:g} s. Is it the number that a "
        "receipt told, of this model?"
    )


class PublishedModels:
    """The models of a store as they are seen now, by name."""

    def __init__(self, models: dict[str, StoredModel]) -> None:
        self.models = models  # never changed, only exchanged
        self.error: StoreError | None = None  # why nothing new comes any more
        self._news = threading.Condition()

    def publish(self, models: dict[str, StoredModel]) -> None:
        """Replace the published models, and wake all waiting threads."""
        with self._news:
            self.models = models
            self._news.notify_all()

    def fail(self, error: StoreError) -> None:
        """Nothing new will come: wake all waiting threads."""
        with self._news:
            self.error = error
            self._news.notify_all()

    def get(self, name: str) -> StoredModel:
        """The model of this name, if it is whole."""
        return whole(self.known(name))

    def known(self, name: str) -> StoredModel:
        """The model of this name, damaged or not."""
        if self.error is not None:
            raise self.error
        return stored_in(self.models, name)

    def wait(self, name: str, seq: int, timeout: float | None) -> State:
        """The first state that has this event in it."""
        until = None if timeout is None else monotonic() + timeout
        with self._news:
            while name not in self.models or self.get(name).state.seq < seq:
                left = None if until is None else until - monotonic()
                if left is not None and left <= 0:
                    raise did_not_come(name, seq, timeout)
                self._news.wait(left)
            return self.get(name).state
