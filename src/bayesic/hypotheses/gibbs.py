"""The Gibbs classifier: one hypothesis, drawn by its probability."""

from collections.abc import Sequence
from typing import Any

from sklearn.utils import check_random_state

from bayesic.data.snapshots import answering
from bayesic.hypotheses.model_posterior import ModelPosterior
from bayesic.kernels import Array


class GibbsClassifier(ModelPosterior):
    """The answers of one model, drawn at random by its posterior probability.

    It costs one model where the Bayes optimal classifier asks all of them. If the truth is one of
    the models, drawn by the prior, its expected error is at most twice the least possible
    ([Haussler]; [Mitchell] section 6.8): where the vote is p against 1 - p, the optimum errs with
    min(p, 1 - p), and Gibbs with 2 p (1 - p).

    models, prior, cv : as for BayesOptimalClassifier, and weighed in the same way
    random_state : for the draw; `fit` draws one model (`drawn_`, its number) and keeps to it.
        Models that are used without `fit` are drawn anew for every call

    >>> from bayesic.hypotheses.rule import RuleClassifier
    >>> plus = RuleClassifier(lambda X: ["+"] * len(X), classes=["+", "-"])
    >>> minus = RuleClassifier(lambda X: ["-"] * len(X), classes=["+", "-"])
    >>> rng = np.random.RandomState(0)
    >>> gibbs = GibbsClassifier([plus, minus], prior=[0.4, 0.6], random_state=rng)
    >>> answers = [str(gibbs.predict([[0]])[0]) for _ in range(1000)]
    >>> 0.35 < answers.count("+") / 1000 < 0.45
    True
    """

    def __init__(
        self,
        models: Sequence[Any],
        prior: Any = None,
        cv: int = 5,
        random_state: Any = None,
    ) -> None:
        self.models = models
        self.prior = prior
        self.cv = cv
        self.random_state = random_state

    @answering
    def predict_proba(self, X: Any) -> Array:
        """Probability of each class under the model that was drawn: (n_rows, n_classes)."""
        return self._probability(self._drawn_model(), X)

    @answering
    def predict_log_proba(self, X: Any) -> Array:
        """Log of predict_proba, exact also where that is too small to be told from zero."""
        return self._log_probability(self._drawn_model(), X)

    def _drawn_model(self) -> Any:
        weights = self._weights()
        return self._learned[self.drawn_ if hasattr(self, "drawn_") else self._draw(weights)]

    def _after_weighing(self) -> None:
        self.drawn_ = self._draw(self.posterior_)

    def _draw(self, weights: Array) -> int:
        random = check_random_state(self.random_state)
        return int(random.choice(len(weights), p=weights / weights.sum()))
