"""Networks, tables and distributions as plain text and as HTML for notebooks."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from bayesic.data.languages import Sentence, number_of, said
from bayesic.evidence.bars import probability_text
from bayesic.evidence.summary import ClassSummary, ColumnSummary, Summary, sorted_by_bits
from bayesic.evidence.text_table import aligned
from bayesic.evidence.text_table import counted as counted_rows
from bayesic.html import FOR_COLOUR, MOST_ROWS, Markup, html_table, left_out

if TYPE_CHECKING:
    from bayesic.networks._conditional_tables import ConditionalTable
    from bayesic.networks.distribution import Distribution, Marginals
    from bayesic.networks.network import BeliefNetwork
    from bayesic.networks.queries._most_probable import MostProbable
    from bayesic.networks.queries._mutual_information import Information

BAR_WIDTH = 20
MOST_STATES = 8


def state_text(key: object) -> str:
    """A state as it is printed; states of several variables with commas."""
    return ", ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def shortened(names: Sequence[object]) -> str:
    """The names with commas, the first of them only if there are many.

    >>> shortened(["yes", "no"])
    'yes, no'
    """
    shown = ", ".join(map(str, names[:MOST_STATES]))
    return shown if len(names) <= MOST_STATES else f"{shown}, ... ({len(names)})"


# text -------------------------------------------------------------------------------------------


def conditions_text(
    given: Mapping[str, object],
    do: Mapping[str, object] | None = None,
    soft: Sequence[str] = (),
) -> str:
    """What a distribution is given: interventions, observations, likelihoods.

    >>> conditions_text({"Storm": True}, {"Bus": False}, ["Thunder"])
    'do(Bus=False), Storm=True, likelihoods of Thunder'
    """
    texts = [f"do({variable}={state})" for variable, state in (do or {}).items()]
    texts += [f"{variable}={state}" for variable, state in given.items()]
    texts += [said("likelihoods of {variable}", variable=variable) for variable in soft]
    return ", ".join(texts)


def distribution_text(distribution: "Distribution") -> str:
    """One line for each state, with a bar."""
    lines = state_lines(distribution, MOST_ROWS)
    more = _more_states(distribution)
    return "\n".join([distribution.headline(), *lines, *(f"  {note}" for note in more)])


def _more_states(distribution: "Distribution") -> list[str]:
    return _more(len(distribution), "... and {number} more states")


def _more_variables(total: int) -> list[str]:
    return _more(total, "... and {number} more variables")


def _more(total: int, english: str) -> list[str]:
    """The line that counts the rows left out below a long table."""
    return [said(english, number=total - MOST_ROWS)] if total > MOST_ROWS else []


def state_lines(
    distribution: "Distribution",
    most: int | None = None,
    errors: Mapping[Any, float] | None = None,
) -> list[str]:
    """A line for each state, with a bar; states of several variables stand in columns.

    most   : how many lines; None for all
    errors : the standard error of each probability, to stand beside it
    """
    n_columns = max(1, len(distribution.variables))
    rows = [[*distribution.variables, *[""] * (3 if errors else 2)]] if n_columns > 1 else []
    for key, share in islice(distribution.items(), most):
        states = [state_text(key)] if n_columns == 1 else list(map(str, key))
        error = [f"± {probability_text(errors[key])}"] if errors else []
        rows.append([*states, probability_text(share), *error, "#" * round(BAR_WIDTH * share)])
    return aligned(rows, numbers=(n_columns,))


def marginals_text(marginals: "Marginals") -> str:
    """One line for each variable: its states with their probabilities."""
    rows = [(name, states_and_shares(its)) for name, its in islice(marginals.items(), MOST_ROWS)]
    more = [f"  {note}" for note in _more_variables(len(marginals))]
    return "\n".join([_marginals_headline(marginals), *aligned(rows), *more])


def _marginals_headline(marginals: "Marginals") -> str:
    its = next(iter(marginals.values()), None)
    known = its and conditions_text(its.given, its.do, its.soft)
    number = len(marginals)
    variables = number_of(str(number), number == 1, "variable")
    if not known:
        return said("Marginals of {variables}", variables=variables)
    return said("Marginals of {variables} given {known}", variables=variables, known=known)


def states_and_shares(distribution: "Distribution") -> str:
    """The states with their probabilities, in one line.

    >>> from bayesic.datasets.networks import asia
    >>> states_and_shares(asia().query("smoke"))
    'yes 0.5000, no 0.5000'
    """
    items = distribution.items()
    return shortened([f"{state} {probability_text(share)}" for state, share in items])


def explanation_text(explanation: "MostProbable") -> str:
    """The probability, then one line for each variable that was not observed."""
    rows = [(name, str(its)) for name, its in explanation.items() if name not in explanation.given]
    known = conditions_text(explanation.given)
    share = probability_text(explanation.probability)
    if known:
        given = "Most probable states given {known}: {share}"
        headline = said(given, known=known, share=share)
    else:
        headline = said("Most probable states: {share}", share=share)
    more = [f"  {note}" for note in _more_variables(len(rows))]
    return "\n".join([headline, *aligned(rows[:MOST_ROWS]), *more])


def information_text(information: "Information") -> str:
    """One line for each variable: bits, and a bar that is full when it says everything."""
    whole = information.entropy or 1.0
    rows = [
        (name, f"{bits:.4f}", "#" * round(BAR_WIDTH * bits / whole))
        for name, bits in islice(information.items(), MOST_ROWS)
    ]
    known = conditions_text(information.given)
    about = {"target": information.target, "entropy": f"{information.entropy:.4f}"}
    if known:
        given = "Bits about {target} given {known}, out of {entropy}"
        headline = said(given, **about, known=known)
    else:
        headline = said("Bits about {target}, out of {entropy}", **about)
    lines = aligned(rows, numbers=(1,))
    more = [f"  {note}" for note in _more_variables(len(information))]
    return "\n".join([headline, *lines, *more])


def table_text(table: "ConditionalTable", in_full: bool = False) -> str:
    """One line for each combination of states of the parents, one column for each state."""
    most_rows = table.n_rows if in_full else MOST_ROWS
    most_states = len(table.states) if in_full else MOST_STATES
    states, rest = table.states[:most_states], len(table.states) - most_states
    more = [f"({rest} more)"] if rest > 0 else []
    rows = [[*table.parents, *map(str, states), *more]]
    for configuration, shares in islice(table.rows(), most_rows):
        numbers = [probability_text(share) for share in shares[:most_states].tolist()]
        rows.append([*map(str, configuration), *numbers, *("..." for _ in more)])
    first_number = len(table.parents)
    lines = aligned(rows, numbers=range(first_number, first_number + len(states)))
    return "\n".join([table.headline(), *lines, *_left_out(table.n_rows, "rows", most_rows)])


def network_text(network: "BeliefNetwork") -> str:
    """A line with the size, then one for each variable: its states and its parents."""
    rows = [
        (name, shortened(network._states[name] or ("?",)), _parents_text(network, name))
        for name in network.variables[:MOST_ROWS]
    ]
    left_out = _left_out(len(network.variables), "variables")
    return "\n".join([_learned_headline(network), *aligned(rows), *left_out])


def network_headline(network: "BeliefNetwork") -> str:
    """Numbers of variables and edges, and of free parameters or of tables that are missing."""
    parts = [counted(len(network.variables), "variable"), counted(len(network.edges), "edge")]
    missing = network.variables_without_table
    if missing:
        parts.append(f"{len(missing)} of the tables missing")
    else:
        parts.append(counted(network.n_parameters, "free parameter"))
    return f"BeliefNetwork: {', '.join(parts)}"


def _learned_headline(network: "BeliefNetwork") -> str:
    """The same, and from how many rows the tables were learned."""
    n_rows = network._n_rows()
    if n_rows is None:
        return network_headline(network)
    return f"{network_headline(network)}, learned from {counted_rows(n_rows, 'row')}"


def network_summary(network: "BeliefNetwork", target: str | None) -> Summary:
    """The variables of a network; with a target, those that say most about it come first.

    >>> from bayesic.datasets import asia
    >>> [part.name for part in network_summary(asia(), "lung").columns][:2]
    ['either', 'xray']
    """
    bits: dict[str, float] = {}
    classes: tuple[ClassSummary, ...] = ()
    entropy = None
    if target is not None:
        shared = network.mutual_information(target)
        shares = network.query(target)
        bits, entropy = dict(shared), shared.entropy
        classes = tuple(ClassSummary(state, None, share) for state, share in shares.items())
    parents = {name: ", ".join(network.parents(name)) for name in network.variables}
    columns = [
        ColumnSummary(
            name,
            "states",
            len(network.states(name)),
            bits.get(name),
            note=Sentence("depends on {names}", names=parents[name]) if parents[name] else "",
        )
        for name in network.variables
        if name != target
    ]
    return Summary(
        model=type(network).__name__,
        rows=network._n_rows(),
        target=target,
        classes=classes,
        columns=sorted_by_bits(columns),
        entropy=entropy,
        pairs=None,
        n_parameters=network.n_parameters,
        noun="variable",
        of_what="state",
        notes=()
        if target
        else ("How much each variable says about one of them: summary(target).",),
    )


def counted(number: int, noun: str) -> str:
    """A number and its noun.

    >>> counted(1, "edge"), counted(2, "edge")
    ('1 edge', '2 edges')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _parents_text(network: "BeliefNetwork", variable: str) -> str:
    parents = network.parents(variable)
    return f"<- {', '.join(parents)}" if parents else ""


def _left_out(total: int, what: str, shown: int = MOST_ROWS) -> list[str]:
    return [f"  {note}" for note in left_out(total, what, shown)]


# HTML -------------------------------------------------------------------------------------------


def distribution_html(distribution: "Distribution") -> str:
    """One row for each state, with a bar."""
    rows = [
        (state_text(key), probability_text(share), _share_bar(share))
        for key, share in islice(distribution.items(), MOST_ROWS)
    ]
    notes = _more_states(distribution)
    return html_table(None, rows, distribution.headline(), "lrl", notes=notes)


def _share_bar(share: float) -> Markup:
    bar = f"height:0.8em;width:{100 * min(share, 1.0):.1f}%;background:{FOR_COLOUR}"
    return Markup(f'<div style="width:12em"><div style="{bar}"></div></div>')


def marginals_html(marginals: "Marginals") -> str:
    """One row for each variable: its states with their probabilities."""
    rows = [(name, states_and_shares(its)) for name, its in islice(marginals.items(), MOST_ROWS)]
    notes = _more_variables(len(marginals))
    return html_table(None, rows, _marginals_headline(marginals), notes=notes)


def table_html(table: "ConditionalTable") -> str:
    """One row for each combination of states of the parents, one column for each state."""
    states = table.states[:MOST_STATES]
    rows = [
        (*configuration, *map(probability_text, shares[:MOST_STATES].tolist()))
        for configuration, shares in islice(table.rows(), MOST_ROWS)
    ]
    notes = left_out(len(table.states), "states", MOST_STATES) + left_out(table.n_rows, "rows")
    align = "l" * len(table.parents) + "r" * len(states)
    return html_table((*table.parents, *states), rows, table.headline(), align, notes=notes)


def network_html(network: "BeliefNetwork") -> str:
    """One row for each variable: its states and its parents."""
    rows = [
        (name, shortened(network._states[name] or ("?",)), ", ".join(network.parents(name)))
        for name in network.variables[:MOST_ROWS]
    ]
    notes = left_out(len(network.variables), "variables")
    headers = ("variable", "states", "parents")
    return html_table(headers, rows, _learned_headline(network), notes=notes)
