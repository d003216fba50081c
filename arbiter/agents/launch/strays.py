"""Stray processes: what agents without namespaces left behind when their parents died, and whose they are.

The kernel makes such orphans children of the arbiter, which is a subreaper (:mod:`arbiter.agents.launch.supervisor`). But the
arbiter may run inside a larger program, whose own children must be neither killed nor reaped. Nothing in the kernel tells a
child that was adopted from one that was forked, so every process of an agent carries a mark that its descendants inherit,
in two places:

- an environment variable. It is there from the first instant, but cannot be read once the process has ended, nor, by an
  ordinary user, while the process is not dumpable; and a process may start another one without it.
- the resource limit on file locks, which Linux stopped enforcing long ago. The arbiter can set it only just after the
  spawn, but anyone can read it, also of a process that is not dumpable and of a zombie, and only root can raise it.

A child of ours is an agent's stray if it is not in our session (agents start in sessions of their own) and carries the mark
in at least one of them. Anything else is left alone. So a process that gets rid of both survives, and one that was forked
before its parent got the limit and ends before it is swept stays a zombie until the arbiter exits; only levels with
namespaces guarantee more.

A mark reads ``PID-TABLE-SEAT``: the arbiter's pid, a random number, the seat. ``PID-TABLE`` and ``PID`` stand for all that
begin like this.
"""

from __future__ import annotations

import contextlib
import os
import resource
import secrets
import signal
from collections.abc import Iterator

from arbiter.agents.launch import tree

VARIABLE = "ARBITER_AGENT"
_RLIMIT_LOCKS = 10
"""RLIMIT_LOCKS, which the module `resource` does not name."""
_TABLE_BYTES, _SEAT_BITS = 3, 16
_ROUNDS = 100
"""Sweeps before giving up on something that forks faster than it can be killed."""


def new_table() -> str:
    """Return a mark for all agents of a new table."""
    return f"{os.getpid()}-{secrets.token_hex(_TABLE_BYTES)}"


def agent_mark(table: str, seat: int) -> str:
    """Return the mark of one agent."""
    return f"{table}-{seat}"


def mark_process(pid: int, mark: str) -> None:
    """Set the mark as a resource limit, as soon after the spawn as possible. The caller put it into the environment."""
    arbiter, table, seat = mark.split("-")
    value = (int(arbiter) << 8 * _TABLE_BYTES | int(table, 16)) << _SEAT_BITS | int(seat)
    # It may have ended, run a set-uid program, or have a lower limit, from an arbiter that we are an agent of.
    with contextlib.suppress(OSError, ValueError):
        resource.prlimit(pid, _RLIMIT_LOCKS, (value, value))


def has_mark(pid: int, *marks: str) -> bool:
    """Return whether a process carries one of these marks, or one that begins with it."""
    return any(found == mark or found.startswith(f"{mark}-") for found in _marks_of(pid) for mark in marks)


def _marks_of(pid: int) -> Iterator[str]:
    with contextlib.suppress(OSError):
        _, value = resource.prlimit(pid, _RLIMIT_LOCKS)
        if value != resource.RLIM_INFINITY:
            rest, seat = value >> _SEAT_BITS, value & ((1 << _SEAT_BITS) - 1)
            arbiter, table = rest >> 8 * _TABLE_BYTES, rest & ((1 << 8 * _TABLE_BYTES) - 1)
            yield f"{arbiter}-{table:0{2 * _TABLE_BYTES}x}-{seat}"
    variable = f"{VARIABLE}=".encode()
    with contextlib.suppress(OSError), open(f"/proc/{pid}/environ", "rb") as environ:  # noqa: PTH123 - on the path of every spawned move
        yield from (
            word[len(variable) :].decode(errors="replace")
            for word in environ.read().split(b"\0")
            if word.startswith(variable)
        )


def _strays(*marks: str) -> Iterator[int]:
    """Yield those of our children that are strays with one of these marks."""
    own_session = os.getsid(0)
    for child in tree.children(os.getpid()):
        with contextlib.suppress(ProcessLookupError):
            if os.getsid(child) != own_session and has_mark(child, *marks):
                yield child


def helpers(leader: int, mark: str) -> Iterator[int]:
    """Yield the other processes of an agent: descendants of its first process, and strays with theirs."""
    yield from tree.descendants(leader)
    for child in _strays(mark):
        if child != leader:
            yield child
            yield from tree.descendants(child)


def sweep(*marks: str) -> int:
    """Kill and reap strays with one of these marks, and their descendants; return how many strays there were."""
    killed = 0
    stuck: set[int] = set()
    for _ in range(_ROUNDS):
        found = [pid for pid in _strays(*marks) if pid not in stuck]
        if not found:
            break
        for stray in found:
            below = list(tree.descendants(stray))
            # One signal reaches the whole process group, even where processes fork and exit too fast to be listed.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(os.getpgid(stray), signal.SIGKILL)
            for pid in [stray, *below]:
                tree.kill(pid)
        for stray in found:
            if tree.reap(stray) is None:
                stuck.add(stray)
            killed += 1
    return killed
