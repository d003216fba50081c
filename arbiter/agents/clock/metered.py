"""The interface between an agent's process and its meter."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from arbiter.agents.clock.pressure import DiskPressure, MemoryPressure
from arbiter.agents.clock.schedstat import ThreadStats


class UsageFile(NamedTuple):
    """An open file in which the kernel counts the CPU time of an agent's cgroup."""

    fd: int
    inode: int


class MeteredProcess(Protocol):
    """The interface of :class:`arbiter.agents.launch.process.AgentProcess` to its meter."""

    exit_code: int | None
    threads: ThreadStats
    preloaded: bool
    started_ns: int
    launch_wait_ns: int
    cpu_at_start_ns: int
    cpu_clock: int
    has_helped: bool

    @property
    def usage_file(self) -> UsageFile | None:
        """CPU time of everything in its sandbox; None without a cgroup."""

    @property
    def memory_pressure(self) -> MemoryPressure | None:
        """Memory stalls of the agent; None where the kernel does not report them."""

    @property
    def disk_pressure(self) -> DiskPressure | None:
        """Waits of the agent for a disk; None where the kernel does not report them."""

    def own_cpu_ns(self) -> int:
        """CPU time of the process alone."""

    def cpu_ns(self) -> int:
        """CPU time of the process and its helpers."""

    def seen_cpu_ns(self) -> int:
        """CPU time of those of its processes that are alive, without its sandbox's own."""

    def is_ready(self) -> bool:
        """Whether it is running or in the run queue."""
