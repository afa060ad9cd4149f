"""The laws of additive statistics: each law on each statistic.

Counts are compared bit for bit, moments to 1e-12 relative to the scale of the data. The table of
statistics, and why some are exempt from a law, is in tests/helpers/statistic_cases.py.
"""

import json
import pickle
from dataclasses import FrozenInstanceError, fields, replace
from importlib import import_module
from inspect import getmembers, isclass
from pkgutil import iter_modules

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bayesic import statistics
from bayesic.files.tagged import decode, encode
from bayesic.statistics.additive import ClassStatistic
from bayesic.statistics.forest import Forest
from bayesic.statistics.growing_texts import GrowingTextCounts
from helpers.comparisons import arrays_in, assert_same
from helpers.environment import cells_per_block, environment
from helpers.examples import at_most
from helpers.statistic_cases import CASES, N_CLASSES

TOLERANCE = 1e-12
RECORDS = {kind.__name__: kind for kind in (*(case.kind for case in CASES.values()), Forest)}
LAWS = []

few_examples = at_most(40)


def law(name):
    """Run a test on every case that is not exempt from the law of this name."""
    LAWS.append(name)
    bound = {label: case for label, case in CASES.items() if name not in case.exempt}
    return pytest.mark.parametrize("case", bound.values(), ids=bound.keys())


def assert_equal(ours, theirs, case, *batches):
    records = [record for batch in batches for record in batch.records]
    assert_same(ours, theirs, TOLERANCE, case.scale(records) if records else 1.0)


def assert_identical(ours, theirs):
    """To the last bit, and of the same types."""
    assert_same(ours, theirs)
    pairs = zip(arrays_in(ours), arrays_in(theirs), strict=True)
    assert all(mine.dtype == other.dtype for mine, other in pairs)


# the table is whole -----------------------------------------------------------------------------


def test_every_statistic_is_in_the_table():
    modules = [
        import_module(f"{statistics.__name__}.{module.name}")
        for module in iter_modules(statistics.__path__)
    ]
    additive = {
        kind
        for module in modules
        for _, kind in getmembers(module, isclass)
        if kind.__module__.startswith(statistics.__name__) and hasattr(kind, "__sub__")
        if not kind.__name__.startswith("_")  # what statistics have in common
    }
    # the protocol of all; a TextCounts that is not added up yet, see test_growing_texts.py
    assert additive - {ClassStatistic, GrowingTextCounts} == {case.kind for case in CASES.values()}


def test_reasons_are_given_for_laws_that_exist():
    assert {name for case in CASES.values() for name in case.exempt} <= set(LAWS)


# zero, + and - ----------------------------------------------------------------------------------


@law("zero")
@given(data=st.data())
@few_examples
def test_zero_changes_nothing(case, data):
    [batch] = data.draw(case.batches(1))
    counts, zero = case.summarise(batch), case.empty(N_CLASSES)
    for same in (counts + zero, zero + counts, counts - zero):
        assert_identical(same, counts)


@law("commutative")
@given(data=st.data())
@few_examples
def test_the_order_of_summands_does_not_matter(case, data):
    some, more = data.draw(case.batches(2))
    first, second = case.summarise(some), case.summarise(more)
    assert_equal(first + second, second + first, case, some, more)


@law("associative")
@given(data=st.data())
@few_examples
def test_brackets_do_not_matter(case, data):
    batches = data.draw(case.batches(3))
    first, second, third = map(case.summarise, batches)
    assert_equal((first + second) + third, first + (second + third), case, *batches)


@law("pieces")
@given(data=st.data())
@few_examples
def test_pieces_are_the_whole(case, data):
    some, more, rest = data.draw(case.batches(3))
    first, second, third = map(case.summarise, (some, more, rest))
    whole = some + more + rest
    assert_equal(first + second + third, case.summarise(whole), case, whole)


@law("order")
@given(data=st.data())
@few_examples
def test_the_order_of_rows_does_not_matter(case, data):
    [batch] = data.draw(case.batches(1))
    shuffled = batch.where(data.draw(st.permutations(range(len(batch)))))
    assert_equal(case.summarise(shuffled), case.summarise(batch), case, batch)


@law("minus")
@given(data=st.data())
@few_examples
def test_minus_undoes_plus(case, data):
    some, more = data.draw(case.batches(2))
    counts, added = case.summarise(some), case.summarise(more)
    assert_equal((counts + added) - added, counts, case, some, more)
    assert_equal(added - added, case.empty(N_CLASSES), case, more)


@law("refused")
@given(data=st.data())
@few_examples
def test_what_was_never_added_cannot_be_taken_away(case, data):
    [batch] = data.draw(case.batches(1, min_size=1))
    cut = data.draw(st.integers(0, len(batch) - 1))
    learned = case.summarise(batch.where(range(cut)))
    whole = learned + case.summarise(batch.where(range(cut, len(batch))))
    assume(_amount(whole) > _amount(learned))  # something was observed in the others
    before = pickle.dumps(learned)
    with pytest.raises(ValueError, match="Only what was learned can be taken away"):
        learned - whole
    assert pickle.dumps(learned) == before


def _amount(counts):
    """All that was counted, as one number that grows with every observed cell."""
    if hasattr(counts, "n_rows"):
        return counts.n_rows
    tables = [array for array in arrays_in(counts) if array.dtype.kind in "if"]
    return sum(float(np.abs(table).sum()) for table in tables)


# weights and classes ----------------------------------------------------------------------------


@law("weights")
@given(data=st.data())
@few_examples
def test_a_whole_weight_is_as_many_rows(case, data):
    batch = data.draw(case.batch(weights=st.integers(0, 3)))
    assert_equal(case.summarise(batch), case.summarise(batch.repeated()), case, batch)


@law("scaled")
@given(data=st.data())
@few_examples
def test_scaling_is_counting_rows_of_less_weight(case, data):
    some, more = data.draw(case.batches(2))
    factor = data.draw(st.sampled_from([1.0, 0.5, 0.25]))
    counts, added = case.summarise(some), case.summarise(more)
    weights = np.ones(len(some)) if some.weights is None else some.weights
    lighter = replace(some, weights=weights * factor)
    assert_equal(counts.scaled(factor), case.summarise(lighter), case, some)
    parts = counts.scaled(factor) + added.scaled(factor)
    assert_equal((counts + added).scaled(factor), parts, case, some, more)
    assert counts.scaled(factor).checked() is not None


@law("scaled")
@given(data=st.data())
@few_examples
def test_what_has_faded_to_nothing_is_gone(case, data):
    [batch] = data.draw(case.batches(1))
    faded = case.summarise(batch).scaled(1e-150).scaled(1e-150)
    assert_equal(faded, case.empty(N_CLASSES), case, batch)


@law("classes")
@given(data=st.data())
@few_examples
def test_classes_can_move_to_other_places(case, data):
    [batch] = data.draw(case.batches(1))
    positions = np.array(data.draw(st.permutations(range(5)))[:N_CLASSES])
    moved = case.summarise(batch).with_classes_at(positions, 5)
    labels = [positions[code] for code in batch.labels]
    expected = case.summarise(replace(batch, labels=labels), 5)
    assert_equal(moved, expected, case, batch)


# values that stay as they are -------------------------------------------------------------------


@law("checked")
@given(data=st.data())
@few_examples
def test_what_was_counted_passes_the_check(case, data):
    counts, added = map(case.summarise, data.draw(case.batches(2)))
    for statistic in (counts, counts + added, (counts + added) - added, case.empty(N_CLASSES)):
        assert statistic.checked() is statistic


@law("read-only")
@given(data=st.data())
@few_examples
def test_nothing_that_is_handed_out_can_be_changed(case, data):
    counts, added = map(case.summarise, data.draw(case.batches(2)))
    handed_out = [counts, counts + added, (counts + added) - added, case.empty(N_CLASSES)]
    handed_out.append(pickle.loads(pickle.dumps(counts)))
    if "classes" not in case.exempt:
        handed_out.append(counts.with_classes_at(np.array([0, 1, 3]), 4))
    for statistic in handed_out:
        assert not any(array.flags.writeable for array in arrays_in(statistic))
        for field in fields(statistic):
            with pytest.raises(FrozenInstanceError):
                setattr(statistic, field.name, None)


@law("summands")
@given(data=st.data())
@few_examples
def test_adding_and_taking_away_change_neither_side(case, data):
    counts, added = map(case.summarise, data.draw(case.batches(2)))
    before = pickle.dumps((counts, added))
    _ = (counts + added) - counts
    assert pickle.dumps((counts, added)) == before


@law("files")
@given(data=st.data())
@few_examples
def test_what_is_written_comes_back_to_the_last_bit(case, data):
    [batch] = data.draw(case.batches(1))
    counts, arrays = case.summarise(batch), {}
    node = json.loads(json.dumps(encode(counts, "counts", arrays, RECORDS)))
    assert_identical(decode(node, arrays, RECORDS), counts)
    assert_identical(pickle.loads(pickle.dumps(counts)), counts)


@law("threads")
@pytest.mark.parametrize("kernels", ["reference", "compiled"])
@given(data=st.data())
@at_most(5)
def test_any_number_of_threads_gives_the_same_bits(case, kernels, data):
    few = data.draw(case.batch(min_size=2))
    many = few.many(300, weighted="weights" not in case.exempt)
    answers = []
    for threads in ("1", "2", "8"):
        with environment(BAYESIC_THREADS=threads, BAYESIC_KERNELS=kernels), cells_per_block(64):
            answers.append(case.summarise(many))
    for answer in answers[1:]:
        assert_identical(answer, answers[0])
