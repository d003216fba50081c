"""A forked process that runs the tests it is given and sends their reports back."""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NoReturn

import pytest
from _pytest.runner import runtestprotocol


@dataclass(frozen=True, slots=True)
class Ran:
    """The reports of a test as pytest serializes them; once more if session fixtures failed to end after the last test."""

    index: int
    reports: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Warned:
    """The arguments of pytest_warning_recorded; the warning itself as text, since not every one can be pickled."""

    text: str
    category: str
    filename: str
    lineno: int
    when: str
    nodeid: str
    location: tuple[str, int, str] | None


@dataclass(frozen=True, slots=True)
class Exited:
    """A test called pytest.exit."""

    reason: str
    status: int | None


@dataclass(frozen=True, slots=True)
class Broke:
    """The traceback of an exception outside of tests: a bug in a plugin, or in this one."""

    text: str


class Child:
    """Runs tests in place of pytest's own loop, and hears of their warnings."""

    def __init__(self, session: pytest.Session, parent: Connection) -> None:
        self._session, self._parent = session, parent
        self._index = -1

    def run(self) -> None:
        """Run lists of tests, given by their indexes, until an empty one comes; then end the session fixtures."""
        items, run_test = self._session.items, self._session.config.hook.pytest_runtest_protocol
        while indexes := self._parent.recv():
            # After the last test of a file comes the session: all fixtures end, but for those of the session.
            following = [*(items[index] for index in indexes[1:]), self._session]
            for self._index, nextitem in zip(indexes, following, strict=True):
                run_test(item=items[self._index], nextitem=nextitem)
        self._end_session_fixtures()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item) -> bool:
        self._send(runtestprotocol(item, log=False, nextitem=nextitem))
        return True

    def pytest_warning_recorded(
        self,
        warning_message: warnings.WarningMessage,
        when: str,
        nodeid: str,
        location: tuple[str, int, str] | None,
    ) -> None:
        if self._index < 0:
            return  # it was recorded in the parent, and is repeated for a plugin that registers
        text, category = str(warning_message.message), warning_message.category.__name__
        filename, lineno = warning_message.filename, warning_message.lineno
        self._parent.send(Warned(text, category, filename, lineno, when, nodeid, location))

    def _send(self, reports: Iterable[pytest.TestReport]) -> None:
        config = self._session.config
        serialize = config.hook.pytest_report_to_serializable
        self._parent.send(Ran(self._index, [serialize(config=config, report=report) for report in reports]))

    def _end_session_fixtures(self) -> None:
        """End the session fixtures. An error counts as one of the last test, as it does for pytest itself."""
        call = pytest.CallInfo.from_call(lambda: end_fixtures(self._session), when="teardown")
        last = self._session.items[self._index]
        report = last.ihook.pytest_runtest_makereport(item=last, call=call)
        if report.failed:
            self._send([report])


def end_fixtures(session: pytest.Session) -> None:
    session._setupstate.teardown_exact(None)


def work(session: pytest.Session, parent: Connection, folder: Path) -> NoReturn:
    """Run tests until the parent has no more, interrupts this process or is gone. Temporary files go into ``folder``."""
    status = pytest.ExitCode.INTERNAL_ERROR
    try:
        _part_from_parent(session.config, folder)
        child = Child(session, parent)
        session.config.pluginmanager.register(child)
        try:
            child.run()
            status = pytest.ExitCode.OK
        except (KeyboardInterrupt, EOFError, ConnectionError):
            status = pytest.ExitCode.INTERRUPTED
            end_fixtures(session)
        except pytest.exit.Exception as error:
            end_fixtures(session)
            parent.send(Exited(error.msg, error.returncode))
    except BaseException:  # noqa: BLE001
        parent.send(Broke(traceback.format_exc()))
    finally:
        sys.stdout.flush()
        os._exit(status)


def _part_from_parent(config: pytest.Config, folder: Path) -> None:
    """Give up what one process only can have: the terminal, files of captured output, folders of temporary files."""
    os.setsid()
    captured = config.pluginmanager.getplugin("capturemanager")
    captured.stop_global_capturing()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    captured.start_global_capturing()
    captured.suspend_global_capture()
    folder.mkdir()
    config._tmp_path_factory._basetemp = folder  # type: ignore[attr-defined]
