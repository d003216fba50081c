"""One agent's process: its pipes, its clocks, and how it is killed with everything it started.

Theory of operation
-------------------
The arbiter makes three pipes and has a process started in a session of its own (:mod:`arbiter.agents.launch.spawn`). It
keeps the far ends non-blocking and polls them together with a pidfd that becomes readable when the process ends
(:mod:`arbiter.agents.ask.poller`). Nothing here blocks, and nothing here knows the rules of any game.

A *boxed* process (:mod:`arbiter.agents.launch.boxed`) is spawned inside its agent's sandbox by the spawner there, which is
its parent and kills it. A *loose* one (:mod:`arbiter.agents.launch.loose`), without a sandbox, is a child of the arbiter.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator

from arbiter.agents.clock.metered import UsageFile
from arbiter.agents.clock.pressure import DiskPressure, MemoryPressure
from arbiter.agents.clock.schedstat import ThreadStats
from arbiter.agents.launch import cores as cores_of
from arbiter.agents.launch import tree
from arbiter.agents.prepare.launch_spec import Launch

CHUNK = 65536
"""A pipe holds this much by default, so one read usually empties it."""


class AgentProcess(ABC):
    """A running agent. Created by :func:`arbiter.agents.launch.spawn.spawn`; always ended by :meth:`kill`."""

    __slots__ = (
        "aside", "cpu_at_start_ns", "cpu_clock", "exit_code", "frozen", "has_helped", "largest_bytes", "launch", "launch_wait_ns", "mark", "paused", "peak_bytes", "pid", "pidfd", "preloaded",
        "reaped_cpu_ns", "started_ns", "stderr", "stdin", "stdout", "threads",
    )  # fmt: skip

    def __init__(self, launch: Launch, mark: str, pid: int, pidfd: int, pipes: tuple[int, int, int]) -> None:
        self.launch, self.mark, self.pid, self.pidfd = launch, mark, pid, pidfd
        self.stdin, self.stdout, self.stderr = pipes
        self.threads = ThreadStats(pid, self.helpers)
        self.cpu_clock = (~pid << 3) | 2
        """Id of the process's CPU clock, as clock_getcpuclockid(3) computes it."""
        self.exit_code: int | None = None
        """Exit code, or minus the signal, once reaped."""
        self.reaped_cpu_ns = 0
        self.peak_bytes = 0
        """Peak memory use, once killed; 0 if unknown."""
        self.largest_bytes = 0
        """Peak memory use of its largest process alone, without the page cache."""
        self.frozen = False
        self.paused = False
        """Whether it was stopped by :meth:`pause`."""
        self.aside = ""
        """How it is kept off the core while others are asked, in words; empty while it is not."""
        self.started_ns = self.launch_wait_ns = self.cpu_at_start_ns = 0
        """When it was spawned, the run-queue wait of its spawner meanwhile, and what :meth:`cpu_ns` was then."""
        self.has_helped = False
        """Whether :meth:`cpu_ns` may exceed the CPU time of the process itself."""
        self.preloaded = False
        """Whether the prompt was in the pipe before the process started."""

    def own_cpu_ns(self) -> int:
        """Return the CPU time of all its threads; once reaped, also that of children it waited for."""
        if self.exit_code is not None:
            return self.reaped_cpu_ns
        try:
            return time.clock_gettime_ns(self.cpu_clock)
        except OSError:
            return 0

    def cpu_ns(self) -> int:
        """Return the CPU time of all known processes of the agent, running or not."""
        return self.seen_cpu_ns()

    def seen_cpu_ns(self) -> int:
        """Return the CPU time of its process, of children that it waited for, and of those that are alive."""
        if self.exit_code is not None:
            return self.reaped_cpu_ns
        others_ns = tree.reaped_cpu_ns(self.pid) + tree.cpu_ns(self.helpers())
        self.has_helped = self.has_helped or bool(others_ns)
        return self.own_cpu_ns() + others_ns

    def known_cpu_ns(self) -> int:
        """Return :meth:`cpu_ns`, but without looking for helpers if there were none before."""
        return self.cpu_ns() if self.has_helped else self.own_cpu_ns()

    def is_ready(self) -> bool:
        """Whether any thread of the agent is running or in the run queue."""
        return self.exit_code is None and any(map(tree.is_ready, (self.pid, *self.helpers())))

    @abstractmethod
    def helpers(self) -> Iterator[int]:
        """Yield the pids of the agent's other processes."""

    @abstractmethod
    def reap(self) -> None:
        """Reap a process that has ended (its pidfd is readable) or was killed; harmless if already done."""

    @abstractmethod
    def end(self) -> None:
        """Kill it, its descendants and its strays."""

    @abstractmethod
    def signal_all(self, number: signal.Signals) -> None:
        """Send a signal to it and everything it started."""

    @property
    def kernel_limits_all(self) -> bool:
        """Whether the kernel itself limits memory and processes of the agent as a whole."""
        return False

    @property
    def counts_all_cpu(self) -> bool:
        """Whether :meth:`cpu_ns` includes every process that the agent ever started."""
        return False

    @property
    def usage_file(self) -> UsageFile | None:
        """CPU time of everything in its sandbox; None without a cgroup."""
        return None

    @property
    def memory_pressure(self) -> MemoryPressure | None:
        """Memory stalls of the agent; None where the kernel does not report them."""
        return None

    @property
    def disk_pressure(self) -> DiskPressure | None:
        """Waits of the agent for a disk; None where the kernel does not report them."""
        return None

    def buffer_bytes(self) -> int:
        """Return the known upper bound of kernel memory held by the agent's sockets."""
        return 0

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel reports that it killed a process of the agent because it was out of memory."""
        return False

    def pause(self) -> None:
        """Stop a process whose turn is over: killing it now would delay the agents that are still being asked."""
        if self.exit_code is None:
            self.paused = not tree.is_stopped(self.pid)
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(self.pidfd, signal.SIGSTOP)

    def resume(self) -> None:
        """Undo :meth:`pause`, unless the agent had stopped itself before."""
        if self.exit_code is None and self.paused:
            self.paused = False
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(self.pidfd, signal.SIGCONT)

    @property
    def stays_frozen(self) -> bool:
        """Whether the agent cannot undo :meth:`freeze`."""
        return False

    def freeze(self) -> None:
        """Stop all processes of the agent until :meth:`thaw`."""
        if self.exit_code is None and not self.frozen:
            self.signal_all(signal.SIGSTOP)
            self.frozen = True

    def thaw(self) -> None:
        """Let all processes of the agent continue."""
        if self.frozen:
            self.signal_all(signal.SIGCONT)
            self.frozen = False

    def step_aside(self, spare: Collection[int] = ()) -> None:
        """Keep the agent off the core until :meth:`step_back`: move it to ``spare`` cores if there are any, or freeze it."""
        if self.exit_code is not None or self.aside:
            return
        if spare:
            self._move(spare)
            self.aside = "kept on another core"
        else:
            self.freeze()
            self.aside = "stopped"

    def step_back(self, home: Collection[int] = ()) -> None:
        """Let the agent use the core again, or its ``home`` cores."""
        if self.aside == "kept on another core":
            self._move(home or os.sched_getaffinity(0))
        elif self.aside == "stopped":
            self.thaw()
        self.aside = ""

    def _move(self, cores: Collection[int]) -> None:
        cores_of.move((self.pid, *self.helpers()), cores)

    def close_stdin(self) -> None:
        """Close its standard input: the agent reads end of file."""
        if self.stdin >= 0:
            os.close(self.stdin)
            self.stdin = -1

    def kill(self) -> None:
        """Kill it with everything it started, and close all descriptors."""
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
