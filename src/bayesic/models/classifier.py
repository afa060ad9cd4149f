"""The answers of a classifier: probabilities, decisions and reasons, once for all models.

fitted  --scores-->  log p(x, c)  --posterior-->  P(c | x)  --explain, work-->  why
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import DTypeLike

from bayesic.contract.estimator import Estimator
from bayesic.contract.offered import fitted_can, offered_if
from bayesic.data.arguments import check_is_fitted, checked_weights
from bayesic.data.labels import checked_labels
from bayesic.data.snapshots import answering, snapshot
from bayesic.data.source import RowBlock, opened
from bayesic.data.typing import ArrayLike, Label, LabelsLike, RandomState, TableLike
from bayesic.estimation.calibration import Calibration
from bayesic.estimation.normal_evidence import NormalPrior
from bayesic.evidence.explanation import Explanation, classes_to_compare, explain_scores
from bayesic.evidence.fractions import prior_shares
from bayesic.evidence.several import Reasons, as_shown, checked_names
from bayesic.evidence.work import Work
from bayesic.files.model_files import Saved
from bayesic.kernels import Array
from bayesic.kernels.blas import AtWork
from bayesic.models.counting import CountingModel, Settings
from bayesic.models.fitted import Fitted
from bayesic.models.log_evidence import evidence_of
from bayesic.models.posterior import (
    Finish,
    best_class,
    log_posterior,
    posterior,
    tell_impossible,
)
from bayesic.models.readers.known_columns import known_columns
from bayesic.models.readers.labelled_rows import by_blocks, labelled_rows
from bayesic.models.readers.reader import Reader
from bayesic.models.sample import Sample, sample_of
from bayesic.models.summaries.dependent_pairs import classes_of_rows
from bayesic.models.summaries.summarised import (
    Described,
    FittedSummary,
    LearnedGroups,
    described_by,
)
from bayesic.statistics.additive import ClassStatistic

ClassStatistics = TypeVar("ClassStatistics", bound=ClassStatistic)
FittedClasses = TypeVar("FittedClasses", bound=Fitted)


class ClassifierAnswers:
    """The verbs that answer, whatever the classes were learned from."""

    classes_: Array
    _fitted: Any  # what was learned, with answers_of as in Fitted
    at_work: ClassVar[AtWork]  # held while the model computes

    _has_classes: ClassVar[bool] = True

    # what a model says ----------------------------------------------------------------------

    @abstractmethod
    def _reader(self) -> Reader:
        """How rows come in."""

    # answers --------------------------------------------------------------------------------

    @answering
    def predict(self, X: TableLike) -> Array:
        """The most probable class of each row."""
        best = self._by_blocks(X, best_class, dtype=np.intp)
        return self.classes_[best]

    @answering
    def predict_proba(self, X: TableLike) -> Array:
        """Probability of each class, in the order of classes_: (n_samples, n_classes).

        A row that is impossible in every class gets the prior, with a warning.
        """
        return self._by_blocks(X, posterior)

    @answering
    def predict_log_proba(self, X: TableLike) -> Array:
        """Log of predict_proba, exact even where that is too small to distinguish from zero."""
        return self._by_blocks(X, log_posterior)

    @answering
    def score(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Share of the rows whose most probable class is y; y may be the name of a column of X."""
        check_is_fitted(self)
        blocks: Iterable[Any] = self._reader().blocks(opened(X), y, sample_weight)
        correct = np.concatenate(
            [self.predict(block) == checked_labels(block.y) for block in blocks]
        )
        return float(np.average(correct, weights=checked_weights(sample_weight, len(correct))))

    # how it is done -------------------------------------------------------------------------

    def _feature_names(self) -> list[str]:
        """The names of the columns that take part."""
        return self._reader().features

    def _rows(self, X: object) -> Any:
        """Rows in memory as the model takes them."""
        return self._reader().read(RowBlock(X))[0]

    def _by_blocks(self, X: object, finish: Finish | None, dtype: DTypeLike = np.float64) -> Array:
        """What finish makes of the scores of all rows; None for the bare scores."""
        return self._of_rows(X, lambda rows: self._answers(rows, finish, dtype))

    def _of_rows(self, X: object, answer: Callable[[object], Array]) -> Array:
        """The answer for all rows, as the reader gives them: in blocks if they are of a file."""
        check_is_fitted(self)
        return by_blocks(self, X, answer)

    def _answers(self, rows: object, finish: Finish | None, dtype: DTypeLike = np.float64) -> Array:
        """What finish makes of the scores of rows, as the reader gives them."""
        with self.at_work():
            answers, n_impossible = self._fitted.answers_of(rows, finish, dtype)
        tell_impossible(self, n_impossible)
        return answers

    # what was learned -----------------------------------------------------------------------

    def _rows_and_codes(self, X: object, y: object) -> tuple[Any, Array]:
        """Rows that are handed to `summary`, and the number of the class of each."""
        rows, labels = labelled_rows(self, X, y)
        return rows, classes_of_rows(labels, self.classes_)


class ScoredAnswers(ClassifierAnswers):
    """A classifier that gives each class a score, log p(x, c), to which each feature adds."""

    # reasons --------------------------------------------------------------------------------

    @answering
    def explain(
        self,
        X: TableLike,
        against: Label | None = None,
        feature_names: Iterable[str] | None = None,
        answer: Label | None = None,
        top: int | None = None,
    ) -> Explanation | Reasons[Explanation]:
        """Why a row gets its answer: the prior and what each feature adds, in log odds.

        X : one row (a tuple, list, or dict by feature name), which gives one Explanation; or rows
            as for `predict`, which give a list
        against : the class to compare the answer with; None for the rest of the classes. A row
            whose answer is that class is compared with the rest
        feature_names : names to use instead of those of the learned columns
        answer : the class to explain, even if it is not the most probable one; None for the
            predicted class
        top : how many features to show, the strongest first; one line adds up the others
        """
        return self._explained(X, against, feature_names, answer, top)

    def _explained(
        self,
        X: object,
        against: object,
        feature_names: object,
        answer: object,
        top: int | None,
        calibration: Calibration | None = None,
    ) -> Explanation | Reasons[Explanation]:
        """`explain`, of the probabilities as they are or calibrated."""
        check_is_fitted(self)
        reader, fitted = self._reader(), self._fitted
        rows, single = reader.one(X)
        names = checked_names(feature_names, self._feature_names())
        classes, prior = self.classes_.tolist(), fitted.prior.in_scores(fitted.prior.log)
        asked, rival = classes_to_compare(classes, answer, against)
        reasons = fitted.reasons(rows, names, reader.shown(rows))
        answers = self._answers(rows, log_posterior)
        if calibration is not None:
            prior = calibration.scaled(prior) + calibration.bias
            answers = calibration.log_proba(answers)
            scaled = calibration.scaled
            reasons = ((named, scaled(scores), values) for named, scores, values in reasons)
        explanations = [
            explain_scores(
                classes, names, prior, scores, log_posterior, rival, values, asked, fitted.counted
            )
            for (names, scores, values), log_posterior in zip(reasons, answers, strict=True)
        ]
        if hasattr(fitted, "votes"):  # an average has members
            explanations = _with_votes(explanations, classes, fitted.votes(rows))
        shown = as_shown(explanations, top)
        return shown[0] if single else shown


def _with_votes(
    explanations: list[Explanation], classes: list[Label], votes: Mapping[str, Array]
) -> list[Explanation]:
    """The same with what the members of an average say."""
    indexes = [classes.index(each.answer) for each in explanations]
    return [
        replace(each, votes={name: said[row, indexes[row]].item() for name, said in votes.items()})
        for row, each in enumerate(explanations)
    ]


class CountingClassifier(
    CountingModel[ClassStatistics, FittedClasses, Settings],
    ScoredAnswers,
    Saved,
    FittedSummary,
    Estimator,
):
    """A classifier that is a function of additive statistics: `_fit` gives a Fitted."""

    estimator_type = "classifier"
    tags: ClassVar[dict[str, bool]] = {"sparse": True, "allow_nan": True}

    # answers --------------------------------------------------------------------------------

    @answering
    def predict_joint_log_proba(self, X: TableLike) -> Array:
        """log P(c) + log p(x | c) of each row and class; -inf where x is impossible in c."""
        return self._by_blocks(X, finish=None)

    @offered_if(fitted_can("sampled"))
    @answering
    def log_density(self, X: TableLike) -> Array:
        """log p(x) of each row, summed over the classes: low for rows unlike any that were learned.

        With missing values it is the density of the other columns. Weights of columns separate
        classes, and play no part here.
        """
        model: Any = self
        if getattr(self, "weights", None) is not None:
            model = snapshot(model)
            model.weights = None
        return np.logaddexp.reduce(model.predict_joint_log_proba(X), axis=1)

    @offered_if(fitted_can("sampled"))
    @answering
    def sample(
        self, n: int = 1, label: Label | None = None, random_state: RandomState = None
    ) -> Sample:
        """Draw n rows from the model: from one class, or from classes drawn from the prior.

        Returns the columns as a dict (rows as an array if the learned table had no names, and for
        models of numbers), which `predict` takes, and the classes.
        """
        return sample_of(self, n, label, random_state)

    @offered_if(fitted_can("evidence"))
    @answering
    def log_evidence(
        self,
        mean: ArrayLike = 0.0,
        variance: ArrayLike = 1.0,
        mean_rows: float = 1.0,
        variance_rows: float = 1.0,
    ) -> float:
        """log P(D | M): the probability of the classes and cells that were learned, all together.

        The parameters are integrated out. For counts it is under the prior that the smoothing is, a
        Dirichlet prior with a pseudo-count of lambda for each of S levels, or classes
        ([Heckerman]):

            Gamma(S lambda) / Gamma(S lambda + N) * product of Gamma(lambda + n_v) / Gamma(lambda)

        for n_v occurrences of level v, N in all, in each class and column (given its parents).

        Means and covariances of normal densities are integrated out under their conjugate prior,
        the normal-inverse-Wishart ([Murphy] section 9, [Gelman] section 3.6):

            Sigma ~ inverse Wishart(variance_rows + d + 1, variance_rows * variance),
            mean_c ~ N(mean, Sigma / mean_rows)

        with d = 1 where columns do not correlate. Shrinkage and other smoothing of the variances
        play no part: they are not a prior. All class shares are equally likely a priori there,
        unless they are given. A Bayes factor depends on this prior more than answers do, and the
        default is for columns in standard units, of mean 0 and variance 1: for others set your own.

        log P(D | M) is the sum over the rows of the log probability of each given those before it,
        in any order: a function of the counts. The difference of two models' is the log of the
        Bayes factor between them. Missing values are left out. The levels, classes and bins are
        those that the model knows, and the parents those that it has chosen: there is no penalty
        for choosing them. A model without a proper prior, or without a closed form, is refused.

        mean, variance : what is expected of a column within a class; a number, or one for each
        mean_rows, variance_rows : how many rows each of them counts for

        >>> from bayesic.models.columns.naive_bayes import NaiveBayes
        >>> mail = {"sky": ["sun", "rain", "rain"], "is": ["ham", "spam", "spam"]}
        >>> model = NaiveBayes().fit(mail, y="is")
        >>> round(2.718281828 ** -model.log_evidence(), 4)  # 1/2 1/3 2/4, and 1/2, 1/2 2/3
        72.0
        """
        return evidence_of(self, NormalPrior(mean, variance, mean_rows, variance_rows)).log

    @answering
    def work(self, row: TableLike, feature_names: Iterable[str] | None = None) -> Work:
        """The calculation of one row written out, in exact fractions where the model has counts.

        row : a tuple, list or array of values, a dict by feature name, or a table of one row
        feature_names : names to use instead of those of the learned columns
        """
        check_is_fitted(self)
        if self._fitted.no_product is not None:
            raise TypeError(self._fitted.no_product)
        reader, prior = self._reader(), self._fitted.prior
        rows, _ = reader.one(row)
        if rows.shape[0] != 1:
            raise ValueError(
                f"work shows the calculation of one row, got {rows.shape[0]}. Give one of them."
            )
        names = checked_names(feature_names, self._feature_names())
        factors = self._fitted.factors(rows, names, reader.shown(rows)[0])
        shares = prior_shares(prior.class_count, prior.rule, prior.smoothing)
        power = self._fitted.prior_power
        return Work(tuple(self.classes_.tolist()), shares, tuple(factors), power)

    # what was learned -----------------------------------------------------------------------

    def _groups(self) -> LearnedGroups:
        return LearnedGroups(self.classes_.tolist(), self.statistics_.class_count)

    def _described(self) -> Described:
        fitted = self._fitted
        names = list(fitted.column_names(known_columns(self).names))
        shares = fitted.prior.probability
        return described_by(fitted, names, self._groups(), shares, self._rows_and_codes)
