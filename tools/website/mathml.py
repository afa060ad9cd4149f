"""Formulas as MathML, which browsers draw themselves: no script, no picture, no other host."""

from typing import Any

# spelled otherwise by the converter of docutils
SPELLING = {r"\dots": r"\ldots"}


def setup(app: Any) -> None:
    """Add the renderer to Sphinx, as html_math_renderer = "mathml"."""
    app.add_html_math_renderer("mathml", (_inline, None), (_display, None))


def _inline(writer: Any, node: Any) -> None:
    _write(writer, node, as_block=False)


def _display(writer: Any, node: Any) -> None:
    writer.body.append(writer.starttag(node, "div", CLASS="math"))
    _write(writer, node, as_block=True, end="</div>\n")


def _write(writer: Any, node: Any, as_block: bool, end: str = "") -> None:
    from docutils.nodes import SkipNode
    from docutils.utils.math import MathError
    from docutils.utils.math.latex2mathml import tex2mathml
    from sphinx.util import logging

    formula = node.astext()
    for ours, theirs in SPELLING.items():
        formula = formula.replace(ours, theirs)
    try:
        writer.body.append(tex2mathml(formula, as_block=as_block))
    except MathError as error:
        logging.getLogger(__name__).warning("%s in %s", error, formula, location=node)
    writer.body.append(end)
    raise SkipNode
