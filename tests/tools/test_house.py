"""tools/house.py counts what it says, and no figure gets worse unnoticed."""

import ast
import importlib.util
import json
import subprocess
import sys
from abc import ABC, abstractmethod
from pathlib import Path
from types import ModuleType

import pytest

import bayesic as by

TOOL = Path(__file__).parents[2] / "tools" / "house.py"


@pytest.fixture(scope="module")
def house() -> ModuleType:
    spec = importlib.util.spec_from_file_location("house", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_docstrings_comments_and_blank_lines_are_no_code(house):
    text = (
        '"""A module."""\n\nx = """two\nlines"""  # a value\n\n\n# nothing\ndef f():\n    "Doc."\n'
    )
    assert house.code_lines(text, ast.parse(text)) == 3


def test_every_line_of_a_text_is_code_and_no_blank_line_beside_it(house):
    text = 'rows = f"""\n# {one}\n\n"""\n\nrows = (\n\n    # all\n)\n'
    assert house.code_lines(text, ast.parse(text)) == 4 + 2


def test_names_in_several_rooms_are_file_names_in_more_than_one_folder(house, tmp_path):
    for path in ("data/rows.py", "models/rows.py", "models/tree.py", "data/__init__.py"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).touch()
    assert house.names_in_several_rooms(tmp_path) == {"rows.py": ["data", "models"]}


def test_imports_at_the_top_and_of_others_do_not_count(house):
    text = "import bayesic\ndef f():\n    import numpy\n    from bayesic.data import tables, text\n"
    assert house.imports_inside_functions(ast.parse(text)) == 2


def test_levels_count_own_classes_only(house):
    class Grandchild(by.GaussianNB):
        pass

    assert house.levels(dict) == 1
    assert house.levels(by.GaussianNB) >= 2
    assert house.levels(Grandchild) == house.levels(by.GaussianNB) + 1


def test_a_name_counts_where_it_is_imported_and_used(house):
    text = 'from typing import Any\ndef f(x: Any) -> "Any":  # Any\n    return any(x)\n'
    assert house.times_named("Any", ast.parse(text)) == 2


def test_private_classes_and_classes_inside_others_may_share_a_name(house):
    files = ["class _Row: 1\nclass Rows: 1", "class _Row: 1\nclass Table:\n class Rows: 1"]
    assert house.classes_with_several_meanings(list(map(ast.parse, files))) == []


class Verbs(ABC):
    @abstractmethod
    def _count(self): ...

    def _check(self):
        return True

    def fit(self):
        return self._count()


class Counts(Verbs):
    def _count(self):
        return 1

    def fit(self):
        return 2


def test_to_define_what_is_abstract_is_a_hook_and_to_replace_what_is_there_an_override(
    house, monkeypatch
):
    monkeypatch.setattr(house, "own_bases", lambda kind: [kind, Verbs])
    assert house.overridden(Counts) == ["fit"]
    assert house.hooks(Counts) == ["_count"]


def test_a_walk_ends_with_the_question_and_counts_calls_into_the_library(house):
    weather = by.datasets.play_tennis()
    followed = house.walk(weather.to_dict)
    assert followed.calls >= 1
    assert followed.files >= 1
    assert followed.class_switches <= followed.self_calls <= followed.calls
    assert followed.calls_before_counting == followed.calls  # nothing is learned
    assert house.walk(lambda: sorted([2, 1])) == house.Walk(0, 0, 0, 0, 0, 0, 0, 0)


def test_what_comes_before_counting_is_a_part_of_what_is_called_to_learn(house):
    learned = house.walk(lambda: by.NaiveBayes().fit(house.TABLE, y="plan"))
    assert 0 < learned.calls_before_counting < learned.calls


def test_a_figure_may_fall_and_code_may_grow_by_a_margin(house):
    kept = {"source files": 7, "code lines": 1000}
    assert house.worse({"source files": 6, "code lines": 1100}, kept) == []
    assert house.worse({"source files": 7, "code lines": 1101}, kept) == [
        "code lines: 1101, but house.json says 1000"
    ]


def test_no_figure_is_worse_than_house_json_says():
    """In a process of its own: what other tests have loaded or asked must not count."""
    check = subprocess.run(
        [sys.executable, TOOL, "--check"], capture_output=True, text=True, check=False
    )
    assert check.stderr == ""
    assert check.returncode == 0


def test_house_json_has_all_figures(house):
    kept = json.loads(house.KEPT.read_text(encoding="utf-8"))
    assert len(kept["figures"]) == 29
    assert all(isinstance(reason, str) for reason in kept["reasons"])
