# make setup      a virtual environment in .venv with the command picograve
# make match      sets up and plays a game: a simulated board against the desktop
# make test       sets up and passes the tests, on simulated boards
# make test-pico  ... and those on an emulated Raspberry Pi Pico
# make bench      sets up and measures playouts a second, beside C, OpenSpiel and boards

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
# Debian's packages for the 32-bit simulated board, the emulated Pico, and programs to play with:
# GNU Go, and gtp-rhino for Othello.
PACKAGES := gcc gcc-multilib gcc-arm-none-eabi libnewlib-arm-none-eabi \
	libstdc++-arm-none-eabi-newlib cmake gnugo grhino $(if $(shell command -v npm),,nodejs npm)

.PHONY: setup packages match test test-pico lint bench clean

setup: $(READY)

# Editable, so that the kernels are compiled from, and cached beside, the source.
$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("picograve needs Python 3.11 or newer: make PYTHON=python3.12 ..." if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

# As root on Debian or Ubuntu, what is missing is installed; elsewhere the tests that need it are
# skipped and say what they miss.
packages:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && ! dpkg -s $(PACKAGES) >/dev/null 2>&1; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
		apt-get install -qq --no-install-recommends $(PACKAGES) >/dev/null; fi

match: $(READY)
	$(BIN)/picograve match --out out/match

test: lint packages
	$(BIN)/python -m pytest -n 2 -m "not pico"

test-pico: $(READY) packages
	$(BIN)/python -m pytest -n 2 -m pico

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

bench: $(READY)
	$(BIN)/picograve bench --boards sim,pico-emulated

clean:
	rm -rf .venv
	find . -name __pycache__ -exec rm -rf {} +
