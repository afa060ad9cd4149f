"""Streams that are closed, full or left early, and paths that are no UTF-8: never a traceback."""

import os
import signal
import subprocess
import sys

import pytest

import bayesic as by

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a shell and /dev/full")


@pytest.fixture
def spam(folder):
    by.TextClassifier().fit(["free", "rain"], ["spam", "ham"]).save("spam.bayes")
    return "spam.bayes"


def shell(line):
    """Run a line in a shell, in which bayesic is the command line."""
    command = f'bayesic() {{ "{sys.executable}" -m bayesic "$@"; }}\n{line}'
    return subprocess.run(["bash", "-c", command], capture_output=True, timeout=120)


def assert_sentence(ran, code, words):
    told = ran.stderr.decode()
    assert (ran.returncode, ran.stdout) == (code, b"")
    assert len(told.splitlines()) == 1, told
    assert told.startswith("Error: ")
    assert words in told


def test_python_m_bayesic_is_the_command_line(folder):
    ran = shell("bayesic --version")
    assert ran.stdout.decode() == f"bayesic, version {by.__version__}\n"


def test_closed_stdin_is_said(spam):
    assert_sentence(shell(f"bayesic predict {spam} <&-"), 1, "stdin, but it is closed")


def test_what_needs_no_stdin_does_not_mind(spam):
    assert shell(f"bayesic predict {spam} --text free <&-").stdout == b"spam\n"


@pytest.mark.parametrize("line", ["predict spam.bayes --text free", "--help", "fit --help"])
def test_closed_stdout_is_said(spam, line):
    assert_sentence(shell(f"bayesic {line} >&-"), 1, "stdout is closed")


def test_closed_stderr_changes_nothing(spam):
    assert shell(f"bayesic predict {spam} --text free 2>&-").stdout == b"spam\n"
    assert shell("bayesic predict no.bayes --text free 2>&-").returncode == 1


@pytest.mark.parametrize(
    "line", ["predict spam.bayes --text free", "show spam.bayes", "--help", "fit --help"]
)
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")  # noqa: PTH110
def test_a_full_disk_is_said(spam, line):
    assert_sentence(shell(f"bayesic {line} >/dev/full"), 1, "No space left on device")


def test_a_reader_who_has_seen_enough_ends_it_as_other_tools_end(folder, model, write, tennis):
    write("many.csv", {name: cells * 2000 for name, cells in tennis.items()})
    ran = shell(f"bayesic predict {model} many.csv | head -1; exit ${{PIPESTATUS[0]}}")
    assert (ran.returncode, ran.stderr) == (128 + signal.SIGPIPE, b"")
    assert ran.stdout == b"row,prediction,P(No),P(Yes)\n"


# paths that are not UTF-8 -------------------------------------------------------------------------


@pytest.fixture
def latin(folder, spam):
    """A folder with a name in latin-1, in which there are a table, a model and texts."""
    path = os.fsencode(folder) + b"/caf\xe9"
    try:
        os.makedirs(path + b"/mails/h\xe9")  # noqa: PTH103
    except OSError:
        pytest.skip("this file system takes UTF-8 only")
    for name, content in {
        b"/mails.csv": b"label,body\nspam,free\nham,rain\n",
        b"/mails/h\xe9/1.txt": b"rain",
        b"/spam.bayes": (folder / spam).read_bytes(),
    }.items():
        with open(path + name, "wb") as file:  # noqa: PTH123
            file.write(content)
    return os.fsdecode(path)


@pytest.mark.parametrize("learn", [by.NaiveBayes, by.TextClassifier])
def test_a_table_with_such_a_path_is_refused_by_the_library(latin, learn):
    with pytest.raises(ValueError, match="names are UTF-8"):
        learn().fit(f"{latin}/mails.csv", y="label")


def test_models_and_texts_with_such_paths_are_read(latin):
    assert by.load(f"{latin}/spam.bayes").predict(["free"]).tolist() == ["spam"]
    model = by.TextClassifier().fit(f"{latin}/mails")
    model.save(f"{latin}/new.bayes")
    assert by.load(f"{latin}/new.bayes").classes_.tolist() == ["h\udce9"]


def test_such_paths_are_no_traceback_on_the_command_line(latin):
    assert_sentence(shell("bayesic predict spam.bayes caf\udce9/mails.csv"), 1, "names are UTF-8")
    assert_sentence(shell("bayesic predict spam.bayes caf\udce9/no.txt"), 1, "no file or folder")
    assert shell("bayesic predict caf\udce9/spam.bayes --text free").stdout == b"spam\n"
    assert shell("bayesic predict spam.bayes caf\udce9/mails").returncode == 0
