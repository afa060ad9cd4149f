"""`bayesic network query`: how probable the states of variables are."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bayesic.cli._options import as_json, is_given
from bayesic.cli.network._network_files import file, normalise
from bayesic.cli.network._observations import evidence, likelihoods_given, seed, states_given

if TYPE_CHECKING:
    from bayesic.cli.network._network_files import Network

METHODS = ("exact", "likelihood-weighting", "gibbs", "forward")


@click.command("query")
@file
@click.argument("targets", nargs=-1, metavar="[TARGET]...")
@evidence
@click.option(
    "--do",
    "do",
    multiple=True,
    metavar="VARIABLE=STATE",
    help="Intervention: a variable set from outside, whatever its parents say. Repeatable.",
)
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="exact",
    show_default=True,
    help="Exact, or from samples, for networks that are too wide.",
)
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    default=100_000,
    show_default=True,
    metavar="NUMBER",
    help="How many samples, for all methods except exact.",
)
@seed
@normalise
@as_json
def command(
    file: Path,
    targets: tuple[str, ...],
    given: tuple[str, ...],
    likelihood: tuple[str, ...],
    do: tuple[str, ...],
    method: str,
    samples: int,
    seed: int,
    normalise: bool,
    as_json: bool,
) -> None:
    """The probabilities of the states of variables, given what is known.

    FILE is a network. TARGET is a variable; for several, the joint distribution is printed, and
    without any, the distribution of each variable.
    """
    from bayesic.cli._output import print_json
    from bayesic.networks.distribution import answer_json, answer_lines
    from bayesic.networks.reading import read_network

    _refuse_options_of_samples(method)
    model = read_network(file, normalise)
    evidence = {
        "given": states_given(model, "--given", given),
        "likelihoods": likelihoods_given(model, likelihood),
    }
    how: dict[str, Any] = {"do": states_given(model, "--do", do), "method": method}
    how |= {"samples": samples, "seed": seed}
    answer = _answer_of(model, file, _asked_targets(model, targets), evidence, how)
    if as_json:
        print_json(answer_json(answer, method))
    else:
        click.echo("\n".join(answer_lines(answer)))


def _answer_of(
    model: "Network",
    file: Path,
    targets: str | list[str] | None,
    evidence: dict[str, Any],
    how: dict[str, Any],
) -> Any:
    """What a network says, or factors, which know less about how."""
    from bayesic.cli._output import working
    from bayesic.networks.factor_model import FactorModel

    with working("computing", total=1):
        if isinstance(model, FactorModel):
            _refuse_what_factors_lack(file, how)
            return model.query(targets, **evidence)
        return model.query(targets, **evidence, **how)


def _asked_targets(model: "Network", targets: tuple[str, ...]) -> str | list[str] | None:
    """None for all variables, the name of one, or a list for their joint distribution."""
    from bayesic.networks.variable_names import listed

    unknown = next((name for name in targets if name not in model.variables), None)
    if unknown is not None:
        hint = " Write --given before what was observed." if "=" in unknown else ""
        raise click.UsageError(
            f"TARGET must be a variable of the network, got {unknown!r}. It has "
            f"{listed(model.variables)}.{hint}"
        )
    return None if not targets else targets[0] if len(targets) == 1 else list(targets)


def _refuse_options_of_samples(method: str) -> None:
    """Refuse the options of sampling where nothing is sampled."""
    for name in ("samples", "seed"):
        if method == "exact" and is_given(name):
            raise click.UsageError(
                f"--{name} is for --method likelihood-weighting, gibbs or forward. Leave it out, "
                "or name one of these."
            )


def _refuse_what_factors_lack(file: Path, how: dict[str, Any]) -> None:
    """Refuse interventions and samples, which need edges."""
    if how["do"] or how["method"] != "exact":
        option = "--do" if how["do"] else f"--method {how['method']}"
        raise click.UsageError(
            f"{option} needs edges, but {file} holds factors (UAI of type MARKOV). Leave it out."
        )
