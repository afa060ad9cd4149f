"""The programs of benchmarks/ are found by name, and its README.md says what the reports say."""

import ast
import doctest
import re
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


def test_every_report_says_how_busy_other_programs_kept_the_machine():
    for program in overview.programs().values():
        if program.report:
            text = program.report.read_text(encoding="utf-8")
            assert re.search("(Other|How busy other) programs kept", text), program.report


def row_of(report, job):
    """The first row of a report that begins with this job: its cells, as numbers where they are."""
    lines = (ROOT / "benchmarks" / report).read_text(encoding="utf-8").splitlines()
    cells = next(overview.cells_of(line) for line in lines if line.startswith(f"| {job} |"))
    found = [re.match(r"[\d.]+(?= s| ms|x|$)", cell) for cell in cells]
    return [float(each[0]) if each else None for each in found]


def quoted(page, pattern):
    """The numbers that a page quotes."""
    told = re.search(pattern, (ROOT / page).read_text(encoding="utf-8"))
    assert told, (page, pattern)
    return [float(number) for number in told.groups()]


RESULTS, TEXTS = "models/RESULTS.md", "models/TEXTS.md"
STUDIO, ONE_ROW = "studio/STUDIO.md", "models/ONE_ROW.md"
HELD = "NaiveBayes, 4 numbers and 8 words, held"
QUOTES = [
    (r"rows of 50 numbers are learned in (\S+) s, scikit-learn takes (\S+) s;",
     r"50 个数值列，(\S+) 秒学完，scikit-learn 要 (\S+) 秒；",
     "README", RESULTS, "GaussianNB fit", [3, 4]),
    (r"of 30 categories in (\S+) s against (\S+) s \(", r"30 个类别列，(\S+) 秒对 (\S+) 秒",
     "README", RESULTS, "CategoricalNB fit", [3, 4]),
    (r"the same numbers, up to (\d+) times as fast", r"同样的数值，最多快 (\d+) 倍",
     "README", RESULTS, "CategoricalNB fit", [5]),
    (r"32 MB are learned (\d+) times as fast", r"`MultinomialNB` 快 (\d+) 倍",
     "README", TEXTS, "fit a list of strings", [5]),
    (r"(\S+) ms in ASIA", r"ASIA 用 (\d+) 毫秒", "studio", STUDIO, "asia, 8 variables", [2]),
    (r"(\S+) ms in ALARM", r"ALARM 用 (\d+) 毫秒", "studio", STUDIO, "alarm, 37 variables", [2]),
    (r"(\S+) ms in ANDES", r"ANDES 用 (\d+) 毫秒", "studio", STUDIO, "andes, 223 variables", [2]),
    (r"row of a table (\S+) times as fast", r"速度是我们的 (\S+) 倍",
     "how-to/online-learning", ONE_ROW, HELD, [5]),
]  # fmt: skip


@pytest.mark.parametrize(("english", "chinese", "page", "report", "job", "places"), QUOTES)
def test_pages_quote_what_the_reports_say(english, chinese, page, report, job, places):
    row = row_of(report, job)
    expected = pytest.approx([row[place] for place in places], rel=0.03)
    twin = "README.zh.md" if page == "README" else f"docs/zh/{page}.md"
    assert quoted("README.md" if page == "README" else f"docs/{page}.md", english) == expected
    assert quoted(twin, chinese) == expected


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
