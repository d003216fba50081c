"""The process of a worker: a fork of the arbiter, which has imported everything already, or else a new interpreter.

Importing takes longer than many games do. But a fork is safe only in a process with a single thread: a lock that another thread
holds at that moment stays locked in the child forever. So a program with threads, such as a Dask worker, starts its workers as
new interpreters. Either way the worker inherits only its two pipes and standard error.
"""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
import subprocess
import sys
import traceback
from typing import NoReturn

from arbiter import signals
from arbiter.contest import worker
from arbiter.contest.worker import WorkerConfig
from arbiter.own_module import own_module, search_own_modules_only
from arbiter.playing.plan import encode_plan


class WorkerProcess:
    """A running worker, and the two pipes to it."""

    def __init__(self, config: WorkerConfig) -> None:
        requests, self._into = os.pipe2(os.O_CLOEXEC)
        self.out, replies = os.pipe2(os.O_CLOEXEC)
        """The file descriptor that its replies are read from."""
        self._exit_code: int | None = None
        alone = len(os.listdir("/proc/self/task")) == 1  # noqa: PTH208 - a list, not an iterator
        try:
            self.pid = _fork(config, requests, replies) if alone else _spawn(requests, replies)
        finally:
            os.close(requests)
            os.close(replies)
        if not alone:
            self.send(encode_plan(config))

    def send(self, line: bytes) -> None:
        """Send it a line."""
        left = line + b"\n"
        with contextlib.suppress(BrokenPipeError):  # it has ended, which is noticed when its replies are read
            while left:
                left = left[os.write(self._into, left) :]

    def close_requests(self) -> None:
        """Close its input, so that it ends."""
        if self._into >= 0:
            os.close(self._into)
            self._into = -1

    def terminate(self) -> None:
        """Have it end at once, with all its agents."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """Kill it, but not its agents."""
        self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        if self._exit_code is None:
            with contextlib.suppress(ProcessLookupError):  # it was reaped elsewhere
                os.kill(self.pid, number)

    def wait(self, timeout_s: float | None = None) -> int:
        """Wait for its end; returns the exit status, or minus the signal that killed it. Raises TimeoutError."""
        if self._exit_code is None:
            if timeout_s is not None and not self._ends_within(timeout_s):
                raise TimeoutError
            try:
                self._exit_code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            except ChildProcessError:  # reaped already: the embedding program ignores SIGCHLD
                self._exit_code = 0
        return self._exit_code

    def _ends_within(self, timeout_s: float) -> bool:
        try:
            pidfd = os.pidfd_open(self.pid)
        except ProcessLookupError:
            return True
        poll = select.poll()
        poll.register(pidfd, select.POLLIN)
        ended = bool(poll.poll(timeout_s * 1000))
        os.close(pidfd)
        return ended

    def close(self) -> None:
        """Close the pipes."""
        self.close_requests()
        os.close(self.out)


def _spawn(requests: int, replies: int) -> int:
    """Start a worker as a new interpreter, which takes its configuration from the pipe; returns its pid."""
    worker = subprocess.Popen(
        own_module("arbiter.contest.worker"),
        stdin=requests,
        stdout=replies,
        process_group=0,  # Ctrl-C in the terminal must not reach it: the arbiter decides what to do
    )
    worker.returncode = 0  # reaped by us
    return worker.pid


def _fork(config: WorkerConfig, requests: int, replies: int) -> int:
    """Start a worker as a fork of this process; returns its pid."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):  # a closed or broken stream has nothing to flush
            stream.flush()  # what is left in a buffer would be written twice
    # A signal for us that arrives in the child before it has its own handlers would be handled twice.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        pid = os.fork()
        if pid == 0:
            _run(config, requests, replies, mask)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    return pid


def _run(config: WorkerConfig, requests: int, replies: int, mask: set[int | signal.Signals]) -> NoReturn:
    """Run as the worker, and exit without the parent's exit handlers."""
    code = 1
    try:
        gc.freeze()  # objects inherited from the parent are never collected
        os.setpgid(0, 0)  # as above
        _forget_signal_handlers()
        _close_inherited_files(requests, replies)
        search_own_modules_only()
        worker.set_signal_handlers()
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        with open(requests, "rb") as lines:
            worker.serve(config, lines, replies)
        signals.finish()
        code = 0
    except SystemExit as leaving:
        signals.finish()
        code = leaving.code if isinstance(leaving.code, int) else 1
    except BaseException:  # noqa: BLE001 - as an interpreter of its own would do
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
        os._exit(code)


def _forget_signal_handlers() -> None:
    """Reset the signal handlers inherited from the parent."""
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)


def _close_inherited_files(*kept: int) -> None:
    """Close every inherited file but standard error, and with them the arbiter's lock on the folder of the contest.

    Objects that own a descriptor may still close it, so each number stays in use, as /dev/null.
    """
    null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - read before anything is changed
        fd = int(name)
        if fd not in (1, 2, null, *kept):
            os.dup2(null, fd, inheritable=fd == 0)
    with contextlib.suppress(OSError):  # standard error may be closed
        os.dup2(2, 1)  # what is printed must not get between the lines of the arbiter's own output
