"""A few hundred of the cases of junk.py: every call answers, or is refused by a sentence."""

import pytest

from junk import problem_of, random_of, targets

CASES = 8  # of each target
SEED = 20
TARGETS = targets()


@pytest.mark.parametrize("name", TARGETS)
def test_junk_is_answered_or_refused_by_a_sentence(name):
    problems = {
        f'python tests/junk.py --replay "{name}" --seed {SEED} --number {number}': problem
        for number in range(CASES)
        if (problem := problem_of(TARGETS[name], random_of(name, SEED, number)))
    }
    assert not problems
