"""choices="hold": what was chosen stays while rows come, and follows from the rows alone."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from helpers.examples import at_most
from helpers.labelled_rows import WORDS

pytestmark = pytest.mark.filterwarnings("ignore:Some columns tell nothing")

Row = dict[str, Any]
SKIES = ("rain", "sun", "雪")
COLUMNS = {"wind": None, "heat": "kernel", "rain": "binned", "sky": None, "rooms": None}
FIRST = 60  # rows that are learned at once


def drawn_rows(n_rows: int, seed: int) -> tuple[list[Row], list[str]]:
    """Days whose numbers and words differ by class."""
    random = np.random.default_rng(seed)
    codes = random.integers(3, size=n_rows)
    days = [
        {
            "wind": float(random.normal(code)),
            "heat": float(random.integers(9) + code),
            "rain": None if random.random() < 0.1 else float(random.exponential(1 + code)),
            "sky": SKIES[code if random.random() < 0.6 else random.integers(3)],
            "rooms": int(random.integers(3) + code),
        }
        for code in codes.tolist()
    ]
    return days, [WORDS[code] for code in codes]


def drawn_days(n_rows: int, seed: int) -> tuple[list[Row], list[str]]:
    """Days of words that depend on the class, and on each other."""
    random = np.random.default_rng(seed)
    codes = random.integers(3, size=n_rows)
    days = []
    for code in codes.tolist():
        sky = SKIES[code if random.random() < 0.6 else random.integers(3)]
        wind = sky if random.random() < 0.5 else SKIES[random.integers(3)]
        wet = wind if random.random() < 0.5 else None
        days.append({"sky": sky, "wind": wind, "wet": wet, "late": SKIES[random.integers(3)]})
    return days, [WORDS[code] for code in codes]


def drawn_texts(n_texts: int, seed: int) -> tuple[list[str], list[str]]:
    """Texts whose words differ by class."""
    random = np.random.default_rng(seed)
    codes = random.integers(3, size=n_texts)
    words = [f"{word}{number}" for word in ("rain", "sun", "雪") for number in range(9)]
    texts = [
        " ".join(random.choice(words[9 * code :] if random.random() < 0.7 else words, size=6))
        for code in codes.tolist()
    ]
    return texts, [WORDS[code] for code in codes]


@dataclass(frozen=True)
class Holding:
    """A model that holds its choices, and the way it takes rows."""

    make: Callable[[str], Any]  # choices -> model
    rows: Callable[[int, int], tuple[list[Any], list[str]]]


MODELS = {
    "NaiveBayes": Holding(
        lambda choices: by.NaiveBayes(
            columns={name: kind for name, kind in COLUMNS.items() if kind},
            smoothing="auto",
            choices=choices,
        ),
        drawn_rows,
    ),
    "TreeAugmentedNB": Holding(lambda choices: by.TreeAugmentedNB(choices=choices), drawn_days),
    "KDependence": Holding(lambda choices: by.KDependence(k=2, choices=choices), drawn_days),
    "AveragedOneDependence": Holding(
        lambda choices: by.AveragedOneDependence(choices=choices), drawn_days
    ),
    **{
        f"TextClassifier, {model}": Holding(
            lambda choices, model=model: by.TextClassifier(
                model, smoothing="auto", max_words=12, choices=choices
            ),
            drawn_texts,
        )
        for model in ("multinomial", "complement", "bernoulli")
    },
}


@pytest.fixture(params=MODELS.values(), ids=MODELS.keys())
def holding(request: pytest.FixtureRequest) -> Holding:
    return request.param


def same(one: Any, other: Any, rows: list[Any]) -> None:
    """Both models answer the same, to the last bit."""
    np.testing.assert_array_equal(one.predict_proba(rows), other.predict_proba(rows))


@at_most(15)
@given(data=st.data())
def test_single_rows_are_the_same_as_all_of_them_at_once(data):
    holding = MODELS[data.draw(st.sampled_from([*MODELS]))]
    rows, labels = holding.rows(FIRST + 5, data.draw(st.integers(0, 1000)))
    order = data.draw(st.permutations(range(FIRST, FIRST + 5)))
    first = rows[:FIRST], labels[:FIRST]
    one_by_one, at_once = (holding.make("hold").fit(*first) for _ in range(2))
    for row in order:
        one_by_one.partial_fit([rows[row]], [labels[row]])
    at_once.partial_fit([rows[row] for row in order], [labels[row] for row in order])
    assert one_by_one.held_ is not None
    assert at_once.held_.n_rows == one_by_one.held_.n_rows == FIRST
    same(one_by_one, at_once, rows[-9:])
    for row in rows[-3:]:
        same(one_by_one, at_once, [row])


def test_so_it_is_when_a_column_has_more_values_than_are_kept(monkeypatch):
    monkeypatch.setattr("bayesic.statistics.value_tables.MOST_VALUES", 16)
    random = np.random.default_rng(2)
    winds, labels = random.uniform(1, 4, 36), random.choice(WORDS[:3], 36)
    first = {"wind": winds[:12]}, labels[:12]
    one_by_one, at_once = (by.NaiveBayes(numeric="gaussian").fit(*first) for _ in range(2))
    for row in range(12, 36):
        one_by_one.partial_fit({"wind": winds[[row]]}, labels[[row]])
    at_once.partial_fit({"wind": winds[12:30]}, labels[12:30])
    at_once.partial_fit({"wind": winds[30:]}, labels[30:])
    assert at_once.statistics_.columns["wind"].bits < 52
    same(one_by_one, at_once, {"wind": winds})


def test_rows_are_learned_before_anything_is_chosen_anew(holding):
    rows, labels = holding.rows(FIRST + 5, 3)
    model = holding.make("hold").fit(rows[:FIRST], labels[:FIRST])
    model.partial_fit(rows[FIRST:], labels[FIRST:])
    always = holding.make("always").fit(rows, labels)
    assert model.statistics_.class_count.tolist() == always.statistics_.class_count.tolist()
    assert model.held_.n_rows == FIRST


def test_a_tenth_more_rows_choose_anew_and_the_model_is_that_of_one_fit(holding):
    rows, labels = holding.rows(FIRST + 6, 4)
    model = holding.make("hold").fit(rows[:FIRST], labels[:FIRST])
    for row in range(FIRST, FIRST + 6):
        assert model.held_.n_rows == FIRST
        model.partial_fit([rows[row]], [labels[row]])
    assert model.held_.n_rows == FIRST + 6
    same(model, holding.make("always").fit(rows, labels), rows)


def test_choosing_again_makes_the_model_of_one_fit(holding):
    rows, labels = holding.rows(FIRST + 5, 5)
    model = holding.make("hold").fit(rows[:FIRST], labels[:FIRST])
    model.partial_fit(rows[FIRST:], labels[FIRST:]).choose_again()
    assert model.held_.n_rows == FIRST + 5
    same(model, holding.make("always").fit(rows, labels), rows)


def test_choosing_again_changes_nothing_where_all_is_always_chosen(holding):
    rows, labels = holding.rows(FIRST, 5)
    model = holding.make("always").fit(rows, labels)
    same(model.choose_again(), holding.make("always").fit(rows, labels), rows)


def test_a_model_that_is_saved_in_between_goes_on_with_the_same_bits(holding, tmp_path):
    rows, labels = holding.rows(FIRST + 12, 6)
    model = holding.make("hold").fit(rows[:FIRST], labels[:FIRST])
    model.partial_fit(rows[FIRST : FIRST + 3], labels[FIRST : FIRST + 3])
    model.save(tmp_path / "held.bayes")
    loaded = by.load(tmp_path / "held.bayes")
    same(loaded, model, rows)
    for row in range(FIRST + 3, FIRST + 12):
        for each in (model, loaded):
            each.partial_fit([rows[row]], [labels[row]])
        same(loaded, model, rows)
    assert loaded.held_.n_rows == model.held_.n_rows == FIRST + 6


def test_forgetting_holds_until_a_tenth_is_gone(holding):
    rows, labels = holding.rows(FIRST, 7)
    model = holding.make("hold").fit(rows, labels)
    model.forget(rows[:5], labels[:5])
    assert model.held_.n_rows == FIRST
    model.forget(rows[5:6], labels[5:6])
    assert model.held_.n_rows == FIRST - 6
    same(model, holding.make("always").fit(rows[6:], labels[6:]), rows[6:])


def test_merging_holds_what_the_first_has_chosen_until_a_tenth_has_come(holding):
    rows, labels = holding.rows(FIRST + 40, 8)
    model = holding.make("hold").fit(rows[:FIRST], labels[:FIRST])
    few = holding.make("hold").fit(rows[FIRST : FIRST + 4], labels[FIRST : FIRST + 4])
    many = holding.make("hold").fit(rows[FIRST + 4 :], labels[FIRST + 4 :])
    assert model.merge(few).held_.n_rows == FIRST
    assert model.merge(many).held_.n_rows == FIRST + 40
    same(model, holding.make("always").fit(rows, labels), rows)


def test_parameters_that_are_set_make_choices_void(holding):
    rows, labels = holding.rows(FIRST, 9)
    model = holding.make("hold").fit(rows, labels)
    model.set_params(smoothing=2.0)
    same(model, holding.make("always").set_params(smoothing=2.0).fit(rows, labels), rows)
    model.partial_fit(rows[:1], labels[:1])
    assert model.held_.n_rows == FIRST + 1


def test_other_words_than_always_and_hold_are_refused(holding):
    rows, labels = holding.rows(FIRST, 9)
    with pytest.raises(ValueError, match="choices must be"):
        holding.make("sometimes").fit(rows, labels)


def test_what_is_held_stays_though_the_rows_would_choose_otherwise():
    skewed = np.exp(np.random.default_rng(0).normal(size=200))
    labels = np.where(skewed > 1, "wet", "dry")
    model = by.NaiveBayes(choices="hold").fit({"rain": skewed}, labels)
    kind, cuts = model.kinds_["rain"], model.held_.choices.columns["rain"].cuts
    model.partial_fit({"rain": np.linspace(1, 3, 19)}, ["dry"] * 19)
    assert model.kinds_["rain"] == kind == "binned"
    assert tuple(model.events_["rain"].cuts.tolist()) == cuts
    assert tuple(model.choose_again().events_["rain"].cuts.tolist()) != cuts


def test_a_column_that_shows_its_first_value_is_chosen_then(tmp_path):
    rows, labels = drawn_rows(FIRST, 10)
    model = by.NaiveBayes(choices="hold").fit([row | {"snow": None} for row in rows], labels)
    assert "snow" not in model.held_.choices.columns
    model.partial_fit([rows[0] | {"snow": 2.0}], labels[:1])
    assert model.held_.n_rows == FIRST
    assert model.held_.choices.columns["snow"].kind == model.kinds_["snow"]
    model.save(tmp_path / "snow.bayes")
    assert by.load(tmp_path / "snow.bayes").held_.choices.columns == model.held_.choices.columns


@pytest.mark.parametrize(
    "model",
    [by.NaiveBayes, by.TreeAugmentedNB, by.KDependence, by.AveragedOneDependence],
    ids=lambda model: model.__name__,
)
def test_new_classes_may_come_at_any_time(model):
    sky = {"sky": ["rain", "sun", "rain", "sun"]}
    for choices in ("always", "hold"):
        learned = model(choices=choices).fit(sky, ["no", "yes", "no", "yes"])
        assert learned.partial_fit({"sky": ["fog"]}, ["maybe"]).classes_.tolist() == [
            "maybe",
            "no",
            "yes",
        ]
