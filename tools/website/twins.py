"""Links between the two trees of the site, English and Chinese."""

from pathlib import Path
from typing import Any


def setup(app: Any) -> None:
    """Let pages link to the other tree, and show the twin of each page."""
    app.connect("doctree-read", _resolve_links)
    app.connect("html-page-context", _show_twin)


def _resolve_links(app: Any, doctree: Any) -> None:
    """site:zh/start.html leads to zh/start.html: this tree knows no files of the other one."""
    from docutils.nodes import reference

    for link in doctree.findall(reference):
        if link.get("refuri", "").startswith("site:"):
            link["refuri"] = link["refuri"].removeprefix("site:")


def _show_twin(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Give the sidebar the address of the same page in the other language, or of its first page."""
    chinese = app.config.language == "zh_CN"
    source = Path(app.srcdir)
    there = source.parent if chinese else source / "zh"
    twin = page if (there / f"{page}.md").is_file() else "index"
    up = "../" * (page.count("/") + chinese)
    context["twin"] = f"{up}{'' if chinese else 'zh/'}{twin}.html"
    context["twin_name"] = "English" if chinese else "中文"
