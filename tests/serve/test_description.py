"""The description, the metrics and the protocol of others: made from what is served."""

import re

import pytest
from openapi_spec_validator import validate

import bayesic as by
from bayesic.serve.request_limits import RequestLimits
from bayesic.serve.routes import ROUTES
from helpers.http_server import ask, serving, teach_models

DAYS = [{"sky": "rain", "wind": 9.5}, {"sky": "sun", "wind": 1.0}, {"sky": "sun", "wind": 2.0}]
PLANS = ["stay", "go", "go"]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    path = tmp_path_factory.mktemp("stores") / "mail.store"
    with serving(path) as address, by.connect(address) as store:
        teach_models(store)
        yield address


@pytest.fixture(scope="module")
def described(address):
    return ask(address, "GET", "/openapi.json").json


def test_the_description_is_valid(described):
    validate(described)  # against the schema of OpenAPI 3.1
    assert described["openapi"].startswith("3.1")


def test_every_route_is_described(described):
    for route in ROUTES:
        told = described["paths"][route.path][route.method.lower()]
        assert told["summary"] == route.summary != ""
        named = set(re.findall(r"{(\w+)}", route.path))
        assert named == {each["name"] for each in told["parameters"] if each["in"] == "path"}
        assert ("requestBody" in told) == bool(route.takes)


def test_the_limits_of_the_server_are_described(tmp_path):
    limits = RequestLimits(body=1234, rows=77, cells=55, probabilities=999)
    with serving(tmp_path / "mail.store", limits) as address:
        paths = ask(address, "GET", "/openapi.json").json["paths"]
    for path, method in (("predict", "post"), ("learn", "post"), ("infer", "post")):
        prefix = "/v2" if path == "infer" else ""
        told = paths[f"{prefix}/models/{{name}}/{path}"][method]["responses"]["413"]["description"]
        assert all(part in told for part in ("1,234 bytes", "77 rows", "55 cells"))
        assert "999 probabilities" in told


def test_operations_have_ids_of_their_own_and_every_reference_is_there(described):
    operations = [each for path in described["paths"].values() for each in path.values()]
    ids = [each["operationId"] for each in operations]
    assert len(set(ids)) == len(ids)
    references = set(re.findall(r"'\$ref': '#/components/schemas/(\w+)'", str(described)))
    assert references == set(described["components"]["schemas"])


def test_a_model_is_described_with_its_columns_kinds_and_classes(described):
    learn = described["paths"]["/models/plans/learn"]["post"]["requestBody"]["content"]
    one, many = learn["application/json"]["schema"]["oneOf"]
    assert one["properties"]["row"]["properties"] == {
        "sky": {"type": ["string", "number", "boolean", "null"], "description": "categorical"},
        "wind": {
            "type": ["string", "number", "boolean", "null"],  # "9.5" is a number as well
            "description": "gaussian: a number",
        },
    }
    assert many["properties"]["y"]["items"]["examples"] == ["go", "stay"]
    answers = described["paths"]["/models/plans/predict"]["post"]["responses"]["200"]["content"]
    one, _ = answers["application/json"]["schema"]["oneOf"]
    assert one["properties"]["prediction"] == {"enum": ["go", "stay"]}
    texts = described["paths"]["/models/%E7%9F%AD%E4%BF%A1/predict"]["post"]["requestBody"]
    row = texts["content"]["application/json"]["schema"]["oneOf"][0]["properties"]["row"]
    assert row["type"] == ["string", "null"]
    network = described["paths"]["/models/day/predict"]["post"]["requestBody"]["content"]
    one, _ = network["application/json"]["schema"]["oneOf"]
    assert one["properties"]["row"]["properties"]["fire"]["examples"] == ["no", "yes", None]
    assert one["properties"]["target"] == {"enum": ["storm", "fire"]}


def test_metrics_are_lines_that_prometheus_reads(address):
    ask(address, "POST", "/models/plans/predict", {"row": DAYS[0]})
    ask(address, "BREW", "/coffee")
    answer = ask(address, "GET", "/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    text = answer.bytes.decode()
    line = re.compile(r'^(# (HELP|TYPE) \w+ .+|\w+({\w+="[^"\n]*"(,\w+="[^"\n]*")*})? [\d.e+-]+)$')
    assert all(line.match(each) for each in text.splitlines())
    assert 'bayesic_events_total{op="learn",model="短信"} 2' in text
    assert 'route="/models/{name}/predict",method="POST",status="200"' in text
    assert 'method="other",status="404"' in text
    assert re.search(r"bayesic_commit_seconds_count [1-9]", text)
    buckets = [int(n) for n in re.findall(r"bayesic_group_size_bucket.* (\d+)", text)]
    assert buckets == sorted(buckets)


def test_the_server_lives_and_is_ready_under_both_names(address):
    for path in ("/health/live", "/v2/health/live"):
        assert ask(address, "GET", path).json == {"live": True}
    for path in ("/health/ready", "/v2/health/ready"):
        assert ask(address, "GET", path).json == {"ready": True}
    assert ask(address, "GET", "/v2").json["name"] == "bayesic"


def test_a_full_disk_is_not_ready(address, monkeypatch):
    usage = type("Usage", (), {"free": 100})
    monkeypatch.setattr("bayesic.serve._health.shutil.disk_usage", lambda path: usage)
    answer = ask(address, "GET", "/health/ready")
    assert answer.status == 503 and "100 bytes" in answer.json["message"]


# the Open Inference Protocol ----------------------------------------------------------------------


def tensor(name, datatype, shape, data):
    return {"name": name, "datatype": datatype, "shape": shape, "data": data}


def test_columns_are_inputs_and_answers_are_outputs(address):
    told = ask(address, "GET", "/v2/models/plans").json
    assert told["inputs"] == [
        {"name": "sky", "datatype": "BYTES", "shape": [-1]},
        {"name": "wind", "datatype": "FP64", "shape": [-1]},
    ]
    inputs = [tensor("sky", "BYTES", [2], ["rain", "sun"]), tensor("wind", "FP64", [2, 1], [9, 1])]
    answer = ask(address, "POST", "/v2/models/plans/infer", {"id": "7", "inputs": inputs}).json
    prediction, probability = answer["outputs"]
    here = by.NaiveBayes(columns={"wind": "gaussian"}).fit(DAYS, PLANS)
    rows = [{"sky": "rain", "wind": 9}, {"sky": "sun", "wind": 1}]
    assert answer["id"] == "7" and answer["model_name"] == "plans"
    assert prediction == tensor("prediction", "BYTES", [2], here.predict(rows).tolist())
    assert probability["shape"] == [2, 2]
    assert probability["data"] == here.predict_proba(rows).ravel().tolist()


def test_texts_and_arrays_are_one_input(address):
    texts = [tensor("text", "BYTES", [1], ["free"])]
    wanted = [{"name": "prediction"}]
    body = {"inputs": texts, "outputs": wanted}
    answer = ask(address, "POST", "/v2/models/短信/infer", body).json
    assert answer["outputs"] == [tensor("prediction", "BYTES", [1], ["spam"])]
    numbers = [tensor("rows", "FP32", [2, 2], [[1, 2], [3, 4]])]
    answer = ask(address, "POST", "/v2/models/numbers/infer", {"inputs": numbers}).json
    assert answer["outputs"][0] == tensor("prediction", "INT64", [2], [0, 1])
    assert ask(address, "GET", "/v2/models/numbers").json["inputs"][0]["shape"] == [-1, 2]
    assert ask(address, "GET", "/v2/models/numbers/ready").json["ready"]


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        (None, "list of tensors"),
        ([{"name": "sky"}], "must have name, shape"),
        ([tensor("sky", "BYTES", [3], ["rain"])], "fit its 1 cells"),
        ([tensor("sky", "BYTES", ["x"], ["rain"])], "fit its 1 cells"),
        ([tensor("sky", "TEXT", [1], ["rain"])], "datatype must be"),
        ([tensor("sky", "BYTES", [1, 2], ["rain", "sun"])], "wider"),
        (
            [tensor("sky", "BYTES", [1], ["sun"]), tensor("wind", "FP64", [2], [1, 2])],
            "as many rows",
        ),
    ],
)
def test_tensors_that_do_not_fit_are_refused_with_a_sentence(address, inputs, words):
    answer = ask(address, "POST", "/v2/models/plans/infer", {"inputs": inputs})
    assert answer.status == 422 and words in answer.json["message"]


def test_binary_tensors_and_networks_are_refused_with_the_way_out(address):
    headers = {"inference_header_content_length": "2", "content_type": "application/json"}
    answer = ask(address, "POST", "/v2/models/plans/infer", b"{}", **headers)
    assert answer.status == 400 and "binary_data=False" in answer.json["message"]
    inputs = [tensor("storm", "BOOL", [1], [True])]
    answer = ask(address, "POST", "/v2/models/day/infer", {"inputs": inputs})
    assert answer.status == 422 and "query" in answer.json["message"]
