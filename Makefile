# Everything runs in a virtual environment of its own; nothing needs root.
# The newest Python that will do: 3.11 or later, by name or as plain python3.
PYTHON := $(or $(shell for p in python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done),\
	$(error arbiter needs Python 3.11 or later: install it and try again))
VENV := .venv
BIN := $(VENV)/bin
# Games on one worker per core; the tests too.
JOBS := $(shell nproc 2>/dev/null || echo 2)

# More for the benchmarks: make bench BENCH="--only turns --json"
BENCH :=

.PHONY: help install dev demo test lint format bench proof clean

help:
	@echo "make demo     play a game between two sample agents and show what came of it"
	@echo "make test     run the tests"
	@echo "make install  put the command 'arbiter' into $(BIN)"
	@echo "make lint     ruff, mypy --strict, import-linter"
	@echo "make bench    speed, as ratios to what this machine can do at best"
	@echo "make proof    10,000 moves on a busy machine: nobody in time is late, everybody late is (7 minutes)"

$(VENV)/.python:
	@$(PYTHON) -m venv $(VENV)
	@touch $@

# Two stamps, so that the demo need not wait for what only developers use.
$(VENV)/.installed: pyproject.toml $(VENV)/.python
	@echo "setting up $(VENV) …"
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	@touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/.python
	@echo "setting up $(VENV) for development …"
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.installed

install: $(VENV)/.installed

dev: $(VENV)/.dev

demo: $(VENV)/.installed
	@$(BIN)/arbiter play splendor greedy-cpp greedy --seed 7

test: $(VENV)/.dev
	@$(BIN)/pytest -n $(JOBS)

lint: $(VENV)/.dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

format: $(VENV)/.dev
	@$(BIN)/ruff check --fix -q .
	@$(BIN)/ruff format .

# Keeps what it found, for comparison, in the user's cache folder.
bench: $(VENV)/.dev
	@$(BIN)/python -m benchmarks --history $(BENCH)

proof: $(VENV)/.dev
	@$(BIN)/python -m benchmarks --strict --only busy --moves 10100

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis dist build
