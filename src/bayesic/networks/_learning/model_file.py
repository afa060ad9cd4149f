"""Learned networks to model files and back: their edges, the states given, and the counts.

The tables are not stored: loading estimates them again, as for every model of counts.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from bayesic.files.archive import RefusedFileError, write_archive
from bayesic.files.tagged import decode, encode, encode_words
from bayesic.files.whole_files import PathLike
from bayesic.kernels import Array
from bayesic.networks._learning.estimates import checked_account
from bayesic.statistics.families import FamilyCounts

if TYPE_CHECKING:
    from bayesic.networks.network import BeliefNetwork

Network = TypeVar("Network", bound="BeliefNetwork")
MODEL = "BeliefNetwork"
RECORDS: Mapping[str, type] = {"FamilyCounts": FamilyCounts}


def save_network(network: "BeliefNetwork", path: PathLike) -> None:
    """Write a learned network to a model file; see `files/model_files.py` for its parts."""
    arrays: dict[str, Array] = {}
    parameters = {"edges": network.edges, "states": network._given_states}
    if network.positions:
        parameters["positions"] = network.positions
    names = encode_words(network.variables, "features.names", arrays)
    manifest = {
        "library": import_module("bayesic").__version__,
        "model": MODEL,
        "parameters": {
            name: encode(value, f"parameters.{name}", arrays, {})
            for name, value in parameters.items()
        },
        "classes": None,
        "features": {"number": len(network.variables), "names": names, "target": None},
        "statistics": encode(network.statistics_.checked(), "statistics", arrays, RECORDS),
        "extra": encode(_extra(network), "extra", arrays, {}),
        "decision": None,
    }
    write_archive(path, manifest, arrays)


def _extra(network: "BeliefNetwork") -> dict[str, object]:
    account = (network.method_, network.trace_, network.converged_)
    return {"smoothing": network.smoothing_, "account": account}


def restored_network(
    make: "type[Network]", manifest: Mapping[str, Any], arrays: Mapping[str, Array]
) -> "Network":
    """The network of a model file, its tables estimated again; what cannot be is refused."""
    parameters, extra = manifest["parameters"], decode(manifest["extra"], arrays, {})
    named = set(parameters) - {"positions"}  # they are there if the network has any
    if named != {"edges", "states"} or set(extra) != {"smoothing", "account"}:
        raise RefusedFileError(
            "it must hold the edges and states of a network, its smoothing, and how it learned."
        )
    if manifest["classes"] is not None or manifest["decision"] is not None:
        raise RefusedFileError("a network has neither classes nor a loss of its own.")
    given = {name: decode(node, arrays, {}) for name, node in parameters.items()}
    network = make(**given)
    features = manifest["features"]
    number = len(network.variables)
    if set(features) != {"number", "names", "target"} or features["number"] != number:
        raise RefusedFileError("it must name as many variables as its network has.")
    if decode(features["names"], arrays, {}) != network.variables:
        raise RefusedFileError("its variables are not those of its network.")
    statistics = decode(manifest["statistics"], arrays, RECORDS)
    if type(statistics) is not FamilyCounts or statistics.parents != network._parents:
        raise RefusedFileError("its counts are not those of its network.")
    account = checked_account(extra["account"])
    return network._learn(statistics, extra["smoothing"], account)
