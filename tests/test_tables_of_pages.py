"""Tables in pages that repeat what the code says, compared with it: neither can change alone."""

import inspect
import re
import tomllib
from ast import literal_eval
from pathlib import Path

import numpy as np
import pytest

import bayesic as by
from bayesic.catalogue import STATISTICS
from bayesic.cli._model_options import options_of, takers
from bayesic.data.tokens import NAMED
from bayesic.estimation.text_weights import TEXT_MODELS
from bayesic.estimation.univariate import VARIANCES
from bayesic.export._dialects import DIALECTS
from bayesic.files.model_files import KEYS, ONLY_SOME
from bayesic.models.columns.schema import KINDS
from bayesic.models.normal.gaussian_bayes import COVARIANCES
from bayesic.networks import editing
from bayesic.networks._sampling.estimate import METHODS as SAMPLING
from bayesic.networks._structure.family_scores import SCORES
from bayesic.networks._structure.search import METHODS as STRUCTURE
from bayesic.networks.writing import WRITERS
from bayesic.selection._members import MEMBER_MODELS
from bayesic.selection.choose_model import family
from bayesic.serve.refusals import STATUS
from bayesic.store import errors
from bayesic.store.store import Store

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SOURCE = [file.read_text(encoding="utf-8") for file in (ROOT / "src").rglob("*.py")]


def table(page, *header):
    """The rows of the tables of a page whose header begins so, each as a list of cells."""
    rows, inside = [], False
    for line in (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not line.startswith("|"):
            inside = False
        elif tuple(cells[: len(header)]) == header:
            inside = True
        elif inside and not set(line) <= set("|-: "):
            rows.append(cells)
    assert rows, f"docs/{page} has no table {header}"
    return rows


def codes(cell):
    """What a cell names in backticks, without quotes."""
    return [re.sub(r'^"(.*)"$', r"\1", code) for code in re.findall(r"`([^`]+)`", cell)]


def first_column(page, *header):
    return [code for row in table(page, *header) for code in codes(row[0])]


# what may be given --------------------------------------------------------------------------------

LISTS = {
    "kinds of columns": (("naive-bayes.md", "kind", "for"), KINDS),
    "variances": (("naive-bayes.md", "`variance`", "variance_c"), VARIANCES),
    "covariances": (("gaussian-bayes.md", "`covariance`"), COVARIANCES),
    "models of texts": (("texts.md", "`model`"), TEXT_MODELS),
    "tokenizers": (("texts.md", "`tokenizer`"), NAMED),
    "methods of structure": (("structure.md", "method", "what it does"), STRUCTURE),
    "scores of structure": (("structure.md", "score", "of a family"), SCORES),
    "methods of sampling": (("networks.md", "method", "how it works"), SAMPLING),
    "dialects of SQL": (("export.md", "`dialect`"), DIALECTS),
    "endings of network files": (
        ("network-files.md", "format", "endings"),
        WRITERS,
    ),
    "keys of a model file": (
        ("model-files.md", "key of the manifest"),
        {"format", "members", *KEYS, *ONLY_SOME},
    ),
    "statistics": (("learning-is-counting.md", "statistic"), STATISTICS),
    "candidates": (("choosing.md", "candidate", "what it is"), map(repr, family())),
    "members of the average": (("forests.md", "member"), MEMBER_MODELS),
    "errors of the store": (("store.md", "error", "when"), errors.StoreError.__subclasses__()),
}


def named_by_the_page(place):
    page, *header = place
    if page == "network-files.md":
        return [code for row in table(page, *header) for code in codes(row[1])]
    if page == "learning-is-counting.md":  # the splits of a forest stand beside their counts
        return [code for row in table(page, *header) for code in codes(row[0])] + ["Forest"]
    if page == "forests.md":
        return [re.match(r"\w+", code)[0] for code in first_column(page, *header)]
    if page == "store.md":
        return [*set(first_column(page, *header)) - {"UnknownEventError"}]  # a DamagedError
    return first_column(page, *header)


@pytest.mark.parametrize("what", LISTS)
def test_a_page_lists_what_the_code_takes(what):
    place, known = LISTS[what]
    names = [one.__name__ if isinstance(one, type) else one for one in known]
    assert sorted(named_by_the_page(place)) == sorted(names)


def test_the_page_of_editing_has_every_function():
    named = [code.partition("(")[0] for code in first_column("networks.md", "function")]
    own = [
        name
        for name, value in vars(editing).items()
        if inspect.isfunction(value) and value.__module__ == editing.__name__ and name[0] != "_"
    ]
    assert sorted(named) == sorted(own)


# arguments and defaults ---------------------------------------------------------------------------

ARGUMENTS = {  # page -> the class whose arguments its table of arguments has, all of them
    "naive-bayes.md": by.NaiveBayes,
    "discriminative.md": by.LogisticRegression,
}


@pytest.mark.parametrize("page", ARGUMENTS)
def test_a_table_of_arguments_has_all_of_them_with_their_defaults(page):
    parameters = inspect.signature(ARGUMENTS[page]).parameters.values()
    expected = [(f"`{one.name}`", one.default) for one in parameters]
    shown = [(row[0], row[1]) for row in table(page, "argument", "default")]
    assert [(name, literal_eval(default.strip("`"))) for name, default in shown] == expected


@pytest.mark.parametrize(
    ("page", "model"),
    [
        ("neighbours.md", by.KNeighborsClassifier),
        ("mixtures.md", by.GaussianMixture),
        ("estimators.md", by.CategoricalNB),
    ],
)
def test_a_table_of_arguments_names_only_what_there_is(page, model):
    known = inspect.signature(model).parameters
    for row in table(page, "argument"):
        for code in codes(row[0]):
            name, _, default = code.partition("=")
            assert name in known
            if default:
                assert literal_eval(default) == known[name].default


def test_the_tables_of_calls_have_the_arguments_that_there_are():
    calls = [(by.plots, code) for code in first_column("plots.md", "function")]
    calls += [(Store, code) for code in first_column("store.md", "call") if code[:6] == "store."]
    for owner, code in calls:
        name, arguments = re.fullmatch(r"(?:store\.)?(\w+)\((.*)\)", code).groups()
        known = inspect.signature(getattr(owner, name)).parameters
        for argument in filter(None, arguments.split(", ")):
            given, _, default = argument.partition("=")
            assert given in known or given == "...", code
            if default:
                assert literal_eval(default) == known[given].default, code


# what is of what ----------------------------------------------------------------------------------

ROWS = np.array([[0, 1], [1, 0], [1, 1], [0, 0]] * 5)
PLANS = np.array(["go"] * 8 + ["stay"] * 12)
TEXTS = ["free money", "lunch today"] * 10


def fitted(name):
    model = getattr(by, name)()
    if name == "TextClassifier":
        return model.fit(TEXTS, PLANS)
    return model.fit(ROWS, ROWS[:, 0] if name == "LeastSquares" else PLANS)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_model_keeps_the_statistic_of_the_page():
    rows = table("learning-is-counting.md", "statistic")
    named = {model: codes(row[0])[0] for row in rows for model in codes(row[1])}
    assert len(named) > 15
    kept = {name: type(fitted(name).statistics_).__name__ for name in named if name != "AutoBayes"}
    assert kept == {name: named[name] for name in kept}


def test_every_error_of_the_store_has_its_status():
    for row in table("store.md", "error", "when"):
        assert STATUS[getattr(errors, codes(row[0])[0])] == int(row[2])


def test_options_are_for_the_models_that_the_catalogue_says():
    rows = table("command-line.md", "option", "for")
    named = {codes(row[0])[0].split()[0].lstrip("-"): codes(row[1]) for row in rows}
    assert named == {name: [entry.typed for entry in takers()[name]] for name in named}
    assert named.keys() == set(options_of(("table", "numbers")))


def test_models_that_hold_their_choices_are_those_that_take_the_parameter():
    named = {code for row in table("online.md", "", "what is held") for code in codes(row[0])}
    takes = {
        name
        for name in by.__all__
        if isinstance(getattr(by, name), type)
        and "choices" in inspect.signature(getattr(by, name)).parameters
    }
    assert named == takes


# words of the whole -------------------------------------------------------------------------------


def test_every_environment_variable_is_explained():
    used = {name for text in SOURCE for name in re.findall(r"BAYESIC_[A-Z]+", text)}
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md"))
    assert len(used) > 3
    assert [name for name in sorted(used) if f"`{name}" not in pages] == []


def test_extras_that_pages_name_are_there_and_each_is_named():
    pages = [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    named = set(",".join(re.findall(r"bayesic\[([\w,]+)\]", text)).split(","))
    assert named - {"all"} == set(SETTINGS["project"]["optional-dependencies"]) - {"all"}


def test_the_architecture_has_every_folder_and_file():
    source = ROOT / "src" / "bayesic"
    folders = [f"{path.parent.name}/" for path in source.glob("*/__init__.py")]
    files = [path.name for path in source.glob("*.py") if not path.name.startswith("__")]
    assert sorted(first_column("architecture.md", "folder")) == sorted(folders + files)


def test_the_glossary_has_every_word_once():
    words = [word for row in table("glossary.md", "word") for word in row[0].split(", ")]
    assert {"row", "column", "statistics", "fitted"} <= set(words)
    assert sorted(set(words)) == sorted(words)
