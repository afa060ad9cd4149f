"""The worked examples of the textbooks, to the exact fraction."""

import math
from fractions import Fraction

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

import bayesic as by
from bayesic.decisions.loss import expected_loss
from bayesic.estimation.prior import class_prior
from bayesic.statistics.additive import class_counts

LI_HANG = by.datasets.li_hang()
TENNIS = by.datasets.play_tennis("zh")
DAY = ("晴", "冷", "高", "有")


def fitted(table, alpha, smooth_prior=False):
    y = np.array(table.target)
    prior = None
    if smooth_prior:
        counts = np.unique(y, return_counts=True)[1]
        prior = class_prior(counts, smoothing=1)
    return by.CategoricalNB(alpha=alpha, class_prior=prior).fit(table.codes, y)


def joint(model, row, table):
    return np.exp(model.predict_joint_log_proba([table.encode(row)])[0])


def assert_fractions(numbers, fractions):
    assert list(numbers) == pytest.approx([float(f) for f in fractions], rel=1e-12)


def test_case_1_li_hang_by_maximum_likelihood():
    model = fitted(LI_HANG, alpha=0)
    assert_fractions(joint(model, (2, "S"), LI_HANG), [Fraction(1, 15), Fraction(1, 45)])
    row = [LI_HANG.encode((2, "S"))]
    assert_fractions(model.predict_proba(row)[0], [Fraction(3, 4), Fraction(1, 4)])
    assert model.predict(row).tolist() == [-1]


def test_case_2_li_hang_with_lambda_1_on_conditionals_and_prior():
    model = fitted(LI_HANG, alpha=1, smooth_prior=True)
    assert_fractions(np.exp(model.class_log_prior_), [Fraction(7, 17), Fraction(10, 17)])
    assert_fractions(joint(model, (2, "S"), LI_HANG), [Fraction(28, 459), Fraction(5, 153)])
    row = [LI_HANG.encode((2, "S"))]
    assert_fractions(model.predict_proba(row)[0], [Fraction(28, 43), Fraction(15, 43)])


def test_case_3_an_unseen_value_gets_the_smoothed_share():
    model = fitted(LI_HANG, alpha=1, smooth_prior=True)
    with_value = joint(model, (2, "XL"), LI_HANG)
    without = np.exp(model.predict_joint_log_proba([[LI_HANG.encode((2, "S"))[0], np.nan]])[0])
    assert_fractions(with_value / without, [Fraction(1, 6 + 3), Fraction(1, 9 + 3)])


def test_case_4_tennis_by_maximum_likelihood():
    model = fitted(TENNIS, alpha=0)
    assert model.classes_.tolist() == ["No", "Yes"]
    assert_fractions(joint(model, DAY, TENNIS), [Fraction(18, 875), Fraction(1, 189)])
    row = [TENNIS.encode(DAY)]
    assert_fractions(model.predict_proba(row)[0], [Fraction(486, 611), Fraction(125, 611)])


def test_case_5_tennis_with_the_laplace_correction():
    model = fitted(TENNIS, alpha=1, smooth_prior=True)
    assert_fractions(joint(model, DAY, TENNIS), [Fraction(15, 784), Fraction(5, 726)])
    row = [TENNIS.encode(DAY)]
    assert_fractions(model.predict_proba(row)[0], [Fraction(1089, 1481), Fraction(392, 1481)])
    overcast = TENNIS.levels[0].index("多云")
    assert math.exp(model.feature_log_prob_[0][0, overcast]) == pytest.approx(1 / 8, rel=1e-12)


def test_case_6_the_joint_table_as_one_column_of_codes():
    # the general classifier: the whole row is one value; what no class has seen answers the prior
    days = list(dict.fromkeys(TENNIS.rows))
    codes = [[days.index(row)] for row in TENNIS.rows]
    model = by.CategoricalNB(alpha=0).fit(codes, np.array(TENNIS.target))
    assert DAY not in days
    with pytest.warns(UserWarning, match="impossible in every class"):
        probability = model.predict_proba([[len(days)]])
    assert_fractions(probability[0], [Fraction(5, 14), Fraction(9, 14)])
    day = days.index(("多云", "热", "高", "无"))
    with np.errstate(divide="ignore"):
        likelihood = np.exp(model.feature_log_prob_[0][:, day])
    assert_fractions(likelihood, [Fraction(0), Fraction(1, 9)])


def test_case_9_the_risk_of_an_action_is_its_expected_loss():
    posterior, loss = np.array([[0.7, 0.2, 0.1]]), np.array([[0, 1, 9], [4, 0, 1]])
    expected = [[sum(loss[i, j] * posterior[0, j] for j in range(3)) for i in range(2)]]
    np.testing.assert_allclose(expected_loss(posterior, loss), expected, rtol=1e-15)
    zero_one = by.decide(posterior)
    assert zero_one.action.tolist() == [posterior.argmax()]
    np.testing.assert_allclose(zero_one.risk, 1 - posterior, rtol=1e-15)


@pytest.mark.parametrize(
    ("model", "accuracy"),
    [
        (by.GaussianNB, 0.9210526315789473),
        (by.MultinomialNB, 0.9105263157894737),
        (by.ComplementNB, 0.9052631578947369),
        (by.BernoulliNB, 0.6421052631578947),
    ],
)
def test_case_10_accuracy_on_breast_cancer(model, accuracy):
    X, y = load_breast_cancer(return_X_y=True)
    X_learn, X_test, y_learn, y_test = train_test_split(X, y, test_size=1 / 3, random_state=0)
    assert model().fit(X_learn, y_learn).score(X_test, y_test) == accuracy


def test_case_25_a_word_in_normal_mail_and_in_spam():
    # 24 normal mails and 12 spam mails of ten words; 购买 occurs 3 and 7 times in all
    def mails(number, buys):
        rows = np.zeros((number, 2), dtype=int)
        rows[:buys, 0] = 1
        rows[:, 1] = 10 - rows[:, 0]
        return rows

    X, y = np.vstack([mails(24, 3), mails(12, 7)]), ["正常"] * 24 + ["垃圾"] * 12
    model = by.MultinomialNB(alpha=0).fit(X, y)
    assert model.classes_.tolist() == ["垃圾", "正常"]
    assert_fractions(np.exp(model.feature_log_prob_[:, 0]), [Fraction(7, 120), Fraction(3, 240)])
    assert_fractions(np.exp(model.class_log_prior_), [Fraction(12, 36), Fraction(24, 36)])


def test_case_26_mails_become_vectors_of_counts():
    table = by.datasets.rainy_mails()
    assert table.columns == ("今天", "上午", "下雨", "明天", "时", "在家")
    assert table.rows == ((1, 1, 1, 0, 0, 0), (0, 2, 0, 1, 0, 0), (0, 0, 1, 0, 1, 1))


def test_case_27_relative_frequencies_are_a_stationary_point_of_the_likelihood():
    X = np.array([[3, 1, 2], [1, 4, 1], [2, 2, 5], [0, 3, 1]])
    y = np.array([0, 1, 0, 1])
    model = by.MultinomialNB(alpha=0).fit(X, y)
    pi, theta = np.exp(model.class_log_prior_), np.exp(model.feature_log_prob_)
    # gradient of sum n_k log pi_k + sum x_ij log theta_jk, under sum pi = 1 and sum theta = 1 for
    # each class: all components equal the multiplier of their constraint
    counts = class_counts(y, None, 2)
    np.testing.assert_allclose(counts / pi, np.full(2, counts.sum()), rtol=1e-12)
    for k in range(2):
        words = X[y == k].sum(axis=0)
        np.testing.assert_allclose(words / theta[k], np.full(3, words.sum()), rtol=1e-12)
    np.testing.assert_allclose([pi.sum(), *theta.sum(axis=1)], 1.0, rtol=1e-12)


def test_case_28_a_mail_of_ten_thousand_words_does_not_underflow():
    X, y = [[3, 2, 5], [4, 2, 4]], ["ham", "spam"]
    model = by.MultinomialNB(alpha=1).fit(X, y)
    mail = [3334, 3333, 3333]
    ham = Fraction(4, 13) ** mail[0] * Fraction(3, 13) ** mail[1] * Fraction(6, 13) ** mail[2]
    spam = Fraction(5, 13) ** mail[0] * Fraction(3, 13) ** mail[1] * Fraction(5, 13) ** mail[2]
    exact = ham / (ham + spam)
    assert sum(mail) == 10_000
    assert model.predict_proba([mail])[0, 0] == pytest.approx(float(exact), rel=1e-9)
    log_odds = model.predict_log_proba([mail])[0]
    # the exact log odds, from the logarithms of whole numbers
    expected = mail[0] * (math.log(4) - math.log(5)) + mail[2] * (math.log(6) - math.log(5))
    assert log_odds[0] - log_odds[1] == pytest.approx(expected, rel=1e-12)


def test_case_30_bayes_formula_on_a_partition_keeps_fractions():
    prior = {"B1": Fraction(1, 2), "B2": Fraction(1, 3), "B3": Fraction(1, 6)}
    likelihood = {"B1": Fraction(1, 10), "B2": Fraction(3, 10), "B3": Fraction(6, 10)}
    posterior = by.hypotheses.bayes_rule(prior, likelihood)
    total = sum(prior[b] * likelihood[b] for b in prior)
    assert all(isinstance(p, Fraction) for p in posterior.values())
    assert sum(posterior.values()) == 1
    # the multiplication rule, both ways round
    assert all(posterior[b] * total == prior[b] * likelihood[b] for b in prior)
