"""The best model of the family for a table, by what each says of rows that it has not learned."""

import warnings
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import comb
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from bayesic.catalogue import MODELS, class_named
from bayesic.contract.constructor import clone
from bayesic.data.arguments import check_whole_number, checked_weights, tell
from bayesic.data.labels import encode_labels, take_column
from bayesic.data.source import Stored, opened
from bayesic.data.tables import Table
from bayesic.data.targets import with_own_target
from bayesic.data.typing import ArrayLike, LabelsLike, TableLike
from bayesic.kernels import Array
from bayesic.kernels.leaving import left
from bayesic.models.classifier import CountingClassifier
from bayesic.models.levels.averaged_dependence import AveragedOneDependence
from bayesic.models.levels.level_classifier import LevelClassifier
from bayesic.models.normal.gaussian_bayes import GaussianBayes
from bayesic.models.readers.known_columns import know_columns_of
from bayesic.models.readers.reader import CodedRows
from bayesic.progress import bar_of
from bayesic.selection._honest import FoldRows, Learn, asked_in_folds, judge_of
from bayesic.selection._identifiers import without_identifiers
from bayesic.selection._race import JudgedChoice, Runner, mean_and_error, race
from bayesic.selection._score_table import Score, Scores, left_out, reasons_of

# what was counted -> a candidate with these counts
CountedCandidates = dict[Hashable, "LearnedCandidate"]

MOST_STEPS = 25_000  # to answer one row, of candidates that were not given
MOST_NUMBERS = 500  # columns of covariances, of the same
MOST_TABLES = 10_000  # of levels of columns together, of the same


# learning -------------------------------------------------------------------------------------


class Data(NamedTuple):
    """What was given, as it came; and rows and classes apart."""

    X: TableLike
    y: LabelsLike  # labels, or the name of their column
    features: TableLike
    labels: Array
    weights: ArrayLike | None


@dataclass(frozen=True, eq=False)
class LearnedCandidate:
    """A candidate that has learned all rows, and the rows as it takes them."""

    model: CountingClassifier
    rows: CodedRows
    notices: tuple[str, ...]


def learned(
    candidate: CountingClassifier, data: Data, known: CountedCandidates
) -> LearnedCandidate:
    """The candidate with all rows learned; counts that are in known are not counted again."""
    counted = _counted_as(candidate)
    if counted in known:
        model = clone(candidate)._with_counts_of(known[counted].model)
        return replace(known[counted], model=model)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = clone(candidate).fit(data.X, data.y, sample_weight=data.weights)
        (rows,) = model._known_rows(data.features, data.labels, data.weights)
    notices = tuple(dict.fromkeys(str(notice.message) for notice in caught))
    candidate_learned = LearnedCandidate(model, rows, notices)
    if counted is not None:
        known[counted] = candidate_learned
    return candidate_learned


def learned_again(
    candidate: CountingClassifier, of_all: LearnedCandidate, known: CountedCandidates
) -> Learn:
    """How the candidate learns the rows outside of a fold, in the same way."""
    counted = _counted_as(candidate)

    def learn(fold: int, rows: CodedRows) -> CountingClassifier:
        model = clone(candidate)
        know_columns_of(model, of_all.model)
        if (fold, counted) in known:
            return model._with_counts_of(known[fold, counted].model)
        model._learn_rows([rows], is_all=True)
        if counted is not None:
            known[fold, counted] = LearnedCandidate(model, rows, ())
        return model

    return learn


def _counted_as(candidate: CountingClassifier) -> Hashable:
    """Equal for candidates that count the same; None where counts are not all they learn.

    The parameters of models of levels hold at once, so they can share counts, unless they choose
    by the rows, when they learn them.
    """
    is_counted = isinstance(candidate, LevelClassifier) and not candidate._settings.is_choosing
    return (candidate._order(), repr(candidate.columns)) if is_counted else None


class Candidate(NamedTuple):
    """One that takes part in the race."""

    given: CountingClassifier
    learned: LearnedCandidate
    runner: Runner


def score_of(candidate: Candidate, best: Runner, weights: Array) -> Score:
    """The line of a candidate in the table of scores; weights in the order of the rows asked."""
    runner, judged = candidate.runner, candidate.learned.model._fitted.judged_by
    n_rows = len(runner.losses)
    weights = weights[:n_rows]
    loss, _ = mean_and_error(runner.losses, weights)
    with np.errstate(invalid="ignore"):
        behind, error = mean_and_error(runner.losses - best.losses[:n_rows], weights)
    accuracy, _ = mean_and_error(runner.right.astype(np.float64), weights)
    return Score(candidate.given, loss, behind, error, accuracy, n_rows, judged, "")


def _as_chosen(score: Score, choice: JudgedChoice, weights: Array) -> Score:
    """The line of the best, with what is to be expected of a model that was chosen so."""
    weights = weights[: score.n_rows]
    loss, _ = mean_and_error(choice.losses, weights)
    accuracy, _ = mean_and_error(choice.right.astype(np.float64), weights)
    return score._replace(log_loss=loss, accuracy=accuracy)


# the choice -----------------------------------------------------------------------------------


def family() -> list[CountingClassifier]:
    """The candidates if none are given, the simple ones first."""
    models = [
        (candidate.together, class_named(entry.name)(**candidate.parameters))
        for entry in MODELS.values()
        for candidate in entry.candidates
    ]
    return [model for _, model in sorted(models, key=itemgetter(0))]


def choose_model(
    X: TableLike,
    y: LabelsLike | None = None,
    candidates: Sequence[CountingClassifier] | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    max_rows: int = 500,
    seed: int = 0,
) -> CountingClassifier:
    """The candidate that best predicts the class of each row, as if the row had not been learned.

        log loss = - mean over rows i of log P(c_i | x_i, rows without i)

    The one with the least log loss is returned, with all rows learned; ties go to the first. Its
    `scores_` is the table of all candidates; it belongs to this choice and is not kept in files.

    Anything chosen with the help of a row is not scored on that row. Models that choose nothing are
    scored by leave-one-out; forests by the trees that were not grown from a row, with a strength
    and temperature chosen on other rows; all other models in folds: each leaves out at most a fifth
    of the rows, and the model learns and chooses again without them. The choice among candidates is
    treated alike: the first line of `scores_` is what each fifth of the rows gets from the
    candidate that is best on the others.

    All candidates learn all rows. They are scored on 100 rows, drawn at random, then on four times
    as many, and so on. Those more than two standard errors behind the best, or unlikely to be
    better than it by 0.005, are dropped. If only one is left, it is chosen. A row that is the only
    one of its class is not scored: no model can know the class.

    X : table in memory, of any library; a dict of columns; rows; an array
    y : class labels, or the name of the column of X that holds them
    candidates : models of this library that learn tables or arrays by counting. If None:
        NaiveBayes, GaussianBayes of all shapes, TreeAugmentedNB, KDependence(k=2),
        AveragedOneDependence with n = 1 and 2, and two BayesForest; without those that would be
        slow because of many columns, or of columns that depend on each other. A candidate that
        cannot learn the table is left out, and its line in the table of scores says why. Columns
        that look like identifiers are left out as well, with a warning.
    sample_weight : weights of the rows; a row of weight 2 counts twice
    max_rows : the most rows to score; all rows are learned
    seed : of the draw of rows

    >>> lamps = {"left": ["on", "on", "off", "off"] * 9, "right": ["on", "off", "on", "off"] * 9}
    >>> model = choose_model(lamps, ["same", "other", "other", "same"] * 9)
    >>> model, model.scores_[0].accuracy
    (BayesForest(), 1.0)
    """
    models = _checked_candidates(candidates)
    check_whole_number("max_rows", max_rows, 1)
    check_whole_number("seed", seed, 0)
    X, y = with_own_target(X, y)
    data = _checked_data(X, y, sample_weight)
    if candidates is None:
        models = without_identifiers(models, X, y)
    fold_rows, weights = _asked_rows(data, int(max_rows), seed)
    with bar_of("choosing", 2 * len(models)) as advance, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what models that are not chosen have to say
        running, refused = _start(models, data, fold_rows, candidates is None, advance)
        best, choice = race([each.runner for each in running], weights, advance)
    scores = [score_of(each, best, weights) for each in running]
    order = sorted(scores, key=lambda score: (-score.n_rows, score.log_loss))
    order[0] = _as_chosen(order[0], choice, weights)
    chosen = next(each.learned for each in running if each.runner is best)
    for notice in chosen.notices:
        tell(notice)
    chosen.model.scores_ = Scores((*order, *refused))
    return chosen.model


def _start(
    models: Sequence[CountingClassifier],
    data: Data,
    fold_rows: FoldRows,
    candidates_are_ours: bool,
    advance: Callable[[], None],
) -> tuple[list[Candidate], list[Score]]:
    """The candidates that can learn the rows, and those that cannot."""
    running: list[Candidate] = []
    refused: list[Score] = []
    known: CountedCandidates = {}
    for model in models:
        try:
            if candidates_are_ours:
                _refuse_slow(model, running)
            of_all = learned(model, data, known)
            if candidates_are_ours:
                _refuse_singular(of_all)
            running.append(Candidate(model, of_all, _runner(model, of_all, fold_rows, known)))
        except (TypeError, ValueError, MemoryError) as error:
            refused.append(left_out(model, str(error) or type(error).__name__))
        advance()
    if not running:
        reasons = "\n".join(f"- {reason}" for reason in reasons_of(refused))
        raise ValueError(f"None of the candidates can learn these rows.\n{reasons}")
    return running, refused


def _runner(
    model: CountingClassifier,
    of_all: LearnedCandidate,
    fold_rows: FoldRows,
    known: CountedCandidates,
) -> Runner:
    learn = learned_again(model, of_all, known)
    judge = judge_of(of_all.model, of_all.rows, fold_rows, learn)
    return Runner(judge, of_all.rows.codes[fold_rows.rows])


def _refuse_slow(model: CountingClassifier, others: Sequence[Candidate]) -> None:
    """Refuse what takes long with this many columns, as seen from models that have learned them."""
    tables = [other.learned.rows for other in others if isinstance(other.learned.rows.X, Table)]
    if not tables:
        return
    n_columns, n_classes = len(tables[0].X.columns), len(tables[0].classes)  # type: ignore[arg-type]
    is_square = isinstance(model, GaussianBayes) and model.covariance in ("full", "tied")
    if is_square and n_columns > MOST_NUMBERS:
        raise ValueError(
            f"slow here, with covariances of {n_columns} columns. Give it in candidates to try."
        )
    if not isinstance(model, LevelClassifier):
        return
    together = model._order()
    n_tables = comb(n_columns, together)
    is_mean = isinstance(model, AveragedOneDependence)
    n_steps = together * n_tables * n_classes if is_mean else 0
    if n_tables > MOST_TABLES or n_steps > MOST_STEPS:
        raise ValueError(
            f"slow here, with {n_tables} sets of {together} columns. Give it in candidates to try."
        )


def _refuse_singular(fitted: LearnedCandidate) -> None:
    """Refuse Gaussian classes that must be estimated again for every row that is left out."""
    if isinstance(fitted.model, GaussianBayes) and any("singular" in n for n in fitted.notices):
        raise ValueError("slow here, with singular covariances. Give it in candidates to try.")


def _checked_candidates(
    candidates: Iterable[CountingClassifier] | None,
) -> list[CountingClassifier]:
    if not isinstance(candidates, Iterable | None):
        raise TypeError(f"candidates must be a list of models, got {candidates!r:.80}.")
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


def _checked_data(X: TableLike, y: LabelsLike | None, sample_weight: ArrayLike | None) -> Data:
    if isinstance(opened(X), Stored):
        raise ValueError(
            f"A model is chosen for rows in memory, not for a file ({str(X)!r:.80}). Read the "
            "rows, or some of them, into a table; the model that is chosen can then learn the file."
        )
    if y is None:
        raise ValueError(
            "choose_model needs y: the class of each row, or the name of the column that holds "
            "them."
        )
    features, labels = take_column(X, y) if isinstance(y, str) else (X, y)
    encode_labels(labels)  # refuses what are not labels
    return Data(X, y, features, np.asarray(labels), sample_weight)


def _asked_rows(data: Data, max_rows: int, seed: int) -> tuple[FoldRows, Array]:
    """The rows to ask about, drawn at random, and their weights."""
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
    drawn = np.random.default_rng(seed).permutation(others)[:max_rows]
    fold_rows = asked_in_folds(drawn, codes)
    return fold_rows, weights[fold_rows.rows]
