"""`bayesic evaluate`: how good the answers are on what was not learned."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bayesic.cli import options

if TYPE_CHECKING:
    from bayesic.cli.held_out import HeldOut

USUAL_FOLDS = 10


@click.command("evaluate")
@click.argument("source", type=options.FILE)
@click.argument("test", type=options.FILE, required=False)
@options.text_column
@options.target
@click.option("--cv", type=click.IntRange(min=2), metavar="K", help="K-fold cross validation.")
@click.option(
    "--share",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    help="Hold out this share of the rows, such as 0.3.",
)
@click.option("--leave-one-out", is_flag=True, help="Each row as if it alone had not been learned.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Of the random folds and shares."
)
@options.loss
@options.reject
@options.parameters
@options.as_json
def command(
    source: Path,
    test: Path | None,
    text: str | None,
    target: str | None,
    loss: Path | None,
    reject: float | None,
    as_json: bool,
    **how: Any,
) -> None:
    """How good the answers are on what was not learned.

    SOURCE is a model, and TEST a table or texts that it did not learn (or that it did, with
    --leave-one-out). Or SOURCE is a table or texts, as for fit: it is learned and tried on TEST,
    or without TEST by --cv (10 folds if nothing is said), --share or --leave-one-out.
    """
    from bayesic.cli.reading import read_loss
    from bayesic.evidence.evaluation import evaluate

    costs = read_loss(loss)
    held_out = answers(source, test, text, target, how)
    report = {"how": held_out.how}
    report |= evaluate(held_out.posterior, held_out.labels, held_out.classes).to_dict()
    if costs is not None or reject is not None:
        report |= cost_report(held_out, costs, reject)
    print_report(report, held_out.unit, as_json)


def answers(
    source: Path, test: Path | None, text: str | None, target: str | None, how: dict[str, Any]
) -> "HeldOut":
    """The answers for the rows or texts that the arguments hold out."""
    from bayesic.cli import held_out
    from bayesic.cli.reading import read_model
    from bayesic.cli.sources import source_for_model, source_to_learn

    folds, share, seed = how.pop("cv"), how.pop("share"), how.pop("seed")
    leave_one_out = how.pop("leave_one_out")
    refuse_what_does_not_fit(source, test, [folds, share, leave_one_out or None])
    if options.is_model_file(source):
        model = read_model(source)
        tried = source_for_model(model, source, test or source, text, target)
    else:
        tried = source_to_learn(source, text, target, how["model"])
        if test is None and share is not None:
            return held_out.share_held_out(tried, share, seed, how)
        if test is None and not leave_one_out:
            return held_out.cross_validated(tried, folds or USUAL_FOLDS, seed, how)
        model = held_out.learned_source(tried, how)
        tried = tried if test is None else tried.elsewhere(test)
    if leave_one_out:
        return held_out.left_one_out(model, tried)
    return held_out.answers_of_model(model, tried)


def refuse_what_does_not_fit(source: Path, test: Path | None, ways: list[Any]) -> None:
    """Refuse arguments that contradict each other."""
    folds, share, _ = ways
    n_ways = sum(way is not None for way in ways)
    if n_ways > 1:
        raise click.UsageError("Give one of --cv, --share and --leave-one-out.")
    if options.is_model_file(source):
        if test is None:
            raise click.UsageError("A model needs something to be tried on: MODEL TABLE.")
        if folds is not None or share is not None:
            raise click.UsageError("--cv and --share learn anew: give a table instead of a model.")
        given = options.first_given(options.OF_LEARNING)
        if given:
            raise click.UsageError(
                f"{given} says how to learn, but {source} has learned already. Give a table."
            )
    elif test is not None and n_ways:
        raise click.UsageError("With two tables the second is held out: leave out the option.")


def cost_report(held_out: "HeldOut", loss: Any, reject: float | None) -> dict[str, Any]:
    """The mean cost of the actions that are best by the probabilities, and how often each is."""
    from collections import Counter

    import bayesic as by

    classes = held_out.classes
    actions = by.decide(held_out.posterior, loss, reject, classes).action
    cost = by.expected_cost(held_out.labels, actions, loss, reject, classes=classes)
    return {"expected_cost": cost, "actions": dict(Counter(map(str, actions.tolist())))}


SCORES = {
    "accuracy": "accuracy",
    "log_loss": "log loss",
    "brier_score": "Brier score",
    "expected_calibration_error": "expected calibration error",
    "expected_cost": "expected cost",
}


def print_report(report: Mapping[str, Any], unit: str, as_json: bool) -> None:
    """The report as JSON, or as tables."""
    from bayesic.cli.learning import counted
    from bayesic.cli.output import print_json, print_table

    if as_json:
        print_json(report)
        return
    click.echo(f"{counted(report['rows'], unit)}: {report['how']}")
    for title, header, rows in report_tables(report, f"{unit}s"):
        click.echo()
        print_table(title, header, rows)


def report_tables(
    report: Mapping[str, Any], units: str
) -> list[tuple[str, list[str], list[list[Any]]]]:
    """Title, header and rows of each table of the report."""
    scores = [[text, float(report[name])] for name, text in SCORES.items() if name in report]
    classes = [[str(label), *rest] for label, *rest in map(dict.values, report["classes"])]
    bins = [bin_row(part) for part in report["calibration"] if part["rows"]]
    confusion = [[label, *row.values()] for label, row in report["confusion"].items()]
    tables = [
        ("Scores", ["score", "value"], scores),
        ("Classes", ["class", units, "share", "mean probability", "precision", "recall"], classes),
        ("Calibration", ["confidence", units, "mean confidence", "share right"], bins),
        ("Confusion", ["truth \\ answer", *report["confusion"]], confusion),
    ]
    if "actions" in report:
        actions = [[action, n_rows] for action, n_rows in report["actions"].items()]
        tables.append(("Actions", ["action", units], actions))
    return tables


def bin_row(part: Mapping[str, Any]) -> list[Any]:
    """A row of the table of calibration."""
    limits = f"{part['low']:.1f} to {part['high']:.1f}"
    return [limits, part["rows"], part["mean_confidence"], part["share_right"]]
