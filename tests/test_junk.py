"""A few hundred of the cases of junk.py: every call answers, or is refused by a sentence."""

from time import sleep

import pytest

from junk import TooSlowError, problem_of, random_of, replay, targets, time_limit

CASES, FEW = 8, 2  # of each target, and of those that take longer
LONGER = ("journal", "shapes", "studio")
SEED = 20
TARGETS = targets()


@pytest.mark.parametrize("name", TARGETS)
def test_junk_is_answered_or_refused_by_a_sentence(name):
    problems = {
        f'python tests/junk.py --replay "{name}" --seed {SEED} --number {number}': problem
        for number in range(FEW if name in LONGER else CASES)
        if (problem := problem_of(TARGETS[name], random_of(name, SEED, number)))
    }
    assert not problems


@pytest.mark.parametrize("again", [replay, lambda *case: TARGETS[case[0]](random_of(*case))])
def test_a_case_leaves_no_files_where_it_is_run(tmp_path, monkeypatch, again):
    monkeypatch.chdir(tmp_path)
    again("journal", SEED, 0)
    assert not [*tmp_path.iterdir()]


def test_only_the_time_of_the_processor_is_limited():
    with time_limit(0.05):
        sleep(0.1)
    with pytest.raises(TooSlowError), time_limit(0.05):
        while True:
            pass
