"""What columns and targets look like that a model should not take as they are, and what to do.

All is judged on what was learned, or on all rows at once, not on blocks of rows: the same rows get
the same notice however they came.
"""

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from bayesic.data.columns import Categories, Cells, Numbers
from bayesic.data.dates import looks_like_date
from bayesic.kernels import Array
from bayesic.statistics.leading_bits import MANTISSA_BITS
from bayesic.statistics.level_counts import LevelCounts
from bayesic.statistics.number_counts import NumberCounts
from bayesic.statistics.table_counts import ColumnCounts

ROWS_TO_JUDGE = 30  # from this many rows on, say what a column looks like
ROWS_TO_JUDGE_CODES = 10  # the same for codes that say nothing, which a textbook's table may have
NEARLY_ALL = 0.9  # of the rows have a value of their own
MOST_NAMED = 5  # columns named in a notice, the others are counted
LONG_WORDS = 8  # characters of a Chinese text, which has no spaces
UNCUT = "no cut between its numbers tells the classes apart"
MANY_CLASSES, FEW_ROWS = 20, 10  # of a target that may be a measurement; rows of each on average

Seen = Mapping[str, ColumnCounts]  # what was learned about undeclared columns


def notices(seen: Seen, classes: Array, class_count: Array, silent: Mapping[str, str]) -> list[str]:
    """All that there is to say after learning, each with the way out.

    seen   : the undeclared columns
    silent : the columns that say nothing about the class, and why
    """
    if class_count.dtype.kind == "f":  # weights: nobody knows how many rows there were
        return []
    looks = {name: look_of(counts) for name, counts in seen.items()}
    as_expected = {name: why for name, why in silent.items() if looks.get(name) is None}
    return [
        notice
        for notice in (
            *say_looks(looks),
            _say_nothing_told(as_expected, seen, class_count),
            _say_measurement(classes, class_count),
        )
        if notice
    ]


def uninformative_columns(
    kept: Iterable[str],
    counts: Mapping[str, ColumnCounts],
    kinds: Mapping[str, str],
    is_uncut: Callable[[str], bool] = lambda name: False,
    unseen: str = "no value was observed",
) -> dict[str, str]:
    """The columns that say nothing about the class, and why.

    kept     : the columns that are not to be ignored
    counts   : of those of which something was seen
    kinds    : what the user says of columns
    is_uncut : whether the bins of a column have no cut
    unseen   : why there may be no counts
    """
    reasons = {
        name: _why_nothing(counts.get(name), kinds.get(name), unseen, is_uncut(name))
        for name in kept
    }
    return {name: why for name, why in reasons.items() if why}


def _why_nothing(counts: ColumnCounts | None, kind: str | None, unseen: str, is_uncut: bool) -> str:
    """Why a column says nothing about the class; "" if it may say something."""
    if counts is None:
        return unseen
    if is_uncut:
        return UNCUT
    return "the same value in all rows" if len(counts.table) == 1 and kind != "bernoulli" else ""


def table_notices(
    counts: Mapping[str, ColumnCounts],
    told: Mapping[str, str],
    uninformative: Mapping[str, str],
    classes: Array,
    class_count: Array,
) -> Iterable[str]:
    """What to say of columns and targets that a model should not take as they are."""
    seen = {name: each for name, each in counts.items() if name not in told}
    return notices(seen, classes, class_count, uninformative)


def say_looks(looks: Mapping[str, str | None]) -> list[str]:
    """What to do about columns that look like this, a sentence for each look.

    >>> say_looks({"sky": None, "id": "count"})[0][:40]
    "Column 'id' has consecutive whole number"
    """
    alike = {kind: [name for name in looks if looks[name] == kind] for kind in _SAY}
    return [_SAY[kind](names) for kind, names in alike.items() if names]


def say_fractions(seen: Mapping[str, LevelCounts]) -> list[str]:
    """What to do about measurements each value of which is a category.

    >>> say_fractions({"size": LevelCounts(("1", "2.5"), np.ones((2, 1)))})[0][:62]
    "Column 'size' has fractions such as 2.5, and each value is a c"
    """
    fractions = {name: _fraction_among(counts.levels) for name, counts in seen.items()}
    names = [name for name, fraction in fractions.items() if fraction]
    if not names:
        return []
    return [
        f"{_columns(names)} fractions such as {fractions[names[0]]}, and each value is a category "
        "by itself here, however close others are. For measurements use NaiveBayes, or cut them "
        f"into a few classes. If they name categories, set columns={{{names[0]!r}: 'categorical'}}."
    ]


def _fraction_among(levels: Iterable[str]) -> str:
    """The first that is no whole number, if all are numbers; else "".

    >>> _fraction_among(["1", "2.5"]), _fraction_among(["1", "2"]), _fraction_among(["2.5", "rain"])
    ('2.5', '', '')
    """
    try:
        numbers = {level: float(level) for level in levels}
    except ValueError:
        return ""
    return next((level for level, number in numbers.items() if not number.is_integer()), "")


# columns --------------------------------------------------------------------------------------


def look_of(counts: ColumnCounts) -> str | None:
    """ "text", "identifier", "count" or "date"; None for a column that may be what it is.

    >>> from bayesic.statistics.level_counts import LevelCounts
    >>> cities = LevelCounts(("Bern", "Rome"), np.array([[20], [20]]))
    >>> customers = LevelCounts(tuple(f"C{n}" for n in range(10, 50)), np.ones((40, 1), np.int64))
    >>> look_of(cities), look_of(customers)
    (None, 'identifier')
    """
    n_rows = float(counts.table.sum())
    if n_rows < ROWS_TO_JUDGE or counts.holds == "text":
        return None
    if isinstance(counts, NumberCounts):
        return "count" if _are_consecutive(counts) else None
    levels = counts.levels
    if all(map(looks_like_date, levels)):
        return "date"
    if len(levels) < NEARLY_ALL * n_rows:
        return None
    if 2 * sum(map(_is_phrase, levels)) > len(levels):
        return "text"
    if all(map(_is_digits, levels)):
        return "count" if _are_one_step_apart(levels) else None
    return "identifier"


def look_of_cells(cells: Cells) -> str | None:
    """The same of all cells of a column, before anything is counted.

    >>> look_of_cells(Numbers(np.arange(40.0))), look_of_cells(Numbers(np.arange(0.0, 20.0, 0.5)))
    ('count', None)
    """
    if isinstance(cells, Categories):
        counts = np.bincount(cells.codes[cells.codes >= 0], minlength=len(cells.levels))
        return look_of(LevelCounts(cells.levels, counts[:, None]))
    if isinstance(cells, Numbers) and _are_numbers_of_rows(cells.values):
        return "count"
    return None


def _are_numbers_of_rows(values: Array) -> bool:
    """Whether these are consecutive whole numbers, each of them once; NaN is left out."""
    first = values[:ROWS_TO_JUDGE]
    if not ((first == np.floor(first)) | np.isnan(first)).all():  # most measurements end here
        return False
    values = values[~np.isnan(values)]
    if len(values) < ROWS_TO_JUDGE or values.max() - values.min() != len(values) - 1:
        return False
    values.sort()
    return bool(values[0] == np.floor(values[0]) and (np.diff(values) == 1).all())


def _are_consecutive(counts: NumberCounts) -> bool:
    """Whether a column has each of some consecutive whole numbers once, as 1, 2, ..., n.

    Where the table no longer has all digits, mean and scatter decide, which are then

        first + (n - 1) / 2   and   n (n^2 - 1) / 12
    """
    n_values = float(counts.table.sum())
    if counts.bits == MANTISSA_BITS:
        keys = counts.keys
        is_whole = bool((keys == np.floor(keys)).all())
        return is_whole and n_values == len(keys) == keys[-1] - keys[0] + 1
    whole = counts.moments.pooled()
    mean, scatter = float(whole.mean[0, 0]), float(whole.scatter[0, 0])
    expected = n_values * (n_values**2 - 1) / 12
    first = mean - (n_values - 1) / 2
    return abs(scatter / expected - 1) < 1e-9 and abs(first - round(first)) < 1e-6


def _is_phrase(text: str) -> bool:
    """Whether a string is words of a language: has spaces within, or is long and has none."""
    text = text.strip()
    return any(map(str.isspace, text)) or (
        len(text) >= LONG_WORDS and any("\u4e00" <= character <= "\u9fff" for character in text)
    )


def _is_digits(text: str) -> bool:
    return text.isascii() and text.removeprefix("-").isdigit() and len(text) < 16


def _are_one_step_apart(levels: Iterable[str]) -> bool:
    numbers = sorted(map(int, levels))
    return numbers[-1] - numbers[0] + 1 == len(numbers) == len(set(numbers))


# sentences ------------------------------------------------------------------------------------


def _say_text(names: list[str]) -> str:
    return (
        f"{_columns(names)} nearly as many values as rows, with spaces in them: this looks like "
        f"free text. To learn from the words, set columns={{{names[0]!r}: 'text'}} in NaiveBayes "
        "or use TextClassifier; 'ignore' leaves the text out."
    )


def _say_identifier(names: list[str]) -> str:
    return (
        f"{_columns(names)} nearly as many values as rows: these look like identifiers, which say "
        f"nothing about new rows. Leave them out with columns={{{names[0]!r}: 'ignore'}}."
    )


def _say_count(names: list[str]) -> str:
    return (
        f"{_columns(names)} consecutive whole numbers, each exactly once: these look like row "
        f"numbers. Leave them out with columns={{{names[0]!r}: 'ignore'}}."
    )


def _say_date(names: list[str]) -> str:
    return (
        f"{_columns(names)} dates, and each date is its own category here. To learn from year, "
        f"month, weekday and hour, use bayesic.date_columns(table, {names[0]!r}); "
        f"columns={{{names[0]!r}: 'ignore'}} leaves them out."
    )


_SAY: dict[str, Callable[[list[str]], str]] = {
    "text": _say_text,
    "identifier": _say_identifier,
    "count": _say_count,
    "date": _say_date,
}


def _columns(names: list[str]) -> str:
    """The names with their verb.

    >>> _columns(["id"]), _columns(["id", "code"])
    ("Column 'id' has", "Columns 'id', 'code' have")
    """
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    listed = ", ".join(map(repr, names[:MOST_NAMED])) + more
    return f"Column {listed} has" if len(names) == 1 else f"Columns {listed} have"


def _say_nothing_told(silent: Mapping[str, str], seen: Seen, class_count: Array) -> str:
    n_rows = float(class_count.sum())
    if n_rows < ROWS_TO_JUDGE_CODES or np.count_nonzero(class_count) < 2:
        return ""
    codes = [name for name in silent if _may_name_categories(seen.get(name))]
    named = list(silent) if n_rows >= ROWS_TO_JUDGE else codes
    if not named:
        return ""
    listed = "; ".join(f"{name!r}: {silent[name]}" for name in named[:MOST_NAMED])
    more = f"; and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    way_out = (
        f" If the numbers name categories, set columns={{{codes[0]!r}: 'categorical'}}."
        if codes
        else ""
    )
    return (
        f"Some columns tell nothing about the class and change no answer. {listed}{more}.{way_out}"
    )


def _may_name_categories(counts: ColumnCounts | None) -> bool:
    """Whether these are whole numbers, most of which come more than once."""
    if not isinstance(counts, NumberCounts) or counts.bits < MANTISSA_BITS:
        return False
    is_whole = bool((counts.keys == np.floor(counts.keys)).all())
    return is_whole and 1 < len(counts.keys) <= float(counts.table.sum()) / 2


def _say_measurement(classes: Array, class_count: Array) -> str:
    n_rows, n_classes = float(class_count.sum()), len(classes)
    is_many = n_classes >= MANY_CLASSES and n_rows < FEW_ROWS * n_classes
    if n_rows < ROWS_TO_JUDGE or not is_many or classes.dtype.kind not in "iuf":
        return ""
    return (
        f"The target has {n_classes} different numbers in {n_rows:.6g} rows, and each is treated "
        "as a class. If it is a measurement, use LeastSquares or KNeighborsRegressor, or cut it "
        "into "
        "a few classes."
    )
