"""TreeAugmentedNB, KDependence, AveragedOneDependence against counting in fractions; their laws."""

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from bayesic.estimation.dependent_columns import informations
from bayesic.models.levels.averaged_dependence import AveragedOneDependence
from bayesic.models.levels.network_classifier import KDependence, TreeAugmentedNB
from helpers.comparisons import impossible_rows_allowed
from helpers.environment import environment
from helpers.examples import at_most
from helpers.labelled_rows import WORDS, quarters

COLUMNS = ("wind", "sky", "天", "heat")
CELLS = ("rain", "sun", "雪", None)
MODELS = {
    "tan": TreeAugmentedNB,
    "kdb0": lambda **p: KDependence(k=0, **p),
    "kdb2": lambda **p: KDependence(k=2, **p),
    "a1de": AveragedOneDependence,
    "a1de-often": lambda **p: AveragedOneDependence(m=2, **p),
    "a2de": lambda **p: AveragedOneDependence(n=2, **p),
}
every_model = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)

cells = st.sampled_from(CELLS)
labels = st.sampled_from(WORDS)
smoothings = st.sampled_from(
    [0, 1, 0.25, 3, ("m", 2), ("m", 0), ("back-off", 0), ("back-off", 0.5), ("back-off", 8)]
)
one_each = st.just(1.0)


def days(weights=one_each, min_size=1):
    """Lists of (cells, class, weight)."""
    day = st.tuples(st.tuples(*[cells] * 4), labels, weights)
    return st.lists(day, min_size=min_size, max_size=9)


asked_days = st.lists(st.tuples(*[st.sampled_from([*CELLS, "fog"])] * 4), min_size=1, max_size=4)


def as_columns(rows):
    columns = zip(*rows, strict=True)
    return {name: list(column) for name, column in zip(COLUMNS, columns, strict=True)}


def table_of(days):
    rows, y, weights = zip(*days, strict=True)
    return as_columns(rows), list(y), list(weights)


def learned(days, make, model=None, **parameters):
    X, y, weights = table_of(days)
    model = make(**parameters) if model is None else model
    return model.partial_fit(X, y, classes=WORDS, sample_weight=weights)


# the same by counting, in fractions -------------------------------------------------------------


def count(days, wanted, label=None, observed=()):
    """Weight of the rows with these levels, of a class if told, observed in these columns."""
    return sum(
        Fraction(weight)
        for row, of, weight in days
        if label in (None, of)
        and all(row[column] == level for column, level in wanted.items())
        and all(row[column] is not None for column in observed)
    )


def n_levels(days, column):
    return max(1, len({row[column] for row, _, weight in days if row[column] and weight}))


def pseudo_counts(days, row, columns, smoothing):
    """Of the levels of these columns together, and of all that they could be."""
    sizes = [n_levels(days, column) for column in columns]
    if not isinstance(smoothing, tuple):
        return Fraction(smoothing), Fraction(smoothing) * math.prod(sizes)
    shares = (
        (count(days, {column: row[column]}) + 1) / (count(days, {}, None, [column]) + size)
        for column, size in zip(columns, sizes, strict=True)
    )
    return smoothing[1] * math.prod(shares), Fraction(smoothing[1])


def backed_off(days, label, row, columns, given, strength):
    """The same, leaning on what it would be without the last of the given."""
    conditions = {column: row[column] for column in given}
    wanted = conditions | {column: row[column] for column in columns}
    if given:
        less = backed_off(days, label, row, columns, given[:-1], strength)
    elif len(columns) > 1:
        less = math.prod(backed_off(days, label, row, [j], [], strength) for j in columns)
    else:
        less = Fraction(1, n_levels(days, columns[0]))
    below = count(days, conditions, label, columns) + strength
    return (count(days, wanted, label) + strength * less) / below if below else less


def share(days, label, row, columns, given, smoothing):
    """P(levels of columns | levels of given, class), the columns taken together."""
    if isinstance(smoothing, tuple) and smoothing[0] == "back-off":
        return backed_off(days, label, row, columns, given, Fraction(smoothing[1]))
    conditions = {column: row[column] for column in given}
    wanted = conditions | {column: row[column] for column in columns}
    pseudo, all_pseudo = pseudo_counts(days, row, columns, smoothing)
    below = count(days, conditions, label, columns) + all_pseudo
    if below == 0:
        return Fraction(1, math.prod(n_levels(days, column) for column in columns))
    return (count(days, wanted, label) + pseudo) / below


def is_known(days, row, column):
    return row[column] is not None and count(days, {column: row[column]}) > 0


def strongest_first(model, child, parents):
    """The parents in the order of I(X_child; X_parent | C), of equal ones by name."""
    names = sorted(COLUMNS)
    known = list(model.statistics_.levels)
    of_pairs = informations(model.statistics_)[1]

    def strength(parent):
        return -of_pairs[known.index(COLUMNS[child]), known.index(COLUMNS[parent])]

    if COLUMNS[child] not in known:
        return list(parents)
    return sorted(parents, key=lambda parent: (strength(parent), names.index(COLUMNS[parent])))


def mean_of_models(days, label, row, model, n, smoothing):
    observed = [column for column in range(len(row)) if row[column] is not None]
    if n == 0:
        return math.prod(share(days, label, row, [j], [], smoothing) for j in observed)
    models = []
    for chosen in combinations(observed, n):
        together = count(days, {column: row[column] for column in chosen})
        if (
            all(is_known(days, row, column) for column in chosen)
            and together
            and together >= model.m
        ):
            others = (j for j in observed if j not in chosen)
            models.append(
                share(days, label, row, chosen, [], smoothing)
                * math.prod(
                    share(days, label, row, [j], strongest_first(model, j, chosen), smoothing)
                    for j in others
                )
            )
    if not models:
        return mean_of_models(days, label, row, model, n - 1, smoothing)
    return sum(models) / len(models)


def of_network(days, label, row, parents, smoothing):
    place = {name: column for column, name in enumerate(COLUMNS)}
    total = Fraction(1)
    for column, name in enumerate(COLUMNS):
        if row[column] is not None and name in parents:
            given = [place[p] for p in parents[name] if is_known(days, row, place[p])]
            total *= share(days, label, row, [column], given, smoothing)
    return total


def prior_of(days, smoothing):
    how, amount = smoothing if isinstance(smoothing, tuple) else ("lambda", smoothing)
    added = {"lambda": Fraction(amount), "m": Fraction(amount) / len(WORDS), "back-off": 1}[how]
    counts = [count(days, {}, c) + added for c in WORDS]
    return [part / sum(counts) if any(counts) else Fraction(1, len(WORDS)) for part in counts]


def expected_joint(days, model, row, smoothing):
    if isinstance(model, AveragedOneDependence):
        parts = [mean_of_models(days, c, row, model, model.n, smoothing) for c in WORDS]
    else:
        parts = [of_network(days, c, row, model.parents_, smoothing) for c in WORDS]
    priors = prior_of(days, smoothing)
    return [float(prior * part) for prior, part in zip(priors, parts, strict=True)]


@every_model
@pytest.mark.parametrize("kernels", ["reference", "compiled"])
@at_most(16)
@given(days=days(quarters), asked=asked_days, smoothing=smoothings)
def test_joint_probabilities_are_those_of_counting(make, kernels, days, asked, smoothing):
    with environment(BAYESIC_KERNELS=kernels):
        model = learned(days, make, smoothing=smoothing)
        joint = np.exp(model.predict_joint_log_proba(as_columns(asked)))
    expected = [expected_joint(days, model, row, smoothing) for row in asked]
    np.testing.assert_allclose(joint, expected, rtol=1e-9)


def test_the_m_estimate_of_a_tree_is_that_of_the_book():
    X = {"sky": ["rain", "rain", "sun", "sun"], "wind": ["weak", "weak", "weak", "strong"]}
    model = TreeAugmentedNB(smoothing=("m", 2), prior="uniform").fit(X, ["no", "no", "yes", "yes"])
    assert model.parents_ == {"sky": (), "wind": ("sky",)}
    rain, strong = Fraction(2 + 1, 4 + 2), Fraction(1 + 1, 4 + 2)
    no = (2 + 2 * rain) / (2 + 2) * (0 + 2 * strong) / (2 + 2)
    yes = (0 + 2 * rain) / (2 + 2) * (0 + 2 * strong) / (0 + 2)
    answer = model.predict_proba({"sky": ["rain"], "wind": ["strong"]})[0]
    assert answer[0] == pytest.approx(float(no / (no + yes)), rel=1e-12)


@pytest.mark.parametrize("name", [name for name in MODELS if name != "a2de"])
@at_most(8)
@given(days=days(), smoothing=st.sampled_from([1, 0.25, ("back-off", 2)]))
def test_over_all_rows_that_there_can_be_probabilities_sum_to_one(name, days, smoothing):
    complete = [(tuple(cell or "sun" for cell in row), c, w) for row, c, w in days]
    often = [day for day in complete for _ in range(2)]  # every level occurs m times
    seen = [sorted({row[j] for row, _, _ in often}) for j in range(4)]
    model = learned(often, MODELS[name], smoothing=smoothing)
    joint = np.exp(model.predict_joint_log_proba(as_columns(list(product(*seen)))))
    assert joint.sum() == pytest.approx(1.0, rel=1e-9)


# car: 1,728 rows, all combinations of six columns -----------------------------------------------

CAR = {
    "buying": ("vhigh", "high", "med", "low"),
    "maint": ("vhigh", "high", "med", "low"),
    "doors": ("2", "3", "4", "5more"),
    "persons": ("2", "4", "more"),
    "lug_boot": ("small", "med", "big"),
    "safety": ("low", "med", "high"),
}
# unacc, acc, good or vgood for each choice of the last three columns, and which of these lists
# belongs to each choice of the first three
EVALUATIONS = {
    "A": "uuuuuuuuuuuuuuuuuuuuuuuuuuu",
    "B": "uuuuuuuuuuuauuauaauuuuuauaa",
    "C": "uuuuuuuuuuuauuauaauuauaauaa",
    "D": "uuuuuuuuuuuauaauaauuauaauaa",
    "E": "uuuuuuuuuuaauaauavuuuuaauav",
    "F": "uuuuuuuuuuaauaauavuaauavuav",
    "G": "uuuuuuuuuuaauavuavuaauavuav",
    "H": "uuuuuuuuuuaguagugvuuuuagugv",
    "I": "uuuuuuuuuuaguagugvuagugvugv",
    "J": "uuuuuuuuuuagugvugvuagugvugv",
}
CHOICES = "AAAAAAAABCDDBCDDAAAABCDDBCDDBCDDBCDDBCDDEFGGHIJJBCDDEFGGHIJJHIJJ"
CLASSES = {"u": "unacc", "a": "acc", "g": "good", "v": "vgood"}


def car():
    columns = zip(*product(*CAR.values()), strict=True)
    y = [CLASSES[letter] for choice in CHOICES for letter in EVALUATIONS[choice]]
    return {name: list(column) for name, column in zip(CAR, columns, strict=True)}, y


def test_car_has_the_published_number_of_rows_in_each_class():
    _, y = car()
    assert {c: y.count(c) for c in CLASSES.values()} == {
        "unacc": 1210,
        "acc": 384,
        "good": 69,
        "vgood": 65,
    }


@every_model
def test_the_joint_of_all_cars_sums_to_one(make):
    X, y = car()
    model = make(smoothing=1).fit(X, y)
    assert np.exp(model.predict_joint_log_proba(X)).sum() == pytest.approx(1.0, rel=1e-12)


def test_the_twelfth_car_has_the_probability_that_weka_gives():
    X, y = car()  # row 12, counted from 1
    model = AveragedOneDependence(smoothing=1).fit(X, y)
    answer = dict(zip(model.classes_, model.predict_proba(X)[11], strict=True))
    assert answer["unacc"] == pytest.approx(0.793, abs=0.001)


# laws -------------------------------------------------------------------------------------------


@every_model
@pytest.mark.parametrize("kernels", ["reference", "compiled"])
@at_most(12)
@given(days=days(quarters), smoothing=smoothings)
def test_leaving_one_out_is_learning_all_others_with_the_same_parents(
    make, kernels, days, smoothing
):
    X, y, weights = table_of(days)
    with environment(BAYESIC_KERNELS=kernels), impossible_rows_allowed():
        model = learned(days, make, smoothing=smoothing)
        ours = model.leave_one_out(X, y, sample_weight=weights)
    for number, (row, _, _) in enumerate(days):
        others = days[:number] + days[number + 1 :]
        priors = prior_of(others, smoothing)
        if isinstance(model, AveragedOneDependence):
            parts = [mean_of_models(others, c, row, model, model.n, smoothing) for c in WORDS]
        else:
            parts = [of_network(others, c, row, model.parents_, smoothing) for c in WORDS]
        joint = [prior * part for prior, part in zip(priors, parts, strict=True)]
        if not any(joint):  # impossible everywhere: the prior
            joint = priors
        expected = [float(part / sum(joint)) for part in joint]
        np.testing.assert_allclose(ours[number], expected, rtol=1e-9, atol=1e-15)


@at_most(15)
@given(days=days(quarters), asked=asked_days, smoothing=st.sampled_from([1, 0.25]))
def test_without_dependence_it_is_naive_bayes(days, asked, smoothing):
    X, y, weights = table_of(days)
    ours = KDependence(k=0, smoothing=smoothing).fit(X, y, sample_weight=weights)
    theirs = by.NaiveBayes(smoothing=smoothing).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(
        ours.predict_joint_log_proba(as_columns(asked)),
        theirs.predict_joint_log_proba(as_columns(asked)),
        rtol=1e-9,
        atol=1e-12,
    )


@at_most(15)
@given(days=days())
def test_the_order_of_the_columns_does_not_matter(days):
    X, y, _ = table_of(days)
    for make in MODELS.values():
        ours = make().fit(X, y).predict_proba(X)
        theirs = make().fit(dict(reversed(X.items())), y).predict_proba(X)
        np.testing.assert_array_equal(ours, theirs)


@every_model
def test_scores_of_many_columns_do_not_underflow(make):
    rng = np.random.default_rng(0)
    X = {f"x{j:03}": rng.choice(["rain", "sun", "snow"], 40) for j in range(25)}
    asked = {name: ["fog"] * 2 for name in X}
    wide = {name + again: column for name, column in X.items() for again in ("", "2")}
    model = make(smoothing=1e-12)
    X, asked = (wide, {name: ["fog"] * 2 for name in wide}) if model._order() < 3 else (X, asked)
    model.fit(X, rng.choice(["ham", "spam"], 40))
    assert np.isfinite(model.predict_log_proba(X)).all()
    assert np.isfinite(model.predict_log_proba(asked)).all()


def test_the_same_answers_come_from_both_kernels_where_products_underflow():
    rng = np.random.default_rng(1)
    X = {f"x{j:03}": rng.choice(["rain", "sun", "snow"], 60) for j in range(60)}
    y = rng.choice(["ham", "spam"], 60)
    asked = {name: ["sun" if name == "x007" else "fog"] for name in X}
    answers = []
    for kernels in ("reference", "compiled"):
        with environment(BAYESIC_KERNELS=kernels):
            model = AveragedOneDependence(smoothing=1e-9).fit(X, y)
            answers.append(model.predict_joint_log_proba(asked))
    np.testing.assert_allclose(*answers, rtol=1e-10)
    assert answers[0].max() < -1000  # exp of it would be 0
