"""`bayesic warm-up`: all kernels compiled now, so that no question waits for them."""

from importlib.util import find_spec

import click

from bayesic.cli import options


@click.command("warm-up")
@options.as_json
def command(as_json: bool) -> None:
    """Compile all kernels now, so that no question waits for them.

    Large questions are answered by compiled kernels, if Numba is installed. They are compiled on
    first use and kept on disk; this does it for all of them. Where they are there already, it takes
    a few seconds.
    """
    from bayesic.cli.output import print_json
    from bayesic.progress import bar_of

    if find_spec("numba") is None:
        raise ImportError(
            "Compiled kernels need Numba, which is not installed here; all works without. "
            "Install it with: pip install 'bayesic[fast]'."
        )
    from bayesic.warm_up import questions, warm_up

    answered: list[str] = []
    with bar_of("compiling kernels", len(questions())) as advance:
        for name in warm_up():
            answered.append(name)
            advance()
    if as_json:
        print_json({"compiled": answered})
    else:
        click.echo(f"All kernels are compiled: {', '.join(answered)}.")
