"""The option --jobs, and a folder that all processes of a run share."""

from __future__ import annotations

import threading
from collections import Counter
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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Count skipped tests by reason in one line, so that none vanishes without a word. Details follow the first colon of a
    reason; ``-rs`` shows them."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(str(report.longrepr[2]).removeprefix("Skipped: ").partition(":")[0] for report in skipped)
    if reasons:
        shown = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
        terminalreporter.write_line(f"{len(skipped)} skipped: {shown}")
