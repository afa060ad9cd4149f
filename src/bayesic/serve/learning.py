"""Learn, forget and correct over HTTP: answered when it is on the disk and counts."""

from http import HTTPStatus
from typing import Any

from bayesic.data.arguments import has_learned
from bayesic.evaluation.running_scores import Sums, sums_of
from bayesic.networks.network import BeliefNetwork
from bayesic.serve.bodies import check_fields, list_of, rows_asked
from bayesic.serve.limits import check_answer, check_growth
from bayesic.serve.refusals import RefusedError
from bayesic.serve.server import Asked
from bayesic.serve.shapes import classes_of

FEW = 100  # rows that are checked without another thread

Given = tuple[list[Any], list[Any] | None, list[Any] | None]  # rows, labels, ids


async def learn(asked: Asked) -> Any:
    """Learn rows."""
    return await committed(asked, "learn", asked.name, *_learned(asked, await asked.json()))


async def adopt(asked: Asked) -> Any:
    """Give ids to rows that the model knows already."""
    return await committed(asked, "adopt", asked.name, *_learned(asked, await asked.json()))


async def evaluate(asked: Asked) -> Any:
    """Predict rows, then learn them; what was predicted, and how good it was so far."""
    return await evaluated(asked, *_learned(asked, await asked.json()))


async def evaluated(
    asked: Asked, rows: list[Any], labels: list[Any] | None, ids: list[Any] | None
) -> dict[str, Any]:
    """The receipt of rows that are predicted, then learned, with the predictions and scores."""
    state = asked.server.store.state(asked.name)
    model = state.model
    is_network = isinstance(model, BeliefNetwork)
    if labels is None or is_network or not hasattr(type(model), "predict_proba"):
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "Only what predicts classes is evaluated while it learns. Use learn.",
        )
    posterior = None
    if has_learned(model):
        check_answer(len(rows), len(classes_of(model)), asked.server.limits)
        posterior = await asked.of_model(state, model.predict_proba, rows)
    receipt = await committed(asked, "learn", asked.name, rows, labels, ids)
    new = [place for place, was in enumerate(receipt["already"]) if not was]
    sums = Sums(not_scored=len(new))
    if posterior is not None and new:
        sums = sums_of(posterior[new], model, [labels[place] for place in new])
    answers: dict[str, Any] = {"classes": classes_of(model)}
    answers["probabilities"] = None if posterior is None else posterior.tolist()
    return receipt | answers | {"evaluation": asked.server.scores.add(asked.name, sums).to_dict()}


async def evaluation(asked: Asked) -> Any:
    """How good predictions were so far, since the server was started."""
    state = await asked.state()
    return {"seq": state.seq, **asked.server.scores.of(asked.name).to_dict()}


async def forget(asked: Asked) -> Any:
    """Take rows back out."""
    body = await asked.json()
    check_fields(body, ("ids",))
    return await committed(asked, "forget", asked.name, list_of(body, "ids") or [])


async def correct(asked: Asked) -> Any:
    """Give a row another label; of a network, other cells."""
    body = await asked.json()
    check_fields(body, ("id", "y"))
    _check_labels(asked, [body["y"]])
    return await committed(asked, "correct", asked.name, body["id"], body["y"])


def _learned(asked: Asked, body: dict[str, Any]) -> Given:
    """Rows, labels and ids of a body: of one row, or of several."""
    limits = asked.server.limits
    rows, is_one = rows_asked(body, limits)
    if is_one:
        check_fields(body, ("row",), ("y", "id"))
        labels = [body["y"]] if "y" in body else None
        ids = [body["id"]] if "id" in body else None
    else:
        check_fields(body, ("rows",), ("y", "ids"))
        labels, ids = list_of(body, "y"), list_of(body, "ids")
    _check_labels(asked, labels)
    key = asked.request.headers.get("idempotency-key")
    if ids is None and key is not None:
        ids = [key] if is_one else [f"{key}/{number}" for number in range(len(rows))]
    return rows, labels, ids


def _check_labels(asked: Asked, labels: list[Any] | None) -> None:
    check_growth(asked.server.store.state(asked.name).model, labels, asked.server.limits)


async def committed(asked: Asked, verb: str, name: str, *given: Any, **by_name: Any) -> Any:
    """Hand in what is to be written, and wait until it is on the disk: the receipt."""
    store = asked.server.store
    if verb == "create" or (verb in ("learn", "adopt") and len(given[0]) > FEW):
        future = await asked.server.work(store.submit, verb, name, *given, **by_name)
    else:
        future = store.submit(verb, name, *given, **by_name)
    receipt = await asked.server.receipts.of(future)
    n_new = len(receipt.already) - sum(receipt.already)
    if n_new:
        asked.server.metrics.count("bayesic_events_total", n_new, op=verb, model=name)
    return {
        "ids": receipt.ids,
        "seqs": receipt.seqs,
        "already": receipt.already,
        "seq": receipt.seq,
    }
