"""What rows are is asked once: `opened` answers with a source that is handed on."""

import pyarrow as pa
import pytest

import bayesic as by
from bayesic.data.arrow_rows import arrow_rows
from bayesic.data.source import InMemory, Stored, opened, opened_file
from bayesic.data.tables import number_of_rows
from bayesic.datasets import play_tennis
from helpers.openings import openings

ROWS = "sky,wind,plan\nrain,3,stay\nsun,8,go\nsun,5,go\nrain,9,stay\n"


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "days.csv"
    file.write_text(ROWS)
    return file


def test_a_source_is_opened_as_it_is(path):
    for X in (path, {"sky": ["rain"]}, pa.table({"sky": ["rain"]}), [[1.0]]):
        source = opened(X)
        assert opened(source) is source
        assert source.X is X


def test_files_and_tables_of_engines_are_stored_and_others_in_memory(path):
    assert isinstance(opened(path), Stored)
    assert isinstance(opened("free lunch, today only"), Stored)  # it may be the name of a file
    assert isinstance(arrow_rows(pa.table({"wind": [3]})), Stored)
    assert isinstance(opened(pa.table({"wind": [3]})), InMemory)
    with pytest.raises(TypeError, match="The path of a file or a table of an engine is needed"):
        opened_file([[1.0]])


def test_a_textbook_table_says_what_its_target_is():
    source = opened(play_tennis())
    assert source.target == "PlayTennis"
    assert len(source.X["PlayTennis"]) == 14


def test_a_file_is_looked_at_when_its_columns_are_asked_for_and_once(path):
    with openings() as found:
        source = opened(path)
        assert found == []
        assert source.names == ["sky", "wind", "plan"]
        assert source.kinds == {"sky": "category", "wind": "number", "plan": "category"}
        (block,) = source.blocks()
        (again,) = source.blocks({"wind": "ignore"})
        assert source.labels("plan").tolist() == ["stay", "go", "go", "stay"]
    assert found == [str(path)]
    assert number_of_rows(block.X) == number_of_rows(again.X) == 4


@pytest.mark.parametrize("model", [by.NaiveBayes(), by.TreeAugmentedNB(), by.BayesForest(seed=0)])
def test_a_file_is_opened_once_to_be_learned_and_once_to_be_answered(model, path):
    with openings() as found:
        model.fit(path, y="plan")
    assert found == [str(path)]
    with openings() as found:
        answers = model.predict(path)
    assert found == [str(path)]
    memory = {"sky": ["rain", "sun", "sun", "rain"], "wind": [3, 8, 5, 9]}
    assert answers.tolist() == model.predict(memory).tolist()


def test_texts_and_numbers_and_networks_open_a_file_once(path):
    with openings() as found:
        by.TextClassifier().fit(path, y="plan", text="sky")
    assert found == [str(path)]
    path.write_text("a,b,plan\n1,2,x\n3,4,y\n")
    with openings() as found:
        by.GaussianNB().fit(path, y="plan")
    assert found == [str(path)]
    with openings() as found:
        by.BeliefNetwork([("a", "b")]).fit(path)
    assert found == [str(path)]


def test_rows_of_blocks_know_how_many_come_before_them(path, monkeypatch):
    monkeypatch.setattr("bayesic.data.source.MOST_ROWS_PER_BLOCK", 2)
    path.write_text("wind\n" + "3\n" * 5000)
    blocks = list(opened_file(path).blocks())
    ends = [block.first_row + number_of_rows(block.X) for block in blocks]
    assert [block.first_row for block in blocks] == [0, *ends[:-1]]
    assert ends[-1] == 5000
