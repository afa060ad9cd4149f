"""NaiveBayes against fractions, densities of SciPy, and the worked examples of the textbooks."""

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import bayesic as by
from helpers.examples import at_most

HAM_OR_SPAM = ("ham", "spam")
TENNIS = by.datasets.play_tennis("zh")
LI_HANG = by.datasets.li_hang()


def posterior(joint):
    """Fractions of class and joint probability, normalised."""
    return {label: value / sum(joint.values()) for label, value in joint.items()}


def assert_posterior(model, row, joint):
    expected = posterior(joint)
    ours = model.predict_proba(row)[0]
    for label, probability in zip(model.classes_.tolist(), ours, strict=True):
        assert probability == pytest.approx(float(expected[label]), rel=1e-12)
    best = max(expected, key=expected.get)
    assert model.predict(row).tolist() == [best]


# the worked examples --------------------------------------------------------------------------


def li_hang(smoothing):
    model = by.NaiveBayes(columns={"X1": "categorical"}, smoothing=smoothing)
    return model.fit(LI_HANG.to_dict(), y="Y")


def test_li_hang_by_maximum_likelihood():
    joint = {-1: Fraction(1, 15), 1: Fraction(1, 45)}
    model = li_hang(smoothing=0)
    assert_posterior(model, {"X1": [2], "X2": ["S"]}, joint)
    logs = model.predict_joint_log_proba({"X1": [2], "X2": ["S"]})[0]
    assert np.exp(logs).tolist() == pytest.approx([1 / 15, 1 / 45], rel=1e-12)


def test_li_hang_with_the_laplace_correction():
    joint = {-1: Fraction(28, 459), 1: Fraction(5, 153)}
    assert_posterior(li_hang(smoothing=1), {"X1": [2], "X2": ["S"]}, joint)
    assert posterior(joint) == {-1: Fraction(28, 43), 1: Fraction(15, 43)}


def test_li_hang_with_a_value_never_seen():
    joint = {
        -1: Fraction(7, 17) * Fraction(1, 3) * Fraction(1, 9),
        1: Fraction(10, 17) * Fraction(1, 3) * Fraction(1, 12),
    }
    assert_posterior(li_hang(smoothing=1), {"X1": [2], "X2": ["XL"]}, joint)


def test_li_hang_as_rows_without_names():
    model = by.NaiveBayes(columns={"x0": "categorical"}, smoothing=0)
    model.fit(list(LI_HANG.rows), list(LI_HANG.target))
    assert_posterior(model, [(2, "S")], {-1: Fraction(3, 4), 1: Fraction(1, 4)})


@pytest.mark.parametrize(
    ("smoothing", "yes", "no"),
    [(0, Fraction(1, 189), Fraction(18, 875)), (1, Fraction(5, 726), Fraction(15, 784))],
    ids=["maximum likelihood", "Laplace"],
)
def test_play_tennis(smoothing, yes, no):
    model = by.NaiveBayes(smoothing=smoothing).fit(list(TENNIS.rows), list(TENNIS.target))
    joint = {"No": no, "Yes": yes}
    row = [("晴", "冷", "高", "有")]
    assert_posterior(model, row, joint)
    logs = model.predict_joint_log_proba(row)[0]
    assert np.exp(logs).tolist() == pytest.approx([float(no), float(yes)], rel=1e-12)


def test_play_tennis_overcast_is_never_seen_on_a_day_without_play():
    model = by.NaiveBayes(smoothing=1).fit(list(TENNIS.rows), list(TENNIS.target))
    event = next(iter(model.events_.values()))
    no = model.classes_.tolist().index("No")
    share = np.exp(event.log_table[event.levels.index("多云"), no])
    assert share == pytest.approx(1 / 8, rel=1e-12)


def test_least_risk_under_zero_one_loss_is_the_largest_posterior():
    model = by.NaiveBayes().fit(list(TENNIS.rows), list(TENNIS.target))
    decision = by.BayesDecision(model, loss=[[0, 1], [1, 0]]).fit(
        list(TENNIS.rows), list(TENNIS.target)
    )
    rows = list(TENNIS.rows)
    np.testing.assert_allclose(decision.predict_risk(rows), 1 - model.predict_proba(rows))


def test_ranking_brings_the_interesting_articles_to_the_top():
    random = np.random.default_rng(5)
    interesting = random.random(2000) < 0.16
    subject = np.where(
        interesting, random.choice(["bayes", "sport"], 2000), random.choice(["sport", "tax"], 2000)
    )
    length = random.normal(np.where(interesting, 300, 200), 80)
    model = by.NaiveBayes().fit({"subject": subject, "length": length}, interesting)
    order = by.decisions.rank(model, {"subject": subject, "length": length}, True)
    top = interesting[order.index[:200]].mean()
    assert top >= 3 * interesting.mean()


def test_one_column_is_bayes_rule_on_the_partition_of_the_classes():
    rows = ["sun"] * 3 + ["rain"] * 2 + ["sun"] + ["rain"] * 4
    labels = ["ham"] * 5 + ["spam"] * 5
    expected = by.hypotheses.bayes_rule(
        {"ham": Fraction(1, 2), "spam": Fraction(1, 2)},
        {"ham": Fraction(2, 5), "spam": Fraction(4, 5)},
    )
    model = by.NaiveBayes(smoothing=0).fit({"sky": rows}, labels)
    ours = model.predict_proba({"sky": ["rain"]})[0]
    assert ours.tolist() == pytest.approx([float(expected[c]) for c in HAM_OR_SPAM], rel=1e-12)


# any table of categories, in fractions --------------------------------------------------------

LEVELS = {"sky": ("sun", "rain", "雨"), "size": ("S", "M")}
categorical_rows = st.lists(
    st.tuples(
        st.none() | st.sampled_from(LEVELS["sky"]),
        st.none() | st.sampled_from(LEVELS["size"]),
        st.sampled_from(HAM_OR_SPAM),
    ),
    min_size=1,
    max_size=10,
)
smoothings = st.sampled_from([0.5, 1, 3, ("m", 2), {"sky": 2}, {"sky": ("m", 1), "size": 0.25}])


def rule_of(smoothing, column):
    if isinstance(smoothing, dict):
        smoothing = smoothing.get(column, 1)
    return smoothing if isinstance(smoothing, tuple) else ("lambda", smoothing)


def share_by_hand(value, cells, labels, label, rule):
    """p(value | label) in the cells of one column that were observed."""
    seen = [(cell, c) for cell, c in zip(cells, labels, strict=True) if cell is not None]
    if value is None or not seen:
        return Fraction(1)
    n_levels = len({cell for cell, _ in seen})
    of_class = [cell for cell, c in seen if c == label]
    kind, amount = rule[0], Fraction(rule[1])
    if kind == "lambda":
        pseudo, total = amount, amount * n_levels
    else:
        overall = sum(cell == value for cell, _ in seen)
        pseudo, total = amount * Fraction(overall + 1, len(seen) + n_levels), amount
    return (of_class.count(value) + pseudo) / (len(of_class) + total)


def joint_by_hand(rows, probe, smoothing, prior):
    labels = [row[2] for row in rows]
    classes = sorted(set(labels))
    amount = Fraction(smoothing) if isinstance(smoothing, (int, float)) else Fraction(1)
    joint = {}
    for label in classes:
        if prior == "learned":
            share = (labels.count(label) + amount) / (len(labels) + len(classes) * amount)
        else:
            share = Fraction(1, len(classes)) if prior == "uniform" else Fraction(prior[label])
        for place, column in enumerate(LEVELS):
            cells = [row[place] for row in rows]
            rule = rule_of(smoothing, column)
            share *= share_by_hand(probe[place], cells, labels, label, rule)
        joint[label] = share
    return joint


def as_columns(rows):
    return {name: [row[place] for row in rows] for place, name in enumerate(LEVELS)}


@at_most(100)
@given(
    rows=categorical_rows,
    probe=st.tuples(
        *(st.none() | st.sampled_from([*levels, "never"]) for levels in LEVELS.values())
    ),
    smoothing=smoothings,
    prior=st.sampled_from(["learned", "uniform", {"ham": 0.25, "spam": 0.75}]),
)
def test_any_table_of_categories_gets_the_exact_fraction(rows, probe, smoothing, prior):
    if isinstance(prior, dict) and len({row[2] for row in rows}) == 1:
        prior = {rows[0][2]: 1}
    model = by.NaiveBayes(smoothing=smoothing, prior=prior)
    model.fit(as_columns(rows), [row[2] for row in rows])
    expected = posterior(joint_by_hand(rows, probe, smoothing, prior))
    ours = model.predict_proba(as_columns([probe]))[0]
    assert ours.tolist() == pytest.approx([float(expected[c]) for c in model.classes_], rel=1e-12)


@at_most(25)
@given(rows=categorical_rows, smoothing=st.sampled_from([0.5, 1, ("m", 2), "auto"]))
def test_the_density_sums_to_one_over_all_rows_that_can_be(rows, smoothing):
    model = by.NaiveBayes(smoothing=smoothing).fit(as_columns(rows), [row[2] for row in rows])
    seen = [sorted({row[place] for row in rows} - {None}) or [None] for place in range(len(LEVELS))]
    density = np.exp(model.log_density(as_columns(list(product(*seen)))))
    assert density.sum() == pytest.approx(1.0, rel=1e-12)


# columns of all kinds, with the densities of SciPy ----------------------------------------------

KINDS = {"wind": "gaussian", "visits": "poisson", "member": "bernoulli", "note": "text"}


def test_a_table_of_all_kinds_is_the_product_of_its_densities():
    random = np.random.default_rng(11)
    labels = np.repeat(HAM_OR_SPAM, [7, 5])
    table = {
        "wind": random.normal(size=12),
        "visits": random.poisson(3, 12),
        "member": random.integers(0, 2, 12),
        "note": random.choice(["free lunch", "lunch", "free free meeting"], 12),
        "sky": random.choice(["sun", "rain"], 12),
    }
    model = by.NaiveBayes(columns=KINDS).fit(table, labels)
    probe = {"wind": [0.3], "visits": [2], "member": [1], "note": ["free tea"], "sky": ["rain"]}
    joint = {label: _density_of_probe(table, labels, label) for label in HAM_OR_SPAM}
    ours = model.predict_joint_log_proba(probe)[0]
    assert ours.tolist() == pytest.approx([np.log(joint[c]) for c in HAM_OR_SPAM], rel=1e-10)
    assert model.log_density(probe)[0] == pytest.approx(np.log(sum(joint.values())), rel=1e-10)


def _density_of_probe(table, labels, label):
    own = labels == label
    wind, visits = table["wind"], table["visits"]
    scatter = sum(((wind[labels == c] - wind[labels == c].mean()) ** 2).sum() for c in HAM_OR_SPAM)
    usual = (scatter + wind.var()) / (len(wind) + 1)
    variance = wind[own].var() + usual / own.sum()
    rate = (visits[own].sum() + visits.mean()) / (own.sum() + 1)
    words = " ".join(table["note"][own]).split()
    return prod(
        [
            (own.sum() + 1) / (len(labels) + 2),
            stats.norm.pdf(0.3, wind[own].mean(), np.sqrt(variance)),
            stats.poisson.pmf(2, rate),
            (table["member"][own].sum() + 1) / (own.sum() + 2),
            (words.count("free") + 1) / (len(words) + 3),  # "tea" was never learned: left out
            ((table["sky"][own] == "rain").sum() + 1) / (own.sum() + 2),
        ]
    )


def test_the_variance_rule_does_not_let_a_class_of_one_row_win_or_lose_everything():
    values = [*np.linspace(0, 10, 50).tolist(), 5.0]
    labels = ["ham"] * 50 + ["spam"]
    model = by.NaiveBayes(numeric="gaussian", prior="uniform").fit({"wind": values}, labels)
    answers = model.predict_proba({"wind": [5.0, 5.5, 2.0, 9.0]})[:, 1]
    assert ((answers > 0.05) & (answers < 0.95)).all()


@pytest.mark.parametrize("numeric", ["auto", "gaussian", "kernel", "binned"])
@given(power=st.integers(-200, 200))
@at_most(10)
def test_another_unit_of_a_column_changes_no_answer(numeric, power):
    random = np.random.default_rng(2)
    wind, labels = random.normal(size=40), random.choice(HAM_OR_SPAM, 40)
    wind[labels == "spam"] += 1
    answers = [
        by.NaiveBayes(numeric=numeric)
        .fit({"wind": wind * unit}, labels)
        .predict_proba({"wind": np.linspace(-3, 3, 9) * unit})
        for unit in (1.0, 2.0**power)
    ]
    np.testing.assert_allclose(answers[1], answers[0], rtol=1e-9)


@pytest.mark.parametrize("numeric", ["auto", "gaussian", "kernel", "binned", "poisson"])
def test_a_constant_column_tells_nothing(numeric):
    sky = {"sky": ["sun", "rain", "sun", "sun", "rain"]}
    labels = ["ham", "ham", "spam", "spam", "spam"]
    without = by.NaiveBayes(numeric=numeric).fit(sky, labels).predict_proba(sky)
    constant = {**sky, "wind": [4.0] * 5}
    ours = by.NaiveBayes(numeric=numeric).fit(constant, labels).predict_proba(constant)
    np.testing.assert_allclose(ours, without, rtol=1e-12)


# what a column was learned as -------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["text", "gaussian", "bernoulli"])
def test_a_column_of_categories_cannot_become_another_without_a_new_fit(kind):
    model = by.NaiveBayes().fit({"sky": ["New York", "rain"]}, ["ham", "spam"])
    model.set_params(columns={"sky": kind})
    with pytest.raises(ValueError, match="'sky'"):
        model.predict({"sky": ["rain"]})


def test_a_column_of_texts_stays_one_also_if_it_is_not_told_any_more():
    model = by.NaiveBayes(columns={"note": "text"}).fit(
        {"note": ["free lunch", "no rain"]}, ["spam", "ham"]
    )
    assert model.set_params(columns=None).kinds_ == {"note": "text"}
    assert model.predict({"note": ["lunch for free"]}).tolist() == ["spam"]


@pytest.mark.filterwarnings("ignore:Column .day. has nearly")
def test_values_that_are_all_new_are_wondered_at_when_asked_and_not_when_learned():
    days = [f"day {number}" for number in range(30)]
    model = by.NaiveBayes().fit({"day": days}, ["ham", "spam"] * 15)
    others = {"day": [f"night {number}" for number in range(30)]}
    with pytest.warns(UserWarning, match="none of its values was ever learned"):
        model.predict(others)
    model.partial_fit(others, ["ham", "spam"] * 15)
