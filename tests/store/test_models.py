"""Every model that can be kept: a store learns as the model does, also from snapshots."""

import warnings
from inspect import signature
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import bayesic as by
from bayesic.catalogue import MODELS, ON_TOP
from bayesic.store.model_bytes import bytes_of
from helpers.comparisons import assert_same
from helpers.examples import at_most
from helpers.model_cases import CASES


def can_be_kept(case):
    model = case.make()
    known = type(model).__name__ in MODELS | ON_TOP
    return known and hasattr(model, "partial_fit") and hasattr(model, "forget")


KEPT = {name: case for name, case in CASES.items() if can_be_kept(case)}


def test_these_models_cannot_be_kept():
    others = {name.partition(" ")[0] for name in CASES.keys() - KEPT.keys()}
    assert others == {
        "BayesDecision", "BayesOptimalClassifier", "GaussianMixture", "GibbsClassifier", "KMeans",
        "LogisticRegression", "MDLTreeClassifier", "RuleClassifier", "SemiSupervised",
    }  # fmt: skip


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def begun(case, batch):
    """A model as it comes into a store, and what is told with it."""
    model = case.make()
    if type(model).__name__ in ("AutoBayes", "Calibrated"):
        return case.fit(batch), {}
    takes = signature(model.partial_fit).parameters
    told = {"classes": case.classes} if "classes" in takes and case.classes else {}
    return model, told | case.options


@pytest.mark.parametrize("case", KEPT.values(), ids=KEPT.keys())
@given(data=st.data())
@at_most(4)
def test_a_store_that_is_opened_again_and_again_learns_as_the_model_does(case, data):
    first, *batches = [data.draw(case.batch()) for _ in range(3)]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "models.store"
        try:
            model, told = begun(case, first)
            with by.open_store(path) as store:
                store.create("model", model, **told)
                mine = store.model("model")
                assert getattr(mine, "choices", "hold") == "hold"  # where a model has the choice
            for number, batch in enumerate([first, *batches]):
                rows, _ = case.arguments(batch)
                mine.partial_fit(*rows, **(told if number == 0 else {}))
            forgets = getattr(mine, "decay", None) is None  # what has faded cannot be taken out
            if forgets:
                case.forget(mine, batches[0])
        except ValueError:  # rows that this model cannot learn
            assume(False)
        for number, batch in enumerate([first, *batches]):
            with by.open_store(path, snapshot_every=1 + number) as store:
                ids = [f"{number}-{row}" for row in range(len(batch.records))]
                store.learn("model", *case.arguments(batch)[0], ids=ids)
        with by.open_store(path) as store:
            if forgets:
                store.forget("model", [f"1-{row}" for row in range(len(batches[0].records))])
            ours = store.model("model")
            assert store.verify().ok
            assert bytes_of(store.at("model", store.state("model").seq)) == bytes_of(ours)
    if hasattr(mine, "statistics_"):
        assert_same(ours.statistics_, mine.statistics_, tolerance=1e-12, scale=20.0)
    np.testing.assert_array_equal(case.answers(ours, first), case.answers(mine, first))
