"""One agent's process: spawn it, hold its pipes, kill it with everything it started.

Theory of operation
-------------------
The arbiter makes three pipes and has a process started in a session of its own. It keeps the far ends non-blocking and
watches them, with a pidfd that becomes readable when the process ends, in one epoll set (see
:mod:`arbiter.agents.ask.table`). Nothing here blocks, and nothing here knows a rule of any game.

A *boxed* process is started inside its agent's sandbox by the spawner there, who is its parent and ends it. A *loose*
one, without a sandbox, is a child of the arbiter, started by :class:`subprocess.Popen`, which uses vfork as long as no
``preexec_fn`` and no user is given: a plain fork of a large Python costs thirty times as much. Its limits are therefore set
from outside, with prlimit, right after the spawn.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from arbiter.agents.ask.stderr import StderrKeeper
from arbiter.agents.clock.schedstat import Threads
from arbiter.agents.launch import strays, tree
from arbiter.agents.launch.cores import lent
from arbiter.agents.sandbox.box import BoxFailed, pid_of
from arbiter.agents.sandbox.sandbox import Sandbox
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


class AgentProcess(ABC):
    """A running agent. Made by :func:`spawn`; ended by :meth:`kill`, always."""

    __slots__ = (
        "cpu_at_start_ns", "cpu_clock", "exit_code", "frozen", "has_helped", "keeper", "largest_bytes", "launch", "mark", "peak_bytes", "pid", "pidfd", "reaped_cpu_ns", "started_ns", "stderr",
        "stdin", "stdout", "threads", "told",
    )  # fmt: skip

    def __init__(self, launch: Launch, mark: str, pid: int, pidfd: int, pipes: tuple[int, int, int]) -> None:
        self.launch, self.mark, self.pid, self.pidfd = launch, mark, pid, pidfd
        self.stdin, self.stdout, self.stderr = pipes
        self.keeper = StderrKeeper()
        self.threads = Threads(pid, self.helpers)
        self.cpu_clock = (~pid << 3) | 2
        """Clock id of the process's CPU time: what clock_getcpuclockid(3) computes."""
        self.exit_code: int | None = None
        """Once reaped: the exit code, or minus the signal."""
        self.reaped_cpu_ns = 0
        self.peak_bytes = 0
        """Most memory it had in use, once it has been killed; 0 where that is not known."""
        self.largest_bytes = 0
        """The same of its largest process alone, without files that are kept in memory for it."""
        self.frozen = False
        self.started_ns = self.cpu_at_start_ns = 0
        """When that was, and what :meth:`cpu_ns` would have been then."""
        self.has_helped = False
        """Whether :meth:`cpu_ns` may be more than that of its process."""
        self.told = False
        """Its input was in its pipe before it was started."""

    def own_cpu_ns(self) -> int:
        """CPU time so far of all its threads, and of children it waited for once it is reaped."""
        if self.exit_code is not None:
            return self.reaped_cpu_ns
        try:
            return time.clock_gettime_ns(self.cpu_clock)
        except OSError:
            return 0

    def cpu_ns(self) -> int:
        """CPU time so far of everything that is known to work for it, or has."""
        if self.exit_code is not None:
            return self.reaped_cpu_ns
        others_ns = tree.reaped_cpu_ns(self.pid) + tree.cpu_ns(self.helpers())
        self.has_helped = self.has_helped or bool(others_ns)
        return self.own_cpu_ns() + others_ns

    def is_ready(self) -> bool:
        """Whether it wants to run at this moment, and does or would if there were a core."""
        return self.exit_code is None and any(map(tree.is_ready, (self.pid, *self.helpers())))

    @abstractmethod
    def helpers(self) -> Iterator[int]:
        """Other processes that work for it."""

    @abstractmethod
    def reap(self) -> None:
        """Collect a process that has ended (its pidfd is readable) or was killed; harmless if already done."""

    @abstractmethod
    def end(self) -> None:
        """End it, its tree and its strays."""

    @abstractmethod
    def signal_all(self, number: signal.Signals) -> None:
        """Send a signal to it and what it started."""

    def memory_ran_out(self) -> bool:
        """Whether the kernel says so."""
        return False

    def hold(self) -> None:
        """Stop it where it is: it has had its turn, but to kill it would take time while others are being heard."""
        if self.exit_code is None:
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(self.pidfd, signal.SIGSTOP)

    def freeze(self) -> None:
        """Everything of the agent's stands still until :meth:`thaw`."""
        if self.exit_code is None and not self.frozen:
            self.signal_all(signal.SIGSTOP)
            self.frozen = True

    def thaw(self) -> None:
        """Everything of the agent's goes on."""
        if self.frozen:
            self.signal_all(signal.SIGCONT)
            self.frozen = False

    def close_stdin(self) -> None:
        """No more input: the agent reads end of file."""
        if self.stdin >= 0:
            os.close(self.stdin)
            self.stdin = -1

    def kill(self) -> None:
        """End it with all that is its own, and close everything."""
        self.end()
        self.close_stdin()
        self.threads.close()
        for fd in (self.stdout, self.stderr, self.pidfd):
            if fd >= 0:
                os.close(fd)
        self.stdout = self.stderr = self.pidfd = -1

    @property
    def closed(self) -> bool:
        """Whether :meth:`kill` was called."""
        return self.pidfd < 0


class LooseProcess(AgentProcess):
    """Without a sandbox: the agent is a child of ours, and what it started is found as well as can be."""

    __slots__ = ("_popen",)

    def __init__(self, launch: Launch, mark: str, popen: subprocess.Popen[bytes], pipes: tuple[int, int, int]) -> None:
        super().__init__(launch, mark, popen.pid, os.pidfd_open(popen.pid), pipes)
        self._popen = popen

    @classmethod
    def start(
        cls, launch: Launch, mark: str, limits: Limits, theirs: Sequence[int], ours: tuple[int, int, int]
    ) -> LooseProcess:
        """Raises OSError when the operating system cannot."""
        with contextlib.ExitStack() as on_failure:
            started_ns = time.monotonic_ns()
            popen = subprocess.Popen(
                launch.argv,
                stdin=theirs[0],
                stdout=theirs[1],
                stderr=theirs[2],
                cwd=launch.folder,
                env={**launch.environment, strays.VARIABLE: mark},
                start_new_session=True,
            )
            on_failure.callback(_discard, popen)
            strays.mark_process(popen.pid, mark)
            _limit(popen.pid, limits)
            process = cls(launch, mark, popen, ours)
            process.started_ns = started_ns
            on_failure.pop_all()
        return process

    def helpers(self) -> Iterator[int]:
        return strays.helpers(self.pid, self.mark)

    def hold(self) -> None:
        if self.exit_code is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGSTOP)

    def signal_all(self, number: signal.Signals) -> None:
        below = list(tree.descendants(self.pid))
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)
        for pid in below:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)

    def reap(self) -> None:
        if self.exit_code is None:
            # While the leader is a zombie its pid, and so its group, cannot be anybody else's.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
            # Who cannot be collected is left alone: it was killed as far as we could.
            collected = tree.reap(self.pid) or (-signal.SIGKILL, 0)
            self.exit_code, self.reaped_cpu_ns = collected
            self._popen.returncode = self.exit_code

    def end(self) -> None:
        if self.exit_code is None:
            # What its parent learns of it afterwards has that parent's own memory mixed in.
            self.peak_bytes = self.largest_bytes = tree.peak_bytes(self.pid)
            tree.kill_group_and_descendants(self.pid)
        self.reap()
        strays.sweep(self.mark)


class BoxedProcess(AgentProcess):
    """In a sandbox, whose spawner is its parent. The box holds this agent only: to end all in it is to end the agent."""

    __slots__ = ("_home",)

    def __init__(
        self, launch: Launch, mark: str, home: Sandbox, ids: tuple[int, int], pipes: tuple[int, int, int]
    ) -> None:
        super().__init__(launch, mark, *ids, pipes)
        self._home = home

    @classmethod
    def start(
        cls,
        launch: Launch,
        mark: str,
        home: Sandbox,
        theirs: Sequence[int],
        ours: tuple[int, int, int],
        *,
        brief: bool,
        cores: frozenset[int] | None,
    ) -> BoxedProcess:
        """Raises OSError when the operating system cannot."""
        try:
            box = home.box()
            box.place(cores)
            if home.cgroups:
                home.cgroups.reset_peak()
            environment = launch.environment
            if not home.contained:
                environment = {**environment, strays.VARIABLE: mark}
            cpu_ns = home.cgroups.cpu_ns() if home.cgroups else 0
            pidfd, started_ns = box.spawn(launch.argv, environment, launch.folder, theirs, brief=brief)
        except BoxFailed as failure:
            raise OSError(0, str(failure)) from None
        try:
            pid = pid_of(pidfd)
            if pid <= 0:
                raise OSError(0, "ended together with its sandbox")
        except OSError:
            home.end()
            os.close(pidfd)
            raise
        if not home.contained:
            strays.mark_process(pid, mark)
        process = cls(launch, mark, home, (pid, pidfd), ours)
        process.started_ns, process.cpu_at_start_ns, process.has_helped = started_ns, cpu_ns, bool(home.cgroups)
        return process

    def cpu_ns(self) -> int:
        groups = self._home.cgroups
        return groups.cpu_ns() if groups else super().cpu_ns()

    def helpers(self) -> Iterator[int]:
        return (pid for pid in tree.descendants(self._home.head_pid) if pid != self.pid)

    def memory_ran_out(self) -> bool:
        return self._home.memory_ran_out()

    def signal_all(self, number: signal.Signals) -> None:
        if number == signal.SIGSTOP:
            self._home.freeze()
        else:
            self._home.thaw()

    def reap(self) -> None:
        if self.exit_code is None:
            self.thaw()  # some kernels do not let anybody end who is frozen
            ended = self._home.end()
            self.exit_code, self.reaped_cpu_ns, self.largest_bytes = ended.exit_code, ended.cpu_ns, ended.peak_bytes
            self.peak_bytes = self._home.cgroups.peak_bytes() if self._home.cgroups else ended.peak_bytes

    def end(self) -> None:
        self.reap()
        if not self._home.contained and self._home.head_pid < 0:
            # It has killed its spawner: what that left behind is ours now.
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
            strays.sweep(self.mark)


def spawn(
    launch: Launch,
    limits: Limits,
    home: Sandbox | None,
    *,
    brief: bool = False,
    cores: frozenset[int] | None = None,
    words: bytes | None = None,
    mark: str | None = None,
) -> tuple[AgentProcess, bytes]:
    """Start an agent: in its home if it has one, on these ``cores`` if not where we are. Raises OSError when the operating
    system cannot.

    ``brief``: it is to answer one question and end. ``words`` are its input, if that is known already; what its pipe did
    not take is returned. So it can answer without having to wait for us. ``mark`` identifies its strays.
    """
    mark = mark or strays.agent_mark(strays.new_table(), 0)
    ends: list[int] = []
    try:
        for _ in range(3):
            ends += os.pipe2(os.O_CLOEXEC)
        child_in, stdin, stdout, child_out, stderr, child_err = ends
        ours, theirs = (stdin, stdout, stderr), (child_in, child_out, child_err)
        for fd in ours:
            os.set_blocking(fd, False)
        unsent = words[os.write(stdin, words) :] if words else b""
        if words is not None and not unsent:
            os.close(stdin)
            ends.remove(stdin)
            ours = (-1, stdout, stderr)
        process: AgentProcess
        if home:
            process = BoxedProcess.start(launch, mark, home, theirs, ours, brief=brief, cores=cores)
        else:
            with lent(cores):
                process = LooseProcess.start(launch, mark, limits, theirs, ours)
    except BaseException:
        for fd in ends:
            os.close(fd)
        raise
    for fd in theirs:
        os.close(fd)
    process.told = words is not None
    return process, unsent


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
