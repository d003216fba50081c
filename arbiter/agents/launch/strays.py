"""Stray processes: orphans of agents without namespaces, and which agent each belongs to.

The kernel makes such orphans children of the arbiter, which is a subreaper (:mod:`arbiter.agents.launch.supervisor`). But the
arbiter may run inside a larger program, whose own children must be neither killed nor reaped. Nothing in the kernel tells a
child that was adopted from one that was forked, so every process of an agent carries a mark that its descendants inherit,
in two places:

- an environment variable. It cannot be read once the process has ended, nor, by an ordinary user, while the process is not
  dumpable; and a process may start another one without it.
- the resource limit on file locks, which Linux stopped enforcing long ago. Anyone can read it, even for a zombie or a process
  that is not dumpable, and only root can raise the hard limit. The agent inherits it as a soft limit from the arbiter, whose
  own limit is set during the spawn; the hard limit is set as soon as the pid is known.

A child of ours is an agent's stray if it is not in our session (agents start in sessions of their own) and one of these holds:

- it has the mark in its environment or as its hard limit;
- it has the mark as its soft limit, and another process leads its session, so it was adopted. (A program of ours that another
  thread started during the spawn has the soft limit, too, but is in our session or leads its own.);
- it was a descendant of the agent when the agent was killed;
- it is in a session that the agent, or a stray of the agent, is in or leads: no other process can enter such a session.

Anything else is left alone. So a process survives if it drops its environment and its limits or leads a session before it has
the hard limit, microseconds after the agent's start. Only levels with namespaces guarantee more.

A mark has the form ``PID-TABLE-SEAT``: the arbiter's pid, a random number, the seat. ``PID-TABLE`` and ``PID`` match all marks
that begin with them.
"""

from __future__ import annotations

import contextlib
import functools
import os
import resource
import signal
from collections.abc import Collection, Iterator, Sequence

from arbiter.agents.launch import tree

VARIABLE = "ARBITER_AGENT"
_RLIMIT_LOCKS = 10
"""RLIMIT_LOCKS, which the module `resource` does not name."""
_TABLE_BITS, _SEAT_BITS = 24, 16
_ROUNDS = 100
"""Retries before giving up on a program that forks faster than it can be killed."""


def new_table() -> str:
    """Return a mark for all agents of a new table."""
    return f"{os.getpid()}-{os.urandom(_TABLE_BITS // 8).hex()}"


def agent_mark(table: str, seat: int) -> str:
    """Return the mark of one agent."""
    return f"{table}-{seat}"


@contextlib.contextmanager
def inherited(mark: str) -> Iterator[None]:
    """Have processes that we start inside this context inherit the mark as a soft limit."""
    soft, hard = resource.getrlimit(_RLIMIT_LOCKS)
    if soft != hard and _matches(_decode(soft), (str(os.getpid()),)):  # another thread is spawning an agent as well
        soft = hard
    # Our hard limit may be too low for this mark: we are then an agent of another arbiter ourselves.
    with contextlib.suppress(ValueError):
        resource.setrlimit(_RLIMIT_LOCKS, (_encode(mark), hard))
    try:
        yield
    finally:
        resource.setrlimit(_RLIMIT_LOCKS, (soft, hard))


def mark_process(pid: int, mark: str) -> None:
    """Set the mark as the hard limit, as soon after the spawn as possible."""
    # The process may have ended, or run a set-uid program, or have a lower limit.
    with contextlib.suppress(OSError, ValueError):
        resource.prlimit(pid, _RLIMIT_LOCKS, (_encode(mark), _encode(mark)))


def has_mark(pid: int, *marks: str) -> bool:
    """Return whether a process of an agent carries one of these marks, or one that begins with it."""
    with contextlib.suppress(OSError):
        soft, hard = resource.prlimit(pid, _RLIMIT_LOCKS)
        if _matches(_decode(hard), marks) or (_matches(_decode(soft), marks) and os.getsid(pid) != pid):
            return True
    variable = f"{VARIABLE}=".encode()
    with contextlib.suppress(OSError):
        for word in tree.contents(f"/proc/{pid}/environ").split(b"\0"):
            if word.startswith(variable):
                return _matches(word[len(variable) :].decode(errors="replace"), marks)
    return False


def _matches(found: str, marks: Sequence[str]) -> bool:
    return any(found == mark or found.startswith(f"{mark}-") for mark in marks)


@functools.lru_cache(maxsize=64)
def _encode(mark: str) -> int:
    arbiter, table, seat = mark.split("-")
    return (int(arbiter) << _TABLE_BITS | int(table, 16)) << _SEAT_BITS | int(seat)


def _decode(limit: int) -> str:
    table, seat = limit >> _SEAT_BITS, limit & ((1 << _SEAT_BITS) - 1)
    return f"{table >> _TABLE_BITS}-{table & ((1 << _TABLE_BITS) - 1):0{_TABLE_BITS // 4}x}-{seat}"


def helpers(leader: int, mark: str) -> Iterator[int]:
    """Yield the other processes of an agent: descendants of its first process, and marked strays with theirs."""
    yield from tree.descendants(leader)
    for child, _ in _children_elsewhere():
        if child != leader and has_mark(child, mark):
            yield child
            yield from tree.descendants(child)


def sweep(*marks: str, session: int = 0, family: Collection[int] = ()) -> int:
    """Kill and reap strays with one of these marks, in this session or family, and their descendants; return their
    number.

    ``session`` is the pid of an agent's first process, ``family`` its descendants when it was killed.
    """
    sessions = {session} if session else set()
    stuck: set[int] = set()
    killed = 0
    for _ in range(_ROUNDS):
        found = [
            (pid, own)
            for pid, own in _children_elsewhere()
            if pid not in stuck and (own in sessions or pid in sessions or pid in family or has_mark(pid, *marks))
        ]
        if not found:
            break
        sessions.update(own for _, own in found)
        for stray, _ in found:
            below = list(tree.descendants(stray))
            # One signal reaches the whole process group, even where processes fork and exit too fast to be listed.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(os.getpgid(stray), signal.SIGKILL)
            for pid in [stray, *below]:
                tree.kill(pid)
        for stray, _ in found:
            if tree.reap(stray) is None:
                stuck.add(stray)
            killed += 1
    return killed


def _children_elsewhere() -> Iterator[tuple[int, int]]:
    """Yield our children in sessions other than ours, each with its session."""
    ours = os.getsid(0)
    for child in tree.children(os.getpid()):
        with contextlib.suppress(ProcessLookupError):
            if (session := os.getsid(child)) != ours:
                yield child, session
