"""Placing games on cores.

Waking an agent on another core takes ten times a round trip on the same one, so a worker and its agents share a core.
Agents that use several threads, or think at the same time, get spare cores as long as there are any. Placing is two system
calls per spawned move, so it is done with the os module and not with psutil.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterable, Iterator, Sequence

import msgspec

from arbiter.agents.clock import sentinel
from arbiter.agents.launch import tree

_ROUNDS = 10
"""Retries before giving up on a program that starts threads faster than they can be moved."""


class Cores(msgspec.Struct, frozen=True):
    """The cores that one worker may use."""

    own: int | None
    """The core it runs on; None where processes cannot be pinned."""
    spare: tuple[int, ...] = ()
    """Its share of the cores that no worker runs on."""

    def deal(self, threads: Sequence[int], *, at_once: bool) -> list[frozenset[int] | None]:
        """Return the cores of each agent, given how many threads each one uses; None to stay on the arbiter's core. Agents
        asked ``at_once`` get a core each if there are enough for all of them."""
        apart = at_once and self.own is not None and len(self.spare) >= len(threads) - 1
        dealt: list[frozenset[int] | None] = []
        for seat, count in enumerate(threads):
            own = {self.spare[seat - 1] if apart and seat else self.own}
            more = self.spare[: max(0, count - 1)]
            wanted = frozenset(core for core in {*own, *more} if core is not None)
            dealt.append(wanted if self.own is not None and wanted != {self.own} else None)
        return dealt


def usable() -> list[int]:
    """Return the cores that this process may run on."""
    try:
        return sorted(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return []


def idle_cores(workers: int | None = None) -> frozenset[int] | None:
    """Return the cores that play no games; None if there are none. ``workers`` is the number of processes that play; None for this
    process alone."""
    allowed = usable()
    if not allowed:
        return None
    return frozenset(allowed) - _taken(allowed, None, workers) or None


def _own(allowed: Sequence[int], worker: int | None) -> int:
    return allowed[(os.getpid() if worker is None else worker) % len(allowed)]


def _taken(allowed: Sequence[int], worker: int | None, workers: int | None) -> frozenset[int]:
    """Return the cores that all workers of a run are pinned to, or this process if it has none."""
    if workers is None:
        return frozenset({_own(allowed, worker)})
    return frozenset(_own(allowed, other) for other in range(workers))


@contextlib.contextmanager
def pinned(worker: int | None = None, workers: int = 1) -> Iterator[Cores]:
    """Pin this process, and the agents it spawns meanwhile, to one core. The workers of a run are distributed over the
    cores by their number, and the spare cores among them."""
    allowed = usable()
    if not allowed:
        yield Cores(None)
        return
    own = _own(allowed, worker)
    taken = _taken(allowed, worker, None if worker is None else workers)
    left = [core for core in allowed if core not in taken]
    try:
        os.sched_setaffinity(0, {own})
    except OSError:
        yield Cores(None)
        return
    try:
        with sentinel.keep_sentinels():
            yield Cores(own, tuple(left[(worker or 0) :: workers]))
    finally:
        os.sched_setaffinity(0, allowed)


def pin(pid: int, cores: Iterable[int]) -> None:
    """Pin a process, and everything it starts from now on, to these cores."""
    with contextlib.suppress(OSError):  # it has ended, or now runs as another user
        os.sched_setaffinity(pid, cores)


def move(pids: Iterable[int], cores: Collection[int]) -> None:
    """Move all threads of these processes to these cores. A thread inherits the cores of the one that starts it, so once a
    pass finds no new threads, none are left."""
    unmoved, moved = {pid for pid in pids if pid > 0}, set[int]()
    processes = frozenset(unmoved)
    for _ in range(_ROUNDS):
        for thread in unmoved:
            pin(thread, cores)
        moved |= unmoved
        unmoved = {thread for pid in processes for thread in tree.threads(pid)} - moved
        if not unmoved:
            break


@contextlib.contextmanager
def borrowed(cores: frozenset[int] | None) -> Iterator[None]:
    """Spawn on these cores: a process inherits its parent's affinity, so all its threads run there from the start. None
    changes nothing."""
    if cores is None:
        yield
        return
    own = usable()
    pin(0, cores)
    try:
        yield
    finally:
        pin(0, own)
