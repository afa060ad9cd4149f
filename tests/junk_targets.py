"""What is fed junk: a name, and a function that makes one case, which is then called."""

import io
import json
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import bayesic as by
from bayesic import hypotheses, plots
from junk_estimators import ARRAY_MODELS, TABLE_MODELS, Case, Target, estimator
from junk_kept import journal_bytes, pickled_while_asked
from junk_served import server_body, studio_body
from junk_shapes import odd_names, odd_shape
from junk_values import junk, labels, matrix, spoiled_bytes, spoiled_text, table, texts

Makers = dict[str, Callable[[Random], Any]]


def spoiled_call(function: Callable[..., Any], **makers: Callable[[Random], Any]) -> Target:
    """Calls with good arguments, some of which are junk."""

    def make(random: Random) -> Case:
        share = random.choice([0.1, 0.3, 1.0])
        arguments = {
            name: junk(random) if random.random() < share else good(random)
            for name, good in makers.items()
        }
        return lambda: function(**arguments)

    return make


def one_of(*values: Any) -> Callable[[Random], Any]:
    return lambda random: random.choice(values)


# functions ------------------------------------------------------------------------------------

DAYS = by.datasets.enjoy_sport()
LOSS = {"approve": {"good": 0, "bad": 5}, "decline": {"good": 1, "bad": 0}}
LONG = [
    ("good", "approve", 0),
    ("bad", "approve", 5),
    ("good", "decline", 1),
    ("bad", "decline", 0),
]
POSTERIORS = ([[0.75, 0.25]], [[0.5, 0.5], [1, 0]], np.full((3, 2), 0.5))
PRIORS = ({"rain": 0.5, "sun": 0.5}, [0.25, 0.75], np.array([0.1, 0.9]), {"rain": 1})


@cache
def _model() -> Any:
    return by.BernoulliNB().fit([[1, 1], [1, 0], [0, 1], [0, 0]], ["good", "good", "good", "bad"])


@cache
def _space() -> Any:
    return hypotheses.candidate_elimination(DAYS.rows, DAYS.target)


def small_network() -> Any:
    return by.BeliefNetwork(
        [("storm", "fire"), ("bus", "fire")],
        tables={
            "storm": {"yes": 0.25, "no": 0.75},
            "bus": {"yes": 0.5, "no": 0.5},
            "fire": {
                ("yes", "yes"): {"yes": 0.4, "no": 0.6},
                ("yes", "no"): {"yes": 0.1, "no": 0.9},
                ("no", "yes"): {"yes": 0.8, "no": 0.2},
                ("no", "no"): {"yes": 0.2, "no": 0.8},
            },
        },
    )


def _hypothesis(random: Random) -> Any:
    return hypotheses.Hypothesis("fair", 0.5, {"head": 0.5, "tail": 0.5})


def _days(random: Random) -> Any:
    return DAYS.rows


def _answers(random: Random) -> Any:
    return DAYS.target


CONCEPT: Makers = {
    "X": _days,
    "y": _answers,
    "positive": one_of(None, "Yes", "No", 1),
    "values": one_of(None, {"x0": ["Sunny", "Rainy", "Cloudy"]}),
}
GIVEN: Makers = {"given": one_of({}, {"bus": "yes"}, {"storm": "no", "bus": "no"}, {"fire": "?"})}


def functions() -> dict[str, Target]:
    """The functions of tables, decisions, hypotheses and networks."""
    space, net = _space(), small_network()
    coins = {"fair": {"head": 0.5, "tail": 0.5}, "fake": {"head": 1, "tail": 0}}
    return {
        "choose_model": spoiled_call(
            by.choose_model,
            X=lambda random: table(random, 12),
            y=lambda random: labels(random, 12),
            candidates=lambda random: [by.NaiveBayes(), by.AveragedOneDependence()],
            max_rows=one_of(5, 10),
            seed=one_of(0, 1),
        ),
        "date_columns": spoiled_call(
            by.date_columns, table=one_of({"when": ["2024-01-05", None]}), column=one_of("when")
        ),
        "decide": spoiled_call(
            by.decide,
            posterior=one_of(*POSTERIORS),
            loss=one_of(None, LOSS, LONG, [[0, 5], [1, 0]]),
            reject_loss=one_of(None, 0.5),
            classes=one_of(None, ["bad", "good"]),
        ),
        "expected_cost": spoiled_call(
            by.decisions.expected_cost,
            y=one_of(["good", "bad"], [0, 1]),
            actions=one_of(["approve", "decline"], [0, 1], ["approve", "reject"]),
            loss=one_of(LOSS, LONG, None, [[0, 5], [1, 0]]),
            reject_loss=one_of(None, 0.5),
            sample_weight=one_of(None, [1, 2]),
            classes=one_of(None, ["bad", "good"]),
        ),
        "rank": spoiled_call(
            by.decisions.rank,
            model=lambda random: _model(),
            X=one_of([[1, 1], [0, 1]]),
            target=one_of("good", "bad"),
            n=one_of(None, 1, 5),
        ),
        "bayes_rule": spoiled_call(
            by.hypotheses.bayes_rule,
            prior=one_of(*PRIORS),
            likelihood=one_of(*PRIORS, [[0.5, 0.5]] * 2),
        ),
        "find_s": spoiled_call(hypotheses.find_s, **CONCEPT),
        "candidate_elimination": spoiled_call(hypotheses.candidate_elimination, **CONCEPT),
        "brute_force_map": spoiled_call(
            hypotheses.brute_force_map,
            **CONCEPT,
            noise=one_of(0, 0.1),
            prior=one_of(None, lambda number: 2.0**-number),
        ),
        "version space": spoiled_call(space.classify, X=_days),
        "hypothesis in version space": spoiled_call(
            space.__contains__, hypothesis=one_of(("Sunny", "?", "?", "Strong", "?", "?"))
        ),
        "covers": spoiled_call(
            hypotheses.covers, hypothesis=one_of(("Sunny", "?")), row=one_of(("Sunny", "Warm"))
        ),
        "more_general": spoiled_call(
            hypotheses.more_general, first=one_of(("Sunny", "?")), second=one_of(("Sunny", "Warm"))
        ),
        "code_length": spoiled_call(hypotheses.code_length, probability=one_of(0.5, 1, 0)),
        "description_length": spoiled_call(
            hypotheses.description_length, hypothesis=_hypothesis, data=one_of(["head"], "ab")
        ),
        "mdl_hypothesis": spoiled_call(
            hypotheses.mdl_hypothesis,
            hypotheses=lambda random: [_hypothesis(random)],
            data=one_of(["head", "tail"]),
        ),
        "train_sigmoid_unit": spoiled_call(
            hypotheses.train_sigmoid_unit,
            inputs=one_of([[1.0], [3.0]], np.eye(2)),
            targets=one_of([0, 1], [False, True]),
            learning_rate=one_of(None, 0.1),
            n_steps=one_of(1, 5),
        ),
        "weighted_vote": spoiled_call(
            hypotheses.weighted_vote,
            posterior=one_of(PRIORS[0]),
            answers=one_of({"rain": "+", "sun": "-"}, {"rain": {"+": 1}, "sun": {"-": 1}}),
        ),
        "HypothesisSpace": spoiled_call(
            _space_answers,
            prior=one_of(None, {"fair": 0.5, "fake": 0.5}),
            likelihood=one_of(coins),
            data=one_of(["head"], ["head", "tail"], []),
        ),
        "query": spoiled_call(net.query, targets=one_of("fire", None, ["fire", "bus"]), **GIVEN),
        "most_probable": spoiled_call(net.most_probable, **GIVEN),
        "probability_of": spoiled_call(net.probability_of, **{"event": GIVEN["given"]}),
        "d_separated": spoiled_call(
            net.d_separated, first=one_of("storm"), second=one_of("bus"), given=one_of([], ["fire"])
        ),
        "network sample": spoiled_call(net.sample, n=one_of(1, 3), random_state=one_of(0, None)),
        "BeliefNetwork": spoiled_call(
            by.BeliefNetwork,
            edges=one_of([("storm", "fire")], []),
            tables=one_of(None, {"storm": {"yes": 0.25, "no": 0.75}}),
        ),
        "learn_structure": spoiled_call(
            by.learn_structure, data=table, method=one_of("hill-climbing", "chow-liu", "k2")
        ),
    }


def _space_answers(prior: Any, likelihood: Any, data: Any) -> Any:
    space = hypotheses.HypothesisSpace(prior, likelihood)
    repr(space)
    return [space.posterior(data), space.ml_hypothesis(data), space.log_evidence(data)]


# pictures -------------------------------------------------------------------------------------


@cache
def _gaussian() -> Any:
    return by.GaussianNB().fit(SPOTS, NAMES)


@cache
def _mixture() -> Any:
    return by.GaussianMixture(2, random_state=0).fit(SPOTS)


@cache
def _tree() -> Any:
    return hypotheses.MDLTreeClassifier().fit({"sky": ["rain"] * 6 + ["sun"] * 6}, NAMES * 2)


SPOTS, NAMES = np.arange(12.0).reshape(6, 2) ** 1.5, ["ham"] * 3 + ["spam"] * 3


def pictures() -> dict[str, Target]:
    """All functions of `plots`."""
    sizes: Makers = {"size": one_of(None, (3, 2))}
    rows: Makers = {"X": one_of(SPOTS), "y": one_of(NAMES)}
    return {
        "plots.calibration": spoiled_call(
            plots.calibration, answers=one_of(np.full((6, 2), 0.5)), y=one_of(NAMES), **sizes
        ),
        "plots.confusion": spoiled_call(
            plots.confusion, y=one_of(NAMES), predicted=one_of(NAMES[::-1]), **sizes
        ),
        "plots.decision_regions": spoiled_call(
            plots.decision_regions, model=lambda random: _gaussian(), **rows, **sizes
        ),
        "plots.densities": spoiled_call(
            plots.densities, model=lambda random: _gaussian(), **rows, columns=one_of(None), **sizes
        ),
        "plots.evidence": spoiled_call(
            plots.evidence, explanation=lambda random: _gaussian().explain(SPOTS[0]), **sizes
        ),
        "plots.learning_curves": spoiled_call(
            plots.learning_curves,
            models=lambda random: {"naive": by.GaussianNB()},
            **rows,
            n_splits=one_of(2),
            sizes=one_of(None, [2, 3]),
        ),
        "plots.log_likelihood": spoiled_call(
            plots.log_likelihood, trace=one_of([-3.0, -2.0], np.zeros(3)), **sizes
        ),
        "plots.mixture": spoiled_call(
            plots.mixture, model=lambda random: _mixture(), X=one_of(SPOTS), **sizes
        ),
        "plots.network": spoiled_call(
            plots.network, net=lambda random: small_network(), **GIVEN, **sizes
        ),
        "plots.tree": spoiled_call(plots.tree, model=lambda random: _tree(), **sizes),
        "plots.add_fonts": spoiled_call(
            plots.add_fonts, figure=lambda random: plots.log_likelihood([-2.0, -1.0])
        ),
    }


# files ----------------------------------------------------------------------------------------

FORMATS = (".bif", ".xml", ".uai", ".net", ".json")
CSV = 'sky,wind,play\nsun,1.5,yes\nrain,2,no\n"snow, hail",,yes\nsun,3,no\n雨,4,yes\n'


@cache
def network_file(ending: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"network{ending}"
        small_network().write(path)
        return path.read_text(encoding="utf-8")


@cache
def model_file(number: int) -> bytes:
    rows = {"sky": ["sun", "rain"] * 4, "wind": [1.0, 2.5, 3.0, 0.5] * 2}
    classes = ["in", "out"] * 4
    model = (
        lambda: by.NaiveBayes().fit(rows, classes),
        lambda: by.TreeAugmentedNB().fit(rows, classes),
        lambda: by.GaussianNB().fit(SPOTS, NAMES),
        lambda: by.TextClassifier().fit(["free money", "see you"], ["spam", "ham"]),
    )[number]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.bayes"
        model.save(path)
        return path.read_bytes()


def in_file(ending: str, content: bytes, read: Callable[[Path], Any]) -> Case:
    def run() -> Any:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"junk{ending}"
            path.write_bytes(content)
            return read(path)

    return run


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", errors="surrogatepass")


def csv_file(random: Random) -> Case:
    content = _bytes(spoiled_text(random, CSV))
    target = random.choice(["play", "sky", junk(random, 1)])
    return in_file(".csv", content, lambda path: by.NaiveBayes().fit(path, target).predict(path))


def network_format(ending: str) -> Target:
    def make(random: Random) -> Case:
        content = _bytes(spoiled_text(random, network_file(ending)))
        if random.random() < 0.3:
            content = spoiled_bytes(random, content)
        return in_file(ending, content, by.read_network)

    return make


def model_bytes(random: Random) -> Case:
    content = spoiled_bytes(random, model_file(random.randrange(4)))
    return in_file(".bayes", content, by.load)


def model_manifest(random: Random) -> Case:
    """A model file whose description is changed, all else as it was."""
    content = model_file(random.randrange(4))
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            member = old.read(name)
            if name == "manifest.json":
                member = _bytes(_spoiled_json(random, member.decode("utf-8")))
            new.writestr(name, member)
    return in_file(".bayes", changed.getvalue(), by.load)


def _spoiled_json(random: Random, text: str) -> str:
    if random.random() < 0.5:
        return spoiled_text(random, text)
    manifest = json.loads(text)
    node, key = manifest, None
    while isinstance(node, (dict, list)) and node:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        parent, key = node, random.choice(keys)
        node = parent[key]
        if random.random() < 0.2:
            break
    values = (None, -1, 1e308, "x", [], {}, [[1]], {"a": 1}, 10**30, True, "2", 0.5)
    parent[key] = random.choice(values)
    return json.dumps(manifest)


# all ------------------------------------------------------------------------------------------


def targets() -> dict[str, Target]:
    """Everything that is fed junk, by name."""
    found: dict[str, Target] = {"CSV file": csv_file, "model file": model_bytes}
    found["model file, description"] = model_manifest
    found |= {"server": server_body, "studio": studio_body, "journal": journal_bytes}
    found |= {"pickle": pickled_while_asked, "names": odd_names, "shapes": odd_shape}
    found |= {f"network file {ending}": network_format(ending) for ending in FORMATS}
    found |= {Model.__name__: estimator(Model, table) for Model in TABLE_MODELS}
    found |= {Model.__name__: estimator(Model, matrix) for Model in ARRAY_MODELS}
    found["TextClassifier"] = estimator(by.TextClassifier, texts)
    for Model in (
        by.SemiSupervised,
        by.BayesDecision,
        hypotheses.BayesOptimalClassifier,
        hypotheses.GibbsClassifier,
        hypotheses.RuleClassifier,
    ):
        found[Model.__name__] = estimator(Model, matrix)
    return found | functions() | pictures()
