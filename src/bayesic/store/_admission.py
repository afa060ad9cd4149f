"""What a store refuses to keep: what it could not give back, and what would slow every answer.

All that is learned, adopted, corrected or created passes here, whichever interface it came by.
"""

from collections.abc import Iterable, Sequence

from bayesic.store.plain_rows import Row

MOST_BYTES = 16_000_000  # of the texts of a row, in UTF-8
MOST_CHARACTERS = 1000  # of a class, and of the name of a column


def check_rows(rows: Sequence[Row]) -> None:
    """Refuse rows and names that are too long, and texts that UTF-8 cannot hold.

    >>> check_rows([Row({"sky": "rain"}, "stay"), Row({"sky": "\\ud83d"}, "go")])
    Traceback (most recent call last):
    ValueError: Row 1 has half of a surrogate pair ('\\ud83d'), which no file can hold. Repair the
    text: text.encode(errors="replace").decode().
    """
    for number, row in enumerate(rows):
        named = row.x if isinstance(row.x, dict) else {}
        cells = named.values() if named else row.x if isinstance(row.x, list) else [row.x]
        texts = [text for text in (*named, *cells, row.y) if isinstance(text, str)]
        n_bytes = _bytes_of("".join(texts), f"Row {number}")
        if n_bytes > MOST_BYTES:
            raise ValueError(
                f"A row of a store has at most {MOST_BYTES:,} bytes of text, and row {number} has "
                f"{n_bytes:,}. Cut its texts, or learn them in parts."
            )
        check_names("The name of a column", named)
        check_names("A class", [row.y])


def check_model(model: object, classes: Iterable[object]) -> None:
    """Refuse such names of classes and columns in a model, or among the declared classes."""
    check_names("A class", [*classes, *getattr(model, "classes_", ())])
    check_names("The name of a column", getattr(model, "feature_names_in_", ()))


def check_names(what: str, names: Iterable[object]) -> None:
    """Refuse names that are too long, or that no file can hold."""
    for name in names:
        if isinstance(name, str):
            _bytes_of(name, what)
            if len(name) > MOST_CHARACTERS:
                raise ValueError(
                    f"{what} has at most {MOST_CHARACTERS:,} characters in a store, got "
                    f"{len(name):,}: {name!r:.60}. Give it a shorter one."
                )


def _bytes_of(text: str, what: str) -> int:
    """How many bytes UTF-8 needs; it has none for half of a surrogate pair."""
    try:
        return len(text.encode())
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{what} has half of a surrogate pair ({text[error.start]!r}), which no file can hold. "
            'Repair the text: text.encode(errors="replace").decode().'
        ) from None
