"""What the server refuses, as a sentence for the page."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus

from bayesic.serve.refusals import RefusedError
from bayesic.serve.routes import Route
from bayesic.serve.server import ServerRequest
from bayesic.studio.workspace import Answer, Studio


def in_sentences(route: Callable[..., Route]) -> Callable[..., Route]:
    """Routes that show the reason of a refusal, such as too many classes, on the page."""

    def wrapped(method: str, path: str, right: str, answer: Answer, **more: object) -> Route:
        return route(method, path, right, _answer_in_sentences(answer), **more)

    return wrapped


def _answer_in_sentences(answer: Answer) -> Answer:
    @wraps(answer)
    async def answered(studio: Studio, request: ServerRequest) -> object:
        try:
            return await answer(studio, request)
        except RefusedError as error:
            if error.status != HTTPStatus.UNPROCESSABLE_ENTITY:
                raise
            raise ValueError(str(error)) from None

    return answered
