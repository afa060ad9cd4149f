"""Draw the house: `python tools/architecture.py` writes docs/images/architecture.svg.

The picture is made of what is checked: the layers of the import contract in pyproject.toml, each
with the first sentence of its folder. A layer may import what stands below it.
"""

import ast
import tomllib
from html import escape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "images" / "architecture.svg"

CHAIN = ("data", "statistics", "estimation", "models", "decisions")  # learning is counting
WIDTH, LINE, GAP, LEFT, TEXT = 960, 30, 8, 56, 210
STYLE = """
  svg { --paper: #ffffff; --ink: #1f2328; --band: #f1f3f5; --chain: #d7e8fb; --line: #6e7781; }
  @media (prefers-color-scheme: dark) {
    svg { --paper: #16191d; --ink: #e8eaed; --band: #252a30; --chain: #1d3d5f; --line: #9aa4af; }
  }
  text { font: 15px system-ui, sans-serif; fill: var(--ink); }
  .name { font: 600 15px ui-monospace, monospace; }
  .paper { fill: var(--paper); } .band { fill: var(--band); } .chain { fill: var(--chain); }
  .arrow { stroke: var(--line); stroke-width: 2; fill: none; }
"""


def layers(contracts: list[dict[str, Any]]) -> list[list[str]]:
    """The layers of the contract from the top down, and what is under no layer at the end.

    >>> layers([{"layers": ["cli", "decisions | evidence"], "type": "layers"},
    ...         {"source_modules": ["bayesic.datasets"], "type": "forbidden"}])
    [['cli'], ['decisions', 'evidence'], ['datasets']]
    """
    stack = [
        [name.strip() for name in layer.split("|")]
        for contract in contracts
        for layer in contract.get("layers", [])
    ]
    inside = {name for layer in stack for name in layer}
    sources = [name for contract in contracts for name in contract.get("source_modules", [])]
    apart = [name.partition(".")[2] for name in sources]
    return stack + [[name] for name in apart if name not in inside]


def sentence(name: str, source: Path = ROOT / "src" / "bayesic") -> str:
    """What a folder or file holds: the first sentence of its docstring."""
    folder = source / name / "__init__.py"
    path = folder if folder.exists() else source / f"{name}.py"
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    first = " ".join(docstring.split("\n\n")[0].split()).replace("`", "")
    return first.partition(". ")[0].rstrip(".")


def drawn(stack: list[list[str]], sentences: dict[str, str]) -> str:
    """The picture: a band for each layer, with a line for each name in it."""
    parts, top = [], 20
    for layer in stack:
        height = LINE * len(layer) + 6
        parts.append(_band("band", top, height))
        for at, name in enumerate(layer):
            if name in CHAIN:
                parts.append(_band("chain", top + LINE * at, LINE + 6))
            parts += _line(name, sentences[name], top + LINE * at + 23)
        top += height + GAP
    height = top + 12
    arrow = f"M 30 24 V {top - 16} m -7 -12 l 7 12 l 7 -12"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
    return "\n".join(
        [
            f'{head} width="{WIDTH}" height="{height}" role="img">',
            "<title>The layers of bayesic: each may import what stands below it</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="paper" width="{WIDTH}" height="{height}" rx="8"/>',
            f'<path class="arrow" d="{arrow}"/>',
            f'<text transform="translate(22 {height // 2 + 30}) rotate(-90)">imports</text>',
            *parts,
            "</svg>\n",
        ]
    )


def _band(kind: str, top: int, height: int) -> str:
    width = WIDTH - LEFT - 20
    place = f'x="{LEFT}" y="{top}" width="{width}" height="{height}"'
    return f'<rect class="{kind}" {place} rx="6"/>'


def _line(name: str, text: str, y: int) -> list[str]:
    return [
        f'<text class="name" x="{LEFT + 14}" y="{y}">{escape(name)}</text>',
        f'<text x="{TEXT}" y="{y}">{escape(text, quote=False)}</text>',
    ]


def picture() -> str:
    """The picture of this library as it is."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    stack = layers(settings["tool"]["importlinter"]["contracts"])
    return drawn(stack, {name: sentence(name) for layer in stack for name in layer})


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
