"""Play tennis: naive Bayes from a table that can be edited, in fractions."""

from typing import Any

from bayesic.data.arguments import check_one_of, without_warnings
from bayesic.datasets import play_tennis
from bayesic.models.columns.naive_bayes import NaiveBayes
from bayesic.serve.request_bodies import check_fields
from bayesic.studio.lessons.lesson_values import cells, rows, shown, whole

MOST_ROWS = 40
CLASSES = ("No", "Yes")


def tennis(body: dict[str, Any]) -> dict[str, object]:
    """The calculation of the book for one day, from the rows as they stand now.

    Cells are numbers of levels, in the order in which the table of the book has them; the last one
    of a row is the class. Without rows: those of the book.

    >>> answer = tennis({"rows": None, "day": [0, 2, 0, 1], "smoothing": 0, "language": "en"})
    >>> [one["text"] for one in answer["posterior"]]
    ['486/611', '125/611']
    """
    check_fields(body, ("rows", "day", "smoothing", "language"))
    check_one_of("language", body["language"], ("en", "zh"))
    table = play_tennis(body["language"])
    levels = table.levels
    days = [(*row, label) for row, label in zip(table.rows, table.target, strict=True)]
    if body["rows"] is not None:
        days = rows(body["rows"], (*levels, CLASSES), MOST_ROWS)
    day = cells("day", body["day"], levels)
    if not days:
        raise ValueError("The table needs at least one day. Add one.")
    model = NaiveBayes(
        columns=dict.fromkeys(table.columns, "categorical"),
        smoothing=whole("smoothing", body["smoothing"], 0, 10),
    )
    with without_warnings():  # that x is impossible is told by the page
        model.fit(
            {name: [row[place] for row in days] for place, name in enumerate(table.columns)},
            [row[-1] for row in days],
        )
        work = model.work(day)
    return {
        "columns": table.columns,
        "levels": levels,
        "rows": [
            [*(levels[j].index(value) for j, value in enumerate(row[:-1])), CLASSES.index(row[-1])]
            for row in days
        ],
        "classes": work.classes,
        "prior": [shown(share) for share in work.prior],
        "factors": [
            {"column": name, "value": value, "shares": [shown(share) for share in factor.shares]}
            for name, value, factor in zip(table.columns, day, work.factors, strict=True)
        ],
        "joint": [shown(product) for product in work.joint.values()],
        "posterior": [shown(share) for share in work.posterior.values()],
        "impossible": work.is_impossible,
    }
