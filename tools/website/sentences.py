"""What the search shows of a page: its sentences, as a script beside the index.

A page of `file://` may load no other page, so a result could not show where it has the words.
"""

import json
import re
from pathlib import Path
from typing import Any

# a stop, with a space behind it in English
END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
SCRIPT = "sentences.js"


def sentences_of(paragraph: str) -> list[str]:
    """One after the other, without line breaks.

    >>> sentences_of("Rain is\\nlikely. Sun is not: 0.2.")
    ['Rain is likely.', 'Sun is not: 0.2.']
    >>> sentences_of("多半下雨。不会出太阳。")
    ['多半下雨。', '不会出太阳。']
    """
    return [" ".join(part.split()) for part in END.split(paragraph) if part.strip()]


def _collect(app: Any, doctree: Any, page: str) -> None:
    """Keep the sentences of a page; formulas, code and tables are no sentences."""
    from docutils import nodes

    found = [
        text for one in doctree.findall(nodes.paragraph) for text in sentences_of(one.astext())
    ]
    app.env.page_sentences[page] = found


def _begin(app: Any) -> None:
    app.env.page_sentences = {}


def _add_script(app: Any, page: str, *_: Any) -> None:
    if page == "search":
        app.add_js_file(SCRIPT)


def _write(app: Any, exception: Exception | None) -> None:
    if exception is None:
        text = json.dumps(app.env.page_sentences, ensure_ascii=False)
        path = Path(app.outdir) / "_static" / SCRIPT
        path.write_text(f"var pageSentences = {text};\n", encoding="utf-8")


def setup(app: Any) -> None:
    """Collect sentences while pages are written, and let the page of the search load them."""
    app.connect("builder-inited", _begin)
    app.connect("doctree-resolved", _collect)
    app.connect("html-page-context", _add_script)
    app.connect("build-finished", _write)
