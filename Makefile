# Two commands do everything: make demo, make test. Python >= 3.11 is all they need.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: demo test quick bench fmt clean

demo: .venv/demo
	$(BIN)/python examples/demo.py

test: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n auto

# for the edit cycle: a minute on two cores; few examples, and without the tests in tests/thorough.txt
quick: .venv/test
	$(BIN)/ruff check .
	$(BIN)/python -m pytest -n 2 tests -m "not thorough" --hypothesis-profile=quick

bench: .venv/test
	$(BIN)/python benchmarks/run.py

fmt: .venv/test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

.venv/python:
	$(PYTHON) -m venv .venv
	touch $@

.venv/demo: .venv/python pyproject.toml
	$(PIP) install --quiet --editable .
	touch $@

# pip installs dependency groups from 25.1 on
.venv/test: .venv/python pyproject.toml
	$(PIP) install --quiet --upgrade "pip>=25.1"
	$(PIP) install --quiet --editable ".[fast]" --group test
	touch $@
