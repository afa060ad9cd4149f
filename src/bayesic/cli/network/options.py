"""The options and files that the commands for networks share."""

from pathlib import Path
from typing import Any

import click

from bayesic.cli.options import FILE, together


class NetworkFile(click.Path):
    """The path of a network to write; its ending tells the format."""

    name = "network file"

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: Any, ctx: Any) -> Path:
        """The path, if it has a known ending: better now than after the work."""
        from bayesic.networks.files.writing import WRITERS

        path = Path(str(super().convert(value, param, ctx)))
        if Path(path.name.lower().removesuffix(".gz")).suffix not in WRITERS:
            endings = ", ".join(WRITERS)
            self.fail(
                f"a network file ends in {endings} (or these and .gz), got {str(path)!r}.",
                param,
                ctx,
            )
        return path


NETWORK = NetworkFile()

file = click.argument("file", type=FILE)
normalise = click.option(
    "--normalise",
    is_flag=True,
    help="Divide the rows of tables by their sums, where they are not 1.",
)
seed = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="NUMBER",
    help="Of the random numbers: the same seed gives the same result.",
)
evidence = together(
    click.option(
        "--given",
        "-g",
        multiple=True,
        metavar="VARIABLE=STATE",
        help="What was observed. Repeatable.",
    ),
    click.option(
        "--likelihood",
        multiple=True,
        metavar="VARIABLE=STATE:NUMBER,...",
        help="What was seen, but not for certain: how probable it is under each state, such as "
        "Storm=yes:0.9,no:0.2. Repeatable.",
    ),
)
