"""`bayesic drift`: two model files, or one model on a server and where its rows are cut."""

import json
from math import log

import pytest

import bayesic as by
from helpers.http_server import serving

MAILS = ["free money", "lunch today", "free lunch", "rain today"]
LABELS = ["spam", "ham", "spam", "ham"]


@pytest.fixture
def skies(run, write):
    """may.bayes and june.bayes, with other skies."""
    play = ["yes", "yes", "no", "no"]
    write("may.csv", {"sky": ["sun", "sun", "sun", "rain"], "play": play})
    write("june.csv", {"sky": ["rain", "rain", "rain", "sun"], "play": play})
    for month in ("may", "june"):
        run("fit", f"{month}.csv", "--target", "play", "--out", f"{month}.bayes")


def test_two_model_files_are_compared(run, skies):
    told = run("drift", "may.bayes", "june.bayes").stdout
    assert told == f"{by.drift(by.load('may.bayes'), by.load('june.bayes'))}\n"
    told = json.loads(run("drift", "may.bayes", "june.bayes", "--json").stdout)
    assert (told["n_earlier"], told["n_later"]) == (4, 4)
    # rain: yes 3/4 after 1/4, twice; no 2/4 after 2/4; sun: no 2/4 after 2/4
    assert told["changes"][0]["column"] == "sky"
    assert told["changes"][0]["change"] == pytest.approx(2 / 4 * log(3), rel=1e-12)
    assert told["changes"][0]["values"] == ["rain +0.5493"]


def test_a_model_on_a_server_is_cut_where_one_says(run, tmp_path):
    with serving(tmp_path / "mail.store") as address, by.connect(address) as store:
        store.create("spam", by.TextClassifier())
        receipt = store.learn("spam", MAILS, LABELS)
        models = [by.TextClassifier().fit(MAILS[k : k + 2], LABELS[:2]) for k in (0, 2)]
        spam, since = f"{address}/models/spam", receipt.seqs[2]
        told = run("drift", spam, "--since", since).stdout
        assert told == f"{by.drift(*models)}\n"
        words = ("--start", "2000-01-01", "--until", receipt.seq + 1, "--json")
        told = json.loads(run("drift", spam, "--since", since, *words).stdout)
        assert told == json.loads(json.dumps(by.drift(*models).to_dict()))
        for model, name in zip(models, ("then.bayes", "now.bayes"), strict=True):
            model.save(name)
        told = run("drift", "then.bayes", spam).stdout
        assert told == f"{by.drift(models[0], store.model('spam'))}\n"
        refused = run("drift", spam, "--since", "2000-01-01", code=1).stderr
        assert "Both spans need rows that 'spam' still knows, got 0 before and 4 after" in refused
        refused = run("drift", spam, "--since", "yesterday", code=1).stderr
        assert "--since must be the number of an event, or a moment" in refused
        assert "Say where the later rows begin" in run("drift", spam, code=2).stderr
        assert (
            "no model 'news'" in run("drift", f"{address}/models/news", "--since", 1, code=1).stderr
        )


def test_what_cannot_be_compared_is_refused_with_the_way_out(run, skies, model):
    assert "may.bayes alone does not show" in run("drift", "may.bayes", code=2).stderr
    refused = run("drift", "may.bayes", "june.bayes", "--until", 3, code=2).stderr
    assert "--until splits what one model on a server has learned" in refused
    run("fit", "may.csv", "--target", "play", "--model", "tan", "--out", "tan.bayes")
    refused = run("drift", "tan.bayes", "tan.bayes", code=1).stderr
    assert "got a TreeAugmentedNB. Learn the rows of each span with one of these." in refused
    refused = run("drift", "may.bayes", "tan.bayes", code=1).stderr
    assert "got a NaiveBayes and a TreeAugmentedNB" in refused
