"""However much a command asks of a table, it opens the file once."""

import pytest

from helpers.openings import openings

ROWS = {
    "text": ["free money", "see you", "free win", "lunch today", "win money", "see me"],
    "kind": ["spam", "ham", "spam", "ham", "spam", "ham"],
}


@pytest.mark.parametrize(
    "words",
    [
        ["fit", "tennis.csv", "--out", "other.bayes"],
        ["fit", "tennis.csv", "--model", "tan", "--out", "other.bayes"],
        ["predict", "model.bayes", "tennis.csv"],
        ["predict", "model.bayes", "tennis.csv", "--keep"],
        ["explain", "model.bayes", "tennis.csv", "--row", "1"],
        ["evaluate", "model.bayes", "tennis.csv"],
        ["evaluate", "tennis.csv", "--cv", "3"],
        ["evaluate", "tennis.csv", "--leave-one-out"],
        ["update", "model.bayes", "tennis.csv"],
        ["forget", "model.bayes", "tennis.csv"],
        ["fit", "mails.csv", "--text", "text", "--out", "other.bayes"],
        ["predict", "mails.bayes", "mails.csv"],
        ["evaluate", "mails.bayes", "mails.csv"],
        ["update", "mails.bayes", "mails.csv"],
        ["network", "fit", "tennis.csv", "--edges", "PlayTennis->Wind", "--out", "net.json"],
    ],
    ids=" ".join,
)
def test_a_command_opens_its_table_once(words, run, write):
    write("mails.csv", ROWS)
    run("fit", "tennis.csv", "--out", "model.bayes")
    run("fit", "mails.csv", "--text", "text", "--out", "mails.bayes")
    with openings() as found:
        run(*words)
    assert len(found) == 1
