"""Few whole numbers may name categories: always in a small table, or without smoothing; else by
leave-one-out."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from helpers.examples import at_most

LI_HANG = by.datasets.li_hang()
CSV = "X1,X2,Y\n" + "".join(
    f"{size},{letter},{label}\n"
    for (size, letter), label in zip(LI_HANG.rows, LI_HANG.target, strict=True)
)
JOINT = [Fraction(1, 15), Fraction(1, 45)]  # of -1 and 1 for (2, S), [LiHang] example 4.1


def assert_book(model, row, rows):
    assert np.exp(model.predict_joint_log_proba(row))[0] == pytest.approx(JOINT, rel=1e-12)
    assert model.predict(rows).tolist() == [-1]


def test_the_textbook_table_comes_out_of_its_literal_call():
    model = by.NaiveBayes(smoothing=0).fit(LI_HANG.rows, LI_HANG.target)
    assert_book(model, [(2, "S")], [(1, "M")])
    assert str(model.work((2, "S"))).startswith("P(-1)·P(2|-1)·P(S|-1) = 6/15·2/6·3/6 = 1/15\n")


def test_the_textbook_table_comes_out_of_a_csv_file(tmp_path):
    path = tmp_path / "book.csv"
    path.write_text(CSV, encoding="utf-8")
    model = by.NaiveBayes(smoothing=0).fit(path, y="Y")
    assert model.kinds_ == {"X1": "categorical", "X2": "categorical"}
    assert_book(model, {"X1": [2], "X2": ["S"]}, {"X1": [1], "X2": ["M"]})


def test_the_textbook_table_survives_pieces_and_files(tmp_path):
    X, y = LI_HANG.rows, LI_HANG.target
    whole = by.NaiveBayes(smoothing=0).fit(X, y)
    pieces = by.NaiveBayes(smoothing=0)
    for start in range(0, 15, 4):
        pieces.partial_fit(X[start : start + 4], y[start : start + 4])
    pieces.partial_fit([(9, "XL")], [1]).forget([(9, "XL")], [1])
    halves = by.NaiveBayes(smoothing=0).fit(X[:7], y[:7])
    halves.merge(by.NaiveBayes(smoothing=0).fit(X[7:], y[7:]))
    whole.save(tmp_path / "book.bayes")
    for model in (whole, pieces, halves, by.load(tmp_path / "book.bayes")):
        assert model.kinds_["x0"] == "categorical"
        assert_book(model, [(2, "S")], [(1, "M")])


def test_a_whole_number_never_seen_gets_the_share_of_an_unseen_value():
    # 1 and 3 of one class, 0 and 2 of the other: no cut and no bell tells them apart
    stars, mood = [0, 1, 2, 3] * 10, ["calm", "wild"] * 20
    model = by.NaiveBayes().fit({"stars": stars}, mood)
    assert model.kinds_ == {"stars": "categorical"}
    scores = np.exp(model.predict_joint_log_proba({"stars": [1, 7, 1.5]}))
    share_of_unseen = Fraction(21, 42) * Fraction(1, 20 + 4)
    assert scores[0] == pytest.approx([share_of_unseen, Fraction(1, 2) * Fraction(11, 24)])
    assert scores[1:] == pytest.approx(np.full((2, 2), float(share_of_unseen)))
    assert model.predict_proba({"stars": [None]}).tolist() == [[0.5, 0.5]]


@pytest.mark.filterwarnings("ignore:Some columns tell nothing")
def test_many_whole_numbers_and_numbers_that_are_not_whole_are_measurements():
    mood = ["calm", "wild"] * 20
    for values in ([0.5, 1.5, 2.5, 3.5] * 10, list(range(0, 80, 2))):
        kind = by.NaiveBayes(smoothing=0).fit({"stars": values}, mood).kinds_["stars"]
        assert kind != "categorical"


@pytest.mark.parametrize("model", [by.NaiveBayes(smoothing=0), by.TreeAugmentedNB()])
def test_samples_of_codes_are_codes(model):
    drawn = model.fit(LI_HANG.rows, LI_HANG.target).sample(50, label=-1, random_state=0).X[:, 0]
    assert set(map(type, drawn)) == {float} and set(drawn) <= {1.0, 2.0, 3.0}


# small tables -----------------------------------------------------------------------------------

SMOOTHINGS = [0, 0.5, 1, 10, "auto", ("m", 2), ("m", 0, "uniform"), {"code": 2}]


def cut_apart(n_rows, n_values):
    """Codes that one cut tells apart: with many rows they would be binned."""
    codes = [row % n_values for row in range(n_rows)]
    return {"code": codes}, ["low" if 2 * code < n_values else "high" for code in codes]


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_few_whole_numbers_in_up_to_30_rows_are_categories(smoothing):
    for n_rows, n_values in ((30, 2), (30, 12), (4, 2), (24, 12)):
        model = by.NaiveBayes(smoothing=smoothing).fit(*cut_apart(n_rows, n_values))
        assert model.kinds_ == {"code": "categorical"}


def test_the_rule_ends_at_30_rows_12_values_and_two_rows_for_each():
    for n_rows, n_values in ((60, 2), (30, 13), (23, 12)):
        model = by.NaiveBayes().fit(*cut_apart(n_rows, n_values))
        assert model.kinds_ != {"code": "categorical"}


def test_gaps_are_no_rows_of_the_column():
    X, y = cut_apart(30, 2)
    model = by.NaiveBayes().fit({"code": X["code"] + [None] * 40}, y + ["low", "high"] * 20)
    assert model.kinds_ == {"code": "categorical"}


def test_another_smoothing_changes_no_kind_in_a_small_table():
    model = by.NaiveBayes(smoothing=0).fit(LI_HANG.rows, LI_HANG.target)
    before = model.kinds_
    for smoothing in (1, ("m", 2), "auto", 0.5):
        assert model.set_params(smoothing=smoothing).kinds_ == before


def test_where_another_smoothing_changes_a_kind_it_says_so():
    model = by.NaiveBayes(smoothing=0).fit(*cut_apart(60, 4))
    assert model.kinds_ == {"code": "categorical"}
    now = by.NaiveBayes().fit(*cut_apart(60, 4)).kinds_["code"]
    told = f"'code': categorical before, {now} now. To keep them, fit with columns="
    with pytest.warns(UserWarning, match=told):
        model.set_params(smoothing=1)
    assert model.kinds_ == {"code": now} != {"code": "categorical"}


NETWORKS = [
    lambda **told: by.TreeAugmentedNB(**told),
    lambda **told: by.KDependence(k=0, **told),
    lambda **told: by.AveragedOneDependence(**told),
]


@pytest.mark.parametrize("make", NETWORKS)
@pytest.mark.parametrize("smoothing", [0, 1, "back-off"])
@pytest.mark.filterwarnings("ignore:.*impossible")
def test_networks_take_the_same_columns_as_categories(make, smoothing, tmp_path):
    numbers = {"X1": [row[0] for row in LI_HANG.rows], "X2": [row[1] for row in LI_HANG.rows]}
    words = numbers | {"X1": list(map("n{}".format, numbers["X1"]))}
    codes = make(smoothing=smoothing).fit(numbers, LI_HANG.target)
    named = make(smoothing=smoothing).fit(words, LI_HANG.target)
    assert codes.bins_ == {}
    asked = [(code, letter) for code in (1, 2, 3, 7, None) for letter in ("S", "M", "L", "XL")]
    asked = {"X1": [code for code, _ in asked], "X2": [letter for _, letter in asked]}
    in_words = [None if code is None else f"n{code}" for code in asked["X1"]]
    expected = named.predict_proba(asked | {"X1": in_words})
    np.testing.assert_array_equal(codes.predict_proba(asked), expected)
    path = tmp_path / "book.csv"
    path.write_text(CSV.replace("\n2,", "\n2.0,"), encoding="utf-8")
    in_file = make(smoothing=smoothing).fit(path, y="Y")
    np.testing.assert_array_equal(in_file.predict_proba(asked), expected)
    left_out = codes.leave_one_out(numbers, LI_HANG.target)
    np.testing.assert_array_equal(left_out, named.leave_one_out(words, LI_HANG.target))


@pytest.mark.parametrize("make", NETWORKS)
def test_networks_keep_codes_in_pieces_merges_and_files(make, tmp_path):
    rows, y = list(LI_HANG.rows), list(LI_HANG.target)
    # the first six have 1, 2, 3 twice each
    mixed = [0, 1, 5, 6, 10, 11, *(row for row in range(15) if row not in (0, 1, 5, 6, 10, 11))]
    rows, y = [rows[row] for row in mixed], [y[row] for row in mixed]
    whole, pieces, halves = make().fit(rows, y), make(), make().fit(rows[:6], y[:6])
    for part in (slice(0, 6), slice(6, 10), slice(10, 15)):
        pieces.partial_fit(rows[part], y[part])
    pieces.partial_fit([(9, "XL")], [1]).forget([(9, "XL")], [1])
    halves.merge(make().fit(rows[6:], y[6:]))
    whole.save(tmp_path / "book.bayes")
    asked = [(code, letter) for code in (1, 2, 3, 7) for letter in ("S", "XL")]
    for model in (pieces, halves, by.load(tmp_path / "book.bayes")):
        assert model.statistics_.edges == {"x0": ()}
        np.testing.assert_array_equal(model.predict_proba(asked), whole.predict_proba(asked))


def test_bins_can_still_be_declared_and_are_not_merged_with_codes():
    X, y = cut_apart(30, 4)
    binned = by.TreeAugmentedNB(columns={"code": "binned"}).fit(X, y)
    assert binned.bins_["code"].cuts == (1.5,)
    with pytest.raises(ValueError, match=r"is cut at \[1.5\] here and at every number there"):
        binned.merge(by.TreeAugmentedNB().fit(X, y))


def test_codes_of_networks_are_read_as_numbers_by_sql():
    import duckdb

    rows = {"code": [1, 2, 3] * 5, "size": ["S", "M", "M", "L", "S"] * 3}
    model = by.TreeAugmentedNB().fit(rows, list(LI_HANG.target))
    asked = {"code": [1.0, 2.0, 3.0, 7.0, None], "size": ["S", "M", "L", "S", "M"]}
    connection = duckdb.connect()
    connection.execute("create table asked (code double, size varchar)")
    connection.executemany("insert into asked values (?, ?)", [*zip(*asked.values(), strict=True)])
    found = connection.execute(by.to_sql(model, "asked")).fetchall()
    shares = np.array([row[-2:] for row in found], float)
    np.testing.assert_allclose(shares, model.predict_proba(asked), rtol=1e-9)


def test_levels_that_are_no_numbers_are_refused_in_files():
    counts = by.TreeAugmentedNB().fit(*cut_apart(8, 2)).statistics_
    assert counts.checked() is counts
    for levels in (("0", "01"), ("0", "rain"), ("0", "inf")):
        with pytest.raises(ValueError, match="The levels of column 'code' must be its numbers"):
            replace(counts, levels={"code": levels}).checked()


@st.composite
def coded_rows(draw):
    n_rows = draw(st.integers(6, 40))  # below the limit of small tables, and above
    codes = draw(st.lists(st.integers(-1, 3), min_size=n_rows, max_size=n_rows))
    labels = draw(st.lists(st.sampled_from(["ham", "spam"]), min_size=n_rows, max_size=n_rows))
    return codes, labels


@at_most(60)
@given(rows=coded_rows(), amount=st.sampled_from([0, 0.5, 1]), cut=st.integers(1, 5))
@pytest.mark.filterwarnings("ignore:Some columns tell nothing", "ignore:.*impossible")
def test_learning_codes_in_pieces_is_learning_them_at_once(rows, amount, cut):
    codes, labels = rows
    whole = by.NaiveBayes(smoothing=amount).fit({"code": codes}, labels)
    pieces = by.NaiveBayes(smoothing=amount)
    pieces.partial_fit({"code": codes[cut:]}, labels[cut:])
    pieces.partial_fit({"code": codes[:cut]}, labels[:cut])
    pieces.partial_fit({"code": codes[:3]}, labels[:3]).forget({"code": codes[:3]}, labels[:3])
    assert pieces.kinds_ == whole.kinds_
    asked = {"code": [-1, 0, 1, 2, 3, 4, None]}
    assert (pieces.predict_proba(asked) == whole.predict_proba(asked)).all()


@at_most(40)
@given(rows=coded_rows(), amount=st.sampled_from([0, 1]))
@pytest.mark.filterwarnings("ignore:Some columns tell nothing", "ignore:.*impossible")
def test_leaving_a_row_of_codes_out_is_learning_the_others(rows, amount):
    codes, labels = rows
    model = by.NaiveBayes(smoothing=amount, numeric="auto").fit({"code": codes}, labels)
    if model.kinds_["code"] != "categorical":
        return
    left_out = model.leave_one_out({"code": codes}, labels)
    for row in range(len(codes)):
        others = [number for number in range(len(codes)) if number != row]
        refitted = by.NaiveBayes(columns={"code": "categorical"}, smoothing=amount)
        refitted.partial_fit(
            {"code": [codes[other] for other in others]},
            [labels[other] for other in others],
            classes=model.classes_,
        )
        expected = refitted.predict_proba({"code": [codes[row]]})[0]
        assert left_out[row] == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_numbers_too_small_to_be_told_from_zero_are_zero():
    model = by.NaiveBayes(smoothing=0).fit({"visits": [1.0, 5e-324] * 3}, ["ham", "spam"] * 3)
    assert model.kinds_ == {"visits": "categorical"}
    assert model.predict({"visits": [0.0, 1.0, -5e-324]}).tolist() == ["spam", "ham", "spam"]
    left_out = model.leave_one_out({"visits": [1.0, 5e-324] * 3}, ["ham", "spam"] * 3)
    np.testing.assert_array_equal(left_out, [[1.0, 0.0], [0.0, 1.0]] * 3)
