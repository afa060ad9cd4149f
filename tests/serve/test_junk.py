"""Whatever JSON comes to whatever route: an answer, or a sentence; the server never fails."""

import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import bayesic as by
from bayesic.serve.routes import ROUTES
from helpers.examples import at_most
from helpers.http_server import ask, serving

MODELS = ("plans", "mails", "numbers", "day", "line", "near", "empty")

cells = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
junk = st.recursive(
    cells,
    lambda part: (
        st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=5), part, max_size=3)
    ),
    max_leaves=6,
)
rows = st.one_of(
    st.text(max_size=20),
    st.fixed_dictionaries({}, optional={"sky": junk, "wind": junk, "storm": cells, "fire": cells}),
    st.lists(cells, min_size=2, max_size=2),
    junk,
)
likely = {
    "row": rows,
    "rows": st.lists(rows, max_size=3),
    "y": junk | st.lists(st.sampled_from(["go", "stay", 0, 1, None, 2.5]), max_size=3),
    "id": junk,
    "ids": st.lists(junk, max_size=3),
    "target": st.sampled_from(["fire", "storm", "other"]) | junk,
    "targets": st.sampled_from(["fire", ["storm", "fire"], ["fire", "fire"]]) | junk,
    "given": st.dictionaries(st.sampled_from(["fire", "storm"]), cells, max_size=2) | junk,
    "likelihoods": st.dictionaries(st.just("fire"), junk, max_size=1) | junk,
    "do": st.dictionaries(st.just("storm"), cells, max_size=1) | junk,
    "loss": st.dictionaries(st.text(max_size=3), st.dictionaries(st.text(max_size=3), junk)) | junk,
    "reject_loss": junk,
    "top": junk,
    "model": st.sampled_from(["NaiveBayes", "TextClassifier", "GaussianNB", "KMeans"]) | junk,
    "parameters": st.dictionaries(
        st.sampled_from(["smoothing", "columns", "ngrams", "priors", "prior", "var_smoothing"]),
        junk,
        max_size=2,
    )
    | junk,
    "keep_rows": st.booleans() | junk,
    "answer": junk,
    "against": junk,
    "inputs": st.lists(
        st.fixed_dictionaries(
            {
                "name": st.sampled_from(["sky", "wind", "text", "rows"]) | junk,
                "datatype": st.sampled_from(["BYTES", "FP64"]) | junk,
                "shape": st.lists(st.integers(0, 3), max_size=3) | junk,
                "data": st.lists(cells, max_size=3) | junk,
            }
        ),
        max_size=2,
    )
    | junk,
}
FIELDS = {
    "learn": ("y", "id", "ids"),
    "adopt": ("y", "id", "ids"),
    "evaluate": ("y", "id", "ids"),
    "correct": ("id", "y"),
    "forget": ("ids",),
    "predict": ("target",),
    "explain": ("answer", "against", "top", "target"),
    "decide": ("loss", "reject_loss", "target"),
    "query": ("targets", "given", "likelihoods", "do"),
    "replay": ("model", "parameters"),
    "compact": ("keep_rows",),
    "infer": ("inputs",),
}
POSTS = [route.path for route in ROUTES if route.method == "POST"]


def bodies(verb):
    """Bodies that are close to what the verb takes."""
    wanted = {name: likely[name] for name in FIELDS[verb]}
    if verb in ("correct", "forget", "query", "infer", "replay", "compact"):
        return st.fixed_dictionaries({}, optional=wanted)
    one = st.fixed_dictionaries({"row": rows}, optional=wanted)
    return one | st.fixed_dictionaries({"rows": likely["rows"]}, optional=wanted)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    path = tmp_path_factory.mktemp("stores") / "mail.store"
    with serving(path) as address, by.connect(address) as store:
        days = [{"sky": "rain", "wind": 9.5}, {"sky": "sun", "wind": 1.0}]
        store.create("plans", by.NaiveBayes())
        store.learn("plans", days, ["stay", "go"])
        store.create("mails", by.TextClassifier())
        store.learn("mails", ["free money", "lunch"], ["stay", "go"])
        store.create("numbers", by.GaussianNB(), classes=[0, 1])
        store.learn("numbers", [[1.0, 2.0], [3.0, 4.0]], [0, 1])
        store.create("day", by.BeliefNetwork([("storm", "fire")]), smoothing=1)
        store.learn("day", [{"storm": True, "fire": "no"}, {"storm": False, "fire": "yes"}])
        store.create("line", by.LeastSquares())
        store.learn("line", [[1.0, 2.0], [3.0, 4.0], [0.0, 1.0]], [0.5, 1.0, 2.5])
        store.create("near", by.KNeighborsClassifier(n_neighbors=1))
        store.learn("near", [[1.0, 2.0], [3.0, 4.0]], [0, 1])
        store.create("empty", by.JointBayes())
        yield address


@pytest.mark.parametrize("path", POSTS)
@settings(at_most(60), suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_json_is_answered_or_refused_with_a_sentence(address, path, data):
    name = data.draw(st.sampled_from(MODELS))
    body = data.draw(bodies(path.rpartition("/")[2]) | junk)
    answer = ask(address, "POST", path.replace("{name}", name), body)
    assert answer.status < 500, (name, body, answer.bytes)
    if answer.headers["content-type"] == "application/octet-stream":
        return  # a model file
    told = json.loads(answer.bytes, parse_constant=lambda name: pytest.fail(name))
    assert isinstance(told, dict)
    assert answer.status == 200 or told["message"].strip()


@settings(at_most(60), suppress_health_check=list(HealthCheck))
@given(
    st.fixed_dictionaries(
        {"model": st.sampled_from(["NaiveBayes", "TextClassifier", "BeliefNetwork", "GaussianNB"])},
        optional={
            "parameters": st.dictionaries(
                st.sampled_from(["smoothing", "columns", "ngrams", "edges", "states", "priors"]),
                junk,
                max_size=2,
            ),
            "classes": junk,
            "smoothing": junk,
        },
    )
)
@example({"model": "NaiveBayes", "classes": [[None]]})
def test_any_parameters_make_a_model_or_are_refused(address, body):
    answer = ask(address, "PUT", "/models/made", body)
    assert answer.status < 500, (body, answer.bytes)
    if answer.status == 201:
        ask(address, "DELETE", "/models/made")
