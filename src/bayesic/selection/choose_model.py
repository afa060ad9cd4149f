"""The best model of the family for a table, by what each says of rows that it has not learned."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from bayesic.data.arguments import check_whole_number, checked_weights, tell
from bayesic.data.blocks import in_threads
from bayesic.data.labels import encode_labels, take_column
from bayesic.data.table_files import is_file
from bayesic.data.tables import Table
from bayesic.kernels import Array
from bayesic.kernels.blas import one_blas_thread
from bayesic.kernels.leaving import left
from bayesic.models.averaged_dependence import AveragedOneDependence
from bayesic.models.classifier import CountingClassifier
from bayesic.models.dependence import LearnsLevels
from bayesic.models.gaussian_bayes import GaussianBayes
from bayesic.models.naive_bayes import NaiveBayes
from bayesic.models.network_classifier import KDependence, TreeAugmentedNB
from bayesic.models.posterior import log_posterior
from bayesic.progress import bar_of
from bayesic.selection.identifiers import without_identifiers
from bayesic.selection.score_table import Score, Scores, left_out, model_text

Known = dict[Any, "Learned"]  # what was counted -> a candidate with these counts
Judge = Callable[[slice], tuple[Array, Array]]

FIRST_ROWS, MORE_ROWS = 100, 4  # rows of the first round, and how many times as many in the next
DOUBT = 2.0  # standard errors: who is further behind the best of a round is not asked again
ENOUGH = 0.005  # nats: nor is who could hardly be better than the best by more than this
MOST_BEHIND = 1.0  # on one row, in nats, where it is decided who is asked again
MOST_STEPS = 25_000  # to answer one row, of candidates that were not asked for
MOST_TABLES = 10_000  # of levels of columns together, of the same


# the rows that are left out, one at a time ----------------------------------------------------


@dataclass(frozen=True, eq=False)
class Learned:
    """A candidate that has learned all rows, and the rows as it takes them."""

    candidate: CountingClassifier
    model: CountingClassifier
    X: Any  # Table or Matrix
    codes: Array
    weights: Array
    notices: tuple[str, ...]

    def judge(self, rows: Array) -> Judge:
        """A function from some of these rows, by their place, to how they are answered without.

        It gives -log P(own class) of each, as if it was not learned; and if the answer is right.
        """
        X, codes, weights = some_rows(self.X, rows), self.codes[rows], self.weights[rows]
        fitted = self.model._fitted
        score = fitted.joint_scorer_without(X, codes, weights)

        def of_block(block: slice) -> tuple[Array, Array]:
            own, (scores, _) = codes[block], score(block)
            log_probability = log_posterior(scores)
            loss = -log_probability[own, np.arange(len(own))]
            return loss, log_probability.argmax(axis=0) == own

        def answers(places: slice) -> tuple[Array, Array]:
            n_rows, start = places.stop - places.start, places.start
            blocks = [
                slice(start + block.start, start + block.stop)
                for block in fitted.blocks(some_rows(X, np.arange(n_rows)))
            ]
            with one_blas_thread():
                losses, right = zip(*in_threads(of_block, blocks), strict=True)
            return np.concatenate(losses) + 0.0, np.concatenate(right)

        return answers


def some_rows(X: Any, rows: Array) -> Any:
    """Rows of a table or matrix by their numbers.

    >>> some_rows(np.array([[1, 2], [3, 4], [5, 6]]), np.array([2, 0])).tolist()
    [[5, 6], [1, 2]]
    """
    return X.at(rows) if isinstance(X, Table) else X[rows]


# learning -------------------------------------------------------------------------------------


class Data(NamedTuple):
    """What was given, as it came; and rows and classes apart."""

    X: Any
    y: Any  # labels, or the name of their column
    features: Any
    labels: Array
    weights: Any


def learned(candidate: CountingClassifier, data: Data, known: Known) -> Learned:
    """The candidate with all rows learned; counts that are in known are not counted again."""
    # all that these models keep are counts, so that their parameters hold at once
    # unless they choose by the rows, when they learn them
    is_counted = isinstance(candidate, LearnsLevels) and not candidate._is_choosing()
    counted = (candidate._order(), repr(candidate.columns)) if is_counted else None
    if counted in known:
        model = clone(candidate)._with_counts_of(known[counted].model)
        return replace(known[counted], candidate=candidate, model=model)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model = clone(candidate).fit(data.X, data.y, sample_weight=data.weights)
        (rows,) = model._known_rows(data.features, data.labels, data.weights)
    notices = tuple(dict.fromkeys(str(notice.message) for notice in told))
    found = Learned(candidate, model, rows.X, rows.codes, rows.all_weights, notices)
    if counted is not None:
        known[counted] = found
    return found


# the race -------------------------------------------------------------------------------------


@dataclass(eq=False)
class Runner:
    """A candidate in the race, and its answers so far, in the order in which rows are asked."""

    learned: Learned
    judge: Judge
    losses: Array
    right: Array

    def ask(self, places: slice) -> None:
        """Answer these rows as well."""
        losses, right = self.judge(places)
        self.losses, self.right = np.append(self.losses, losses), np.append(self.right, right)


def mean_and_error(values: Array, weights: Array) -> tuple[float, float]:
    """The weighted mean, and its standard error; infinite values have an infinite mean.

    >>> mean_and_error(np.array([1.0, 3.0]), np.ones(2))
    (2.0, 1.0)
    """
    total, n_rows = float(weights.sum()), max(len(values), 2)
    mean = float((weights * values).sum()) / total
    with np.errstate(invalid="ignore"):  # infinity less infinity
        squares = float(((weights * (values - mean)) ** 2).sum())
    return mean, float(np.sqrt(squares * n_rows / (n_rows - 1))) / total


def race(runners: list[Runner], rows: Array, weights: Array, advance: Callable[[], None]) -> None:
    """Ask all candidates about the first rows, and about more those that may still be the best."""
    start, stop, still = 0, FIRST_ROWS, runners
    while start < len(rows) and (start == 0 or len(still) > 1):
        if len(rows) < 2 * stop:  # no last round of a few rows
            stop = len(rows)
        for runner in still:
            runner.ask(slice(start, stop))
            advance()
        asked = weights[rows[:stop]]
        best = _leader(still, asked)
        still = [runner for runner in still if not _is_beaten(runner, best, asked)]
        start, stop = stop, stop * MORE_ROWS


def _leader(runners: list[Runner], weights: Array) -> Runner:
    """The one of least mean loss; the first of those that are equal."""
    return min(runners, key=lambda runner: mean_and_error(runner.losses, weights)[0])


def _is_beaten(runner: Runner, best: Runner, weights: Array) -> bool:
    """Whether more rows will hardly make it the best, by more than matters.

    More than MOST_BEHIND on a row counts as that: a model that is far out on one row has a large
    error, and is not the better for it.
    """
    with np.errstate(invalid="ignore"):  # both may be infinite
        behind = np.minimum(runner.losses - best.losses, MOST_BEHIND)
        mean, error = mean_and_error(behind, weights)
    return mean > DOUBT * error - ENOUGH and runner is not best


def score_of(runner: Runner, best: Runner, weights: Array) -> Score:
    """The line of a candidate in the table of scores; weights in the order of the rows asked."""
    n_rows = len(runner.losses)
    weights = weights[:n_rows]
    loss, _ = mean_and_error(runner.losses, weights)
    with np.errstate(invalid="ignore"):
        behind, error = mean_and_error(runner.losses - best.losses[:n_rows], weights)
    accuracy, _ = mean_and_error(runner.right.astype(np.float64), weights)
    return Score(runner.learned.candidate, loss, behind, error, accuracy, n_rows, "")


def family() -> list[CountingClassifier]:
    """The candidates if none are given, the simple ones first."""
    few = ("m", 1)  # one row in place of one for each level: where levels are many and rows few
    return [
        NaiveBayes(),
        *(GaussianBayes(shape) for shape in ("spherical", "diagonal", "tied", "full")),
        *(GaussianBayes("full", shrinkage=weight) for weight in (0.1, 0.3)),
        TreeAugmentedNB(),
        TreeAugmentedNB(smoothing=few),
        AveragedOneDependence(),
        AveragedOneDependence(smoothing=few),
        KDependence(k=2),
        KDependence(k=2, smoothing=few),
        AveragedOneDependence(n=2),
        AveragedOneDependence(n=2, smoothing=few),
    ]


def choose_model(
    X: Any,
    y: Any,
    candidates: Sequence[CountingClassifier] | None = None,
    sample_weight: Any = None,
    *,
    max_rows: int = 500,
    seed: int = 0,
) -> CountingClassifier:
    """The candidate that says best of rows which class they are, each as if it was not learned.

        log loss = - mean over rows i of log P(c_i | x_i, all other rows)

    The one of least leave-one-out log loss is returned, with all rows learned; of equal ones the
    first. Its `scores_` is the table of all candidates; it belongs to this choice, and is not kept
    in files. What models choose by themselves (bins, which columns depend on which) stays as it is
    when a row is left out, as in their `leave_one_out`.

    All candidates learn all rows. They are asked about 100 rows, drawn at random, then about four
    times as many, and so on. Those that are more than two standard errors behind the best, or
    could hardly be better than it by 0.005, are not asked again. Where one is left it is chosen.
    Rows that are the only ones of their class are not asked: no model can know it.

    X : table in memory, of any library; a dict of columns; rows; an array
    y : class labels, or the name of the column of X that holds them
    candidates : models of this library that learn tables or arrays by counting. If None:
        NaiveBayes, GaussianBayes of all shapes, TreeAugmentedNB, KDependence(k=2) and
        AveragedOneDependence of one and two, with several smoothings; but not what would be
        slow because of many columns, or of columns that depend on each other. A candidate that
        cannot learn the table is left out, and its line in the table of scores says why. Columns
        that look like identifiers are left out as well, with a warning.
    sample_weight : weights of the rows; a row of weight 2 counts twice
    max_rows : at most so many rows are asked; all of them are learned
    seed : of the draw of rows

    >>> lamps = {"left": ["on", "on", "off", "off"] * 9, "right": ["on", "off", "on", "off"] * 9}
    >>> model = choose_model(lamps, ["same", "other", "other", "same"] * 9)
    >>> model, model.scores_[0].accuracy
    (AveragedOneDependence(n=2, smoothing=('m', 1)), 1.0)
    """
    models = _checked_candidates(candidates)
    check_whole_number("max_rows", max_rows, 1)
    check_whole_number("seed", seed, 0)
    data = _checked_data(X, y, sample_weight)
    if candidates is None:
        models = without_identifiers(models, X, y)
    rows, weights = _asked_rows(data, int(max_rows), seed)
    with bar_of("choosing", 2 * len(models)) as advance:
        runners, refused = _start(models, data, rows, candidates is None, advance)
        race(runners, rows, weights, advance)
    most = max(len(runner.losses) for runner in runners)
    asked = weights[rows]
    best = _leader([runner for runner in runners if len(runner.losses) == most], asked[:most])
    scores = [score_of(runner, best, asked) for runner in runners]
    order = sorted(scores, key=lambda score: (-score.n_rows, score.log_loss))
    for notice in best.learned.notices:
        tell(notice)
    model = best.learned.model
    model.scores_ = Scores((*order, *refused))
    return model


def _start(
    models: Sequence[CountingClassifier],
    data: Data,
    rows: Array,
    candidates_are_ours: bool,
    advance: Callable[[], None],
) -> tuple[list[Runner], list[Score]]:
    """The candidates that can learn the rows, and those that cannot."""
    runners: list[Runner] = []
    refused: list[Score] = []
    known: Known = {}
    for model in models:
        try:
            if candidates_are_ours:
                _refuse_slow(model, known)
            fitted = learned(model, data, known)
            if candidates_are_ours:
                _refuse_singular(fitted)
            runners.append(Runner(fitted, fitted.judge(rows), np.zeros(0), np.zeros(0, bool)))
        except (TypeError, ValueError, MemoryError) as error:
            refused.append(left_out(model, str(error) or type(error).__name__))
        advance()
    if not runners:
        reasons = "\n".join(f"- {model_text(score.model)}: {score.reason}" for score in refused)
        raise ValueError(f"None of the candidates can learn these rows.\n{reasons}")
    return runners, refused


def _refuse_slow(model: CountingClassifier, known: Known) -> None:
    """Refuse what takes long with so many columns, as seen from models that have learned them."""
    if not isinstance(model, LearnsLevels) or not known:
        return
    other, together = next(iter(known.values())).model, model._order()
    n_tables = comb(len(other.statistics_.levels), together)
    is_mean = isinstance(model, AveragedOneDependence)
    n_steps = together * n_tables * len(other.classes_) if is_mean else 0
    if n_tables > MOST_TABLES or n_steps > MOST_STEPS:
        raise ValueError(
            f"slow here, with {n_tables} sets of {together} columns. Give it in candidates to try."
        )


def _refuse_singular(fitted: Learned) -> None:
    """Refuse Gaussian classes that must be estimated anew for every row that is left out."""
    if isinstance(fitted.model, GaussianBayes) and any("singular" in n for n in fitted.notices):
        raise ValueError("slow here, with singular covariances. Give it in candidates to try.")


def _checked_candidates(candidates: Any) -> list[CountingClassifier]:
    models = family() if candidates is None else list(candidates)
    if not models:
        raise ValueError("There must be at least one candidate to choose from, got none.")
    for model in models:
        if not isinstance(model, CountingClassifier):
            raise TypeError(
                "Candidates must be models of bayesic that learn tables or arrays by counting, "
                f"such as NaiveBayes() or GaussianBayes(), got {model!r}."
            )
    return models


def _checked_data(X: Any, y: Any, sample_weight: Any) -> Data:
    if is_file(X):
        raise ValueError(
            f"A model is chosen for rows in memory, not for a file ({str(X)!r:.80}). Read the "
            "rows, or some of them, into a table; the model that is chosen can then learn the file."
        )
    features, labels = take_column(X, y) if isinstance(y, str) else (X, y)
    encode_labels(labels)  # refuses what are no labels
    return Data(X, y, features, np.asarray(labels), sample_weight)


def _asked_rows(data: Data, max_rows: int, seed: int) -> tuple[Array, Array]:
    """The numbers of the rows to ask about, in a random order; and the weights of all rows."""
    classes, codes = encode_labels(data.labels)
    weights = checked_weights(data.weights, len(codes))
    weights = np.ones(len(codes)) if weights is None else weights
    of_class = np.bincount(codes, weights, minlength=len(classes))
    others = np.flatnonzero((left(of_class[codes], weights) > 0) & (weights > 0))
    if len(others) == 0:
        raise ValueError(
            "To leave rows out, at least one class must have two rows or more; here each class has "
            "one at most."
        )
    return np.random.default_rng(seed).permutation(others)[:max_rows], weights
