"""All measurements of ``arbiter doctor --bench`` together, and the advice that follows from them."""

from __future__ import annotations

import platform
from collections.abc import Callable
from time import monotonic_ns

import msgspec
import psutil

from arbiter.agents.clock.steal import StealTime
from arbiter.agents.launch import cores
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.bench import capacity, clocks, turns
from arbiter.bench.capacity import Capacity
from arbiter.bench.clocks import Clocks
from arbiter.bench.turns import Turns
from arbiter.version import __version__


class MachineReport(msgspec.Struct, frozen=True, kw_only=True):
    """The document of ``arbiter doctor --bench --json``."""

    arbiter: str
    python: str
    system: str
    cores: int
    """Cores that this process may use."""
    physical_cores: int | None
    """Physical cores of the machine, without hyper-threads; None if unknown."""
    memory_bytes: int
    """Total memory."""
    available_bytes: int
    """Memory available to new processes before anything was measured."""
    busy: float
    """Load average over the last minute before anything was measured."""
    stolen: float
    """CPU steal time of the most affected core, as a share of the measured time. Agents are not charged for it, but games
    take longer."""
    turns: Turns
    clocks: Clocks
    capacity: Capacity
    workers: int
    """The recommended number of workers."""
    sane: bool
    """Whether the clocks can be trusted."""
    advice: str


def measure(*, quick: bool = False, progress: Callable[[str], None]) -> MachineReport:
    """Measure everything and call ``progress`` with the name of each part; ``quick`` gives rougher figures."""
    busy, memory = psutil.getloadavg()[0], psutil.virtual_memory()
    start_ns, steal_time = monotonic_ns(), StealTime()
    snapshot = steal_time.snapshot(start_ns)
    level = choose_sandbox("auto").level
    progress("the overhead per turn")
    overhead = turns.measure(level, rounds=2 if quick else 9)
    progress("the clocks")
    timing = clocks.measure(level, moves=3 if quick else 12)
    progress("how many workers this machine can run")
    throughput = capacity.measure(level, seconds=0.2 if quick else 1.5)
    workers = recommended_workers(throughput)
    usable = max(1, len(cores.usable()))
    stolen_ns = steal_time.since(snapshot, cores.usable())
    steal_time.close()
    return MachineReport(
        arbiter=__version__,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        cores=usable,
        physical_cores=psutil.cpu_count(logical=False),
        memory_bytes=memory.total,
        available_bytes=memory.available,
        busy=busy,
        stolen=stolen_ns / (monotonic_ns() - start_ns),
        turns=overhead,
        clocks=timing,
        capacity=throughput,
        workers=workers,
        sane=timing.sane,
        advice=advise(workers, timing, busy=busy > 0.5 * usable),
    )


def recommended_workers(found: Capacity) -> int:
    """Return the largest number of workers that still raises throughput without slowing down moves."""
    unslowed = [load.workers for load in found.loads if found.suffering is None or load.workers < found.suffering]
    return min(found.enough, max(unslowed, default=1))


def advise(workers: int, found: Clocks, *, busy: bool) -> str:
    """Sum up the measurements in one line of advice."""
    trust = "the clocks can be trusted" if found.sane else f"do not trust the clocks: {found.complaints[0]}"
    again = "; the machine was busy with other work, so measure again when it is idle" if busy else ""
    return f"run contests here with --workers {workers}; {trust}{again}"
