"""The automatic choice, against refitting without each row."""

from fractions import Fraction
from math import log

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy.special import logsumexp
from scipy.stats import norm

from bayesic.estimation.kernel_density import bandwidth
from bayesic.estimation.smoothing import Lambda
from bayesic.models.events.automatic import LAMBDAS, automatic_number_event, automatic_smoothing
from bayesic.models.events.shares import binned, categorical
from bayesic.statistics.level_counts import level_counts
from bayesic.statistics.number_counts import number_counts
from helpers.examples import at_most

N_CLASSES = 2


@st.composite
def columns(draw):
    """(value, class): one bell, two bells around it, or steps."""
    shape = draw(st.sampled_from(["bell", "around", "steps", "codes"]))
    seed, n_rows = draw(st.integers(0, 10_000)), draw(st.integers(3, 40))
    random = np.random.default_rng(seed)
    codes = random.integers(0, 2, n_rows)
    values = random.normal(size=n_rows)
    if shape == "around":
        values += np.where(codes == 1, random.choice([-4, 4], n_rows), 0)
    elif shape == "steps":
        values = np.where(codes == 1, random.integers(5, 8, n_rows), random.integers(0, 6, n_rows))
    elif shape == "codes":  # 1 and 3 of one class, 0 and 2 of the other, more or less
        values = np.where(random.random(n_rows) < 0.9, codes, 1 - codes)
        values = values + 2 * random.integers(0, 2, n_rows)
    return values.astype(float), codes


def log_gaussian(x, values, codes, label):
    """The normal density of a class by the rule of estimation/univariate.py."""
    groups = [values[codes == code] for code in range(N_CLASSES)]
    within = sum(((group - group.mean()) ** 2).sum() for group in groups if len(group))
    usual = (within + values.var()) / (len(values) + 1)
    if len(groups[label]) == 0:
        mean, variance = values.mean(), values.var()
    else:
        mean = groups[label].mean()
        variance = (((groups[label] - mean) ** 2).sum() + usual) / len(groups[label])
    return norm.logpdf(x, mean, np.sqrt(variance if variance > 0 else 1.0))


def log_kernel(x, values, codes, label, width, amount):
    def around(rows):
        u = np.abs(x - rows) / width
        return ((1 + u) * np.exp(-u)).sum() / 4 / width

    own = values[codes == label]
    density = (around(own) + amount * around(values) / len(values)) / (len(own) + amount)
    return np.log(density)


def log_bin_share(x, values, codes, label, cuts, amount):
    of_class = np.searchsorted(cuts, values[codes == label], side="right")
    here = np.searchsorted(cuts, x, side="right")
    smoothed = (of_class == here).sum() + amount
    return np.log(smoothed / (len(of_class) + amount * (len(cuts) + 1)))


def is_few_whole_numbers(values):
    """Two to twelve different whole numbers, two rows or more for each on average."""
    n_values = len(set(values.tolist()))
    return (values == np.floor(values)).all() and 2 <= n_values <= min(12, len(values) / 2)


def log_share(x, values, codes, label, amount):
    """The smoothed share of a value in its class; the values are those of the other rows."""
    of_class = values[codes == label]
    smoothed = (of_class == x).sum() + amount
    return np.log(smoothed / (len(of_class) + amount * len(set(values.tolist()))))


def score_by_refitting(log_density, values, codes):
    """Sum of log P(own class | x), the row left out; P(c) is (N_c + 1) / (N + K)."""
    total = 0.0
    for row in range(len(values)):
        kept = np.arange(len(values)) != row
        joint = [
            np.log((codes[kept] == label).sum() + 1)
            + log_density(values[row], values[kept], codes[kept], label)
            for label in range(N_CLASSES)
        ]
        total += joint[codes[row]] - logsumexp(joint)
    return total


def names(values):
    """Whether a column is one of codes: few whole numbers in few rows."""
    return is_few_whole_numbers(values) and len(values) <= 30


@at_most(80)
@given(column=columns(), amount=st.sampled_from([0.5, 1.0]))
@example(
    column=(
        np.array([5.0, 5.0, 6.0, 2.0, 2.0, 5.0, 4.0, 5.0, 2.0, 7.0, 6.0, 6.0]),
        np.array([1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1]),
    ),
    amount=0.5,
)
def test_the_kind_of_a_column_is_the_one_of_the_best_score_without_each_row(column, amount):
    values, codes = column
    counts = number_counts(values, codes, N_CLASSES)
    width, cuts = bandwidth(counts.moments), binned(counts, Lambda(amount)).cuts
    scores = {
        "gaussian": score_by_refitting(log_gaussian, values, codes),
        "kernel": score_by_refitting(lambda *args: log_kernel(*args, width, amount), values, codes),
        "binned": score_by_refitting(
            lambda *args: log_bin_share(*args, cuts, amount), values, codes
        )
        - len(cuts) * np.log(max(len(values) - 1, 1)),
    }
    if is_few_whole_numbers(values):
        scores["categorical"] = score_by_refitting(
            lambda *args: log_share(*args, amount), values, codes
        )
    ordered = sorted(scores.values())
    assume(ordered[-1] - ordered[-2] > 1e-6)  # else rounding decides
    chosen = automatic_number_event(counts, Lambda(amount))
    assert chosen.kind == ("categorical" if names(values) else max(scores, key=scores.get))


def lambda_score_by_refitting(rows, amount):
    """The same for a column of categories with this lambda, in fractions."""
    total = 0.0
    for row, (level, label) in enumerate(rows):
        others = rows[:row] + rows[row + 1 :]
        n_levels = len({other for other, _ in others})
        joint = []
        for code in range(N_CLASSES):
            of_class = [other for other, c in others if c == code]
            share = (of_class.count(level) + amount) / (len(of_class) + n_levels * amount)
            joint.append((len(of_class) + 1) * share)
        total += log(joint[label] / sum(joint))
    return total


@at_most(40)
@given(
    rows=st.lists(
        st.tuples(st.sampled_from(["sun", "rain", "fog", "雨"]), st.integers(0, N_CLASSES - 1)),
        min_size=2,
        max_size=15,
    )
)
def test_the_lambda_of_a_column_is_the_one_of_the_best_score_without_each_row(rows):
    assume(len({level for level, _ in rows}) > 1)
    levels = sorted({level for level, _ in rows})
    codes = np.array([levels.index(level) for level, _ in rows])
    counts = level_counts(codes, levels, np.array([label for _, label in rows]), N_CLASSES, None)
    chosen = automatic_smoothing(categorical(counts, Lambda(1.0))).rule.amount
    scores = {amount: lambda_score_by_refitting(rows, Fraction(amount)) for amount in LAMBDAS}
    assert scores[chosen] == pytest.approx(max(scores.values()), rel=1e-9, abs=1e-9)


def test_a_normal_column_is_gaussian_two_bells_are_a_kernel_and_steps_are_bins():
    random = np.random.default_rng(7)
    codes = np.repeat([0, 1], 300)
    bell = random.normal(size=600) + codes
    around = np.where(codes == 1, random.choice([-4.0, 4.0], 600), 0.0) + random.normal(size=600)
    # half of the rows of either class lie close together, the other half far away
    steps = np.where(codes == 1, 10.0, 20.0) + random.random(600)
    steps[::2] = 1e6 * random.random(300) ** 8
    kinds = [
        automatic_number_event(number_counts(values, codes, 2), Lambda(1.0)).kind
        for values in (bell, around, steps)
    ]
    assert kinds[0] == "gaussian"
    assert kinds[1] in ("kernel", "binned")
    assert kinds[2] == "binned"


@pytest.mark.parametrize("values", [[3.0], [3.0, 3.0], [1.0, 2.0]])
def test_small_columns_get_a_kind_without_a_warning(values):
    counts = number_counts(np.array(values), np.arange(len(values)) % 2, 2)
    chosen = automatic_number_event(counts, Lambda(1.0))
    assert chosen.kind in ("gaussian", "kernel", "binned")


@at_most(60)
@given(
    rows=st.lists(
        st.tuples(st.integers(0, 5).map(float), st.integers(0, 1), st.sampled_from([0.1, 0.9, 5])),
        min_size=1,
        max_size=20,
    )
)
def test_no_smoothing_and_weights_below_one_choose_without_nan(rows):
    values, codes, weights = (np.array(part) for part in zip(*rows, strict=True))
    event = automatic_number_event(number_counts(values, codes, 2, weights), Lambda(0.0))
    assert event.kind in ("gaussian", "kernel", "binned", "categorical")
