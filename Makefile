# make setup      a virtual environment in .venv for development, with the command picograve
# make match      sets up and plays a game: a simulated board in 24 kB against GRAVE in 6.7 MB
# make play       sets up and opens a page to play on
# make test       sets up and passes the tests, on simulated boards
# make test-pico  ... and those on an emulated Raspberry Pi Pico
# make test-chips ... and those on other chips, in QEMU
# make fuzz       sends random things in by every way for an hour; MINUTES=5 for less
# make soak       plays for an hour while lines, boards and runs break; MINUTES=10, BOARD=pico-emulated
# make lint       only what looks at the text
# make bench      sets up and measures playouts per second, beside C, OpenSpiel and boards

PYTHON ?= python3
BIN := .venv/bin
# Two steps, because a match needs less than half of what development does.
READY := .venv/ready
READY_DEV := .venv/ready-dev
PYTEST := $(BIN)/python -m pytest
# Boards, browsers and clusters answer in their own time, and a machine shared with others stands
# still for seconds now and then: what failed with two at work is tried once more, alone, and counts.
FAILED_AGAIN := $(PYTEST) --last-failed --last-failed-no-failures none
# Editable, so that the kernels are compiled from, and cached beside, the source; always the
# versions of the lock file.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check \
	--constraint tools/lock.txt --editable
# Debian's packages for the 32-bit simulated board, the emulated Pico, the chips in QEMU, and programs
# to play with: GNU Go, gtp-rhino for Othello, and a browser for the page.
PACKAGES := gcc gcc-multilib gcc-arm-none-eabi libnewlib-arm-none-eabi \
	libstdc++-arm-none-eabi-newlib cmake gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf \
	qemu-system-arm qemu-system-misc gnugo grhino stockfish chromium chromium-driver \
	$(if $(shell command -v npm),,nodejs npm)

.PHONY: setup packages match play test test-pico test-chips fuzz soak lint bench clean

setup: $(READY_DEV)

$(READY): pyproject.toml tools/lock.txt
	$(PYTHON) -c 'import sys; sys.exit("picograve needs Python 3.11 or newer: make PYTHON=python3.12 ..." if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(INSTALL) '.[boards,play]'
	touch $@

$(READY_DEV): $(READY)
	$(INSTALL) '.[dev]'
	touch $@

# As root on Debian or Ubuntu, what is missing is installed; elsewhere the tests that need it are
# skipped and say what they miss.
packages:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && ! dpkg -s $(PACKAGES) >/dev/null 2>&1; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
		apt-get install -qq --no-install-recommends $(PACKAGES) >/dev/null; fi

match: $(READY)
	$(BIN)/picograve match --demo --out out/match

play: $(READY)
	$(BIN)/picograve play

test: lint packages
	$(PYTEST) -n 2 --dist loadgroup -m "not pico and not chips" || $(FAILED_AGAIN) -m "not pico and not chips"

test-pico: $(READY_DEV) packages
	$(PYTEST) -n 2 -m pico || $(FAILED_AGAIN) -m pico

test-chips: $(READY_DEV) packages
	$(PYTEST) -n 2 --dist loadgroup -m chips || $(FAILED_AGAIN) -m chips

# What it finds, and what it has learned to send, is kept in out/fuzz.
fuzz: $(READY_DEV) packages
	PYTHONPATH=tests/support $(BIN)/python tests/fuzz/long.py --minutes $(or $(MINUTES),60)

soak: $(READY_DEV) packages
	PYTHONPATH=tests/support $(BIN)/python tests/soak/soak.py --minutes $(or $(MINUTES),60) \
		--board $(or $(BOARD),sim)

lint: $(READY_DEV)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: $(READY_DEV)
	$(BIN)/picograve bench --boards sim,pico-emulated

clean:
	rm -rf .venv
	find . -name __pycache__ -exec rm -rf {} +
