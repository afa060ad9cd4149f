"""log_evidence: the chain rule in exact fractions is the oracle of all models of counts."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from helpers.chain_rule import chain, counted, naive, whole_rows
from helpers.fixed_dependence import FixedPair, FixedTree

SKY, WIND, HEAT = ("rain", "sun", "雪"), ("weak", "strong"), ("hot", "mild", "cool")
COLUMNS = ("heat", "sky", "wind")  # in the order of their names
LEVELS = dict(zip(COLUMNS, (HEAT, SKY, WIND), strict=True))
LABELS = ("ham", "spam")
AMOUNTS = st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(3), Fraction(1, 8)])


def tables(gaps=False):
    cells = {
        name: st.sampled_from((*levels, None) if gaps else levels)
        for name, levels in LEVELS.items()
    }
    row = st.tuples(st.fixed_dictionaries(cells), st.sampled_from(LABELS))
    return st.lists(row, min_size=1, max_size=8).map(lambda rows: tuple(zip(*rows, strict=True)))


def learned(model, rows, labels):
    """The model after fit, to which levels and classes are those that occur."""
    return model.fit({name: [row[name] for row in rows] for name in COLUMNS}, list(labels))


def sizes(rows):
    return {name: len({row[name] for row in rows} - {None}) for name in COLUMNS}


def assert_log_of(log_evidence, probability):
    logged = math.log(probability.numerator) - math.log(probability.denominator)
    assert log_evidence == pytest.approx(logged, rel=1e-11, abs=1e-11)


# the chain rule ---------------------------------------------------------------------------------

ALONE = dict.fromkeys(COLUMNS, ())
IN_A_LINE = {"heat": (), "sky": ("heat",), "wind": ("sky",)}
ON_TWO = {"heat": (), "sky": ("heat",), "wind": ("heat", "sky")}


@given(tables(gaps=True), AMOUNTS)
def test_naive_bayes_is_the_product_of_what_each_row_was_before_it_came(table, amount):
    rows, labels = table
    model = learned(by.NaiveBayes(smoothing=float(amount)), rows, labels)
    expected = chain(rows, labels, naive(ALONE, sizes(rows), amount), amount)
    assert_log_of(model.log_evidence(), expected)


@given(tables(), AMOUNTS)
def test_equal_shares_of_m_rows_are_a_prior(table, amount):
    rows, labels = table
    model = learned(by.NaiveBayes(smoothing=("m", float(amount), "uniform")), rows, labels)
    of_row = naive(ALONE, sizes(rows), amount, per_table=True)
    of_classes = amount / len(set(labels))  # the m rows are shared equally here too
    assert_log_of(model.log_evidence(), chain(rows, labels, of_row, of_classes))


@given(tables(), AMOUNTS)
def test_a_network_is_that_product_with_its_structure_held(table, amount):
    rows, labels = table
    for Model, parents in ((FixedTree, IN_A_LINE), (FixedPair, ON_TWO)):
        extra = {"k": 2} if Model is FixedPair else {}
        model = learned(Model(smoothing=float(amount), **extra), rows, labels)
        expected = chain(rows, labels, naive(parents, sizes(rows), amount), amount)
        assert_log_of(model.log_evidence(), expected)


@given(tables(), st.sampled_from(["tree", "k"]))
def test_the_structure_is_the_one_that_was_chosen(table, kind):
    rows, labels = table
    model = learned(by.TreeAugmentedNB() if kind == "tree" else by.KDependence(k=2), rows, labels)
    expected = chain(rows, labels, naive(model.parents_, sizes(rows), Fraction(1)), Fraction(1))
    assert_log_of(model.log_evidence(), expected)


@given(tables(), AMOUNTS)
def test_a_joint_table_is_that_product_of_whole_rows(table, amount):
    rows, labels = table
    model = learned(by.JointBayes(smoothing=float(amount)), rows, labels)
    of_row = whole_rows(math.prod(sizes(rows).values()), amount)
    assert_log_of(model.log_evidence(), chain(rows, labels, of_row, amount))


CODES = st.lists(st.tuples(*[st.integers(0, 2)] * 2), min_size=1, max_size=7)


@given(CODES, st.data(), AMOUNTS)
def test_categories_by_number_have_all_categories_up_to_the_largest(codes, data, amount):
    labels = data.draw(st.lists(st.sampled_from(LABELS), min_size=len(codes), max_size=len(codes)))
    rows = [dict(zip("ab", row, strict=True)) for row in codes]
    model = by.CategoricalNB(alpha=float(amount), min_categories=[3, 4]).fit(codes, labels)
    of_row = naive({"a": (), "b": ()}, {"a": 3, "b": 4}, amount)
    # classes are taken by their plain shares: all are equally likely before
    assert_log_of(model.log_evidence(), chain(rows, labels, of_row, Fraction(1)))


@given(CODES, st.data(), AMOUNTS)
def test_what_is_present_or_absent_has_two_levels(codes, data, amount):
    labels = data.draw(st.lists(st.sampled_from(LABELS), min_size=len(codes), max_size=len(codes)))
    rows = [{"a": row[0] > 0, "b": row[1] > 0} for row in codes]
    model = by.BernoulliNB(alpha=float(amount)).fit(codes, labels)
    of_row = naive({"a": (), "b": ()}, {"a": 2, "b": 2}, amount)
    assert_log_of(model.log_evidence(), chain(rows, labels, of_row, Fraction(1)))


@given(CODES, st.data(), AMOUNTS)
def test_counts_are_occurrences_one_after_the_other(codes, data, amount):
    labels = data.draw(st.lists(st.sampled_from(LABELS), min_size=len(codes), max_size=len(codes)))
    rows = [dict(zip("ab", row, strict=True)) for row in codes]
    model = by.MultinomialNB(alpha=float(amount)).fit(codes, labels)
    assert_log_of(model.log_evidence(), chain(rows, labels, counted(2, amount), Fraction(1)))


@given(tables())
def test_given_class_probabilities_are_taken_as_they_are(table):
    rows, labels = table
    prior = {"ham": Fraction(3, 4), "spam": Fraction(1, 4)}
    if set(labels) == set(LABELS):
        model = by.NaiveBayes(prior={name: float(p) for name, p in prior.items()})
        of_row = naive(ALONE, sizes(rows), Fraction(1))
        expected = chain(rows, labels, of_row, Fraction(1), prior)
        assert_log_of(learned(model, rows, labels).log_evidence(), expected)


# laws -------------------------------------------------------------------------------------------


def test_all_that_two_rows_can_be_has_probability_one():
    total, cells = 0.0, [*product(LABELS, (0, 1), (0, 1))]
    for rows in product(cells, repeat=2):
        labels, X = [row[0] for row in rows], [row[1:] for row in rows]
        total += np.exp(by.BernoulliNB().partial_fit(X, labels, classes=LABELS).log_evidence())
    assert total == pytest.approx(1, rel=1e-12)


@given(tables(), st.data())
def test_a_row_of_weight_two_is_two_rows(table, data):
    rows, labels = table
    times = data.draw(st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows)))
    columns = {name: [row[name] for row in rows] for name in COLUMNS}
    for Model in (by.NaiveBayes, by.JointBayes, by.KDependence):
        weighted = Model().fit(columns, list(labels), sample_weight=times)
        again = [(row, label) for row, label, n in zip(rows, labels, times, strict=True)
                 for _ in range(n)]  # fmt: skip
        repeated = learned(Model(), *zip(*again, strict=True))
        assert weighted.log_evidence() == pytest.approx(repeated.log_evidence(), rel=1e-12)


def test_naive_bayes_is_a_network_without_parents_and_a_joint_table_of_one_column():
    tennis = by.datasets.play_tennis()
    table = tennis.to_dict()
    naive_bayes = by.NaiveBayes().fit(table, y="PlayTennis")
    network = by.KDependence(k=0).fit(table, y="PlayTennis")
    assert network.log_evidence() == pytest.approx(naive_bayes.log_evidence(), rel=1e-13)
    one = {name: table[name] for name in ("Outlook", "PlayTennis")}
    joint, alone = (Model().fit(one, y="PlayTennis") for Model in (by.JointBayes, by.NaiveBayes))
    assert joint.log_evidence() == pytest.approx(alone.log_evidence(), rel=1e-13)


def test_columns_that_are_ignored_take_no_part_also_afterwards():
    table, ignored = by.datasets.play_tennis().to_dict(), {"Humidity": "ignore"}
    labels, names = table["PlayTennis"], ("Outlook", "Temperature", "Wind")
    cells = zip(*(table[name] for name in names), strict=True)
    rows = [dict(zip(names, row, strict=True)) for row in cells]
    n_levels, one = {name: len({*table[name]}) for name in names}, Fraction(1)
    models = by.NaiveBayes(), by.KDependence(k=2), by.JointBayes()
    naive_bayes, network, joint = (model.fit(table, y="PlayTennis") for model in models)
    assert "Humidity" in network.parents_["Wind"]
    parents = {name: [p for p in network.parents_[name] if p != "Humidity"] for name in names}
    for model, of_row in (
        (naive_bayes, naive(dict.fromkeys(names, ()), n_levels, one)),
        (network, naive(parents, n_levels, one)),
        # each combination has the pseudo-counts of two, of high and normal humidity
        (joint, whole_rows(math.prod(n_levels.values()), Fraction(2))),
    ):
        expected = chain(rows, labels, of_row, one)
        assert_log_of(model.set_params(columns=ignored).log_evidence(), expected)


def test_very_many_cells_do_not_overflow():
    rows = np.random.default_rng(0).integers(0, 9, size=(20, 400)).astype(str)
    model = by.JointBayes(columns=None).fit(rows, ["ham", "spam"] * 10)
    cells = math.prod(model.statistics_.n_levels.tolist())  # more than a float can be
    classes = 2 * math.lgamma(11) - math.lgamma(22)
    logs = 2 * sum(math.log(cells + n) for n in range(10))
    assert model.log_evidence() == pytest.approx(classes - logs, rel=1e-12)
    assert np.isfinite(model.log_evidence())


def test_numbers_in_bins_and_words_of_texts_have_a_closed_form():
    table = {"wind": [1.0, 2.0, 3.0, 9.0, 8.0, 7.0], "note": ["free", "", "rain", "free free",
        "rain", "free"]}  # fmt: skip
    labels = ["ham"] * 3 + ["spam"] * 3
    model = by.NaiveBayes(columns={"wind": "binned", "note": "text"}).fit(table, labels)
    bins = model.events_["wind"].encode(by.data.columns.Numbers(np.array(table["wind"])))
    rows = [{"bin": number} for number in bins.tolist()]
    words = [{w: text.split().count(w) for w in ("free", "rain")} for text in table["note"]]
    expected = chain(
        rows, labels, naive({"bin": ()}, {"bin": max(bins) + 1}, Fraction(1)), Fraction(1)
    )
    expected *= chain(words, labels, counted(2, Fraction(1)), Fraction(1))
    expected /= chain(rows, labels, lambda row, before: Fraction(1), Fraction(1))  # classes once
    assert_log_of(model.log_evidence(), expected)


# what has no evidence ---------------------------------------------------------------------------

TENNIS = by.datasets.play_tennis().to_dict()
NUMBERS = {"wind": [1.5, 2.25, 2.5, 9.5, 8.25, 3.5], "sky": ["rain", "sun"] * 3}
SOME = ["ham"] * 3 + ["spam"] * 3


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (by.NaiveBayes(smoothing=0), "column 'Outlook' has smoothing=0.*Use smoothing=1"),
        (by.JointBayes(smoothing=0), "the model has smoothing=0"),
        (by.TreeAugmentedNB(smoothing=0), "column 'Humidity' has smoothing=0"),
        (by.NaiveBayes(smoothing="auto"), "has chosen lambda=.* for column 'Outlook'"),
        (by.NaiveBayes(smoothing={"Wind": "auto"}), "for column 'Wind'"),
        (by.KDependence(smoothing=("m", 5)), "does not depend on the rows.*'m', 5, 'uniform'"),
        (by.KDependence(smoothing="back-off"), "Dirichlet prior, but column 'Humidity'.*BackOff"),
        (by.NaiveBayes(smoothing=("m", 0, "uniform")), "smoothing=0"),
    ],
)
def test_smoothing_that_is_no_prior_is_refused(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(TENNIS, y="PlayTennis").log_evidence()


@pytest.mark.parametrize("Model", [by.CategoricalNB, by.BernoulliNB, by.MultinomialNB])
def test_an_alpha_of_zero_is_refused(Model):
    with pytest.raises(ValueError, match="the model has alpha=0.*alpha=1"):
        Model(alpha=0).fit([[0], [1]], ["ham", "spam"]).log_evidence()


def test_an_alpha_beyond_all_bounds_is_refused_and_a_large_one_makes_shares_equal():
    X, labels = [[0], [1], [1]], ["ham", "spam", "spam"]
    with pytest.raises(ValueError, match="alpha of at most 1e\\+100, got 1e\\+308"):
        by.BernoulliNB(alpha=1e308).fit(X, labels).log_evidence()
    equal = by.BernoulliNB(alpha=1e100).fit(X, labels).log_evidence()
    assert equal == pytest.approx(math.log(1 / 12) + 3 * math.log(1 / 2), rel=1e-12)


@pytest.mark.parametrize("kind", ["gaussian", "kernel", "poisson"])
def test_a_column_without_a_closed_form_is_named(kind):
    table = {**NUMBERS, "wind": [1, 2, 2, 9, 8, 3]} if kind == "poisson" else NUMBERS
    with pytest.raises(ValueError, match=rf"column 'wind' is {kind}: .*columns={{'wind': 'binned'"):
        by.NaiveBayes(columns={"wind": kind}).fit(table, SOME).log_evidence()


def test_gaps_that_have_no_closed_form_are_refused():
    table = {"sky": ["rain", None, "sun", "sun"], "wind": ["weak", "strong", "weak", "strong"]}
    labels = ["ham", "ham", "spam", "spam"]
    with pytest.raises(ValueError, match="rows without gaps, and 1 of those"):
        by.JointBayes().fit(table, labels).log_evidence()
    with pytest.raises(ValueError, match="'wind' is, but one of \\['sky'\\] is a gap"):
        FixedTree().fit(table, labels).log_evidence()
    gone = {"sky": table["wind"], "wind": table["sky"]}  # a child that is not observed says nothing
    rows = [dict(zip(gone, cells, strict=True)) for cells in zip(*gone.values(), strict=True)]
    of_row = naive({"sky": (), "wind": ("sky",)}, {"sky": 2, "wind": 2}, Fraction(1))
    expected = chain(rows, labels, of_row, Fraction(1))
    assert_log_of(FixedTree().fit(gone, labels).log_evidence(), expected)


def test_a_model_that_has_learned_nothing_has_no_evidence():
    with pytest.raises(Exception, match="not fitted"):
        by.NaiveBayes().log_evidence()
    assert not hasattr(by.AveragedOneDependence(), "log_evidence")
