"""A model can be pickled or copied while other threads ask it, which make parts as they need them.

`copy.deepcopy` walks through the same state as `pickle`, and more slowly: it meets more.
"""

import copy
import pickle
import sys
import threading
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.examples import at_most
from helpers.model_cases import CASES

COPIES = 4
every_model = pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())


@pytest.fixture(autouse=True)
def threads_change_often():
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # few rows are often singular
        yield
    sys.setswitchinterval(interval)


@every_model
@at_most(3)
@given(st.data())
def test_what_is_pickled_does_not_depend_on_what_was_asked(case, data):
    batch = data.draw(case.batch())
    model = case.fit(batch)
    before = pickle.dumps(model)
    answer = case.answers(model, batch)
    assert len(pickle.dumps(model)) == len(before)
    assert case.answers(pickle.loads(before), batch).tolist() == answer.tolist()


@every_model
@at_most(5)
@given(st.data())
def test_a_model_is_copied_while_others_ask_it(case, data):
    batch = data.draw(case.batch())
    model = case.fit(batch)
    expected = case.answers(copy.deepcopy(model), batch).tolist()
    start, answers = threading.Barrier(2), []

    def ask() -> None:
        start.wait()
        answers.append(case.answers(model, batch).tolist())

    asking = threading.Thread(target=ask)
    asking.start()
    start.wait()
    try:
        copies = [copy.deepcopy(model) for _ in range(COPIES)]
    finally:
        asking.join()
    assert answers == [expected]
    assert [case.answers(each, batch).tolist() for each in copies] == [expected] * COPIES
