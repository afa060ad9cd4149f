"""Wrong types and wrong values: refused with a sentence of ours, and nothing is changed."""

import traceback
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from bayesic.networks import edge_strengths, editing
from bayesic.networks.factor_model import FactorModel
from bayesic.networks.factors import Factors
from helpers.examples import at_most
from helpers.network_junk import COLLECTIONS, SCALARS, junk

DAYS = {"rain": ["yes", "no", "yes", "no"], "wet": ["yes", "no", "no", "yes"]}
HALF = Factors((2,), ((0,),), ([0.5, 0.5],))


def written():
    return by.BeliefNetwork(
        [("rain", "wet")],
        {
            "rain": {"yes": 0.2, "no": 0.8},
            "wet": {"yes": {"yes": 0.9, "no": 0.1}, "no": {"yes": 0.1, "no": 0.9}},
        },
    )


def apart():
    return by.BeliefNetwork(tables={name: {"yes": 0.5, "no": 0.5} for name in ("rain", "wet")})


def learned():
    return by.BeliefNetwork([("rain", "wet")]).fit(DAYS)


def on_written(name):
    return lambda **arguments: getattr(written(), name)(**arguments)


def on_learned(name):
    return lambda **arguments: getattr(learned(), name)(**arguments)


FIT = {"table": DAYS, "smoothing": 0, "sample_weight": None, "seed": 0, "tol": 1e-6}
QUERY = {
    "target": "rain",
    "given": None,
    "likelihoods": None,
    "do": None,
    "samples": 100,
    "seed": 0,
}
STATE = {"net": written(), "variable": "rain"}
LEARN = {"table": DAYS, "required": (), "forbidden": (), "tiers": None, "seed": 0}
# what is called, with arguments that work: one of them at a time becomes junk
CALLS = {
    "edges": (by.BeliefNetwork, {"edges": [("rain", "wet")], "tables": None, "states": None}),
    "tables": (
        by.BeliefNetwork,
        {
            "edges": [],
            "tables": {"rain": {"yes": 0.5, "no": 0.5}},
            "states": {"rain": ["yes", "no"]},
            "normalise": False,
        },
    ),
    "query": (on_written("query"), QUERY | {"method": "exact"}),
    "weighting": (on_written("query"), QUERY | {"method": "likelihood-weighting"}),
    "gibbs": (on_written("query"), QUERY | {"method": "gibbs"}),
    "posteriors": (on_written("posteriors"), {"table": DAYS, "targets": "rain"}),
    "log_probability": (on_written("log_probability"), {"table": DAYS}),
    "most_probable": (on_written("most_probable"), {"given": None}),
    "probability_of": (on_written("probability_of"), {"event": {"rain": "yes"}, "given": None}),
    "mutual_information": (on_written("mutual_information"), {"target": "rain", "given": None}),
    "cost": (on_written("cost"), {"given": None}),
    "with_positions": (on_written("with_positions"), {"positions": {"rain": (1, 2)}}),
    "do": (on_written("do"), {"values": {"rain": "yes"}}),
    "sample": (on_written("sample"), {"n": 3, "seed": 0, "given": None, "likelihoods": None}),
    "fit": (on_written("fit"), FIT),
    "em": (on_written("fit"), FIT | {"method": "em"}),
    "gradient": (on_written("fit"), FIT | {"method": "gradient"}),
    "partial_fit": (on_learned("partial_fit"), {"table": DAYS, "smoothing": None}),
    "forget": (on_learned("forget"), {"table": DAYS, "sample_weight": None}),
    "merge": (on_learned("merge"), {"other": None}),
    "predict": (on_written("predict"), {"table": DAYS, "target": "rain"}),
    "predict_proba": (on_written("predict_proba"), {"table": DAYS, "target": "rain"}),
    "explain": (on_written("explain"), {"table": DAYS, "target": "rain", "against": None}),
    "leave_one_out": (on_learned("leave_one_out"), {"table": DAYS, "target": "rain"}),
    "uncertainty": (on_learned("posterior_uncertainty"), {"variable": "rain", "level": 0.9}),
    "with_tables": (on_written("with_tables"), {"tables": {"rain": [0.5, 0.5]}}),
    "table": (on_written("table"), {"variable": "rain"}),
    "row of a table": (lambda key: written().table("wet")[key], {"key": "yes"}),
    "d_separated": (on_written("d_separated"), {"first": "rain", "second": "wet", "given": ()}),
    "d_connected": (on_written("d_connected"), {"variable": "rain", "given": (), "soft": ()}),
    "open_path": (
        on_written("open_path"),
        {"first": "rain", "second": "wet", "given": (), "soft": ()},
    ),
    "with_variable": (
        editing.with_variable,
        {"net": written(), "name": "sun", "states": ["yes"], "position": (1, 2)},
    ),
    "renamed_variable": (
        editing.renamed_variable,
        {"net": written(), "variable": "rain", "name": "sun"},
    ),
    "without_variable": (editing.without_variable, {"net": written(), "variable": "rain"}),
    "with_state": (editing.with_state, STATE | {"state": "maybe"}),
    "renamed_state": (editing.renamed_state, STATE | {"state": "yes", "name": "maybe"}),
    "without_state": (editing.without_state, STATE | {"state": "yes"}),
    "with_edge": (editing.with_edge, {"net": apart(), "parent": "rain", "child": "wet"}),
    "without_edge": (editing.without_edge, {"net": written(), "parent": "rain", "child": "wet"}),
    "with_rows": (editing.with_rows, STATE | {"rows": [[1, 1]], "normalise": True}),
    "with_noisy_or": (
        editing.with_noisy_or,
        {
            "net": written(),
            "variable": "wet",
            "causes": {"rain": 0.5},
            "leak": 0.1,
            "present": {"rain": "no"},
        },
    ),
    "hill-climb": (
        by.learn_structure,
        LEARN | {"score": None, "restarts": 1},
    ),
    "k2": (
        by.learn_structure,
        LEARN | {"method": "k2", "order": ["rain", "wet"], "max_parents": 1},
    ),
    "exact": (by.learn_structure, LEARN | {"method": "exact", "score": "bdeu", "max_parents": 2}),
    "pc": (by.learn_structure, LEARN | {"method": "pc", "test": None, "significance": 0.05}),
    "chow-liu": (by.learn_structure, {"table": DAYS, "method": "chow-liu", "smoothing": 0}),
    "edge_strengths": (edge_strengths, LEARN | {"samples": 2, "method": "hill-climb"}),
    "factors": (FactorModel, {"factors": HALF, "states": {"rain": ["yes", "no"]}}),
    "read_network": (by.read_network, {"path": "no such file"}),
}
LIBRARY = str(Path(by.__file__).parent)
# a file's name that no file can have: the system says it better than we would
REFUSALS = (ValueError, TypeError, OSError)


def refused_or_answered(call, arguments):
    """Run the call; if it fails, its error must be a sentence that the library has written."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call(**arguments)
        except REFUSALS as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            is_ours = last.filename.startswith(LIBRARY) and (last.line or "").startswith("raise")
            assert is_ours or isinstance(error, OSError), error
            assert len(str(error)) > 20, error


def endless(name, value):
    """Whether this asks, in earnest, for more than a test can wait for."""
    return name == "restarts" and isinstance(value, int) and value > 100


@pytest.mark.parametrize("name", CALLS)
def test_each_argument_may_be_junk(name):
    call, good = CALLS[name]
    for argument in good:
        for value in SCALARS + COLLECTIONS:
            if not endless(argument, value):
                refused_or_answered(call, {**good, argument: value})


@given(st.data())
@at_most(300)
def test_several_arguments_may_be_junk(data):
    call, good = CALLS[data.draw(st.sampled_from(sorted(CALLS)))]
    names = data.draw(st.lists(st.sampled_from(sorted(good)), min_size=1, unique=True))
    values = {name: data.draw(junk) for name in names}
    if not any(endless(name, value) for name, value in values.items()):
        refused_or_answered(call, {**good, **values})


@given(st.sampled_from(["fit", "partial_fit", "forget", "merge"]), junk)
@at_most(100)
def test_junk_that_is_refused_changes_nothing(name, value):
    net, before = learned(), learned()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            getattr(net, name)(value)
        except REFUSALS:
            assert net == before
            assert (net.statistics_.table == before.statistics_.table).all()


def test_names_that_are_no_columns_are_told_from_those_that_are():
    with pytest.raises(ValueError, match="required names 'snow', which is no column"):
        by.learn_structure(DAYS, required=[("snow", "wet")])
    with pytest.raises(TypeError, match="forbidden must be a list of edges"):
        by.learn_structure(DAYS, forbidden=7)
    with pytest.raises(TypeError, match="tiers must be lists of variables, got 3"):
        by.learn_structure(DAYS, tiers=3)
    with pytest.raises(ValueError, match="max_parents must be a whole number of 0 or more, got -1"):
        by.learn_structure(DAYS, max_parents=-1)
    with pytest.raises(TypeError, match="Name a variable, or several in a list, got 5"):
        written().query(5)
    with pytest.raises(TypeError, match="edges must be a list of pairs"):
        by.BeliefNetwork(5)
