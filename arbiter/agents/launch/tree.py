"""Finding and killing everything an agent started. Linux only; every odd line names the kernel fact behind it.

Without a sandbox this is the best a process can do for another: kill the agent's process group, kill all its
descendants, and, because the arbiter has made itself a *subreaper*, find those that cut themselves loose
(``setsid``, double fork) among its own children, where the kernel puts them.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import time
from collections.abc import Iterable, Iterator

_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_DUMPABLE = 4
_ROUNDS = 100
"""Sweeps before giving up on something that forks faster than it can be killed."""
_STEP_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_PATIENCE_MS = 5_000
"""How long something that was killed may take to end."""

MARK = "ARBITER_AGENT"
"""Environment variable that tells whose a stray process is; inherited by whatever the agent starts."""


def become_subreaper(on: bool = True) -> None:
    """From now on orphaned descendants become children of this process instead of init's."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_CHILD_SUBREAPER, int(on), 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


def become_private(on: bool = True) -> None:
    """From now on other processes of the same user cannot read our memory, environment and open files; nor can a debugger."""
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, int(not on), 0, 0, 0)


def children(pid: int) -> list[int]:
    """Direct children. The kernel lists them per thread, and a forking thread's children are that thread's."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - on the path of every spawned move
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", "rb") as listing:  # noqa: PTH123
                found += map(int, listing.read().split())
    return found


def descendants(pid: int) -> Iterator[int]:
    """Everything below ``pid`` that is still linked to it."""
    # No recursion: a chain of processes can be longer than the interpreter's stack is deep.
    unseen = children(pid)
    while unseen:
        child = unseen.pop()
        yield child
        unseen += children(child)


def helpers(leader: int, mark: str) -> Iterator[int]:
    """Everything that works for an agent: what is below it, and what has cut itself loose but carries its mark."""
    yield from descendants(leader)
    for child in children(os.getpid()):
        if child != leader and _is_stray(child, mark):
            yield child
            yield from descendants(child)


def resident_bytes(pids: Iterable[int]) -> int:
    """Memory in use by these processes together, shared pages counted every time."""
    pages = 0
    for pid in pids:
        with contextlib.suppress(OSError, IndexError, ValueError), open(f"/proc/{pid}/statm", "rb") as statm:  # noqa: PTH123
            pages += int(statm.read().split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


def peak_bytes(pid: int) -> int:
    """Most memory that a process has had in use so far; 0 if it has ended."""
    return _status(pid, "VmHWM") * 1024


def is_ready(pid: int) -> bool:
    """Whether a thread of this process runs or waits for a core."""
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/stat", "rb") as stat:  # noqa: PTH123
                # The name of the program, in brackets, may hold anything.
                if stat.read().rpartition(b")")[2].split()[0] == b"R":
                    return True
    return False


def reaped_cpu_ns(pid: int) -> int:
    """CPU time of children that a process has waited for, in steps of ten milliseconds; 0 if it has ended."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:  # noqa: PTH123
            figures = stat.read().rpartition(b")")[2].split()
        return (int(figures[13]) + int(figures[14])) * _STEP_NS
    except (OSError, IndexError):
        return 0


def cpu_ns(pids: Iterable[int]) -> int:
    """CPU time so far of these processes together, without that of children they have waited for."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            total += time.clock_gettime_ns((~pid << 3) | 2)
    return total


def kill(pid: int) -> None:
    """SIGKILL, whether or not it is still there. To the kernel −1 is everybody: whoever is not known is not killed."""
    if pid <= 1:
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def kill_group_and_descendants(leader: int) -> None:
    """Kill an agent that has not been reaped yet, its process group and everything below it."""
    below = list(descendants(leader))
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
    kill(leader)
    for pid in below:
        kill(pid)


def sweep(mine: frozenset[int], mark: str | None) -> int:
    """Kill and reap stray processes that the kernel has handed to us, with all below them.

    ``mine`` are children of ours that are none of an agent's business. With a ``mark`` only strays that
    carry it in their environment go (another agent's may still be needed); with None every stray does.
    Returns how many were killed.
    """
    killed = 0
    for _ in range(_ROUNDS):
        strays = [pid for pid in children(os.getpid()) if pid not in mine and _is_stray(pid, mark)]
        if not strays:
            break
        for stray in strays:
            below = list(descendants(stray))
            # A group dies at a blow, also one in which everybody forks and ends before it can be found by its number.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(os.getpgid(stray), signal.SIGKILL)
            for pid in [stray, *below]:
                kill(pid)
        for stray in strays:
            if reap(stray) is None:
                mine |= {stray}
            killed += 1
    return killed


def reap(pid: int) -> tuple[int, int] | None:
    """Collect a child of ours that has ended or was killed: its exit code (or minus the signal), and the CPU time that
    it and the children it waited for have used. None if it does not go, since whom we may not kill, or whom the kernel
    holds, nobody can wait for; or if somebody else has collected it."""
    collected = _collect(pid)
    for help_it_end in (_wait_for_end, _free_from_tracer):
        if collected is None:
            help_it_end(pid)
            collected = _collect(pid)
    return collected


def _collect(pid: int) -> tuple[int, int] | None:
    try:
        found, status, usage = os.wait4(pid, os.WNOHANG)
    except ChildProcessError:
        return None
    if not found:
        return None
    return os.waitstatus_to_exitcode(status), round((usage.ru_utime + usage.ru_stime) * 1_000_000_000)


def _wait_for_end(pid: int) -> None:
    try:
        pidfd = os.pidfd_open(pid)
    except OSError:  # it is gone, or there is no descriptor left to wait with
        return
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    poll.poll(_PATIENCE_MS)
    os.close(pidfd)


def _free_from_tracer(pid: int) -> None:
    """A process that has ended while it was traced is shown to its tracer first: its parent waits until that is gone."""
    tracer = _status(pid, "TracerPid")
    if tracer:
        leader = _status(tracer, "Tgid") or tracer  # a thread may trace, but only a process can be waited for
        kill(leader)
        _wait_for_end(leader)


def _status(pid: int, name: str) -> int:
    with contextlib.suppress(OSError), open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as status:  # noqa: PTH123
        return next((int(line.split()[1]) for line in status if line.startswith(f"{name}:")), 0)
    return 0


def _is_stray(pid: int, mark: str | None) -> bool:
    """Agents run in sessions of their own, so nothing in our session is one of theirs."""
    try:
        return os.getsid(pid) != os.getsid(0) and (mark is None or _carries(pid, mark))
    except OSError:
        return True


def _carries(pid: int, mark: str) -> bool:
    try:
        with open(f"/proc/{pid}/environ", "rb") as environ:  # noqa: PTH123
            words = environ.read()
        # Some kernels show a process that has ended without its environment: nobody needs it any more.
        return f"{MARK}={mark}".encode() in words.split(b"\0") if words else _has_ended(pid)
    except OSError:
        # Not readable: it made itself undumpable, which no agent of good will needs to.
        return True


def _has_ended(child: int) -> bool:
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
