"""`bayesic network sample`: random rows that follow a network."""

import csv
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from bayesic.cli._options import FILE, as_json
from bayesic.cli.network._network_files import belief_network_of, file, normalise
from bayesic.cli.network._observations import evidence, likelihoods_given, seed, states_given

if TYPE_CHECKING:
    from bayesic.kernels import Array

Columns = dict[str, "Array"]  # variable -> array of states
Done = Callable[[int], None]

ROWS_PER_BLOCK = 10_000


@click.command("sample")
@file
@click.option(
    "-n",
    "number",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    metavar="NUMBER",
    help="How many rows.",
)
@evidence
@seed
@click.option(
    "--out", "-o", type=FILE, metavar="FILE", show_default="stdout", help="File to write."
)
@normalise
@as_json
def command(
    file: Path,
    number: int,
    given: tuple[str, ...],
    likelihood: tuple[str, ...],
    seed: int,
    out: Path | None,
    normalise: bool,
    as_json: bool,
) -> None:
    """Random rows that follow a network, as CSV.

    FILE is a network. Each row has a state of every variable. With --given or --likelihood the
    rows agree with what is known.
    """
    from bayesic.cli._output import opened, stdout_is_file, working

    net = belief_network_of(file, normalise, "rows cannot be drawn")
    known = states_given(net, "--given", given)
    with working("drawing rows", total=1):
        columns = net.sample(number, seed, known, likelihoods_given(net, likelihood))
    write = _write_json if as_json else _write_csv
    if out is None and not stdout_is_file():  # a bar would disturb
        write(columns, sys.stdout)
        return
    with (
        nullcontext(sys.stdout) if out is None else opened(out) as stream,
        working("writing rows", total=number) as done,
    ):
        write(columns, stream, done)


def _blocks_of(columns: Columns, done: Done) -> Iterator[list[list[object]]]:
    """The columns in pieces, as lists; the number of rows written is reported after each."""
    n_rows = len(next(iter(columns.values())))
    for start in range(0, n_rows, ROWS_PER_BLOCK):
        block = [column[start : start + ROWS_PER_BLOCK].tolist() for column in columns.values()]
        yield block
        done(len(block[0]))


def _nothing(_: int) -> None:
    """Report nothing."""


def _write_csv(columns: Columns, stream: TextIO, done: Done = _nothing) -> None:
    """A line of names, and a line for each row."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    for block in _blocks_of(columns, done):
        writer.writerows(zip(*block, strict=True))


def _write_json(columns: Columns, stream: TextIO, done: Done = _nothing) -> None:
    """A list with one object a line."""
    from bayesic.cli._output import write_json

    rows = (
        [dict(zip(columns, row, strict=True)) for row in zip(*block, strict=True)]
        for block in _blocks_of(columns, done)
    )
    write_json((iter(block) for block in rows), stream)
