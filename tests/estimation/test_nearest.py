"""The nearest rows: exact with ties, the same with every algorithm and for any threads."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bayesic.estimation.nearest import METRICS, NearestRows
from helpers.environment import cells_per_block, environment, run_python
from helpers.examples import at_most

ALGORITHMS = ("kd_tree", "brute")
every_algorithm = pytest.mark.parametrize("algorithm", ALGORITHMS)
every_metric = pytest.mark.parametrize("metric", METRICS)


def distance(x, y, metric):
    if metric == "manhattan":
        return sum(abs(one - other) for one, other in zip(x, y, strict=True))
    return math.sqrt(sum((one - other) ** 2 for one, other in zip(x, y, strict=True)))


def enumerated(rows, asked, k, metric, without=()):
    """Distances and numbers of the nearest rows, by sorting all of them; ties by row number."""
    found = []
    for number, x in enumerate(asked.tolist()):
        left_out = without[number] if len(without) else None
        pairs = [
            (distance(x, y, metric), row) for row, y in enumerate(rows.tolist()) if row != left_out
        ]
        found.append(sorted(pairs)[:k])
    return [[d for d, _ in row] for row in found], [[r for _, r in row] for row in found]


def as_lists(found):
    return found[0].tolist(), found[1].tolist()


@st.composite
def with_ties(draw):
    """Points of a small grid, many of them twice, also moved and scaled, and rows to ask for."""
    n_rows, n_features = draw(st.integers(1, 30)), draw(st.integers(1, 4))
    grid = st.integers(0, 3).map(float)
    rows = draw(hnp.arrays(np.float64, (n_rows, n_features), elements=grid))
    asked = draw(hnp.arrays(np.float64, (3, n_features), elements=grid | st.just(0.5)))
    scale, shift = draw(st.sampled_from([(1.0, 0.0), (0.1, 0.0), (0.1, 1e6), (1e-170, 0.0)]))
    return rows * scale + shift, asked * scale + shift, draw(st.integers(1, n_rows))


@every_algorithm
@every_metric
@given(data=with_ties())
def test_ties_go_to_the_row_that_was_learned_first(algorithm, metric, data):
    rows, asked, k = data
    found = NearestRows(rows).nearest(asked, k, metric, algorithm)
    assert as_lists(found) == enumerated(rows, asked, k, metric)


@every_algorithm
@every_metric
@given(data=with_ties())
def test_rows_without_themselves(algorithm, metric, data):
    rows, _, k = data
    if k == len(rows):
        return
    numbers = np.arange(len(rows))[::-1]
    found = NearestRows(rows).nearest_without(numbers, k, metric, algorithm)
    assert as_lists(found) == enumerated(rows, rows[numbers], k, metric, without=numbers.tolist())


@every_metric
@at_most(20)
@given(seed=st.integers(0, 1000), n_features=st.integers(1, 12), k=st.integers(1, 40))
def test_both_algorithms_give_the_same_bits(metric, seed, n_features, k):
    rng = np.random.default_rng(seed)
    rows, asked = rng.normal(size=(700, n_features)), rng.normal(size=(30, n_features))
    search = NearestRows(rows)
    tree, brute = (search.nearest(asked, k, metric, algorithm) for algorithm in ALGORITHMS)
    np.testing.assert_array_equal(tree[0], brute[0])
    np.testing.assert_array_equal(tree[1], brute[1])


@every_algorithm
@every_metric
def test_nothing_depends_on_threads_and_blocks(algorithm, metric):
    rng = np.random.default_rng(5)
    rows, asked = rng.integers(0, 6, (900, 3)).astype(float), rng.integers(0, 6, (70, 3)) + 0.5
    expected = NearestRows(rows).nearest(asked, 7, metric, algorithm)
    for threads in ("1", "3"):
        with environment(BAYESIC_THREADS=threads), cells_per_block(40):
            found = NearestRows(rows).nearest(asked, 7, metric, algorithm)
        np.testing.assert_array_equal(found[0], expected[0])
        np.testing.assert_array_equal(found[1], expected[1])


@every_algorithm
@every_metric
def test_a_row_does_not_hang_on_those_beside_it(algorithm, metric):
    rng = np.random.default_rng(6)
    search, asked = NearestRows(rng.normal(size=(500, 10))), rng.normal(size=(20, 10))
    together = search.nearest(asked, 4, metric, algorithm)
    alone = [search.nearest(asked[row : row + 1], 4, metric, algorithm) for row in range(20)]
    np.testing.assert_array_equal(together[0], np.vstack([one[0] for one in alone]))
    np.testing.assert_array_equal(together[1], np.vstack([one[1] for one in alone]))


def hard_points(kind, rng):
    """Points for which float32, or float64, says little about who is near."""
    rows = rng.normal(size=(300, 6))
    if kind == "two tight clusters":
        rows = rows * 1e-6 + np.where(np.arange(300) % 2, 100.0, -100.0)[:, None]
    elif kind == "far from zero":
        rows = rows + 1e9
    elif kind == "columns of other scales":
        rows = rows * 10.0 ** np.arange(-9, 9, 3)
    elif kind == "tiny":
        rows = rows * 1e-160
    elif kind == "huge":
        rows = rows * 1e138
    elif kind == "closer than float64 can say":
        rows = np.where(np.arange(300) % 2, 1e8, -1e8)[:, None] + np.round(rows * 4) * 1e-8
    return rows


@every_algorithm
@every_metric
@pytest.mark.parametrize(
    "kind",
    ["two tight clusters", "far from zero", "columns of other scales", "tiny", "huge"]
    + ["closer than float64 can say"],
)
def test_hard_points_are_told_apart_as_exactly(kind, algorithm, metric):
    rows = hard_points(kind, np.random.default_rng(7))
    asked = rows[::25] * (1 + 1e-9)
    found = NearestRows(rows).nearest(asked, 5, metric, algorithm)
    assert as_lists(found) == enumerated(rows, asked, 5, metric)


@every_algorithm
@every_metric
@pytest.mark.parametrize("size", [1e8, 1e14, 1e100, 1e140])
def test_rows_far_away_from_all_points(size, algorithm, metric):
    rng = np.random.default_rng(8)
    rows, asked = rng.normal(size=(60, 3)), rng.normal(size=(4, 3)) * size
    asked[0] = 0.1
    found = NearestRows(rows).nearest(asked, 5, metric, algorithm)
    assert as_lists(found) == enumerated(rows, asked, 5, metric)


@every_algorithm
def test_many_equal_rows_are_one_point(algorithm):
    rows = np.repeat([[1.0, 1.0], [0.0, 0.0]], 2000, axis=0)
    search = NearestRows(rows)
    distance, found = search.nearest(np.array([[0.0, 0.0]]), 3, "euclidean", algorithm)
    assert (distance.tolist(), found.tolist()) == ([[0.0, 0.0, 0.0]], [[2000, 2001, 2002]])
    distance, found = search.nearest(np.array([[0.5, 0.5]]), 2001, "manhattan", algorithm)
    assert distance.tolist() == [[1.0] * 2001]
    assert found.tolist() == [[*range(2001)]]


@every_algorithm
def test_all_points_equally_far(algorithm):
    angle = np.arange(12) * math.pi / 6
    rows = np.round(np.column_stack([np.cos(angle), np.sin(angle)]), 12)
    asked = np.zeros((1, 2))
    found = NearestRows(rows).nearest(asked, 5, "euclidean", algorithm)
    assert as_lists(found) == enumerated(rows, asked, 5, "euclidean")


@every_metric
@pytest.mark.parametrize("spread", [1.0, 1e-5, 1e-9])
def test_rounding_of_products_hides_no_neighbour(spread, metric):
    rng = np.random.default_rng(9)
    side, near = np.where(np.arange(3000) % 2, 1.0, -1.0)[:, None], rng.normal(size=(3000, 12))
    rows = side + spread * near
    found = NearestRows(rows).nearest(rows[:3], 5, metric, "brute")
    assert as_lists(found) == enumerated(rows, rows[:3], 5, metric)


@every_metric
def test_one_row_far_from_all_others_hides_no_neighbour(metric):
    rows = np.random.default_rng(10).normal(size=(300, 12))
    rows[7] = 1e15
    found = NearestRows(rows).nearest(rows[:9], 5, metric, "brute")
    assert as_lists(found) == enumerated(rows, rows[:9], 5, metric)


def test_the_search_of_scikit_learn_is_loaded_with_the_first_question():
    answer = run_python(
        "import sys\n"
        "from bayesic.models.neighbours.neighbours import KNeighborsClassifier\n"
        "model = KNeighborsClassifier(1).fit([[1.0], [2.0]], ['rain', 'sun'])\n"
        "print('sklearn.neighbors' in sys.modules)\n"
        "model.predict([[1.0]])\n"
        "print('sklearn.neighbors' in sys.modules)\n"
    )
    assert answer.stdout.split() == ["False", "True"], answer.stderr
