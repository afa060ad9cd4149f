"""The package as a whole: lazy import, public names, files that belong together."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import bayesic as by

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = SETTINGS["project"]
ROOMS = ("datasets", "decisions", "hypotheses", "mixtures", "networks", "plots", "spark")
HEAVY = ("sklearn", "duckdb", "numba", "scipy.stats", "matplotlib", "numpy", "narwhals", "onnx")


def run_python(program):
    command = [sys.executable, "-c", program]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def test_import_loads_nothing_heavy():
    loaded = run_python(f"import sys, bayesic; print([m for m in {HEAVY} if m in sys.modules])")
    assert loaded == "[]"


# what takes long to load, and small work can do without
SLOW = ("sklearn", "scipy.stats", "pandas", "pyarrow", "duckdb", "numba", "matplotlib")


@pytest.mark.parametrize(
    "work",
    [
        "[getattr(by, name) for name in by.__all__]",
        "by.GaussianNB().fit([[1.0], [2.0]], ['rain', 'sun']).predict_proba([[1.5]])",
        "by.NaiveBayes().fit({'sky': ['grey', 'blue']}, ['rain', 'sun']).explain(('grey',))",
        "by.TextClassifier().fit(['free', 'lunch'], ['spam', 'ham']).predict(['free lunch'])",
        "print(by.BayesDecision(by.calibrated(by.NaiveBayes(smoothing=2))).set_params(loss=None))",
    ],
    ids=["names", "numbers", "table", "texts", "parameters"],
)
def test_small_work_loads_nothing_slow(work):
    program = f"import sys, bayesic as by; {work}; print([m for m in {SLOW} if m in sys.modules])"
    assert run_python(program).splitlines()[-1] == "[]"


def test_a_server_starts_without_scikit_learn():
    program = f"import sys, bayesic.cli.serve; print([m for m in {SLOW} if m in sys.modules])"
    assert run_python(program) == "[]"


def test_every_public_name_is_there_and_documented():
    for name in [*by.__all__, *ROOMS]:
        assert getattr(by, name).__doc__, name
        assert name in dir(by)
    for room in ROOMS:
        for name in getattr(by, room).__all__:
            assert getattr(getattr(by, room), name).__doc__, name
            assert name in dir(getattr(by, room))


def test_what_people_type_every_day_is_a_short_list():
    assert len(by.__all__) <= 42


@pytest.mark.parametrize(
    ("room", "name"),
    [
        ("networks", "FactorModel"),
        ("networks", "ImpossibleEvidence"),
        ("networks", "edge_strengths"),
        ("networks", "noisy_or"),
        ("decisions", "expected_cost"),
        ("decisions", "rank"),
        ("hypotheses", "bayes_rule"),
        ("hypotheses", "class_prior"),
        ("mixtures", "expected_memberships"),
        ("mixtures", "means_of_known_variance"),
    ],
)
def test_a_name_of_a_room_is_an_error_that_says_where_it_is(room, name):
    assert name in getattr(by, room).__all__
    with pytest.raises(AttributeError, match=rf"no name '{name}'\. Use bayesic\.{room}\.{name}\."):
        getattr(by, name)


def test_an_unknown_name_is_an_error_that_lists_the_known_ones():
    with pytest.raises(AttributeError, match=r"no name 'GausianNB'.*GaussianNB"):
        _ = by.GausianNB


def test_every_source_key_is_listed_in_the_references():
    used: set[str] = set()
    for file in (ROOT / "src").rglob("*.py"):
        used |= set(
            re.findall(r"(?<![\w\[])\[([A-Z][A-Za-z]+[0-9]*)\]", file.read_text(encoding="utf-8"))
        )
    used -= {"None", "True", "False", "NONE", "TARGET"}  # rows in examples, constants, usage
    assert "IIR" in used
    listed = (ROOT / "docs" / "references.md").read_text(encoding="utf-8")
    assert [key for key in sorted(used) if f"[{key}]" not in listed] == []


def test_the_demo_runs_and_tells_the_whole_story():
    demo = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "demo.py")],
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
    ).stdout
    for part in ("P( No | day)", "rather than", "accuracy", "expected loss", "Forget"):
        assert part in demo
    last = demo.strip().splitlines()[-1]  # the way on
    assert "make studio" in last
    assert "bayesic studio" in last


# packaging ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["README.md", "README.zh.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile"]
    + ["SECURITY.md", "CITATION.cff"]
    + ["src", "tests", "docs", "examples", "benchmarks", "tools"],
)
def test_the_source_distribution_has_all_that_make_and_the_pages_need(name):
    assert (ROOT / name).exists()
    assert f"/{name}" in SETTINGS["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]


def test_the_citation_names_this_version_and_licence():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert f"version: {by.__version__}" in citation
    assert f"license: {PROJECT['license']}" in citation
    assert f'repository-code: "{PROJECT["urls"]["Repository"]}"' in citation
    assert f'  - name: "{PROJECT["authors"][0]["name"]}"' in citation


def test_the_workflow_tries_every_version_that_is_promised():
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    (tried,) = re.findall(r"python: \[(.*)\]", workflow)
    promised = [kind.rpartition(":: ")[2] for kind in PROJECT["classifiers"] if ":: 3." in kind]
    assert re.findall(r"[\d.]+", tried) == promised
    assert len(re.findall(r"(\w+)-latest", workflow)) == 3


def test_every_extra_is_used_by_the_library_and_all_is_their_sum():
    extras = dict(PROJECT["optional-dependencies"])
    assert extras.pop("all") == [f"bayesic[{','.join(extras)}]"]
    source = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "src").rglob("*.py"))
    for requirement in [one for several in extras.values() for one in several]:
        (name,) = re.findall(r"^[a-z]+", requirement)
        assert re.search(rf"^\s*(?:import|from) {name}\b", source, re.M), name


def test_the_index_knows_the_licence_the_versions_and_where_to_read_on():
    assert PROJECT["license"] == "BSD-3-Clause"
    kinds = PROJECT["classifiers"]
    assert not any(kind.startswith("License ::") for kind in kinds)  # said once, by its SPDX name
    assert "Programming Language :: Python :: 3.11" in kinds
    assert PROJECT["requires-python"] == ">=3.11"
    urls = PROJECT["urls"]
    assert {"Repository", "Documentation", "Changelog", "Issues"} <= set(urls)
    assert all(url.startswith(urls["Repository"]) for url in urls.values())


def test_why_tests_are_skipped_is_said():
    assert "-rs" in SETTINGS["tool"]["pytest"]["ini_options"]["addopts"].split()
