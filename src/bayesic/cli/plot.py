"""`bayesic plot`: a picture of what a model has learned, or of its answers."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bayesic.cli import options

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Told = tuple["Figure", dict[str, Any], str]  # a picture, and what to say of it: as JSON, in words

ENDINGS = (".png", ".svg")
DOTS_PER_INCH = 150

OF_ANSWERS, OF_TABLES = ("confusion", "calibration"), ("regions", "densities")
PICTURES = (*OF_ANSWERS, *OF_TABLES, "evidence")

# options that not every picture has
FOR_PICTURES = {
    "target": (*OF_ANSWERS, *OF_TABLES),
    "leave_one_out": OF_ANSWERS,
    "row": ("evidence",),
    "against": ("evidence",),
    "stdin": ("evidence",),
}


class PictureFile(click.Path):
    """The path of a picture to write; its ending tells the format."""

    name = "picture file"

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: Any, ctx: Any) -> Path:
        """The path, if it has a known ending."""
        path = Path(str(super().convert(value, param, ctx)))
        if path.suffix.lower() not in ENDINGS:
            self.fail(f"a picture must end in .png or .svg, got {str(path)!r}.", param, ctx)
        return path


@click.command("plot")
@click.argument("picture", type=click.Choice(PICTURES), metavar="PICTURE")
@click.argument("model", type=options.MODEL)
@click.argument("source", type=options.FILE, required=False)
@click.option(
    "--out", "-o", type=PictureFile(), required=True, metavar="FILE", help="Picture to write."
)
@options.target
@click.option(
    "--text",
    metavar="TEXT",
    help="Column with the texts of a table; for evidence the text itself, if there is no table.",
)
@click.option(
    "--leave-one-out",
    is_flag=True,
    help="confusion, calibration: each row as if it alone had not been learned.",
)
@click.option(
    "--row",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="NUMBER",
    help="evidence: number of the row or text, from 0 on.",
)
@click.option("--against", metavar="CLASS", help="evidence: compare with this class.")
@options.stdin
@options.as_json
def command(
    picture: str, model: Path, source: Path | None, out: Path, as_json: bool, **how: Any
) -> None:
    """A picture of a model and its answers, as a PNG or SVG file.

    PICTURE is one of these. confusion: which class is taken for which. calibration: how often
    answers are right, next to how sure the model was. regions: the most probable class in the
    plane of two columns of numbers. densities: what was learned of each column, with the data.
    evidence: why a row or a text gets its answer.

    SOURCE is a table or texts with their classes; for evidence it is what explain takes.
    """
    refuse_what_does_not_fit(picture, source)
    from bayesic.cli.output import print_json
    from bayesic.cli.reading import read_model

    learned = read_model(model)
    if picture == "evidence":
        figure, report, sentence = evidence_of(learned, model, source, how)
    elif picture in OF_ANSWERS:
        figure, report, sentence = picture_of_answers(picture, learned, model, source, how)
    else:
        figure, report, sentence = picture_of_table(picture, learned, model, source, how)
    write_picture(figure, out)
    if as_json:
        print_json({"file": str(out), "picture": picture, **report})
    else:
        click.echo(f"{out}: {sentence}.")


def refuse_what_does_not_fit(picture: str, source: Path | None) -> None:
    """Refuse options of other pictures, and a picture of answers without rows."""
    for name, pictures in FOR_PICTURES.items():
        if picture not in pictures and options.is_given(name):
            raise click.UsageError(
                f"--{name.replace('_', '-')} is for {', '.join(pictures)}, not for {picture}."
            )
    if source is None and picture != "evidence":
        raise click.UsageError(f"{picture} needs a SOURCE: rows or texts with their classes.")


def drawing() -> Any:
    """The module that draws; without matplotlib there is an error of one sentence."""
    try:
        from bayesic import plots
    except ModuleNotFoundError as error:
        raise click.ClickException(str(error)) from error
    return plots


# pictures -----------------------------------------------------------------------------------------


def picture_of_answers(
    picture: str, learned: Any, model: Path, source: Any, how: dict[str, Any]
) -> Told:
    """Confusion or calibration, of rows or texts."""
    from bayesic.cli.held_out import answers_of_model, left_one_out
    from bayesic.cli.learning import counted
    from bayesic.cli.sources import source_for_model
    from bayesic.decisions.names import name_array

    plots = drawing()
    tried = source_for_model(learned, model, source, how["text"], how["target"])
    evaluation = (left_one_out if how["leave_one_out"] else answers_of_model)(learned, tried)
    judged = evaluation.answers
    if picture == "calibration":
        classes = name_array(judged.names)
        figure = plots.calibration(judged.posterior, judged.labels, classes=classes)
    else:
        figure = plots.confusion(judged.labels, judged.answers)
    tried_on = f", {evaluation.how}" if how["leave_one_out"] else f" of {source}"
    report = {f"{evaluation.unit}s": evaluation.n_rows, "how": evaluation.how}
    return figure, report, f"{counted(evaluation.n_rows, evaluation.unit)}{tried_on}"


def picture_of_table(
    picture: str, learned: Any, model: Path, source: Any, how: dict[str, Any]
) -> Told:
    """Regions or densities, with the rows of a table."""
    from bayesic.cli.learning import counted
    from bayesic.cli.reading import is_text_model, known_classes, target_name
    from bayesic.cli.sources import refuse_texts

    plots = drawing()
    if is_text_model(learned):
        raise click.UsageError(f"{picture} is for models of tables, but {model} has learned texts.")
    refuse_texts(model, how["text"])
    X, labels = table_and_labels(learned, source, target_name(source, how["target"], learned))
    draw = plots.densities if picture == "densities" else plots.decision_regions
    with known_classes(source, "Leave these rows out."):
        figure = draw(learned, X, labels)
    return figure, {"rows": len(labels)}, f"{counted(len(labels), 'row')} of {source}"


def table_and_labels(learned: Any, source: Path, target: str) -> tuple[Any, Any]:
    """The columns that the model has learned, and the classes; other columns are not read."""
    from bayesic.cli.learning import kinds_of
    from bayesic.cli.progress import working
    from bayesic.data.labels import take_column
    from bayesic.data.table_files import file_columns, table_in_memory
    from bayesic.models.schema import KINDS

    stored = {name: KINDS.get(kind, kind) for name, kind in kinds_of(learned).items()}
    told = dict.fromkeys(file_columns(source), "ignore") | stored | {target: "label"}
    with working(f"reading {source}"):
        return take_column(table_in_memory(source, told), target)


def evidence_of(learned: Any, model: Path, source: Path | None, how: dict[str, Any]) -> Told:
    """Weights of evidence of one row or text."""
    from bayesic.cli.explain import one_asked, reasons_of, refuse_for_neighbours

    plots = drawing()
    refuse_for_neighbours(learned, "evidence")
    asked = one_asked(learned, model, source, how["text"], how["stdin"], how["row"])
    reasons = reasons_of(learned, asked, how["against"])
    return plots.evidence(reasons), {"row": how["row"], **reasons.to_dict()}, reasons.headline()


# files --------------------------------------------------------------------------------------------


def write_picture(figure: "Figure", path: Path) -> None:
    """Write a figure in the format of the ending, whole or not at all."""
    import warnings
    from io import BytesIO

    from bayesic.cli.output import opened

    form = path.suffix.lower().removeprefix(".")
    metadata = {"Date": None} if form == "svg" else None  # the same picture is the same file
    drawn = BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # said already, once for all
        figure.savefig(drawn, format=form, dpi=DOTS_PER_INCH, metadata=metadata)
    with opened(path) as stream:
        stream.buffer.write(drawn.getvalue())
