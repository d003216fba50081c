# Everything runs in a virtual environment of its own; nothing needs root.
# The newest Python on the PATH that is recent enough, looked for by version, then as plain python3.
PYTHON := $(or $(shell for p in python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done),\
	$(error arbiter needs Python 3.11 or later: install it and try again))
VENV := .venv
BIN := $(VENV)/bin
# Three test processes per core, since most tests wait for processes more than half of their time. tests/parallel collects
# all tests once and forks; each process takes the next file when it has finished one, in the order of tests/conftest.py: the
# longest first. 0 runs all tests in one process, where a debugger works.
JOBS := $(shell echo $$((3 * $$(nproc 2>/dev/null || echo 2))))
PYTEST := $(BIN)/pytest --jobs $(JOBS)
# More arguments for pytest: make test TESTS="tests/contest -k swiss"
TESTS :=
# More arguments for the benchmarks: make bench BENCH="--only turns --json"
BENCH :=
# More arguments for the proof of the clock: make proof PROOF="--answers 5000 --fresh"
PROOF :=
# Tests start hundreds of interpreters; without bytecode files each of them would compile the package again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help install dev demo docs test test-fast lint format pictures bench kills proof clean

help:
	@echo "make demo       play a game between two sample agents and show the result"
	@echo "make install    install the command 'arbiter' into $(BIN)"
	@echo "make dev        install the development tools as well"
	@echo "make test-fast  run the quick tests (one minute on two cores)"
	@echo "make test       run all tests (ten to twelve minutes on two cores)"
	@echo "make lint       check style, types and layers: ruff, mypy --strict, import-linter"
	@echo "make format     format the code with ruff"
	@echo "make docs       build the documentation as a site into build/site"
	@echo "make pictures   regenerate the pictures of the documentation, and those that tests compare pages with"
	@echo "make bench      measure speed, as ratios to the best this machine can do"
	@echo "make kills      kill processes of a cluster at fifty random moments of a contest (two minutes)"
	@echo "make proof      ask 100,000 questions on a disturbed machine and check every LATE ruling (20 minutes)"
	@echo "make clean      remove $(VENV), caches and build results"

$(VENV)/.python:
	@$(PYTHON) -m venv $(VENV)
	@touch $@

# Two stamps, so that the demo does not wait for the development tools.
$(VENV)/.installed: pyproject.toml $(VENV)/.python
	@echo "setting up $(VENV) …"
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[web]'
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
	@$(PYTEST) $(TESTS)

test-fast: $(VENV)/.dev
	@$(PYTEST) -m "not slow" $(TESTS)

lint: $(VENV)/.dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

format: $(VENV)/.dev
	@$(BIN)/ruff check --fix -q .
	@$(BIN)/ruff format .

docs: $(VENV)/.dev
	@$(BIN)/mkdocs build --strict --quiet
	@echo "build/site/index.html"

# The pictures of the documentation, and those that tests compare pages with. Look at the pages before you commit them.
pictures: $(VENV)/.dev
	@$(BIN)/python -m tests.web.pictures
	@$(BIN)/python -m tests.arena.pictures

# Appends its figures to a file in the user's cache folder, for comparison.
bench: $(VENV)/.dev
	@$(BIN)/python -m benchmarks --history $(BENCH)

# Continues where it was interrupted; PROOF="--fresh" starts over, PROOF="--only burners" runs one scenario.
proof: $(VENV)/.dev
	@$(BIN)/python -m benchmarks.rig $(PROOF)

# KILLS=200 kills more processes; a failure prints a seed, and SEED=… repeats its choices.
KILLS := 50
SEED :=
kills: $(VENV)/.dev
	@ARBITER_CLUSTER_KILLS=$(KILLS) $(if $(SEED),ARBITER_CLUSTER_SEED=$(SEED)) $(BIN)/pytest -q tests/cluster/test_kills.py

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist build
