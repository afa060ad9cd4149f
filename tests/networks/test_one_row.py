"""A network that learns one row at a time, and is asked after each."""

import pickle

import numpy as np

import bayesic as by

EDGES = [("sky", "wet"), ("sky", "wind"), ("wet", "slip"), ("wind", "slip"), ("slip", "late")]
NAMES = ("sky", "wet", "wind", "slip", "late")


def drawn_rows(n_rows: int) -> list[dict[str, str]]:
    random = np.random.default_rng(0)
    return [
        dict(zip(NAMES, random.choice(["yes", "no"], 5).tolist(), strict=True))
        for _ in range(n_rows)
    ]


def test_answers_after_each_row_are_those_of_one_fit_to_the_last_bit():
    rows = drawn_rows(30)
    rows[25] |= {"sky": "fog"}  # a state that is new: other tables, another tree
    network = by.BeliefNetwork(EDGES).fit(rows[:20], smoothing=1)
    for row in range(20, 30):
        network.partial_fit([rows[row]])
        whole = by.BeliefNetwork(EDGES).fit(rows[: row + 1], smoothing=1)
        for target, given in (("late", {"sky": "yes"}), ("sky", {"late": "no", "wind": "yes"})):
            ours, fresh = (each.query(target, given=given) for each in (network, whole))
            assert ours.to_dict() == fresh.to_dict()
        assert network == whole


def test_what_was_answered_before_stays_as_it_was():
    rows = drawn_rows(21)
    network = by.BeliefNetwork(EDGES).fit(rows[:20], smoothing=1)
    before = network.query("late").to_dict()
    copy = pickle.loads(pickle.dumps(network))
    network.partial_fit([rows[20]])
    assert network.query("late").to_dict() != before
    assert copy.query("late").to_dict() == before
