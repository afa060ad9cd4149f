"""Commands that compare models, as they are typed; see `commands.py`."""

from typing import Any

import click

from bayesic.cli import _options as options

CUT = "the number of an event, or a moment such as 2026-05-01T12:30 (UTC)."


@click.command("drift")
@click.argument("earlier", type=options.MODEL_PLACE)
@click.argument("later", type=options.MODEL_PLACE, required=False)
@click.option("--since", metavar="CUT", help=f"Where the later rows begin: {CUT}")
@click.option(
    "--start", metavar="CUT", show_default="the first row", help="Where the earlier rows begin."
)
@click.option(
    "--until", metavar="CUT", show_default="the last row", help="Where the later rows end."
)
@options.token
@options.as_json
def drift(**given: Any) -> None:
    """What has changed between two models.

    Which columns or words have changed from EARLIER to LATER (concept drift): how much better LATER
    explains its rows by each of them, in nats per row. Both must be table models (naive), or both
    text models.

    Or give only EARLIER, the URL of a model on a server: its rows since an event or a moment are
    compared with those before.
    """
    from bayesic.cli.drift import drift

    drift(**given)
