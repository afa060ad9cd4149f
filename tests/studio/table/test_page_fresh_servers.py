"""Learn is clicked on servers that have answered nothing yet: all questions come at once.

The evaluation goes to a worker, for which the model is pickled, while other threads answer the list
of rows and the row that is explained; the first answers of a model fill its caches meanwhile.
"""

import random

import pytest

from helpers.studio_page import assert_text
from helpers.table_desk import open_file

N_ROWS = 2_100  # enough for a worker, and few enough for the journal


@pytest.fixture(scope="module")
def days(tmp_path_factory):
    drawn = random.Random(1)
    lines = ["sky,wind,heat,water,go"]
    for _ in range(N_ROWS):
        sky, water = drawn.choice(["sun", "rain", "snow"]), drawn.choice(["warm", "cool"])
        wind, heat = drawn.gauss(5, 2), drawn.randrange(40)
        go = "yes" if drawn.random() < (0.8 if sky == "sun" else 0.3) else "no"
        lines.append(f"{sky},{wind:.2f},{heat},{water},{go}")
    path = tmp_path_factory.mktemp("tables") / "days.csv"
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize("_", range(6))  # each has a server of its own
def test_learn_shows_rows_reasons_and_the_evaluation(page, days, _):
    open_file(page, days)
    page.click("[data-key=learn]")
    page.click("[data-row='0']")
    page.wait_for_selector(".step[data-weight]")
    page.wait_for_selector("#section-evaluation [data-score=log_loss]")
    assert_text(page, "#section-evaluation", "as if it had not been learned")
    assert page.locator(".refused:not(:empty)").count() == 0
