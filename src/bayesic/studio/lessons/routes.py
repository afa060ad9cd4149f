"""The table of routes of the lessons desk: each lesson is a function of what it is given."""

from collections.abc import Callable

from bayesic.serve.routes import Route
from bayesic.serve.server import ServerRequest
from bayesic.studio.lessons.campfire import campfire
from bayesic.studio.lessons.concept_learning import version_space
from bayesic.studio.lessons.disease import disease
from bayesic.studio.lessons.em_steps import em
from bayesic.studio.lessons.gaussians import gaussians
from bayesic.studio.lessons.nearest_neighbours import neighbours, regions
from bayesic.studio.lessons.tennis import tennis
from bayesic.studio.workspace import Answer, Studio

LESSONS: dict[str, Callable[[dict[str, object]], dict[str, object]]] = {
    "disease": disease,
    "tennis": tennis,
    "version-space": version_space,
    "gaussians": gaussians,
    "em": em,
    "neighbours": neighbours,
    "regions": regions,
    "campfire": campfire,
}


def lessons_routes(route: Callable[..., Route]) -> tuple[Route, ...]:
    """What the lessons desk asks for; nothing is kept between two questions."""
    return tuple(
        route("POST", f"/studio/lessons/{name}", "read", _answer(function))
        for name, function in LESSONS.items()
    )


def _answer(function: Callable[[dict[str, object]], dict[str, object]]) -> Answer:
    async def answered(studio: Studio, request: ServerRequest) -> object:
        return await request.server.work(function, await request.json())

    answered.__name__ = answered.__qualname__ = f"lesson_{function.__name__}"
    answered.__doc__ = function.__doc__
    return answered
