"""The Bayes optimal classifier: all hypotheses vote, each with its probability."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.special import logsumexp

from bayesic.data.snapshots import answering
from bayesic.hypotheses.bayes_rule import as_mapping, check_prior
from bayesic.hypotheses.model_posterior import ModelPosterior
from bayesic.kernels import Array


def weighted_vote(
    posterior: Mapping[Any, Any], answers: Mapping[Any, Any | Mapping[Any, Any]]
) -> dict[Any, Any]:
    """The probability of each class when every hypothesis votes with its own.

        P(c | D) = sum over h of P(c | h) P(h | D)

    posterior : hypothesis -> P(h | D)
    answers   : hypothesis -> the class that it gives, or a dict class -> P(c | h)

    Fractions in, fractions out. [Mitchell] section 6.7: the most probable hypothesis says +, but
    the most probable class is -.

    >>> posterior = {"h1": 0.4, "h2": 0.3, "h3": 0.3}
    >>> weighted_vote(posterior, {"h1": "+", "h2": "-", "h3": "-"})
    {'+': 0.4, '-': 0.6}
    """
    posterior = as_mapping(posterior, "posterior")
    check_prior(posterior)
    answers = as_mapping(answers, "answers")
    if posterior.keys() != answers.keys():
        raise ValueError(
            f"Every hypothesis must have an answer: posterior names {list(posterior)}, answers "
            f"name {list(answers)}."
        )
    votes: dict[Any, Any] = {}
    for hypothesis, weight in posterior.items():
        answer = answers[hypothesis]
        if not isinstance(answer, Hashable | Mapping):
            raise TypeError(
                "An answer must be a class, or a dict of class and probability, got "
                f"{answer!r:.80} for {hypothesis!r}."
            )
        shares = answer if isinstance(answer, Mapping) else {answer: 1}
        check_prior(shares)
        for label, share in shares.items():
            votes[label] = votes.get(label, 0) + weight * share
    return votes


class BayesOptimalClassifier(ModelPosterior):
    """The vote of all models, each with its posterior probability: Bayesian model averaging.

        P(c | x, D) = sum over h of P(c | x, h) P(h | D)

    If one of the models is right, no classifier that knows as much has a lower expected error
    ([Mitchell] section 6.7). With many rows one model usually gets nearly all of the weight: this
    averages over which model is right, it does not look for the best mixture of wrong ones.

    models : classifiers with predict_proba; `RuleClassifier` makes one of a function. `fit` learns
        copies of them (`models_`), and weighs each by its held-out log likelihood. Models that have
        learned already can be used at once with their prior, without `fit`; to keep them through
        `fit` as well, wrap them in sklearn.frozen.FrozenEstimator
    prior : a probability for each model; None if all are as probable
    cv : number of parts for models without `leave_one_out`

    Fitted: `models_`, `log_likelihood_` (held out, natural logarithm), `posterior_`.

    >>> from bayesic.hypotheses.rule import RuleClassifier
    >>> plus = RuleClassifier(lambda X: ["+"] * len(X), classes=["+", "-"])
    >>> minus = RuleClassifier(lambda X: ["-"] * len(X), classes=["+", "-"])
    >>> vote = BayesOptimalClassifier([plus, minus, minus], prior=[0.4, 0.3, 0.3])
    >>> vote.classes_.tolist(), vote.predict_proba([[0]]).round(4), vote.predict([[0]])
    (['+', '-'], array([[0.4, 0.6]]), array(['-'], dtype='<U1'))
    """

    def __init__(self, models: Sequence[Any], prior: Any = None, cv: int = 5) -> None:
        self.models = models
        self.prior = prior
        self.cv = cv

    @answering
    def predict_proba(self, X: Any) -> Array:
        """The weighted vote: probability of each class, (n_rows, n_classes)."""
        votes = [weight * self._probability(model, X) for weight, model in self._voters()]
        return np.sum(votes, axis=0)

    @answering
    def predict_log_proba(self, X: Any) -> Array:
        """Log of predict_proba, exact also where that is too small to be told from zero."""
        logs = [
            np.log(weight) + self._log_probability(model, X) for weight, model in self._voters()
        ]
        return logsumexp(logs, axis=0)

    def _voters(self) -> list[tuple[float, Any]]:
        pairs = zip(self._weights().tolist(), self._learned, strict=True)
        return [(weight, model) for weight, model in pairs if weight > 0]
