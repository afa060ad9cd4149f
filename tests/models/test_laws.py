"""The laws of learning: each law on each public estimator.

Answers are compared to 1e-6, statistics bit for bit, moments in them to 1e-12 of the scale of the
data. The table of models, and why some are exempt from a law, is in tests/helpers/model_cases.py.
"""

import warnings
from contextlib import contextmanager
from dataclasses import replace
from inspect import isclass
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from helpers.comparisons import arrays_in, assert_same, assert_unchanged, state_of
from helpers.environment import cells_per_block, environment
from helpers.examples import at_most
from helpers.model_cases import ADDITIVE, CASES

SCALE = 20.0  # the largest number in the rows
VERBS = dict(zip(ADDITIVE, ("partial_fit", "forget", "merge", "leave_one_out"), strict=True))
LAWS = []

few_examples = at_most(25)


def law(name):
    """Run a test on every case that is not exempt from the law of this name."""
    LAWS.append(name)
    bound = {label: case for label, case in CASES.items() if name not in case.exempt}
    return pytest.mark.parametrize("case", bound.values(), ids=bound.keys())


@pytest.fixture(autouse=True)
def quiet():
    """Few rows are often impossible in every class, or singular: the laws hold all the same."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def assert_same_model(ours, theirs, case, batch):
    """The same classes, the same statistics, and the same answers."""
    if hasattr(theirs, "classes_"):
        assert ours.classes_.tolist() == theirs.classes_.tolist()
    if type(theirs).__eq__ is not object.__eq__:  # networks: states with their types, and tables
        assert ours == theirs
    if hasattr(theirs, "statistics_"):
        assert_same(ours.statistics_, theirs.statistics_, 1e-12, SCALE)
    if hasattr(theirs, "log_evidence"):
        assert evidence_of(ours) == pytest.approx(evidence_of(theirs), rel=1e-9)
    np.testing.assert_allclose(
        case.answers(ours, batch), case.answers(theirs, batch), rtol=1e-6, atol=1e-9
    )


def evidence_of(model):
    """log P(D | M); 0 where there is none, for gaps, say."""
    try:
        return model.log_evidence()
    except ValueError:
        return 0.0


def cut(data, batch, at_most):
    """The batch in pieces of one row or more, in its order."""
    cuts = st.sets(st.integers(0, len(batch)), max_size=at_most - 1)
    edges = sorted({0, *data.draw(cuts), len(batch)})
    return [batch.where(range(*ends)) for ends in pairwise(edges)]


# the table is whole -----------------------------------------------------------------------------


def test_every_public_estimator_is_in_the_table():
    homes = (by, by.hypotheses)
    public = {getattr(home, name) for home in homes for name in home.__all__}
    estimators = {kind for kind in public if isclass(kind) and hasattr(kind, "fit")}
    assert estimators == {type(case.make()) for case in CASES.values()}


def test_reasons_are_given_for_laws_that_exist():
    assert {name for case in CASES.values() for name in case.exempt} <= set(LAWS)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_model_without_a_verb_is_exempt_from_its_law(case):
    model = case.make()
    lacks = {name for name, verb in VERBS.items() if not hasattr(model, verb)}
    assert lacks <= set(case.exempt)


# learning is counting ---------------------------------------------------------------------------


@law("pieces")
@given(data=st.data())
@few_examples
def test_pieces_are_the_whole(case, data):
    [batch] = data.draw(case.batches(1))
    pieces = case.make()
    known = None if case.classes is None else sorted({*batch.labels})
    for piece in cut(data, batch, at_most=3):
        replace(case, classes=known).learn(pieces, piece)
    assert_same_model(pieces, case.fit(batch), case, batch)


@law("order")
@given(data=st.data())
@few_examples
def test_the_order_of_rows_does_not_matter(case, data):
    [batch] = data.draw(case.batches(1))
    shuffled = batch.where(data.draw(st.permutations(range(len(batch)))))
    assert_same_model(case.fit(shuffled), case.fit(batch), case, batch)


@law("forget")
@given(data=st.data())
@few_examples
def test_forgetting_undoes_learning(case, data):
    some, more = data.draw(case.batches(2))
    model = case.learn(case.learn(case.make(), some), more)
    case.forget(model, more)
    assert_same_model(model, case.learn(case.make(), some), case, some)


@law("merge")
@given(data=st.data())
@few_examples
def test_merging_is_learning_all_rows(case, data):
    some, more = data.draw(case.batches(2))
    merged, other = case.fit(some), case.fit(more)
    before = state_of(other)
    merged.merge(other)
    assert_unchanged(other, before)
    both = some + more
    assert_same_model(merged, case.fit(both), case, both)


@law("leave one out")
@given(data=st.data())
@few_examples
def test_leaving_one_out_is_refitting(case, data):
    some, more = data.draw(case.batches(2))
    batch = some + more
    rows = range(len(batch))
    left_out = case.leave_one_out(case.learn(case.make(), batch), batch)
    for row in rows:
        refitted = case.learn(case.make(), batch.where([other for other in rows if other != row]))
        expected = case.answers(refitted, batch.where([row]))[0]
        np.testing.assert_allclose(left_out[row], expected, rtol=1e-6, atol=1e-8)


@law("weights")
@given(data=st.data())
@few_examples
def test_a_whole_weight_is_as_many_rows(case, data):
    batch = data.draw(case.batch(weights=st.integers(1, 3)))
    assert_same_model(case.fit(batch), case.fit(batch.repeated()), case, batch)


# the same bits ----------------------------------------------------------------------------------


def bits(case, model, batch):
    """All numbers that a model holds and gives."""
    numbers = [*arrays_in(getattr(model, "statistics_", None)), case.answers(model, batch)]
    if hasattr(model, "leave_one_out"):
        numbers.append(case.leave_one_out(model, batch))
    return numbers


def assert_same_bits(ours, theirs):
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(mine, other, strict=True)


@law("files")
@given(data=st.data())
@few_examples
def test_what_is_saved_comes_back_to_the_last_bit(case, data, tmp_path_factory):
    [batch] = data.draw(case.batches(1))
    path = tmp_path_factory.getbasetemp() / "model.bayes"
    model = case.fit(batch)
    model.save(path)
    loaded = by.load(path)
    assert_same_bits(bits(case, loaded, batch), bits(case, model, batch))
    if "pieces" not in case.exempt:
        again = replace(case, classes=None)  # the same as in fit
        more = [again.learn(each, batch) for each in (loaded, model)]
        assert_same_bits(*(bits(case, each, batch) for each in more))


@law("asked again")
@given(data=st.data())
@few_examples
def test_the_same_question_has_the_same_answer(case, data):
    [batch] = data.draw(case.batches(1))
    model = case.fit(batch)
    first = bits(case, model, batch)
    for _ in range(2):
        assert_same_bits(bits(case, model, batch), first)


@law("threads")
@pytest.mark.parametrize("kernels", ["reference", "compiled"])
@given(data=st.data())
@at_most(3)
def test_any_number_of_threads_gives_the_same_bits(case, kernels, data):
    few = data.draw(case.batch())
    many = few.many(200, weighted="weights" not in case.exempt)
    answers = []
    for threads in ("1", "2", "8"):
        with environment(BAYESIC_THREADS=threads, BAYESIC_KERNELS=kernels), cells_per_block(64):
            answers.append(bits(case, case.fit(many), many))
    for answer in answers[1:]:
        assert_same_bits(answer, answers[0])


# what fails changes nothing ---------------------------------------------------------------------


@contextmanager
def failing(model):
    before = state_of(model)
    with pytest.raises((ValueError, TypeError)):
        yield
    assert_unchanged(model, before)


@law("failed calls")
@given(data=st.data())
@few_examples
def test_a_failed_call_changes_nothing(case, data):
    [batch] = data.draw(case.batches(1))
    model = case.fit(batch)
    given, _ = case.arguments(batch)
    for verb in ("fit", "partial_fit", "forget"):
        if hasattr(model, verb):
            with failing(model):
                getattr(model, verb)(*given, sample_weight=[-1.0] * len(batch))
    if "forget" not in case.exempt:
        with failing(model):
            case.forget(model, batch + batch)
