"""The catalogue: all models, and what other parts of the library do with each of them.

A new model is one entry here. A model file names what is listed here and nothing else: it never
names a module. These are plain values, which import nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

Parameters = Mapping[str, object]
Input = Literal["numbers", "table", "texts"]

LEVELS = ("categorical", "binned", "ignore")  # kinds of columns, where all are cut into levels
# the default strength, STRENGTH of estimation/back_off: candidates with it share their counts
LEANING = {"smoothing": ("back-off", 8.0)}


@dataclass(frozen=True)
class CandidateEntry:
    """One of the models that `choose_model` compares; those that count few columns come first."""

    parameters: Parameters
    together: int  # how many columns are counted together


# parameters of earlier versions, which say how an answer was computed, not which
OF_SOLVERS = frozenset({"covariance_estimator", "solver", "store_covariance", "tol"})


@dataclass(frozen=True)
class ModelEntry:
    """A model: where its class is, what it learns, and where else it takes part."""

    name: str
    home: str  # the module of its class
    reads: Input = "numbers"  # a matrix, a table with columns of any kind, or texts
    # the command line
    typed: str = ""  # its name there, for --model
    options: tuple[str, ...] = ()  # parameters that have an option
    # the page
    kinds: tuple[str, ...] = ()  # of columns that can be declared for it, if it learns tables there
    # export
    exported: bool = False  # its answers can be written as SQL and ONNX
    # selection
    candidates: tuple[CandidateEntry, ...] = ()  # of choose_model
    pooled: bool = False  # may be a member of AutoBayes
    # store and server
    scores_alone: bool = False  # a row gets the same bits in whatever company it comes
    keeps_whole_numbers: bool = False  # of any rows: sums are exact, in any order
    # files of earlier versions
    later: frozenset[str] = frozenset()  # parameters that they may lack, and mean the defaults
    dropped: frozenset[str] = frozenset()  # parameters that they may have, and are ignored


def _table(*entries: ModelEntry) -> dict[str, ModelEntry]:
    return {entry.name: entry for entry in entries}


MODELS = _table(
    # tables with columns of any kind
    ModelEntry(
        "NaiveBayes",
        "bayesic.models.columns.naive_bayes",
        reads="table",
        typed="naive",
        options=("smoothing", "decay", "columns", "numeric", "variance", "weights", "prior"),
        kinds=(
            *("categorical", "gaussian", "kernel", "binned", "poisson"),
            *("bernoulli", "text", "ignore"),
        ),
        exported=True,
        candidates=(CandidateEntry({}, together=1),),
        pooled=True,
        scores_alone=True,
        later=frozenset({"choices", "decay", "variance", "weights"}),
    ),
    ModelEntry(
        "TreeAugmentedNB",
        "bayesic.models.levels.network_classifier",
        reads="table",
        typed="tan",
        options=("smoothing", "decay", "columns", "weights", "prior"),
        kinds=LEVELS,
        exported=True,
        candidates=(CandidateEntry(LEANING, together=2),),
        scores_alone=True,
        later=frozenset({"choices", "decay", "weights"}),
    ),
    ModelEntry(
        "KDependence",
        "bayesic.models.levels.network_classifier",
        reads="table",
        typed="kdb",
        options=("smoothing", "decay", "columns", "weights", "prior", "k"),
        kinds=LEVELS,
        exported=True,
        candidates=(CandidateEntry({"k": 2, **LEANING}, together=3),),
        scores_alone=True,
        later=frozenset({"choices", "decay", "weights"}),
    ),
    ModelEntry(
        "AveragedOneDependence",
        "bayesic.models.levels.averaged_dependence",
        reads="table",
        typed="aode",
        options=("smoothing", "decay", "columns", "prior", "n"),
        kinds=LEVELS,
        exported=True,
        candidates=(
            CandidateEntry(LEANING, together=2),
            CandidateEntry({"n": 2, **LEANING}, together=3),
        ),
        scores_alone=True,
        later=frozenset({"choices", "decay"}),
    ),
    ModelEntry(
        "BayesForest",
        "bayesic.models.trees.forest",
        reads="table",
        typed="forest",
        options=("smoothing", "columns"),
        kinds=LEVELS,
        exported=True,
        candidates=(
            CandidateEntry({}, together=99),
            CandidateEntry({"splits": "random"}, together=99),
        ),
        pooled=True,
        scores_alone=True,
    ),
    ModelEntry(
        "AutoBayes",
        "bayesic.selection.auto_bayes",
        reads="table",
        typed="auto",
        options=("effort", "columns"),
        kinds=("categorical", "binned", "text", "ignore"),
    ),
    ModelEntry(
        "JointBayes",
        "bayesic.models.levels.joint",
        reads="table",
        kinds=("categorical", "ignore"),
        scores_alone=True,
        keeps_whole_numbers=True,
        later=frozenset({"decay"}),
    ),
    ModelEntry("MDLTreeClassifier", "bayesic.hypotheses.mdl_tree.tree_classifier", reads="table"),
    # tables of numbers
    ModelEntry(
        "GaussianBayes",
        "bayesic.models.normal.gaussian_bayes",
        typed="gaussian",
        options=("priors", "covariance", "shrinkage"),
        exported=True,
        candidates=(
            *(
                CandidateEntry({"covariance": shape}, together=1)
                for shape in ("spherical", "diagonal", "tied", "full")
            ),
            *(
                CandidateEntry({"covariance": "full", "shrinkage": weight}, together=1)
                for weight in (0.1, 0.3)
            ),
        ),
        pooled=True,
    ),
    ModelEntry(
        "QuadraticDiscriminantAnalysis",
        "bayesic.models.normal.discriminant",
        typed="qda",
        options=("priors", "shrinkage"),
        exported=True,
        dropped=OF_SOLVERS,
    ),
    ModelEntry(
        "LinearDiscriminantAnalysis",
        "bayesic.models.normal.linear_discriminant",
        typed="lda",
        options=("priors", "shrinkage"),
        exported=True,
        dropped=OF_SOLVERS,
    ),
    ModelEntry(
        "LogisticRegression",
        "bayesic.models.linear.logistic",
        typed="logistic",
        options=("C",),
        exported=True,
        dropped=frozenset({"learning_rate", "solver"}),  # how weights were searched for
    ),
    ModelEntry(
        "KNeighborsClassifier",
        "bayesic.models.neighbours.neighbours",
        typed="knn",
        options=("n_neighbors", "smoothing"),
    ),
    ModelEntry("GaussianNB", "bayesic.models.normal.gaussian", exported=True),
    ModelEntry(
        "CategoricalNB",
        "bayesic.models.arrays.categorical",
        exported=True,
        scores_alone=True,
        keeps_whole_numbers=True,
    ),
    ModelEntry(
        "BernoulliNB",
        "bayesic.models.arrays.bernoulli",
        exported=True,
        keeps_whole_numbers=True,
    ),
    ModelEntry("MultinomialNB", "bayesic.models.arrays.multinomial", exported=True),
    ModelEntry("ComplementNB", "bayesic.models.arrays.complement", exported=True),
    ModelEntry("GaussianMixture", "bayesic.mixtures.gaussian_mixture"),
    ModelEntry("KMeans", "bayesic.mixtures.k_means"),
    ModelEntry("KNeighborsRegressor", "bayesic.models.neighbours.neighbours"),
    ModelEntry("LeastSquares", "bayesic.models.linear.least_squares"),
    # texts
    ModelEntry(
        "TextClassifier",
        "bayesic.models.words.text_classifier",
        reads="texts",
        options=(
            *("model", "smoothing", "decay", "language", "ngrams", "analyzer", "tokenizer"),
            *("min_count", "drop_top", "max_words", "stop_words", "weighting"),
        ),
        pooled=True,
        scores_alone=True,
        keeps_whole_numbers=True,
        later=frozenset({"choices", "decay", "max_words", "prior"}),
    ),
)

# what a file can hold beside models of statistics: a network, the loss of a decision, a temperature
ON_TOP = _table(
    ModelEntry("BayesDecision", "bayesic.decisions.bayes_decision"),
    ModelEntry("BeliefNetwork", "bayesic.networks.network", keeps_whole_numbers=True),
    ModelEntry("Calibrated", "bayesic.evaluation.calibrated"),
)

# the statistics that a file can hold, and their modules
STATISTICS = {
    "CategoryCounts": "bayesic.statistics.category_counts",
    "ClassMoments": "bayesic.statistics.moments",
    "CombinationCounts": "bayesic.statistics.combinations",
    "CrossMoments": "bayesic.statistics.cross_moments",
    "FeatureCounts": "bayesic.statistics.features",
    "Forest": "bayesic.statistics.forest",
    "ForestCounts": "bayesic.statistics.forest",
    "JointCounts": "bayesic.statistics.joint",
    "LevelCounts": "bayesic.statistics.level_counts",
    "Moments": "bayesic.statistics.moments",
    "NumberCounts": "bayesic.statistics.number_counts",
    "PooledCounts": "bayesic.statistics.pooled",
    "PresenceCounts": "bayesic.statistics.features",
    "TableCounts": "bayesic.statistics.table_counts",
    "TextCounts": "bayesic.statistics.text_counts",
    "WordCounts": "bayesic.statistics.level_counts",
}

_UNKNOWN = ModelEntry("", "")


def entry_of(model: object) -> ModelEntry:
    """What is said here of a model, or of what it is derived from; of others nothing special."""
    known = MODELS | ON_TOP
    names = (kind.__name__ for kind in type(model).__mro__)
    return next((known[name] for name in names if name in known), _UNKNOWN)


def class_named(name: str) -> Any:
    """The class of a model, imported now.

    >>> class_named("GaussianNB")().var_smoothing
    1e-09
    """
    return getattr(import_module((MODELS | ON_TOP)[name].home), name)


def is_text_model(model: object) -> bool:
    """Whether a model reads texts."""
    return entry_of(model).reads == "texts"


def typed_models(reads: Iterable[Input] = ("table", "numbers")) -> Iterator[ModelEntry]:
    """The models that --model names, of those that read this."""
    return (entry for entry in MODELS.values() if entry.typed and entry.reads in reads)
