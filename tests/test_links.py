"""Every link of the pages leads somewhere: to a file of the repository, and to a heading in it."""

import re
import tomllib
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
HERE = PROJECT["urls"]["Repository"] + "/blob/main/"
RAW = PROJECT["urls"]["Repository"] + "/raw/main/"  # the file itself: pictures

READMES = ["README.md", "README.zh.md"]
PAGES = [*READMES, "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]
PAGES += sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md"))


def text_of(page):
    """A page without its blocks of code, in which square brackets are no links."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.sub(r"^```.*?^```|^    .*?$|`[^`\n]*`", "", text, flags=re.M | re.S)


def targets_of(page):
    """Where the links of a page lead, written behind their text or at the end of the page."""
    text = text_of(page)
    return re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r"^\[[^\]]+\]: (\S+)$", text, re.M)


def anchors_of(page):
    """The names by which the headings of a page can be reached, as GitHub makes them.

    Small letters and figures stay, a space becomes a hyphen, all else goes; a heading that comes
    again gets a number.
    """
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    anchors = []
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        again = anchors.count(anchor)
        anchors.append(f"{anchor}-{again}" if again else anchor)
    return anchors


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_to_a_file_and_a_heading(page):
    for target in targets_of(page):
        local = target.startswith((HERE, RAW))
        if target.startswith("http") and not local:
            continue
        name, _, anchor = unquote(target.removeprefix(HERE).removeprefix(RAW)).partition("#")
        folder = ROOT if local else (ROOT / page).parent
        file = folder / name if name else ROOT / page
        assert file.exists(), f"{page} links to {target}"
        if anchor:
            assert anchor in anchors_of(file), f"{page} links to {target}"


@pytest.mark.parametrize("page", READMES)
def test_links_of_the_readme_work_on_a_package_index(page):
    targets = targets_of(page)
    assert len(targets) > 20
    assert [target for target in targets if not target.startswith("https://")] == []


@pytest.mark.parametrize("page", READMES)
def test_every_reference_of_the_readme_is_defined_and_used(page):
    text = text_of(page)
    defined = re.findall(r"^\[([^\]]+)\]: ", text, re.M)
    body = re.sub(r"^\[[^\]]+\]: .*$|!\[[^\]]*\]\([^)]*\)", "", text, flags=re.M)
    used = {second or first for first, second in re.findall(r"\[([^\]]+)\](?:\[([^\]]+)\])?", body)}
    assert sorted(defined) == sorted(used)
    for name, target in re.findall(r"^\[([^\]]+)\]: (\S+)$", text, re.M):
        assert target == HERE + name


def test_the_checks_see_what_is_wrong(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# What is *there*, 是\n\n## Again\n\n```\n# no heading\n```\n\n## Again\n")
    assert anchors_of(page) == ["what-is-there-是", "again", "again-1"]
