"""Tests that run in several processes are reported as if they had run in one, whatever becomes of a process."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.tools import ROOT

pytestmark = pytest.mark.slow

EVENTS = """
import os, pathlib, pytest

def log(event):
    with open(pathlib.Path(__file__).parent / "events", "a") as file:
        file.write(f"{os.getpid()} {event}\\n")
"""
MIXED = {
    "conftest.py": EVENTS
    + """
@pytest.fixture(scope="session", autouse=True)
def whole():
    log("begin")
    yield
    log("end")

@pytest.fixture(scope="module", autouse=True)
def module(request):
    log(f"begin {request.module.__name__}")
    yield
    log(f"end {request.module.__name__}")

@pytest.fixture(autouse=True)
def logged(request):
    log(request.node.nodeid)
""",
    "test_fine.py": """
import os, warnings

def test_first(tmp_path):
    (tmp_path / "file").touch(exist_ok=False)

def test_second():
    assert os.read(0, 1) == b""
    warnings.warn("look out")

def test_third(tmp_path, run_folder):
    assert run_folder in tmp_path.parents
""",
    "test_ill.py": """
import os, signal

def test_fails():
    print("printed before")
    assert [1] == [2]

def test_dies():
    os.kill(os.getpid(), signal.SIGKILL)

def test_goes_on(tmp_path):
    (tmp_path / "file").touch(exist_ok=False)

def test_exits():
    os._exit(0)
""",
}
WAITS = """
import os, pathlib, pytest, signal, subprocess

HERE = pathlib.Path(__file__).parent

@pytest.fixture
def process():
    with subprocess.Popen(["sleep", "1000"]) as started:
        yield started
        started.kill()
    (HERE / "torn down").touch()

def test_waits(process):
    (HERE / "pid").write_text(str(process.pid))
    (HERE / "ready").open("w").close()
    signal.pause()
"""
FAILS = """
import pathlib

def test_fails():
    (pathlib.Path(__file__).parent / "ready").open("r").close()
    assert False

def test_is_not_run():
    pass
"""


@dataclass(frozen=True, slots=True)
class Ran:
    status: int
    out: str


def suite(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def start(folder: Path, *words: str) -> subprocess.Popen[str]:
    """Run the tests of a folder with this plugin and no other one that is installed."""
    command = [sys.executable, "-m", "pytest", "-p", "tests.parallel.plugin", "--rootdir", str(folder), *words, "."]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)


def run(folder: Path, *words: str) -> Ran:
    with start(folder, *words) as process:
        out, _ = process.communicate()
    return Ran(process.returncode, out)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return suite(tmp_path_factory.mktemp("mixed"), MIXED)


@pytest.fixture(scope="module")
def mixed(place: Path) -> Ran:
    return run(place, "--jobs", "2")


@pytest.fixture(scope="module")
def events(place: Path, mixed: Ran) -> dict[str, list[str]]:
    """What happened in each process, in order."""
    found: dict[str, list[str]] = {}
    for line in (place / "events").read_text().splitlines():
        pid, _, event = line.partition(" ")
        found.setdefault(pid, []).append(event)
    return found


def test_every_test_is_counted_once_and_a_failure_is_shown_with_what_was_printed(mixed: Ran) -> None:
    assert mixed.status == pytest.ExitCode.TESTS_FAILED
    assert "= 3 failed, 4 passed, 1 warning in " in mixed.out
    assert "assert [1] == [2]" in mixed.out
    assert "Captured stdout call" in mixed.out
    assert "printed before" in mixed.out
    assert mixed.out.count("UserWarning: look out") == 1


def test_a_test_whose_process_ends_has_failed_and_the_next_one_is_run(mixed: Ran) -> None:
    told = "the process that ran this test"
    assert f"\ntest_ill.py::test_dies: {told} was killed by signal 9 (Killed)\n" in mixed.out
    assert f"\ntest_ill.py::test_exits: {told} exited with status 0\n" in mixed.out
    assert not re.search("FAILED .*test_goes_on", mixed.out)


def test_a_file_is_run_in_one_process_in_order_and_session_fixtures_end_with_the_process(
    events: dict[str, list[str]],
) -> None:
    (found,) = (each for each in events.values() if "test_fine.py::test_first" in each)
    first = found.index("begin test_fine")
    assert found[first : first + 5] == [
        "begin test_fine",
        *(f"test_fine.py::test_{name}" for name in ("first", "second", "third")),
        "end test_fine",
    ]
    assert {each.count("begin") for each in events.values()} == {1}
    assert {each[0] for each in events.values()} == {"begin"}
    assert found[-1] == "end"


def has_ended(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_the_first_failure_interrupts_the_others(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "ready")
    ran = run(suite(tmp_path, {"test_waits.py": WAITS, "test_fails.py": FAILS}), "--jobs", "2", "--exitfirst")
    assert (ran.status, "stopping after 1 failures" in ran.out) == (pytest.ExitCode.TESTS_FAILED, True)
    assert "= 1 failed in " in ran.out
    assert (tmp_path / "torn down").exists()
    assert has_ended(int((tmp_path / "pid").read_text()))


def test_ctrl_c_ends_processes_by_their_fixtures_and_the_summary_is_printed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "ready")
    with start(suite(tmp_path, {"test_fine.py": "def test_a(): pass\n", "test_waits.py": WAITS}), "--jobs", "1") as ran:
        (tmp_path / "ready").open("r").close()
        ran.send_signal(signal.SIGINT)
        out, _ = ran.communicate()
    assert (ran.returncode, "KeyboardInterrupt" in out) == (pytest.ExitCode.INTERRUPTED, True)
    assert "= 1 passed in " in out
    assert (tmp_path / "torn down").exists()
    assert has_ended(int((tmp_path / "pid").read_text()))


def test_skipped_tests_are_counted_by_reason_in_one_line(tmp_path: Path) -> None:
    skips = """
import pytest

@pytest.mark.skipif(True, reason="not root")
def test_marked(): pass

@pytest.mark.parametrize("level", range(2))
def test_levels(level): pytest.skip(f"no cgroups: level {level}")
"""
    ran = run(suite(tmp_path, {"test_a.py": skips, "test_b.py": "def test_b(): pass\n"}), "--jobs", "2")
    assert ran.status == pytest.ExitCode.OK
    assert "\n3 skipped: 2 no cgroups, 1 not root\n" in ran.out
