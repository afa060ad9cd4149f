"""`bayesic fit`: learn a model from a table or from texts."""

from pathlib import Path
from typing import Any

import click

from bayesic.cli import options
from bayesic.cli.changing import alone_with, tell


@click.command("fit")
@click.argument("sources", type=options.FILE, nargs=-1, required=True, metavar="SOURCE...")
@options.text_column
@options.target
@click.option(
    "--out",
    "-o",
    type=options.MODEL,
    metavar="MODEL",
    show_default="the name of SOURCE with .bayes, in this folder, if it is new",
    help="File to write.",
)
@options.parameters
@options.as_json
def command(
    sources: tuple[Path, ...],
    text: str | None,
    target: str | None,
    out: Path | None,
    as_json: bool,
    **how: Any,
) -> None:
    """Learn a model from a table or from texts.

    SOURCE is a CSV, TSV or Parquet file. Each column gets the event model of its kind; or, with
    --text, the texts of one column are learned. Or SOURCE is a folder with one folder of texts or
    mails for each class, or with one mailbox for each; mailboxes may also be named: ham.mbox
    spam.mbox. All is read block by block: it may be larger than memory. Other models of tables, by
    --model, take columns of numbers, and all rows at once.
    """
    from bayesic.cli.held_out import learned_source
    from bayesic.cli.learning import summary
    from bayesic.cli.sources import sources_to_learn

    out = new_model_file(sources) if out is None else out
    model = learned_source(sources_to_learn(sources, text, target, how["model"]), how)
    with alone_with(out):  # an update that has begun must not bring the old model back
        model.save(out)
    tell(out, summary(model), as_json)


def new_model_file(sources: tuple[Path, ...]) -> Path:
    """Where to write what was learned from this file or folder, if nothing is there.

    >>> new_model_file((Path("data/mails.csv.gz"),)).name
    'mails.bayes'
    """
    source, *others = sources
    if others:
        raise click.UsageError("Name the file to write by --out where several are learned.")
    path = Path(f"{source.resolve().name.split('.')[0]}.bayes")
    if path.exists():
        raise click.UsageError(f"{path} is there already. Name the file to write by --out.")
    return path
