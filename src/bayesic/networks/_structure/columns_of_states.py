"""Columns that a structure cannot be learned from: they have gaps, measure, or name the rows."""

from bayesic.data.spelling import spelt
from bayesic.data.states import States
from bayesic.kernels import Array

# Columns with more different numbers than this measure something.
MOST_NUMBERS = 32
MOST_STATES = 2**16


def refuse_gaps(name: str, codes: Array, first_row: int = 0) -> None:
    """Refuse cells that were not observed."""
    if codes.min(initial=0) < 0:
        row = first_row + int((codes < 0).argmax())
        raise ValueError(
            f"A structure is learned from complete rows, got null in column {name!r}, row "
            f"{row}. Leave such rows out, or replace null by a state such as 'unknown'. Where "
            "the edges are known, EM learns the tables from such rows: "
            + spelt("net.fit(table, method='em').")
        )


def refuse_many(name: str, states: States) -> None:
    """Refuse a column of too many states."""
    if len(states) > MOST_STATES:
        raise ValueError(
            f"A variable has at most {MOST_STATES} states, got {len(states)} in column {name!r}. "
            "Leave it out if it names the rows."
        )


def refuse_measurements(name: str, states: States) -> None:
    """Refuse a column of measurements."""
    numbers = [state for state in states if not isinstance(state, (str, bool))]
    fractions = [number for number in numbers if isinstance(number, float)]
    if not fractions and len(numbers) <= MOST_NUMBERS:
        return
    seen = f"{min(fractions):g}" if fractions else f"{len(numbers)} different ones"
    raise ValueError(
        f"Numbers are states if they are whole and at most {MOST_NUMBERS} different ones, got "
        f"{seen} in column {name!r}. Cut it into a few states: in pandas, "
        f"table[{name!r}] = pandas.qcut(table[{name!r}], 4, duplicates='drop').astype(str)."
    )
