"""The code of docs/spark.md runs, where Spark does."""

import re
import warnings
from doctest import SKIP, DocTestFinder, DocTestRunner
from pathlib import Path

import pytest

from bayesic.spark import predict
from helpers.spark import GROUP, KNOWN, session

pytestmark = [GROUP, pytest.mark.filterwarnings(KNOWN)]
DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "spark.md"


def test_the_example_of_predict_gives_what_it_says():
    (example,) = DocTestFinder().find(predict, "predict", globs={"spark": session()})
    for line in example.examples:
        line.options.pop(SKIP, None)
    said = []
    DocTestRunner().run(example, out=said.append)
    assert said == []
    assert len(example.examples) == 4


def test_the_code_of_the_page_runs_and_gives_what_the_page_says():
    found = {"spark": session()}
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert len(blocks) == 5
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for block in blocks:
            exec(block, found)
    assert found["model"].class_count_.tolist() == [50, 50]
    assert found["forest"].statistics_.class_count.tolist() == [50, 50]
    assert found["filter"].predict(["free rain", "下雨"]).tolist() == ["spam", "ham"]
    assert found["mixture"].statistics_.class_count.sum() == pytest.approx(1000)
    sunny = found["sunny"]
    assert sunny["prediction"] == "yes"
    assert sum(sunny["probability"]) == pytest.approx(1)


def test_the_spark_of_the_guide_to_engines_runs():
    page = (DOCS / "how-to" / "spark-and-databases.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    (block,) = [block for block in blocks if ">>>" not in block]
    found = {"spark": session()}
    exec(block, found)
    first = found["answered"].where("sky = 'sun'").first()
    assert first["prediction"] == "yes"
    assert sum(first["probability"]) == pytest.approx(1)
