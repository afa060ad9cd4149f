"""EnjoySport: how the version space shrinks, example by example."""

from collections.abc import Mapping

import numpy as np

from bayesic.datasets import enjoy_sport
from bayesic.hypotheses.attributes import ANY, Attributes, Conjunction, more_general
from bayesic.hypotheses.training_examples import Examples
from bayesic.hypotheses.version_space import VersionSpace, candidate_elimination
from bayesic.serve.request_bodies import check_fields
from bayesic.studio.lessons.lesson_values import cells, rows

LEVELS = (
    ("Sunny", "Cloudy", "Rainy"),
    ("Warm", "Cold"),
    ("Normal", "High"),
    ("Strong", "Light"),
    ("Warm", "Cool"),
    ("Same", "Change"),
)
CLASSES = ("No", "Yes")
MOST_ROWS = 12
MOST_DRAWN = 12  # hypotheses that are drawn one by one


def version_space(body: Mapping[str, object]) -> dict[str, object]:
    """S, G and the number of hypotheses after each example, and what they say of a new day.

    Cells are numbers of LEVELS; the last one of a row is the class. Without rows: the book's four.

    >>> answer = version_space({"rows": None, "day": [0, 0, 0, 1, 0, 0]})
    >>> [step["size"] for step in answer["steps"]], answer["steps"][-1]["votes"]
    ([973, 64, 32, 28, 6], 3)
    """
    check_fields(body, ("rows", "day"))
    book = enjoy_sport()
    examples = [(*row, label) for row, label in zip(book.rows, book.target, strict=True)]
    if body["rows"] is not None:
        examples = rows(body["rows"], (*LEVELS, CLASSES), MOST_ROWS)
    day = cells("day", body["day"], LEVELS)
    codes = [
        [known.index(cell) for cell, known in zip(row, (*LEVELS, CLASSES), strict=True)]
        for row in examples
    ]
    return {
        "columns": book.columns,
        "levels": LEVELS,
        "rows": codes,
        "steps": [_step(examples[:n], book.columns, day) for n in range(len(examples) + 1)],
    }


def _step(examples: list[tuple], columns: tuple[str, ...], day: tuple) -> dict[str, object]:
    try:
        space = _space(examples, columns)
    except ValueError as error:  # no conjunction agrees with the examples
        return {"refused": str(error)}
    drawn = space.hypotheses if space.size <= MOST_DRAWN else ()
    return {
        "size": space.size,
        "specific": space.specific,
        "general": space.general,
        "hypotheses": [{"cells": one, "height": one.count(ANY)} for one in drawn],
        "edges": [
            [below, above]
            for below, first in enumerate(drawn)
            for above, second in enumerate(drawn)
            if _is_next(second, first)
        ],
        "votes": int(space.votes([day])[0]),
        "answer": str(space.classify([day])[0]),
    }


def _space(examples: list[tuple], columns: tuple[str, ...]) -> VersionSpace:
    values = dict(zip(columns, LEVELS, strict=True))
    if not examples:
        nothing = np.zeros((0, len(columns)), np.intp)
        attributes = Attributes(tuple(columns), LEVELS)
        return VersionSpace(Examples(attributes, nothing, np.zeros(0, bool), CLASSES))
    table = {name: [row[place] for row in examples] for place, name in enumerate(columns)}
    labels = [row[-1] for row in examples]
    return candidate_elimination(table, labels, positive="Yes", values=values)


def _is_next(general: Conjunction, special: Conjunction) -> bool:
    """Whether the first asks for one value less, and for nothing else."""
    return general.count(ANY) == special.count(ANY) + 1 and more_general(general, special)
