"""`summary`, `table`, `n_parameters` and `print(model)` of every model."""

import json
import re
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import chi2_contingency, norm, poisson
from sklearn.datasets import load_iris, load_wine
from sklearn.metrics import mutual_info_score

import bayesic as by
from helpers.examples import at_most

TENNIS = by.datasets.play_tennis().to_dict()
TARGET = "PlayTennis"
COLUMNS = ("Outlook", "Temperature", "Humidity", "Wind")
IRIS, SPECIES = load_iris(return_X_y=True)
WINE, CULTIVAR = load_wine(return_X_y=True)
TEXTS = ["free lunch, free money", "lunch today", "money for free", "rain today"]
KINDS = ["spam", "ham", "spam", "ham"]


def learned_models():
    """Every model, each with something to learn, and the name of one of its columns."""
    small = IRIS.round().astype(int)
    tables = [by.NaiveBayes(), by.NaiveBayes(smoothing=0), by.JointBayes(), by.TreeAugmentedNB()]
    tables += [by.KDependence(k=2), by.AveragedOneDependence(), by.AveragedOneDependence(n=2)]
    found = [(model.fit(TENNIS, y=TARGET), "Wind") for model in tables]
    arrays = [by.CategoricalNB(), by.BernoulliNB(binarize=2.0), by.MultinomialNB()]
    found += [(model.fit(small, SPECIES), "x1") for model in [*arrays, by.ComplementNB()]]
    numbers = [by.GaussianNB(), by.LinearDiscriminantAnalysis(), by.KNeighborsClassifier()]
    numbers += [by.QuadraticDiscriminantAnalysis(), by.LogisticRegression(max_iter=1000)]
    numbers += [by.GaussianBayes(kind) for kind in ("full", "tied", "diagonal", "spherical")]
    numbers += [by.GaussianMixture(2, covariance_type=kind) for kind in ("full", "tied", "diag")]
    numbers += [by.KMeans(2, random_state=0), by.hypotheses.MDLTreeClassifier()]
    found += [(model.fit(IRIS, SPECIES), "x2") for model in numbers]
    found += [(model.fit(IRIS[:, :3], IRIS[:, 3]), "x2") for model in [by.LeastSquares()]]
    found.append((by.KNeighborsRegressor().fit(IRIS[:, :2], IRIS[:, 2:]), "x0"))
    for kind in ("multinomial", "bernoulli", "complement", "binary-multinomial"):
        found.append((by.TextClassifier(kind).fit(TEXTS, KINDS), "free"))
    found.append((by.TextClassifier(weighting="tf-idf").fit(TEXTS, KINDS), "free"))
    half = by.SemiSupervised(by.TextClassifier()).fit(TEXTS, ["spam", "ham", None, None])
    return [*found, (half, "free")]


MODELS = learned_models()
every_model = pytest.mark.parametrize(
    ("model", "column"), MODELS, ids=[type(model).__name__ for model, _ in MODELS]
)


def bits_of(summary):
    return {part.name: part.bits for part in summary.columns}


def numbers_in(value):
    """All numbers in plain values."""
    if isinstance(value, dict):
        return [number for part in value.values() for number in numbers_in(part)]
    if isinstance(value, list):
        return [number for part in value for number in numbers_in(part)]
    return [value] if isinstance(value, (int, float)) else []


# every model ------------------------------------------------------------------------------------


@every_model
def test_every_model_can_be_printed_shown_and_written_as_json(model, column):
    for view in (model.summary(), model.table(column), model.table(column, fractions=True)):
        assert column in str(view)
        assert view._repr_html_().startswith("<div><")
        told = json.loads(json.dumps(view.to_dict(), allow_nan=False))
        assert np.isfinite(numbers_in(told)).all()
        assert len(view.to_pandas()) > 0


@every_model
def test_every_model_tells_in_chinese_what_it_has_learned(model, column):
    with by.language("zh"):
        shown = "\n".join([*str(model.summary()).splitlines()[1:], str(model.table(column))])
    typed = {"categorical", "bernoulli", "summary", *TENNIS, *KINDS, *" ".join(TEXTS).split()}
    typed |= {str(cell) for cells in TENNIS.values() for cell in cells}
    assert set(re.findall("[A-Za-z]{2,}", shown)) <= typed | {"lunch"}


@every_model
def test_columns_are_sorted_by_what_they_tell(model, column):
    bits = [part.bits for part in model.summary().columns if part.bits is not None]
    assert bits == sorted(bits, reverse=True)
    assert min(bits, default=0.0) >= 0


@every_model
def test_an_unknown_column_is_refused_with_the_nearest_name(model, column):
    with pytest.raises(ValueError, match=f"no column '{column.upper()}y'"):
        model.table(f"{column.upper()}y")
    with pytest.raises(ValueError, match=f"Did you mean .*'{column}'"):
        model.table(f"{column}y")


@every_model
def test_every_model_counts_its_numbers(model, column):
    assert isinstance(model.n_parameters, int)
    assert model.n_parameters > 0
    assert model.summary().n_parameters == model.n_parameters


@every_model
def test_what_was_learned_survives_a_file(model, column, tmp_path):
    model.save(tmp_path / "model.bayes")
    loaded = by.load(tmp_path / "model.bayes")
    assert loaded.n_parameters == model.n_parameters
    if not isinstance(model, by.KMeans):  # its rows are not kept in the file
        assert loaded.summary().columns == model.summary().columns
    assert loaded.table(column) == model.table(column)


def test_a_model_that_has_learned_nothing_has_no_summary():
    for model in (by.NaiveBayes(), by.GaussianNB(), by.KMeans(), by.LeastSquares()):
        with pytest.raises(ValueError, match="not fitted"):
            model.summary()
        with pytest.raises(ValueError, match="not fitted"):
            model.table("Wind")
        assert str(model) == repr(model)


# print ------------------------------------------------------------------------------------------


def test_print_says_how_many_rows_were_learned_and_repr_stays_python():
    model = by.NaiveBayes(smoothing=0).fit(TENNIS, y=TARGET)
    assert str(model) == "NaiveBayes(smoothing=0) that has learned 14 rows of 2 classes"
    assert repr(model) == "NaiveBayes(smoothing=0)"
    assert "1 row of 1 class" in str(by.GaussianNB().fit([[1.0]], ["ham"]))
    assert "4 texts of 2 classes" in str(by.TextClassifier().fit(TEXTS, KINDS))
    assert str(by.LeastSquares().fit([[0], [1]], [1, 2])).endswith("has learned 2 rows")


def test_rows_with_weights_are_summed():
    model = by.NaiveBayes().fit({"sky": ["sun", "rain"]}, ["yes", "no"], sample_weight=[2, 0.5])
    assert str(model).endswith("that has learned 2.5 rows of 2 classes")
    assert model.summary().rows == 2.5


def test_a_network_says_what_it_was_learned_from():
    net = by.BeliefNetwork(edges=[("Storm", "Campfire")])
    days = {"Storm": [True, True, False, False], "Campfire": ["no", "no", "yes", "no"]}
    assert "learned" not in str(net)
    assert str(net.fit(days)).splitlines()[0].endswith("3 free parameters, learned from 4 rows")
    assert "learned from" not in repr(net)


# how much a column tells ------------------------------------------------------------------------


def test_plain_frequencies_tell_the_gain_of_the_textbook():  # [Mitchell] section 3.4.1.2
    summary = by.NaiveBayes(smoothing=0).fit(TENNIS, y=TARGET).summary()
    expected = {"Outlook": 0.246, "Humidity": 0.151, "Wind": 0.048, "Temperature": 0.029}
    assert bits_of(summary) == pytest.approx(expected, abs=1e-3)
    assert list(bits_of(summary)) == list(expected)
    assert summary.entropy == pytest.approx(0.940, abs=5e-4)


@pytest.mark.parametrize("Model", [by.NaiveBayes, by.JointBayes, by.TreeAugmentedNB])
def test_without_smoothing_bits_are_the_mutual_information_of_the_counts(Model):
    summary = Model(smoothing=0).fit(TENNIS, y=TARGET).summary()
    for name, bits in bits_of(summary).items():
        theirs = mutual_info_score(TENNIS[name], TENNIS[TARGET]) / np.log(2)
        assert bits == pytest.approx(theirs, rel=1e-9)


def test_array_models_tell_the_mutual_information_of_their_categories():
    X = IRIS.round().astype(int)
    for column, bits in bits_of(by.CategoricalNB(alpha=0).fit(X, SPECIES).summary()).items():
        theirs = mutual_info_score(X[:, int(column[1])], SPECIES) / np.log(2)
        assert bits == pytest.approx(theirs, rel=1e-9)
    present = by.BernoulliNB(alpha=0, binarize=3.0).fit(X, SPECIES).summary()
    for column, bits in bits_of(present).items():
        theirs = mutual_info_score(X[:, int(column[1])] > 3, SPECIES) / np.log(2)
        assert bits == pytest.approx(theirs, rel=1e-9)


def information_by_quadrature(densities, prior, ends):
    """I(X; C) of densities, integrated by scipy."""

    def at(x):
        each = np.array([density(x) for density in densities])
        overall = float(prior @ each)
        return sum(
            p * d * np.log2(d / overall) for p, d in zip(prior, each, strict=True) if p * d > 0
        )

    return sum(quad(at, *piece, limit=400)[0] for piece in pairwise(ends))


def test_normal_columns_tell_the_integral():
    model = by.GaussianNB().fit(WINE, CULTIVAR)
    bits = bits_of(model.summary())
    for column in range(13):
        mean, spread = model.theta_[:, column], np.sqrt(model.var_[:, column])
        densities = [norm(m, s).pdf for m, s in zip(mean, spread, strict=True)]
        ends = np.sort(np.concatenate([mean - 9 * spread, mean, mean + 9 * spread]))
        expected = information_by_quadrature(densities, model.class_prior_, ends)
        assert bits[f"x{column}"] == pytest.approx(expected, abs=1e-5)


def test_kernel_columns_tell_the_integral():
    values = np.array([1.0, 1.5, 2.0, 4.0, 5.0, 5.5, 6.0, 9.0])
    model = by.NaiveBayes(numeric="kernel").fit({"size": values}, list("aaabbbab"))
    event = model.events_["size"]
    densities = [lambda x, c=c: np.exp(event.scores(np.array([x])))[0, c] for c in (0, 1)]
    ends = np.linspace(-40, 50, 31)
    expected = information_by_quadrature(densities, model.class_prior_, ends)
    assert bits_of(model.summary())["size"] == pytest.approx(expected, abs=1e-4)


def test_columns_of_counts_tell_the_sum():
    counts = {"mails": [0, 1, 2, 1, 4, 7, 5, 6]}
    model = by.NaiveBayes(columns={"mails": "poisson"}).fit(counts, ["calm"] * 4 + ["busy"] * 4)
    rate, prior, numbers = model.events_["mails"].rate, model.class_prior_, np.arange(200)[:, None]
    shares = poisson.pmf(numbers, rate)
    overall = shares @ prior
    parts = prior * shares * (poisson.logpmf(numbers, rate) - np.log(overall)[:, None])
    expected = parts.sum() / np.log(2)
    assert bits_of(model.summary())["mails"] == pytest.approx(expected, rel=1e-9)


def test_a_line_tells_what_the_correlation_says():
    bits = bits_of(by.LeastSquares().fit(IRIS[:, :3], IRIS[:, 3]).summary())
    for column in range(3):
        r = np.corrcoef(IRIS[:, column], IRIS[:, 3])[0, 1]
        assert bits[f"x{column}"] == pytest.approx(-0.5 * np.log2(1 - r**2), rel=1e-9)


def test_what_the_tests_of_a_tree_tell_adds_up_to_what_its_leaves_tell():
    model = by.hypotheses.MDLTreeClassifier().fit(IRIS, SPECIES)
    leaves = np.unique(model.predict_proba(IRIS), axis=0, return_inverse=True)[1].ravel()
    theirs = mutual_info_score(leaves, SPECIES) / np.log(2)
    assert sum(bits_of(model.summary()).values()) == pytest.approx(theirs, rel=1e-9)


def test_a_network_tells_the_mutual_information_of_its_variables():
    net = by.BeliefNetwork(edges=[("Outlook", "Wind"), ("Wind", "PlayTennis")]).fit(TENNIS)
    bits = bits_of(net.summary("Wind"))
    theirs = mutual_info_score(TENNIS["Outlook"], TENNIS["Wind"]) / np.log(2)
    assert bits["Outlook"] == pytest.approx(theirs, rel=1e-9)
    assert [part.label for part in net.summary("Wind").classes] == ["Strong", "Weak"]
    assert net.summary("Wind").rows == 14


@pytest.mark.filterwarnings("ignore:Column 'id' has nearly as many values as rows")
def test_an_identifier_tells_nothing_of_rows_that_are_left_out():
    rng = np.random.default_rng(3)
    y = rng.integers(2, size=60)
    X = {
        "id": [f"n{number}" for number in range(60)],
        "hint": np.where(rng.random(60) < 0.9, y, 1 - y),
    }
    model = by.NaiveBayes(columns={"hint": "categorical"}, smoothing=0).fit(X, y)
    columns = {part.name: part for part in model.summary().columns}
    assert columns["id"].bits == pytest.approx(model.summary().entropy)
    assert columns["id"].left_out < 0.02 < 0.3 < columns["hint"].left_out


def test_left_out_is_the_score_of_every_row_without_it():
    """By refitting: the mean of log2 P(c | x_j) - log2 P(c), with one row more in each class."""
    model = by.NaiveBayes(smoothing=1).fit(TENNIS, y=TARGET)
    columns = {part.name: part for part in model.summary().columns}
    for name in COLUMNS:
        pairs = list(zip(TENNIS[name], TENNIS[TARGET], strict=True))
        gain = 0.0
        for row, (value, label) in enumerate(pairs):
            others = pairs[:row] + pairs[row + 1 :]
            n_values = len({other for other, _ in others})
            rows = {c: [v for v, k in others if k == c] for c in ("No", "Yes")}
            prior = {c: Fraction(len(rows[c]) + 1, 15) for c in rows}
            joint = {
                c: prior[c] * Fraction(rows[c].count(value) + 1, len(rows[c]) + n_values)
                for c in rows
            }
            gain += np.log2(float(joint[label] / sum(joint.values()) / prior[label]))
        # levels that only one row has are none without it; there are none in this table
        assert columns[name].left_out == pytest.approx(gain / 14, rel=1e-9)


def test_a_column_that_is_the_same_in_all_rows_tells_nothing():
    X = {"same": ["fog"] * 4, "number": [2.5] * 4, "gone": [None] * 4}
    columns = {part.name: part for part in by.NaiveBayes().fit(X, list("abab")).summary().columns}
    assert columns["same"].bits == pytest.approx(0, abs=1e-12)
    assert columns["same"].note == "says nothing"
    assert columns["number"].bits == pytest.approx(0, abs=1e-9)
    assert (columns["gone"].kind, columns["gone"].note) == ("ignore", "not used")


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["ham", "spam"])), min_size=1),
    st.sampled_from([0, 0.5, 1]),
)
def test_bits_lie_between_nothing_and_the_entropy(rows, smoothing):
    X, y = {"letter": [value for value, _ in rows]}, [label for _, label in rows]
    summary = by.NaiveBayes(smoothing=smoothing).fit(X, y).summary()
    (column,) = summary.columns
    assert 0 <= column.bits <= summary.entropy + 1e-12
    assert np.isfinite(column.left_out)


cells = st.one_of(st.none(), st.sampled_from([0.0, 1.0, 2.5, 1e8, 1e8 + 1, -1e-300]))
mixed_rows = st.lists(
    st.tuples(
        cells,
        st.sampled_from([None, "sun", "rain"]),
        st.sampled_from([None, "free lunch", "rain"]),
        st.integers(0, 3),
        st.sampled_from(["ham", "spam"]),
        st.sampled_from([0.25, 1.0, 3.0]),
    ),
    min_size=1,
    max_size=8,
)


@given(
    mixed_rows,
    st.sampled_from(["auto", "gaussian", "kernel", "binned"]),
    st.sampled_from([0, 1, ("m", 2), "auto"]),
)
@at_most(40)
def test_finite_rows_give_finite_numbers(rows, numeric, smoothing):
    *columns, y, weights = map(list, zip(*rows, strict=True))
    X = dict(zip(("size", "sky", "subject", "links"), columns, strict=True))
    kinds = {"subject": "text", "links": "poisson"}
    model = by.NaiveBayes(kinds, numeric, smoothing).fit(X, y, sample_weight=weights)
    views = [model.summary(), model.summary(X, y), *map(model.table, X)]
    for told in [view.to_dict() for view in views]:
        assert np.isfinite(numbers_in(json.loads(json.dumps(told, allow_nan=False)))).all()


# pairs of columns -------------------------------------------------------------------------------


def g_of(first, second, y):
    """G and degrees of freedom summed over the classes, by scipy."""
    total, degrees = 0.0, 0
    for label in np.unique(y):
        here = y == label
        rows, columns = np.unique(first[here]), np.unique(second[here])
        table = [[(second[here][first[here] == r] == c).sum() for c in columns] for r in rows]
        test = chi2_contingency(table, lambda_="log-likelihood", correction=False)
        total, degrees = total + test.statistic, degrees + test.dof
    return total, degrees


def rows_with_a_copy(n_rows=400, seed=5):
    rng = np.random.default_rng(seed)
    y = rng.choice(["no", "yes"], n_rows)
    sky = rng.choice(["sun", "rain", "snow"], n_rows)
    wet = np.where(rng.random(n_rows) < 0.8, sky, rng.choice(["sun", "rain", "snow"], n_rows))
    wind = rng.choice(["weak", "strong"], n_rows)
    return {"sky": sky, "wet": wet, "wind": wind}, y


@pytest.mark.parametrize(
    "Model", [by.NaiveBayes, by.JointBayes, by.TreeAugmentedNB, by.AveragedOneDependence]
)
def test_pairs_are_those_of_scipy_class_by_class(Model):
    X, y = rows_with_a_copy()
    model = Model().fit(X, y)
    summary = model.summary(X, y)
    found = {(pair.first, pair.second): pair for pair in summary.pairs.pairs}
    assert set(found) == {("sky", "wet"), ("sky", "wind"), ("wet", "wind")}
    for (first, second), pair in found.items():
        statistic, degrees = g_of(X[first], X[second], y)
        assert pair.statistic == pytest.approx(statistic, rel=1e-9)
        assert pair.degrees_of_freedom == degrees
        assert pair.bits == pytest.approx(statistic / (2 * 400 * np.log(2)), rel=1e-9)
    assert summary.pairs.pairs[0].first == "sky"
    assert [pair.second for pair in summary.pairs.significant] == ["wet"]
    assert "sky" in str(summary).partition("depend on each other within")[2]


def test_pairs_come_from_the_statistics_where_they_hold_them():
    X, y = rows_with_a_copy()
    for model in (by.TreeAugmentedNB(), by.JointBayes(), by.KDependence(k=0)):
        model.fit(X, y)
        assert model.summary().pairs.pairs == model.summary(X, y).pairs.pairs
    naive = by.NaiveBayes().fit(X, y)
    assert naive.summary().pairs is None
    assert "summary(X, y)" in str(naive.summary())


def test_rows_of_summary_may_name_the_column_with_the_classes():
    X, y = rows_with_a_copy()
    model = by.NaiveBayes().fit({**X, "play": y}, y="play")
    assert model.summary({**X, "play": y}, "play").pairs == model.summary(X, y).pairs
    with pytest.raises(ValueError, match="y"):
        model.summary(X)


def test_gaussian_columns_depend_by_their_correlation():
    summary = by.GaussianBayes().fit(IRIS, SPECIES).summary()
    pair = next(p for p in summary.pairs.pairs if (p.first, p.second) == ("x0", "x2"))
    r = [np.corrcoef(IRIS[label == SPECIES].T)[0, 2] for label in range(3)]
    expected = np.mean([-0.5 * np.log2(1 - each**2) for each in r])
    assert pair.bits == pytest.approx(expected, rel=1e-9)
    assert pair.statistic == pytest.approx(2 * 150 * np.log(2) * expected, rel=1e-9)
    assert pair.degrees_of_freedom == 3
    assert by.GaussianNB().fit(IRIS, SPECIES).summary(IRIS, SPECIES).pairs == summary.pairs


@pytest.mark.filterwarnings("ignore:Some columns tell nothing")
def test_numbers_are_compared_by_the_quarters_of_their_class():
    rng = np.random.default_rng(7)
    y = np.repeat(["low", "high"], 300)
    shift = np.where(y == "low", 0.0, 40.0)  # the classes are far apart
    first = rng.normal(size=600)
    second = np.exp(first + 0.3 * rng.normal(size=600))
    X = {"first": first + shift, "second": second + shift, "other": rng.normal(size=600)}
    pairs = by.NaiveBayes().fit(X, y).summary(X, y).pairs
    assert [(pair.first, pair.second) for pair in pairs.significant] == [("first", "second")]
    quarters = {}
    for name in ("first", "second"):
        ranks = np.zeros(600, int)
        for label in ("low", "high"):
            own = X[name][y == label]
            ranks[y == label] = np.searchsorted(np.quantile(own, [0.25, 0.5, 0.75]), own, "right")
        quarters[name] = ranks
    statistic, degrees = g_of(quarters["first"], quarters["second"], y)
    assert pairs.pairs[0].statistic == pytest.approx(statistic, rel=1e-9)
    assert pairs.pairs[0].degrees_of_freedom == degrees


@pytest.mark.filterwarnings("ignore:Column 'id' has consecutive whole numbers")
def test_identifiers_and_few_rows_are_not_tested():
    X = {"id": [str(number) for number in range(40)], "sky": ["sun", "rain"] * 20}
    pairs = by.NaiveBayes().fit(X, list("ab") * 20).summary(X, list("ab") * 20).pairs
    assert (pairs.pairs, pairs.n_tested, pairs.n_untested) == ((), 0, 1)


def test_independent_columns_are_rarely_called_dependent():
    rng = np.random.default_rng(11)
    called = 0
    for _ in range(40):
        X = {f"c{number}": rng.integers(3, size=300).astype(str) for number in range(5)}
        y = rng.integers(2, size=300)
        called += bool(by.NaiveBayes().fit(X, y).summary(X, y).pairs.significant)
    assert called <= 6  # 5 % of 40 are 2


def test_summary_changes_nothing():
    X, y = rows_with_a_copy()
    for model in (by.NaiveBayes(), by.TreeAugmentedNB()):
        model.fit(X, y)
        before = dict(vars(model))
        model.summary({"sky": ["fog"], "wet": ["sun"], "wind": [None]}, ["no"])
        model.table("sky")
        assert vars(model).keys() == before.keys()
        assert all(vars(model)[name] is before[name] for name in before)


# tables -----------------------------------------------------------------------------------------


def test_fractions_are_those_of_the_book():
    table = by.NaiveBayes(smoothing=0).fit(TENNIS, y=TARGET).table("Outlook", fractions=True)
    shares = {part["value"]: part["shares"] for part in table.values}
    assert shares["Sunny"] == {"No": Fraction(3, 5), "Yes": Fraction(2, 9)}
    laplace = by.NaiveBayes().fit(TENNIS, y=TARGET).table("Outlook", fractions=True)
    assert laplace.values[0]["shares"]["No"] == Fraction(1, 8)  # textbook case 5
    assert laplace.to_dict()["values"][0]["shares"]["No"] == "1/8"
    assert "1/8" in str(laplace)


def test_a_table_given_its_parents_has_the_shares_of_work():
    tree = by.TreeAugmentedNB().fit(TENNIS, y=TARGET)
    table = tree.table("Humidity", fractions=True)
    assert table.facts["depends_on"] == ("Temperature",)
    for part in table.given:
        row = {"Temperature": part["given"]["Temperature"], "Humidity": part["value"]}
        factor = tree.work({**row, "Outlook": None, "Wind": None}).factors[-1]
        assert factor.text == f"{row['Humidity']} given {row['Temperature']}"
        assert tuple(part["shares"].values()) == tuple(map(Fraction, factor.shares))
        pairs = zip(TENNIS["Temperature"], TENNIS["Humidity"], TENNIS[TARGET], strict=True)
        assert part["counts"]["Yes"] == list(pairs).count((*row.values(), "Yes"))


def test_the_table_of_a_word_has_the_shares_of_work():
    model = by.TextClassifier().fit(TEXTS, KINDS)
    (part,) = model.table("free", fractions=True).values
    assert part["counts"] == {"ham": 0, "spam": 3}
    assert part["shares"] == {"ham": Fraction(1, 10), "spam": Fraction(4, 13)}
    bernoulli = by.TextClassifier("bernoulli").fit(TEXTS, KINDS).table("free", fractions=True)
    assert bernoulli.values[1]["shares"] == {"ham": Fraction(1, 4), "spam": Fraction(3, 4)}


def test_tables_of_counted_features_have_the_shares_of_work():
    X, y = [[2, 1, 0], [1, 0, 3], [0, 1, 1]], ["ham", "spam", "spam"]
    model = by.MultinomialNB().fit(X, y)
    (part,) = model.table("x2", fractions=True).values
    assert part["shares"] == {"ham": Fraction(1, 6), "spam": Fraction(5, 9)}
    categories = by.CategoricalNB().fit(X, y).table("x0", fractions=True)
    assert categories.values[1]["shares"] == {"ham": Fraction(1, 4), "spam": Fraction(2, 5)}


def test_numbers_have_mean_and_spread_by_class():
    table = by.GaussianNB().fit(IRIS, SPECIES).table("x0")
    for label, part in enumerate(table.classes):
        rows = IRIS[label == SPECIES, 0]
        assert (part["class"], part["observed"]) == (label, 50)
        assert part["mean"] == pytest.approx(rows.mean())
        assert part["standard_deviation"] == pytest.approx(rows.std())
    full = by.GaussianBayes().fit(IRIS, SPECIES).table("x0")
    theirs = np.corrcoef(IRIS[SPECIES == 1].T)[0, 2]
    assert full.others[1]["correlations"][1] == pytest.approx(theirs)
    counts = by.NaiveBayes(columns={"mails": "poisson"}).fit({"mails": [1, 2, 9]}, list("aab"))
    assert counts.table("mails").classes[0]["rate"] == counts.events_["mails"].rate[0]


def test_logistic_regression_has_the_weights_of_a_column():
    model = by.LogisticRegression(max_iter=1000).fit(IRIS, SPECIES)
    weights = [part["weight"] for part in model.table("x2").classes]
    assert weights == model.coef_[:, 2].tolist()
    two = by.LogisticRegression().fit([[0.0], [1.0], [1.0], [0.0]], ["no", "yes", "no", "yes"])
    assert [part["class"] for part in two.table("x0").classes] == ["yes"]


def test_chinese_names_stand_in_line():
    model = by.NaiveBayes().fit(
        {"天气": ["晴", "多云", "雨"], "wind": ["弱", "强", "弱"]}, [1, 2, 1]
    )
    lines = str(model.table("天气")).splitlines()[1:]
    widths = {sum(2 if char > "⺀" else 1 for char in line) for line in lines}
    assert len(widths) == 1
    assert "天气" in str(model.summary())


def test_names_are_no_html():
    model = by.NaiveBayes().fit({"<b>": ["<i>", "sun"]}, ["<u>", "no"])
    for view in (model.summary(), model.table("<b>")):
        assert not {"<b>sun", "<i>", "<u>"} & set(view._repr_html_().split())
        assert "&lt;i&gt;" in model.table("<b>")._repr_html_()


def test_values_are_frozen():
    model = by.NaiveBayes().fit(TENNIS, y=TARGET)
    for view in (model.summary(), model.table("Wind")):
        with pytest.raises(AttributeError):
            view.kind = "other"


# how many numbers -------------------------------------------------------------------------------


def test_naive_and_joint_tables_have_the_numbers_of_the_document():  # textbook case 36
    table = by.datasets.li_hang()
    X = {f"x{place}": [str(row[place]) for row in table.rows] for place in (0, 1)}
    assert by.NaiveBayes().fit(X, table.target).n_parameters == 12
    assert by.JointBayes().fit(X, table.target).n_parameters == 18
    assert by.CategoricalNB().fit(table.codes, table.target).n_parameters == 12
    ten = {f"c{number}": list("abc") for number in range(10)}
    assert by.NaiveBayes().fit(ten, [0, 1, 1]).n_parameters == 60
    assert by.JointBayes().fit(ten, [0, 1, 1]).n_parameters == 118_098


def test_gaussian_models_have_the_numbers_of_the_document():  # textbook case 8
    p, n_classes = 13, 3
    matrix = p * (p + 1) // 2
    full, tied = n_classes * (p + matrix), n_classes * p + matrix
    assert by.QuadraticDiscriminantAnalysis().fit(WINE, CULTIVAR).n_parameters == full
    assert by.LinearDiscriminantAnalysis().fit(WINE, CULTIVAR).n_parameters == tied
    assert by.GaussianNB().fit(WINE, CULTIVAR).n_parameters == 2 * n_classes * p
    naive = by.NaiveBayes(numeric="gaussian").fit(WINE, CULTIVAR)
    assert naive.n_parameters == 2 * n_classes * p


def test_other_models_count_what_they_estimate():
    assert by.TextClassifier().fit(TEXTS, KINDS).n_parameters == 2 * 6
    assert by.TextClassifier("bernoulli").fit(TEXTS, KINDS).n_parameters == 2 * 2 * 6
    assert by.LogisticRegression(max_iter=1000).fit(IRIS, SPECIES).n_parameters == 3 * 5
    assert by.LeastSquares().fit(IRIS[:, :3], IRIS[:, 3]).n_parameters == 3 + 1 + 1
    assert by.KMeans(3, random_state=0).fit(IRIS).n_parameters == 3 * 4
    assert by.KNeighborsClassifier().fit(IRIS, SPECIES).n_parameters == 150 * 5
    with pytest.raises(ValueError, match="not fitted"):
        _ = by.NaiveBayes().n_parameters
