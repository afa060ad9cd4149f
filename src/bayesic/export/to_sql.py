"""`to_sql`: the answers of a fitted model as one SELECT, which a database runs by itself."""

from collections.abc import Sequence
from typing import Any, Literal

from bayesic.data.arguments import check_is_fitted, check_one_of
from bayesic.data.snapshots import held_still
from bayesic.data.typing import Classifier
from bayesic.decisions.bayes_decision import BayesDecision
from bayesic.export._class_answers import action_and_risk, probabilities
from bayesic.export._class_scores import scores_of
from bayesic.export._dialects import DIALECTS
from bayesic.export._expressions import NameOf
from bayesic.export._sql import Select
from bayesic.export._steps import Steps
from bayesic.models.readers.known_columns import known_columns


def to_sql(
    model: Classifier,
    table: str | Sequence[str],
    dialect: Literal["duckdb", "sqlite", "postgresql"] = "duckdb",
    keep: str | Sequence[str] = (),
) -> str:
    """One SELECT that gives the probabilities of every row of a table, inside the database.

    The answer has a column P(class) for each class, in the order of classes_: the numbers of
    `predict_proba`. A BayesDecision adds `action`, the action of least expected loss, and `risk`,
    that loss. SQL does not guarantee row order: keep a column that identifies the rows.

    model : a fitted model: NaiveBayes (without columns of texts), TreeAugmentedNB, KDependence,
        AveragedOneDependence(n=1), BayesForest, GaussianBayes, QuadraticDiscriminantAnalysis,
        LinearDiscriminantAnalysis, LogisticRegression, GaussianNB, CategoricalNB, BernoulliNB,
        MultinomialNB, ComplementNB; Calibrated, SemiSupervised or BayesDecision of these
    table : the name of the table, which has the columns of the model; or its parts, such as
        ("public", "mails")
    dialect : "duckdb", "sqlite" or "postgresql"
    keep : a column of the table to keep in the result, or several

    >>> import duckdb
    >>> import bayesic as by
    >>> tennis = by.datasets.play_tennis().to_dict()
    >>> model = by.NaiveBayes(smoothing=0).fit(tennis, y="PlayTennis")
    >>> database = duckdb.connect()
    >>> day = "'Sunny' Outlook, 'Cool' Temperature, 'High' Humidity, 'Strong' Wind"
    >>> _ = database.execute(f"create table days as select 15 as day, {day}")
    >>> database.execute(by.to_sql(model, "days", keep="day")).fetchall()  # doctest: +ELLIPSIS
    [(15, 0.7954..., 0.2045...)]
    """
    check_one_of("dialect", dialect, tuple(DIALECTS))
    model = held_still(model)
    check_is_fitted(model)
    parts, kept = _names(table, "table"), _names(keep, "keep")
    learned = model._learned if isinstance(model, BayesDecision) else model
    spelling = DIALECTS[dialect]
    steps = Steps(known_columns(learned).names, can_walk=spelling.array_ends is not None)
    answers = _answers(model, probabilities(steps, scores_of(learned, steps)), steps)
    twice = [name for name in kept if name in answers]
    if twice:
        raise ValueError(f"keep names columns that the answer also has: {twice}. Rename them.")
    return Select(spelling, parts, kept).text(steps, answers)


def _answers(model: Any, posterior: Sequence[NameOf], steps: Steps) -> dict[str, NameOf]:
    """The answers by the names of their columns."""
    classes = model.classes_.tolist()
    answers = {f"P({label})": share for label, share in zip(classes, posterior, strict=True)}
    if isinstance(model, BayesDecision):
        action, risk = action_and_risk(steps, posterior, model)
        answers["action"], answers["risk"] = steps.let(action, risk)
    return answers


def _names(given: Any, what: str) -> tuple[str, ...]:
    """One name or several."""
    names = (given,) if isinstance(given, str) else tuple(given)
    if not all(isinstance(name, str) for name in names) or (what == "table" and not names):
        raise TypeError(f"{what} must be a name, or a list of names, got {given!r:.80}.")
    return names
