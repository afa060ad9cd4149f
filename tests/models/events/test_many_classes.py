"""Many classes with few rows each: the work is bounded, and what is chosen stays a function."""

import numpy as np
import pytest

import bayesic as by
from bayesic.estimation.smoothing import Lambda
from bayesic.models.events import automatic, densities
from bayesic.models.events.automatic import automatic_number_event, automatic_smoothing
from bayesic.models.events.densities import gaussian
from bayesic.models.events.shares import categorical
from bayesic.statistics import number_counts as numbers
from bayesic.statistics.level_counts import level_counts
from bayesic.statistics.number_counts import number_counts


def rows_of(n_classes, n_rows, seed=0):
    rng = np.random.default_rng(seed)
    codes = np.concatenate([np.arange(n_classes), rng.integers(n_classes, size=n_rows - n_classes)])
    return rng.normal(codes / n_classes, 0.1), codes


def test_candidates_are_judged_by_no_more_scores_than_they_may_take(monkeypatch):
    monkeypatch.setattr(automatic, "MOST_SCORES", 2000)
    values, codes = rows_of(n_classes=50, n_rows=400)
    counts = number_counts(values, codes, 50)
    n_scored = []

    def scores_without(encoded, codes, weights):
        n_scored.append(len(codes))
        return np.zeros((len(codes), 50))

    score = automatic.leave_one_out_score(scores_without, counts.values, counts.table)
    assert sum(n_scored) == 2000 // 50
    monkeypatch.undo()
    of_all = automatic.leave_one_out_score(scores_without, counts.values, counts.table)
    assert score == pytest.approx(of_all, rel=0.1)  # from 40 rows of 400


def test_what_is_judged_by_some_rows_is_the_same_in_pieces_as_at_once(monkeypatch):
    monkeypatch.setattr(automatic, "MOST_SCORES", 2000)
    values, codes = rows_of(n_classes=50, n_rows=400)
    names = np.array([f"site {code:02}" for code in range(50)])[codes]
    whole = by.NaiveBayes().fit(values[:, None], names)
    order = np.random.default_rng(1).permutation(400)
    pieces = by.NaiveBayes()
    for some in np.split(order, 8):
        pieces.partial_fit(values[some][:, None], names[some])
    assert pieces.kinds_ == whole.kinds_
    assert (pieces.predict_proba(values[:9, None]) == whole.predict_proba(values[:9, None])).all()


def test_no_kernel_density_is_tried_where_its_tables_would_be_too_large(monkeypatch):
    rng, made = np.random.default_rng(0), []
    counts = number_counts(rng.normal(size=600), np.repeat([0, 1], 300), 2)
    usual = automatic.kernel
    monkeypatch.setattr(automatic, "kernel", lambda *facts: made.append(facts) or usual(*facts))
    automatic_number_event(counts, Lambda(1.0))
    assert len(made) == 1
    monkeypatch.setattr(automatic, "MOST_CELLS_OF_KERNEL", 1000)
    assert automatic_number_event(counts, Lambda(1.0)).kind != "kernel"
    assert len(made) == 1


def test_a_row_that_holds_the_scatter_of_its_class_is_taken_out_of_that_class_alone(monkeypatch):
    values, codes = rows_of(n_classes=60, n_rows=120)  # most classes have two rows
    counts, shapes = number_counts(values, codes, 60), []
    made = densities.table_moments

    def table_moments(values, table):
        shapes.append(table.shape[1])
        return made(values, table)

    monkeypatch.setattr(densities, "table_moments", table_moments)
    scores = gaussian(counts).scores_without(values, codes, np.ones(120))
    assert set(shapes) == {1}
    for row in range(0, 120, 7):  # as a refit without the row
        others = np.arange(120) != row
        refit = gaussian(number_counts(values[others], codes[others], 60))
        expected = refit.scores(values[[row]])[0]
        np.testing.assert_allclose(scores[row], expected, rtol=1e-6)


def test_rows_of_many_classes_are_not_scored_by_level_and_class(monkeypatch):
    """Each level in each class would be more work than each row."""
    codes = np.arange(300)
    counts = level_counts(np.arange(300) % 3, ("rain", "snow", "sun"), codes, 300, None)
    event, n_scored = categorical(counts, Lambda(1.0)), []
    whole = type(event)._without

    def without(self, level, codes, weights):
        n_scored.append(len(level))
        return whole(self, level, codes, weights)

    monkeypatch.setattr(type(event), "_without", without)
    event.scores_without(np.arange(300) % 3, codes, np.ones(300))
    assert n_scored == [300]
    assert automatic_smoothing(event).rule.amount > 0


def test_more_counts_of_values_than_memory_may_take_are_refused(monkeypatch):
    monkeypatch.setattr(numbers, "MOST_CELLS", 1000)
    values, codes = rows_of(n_classes=20, n_rows=40)  # 800 cells a column
    names = np.array([f"site {code:02}" for code in codes])
    by.NaiveBayes().fit(values[:, None], names)
