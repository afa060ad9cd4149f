"""Answers of several models: all of them vote, each with its probability, or one is drawn by it."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Literal

import numpy as np
from scipy.special import logsumexp

from bayesic.data.snapshots import answering
from bayesic.data.typing import Classifier, Label, RandomState, TableLike
from bayesic.hypotheses._model_posterior import ModelPosterior
from bayesic.hypotheses.bayes_rule import Hypothesis, Number, as_mapping, check_prior
from bayesic.kernels import Array


def weighted_vote(
    posterior: Mapping[Hypothesis, Number],
    answers: Mapping[Hypothesis, Label | Mapping[Label, Number]],
) -> dict[Label, Number]:
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
    votes: dict[Label, Number] = {}
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
    """The vote of all models, each with its weight.

        P(c | x, D) = sum over h of P(c | x, h) w(h)

    If one of the models is right and w(h) = P(h | D), no classifier with the same knowledge has a
    lower expected error ([Mitchell] section 6.7). `weights` says what w(h) is proportional to:

        "held-out"  P(h) * product over rows of P(y | x, h without this row): the pseudo-evidence of
                    h ([GeisserEddy], [GelfandDey]). It measures how well a model predicts the class
        of the next row, it works for any classifier, and it is not P(D | h): each row is predicted
        from all others, instead of from those before it. For rules and frozen models, which learn
        nothing, it is the likelihood P(y | X, h). "evidence"  P(h) P(D | h), by `log_evidence` of
        the models, with their parameters integrated
                    out: w(h) is the posterior P(h | D), and this Bayesian model averaging. It is of
                    classes and cells together, and depends on the prior of the parameters. Models
                    without a closed form, and models to which the data are not the same (a column
                    as numbers for one, in bins for another), are refused.

    With many rows either gives one model nearly all of the weight: they average over which model is
    right. The mixture that predicts best, even if all models are wrong, is a different goal:
    stacking looks for the w that maximises the product of the votes for left-out rows ([Yao]), and
    keeps several models however many rows there are.

    models : classifiers with predict_proba; `RuleClassifier` turns a function into one. `fit` fits
        copies of them (`models_`) and weights them. Fitted models can be used at once with their
        prior, without `fit`; to keep them through `fit` as well, wrap them in
        sklearn.frozen.FrozenEstimator
    prior : a probability for each model; None if all are equally probable
    cv : number of parts for models without `leave_one_out`
    weights : "held-out" or "evidence"

    Fitted: `models_`, `posterior_` (the weights), and the natural logarithm of what they come from:
    `log_likelihood_` (held out) or `log_evidence_`.

    >>> from bayesic.hypotheses._rule import RuleClassifier
    >>> plus = RuleClassifier(lambda X: ["+"] * len(X), classes=["+", "-"])
    >>> minus = RuleClassifier(lambda X: ["-"] * len(X), classes=["+", "-"])
    >>> vote = BayesOptimalClassifier([plus, minus, minus], prior=[0.4, 0.3, 0.3])
    >>> vote.classes_.tolist(), vote.predict_proba([[0]]).round(4), vote.predict([[0]])
    (['+', '-'], array([[0.4, 0.6]]), array(['-'], dtype='<U1'))
    """

    def __init__(
        self,
        models: Sequence[Classifier],
        prior: Sequence[float] | None = None,
        cv: int = 5,
        weights: Literal["held-out", "evidence"] = "held-out",
    ) -> None:
        self.models = models
        self.prior = prior
        self.cv = cv
        self.weights = weights

    @answering
    def predict_proba(self, X: TableLike) -> Array:
        """The weighted vote: probability of each class, (n_rows, n_classes)."""
        votes = [weight * self._probability(model, X) for weight, model in self._voters()]
        return np.sum(votes, axis=0)

    @answering
    def predict_log_proba(self, X: TableLike) -> Array:
        """Log of predict_proba, exact even where that is too small to distinguish from zero."""
        logs = [
            np.log(weight) + self._log_probability(model, X) for weight, model in self._voters()
        ]
        return logsumexp(logs, axis=0)

    def _voters(self) -> list[tuple[float, Classifier]]:
        pairs = zip(self._weights().tolist(), self._learned, strict=True)
        return [(weight, model) for weight, model in pairs if weight > 0]


class GibbsClassifier(ModelPosterior):
    """The answers of one model, drawn at random by its weight.

    It costs one model where the Bayes optimal classifier queries all of them. If the truth is one
    of the models, drawn by the prior, and the weights are P(h | D), its expected error is at most
    twice the least possible ([Haussler]; [Mitchell] section 6.8): where the vote is p against
    1 - p, the optimum errs with min(p, 1 - p), and Gibbs with 2 p (1 - p).

    models, prior, cv, weights : as for BayesOptimalClassifier
    random_state : for the draw; `fit` draws one model (`drawn_`, its number) and keeps it. Without
        `fit`, a model is drawn again for every call

    >>> from bayesic.hypotheses._rule import RuleClassifier
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
        models: Sequence[Classifier],
        prior: Sequence[float] | None = None,
        cv: int = 5,
        random_state: RandomState = None,
        weights: Literal["held-out", "evidence"] = "held-out",
    ) -> None:
        self.models = models
        self.prior = prior
        self.cv = cv
        self.random_state = random_state
        self.weights = weights

    @answering
    def predict_proba(self, X: TableLike) -> Array:
        """Probability of each class under the model that was drawn: (n_rows, n_classes)."""
        return self._probability(self._drawn_model(), X)

    @answering
    def predict_log_proba(self, X: TableLike) -> Array:
        """Log of predict_proba, exact even where that is too small to distinguish from zero."""
        return self._log_probability(self._drawn_model(), X)

    def _drawn_model(self) -> Classifier:
        weights = self._weights()
        return self._learned[self.drawn_ if hasattr(self, "drawn_") else self._draw(weights)]

    def _after_weighing(self) -> None:
        self.drawn_ = self._draw(self.posterior_)

    def _draw(self, weights: Array) -> int:
        from sklearn.utils import check_random_state  # takes long to load

        random = check_random_state(self.random_state)
        return int(random.choice(len(weights), p=weights / weights.sum()))
