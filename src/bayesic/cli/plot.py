"""`bayesic plot`: a picture of what a model has learned, or of its answers."""

import warnings
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bayesic import plots
from bayesic.catalogue import is_text_model
from bayesic.cli._labelled_files import refuse_texts, source_for_model, target_name
from bayesic.cli._learned_models import known_classes, read_model
from bayesic.cli._options import is_given
from bayesic.cli._output import opened, tell, working
from bayesic.cli.evaluate import tried_on
from bayesic.cli.explain import one_asked, reasons_of, refuse_for_neighbours
from bayesic.data.labels import take_column
from bayesic.data.source import Stored, opened_file
from bayesic.decisions.names import name_array
from bayesic.evidence.text_table import counted
from bayesic.models.columns.schema import KINDS
from bayesic.models.summaries.description import column_kinds

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# a picture, and what to say of it: as JSON, in words
DrawnPicture = tuple["Figure", dict[str, object], str]

DOTS_PER_INCH = 150

OF_ANSWERS, OF_TABLES = ("confusion", "calibration"), ("regions", "densities")

# options that not every picture has
FOR_PICTURES = {
    "target": (*OF_ANSWERS, *OF_TABLES),
    "leave_one_out": OF_ANSWERS,
    "row": ("evidence",),
    "against": ("evidence",),
    "stdin": ("evidence",),
}


def plot(
    picture: str, model: Path, source: Path | None, out: Path, as_json: bool, **how: Any
) -> None:
    """Draw a picture and write it."""
    _refuse_what_does_not_fit(picture, source)
    learned = read_model(model)
    if picture == "evidence":
        figure, report, sentence = _evidence_of(learned, model, source, how)
    elif picture in OF_ANSWERS:
        figure, report, sentence = _picture_of_answers(picture, learned, model, source, how)
    else:
        figure, report, sentence = _picture_of_table(picture, learned, model, source, how)
    _write_picture(figure, out)
    tell({"file": str(out), "picture": picture, **report}, f"{out}: {sentence}.", as_json)


def _refuse_what_does_not_fit(picture: str, source: Path | None) -> None:
    """Refuse options of other pictures, and a picture of answers without rows."""
    for name, pictures in FOR_PICTURES.items():
        if picture not in pictures and is_given(name):
            raise click.UsageError(
                f"--{name.replace('_', '-')} is for {', '.join(pictures)}, not for {picture}."
            )
    if source is None and picture != "evidence":
        raise click.UsageError(f"{picture} needs a SOURCE: rows or texts with their classes.")


# pictures -----------------------------------------------------------------------------------------


def _picture_of_answers(
    picture: str, learned: Any, model: Path, source: Any, how: Mapping[str, Any]
) -> DrawnPicture:
    """Confusion or calibration, of rows or texts."""
    tried = source_for_model(learned, model, source, how["text"], how["target"])
    evaluation = tried_on(learned, tried, how["leave_one_out"])
    judged = evaluation.answers
    if picture == "calibration":
        classes = name_array(judged.names)
        figure = plots.calibration(judged.posterior, judged.labels, classes=classes)
    else:
        figure = plots.confusion(judged.labels, judged.answers)
    of_what = f", {evaluation.how}" if how["leave_one_out"] else f" of {source}"
    report = {f"{evaluation.unit}s": evaluation.n_rows, "how": evaluation.how}
    return figure, report, f"{counted(evaluation.n_rows, evaluation.unit)}{of_what}"


def _picture_of_table(
    picture: str, learned: Any, model: Path, source: Any, how: Mapping[str, Any]
) -> DrawnPicture:
    """Regions or densities, with the rows of a table."""
    if is_text_model(learned):
        raise click.UsageError(f"{picture} is for models of tables, but {model} has learned texts.")
    refuse_texts(model, how["text"])
    rows = opened_file(source)
    X, labels = _table_and_labels(learned, rows, target_name(rows, how["target"], learned))
    draw = plots.densities if picture == "densities" else plots.decision_regions
    with known_classes(source, "Leave these rows out."):
        figure = draw(learned, X, labels)
    return figure, {"rows": len(labels)}, f"{counted(len(labels), 'row')} of {source}"


def _table_and_labels(learned: object, rows: Stored, target: str) -> tuple[Any, Any]:
    """The columns that the model has learned, and the classes; other columns are not read."""
    stored = {name: KINDS.get(kind, kind) for name, kind in column_kinds(learned).items()}
    stored_as = dict.fromkeys(rows.names, "ignore") | stored | {target: "label"}
    with working(f"reading {rows}"):
        return take_column(rows.whole(stored_as), target)


def _evidence_of(
    learned: Any, model: Path, source: Path | None, how: Mapping[str, Any]
) -> DrawnPicture:
    """Weights of evidence of one row or text."""
    refuse_for_neighbours(learned, "evidence")
    question = one_asked(learned, model, source, how["text"], how["stdin"], how["row"])
    reasons = reasons_of(learned, question, how["against"])
    return plots.evidence(reasons), {"row": how["row"], **reasons.to_dict()}, reasons.headline()


# files --------------------------------------------------------------------------------------------


def _write_picture(figure: "Figure", path: Path) -> None:
    """Write a figure in the format of the extension, whole or not at all."""
    form = path.suffix.lower().removeprefix(".")
    metadata = {"Date": None} if form == "svg" else None  # the same picture is the same file
    drawn = BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # said already, once for all
        figure.savefig(drawn, format=form, dpi=DOTS_PER_INCH, metadata=metadata)
    with opened(path) as stream:
        stream.buffer.write(drawn.getvalue())
