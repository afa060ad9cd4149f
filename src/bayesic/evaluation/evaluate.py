"""How good a classifier is, in one call."""

from collections.abc import Sequence

from bayesic.data.arguments import check_whole_number
from bayesic.data.languages import Sentence
from bayesic.data.snapshots import held_still
from bayesic.data.source import Source, opened
from bayesic.data.typing import ArrayLike, Classifier, Folds, LabelsLike, LossLike, TableLike
from bayesic.decisions.bayes_decision import BayesDecision
from bayesic.decisions.sure_answers import refuse_without_probabilities
from bayesic.evaluation.held_out import (
    LEAVE_ONE_OUT,
    answers_as_learned,
    answers_without_each,
    are_texts_of_files,
    cross_validated,
    folds_text,
)
from bayesic.evaluation.judged import Answers
from bayesic.evaluation.report import N_WORST, Evaluation, evaluate_answers
from bayesic.models.words.text_classifier import TextClassifier


def evaluate(
    model: Classifier,
    X: TableLike,
    y: LabelsLike | None = None,
    *,
    loss: LossLike | None = None,
    cv: Folds | None = None,
    reject_loss: float | None = None,
    sample_weight: ArrayLike | None = None,
    text: str | Sequence[str] | None = None,
    seed: int = 0,
    worst: int = N_WORST,
) -> Evaluation:
    """How good the answers of a classifier are: scores, calibration, confusion, cost, worst rows.

    `print` and notebooks show the report; `to_dict` gives plain values for JSON, `to_pandas` the
    tables as data frames. All numbers are attributes of the Evaluation.

    Parameters
    ----------
    model : any classifier with predict_proba: of this library, of scikit-learn, pipelines. A
        BayesDecision brings its loss along
    X : rows as the model takes them: arrays, tables, texts. For models of this library also the
        path of a CSV, TSV or Parquet file; for texts also of a folder, with a folder for each class
    y : the true class of each row, or the name of the column of X that holds them. If left out,
        the name of the column that the model has learned, or the names of the folders
    loss : costs of actions, as in `decide`; array, dict or table
    cv : None: the model is fitted, and these are rows that it has not learned.
        "leave-one-out": the model is fitted, and these are rows that it has learned; each is
        predicted as if it alone had not been. Exact, by `model.leave_one_out`. A number of folds:
        copies of the model are fitted again. The folds keep the shares of the classes and are
        shuffled by the seed: StratifiedKFold(cv, shuffle=True, random_state=seed). Or any splitter
        of scikit-learn, or pairs of rows to learn and to predict
    reject_loss : cost of taking no action, as in `decide`
    sample_weight : weights of the rows; a row of weight 2 counts twice, when learned and when
        scored
    text : of a file or table, the name of the column with the texts
    seed : of the folds, if cv is a number
    worst : how many of the worst predictions to show

    Examples
    --------
    >>> from bayesic import NaiveBayes
    >>> from bayesic.datasets import play_tennis
    >>> tennis = play_tennis().to_dict()
    >>> model = NaiveBayes().fit(tennis, y="PlayTennis")
    >>> report = evaluate(model, tennis, "PlayTennis", cv="leave-one-out", worst=1)
    >>> report.accuracy, round(report.log_loss, 4)
    (0.5, 0.7357)
    >>> [(row.row, row.truth, row.answer) for row in report.worst]
    [(5, 'No', 'Yes')]
    """
    check_whole_number("worst", worst, 0)
    refuse_without_probabilities(model)
    model = held_still(model)  # all blocks of a file by one state of it
    if isinstance(model, BayesDecision):
        reject_loss = model.reject_loss if loss is None and reject_loss is None else reject_loss
        loss = model.loss if loss is None else loss
        model = model.model if _learns_anew(cv) else getattr(model, "model_", model.model)
    source = opened(X)
    is_text = isinstance(model, TextClassifier) or are_texts_of_files(source, model, text)
    unit = "text" if is_text or text is not None else "row"
    answers, how = _held_out(model, source, y, cv, seed, text, sample_weight)
    return evaluate_answers(answers, how, unit, loss, reject_loss, worst)


def _held_out(
    model: object,
    X: Source,
    y: object,
    cv: object,
    seed: int,
    text: object,
    sample_weight: object,
) -> tuple[Answers, Sentence]:
    """The answers for the rows that cv holds out, and a few words about how that was done."""
    if cv is None:
        answers = answers_as_learned(model, X, y, text, sample_weight)
        return answers, Sentence("answers of {model}", model=type(model).__name__)
    if not _learns_anew(cv):
        answers = answers_without_each(model, X, y, text, sample_weight)
        return answers, Sentence(LEAVE_ONE_OUT)
    answers, n_folds = cross_validated(model, X, y, cv, seed, text, sample_weight)
    return answers, folds_text(cv, n_folds)


def _learns_anew(cv: object) -> bool:
    return cv is not None and not (isinstance(cv, str) and cv == LEAVE_ONE_OUT)
