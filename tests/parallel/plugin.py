"""The option --jobs, and a folder that all processes of a run share."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.parallel.parent import Parent

_FOLDER = pytest.StashKey[Path]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("general").addoption(
        "--jobs", type=int, default=0, metavar="N", help="run tests in N processes; 0, the default: in this one"
    )


def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run the tests in other processes, unless a debugger needs them here or there is nothing to run."""
    option = session.config.option
    if option.jobs < 1 or option.usepdb or option.collectonly or session.testsfailed or not session.items:
        return None
    if threading.active_count() > 1:  # those of numpy and pyarrow, which Python does not know, start again in a child
        raise pytest.UsageError(f"a test module started {threading.enumerate()[-1]}, which a fork would leave behind")
    folder = session.config.stash[_FOLDER] = session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
    Parent(session, folder).run(option.jobs)
    return True


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Path:
    """A folder that all processes of this run share."""
    return pytestconfig.stash.get(_FOLDER, None) or tmp_path_factory.getbasetemp()
