"""The listings of five documents, typed as a reader would, with the numbers that they print.

000 朴素贝叶斯 (the theory), 001 《统计学习方法》啃书辅助 (its listings), 002 机器学习 (chapter 6),
003 第六课 (贝叶斯分类器), 004 朴素贝叶斯 (mails). What they do not print is computed here as they
say it, in fractions: P(c) and P(x_j | c) with lambda, by counting rows.
"""

import math
from collections import Counter
from fractions import Fraction
from itertools import islice, product

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

import bayesic as by
from bayesic import hypotheses

LAMBDAS = [0, 0.5, 1, 2, 10]

# 001, as printed
dataset = [[(1, "S"), (1, "M"), (1, "M"), (1, "S"), (1, "S"),
            (2, "S"), (2, "M"), (2, "M"), (2, "L"), (2, "L"),
            (3, "L"), (3, "M"), (3, "M"), (3, "L"), (3, "L")],
           [-1, -1, 1, 1, -1, -1, -1, 1, 1, 1, 1, 1, 1, 1, -1]]  # fmt: skip


def typed(table, n_columns=None):
    """Rows and labels of a textbook's table, as the documents type them."""
    return [row[:n_columns] for row in table.rows], list(table.target)


TABLES = {
    "li hang": dataset,
    "tennis": typed(by.datasets.play_tennis()),
    "网球": typed(by.datasets.play_tennis("zh")),
    "sport": typed(by.datasets.enjoy_sport()),
    "西瓜": typed(by.datasets.watermelon(), 6),
}


def as_codes(rows, first=1):
    """The same rows, the values of each column numbered."""
    levels = [sorted(set(column), key=str) for column in zip(*rows, strict=True)]
    return [
        tuple(words.index(value) + first for value, words in zip(row, levels, strict=True))
        for row in rows
    ]


def as_words(rows):
    return [tuple(f"w{value}" for value in row) for row in rows]


def by_hand(rows, labels, row, amount):
    """P(c) P(x | c) of each class, in sorted order: equations 38 and 40 of document 000."""
    amount, count, joint = Fraction(amount), Counter(labels), []
    for label in sorted(count):
        part = (count[label] + amount) / (len(rows) + len(count) * amount)
        for column, value in zip(zip(*rows, strict=True), row, strict=True):
            pairs = Counter(zip(column, labels, strict=True))
            part *= (pairs[value, label] + amount) / (count[label] + len(set(column)) * amount)
        joint.append(part)
    return joint


def posterior_by_hand(rows, labels, row, amount):
    """P(c | x); the prior where no class can have such a row."""
    joint = by_hand(rows, labels, row, amount)
    if not sum(joint):
        joint = by_hand([()] * len(labels), labels, (), amount)
    return [float(part / sum(joint)) for part in joint]


def all_rows(rows):
    """Every combination of values, or the first 200."""
    return list(islice(product(*(sorted(set(c), key=str) for c in zip(*rows, strict=True))), 200))


impossible_rows = pytest.mark.filterwarnings("ignore:.*impossible in every class")
every_lambda = pytest.mark.parametrize("amount", LAMBDAS)


# 000 and 001: table 4.1 of 统计学习方法 -----------------------------------------------------------


@pytest.mark.parametrize("smoothing", [{"smoothing": 0}, {}])
def test_the_three_listings_of_001_answer_as_printed(smoothing):
    naive_bayes = by.NaiveBayes(**smoothing).fit(*dataset)
    assert naive_bayes.predict([2, "S"]) == -1
    assert naive_bayes.predict((2, "S")) == -1
    with pytest.warns(UserWarning, match="its columns are taken in the order given"):
        assert naive_bayes.predict({"x1": 2, "x2": "S"}) == -1


def test_the_example_of_the_book_by_maximum_likelihood():
    naive_bayes = by.NaiveBayes(smoothing=0).fit(*dataset)
    joint = np.exp(naive_bayes.predict_joint_log_proba([2, "S"])[0])
    assert joint == pytest.approx([1 / 15, 1 / 45], rel=1e-12)
    assert naive_bayes.predict_proba([2, "S"])[0] == pytest.approx([3 / 4, 1 / 4], rel=1e-12)
    assert naive_bayes.predict([1, "M"]) == -1


def test_the_example_of_the_book_with_lambda_1():
    naive_bayes = by.NaiveBayes().fit(*dataset)
    assert naive_bayes.class_prior_ == pytest.approx([7 / 17, 10 / 17], rel=1e-12)
    joint = np.exp(naive_bayes.predict_joint_log_proba([2, "S"])[0])
    assert joint == pytest.approx([28 / 459, 5 / 153], rel=1e-12)
    assert naive_bayes.predict_proba([2, "S"])[0] == pytest.approx([28 / 43, 15 / 43], rel=1e-12)
    assert naive_bayes.predict([3, "S"]) == 1


def test_a_value_that_was_never_seen_has_the_share_of_the_listing():
    naive_bayes = by.NaiveBayes(smoothing=1).fit(*dataset)
    without = np.exp(naive_bayes.predict_joint_log_proba([2, None])[0])
    for row, factors in (([2, "XL"], [1 / 9, 1 / 12]), ([2, "S"], [4 / 9, 2 / 12])):
        joint = np.exp(naive_bayes.predict_joint_log_proba(row)[0])
        assert joint / without == pytest.approx(factors, rel=1e-12)
    code = np.exp(naive_bayes.predict_joint_log_proba([7, None])[0])
    assert code == pytest.approx([7 / 17 * 1 / 9, 10 / 17 * 1 / 12], rel=1e-12)


@impossible_rows
@every_lambda
def test_values_that_were_never_seen_with_every_lambda(amount):
    naive_bayes = by.NaiveBayes(smoothing=amount).fit(*dataset)
    for row in ([2, "XL"], [7, "S"], [7, "XL"]):
        expected = posterior_by_hand(*dataset, row, amount)
        assert naive_bayes.predict_proba(row)[0] == pytest.approx(expected, rel=1e-12)


@every_lambda
def test_the_shares_of_000_are_above_0_and_sum_to_1(amount):
    naive_bayes = by.NaiveBayes(smoothing=amount).fit(*dataset)
    shares = np.array([Fraction(6 + amount if label == -1 else 9 + amount) for label in (-1, 1)])
    assert naive_bayes.class_prior_ == pytest.approx((shares / sum(shares)).astype(float))
    for place, values in enumerate(([1, 2, 3], ["S", "M", "L"])):
        asked = [[value, None] if place == 0 else [None, value] for value in values]
        joint = np.exp(naive_bayes.predict_joint_log_proba(asked))
        given = joint / naive_bayes.class_prior_
        assert given.sum(axis=0) == pytest.approx([1, 1], rel=1e-12)
        assert (given > 0).all() or (place, amount) == (1, 0) or amount == 0


def test_the_least_expected_loss_of_000_is_the_largest_posterior():
    plain = by.NaiveBayes().fit(*dataset)
    rows = all_rows(dataset[0])
    for loss in (None, {-1: {-1: 0, 1: 1}, 1: {-1: 1, 1: 0}}):
        decided = by.BayesDecision(plain, loss)
        assert decided.predict(rows).tolist() == plain.predict(rows).tolist()
        np.testing.assert_allclose(decided.predict_risk(rows), 1 - plain.predict_proba(rows))


def test_the_partition_of_001_by_its_three_theorems():
    P_B = {"B1": Fraction(1, 2), "B2": Fraction(1, 3), "B3": Fraction(1, 6)}
    P_A_given_B = {"B1": Fraction(1, 5), "B2": Fraction(1, 2), "B3": Fraction(1)}
    P_AB = {event: P_A_given_B[event] * P_B[event] for event in P_B}  # theorem 1
    P_A = sum(P_AB.values())  # theorem 3
    space = hypotheses.HypothesisSpace(P_B, {event: {"A": P_A_given_B[event]} for event in P_B})
    assert space.evidence(["A"]) == P_A == Fraction(13, 30)
    answer = hypotheses.bayes_rule(P_B, P_A_given_B)  # theorem 4
    assert answer == {event: P_AB[event] / P_A for event in P_B}
    assert sum(answer.values()) == 1


def test_the_naive_assumption_of_001_leaves_12_numbers_of_18():
    naive_bayes, joint = by.NaiveBayes().fit(*dataset), by.JointBayes().fit(*dataset)
    K, S = 2, (3, 3)
    assert naive_bayes.n_parameters == K * sum(S) == 12
    assert joint.n_parameters == K * math.prod(S) == 18


# all tables, as words and as codes ----------------------------------------------------------------


@impossible_rows
@every_lambda
@pytest.mark.parametrize("write", [list, as_words, as_codes, lambda rows: as_codes(rows, 0)])
@pytest.mark.parametrize("name", TABLES)
def test_every_table_has_the_same_posteriors_as_words_and_as_codes(name, write, amount):
    rows, labels = TABLES[name]
    rows = write(rows)
    model = by.NaiveBayes(smoothing=amount).fit(rows, labels)
    asked = all_rows(rows)
    expected = [posterior_by_hand(rows, labels, row, amount) for row in asked]
    np.testing.assert_allclose(model.predict_proba(asked), expected, rtol=1e-9, atol=1e-15)
    assert (model.predict_proba(list(asked[0])) == model.predict_proba(asked[:1])).all()


@impossible_rows
@every_lambda
@pytest.mark.parametrize("name", TABLES)
def test_codes_in_arrays_and_data_frames_are_the_same(name, amount):
    pandas = pytest.importorskip("pandas")
    rows, labels = TABLES[name]
    rows = as_codes(rows)
    asked = all_rows(rows)
    expected = [posterior_by_hand(rows, labels, row, amount) for row in asked]
    for kind in (np.int64, np.float64):
        model = by.NaiveBayes(smoothing=amount).fit(np.array(rows, kind), labels)
        answers = model.predict_proba(np.array(asked, kind))
        np.testing.assert_allclose(answers, expected, rtol=1e-9, atol=1e-15)
    names = [f"x{number + 1}" for number in range(len(rows[0]))]
    model = by.NaiveBayes(smoothing=amount).fit(pandas.DataFrame(rows, columns=names), labels)
    answers = model.predict_proba(pandas.DataFrame(asked, columns=names))
    np.testing.assert_allclose(answers, expected, rtol=1e-9, atol=1e-15)
    cells = dict(zip(names, asked[0], strict=True))
    np.testing.assert_allclose(model.predict_proba(cells), expected[:1], rtol=1e-9, atol=1e-15)


@impossible_rows
@every_lambda
@pytest.mark.parametrize("write", [as_words, as_codes])
def test_networks_without_parents_are_the_same(write, amount):
    rows, labels = TABLES["li hang"]
    rows = write(rows)
    asked = all_rows(rows)
    expected = [posterior_by_hand(rows, labels, row, amount) for row in asked]
    model = by.KDependence(k=0, smoothing=amount).fit(rows, labels)
    np.testing.assert_allclose(model.predict_proba(asked), expected, rtol=1e-9, atol=1e-15)


def one_dependence_by_hand(rows, labels, row, amount):
    """P(c) times the mean over the two columns of p(x_i | c) p(x_j | x_i, c)."""
    amount, joint = Fraction(amount), []
    for label in sorted(set(labels)):
        own = [each for each, other in zip(rows, labels, strict=True) if other == label]
        parts = []
        for given, other in ((0, 1), (1, 0)):
            n_given, n_other = (len({each[at] for each in rows}) for at in (given, other))
            count = sum(each[given] == row[given] for each in own)
            both = sum(each == row for each in own)
            share = (count + amount) / (len(own) + n_given * amount)
            parts.append(share * (both + amount) / (count + n_other * amount))
        prior = (len(own) + amount) / (len(rows) + len(set(labels)) * amount)
        joint.append(prior * sum(parts) / 2)
    return [float(part / sum(joint)) for part in joint]


@pytest.mark.parametrize("amount", LAMBDAS[1:])
@pytest.mark.parametrize("write", [list, as_words, as_codes])
def test_one_dependence_estimators_take_codes_as_words(write, amount):
    rows, labels = TABLES["li hang"]
    rows = write(rows)
    asked = all_rows(rows)
    expected = [one_dependence_by_hand(rows, labels, row, amount) for row in asked]
    model = by.AveragedOneDependence(smoothing=amount).fit(rows, labels)
    np.testing.assert_allclose(model.predict_proba(asked), expected, rtol=1e-9)


# 001: numbers ------------------------------------------------------------------------------------


def test_the_listing_with_breast_cancer_by_its_import_line():
    from bayesic import BernoulliNB, ComplementNB, GaussianNB, MultinomialNB

    X, Y = load_breast_cancer(return_X_y=True)
    x1, x2, y1, y2 = train_test_split(X, Y, test_size=1 / 3, random_state=0)
    gnb = GaussianNB()
    gnb.fit(x1, y1)
    assert gnb.score(x2, y2) == 0.9210526315789473
    mnb = MultinomialNB()
    mnb.fit(x1, y1)
    assert mnb.score(x2, y2) == 0.9105263157894737
    mnb = ComplementNB()
    mnb.fit(x1, y1)
    assert mnb.score(x2, y2) == 0.9052631578947369
    bnb = BernoulliNB()
    bnb.fit(x1, y1)
    assert bnb.score(x2, y2) == 0.6421052631578947


# 003: tennis and melons --------------------------------------------------------------------------

NO_YES = ["No", "Yes"]
DAY = ("晴", "冷", "高", "有")


@pytest.mark.parametrize(
    ("smoothing", "joint", "shares"),
    [
        (0, [18 / 875, 1 / 189], [486 / 611, 125 / 611]),
        (1, [15 / 784, 5 / 726], [1089 / 1481, 392 / 1481]),
    ],
)
def test_the_day_of_003_is_no_day_for_tennis(smoothing, joint, shares):
    model = by.NaiveBayes(smoothing=smoothing).fit(*TABLES["网球"])
    assert model.classes_.tolist() == NO_YES
    assert np.exp(model.predict_joint_log_proba(DAY)[0]) == pytest.approx(joint, rel=1e-12)
    assert model.predict_proba(DAY)[0] == pytest.approx(shares, rel=1e-12)
    assert model.predict(list(DAY)) == "No"


def test_the_tables_of_003_are_shares_of_9_and_5_days():
    model = by.NaiveBayes(smoothing=0).fit(*TABLES["网球"])
    assert model.class_prior_ == pytest.approx([5 / 14, 9 / 14], rel=1e-12)
    table = {  # days without and with tennis
        "天气": {"晴": (3, 2), "多云": (0, 4), "雨": (2, 3)},
        "气温": {"热": (2, 2), "温和": (2, 4), "冷": (1, 3)},
        "湿度": {"高": (4, 3), "正常": (1, 6)},
        "风": {"有": (3, 3), "无": (2, 6)},
    }
    for place, counts in enumerate(table.values()):
        for value, (no, yes) in counts.items():
            cells = [value if place == other else None for other in range(4)]
            joint = np.exp(model.predict_joint_log_proba([cells])[0])
            assert joint == pytest.approx([no / 14, yes / 14], rel=1e-12), value


def test_the_loss_of_003_decides_by_expected_risk():
    model = by.NaiveBayes(smoothing=0).fit(*TABLES["网球"])
    assert by.BayesDecision(model).predict_risk(DAY)[0] == pytest.approx([125 / 611, 486 / 611])
    loss = {"play": {"Yes": 0, "No": 1}, "stay": {"Yes": 5, "No": 0}}  # lambda_ij
    decided = by.BayesDecision(model, loss)
    assert decided.predict_risk(DAY)[0] == pytest.approx([486 / 611, 5 * 125 / 611])
    assert decided.predict(DAY) == "play"  # though no tennis is more probable


def test_the_correction_of_003_gives_1_8_to_an_overcast_day_without_tennis():
    model = by.NaiveBayes(smoothing=1).fit(*TABLES["网球"])
    joint = np.exp(model.predict_joint_log_proba(["多云", None, None, None])[0])
    assert joint[0] / model.class_prior_[0] == pytest.approx(1 / 8, rel=1e-12)


def test_the_general_classifier_of_003_has_seen_no_such_day():
    model = by.JointBayes(smoothing=0).fit(*TABLES["网球"])
    with pytest.warns(UserWarning, match="impossible in every class"):
        assert model.predict_proba(DAY)[0] == pytest.approx([5 / 14, 9 / 14], rel=1e-12)
    assert np.exp(model.predict_joint_log_proba(DAY)[0]).tolist() == [0, 0]
    seen = np.exp(model.predict_joint_log_proba(["多云", "热", "高", "无"])[0])
    assert seen / model.class_prior_ == pytest.approx([0, 1 / 9], rel=1e-12)


def test_the_m_estimate_of_an_overcast_day_without_tennis():
    for smoothing, share in (
        (("m", 2, "uniform"), Fraction(2, 21)),
        (("m", 2), Fraction(10, 119)),
        (("m", 0), Fraction(0)),
    ):
        model = by.NaiveBayes(smoothing=smoothing).fit(*TABLES["tennis"])
        joint = np.exp(model.predict_joint_log_proba(["Overcast", None, None, None])[0, 0])
        assert joint / model.class_prior_[0] == pytest.approx(float(share), rel=1e-12)


MELONS = by.datasets.watermelon()
MEASURES = {name: MELONS.to_dict()[name] for name in ("密度", "含糖率")}


def normal_by_hand(is_smoothed):
    """P(否 | the first melon) by density and sugar, from means and variances of each class."""
    joint, n = {}, len(MELONS)
    for label in ("否", "是"):
        joint[label] = Fraction(MELONS.target.count(label) + is_smoothed, n + 2 * is_smoothed)
    for values in MEASURES.values():
        scatter, mean = {}, {}
        for label in joint:
            own = [x for x, other in zip(values, MELONS.target, strict=True) if other == label]
            mean[label] = math.fsum(own) / len(own)
            scatter[label] = math.fsum((x - mean[label]) ** 2 for x in own)
        middle = math.fsum(values) / n
        variance_of_all = math.fsum((x - middle) ** 2 for x in values) / n
        doubt = (sum(scatter.values()) + variance_of_all) / (n + 1) if is_smoothed else 0
        for label in joint:
            variance = (scatter[label] + doubt) / MELONS.target.count(label)
            distance = (values[0] - mean[label]) ** 2
            density = math.exp(-distance / (2 * variance)) / math.sqrt(2 * math.pi * variance)
            joint[label] = float(joint[label]) * density
    return joint["否"] / sum(joint.values())


def test_a_gaussian_column_of_003_by_maximum_likelihood_and_smoothed():
    array, y = np.column_stack([*MEASURES.values()]), MELONS.target
    likely = by.NaiveBayes(numeric="gaussian", variance="ml", smoothing=0).fit(MEASURES, y)
    expected = normal_by_hand(is_smoothed=False)
    assert round(expected, 3) == 0.042
    assert likely.predict_proba(MEASURES)[0, 0] == pytest.approx(expected, rel=1e-9)
    for model in (by.GaussianNB(var_smoothing=0), by.GaussianBayes("diagonal")):
        share = model.fit(array, y).predict_proba(array)[0, 0]
        assert share == pytest.approx(expected, rel=1e-9)
    expected = normal_by_hand(is_smoothed=True)
    assert round(expected, 3) == 0.052
    smoothed = by.NaiveBayes(numeric="gaussian").fit(MEASURES, y)
    assert smoothed.predict_proba(MEASURES)[0, 0] == pytest.approx(expected, rel=1e-9)


def test_the_mixed_melon_in_words_and_numbers():
    model = by.NaiveBayes(numeric="gaussian", smoothing=0, variance="unbiased")
    model.fit(MELONS.rows, MELONS.target)
    asked = ["青绿", "蜷缩", "浊响", "清晰", "凹陷", "硬滑", 0.697, 0.460]
    joint = np.exp(model.predict_joint_log_proba(asked)[0])
    assert joint == pytest.approx([6.85842e-05, 0.0523787], rel=1e-5)
    assert model.predict(asked) == "是"


def of_class(label):
    """Density and sugar of the melons of one class, (n, 2)."""
    rows = np.column_stack([*MEASURES.values()])
    return rows[np.array(MELONS.target) == label]


@pytest.mark.parametrize(
    ("covariance", "expected"),
    [
        ("full", lambda L, p: L * (p + p * (p + 1) // 2)),
        ("diagonal", lambda L, p: L * (p + p)),
        ("tied", lambda L, p: L * p + p * (p + 1) // 2),
    ],
)
def test_the_parameters_of_003_are_counted(covariance, expected):
    array = np.column_stack([*MEASURES.values()])
    assert by.GaussianBayes(covariance).fit(array, MELONS.target).n_parameters == expected(2, 2)


def test_the_straight_boundary_of_003():
    array = np.column_stack([*MEASURES.values()])
    good, bad = of_class("是"), of_class("否")
    mean_1, mean_2 = good.mean(axis=0), bad.mean(axis=0)
    scatter = sum((part - part.mean(axis=0)).T @ (part - part.mean(axis=0)) for part in (good, bad))
    inverse = np.linalg.inv(scatter / 17)
    a = inverse @ (mean_1 - mean_2)
    a_0 = math.log((8 / 17) / (9 / 17)) - (mean_1 + mean_2) @ inverse @ (mean_1 - mean_2) / 2
    model = by.LinearDiscriminantAnalysis().fit(array, MELONS.target)
    assert model.classes_.tolist() == ["否", "是"]
    np.testing.assert_allclose(model.decision_function(array), a_0 + array @ a, rtol=1e-9)
    expected = ["是" if score > 0 else "否" for score in a_0 + array @ a]
    assert model.predict(array).tolist() == expected


def test_the_curved_boundary_of_003():
    array, log_joint = np.column_stack([*MEASURES.values()]), []
    for label, share in (("否", 9 / 17), ("是", 8 / 17)):
        own = of_class(label)
        away, covariance = array - own.mean(axis=0), np.cov(own.T, bias=True)
        squared = np.einsum("ij,jk,ik->i", away, np.linalg.inv(covariance), away)
        log_joint.append(
            math.log(share) - squared / 2 - math.log(np.linalg.det(2 * math.pi * covariance)) / 2
        )
    model = by.GaussianBayes("full").fit(array, MELONS.target)
    np.testing.assert_allclose(
        model.predict_joint_log_proba(array), np.column_stack(log_joint), rtol=1e-9
    )


def test_the_nearest_melons_of_003_vote_and_are_averaged():
    array = np.column_stack([*MEASURES.values()])
    asked = np.array([[0.6, 0.3]])
    nearest = np.argsort(((array - asked) ** 2).sum(axis=1))[:5]
    most = Counter(MELONS.target[row] for row in nearest).most_common(1)[0][0]
    assert by.KNeighborsClassifier(5).fit(array, MELONS.target).predict(asked).tolist() == [most]
    sugar = by.KNeighborsRegressor(5).fit(array, array[:, 1]).predict(asked)
    assert sugar == pytest.approx([array[nearest, 1].mean()], rel=1e-12)


def test_the_discriminative_model_of_003_is_a_sigmoid():
    array = np.column_stack([*MEASURES.values()])
    model = by.LogisticRegression().fit(array, MELONS.target)
    expected = 1 / (1 + np.exp(-(array @ model.coef_[0] + model.intercept_[0])))
    np.testing.assert_allclose(model.predict_proba(array)[:, 1], expected, rtol=1e-9)


# 002: hypotheses, texts, networks ----------------------------------------------------------------


def test_the_medical_test_of_002():
    cancer = by.hypotheses.bayes_rule(
        {"cancer": 0.008, "none": 0.992}, {"cancer": 0.98, "none": 0.03}
    )
    assert round(0.98 * 0.008, 4) == 0.0078
    assert round(0.03 * 0.992, 4) == 0.0298
    assert cancer["cancer"] == pytest.approx(0.00784 / 0.0376, rel=1e-12)
    assert {name: round(share, 2) for name, share in cancer.items()} == {
        "cancer": 0.21,
        "none": 0.79,
    }


def test_the_hypotheses_of_the_medical_test_of_002():
    patient = hypotheses.HypothesisSpace(
        prior={"cancer": 0.008, "¬cancer": 0.992},
        likelihood={"cancer": {"+": 0.98, "-": 0.02}, "¬cancer": {"+": 0.03, "-": 0.97}},
    )
    assert patient.map_hypothesis(["+"]) == "¬cancer"
    assert patient.ml_hypothesis(["+"]) == "cancer"
    bits = {h.name: hypotheses.description_length(h, ["+"]) for h in patient}
    for name, share, likelihood in (("cancer", 0.008, 0.98), ("¬cancer", 0.992, 0.03)):
        assert bits[name] == pytest.approx(-math.log2(share) - math.log2(likelihood), rel=1e-12)
    assert hypotheses.mdl_hypothesis(patient, ["+"]) == min(bits, key=bits.get) == "¬cancer"


def test_three_hypotheses_vote_as_in_002():
    posterior = {"h1": 0.4, "h2": 0.3, "h3": 0.3}
    says = {"h1": "+", "h2": "-", "h3": "-"}
    vote = hypotheses.weighted_vote(posterior, says)
    assert vote == pytest.approx({"+": 0.4, "-": 0.6})
    assert says[max(posterior, key=posterior.get)] == "+" != max(vote, key=vote.get) == "-"


def test_find_s_on_the_days_of_002():
    found = hypotheses.find_s(*TABLES["sport"])
    assert found == ("Sunny", "Warm", "?", "Strong", "?", "?")


def test_brute_force_on_the_days_of_002():
    days, kinds = TABLES["sport"]
    values = {"x0": ["Sunny", "Cloudy", "Rainy"]}
    learned = hypotheses.brute_force_map(days, kinds, values=values)
    space = hypotheses.candidate_elimination(days, kinds, values=values)
    assert space.specific == (("Sunny", "Warm", "?", "Strong", "?", "?"),)
    assert set(space.general) == {
        ("Sunny", "?", "?", "?", "?", "?"),
        ("?", "Warm", "?", "?", "?", "?"),
    }
    size = learned.n_hypotheses
    assert learned.evidence == Fraction(space.size, size)  # P(D) = |VS| / |H|
    assert space.size == len(learned.map_hypotheses) == 6
    assert hypotheses.find_s(days, kinds) in learned.map_hypotheses
    for hypothesis in learned.map_hypotheses:
        assert learned.probability(hypothesis) == Fraction(1, 6)  # P(h | D) = 1 / |VS|
    assert learned.probability(("Rainy", "?", "?", "?", "?", "?")) == 0


def test_the_line_of_002_with_the_least_squares_is_the_most_likely():
    x, d = np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([1.1, 1.9, 3.2, 3.8, 5.3])

    def log_likelihood(slope, start, variance):
        errors = d - slope * x - start
        return -(errors**2).sum() / (2 * variance) - 5 * math.log(2 * math.pi * variance) / 2

    line = by.LeastSquares().fit(x[:, None], d)
    slope, start, variance = line.coef_[0], line.intercept_, line.sigma2_
    errors = d - slope * x - start
    assert [errors.sum(), errors @ x] == pytest.approx([0, 0], abs=1e-12)
    assert variance == pytest.approx((errors**2).mean(), rel=1e-12)
    best = log_likelihood(slope, start, variance)
    for other in product((-0.01, 0.01), repeat=3):
        assert log_likelihood(slope + other[0], start + other[1], variance + other[2]) < best


def test_a_step_of_the_sigmoid_unit_of_002():
    x, d, eta = np.array([[1.0, 2.0], [0.5, -1.0], [-1.0, 0.0]]), np.array([1, 0, 0]), 0.3
    w = np.zeros(2)
    for _ in range(4):
        h = 1 / (1 + np.exp(-(x @ w)))
        w = w + eta * (d - h) @ x
    unit = hypotheses.train_sigmoid_unit(x, d, learning_rate=eta, n_steps=4)
    assert unit.weights == pytest.approx(w, rel=1e-12)


def test_the_thousand_texts_of_002():
    document = (
        "This is an example document for the naive Bayes classifier. "
        "This document contains only one paragraph, or two sentences."
    )
    texts, kinds = [document] * 300 + ["boring text"] * 700, ["like"] * 300 + ["dislike"] * 700
    model = by.TextClassifier().fit(texts, kinds)
    assert dict(zip(model.classes_, model.class_prior_, strict=True)) == {
        "dislike": pytest.approx(0.7),
        "like": pytest.approx(0.3),
    }
    words = Counter(document.lower().replace(".", "").replace(",", "").split())
    n_words, n = len(words) + 2, 300 * sum(words.values())
    log_joint = math.log(0.7) - sum(words.values()) * math.log(1400 + n_words)
    for word, count in words.items():
        assert word in model.vocabulary_
        share = math.log((300 * count + 1) / (n + n_words))
        found = model.predict_joint_log_proba([word])[0, 1]
        assert found == pytest.approx(math.log(0.3) + share, rel=1e-12)
    assert model.predict_joint_log_proba([document])[0, 0] == pytest.approx(log_joint, rel=1e-12)
    assert model.predict([document]) == "like"


def test_words_and_classes_of_texts_as_table_6_2_learns_them():
    texts, kinds = ["free lunch", "free money", "lunch today"], ["spam", "spam", "ham"]
    model = by.TextClassifier().fit(texts, kinds)
    assert model.class_prior_ == pytest.approx([1 / 3, 2 / 3], rel=1e-12)
    joint = np.exp(model.predict_joint_log_proba(["free snow"])[0])  # snow is in no text: skipped
    assert joint == pytest.approx([1 / 3 * 1 / 6, 2 / 3 * 3 / 8], rel=1e-12)


def test_the_campfire_of_002():
    net = by.datasets.campfire(storm=0.25, bus_tour_group=0.5)
    row = {"Storm": True, "BusTourGroup": True}
    shares = dict(zip(net.states("Campfire"), net.predict_proba(row, "Campfire")[0], strict=True))
    assert shares == pytest.approx({True: 0.4, False: 0.6})
    for storm, bus, fire in product((True, False), repeat=3):
        cells = {"Storm": storm, "BusTourGroup": bus, "Campfire": fire}
        given = {(True, True): 0.4, (True, False): 0.1, (False, True): 0.8, (False, False): 0.2}
        share = given[storm, bus] if fire else 1 - given[storm, bus]
        joint = (0.25 if storm else 0.75) * 0.5 * share  # the product over parents
        assert net.probability_of(cells) == pytest.approx(joint, rel=1e-12)


def test_a_gradient_step_of_002_keeps_the_sum_of_a_row():
    days = {"Storm": [True, True, False, None], "Campfire": [True, None, False, True]}
    net = by.BeliefNetwork(
        [("Storm", "Campfire")],
        {"Storm": [0.5, 0.5], "Campfire": [[0.6, 0.4], [0.3, 0.7]]},
        states={"Storm": [True, False], "Campfire": [True, False]},
    )
    eta, w = 0.01, np.array([[0.6, 0.4], [0.3, 0.7]])
    # P(y_ij, u_ik | d) of the four days: rows Storm = True, False; columns Campfire = True, False
    shares = [[[1, 0], [0, 0]], [[0.6, 0.4], [0, 0]], [[0, 0], [0, 1]]]
    last = np.array([[0.5 * 0.6, 0], [0.5 * 0.3, 0]])
    gradient = (np.sum(shares, axis=0) + last / last.sum()) / w
    stepped = w + eta * gradient
    expected = stepped - (stepped.sum(axis=1, keepdims=True) - 1) / 2  # the nearest with sum 1
    learned = net.fit(days, method="gradient", starts="tables", max_iter=1, learning_rate=eta)
    found = [
        [
            learned.probability_of({"Campfire": fire}, given={"Storm": storm})
            for fire in (True, False)
        ]
        for storm in (True, False)
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_the_means_of_002_by_em():
    points, means, variance = [1.0, 2.0, 4.5, 7.0, 8.0], [1.0, 6.0], 4.0
    above = np.exp(-(np.subtract.outer(points, means) ** 2) / (2 * variance))
    z = above / above.sum(axis=1, keepdims=True)
    rows, start = [[point] for point in points], [[mean] for mean in means]
    np.testing.assert_allclose(by.mixtures.expected_memberships(rows, start, variance), z)
    found = by.mixtures.means_of_known_variance(rows, start, variance, max_iter=1, tol=0.0)
    np.testing.assert_allclose(found.state.ravel(), z.T @ points / z.sum(axis=0), rtol=1e-12)


# 004: mails --------------------------------------------------------------------------------------


def test_the_share_of_a_word_in_the_mails_of_004():
    mails = ["购买" if mail < 3 else "" for mail in range(24)]
    mails += ["购买" if mail < 7 else "" for mail in range(12)]
    n_words = [10 - len(mail) // 2 for mail in mails]
    texts = [f"{mail} {'别的 ' * rest}" for mail, rest in zip(mails, n_words, strict=True)]
    kinds = ["正常"] * 24 + ["垃圾"] * 12
    model = by.TextClassifier(smoothing=0, tokenizer="whitespace").fit(texts, kinds)
    prior = dict(zip(model.classes_, model.class_prior_, strict=True))
    assert prior == pytest.approx({"正常": 24 / 36, "垃圾": 12 / 36}, rel=1e-12)
    joint = dict(
        zip(model.classes_, np.exp(model.predict_joint_log_proba(["购买"])[0]), strict=True)
    )
    assert joint["正常"] / prior["正常"] == pytest.approx(3 / 240, rel=1e-12)
    assert joint["垃圾"] / prior["垃圾"] == pytest.approx(7 / 120, rel=1e-12)


def test_the_vectors_of_004():
    mails = ["今天 上午 下雨", "明天 上午 上午", "下雨 时 在家"]
    model = by.TextClassifier(smoothing=0, tokenizer="whitespace").fit(mails, [1, 2, 3])
    place = {word: number for number, word in enumerate(model.vocabulary_)}
    order = [place[word] for word in ("今天", "上午", "下雨", "明天", "时", "在家")]
    vectors = model.transform(mails).toarray()[:, order].tolist()
    assert vectors == [[1, 1, 1, 0, 0, 0], [0, 2, 0, 1, 0, 0], [0, 0, 1, 0, 1, 1]]
    joint = np.exp(model.predict_joint_log_proba(["明天 上午 上午"])[0])
    assert joint == pytest.approx([0, 1 / 3 * 1 / 3 * (2 / 3) ** 2, 0], rel=1e-12)


@impossible_rows
@every_lambda
def test_the_mail_of_004_word_by_word(amount):
    mails = ["购买 物品 不是 广告 这", "购买 广告 购买", "这 是 物品", "购买 这 物品"]
    kinds, words = ["垃圾", "垃圾", "正常", "正常"], ["购买", "物品", "不是", "广告", "这"]
    n_words = len({word for mail in mails for word in mail.split()})
    model = by.TextClassifier(smoothing=amount, tokenizer="whitespace").fit(mails, kinds)
    for place, kind in enumerate(("垃圾", "正常")):
        own = [
            word for mail, k in zip(mails, kinds, strict=True) if k == kind for word in mail.split()
        ]
        joint = Fraction(1, 2)
        for word in words:
            joint *= (own.count(word) + Fraction(amount)) / (len(own) + n_words * Fraction(amount))
        found = math.exp(model.predict_joint_log_proba([" ".join(words)])[0, place])
        assert found == pytest.approx(float(joint), rel=1e-12)


def test_the_most_likely_shares_of_004():
    mails, kinds = ["今天 上午 下雨", "明天 上午 上午", "下雨 时 在家", "今天 时"], [1, 2, 3, 3]
    model = by.TextClassifier(smoothing=0, tokenizer="whitespace").fit(mails, kinds)
    assert model.class_prior_ == pytest.approx([1 / 4, 1 / 4, 2 / 4], rel=1e-12)  # n_k / sum n_k
    of_class = {1: "今天 上午 下雨", 2: "明天 上午 上午", 3: "下雨 时 在家 今天 时"}
    for word in ("今天", "上午", "下雨", "明天", "时", "在家"):
        joint = np.exp(model.predict_joint_log_proba([word])[0])
        theta = [words.split().count(word) / len(words.split()) for words in of_class.values()]
        assert joint / model.class_prior_ == pytest.approx(theta, rel=1e-12)


def test_a_long_mail_of_004_does_not_underflow():
    model = by.TextClassifier(tokenizer="whitespace").fit(
        ["购买 购买 物品", "这 物品"], ["垃圾", "正常"]
    )
    # of 6 + 3 shares in three words each: 3/6 and 2/6 against 1/5 and 2/5
    log_odds = 10_000 * math.log(2 / 6 / (2 / 5)) + math.log(3 / 6 / (1 / 5))
    found = model.predict_joint_log_proba(["物品 " * 10_000 + "购买"])[0]
    assert found[0] - found[1] == pytest.approx(log_odds, rel=1e-9)
    assert model.predict_proba(["物品 " * 10_000 + "购买"])[0] == pytest.approx([0, 1], abs=1e-300)
