"""Learn, forget and correct over HTTP: answered when it is on the disk and counts."""

from http import HTTPStatus
from typing import Any

from bayesic.data.arguments import has_learned
from bayesic.evaluation.running_scores import Sums, sums_of
from bayesic.networks.network import BeliefNetwork
from bayesic.serve.refusals import RefusedError
from bayesic.serve.request_bodies import check_fields, list_of, rows_asked
from bayesic.serve.request_limits import check_answer, check_growth
from bayesic.serve.server import ServerRequest
from bayesic.serve.shapes import classes_of

FEW = 100  # rows that are checked without another thread

Given = tuple[list[Any], list[Any] | None, list[Any] | None]  # rows, labels, ids


async def learn(request: ServerRequest) -> object:
    """Learn rows."""
    return await committed(request, "learn", request.name, *_learned(request, await request.json()))


async def adopt(request: ServerRequest) -> object:
    """Give ids to rows that the model knows already."""
    return await committed(request, "adopt", request.name, *_learned(request, await request.json()))


async def evaluate(request: ServerRequest) -> object:
    """Predict rows, then learn them; what was predicted, and how good it was so far."""
    return await evaluated(request, *_learned(request, await request.json()))


async def evaluated(
    request: ServerRequest, rows: list[Any], labels: list[object] | None, ids: list[object] | None
) -> dict[str, Any]:
    """The receipt of rows that are predicted, then learned, with the predictions and scores."""
    state = request.store.state(request.name)
    model = state.model
    is_network = isinstance(model, BeliefNetwork)
    if labels is None or is_network or not hasattr(type(model), "predict_proba"):
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "Only what predicts classes is evaluated while it learns. Use learn.",
        )
    posterior = None
    if has_learned(model):
        check_answer(len(rows), len(classes_of(model)), request.limits)
        posterior = await request.of_model(state, model.predict_proba, rows)
    receipt = await committed(request, "learn", request.name, rows, labels, ids)
    new = [index for index, was in enumerate(receipt["already"]) if not was]
    sums = Sums(not_scored=len(new))
    if posterior is not None and new:
        sums = sums_of(posterior[new], model, [labels[index] for index in new])
    answers: dict[str, object] = {"classes": classes_of(model)}
    answers["probabilities"] = None if posterior is None else posterior.tolist()
    return (
        receipt | answers | {"evaluation": request.server.scores.add(request.name, sums).to_dict()}
    )


async def evaluation(request: ServerRequest) -> object:
    """How good predictions were so far, since the server was started."""
    state = await request.state()
    return {"seq": state.seq, **request.server.scores.of(request.name).to_dict()}


async def forget(request: ServerRequest) -> object:
    """Take rows back out."""
    body = await request.json()
    check_fields(body, ("ids",))
    return await committed(request, "forget", request.name, list_of(body, "ids") or [])


async def correct(request: ServerRequest) -> object:
    """Give a row another label; of a network, other cells."""
    body = await request.json()
    check_fields(body, ("id", "y"))
    _check_labels(request, [body["y"]])
    return await committed(request, "correct", request.name, body["id"], body["y"])


def _learned(request: ServerRequest, body: dict[str, object]) -> Given:
    """Rows, labels and ids of a body: of one row, or of several."""
    limits = request.limits
    rows, is_one = rows_asked(body, limits)
    if is_one:
        check_fields(body, ("row",), ("y", "id"))
        labels = [body["y"]] if "y" in body else None
        ids = [body["id"]] if "id" in body else None
    else:
        check_fields(body, ("rows",), ("y", "ids"))
        labels, ids = list_of(body, "y"), list_of(body, "ids")
    _check_labels(request, labels)
    key = request.http.headers.get("idempotency-key")
    if ids is None and key is not None:
        ids = [key] if is_one else [f"{key}/{number}" for number in range(len(rows))]
    return rows, labels, ids


def _check_labels(request: ServerRequest, labels: list[object] | None) -> None:
    check_growth(request.store.state(request.name).model, labels, request.limits)


async def committed(
    request: ServerRequest, verb: str, name: str, *given: Any, **by_name: object
) -> Any:
    """Hand in what is to be written, and wait until it is on the disk: the receipt."""
    store = request.store
    if verb == "create" or (verb in ("learn", "adopt") and len(given[0]) > FEW):
        future = await request.server.work(store.submit, verb, name, *given, **by_name)
    else:
        future = store.submit(verb, name, *given, **by_name)
    receipt = await request.server.receipts.of(future)
    n_new = len(receipt.already) - sum(receipt.already)
    if n_new:
        request.server.metrics.count("bayesic_events_total", n_new, op=verb, model=name)
    return {
        "ids": receipt.ids,
        "seqs": receipt.seqs,
        "already": receipt.already,
        "seq": receipt.seq,
    }
