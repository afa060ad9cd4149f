"""`bayesic fit`, `update`, `forget`, `merge`: the command line learns what the library learns."""

import json

import numpy as np
import pandas as pd
import pytest

import bayesic as by
from bayesic.data import duckdb_files, source
from helpers.comparisons import assert_same


def halves(table):
    first = {name: cells[:9] for name, cells in table.items()}
    return first, {name: cells[9:] for name, cells in table.items()}


@pytest.fixture
def weather():
    """A table with columns of every kind, gaps, and Chinese names; 500 rows."""
    rng = np.random.default_rng(7)
    play = rng.choice(["否", "是"], 500)
    return {
        "天空": np.where(rng.random(500) < 0.1, None, rng.choice(["晴", "阴", "雨"], 500)).tolist(),
        "temperature": np.where(play == "是", rng.normal(20, 3, 500), rng.normal(12, 4, 500)),
        "visits": rng.poisson(3, 500).tolist(),
        "note": rng.choice(["free lunch", "rain again", "free rain"], 500).tolist(),
        "打球": play.tolist(),
    }


def test_a_file_that_streams_gives_the_model_of_the_table_in_memory(
    run, write, weather, monkeypatch
):
    monkeypatch.setattr(source, "MOST_ROWS_PER_BLOCK", 64)  # several blocks
    write("weather.csv", weather)
    run(
        *("fit", "weather.csv", "--target", "打球", "--out", "weather.bayes"),
        *("--columns", "visits=poisson", "--columns", "note=text"),
    )
    kinds = {"visits": "poisson", "note": "text"}
    in_memory = by.NaiveBayes(columns=kinds).fit(weather, y="打球")
    ours = by.load("weather.bayes")
    assert ours.classes_.tolist() == in_memory.classes_.tolist()
    assert ours.kinds_ == in_memory.kinds_
    for name, counts in in_memory.statistics_.columns.items():
        assert_same_counts(ours.statistics_.columns[name], counts)
    np.testing.assert_array_equal(ours.class_count_, in_memory.class_count_)


def assert_same_counts(ours, theirs):
    """Counts bit for bit; moments of several blocks to rounding."""
    assert ours.table.tobytes() == theirs.table.tobytes()
    if hasattr(theirs, "moments"):
        assert_same(ours.moments, theirs.moments, tolerance=1e-12, scale=20.0)
    else:
        assert ours.levels == theirs.levels


@pytest.mark.filterwarnings("ignore:Some columns tell nothing")
def test_statistics_of_a_file_of_one_block_are_bit_for_bit_those_in_memory(run, write, weather):
    write("weather.csv", weather)
    run("fit", "weather.csv", "--out", "weather.bayes")
    in_memory = by.NaiveBayes().fit(weather, y="打球")
    ours = by.load("weather.bayes")
    assert ours.class_count_.tobytes() == in_memory.class_count_.tobytes()
    for name, counts in in_memory.statistics_.columns.items():
        assert_same(ours.statistics_.columns[name], counts)


@pytest.mark.parametrize("name", ["tennis.tsv", "tennis.csv", "tennis.parquet"])
def test_every_kind_of_table_gives_the_same_model(run, folder, tennis, name, write):
    if name.endswith("parquet"):
        pd.DataFrame(tennis).to_parquet(folder / name)
    else:
        write(name, tennis, delimiter="\t" if name.endswith("tsv") else ",")
    run("fit", name, "--out", "model.bayes")
    in_memory = by.NaiveBayes().fit(tennis, y="PlayTennis")
    ours = by.load("model.bayes").predict_proba(tennis)
    assert ours.tobytes() == in_memory.predict_proba(tennis).tobytes()


def test_without_a_target_the_last_column_is_taken_and_named(run):
    result = run("fit", "tennis.csv", "--out", "tennis.bayes")
    assert "last column, 'PlayTennis'" in result.stderr
    assert result.stdout == "tennis.bayes: 14 rows, 2 classes (No 5, Yes 9), 4 columns.\n"
    assert run("fit", "tennis.csv", "--target", "Wind", "--out", "wind.bayes").stderr == ""
    assert by.load("wind.bayes").classes_.tolist() == ["Strong", "Weak"]


def test_options_reach_the_model(run, folder):
    (folder / "kinds.json").write_text('{"Wind": "categorical"}')
    run(
        *("fit", "tennis.csv", "--target", "PlayTennis", "--out", "tennis.bayes"),
        *("--columns", "kinds.json", "--columns", "Outlook=categorical", "--numeric", "gaussian"),
        *("--smoothing", "Wind=m:2", "--smoothing", "Outlook=auto"),
        *("--prior", "Yes=0.25", "--prior", "No=0.75", "--variance", "unbiased"),
        *("--weights", "learned", "--decay", "1000"),
    )
    assert by.load("tennis.bayes").get_params() == {
        "columns": {"Wind": "categorical", "Outlook": "categorical"},
        "numeric": "gaussian",
        "smoothing": {"Wind": ("m", 2.0), "Outlook": "auto"},
        "prior": {"Yes": 0.25, "No": 0.75},
        "variance": "unbiased",
        "weights": "learned",
        "choices": "always",
        "decay": 1000.0,
    }


def test_an_update_that_leaves_no_share_for_a_new_value_changes_nothing(run, write, folder):
    (folder / "p.json").write_text('{"Sunny": 0.25, "Overcast": 0.5, "Rain": 0.25}')
    words = ("--target", "PlayTennis", "-o", "m.bayes", "--smoothing", "Outlook=m:2:p.json")
    run("fit", "tennis.csv", *words)
    before = (folder / "m.bayes").read_bytes()
    snow = {"Outlook": ["Snow"], "Temperature": ["Cool"], "Humidity": ["High"], "Wind": ["Weak"]}
    write("snow.csv", snow | {"PlayTennis": ["No"]})
    told = run("update", "m.bayes", "snow.csv", code=1)
    assert "leaves nothing for ['Snow']" in told.stderr
    assert (folder / "m.bayes").read_bytes() == before


def test_a_mixed_table_is_worked_out_as_in_the_book(run, write):  # textbook case 33
    melons = by.datasets.watermelon()
    write("melons.csv", melons.to_dict())
    options = ("--numeric", "gaussian", "--variance", "unbiased", "--smoothing", "0")
    run("fit", "melons.csv", "--target", "好瓜", "-o", "melons.bayes", *options)
    told = run("explain", "melons.bayes", "melons.csv", "--work").stdout
    assert "p(密度=0.697|是)·p(含糖率=0.46|是) = 8/17·3/8·5/8·6/8·7/8·5/8·6/8·1.959·0.7881" in told
    assert "0.05238" in told
    assert "6.858e-05" in told


def test_the_shares_of_an_m_estimate_reach_the_model(run, folder):
    (folder / "p.json").write_text('{"Sunny": 0.25, "Overcast": 0.5}')
    for option, smoothing in {
        "m:2:uniform": ("m", 2.0, "uniform"),
        "Outlook=m:2:p.json": {"Outlook": ("m", 2.0, {"Sunny": 0.25, "Overcast": 0.5})},
        "Outlook=m:2:uniform": {"Outlook": ("m", 2.0, "uniform")},
    }.items():
        run("fit", "tennis.csv", "--target", "PlayTennis", "-o", "m.bayes", "--smoothing", option)
        assert by.load("m.bayes").smoothing == smoothing


def test_a_prior_is_given_by_the_text_of_labels_that_are_numbers(run, write):
    write("size.csv", {"word": ["free", "rain", "rain"], "label": [1, 2, 2]})
    run("fit", "size.csv", "--out", "size.bayes", "--prior", "1=0.9", "--prior", "2=0.1")
    assert by.load("size.bayes").class_prior_.tolist() == [0.9, 0.1]


def test_json_tells_what_was_learned(run):
    told = json.loads(run("fit", "tennis.csv", "--out", "tennis.bayes", "--json").stdout)
    assert told["rows"] == 14
    assert told["classes"] == {"No": 5, "Yes": 9}
    assert told["target"] == "PlayTennis"
    assert set(told["columns"].values()) == {"categorical"}


# learning goes on -------------------------------------------------------------------------------


def test_update_is_fit_at_once_and_forget_takes_it_back(run, write, tennis, model):
    first, rest = halves(tennis)
    write("first.csv", first)
    write("rest.csv", rest)
    run("fit", "first.csv", "--out", "part.bayes")
    before = by.load("part.bayes").predict_proba(tennis)
    assert "14 rows" in run("update", "part.bayes", "rest.csv").stdout
    whole = by.load(model).predict_proba(tennis)
    assert by.load("part.bayes").predict_proba(tennis).tobytes() == whole.tobytes()
    run("forget", "part.bayes", "rest.csv", "--out", "less.bayes")
    assert by.load("less.bayes").predict_proba(tennis).tobytes() == before.tobytes()
    assert by.load("part.bayes").predict_proba(tennis).tobytes() == whole.tobytes()


def test_merged_models_are_the_model_of_all_rows(run, write, tennis, model):
    for name, part in zip(("first", "rest"), halves(tennis), strict=True):
        write(f"{name}.csv", part)
        run("fit", f"{name}.csv", "--out", f"{name}.bayes")
    told = run("merge", "first.bayes", "rest.bayes", "--out", "all.bayes", "--json").stdout
    assert json.loads(told)["rows"] == 14
    ours, whole = by.load("all.bayes"), by.load(model)
    assert ours.predict_proba(tennis).tobytes() == whole.predict_proba(tennis).tobytes()


@pytest.mark.parametrize("command", ["update", "forget"])
def test_a_change_that_fails_leaves_the_file_as_it_was(run, folder, tennis, model, command, write):
    before = (folder / model).read_bytes()
    write("bad.csv", tennis | {"Rain": [1] * 14})
    assert "Rain" in run(command, model, "bad.csv", code=1).stderr
    assert (folder / model).read_bytes() == before


def test_rows_that_were_never_learned_are_not_forgotten(run, folder, tennis, model, write):
    before = (folder / model).read_bytes()
    write("snow.csv", tennis | {"Outlook": ["Snow"] * 14})
    assert "'Snow' was never seen" in run("forget", model, "snow.csv", code=1).stderr
    assert (folder / model).read_bytes() == before


def test_nothing_needs_pyarrow(run, model, monkeypatch):
    commands = (
        ("predict", model, "tennis.csv", "--keep"),
        ("evaluate", model, "tennis.csv", "--loss", "loss.csv"),
        ("evaluate", "tennis.csv", "--cv", "3"),
        ("explain", model, "tennis.csv", "--row", "3"),
    )
    with_pyarrow = [run(*words).output for words in commands]
    monkeypatch.setattr(duckdb_files, "has_pyarrow", lambda: False)
    assert [run(*words).output for words in commands] == with_pyarrow


@pytest.mark.parametrize("model", ["forest", "auto"])
def test_forests_and_averages_are_learned_asked_and_explained(run, tmp_path, model):
    rows = [f"{sky},{wind},{'yes' if sky == 'sun' and wind < 5 else 'no'}"
            for sky in ("sun", "rain") for wind in range(10)]  # fmt: skip
    (tmp_path / "days.csv").write_text("\n".join(["sky,wind,play", *rows]), encoding="utf-8")
    told = run("fit", "days.csv", "--target", "play", "--model", model, "-o", "m.bayes").stdout
    assert ("judged by" in told) == (model == "auto")
    assert "yes" in run("explain", "m.bayes", "days.csv").stdout
    assert (
        "--prior is for"
        in run(
            "fit", "days.csv", "--model", model, "--prior", "uniform", "-o", "n.bayes", code=2
        ).stderr
    )
