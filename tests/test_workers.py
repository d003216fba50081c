"""Tests that are run in forked workers are reported as if one process had run them, also when a worker dies."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.nullgame.place import write
from tests.tools import ROOT

FIRST = """
import os, signal, sys, warnings
import pytest

def test_passes(tmp_path):
    assert os.environ["PYTEST_XDIST_WORKER"] in str(tmp_path)

def test_fails():
    print("printed by the one that fails")
    assert 1 == 2

def test_kills_its_worker():
    os.kill(os.getpid(), signal.SIGKILL)

def test_after_it():
    warnings.warn("mind the gap")

def test_skipped():
    pytest.skip("not here")
"""
SECOND = """
import os
import pytest

@pytest.fixture(scope="session", autouse=True)
def _noted(request):
    yield
    open("torn-down", "a").close()

@pytest.mark.parametrize("number", range(20))
def test_number(number):
    assert number != 7
"""


def run(folder: Path, *words: str) -> tuple[int, str]:
    """Run pytest in a folder with two workers; return its exit status and what it printed."""
    command = [sys.executable, "-m", "pytest", "-p", "tests.workers", "--workers", "2", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "--rootdir", folder, *words], cwd=folder, capture_output=True, text=True, check=False,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "COLUMNS": "120"},
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def test_every_outcome_is_reported_and_a_worker_that_dies_fails_one_test(tmp_path: Path) -> None:
    write(tmp_path / "test_first.py", FIRST)
    write(tmp_path / "test_second.py", SECOND)
    code, out = run(tmp_path)
    assert code == 1
    assert "3 failed, 21 passed, 1 skipped" in out
    assert "mind the gap" in out
    assert "printed by the one that fails" in out
    assert "the worker died with exit status -9" in out
    assert (tmp_path / "torn-down").exists()


def test_they_stop_at_the_first_failure_if_asked_to(tmp_path: Path) -> None:
    write(tmp_path / "test_second.py", SECOND)
    code, out = run(tmp_path, "-x")
    assert code == 1
    assert "stopping after 1 failures" in out
    assert "20 passed" not in out
    assert (tmp_path / "torn-down").exists(), "fixtures are torn down all the same"
