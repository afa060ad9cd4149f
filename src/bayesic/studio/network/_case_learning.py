"""Learning over HTTP: the tables of a network, or its edges too, from a file of cases."""

from collections.abc import Mapping
from typing import Any

from bayesic.networks.network import BeliefNetwork
from bayesic.networks.structure_learning import learn_structure
from bayesic.serve.request_bodies import check_fields
from bayesic.serve.server import ServerRequest
from bayesic.studio.network._case_rows import Cases
from bayesic.studio.network.cases import cases_of
from bayesic.studio.network.documents import Version
from bayesic.studio.workspace import Studio

FIELDS = ("base", "smoothing", "method", "forbidden", "demanded", "score")


async def learn(studio: Studio, request: ServerRequest) -> object:
    """Learn the tables of a network from cases, or edges and tables of a new one."""
    body = await request.json()
    check_fields(body, ("cases", "what"), FIELDS)
    cases, what = cases_of(studio, body["cases"]), body["what"]
    if what not in ("tables", "structure"):
        raise ValueError(f'"what" must be "tables" or "structure", got {what!r:.60}.')
    smoothing = smoothing_of(body.get("smoothing"))
    is_new = what == "structure" and request.name not in studio.documents
    base = Version(0, BeliefNetwork()) if is_new else studio.version(request, body.get("base"))
    if what == "tables":
        method = body.get("method")
        found = await studio.long(request, base, learned_tables, cases, smoothing, method)
    else:
        edges = pairs_of(body, "forbidden"), pairs_of(body, "demanded")
        given = cases, smoothing, *edges, body.get("score")
        found = await studio.long(request, base, learned_structure, *given)
    if isinstance(found, dict):  # cancelled
        return found
    async with studio.editing:
        if is_new:
            document = studio.documents.add(request.name, found)
        else:
            document = studio.documents.put(studio.document(request).with_network(found))
    return {"name": document.name, "version": document.head, "head": document.head}


def learned_tables(
    network: BeliefNetwork, cases: Cases, smoothing: Any, method: Any
) -> BeliefNetwork:
    """The same edges, with tables of the rows. States keep their order; new ones come behind."""
    new = BeliefNetwork(network.edges, states=network._states, positions=network.positions)
    return new.fit(cases.path, smoothing=smoothing, method=method)


def learned_structure(
    network: BeliefNetwork, cases: Cases, smoothing: Any, forbidden: Any, demanded: Any, score: Any
) -> BeliefNetwork:
    """A network over all columns: its edges by hill climbing, then its tables.

    Variables that the network has keep their states and the order of them: evidence is given by the
    numbers of states.
    """
    found = learn_structure(
        cases.path, score=score, required=demanded, forbidden=forbidden, smoothing=smoothing
    )
    kept = {name: network._states.get(name) or () for name in found.variables}
    states = {name: kept[name] if {*found.states(name)} <= {*kept[name]} else None for name in kept}
    return BeliefNetwork(found.edges, states=states).fit(cases.path, smoothing=smoothing)


def smoothing_of(given: object) -> object:
    """Smoothing as JSON has it -> as the library takes it.

    >>> smoothing_of(["bdeu", 10]), smoothing_of(None)
    (('bdeu', 10), 0)
    """
    if given is None:
        return 0
    return tuple(given) if isinstance(given, list) else given


def pairs_of(body: Mapping[str, object], name: str) -> list[tuple[str, str]]:
    """Edges as JSON has them."""
    edges = body.get(name) or []
    if not isinstance(edges, list) or not all(isinstance(e, list) and len(e) == 2 for e in edges):
        raise ValueError(f'"{name}" must be a list of edges [from, to], got {edges!r:.80}.')
    return [(start, end) for start, end in edges]
