"""How easily the source reads, in numbers: `python tools/house.py`.

Static figures come from the syntax trees of `src/bayesic`; walks count what a reader has to follow
when one small question is asked, with `sys.setprofile`. The figures say where to look. They are no
aim in themselves: a shorter file that reads worse is no gain.
"""

import ast
import importlib
import io
import pkgutil
import sys
import tokenize
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import bayesic as by

SOURCE = Path(by.__file__).parent
VERBS = ("fit", "partial_fit", "leave_one_out")


class Call(NamedTuple):
    """One function of the library that was entered, and the one of the library that called it."""

    code: CodeType
    caller: CodeType | None
    on_same_self: bool


class Walk(NamedTuple):
    """What a reader meets on the way of one question."""

    calls: int
    files: int
    file_switches: int  # from one call to the next
    folder_switches: int
    self_calls: int
    class_switches: int  # self calls that lead into another class


# the files ------------------------------------------------------------------------------------


def source_files(root: Path = SOURCE) -> list[Path]:
    """All Python files below root."""
    return sorted(root.rglob("*.py"))


def code_lines(text: str) -> int:
    """Lines that hold code: no docstring, no comment, not blank.

    >>> code_lines('''def twice(x):
    ...     "Two times x."
    ...     # multiply
    ...     return 2 * x
    ... ''')
    2
    """
    without = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    nothing = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in (*nothing, tokenize.ENDMARKER):
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - without)


def names_in_several_rooms(root: Path = SOURCE) -> dict[str, list[str]]:
    """File names that occur in more than one folder, and these folders."""
    rooms: dict[str, list[str]] = {}
    for path in source_files(root):
        if path.name != "__init__.py":
            rooms.setdefault(path.name, []).append(path.parent.relative_to(root).as_posix())
    return {name: folders for name, folders in rooms.items() if len(folders) > 1}


def imports_inside_functions(text: str) -> int:
    """Names of this library that are imported inside of functions.

    >>> imports_inside_functions('''
    ... def show():
    ...     from bayesic.plots import canvas, fonts
    ... ''')
    2
    """
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    inside = {
        node
        for function in ast.walk(ast.parse(text))
        if isinstance(function, functions)
        for node in ast.walk(function)
        if isinstance(node, (ast.ImportFrom, ast.Import))
    }
    return sum(len(_own_names(node)) for node in inside)


def _own_names(node: ast.ImportFrom | ast.Import) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        own = (node.module or "").split(".")[0] == "bayesic"
        return [alias.name for alias in node.names] if own else []
    return [alias.name for alias in node.names if alias.name.split(".")[0] == "bayesic"]


# the classes ----------------------------------------------------------------------------------


def own_classes() -> Iterator[type]:
    """All classes of the library, public or not, once each."""
    for module in pkgutil.walk_packages([str(SOURCE)], "bayesic."):
        if not module.name.rpartition(".")[2].startswith(("compiled", "__main__")):
            for value in vars(importlib.import_module(module.name)).values():
                if isinstance(value, type) and value.__module__ == module.name:
                    yield value


def levels(kind: type) -> int:
    """The longest line of classes of the library from this one upwards, itself included."""
    own = [levels(base) for base in kind.__bases__ if base.__module__.startswith("bayesic")]
    return 1 + max(own, default=0)


def definitions(verb: str) -> list[type]:
    """The classes that define this method for classifiers, mixtures aside."""
    from sklearn.base import ClassifierMixin

    classifiers = [
        kind
        for kind in own_classes()
        if issubclass(kind, ClassifierMixin) and not kind.__module__.startswith("bayesic.mixtures")
    ]
    above = {base for kind in classifiers for base in kind.__mro__}
    return [kind for kind in own_classes() if kind in above and verb in vars(kind)]


# the walks ------------------------------------------------------------------------------------


def walk(question: Callable[[], Any]) -> Walk:
    """What is entered in the main thread until the question is answered."""
    calls: list[Call] = []

    def enter(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and _is_named_and_own(frame):
            calls.append(_call(frame))

    sys.setprofile(enter)
    try:
        question()
    finally:
        sys.setprofile(None)
    steps = list(pairwise(calls))
    on_self = [call for call in calls if call.on_same_self]
    return Walk(
        calls=len(calls),
        files=len({call.code.co_filename for call in calls}),
        file_switches=sum(a.code.co_filename != b.code.co_filename for a, b in steps),
        folder_switches=sum(_room(a.code) != _room(b.code) for a, b in steps),
        self_calls=len(on_self),
        class_switches=sum(_home(call.code) != _home(call.caller) for call in on_self),
    )


def _is_named_and_own(frame: FrameType) -> bool:
    code = frame.f_code
    return code.co_filename.startswith(str(SOURCE)) and not code.co_name.startswith("<")


def _call(frame: FrameType) -> Call:
    caller = frame.f_back
    while caller is not None and not _is_named_and_own(caller):
        caller = caller.f_back
    mine = _self_of(frame)
    same = mine is not None and caller is not None and _self_of(caller) is mine
    return Call(frame.f_code, caller.f_code if caller else None, same)


def _self_of(frame: FrameType) -> Any:
    is_method = frame.f_code.co_varnames[:1] == ("self",)
    return frame.f_locals.get("self") if is_method else None


def _room(code: CodeType) -> str:
    return Path(code.co_filename).relative_to(SOURCE).parts[0]


def _home(code: CodeType | None) -> tuple[str, str] | None:
    """File and class of a method."""
    return None if code is None else (code.co_filename, code.co_qualname.rpartition(".")[0])


def walks() -> dict[str, Walk]:
    """Small questions, each asked once before it is followed, so that imports are done."""
    table = {
        "sky": ["rain", "sun", "rain", "sun", "sun", "rain"],
        "degrees": [9.5, 21.0, 11.0, 24.5, 19.0, 8.0],
        "plan": ["stay", "go", "stay", "go", "go", "stay"],
    }
    network_rows = {"rain": ["y", "n", "y"], "wet": ["y", "n", "n"]}
    trees = [by.TreeAugmentedNB().fit(table, y="plan") for _ in range(2)]
    naive = [by.NaiveBayes() for _ in range(2)]

    def learn_network() -> Any:
        return by.BeliefNetwork(edges=[("rain", "wet")]).fit(network_rows)

    questions: dict[str, Callable[[], Any]] = {
        "NaiveBayes.fit": lambda: naive.pop().fit(table, y="plan"),
        "TreeAugmentedNB.predict_proba": lambda: trees.pop().predict_proba(table),
        "BeliefNetwork.fit": learn_network,
    }
    for question in questions.values():
        question()
    return {name: walk(question) for name, question in questions.items()}


# the report -----------------------------------------------------------------------------------


def report() -> list[tuple[str, int]]:
    """What is measured, and the figures."""
    texts = {path: path.read_text(encoding="utf-8") for path in source_files()}
    followed = walks()
    inside = {
        path: imports_inside_functions(text)
        for path, text in texts.items()
        if path.relative_to(SOURCE).parts[0] != "cli"
    }
    return [
        ("own levels of inheritance, deepest", max(map(levels, own_classes()))),
        *((f"classifiers that define {verb}", len(definitions(verb))) for verb in VERBS),
        ("NaiveBayes.fit: changes of class", followed["NaiveBayes.fit"].class_switches),
        (
            "TreeAugmentedNB.predict_proba: changes of class",
            followed["TreeAugmentedNB.predict_proba"].class_switches,
        ),
        ("BeliefNetwork.fit: switches of folder", followed["BeliefNetwork.fit"].folder_switches),
        ("source files", len(texts)),
        ("code lines", sum(map(code_lines, texts.values()))),
        ("file names in several rooms", len(names_in_several_rooms())),
        ("names imported inside functions, cli aside", sum(inside.values())),
    ]


def main() -> None:
    """Print the figures."""
    for what, figure in report():
        print(f"{what:<50}{figure:>8,}")


if __name__ == "__main__":
    main()
