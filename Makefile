# make setup   a virtual environment in .venv with the command picograve
# make match   sets up and plays a game
# make test    sets up and passes the tests
# make bench   sets up and measures playouts a second beside C and OpenSpiel

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: setup match test lint bench clean

setup: $(READY)

# Editable, so that the kernels are compiled from, and cached beside, the source.
$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("picograve needs Python 3.11 or newer: make PYTHON=python3.12 ..." if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

match: $(READY)
	$(BIN)/picograve match

test: lint
	$(BIN)/python -m pytest -n 2

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

bench: $(READY)
	$(BIN)/picograve bench

clean:
	rm -rf .venv
	find . -name __pycache__ -exec rm -rf {} +
