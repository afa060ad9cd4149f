"""Learning from labelled and unlabelled rows together."""

from dataclasses import replace
from typing import Self

import numpy as np

from bayesic.contract.constructor import clone
from bayesic.data.arguments import (
    check_is_fitted,
    check_number,
    check_whole_number,
    checked_weights,
    tell,
)
from bayesic.data.calls import constructor
from bayesic.data.labels import UNLABELLED, encode_known_labels, encode_some_labels
from bayesic.data.snapshots import answering, learning
from bayesic.data.source import RowBlock
from bayesic.data.targets import split_target
from bayesic.data.typing import ArrayLike, Classifier, FilePath, Label, LabelsLike, TableLike
from bayesic.decisions.on_top import OnTop
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.explanation import Explanation
from bayesic.evidence.several import Reasons
from bayesic.evidence.summary import Summary
from bayesic.kernels import Array
from bayesic.mixtures._soft_classes import (
    SomeLabelled,
    answer_without,
    expectation,
    learned_from_some_labels,
    one_row,
)
from bayesic.mixtures.em import Climb
from bayesic.models.arrays.complement import ComplementNB
from bayesic.models.classifier import CountingClassifier
from bayesic.models.readers.labelled_rows import read_to_learn
from bayesic.models.words.text_classifier import TextClassifier


class SemiSupervised(OnTop):
    """A model of this library that also learns from unlabelled rows, by EM ([Nigam]).

        start  the model of the labelled rows
        E      P(c | x) of each unlabelled row under the model
        M      statistics = those of the labelled rows
                            + weight * those of the unlabelled rows, each in every class by P(c | x)

    alternating until the gain is small. Every step increases

        sum over labelled rows of log P(c) p(x | c)
        + weight * sum over unlabelled rows of log sum over c of P(c) p(x | c)  +  log prior

    where the prior of the parameters is the one that smoothing implies, a Dirichlet prior. It helps
    where labels are few and the model is about right. Where the model is wrong, it may find
    something other than the classes in many unlabelled rows: docs/mixtures.md has numbers.

    Unlabelled rows have the label None (NaN, NaT and pandas.NA will do). Each class needs at least
    one labelled row.

    Parameters
    ----------
    model : a model with a likelihood: TextClassifier (neither "complement" nor weighting),
        NaiveBayes, JointBayes, MultinomialNB, BernoulliNB, CategoricalNB, GaussianNB
    weight : how much an unlabelled row counts beside a labelled one (the lambda of [Nigam]);
        0 leaves them out
    max_iter : maximum number of M-steps
    tol : stop when a step gains no more than this share of the objective

    Attributes
    ----------
    model_ : the fitted model. Its statistics are those of all rows, labelled and soft
    responsibility_ : (n_rows, n_classes), P(c | x) with which each row was learned
    trace_ : the objective after each M-step, up to a constant; it never falls
    n_iter_ : number of M-steps
    converged_ : whether the last of them gained no more than tol. If False, either max_iter was
        reached (there is a warning then), or the next step would have lowered the objective, which
        happens with models whose estimate is not an exact maximum (densities with a floor, bins)

    Examples
    --------
    No labelled mail has the word gift, but it occurs with free.

    >>> from bayesic import TextClassifier
    >>> mails = ["free money", "lunch today", "free gift", "gift gift", "lunch at noon"]
    >>> model = SemiSupervised(TextClassifier()).fit(mails, ["spam", "ham", None, None, None])
    >>> model.predict(["a gift", "see you at noon"])
    array(['spam', 'ham'], dtype='<U4')
    """

    model_: CountingClassifier

    @constructor
    def __init__(
        self, model: Classifier, weight: float = 1.0, max_iter: int = 100, tol: float = 1e-6
    ) -> None:
        self.model = model
        self.weight = weight
        self.max_iter = max_iter
        self.tol = tol

    # learning -------------------------------------------------------------------------------

    @learning
    def fit(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn from rows X with classes y, None where the class is unknown.

        X : whatever the model learns from, in memory
        y : class labels and gaps, (n_samples,), or the name of the column that holds them
        sample_weight : weights of the rows; those of unlabelled rows are multiplied by `weight`
        """
        self._check_parameters()
        model = clone(self.model)
        X, y = split_target(model, X, y)
        classes, codes = encode_some_labels(y)
        model._check_parameters()
        matrix = read_to_learn(model, RowBlock(X, y=y), len(codes))
        weights = checked_weights(sample_weight, len(codes))
        model.classes_, self._codes = classes, codes
        rows = SomeLabelled(matrix, codes, self._row_weights(codes, weights))
        model._look_before([rows.labelled_rows(classes)])
        if not rows.labelled.all():
            return self._keep(learned_from_some_labels(model, rows, self.max_iter, self.tol))
        # all rows are labelled: no EM
        model._keep(model._count(matrix, codes, len(classes), weights))
        responsibility, objective = expectation(model, rows)
        trace = np.array([objective])
        return self._keep(Climb(model, responsibility, responsibility, trace, converged=True))

    def _keep(self, learned: Climb[CountingClassifier, Array]) -> Self:
        self.model_ = learned.state
        self.responsibility_ = learned.hidden
        self.trace_, self.n_iter_ = learned.trace, learned.n_iter
        self.converged_ = learned.converged
        if not learned.converged and learned.n_iter == self.max_iter:
            tell(
                f"EM has not converged within max_iter={self.max_iter} steps. Raise max_iter, or "
                "tol if the last digits do not matter."
            )
        return self

    def _row_weights(self, codes: Array, weights: Array | None) -> Array:
        each = np.ones(len(codes)) if weights is None else weights
        return np.where(codes == UNLABELLED, self.weight * each, each)

    # answers --------------------------------------------------------------------------------

    def predict(self, X: TableLike) -> Array:
        """The most probable class of each row."""
        return self._learned.predict(X)

    def predict_proba(self, X: TableLike) -> Array:
        """Probability of each class, in the order of classes_: (n_samples, n_classes)."""
        return self._learned.predict_proba(X)

    def predict_log_proba(self, X: TableLike) -> Array:
        """Log of predict_proba, exact even where that is too small to distinguish from zero."""
        return self._learned.predict_log_proba(X)

    def predict_joint_log_proba(self, X: TableLike) -> Array:
        """log P(c) + log p(x | c) of each row and class; -inf where x is impossible in c."""
        return self._learned.predict_joint_log_proba(X)

    def score(
        self, X: TableLike, y: LabelsLike | None = None, *, sample_weight: ArrayLike | None = None
    ) -> float:
        """Share of the rows whose most probable class is y; every row needs a label here."""
        return self._learned.score(X, y, sample_weight=sample_weight)

    def explain(
        self,
        X: TableLike,
        against: Label | None = None,
        answer: Label | None = None,
        top: int | None = None,
    ) -> Explanation | Reasons[Explanation]:
        """Why a row gets its answer: what the prior and each feature add, in log odds."""
        return self._learned.explain(X, against, answer=answer, top=top)

    @answering
    def leave_one_out(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
    ) -> Array:
        """Probability of each class for each learned row, as if it was not in the statistics.

        The row is taken out of `model_.statistics_`, where it counts with its weight: a labelled
        row in its class, an unlabelled one in every class by responsibility_. All other rows stay
        as they are: the soft counts of the unlabelled rows are those that EM found using this row
        too. So it is the answer of the model of all other rows, given what EM has made of them.

        Labelled rows may be given alone, and are fast; what the model has chosen from all rows
        stays for them, as in its own `leave_one_out`. With unlabelled rows among them, give all
        rows as they were given to `fit`; for each of these the model is estimated again, which
        takes time if the model is large. Pass the weights that were learned.
        """
        check_is_fitted(self)
        X, y = split_target(self.model_, X, y)
        codes = self._learned_codes(y)
        gaps = codes == UNLABELLED
        if not gaps.any():
            return self.model_.leave_one_out(X, y, sample_weight=sample_weight)
        weights = checked_weights(sample_weight, len(codes))
        weights = self._row_weights(codes, weights)
        # a row of weight 0 takes nothing away; such rows are answered below
        labels = self.classes_[np.maximum(codes, 0)]
        answers = self.model_.leave_one_out(X, labels, sample_weight=np.where(gaps, 0.0, weights))
        matrix = self.model_._rows(X)
        for row in np.flatnonzero(gaps).tolist():
            share = weights[row] * self.responsibility_[row : row + 1]
            answers[row] = answer_without(self.model_, one_row(matrix, row), share)
        return answers

    def _learned_codes(self, y: LabelsLike | None) -> Array:
        """The class of each row, -1 for gaps; rows with gaps must be those of `fit`."""
        classes, codes = encode_some_labels(y)
        labelled = codes != UNLABELLED
        codes[labelled] = encode_known_labels(classes, self.classes_)[codes[labelled]]
        if not labelled.all() and not np.array_equal(codes, self._codes):
            raise ValueError(
                "Rows without a label must come with all rows and labels that were given to fit, "
                f"in the same order: these were {len(self._codes)}, got {len(codes)}. Leave the "
                "unlabelled rows out to get only the labelled ones."
            )
        return codes

    def summary(self, X: TableLike | None = None, y: LabelsLike | None = None) -> Summary:
        """What model_ has learned from all rows, labelled and soft: see the model's own `summary`.

        X, y : labelled rows, for the pairs of columns
        """
        return replace(self._learned.summary(X, y), model=repr(self))

    def table(self, column: str, fractions: bool = False) -> ColumnTable:
        """Everything model_ knows about one column: see the model's own `table`."""
        return self._learned.table(column, fractions)

    @property
    def n_parameters(self) -> int:
        """Numbers that are estimated: those of model_."""
        return self._learned.n_parameters

    def __str__(self) -> str:
        if not hasattr(self, "model_"):
            return repr(self)
        return f"{self!r}{str(self.model_).removeprefix(repr(self.model_))}"

    def save(self, path: FilePath) -> None:
        """Write model_ to a file: `bayesic.load(path)` reads it, with what EM has learned."""
        self._learned.save(path)

    # what was learned -----------------------------------------------------------------------

    @property
    def _learned(self) -> CountingClassifier:
        check_is_fitted(self)
        return self.model_

    # checks ---------------------------------------------------------------------------------

    def _check_parameters(self) -> None:
        _refuse_without_likelihood(self.model)
        check_number("weight", self.weight)
        check_number("tol", self.tol)
        check_whole_number("max_iter", self.max_iter, 1)


def _refuse_without_likelihood(model: object) -> None:
    """Refuse models without a likelihood, and models that cannot learn soft counts."""
    if not isinstance(model, CountingClassifier):
        raise TypeError(
            "SemiSupervised needs a model of bayesic that learns by counting, such as "
            f"TextClassifier() or NaiveBayes(), got {model!r}. Put other steps before it in a "
            "pipeline."
        )
    of_weights = isinstance(model, TextClassifier) and (
        model.model == "complement" or model.weighting is not None
    )
    if of_weights or isinstance(model, ComplementNB):
        raise ValueError(
            f"SemiSupervised needs a model with a likelihood, got {model!r}: its scores are "
            "weights, not log probabilities. Use a multinomial model without weighting."
        )
