"""Few whole numbers may name categories: chosen by leave-one-out, and always without smoothing."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bayesic as by

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


def test_samples_of_codes_are_codes():
    model = by.NaiveBayes(smoothing=0).fit(LI_HANG.rows, LI_HANG.target)
    drawn = model.sample(50, label=-1, random_state=0).X[:, 0]
    assert set(drawn) <= {1.0, 2.0, 3.0}


@st.composite
def coded_rows(draw):
    n_rows = draw(st.integers(6, 24))
    codes = draw(st.lists(st.integers(-1, 3), min_size=n_rows, max_size=n_rows))
    labels = draw(st.lists(st.sampled_from(["ham", "spam"]), min_size=n_rows, max_size=n_rows))
    return codes, labels


@settings(max_examples=60)
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


@settings(max_examples=40)
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
