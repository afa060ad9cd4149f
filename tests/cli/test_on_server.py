"""Commands that take the address of a model where they take a model file."""

import json
import socket

import pytest

import bayesic as by
from bayesic.serve.access_tokens import add_token, read_tokens
from helpers.http_server import serving
from helpers.mails import HAM, SPAM, made_up_maildirs

MAILS = ["free money", "lunch today", "free lunch", "rain today"]
LABELS = ["spam", "ham", "spam", "ham"]


@pytest.fixture
def address(tmp_path):
    with serving(tmp_path / "mail.store") as address:
        yield address


@pytest.fixture
def store(address):
    with by.connect(address) as store:
        yield store


@pytest.fixture
def spam(address, store):
    """The address of a model of texts that is also in spam.bayes."""
    store.create("spam", by.TextClassifier())
    store.learn("spam", MAILS, LABELS)
    store.model("spam").save("spam.bayes")
    return f"{address}/models/spam"


@pytest.fixture
def plans(address, store, model):
    """The address of the model that is in tennis.bayes."""
    store.create("plans", by.load(model))
    return f"{address}/models/plans"


# answers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ("predict", "{}", "new.csv"),
        ("predict", "{}", "new.csv", "--loss", "loss.json", "--json"),
        ("predict", "{}", "new.csv", "--keep"),
        ("explain", "{}", "new.csv", "--row", "1"),
        ("explain", "{}", "new.csv", "--work"),
        ("evaluate", "{}", "tennis.csv", "--json"),
        ("evaluate", "{}", "tennis.csv", "--leave-one-out"),
        ("show", "{}", "--column", "Outlook"),
    ],
)
def test_a_table_is_answered_as_by_the_file(run, model, plans, words):
    of_file, of_server = (
        run(*(word.format(place) for word in words)).stdout for place in (model, plans)
    )
    assert of_server == of_file != ""


@pytest.mark.parametrize(
    "words",
    [
        ("predict", "{}", "--text", "free money", "--proba"),
        ("predict", "{}", "--text", "free lunch", "--threshold", "spam=0.99"),
        ("explain", "{}", "--text", "free lunch", "--json"),
        ("show", "{}"),
    ],
)
def test_a_text_is_answered_as_by_the_file(run, folder, spam, words):
    of_file, of_server = (
        run(*(word.format(place) for word in words)).stdout for place in ("spam.bayes", spam)
    )
    assert of_server == of_file != ""


def test_a_model_with_a_name_of_any_script_is_found(run, folder, address, store):
    store.create("短信", by.TextClassifier())
    store.learn("短信", MAILS, LABELS)
    for name in ("短信", "%E7%9F%AD%E4%BF%A1"):
        assert run("predict", f"{address}/models/{name}", "--text", "free").stdout == "spam\n"


# learning -----------------------------------------------------------------------------------------


def test_a_table_with_ids_is_learned_once_and_forgotten(run, write, address, store):
    rows = {"mail": ["1", "2"], "sky": ["rain", "sun"], "plan": ["stay", "go"]}
    write("days.csv", rows)
    store.create("plans", by.NaiveBayes())
    url = f"{address}/models/plans"
    learn = ("update", url, "days.csv", "--target", "plan", "--id", "mail")
    assert run(*learn).stdout == f"{url}: 2 rows learned.\n"
    assert run(*learn).stdout == f"{url}: 0 rows learned, 2 learned already.\n"
    assert store.history("plans")[1].row.x == {"sky": "rain"}
    told = json.loads(run("forget", url, "days.csv", "--id", "mail", "--json").stdout)
    assert told == {"model": url, "forgotten": 2, "corrected": 0, "already": 0}
    write("days.csv", rows | {"sky": ["snow", "sun"]})
    assert run(*learn).stdout == f"{url}: 2 rows learned.\n"  # the ids are free again


def test_a_row_whose_id_belongs_to_another_row_is_refused(run, write, address, store):
    store.create("plans", by.NaiveBayes())
    url = f"{address}/models/plans"
    write("days.csv", {"id": ["1"], "sky": ["rain"], "plan": ["stay"]})
    run("update", url, "days.csv", "--target", "plan", "--id", "id")
    write("days.csv", {"id": ["1"], "sky": ["sun"], "plan": ["stay"]})
    told = run("update", url, "days.csv", "--target", "plan", "--id", "id", code=1).stderr
    assert told.startswith("Error: The id '1' belongs to another row of 'plans'")
    assert (
        "Name the column that holds them by --id" in run("forget", url, "days.csv", code=2).stderr
    )


def test_a_mail_is_learned_once_corrected_and_forgotten(run, folder, spam, store):
    learn = ("update", spam, "-", "--class")
    assert run(*learn, "spam", stdin=SPAM).stdout == f"{spam}: 1 text learned.\n"
    assert (
        run(*learn, "spam", stdin=SPAM).stdout == f"{spam}: 0 texts learned, 1 learned already.\n"
    )
    again = SPAM.replace(b"Buy", b"Buy -- \nsent to a list")  # the same mail by another way
    assert "1 learned already" in run(*learn, "spam", stdin=again).stdout
    assert run(*learn, "ham", stdin=again).stdout == f"{spam}: 0 texts learned, 1 corrected.\n"
    assert store.model("spam").class_count_.tolist() == [3, 2]
    assert run("forget", spam, "-", stdin=SPAM).stdout == f"{spam}: 1 text forgotten.\n"
    assert store.model("spam").class_count_.tolist() == [2, 2]
    assert "never learned" in run("forget", spam, "-", stdin=HAM, code=1).stderr


def test_folders_of_mails_are_learned_and_moved_ones_corrected(run, folder, address, store):
    mails = made_up_maildirs(folder / "mails")
    store.create("spam", by.TextClassifier())
    url = f"{address}/models/spam"
    assert run("update", url, "mails").stdout == f"{url}: 2 texts learned.\n"
    (moved,) = (mails / "ham" / "new").iterdir()
    moved.rename(mails / "spam" / "cur" / moved.name)
    (mails / "ham" / "new" / "more").write_bytes(HAM.replace(b"lunch@", b"dinner@"))
    told = json.loads(run("update", url, "mails", "--json").stdout)
    assert told == {"model": url, "learned": 1, "corrected": 1, "already": 1}
    assert store.model("spam").class_count_.tolist() == [1, 2]
    assert "spam" in run("predict", url, mails / "spam").stdout


def test_texts_of_a_table_and_lines_are_learned(run, write, spam, store):
    write("mails.csv", {"no": [7, 8], "body": ["win", "rain"], "label": ["spam", "ham"]})
    how = ("--text", "body", "--target", "label", "--id", "no")
    assert run("update", spam, "mails.csv", *how).stdout == f"{spam}: 2 texts learned.\n"
    assert run("forget", spam, "mails.csv", "--text", "body", "--id", "no").exit_code == 0
    lines = ("update", spam, "-", "--class", "spam", "--stdin", "lines")
    assert run(*lines, stdin="win\nwin\nmoney\n").stdout == f"{spam}: 2 texts learned.\n"


def test_many_rows_go_in_parts(run, write, address, store):
    n_rows = 2500
    write("days.csv", {"sky": ["rain", "sun"] * (n_rows // 2), "plan": ["stay", "go"] * 1250})
    store.create("plans", by.NaiveBayes())
    url = f"{address}/models/plans"
    assert run("update", url, "days.csv").stdout == f"{url}: 2,500 rows learned.\n"
    assert store.model("plans").class_count_.tolist() == [1250, 1250]


def test_a_class_that_the_model_does_not_know_is_refused(run, folder, spam, store):
    told = run("update", spam, "-", "--class", "sapm", stdin=SPAM, code=1).stderr
    assert "got the class sapm. Nothing was learned. Give --new-classes" in told
    run("update", spam, "-", "--class", "news", "--new-classes", stdin=SPAM)
    assert store.model("spam").classes_.tolist() == ["ham", "news", "spam"]


# who asks, and what goes wrong --------------------------------------------------------------------


def test_the_token_comes_from_the_option_or_the_environment(run, folder, monkeypatch):
    admin, read = (add_token(folder / "tokens", right) for right in ("admin", "read"))
    tokens = read_tokens(folder / "tokens")
    with serving(folder / "mail.store", tokens=tokens) as address:
        with by.connect(address, admin) as store:
            store.create("spam", by.TextClassifier())
            store.learn("spam", MAILS, LABELS)
        url = f"{address}/models/spam"
        assert "token is needed" in run("show", url, code=1).stderr
        ask = ("predict", url, "--text", "free")
        assert run(*ask, "--token", read).stdout == "spam\n"
        monkeypatch.setenv("BAYESIC_TOKEN", read)
        assert run(*ask).stdout == "spam\n"
        told = run("update", url, "-", "--class", "spam", stdin=SPAM, code=1).stderr
        assert "right 'learn'" in told


def test_what_goes_wrong_is_one_sentence(run, folder, spam, address, store):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    told = run("predict", f"http://127.0.0.1:{port}/models/spam", "--text", "free", code=1).stderr
    assert told.startswith(f"Error: No bayesic server answers at http://127.0.0.1:{port}: ")
    assert told.count("\n") == 1 and "bayesic serve STORE" in told
    assert "no model 'news'" in run("show", f"{address}/models/news", code=1).stderr
    told = run("show", address, code=2).stderr
    assert "the URL of a model must look like http://127.0.0.1:8000/models/spam" in told
    store.create("empty", by.TextClassifier())
    told = run("predict", f"{address}/models/empty", "--text", "free", code=1).stderr
    assert told == f"Error: {address}/models/empty holds a model that has learned nothing yet.\n"
    assert "--out names a file" in run("update", spam, "new.csv", "-o", "x.bayes", code=2).stderr
    assert (
        "--id is for models on a server"
        in run("update", "spam.bayes", "x.csv", "--id", "no", code=2).stderr
    )
    assert "name it with --class" in run("update", spam, "-", stdin=SPAM, code=2).stderr
    assert (
        "--id names a column" in run("forget", spam, "-", "--id", "no", stdin=SPAM, code=2).stderr
    )


def test_a_server_that_only_reads_says_so(run, folder):
    with by.open_store(folder / "mail.store") as store:
        store.create("spam", by.TextClassifier())
    with serving(folder / "mail.store", read_only=True) as address:
        told = run("update", f"{address}/models/spam", "-", "--class", "spam", stdin=SPAM, code=1)
        assert "read_only=True" in told.stderr
