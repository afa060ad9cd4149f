# Three commands do everything: make demo, make studio, make test. Python >= 3.11 is all they need.
# They install the versions in constraints.txt, with which the tests passed, into .venv.
PYTHON ?= python3
VENV := .venv
CONSTRAINTS := constraints.txt
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint $(CONSTRAINTS)
INSTALL := $(PIP) --build-constraint $(CONSTRAINTS)
PYTEST := $(BIN)/python -m pytest

MINUTES ?= 10
test quick times: export PYTHONHASHSEED := 0

.PHONY: demo studio test quick times explore newest bench fmt docs package clean help

demo: $(VENV)/demo ## learns, explains, decides, forgets
	$(BIN)/python examples/demo.py

studio: $(VENV)/studio ## opens the page in the browser; FILES="asia.bif rows.csv" opens these
	$(BIN)/bayesic studio $(FILES)

test: $(VENV)/test ## lint, types, imports, doctests and tests, the same for everybody
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(PYTEST) -n auto --dist loadgroup $(STRICT)

quick: $(VENV)/test ## for the edit cycle: lint and a part of the tests, in a minute on two cores
	$(BIN)/ruff check .
	$(PYTEST) -n 2 --dist loadgroup tests -m "not thorough" --hypothesis-profile=quick

times: $(VENV)/test ## writes tests/slow.txt, what is too slow for make quick; on a quiet machine
	$(PYTEST) -n 2 --dist loadgroup tests --hypothesis-profile=quick --remember-slow

explore: $(VENV)/test ## property tests with random seeds; MINUTES=10 SEED=1 TESTS=tests/serve
	$(BIN)/python tools/explore.py --minutes $(MINUTES) $(if $(SEED),--seed $(SEED)) $(TESTS)

newest: ## installs the newest of everything, and writes constraints.txt if all tests pass
	$(PYTHON) tools/constraints.py --check
	rm -rf build/newest
	$(MAKE) VENV=build/newest CONSTRAINTS=/dev/null STRICT="-W error" docs package test
	build/newest/bin/python tools/constraints.py

bench: $(VENV)/test ## measures against scikit-learn and writes benchmarks/models/RESULTS.md
	$(BIN)/python -m benchmarks results

fmt: $(VENV)/test ## lets ruff put the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/docs ## the site: build/site/index.html
	PYTHONPATH=tools $(BIN)/python -m website

package: $(VENV)/package ## the wheel and the source distribution, in dist/
	rm -rf dist
	$(BIN)/python -m build --no-isolation
	$(BIN)/python -m twine check --strict dist/*

clean: ## removes .venv and caches
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

help: ## lists these commands
	@sed -n 's/^\([a-z]*\):.*## /make \1: /p' Makefile

$(VENV)/python:
	$(PYTHON) -m venv $(VENV)
	touch $@

# dependency groups need pip 25.1 or newer, build constraints 25.3
$(VENV)/pip: $(VENV)/python $(CONSTRAINTS)
	$(PIP) --upgrade "pip>=25.3"
	touch $@

$(VENV)/demo: $(VENV)/pip pyproject.toml
	$(INSTALL) --editable .
	touch $@

$(VENV)/studio: $(VENV)/pip pyproject.toml
	$(INSTALL) --editable ".[serve,fast]"
	touch $@

$(VENV)/test: $(VENV)/pip pyproject.toml
	$(INSTALL) --editable ".[fast]" --group test
	touch $@

$(VENV)/docs: $(VENV)/pip pyproject.toml
	$(INSTALL) --editable ".[plot]" --group docs
	touch $@

$(VENV)/package: $(VENV)/pip pyproject.toml
	$(INSTALL) --group package
	touch $@
