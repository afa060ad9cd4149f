"""`bayesic network`: belief networks on the command line. Only click is imported here."""

import click

from bayesic.cli.lazy import LazyGroup

COMMANDS = {
    "query": "How probable the states of variables are, given what is known.",
    "show": "The variables of a network, their states, parents and tables.",
    "convert": "Write a network in another format.",
    "sample": "Random rows that follow a network, as CSV.",
    "fit": "Learn the tables of a network from data, and perhaps its edges.",
}


@click.group("network", cls=LazyGroup, lines=COMMANDS, package="bayesic.cli.network")
def command() -> None:
    """Belief networks: questions, files, samples, learning.

    Networks are files in BIF (.bif), XMLBIF (.xml), Hugin NET (.net), UAI (.uai) or JSON of our own
    (.json), packed by gzip or not. Which of them it is, is told by their content.
    """
