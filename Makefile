# Three commands do everything: make demo, make studio, make test. Python >= 3.11 is all they need.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: demo studio test quick bench fmt docs package clean

demo: .venv/demo
	$(BIN)/python examples/demo.py

# the page in the browser; make studio FILES="asia.bif rows.csv" opens these
studio: .venv/studio
	$(BIN)/bayesic studio $(FILES)

test: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n auto --dist loadgroup

# for the edit cycle: a minute on two cores; few examples, and without the tests in tests/thorough.txt
quick: .venv/test
	$(BIN)/ruff check .
	$(BIN)/python -m pytest -n 2 --dist loadgroup tests -m "not thorough" --hypothesis-profile=quick

bench: .venv/test
	$(BIN)/python benchmarks/run.py

fmt: .venv/test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# the site: build/site/index.html
docs: .venv/docs
	PYTHONPATH=tools $(BIN)/python -m website

# the wheel and the source distribution, in dist/
package: .venv/package
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/python -m twine check --strict dist/*

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

.venv/python:
	$(PYTHON) -m venv .venv
	touch $@

.venv/demo: .venv/python pyproject.toml
	$(PIP) install --quiet --editable .
	touch $@

.venv/studio: .venv/python pyproject.toml
	$(PIP) install --quiet --editable ".[serve,fast]"
	touch $@

# pip installs dependency groups from 25.1 on
.venv/groups: .venv/python
	$(PIP) install --quiet --upgrade "pip>=25.1"
	touch $@

.venv/test: .venv/groups pyproject.toml
	$(PIP) install --quiet --editable ".[fast]" --group test
	touch $@

.venv/docs: .venv/groups pyproject.toml
	$(PIP) install --quiet --editable ".[plot]" --group docs
	touch $@

.venv/package: .venv/groups pyproject.toml
	$(PIP) install --quiet --group package
	touch $@
