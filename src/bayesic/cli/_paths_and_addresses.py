"""Where things are: files with the right extension, and models on a server."""

from os import PathLike
from pathlib import Path

import click

from bayesic.cli._on_server import address_of, is_address


class FileEnding(click.Path):
    """The path of a file with one of these extensions."""

    def __init__(self, noun: str, *endings: str) -> None:
        super().__init__(path_type=Path)
        self.name, self.endings = noun, endings

    def convert(
        self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """The path, if it has a right extension: better now than after the work."""
        path = Path(str(super().convert(value, param, ctx)))
        if path.suffix.lower() not in self.endings:
            endings = " or ".join(self.endings)
            self.fail(f"a {self.name} must end in {endings}, got {str(path)!r}.", param, ctx)
        return path


class OrAddress(click.ParamType):
    """A path of some kind, or the address of a model on a server."""

    def __init__(self, kind: click.Path) -> None:
        self.kind, self.name = kind, kind.name

    def convert(
        self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """The path, or the address."""
        if not is_address(str(value)):
            return self.kind.convert(value, param, ctx)
        try:
            return address_of(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


FILE = click.Path(path_type=Path)
MODEL = FileEnding("model file", ".bayes")
PICTURE = FileEnding("picture", ".png", ".svg")
MODEL_PLACE = OrAddress(MODEL)
SOURCE_PLACE = OrAddress(FILE)
