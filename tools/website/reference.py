"""The pages of the reference, from docstrings: one for each public name, one for each module."""

import importlib
import inspect
import re
from pathlib import Path
from typing import Any

from website.docstrings import as_markdown
from website.public import (
    MODULES,
    Member,
    Name,
    members_of,
    names_in,
    public_names,
    returned_classes,
    signature_of,
)

RESULTS = "results"  # the page of what functions and methods return


def page_of(name: str) -> str:
    """The page with the entry of a public name; names that differ in case alone share one.

    >>> page_of("NaiveBayes"), page_of("hypotheses.find_s"), page_of("networks.editing.with_edge")
    ('naivebayes', 'hypotheses', 'networks-editing')
    """
    module = name.rpartition(".")[0]
    return (module.replace(".", "-") or name).lower()


def reference_pages(sources: frozenset[str]) -> dict[str, str]:
    """Page -> its Markdown, of all pages but the first."""
    pages: dict[str, str] = {}
    for one in public_names():
        page = page_of(one.name)
        if "." not in one.name:
            title = pages.get(page) or f"# {one.name}\n"
            pages[page] = f"{title}\n{entry(one, sources)}\n"
    for module in MODULES:
        pages[page_of(f"{module}.any")] = _module_page(module, sources)
    pages[RESULTS] = _results_page(sources)
    return pages


def entry(one: Name, sources: frozenset[str], signature: str | None = None) -> str:
    """The entry of a function, or of a class with all its methods."""
    kind = "function"
    if isinstance(one.value, type):
        kind = "exception" if issubclass(one.value, Exception) else "class"
    inside = [_documentation(one.value, sources)]
    if kind != "function":
        inside += [_member(member, sources) for member in members_of(one.value)]
    signature = signature_of(one.value) if signature is None else signature
    return "\n\n".join([f"::::{{py:{kind}}} bayesic.{one.name}{signature}", *inside, "::::"])


def _member(member: Member, sources: frozenset[str]) -> str:
    is_property = member.kind == "property"
    kind = "property" if is_property else "method"
    head = f":::{{py:{kind}}} {member.name}{'' if is_property else signature_of(member.value)}"
    options = [f":{member.kind}:"] if member.kind in ("classmethod", "staticmethod") else []
    return "\n".join([head, *options, "", _documentation(member.value, sources), ":::"])


def _documentation(value: Any, sources: frozenset[str]) -> str:
    return as_markdown(inspect.getdoc(value) or "", sources)


def _module_page(module: str, sources: frozenset[str]) -> str:
    home = importlib.import_module(f"bayesic.{module}")
    named = [Name(f"{module}.{name}", value) for name, value in names_in(module)]
    own = {one.name for one in public_names()}
    parts = [f"# by.{module}", _documentation(home, sources)]
    for one in named:
        if one.name in own:
            parts.append(entry(one, sources))
        else:  # a name of the package, too: it has its entry there
            name = one.name.rpartition(".")[2]
            parts.append(f"`{name}` is [{name}]({page_of(name)}.md).")
    return "\n\n".join(parts) + "\n"


def _results_page(sources: frozenset[str]) -> str:
    """What functions and methods return, in the order of names."""
    parts = ["# What comes back", "Values that public functions and methods return."]
    for kind in returned_classes():
        name = f"{kind.__module__.removeprefix('bayesic.')}.{kind.__name__}"
        parts.append(entry(Name(name, kind), sources, signature=""))  # nobody makes them by hand
    return "\n\n".join(parts) + "\n"


def with_links(index: str) -> str:
    """The first page, in which every name is a link to its entry.

    >>> print(with_links("- `decide`: [costs](../decisions.md) of errors"))
    - [`decide`](decide.md): [costs](../decisions.md) of errors
    """
    names = {one.name for one in public_names()} | set(MODULES)

    def link(found: re.Match[str]) -> str:
        name = found[1]
        page = page_of(f"{name}.any" if name in MODULES else name)
        return f"[`{name}`]({page}.md)" if name in names else found[0]

    return re.sub(r"(?<!\[)`([\w.]+)`", link, index)


def names_listed(index: Path) -> list[str]:
    """The names that the first page lists, in its order."""
    items = re.findall(r"^- (`.*?):(?= )", index.read_text(encoding="utf-8"), re.M | re.S)
    return [name for item in items for name in re.findall(r"`([\w.]+)`", item)]
