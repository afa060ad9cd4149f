"""Models as bytes and back: what a model file holds; of a model that has not learned, less."""

from importlib import import_module
from io import BytesIO
from typing import Any

from bayesic.catalogue import MODELS, ON_TOP
from bayesic.data.arguments import has_learned
from bayesic.files.archive import read_archive, write_archive
from bayesic.files.model_files import encoded_parameters, load, unfitted
from bayesic.files.tagged import decode, encode
from bayesic.kernels import Array
from bayesic.networks.network import BeliefNetwork
from bayesic.store.errors import DamagedError

ADVICE = {
    "BayesDecision": "Keep its model in the store, and decide over store.model(name).",
    "LogisticRegression": "NaiveBayes and GaussianBayes can.",
    "SemiSupervised": "Its shares depend on all rows. Keep its model in the store.",
}


def checked_model(model: Any) -> None:
    """Refuse what cannot learn row by row, cannot forget, or cannot be written to a file."""
    name = type(model).__name__
    can = [verb for verb in ("partial_fit", "forget") if hasattr(model, verb)]
    if name not in MODELS | ON_TOP or len(can) < 2:
        advice = ADVICE.get(name, "NaiveBayes and TextClassifier can, among others.")
        raise TypeError(
            "A store keeps models of this library that learn by partial_fit and can forget, got a "
            f"{name}. {advice}"
        )
    if name in ON_TOP and not isinstance(model, BeliefNetwork) and not has_learned(model):
        raise ValueError(f"A {name} comes into a store fitted. Call fit first.")
    if isinstance(model, BeliefNetwork) and not has_learned(model) and model._tables:
        raise ValueError(
            "The tables of this network were given without counts, to which nothing can be added. "
            "Fit it first, or give a network of edges and states alone."
        )
    named = {} if isinstance(model, BeliefNetwork) else model.get_params(deep=False)
    functions = [parameter for parameter, value in named.items() if callable(value)]
    if functions:
        raise TypeError(
            f"A store keeps plain values, and no code: {', '.join(functions)} of this {name} is a "
            "function. Name one that the library has, or keep such a model in your own program."
        )
    if hasattr(model, "_check_parameters"):
        model._check_parameters()


def bytes_of(model: Any) -> bytes:
    """The model as the bytes of a model file. The same model gives the same bytes.

    >>> import bayesic as by
    >>> model_of(bytes_of(by.NaiveBayes(smoothing=2.0))).smoothing
    2.0
    """
    buffer = BytesIO()
    if has_learned(model):
        model.save(buffer)
        return buffer.getvalue()
    arrays: dict[str, Array] = {}
    parameters = (
        {"edges": encode(model.edges, "", arrays, {}), "states": _states(model)}
        if isinstance(model, BeliefNetwork)
        else encoded_parameters(model, arrays)
    )
    manifest = {
        "library": import_module("bayesic").__version__,
        "model": type(model).__name__,
        "parameters": parameters,
        "unfitted": True,
    }
    write_archive(buffer, manifest, arrays)
    return buffer.getvalue()


def _states(network: BeliefNetwork) -> object:
    return encode(dict(network._given_states), "", {}, {})


def model_of(data: bytes) -> Any:
    """The model of these bytes; no code of theirs is run."""
    try:
        manifest, arrays = read_archive(BytesIO(data))
        if not manifest.get("unfitted"):
            return load(BytesIO(data))
        if manifest["model"] != "BeliefNetwork":
            return unfitted(manifest, arrays)
        parameters = {
            name: decode(node, arrays, {}) for name, node in manifest["parameters"].items()
        }
        return BeliefNetwork(**parameters)
    except ValueError as refusal:
        reason = str(refusal).partition("> ")[2] or str(refusal)
        raise DamagedError(f"The bytes of a model cannot be read: it {reason}") from refusal
