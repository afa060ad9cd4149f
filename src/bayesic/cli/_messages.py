"""What goes to stderr: errors as one sentence, warnings of the library as notes."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import click

# Warnings for programmers; those who type commands can do nothing about them.
_FOR_PROGRAMMERS = (DeprecationWarning, PendingDeprecationWarning, FutureWarning, ResourceWarning)


def note(text: str) -> None:
    """Say something that is not an error, on one line of stderr."""
    click.echo(f"note: {_one_line(text)}", err=True)


def _one_line(text: str) -> str:
    """The text without line breaks.

    >>> _one_line("the file is\\n  empty.")
    'the file is empty.'
    """
    return " ".join(text.split())


def sentence(error: BaseException) -> str:
    """What an error of the library or of the system says, as one sentence.

    >>> sentence(PermissionError(13, "Permission denied", "spam.bayes"))
    'spam.bayes: Permission denied.'
    """
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."
    return _one_line(str(error)) or type(error).__name__


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """Within this, each warning is shown once, as a note."""
    shown: set[str] = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        text = str(message)
        if text not in shown:
            shown.add(text)
            note(text)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        for category in _FOR_PROGRAMMERS:
            warnings.simplefilter("ignore", category)
        warnings.showwarning = show
        yield
