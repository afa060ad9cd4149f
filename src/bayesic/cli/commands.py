"""The commands as they are typed: arguments, options, help. What they do is imported when they run.

A command has one lazy import and one call, so that --help answers at once.
"""

from typing import Any

import click

from bayesic.cli import _options as options
from bayesic.cli._given import thresholds_given
from bayesic.cli.comparing import drift  # noqa: F401  # found by its name, as are these
from bayesic.cli.network import command as network  # noqa: F401
from bayesic.cli.serving import serve, studio  # noqa: F401

DIALECTS = ("duckdb", "sqlite", "postgresql")
PICTURES = ("confusion", "calibration", "regions", "densities", "evidence")


# learning -----------------------------------------------------------------------------------------


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
@click.option(
    "--noise",
    type=float,
    metavar="EPSILON",
    help="Write only noisy counts, safe to share: 1 is usual, less is more noise. For "
    "categorical columns.",
)
@options.of_models
@options.as_json
def fit(**given: Any) -> None:
    """Learn a model from a table or from texts.

    SOURCE is a CSV, TSV or Parquet file. Column types are inferred; with --text, the texts of one
    column are learned instead. Or SOURCE is a folder with one folder of texts or mails per class,
    or one mailbox per class; mailboxes may also be named: ham.mbox spam.mbox. Data is read block by
    block and may be larger than memory. The models for tables of numbers (see --model) take all
    rows at once.
    """
    from bayesic.cli.fit import fit

    fit(**given)


@click.command("update")
@options.change
@click.option("--new-classes", is_flag=True, help="Learn classes that the model does not know yet.")
def update(**given: Any) -> None:
    """Learn more rows or texts.

    SOURCE is a table, or for a text model also a folder with one folder or mailbox per class, or a
    mailbox named after its class. With --class it is a text, a mail, a mailbox, a folder of these,
    or - for stdin, all of this class: so a mail program can call it.

    The model is the same as from learning everything at once. New values and words may appear. A
    class that the model does not know is refused, because it is often a mistake, unless you pass
    --new-classes; gaussian, qda and lda only know the classes of fit.
    """
    from bayesic.cli._changing import change

    change("partial_fit", **given)


@click.command("forget")
@options.change
def forget(**given: Any) -> None:
    """Remove rows or texts from a model.

    SOURCE is the same as for update. The model is the same as if it had never learned them. Rows
    that were never learned are refused where the counts show it; the file then stays unchanged.
    """
    from bayesic.cli._changing import change

    change("forget", **given)


@click.command("merge")
@click.argument("models", type=options.MODEL, nargs=-1, required=True)
@click.option("--out", "-o", type=options.MODEL, required=True, metavar="MODEL", help=options.WRITE)
@options.as_json
def merge(**given: Any) -> None:
    """Add up models that were learned separately.

    The model is the same as from learning all rows or texts at once. Options such as smoothing are
    those of the first model.
    """
    from bayesic.cli._changing import merge

    merge(**given)


# answers ------------------------------------------------------------------------------------------


@click.command("predict")
@click.argument("model", type=options.MODEL_PLACE)
@click.argument("source", type=options.FILE, required=False)
@click.option(
    "--text",
    "texts",
    multiple=True,
    metavar="TEXT",
    help="A text to predict; repeatable. With a table: the column with the texts.",
)
@options.stdin
@options.loss
@options.reject
@click.option(
    "--threshold",
    "thresholds",
    multiple=True,
    callback=options.parsed_by(thresholds_given),
    metavar="CLASS=PROBABILITY",
    help="Predict this class only if it is at least this probable, otherwise the best of the "
    "others. Repeatable.",
)
@click.option("--proba", is_flag=True, help="Probabilities of texts too, as CSV.")
@click.option(
    "--top",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    help="Only this many classes, the most probable ones, each with its probability, as CSV.",
)
@click.option("--keep", is_flag=True, help="Keep the columns of the table in the output.")
@click.option(
    "--for-spreadsheets",
    is_flag=True,
    help="CSV in which no text is a formula: an apostrophe stands before = + - @ and tab.",
)
@click.option(
    "--out", "-o", type=options.FILE, metavar="FILE", show_default="stdout", help=options.WRITE
)
@options.token
@options.as_json
def predict(**given: Any) -> None:
    """Predict, and decide, for the rows of a table or for texts.

    SOURCE is a table. The output is CSV: the row number (from 0), the most probable class, and
    P(class) of each class; with --loss or --reject also the action of least expected cost and its
    cost (risk).

    For a text model SOURCE is a table with texts, a text, a mail (.eml), a mailbox (.mbox), a
    folder of these, or - for stdin, which is read if there is neither SOURCE nor --text. Unless the
    texts are in a table, only the answers are written, one per line, after the file name if there
    is one.
    """
    from bayesic.cli.predict import predict

    predict(**given)


@click.command("explain")
@click.argument("model", type=options.MODEL_PLACE)
@click.argument("source", type=options.FILE, required=False)
@click.option(
    "--text", metavar="TEXT", help="The text to explain. With a table: the column with the texts."
)
@options.stdin
@options.row("Number of the row or text, counted from 0.")
@click.option(
    "--answer",
    "--class",
    "answer",
    metavar="CLASS",
    help="Explain this class, even if another one is predicted.",
)
@click.option("--against", metavar="CLASS", help="Compare with this class instead of the rest.")
@click.option(
    "--top",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    help="Show this many columns or words, the strongest first, and the sum of the others.",
)
@click.option("--work", is_flag=True, help="Show the calculation, in exact fractions if possible.")
@options.token
@options.as_json
def explain(**given: Any) -> None:
    """Why a row or a text gets its answer.

    Shows the prior and the weight of evidence of each column or word, in log odds: above 0 it
    speaks for the answer. For nearest neighbours it shows the neighbours with their distances.
    SOURCE is a table, or what predict takes for a text model.
    """
    from bayesic.cli.explain import explain

    explain(**given)


@click.command("evaluate")
@click.argument("source", type=options.SOURCE_PLACE)
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
    "--seed", type=int, default=0, show_default=True, help="Seed of the random folds and shares."
)
@options.loss
@options.reject
@click.option(
    "--worst",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    metavar="N",
    help="Show the N rows whose true class got the least probability.",
)
@options.of_models
@options.token
@options.as_json
def evaluate(**given: Any) -> None:
    """How good the answers are on data that was not learned.

    SOURCE is a model, and TEST a table or texts that it did not learn (or that it did, with
    --leave-one-out). Or SOURCE is a table or texts, as for fit: it is learned and evaluated on
    TEST, or without TEST by --cv (10 folds unless you say otherwise), --share or --leave-one-out.
    """
    from bayesic.cli.evaluate import evaluate

    evaluate(**given)


# what was learned ---------------------------------------------------------------------------------


@click.command("show")
@click.argument("model", type=options.MODEL_PLACE)
@click.option("--column", metavar="NAME", help="Show everything known about one column.")
@options.token
@options.as_json
def show(**given: Any) -> None:
    """What a model has learned.

    Classes with their rows and prior, columns with their type, and what is known about each: the
    most informative values with the class they speak for and the factor by which they change its
    probability, or mean and standard deviation by class, or the weights of a logistic regression.
    For texts, the words that speak for each class.
    """
    from bayesic.cli.show import show

    show(**given)


@click.command("plot")
@click.argument("picture", type=click.Choice(PICTURES), metavar="PICTURE")
@click.argument("model", type=options.MODEL)
@click.argument("source", type=options.FILE, required=False)
@click.option(
    "--out", "-o", type=options.PICTURE, required=True, metavar="FILE", help="Picture to write."
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
@options.row("evidence: number of the row or text, counted from 0.")
@click.option("--against", metavar="CLASS", help="evidence: compare with this class.")
@options.stdin
@options.as_json
def plot(**given: Any) -> None:
    """A picture of a model and its answers, as a PNG or SVG file.

    PICTURE is one of these. confusion: which class is taken for which. calibration: how often
    answers are right, against how confident the model was. regions: the most probable class in the
    plane of two numeric columns. densities: what was learned about each column, with the data.
    evidence: why a row or a text gets its answer.

    SOURCE is a table or texts with their classes; for evidence it is what explain takes.
    """
    from bayesic.cli.plot import plot

    plot(**given)


@click.command("export")
@click.argument("model", type=options.MODEL)
@click.option("--sql", is_flag=True, help="Write SQL: one SELECT.")
@click.option(
    "--onnx",
    type=options.FILE,
    metavar="FILE",
    help="Write an ONNX graph into this file. Needs the extra onnx.",
)
@click.option("--table", metavar="NAME", help="Table of the database that has the rows.")
@click.option(
    "--dialect",
    type=click.Choice(DIALECTS),
    default="duckdb",
    show_default=True,
    help="Database that will run it.",
)
@click.option(
    "--keep",
    multiple=True,
    metavar="NAME",
    help="Column of the table to keep in the output. Repeatable.",
)
@options.loss
@options.reject
@click.option(
    "--dtype",
    type=click.Choice(("float64", "float32")),
    default="float64",
    show_default=True,
    help="With --onnx: type of the input and output numbers.",
)
@click.option(
    "--missing",
    default="",
    show_default="an empty string",
    metavar="TEXT",
    help="With --onnx: string that stands for a missing category.",
)
@click.option(
    "--out", "-o", type=options.FILE, metavar="FILE", show_default="stdout", help=options.WRITE
)
@options.as_json
def export(**given: Any) -> None:
    """Write a model as SQL or ONNX, so that other programs can predict.

    The SELECT gives a column P(class) for each class, for every row of the table, and with --loss
    or --reject also the action of least expected cost and its cost (risk). The table must have the
    columns of the model, by name. SQL does not guarantee row order: --keep a column that identifies
    the rows. The ONNX graph takes an input for each column and has the outputs label and
    probabilities.
    """
    from bayesic.cli.export import export

    export(**given)


# the rest -----------------------------------------------------------------------------------------


@click.command("warm-up")
@options.as_json
def warm_up(as_json: bool) -> None:
    """Compile all kernels now, so that no query waits for them.

    Large inputs are processed by compiled kernels, if Numba is installed. They are compiled on
    first use and kept on disk; this compiles all of them. If they are on disk already, it takes a
    few seconds.
    """
    from bayesic.cli._output import tell
    from bayesic.warm_up import warm_up

    compiled = warm_up()
    tell({"compiled": compiled}, f"All kernels are compiled: {', '.join(compiled)}.", as_json)


@click.command("demo")
@click.option("--texts", is_flag=True, help="The story of four texts about China instead.")
@options.as_json
def demo(**given: Any) -> None:
    """The textbook story of playing tennis, or of texts.

    Learns 14 days, predicts a new one in fractions, says why, decides, and forgets a day. With
    --texts it learns four texts and forgets one.
    """
    from bayesic.cli.demo import demo

    demo(**given)
