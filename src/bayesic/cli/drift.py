"""`bayesic drift`: what has changed between two models, or since a moment."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

import bayesic as by
from bayesic.cli._learned_models import read_model
from bayesic.cli._on_server import OnServer, connected
from bayesic.cli._options import first_given
from bayesic.cli._output import tell

if TYPE_CHECKING:
    from bayesic.evaluation.drift import Drift


def drift(
    earlier: Path | OnServer,
    later: Path | OnServer | None,
    since: str | None,
    start: str | None,
    until: str | None,
    as_json: bool,
) -> None:
    """Print which columns or words have changed."""
    if later is not None:
        given = first_given(("since", "start", "until"))
        if given:
            raise click.UsageError(
                f"{given} splits what one model on a server has learned, but two models are "
                "given. Leave it out, or give only one URL."
            )
        changes = by.drift(read_model(earlier), read_model(later))
    elif isinstance(earlier, Path):
        raise click.UsageError(
            f"{earlier} alone does not show what has changed. Give two model files, EARLIER and "
            "LATER; or the URL of a model on a server, which knows when each row arrived."
        )
    else:
        changes = _on_server(earlier, since, start, until)
    tell(changes.to_dict(), str(changes), as_json)


def _on_server(
    address: OnServer, since: str | None, start: str | None, until: str | None
) -> "Drift":
    from bayesic.store.journal_drift import cut_typed

    if since is None:
        raise click.UsageError(
            "Say where the later rows begin: --since with the number of an event, or a moment such "
            "as 2026-05-01."
        )
    given = {"since": since, "start": start, "until": until}
    cuts = {name: cut_typed(f"--{name}", text) for name, text in given.items() if text is not None}
    with connected(address) as store:
        return store.drift(address.name, **cuts)
