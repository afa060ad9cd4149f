"""How easily the source reads, in numbers: `python tools/house.py`.

Static figures come from the syntax trees of `src/bayesic`; walks count what a reader has to follow
when one small question is asked, with `sys.setprofile`. The figures say where to look. They are no
aim in themselves: a shorter file that reads worse is no gain.

`house.json` keeps the figures, and a test fails when one of them is worse than it says. `--write`
keeps those of today; a figure may get worse with a reason: `--write --reason "why"`.
"""

import argparse
import ast
import importlib.machinery
import inspect
import io
import json
import os
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np

import bayesic as by
from bayesic.catalogue import MODELS

SOURCE = Path(by.__file__).parent
KEPT = Path(__file__).with_name("house.json")
VERBS = ("fit", "partial_fit", "leave_one_out")
# A repair may add some lines without an excuse; many repairs together may not.
MARGIN = {"code lines": 100}
OPTIONAL = {
    "dask",
    "ibis",
    "matplotlib",
    "numba",
    "pandas",
    "polars",
    "pyarrow",
    "pyspark",
    "rjieba",
}

Figures = dict[str, int]


class Call(NamedTuple):
    """One function of the library that was entered, and the one of the library that called it."""

    code: CodeType
    caller: CodeType | None
    on_same_self: bool


class Walk(NamedTuple):
    """What a reader meets on the way of one question."""

    calls: int
    calls_before_counting: int  # before statistics/ is entered
    files: int
    file_switches: int  # from one call to the next
    folder_switches: int
    self_calls: int
    class_switches: int  # self calls that lead into another class, those below aside
    attribute_switches: int  # self calls of a `__setattr__` of another class


# the files ------------------------------------------------------------------------------------


def source_files(root: Path = SOURCE) -> list[Path]:
    """All Python files below root, stubs too."""
    return sorted([*root.rglob("*.py"), *root.rglob("*.pyi")])


def code_lines(text: str, tree: ast.Module) -> int:
    """Lines that hold code: no docstring, no comment, not blank.

    >>> text = '''def twice(x):
    ...     "Two times x."
    ...     # multiply
    ...     return 2 * x
    ... '''
    >>> code_lines(text, ast.parse(text))
    2
    """
    lines = enumerate(text.splitlines(), start=1)
    texts, docstrings = set[int](), set[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) or _is_text(node):
            texts |= _lines_of(node)
        elif isinstance(node, ast.Expr) and _is_text(node.value):
            docstrings |= _lines_of(node)
    code = {number for number, line in lines if line.strip() and line.strip()[0] != "#"}
    return len((code | texts) - docstrings)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _lines_of(node: Any) -> set[int]:
    return {*range(node.lineno, node.end_lineno + 1)}


def times_named(name: str, tree: ast.Module) -> int:
    """How often the code, not its comments and texts, says this name.

    >>> times_named("Any", ast.parse("def same(x: Any) -> Any: 'Any type'"))
    2
    """
    nodes = list(ast.walk(tree))
    imported = sum(isinstance(node, ast.alias) and node.name == name for node in nodes)
    return imported + sum(isinstance(node, ast.Name) and node.id == name for node in nodes)


def classes_with_several_meanings(files: list[ast.Module]) -> list[str]:
    """Public names of classes that stand in more than one file.

    >>> classes_with_several_meanings([ast.parse("class Rows: 1"), ast.parse("class Rows: 2")])
    ['Rows']
    """
    places = Counter(
        name
        for file in files
        for name in {node.name for node in file.body if isinstance(node, ast.ClassDef)}
        if not name.startswith("_")
    )
    return sorted(name for name, count in places.items() if count > 1)


def names_in_several_rooms(root: Path = SOURCE) -> dict[str, list[str]]:
    """File names that occur in more than one folder, and these folders."""
    rooms: dict[str, list[str]] = {}
    for path in source_files(root):
        if path.stem != "__init__":
            rooms.setdefault(path.name, []).append(path.parent.relative_to(root).as_posix())
    return {name: folders for name, folders in rooms.items() if len(folders) > 1}


def imports_inside_functions(tree: ast.Module) -> int:
    """Names of this library that are imported inside of functions.

    >>> text = '''def show():
    ...     from bayesic.plots import canvas, fonts
    ... '''
    >>> imports_inside_functions(ast.parse(text))
    2
    """
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    inside = {
        node
        for function in ast.walk(tree)
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


def names_models(tree: ast.Module, models: Collection[str]) -> bool:
    """Whether one list, dict, call or text of a file, no docstring, names four of these or more.

    >>> names_models(ast.parse("KINDS = {'A': a.A, 'B': B, 'C, D': 1}"), ["A", "B", "C", "D"])
    True
    """
    nodes = [*ast.walk(tree)]
    told = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    kinds = (ast.Dict, ast.List, ast.Set, ast.Tuple, ast.Call, ast.JoinedStr, ast.Constant)
    several = (node for node in nodes if isinstance(node, kinds) and id(node) not in told)
    return any(len(_words_of(node) & set(models)) > 3 for node in several)


def _words_of(part: ast.AST) -> set[str]:
    """The names in an expression, and the words of its texts."""
    nodes = [*ast.walk(part)]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    names |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    texts = [str(node.value) for node in nodes if isinstance(node, ast.Constant)]
    return names | {word for text in texts for word in re.findall(r"\w+", text)}


# the classes ----------------------------------------------------------------------------------


def estimators() -> list[type]:
    """The classes of `by.__all__` that learn."""
    named = [getattr(by, name) for name in by.__all__ if name[0].isupper()]
    return [kind for kind in named if isinstance(kind, type) and hasattr(kind, "fit")]


def own_bases(kind: type) -> list[type]:
    """The classes of the library that make up this one, itself first."""
    return [base for base in kind.__mro__ if base.__module__.startswith("bayesic")]


def levels(kind: type) -> int:
    """The longest line of classes of the library from this one upwards, itself included."""
    own = [levels(base) for base in kind.__bases__ if base.__module__.startswith("bayesic")]
    return 1 + max(own, default=0)


@cache
def written_methods(kind: type) -> dict[str, bool]:
    """The methods that are written in this class itself, and which of them are abstract."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(definition, ast.ClassDef)
    return {
        node.name: any(ast.unparse(mark) == "abstractmethod" for mark in node.decorator_list)
        for node in definition.body
        if isinstance(node, ast.FunctionDef)
    }


def overridden(kind: type) -> list[str]:
    """Methods of which an estimator inherits or has more than one that is not abstract."""
    concrete = Counter(
        name
        for base in own_bases(kind)
        for name, is_abstract in written_methods(base).items()
        if not is_abstract
    )
    return sorted(name for name, count in concrete.items() if count > 1)


def hooks(kind: type) -> list[str]:
    """Private methods that one class of an estimator declares and another one defines."""
    private = Counter(
        name
        for base in own_bases(kind)
        for name in written_methods(base)
        if name.startswith("_") and not name.startswith("__")
    )
    return sorted(name for name, count in private.items() if count > 1)


def definitions(verb: str) -> set[type]:
    """The classes that define this method for classifiers, mixtures aside."""
    classifiers = [
        kind
        for kind in estimators()
        if hasattr(kind, "predict_proba") and not kind.__module__.startswith("bayesic.mixtures")
    ]
    above = {base for kind in classifiers for base in own_bases(kind)}
    return {base for base in above if verb in written_methods(base)}


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
    switches = [call for call in on_self if _home(call.code) != _home(call.caller)]
    of_attributes = sum(call.code.co_name == "__setattr__" for call in switches)
    rooms = [_room(call.code) for call in calls]
    return Walk(
        calls=len(calls),
        calls_before_counting=rooms.index("statistics") if "statistics" in rooms else len(calls),
        files=len({call.code.co_filename for call in calls}),
        file_switches=sum(a.code.co_filename != b.code.co_filename for a, b in steps),
        folder_switches=sum(_room(a.code) != _room(b.code) for a, b in steps),
        self_calls=len(on_self),
        class_switches=len(switches) - of_attributes,
        attribute_switches=of_attributes,
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


TABLE = {
    "sky": ["rain", "sun", "rain", "sun", "sun", "rain"],
    "degrees": [9.5, 21.0, 11.0, 24.5, 19.0, 8.0],
    "plan": ["stay", "go", "stay", "go", "go", "stay"],
}


def walks() -> dict[str, Walk]:
    """Small questions, each asked once before it is followed, so that imports are done."""
    numbers, plans = np.array(TABLE["degrees"])[:, None], np.array(TABLE["plan"])
    texts = ["free offer", "see you", "win money", "hello there", "lunch today", "free money"]
    network_rows = {"rain": ["y", "n", "y"], "wet": ["y", "n", "n"]}
    trees = [by.TreeAugmentedNB().fit(TABLE, y="plan") for _ in range(2)]
    naive = [by.NaiveBayes() for _ in range(2)]
    gaussian = [by.GaussianNB() for _ in range(2)]
    of_texts = [by.TextClassifier() for _ in range(2)]

    def learn_network() -> Any:
        return by.BeliefNetwork(edges=[("rain", "wet")]).fit(network_rows)

    questions: dict[str, Callable[[], Any]] = {
        "NaiveBayes.fit": lambda: naive.pop().fit(TABLE, y="plan"),
        "GaussianNB.fit": lambda: gaussian.pop().fit(numbers, plans),
        "TextClassifier.fit": lambda: of_texts.pop().fit(texts, plans),
        "TreeAugmentedNB.predict_proba": lambda: trees.pop().predict_proba(TABLE),
        "BeliefNetwork.fit": learn_network,
    }
    for question in questions.values():
        question()
    return {name: walk(question) for name, question in questions.items()}


def openings_by_the_command_line() -> int:
    """How often `bayesic fit` opens its table, a CSV file, before DuckDB reads it."""
    from bayesic.cli.main import commands

    opened = []
    with TemporaryDirectory() as folder:
        table, model = Path(folder, "plans.csv"), Path(folder, "plans.bayes")
        lines = zip(*([name, *map(str, cells)] for name, cells in TABLE.items()), strict=True)
        table.write_text("".join(f"{','.join(line)}\n" for line in lines), encoding="utf-8")

        def note(event: str, told: tuple[Any, ...]) -> None:
            if event == "open" and told[0] == str(table):
                opened.append(told)

        sys.addaudithook(note)
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            commands(["fit", str(table), "--out", str(model)], standalone_mode=False)
    return len(opened)


# the figures ----------------------------------------------------------------------------------


def figures() -> Figures:
    """What is measured; less is better."""
    texts = {path: path.read_text(encoding="utf-8") for path in source_files()}
    trees = {path: ast.parse(text) for path, text in texts.items()}
    followed = walks()
    naive, gaussian = followed["NaiveBayes.fit"], followed["GaussianNB.fit"]
    tree, network = followed["TreeAugmentedNB.predict_proba"], followed["BeliefNetwork.fit"]
    of_texts = followed["TextClassifier.fit"]
    inside = (
        imports_inside_functions(file)
        for path, file in trees.items()
        if path.relative_to(SOURCE).parts[0] != "cli"
    )
    return {
        "concrete methods overridden in an estimator, most": max(
            len(overridden(kind)) for kind in estimators()
        ),
        "hooks of a counting model, most": max(
            len(hooks(kind)) for kind in estimators() if hasattr(kind, "partial_fit")
        ),
        "own levels of inheritance, deepest": max(map(levels, estimators())),
        **{f"classifiers that define {verb}": len(definitions(verb)) for verb in VERBS},
        "NaiveBayes.fit: calls": naive.calls,
        "NaiveBayes.fit: calls before counting": naive.calls_before_counting,
        "NaiveBayes.fit: files": naive.files,
        "NaiveBayes.fit: changes of class": naive.class_switches,
        "NaiveBayes.fit: changes of class to set an attribute": naive.attribute_switches,
        "GaussianNB.fit: calls": gaussian.calls,
        "GaussianNB.fit: calls before counting": gaussian.calls_before_counting,
        "GaussianNB.fit: files": gaussian.files,
        "GaussianNB.fit: changes of class": gaussian.class_switches,
        "GaussianNB.fit: changes of class to set an attribute": gaussian.attribute_switches,
        "TextClassifier.fit: calls": of_texts.calls,
        "TextClassifier.fit: calls before counting": of_texts.calls_before_counting,
        "TreeAugmentedNB.predict_proba: changes of class": tree.class_switches,
        "BeliefNetwork.fit: switches of folder": network.folder_switches,
        "openings of a CSV file by bayesic fit": openings_by_the_command_line(),
        "places that list the models": sum(names_models(file, MODELS) for file in trees.values()),
        "class names with several meanings": len(classes_with_several_meanings([*trees.values()])),
        "file names in several rooms": len(names_in_several_rooms()),
        "names in by.__all__": len(by.__all__),
        "Any in src": sum(times_named("Any", file) for file in trees.values()),
        "names imported inside functions, cli aside": sum(inside),
        "source files": len(texts),
        "code lines": sum(code_lines(texts[path], tree) for path, tree in trees.items()),
    }


def shares_before_counting(now: Figures) -> Iterator[tuple[str, int]]:
    """In percent, to look at: such a share also rises when less is called afterwards."""
    for name, before in now.items():
        if name.endswith(" before counting"):
            calls = now[name.removesuffix(" before counting")]
            yield f"{name}, %", round(100 * before / calls)


def worse(now: Figures, kept: Figures) -> list[str]:
    """What must not be so without a reason.

    >>> worse({"source files": 8, "names": 3}, {"source files": 7, "names": 4})
    ['source files: 8, but house.json says 7']
    """
    return [
        f"{name}: {now[name]}, but house.json says {figure}"
        for name, figure in kept.items()
        if now[name] > figure + MARGIN.get(name, 0)
    ]


# the command ----------------------------------------------------------------------------------


class WithoutOptional(importlib.machinery.PathFinder):
    """Finds modules as ever, but none of the packages that users need not have."""

    @classmethod
    def find_spec(cls, fullname: str, *where: Any) -> Any:
        """As if only the dependencies of the library were installed."""
        is_hidden = fullname.partition(".")[0] in OPTIONAL
        return None if is_hidden else super().find_spec(fullname, *where)


def same_for_everybody() -> None:
    """Let this process, which has asked nothing yet, run as it would on any other machine."""
    finder = sys.meta_path.index(importlib.machinery.PathFinder)
    sys.meta_path[finder] = WithoutOptional
    os.environ |= {"BAYESIC_KERNELS": "reference", "BAYESIC_THREADS": "1", "BAYESIC_QUIET": "1"}


def main() -> None:
    """Print, compare or keep the figures."""
    parser = argparse.ArgumentParser(description="How easily the source reads, in numbers.")
    parser.add_argument("--check", action="store_true", help="fail if a figure is worse than kept")
    parser.add_argument("--write", action="store_true", help="keep the figures in house.json")
    parser.add_argument("--reason", help="with --write: why a figure is worse than it was")
    asked = parser.parse_args()
    same_for_everybody()
    now, kept = figures(), json.loads(KEPT.read_text(encoding="utf-8"))
    complaints = worse(now, kept["figures"])
    if asked.write:
        if complaints and not asked.reason:
            sys.exit("\n".join([*complaints, 'Say why: --write --reason "..."']))
        reasons = [*kept["reasons"], *([asked.reason] if asked.reason else [])]
        text = json.dumps({"figures": now, "reasons": reasons}, indent=2, ensure_ascii=False)
        KEPT.write_text(f"{text}\n", encoding="utf-8")
    elif asked.check and complaints:
        way_out = 'Make it better, or: python tools/house.py --write --reason "why it is worth it"'
        sys.exit("\n".join([*complaints, way_out]))
    elif not asked.check:
        for what, figure in [*now.items(), *shares_before_counting(now)]:
            print(f"{what:<60}{figure:>8,}")


if __name__ == "__main__":
    main()
