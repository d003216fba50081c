"""The spawner: PID 1 of a box with namespaces, the parent of the agent's processes in any box."""

from __future__ import annotations

import _socket
import marshal
import os
import struct
import time

from .config import SpawnRequest
from .kernel import SIGCHLD, SIGCONT, SIGKILL, SIGSTOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Sequence

    Ancillary = list[tuple[int, int, bytes]]
else:
    import _signal

MSG_CMSG_CLOEXEC = 0x40000000
_C_LIBRARY_SIGNALS = (32, 33)
CATCHABLE_SIGNALS = [number for number in range(1, 65) if number not in (SIGKILL, SIGSTOP, *_C_LIBRARY_SIGNALS)]
"""Signals to reset to their defaults. Without those that the C library keeps for itself, one call each suffices; for
signals left out of the list it would query every one first."""
LARGEST_REQUEST = 1 << 20
"""More does not fit into a socket's buffer."""
REPLY = struct.Struct("<qqqq")
"""An error number, then three figures that depend on the request."""


def pack_fds(*fds: int) -> Ancillary:
    """Return the ancillary data that passes file descriptors."""
    return [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack(f"{len(fds)}i", *fds))]


def unpack_fds(ancillary: Ancillary) -> list[int]:
    return [fd for _, _, data in ancillary for fd in struct.unpack(f"{len(data) // 4}i", data)]


class Spawner:
    """Carries out the arbiter's requests, one after the other."""

    def __init__(self, control: _socket.socket, reaches_box_only: bool, oom_score: int) -> None:
        """``reaches_box_only``: our signals reach nothing but the processes in the box. Then one kill(-1) reaches them
        all, without missing any that fork meanwhile. ``oom_score`` is our open ``oom_score_adj``."""
        self.control, self.reaches_box_only, self.oom_score = control, reaches_box_only, oom_score
        self.own_oom_score = os.pread(oom_score, 16, 0)
        self.leader = 0
        """The agent's process, as long as it has not been reaped."""
        self.brief = False
        _signal.signal(SIGCHLD, self.reap_orphans)

    def serve(self) -> None:
        """Carry out requests until the arbiter closes the socket or dies."""
        data = bytearray(LARGEST_REQUEST)
        try:
            while True:
                size, ancillary, _, _ = self.control.recvmsg_into([data], 64, MSG_CMSG_CLOEXEC)
                if not size:
                    break
                request, *arguments = marshal.loads(data)
                if request == "spawn":
                    self.spawn(unpack_fds(ancillary), SpawnRequest(*arguments))
                elif request == "end":
                    self.reply(0, self.kill_all())
                else:
                    self.signal_all(SIGSTOP if request == "stop" else SIGCONT)
                    self.reply()
        finally:
            self.kill_all()

    def reply(self, error: int = 0, figures: tuple[int, int, int] = (0, 0, 0), pidfd: int | None = None) -> None:
        self.control.sendmsg([REPLY.pack(error, *figures)], [] if pidfd is None else pack_fds(pidfd))

    def spawn(self, pipes: Sequence[int], request: SpawnRequest) -> None:
        """Start a process with these pipes as its stdin, stdout and stderr; reply with its start time and pidfd."""
        if request.brief != self.brief:
            # Orphans of an agent that lives for one move are reaped with it; a SIGCHLD for each would slow the move down.
            self.brief = request.brief
            _signal.signal(SIGCHLD, _signal.SIG_DFL if request.brief else self.reap_orphans)
        actions = [(os.POSIX_SPAWN_DUP2, pipe, fd) for fd, pipe in enumerate(pipes)]
        argv, environment, folder, _ = request
        pidfd = None
        try:
            os.chdir(folder)
            # Agents inherit our score: when memory runs out the kernel is to kill them, not the box.
            os.pwrite(self.oom_score, b"1000", 0)
            started_ns = time.monotonic_ns()
            self.leader = os.posix_spawn(
                argv[0], argv, environment, file_actions=actions, setsid=True, setsigmask=(), setsigdef=CATCHABLE_SIGNALS,
            )  # fmt: skip
            pidfd = os.pidfd_open(self.leader)
            self.reply(0, (started_ns, 0, 0), pidfd)
        except OSError as error:
            self.reply(error.errno or 0)
        finally:
            os.pwrite(self.oom_score, self.own_oom_score, 0)
            for fd in (*pipes, *([pidfd] if pidfd is not None else ())):
                os.close(fd)

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
        while True:
            try:
                pid, status, usage = os.wait4(-1, how)
            except ChildProcessError:
                return report
            if pid == leader:
                seconds = usage.ru_utime + usage.ru_stime
                report = (os.waitstatus_to_exitcode(status), round(seconds * 1e9), usage.ru_maxrss * 1024)
            if not pid or how == 0:
                self.signal_all(SIGKILL)
                how = 0

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
