"""Worked calculations: the lines of the books, exact products, agreement with the predictions."""

import json
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import bayesic as by
from bayesic.evidence.fractions import exact
from bayesic.evidence.work import Factor, Work
from helpers.comparisons import probabilities
from helpers.labelled_rows import WORDS, labelled_rows, quarters

WITH_PRODUCTS = (by.BernoulliNB, by.CategoricalNB, by.GaussianNB, by.MultinomialNB)
OF_COUNTS = (by.BernoulliNB, by.CategoricalNB, by.MultinomialNB)

LI_HANG = by.datasets.li_hang()
TENNIS = by.datasets.play_tennis("zh")
DAY = ("晴", "冷", "高", "有")

CHINA = [[2, 1, 0, 0, 0, 0], [2, 0, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0], [1, 0, 0, 0, 1, 1]]
CHINA_CLASSES = ["China", "China", "China", "other"]
CHINA_WORDS = ["Chinese", "Beijing", "Shanghai", "Macao", "Tokyo", "Japan"]


def worked(table, row, **arguments):
    model = by.CategoricalNB(**arguments).fit(table.codes, table.target)
    return model.work(table.encode(row), feature_names=table.columns)


def values(work, number):
    """The exact factors of the class of this number, without the prior."""
    shares = [factor.shares[number] for factor in work.factors]
    return [Fraction(*share) if isinstance(share, tuple) else share for share in shares]


# the books ------------------------------------------------------------------------------------


def test_case_1_li_hang_by_maximum_likelihood():
    work = worked(LI_HANG, (2, "S"), alpha=0)
    assert work.joint == {-1: Fraction(1, 15), 1: Fraction(1, 45)}
    assert work.posterior == {-1: Fraction(3, 4), 1: Fraction(1, 4)}
    assert str(work).splitlines() == [
        "P(-1)·P(X1=1|-1)·P(X2=0|-1) = 6/15·2/6·3/6 = 1/15",
        "P(1)·P(X1=1|1)·P(X2=0|1) = 9/15·3/9·1/9 = 1/45",
        "P(-1|x) = 3/4 = 0.7500",
        "P(1|x) = 1/4 = 0.2500",
    ]


def test_case_2_li_hang_with_lambda_1():
    work = worked(LI_HANG, (2, "S"), alpha=1)
    assert values(work, 0) == [Fraction(1, 3), Fraction(4, 9)]
    assert values(work, 1) == [Fraction(1, 3), Fraction(1, 6)]
    # the prior of the book is smoothed too
    work = worked(LI_HANG, (2, "S"), alpha=1, class_prior=[7 / 17, 10 / 17])
    assert work.joint == {-1: Fraction(28, 459), 1: Fraction(5, 153)}
    assert work.posterior == {-1: Fraction(28, 43), 1: Fraction(15, 43)}
    assert "= 7/17·1/3·4/9 = 28/459\n" in str(work)
    assert "= 10/17·1/3·1/6 = 5/153\n" in str(work)


def test_case_3_an_unseen_value_gets_the_smoothed_share():
    work = worked(LI_HANG, (2, "XL"), alpha=1)
    assert [values(work, number)[1] for number in (0, 1)] == [Fraction(1, 9), Fraction(1, 12)]


def test_case_4_tennis_by_maximum_likelihood():
    work = worked(TENNIS, DAY, alpha=0)
    assert work.joint == {"Yes": Fraction(1, 189), "No": Fraction(18, 875)}
    assert work.posterior == {"Yes": Fraction(125, 611), "No": Fraction(486, 611)}
    lines = str(work).splitlines()
    assert lines[0].endswith(" = 5/14·3/5·1/5·4/5·3/5 = 18/875")
    assert lines[1].endswith(" = 9/14·2/9·3/9·3/9·3/9 = 1/189")
    assert lines[2:] == ["P(No|x) = 486/611 = 0.7954", "P(Yes|x) = 125/611 = 0.2046"]


def test_case_4_as_the_book_writes_it():  # with words for the values, as a table has them
    counted = {"Yes": (2, 3, 3, 3), "No": (3, 1, 4, 3)}
    factors = tuple(
        Factor(word, ((counted["Yes"][j], 9), (counted["No"][j], 5))) for j, word in enumerate(DAY)
    )
    assert str(Work(("Yes", "No"), ((9, 14), (5, 14)), factors)).splitlines() == [
        "P(Yes)·P(晴|Yes)·P(冷|Yes)·P(高|Yes)·P(有|Yes) = 9/14·2/9·3/9·3/9·3/9 = 1/189",
        "P(No)·P(晴|No)·P(冷|No)·P(高|No)·P(有|No) = 5/14·3/5·1/5·4/5·3/5 = 18/875",
        "P(Yes|x) = 125/611 = 0.2046",
        "P(No|x) = 486/611 = 0.7954",
    ]


def test_case_5_tennis_with_the_laplace_correction():
    work = worked(TENNIS, DAY, alpha=1, class_prior=[6 / 16, 10 / 16])
    assert work.joint == {"Yes": Fraction(5, 726), "No": Fraction(15, 784)}
    assert work.posterior == {"Yes": Fraction(392, 1481), "No": Fraction(1089, 1481)}
    assert values(worked(TENNIS, ("多云", *DAY[1:])), 0)[0] == Fraction(1, 8)


def test_a_word_that_occurs_three_times_is_a_third_power():  # [IIR] example 13.1
    model = by.MultinomialNB().fit(CHINA, CHINA_CLASSES)
    work = model.work([3, 0, 0, 0, 1, 1], feature_names=CHINA_WORDS)
    china = Fraction(3, 4) * Fraction(3, 7) ** 3 * Fraction(1, 14) ** 2
    other = Fraction(1, 4) * Fraction(2, 9) ** 5
    assert work.joint == {"China": china, "other": other}
    assert work.posterior["China"] == china / (china + other)
    assert str(work).splitlines()[0] == (
        "P(China)·P(Chinese|China)^3·P(Tokyo|China)·P(Japan|China)"
        f" = 3/4·(3/7)^3·1/14·1/14 = {china}"
    )


def test_absent_words_are_factors_of_the_bernoulli_model():  # [IIR] section 13.3
    work = by.BernoulliNB().fit(CHINA, CHINA_CLASSES).work([3, 0, 0, 0, 1, 1])
    china = Fraction(3, 4) * Fraction(4, 5) * Fraction(3, 5) ** 3 * Fraction(1, 5) ** 2
    other = Fraction(1, 4) * Fraction(2, 3) ** 6
    assert work.joint == {"China": china, "other": other}
    assert "P(x0=1|China)·P(x1=0|China)" in str(work)


def test_densities_are_decimals_with_a_small_p():
    model = by.GaussianNB(var_smoothing=0).fit([[1.0], [3.0], [7.0], [9.0]], [0, 0, 1, 1])
    work = model.work([3.2])
    density = math.exp(-(1.2**2) / 2) / math.sqrt(2 * math.pi)  # mean 2, variance 1
    assert work.joint[0] == pytest.approx(density / 2)
    assert str(work).splitlines()[0] == (
        f"P(0)·p(x0=3.2|0) = 2/4·{density:.4f} ≈ {density / 2:.5f}"
    )
    assert str(work).splitlines()[2].startswith("P(0|x) ≈ 1.0000")


# agreement with the model ---------------------------------------------------------------------


@pytest.mark.parametrize("Model", WITH_PRODUCTS)
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@given(
    rows=labelled_rows(missing=True, weights=quarters | st.integers(1, 3)),
    smoothing=st.sampled_from([0, 0.1, 1]),
    prior=st.sampled_from([None, [0.5, 0.2, 0.3]]),
)
def test_the_posterior_is_that_of_the_model(Model, kind, rows, smoothing, prior):
    if Model is by.GaussianNB:
        model = Model(var_smoothing=smoothing + 0.01, priors=prior)
    else:
        model = Model(alpha=smoothing, class_prior=prior)
    model.partial_fit(rows.X, rows.y, classes=WORDS, sample_weight=rows.weights)
    for number, row in enumerate(probabilities(model, kind(rows.X))):
        work = model.work(kind(rows.X[number : number + 1]))
        answer = {label: float(share) for label, share in work.posterior.items()}
        assert answer == pytest.approx(
            dict(zip(WORDS, row.tolist(), strict=True)), rel=1e-9, abs=1e-9
        )
        assert "nan" not in str(work)


@pytest.mark.parametrize("Model", OF_COUNTS)
@given(rows=labelled_rows(missing=True), alpha=st.sampled_from([0, 0.1, 0.5, 1]))
def test_counts_give_fractions_that_add_up_to_one(Model, rows, alpha):
    model = Model(alpha=alpha).fit(rows.X, rows.y)
    work = model.work(rows.X[0])
    assert work.is_exact
    assert {type(share) for share in work.posterior.values()} == {Fraction}
    assert sum(work.posterior.values()) == 1


def test_all_numbers_come_from_counts_alone_with_alpha_0_and_are_not_reduced():
    work = by.CategoricalNB(alpha=0).fit([[0], [0], [1], [1]], ["ham"] * 2 + ["spam"] * 2).work([1])
    assert str(work).splitlines()[:2] == [
        "P(ham)·P(x0=1|ham) = 2/4·0/2 = 0",
        "P(spam)·P(x0=1|spam) = 2/4·2/2 = 1/2",
    ]


@pytest.mark.parametrize("Model", OF_COUNTS)
def test_priors_are_counted_given_or_equal(Model):
    X, y, row = [[1], [0], [1]], ["ham", "ham", "spam"], [np.nan]
    assert str(Model().fit(X, y).work(row)).startswith("P(ham) = 2/3\nP(spam) = 1/3\n")
    assert str(Model(fit_prior=False).fit(X, y).work(row)).startswith("P(ham) = 1/2\n")
    given_prior = Model(class_prior=[0.9, 0.1]).fit(X, y)
    assert given_prior.work(row).posterior == {"ham": Fraction(9, 10), "spam": Fraction(1, 10)}


@pytest.mark.parametrize("Model", OF_COUNTS)
def test_whole_weights_are_counts_and_others_give_decimals(Model):
    X, y = [[1], [1]], ["ham", "spam"]
    twice = Model().fit(X, y, sample_weight=[2.0, 1.0]).work([1])
    assert str(twice).startswith("P(ham)·P(x0")
    assert "= 2/3·" in str(twice)
    half = Model().fit(X, y, sample_weight=[0.5, 1.0]).work([1])
    assert "= 0.3333·" in str(half)
    assert "≈" in str(half)
    assert half.posterior["ham"] == pytest.approx(
        probabilities(Model().fit(X, y, sample_weight=[0.5, 1.0]), [[1]])[0, 0]
    )


@pytest.mark.parametrize(
    ("number", "fraction"),
    [
        (0.1, Fraction(1, 10)),
        (1e-10, Fraction(1, 10**10)),
        (1 / 3, Fraction(1, 3)),
        (0.123456789, Fraction(123456789, 10**9)),
        (0, Fraction(0)),
        (2, Fraction(2)),
    ],
)
def test_a_number_stands_for_the_fraction_that_was_meant(number, fraction):
    assert exact(number) == fraction


# edges ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("Model", OF_COUNTS)
def test_a_row_that_is_impossible_in_every_class_answers_the_prior_and_says_so(Model):
    model = Model(alpha=0).fit([[2, 0], [2, 0], [0, 2]], ["ham", "ham", "spam"])
    work = model.work([2, 2])
    assert work.is_impossible
    assert work.posterior == {"ham": Fraction(2, 3), "spam": Fraction(1, 3)}
    assert "x is impossible in every class: the answer is the prior." in str(work)


def test_a_measurement_too_far_to_square_answers_the_prior():
    work = by.GaussianNB().fit([[0.0], [1.0], [5.0]], ["low", "low", "high"]).work([1e200])
    assert work.posterior == pytest.approx({"low": 2 / 3, "high": 1 / 3})


def test_a_mail_of_ten_thousand_words_is_worked_out_exactly():
    X = [[3, 7, 230], [7, 1, 112]]
    model = by.MultinomialNB(alpha=0).fit(X, ["ham", "spam"])
    work = model.work([400, 600, 9000])
    ham = Fraction(3, 240) ** 400 * Fraction(7, 240) ** 600 * Fraction(230, 240) ** 9000
    spam = Fraction(7, 120) ** 400 * Fraction(1, 120) ** 600 * Fraction(112, 120) ** 9000
    assert work.posterior["ham"] == ham / (ham + spam)
    assert float(work.joint["ham"]) == 0.0  # a float could not hold it
    assert "(7/240)^600" in str(work)
    decimal = Decimal((ham / 2).numerator) / Decimal((ham / 2).denominator)
    assert f" ≈ {decimal:.3e}\n" in str(work)


def test_decimals_do_not_underflow():
    X = [[3, 7, 230], [7, 1, 112]]
    model = by.MultinomialNB().fit(X, ["ham", "spam"])
    row = [10**6, 10**6, 0.5]
    work = model.work(row)
    assert not work.is_exact
    expected = model.predict_joint_log_proba([row])[0]
    assert list(work.log_joint.values()) == pytest.approx(expected.tolist(), rel=1e-12)
    exponent = math.floor(expected[0] / math.log(10))
    assert f"e{exponent}\n" in str(work)
    assert sum(work.posterior.values()) == pytest.approx(1.0)


def test_densities_do_not_overflow():
    X = np.array([[0.0], [1e-9], [1.0], [1.0 + 1e-9]]).repeat(60, axis=1)
    model = by.GaussianNB(var_smoothing=0).fit(X, ["low", "low", "high", "high"])
    work = model.work(X[0])
    expected = model.predict_joint_log_proba(X[:1])[0]
    assert expected[1] > 710  # more than a float can hold
    assert work.log_joint["low"] == pytest.approx(expected[1])
    assert work.joint["low"] == math.inf
    assert work.posterior == {"low": 1.0, "high": 0.0}
    assert f"e{math.floor(expected[1] / math.log(10))}\n" in str(work)


def test_a_long_row_is_cut_in_the_text_only():
    work = by.BernoulliNB().fit(np.eye(30), ["ham", "spam"] * 15).work(np.ones(30))
    line = str(work).splitlines()[0]
    assert line.startswith("P(ham)·P(x0=1|ham)·")
    assert "·…·P(x29=1|ham) = 15/30·" in line
    assert len(work.to_dict()["classes"][0]["factors"]) == 30


def test_a_feature_that_was_not_observed_has_no_factor():
    for Model in WITH_PRODUCTS:
        work = Model().fit([[1, 0], [0, 2], [2, 2]], ["ham", "spam", "spam"]).work([1.0, np.nan])
        assert len(work.factors) == 1
        assert "x1" not in str(work)


def test_a_degree_of_presence_is_a_decimal():
    model = by.BernoulliNB(binarize=None).fit([[1.0], [0.0], [0.5]], ["ham", "ham", "spam"])
    work = model.work([0.25])
    expected = 2 / 3 * (1 / 2) ** 0.25 * (1 / 2) ** 0.75
    assert work.joint["ham"] == pytest.approx(expected)
    assert "P(x0=0.25|ham)" in str(work)


def test_complement_nb_has_no_product_and_points_to_explain():
    model = by.ComplementNB().fit([[1, 0], [0, 2]], ["ham", "spam"])
    with pytest.raises(TypeError, match="no product of probabilities.*Use explain"):
        model.work([1, 0])


@pytest.mark.parametrize("Model", WITH_PRODUCTS)
def test_one_row_comes_in_many_forms(Model):
    table = pd.DataFrame({"rain": [1, 0, 2], "wind": [0, 2, 2]})
    model = Model().fit(table, ["ham", "spam", "spam"])
    expected = model.work(table.iloc[:1])
    assert model.work({"wind": 0, "rain": 1}) == expected
    assert model.work(table.iloc[0]) == expected
    unnamed = Model().fit(table.to_numpy(), ["ham", "spam", "spam"])
    for row in ((1, 0), [1, 0], np.array([1, 0]), [[1, 0]]):
        assert unnamed.work(row, feature_names=["rain", "wind"]) == expected


@pytest.mark.parametrize("Model", WITH_PRODUCTS)
def test_several_rows_or_none_are_refused(Model):
    model = Model().fit([[1, 0], [0, 2]], ["ham", "spam"])
    with pytest.raises(ValueError, match="calculation of one row, got 2"):
        model.work([[1, 0], [0, 2]])
    with pytest.raises(ValueError, match="X has 3 features, but .* is expecting 2"):
        model.work([1, 0, 0])
    with pytest.raises(ValueError, match="feature_names must name all 2 features, got 1"):
        model.work([1, 0], feature_names=["rain"])


# for machines and notebooks -------------------------------------------------------------------


def test_the_dictionary_is_json_with_fractions_as_text():
    told = json.loads(json.dumps(worked(LI_HANG, (2, "S"), alpha=0).to_dict(), allow_nan=False))
    assert (told["exact"], told["impossible"]) == (True, False)
    assert told["classes"][0] == {
        "class": -1,
        "prior": "6/15",
        "factors": [
            {"text": "X1=1", "value": "2/6", "power": 1, "density": False},
            {"text": "X2=0", "value": "3/6", "power": 1, "density": False},
        ],
        "joint": "1/15",
        "posterior": "3/4",
        "probability": 0.75,
    }


def test_names_are_escaped_in_html():
    attack = "<script>alert(1)</script>"
    model = by.MultinomialNB().fit([[1, 0], [0, 2]], [attack, "ham"])
    html = model.work([1, 0], feature_names=[attack, "the"])._repr_html_()
    assert "<script" not in html
    assert "P(&lt;script&gt;" in html
