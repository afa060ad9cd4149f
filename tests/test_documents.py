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


def test_the_correction_of_003_gives_1_8_to_an_overcast_day_without_tennis():
    model = by.NaiveBayes(smoothing=1).fit(*TABLES["网球"])
    joint = np.exp(model.predict_joint_log_proba(["多云", None, None, None])[0])
    assert joint[0] / model.class_prior_[0] == pytest.approx(1 / 8, rel=1e-12)


def test_the_general_classifier_of_003_has_seen_no_such_day():
    model = by.JointBayes(smoothing=0).fit(*TABLES["网球"])
    with pytest.warns(UserWarning, match="impossible in every class"):
        assert model.predict_proba(DAY)[0] == pytest.approx([5 / 14, 9 / 14], rel=1e-12)
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


def test_three_hypotheses_vote_as_in_002():
    posterior = {"h1": 0.4, "h2": 0.3, "h3": 0.3}
    told = hypotheses.weighted_vote(posterior, {"h1": "+", "h2": "-", "h3": "-"})
    assert told == pytest.approx({"+": 0.4, "-": 0.6})


def test_find_s_on_the_days_of_002():
    found = hypotheses.find_s(*TABLES["sport"])
    assert found == ("Sunny", "Warm", "?", "Strong", "?", "?")


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
