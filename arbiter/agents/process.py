"""One agent's process: spawn it, hold its pipes, kill it with everything it started.

Theory of operation
-------------------
The arbiter makes three pipes and a process in a session of its own. It keeps the far ends non-blocking and
watches them, with a pidfd that becomes readable when the process ends, in one epoll set (see
:mod:`arbiter.agents.table`). Nothing here blocks, and nothing here knows a rule of any game.

The process is started by :class:`subprocess.Popen`, which uses vfork as long as no ``preexec_fn`` and no user
is given: a plain fork of a large Python costs thirty times as much. Limits are therefore set from outside, with
prlimit, right after the spawn.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arbiter.agents import tree
from arbiter.agents.clock import WaitingTime
from arbiter.agents.stderr import StderrKeeper
from arbiter.limits import Limits

CHUNK = 65536
"""A pipe holds this much by default, so one read usually empties it."""


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start an agent."""

    argv: Sequence[str]
    folder: str
    """Its working directory."""
    environment: Mapping[str, str]
    mark: str
    """Tells its stray processes from those of others."""


class AgentProcess:
    """A running agent. Made by :meth:`spawn`; ended by :meth:`kill`, always."""

    __slots__ = (
        "_popen", "cpu_clock", "exit_code", "keeper", "launch", "pid", "pidfd", "reaped_cpu_ns", "stderr", "stdin", "stdout",
        "waiting",
    )  # fmt: skip

    def __init__(self, launch: Launch, popen: subprocess.Popen[bytes], stdin: int, stdout: int, stderr: int) -> None:
        self.launch = launch
        self._popen = popen
        self.pid = popen.pid
        self.pidfd = os.pidfd_open(popen.pid)
        self.stdin, self.stdout, self.stderr = stdin, stdout, stderr
        self.keeper = StderrKeeper()
        self.waiting = WaitingTime(popen.pid)
        self.cpu_clock = (~popen.pid << 3) | 2
        """Clock id of the process's CPU time: what clock_getcpuclockid(3) computes."""
        self.exit_code: int | None = None
        """Once reaped: the exit code, or minus the signal."""
        self.reaped_cpu_ns = 0

    @classmethod
    def spawn(cls, launch: Launch, limits: Limits) -> AgentProcess:
        """Start it. Raises OSError when the operating system cannot."""
        with contextlib.ExitStack() as always, contextlib.ExitStack() as on_failure:
            child_in, stdin = _pipe(always, on_failure)
            stdout, child_out = _pipe(on_failure, always)
            stderr, child_err = _pipe(on_failure, always)
            popen = subprocess.Popen(
                launch.argv,
                stdin=child_in,
                stdout=child_out,
                stderr=child_err,
                cwd=launch.folder,
                env={**launch.environment, tree.MARK: launch.mark},
                start_new_session=True,
            )
            on_failure.callback(_discard, popen)
            _limit(popen.pid, limits)
            for fd in (stdin, stdout, stderr):
                os.set_blocking(fd, False)
            process = cls(launch, popen, stdin, stdout, stderr)
            on_failure.pop_all()
        return process

    def cpu_ns(self) -> int:
        """CPU time so far of all its threads, and of children it waited for once it is reaped."""
        if self.exit_code is not None:
            return self.reaped_cpu_ns
        try:
            return time.clock_gettime_ns(self.cpu_clock)
        except OSError:
            return 0

    def reap(self) -> None:
        """Collect a process that has ended (its pidfd is readable) or was killed; harmless if already done."""
        if self.exit_code is None:
            # While the leader is a zombie its pid, and so its group, cannot be anybody else's.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
            # Who cannot be collected is left alone: it was killed as far as we could.
            collected = tree.reap(self.pid) or (-signal.SIGKILL, 0)
            self.exit_code, self.reaped_cpu_ns = collected
            self._popen.returncode = self.exit_code

    def hold(self) -> None:
        """Stop it where it is: it has had its turn, but to kill it would take time while others are being heard."""
        if self.exit_code is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGSTOP)

    def close_stdin(self) -> None:
        """No more input: the agent reads end of file."""
        if self.stdin >= 0:
            os.close(self.stdin)
            self.stdin = -1

    def kill(self, others: frozenset[int]) -> None:
        """End it, its tree and its strays, and close everything. ``others`` are our children to spare."""
        if self.exit_code is None:
            tree.kill_group_and_descendants(self.pid)
        self.reap()
        tree.sweep(others, self.launch.mark)
        self.close_stdin()
        self.waiting.close()
        for fd in (self.stdout, self.stderr, self.pidfd):
            if fd >= 0:
                os.close(fd)
        self.stdout = self.stderr = self.pidfd = -1

    @property
    def closed(self) -> bool:
        """Whether :meth:`kill` was called."""
        return self.pidfd < 0


def _pipe(reading_end: contextlib.ExitStack, writing_end: contextlib.ExitStack) -> tuple[int, int]:
    """A pipe whose ends are closed with these."""
    ends = os.pipe2(os.O_CLOEXEC)
    reading_end.callback(os.close, ends[0])
    writing_end.callback(os.close, ends[1])
    return ends


def _limit(pid: int, limits: Limits) -> None:
    # Who has ended already, or has become another user by being set-uid, cannot be limited.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        # DATA and not AS: Java and node reserve address space that they never use.
        _, most = resource.prlimit(pid, resource.RLIMIT_DATA)
        # Only root may go above the limit that the arbiter itself was started with.
        memory = limits.memory_bytes if most == resource.RLIM_INFINITY else min(limits.memory_bytes, most)
        resource.prlimit(pid, resource.RLIMIT_DATA, (memory, memory))
        resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))


def _discard(popen: subprocess.Popen[bytes]) -> None:
    """A process that was started but cannot be supervised."""
    tree.kill_group_and_descendants(popen.pid)
    code, _ = tree.reap(popen.pid) or (-signal.SIGKILL, 0)
    popen.returncode = code
