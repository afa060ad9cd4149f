"""Rows of a file against a network: which surprise it, and how well it tells a target."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from bayesic.data.coded import table_blocks
from bayesic.data.source import InMemory, RowBlock, Stored, opened_file
from bayesic.data.states import States
from bayesic.evaluation.report import evaluate_answers
from bayesic.kernels import Array
from bayesic.networks.codes import block_codes, observed_codes
from bayesic.networks.network import BeliefNetwork
from bayesic.networks.queries import surprise as surprising
from bayesic.networks.queries.target_answers import target_answers
from bayesic.studio._calibration_bins import bins_for_page

MOST_SURPRISING = 100  # rows that are listed


class Cases(NamedTuple):
    """A file of cases that was loaded."""

    name: str
    path: Path
    n_rows: int
    columns: tuple[str, ...]
    encoding: str | None = None  # of the file as the user has it, where it was not UTF-8,
    original: Path | None = None  # and where that is, if it is known


def read_cases(name: str, path: Path) -> Cases:
    """The cases of a file, all of it read once, so that errors show now."""
    file = opened_file(path)
    columns, n_rows = tuple(file.names), sum(_length(block.X) for block in _text_blocks(file))
    if not n_rows:
        raise ValueError(f"{name} has no rows.")
    return Cases(name, path, n_rows, columns)


def _text_blocks(file: Stored) -> Iterator[RowBlock]:
    return file.blocks(dict.fromkeys(file.names, "category"))


def _length(block: Any) -> int:
    return len(next(iter(block.values()))) if isinstance(block, Mapping) else block.num_rows


def row_at(network: BeliefNetwork, cases: Cases, number: int) -> dict[str, object]:
    """A row: what it observes of the network, all its cells as texts, and what says nothing."""
    if not 0 <= number < cases.n_rows:
        raise ValueError(
            f"{cases.name} has the rows 0 to {cases.n_rows - 1}, got the number {number}."
        )
    cells = _cells(cases, number)
    observed = {}
    for block in table_blocks(InMemory(_one_row(cells)), known_states(network)):
        if block.columns:
            codes = block_codes(known_states(network), block, unknown="null")[0].tolist()
            found = zip(known_states(network), codes, strict=True)
            observed = {name: code for name, code in found if code >= 0}
    return {
        "given": observed,
        "cells": cells,
        "left_out": [name for name, cell in cells.items() if cell and name not in observed],
    }


def _cells(cases: Cases, number: int) -> dict[str, str]:
    """The cells of a row as texts, "" where there is none."""
    for block in _text_blocks(opened_file(cases.path)):
        row, rows = number - block.first_row, block.X
        if row < _length(rows):
            if isinstance(rows, Mapping):
                return {name: _text(values[row]) for name, values in rows.items()}
            (cells,) = rows.slice(row, 1).to_pylist()
            return {name: _text(cell) for name, cell in cells.items()}
    raise ValueError(f"{cases.name} has become shorter than {number} rows. Load it again.")


def _text(cell: object) -> str:
    return "" if cell is None or cell != cell else str(cell)


def _one_row(cells: Mapping[str, str]) -> dict[str, list[str | None]]:
    return {name: [cell or None] for name, cell in cells.items()}


def known_states(network: BeliefNetwork) -> dict[str, States]:
    """The states of all variables whose states are known."""
    return {name: its for name, its in network._states.items() if its is not None}


def _codes(network: BeliefNetwork, cases: Cases) -> Array:
    """What each row observes; a cell that is not a state of its variable says nothing."""
    states = {name: network.states(name) for name in network.variables}
    return observed_codes(states, cases.path, unknown="null")


def surprise(network: BeliefNetwork, cases: Cases) -> dict[str, object]:
    """The least probable rows, the mean of log P(row), and how many rows cannot happen."""
    model = network._named_model()
    found = surprising.surprise(model, _codes(network, cases), MOST_SURPRISING)
    return {
        "rows": [
            {"number": each.row, "log_probability": each.log_probability} for each in found.rows
        ],
        "mean": found.mean if found.n_impossible < found.n_rows else None,
        "n_impossible": found.n_impossible,
        "n_rows": found.n_rows,
    }


def tested(network: BeliefNetwork, cases: Cases, target: str) -> dict[str, object]:
    """How well the network tells a target from all else that the rows observe.

    Rows without a known state of the target are left out.
    """
    model = network._named_model()
    answers, n_left_out, n_impossible = target_answers(model, _codes(network, cases), target)
    report = evaluate_answers(answers, cases.name)
    return {
        "accuracy": report.accuracy,
        "log_loss": report.log_loss,
        "brier": report.brier_score,
        "confusion": report.confusion.tolist(),
        "calibration": bins_for_page(report.calibration),
        "states": [*map(str, report.classes)],
        "n_rows": report.n_rows,
        "n_left_out": n_left_out,
        "n_impossible": n_impossible,
    }
