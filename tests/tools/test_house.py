"""tools/house.py counts what it says."""

import importlib.util
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
    assert house.code_lines(text) == 3


def test_names_in_several_rooms_are_file_names_in_more_than_one_folder(house, tmp_path):
    for path in ("data/rows.py", "models/rows.py", "models/tree.py", "data/__init__.py"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).touch()
    assert house.names_in_several_rooms(tmp_path) == {"rows.py": ["data", "models"]}


def test_imports_at_the_top_and_of_others_do_not_count(house):
    text = "import bayesic\ndef f():\n    import numpy\n    from bayesic.data import tables, text\n"
    assert house.imports_inside_functions(text) == 2


def test_levels_count_own_classes_only(house):
    class Grandchild(by.GaussianNB):
        pass

    assert house.levels(dict) == 1
    assert house.levels(by.GaussianNB) >= 2
    assert house.levels(Grandchild) == house.levels(by.GaussianNB) + 1


def test_a_walk_ends_with_the_question_and_counts_calls_into_the_library(house):
    weather = by.datasets.play_tennis()
    followed = house.walk(weather.to_dict)
    assert followed.calls >= 1
    assert followed.files >= 1
    assert followed.class_switches <= followed.self_calls <= followed.calls
    assert house.walk(lambda: sorted([2, 1])) == house.Walk(0, 0, 0, 0, 0, 0)


def test_the_report_has_a_figure_for_every_line(house):
    figures = dict(house.report())
    assert len(figures) == 11
    assert figures["source files"] == len(house.source_files())
    assert all(figure >= 0 for figure in figures.values())
