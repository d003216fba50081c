"""The spawner: PID 1 of a box with namespaces, the parent of the agent's processes in any box."""

from __future__ import annotations

import _socket
import ctypes
import marshal
import os
import struct
import time

from .config import AGAIN, CONTINUE, END, STOP, SpawnRequest
from .kernel import SIGCHLD, SIGCONT, SIGKILL, SIGSTOP, libc
from .program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Sequence

    Ancillary = list[tuple[int, int, bytes]]
else:
    import _signal

_EINTR = 4
_USAGE_BYTES = 256
"""More than a ``struct rusage`` takes."""
_USAGE = struct.Struct("<5q")
"""Its first fields: user and system time, each in seconds and microseconds, and the peak of the resident set in kilobytes."""
MSG_CMSG_CLOEXEC = 0x40000000
LARGEST_REQUEST = 1 << 20
"""The most that fits into a socket's buffer."""
REPLY = struct.Struct("<qqqq")
"""An error number, then three figures that depend on the request."""


def pack_fds(*fds: int) -> Ancillary:
    """Return the ancillary data that passes file descriptors."""
    return [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack(f"{len(fds)}i", *fds))]


def unpack_fds(ancillary: Ancillary) -> list[int]:
    return [fd for _, _, data in ancillary for fd in struct.unpack(f"{len(data) // 4}i", data)]


class Reaper:
    """Reaps children with wait4(2), one at a time. ``os.wait4`` converts sixteen numbers where three are needed, and raises an
    exception when no child is left."""

    def __init__(self) -> None:
        self._status = ctypes.c_int()
        self._status_pointer = ctypes.pointer(self._status)
        self._usage = ctypes.create_string_buffer(_USAGE_BYTES)

    def wait(self, options: int) -> int:
        """Reap any child and return its pid: 0 if none has ended, -1 if there is none."""
        while True:
            pid: int = libc.wait4(-1, self._status_pointer, options, self._usage)
            if pid >= 0 or ctypes.get_errno() != _EINTR:
                return pid

    def report(self) -> tuple[int, int, int]:
        """Return the exit code, or minus the signal, of the child reaped last, with the CPU time in nanoseconds and the peak memory
        in bytes of the child and the children it waited for."""
        user_s, user_us, system_s, system_us, peak_kb = _USAGE.unpack_from(self._usage)
        cpu_us = (user_s + system_s) * 1_000_000 + user_us + system_us
        return os.waitstatus_to_exitcode(self._status.value), cpu_us * 1000, peak_kb * 1024


class Spawner:
    """Carries out the arbiter's requests, one after the other."""

    def __init__(self, control: _socket.socket, namespaces: bool, scoped: bool, oom_score: int, waits: int) -> None:
        """``scoped``: our signals reach only the processes in the box, as they do with ``namespaces``. Then one kill(-1)
        reaches them all, including any that fork meanwhile. ``oom_score`` is our open ``oom_score_adj``, ``waits`` our open
        ``schedstat``, -1 without one."""
        self.control, self.oom_score, self.waits = control, oom_score, waits
        self.namespaces, self.reaches_box_only = namespaces, namespaces or scoped
        self.own_oom_score = os.pread(oom_score, 16, 0)
        self.reaper = Reaper()
        self.leader = 0
        """The agent's process, as long as it has not been reaped."""
        self.program: Program | None = None
        """The last program that was spawned; usually it is spawned again."""
        self.brief = False
        _signal.signal(SIGCHLD, self.reap_orphans)

    def serve(self) -> None:
        """Carry out requests until the arbiter closes the socket or dies."""
        data = bytearray(LARGEST_REQUEST)
        signals = {STOP: SIGSTOP, CONTINUE: SIGCONT}
        try:
            while True:
                size, ancillary, _, _ = self.control.recvmsg_into([data], 64, MSG_CMSG_CLOEXEC)
                if not size:
                    break
                request = bytes(data[:size])
                if request == END:
                    self.reply(0, self.kill_all())
                elif request in signals:
                    self.signal_all(signals[request])
                    self.reply()
                else:
                    self.spawn(unpack_fds(ancillary), request)
        finally:
            self.kill_all()

    def reply(self, error: int = 0, figures: tuple[int, int, int] = (0, 0, 0), fds: Sequence[int] = ()) -> None:
        self.control.sendmsg([REPLY.pack(error, *figures)], pack_fds(*fds) if fds else [])

    def spawn(self, pipes: Sequence[int], request: bytes) -> None:
        """Start a process with these pipes as its stdin, stdout and stderr; reply with its start time, for how long we were in
        the run queue since then, and its pidfd."""
        error = started_ns = waited_ns = 0
        pidfds: list[int] = []
        try:
            program = self.program_of(request)
            # Agents inherit our score: when memory runs out the kernel is to kill them, not the box.
            os.pwrite(self.oom_score, b"1000", 0)
            waited_ns = self.waited_ns()
            started_ns = time.monotonic_ns()
            self.leader = program.spawn(pipes)
            pidfds.append(os.pidfd_open(self.leader))
            waited_ns = self.waited_ns() - waited_ns
        except OSError as failure:
            error = failure.errno or 0
        os.pwrite(self.oom_score, self.own_oom_score, 0)
        for fd in pipes:
            os.close(fd)
        self.reply(error, (started_ns, waited_ns, 0), pidfds)  # last: it wakes the arbiter
        for fd in pidfds:
            os.close(fd)

    def waited_ns(self) -> int:
        """Return our run-queue wait; 0 where the kernel does not report it."""
        return int(os.pread(self.waits, 64, 0).split()[1]) if self.waits >= 0 else 0

    def program_of(self, request: bytes) -> Program:
        """Return the program that is asked for, having entered its folder."""
        program = self.program
        if request != AGAIN or program is None:
            self.program = None  # until this one is known to be valid
            program = Program(SpawnRequest(*marshal.loads(request)))
        if program is not self.program or not self.namespaces:  # a folder that is not a mount could have been replaced
            os.chdir(program.folder)
        if program.brief != self.brief:
            # Orphans of an agent that lives for one move are reaped with it; a SIGCHLD for each would slow the move down.
            self.brief = program.brief
            _signal.signal(SIGCHLD, _signal.SIG_DFL if program.brief else self.reap_orphans)
        self.program = program
        return program

    def signal_all(self, number: int) -> None:
        for pid in (-1,) if self.reaches_box_only else descendants():
            try:
                os.kill(pid, number)
            except OSError:
                pass

    def kill_all(self) -> tuple[int, int, int]:
        """Kill and reap everything but ourselves; return the agent's exit code (or minus the signal), the CPU time in
        nanoseconds and the peak memory in bytes of it and the children it waited for."""
        leader, self.leader = self.leader, 0  # from here on reap_orphans reaps nothing
        report = (0, 0, 0)
        how = os.WNOHANG  # most agents have exited by themselves and left nothing to kill
        while (pid := self.reaper.wait(how)) >= 0:
            if pid == leader:
                report = self.reaper.report()
            if not pid or how == 0:
                self.signal_all(SIGKILL)
                how = 0
        return report

    def reap_orphans(self, *_: object) -> None:
        """Reap processes whose parents have died; not the agent itself, whose clocks the arbiter reads until it ends it."""
        while self.leader:
            try:
                ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                if ended is None or ended.si_pid == self.leader:
                    return
                os.waitpid(ended.si_pid, os.WNOHANG)
            except OSError:
                return


def descendants() -> list[int]:
    found: list[int] = []
    unseen = children("self")
    while unseen:
        found.append(unseen.pop())
        unseen += children(found[-1])
    return found


def children(pid: int | str) -> list[int]:
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as listing:
                found += map(int, listing.read().split())
    except OSError:
        pass
    return found
