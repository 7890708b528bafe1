# The two commands of a newcomer: make demo, make test. Everything else is for people who work on Similitude.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: demo test check lint types layers bench sample docs screenshot clean

demo: $(VENV)/core
	$(BIN)/similitude demo

test: check

check: lint types layers
	$(BIN)/python -m pytest

lint: $(VENV)/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/test
	$(BIN)/mypy

layers: $(VENV)/test
	$(BIN)/lint-imports

bench: $(VENV)/test
	$(BIN)/python benchmarks/measures.py
	$(BIN)/python benchmarks/string_systems.py
	$(BIN)/python benchmarks/resampling.py
	$(BIN)/python benchmarks/encoders.py
	$(BIN)/python benchmarks/footprint.py

sample: $(VENV)/core
	$(BIN)/python scripts/build_sample.py

docs: $(VENV)/core
	$(BIN)/python scripts/build_docs.py

screenshot: $(VENV)/core
	$(BIN)/python scripts/screenshot.py

clean:
	rm -rf $(VENV) build dist *.egg-info src/*.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

$(VENV)/core: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --editable .
	touch $@

$(VENV)/test: $(VENV)/core
	$(PIP) --editable '.[test]'
	touch $@
