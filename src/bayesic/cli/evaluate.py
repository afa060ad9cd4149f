"""`bayesic evaluate`: how good the answers are on what was not learned."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bayesic.cli import options

if TYPE_CHECKING:
    from bayesic.evaluation.report import Evaluation

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
@click.option(
    "--worst",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    metavar="N",
    help="Show the N rows to whose class the least probability was given.",
)
@options.parameters
@options.as_json
def command(
    source: Path,
    test: Path | None,
    text: str | None,
    target: str | None,
    loss: Path | None,
    reject: float | None,
    worst: int,
    as_json: bool,
    **how: Any,
) -> None:
    """How good the answers are on what was not learned.

    SOURCE is a model, and TEST a table or texts that it did not learn (or that it did, with
    --leave-one-out). Or SOURCE is a table or texts, as for fit: it is learned and tried on TEST,
    or without TEST by --cv (10 folds if nothing is said), --share or --leave-one-out.
    """
    from bayesic.cli.reading import read_loss

    judging = {"loss": read_loss(loss), "reject_loss": reject, "worst": worst}
    print_report(evaluation_of(source, test, text, target, how, judging), as_json)


def evaluation_of(
    source: Path,
    test: Path | None,
    text: str | None,
    target: str | None,
    how: dict[str, Any],
    judging: dict[str, Any],
) -> "Evaluation":
    """How good the answers are for the rows or texts that the arguments hold out."""
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
            return held_out.share_held_out(tried, share, seed, how, **judging)
        if test is None and not leave_one_out:
            n_folds = folds or USUAL_FOLDS
            return held_out.cross_validated(tried, n_folds, seed, how, **judging)
        model = held_out.learned_source(tried, how)
        tried = tried if test is None else tried.elsewhere(test)
    if leave_one_out:
        return held_out.left_one_out(model, tried, **judging)
    return held_out.answers_of_model(model, tried, **judging)


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


def print_report(evaluation: "Evaluation", as_json: bool) -> None:
    """The report as JSON, or as tables."""
    from bayesic.cli.output import print_json, print_table

    if as_json:
        print_json(evaluation.to_dict())
        return
    for line in [evaluation.headline(), *evaluation.notes()]:
        click.echo(line)
    for table in evaluation.tables():
        click.echo()
        print_table(*table)
