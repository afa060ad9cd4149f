"""What a server refuses: a status, and a sentence with the rule, what came, and the way out."""

from http import HTTPStatus

from bayesic.store import errors

# the class of an error -> the status it is answered with; the first that fits
STATUS: dict[type[Exception], HTTPStatus] = {
    errors.UnknownNameError: HTTPStatus.NOT_FOUND,
    errors.UnknownIdError: HTTPStatus.NOT_FOUND,
    errors.UnknownEventError: HTTPStatus.NOT_FOUND,
    errors.ConflictError: HTTPStatus.CONFLICT,
    errors.BusyError: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.InUseError: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.ClosedError: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.ReadOnlyError: HTTPStatus.METHOD_NOT_ALLOWED,
    errors.ClockError: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.DiskError: HTTPStatus.INSUFFICIENT_STORAGE,
    errors.DamagedError: HTTPStatus.INTERNAL_SERVER_ERROR,
    ValueError: HTTPStatus.UNPROCESSABLE_ENTITY,
    TypeError: HTTPStatus.UNPROCESSABLE_ENTITY,
    NotImplementedError: HTTPStatus.UNPROCESSABLE_ENTITY,  # of parameters that exclude each other
}
RETRY_AFTER = 1.0  # seconds


class RefusedError(Exception):
    """A request that is refused before it comes to the store."""

    def __init__(
        self, status: HTTPStatus, sentence: str, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(sentence)
        self.status, self.headers = status, headers or {}


def status_of(error: Exception) -> HTTPStatus:
    """The status that an error is answered with.

    >>> int(status_of(errors.ConflictError("The id '7' belongs to another row.")))
    409
    """
    if isinstance(error, RefusedError):
        return error.status
    fitting = (status for kind, status in STATUS.items() if isinstance(error, kind))
    return next(fitting, HTTPStatus.INTERNAL_SERVER_ERROR)


def headers_of(error: Exception) -> dict[str, str]:
    """The headers that go with an error: when to try again, and how to authenticate."""
    if isinstance(error, RefusedError):
        return error.headers
    if status_of(error) == HTTPStatus.SERVICE_UNAVAILABLE:
        seconds = getattr(error, "retry_after", RETRY_AFTER)
        return {"retry-after": str(max(1, round(seconds)))}
    return {}


def body_of(error: Exception) -> dict[str, object]:
    """The body of an error: its name and its sentence.

    >>> body_of(errors.UnknownNameError("There is no model 'spam' in the store."))
    {'error': 'UnknownNameError', 'message': "There is no model 'spam' in the store."}
    """
    status = status_of(error)
    is_ours = isinstance(error, errors.StoreError)
    name = type(error).__name__ if is_ours else status.phrase
    if status == HTTPStatus.INTERNAL_SERVER_ERROR and not is_ours:
        return {"error": name, "message": "The server failed; its log says more. Try again."}
    return {"error": name, "message": str(error)}
