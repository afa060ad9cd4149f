"""What is to be answered, in blocks: the rows of a table, or texts, wherever they come from."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import count, islice
from pathlib import Path
from typing import Any, BinaryIO

import click

from bayesic.cli._labelled_files import refuse_columns, refuse_options, refuse_texts, text_columns
from bayesic.cli._learned_models import is_number_model
from bayesic.cli._messages import note
from bayesic.cli._on_server import OnServer
from bayesic.cli._options import is_given
from bayesic.cli._output import Row
from bayesic.data.encodings import as_told, told_encoding, without_zeros
from bayesic.data.mails import Identified, mail_text, read_mail, text_id
from bayesic.data.source import Stored, opened_file
from bayesic.data.text_files import files_below, has_columns, text_blocks, texts_of_file
from bayesic.data.texts import as_texts

# What heads the answers (its number, its name, or the columns of its row), and the question.
Block = tuple[Iterator[Row], Any]

BYTES_PER_READ = 2**20
FILES_PER_BLOCK = 256
EMPTY_STDIN = "There must be at least one text on stdin, but it was empty."
MOST_ROWS_PER_BLOCK = 20_000


def table_question(
    model: Path | OnServer, source: Path | None, texts: tuple[str, ...], keep: bool
) -> Block:
    """All rows of a table, for a model of tables."""
    refuse_texts(model, texts)
    refuse_options(("stdin",), f"of texts, but {model} has learned the columns of a table")
    if source is None or is_stdin(source):
        raise click.UsageError(
            f"{model} has learned the columns of a table: name the file with the rows to answer."
        )
    rows = opened_file(source)
    return _heads_of_table(rows, keep), rows


def text_questions(
    model: object, source: Path | None, texts: tuple[str, ...], stdin: str, keep: bool = False
) -> Iterator[Block]:
    """Texts in blocks: those given, those of stdin, of a column of a table, of files or mails."""
    has_table = has_text_table(source, texts)
    _refuse_what_does_not_fit(source, has_table, texts, keep)
    if source is None and texts:
        return iter([(_numbers(), list(texts))])
    if source is None or is_stdin(source):
        heads = _numbers()
        return ((heads, block) for block in stdin_blocks(stdin))
    if has_table:
        rows = opened_file(source)
        return _questions_of_table(rows, text_columns(rows, texts, model), keep)
    refuse_columns(source, texts)
    return questions_of_files(source)


def has_text_table(source: Path | None, texts: tuple[str, ...]) -> bool:
    """Whether the texts are in a column of a table."""
    return source is not None and has_columns(opened_file(source), texts or None)


def _refuse_what_does_not_fit(
    source: Path | None, has_table: bool, texts: tuple[str, ...], keep: bool
) -> None:
    """Refuse options that have no meaning for this question."""
    reads_stdin = (source is None and not texts) or (source is not None and is_stdin(source))
    if is_given("stdin") and not reads_stdin:
        raise click.UsageError("--stdin says what stdin holds, but the texts come from elsewhere.")
    if source is not None and is_stdin(source) and texts:
        raise click.UsageError("Give texts by --text or on stdin, not both.")
    if keep and not has_table:
        raise click.UsageError("--keep keeps the columns of a table, but there is none.")


def is_stdin(source: Path) -> bool:
    """Whether this is the name of stdin.

    >>> is_stdin(Path("-")), is_stdin(Path("mails.csv"))
    (True, False)
    """
    return str(source) == "-"


def _numbers() -> Iterator[Row]:
    """The numbers of rows, from 0 on, as heads of their answers."""
    return ({"row": number} for number in count())


def _heads_of_table(rows: Stored, keep: bool) -> Iterator[Row]:
    """The columns of each row of a table if they are kept, or its number."""
    return rows_of_file(rows) if keep else _numbers()


# one row or text ----------------------------------------------------------------------------------


def row_at(model: Any, rows: Stored, number: int) -> Row:
    """One row of the columns that a model has learned; they are numbered from 0."""
    stored = None
    if is_number_model(model):
        learned = dict.fromkeys(model.feature_names_in_.tolist(), "number")
        stored = dict.fromkeys(rows.names, "ignore") | learned
    row = next(islice(rows_of_file(rows, stored), number, None), None)
    if row is None:
        n_rows = sum(1 for _ in rows_of_file(rows))
        raise ValueError(f"--row must be from 0 to {n_rows - 1}, the rows of {rows}, got {number}.")
    return row


def text_at(blocks: Iterable[Block], number: int) -> str | None:
    """The text of this number."""
    before = 0
    for _, block in blocks:
        texts = as_texts(block)
        if number < before + len(texts):
            return texts.text(number - before)
        before += len(texts)
    raise ValueError(
        f"--row must be from 0 to {before - 1}, the texts that are given, got {number}."
    )


# files ------------------------------------------------------------------------------------------


def rows_of_file(rows: Stored, stored: Mapping[str, str] | None = None) -> Iterator[Row]:
    """The rows as they stand in the file: of a CSV file every cell is text, None if empty.

    stored : how columns are read instead, see `Source.blocks`
    """
    for block in rows.blocks(stored or dict.fromkeys(rows.names, "text")):
        columns = block.X if isinstance(block.X, Mapping) else block.X.to_pydict()
        for cells in zip(*columns.values(), strict=True):
            yield dict(zip(columns, cells, strict=True))


def _questions_of_table(rows: Stored, text: tuple[str, ...], keep: bool) -> Iterator[Block]:
    """The texts of a column, or of several, joined."""
    heads = _heads_of_table(rows, keep)
    block = None
    for block, _ in text_blocks(rows, text, rows_per_block=MOST_ROWS_PER_BLOCK):
        yield heads, block
    if block is None:
        raise ValueError(f"{rows} has no rows.")


def questions_of_files(path: Path) -> Iterator[Block]:
    """The texts of a file, or of all files of a folder, each with its name."""
    named = _named_texts(_files_of(path))
    while block := list(islice(named, FILES_PER_BLOCK)):
        yield ({"name": name} for name, _ in block), [text for _, text in block]


def _files_of(path: Path) -> list[Path]:
    """A file, or those in a folder and its sub-folders, without hidden ones."""
    files = [path] if path.is_file() else files_below(path)
    if not files:
        raise ValueError(f"{path} must hold texts or mails, but there is no file in it.")
    return files


def _named_texts(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Name and text of each file; the mails of a mailbox are numbered from 0."""
    for path in paths:
        is_box = path.suffix.lower() == ".mbox"
        for number, text in enumerate(texts_of_file(path)):
            yield f"{path}:{number}" if is_box else str(path), text


# stdin ------------------------------------------------------------------------------------------


def stdin_blocks(holds: str) -> Iterator[list[str]]:
    """The texts of stdin: lines in blocks as they come, or all of it as one text or mail."""
    stream = _stdin_stream(holds)
    blocks = _line_blocks(stream) if holds == "lines" else _whole_block(stream, holds)
    block = None
    for block in blocks:
        yield block
    if block is None:
        raise ValueError(EMPTY_STDIN)


def _stdin_stream(holds: str) -> Any:
    if sys.stdin is None:
        raise ValueError("There must be at least one text on stdin, but it is closed.")
    stream = sys.stdin.buffer
    if stream.isatty():
        note(f"reading {holds} from the terminal. Ctrl-D ends.")
    return stream


def identified_stdin(holds: str) -> Iterator[Identified]:
    """The texts of stdin with their ids: the Message-ID of a mail, or else the checksum."""
    if holds != "mail":
        for block in stdin_blocks(holds):
            yield from ((text_id(text), text) for text in block)
        return
    data = _stdin_stream(holds).read()
    if not data:
        raise ValueError(EMPTY_STDIN)
    yield read_mail(data)


def _whole_block(stream: BinaryIO, holds: str) -> Iterator[list[str]]:
    """All that comes, as one text or mail."""
    data = stream.read()
    if data:
        yield [mail_text(data) if holds == "mail" else _stdin_text(data, "The text on stdin")]


def _line_blocks(stream: Any) -> Iterator[list[str]]:
    """The lines that have come, as soon as they are whole; nothing waits for more to come."""
    if "\n".encode(told_encoding() or "utf-8") != b"\n":
        raise ValueError(
            f"Lines of stdin cannot be separated in {told_encoding()}. Send a whole text with "
            "--stdin text, or name a file."
        )
    line_parts: list[bytes] = []  # the start of a line
    n_lines = 0
    while data := stream.read1(BYTES_PER_READ):
        if b"\n" not in data:
            line_parts.append(data)
            continue
        *lines, rest = b"".join([*line_parts, data]).split(b"\n")
        yield _decoded_lines(lines, n_lines)
        line_parts, n_lines = [rest] if rest else [], n_lines + len(lines)
    if line_parts:
        yield _decoded_lines([b"".join(line_parts)], n_lines)


def _decoded_lines(lines: list[bytes], first: int) -> list[str]:
    """Lines as texts, without the return character that ends them on Windows."""
    return [
        _stdin_text(line.removesuffix(b"\r"), f"Line {number} of stdin")
        for number, line in enumerate(lines, start=first)
    ]


def _stdin_text(data: bytes, name: str) -> str:
    """Bytes as text; refused if they cannot be decoded."""
    if told_encoding():
        return as_told(data, name)
    try:
        return without_zeros(data, name).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(
            f"{name} must be UTF-8, got {data[:20]!r}. Name its encoding, such as --encoding "
            "latin-1."
        ) from None
