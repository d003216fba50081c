"""A process in a sandbox. The box holds one agent only, so killing everything in it ends the agent."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Collection, Iterator, Sequence

from arbiter.agents.clock.metered import UsageFile
from arbiter.agents.clock.pressure import DiskPressure, MemoryPressure
from arbiter.agents.launch import strays, tree
from arbiter.agents.launch.process import AgentProcess
from arbiter.agents.prepare.launch_spec import Launch
from arbiter.agents.sandbox._box.counter import read_counter
from arbiter.agents.sandbox.box import BoxFailed, pid_of
from arbiter.agents.sandbox.sandbox import Sandbox

_ATTEMPTS = 2
_GIVES_WAY = "given only what others leave of the core"


class SpawnerKilled(OSError):
    """An agent without a pid namespace killed its spawner before the spawner could reply."""


class SpawnerCounter:
    """CPU time of everything that a spawner has started, by its perf event; processes that exit unseen included."""

    def __init__(self, fd: int, spawner: int) -> None:
        self._fd, self._clock = fd, (~spawner << 3) | 2

    def cpu_ns(self) -> int:
        """Return the CPU time so far. Raises OSError when the spawner is gone."""
        own_ns = time.clock_gettime_ns(self._clock)
        return read_counter(self._fd) - own_ns


class BoxedProcess(AgentProcess):
    """An agent's process in its sandbox, whose spawner is its parent."""

    __slots__ = ("_sandbox", "_session", "_total")

    def __init__(
        self, launch: Launch, mark: str, sandbox: Sandbox, ids: tuple[int, int], pipes: tuple[int, int, int]
    ) -> None:
        super().__init__(launch, mark, *ids, pipes)
        self._sandbox = sandbox
        self._session = 0
        """The session of its sandbox without namespaces, which is led by the spawner."""
        self._total: SpawnerCounter | None = None
        """Counts everything it started, if it has no cgroup."""

    @classmethod
    def start(
        cls,
        launch: Launch,
        mark: str,
        sandbox: Sandbox,
        theirs: Sequence[int],
        ours: tuple[int, int, int],
        *,
        brief: bool,
        cores: frozenset[int] | None,
    ) -> BoxedProcess:
        """Spawn it. Raises OSError when the operating system or the sandbox refuses, SpawnerKilled when the agent has killed
        its spawner meanwhile."""
        environment = launch.environment
        if not sandbox.contained:
            environment = {**environment, strays.VARIABLE: mark}
        for attempt in range(_ATTEMPTS):
            asked = False
            try:
                box = sandbox.box()
                box.place(cores)
                if sandbox.cgroups:
                    sandbox.cgroups.reset_peak()
                    box.stop_counting()  # which would slow down every turn
                total = SpawnerCounter(box.counter, box.pid) if box.counter >= 0 else None
                cpu_ns = sandbox.cgroups.cpu_ns() if sandbox.cgroups else total.cpu_ns() if total else 0
                asked = True
                pidfd, started_ns, waited_ns = box.spawn(launch.argv, environment, launch.folder, theirs, brief=brief)
                break
            except BoxFailed as failure:  # the box may have been broken by an earlier process: retry in a new one
                if not sandbox.contained:  # the agent may run nevertheless, and break the next box
                    strays.sweep(mark)
                if attempt == _ATTEMPTS - 1:
                    kind = SpawnerKilled if asked and not sandbox.contained else OSError
                    raise kind(0, str(failure)) from None
        try:
            pid = pid_of(pidfd)
            if pid <= 0:
                raise OSError(0, "ended together with its sandbox")
        except OSError:
            sandbox.end()
            os.close(pidfd)
            raise
        if not sandbox.contained:
            strays.mark_process(pid, mark)
        process = cls(launch, mark, sandbox, (pid, pidfd), ours)
        process._total = total
        process._session = 0 if sandbox.contained else box.pid
        process.started_ns, process.launch_wait_ns, process.cpu_at_start_ns = started_ns, waited_ns, cpu_ns
        process.has_helped = bool(sandbox.cgroups or total)
        return process

    def cpu_ns(self) -> int:
        if self._sandbox.cgroups:
            return self._sandbox.cgroups.cpu_ns()
        if self._total:
            with contextlib.suppress(OSError):  # its spawner is gone
                return max(self.reaped_cpu_ns + self.cpu_at_start_ns, self._total.cpu_ns())
            return self.reaped_cpu_ns + self.cpu_at_start_ns
        return self.seen_cpu_ns()

    def helpers(self) -> Iterator[int]:
        return (pid for pid in tree.descendants(self._sandbox.head_pid) if pid != self.pid)

    @property
    def kernel_limits_all(self) -> bool:
        return self._sandbox.cgroups is not None

    @property
    def counts_all_cpu(self) -> bool:
        return self._sandbox.cgroups is not None or self._total is not None

    @property
    def usage_file(self) -> UsageFile | None:
        return self._sandbox.cgroups.usage_file if self._sandbox.cgroups else None

    @property
    def memory_pressure(self) -> MemoryPressure | None:
        return self._sandbox.cgroups.pressure if self._sandbox.cgroups else None

    @property
    def disk_pressure(self) -> DiskPressure | None:
        return self._sandbox.cgroups.disk_pressure if self._sandbox.cgroups else None

    def buffer_bytes(self) -> int:
        return tree.socket_bytes(self._sandbox.head_pid) if self._sandbox.contained else 0

    def ran_out_of_memory(self) -> bool:
        return self._sandbox.memory_ran_out()

    def signal_all(self, number: signal.Signals) -> None:
        if number == signal.SIGSTOP:
            self._sandbox.freeze()
        else:
            self._sandbox.thaw()

    @property
    def stays_frozen(self) -> bool:
        cgroups = self._sandbox.cgroups
        return cgroups is not None and cgroups.can_freeze

    def step_aside(self, spare: Collection[int] = ()) -> None:
        if self.exit_code is None and not self.aside and self._sandbox.give_way():
            self.aside = _GIVES_WAY
        super().step_aside(spare)

    def step_back(self, home: Collection[int] = ()) -> None:
        if self.aside == _GIVES_WAY:
            self._sandbox.share_equally()
        super().step_back(home)

    def reap(self) -> None:
        if self.exit_code is None:
            self.step_back()
            self.thaw()  # the spawner, which ends it, is frozen with it
            ended = self._sandbox.end()
            self.exit_code, self.reaped_cpu_ns, self.largest_bytes = ended.exit_code, ended.cpu_ns, ended.peak_bytes
            self.peak_bytes = self._sandbox.cgroups.peak_bytes() if self._sandbox.cgroups else ended.peak_bytes

    def end(self) -> None:
        self.reap()
        if not self._sandbox.contained and self._sandbox.head_pid < 0:
            # The agent has killed its spawner, so its remaining processes were re-parented to us.
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
            strays.sweep(self.mark, session=self._session)
