"""What is said while kernels are compiled: nothing, unless it takes its time."""

import gc
import os
import sys
from io import StringIO
from types import SimpleNamespace

import pytest

from bayesic import progress
from helpers.environment import environment, run_python

pytest.importorskip("numba")
jit = pytest.importorskip("bayesic.kernels._jit")

SENTENCE = "compiling kernels, once"


class Terminal(StringIO):
    def isatty(self):
        return True


def compiled(module="bayesic.kernels._compiled"):
    """What Numba says of a function of this module."""
    function = SimpleNamespace(__module__=module)
    return SimpleNamespace(data={"dispatcher": SimpleNamespace(py_func=function)})


def tell_of(*events):
    """Compile kernels one after the other, each with a function inside it."""
    notice = jit.CompilingNotice()
    for event in events:
        for happens in (notice.on_start, notice.on_start, notice.on_end, notice.on_end):
            happens(event)
    return notice


@pytest.fixture
def stderr(monkeypatch):
    monkeypatch.delenv("BAYESIC_QUIET")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "PATIENCE", -1.0)

    def as_stderr(stream):
        monkeypatch.setattr(sys, "stderr", stream)
        return stream

    return as_stderr


def test_a_file_gets_one_line_however_many_kernels_there_are(stderr):
    file = stderr(StringIO())
    tell_of(compiled(), compiled(), compiled())
    assert file.getvalue() == f"{SENTENCE}\n"


def test_a_terminal_gets_a_bar_that_is_gone_at_the_end(stderr):
    terminal = stderr(Terminal())
    tell_of(compiled(), compiled())
    assert SENTENCE in terminal.getvalue()
    assert progress.can_be_shown()


def test_above_another_bar_it_is_a_line(stderr):
    terminal = stderr(Terminal())
    with progress.bar_of("learning folds", 2) as advance:
        advance()
        tell_of(compiled(), compiled())
        advance()
    assert terminal.getvalue().count(SENTENCE) == 1


def test_it_is_the_time_of_all_kernels_together_that_counts(stderr, monkeypatch):
    clock = iter(range(100))  # a second passes whenever somebody looks
    monkeypatch.setattr(jit, "monotonic", lambda: next(clock))
    monkeypatch.setattr(progress, "PATIENCE", 5.0)
    file = stderr(StringIO())
    notice = jit.CompilingNotice()
    for expected in ("", "", f"{SENTENCE}\n"):
        notice.on_start(compiled())
        notice.on_start(compiled())
        notice.on_end(compiled())
        notice.on_end(compiled())
        assert file.getvalue() == expected


@pytest.mark.parametrize("module", ["numba.np.arrayobj", "my_own_kernels"])
def test_nothing_is_said_of_what_others_compile(stderr, module):
    file = stderr(StringIO())
    tell_of(compiled(module))
    assert file.getvalue() == ""


def test_nothing_is_said_where_it_is_quick_where_quiet_is_asked_for_or_there_is_no_stderr(
    stderr, monkeypatch
):
    file = stderr(StringIO())
    with environment(BAYESIC_QUIET="1"):
        tell_of(compiled())
    monkeypatch.setattr(progress, "PATIENCE", 60.0)
    tell_of(compiled())
    assert file.getvalue() == ""
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    stderr(None)
    tell_of(compiled())


COUNTING = """
import bayesic as by, sys
from bayesic import progress
progress.PATIENCE = 0.0
by.CategoricalNB().fit([[0, 1], [1, 0]], ["ham", "spam"])
"""


def test_a_fresh_install_says_it_on_stderr_and_the_next_process_is_silent(tmp_path):
    asked = {"BAYESIC_KERNELS": "compiled", "NUMBA_CACHE_DIR": str(tmp_path), "BAYESIC_QUIET": ""}
    assert os.environ["BAYESIC_QUIET"]
    first, second = (run_python(COUNTING, **asked) for _ in range(2))
    assert (first.stdout, first.stderr) == ("", f"{SENTENCE}\n")
    assert (second.stdout, second.stderr) == ("", "")


@pytest.fixture
def collecting():
    """Python's search for cycles as a user may have left it, and as it was after the test."""
    was_on = gc.isenabled()
    yield lambda on: gc.enable() if on else gc.disable()
    (gc.enable if was_on else gc.disable)()


@pytest.mark.parametrize("on", [True, False])
def test_the_search_for_cycles_stops_meanwhile_and_is_then_as_it_was(collecting, on):
    collecting(on)
    listener = jit.GarbageCollectionPause()
    for happens in (listener.on_start, listener.on_start, listener.on_end):
        happens(compiled())
        assert not gc.isenabled()
    listener.on_end(compiled())
    assert gc.isenabled() == on


def test_the_search_goes_on_while_others_compile(collecting):
    collecting(True)
    listener = jit.GarbageCollectionPause()
    listener.on_start(compiled("my_own_kernels"))
    assert gc.isenabled()
    listener.on_end(compiled("my_own_kernels"))
    assert gc.isenabled()
