"""How a CSV file is read: its header, the query that DuckDB runs, and its errors as sentences.

Nothing is guessed but the delimiter and the kinds of the columns: UTF-8, one header line, double
quotes around a field where needed, an empty field for what was not observed.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bayesic.data.encodings import in_utf_8, is_packed, opened

DELIMITERS = (",", ";", "\t", "|")
_CODE = re.compile("0[xXbB]")
LONGEST_HEADER = 2**21  # characters; DuckDB takes lines of 2 MB
NOT_UTF_8 = (
    "Save it as UTF-8; or name its encoding: on the command line --encoding gbk, in Python "
    "by passing the table that pandas.read_csv(path, encoding='gbk') returns."
)


@dataclass(frozen=True)
class CsvFile:
    """Where a CSV file is, and what its header says."""

    path: Path
    delimiter: str
    names: tuple[str, ...]
    content: Path  # the file, or its copy in UTF-8
    may_have_codes: bool = False  # such as 0x10, seen in the first characters of it
    ends_lines_by: str = ""  # if DuckDB cannot find out: Excel breaks a line within a name by \n


def open_csv(path: Path) -> CsvFile:
    """Read the header. The delimiter is the one that gives most columns, for .tsv it is the tab."""
    content = in_utf_8(path)
    start = _start_of(content)
    if not start.strip():
        raise ValueError(f"{path} is empty. A CSV file needs a first line with column names.")
    delimiters = ("\t",) if ".tsv" in path.name.lower() else DELIMITERS
    headers = {mark: _first_record(start, mark) for mark in delimiters}
    delimiter = max(delimiters, key=lambda mark: len(headers[mark]))
    header = headers[delimiter]
    if not header:
        raise ValueError(_no_header(path, "it is blank, or a name is longer than any should be"))
    names = tuple(name.strip() or f"column{place}" for place, name in enumerate(header))
    refuse_equal_names(path, names)
    may_have_codes = _CODE.search(start) is not None
    ends_lines_by = _line_end(start, delimiter) if any("\n" in name for name in header) else ""
    return CsvFile(path, delimiter, names, content, may_have_codes, ends_lines_by)


def refuse_equal_names(path: Path, names: Iterable[str]) -> None:
    """Refuse a file with two columns of the same name."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ValueError(
            f"{path}: columns must have different names, got {twice} more than once. Rename them."
        )


def _start_of(path: Path) -> str:
    try:
        with opened(path, "utf-8-sig") as file:
            return file.read(LONGEST_HEADER)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} must be UTF-8 text, but is not. {NOT_UTF_8}") from error


def _first_record(text: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error:
        # Python's reader takes no field above 131,072 characters: this is not a delimiter of a long
        # header, or a name is as long as that
        return []


def _line_end(text: str, delimiter: str) -> str:
    r"""What ends the first record, as DuckDB writes it.

    >>> _line_end('sky,"warm\nth"\r\nsun,20\r\n', ",")
    '\\r\\n'
    """
    lines = io.StringIO(text, newline="")
    next(csv.reader(lines, delimiter=delimiter))
    return r"\r\n" if text[: lines.tell()].endswith("\r\n") else r"\n"


def _no_header(path: Path, problem: str) -> str:
    return f"{path} must start with a line of column names separated by commas, but {problem}."


# queries --------------------------------------------------------------------------------------


def quoted_path(path: Path) -> str:
    """The path as an SQL literal that means this file only, whatever is in its name.

    >>> quoted_path(Path("/data/Bayes' rule [1].csv"))
    "'/data/Bayes'' rule [[]1].csv'"
    """
    # absolute: never taken for the address of a server; brackets: * and ? are not patterns
    text = "".join(f"[{mark}]" if mark in "*?[" else mark for mark in str(path.absolute()))
    return _literal(text)


def sniffing_query(file: CsvFile, whole_numbers: bool = True) -> str:
    """Asks DuckDB for the type of each column, seen from the first rows.

    Without whole numbers, what is not a float is text: 0x10, which names something, is BIGINT
    otherwise.
    """
    some = "" if whole_numbers else ", auto_type_candidates=['DOUBLE', 'VARCHAR']"
    return f"DESCRIBE SELECT * FROM read_csv({_options(file)}, comment='', skip=0{some})"


def csv_query(file: CsvFile, types: Iterable[str], columns: Iterable[int]) -> str:
    """Asks DuckDB for these columns (by place), each read as the type given for its place.

    The columns are called c0, c1, ...: DuckDB would take Rain and rain for the same name.
    """
    names = ", ".join(f"c{place}" for place in columns)
    typed = ", ".join(f"'c{place}': '{type_}'" for place, type_ in enumerate(types))
    options = f"{_options(file)}, nullstr='', auto_detect=false, columns={{{typed}}}"
    return f"SELECT {names} FROM read_csv({options})"


def _options(file: CsvFile) -> str:
    compression = "gzip" if is_packed(file.content) else "none"
    new_line = f", new_line='{file.ends_lines_by}'" if file.ends_lines_by else ""
    return (
        f"{quoted_path(file.content)}, header=true, delim={_literal(file.delimiter)}, quote='\"', "
        f"escape='\"', compression='{compression}'{new_line}"
    )


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


# errors ---------------------------------------------------------------------------------------

_LINE = re.compile(r"Error on Line: (\d+)")
_WIDTH = re.compile(r"^Expected Number of Columns: (\d+) Found: (\d+)", re.MULTILINE)
_CONVERSION = re.compile(
    r'^Error when converting column "c(\d+)"\. Could not convert string "(.*?)" to \'', re.M | re.S
)
_SENTENCES = {
    "Value with unterminated quote": "a double quote is opened and not closed, or stands within a "
    "value. Write it twice within a value in double quotes.",
    "Invalid unicode": f"the file must be UTF-8 text, but is not. {NOT_UTF_8}",
    "Maximum line size": "a row must be at most 2 MB long. Cut long texts, or use a Parquet file.",
}

_INVALID, _LINE_END = "state machine reached an invalid state", re.compile("\r\n|\n|\r")
_MIXED_LINE_ENDS = (
    "lines must all end in the same way; some end in LF, others in CR LF (as on Windows) or CR. "
    "Open the file in an editor or spreadsheet, and save it with one kind of line ends."
)


def csv_sentence(message: str, file: CsvFile) -> str:
    """What DuckDB says about a CSV file, as one sentence with the line and the way out."""
    line = _LINE.search(message)
    where = f"{file.path}, line {line[1]}" if line else str(file.path)
    conversion, width = _CONVERSION.search(message), _WIDTH.search(message)
    if conversion:
        name = file.names[int(conversion[1])]
        return (
            f"{where}: column {name!r} must hold numbers, got "
            f"{_short(conversion[2])!r}. Leave the field empty if the value is missing, or set "
            f"columns={{{name!r}: 'categorical'}}."
        )
    if width:
        return (
            f"{where}: a row must have {width[1]} values, one for each column of the header, got "
            f"{width[2]}. Put values that contain {file.delimiter!r} in double quotes."
        )
    for start, sentence in _SENTENCES.items():
        if f"\n{start}" in message:
            return f"{where}: {sentence}"
    if _INVALID in message and len({*_LINE_END.findall(_start_of(file.content))}) > 1:
        return f"{where}: {_MIXED_LINE_ENDS}"
    return f"{where}: this cannot be read as CSV: {_short(first_line(message))}."


def first_line(message: str) -> str:
    """The first line of an error of DuckDB, without the kind of the error.

    >>> first_line("Invalid Input Error: No magic bytes found\\nat the end")
    'No magic bytes found'
    """
    return re.sub(r"^[A-Z][A-Za-z ]*Error: ", "", message).partition("\n")[0].rstrip(".: ")


def _short(text: str) -> str:
    return text if len(text) <= 100 else text[:97] + "..."
