"""Runs one step of a build: a process with a time limit and bounded output, killed with everything it started."""

from __future__ import annotations

import contextlib
import os
import select
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from arbiter.agents.launch import strays, supervisor, tree
from arbiter.agents.launch.boxed import BoxedProcess
from arbiter.agents.launch.loose import LooseProcess
from arbiter.agents.launch.process import AgentProcess
from arbiter.agents.prepare.launch_spec import Launch
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.config.limits import Limits

_CHUNK = 1 << 16
_LOOK_NS = 50_000_000
"""How often to check what a step uses."""
_KEPT_BYTES = 1 << 16
"""How much of a build's output is kept."""

Ended = Literal["exited", "late", "flooded", "out of memory"]


@dataclass(frozen=True, slots=True)
class StepResult:
    """How a step ended."""

    ended: Ended
    exit_code: int
    """The exit status, or minus the signal for a process that was killed."""

    @property
    def good(self) -> bool:
        """Whether it exited with status 0 by itself."""
        return self.ended == "exited" and self.exit_code == 0


class Output:
    """The first part of what a step prints."""

    def __init__(self) -> None:
        self.kept = bytearray()
        self.size = 0

    def write(self, data: bytes) -> None:
        """Add what was printed."""
        self.size += len(data)
        self.kept += data[: _KEPT_BYTES - len(self.kept)]


def run_step(
    launch: Launch,
    limits: Limits,
    sandbox: Sandbox | None,
    *,
    stdin: int,
    stdout: Callable[[bytes], object],
    most_bytes: int,
    errors_too: bool = True,
) -> StepResult:
    """Run a command to its end, or until its time or its output exceeds a limit; then kill everything it started.

    Its input is read from the file ``stdin``. ``errors_too``: its standard error goes to ``stdout``, too. Raises OSError if
    it cannot be started.
    """
    with contextlib.ExitStack() as leaving:
        leaving.enter_context(supervisor.subreaper())
        leaving.enter_context(supervisor.private())
        ours, theirs = os.pipe2(os.O_CLOEXEC)
        null = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.set_blocking(ours, False)
            fds = (stdin, theirs, theirs if errors_too else null)
            process = _start(launch, limits, sandbox, fds, ours)
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(theirs)
            os.close(null)
        leaving.callback(process.kill)
        pipe = _Pipe(process.stdout, stdout, most_bytes)
        ended = _wait(process, pipe, time.monotonic_ns() + limits.build_ns, limits.memory_bytes)
        process.end()  # with what it left running, which could go on printing
        while pipe.read():
            pass
        if process.ran_out_of_memory():
            ended = "out of memory"
        return StepResult("flooded" if pipe.flooded else ended, process.exit_code or 0)


def _start(launch: Launch, limits: Limits, sandbox: Sandbox | None, theirs: Sequence[int], stdout: int) -> AgentProcess:
    mark, ours = strays.agent_mark(strays.new_table(), 0), (-1, stdout, -1)
    if sandbox is None:
        return LooseProcess.start(launch, mark, limits, theirs, ours)
    return BoxedProcess.start(launch, mark, sandbox, theirs, ours, brief=False, cores=None)


class _Pipe:
    """The end of a pipe that a step prints to."""

    def __init__(self, fd: int, sink: Callable[[bytes], object], most_bytes: int) -> None:
        self._fd, self._sink, self._left = fd, sink, most_bytes

    def read(self) -> bool:
        """Pass on what is in the pipe now; return False if it is empty or closed."""
        try:
            data = os.read(self._fd, _CHUNK)
        except BlockingIOError:
            return False
        if data:
            self._sink(data)
        self._left -= len(data)
        return bool(data)

    @property
    def flooded(self) -> bool:
        """Whether more has been read than is allowed."""
        return self._left < 0


def _wait(process: AgentProcess, pipe: _Pipe, deadline_ns: int, memory_bytes: int) -> Ended:
    """Read its output until it exits, which may be before or after the end of its output. Where the kernel limits only the memory
    of each process, check that of all together."""
    poll = select.poll()
    poll.register(process.stdout, select.POLLIN)
    poll.register(process.pidfd, select.POLLIN)
    look_ns = deadline_ns if process.kernel_limits_all else 0
    while (left_ns := deadline_ns - (now_ns := time.monotonic_ns())) > 0:
        if now_ns >= look_ns:
            look_ns = now_ns + _LOOK_NS
            pids = (process.pid, *process.helpers())
            if tree.memory_bytes(pids, memory_bytes) + process.buffer_bytes() > memory_bytes:
                return "out of memory"
        ready = dict(poll.poll(min(left_ns, look_ns - now_ns) // 1_000_000 + 1))
        if process.pidfd in ready:
            return "exited"
        if process.stdout in ready and not pipe.read():
            poll.unregister(process.stdout)
        if pipe.flooded:
            return "flooded"
    return "late"
