"""What a store refuses, and why. A server can tell from the class which status to answer with."""


class StoreError(Exception):
    """Why a store did not do what it was asked to do."""


class UnknownNameError(StoreError, ValueError):
    """There is no model of this name."""


class UnknownIdError(StoreError, ValueError):
    """A row of this id was never learned, or is no longer there."""


class ConflictError(StoreError, ValueError):
    """The id belongs to another row, or the name to another model."""


class BusyError(StoreError):
    """Too many calls are waiting for the disk."""

    def __init__(self, n_waiting: int, retry_after: float) -> None:
        super().__init__(
            f"{n_waiting} calls are waiting for the disk, and the store takes no more. Try again "
            f"in {retry_after:g} s, or hand in more rows with each call."
        )
        self.retry_after = retry_after  # seconds


class InUseError(StoreError):
    """Another process writes to this store."""


class ReadOnlyError(StoreError):
    """The store was opened for reading alone, or can only be read."""


class ClosedError(StoreError):
    """The store was closed."""


class DiskError(StoreError, OSError):
    """The disk is full or does not work; nothing was learned."""


class DamagedError(StoreError):
    """A part of the file is damaged."""


class UnknownEventError(DamagedError, ValueError):
    """The journal has no state of the model after this event: it began later, or was cut."""


class ClockError(StoreError):
    """The clock is so far ahead of the last event that it is more likely wrong."""
