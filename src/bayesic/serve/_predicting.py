"""Answers over HTTP: predict, explain, decide; of networks, query."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from http import HTTPStatus
from inspect import signature
from typing import Any

from starlette.responses import Response

from bayesic.catalogue import entry_of
from bayesic.decisions.decide import decide as best_actions
from bayesic.kernels import Array
from bayesic.networks.distribution import answer_json
from bayesic.networks.network import BeliefNetwork
from bayesic.serve._streams import streamed
from bayesic.serve.refusals import RefusedError
from bayesic.serve.request_bodies import CSV, JSON, LINES, check_fields, content_type, rows_asked
from bayesic.serve.request_limits import check_answer
from bayesic.serve.server import ServerRequest
from bayesic.serve.shapes import classes_of

Answers = dict[str, list[Any]]  # predictions, classes, probabilities


async def predict(request: ServerRequest) -> object:
    """The answers for one row, for several, or for a table of CSV or JSON lines."""
    form = content_type(request.http, (JSON, LINES, CSV))
    if form != JSON:
        return await _streamed(request, form)
    body = await request.json()
    rows, is_one = rows_asked(body, request.limits)
    check_fields(body, ("row",) if is_one else ("rows",), ("target",))
    state = await request.state()
    target = _target(state.model, body)
    if is_one and entry_of(state.model).scores_alone and request.is_quick(state):
        posterior = await request.posterior(state, rows[0])
        return {"seq": state.seq} | _alone(
            _as_answer(state.model.classes_.tolist(), posterior[None])
        )
    check_answer(len(rows), len(classes_of(state.model)), request.limits)
    answers = await request.of_model(state, answers_of, state.model, rows, target)
    return {"seq": state.seq} | (_alone(answers) if is_one else answers)


async def _streamed(request: ServerRequest, form: str) -> Response:
    state = await request.state()
    return await streamed(request, state, form)


def answers_of(model: Any, rows: object, target: Mapping[str, object]) -> Answers:
    """What a model predicts, with the probability of each class if it has any."""
    if not hasattr(type(model), "predict_proba"):
        return {"predictions": model.predict(rows).tolist()}
    posterior = model.predict_proba(rows, **target)
    classes = model.states(target["target"]) if target else model.classes_.tolist()
    return _as_answer(list(classes), posterior)


def _as_answer(classes: list[object], posterior: Array) -> Answers:
    best = posterior.argmax(axis=1).tolist()
    return {
        "predictions": [classes[index] for index in best],
        "classes": classes,
        "probabilities": posterior.tolist(),
    }


def _alone(answers: Answers) -> dict[str, object]:
    """The answer for one row, without the lists around it."""
    one = {"prediction": answers["predictions"][0]}
    if "classes" in answers:
        one |= {"classes": answers["classes"], "probabilities": answers["probabilities"][0]}
    return one


def _target(model: Any, body: Mapping[str, object]) -> dict[str, object]:
    """Which variable of a network is asked about."""
    is_network = isinstance(model, BeliefNetwork)
    if is_network != ("target" in body):
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            f'"target" must name one of {", ".join(model.variables)}.'
            if is_network
            else f'"target" is for networks; a {type(model).__name__} has one. Leave it out.',
        )
    return {"target": body["target"]} if is_network else {}


async def explain(request: ServerRequest) -> object:
    """Why a row gets its answer."""
    body = await request.json()
    check_fields(body, ("row",), ("answer", "against", "top", "target"))
    rows, _ = rows_asked(body, request.limits)
    state = await request.state()
    if not hasattr(state.model, "explain"):
        name = type(state.model).__name__
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY, f"A {name} gives no reasons. Use predict."
        )
    how = _target(state.model, body)
    how |= {name: body[name] for name in ("answer", "against", "top") if name in body}
    unknown = [name for name in how if name not in signature(state.model.explain).parameters]
    if unknown:
        raise ValueError(
            f"The reasons of a {type(state.model).__name__} do not depend on "
            f"{' or '.join(unknown)}. Leave it out."
        )
    (reason,) = await request.of_model(state, lambda: state.model.explain(rows, **how))
    explanation = reason.to_dict() if hasattr(reason, "to_dict") else asdict(reason)
    return {"seq": state.seq, **explanation}


async def decide(request: ServerRequest) -> object:
    """The action of least expected loss for each row."""
    body = await request.json()
    rows, is_one = rows_asked(body, request.limits)
    check_fields(body, ("row",) if is_one else ("rows",), ("loss", "reject_loss", "target"))
    loss = body.get("loss")
    if loss is not None and not isinstance(loss, dict):
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            f'"loss" must be an object {{action: {{class: cost}}}}, got {loss!r:.60}.',
        )
    state = await request.state()
    target = _target(state.model, body)
    reject = body.get("reject_loss")
    check_answer(len(rows), len(classes_of(state.model)), request.limits)
    answers = await request.of_model(state, _decided, state.model, rows, target, loss, reject)
    if is_one:
        answers = {"action": answers["actions"][0], "risk": answers["risks"][0]}
    return {"seq": state.seq, **answers}


def _decided(model: Any, rows: Any, target: Any, loss: Any, reject: Any) -> Answers:
    answers = answers_of(model, rows, target)
    if "classes" not in answers:
        raise ValueError(f"A {type(model).__name__} predicts numbers: there is no class to decide.")
    import numpy as np

    classes = answers["classes"]
    named = None if loss is None else {action: _costs(loss[action], classes) for action in loss}
    posterior = np.array(answers["probabilities"])
    actions, risk = best_actions(posterior, named, reject, classes)
    least = risk.min(axis=1)
    least = least if reject is None else least.clip(max=reject)
    return {"actions": actions.tolist(), "risks": least.tolist()}


def _costs(costs: object, classes: Sequence[object]) -> Any:
    """Costs by class; JSON has only texts as names, so other labels are found by theirs."""
    if not isinstance(costs, dict):
        raise ValueError(f"The costs of an action must be an object by class, got {costs!r:.60}.")
    labels = {str(label): label for label in classes}
    return {labels.get(name, name): cost for name, cost in costs.items()}


async def query(request: ServerRequest) -> object:
    """How probable the states of variables of a network are, given what is known."""
    body = await request.json()
    check_fields(body, (), ("targets", "given", "likelihoods", "do"))
    state = await request.state()
    if not isinstance(state.model, BeliefNetwork):
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            f"query is for networks, and {request.name!r} is a {type(state.model).__name__}. Use "
            "predict.",
        )
    known = {name: body[name] for name in ("given", "likelihoods", "do") if name in body}
    targets = body.get("targets")
    answer = await request.of_model(state, lambda: state.model.query(targets, **known))
    return {"seq": state.seq, **answer_json(answer, "exact")}
