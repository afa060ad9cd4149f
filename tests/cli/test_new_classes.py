"""`bayesic update` learns classes that a model does not know only if it is told to."""

import pytest

import bayesic as by

WEATHER = {"sky": ["rain", "sun", "rain", "sun"], "game": ["no", "yes", "no", "yes"]}
NUMBERS = {"mm": [9.0, 0.0, 7.0, 1.0], "game": ["no", "yes", "no", "yes"]}
TEXTS = {"body": ["rain again", "sun", "rain", "sun, sun"], "game": ["no", "yes", "no", "yes"]}

KINDS = {
    "naive": (WEATHER, ()),
    "tan": (WEATHER, ("--model", "tan")),
    "knn": (NUMBERS, ("--model", "knn", "--neighbors", "1")),
    "texts": (TEXTS, ("--text", "body")),
}


@pytest.fixture(params=KINDS)
def kind(request, run, write):
    """A model of each kind, and more.csv, which has a class that the model does not know."""
    table, words = KINDS[request.param]
    write("games.csv", table)
    write("more.csv", {name: cells[:1] for name, cells in table.items()} | {"game": ["maybe"]})
    run("fit", "games.csv", "--target", "game", *words, "-o", "games.bayes")
    return request.param


def test_a_new_class_is_refused_and_the_file_stays(run, folder, kind):
    before = (folder / "games.bayes").read_bytes()
    told = run("update", "games.bayes", "more.csv", code=1).stderr
    assert "must have classes that the model has learned (no, yes), got the class maybe" in told
    assert "--new-classes" in told
    assert (folder / "games.bayes").read_bytes() == before


def test_new_classes_that_are_announced_are_learned(run, folder, kind):
    run("update", "games.bayes", "more.csv", "--new-classes")
    assert by.load("games.bayes").classes_.tolist() == ["maybe", "no", "yes"]


def test_models_that_take_no_new_classes_still_say_so(run, write):
    write("games.csv", NUMBERS)
    write("more.csv", {"mm": [3.0], "game": ["maybe"]})
    run("fit", "games.csv", "--target", "game", "--model", "lda", "-o", "lda.bayes")
    for words in ((), ("--new-classes",)):
        told = run("update", "lda.bayes", "more.csv", *words, code=1).stderr
        assert "got the class maybe. This model cannot take new classes" in told


def test_a_folder_beside_those_of_the_classes_is_no_class(run, folder):
    for name in ("mails/ham", "mails/spam", "inbox/old", "inbox/new"):
        (folder / name).mkdir(parents=True)
        (folder / name / "1.txt").write_text("free lunch")
    run("fit", "mails", "-o", "mails.bayes")
    assert "got the classes new, old" in run("update", "mails.bayes", "inbox", code=1).stderr
    assert by.load("mails.bayes").classes_.tolist() == ["ham", "spam"]
