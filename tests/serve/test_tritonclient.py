"""The Open Inference Protocol, spoken by a client that no one here wrote."""

import numpy as np
import pytest
import tritonclient.http as triton

import bayesic as by
from helpers.http_server import serving, teach_models

DAYS = [{"sky": "rain", "wind": 9.5}, {"sky": "sun", "wind": 1.0}, {"sky": "sun", "wind": 2.0}]
PLANS = ["stay", "go", "go"]


@pytest.fixture
def client(tmp_path):
    with serving(tmp_path / "mail.store") as address, by.connect(address) as store:
        teach_models(store)
        client = triton.InferenceServerClient(address.removeprefix("http://"))
        yield client
        client.close()


def tensor(name, cells, datatype):
    given = triton.InferInput(name, [len(cells)], datatype)
    kind = np.object_ if datatype == "BYTES" else np.float64
    given.set_data_from_numpy(np.array(cells, dtype=kind), binary_data=False)
    return given


def asked(client, name, *inputs):
    outputs = [
        triton.InferRequestedOutput(each, binary_data=False)
        for each in ("prediction", "probability")
    ]
    answer = client.infer(name, list(inputs), outputs=outputs)
    return answer.as_numpy("prediction"), answer.as_numpy("probability")


def test_the_client_finds_the_server_and_its_models(client):
    assert client.is_server_live() and client.is_server_ready()
    assert client.is_model_ready("plans") and not client.is_model_ready("news")
    assert client.get_server_metadata()["name"] == "bayesic"
    told = client.get_model_metadata("plans")
    assert [(each["name"], each["datatype"]) for each in told["inputs"]] == [
        ("sky", "BYTES"),
        ("wind", "FP64"),
    ]


def test_columns_go_as_tensors_and_answers_come_back_as_tensors(client):
    here = by.NaiveBayes(columns={"wind": "gaussian"}).fit(DAYS, PLANS)
    sky, wind = ([row[name] for row in DAYS] for name in ("sky", "wind"))
    prediction, probability = asked(
        client, "plans", tensor("sky", sky, "BYTES"), tensor("wind", wind, "FP64")
    )
    assert prediction.tolist() == here.predict(DAYS).tolist()
    np.testing.assert_array_equal(probability, here.predict_proba(DAYS))


def test_texts_are_one_tensor(client):
    prediction, probability = asked(client, "短信", tensor("text", ["free", "午 lunch"], "BYTES"))
    assert prediction.tolist() == ["spam", "ham"]
    assert probability.sum(axis=1) == pytest.approx([1, 1])


def test_what_is_refused_is_told_in_our_words(client):
    with pytest.raises(triton.InferenceServerException, match="no model 'news'"):
        asked(client, "news", tensor("text", ["free"], "BYTES"))
    binary = triton.InferInput("text", [1], "BYTES")
    binary.set_data_from_numpy(np.array(["free"], dtype=np.object_))
    with pytest.raises(triton.InferenceServerException, match="binary_data=False"):
        client.infer("短信", [binary])
