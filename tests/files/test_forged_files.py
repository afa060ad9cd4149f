"""Model files that somebody forged: sound zips with wild values in the manifest and the arrays.

`load` refuses them with a sentence, or gives a model that answers with probabilities; it never
takes much memory. BAYESIC_FORGED=100000 tries more of them.
"""

import copy
import os
import random
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bayesic as by
from bayesic.files.archive import read_archive, write_archive

N_FORGED = int(os.environ.get("BAYESIC_FORGED", "1500"))  # of all kinds of models together

RNG = np.random.default_rng(5)
COUNTS = RNG.integers(0, 4, (24, 3)) + np.repeat([[0], [1]], 12, axis=0)
LABELS = np.repeat(["ham", "spam"], 12)
NUMBERS = COUNTS + RNG.normal(size=COUNTS.shape)
TABLE = pd.DataFrame({"sky": np.where(COUNTS[:, 0] > 1, "rain", "sun"), "wind": NUMBERS[:, 1]})
TEXTS = ["free lunch today", "rain and 雨", "free money", "lunch in the rain"] * 6
NET = {"Storm": ["yes", "no"] * 12, "Fire": (["no"] * 3 + ["yes"]) * 6}


def saved_models() -> dict[str, tuple[Any, Any]]:
    """Models of all kinds that files hold, with rows to ask them about."""
    of_tables = by.NaiveBayes(columns={"words": "text", "n": "poisson"}).fit(
        TABLE.assign(words=TEXTS, n=COUNTS[:, 2]), LABELS
    )
    asked = TABLE.assign(words=TEXTS, n=COUNTS[:, 2])
    loss = {"read": {"ham": 0, "spam": 1}, "drop": {"ham": 10, "spam": 0}}
    net = by.BeliefNetwork(edges=[("Storm", "Fire")]).fit(NET, smoothing=1)
    return {
        "GaussianNB": (by.GaussianNB().fit(NUMBERS, LABELS), NUMBERS),
        "MultinomialNB": (by.MultinomialNB().fit(COUNTS, LABELS), COUNTS),
        "ComplementNB": (by.ComplementNB().fit(COUNTS, LABELS), COUNTS),
        "BernoulliNB": (by.BernoulliNB().fit(COUNTS, LABELS), COUNTS),
        "CategoricalNB": (by.CategoricalNB().fit(COUNTS, LABELS), COUNTS),
        "GaussianBayes": (by.GaussianBayes(shrinkage="auto").fit(NUMBERS, LABELS), NUMBERS),
        "spherical": (by.GaussianBayes("spherical").fit(NUMBERS, LABELS), NUMBERS),
        "LDA": (by.LinearDiscriminantAnalysis().fit(NUMBERS, LABELS), NUMBERS),
        "QDA": (by.QuadraticDiscriminantAnalysis().fit(NUMBERS, LABELS), NUMBERS),
        "LogisticRegression": (by.LogisticRegression().fit(NUMBERS, LABELS), NUMBERS),
        "LeastSquares": (by.LeastSquares().fit(NUMBERS, NUMBERS[:, 0]), NUMBERS),
        "KNeighborsClassifier": (by.KNeighborsClassifier(3).fit(NUMBERS, LABELS), NUMBERS),
        "KNeighborsRegressor": (by.KNeighborsRegressor(3).fit(NUMBERS, NUMBERS[:, 0]), NUMBERS),
        "GaussianMixture": (by.GaussianMixture(2, random_state=0).fit(NUMBERS), NUMBERS),
        "KMeans": (by.KMeans(2, random_state=0).fit(NUMBERS), NUMBERS),
        "NaiveBayes": (of_tables, asked),
        "rows": (by.NaiveBayes().fit(NUMBERS, LABELS), NUMBERS),
        "rows of words": (by.JointBayes().fit(TABLE[["sky"]].to_numpy(), LABELS), [["rain"]]),
        "tree of rows": (by.TreeAugmentedNB().fit(NUMBERS, LABELS), NUMBERS),
        "description of rows": (by.hypotheses.MDLTreeClassifier().fit(NUMBERS, LABELS), NUMBERS),
        "JointBayes": (by.JointBayes().fit(TABLE[["sky"]], LABELS), TABLE[["sky"]]),
        "TreeAugmentedNB": (by.TreeAugmentedNB().fit(TABLE, LABELS), TABLE),
        "KDependence": (by.KDependence().fit(TABLE, LABELS), TABLE),
        "AveragedOneDependence": (by.AveragedOneDependence().fit(TABLE, LABELS), TABLE),
        "TextClassifier": (by.TextClassifier().fit(TEXTS, LABELS), TEXTS),
        "tf-idf": (by.TextClassifier(weighting="tf-idf").fit(TEXTS, LABELS), TEXTS),
        "MDLTreeClassifier": (by.hypotheses.MDLTreeClassifier().fit(TABLE, LABELS), TABLE),
        "weights": (by.NaiveBayes(weights="learned").fit(TABLE, LABELS), TABLE),
        "Calibrated": (by.calibrated(by.GaussianNB()).fit(NUMBERS, LABELS), NUMBERS),
        "BayesDecision": (by.BayesDecision(by.GaussianNB(), loss).fit(NUMBERS, LABELS), NUMBERS),
        "BeliefNetwork": (net, NET),
    }


# forging --------------------------------------------------------------------------------------

WILD = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    10**6,
    2**31,
    2**63,
    10**300,
    1e308,
    -1e308,
    5e-324,
    0.5,
    "",
    "x",
]
WILD += [
    "ham",
    "\ud800",
    "x" * 1000,
    [],
    [[]],
    {},
    {"float": "nan"},
    {"float": "inf"},
    {"float": "-inf"},
]
WILD += [{"float": "1e999"}, {"float": []}, {"tuple": []}, {"tuple": [1, 2]}, {"dict": []}]
WILD += [
    {"dict": [["a", 1], ["a", 2]]},
    {"array": "classes"},
    {"scalar": "classes"},
    {"words": "x"},
]
WILD += [{"objects": {"shape": [10**9], "values": []}}, {"objects": {"shape": [-1], "values": [1]}}]
WILD += [{"objects": {"shape": [], "values": [1]}}, {"strings": {"shape": [1], "values": ["a"]}}]
NUMBERS_TO_PUT = [0, 1, -1, 2, 7, 0.5, 1e-300, 1e15, 1e100, 1e300, 1e308, -1e308, np.inf, -np.inf]
NUMBERS_TO_PUT += [np.nan, 2**31, 2**53, 2**62, 2**63 - 1]
DTYPES = ["f8", "f4", "i8", "i4", "u8", "u1", "?", "U3", "S3"]


def places(node: Any, path: tuple = ()) -> Iterator[tuple]:
    """Where all values of a manifest are."""
    yield path
    items = (
        node.items()
        if isinstance(node, dict)
        else enumerate(node)
        if isinstance(node, list)
        else ()
    )
    for key, part in items:
        yield from places(part, (*path, key))


def forged_manifest(manifest: dict, draw: random.Random) -> dict:
    manifest = copy.deepcopy(manifest)
    path = draw.choice([place for place in places(manifest) if place])
    node: Any = manifest
    for key in path[:-1]:
        node = node[key]
    kind = draw.choice(["put", "put", "put", "remove", "copy", "scale"])
    if kind == "remove":
        del node[path[-1]]
    elif kind == "copy":
        other: Any = manifest
        for key in draw.choice([*places(manifest)]):
            other = other[key]
        node[path[-1]] = copy.deepcopy(other)
    elif kind == "scale" and isinstance(node[path[-1]], (int, float)):
        node[path[-1]] *= draw.choice([-1, 2, 1000, 1e300, 0])
    else:
        node[path[-1]] = draw.choice(WILD)
    return manifest


def forged_arrays(arrays: dict, draw: random.Random) -> dict:
    arrays = dict(arrays)
    if not arrays:
        return arrays
    name = draw.choice([*arrays])
    array = arrays[name].copy()
    kind = draw.choice(["entry", "entry", "entry", "all", "shape", "dtype", "remove", "swap"])
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if kind in ("entry", "all") and array.size and array.dtype.kind in "biuf":
            value = np.array(draw.choice(NUMBERS_TO_PUT)).astype(array.dtype)
            array.flat[draw.randrange(array.size) if kind == "entry" else slice(None)] = value
        elif kind == "shape":
            shapes = [(), (0,), (array.size,), (1, *array.shape), array.shape[::-1], (10, 10)]
            array = np.resize(array, draw.choice(shapes))
        elif kind == "dtype":
            array = array.astype(draw.choice(DTYPES)) if array.dtype.kind in "biuf" else array[:0]
        elif kind == "swap":
            array = arrays[draw.choice([*arrays])]
    arrays[name] = array
    if kind == "remove":
        del arrays[name]
    return arrays


def forged(manifest: dict, arrays: dict, draw: random.Random) -> tuple[dict, dict]:
    """The parts of a file, changed in one or two places."""
    for _ in range(draw.choice([1, 1, 1, 2])):
        if draw.random() < 0.5:
            manifest = forged_manifest(manifest, draw)
        else:
            arrays = forged_arrays(arrays, draw)
    return manifest, arrays


# asking ---------------------------------------------------------------------------------------


def problem_of(path: Path, asked: Any) -> str | None:
    """What is wrong with how a forged file is taken; None if it is refused, or answers well."""
    try:
        model = by.load(path)
    except ValueError as refusal:
        return None if str(path) in str(refusal) else f"no sentence: {refusal}"
    except MemoryError as error:
        return f"load: {error!r}"
    try:
        answers = _answers(model, asked)
    except ValueError as refusal:  # of rows that do not suit the model
        return None if str(refusal) else "no sentence"
    except Exception as error:
        return f"answer: {error!r}"
    sums_to_one = answers is None or np.allclose(answers.sum(axis=1), 1.0)
    return None if sums_to_one else f"answers {answers[:2]}"


def _answers(model: Any, asked: Any) -> np.ndarray | None:
    if isinstance(model, by.BeliefNetwork):
        return model.predict_proba(asked, model.variables[0])
    model.predict(asked)
    return model.predict_proba(asked) if hasattr(model, "predict_proba") else None


MODELS = saved_models()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODELS)
def test_a_forged_file_is_refused_or_answers_with_probabilities(name, tmp_path):
    model, asked = MODELS[name]
    model.save(tmp_path / "sound.bayes")
    sound = read_archive(tmp_path / "sound.bayes")
    path = tmp_path / "forged.bayes"
    for number in range(N_FORGED // len(MODELS) + 1):
        draw = random.Random(f"{name} {number}")
        try:
            write_archive(path, *forged(*sound, draw))
        except (ValueError, TypeError, RecursionError):
            continue  # no such file can be written
        problem = problem_of(path, asked)
        assert problem is None, f"{name} {number}: {problem}"


@pytest.mark.parametrize("number", [1e308, 10**308, 2**31, 2**63, -1, 0, 2.0, True, "3", None, [3]])
@pytest.mark.parametrize("name", ["rows", "rows of words", "GaussianNB", "KMeans", "tf-idf"])
def test_a_number_of_features_that_cannot_be_is_refused(name, number, tmp_path):
    MODELS[name][0].save(tmp_path / "forged.bayes")
    manifest, arrays = read_archive(tmp_path / "forged.bayes")
    manifest["features"]["number"] = number
    write_archive(tmp_path / "forged.bayes", manifest, arrays)
    with pytest.raises(ValueError, match="is not a bayesic model file"):
        by.load(tmp_path / "forged.bayes")


@pytest.mark.parametrize("order", [2**31, 10**300])
def test_columns_that_are_not_there_take_no_time(order, tmp_path):
    rows = TABLE[["sky"]]
    model = by.KDependence(k=order).fit(rows, LABELS)  # took minutes, as did loading it
    model.save(tmp_path / "sky.bayes")
    assert by.load(tmp_path / "sky.bayes").predict(rows).tolist() == model.predict(rows).tolist()


def test_counts_of_a_tree_that_cannot_be_added_up_are_refused(tmp_path):
    MODELS["MDLTreeClassifier"][0].save(tmp_path / "tree.bayes")
    manifest, arrays = read_archive(tmp_path / "tree.bayes")
    [counts] = [name for name, array in arrays.items() if array.ndim == 2]
    arrays[counts] = np.full_like(arrays[counts], 1e308)
    write_archive(tmp_path / "tree.bayes", manifest, arrays)
    with pytest.raises(ValueError, match="is not a bayesic model file"):
        by.load(tmp_path / "tree.bayes")
