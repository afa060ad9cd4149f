"""Every public name has an entry in the reference, with its signature and an example."""

import inspect
from pathlib import Path

import pytest

import bayesic as by
from website.docstrings import as_markdown
from website.public import (
    MODULES,
    members_of,
    names_in,
    public_names,
    returned_classes,
    signature_of,
)
from website.reference import names_listed, page_of, reference_pages

FIRST = Path(__file__).parents[1] / "docs" / "reference" / "index.md"
NAMES = {one.name: one.value for one in public_names()}
CLASSES = {name: value for name, value in NAMES.items() if isinstance(value, type)}


@pytest.fixture(scope="module")
def pages():
    return reference_pages(frozenset({"IIR", "Mitchell"}))


def test_every_name_of_the_package_and_of_its_modules_is_public():
    assert {*by.__all__} <= set(NAMES)
    for module in MODULES:
        for name, value in names_in(module):
            assert NAMES.get(f"{module}.{name}", NAMES.get(name)) is value


def test_the_first_page_lists_every_public_name_once():
    assert sorted(names_listed(FIRST)) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_name_has_a_docstring_with_an_example(name):
    assert ">>> " in inspect.getdoc(NAMES[name])


@pytest.mark.parametrize("name", CLASSES)
def test_every_method_of_a_public_class_is_documented(name):
    assert [one.name for one in members_of(CLASSES[name]) if not inspect.getdoc(one.value)] == []


def test_all_that_public_functions_return_is_documented():
    for kind in returned_classes():
        assert inspect.getdoc(kind), kind
        assert [one.name for one in members_of(kind) if not inspect.getdoc(one.value)] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_page_of_a_name_has_its_entry_with_signature_and_example(name, pages):
    page = pages[page_of(name)]
    assert f"}} bayesic.{name}{signature_of(NAMES[name])}\n" in page
    assert "```pycon\n>>> " in page


def test_no_two_pages_differ_in_case_alone(pages):
    assert [page for page in pages if page != page.lower()] == []
    assert {"calibrated", "naivebayes", "hypotheses", "results"} <= set(pages)


def test_what_functions_return_is_on_a_page_of_its_own(pages):
    for name in ("evaluation.report.Evaluation", "evidence.explanation.Explanation"):
        assert f"}} bayesic.{name}\n" in pages["results"]


# docstrings ---------------------------------------------------------------------------------------


def test_a_signature_has_no_self_and_no_modules():
    shown = signature_of(by.NaiveBayes.fit)
    assert shown.startswith("(X: ")
    assert "self" not in shown
    assert "typing." not in shown
    assert signature_of(by.evaluate).endswith("-> Evaluation")


def test_what_is_no_markup_in_a_docstring_is_none_on_the_page():
    assert as_markdown("w_0 * p[j] costs $5 < `a*b`") == r"w\_0 \* p\[j] costs \$5 \< `a*b`"


def test_sources_and_pages_become_links():
    shown = as_markdown("See [IIR], [Nobody] and docs/online.md.", frozenset({"IIR"}))
    assert shown == r"See [\[IIR\]](#source-iir), \[Nobody] and [online](../online.md)."


def test_headings_parameters_and_lists_are_told_apart():
    entries = "X, y : rows,\n    and classes\nprior : P(c)"
    shown = as_markdown(f"Rows.\n\nParameters\n----------\n{entries}\n\n- one\n- two")
    entries = "`X`, `y`\n: rows,\n  and classes\n\n`prior`\n: P(c)"
    assert shown == f"Rows.\n\n**Parameters**\n\n{entries}\n\n- one\n- two"
