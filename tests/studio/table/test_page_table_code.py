"""What the table desk copies runs, and says what the page says."""

import os
import shlex
import subprocess
import sys

from click.testing import CliRunner

import bayesic as by
from bayesic.cli.main import commands as bayesic
from helpers.studio_page import open_section
from helpers.table_desk import CLIPBOARD, assert_explains, copied, learn, open_file

TENNIS = by.datasets.play_tennis().to_dict()
TARGET = "PlayTennis"
DAYS = [dict(zip(TENNIS, row, strict=True)) for row in zip(*TENNIS.values(), strict=True)]
NAIVE = by.NaiveBayes().fit(TENNIS, y=TARGET)


def without_target(row):
    return {name: cell for name, cell in row.items() if name != TARGET}


def test_the_copied_python_says_what_the_page_says(new_page, capsys):
    page = new_page("/desk/table#example=tennis", permissions=CLIPBOARD)
    learn(page, row=3)
    page.select_option("[data-cell=Wind]", "Strong")
    row = {**without_target(DAYS[3]), "Wind": "Strong"}
    assert_explains(page, NAIVE, row)
    open_section(page, "costs")
    page.fill("[data-cost='Yes|No']", "3")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-expected-cost]")
    names = {}
    exec(copied(page, "copy as Python", "import bayesic"), names)
    assert names["row"] == row
    assert_explains(page, names["model"], names["row"])
    assert names["loss"] == {"No": {"No": 0, "Yes": 1}, "Yes": {"No": 3, "Yes": 0}}
    assert str(NAIVE.explain(row)) in capsys.readouterr().out


def test_the_copied_commands_run(new_page, tmp_path, monkeypatch):
    path = tmp_path / "days.csv"
    text = ["day", *(f"{n}" for n in range(42))]
    lines = [",".join(TENNIS), *(",".join(day.values()) for day in DAYS * 3)]
    path.write_text("\n".join(f"{n},{line}" for n, line in zip(text, lines, strict=True)))
    page = new_page(permissions=CLIPBOARD)
    with page.expect_file_chooser() as chooser:
        page.click("text=choose a file")
    chooser.value.set_files(path)
    learn(page, row=3)
    commands = copied(page, "as command", "bayesic fit").strip().split("\n")
    monkeypatch.chdir(tmp_path)
    runs = [CliRunner().invoke(bayesic, shlex.split(line)[1:]) for line in commands]
    assert [run.exit_code for run in runs] == [0, 0, 0]
    model = by.load(tmp_path / "days.bayes")
    assert model.columns == {"day": "ignore"}
    row = dict(zip(["day", *TENNIS], [3, *DAYS[3].values()], strict=True))
    del row[TARGET]
    assert_explains(page, model, row)


def run_in_shell(commands, folder):
    """What the copied lines print, by the shell and this Python."""
    script = 'bayesic() { "$PYTHON" -m bayesic "$@"; }\n' + commands
    return subprocess.run(
        ["sh", "-ec", script],
        cwd=folder,
        env={**os.environ, "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_the_copied_commands_know_changed_cells_and_costs(new_page, tmp_path):
    path = tmp_path / "days.csv"
    lines = [",".join(TENNIS), *(",".join(day.values()) for day in DAYS)]
    path.write_text("\n".join(lines).replace("Weak", '"it\'s ""weak"", nearly"'))
    page = new_page(permissions=CLIPBOARD)
    open_file(page, path)
    learn(page, row=3)
    page.select_option("[data-cell=Outlook]", "Sunny")
    open_section(page, "costs")
    page.fill("[data-cost='Yes|No']", "3")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-expected-cost]")
    printed = run_in_shell(copied(page, "as command", "--loss"), tmp_path)
    model = by.load(tmp_path / "days.bayes")
    row = {**without_target(DAYS[3]), "Outlook": "Sunny", "Wind": 'it\'s "weak", nearly'}
    assert_explains(page, model, row)
    assert str(model.explain(row)) in printed
    cost = float(page.get_attribute("[data-expected-cost]", "data-expected-cost"))
    assert f"{cost:.4f}" in printed


def test_the_copied_code_knows_corrected_labels(new_page, tmp_path, monkeypatch, capsys):
    page = new_page("/desk/table#example=tennis", permissions=CLIPBOARD)
    learn(page, row=5)
    page.select_option("#row .facts select", "Yes")
    page.wait_for_selector("tr[data-row='5'] .label span")
    with page.expect_download() as download:
        page.click("text=download the model")
    download.value.save_as(tmp_path / download.value.suggested_filename)
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(copied(page, "copy as Python", "by.load"), names)
    labels = ["Yes" if number == 5 else day[TARGET] for number, day in enumerate(DAYS)]
    model = by.NaiveBayes().fit([without_target(day) for day in DAYS], labels)
    assert_explains(page, model, without_target(DAYS[5]))
    assert_explains(page, names["model"], names["row"])
    assert str(model.explain(without_target(DAYS[5]))) in capsys.readouterr().out
