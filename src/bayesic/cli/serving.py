"""Commands that serve others, as they are typed; see `commands.py`."""

from typing import Any

import click

from bayesic.cli import _options as options


@click.command("studio")
@click.argument("files", type=options.FILE, nargs=-1, metavar="FILE...")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    show_default="any that is free",
    help="Port to listen on.",
)
@click.option("--no-open", is_flag=True, help="Print the URL, and open no browser.")
@click.option(
    "--store",
    type=options.FILE,
    metavar="PATH",
    show_default="a temporary one",
    help="Store of the models, created if there is none.",
)
@click.option(
    "--tokens",
    type=options.FILE,
    metavar="FILE",
    show_default="one of its own, at the end of the URL",
    help="File with the hashes of tokens (see `serve`); the page then asks for one.",
)
@click.option("--no-token", is_flag=True, help="Let every account of this machine in.")
@click.option(
    "--encoding",
    metavar="NAME",
    show_default="utf-8",
    help="Encoding of the CSV files, such as gbk. For files opened on the page, the page asks.",
)
def studio(**given: Any) -> None:
    """Open networks and tables on a page in the browser.

    FILE is a network (.bif, .xmlbif, .net, .uai, .json), a model of one (.bayes), or a table of
    cases (.csv, .tsv, .parquet). The page comes from a server on this machine, which other machines
    cannot reach, nor other accounts without the token at the end of the URL. Ctrl-C ends it.
    """
    from bayesic.cli.studio import studio

    studio(**given)


@click.command("serve")
@click.argument("store", type=options.FILE)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port to listen on; 0 for any that is free.",
)
@click.option(
    "--tokens",
    type=options.FILE,
    metavar="FILE",
    help="File with the hashes of tokens; clients must then send one.",
)
@click.option(
    "--new-token",
    type=click.Choice(("read", "learn", "admin")),
    help="Make a token with this right, write its hash to --tokens, print it, and exit.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help="Another name under which this machine may be reached, besides --host and localhost. "
    "Repeatable.",
)
@click.option("--read-only", is_flag=True, help="Follow a store that another process writes.")
@options.limit("--max-body", 1_000_000, "Bytes of a request.")
@options.limit("--max-upload", 64_000_000, "Bytes of a model file.")
@options.limit("--max-rows", 10_000, "Rows of a request.")
@options.limit("--max-cells", 10_000, "Cells of a row.")
@options.limit("--max-classes", 1_000, "Classes of a model.")
@options.limit("--max-vocabulary", 1_000_000, "Words of a model.")
@click.option("--quiet", is_flag=True, help="Write no line for each request to stderr.")
def serve(**given: Any) -> None:
    """Serve a store of models over HTTP.

    STORE is a file, created if there is none. Models learn, forget, predict and explain over HTTP;
    what was acknowledged is on disk. Only programs on this machine can connect, unless there are
    tokens. SIGTERM or Ctrl-C ends the server once it has finished everything it accepted.
    """
    from bayesic.cli.serve import serve

    serve(**given)
