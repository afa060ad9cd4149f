"""What a room does not share is private: `bayesic.store._fold` is for `bayesic.store` alone."""

import ast
from collections.abc import Iterator
from pathlib import Path

import bayesic as by

SOURCE = Path(by.__file__).parent
MODULES = {
    ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts): path
    for path in sorted(SOURCE.rglob("*.py"))
}

# file names that several folders may have
ROUTES = {"routes.py"}  # each desk of the studio has them, as the server has
COMMANDS = {"drift.py", "evaluate.py", "fit.py", "sample.py", "show.py"}  # called as what is typed
ONE_IDEA = {  # from the kernel or the statistic to the estimate and the model
    "back_off.py", "combinations.py", "discriminant.py", "families.py", "forest.py", "joint.py",
    "least_squares.py", "logistic.py",
}  # fmt: skip


def imported(tree: ast.Module) -> Iterator[str]:
    """The modules that are imported, and what is imported from them, by full names.

    >>> [*imported(ast.parse("from bayesic.store import _fold"))]
    ['bayesic.store', 'bayesic.store._fold']
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_of(module: str) -> str:
    """The folder right below the library.

    >>> room_of("bayesic.studio.network._boxes")
    'studio'
    """
    return module.split(".")[1]


def is_private(module: str) -> bool:
    """Whether a module, or a folder that it is in, begins with an underscore."""
    return any(part.startswith("_") and part != "__init__" for part in module.split("."))


def test_no_room_imports_what_another_keeps_to_itself():
    private = {module for module in MODULES if is_private(module)} - {"bayesic.__main__"}
    assert private
    found = [
        f"{module} imports {name}"
        for module, path in MODULES.items()
        for name in imported(ast.parse(path.read_text(encoding="utf-8")))
        if name in private and room_of(name) != room_of(module)
    ]
    assert found == []


def test_modules_of_one_file_name_are_one_idea():
    rooms = (
        "cli", "contract", "datasets", "decisions", "estimation", "evaluation", "evidence",
        "export", "files", "hypotheses", "mixtures", "networks", "plots", "selection", "serve",
        "spark", "statistics", "store", "studio",
    )  # fmt: skip
    names = [path.name for path in MODULES.values() if path.name != "__init__.py"]
    shared = {
        path.name
        for path in MODULES.values()
        if path.relative_to(SOURCE).parts[0] in rooms and names.count(path.name) > 1
    }
    assert shared <= ROUTES | COMMANDS | ONE_IDEA
