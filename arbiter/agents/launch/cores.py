"""Placing games on cores. Waking an agent on another core costs ten times a round trip on the same one, so a worker and its
agents share a core; agents that use several threads, or think at the same time, get others as far as there are any."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cores:
    """What one worker may use."""

    own: int | None
    """Where it runs; None where processes cannot be placed."""
    spare: tuple[int, ...] = ()
    """Cores that no worker runs on, its share of them."""

    def deal(self, threads: Sequence[int], *, at_once: bool) -> list[frozenset[int] | None]:
        """Cores for agents that use so many threads each; None where they stay with the arbiter. Agents that are asked at
        the same time get one each, if there is one for all of them."""
        apart = at_once and self.own is not None and len(self.spare) >= len(threads) - 1
        dealt: list[frozenset[int] | None] = []
        for seat, count in enumerate(threads):
            own = {self.spare[seat - 1] if apart and seat else self.own}
            more = self.spare[: max(0, count - 1)]
            wanted = frozenset(core for core in {*own, *more} if core is not None)
            dealt.append(wanted if self.own is not None and wanted != {self.own} else None)
        return dealt


def usable() -> list[int]:
    """Cores that this process may run on."""
    try:
        return sorted(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return []


@contextlib.contextmanager
def pinned(worker: int | None = None, workers: int = 1) -> Iterator[Cores]:
    """Keep this process, and the agents it starts meanwhile, on one core. Workers of one run are dealt out over the cores
    by their number; what is left over is shared out among them."""
    allowed = usable()
    if not allowed:
        yield Cores(None)
        return
    own = allowed[(os.getpid() if worker is None else worker) % len(allowed)]
    taken = {own} if worker is None else {allowed[other % len(allowed)] for other in range(workers)}
    left = [core for core in allowed if core not in taken]
    try:
        os.sched_setaffinity(0, {own})
    except OSError:
        yield Cores(None)
        return
    try:
        yield Cores(own, tuple(left[(worker or 0) :: workers]))
    finally:
        os.sched_setaffinity(0, allowed)


def place(pid: int, cores: Iterable[int]) -> None:
    """Let a process run on these cores, and what it starts from now on."""
    with contextlib.suppress(OSError):  # it has ended, or has become somebody else
        os.sched_setaffinity(pid, cores)


@contextlib.contextmanager
def lent(cores: frozenset[int] | None) -> Iterator[None]:
    """What is started meanwhile runs on these cores, with all its threads from the first on; None: where we are."""
    if cores is None:
        yield
        return
    own = usable()
    place(0, cores)
    try:
        yield
    finally:
        place(0, own)
