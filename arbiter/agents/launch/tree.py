"""The processes an agent has started: finding, measuring, killing and reaping them. Linux only.

/proc is read directly and not through psutil. Most of this runs at every spawned move or every 50 ms while agents think, and
psutil needs 2 ms to list descendants because it scans all processes. psutil does not offer the rest: the state of each thread,
the peak of the resident set, the tracer, CPU time in nanoseconds.
"""

from __future__ import annotations

import contextlib
import functools
import os
import select
import signal
import time
from collections.abc import Iterable, Iterator, Sequence

_TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_LINKS_OF_ONE_THREAD = 3
_FEW_SOCKETS = 32
_MANY_PAGES = 1 << 19
"""Page tables count only for processes with more mapped pages than this; those of others take a few megabytes at most."""
_READ_BYTES = 8192
_EXIT_MS = 5_000
"""How long a process that was killed may take to end."""


def contents(path: str) -> bytes:
    """Return the contents of a file in /proc. The built-in ``open`` makes six more system calls, several times per move."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        data = os.read(file, _READ_BYTES)
        while more := os.read(file, _READ_BYTES):
            data += more
        return data
    finally:
        os.close(file)


def children(pid: int) -> list[int]:
    """Return the direct children of a process. The kernel lists them by the thread that forked them."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in _threads(pid):
            with contextlib.suppress(OSError):
                found += map(int, contents(f"/proc/{pid}/task/{thread}/children").split())
    return found


def _threads(pid: int) -> list[str]:
    folder = f"/proc/{pid}/task"
    # The link count saves listing the folder of a process with one thread, at every spawned move.
    return [str(pid)] if os.stat(folder).st_nlink == _LINKS_OF_ONE_THREAD else os.listdir(folder)  # noqa: PTH116, PTH208


def threads(pid: int) -> list[int]:
    """Return the thread ids of a process; none if it has ended."""
    with contextlib.suppress(OSError):
        return [int(name) for name in os.listdir(f"/proc/{pid}/task")]  # noqa: PTH208
    return []


def descendants(pid: int) -> Iterator[int]:
    """Yield all descendants of a process whose chain of parents is still alive."""
    # Not recursive: a chain of processes can be longer than the interpreter's recursion limit.
    unseen = children(pid)
    while unseen:
        child = unseen.pop()
        yield child
        unseen += children(child)


def memory_bytes(pids: Sequence[int], limit_bytes: int) -> int:
    """Return the memory of these processes together, with their page tables. Pages that they share count once per process, unless
    that alone would exceed the limit: what share each of them has takes the kernel longer to find."""
    most = sum(_resident_bytes(pid) for pid in pids)
    return most if most <= limit_bytes else sum(_resident_bytes(pid, shared_once=True) for pid in pids)


def _resident_bytes(pid: int, *, shared_once: bool = False) -> int:
    with contextlib.suppress(OSError, ValueError):
        mapped, resident = map(int, contents(f"/proc/{pid}/statm").split()[:2])
        used = (shared_once and _figure(pid, "smaps_rollup", "Pss") * 1024) or resident * os.sysconf("SC_PAGESIZE")
        return used + (_figure(pid, "status", "VmPTE") * 1024 if mapped > _MANY_PAGES else 0)
    return 0


def socket_bytes(pid: int) -> int:
    """Return how much the sockets in a process's network namespace may hold in their buffers. The first few are assumed
    to be nearly empty."""
    with contextlib.suppress(OSError, IndexError, ValueError):
        sockets = int(contents(f"/proc/{pid}/net/sockstat").split()[2])
        return max(0, sockets - _FEW_SOCKETS) * _socket_buffer()
    return 0


@functools.cache
def _socket_buffer() -> int:
    return int(contents("/proc/sys/net/core/wmem_default"))


def peak_bytes(pid: int) -> int:
    """Return the peak of a process's resident set (VmHWM); 0 if it has ended."""
    return _figure(pid, "status", "VmHWM") * 1024


def is_ready(pid: int) -> bool:
    """Return whether a thread of this process is on a core, waits for one, or is blocked in the kernel for a moment."""
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208
            with contextlib.suppress(OSError, IndexError):
                if _stat(f"{pid}/task/{thread}")[0] in (b"R", b"D"):
                    return True
    return False


def is_stopped(pid: int) -> bool:
    """Return whether a signal has stopped this process."""
    with contextlib.suppress(OSError, IndexError):
        return _stat(str(pid))[0] == b"T"
    return False


def reaped_cpu_ns(pid: int) -> int:
    """Return the CPU time of children that a process has waited for, in clock ticks of 10 ms; 0 if it has ended."""
    with contextlib.suppress(OSError, IndexError):
        figures = _stat(str(pid))
        return (int(figures[13]) + int(figures[14])) * _TICK_NS
    return 0


def _stat(task: str) -> list[bytes]:
    """Return the fields of ``stat`` of a process or thread, from its state on."""
    # The command name before them, in parentheses, may contain anything.
    return contents(f"/proc/{task}/stat").rpartition(b")")[2].split()


def cpu_ns(pids: Iterable[int]) -> int:
    """Return the CPU time of these processes together, without that of children they have waited for."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            total += time.clock_gettime_ns((~pid << 3) | 2)  # what clock_getcpuclockid(3) computes
    return total


def kill(pid: int) -> None:
    """Send SIGKILL to a process that may be gone. Ignores -1, an unknown pid here but every process to the kernel."""
    if pid <= 1:
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def kill_group_and_descendants(leader: int) -> list[int]:
    """Kill an agent that has not been reaped yet, its process group and its descendants; return the descendants."""
    below = list(descendants(leader))
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
    kill(leader)
    for pid in below:
        kill(pid)
    return below


def reap(pid: int) -> tuple[int, int] | None:
    """Reap a child of ours that has ended or was killed; return its exit status (or minus the signal) and the CPU time
    of it and the children it waited for. None if it does not end (we may not kill it, or the kernel is blocked in it),
    or if it was reaped elsewhere."""
    reaped = _try_reap(pid)
    for help_it_exit in (_wait_for_exit, _kill_tracer):
        if reaped is None:
            help_it_exit(pid)
            reaped = _try_reap(pid)
    return reaped


def _try_reap(pid: int) -> tuple[int, int] | None:
    try:
        found, status, usage = os.wait4(pid, os.WNOHANG)
    except ChildProcessError:
        return None
    if not found:
        return None
    return os.waitstatus_to_exitcode(status), round((usage.ru_utime + usage.ru_stime) * 1_000_000_000)


def _wait_for_exit(pid: int) -> None:
    try:
        pidfd = os.pidfd_open(pid)
    except OSError:  # it has been reaped, or there is no file descriptor left
        return
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    poll.poll(_EXIT_MS)
    os.close(pidfd)


def _kill_tracer(pid: int) -> None:
    """Kill the tracer of a process. A traced process that has ended can be reaped by its parent only after its tracer."""
    tracer = _figure(pid, "status", "TracerPid")
    if tracer:
        leader = _figure(tracer, "status", "Tgid") or tracer  # a thread may trace, but only a process has a pidfd
        kill(leader)
        _wait_for_exit(leader)


def _figure(pid: int, file: str, name: str) -> int:
    """Return a figure from a file about a process; 0 if it cannot be read."""
    prefix = f"{name}:".encode()
    with contextlib.suppress(OSError):
        lines = contents(f"/proc/{pid}/{file}").splitlines()
        return next((int(line.split()[1]) for line in lines if line.startswith(prefix)), 0)
    return 0
