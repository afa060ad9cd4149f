"""A classifier that answers with the action of least expected loss."""

from typing import Any, Self

import numpy as np

from bayesic.contract.constructor import clone
from bayesic.data.arguments import check_is_fitted, is_fitted
from bayesic.data.calls import constructor
from bayesic.data.snapshots import answering, is_ours, learning
from bayesic.data.targets import split_target, without_target
from bayesic.data.typing import ArrayLike, Classifier, FilePath, LabelsLike, LossLike, TableLike
from bayesic.decisions.decide import decide, expected_cost
from bayesic.decisions.loss import Loss, as_loss, checked_reject_loss
from bayesic.decisions.names import as_names, name_array
from bayesic.decisions.on_top import OnTop
from bayesic.decisions.sure_answers import refuse_without_probabilities
from bayesic.kernels import Array


class BayesDecision(OnTop):
    """The action of least expected loss, on top of any classifier with predict_proba.

        predict(x) = the action i of least R(i | x) = sum over j of loss_ij P(c_j | x)

    model : any scikit-learn classifier with predict_proba. `fit` learns a copy of it (`model_`). A
        model that has learned already can be used at once, without `fit`; to keep it through `fit`
        as well, wrap it in sklearn.frozen.FrozenEstimator.
    loss : array (actions x classes in the order of classes_), dict action -> class -> cost, or a
        pandas, polars or pyarrow table with the names of the actions in its first column (or
        pandas index) and a column for each class. None for 0-1 loss: actions are the classes.
    reject_loss : cost of taking no action; where the least risk is greater, the answer is "reject"

    Actions of an array have no names: as many as classes, they are named by the classes, otherwise
    they are numbered. loss and reject_loss can be changed with set_params without learning again.

    For scikit-learn this is a classifier: cross validation keeps the shares of the classes, and
    scorers may ask for predict_proba. Scorers that compare answers of `predict` with y make sense
    only if the actions are the classes; `score` is minus the mean cost.

    >>> from bayesic import BernoulliNB
    >>> X = [[1, 1], [1, 0], [0, 1], [0, 0]]  # pays rent on time? has work?
    >>> y = ["good", "good", "good", "bad"]
    >>> credit = {"approve": {"good": 0, "bad": 5}, "decline": {"good": 1, "bad": 0}}
    >>> bank = BayesDecision(BernoulliNB(), loss=credit).fit(X, y)
    >>> bank.predict([[1, 1], [0, 0]])
    array(['approve', 'decline'], dtype='<U7')
    >>> bank.predict_risk([[1, 1], [0, 0]]).round(4)
    array([[0.4664, 0.9067],
           [2.4038, 0.5192]])
    """

    passes_on = ("fit",)

    @constructor
    def __init__(
        self, model: Classifier, loss: LossLike | None = None, reject_loss: float | None = None
    ) -> None:
        self.model = model
        self.loss = loss
        self.reject_loss = reject_loss

    # learning -------------------------------------------------------------------------------

    @learning
    def fit(self, X: TableLike, y: LabelsLike | None = None, **fit_params: object) -> Self:
        """Learn a copy of the model from rows X with classes y; fit_params go to its `fit`.

        y may be the name of a column of X.
        """
        refuse_without_probabilities(self.model)
        learned = clone(self.model)
        if not is_ours(learned):  # ours do this themselves, of files as well
            X, y = split_target(self, X, y, first=True)
        learned.fit(X, y, **fit_params)
        self._checked_loss(learned.classes_)
        self.model_ = learned
        return self

    # answers --------------------------------------------------------------------------------

    @answering
    def predict(self, X: TableLike) -> Array:
        """The action of least risk for each row, or "reject" if it costs more than that."""
        return decide(self.predict_proba(X), self.loss, self.reject_loss, self.classes_).action

    @answering
    def predict_risk(self, X: TableLike) -> Array:
        """Expected loss of every action, in the order of actions_: (n_rows, n_actions)."""
        return decide(self.predict_proba(X), self.loss, self.reject_loss, self.classes_).risk

    def predict_proba(self, X: TableLike) -> Array:
        """Probability of each class, as the model gives it: (n_rows, n_classes)."""
        check_is_fitted(self)
        refuse_without_probabilities(self._learned)
        return self._learned.predict_proba(without_target(self, X))

    @answering
    def score(
        self, X: TableLike, y: LabelsLike | None = None, *, sample_weight: ArrayLike | None = None
    ) -> float:
        """Minus the mean cost of the actions, where y is the true class: greater is better.

        y may be the name of a column of X.
        """
        X, y = split_target(self, X, y)
        return -expected_cost(
            y, self.predict(X), self.loss, self.reject_loss, sample_weight, self.classes_
        )

    @answering
    def save(self, path: FilePath) -> None:
        """Write model and loss to a file, which `bayesic.load(path)` reads.

        For models of this library. `load` gives a BayesDecision on a model that has learned.
        """
        check_is_fitted(self)
        if not hasattr(self._learned, "_save"):
            raise TypeError(
                f"A model file holds models of bayesic, got a {type(self._learned).__name__}. "
                "Use pickle for others."
            )
        loss = self.loss
        if loss is not None:
            named = self._checked_loss(self.classes_)
            loss = {
                action: dict(zip(map(_plain, named.classes or ()), costs, strict=True))
                for action, costs in zip(
                    map(_plain, named.actions), named.matrix.tolist(), strict=True
                )
            }
        self._learned._save(path, {"loss": loss, "reject_loss": self.reject_loss})

    # what the model knows -------------------------------------------------------------------

    @property
    @answering
    def actions_(self) -> Array:
        """The actions: the order of the columns of predict_risk. "reject" is not among them."""
        return name_array(self._checked_loss(self.classes_).actions)

    @property
    def _learned(self) -> Any:
        return getattr(self, "model_", self.model)

    def _checked_loss(self, classes: Array) -> Loss:
        loss = as_loss(self.loss, as_names(classes, "classes"))
        if self.reject_loss is not None:
            checked_reject_loss(self.reject_loss, loss.actions)
        return loss

    # the contract of scikit-learn -----------------------------------------------------------

    def __sklearn_is_fitted__(self) -> bool:
        return is_fitted(self._learned)


def _plain(name: object) -> object:
    """A name as Python has it, not NumPy."""
    return name.item() if isinstance(name, np.generic) else name
