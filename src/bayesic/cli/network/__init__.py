"""`bayesic network`: belief networks on the command line. Nothing heavy is imported here."""

import click

from bayesic.cli._help import LazyGroup
from bayesic.data.spelling import spelling_by

COMMANDS = {
    "query": "The probabilities of the states of variables, given what is known.",
    "show": "The variables of a network, their states, parents and tables.",
    "convert": "Write a network in another format.",
    "sample": "Random rows that follow a network, as CSV.",
    "fit": "Learn the tables of a network from data, and perhaps its edges.",
}

# advice in the sentences of the library -> the same as it is typed here
SPELLINGS = {
    "method={method!r}": "--method {method}",
    "method={search!r}": "--learn {search}",
    "normalise=True": "--normalise",
    "fit(table, method='em')": "--method em",
    "net.fit(table, method='em').": "--method em.",
    "Make the network with states={{{variable!r}: [...]}}.": (
        "Give a network that has them by --structure."
    ),
    "Give one with with_tables({{{variable!r}: ...}}), or learn it from data.": (
        "Learn it with bayesic network fit --structure."
    ),
    "Give it with with_tables, or learn it from data.": (
        "Learn it with bayesic network fit --structure."
    ),
}


@click.group("network", cls=LazyGroup, lines=COMMANDS, package="bayesic.cli.network")
@click.pass_context
def command(context: click.Context) -> None:
    """Belief networks: queries, files, samples, learning.

    Networks are files in BIF (.bif), XMLBIF (.xml), Hugin NET (.net), UAI (.uai) or our own JSON
    (.json), optionally compressed with gzip. The format is detected from the content.
    """
    context.with_resource(spelling_by(SPELLINGS))
