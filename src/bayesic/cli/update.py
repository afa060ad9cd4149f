"""`bayesic update`: learn more rows or texts."""

from typing import Any

import click

from bayesic.cli import options
from bayesic.cli.changing import change


@click.command("update")
@options.change
@click.option("--new-classes", is_flag=True, help="Learn classes that the model does not know yet.")
def command(new_classes: bool, **arguments: Any) -> None:
    """Learn more rows or texts.

    SOURCE is a table, or for a model of texts also a folder with one folder or mailbox for each
    class, or a mailbox named after its class. With --class it is a text, a mail, a mailbox, a
    folder of these, or - for stdin, all of this class: so a mail program can call it.

    The same model comes out as from learning all at once. New values and words may come. A class
    that the model does not know is refused, for it is often a mistake, unless --new-classes is
    given; gaussian, qda and lda know the classes of fit only.
    """
    change(
        **arguments,
        how=lambda source, model: learn(source, model, new_classes),
        other_classes="This model takes no new classes: learn all rows together by fit.",
    )


def learn(source: Any, model: Any, new_classes: bool) -> None:
    """Learn a source beside what was learned before; its classes must be known, or may be new."""
    from bayesic.cli.reading import refuse_classes

    known = model.classes_.tolist()
    source.update(model)
    unknown = [label for label in model.classes_.tolist() if label not in known]
    if unknown and not new_classes:
        refuse_classes(
            source.path,
            unknown,
            known,
            "Nothing was learned. Give --new-classes to learn new classes too.",
        )
