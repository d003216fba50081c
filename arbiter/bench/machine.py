"""All that ``arbiter bench`` finds out about a machine, and what follows from it."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from time import monotonic_ns

import msgspec

from arbiter.agents.clock.steal import StealTime
from arbiter.agents.launch import cores
from arbiter.agents.sandbox.trial import choose
from arbiter.bench import capacity, clocks, turns
from arbiter.bench.capacity import Capacity
from arbiter.bench.clocks import Clocks
from arbiter.bench.turns import Turns
from arbiter.version import __version__


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """The document of ``arbiter bench --json``."""

    arbiter: str
    python: str
    system: str
    cores: int
    busy: float
    """Processes that wanted a core before anything was measured, on average over the last minute."""
    stolen: float
    """Share of its time that the host of a virtual machine took from a core while it was measured. Nobody is charged for it,
    but games take longer."""
    turns: Turns
    clocks: Clocks
    capacity: Capacity
    workers: int
    """As many as are worth having here."""
    sane: bool
    """Whether the clocks can be trusted."""
    advice: str


def look(*, quick: bool = False, tell: Callable[[str], None]) -> Machine:
    """Measure everything; ``tell`` is told what is being measured. ``quick``: a glance, with rougher figures."""
    busy = os.getloadavg()[0]
    start_ns, stolen = monotonic_ns(), StealTime()
    mark = stolen.snapshot(start_ns)
    level = choose("auto").level
    tell("what the arbiter adds to a turn")
    added = turns.look(level, rounds=2 if quick else 9)
    tell("the clocks")
    found = clocks.look(level, moves=3 if quick else 12)
    tell("how many workers it bears")
    borne = capacity.look(level, seconds=0.2 if quick else 1.5)
    workers = worth_having(borne)
    usable = max(1, len(cores.usable()))
    taken_ns = stolen.since(mark, cores.usable())
    stolen.close()
    return Machine(
        arbiter=__version__,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        cores=usable,
        busy=busy,
        stolen=taken_ns / (monotonic_ns() - start_ns),
        turns=added,
        clocks=found,
        capacity=borne,
        workers=workers,
        sane=found.sane,
        advice=advise(workers, found, busy=busy > 0.5 * usable),
    )


def worth_having(borne: Capacity) -> int:
    """As many workers as get more done, and not so many that agents have to wait for each other."""
    unharmed = [load.workers for load in borne.loads if borne.suffering is None or load.workers < borne.suffering]
    return min(borne.enough, max(unharmed, default=1))


def advise(workers: int, found: Clocks, *, busy: bool) -> str:
    """One line."""
    trust = "its clocks are sane" if found.sane else f"mind its clocks: {found.complaints[0]}"
    again = "; it was busy with something else, so measure again when it is not" if busy else ""
    return f"run contests here with --workers {workers}; {trust}{again}"
