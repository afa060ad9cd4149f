"""The pages as Sphinx reads them: copies of docs/ with a tree, and links that hold there.

The pages are written for whoever reads them in the repository. Their lists of links are the tree of
the site: a first page (`index.md`) names, heading by heading, what stands below it.
"""

import os
import re
from pathlib import Path, PurePosixPath

from website.docstrings import source_target
from website.reference import names_listed, page_of, reference_pages, with_links

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
REPOSITORY = "https://github.com/bayesic/bayesic/blob/main/"
FROM_ABOVE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
LINK = re.compile(r"(\]\()([^)\s]+)(?=\))|(^\[[^\]]+\]: )(\S+)$", re.M)  # behind a text, below it
SOURCE_KEY = re.compile(r"^(?=\*\*\[(\w+)\]\*\*)", re.M)


def write_pages(out: Path) -> None:
    """Write all pages of the site, English ones into out, Chinese ones into out/zh."""
    texts = {page.relative_to(DOCS).as_posix(): page for page in DOCS.rglob("*.md")}
    for name, page in texts.items():
        text = page.read_text(encoding="utf-8")
        text = with_site_links(f"docs/{name}", without_last_blanks(text))
        _write(out / name, with_tree(name, text, set(texts)))
    for name, copy in FROM_ABOVE.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        _write(out / copy, with_site_links(name, text))
    _write_reference(out)
    references = out / "references.md"
    _write(references, with_source_targets(references.read_text(encoding="utf-8")))
    for picture in (DOCS / "images").glob("*.[ps][nv]g"):
        (out / "images").mkdir(exist_ok=True)
        (out / "images" / picture.name).write_bytes(picture.read_bytes())


def _write_reference(out: Path) -> None:
    sources = frozenset(SOURCE_KEY.findall((DOCS / "references.md").read_text(encoding="utf-8")))
    pages = reference_pages(sources)
    for name, text in pages.items():
        _write(out / "reference" / f"{name}.md", text)
    first = out / "reference" / "index.md"
    listed = [page_of(name) for name in names_listed(first)]
    order = [*dict.fromkeys(page for page in listed if page in pages)]
    order += [page for page in pages if page not in order]
    text = with_links(first.read_text(encoding="utf-8"))
    _write(first, text + _toctree("", [f"{page}.md" for page in order]))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def without_last_blanks(text: str) -> str:
    """Blocks of Python without the blank line that ends their doctest.

    >>> without_last_blanks("```python\\n>>> 1\\n1\\n\\n```\\n")
    '```python\\n>>> 1\\n1\\n```\\n'
    """
    return re.sub(r"(^```python\n.*?)\n+```$", r"\1\n```", text, flags=re.M | re.S)


# links ----------------------------------------------------------------------------------------


def with_site_links(page: str, text: str) -> str:
    """A page of the repository with links that hold on the site; code stays as it is.

    >>> print(with_site_links("docs/start.md", "[on](how-to/costs.md) [how](../CONTRIBUTING.md)"))
    [on](how-to/costs.md) [how](contributing.md)
    """

    def led(found: re.Match[str]) -> str:
        before, link = [group for group in found.groups() if group]
        return before + _target(page, link)

    parts = re.split(r"(^```.*?^```$|`[^`\n]+`)", text, flags=re.M | re.S)
    return "".join(part if part.startswith("`") else LINK.sub(led, part) for part in parts)


def _target(page: str, link: str) -> str:
    """Where a link of a page leads on the site.

    >>> _target("docs/start.md", "zh/start.md#row"), _target("docs/zh/start.md", "../start.md")
    ('site:zh/start.html#row', 'site:../start.html')
    >>> _target("docs/plots.md", "images/make.py")
    'https://github.com/bayesic/bayesic/blob/main/docs/images/make.py'
    """
    name, hash_sign, anchor = link.partition("#")
    if not name or ":" in name:
        return link
    folder = PurePosixPath(page).parent.as_posix()
    path = os.path.normpath(f"{folder}/{name}").replace(os.sep, "/")
    path = f"docs/{FROM_ABOVE[path]}" if path in FROM_ABOVE else path
    is_page = path.startswith("docs/") and path.endswith(".md")
    if path.endswith((".png", ".svg")):
        return link
    if not is_page:
        return f"{REPOSITORY}{path}{hash_sign}{anchor}"
    here = os.path.relpath(path, folder if page not in FROM_ABOVE else "docs").replace(os.sep, "/")
    if tree_of(path) == tree_of(page):
        return f"{here}{hash_sign}{anchor}"
    return f"site:{here.removesuffix('.md')}.html{hash_sign}{anchor}"


def tree_of(page: str) -> str:
    """The language of a page, by its folder."""
    return "zh" if page.startswith("docs/zh/") else "en"


def with_source_targets(text: str) -> str:
    """The page of references, where docstrings can link to every source.

    >>> with_source_targets("**[IIR]** A book.")
    '(source-iir)=\\n**[IIR]** A book.'
    """
    return SOURCE_KEY.sub(lambda found: f"({source_target(found[1])})=\n", text)


# the tree ---------------------------------------------------------------------------------------


def with_tree(name: str, text: str, pages: set[str]) -> str:
    """A page with the tree below it: a hidden table of contents for each of its headings.

    Such pages are `index.md`, and a page that has a folder of its own name. Pages of a folder that
    are not listed follow those that are.
    """
    path = PurePosixPath(name)
    own = "" if path.name == "index.md" else f"{path.stem}/"
    folder = "" if str(path.parent) == "." else f"{path.parent}/"
    below = sorted(page.removeprefix(folder) for page in pages if page.startswith(folder))
    if name == "reference/index.md" or (own and not any(page.startswith(own) for page in below)):
        return text
    sections = listed_pages(text)
    if own:
        sections = {"": [page for listed in sections.values() for page in listed]}
        sections[""] = [page for page in sections[""] if page.startswith(own)]
    known = {page for listed in sections.values() for page in listed}
    for listed in sections.values():
        folders = {str(PurePosixPath(page).parent) for page in listed} | {own.rstrip("/")}
        more = [page for page in below if str(PurePosixPath(page).parent) in folders - {".", ""}]
        listed += [page for page in more if page not in known and page != "reference/index.md"]
    return text + "".join(_toctree(title, listed) for title, listed in sections.items() if listed)


def listed_pages(text: str) -> dict[str, list[str]]:
    """Heading -> the pages that the items below it begin with, each page once.

    >>> listed_pages("## How to\\n- [Costs](how-to/costs.md): see [Start](start.md)\\n")
    {'How to': ['how-to/costs.md']}
    """
    sections: dict[str, list[str]] = {}
    title = ""
    for line in text.splitlines():
        if heading := re.match(r"##+ (.+)", line):
            title = heading[1]
        for page in re.findall(r"^- \[[^\]]+\]\(([^):#]+\.md)\)", line):
            if all(page not in listed for listed in sections.values()):
                sections.setdefault(title, []).append(page)
    return sections


def _toctree(caption: str, pages: list[str]) -> str:
    options = [":hidden:", *([f":caption: {caption}"] if caption else [])]
    return "\n".join(["", "", "```{toctree}", *options, "", *pages, "```", ""])
