"""`bayesic network`: questions, files, samples and learning."""

import ast
import csv
import json
from fractions import Fraction
from pathlib import Path

import pytest

import bayesic as by
from bayesic.cli.network import SPELLINGS
from bayesic.networks.network import BeliefNetwork
from bayesic.networks.reading import read_network

PAIR = "MARKOV\n2\n2 2\n1\n2 0 1\n4\n3 1 1 3\n"  # two variables that like to be equal


@pytest.fixture
def networks(folder):
    """asia.bif, fire.json (booleans), open.json (no tables for roots), odd.json, pair.uai."""
    by.datasets.asia().write(folder / "asia.bif")
    by.datasets.campfire(storm=0.25, bus_tour_group=0.5).write(folder / "fire.json")
    by.datasets.campfire().write(folder / "open.json")
    odd = {
        "天气": {"晴": 0.75, "雨": 0.25},
        "age=old": {"<=5": 0.5, ">5, <=9": 0.25, "9:30": 0.25},
        "Size": {1: 0.5, 2.5: 0.5},
    }
    BeliefNetwork(tables=odd).write(folder / "odd.json")
    (folder / "pair.uai").write_text(PAIR)
    return folder


@pytest.fixture
def ask(run, networks):
    """Runs `bayesic network query`, and gives what it prints as JSON."""
    return lambda *words: json.loads(run("network", "query", *words, "--json").stdout)


# query --------------------------------------------------------------------------------------------


def test_the_posterior_of_the_campfire_is_the_exact_fraction(ask):
    # P(Storm, Campfire) = 1/4 (1/2 4/10 + 1/2 1/10), and 3/4 (1/2 8/10 + 1/2 2/10) without a storm
    with_storm, without = Fraction(1, 16), Fraction(3, 8)
    answer = ask("fire.json", "Storm", "--given", "Campfire=True")
    assert answer["given"] == {"Campfire": True}
    expected = float(with_storm / (with_storm + without))
    assert answer["marginals"]["Storm"]["True"] == pytest.approx(expected, rel=1e-12)


def test_without_a_target_there_are_all_marginals(ask, run):
    answer = ask("asia.bif")
    assert list(answer["marginals"]) == list(by.datasets.asia().variables)
    assert answer["marginals"]["lung"]["yes"] == pytest.approx(0.055, rel=1e-12)
    lines = run("network", "query", "asia.bif").stdout.splitlines()
    assert lines[0] == "8 variables"
    assert "  lung    yes 0.0550, no 0.9450" in lines


def test_of_a_large_network_every_variable_is_printed(run, networks):
    tables = {f"Light {number}": {"on": 0.5, "off": 0.5} for number in range(30)}
    BeliefNetwork(tables=tables).write("many.bif")
    assert len(run("network", "query", "many.bif").stdout.splitlines()) == 31
    assert len(run("network", "show", "many.bif").stdout.splitlines()) == 31


def test_several_targets_are_joint(ask, run):
    answer = ask("fire.json", "Storm", "BusTourGroup", "-g", "Campfire=True")
    first = answer["joint"][0]
    assert first["states"] == {"Storm": True, "BusTourGroup": True}
    assert first["probability"] == pytest.approx(float(Fraction(1, 20) / Fraction(7, 16)))
    assert sum(row["probability"] for row in answer["joint"]) == pytest.approx(1)
    text = run("network", "query", "fire.json", "Storm", "BusTourGroup", "-g", "Campfire=1").stdout
    assert "  True   True          0.1143  ##\n" in text


def test_what_is_set_tells_nothing_about_its_parents(ask):
    seen = ask("asia.bif", "smoke", "--given", "bronc=yes")["marginals"]["smoke"]["yes"]
    done = ask("asia.bif", "smoke", "--do", "bronc=yes")
    assert seen == pytest.approx(2 / 3)
    assert done["marginals"]["smoke"]["yes"] == pytest.approx(0.5)
    assert done["do"] == {"bronc": "yes"}


def test_likelihoods(ask):
    answer = ask("asia.bif", "lung", "--likelihood", "smoke=yes:0.9,no:0.2")
    expected = (0.9 * 0.1 + 0.2 * 0.01) / (0.9 + 0.2)
    assert answer["marginals"]["lung"]["yes"] == pytest.approx(expected)
    assert answer["likelihoods"] == ["smoke"]


@pytest.mark.parametrize(
    ("text", "variable", "state"),
    [
        ("天气=雨", "天气", "雨"),
        ("age=old=<=5", "age=old", "<=5"),
        ("age=old=>5, <=9", "age=old", ">5, <=9"),
        ("Size=1", "Size", "1"),
        ("Size=2.5", "Size", "2.5"),
    ],
    ids=["Chinese", "equals", "comma", "whole", "half"],
)
def test_names_and_states_are_found_by_their_text(ask, text, variable, state):
    assert ask("odd.json", "--given", text)["marginals"][variable][state] == 1


def test_states_with_commas_and_colons_have_likelihoods(ask):
    answer = ask("odd.json", "age=old", "--likelihood", "age=old=<=5:0,>5, <=9:3,9:30:1e0")
    shares = answer["marginals"]["age=old"]
    assert shares == pytest.approx({"<=5": 0, ">5, <=9": 0.75, "9:30": 0.25})


@pytest.mark.parametrize("method", ["likelihood-weighting", "gibbs", "forward"])
def test_samples_come_with_errors_and_a_seed(ask, run, method):
    words = ("fire.json", "Storm", "-g", "Campfire=True", "--method", method, "--samples", 20_000)
    answer = ask(*words)
    share, error = answer["marginals"]["Storm"]["True"], answer["standard_errors"]["Storm"]["True"]
    assert 0 < error < 0.02 and abs(share - 1 / 7) < 5 * error
    assert answer["samples"] == 20_000 and answer["effective_samples"]["Storm"] > 100
    assert ask(*words) == answer
    assert ask(*words, "--seed", 1) != answer
    text = run("network", "query", *words).stdout
    assert text.count("±") == 3 and "from 20,000 samples, worth " in text


def test_all_marginals_and_joints_from_samples(ask, run):
    words = ("fire.json", "--method", "forward", "--samples", 1000)
    assert list(ask(*words)["standard_errors"]) == ["Storm", "BusTourGroup", "Campfire"]
    assert run("network", "query", *words).stdout.count("±") == 4
    joint = ask(*words, "Storm", "Campfire")
    assert all(row["standard_error"] > 0 for row in joint["joint"])
    assert joint["samples"] == 1000 and joint["effective_samples"] == 1000


def test_warnings_are_notes_with_the_options_of_the_command_line(run, networks):
    words = ("asia.bif", "--method", "gibbs", "--samples", 6400)
    result = run("network", "query", *words)
    assert result.stderr.startswith("note: 6,400 samples are worth only")
    assert "Try --method likelihood-weighting." in result.stderr


def test_factors_are_asked_too(ask, run):
    assert ask("pair.uai", "x0", "--given", "x1=0")["marginals"]["x0"]["0"] == pytest.approx(0.75)
    for words in (["--do", "x0=1"], ["--method", "gibbs"]):
        error = run("network", "query", "pair.uai", *words, code=2).stderr
        assert f"{' '.join(words[: 1 + (words[0] == '--method')])} needs edges" in error


# show and convert ---------------------------------------------------------------------------------


def test_show_tells_states_parents_and_free_parameters(run, networks):
    lines = run("network", "show", "fire.json").stdout.splitlines()
    assert lines[0] == "BeliefNetwork: 3 variables, 2 edges, 6 free parameters"
    assert lines[3] == "  Campfire      True, False  <- Storm, BusTourGroup  4"
    known = json.loads(run("network", "show", "fire.json", "--json").stdout)
    assert known["edges"] == [["Storm", "Campfire"], ["BusTourGroup", "Campfire"]]
    assert [each["parameters"] for each in known["variables"]] == [1, 1, 4]
    assert known["variables"][0]["states"] == [True, False]


def test_show_a_table(run, networks):
    lines = run("network", "show", "asia.bif", "--table", "dysp").stdout.splitlines()
    assert lines[0] == "P(dysp | bronc, either)"
    assert lines[3].split() == ["yes", "no", "0.8000", "0.2000"]
    words = ("network", "show", "asia.bif", "--table", "dysp", "--json")
    rows = json.loads(run(*words).stdout)["rows"]
    assert rows[1]["given"] == {"bronc": "yes", "either": "no"}
    assert rows[1]["probabilities"] == {"yes": 0.8, "no": 0.2}


def test_show_what_is_missing_and_factors(run, networks):
    assert "2 edges, 2 tables missing" in run("network", "show", "open.json").stdout
    BeliefNetwork([("Storm", "Campfire")]).write("bare.json")
    assert "  Campfire  ?  <- Storm" in run("network", "show", "bare.json").stdout
    lines = run("network", "show", "pair.uai").stdout.splitlines()
    assert lines == ["FactorModel: 2 variables, 1 factors", "  x0  0, 1", "  x1  0, 1"]
    known = json.loads(run("network", "show", "pair.uai", "--json").stdout)
    assert known["factors"] == [["x0", "x1"]]


@pytest.mark.parametrize("ending", ["bif", "xml", "net", "json", "bif.gz"])
def test_convert_keeps_all_numbers(run, networks, ending):
    out = f"other.{ending}"
    told = run("network", "convert", "asia.bif", out).stdout
    assert told == f"{out}: 8 variables, 8 edges, 18 free parameters.\n"
    assert read_network(out) == by.datasets.asia()


def test_convert_to_uai_says_that_names_are_lost(run, networks):
    result = run("network", "convert", "asia.bif", "asia.uai", "--json")
    assert "note: asia.uai has no names" in result.stderr
    assert json.loads(result.stdout)["parameters"] == 18
    assert read_network("asia.uai").variables[0] == "x0"
    assert run("network", "convert", "pair.uai", "same.uai").stdout.endswith("1 factors.\n")
    assert "factors" in json.loads(run("network", "convert", "pair.uai", "s.uai", "--json").stdout)


# sample and fit -----------------------------------------------------------------------------------


def test_samples_are_those_of_the_library(run, networks):
    run("network", "sample", "fire.json", "-n", 50, "--seed", 3, "--out", "rows.csv")
    with Path("rows.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    net = by.datasets.campfire(storm=0.25, bus_tour_group=0.5)
    expected = {name: column.tolist() for name, column in net.sample(50, seed=3).items()}
    assert {name: [row[name] == "True" for row in rows] for name in rows[0]} == expected
    assert run("network", "sample", "fire.json", "-n", 50, "--seed", 3).stdout == (
        Path("rows.csv").read_text(encoding="utf-8")
    )
    as_json = run("network", "sample", "fire.json", "-n", 50, "--seed", 3, "--json").stdout
    columns = {name: [row[name] for row in json.loads(as_json)] for name in expected}
    assert columns == expected


def test_samples_agree_with_what_is_given(run, networks):
    told = run("network", "sample", "odd.json", "-n", 20, "-g", "天气=雨").stdout
    assert {line.split(",")[0] for line in told.splitlines()[1:]} == {"雨"}


def test_fit_learns_the_shares_of_the_rows(run, networks, tennis):
    edges = "PlayTennis->Outlook, PlayTennis->Wind"
    told = run("network", "fit", "tennis.csv", "--edges", edges, "-o", "play.bif").stdout
    assert told == "play.bif: 14 rows, 3 variables, 2 edges, 7 free parameters.\n"
    learned = read_network("play.bif")
    assert learned.variables == ("PlayTennis", "Outlook", "Wind")
    assert learned.table("Outlook")["Yes", "Sunny"] == float(Fraction(2, 9))
    assert learned.table("PlayTennis")["Yes"] == float(Fraction(9, 14))


@pytest.mark.parametrize(
    ("smoothing", "expected"),
    [("1", Fraction(3, 12)), ("bdeu:6", Fraction(3, 12)), ("bdeu:12", Fraction(4, 15))],
)
def test_smoothing(run, networks, smoothing, expected):
    words = ("--edges", "PlayTennis->Outlook", "--smoothing", smoothing, "-o", "play.json")
    run("network", "fit", "tennis.csv", *words)
    assert read_network("play.json").table("Outlook")["Yes", "Sunny"] == pytest.approx(
        float(expected), rel=1e-12
    )


def test_a_structure_brings_edges_and_states(run, networks, write):
    write("fires.csv", {"Storm": [True, False], "BusTourGroup": [True] * 2, "Campfire": [0, 0]})
    words = ("--structure", "open.json", "-o", "fire2.json", "--json")
    told = json.loads(run("network", "fit", "fires.csv", *words).stdout)
    assert told["rows"] == 2 and told["edges"][0] == ["Storm", "Campfire"]
    learned = read_network("fire2.json")
    assert learned.states("Campfire") == (True, False)
    assert learned.table("Campfire")[True, True, False] == 1


def test_names_alone_are_variables_without_edges(run, networks, write):
    write("days.csv", {"天气": ["晴", "雨", "雨"], "风": [1, 2, 2], "day": [1, 2, 3]})
    run("network", "fit", "days.csv", "--edges", "天气,风", "-o", "days.json")
    learned = read_network("days.json")
    assert (learned.variables, learned.edges) == (("天气", "风"), [])
    assert learned.table("天气")["雨"] == float(Fraction(2, 3))
    assert learned.states("风") == (1, 2)


@pytest.mark.parametrize("method", ["em", "gradient"])
def test_rows_with_gaps_are_learned(run, networks, write, method):
    rows = {
        "Storm": ["yes", "no", "no", None, "yes", "no"],
        "Thunder": ["yes", None, "no", "yes", None, "no"],
    }
    write(networks / "gaps.csv", rows)
    words = ["--edges", "Storm->Thunder", "--smoothing", "1", "--method", method, "--starts", "2"]
    run("network", "fit", "gaps.csv", *words, "-o", "gaps.json")
    net = by.BeliefNetwork([("Storm", "Thunder")]).fit(rows, smoothing=1, method=method, starts=2)
    assert by.read_network(networks / "gaps.json") == net


@pytest.mark.parametrize("method", ["hill-climb", "chow-liu", "exact", "pc"])
def test_edges_are_found(run, networks, write, method):
    rain, other = ["yes", "no"] * 20, ["a", "a", "b", "b"] * 10
    write("rain.csv", {"Rain": rain, "Wet": rain[:38] + ["yes", "yes"], "Other": other})
    words = ("--learn", method, "-o", "rain.bif")
    told = run("network", "fit", "rain.csv", *words).stdout
    assert told.startswith("rain.bif: 40 rows, 3 variables, ")
    assert f"\n{method}: " in told
    edges = set(map(frozenset, read_network("rain.bif").edges))
    assert frozenset(("Rain", "Wet")) in edges
    known = json.loads(run("network", "fit", "rain.csv", *words, "--json").stdout)
    assert set(map(frozenset, known["edges"])) == edges and list(known["score"]) == ["bic"]


# errors -------------------------------------------------------------------------------------------

WRONG = {
    "no variable": ("query asia.bif cough", "must be a variable of the network, got 'cough'"),
    "forgot given": ("query asia.bif lung xray=yes", "Write --given before"),
    "no equals": ("query asia.bif --given xray", "--given must be VARIABLE=STATE, got 'xray'"),
    "wrong name": ("query asia.bif --do cough=yes", "--do must name a variable"),
    "wrong state": ("query asia.bif -g xray=true", "one of its states, 'yes', 'no', got 'true'"),
    "twice": ("query asia.bif -g xray=yes -g xray=no", "each variable once, got 'xray' twice"),
    "no numbers": ("query asia.bif --likelihood xray=1,2", "such as xray=yes:0.9,no:0.2"),
    "no number": ("query asia.bif --likelihood xray=yes:x,no:1", "numbers such as 0.9, got 'x'"),
    "seed alone": ("query asia.bif --seed 1", "--seed is for --method likelihood-weighting"),
    "samples alone": ("query asia.bif --samples 5", "--samples is for --method"),
    "ending": ("convert asia.bif asia.txt", "a network file ends in .bif"),
    "no edges": ("fit tennis.csv -o a.bif", "one of the three"),
    "two ways": ("fit tennis.csv --edges A->B --learn pc -o a.bif", "one of the three"),
    "gaps": ("fit tennis.csv --learn pc --method em -o a.bif", "takes no --method"),
    "half an edge": ("fit tennis.csv --edges Outlook-> -o a.bif", "must look like 'Storm->Fire"),
    "smoothing": ("fit tennis.csv --edges Wind --smoothing -1 -o a.bif", "a number of 0 or more"),
    "no prior": ("fit tennis.csv --edges Wind --smoothing bdeu:0 -o a.bif", "above 0, got 'bdeu"),
}

REFUSED = {
    "impossible": ("query asia.bif -g either=yes -g lung=no -g tub=no", "cannot happen together"),
    "set and seen": ("query asia.bif -g lung=no --do lung=no", "is set by do"),
    "half": ("query asia.bif --likelihood xray=yes:1", "a number for each of its states"),
    "no table": ("query open.json Storm", "Learn it with bayesic network fit --structure"),
    "no such table": ("show open.json --table Storm", "Learn it with bayesic network fit"),
    "no such variable": ("show asia.bif --table cough", "There is no variable 'cough'"),
    "no sums": ("show sums.bif", "line 3: P(Rain) must sum to 1, got 0.7. Correct it, or divide by "
                "the sums with --normalise."),
    "no file": ("query cough.bif", "There is no file cough.bif"),
    "factors": ("sample pair.uai", "rows cannot be drawn. Only query, show and convert"),
    "no tables": ("show pair.uai --table x0", "there are no tables of single variables"),
    "no structure": ("fit tennis.csv --structure pair.uai -o a.bif", "no structure to learn"),
    "no names": ("convert pair.uai pair.bif", "fit into .uai files only"),
    "no column": ("fit tennis.csv --edges Sky->Wind -o a.bif", "there is none for 'Sky'. The "
                  "columns are Outlook,"),
    "cycle": ("fit tennis.csv --edges Wind->Outlook->Wind -o a.bif", "Wind -> Outlook -> Wind"),
    "gap": ("fit new.csv --edges Temperature -o a.bif", "by EM: --method em"),
    "hidden": ("fit tennis.csv --edges Sky->Wind --method em -o a.bif", "has them by --structure"),
    "too many": ("fit wide.csv --learn exact -o a.bif", "--learn exact looks at all sets of "
                 "variables: at most 20 variables, got 25. Use --learn hill-climb with restarts."),
    "gap to learn": ("fit gaps.csv --learn pc -o a.bif", "from such rows: --method em."),
    "too rare": ("query asia.bif -g either=yes -g lung=no -g tub=no --method forward",
                 "Ask with --method exact, which shows which of the two"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_command_is_refused_with_code_2(run, networks, case):
    line, message = WRONG[case]
    assert message in run("network", *line.split(), code=2).stderr


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_is_one_sentence_with_code_1(run, networks, write, case):
    (networks / "sums.bif").write_text(
        "network rain {}\nvariable Rain { type discrete [2] { yes, no }; }\n"
        "probability ( Rain ) { table 0.3, 0.4; }\n"
    )
    write("wide.csv", {f"column {number}": ["a", "b"] for number in range(25)})
    write("gaps.csv", {"Rain": ["yes", None, "no"], "Wet": ["yes", "no", "no"]})
    line, message = REFUSED[case]
    error = run("network", *line.split(), code=1).stderr
    assert message in error
    assert error.startswith("Error: ") and error.count("\n") == 1
    assert not (networks / "a.bif").exists()


def test_sums_can_be_divided(run, networks):
    (networks / "sums.bif").write_text(
        "network rain {}\nvariable Rain { type discrete [2] { yes, no }; }\n"
        "probability ( Rain ) { table 0.25, 0.25; }\n"
    )
    assert "0.5000" in run("network", "query", "sums.bif", "Rain", "--normalise").stdout


def test_all_advice_is_spelt_as_it_is_typed():
    """What the sentences of networks spell, and no more, is in the catalogue of the commands."""
    found = [
        call.args[0].value
        for file in (Path(by.__file__).parent / "networks").rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "spelt"
    ]
    assert {*found} == {*SPELLINGS}
