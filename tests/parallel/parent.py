"""The process that has collected the tests: it forks, hands out files and reports what it hears."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time
import warnings
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from multiprocessing import connection
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from tests.parallel.child import Broke, Exited, Ran, Warned, work

_GRACE_S = 20
"""How long an interrupted child may take to end its fixtures."""


@dataclass(eq=False, slots=True)
class _Child:
    pid: int
    pidfd: int
    channel: Connection
    last: int
    """The index of the last test that it has run; at first, of the first that it is given."""
    given: deque[int] = field(default_factory=deque)
    """The indexes of the tests that it has to run; the first is the one that it is running."""

    def give(self, indexes: list[int]) -> None:
        """Let it run these tests next; without any, let it end."""
        self.given.extend(indexes)
        with contextlib.suppress(ConnectionError):  # it has died, which is about to be noticed
            self.channel.send(indexes)

    def ended(self) -> int:
        """Return its exit status, or minus the signal that killed it. Whatever is left of its process group is killed."""
        os.kill(self.pid, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):  # it has not come as far as having a group
            os.killpg(self.pid, signal.SIGKILL)
        os.close(self.pidfd)
        self.channel.close()
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


class Parent:
    """The children and the files that none of them has been given yet."""

    def __init__(self, session: pytest.Session, folder: Path) -> None:
        self._session, self._config, self._folder = session, session.config, folder
        files: dict[Path, list[int]] = {}
        for index, item in enumerate(session.items):
            files.setdefault(item.path, []).append(index)
        self._files = deque(files.values())
        self._children: list[_Child] = []
        self._started = 0

    def run(self, jobs: int) -> None:
        """Run all tests, in this many processes at a time."""
        try:
            while self._files and self._started < jobs:
                self._start(self._files.popleft())
            while self._children:
                ready = connection.wait([each for child in self._children for each in (child.channel, child.pidfd)])
                for child in list(self._children):
                    if child.channel in ready:
                        self._hear(child)
                    elif child.pidfd in ready:
                        self._bury(child)
        finally:
            self._interrupt()

    def _start(self, indexes: list[int]) -> None:
        """Fork a child that begins with these tests."""
        near, far = connection.Pipe()
        self._started += 1
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if not pid:
            for other in self._children:
                other.channel.close()
                os.close(other.pidfd)
            near.close()
            work(self._session, far, self._folder / f"child{self._started}")
        far.close()
        child = _Child(pid, os.pidfd_open(pid), near, indexes[0])
        self._children.append(child)
        child.give(indexes)

    def _hear(self, child: _Child) -> None:
        """Take a message from a child; none comes if it has ended."""
        try:
            message = child.channel.recv()
        except (EOFError, ConnectionError):
            self._bury(child)
            return
        match message:
            case Ran(index, reports):
                self._ran(child, index, reports)
            case Warned():
                self._warn(message)
            case Exited(reason, status):
                raise pytest.exit.Exception(reason, status)
            case Broke(text):
                raise RuntimeError(text)

    def _ran(self, child: _Child, index: int, reports: list[dict[str, Any]]) -> None:
        """Log the reports of a test. After the last one of a file, give the child another file."""
        deserialize = self._config.hook.pytest_report_from_serializable
        self._log(index, [deserialize(config=self._config, data=data) for data in reports])
        if child.given:  # empty if this is about the end of its session fixtures
            child.last = child.given.popleft()
            if not child.given:
                child.give(self._files.popleft() if self._files else [])

    def _log(self, index: int, reports: Iterable[pytest.TestReport]) -> None:
        """Do what pytest does for a test that it has run itself; raises what ends the run, if too many have failed."""
        item = self._session.items[index]
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        for report in reports:
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        if self._session.shouldfail:
            raise self._session.Failed(self._session.shouldfail)
        if self._session.shouldstop:
            raise self._session.Interrupted(self._session.shouldstop)

    def _warn(self, warned: Warned) -> None:
        category = type(warned.category, (Warning,), {})
        message = warnings.WarningMessage(warned.text, category, warned.filename, warned.lineno)
        self._config.hook.pytest_warning_recorded.call_historic(
            kwargs={
                "warning_message": message,
                "when": warned.when,
                "nodeid": warned.nodeid,
                "location": warned.location,
            }
        )

    def _bury(self, child: _Child) -> None:
        """Forget a child that has ended. If it should not have, fail its test, and go on with the next one in a new child."""
        self._children.remove(child)
        status = child.ended()
        if not child.given and not status:
            return
        index = child.given.popleft() if child.given else child.last
        if child.given or self._files:
            self._start(list(child.given) or self._files.popleft())
        self._log(index, [_failed(self._session.items[index], status)])

    def _interrupt(self) -> None:
        """Interrupt the children that are left, so that fixtures end what their tests started; kill those that go on."""
        try:
            for child in self._children:
                os.kill(child.pid, signal.SIGINT)
            end_s = time.monotonic() + _GRACE_S
            for child in self._children:
                select.select([child.pidfd], [], [], max(0, end_s - time.monotonic()))
        finally:
            for child in self._children:
                child.ended()


def _failed(item: pytest.Item, status: int) -> pytest.TestReport:
    """Return the report of a test whose process has ended."""
    how = (
        f"was killed by signal {-status} ({signal.strsignal(-status)})"
        if status < 0
        else f"exited with status {status}"
    )
    text = f"{item.nodeid}: the process that ran this test {how}"
    return pytest.TestReport(item.nodeid, item.location, {}, "failed", text, "call")
