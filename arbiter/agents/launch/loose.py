"""A process without a sandbox: a child of the arbiter, whose descendants are tracked as far as the kernel allows.

It is started by :class:`subprocess.Popen`, which uses vfork as long as neither ``preexec_fn`` nor a user is given: forking a
large Python process takes thirty times as long. Its limits are therefore set from outside, with prlimit, right after the
spawn.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence

from arbiter.agents.launch import strays, tree
from arbiter.agents.launch.process import AgentProcess
from arbiter.agents.prepare.launch_spec import Launch
from arbiter.agents.sandbox.configure import NO_CORE_DUMP
from arbiter.config.limits import Limits


class LooseProcess(AgentProcess):
    """An agent's process outside of any sandbox."""

    __slots__ = ("_popen",)

    def __init__(self, launch: Launch, mark: str, popen: subprocess.Popen[bytes], pipes: tuple[int, int, int]) -> None:
        super().__init__(launch, mark, popen.pid, os.pidfd_open(popen.pid), pipes)
        self._popen = popen

    @classmethod
    def start(
        cls, launch: Launch, mark: str, limits: Limits, theirs: Sequence[int], ours: tuple[int, int, int]
    ) -> LooseProcess:
        """Spawn it. Raises OSError when the operating system refuses."""
        with contextlib.ExitStack() as on_failure:
            started_ns = time.monotonic_ns()
            with strays.inherited(mark):
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

    def pause(self) -> None:
        if self.exit_code is None:
            self.paused = not tree.is_stopped(self.pid)
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        if self.exit_code is None and self.paused:
            self.paused = False
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGCONT)

    def signal_all(self, number: signal.Signals) -> None:
        below = list(tree.descendants(self.pid))
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)
        for pid in below:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)

    def reap(self) -> None:
        if self.exit_code is None:
            # The pid of a zombie, and so its process group, cannot be reused by another process.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
            # A process that cannot be reaped is left behind: we cannot do more than send it SIGKILL.
            self.exit_code, self.reaped_cpu_ns = tree.reap(self.pid) or (-signal.SIGKILL, 0)
            self._popen.returncode = self.exit_code

    def end(self) -> None:
        family: list[int] = []
        if self.exit_code is None:
            # The peak in the rusage of a reaped child would include memory of its parent, from before its exec.
            self.peak_bytes = self.largest_bytes = tree.peak_bytes(self.pid)
            family = tree.kill_group_and_descendants(self.pid)
        self.reap()
        strays.sweep(self.mark, session=self.pid, family=family)


def _limit(pid: int, limits: Limits) -> None:
    # A process that has ended already, or changed its user by being set-uid, cannot be limited.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        # DATA rather than AS: Java and node reserve address space that they never use.
        _, most = resource.prlimit(pid, resource.RLIMIT_DATA)
        # Only root may exceed the limit that the arbiter itself was started with.
        memory = limits.memory_bytes if most == resource.RLIM_INFINITY else min(limits.memory_bytes, most)
        resource.prlimit(pid, resource.RLIMIT_DATA, (memory, memory))
        _, most = resource.prlimit(pid, resource.RLIMIT_CORE)
        core = min(NO_CORE_DUMP, most) if most != resource.RLIM_INFINITY else NO_CORE_DUMP
        resource.prlimit(pid, resource.RLIMIT_CORE, (core, core))


def _discard(popen: subprocess.Popen[bytes]) -> None:
    """Kill a process that was started but cannot be supervised."""
    tree.kill_group_and_descendants(popen.pid)
    code, _ = tree.reap(popen.pid) or (-signal.SIGKILL, 0)
    popen.returncode = code
