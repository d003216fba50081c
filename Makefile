# Everything runs in a virtual environment of its own; nothing needs root.
# The newest Python on the PATH that is recent enough, looked for by version, then as plain python3.
ifneq ($(origin PYTHON),command line)
PYTHON := $(or $(shell for p in python3.14 python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done),\
	$(error arbiter needs Python 3.11 or later: install it and try again))
endif
VENV := .venv
BIN := $(VENV)/bin
# Three test processes per core, since most tests wait for processes more than half of their time. Each begins with its share
# of the tests, and takes over some of another's when it has run them. 0 runs all tests in one process, where a debugger works.
JOBS := $(shell echo $$((3 * $$(nproc 2>/dev/null || echo 2))))
PYTEST := $(BIN)/pytest -n $(JOBS) --dist worksteal
# More arguments for pytest: make test TESTS="tests/contest -k swiss"
TESTS :=
# More arguments for the benchmarks: make bench BENCH="--only turns --json"
BENCH :=
# More arguments for the proof of the clock: make proof PROOF="--answers 5000 --fresh"
PROOF :=
# Repeats what make fuzz or make kills did with this seed; each draws a fresh one otherwise.
SEED :=
FRESH := $$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
# Tests start hundreds of interpreters; without bytecode files each of them would compile the package again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help install dev demo docs test test-fast test-matrix fuzz lint format pictures bench kills proof clean

help:
	@echo "make demo       play a game between two sample agents and show the result"
	@echo "make install    install the command 'arbiter' into $(BIN)"
	@echo "make dev        install the development tools as well"
	@echo "make test-fast  run the quick tests (one minute on two cores)"
	@echo "make test       run all tests (five to ten minutes on two cores)"
	@echo "make test-matrix  run all tests as other users, on other paths, Pythons and dependencies (hours)"
	@echo "make fuzz       try random examples in the property tests (five minutes, or MINUTES=60)"
	@echo "make lint       check style, types and layers: ruff, mypy --strict, import-linter"
	@echo "make format     format the code with ruff"
	@echo "make docs       build the documentation as a site into build/site"
	@echo "make pictures   regenerate the pictures of the documentation"
	@echo "make bench      measure speed, as ratios to the best this machine can do"
	@echo "make kills      kill processes of a cluster at fifty random moments of a contest (two minutes)"
	@echo "make proof      ask 100,000 questions on a disturbed machine and check every LATE ruling (20 minutes)"
	@echo "make clean      remove $(VENV), caches and build results"

# The commands of a virtual environment name its path: in a checkout that was moved or copied it is made again.
ifneq ($(shell cat $(VENV)/.python 2>/dev/null),$(CURDIR))
.PHONY: $(VENV)/.python
endif

$(VENV)/.python:
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "$(PYTHON) cannot make virtual environments: install its package for them, such as python3-venv, and try again" >&2; exit 1; }
	@$(PYTHON) -m venv --clear $(VENV)
	@echo "$(CURDIR)" >$@

# Two stamps, so that the demo does not wait for the development tools.
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

demo: COMPILER = $(shell command -v g++ || command -v clang++ || command -v c++)
demo: $(VENV)/.installed
	$(if $(COMPILER),,@echo "no C++ compiler found: both agents are scripts")
	@$(BIN)/arbiter play splendor $(if $(COMPILER),greedy-cpp greedy,greedy random) --seed 7

test: $(VENV)/.dev
	@$(PYTEST) $(TESTS)

test-fast: $(VENV)/.dev
	@$(PYTEST) -m "not slow" $(TESTS)

# By hand: takes hours. tests/matrix.py lists the rows; ROWS="umask lowest" runs two of them.
ROWS :=
PYTHONS :=
test-matrix:
	@$(PYTHON) tests/matrix.py $(ROWS) --tests "$(TESTS)" --jobs "$(JOBS)" $(if $(PYTHONS),--pythons $(PYTHONS))

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

# The pictures of the documentation. Look at them before you commit them.
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
kills: $(VENV)/.dev
	@ARBITER_CLUSTER_KILLS=$(KILLS) ARBITER_CLUSTER_SEED=$(or $(SEED),$(FRESH)) $(BIN)/pytest -q tests/cluster/test_kills.py

# Runs the property tests with one fresh seed after another, for MINUTES=60, say. A find ends it with status 1 and is shown
# with its example; SEED=… repeats a round, TESTS="tests/game" explores a part. What it finds becomes a plain test.
MINUTES := 5
fuzz: $(VENV)/.dev
	@end=$$(($$(date +%s) + 60 * $(MINUTES))); \
	while seed=$(or $(SEED),$(FRESH)) && echo "make fuzz SEED=$$seed" && \
		$(PYTEST) -m hypothesis --timeout 0 --hypothesis-profile fuzz --hypothesis-seed $$seed --exitfirst $(TESTS) || exit 1; \
		[ -z "$(SEED)" ] && [ $$(date +%s) -lt $$end ]; do :; done

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist build
