"""Sparse matrices whose arrays were changed by hand are refused before a loop goes over them.

Before there was a check, most of these ended the interpreter with a segmentation fault.
"""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import sparse

import bayesic as by
from bayesic.data.sparse_matrices import checked_sparse

ROWS = np.array([[2.0, 0, 1], [0, 3, 0], [1, 0, 0], [0, 1, 2]])
LABELS = ["rain", "sun", "rain", "sun"]
FAR = 10**8


def broken(format_: str, part: str, change) -> sparse.sparray:
    matrix = sparse.coo_array(ROWS).asformat(format_)
    setattr(matrix, part, change(getattr(matrix, part).copy()))
    return matrix


def with_entry(place: int, value: int):
    def change(array):
        array[place] = value
        return array

    return change


def shorter(array):
    return array[:-1]


BROKEN = [
    *((form, "indices", with_entry(0, far)) for form in ("csr", "csc", "bsr") for far in (FAR, -1)),
    *(
        (form, "indptr", with_entry(1, far))
        for form in ("csr", "csc", "bsr")
        for far in (FAR, -FAR)
    ),
    *((form, "indptr", with_entry(0, 1)) for form in ("csr", "csc", "bsr")),
    *((form, "indptr", with_entry(-1, FAR)) for form in ("csr", "csc", "bsr")),
    *((form, part, shorter) for form in ("csr", "csc") for part in ("indptr", "indices", "data")),
    ("csr", "indices", lambda array: array.astype(float)),
    ("csr", "indices", lambda array: array[:, None]),
    ("csr", "data", lambda array: array[:, None]),
    *(("coo", part, with_entry(0, far)) for part in ("row", "col") for far in (FAR, -FAR)),
    ("coo", "data", shorter),
]
MODELS = [
    by.NaiveBayes,
    by.TreeAugmentedNB,
    by.JointBayes,
    by.GaussianNB,
    by.GaussianBayes,
    by.LinearDiscriminantAnalysis,
    by.MultinomialNB,
    by.BernoulliNB,
    by.CategoricalNB,
    by.LogisticRegression,
    by.hypotheses.MDLTreeClassifier,
]


@pytest.mark.parametrize(("form", "part", "change"), BROKEN)
def test_every_broken_array_is_refused_with_a_sentence(form, part, change):
    with pytest.raises(ValueError, match=r"The sparse matrix X .*Rebuild it"):
        checked_sparse(broken(form, part, change))


@pytest.mark.filterwarnings("ignore:Some columns tell nothing")  # the numbers are drawn by chance
@pytest.mark.parametrize("make", MODELS)
@pytest.mark.parametrize("form", ["csr", "csc", "bsr"])
def test_no_model_learns_or_answers_a_broken_matrix(make, form):
    matrix = broken(form, "indices", with_entry(0, FAR))
    with pytest.raises(ValueError, match="outside of its"):
        make().fit(matrix, LABELS)
    learned = np.random.default_rng(0).integers(0, 4, (20, 3)).astype(float)
    model = make().fit(sparse.csr_array(learned), LABELS * 5)
    with pytest.raises(ValueError, match="outside of its"):
        model.predict(matrix)


def test_numbers_without_classes_refuse_it_as_well():
    matrix = broken("csr", "indices", with_entry(0, FAR))
    for model in (by.LeastSquares(), by.GaussianMixture(), by.KMeans(1)):
        with pytest.raises(ValueError, match="outside of its"):
            model.fit(matrix, [1.0, 2.0, 3.0, 4.0])


def test_lists_of_rows_and_dicts_of_entries_are_refused():
    lists = sparse.lil_array(ROWS)
    lists.rows[0][0] = FAR
    short = sparse.lil_array(ROWS)
    short.data[0] = short.data[0][:-1]
    for matrix in (lists, short):
        with pytest.raises(ValueError, match=r"The sparse matrix X .*Rebuild it"):
            by.NaiveBayes().fit(matrix, LABELS)


def test_blocks_behind_the_last_row_are_refused():
    matrix = sparse.coo_array(ROWS).asformat("bsr")
    matrix.indptr[-1] -= 1
    with pytest.raises(ValueError, match=r"one place for each entry .*Rebuild it"):
        by.NaiveBayes().fit(matrix, LABELS)


@pytest.mark.parametrize("form", ["csr", "csc", "bsr", "coo", "lil", "dia", "dok"])
def test_a_sound_matrix_of_any_format_passes_and_stays_as_it_was(form):
    matrix = sparse.coo_array(ROWS).asformat(form)
    assert (checked_sparse(matrix).toarray() == ROWS).all()
    assert (matrix.toarray() == ROWS).all()
    answers = by.MultinomialNB().fit(matrix, LABELS).predict_proba(matrix)
    assert np.array_equal(answers, by.MultinomialNB().fit(ROWS, LABELS).predict_proba(ROWS))


@example("csr", "indptr", 4, -2_147_483_645)  # differences that do not fit into 32 bits
@given(
    st.sampled_from(["csr", "csc", "bsr"]),
    st.sampled_from(["indices", "indptr"]),
    st.integers(0, 30),
    st.integers(-(2**31), 2**31 - 1) | st.integers(-2, 8),
)
def test_what_passes_has_all_its_entries_inside(form, part, place, value):
    matrix = sparse.coo_array(ROWS).asformat(form)
    array = getattr(matrix, part)
    array[place % len(array)] = value
    try:
        checked_sparse(matrix)
    except ValueError:
        return
    assert matrix.toarray().shape == ROWS.shape
