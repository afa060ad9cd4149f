"""The programs of benchmarks/ are found by name, and its README.md says what the reports say."""

import ast
import doctest
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from benchmarks import overview, shared

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "benchmarks").rglob("*.py"))


def imported(tree: ast.Module) -> list[ast.ImportFrom]:
    """What is imported from other files of benchmarks/."""
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return [node for node in froms if (node.module or "").startswith("benchmarks")]


def test_the_page_is_that_of_the_reports():
    written = overview.README.read_text(encoding="utf-8")
    assert written == overview.overview(), "run: python -m benchmarks overview"


def test_every_report_belongs_to_a_program_and_no_name_comes_twice():
    known = overview.programs()
    reports = {program.report for program in known.values() if program.report}
    assert reports == {*(ROOT / "benchmarks").glob("*/*.md")}
    guarded = [file.stem for file in FILES if overview.GUARD in file.read_text(encoding="utf-8")]
    assert {name: n for name, n in Counter(guarded).items() if n > 1} == {}


def test_bars_are_found_in_tables_and_sentences():
    assert doctest.testmod(overview).failed == 0


def test_a_bar_is_told_with_its_section(tmp_path):
    report = tmp_path / "RAIN.md"
    report.write_text('# Rain\n\n"To reach" is what we want.\n\n## Sun\n\n- It is 9, to reach 8.\n')
    assert [*overview.bars(report)] == [overview.Bar(report, "Sun", "It is 9", "8")]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_is_imported_from_another_file_is_there(file):
    for node in imported(ast.parse(file.read_text(encoding="utf-8"))):
        place = ROOT.joinpath(*node.module.split("."))
        for name in (alias.name for alias in node.names):
            if place.is_dir():
                assert (place / f"{name}.py").exists()
            else:
                assert name in place.with_suffix(".py").read_text(encoding="utf-8")


def test_programs_that_read_shared_data_are_those_that_say_so():
    readers = set()
    for program in overview.programs().values():
        tree = ast.parse(program.path.read_text(encoding="utf-8"))
        if any(node.module.endswith(("shared", "_tables")) for node in imported(tree)):
            readers.add(program.name)
    assert readers == shared.NOTHING_WITHOUT.keys() | shared.LESS_WITHOUT.keys()


def test_what_is_missing_is_said_at_the_door(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(shared, "NOTHING_WITHOUT", {"accuracy": tmp_path / "tabular"})
    monkeypatch.setattr(shared, "LESS_WITHOUT", {"texts": tmp_path / "text"})
    with pytest.raises(SystemExit, match="tabular .*: nothing can be measured"):
        shared.check("accuracy")
    shared.check("texts")
    assert "a part is not measured" in capsys.readouterr().err
    shared.check("forest")
    assert capsys.readouterr().err == ""


def test_the_door_lists_all_programs_and_refuses_other_names():
    command = [sys.executable, "-m", "benchmarks"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert all(f"\n{name} " in listed for name in overview.programs())
    refused = subprocess.run([*command, "rain"], cwd=ROOT, capture_output=True, text=True)
    assert refused.returncode == 1
    assert "There is no benchmark 'rain'" in refused.stderr
