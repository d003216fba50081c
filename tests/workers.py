"""A pytest plugin that collects the tests once and runs them in forked workers: ``pytest -p tests.workers --workers 6``.

Importing and collecting all tests takes seconds; workers that are forked afterwards share it. Each of them takes the next
file when it has finished one, in the order in which they were collected, and sends its reports to the first process,
which prints them. A worker that dies fails the test it was at, and another one goes on with the rest of the file.
"""

from __future__ import annotations

import contextlib
import gc
import itertools
import mmap
import os
import struct
import traceback
import warnings
from collections.abc import Iterator
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import Any

import pytest

_NUMBER = struct.Struct("=I")
NAME = "PYTEST_XDIST_WORKER"
"""The variable that names a worker, as in pytest-xdist."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("workers")
    group.addoption("--workers", type=int, default=0, help="processes that run the tests; 0 runs them in this one")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run the tests in workers, unless there is nothing to run or no worker is wanted."""
    wanted = min(session.config.option.workers, len(session.items))
    if not wanted or session.config.option.collectonly or session.testsfailed:
        return None
    _Pool(session).run(wanted)
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    if session.shouldstop:
        raise session.Interrupted(session.shouldstop)
    return True


class _Pool:
    """The workers, seen from the process that collected the tests."""

    def __init__(self, session: pytest.Session) -> None:
        self._session, self._hook = session, session.config.hook
        self._folder: Path = session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        files = itertools.groupby(range(len(session.items)), key=lambda number: session.items[number].path)
        self._files = [list(numbers) for _, numbers in files]
        self._next, ends = os.pipe()
        # A pipe holds thousands of numbers; each worker reads one at a time, until the pipe is empty.
        os.write(ends, b"".join(_NUMBER.pack(number) for number in range(len(self._files))))
        os.close(ends)
        self._not_run = set(range(len(session.items)))
        self._stop = mmap.mmap(-1, 1)
        self._names = itertools.count()
        self._running: dict[Connection, tuple[int, list[int]]] = {}
        """The pid of each worker, and the tests that it has begun to take and not finished."""

    def run(self, wanted: int) -> None:
        """Run all tests; returns when every worker has ended."""
        gc.collect()
        gc.freeze()
        try:
            for _ in range(wanted):
                self._fork([])
            while self._running:
                for connection in wait(list(self._running)):
                    self._receive(connection)  # type: ignore[arg-type]
                if self._session.shouldfail or self._session.shouldstop:
                    self._stop[0] = 1
            if self._not_run and not self._stop[0]:
                raise AssertionError(f"workers have ended without running {len(self._not_run)} tests")
        finally:
            self._stop[0] = 1
            for pid, _ in self._running.values():
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)
            os.close(self._next)
            gc.unfreeze()

    def _fork(self, first: list[int]) -> None:
        """Start a worker that begins with these tests."""
        name, (ours, theirs) = f"gw{next(self._names)}", Pipe(duplex=False)
        pid = os.fork()
        if not pid:
            for other in (ours, *self._running):
                other.close()
            _Worker(self._session, theirs, self._take, self._stop).run(self._folder / name, name, first)
        theirs.close()
        self._running[ours] = pid, first

    def _take(self) -> list[int]:
        """Return the tests of the next file; none if there is none left."""
        number = os.read(self._next, _NUMBER.size)
        return self._files[_NUMBER.unpack(number)[0]] if number else []

    def _receive(self, connection: Connection) -> None:
        pid, taken = self._running[connection]
        try:
            kind, *said = connection.recv()
        except EOFError:
            self._ended(connection)
            return
        if kind == "took":
            self._running[connection] = pid, [*taken, *said[0]]
        elif kind == "ran":
            taken.remove(said[0])
            self._not_run.remove(said[0])
            item = self._session.items[said[0]]
            self._hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        elif kind == "warned":
            text, file, line, when, nodeid, location = said
            message = warnings.WarningMessage(UserWarning(text), UserWarning, file, line)
            self._hook.pytest_warning_recorded.call_historic(
                kwargs={"warning_message": message, "when": when, "nodeid": nodeid, "location": location}
            )
        else:
            report = self._hook.pytest_report_from_serializable(config=self._session.config, data=said[0])
            self._hook.pytest_runtest_logreport(report=report)

    def _ended(self, connection: Connection) -> None:
        """A worker has ended: with its work done, or in the middle of a test, which has failed."""
        pid, taken = self._running.pop(connection)
        connection.close()
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if not taken or self._stop[0]:
            return
        died, *rest = taken
        self._not_run.remove(died)
        item = self._session.items[died]
        report = pytest.TestReport(
            item.nodeid, item.location, {}, "failed", f"the worker died with exit status {status}", "call"
        )
        self._hook.pytest_runtest_logreport(report=report)
        self._fork(rest)


class _Worker:
    """One worker, in its own process; also the plugin that sends its reports."""

    def __init__(self, session: pytest.Session, reports: Connection, take: Any, stop: mmap.mmap) -> None:
        self._session, self._config, self._reports = session, session.config, reports
        self._take, self._stop = take, stop
        self._began = False

    def run(self, folder: Path, name: str, first: list[int]) -> None:
        """Run tests until there are none left, and exit."""
        os.environ[NAME] = name
        status = 1
        try:
            self._own(folder)
            self._loop(first)
            status = 0
        except KeyboardInterrupt:
            pass
        except BaseException:  # noqa: BLE001 - nobody above would show it
            traceback.print_exc()
        finally:
            with contextlib.suppress(BaseException):
                self._config.pluginmanager.get_plugin("runner").pytest_sessionfinish(self._session)  # type: ignore[union-attr]
            self._reports.close()
            os._exit(status)

    def _own(self, folder: Path) -> None:
        """Have what two processes cannot share: captured output, the folder of temporary files, the terminal."""
        plugins: Any = self._config.pluginmanager
        capture = plugins.get_plugin("capturemanager")
        capture.stop_global_capturing()
        capture.start_global_capturing()
        capture.suspend_global_capture()
        self._config.option.basetemp = str(folder)
        plugins.get_plugin("tmpdir").pytest_configure(self._config)
        terminal: Any = self._config.get_terminal_writer()
        terminal._file = Path(os.devnull).open("w")  # noqa: SIM115 - until it exits
        plugins.register(self)
        self._began = True

    def _loop(self, first: list[int]) -> None:
        tests = self._tests(first)
        number = next(tests, None)
        while number is not None and not self._stop[0]:
            following = next(tests, None)
            item = self._session.items[number]
            after = None if following is None else self._session.items[following]
            self._config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            self._reports.send(("ran", number))
            number = following

    def _tests(self, first: list[int]) -> Iterator[int]:
        yield from first
        while taken := self._take():
            self._reports.send(("took", taken))
            yield from taken

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        self._reports.send(("report", data))

    def pytest_warning_recorded(
        self, warning_message: warnings.WarningMessage, when: str, nodeid: str, location: tuple[str, int, str] | None
    ) -> None:
        if not self._began:  # pytest repeats earlier ones for a new plugin
            return
        text = f"{warning_message.category.__name__}: {warning_message.message}"
        self._reports.send(("warned", text, warning_message.filename, warning_message.lineno, when, nodeid, location))
