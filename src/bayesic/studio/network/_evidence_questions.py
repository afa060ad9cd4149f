"""Questions over HTTP: what follows from the evidence."""

import json
from collections.abc import Mapping
from time import perf_counter
from typing import Any

from starlette.responses import Response

from bayesic.networks.queries.checked_evidence import check_not_set
from bayesic.serve.request_bodies import JSON, check_fields
from bayesic.serve.server import ServerRequest, reply
from bayesic.studio.network import _beliefs
from bayesic.studio.network._given_evidence import GivenEvidence, evidence_of
from bayesic.studio.network._question_cost import cost_of
from bayesic.studio.network.documents import Version
from bayesic.studio.workspace import Studio

COSTLY = 2.0  # seconds: longer answers are computed only on request
MOST_SAMPLES = 10_000_000
QUICK_SAMPLES = 2_000_000  # cells of samples that are drawn at once


async def ask(studio: Studio, request: ServerRequest) -> object:
    """How probable each state of each variable is, given the evidence."""
    start = perf_counter()
    body = await request.json()
    check_fields(body, (), ("version", "evidence", "exact", "samples"))
    version, evidence = await known(studio, request, body)
    found = await _posteriors(studio, request, version, evidence, body)
    milliseconds = round((perf_counter() - start) * 1000, 2)
    return numbers({"version": version.number, **found, "milliseconds": milliseconds})


async def _posteriors(
    studio: Studio,
    request: ServerRequest,
    version: Version,
    evidence: GivenEvidence,
    body: Mapping[str, object],
) -> dict[str, Any]:
    samples = body.get("samples")
    if samples is not None:
        if not isinstance(samples, int) or not 1 <= samples <= MOST_SAMPLES:
            raise ValueError(
                f"samples must be a whole number from 1 to {MOST_SAMPLES:,}, got {samples!r:.60}."
            )
        if samples * len(version.network.variables) <= QUICK_SAMPLES:
            work = request.server.work
            return await work(_beliefs.sampled_beliefs, version.network, evidence, samples)
        return await studio.long(request, version, _beliefs.sampled_beliefs, evidence, samples)
    cost = await studio.cost(request, version)
    if cost.seconds > COSTLY:  # what is observed may make it less
        cost = await request.server.work(cost_of, version.network, evidence.given)
        if cost.seconds > COSTLY and not (body.get("exact") and cost.fits):
            return {"costly": cost._asdict()}
    return await studio.quick(request, version, _beliefs.beliefs, evidence)


async def conflict(studio: Studio, request: ServerRequest) -> object:
    """How much the findings conflict; nothing where that takes long: the page asks by itself."""
    body = await request.json()
    check_fields(body, (), ("version", "evidence"))
    version, evidence = await known(studio, request, body)
    if (await studio.cost(request, version)).seconds > COSTLY:
        return {"bits": None}
    return await studio.quick(request, version, _beliefs.conflict, evidence)


async def most_probable(studio: Studio, request: ServerRequest) -> object:
    """The most probable states of all variables together."""
    body = await request.json()
    check_fields(body, (), ("version", "evidence"))
    version, evidence = await known(studio, request, body)
    return await studio.quick(request, version, _beliefs.most_probable, evidence)


async def ask_next(studio: Studio, request: ServerRequest) -> object:
    """What to ask next, to learn most about a target."""
    body = await request.json()
    check_fields(body, ("target",), ("version", "evidence"))
    version, evidence = await known(studio, request, body)
    return await studio.quick(request, version, _beliefs.ask_next, evidence, body["target"])


async def separation(studio: Studio, request: ServerRequest) -> object:
    """What the evidence has cut off from a variable, and an open path to another."""
    body = await request.json()
    check_fields(body, ("from",), ("version", "evidence", "to"))
    version, evidence = await known(studio, request, body)
    ends = body["from"], body.get("to")
    return await request.server.work(_beliefs.separation, version.network, evidence, *ends)


async def table(studio: Studio, request: ServerRequest) -> object:
    """The table of a variable."""
    version = studio.document(request).version(
        request.number("version", studio.document(request).head)
    )
    variable = request.path_parameters["variable"]
    return numbers(await request.server.work(_beliefs.table, version.network, variable))


async def known(
    studio: Studio, request: ServerRequest, body: Mapping[str, object]
) -> tuple[Version, GivenEvidence]:
    """The version that is asked, after what was set from outside, and what is known of it."""
    version = studio.version(request, body.get("version"))
    evidence = evidence_of(version.network, body.get("evidence"))
    if not evidence.do:
        return version, evidence
    soft = {**evidence.likelihoods, **evidence.distributions}
    check_not_set(evidence.do, evidence.given, soft)
    return await request.server.work(version.after, evidence.do), evidence


def numbers(value: Mapping[str, object]) -> Response:
    """Numbers as JSON, in one go where all of them are finite."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:  # samples that say nothing have an infinite error
        return reply(value)
    return Response(text.encode("utf-8", "backslashreplace"), media_type=JSON)
