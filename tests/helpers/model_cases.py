"""Every public estimator, with rows to draw and the way it takes them: the table of the laws.

`tests/models/test_laws.py` runs each law on each case. A law that does not hold for a case is named
in `exempt`, with the reason; verbs that a model does not have are reasons too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st

import bayesic as by
from bayesic import hypotheses
from helpers.batches import Batch, Record
from helpers.labelled_rows import WORDS, quarters

Array = np.ndarray

COLUMNS = ("wind", "sky", "天")
ADDITIVE = ("pieces", "forget", "merge", "leave one out")  # the laws of statistics with + and -


def in_matrix(records: Sequence[Record]) -> Array:
    """Rows of numbers."""
    return np.array(records, float)


def in_columns(records: Sequence[Record]) -> dict[str, list[Any]]:
    """Rows that are dicts, as a dict of columns."""
    return {name: [record[name] for record in records] for name in records[0]}


def in_list(records: Sequence[Record]) -> list[Record]:
    """Texts as they are."""
    return list(records)


def _asked(model: Any, X: Any) -> Array:
    return model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)


@dataclass(frozen=True, repr=False)
class Case:
    """A model, the rows it is tried on, and the laws that it is exempt from."""

    make: Callable[[], Any]
    rows: st.SearchStrategy[list[tuple[Record, Any]]]  # of cells and labels
    table: Callable[[Sequence[Record]], Any]  # rows of cells -> what fit takes
    classes: Sequence[Any] | None = WORDS  # to declare; None where there are none
    labelled: bool = True
    answer: Callable[[Any, Any], Array] = _asked
    options: Mapping[str, Any] = field(default_factory=dict)  # for fit and partial_fit
    target: tuple = ()  # what leave_one_out is told beside rows, labels and weights
    exempt: Mapping[str, str] = field(default_factory=dict)  # law -> why it does not hold

    def batches(self, number: int) -> st.SearchStrategy[list[Batch]]:
        """As many batches of rows, either all with weights or none."""
        weighted = st.just(False) if "weights" in self.exempt else st.booleans()
        return weighted.flatmap(
            lambda some: st.lists(
                self.batch(quarters if some else None), min_size=number, max_size=number
            )
        )

    def batch(self, weights: st.SearchStrategy[float] | None = None) -> st.SearchStrategy[Batch]:
        """Rows, and weights if told."""

        def with_weights(rows: list[tuple[Record, Any]]) -> st.SearchStrategy[Batch]:
            records, labels = map(list, zip(*rows, strict=True))
            if weights is None:
                return st.just(Batch(records, labels, None))
            drawn = st.lists(weights, min_size=len(rows), max_size=len(rows))
            return drawn.map(lambda some: Batch(records, labels, np.array(some, float)))

        return self.rows.flatmap(with_weights)

    def arguments(self, batch: Batch) -> tuple[list[Any], dict[str, Any]]:
        """What a verb is given for these rows."""
        given = [self.table(batch.records), *([batch.labels] if self.labelled else [])]
        weights = {} if batch.weights is None else {"sample_weight": batch.weights}
        return given, weights

    def fit(self, batch: Batch) -> Any:
        """A model of these rows."""
        given, weights = self.arguments(batch)
        return self.make().fit(*given, **weights, **self.options)

    def learn(self, model: Any, batch: Batch) -> Any:
        """The model, after it has learned these rows too; all classes are declared."""
        given, weights = self.arguments(batch)
        declared = {} if self.classes is None else {"classes": self.classes}
        return model.partial_fit(*given, **weights, **declared, **self.options)

    def forget(self, model: Any, batch: Batch) -> Any:
        """The model, after it has forgotten these rows."""
        given, weights = self.arguments(batch)
        return model.forget(*given, **weights)

    def leave_one_out(self, model: Any, batch: Batch) -> Array:
        """The answer of each row as if it had not been learned."""
        given, weights = self.arguments(batch)
        return model.leave_one_out(*given, *self.target, **weights)

    def answers(self, model: Any, batch: Batch) -> Array:
        """What the model says of these rows."""
        return self.answer(model, self.table(batch.records))


# rows -------------------------------------------------------------------------------------------


def _rows(record: st.SearchStrategy, min_size: int = 1, label: Any = None) -> st.SearchStrategy:
    label = st.sampled_from(WORDS) if label is None else label
    return st.lists(st.tuples(record, label), min_size=min_size, max_size=7)


GAPPY = st.tuples(*[st.integers(0, 4).map(float) | st.just(np.nan)] * 3)
SMALL = st.tuples(*[st.integers(0, 4).map(float)] * 3)
SKY = st.sampled_from(("rain", "sun", "雪", None))
DAYS = st.fixed_dictionaries(dict.fromkeys(COLUMNS, SKY))
TEXTS = st.lists(st.sampled_from(("free", "lunch", "rain", "雨", "今天")), max_size=5).map(" ".join)
KINDS = {"wind": "gaussian", "visits": "poisson", "member": "bernoulli", "note": "text"}
KINDS |= {"zip": "categorical"}
MIXED = st.fixed_dictionaries(
    {
        "sky": SKY,
        "wind": st.none() | st.integers(-4, 4).map(lambda number: number / 2),
        "visits": st.none() | st.integers(0, 5),
        "member": st.none() | st.booleans(),
        "zip": st.none() | st.integers(1, 3),
        "note": st.none() | st.sampled_from(["", "free lunch", "free free", "今天下雨"]),
    }
)
# with these, what is estimated depends on all rows: cut points, bandwidths
CHOSEN = {"rain": "binned", "heat": "kernel"}
MEASURED = st.fixed_dictionaries(dict.fromkeys(CHOSEN, st.none() | st.integers(0, 9).map(float)))
STATES = {"sky": ("sun", "rain", "fog"), "wind": (True, False), "play": (2, 10, 0.5)}
FAMILY = st.fixed_dictionaries({name: st.sampled_from(STATES[name]) for name in STATES})
EDGES = [("sky", "wind"), ("sky", "play"), ("wind", "play")]


def _clouds(seed: int) -> list[tuple[Record, str]]:
    """Four rows of each class around a centre of its own, in turns, and never all on a line."""
    random = np.random.default_rng(seed)
    centres = 3 * random.normal(size=(len(WORDS), 2))
    corners = [(1, 1), (-1, 1), (1, -1), (-1, -1)]
    return [
        (tuple(centres[row % 3] + corners[row // 3] + random.normal(0, 0.3, 2)), WORDS[row % 3])
        for row in range(12)
    ]


def _line(seed: int) -> list[tuple[Record, float]]:
    """Rows along a line, with noise."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(9, 2))
    y = X @ random.normal(size=2) + random.normal(size=9)
    return [(tuple(row), float(number)) for row, number in zip(X, y, strict=True)]


SEEDS = st.integers(0, 2**32 - 1)
CLOUDS = SEEDS.map(_clouds)
PARTLY = CLOUDS.map(lambda rows: [*rows[:6], *((cells, None) for cells, _ in rows[6:])])
LINES = SEEDS.map(_line)
FLAGS = st.tuples(SMALL, st.sampled_from([False, True]))


# the table --------------------------------------------------------------------------------------


def _first_is_large(X: Array) -> Array:
    return X[:, 0] > 2


def _not_additive(why: str, *others: str) -> dict[str, str]:
    return dict.fromkeys((*ADDITIVE, *others), why)


def _network_case(states: Any, exempt: Mapping[str, str], smoothing: Any = 1) -> Case:
    return Case(
        lambda: by.BeliefNetwork(EDGES, states=states),
        _rows(FAMILY, label=st.none()),
        in_list,
        classes=None,
        labelled=False,
        answer=lambda model, X: model.predict_proba(X, "sky"),
        options={"smoothing": smoothing},
        target=("sky",),
        exempt=exempt,
    )


_PARENTS = {"leave one out": "the parents stay those of all rows"}
_CHOSEN = {
    "pieces": "candidates are judged by what was known when a row came",
    "forget": "the losses of candidates stay",
    "merge": "the losses of candidates stay",
    "leave one out": "what was chosen stays that of all rows",
}
_HELD = _not_additive("what was chosen stays; see tests/models/test_held_choices.py")
_FADING = {
    "pieces": "but for rounding; see tests/models/test_fading.py",
    "order": "a row counts by how many came after it",
    "forget": "what a row counts has changed since; see tests/models/test_fading.py",
    "merge": "rows of two models have no order; see tests/models/test_fading.py",
    "leave one out": "without a row, those before it are younger",
    "weights": "a row of weight 2 lets others age by one row",
}
_IN_ORDER = {
    "order": "of rows equally near the first learned counts",
    "weights": "neighbours count rows, not weights",
}
_STARTS = _not_additive("EM starts from rows drawn by their numbers", "order", "weights")
_MODELS = [by.GaussianNB(var_smoothing=1e-3), by.BernoulliNB()]
_NORMAL = [by.GaussianBayes("tied"), by.GaussianBayes("diagonal"), by.GaussianNB()]
_VOTES = _not_additive("it learns through its models", "weights", "files")

CASES = {
    "AutoBayes": Case(
        lambda: by.AutoBayes("quick"),
        _rows(MEASURED),
        in_columns,
        exempt={
            **_not_additive("what members choose is held; see tests/selection/test_auto_bayes.py"),
            "weights": "each tree is grown from some of the rows, whatever they weigh",
        },
    ),
    "BayesForest": Case(
        lambda: by.BayesForest(n_trees=5),
        _rows(MIXED),
        in_columns,
        exempt={
            **_not_additive("trees are grown anew; tests/models/test_forest.py holds them fixed"),
            "weights": "each tree is grown from some of the rows, whatever they weigh",
        },
    ),
    "BernoulliNB": Case(by.BernoulliNB, _rows(SMALL), in_matrix),
    "BernoulliNB with gaps": Case(
        by.BernoulliNB,
        _rows(GAPPY),
        in_matrix,
    ),
    "CategoricalNB": Case(by.CategoricalNB, _rows(GAPPY), in_matrix),
    "ComplementNB": Case(by.ComplementNB, _rows(GAPPY), in_matrix),
    # the default makes scores of -1e10 where a class has but one value
    "GaussianNB": Case(lambda: by.GaussianNB(var_smoothing=1e-3), _rows(GAPPY), in_matrix),
    "MultinomialNB": Case(by.MultinomialNB, _rows(GAPPY), in_matrix),
    "NaiveBayes": Case(lambda: by.NaiveBayes(columns=KINDS), _rows(MIXED), in_columns),
    "NaiveBayes with bins and kernels": Case(
        lambda: by.NaiveBayes(columns=CHOSEN),
        _rows(MEASURED),
        in_columns,
        exempt={"leave one out": "cut points and bandwidths stay those of all rows"},
    ),
    "NaiveBayes, choices held": Case(
        lambda: by.NaiveBayes(smoothing="auto", choices="hold"),
        _rows(MEASURED),
        in_columns,
        exempt=_HELD,
    ),
    "NaiveBayes that fades": Case(
        lambda: by.NaiveBayes(columns=KINDS, decay=3), _rows(MIXED), in_columns, exempt=_FADING
    ),
    "TextClassifier that fades": Case(
        lambda: by.TextClassifier(decay=3), _rows(TEXTS), in_list, exempt=_FADING
    ),
    "NaiveBayes with learned weights": Case(
        lambda: by.NaiveBayes(columns=KINDS, weights="learned"),
        _rows(MIXED),
        in_columns,
        exempt=_not_additive("weights stay those of the last fit"),
    ),
    "KDependence with learned weights": Case(
        lambda: by.KDependence(k=2, weights="learned"),
        _rows(DAYS),
        in_columns,
        exempt=_not_additive("weights stay those of the last fit"),
    ),
    "TreeAugmentedNB with learned weights": Case(
        lambda: by.TreeAugmentedNB(weights="learned", smoothing="back-off"),
        _rows(DAYS),
        in_columns,
        exempt=_not_additive("weights stay those of the last fit"),
    ),
    "KDependence, choices held": Case(
        lambda: by.KDependence(k="auto", smoothing="back-off", choices="hold"),
        _rows(DAYS),
        in_columns,
        exempt=_HELD,
    ),
    "JointBayes": Case(by.JointBayes, _rows(DAYS), in_columns),
    "TreeAugmentedNB": Case(by.TreeAugmentedNB, _rows(DAYS), in_columns, exempt=_PARENTS),
    "KDependence": Case(by.KDependence, _rows(DAYS), in_columns, exempt=_PARENTS),
    "KDependence, two parents": Case(
        lambda: by.KDependence(k=2), _rows(DAYS), in_columns, exempt=_PARENTS
    ),
    "TreeAugmentedNB, back-off": Case(
        lambda: by.TreeAugmentedNB(smoothing=("back-off", 2)),
        _rows(DAYS),
        in_columns,
        exempt=_PARENTS,
    ),
    "KDependence, back-off": Case(
        lambda: by.KDependence(k=2, smoothing="back-off"), _rows(DAYS), in_columns, exempt=_CHOSEN
    ),
    "KDependence, all chosen": Case(
        lambda: by.KDependence(k="auto", smoothing="back-off"),
        _rows(DAYS),
        in_columns,
        exempt=_CHOSEN,
    ),
    "AveragedOneDependence, back-off": Case(
        lambda: by.AveragedOneDependence(smoothing=("back-off", 2)), _rows(DAYS), in_columns
    ),
    "AveragedOneDependence": Case(by.AveragedOneDependence, _rows(DAYS), in_columns),
    "AveragedOneDependence, frequent parents": Case(
        lambda: by.AveragedOneDependence(m=2), _rows(DAYS), in_columns
    ),
    "AveragedOneDependence, pairs of parents": Case(
        lambda: by.AveragedOneDependence(n=2), _rows(DAYS), in_columns
    ),
    **{
        f"TextClassifier, {model}": Case(
            lambda model=model: by.TextClassifier(model), _rows(TEXTS), in_list
        )
        for model in ("multinomial", "binary-multinomial", "bernoulli", "complement")
    },
    "TextClassifier, the words that tell most": Case(
        lambda: by.TextClassifier(max_words=2),
        _rows(TEXTS),
        in_list,
        exempt={"leave one out": "the words stay those of all texts"},
    ),
    "TextClassifier, choices held": Case(
        lambda: by.TextClassifier(smoothing="auto", max_words=3, choices="hold"),
        _rows(TEXTS),
        in_list,
        exempt=_HELD,
    ),
    "TextClassifier, auto": Case(
        lambda: by.TextClassifier("auto", ngrams=(1, 2), tokenizer="whitespace", smoothing=0.5),
        _rows(TEXTS),
        in_list,
        exempt={
            "pieces": "the choice is that of the first texts",
            "merge": "the choice is that of the first model",
            "leave one out": "the choice is that of all texts",
            "weights": "a text is left out with all of its weight",
        },
    ),
    **{
        f"GaussianBayes, {kind}": Case(lambda kind=kind: by.GaussianBayes(kind), CLOUDS, in_matrix)
        for kind in ("full", "tied", "diagonal", "spherical")
    },
    **{
        f"GaussianBayes, {kind}, shrunk": Case(  # any few rows, of classes with one row too
            lambda kind=kind: by.GaussianBayes(kind, shrinkage=0.2), _rows(SMALL), in_matrix
        )
        for kind in ("full", "tied")
    },
    "LinearDiscriminantAnalysis": Case(by.LinearDiscriminantAnalysis, CLOUDS, in_matrix),
    "QuadraticDiscriminantAnalysis": Case(by.QuadraticDiscriminantAnalysis, CLOUDS, in_matrix),
    "LogisticRegression": Case(
        by.LogisticRegression,
        CLOUDS,
        in_matrix,
        exempt=_not_additive("no statistic holds all that its weights depend on"),
    ),
    "KNeighborsClassifier": Case(
        lambda: by.KNeighborsClassifier(2), _rows(SMALL, min_size=3), in_matrix, exempt=_IN_ORDER
    ),
    "KNeighborsRegressor": Case(
        lambda: by.KNeighborsRegressor(2),
        _rows(SMALL, min_size=3, label=st.integers(0, 9).map(float)),
        in_matrix,
        classes=None,
        exempt=_IN_ORDER,
    ),
    "LeastSquares": Case(by.LeastSquares, LINES, in_matrix, classes=None),
    "LeastSquares through zero": Case(
        lambda: by.LeastSquares(fit_intercept=False), LINES, in_matrix, classes=None
    ),
    "BeliefNetwork": _network_case(
        None, {"leave one out": "a state that one row alone has is unknown without it"}
    ),
    "BeliefNetwork with given states": _network_case(STATES, {}),
    "BeliefNetwork, back-off": _network_case(
        STATES, {"leave one out": "the strength stays that of all rows"}, "back-off"
    ),
    "SemiSupervised": Case(
        lambda: by.SemiSupervised(by.GaussianNB(var_smoothing=1e-3)),
        PARTLY,
        in_matrix,
        exempt={
            **_not_additive("the shares of rows without labels stay those of the last step"),
            "files": "a file holds the model that EM has made, not how",
        },
    ),
    "GaussianMixture": Case(
        lambda: by.GaussianMixture(2, random_state=0), CLOUDS, in_matrix, labelled=False,
        exempt=_STARTS,
    ),
    "KMeans": Case(
        lambda: by.KMeans(2, random_state=0), CLOUDS, in_matrix, labelled=False, exempt=_STARTS
    ),
    "BayesDecision": Case(
        lambda: by.BayesDecision(by.GaussianNB(var_smoothing=1e-3)),
        CLOUDS,
        in_matrix,
        exempt=_not_additive("it learns through its model"),
    ),
    "Calibrated": Case(
        lambda: by.calibrated(by.GaussianNB(var_smoothing=1e-3)),
        CLOUDS,
        in_matrix,
        exempt=_not_additive("the temperature stays that of the rows of the last fit"),
    ),
    "MDLTreeClassifier": Case(
        hypotheses.MDLTreeClassifier,
        _rows(DAYS),
        in_columns,
        exempt=_not_additive("a tree is grown from all rows"),
    ),
    "RuleClassifier": Case(
        lambda: hypotheses.RuleClassifier(_first_is_large, [False, True], noise=0.25),
        st.lists(FLAGS, min_size=1, max_size=7),
        in_matrix,
        exempt=_not_additive("a hypothesis is made, not learned", "weights", "files"),
    ),
    "BayesOptimalClassifier": Case(
        lambda: hypotheses.BayesOptimalClassifier(_MODELS), CLOUDS, in_matrix, exempt=_VOTES
    ),
    "BayesOptimalClassifier by evidence": Case(
        lambda: hypotheses.BayesOptimalClassifier(_NORMAL, weights="evidence"), CLOUDS, in_matrix,
        exempt=_VOTES,
    ),
    "GibbsClassifier": Case(
        lambda: hypotheses.GibbsClassifier(_MODELS, random_state=0), CLOUDS, in_matrix,
        exempt=_VOTES,
    ),
}  # fmt: skip
