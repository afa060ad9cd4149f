"""The walls between rooms: what a room keeps to itself, no other one imports.

A room is a folder directly below `src/bayesic`. A module `_name.py` in it, and every module in a
folder `_name/`, is private to the room. `lint-imports` checks this, by the contract of type
"private" in `pyproject.toml`.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from importlinter import Contract, ContractCheck, output


class PrivateModules(Contract):
    """No private module is imported from another room."""

    type_name = "private"

    def check(self, graph: Any, verbose: bool) -> ContractCheck:
        """Look at all imports of private modules."""
        imports = [
            (importer, imported)
            for imported in graph.modules
            if is_private(imported)
            for importer in graph.find_modules_that_directly_import(imported)
        ]
        broken = sorted(through_walls(imports))
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print what is not allowed."""
        for importer, imported in check.metadata["broken"]:
            output.print_error(f"{importer} imports {imported}, private to {room_of(imported)}.")


def is_private(module: str) -> bool:
    """Whether the module, or a folder that it is in, has a name with an underscore in front.

    >>> is_private("bayesic.networks._engine.tree"), is_private("bayesic.__main__")
    (True, False)
    """
    return any(part.startswith("_") and not part.startswith("__") for part in module.split("."))


def room_of(module: str) -> str:
    """The room of a module.

    >>> room_of("bayesic.networks._engine.tree")
    'bayesic.networks'
    """
    return ".".join(module.split(".")[:2])


def through_walls(imports: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The imports (importer, imported) of private modules from another room.

    >>> inside = ("bayesic.networks.network", "bayesic.networks._engine.tree")
    >>> outside = ("bayesic.studio.studio", "bayesic.networks._engine.tree")
    >>> list(through_walls([inside, outside]))
    [('bayesic.studio.studio', 'bayesic.networks._engine.tree')]
    """
    for importer, imported in imports:
        if is_private(imported) and room_of(importer) != room_of(imported):
            yield importer, imported
