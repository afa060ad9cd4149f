"""P(c) follows the smoothing of the columns, by one rule for every way to say it."""

from fractions import Fraction

import numpy as np
import pytest

import bayesic as by

TENNIS = by.datasets.play_tennis()
COLUMNS = TENNIS.columns
NO, YES = 5, 9  # days


def smoothed(amount, counts=(NO, YES)):
    """(N_c + lambda) / (N + K lambda), exact."""
    amount = Fraction(amount)
    return [(count + amount) / (sum(counts) + len(counts) * amount) for count in counts]


def told(smoothing, models=(by.NaiveBayes,)):
    return [
        model(smoothing=smoothing).fit(TENNIS.to_dict(), y="PlayTennis").class_prior_.tolist()
        for model in models
    ]


@pytest.mark.parametrize("amount", [0, 0.5, 1, 2, 10])
def test_a_number_and_a_dict_of_it_for_all_columns_are_the_same(amount):
    expected = pytest.approx([float(share) for share in smoothed(amount)], rel=1e-12)
    assert told(amount) == [expected] == told(dict.fromkeys(COLUMNS, amount))


@pytest.mark.parametrize("m", [0, 1, 2, 10])
def test_an_m_estimate_divides_m_rows_equally_among_the_classes(m):
    models = (by.NaiveBayes, by.TreeAugmentedNB, by.KDependence, by.AveragedOneDependence)
    expected = pytest.approx([float(share) for share in smoothed(Fraction(m, 2))], rel=1e-12)
    for smoothing in (("m", m), ("m", m, "uniform")):
        assert told(smoothing, models) == [expected] * 4
        assert told(dict.fromkeys(COLUMNS, smoothing)) == [expected]


def test_without_smoothing_it_is_the_share_of_rows_however_that_is_said():
    nothing = [0, ("m", 0), ("m", 0, "uniform"), dict.fromkeys(COLUMNS, 0)]
    nothing.append(dict.fromkeys(COLUMNS, ("m", 0)))
    for smoothing in nothing:
        assert told(smoothing) == [[NO / 14, YES / 14]]


@pytest.mark.parametrize(
    "smoothing",
    [
        "auto",
        dict.fromkeys(COLUMNS, "auto"),
        {"Wind": 0},
        dict.fromkeys(COLUMNS, 0) | {"Wind": 2},
        {},
    ],
)
def test_where_lambda_is_chosen_or_differs_it_is_the_laplace_prior(smoothing):
    assert told(smoothing) == [[6 / 16, 10 / 16]]


def test_ignored_columns_have_no_say():
    smoothing = dict.fromkeys(COLUMNS[1:], 0)
    model = by.NaiveBayes(columns={COLUMNS[0]: "ignore"}, smoothing=smoothing)
    model.fit(TENNIS.to_dict(), y="PlayTennis")
    assert model.class_prior_.tolist() == [NO / 14, YES / 14]


def test_more_classes_share_the_m_rows():
    model = by.NaiveBayes(smoothing=("m", 2), choices="hold").fit(TENNIS.rows, TENNIS.target)
    model.partial_fit([("Sunny", "Cool", "High", "Weak")] * 2, ["Ski"] * 2)
    expected = smoothed(Fraction(2, 3), (NO, 2, YES))
    np.testing.assert_allclose(model.class_prior_, [float(share) for share in expected])
    assert str(model.work(("Rain", None, None, None))).startswith("P(No)·P(Rain|No) = 17/54·")


# texts --------------------------------------------------------------------------------------------

MAILS, KINDS = ["free lunch", "free money", "lunch today"], ["spam", "spam", "ham"]
# P(free | c) of ham and spam: 4 words in all, ham has 2 of them once, spam has free twice among 4
LIKELIHOODS = Fraction(1, 6), Fraction(3, 8)


def answer_to_free(prior):
    """P(c | "free") of ham and spam, exact."""
    joint = [share * likelihood for share, likelihood in zip(prior, LIKELIHOODS, strict=True)]
    return [[float(part / sum(joint)) for part in joint]]


SHARES = Fraction(1, 3), Fraction(2, 3)
PRIORS = [
    ("learned", SHARES),
    ("uniform", (Fraction(1, 2), Fraction(1, 2))),
    ({"ham": 0.75, "spam": 0.25}, (Fraction(3, 4), Fraction(1, 4))),
]


@pytest.mark.parametrize(("told", "prior"), PRIORS)
def test_texts_have_the_shares_of_texts_or_the_given_prior(told, prior):
    for model in (
        by.TextClassifier(prior=told).fit(MAILS, KINDS),
        by.TextClassifier().fit(MAILS, KINDS).set_params(prior=told),
        by.TextClassifier(prior=told).partial_fit(MAILS[:1], KINDS[:1], classes=["ham", "spam"])
        .partial_fit(MAILS[1:], KINDS[1:]),
    ):  # fmt: skip
        np.testing.assert_allclose(model.class_prior_, [float(share) for share in prior])
        np.testing.assert_allclose(model.predict_proba(["free"]), answer_to_free(prior))


def test_a_text_column_has_the_smoothed_prior_and_agrees_with_the_same_one():
    column = by.NaiveBayes(columns={"mail": "text"}).fit({"mail": MAILS}, KINDS)
    asked, laplace = {"mail": ["free"]}, (Fraction(2, 5), Fraction(3, 5))
    np.testing.assert_allclose(column.predict_proba(asked), answer_to_free(laplace))
    column.set_params(prior=dict(zip(("ham", "spam"), map(float, SHARES), strict=True)))
    np.testing.assert_allclose(column.predict_proba(asked), answer_to_free(SHARES))


def test_arrays_of_word_counts_have_the_shares_of_texts_as_scikit_learn():
    from sklearn.naive_bayes import MultinomialNB

    words = by.TextClassifier().fit(MAILS, KINDS)
    X, asked = words.transform(MAILS), words.transform(["free"])
    for model in (by.MultinomialNB(), MultinomialNB()):
        answer = model.fit(X, KINDS).predict_proba(asked)
        np.testing.assert_allclose(answer, answer_to_free(SHARES))


def test_a_given_prior_of_texts_survives_files_merges_and_forgetting(tmp_path):
    told = {"ham": 0.75, "spam": 0.25}
    with pytest.raises(ValueError, match="prior must give a probability for each class"):
        by.TextClassifier(prior=told).fit(MAILS, ["spam", "spam", "news"])
    model = by.TextClassifier(prior=told).fit(MAILS, KINDS)
    model.partial_fit(["money"], ["ham"]).forget(["money"], ["ham"])
    model.save(tmp_path / "mail.bayes")
    again = by.load(tmp_path / "mail.bayes")
    for each in (model, again):
        np.testing.assert_allclose(each.predict_proba(["free"]), answer_to_free(PRIORS[2][1]))
    assert str(model.work("free")).startswith("P(ham)·P(free|ham) = 3/4·1/6 = 1/8")
    left_out = model.leave_one_out(MAILS, KINDS)
    for row in range(3):
        others = [number for number in range(3) if number != row]
        rest = by.TextClassifier(prior=told).partial_fit(
            [MAILS[other] for other in others],
            [KINDS[other] for other in others],
            classes=["ham", "spam"],
        )
        np.testing.assert_allclose(left_out[row], rest.predict_proba([MAILS[row]])[0])


def test_the_choice_of_a_text_model_is_judged_with_the_given_prior():
    mails = [f"{word} {other}" for word in ("free", "lunch", "rain") for other in "abcd"] * 2
    kinds = ["spam", "ham", "ham"] * 8
    told = {"ham": 0.5, "spam": 0.5}
    named = by.TextClassifier("auto", prior=told).fit(mails, kinds)
    uniform = by.TextClassifier("auto", prior="uniform").fit(mails, kinds)
    learned = by.TextClassifier("auto").fit(mails, kinds)
    assert named.chosen_.scores == uniform.chosen_.scores != learned.chosen_.scores
    np.testing.assert_array_equal(named.predict_proba(mails), uniform.predict_proba(mails))


def test_a_prior_that_is_none_is_refused():
    with pytest.raises(ValueError, match="prior must be 'learned', 'uniform' or a dict"):
        by.TextClassifier(prior="laplace").fit(MAILS, KINDS)
