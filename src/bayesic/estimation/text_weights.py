"""Counts of words in each class -> the weight of each word in the score of each class.

The four models of texts are one sum with different weights:

    score_c(text) = a_c + sum over the words w of the text of x_w b_wc

x_w is the number of times w occurs in the text, or 1 for models of presence alone, or for tf-idf
log(1 + n_w). Weightings are options on the same counts:

    "tf-idf"            [Rennie]: the counts and b_wc are multiplied by idf_w, see vocabulary.py
    "log-count-ratio"   [WangManning]: b_wc = (log p(w | c) - log p(w | all other classes)) / 2

The half makes the ratio of two classes that of the multinomial model: with two classes each ratio
is counted twice.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from bayesic.estimation.smoothing import Smoothing, presence_log_probability
from bayesic.estimation.vocabulary import UNIT, inverse_document_frequency
from bayesic.kernels import Array
from bayesic.kernels.leaving import log_shares

TEXT_MODELS = ("multinomial", "complement", "bernoulli", "binary-multinomial")
# the models that each weighting is for
WEIGHTINGS = {
    "tf-idf": ("multinomial", "complement"),
    "log-count-ratio": ("multinomial", "binary-multinomial"),
}


def asks_presence(model: str) -> bool:
    """Whether a model uses only the presence of a word in a text, not how often it occurs."""
    return model in ("bernoulli", "binary-multinomial")


@dataclass(frozen=True, eq=False)
class TextWeights:
    """The words of the vocabulary, their counts, and their weights in the scores."""

    model: str  # one of TEXT_MODELS
    weighting: str | None  # one of WEIGHTINGS
    rule: Smoothing
    words: tuple[str, ...]
    table: Array  # (n_words, n_classes), occurrences, or texts with the word, or d_w in units
    n_texts: Array  # (n_classes,)
    texts_with: Array  # (n_words,), texts of all classes with the word
    total: Array  # (n_words,), occurrences in all classes, or the same with tf-idf
    min_count: int  # a word that occurs less often is ignored

    @property
    def smoothing(self) -> float:
        """The lambda of the rule, or m."""
        return float(self.rule.amount)

    @cached_property
    def n_words(self) -> Array:
        """The sum of the table over the words: (n_classes,)."""
        return self.table.sum(axis=0)

    @cached_property
    def log_texts_with(self) -> Array:
        """The sum over the words of log N_w times the table: (n_classes,)."""
        return np.log(self.texts_with) @ self.table

    @cached_property
    def idf(self) -> Array:
        """The idf of each word: (n_words,)."""
        return inverse_document_frequency(self.n_texts.sum(), self.texts_with)

    @cached_property
    def of_words(self) -> Array:
        """b_wc, and a last row of zeros for unknown words: (n_words + 1, n_classes)."""
        if not self.words:
            weights = np.zeros(self.table.shape)
        elif self.model == "bernoulli":
            present, absent = self.presence_logs()
            weights = present - absent
        elif self.weighting == "tf-idf":
            idf = self.idf[:, None]
            weights = idf * self._share_weights(self.table * UNIT * idf)
        else:
            weights = self._share_weights(self.table)
        return np.vstack([weights, np.zeros((1, self.table.shape[1]))])

    def _share_weights(self, table: Array) -> Array:
        rule = self.rule.at(slice(len(self.words)))
        return share_weights(self.model, self.weighting, rule, table, len(self.words))

    @cached_property
    def of_none(self) -> Array:
        """a_c, the score of a text without words: (n_classes,)."""
        if self.model == "bernoulli":
            return self.presence_logs()[1].sum(axis=0)
        return np.zeros(self.table.shape[1])

    def presence_logs(self, without: float = 0.0) -> tuple[Array, Array]:
        """log P(w in text | c) and log P(w not in text | c): (n_words, n_classes) each.

        `without` is the weight of a text to leave out, one with w and one without it.
        """
        absent = np.maximum(self.n_texts - self.table, 0)
        present_log, absent_log = presence_log_probability(
            self.table, absent, self.smoothing, without
        )
        return present_log, absent_log

    def evidence_for(self, code: int) -> Array:
        """The weight of one occurrence of each word in the log odds of a class: (n_words,).

        The class with this code against all others taken together as one.
        """
        two = replace(
            self,
            table=_one_and_rest(self.table, code),
            n_texts=_one_and_rest(self.n_texts[None, :], code)[0],
        )
        return two.of_words[:-1, 0] - two.of_words[:-1, 1]

    def strongest(self, code: int, n: int) -> dict[str, float]:
        """The n words with the greatest evidence for a class, and this evidence."""
        evidence = self.evidence_for(code)
        first = np.argsort(-evidence, kind="stable")[:n].tolist()
        return {self.words[word]: float(evidence[word]) for word in first}

    def times(self, counts: Array) -> Array:
        """x_w from the number of times that a text has each of its words."""
        return times_of(self.model, self.weighting, counts)


def times_of(model: str, weighting: str | None, counts: Array) -> Array:
    """x_w from the number of times that a text has each of its words."""
    if asks_presence(model):
        return np.minimum(counts, 1.0)
    return np.log1p(counts) if weighting == "tf-idf" else counts


def share_weights(
    model: str,
    weighting: str | None,
    rule: Smoothing,
    table: Array,
    n_words: int,
    sums: Array | None = None,
) -> Array:
    """The weights from log p(w | c) = log((T_wc + a_w) / (T_c + A)); see smoothing.py.

    table : (n_rows, n_classes), of all n_words words, or of some of them
    sums  : T_c, where the table is of some
    """
    total = table.sum(axis=1)
    all_total = total.sum() if sums is None else sums.sum()
    pseudo, all_pseudo = rule.pseudo_counts(total, all_total, n_words)

    def logs_of(of_rows: Callable[[Array], Array]) -> Array:
        counts = of_rows(table)
        of_all = counts.sum(axis=0, keepdims=True) if sums is None else of_rows(sums[None])
        return log_shares(counts + pseudo[:, None], of_all + all_pseudo, n_words)

    return contrast(
        model, weighting, lambda: logs_of(lambda rows: rows), lambda: logs_of(of_others)
    )


def contrast(
    model: str, weighting: str | None, own: Callable[[], Array], others: Callable[[], Array]
) -> Array:
    """The weights of words from log p(w | c) and log p(w | all classes but c)."""
    if model == "complement":
        return -others()
    if weighting == "log-count-ratio":
        return (own() - others()) / 2
    return own()


def of_others(counts: Array) -> Array:
    """For each class the counts of all other classes together.

    >>> of_others(np.array([[1.0, 2.0, 4.0]]))
    array([[6., 5., 3.]])
    """
    return counts.sum(axis=1, keepdims=True) - counts


def prior_weights(model: str, weighting: str | None, log_prior: Array) -> Array:
    """The part of the log prior in the scores, classes on the first axis.

    It is 0 for the complement model; (log P(c) - log P(all other classes)) / 2 for log-count
    ratios, which is the log odds of two classes. Where one class has all the texts, it is 0 for
    this class and -inf for all others, which stay impossible: their odds are infinite.

    >>> prior_weights("multinomial", "log-count-ratio", np.log([0.25, 0.75])).round(4)
    array([-0.5493,  0.5493])
    """
    if len(log_prior) == 1:
        return log_prior
    if model == "complement":
        return np.zeros_like(log_prior)
    if weighting == "log-count-ratio":
        log_rest = _log_of_others(log_prior)
        return np.where(np.isneginf(log_rest), 0.0, (log_prior - log_rest) / 2)
    return log_prior


def _log_of_others(log_prior: Array) -> Array:
    """log P(all classes but c) for each class c, classes on the first axis; -inf if c is certain.

    >>> np.exp(_log_of_others(np.log([0.5, 0.375, 0.125])))
    array([0.5  , 0.625, 0.875])
    """
    largest = np.argmax(log_prior, axis=0, keepdims=True)
    others = log_prior.copy()
    np.put_along_axis(others, largest, -np.inf, axis=0)
    with np.errstate(divide="ignore"):  # of the largest, which is replaced
        logs = np.log(-np.expm1(log_prior))
    # 1 - P(c) loses its digits where P(c) is nearly 1: the sum of the others keeps them
    rest = np.logaddexp.reduce(others, axis=0, keepdims=True)
    np.put_along_axis(logs, largest, rest, axis=0)
    return logs


def _one_and_rest(table: Array, code: int) -> Array:
    return np.stack([table[:, code], np.delete(table, code, axis=1).sum(axis=1)], axis=1)
