"""Readers are safe while one writer learns: every answer is that of one state of the model."""

import sys
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import bayesic as by

ROUNDS = 12  # how often the writer goes through all states
READERS = 3

RNG = np.random.default_rng(3)
FEW = RNG.integers(0, 4, (30, 3)), np.repeat(["ham", "spam"], 15)
MORE = RNG.integers(0, 4, (36, 3)), np.repeat(["apple", "ham", "spam"], 12)  # a class comes first
ASKED = RNG.integers(0, 4, (5, 3))
TEXTS = ["free lunch", "lunch today", "free money", "rain today"], ["spam", "ham", "spam", "ham"]
CODES = dict.fromkeys(("x0", "x1", "x2"), "categorical")  # of both tables: they are merged
MORE_TEXTS = ["apple pie", "free pie", "rain"], ["apple", "spam", "ham"]
STORMS = {"Storm": ["yes", "yes", "no", "no"], "Campfire": ["no", "no", "yes", "no"]}
MORE_STORMS = {"Storm": ["maybe", "yes", "no"], "Campfire": ["always", "no", "yes"]}

Step = Callable[[Any], Any]
Question = Callable[[Any], Any]


@dataclass
class Case:
    """A model, the states that a writer takes it through, and what readers ask it."""

    make: Callable[[], Any]
    steps: list[Step]
    questions: dict[str, Question]


def plain(answer: Any) -> str:
    """An answer as text, numbers to nine digits."""
    if isinstance(answer, tuple):
        return " | ".join(map(plain, answer))
    if isinstance(answer, dict):
        return " | ".join(f"{name}: {plain(part)}" for name, part in answer.items())
    if isinstance(answer, np.ndarray) and answer.dtype.kind == "f":
        return repr(np.round(answer + 0.0, 9).tolist())
    return repr(answer.tolist()) if isinstance(answer, np.ndarray) else str(answer)


def classifier(make: Callable[[], Any], *more: str, joins: bool = True) -> Case:
    """An array or table classifier: fit, learn more, add a class, forget."""
    questions = {
        "predict": lambda model: model.predict(ASKED),
        "predict_proba": lambda model: model.predict_proba(ASKED),
        "predict_log_proba": lambda model: model.predict_log_proba(ASKED),
        "score": lambda model: model.score(*FEW),
    }
    own = {
        "joint": lambda model: model.predict_joint_log_proba(ASKED),
        "left out": lambda model: model.leave_one_out(FEW[0][:4], FEW[1][:4]),
        "explain": lambda model: model.explain(ASKED[0]),
        "work": lambda model: model.work(ASKED[0]),
        "density": lambda model: model.log_density(ASKED),
        "sample": lambda model: model.sample(3, random_state=0),
        "decision": lambda model: model.decision_function(ASKED),
        "kneighbors": lambda model: model.kneighbors(ASKED),
        "kinds": lambda model: model.kinds_,
        "parents": lambda model: model.parents_,
        "rank": lambda model: by.decisions.rank(model, ASKED, "spam"),
    }
    steps: list[Step] = [lambda model: model.fit(*FEW)]
    if joins:
        steps += [
            lambda model: model.partial_fit(FEW[0][:9], FEW[1][:9]),
            lambda model: model.merge(make().fit(*MORE)),
            lambda model: model.forget(FEW[0][:9], FEW[1][:9]),
        ]
    else:
        steps.append(lambda model: model.fit(*MORE))
    return Case(make, steps, questions | {name: own[name] for name in more})


COUNTING = ("joint", "left out", "explain", "work", "rank")
TABLE = (*COUNTING, "density", "sample")

CASES = {
    "GaussianNB": classifier(by.GaussianNB, *COUNTING),
    "MultinomialNB": classifier(by.MultinomialNB, *COUNTING),
    "ComplementNB": classifier(by.ComplementNB, "joint", "left out", "explain"),
    "BernoulliNB": classifier(by.BernoulliNB, *COUNTING),
    "CategoricalNB": classifier(by.CategoricalNB, *COUNTING),
    "GaussianBayes": classifier(by.GaussianBayes, *TABLE),
    "chosen shrinkage": classifier(lambda: by.GaussianBayes(shrinkage="auto"), *TABLE),
    "QDA": classifier(by.QuadraticDiscriminantAnalysis, *COUNTING, "decision"),
    "LDA": classifier(by.LinearDiscriminantAnalysis, *COUNTING, "decision"),
    "NaiveBayes": classifier(by.NaiveBayes, *TABLE, "kinds"),
    "learned weights": classifier(lambda: by.NaiveBayes(weights="learned"), *TABLE),
    "JointBayes": classifier(by.JointBayes, *TABLE),
    "TreeAugmentedNB": classifier(lambda: by.TreeAugmentedNB(CODES), *TABLE, "parents"),
    "KDependence": classifier(lambda: by.KDependence(columns=CODES), *TABLE, "parents"),
    "AveragedOneDependence": classifier(lambda: by.AveragedOneDependence(columns=CODES), *TABLE),
    "KNeighborsClassifier": classifier(
        by.KNeighborsClassifier, "left out", "explain", "kneighbors"
    ),
    "LogisticRegression": classifier(
        by.LogisticRegression, "explain", "decision", "rank", joins=False
    ),
    "MDLTreeClassifier": classifier(by.hypotheses.MDLTreeClassifier, "explain", joins=False),
    "BayesDecision": Case(
        lambda: by.BayesDecision(by.GaussianNB()),
        [lambda model: model.fit(*FEW), lambda model: model.fit(*MORE)],
        {
            "predict": lambda model: model.predict(ASKED),
            "risk": lambda model: model.predict_risk(ASKED),
            "actions": lambda model: model.actions_,
            "score": lambda model: np.array([model.score(*FEW)]),
        },
    ),
    "Calibrated": classifier(lambda: by.calibrated(by.GaussianNB()), "left out", "explain"),
    "SemiSupervised": classifier(
        lambda: by.SemiSupervised(by.GaussianNB()), "joint", "left out", "explain", joins=False
    ),
    "BayesOptimalClassifier": classifier(
        lambda: by.hypotheses.BayesOptimalClassifier([by.GaussianNB(), by.BernoulliNB()], cv=3),
        joins=False,
    ),
    "TextClassifier": Case(
        by.TextClassifier,
        [
            lambda model: model.fit(*TEXTS),
            lambda model: model.partial_fit(*MORE_TEXTS),
            lambda model: model.forget(TEXTS[0][:1], TEXTS[1][:1]),
        ],
        {
            "predict": lambda model: model.predict(["free rain", "pie"]),
            "predict_proba": lambda model: model.predict_proba(["free rain", "pie"]),
            "left out": lambda model: model.leave_one_out(TEXTS[0][1:], TEXTS[1][1:]),
            "explain": lambda model: model.explain("free pie"),
            "work": lambda model: model.work("free rain"),
            "top words": lambda model: model.top_words("spam", 3),
            "rank": lambda model: model.rank(["rain", "free", "pie"], "spam"),
        },
    ),
    "LeastSquares": Case(
        by.LeastSquares,
        [
            lambda model: model.fit(FEW[0], FEW[0].sum(axis=1) + RNG_NOISE),
            lambda model: model.partial_fit(FEW[0][:5], np.arange(5)),
            lambda model: model.forget(FEW[0][:5], np.arange(5)),
            lambda model: model.fit(FEW[0][:, :2], FEW[0][:, 0] + RNG_NOISE),
        ],
        {
            "predict": lambda model: _or_refusal(lambda: model.predict(ASKED, return_std=True)),
            "density": lambda model: _or_refusal(lambda: model.log_density(ASKED, np.arange(5))),
        },
    ),
    "KNeighborsRegressor": Case(
        by.KNeighborsRegressor,
        [
            lambda model: model.fit(FEW[0], FEW[0].sum(axis=1)),
            lambda model: model.partial_fit(FEW[0][:5], np.arange(5)),
            lambda model: model.fit(FEW[0], FEW[0]),
        ],
        {
            "predict": lambda model: model.predict(ASKED),
            "explain": lambda model: model.explain(ASKED[0]),
        },
    ),
    "GaussianMixture": Case(
        lambda: by.GaussianMixture(2, random_state=0),
        [
            lambda model: model.fit(FEW[0].astype(float)),
            lambda model: model.fit(MORE[0].astype(float) * 3),
        ],
        {
            "predict_proba": lambda model: model.predict_proba(ASKED),
            "score_samples": lambda model: model.score_samples(ASKED),
            "sample": lambda model: model.sample(3, random_state=0),
            "bic": lambda model: np.array([model.bic(FEW[0])]),
        },
    ),
    "KMeans": Case(
        lambda: by.KMeans(3, random_state=0),
        [lambda model: model.fit(FEW[0].astype(float)), lambda model: model.fit(MORE[0] * 3.0)],
        {
            "predict": lambda model: model.predict(ASKED),
            "transform": lambda model: model.transform(ASKED),
        },
    ),
    "BeliefNetwork": Case(
        lambda: by.BeliefNetwork(edges=[("Storm", "Campfire")]),
        [
            lambda net: net.fit(STORMS, smoothing=1),
            lambda net: net.partial_fit(MORE_STORMS),
            lambda net: net.forget(MORE_STORMS),
        ],
        {
            "query": lambda net: net.query("Campfire", given={"Storm": "yes"}),
            "predict": lambda net: net.predict({"Campfire": ["yes", "no"]}, "Storm"),
            "predict_proba": lambda net: net.predict_proba({"Campfire": ["yes", "no"]}, "Storm"),
            "explain": lambda net: net.explain({"Campfire": "no"}, "Storm"),
            "left out": lambda net: net.leave_one_out(STORMS, "Storm"),
            "sample": lambda net: net.sample(4, seed=1),
            "sampled": lambda net: net.query("Storm", method="forward", samples=50),
            "do": lambda net: net.query("Campfire", do={"Storm": "yes"}),
            "text": str,
        },
    ),
}
RNG_NOISE = RNG.normal(size=30)


def _or_refusal(ask: Callable[[], Any]) -> Any:
    """The answer, or the error: states with other columns refuse the question."""
    try:
        return ask()
    except ValueError as error:
        return str(error)


@pytest.fixture(autouse=True)
def threads_change_often():
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


def answers_of_all_states(case: Case) -> dict[str, set[str]]:
    """What is answered to each question in each state that the writer takes the model through."""
    model, answers = case.make(), {name: set() for name in case.questions}
    for _ in range(2):  # the second round starts from the last state of the first
        for step in case.steps:
            step(model)
            for name, ask in case.questions.items():
                answers[name].add(plain(ask(model)))
    return answers


def odd_answers(model: Any, case: Case, live: Any, rounds: int = ROUNDS) -> list[tuple[str, str]]:
    """What readers of the model were answered, while a writer teaches live, that no state says."""
    expected, odd, done = answers_of_all_states(case), [], threading.Event()

    def read() -> None:
        while not done.is_set():
            for name, ask in case.questions.items():
                try:
                    answer = plain(ask(model))
                except Exception as error:
                    answer = repr(error)
                if answer not in expected[name]:
                    odd.append((name, answer))
                    done.set()

    readers = [threading.Thread(target=read) for _ in range(READERS)]
    case.steps[0](live)
    for reader in readers:
        reader.start()
    try:
        for _ in range(rounds):
            for step in case.steps:
                if not done.is_set():
                    step(live)
    finally:
        done.set()
        for reader in readers:
            reader.join()
    return odd


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore")  # of singular states; catching them is not safe in threads
def test_every_answer_is_that_of_one_state_of_the_model(name):
    case = CASES[name]
    live = case.make()
    assert odd_answers(live, case, live) == []


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("wrap", ["BayesDecision", "BayesOptimalClassifier", "rank"])
def test_what_stands_on_a_model_that_learns_asks_one_state_of_it(wrap):
    live = by.NaiveBayes()
    on_top = {
        "BayesDecision": lambda model: by.BayesDecision(model),
        "BayesOptimalClassifier": lambda model: by.hypotheses.BayesOptimalClassifier([model]),
        "rank": lambda model: model,
    }[wrap]
    asked = {
        "BayesDecision": lambda model: model.predict(ASKED),
        "BayesOptimalClassifier": lambda model: model.predict(ASKED),
        "rank": lambda model: by.decisions.rank(model, ASKED, "ham"),
    }[wrap]
    learning = classifier(by.NaiveBayes)
    case = Case(by.NaiveBayes, learning.steps, {wrap: lambda model: asked(on_top(model))})
    assert odd_answers(live, case, live, rounds=20) == []


@pytest.mark.filterwarnings("ignore")
def test_a_model_that_learns_is_saved_in_one_state(tmp_path):
    live, names = by.NaiveBayes(), iter(range(10**6))

    def reloaded(model: Any) -> Any:
        path = tmp_path / f"{next(names)}.bayes"
        model.save(path)
        return by.load(path).predict_proba(ASKED)

    case = Case(by.NaiveBayes, classifier(by.NaiveBayes).steps, {"save": reloaded})
    assert odd_answers(live, case, live, rounds=4) == []


@pytest.mark.filterwarnings("ignore")
def test_merging_reads_one_state_of_the_other_model():
    live = by.NaiveBayes()
    learning = classifier(by.NaiveBayes)
    case = Case(
        by.NaiveBayes,
        learning.steps,
        {"merge": lambda model: by.NaiveBayes().fit(*FEW).merge(model).predict_proba(ASKED)},
    )
    assert odd_answers(live, case, live, rounds=10) == []


def test_a_method_of_a_user_sees_one_state_and_what_it_sets_in_learning_stays():
    class Counted(by.GaussianNB):
        def partial_fit(self, X, y, classes=None, sample_weight=None):
            self.n_calls_ = getattr(self, "n_calls_", 0) + 1
            return super().partial_fit(X, y, classes=classes, sample_weight=sample_weight)

        def _keep(self, statistics):
            self.n_rows_ = int(statistics.class_count.sum())
            return super()._keep(statistics)

    model = Counted().partial_fit(*FEW, classes=["ham", "spam"]).partial_fit(*FEW)
    assert (model.n_calls_, model.n_rows_) == (2, 60)


def test_learning_that_fails_at_the_last_line_is_not_seen():
    class Broken(by.GaussianNB):
        def _keep(self, statistics):
            super()._keep(statistics)
            raise MemoryError("no more")

    model = by.GaussianNB().fit(*FEW)
    model.__class__ = Broken
    before = dict(vars(model))
    with pytest.raises(MemoryError):
        model.fit(*MORE)
    assert vars(model) == before


@pytest.mark.filterwarnings("ignore:Some columns tell nothing")
def test_parameters_are_set_together():
    model, odd, done = by.NaiveBayes(smoothing=1.0, prior="learned"), [], threading.Event()
    model.fit(*FEW)
    pairs = [(1.0, "learned"), (2.0, "uniform")]
    expected = {
        plain(by.NaiveBayes(smoothing=s, prior=p).fit(*FEW).predict_proba(ASKED)) for s, p in pairs
    }

    def read() -> None:
        while not done.is_set():
            answer = plain(model.predict_proba(ASKED))
            if answer not in expected:
                odd.append(answer)

    reader = threading.Thread(target=read)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reader.start()
        for number in range(200):
            smoothing, prior = pairs[number % 2]
            model.set_params(smoothing=smoothing, prior=prior)
        done.set()
        reader.join()
    assert odd == []


def test_a_list_that_holds_itself_is_refused_like_any_other():
    around: list = []
    around.append(around)
    with pytest.raises(TypeError, match="Only models of the same kind can be merged"):
        by.GaussianNB().fit(*FEW).merge(around)
