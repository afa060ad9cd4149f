"""Models to files and back: `save` and `load`.

A model is a function of its parameters and its statistics. So a file holds these, and loading
estimates again: nothing that was computed from them is stored, and no code of the file is run.
"""

from collections.abc import Collection, Mapping
from importlib import import_module
from io import BytesIO
from typing import Any, ClassVar

import numpy as np

from bayesic.catalogue import MODELS, STATISTICS, class_named
from bayesic.contract.constructor import parameter_names
from bayesic.data.arguments import check_is_fitted
from bayesic.data.labels import declared_classes, narrow_words
from bayesic.data.snapshots import answering
from bayesic.data.typing import FilePath
from bayesic.files.archive import (
    RefusedFileError,
    UnreadableHereError,
    read_archive,
    refusing,
    write_archive,
)
from bayesic.files.tagged import decode, encode, encode_words
from bayesic.files.whole_files import PathLike
from bayesic.kernels import Array

MOST_FEATURES = 10**7  # models make a name for each
KEYS = {"library", "model", "parameters", "classes", "features", "statistics", "extra", "decision"}
ONLY_SOME = {"calibration"}  # of the files have it


def save(
    model: object,
    path: PathLike | BytesIO,
    decision: Mapping[str, object] | None = None,
    calibration: Mapping[str, object] | None = None,
) -> None:
    """Write a fitted model to a file; see docs/model-files.md for what it holds.

    The parameters are stored as they are now: the model that `load` gives is the one that comes
    from estimating with them, as the next `partial_fit` would. `decision` holds the loss and the
    reject_loss of a BayesDecision on top of it, `calibration` the numbers of a Calibrated.
    """
    name = type(model).__name__
    if name not in MODELS or type(model) is not class_named(name):
        raise TypeError(
            f"A model file holds one of {', '.join(MODELS)}, got a {name}. Use pickle for others."
        )
    check_is_fitted(model)
    arrays: dict[str, Array] = {}
    manifest = {
        "library": import_module("bayesic").__version__,
        "model": name,
        "parameters": encoded_parameters(model, arrays),
        "classes": encode(getattr(model, "classes_", None), "classes", arrays, {}),
        "features": _encode_features(model, arrays),
        **_encode_learned(model, arrays),
        "decision": encode(decision, "decision", arrays, {}),
    }
    if calibration is not None:
        manifest["calibration"] = encode(calibration, "calibration", arrays, {})
    write_archive(path, manifest, arrays)


def encoded_parameters(model: Any, arrays: dict[str, Array]) -> dict[str, object]:
    """The parameters of a model as tagged JSON; their arrays are put into `arrays`.

    A function is left out: a file holds no code. What is learned with one keeps its name.
    """
    return {
        name: encode(None if callable(value) else value, f"parameters.{name}", arrays, {})
        for name, value in model.get_params(deep=False).items()
    }


def _encode_learned(model: Any, arrays: dict[str, Array]) -> dict[str, Any]:
    """The statistics of a model and what it has beside them; or its state."""
    records = statistics_classes()
    if hasattr(model, "_state"):
        state = encode(model._state(), "extra", arrays, records)
        return {"statistics": None, "extra": state}
    statistics = encode(model.statistics_.checked(), "statistics", arrays, records)
    return {
        "statistics": statistics,
        "extra": encode(_notes().state_of_notes(model), "extra", arrays, {}),
    }


def load(path: PathLike | BytesIO) -> Any:
    """The model that was saved to this file, ready to predict and to learn more.

    A file that is damaged, or was made by something else or by a newer bayesic, is refused with one
    sentence. No code from the file is run.

    >>> import bayesic as by
    >>> from tempfile import TemporaryDirectory
    >>> model = by.GaussianNB().fit([[1.0], [2.0], [8.0]], ["low", "low", "high"])
    >>> with TemporaryDirectory() as folder:
    ...     model.save(f"{folder}/height.bayes")
    ...     by.load(f"{folder}/height.bayes").predict([[3.0]])
    array(['low'], dtype='<U4')
    """
    manifest, arrays = read_archive(path)
    with refusing(path):
        if manifest.get("unfitted"):
            raise UnreadableHereError("holds a model that has learned nothing yet.")
        _check_keys("manifest", manifest, KEYS | (ONLY_SOME & set(manifest)))
        if manifest["model"] == "BeliefNetwork":
            return class_named("BeliefNetwork")._restored(manifest, arrays)
        model = _fitted(unfitted(manifest, arrays), manifest, arrays)
        if "calibration" in manifest:
            learned = decode(manifest["calibration"], arrays, {})
            model = class_named("Calibrated")._restored(model, learned)
        decision = decode(manifest["decision"], arrays, {})
        return model if decision is None else _deciding(model, decision)


def _deciding(model: Any, decision: Any) -> object:
    _check_keys("decision", decision, {"loss", "reject_loss"})
    deciding = class_named("BayesDecision")(model, **decision)
    deciding.actions_  # noqa: B018  raises if the loss does not suit the classes
    return deciding


def _encode_features(model: Any, arrays: dict[str, Array]) -> dict[str, object]:
    names = getattr(model, "feature_names_in_", None)
    return {
        "number": int(model.n_features_in_),
        "names": None if names is None else encode_words(names, "features.names", arrays),
        "target": getattr(model, "target_name_", None),
    }


def unfitted(manifest: Mapping[str, Any], arrays: Mapping[str, Array]) -> Any:
    """A model of the kind and with the parameters that the manifest tells."""
    name = manifest["model"]
    if name not in MODELS:
        raise RefusedFileError(f"it holds a {name!r}, which this version does not know.")
    model_class, entry = class_named(name), MODELS[name]
    parameters = manifest["parameters"].items()
    given = {key: node for key, node in parameters if key not in entry.dropped}
    lacks = entry.later - set(given)
    _check_keys(name, given, set(parameter_names(model_class)) - lacks)
    model = model_class(**{key: decode(node, arrays, {}) for key, node in given.items()})
    model._check_parameters()
    return model


def _fitted(model: Any, manifest: Mapping[str, Any], arrays: Mapping[str, Array]) -> object:
    """The model with the statistics of the manifest, estimated again; or with its state."""
    records = statistics_classes()
    statistics = decode(manifest["statistics"], arrays, records)
    if (manifest["classes"] is not None) != model._has_classes:
        raise RefusedFileError(
            "it has classes where there should be none, or lacks them where it should have some."
        )
    if manifest["classes"] is not None:
        model.classes_ = _decoded_classes(manifest["classes"], arrays)
    _restore_features(model, manifest["features"], arrays)
    if hasattr(model, "_state"):
        model._restore(decode(manifest["extra"], arrays, records))
        return model
    _notes().restore_notes(model, decode(manifest["extra"], arrays, {}))
    n_classes = len(model.classes_)
    if len(statistics.class_count) != n_classes or not (n_classes and model.n_features_in_ > 0):
        raise RefusedFileError("its statistics do not match its classes.")
    if not isinstance(statistics, _statistics_of(model)) or not model._has_features_of(statistics):
        raise RefusedFileError("its statistics do not match its features.")
    return model._keep(statistics)


def _notes() -> Any:
    """The module of notes, which builds on models."""
    return import_module("bayesic.models.notes")


def keeps_counts(model: object) -> bool:
    """Whether the statistics of a model can be written by themselves: not where they are rows."""
    return _statistics_of(model).__name__ in STATISTICS


def _statistics_of(model: object) -> type:
    """The class of the statistics that a model keeps: it says so."""
    annotations = (vars(each).get("__annotations__", {}) for each in type(model).__mro__)
    return next(names["statistics_"] for names in annotations if "statistics_" in names)


def _restore_features(model: Any, features: Any, arrays: Mapping[str, Array]) -> None:
    _check_keys("features", features, {"number", "names", "target"})
    number = features["number"]
    if type(number) is not int or not 1 <= number <= MOST_FEATURES:
        raise RefusedFileError(f"it cannot have {str(number)[:20]} features.")
    model.n_features_in_ = number
    names = decode(features["names"], arrays, {})
    if names is not None:
        if type(names) is not tuple or len(names) != model.n_features_in_:
            raise RefusedFileError("its features do not have one name each.")
        model.feature_names_in_ = np.array(names, dtype=object)
    if not isinstance(features["target"], (str, type(None))):
        raise RefusedFileError("the name of its target is not a string.")
    if features["target"] is not None:
        model.target_name_ = features["target"]


def _decoded_classes(node: object, arrays: Mapping[str, Array]) -> Array:
    classes = decode(node, arrays, {})
    if classes.ndim != 1:
        raise RefusedFileError("its classes are not a list.")
    declared_classes(classes)  # raises if they are not labels, or one comes twice
    return narrow_words(classes)


def _check_keys(what: str, given: Mapping[str, object], expected: set[str]) -> None:
    if set(given) != expected:
        missing, unknown = sorted(expected - set(given)), sorted(set(given) - expected)
        raise RefusedFileError(f"its {what} lacks {missing} and has the unknown {unknown}.")


def statistics_classes() -> dict[str, type]:
    """The statistics that a file can hold, by name."""
    return {name: getattr(import_module(home), name) for name, home in STATISTICS.items()}


def checked_arrays(
    state: object, shapes: Mapping[str, tuple[int, ...] | None], others: Collection[str] = ()
) -> dict[str, Array]:
    """The arrays of a state, if they hold finite numbers in these shapes; None: one axis, any.

    others : what else the state has, and nothing more

    >>> checked_arrays({"trace": np.array([0.5])}, {"trace": None})
    {'trace': array([0.5])}
    """
    expected = [*shapes, *others]
    if not isinstance(state, dict) or set(state) != set(expected):
        raise ValueError(f"The state must have {', '.join(expected)}, and nothing else.")
    arrays = {name: state[name] for name in shapes}
    for name, array in arrays.items():
        if not isinstance(array, np.ndarray) or array.dtype != np.float64:
            raise ValueError(f"{name} must be an array of float64.")
        shape = shapes[name] or (max(1, array.size),)
        if array.shape != shape or not np.isfinite(array).all():
            raise ValueError(
                f"{name} must hold finite numbers in the shape {shape}, got {array.shape}."
            )
    return arrays


class Saved:
    """A model that `save` writes to a file and `bayesic.load` reads.

    A model of additive statistics is written as these (`models/counting.py`). Any other says what
    it has learned by `_state`, in plain values, arrays and statistics, and takes it back by
    `_restore`, which refuses what cannot be: a file made by hand may say anything.
    """

    _has_classes: ClassVar[bool] = (
        False  # a classifier tells them beside its statistics or its state
    )

    @answering
    def save(self, path: FilePath) -> None:
        """Write the model to a file, which `bayesic.load(path)` reads.

        The file holds the parameters and what was learned, but no code. An existing file is
        replaced at the end, in one step: if saving fails, it stays intact.
        """
        self._save(path)

    def _save(self, path: Any, *on_top: dict[str, object] | None) -> None:
        """The model, and what stands on it: a decision, a calibration."""
        save(self, path, *on_top)
