"""Whether the clocks of this machine can be trusted with games."""

from __future__ import annotations

import select
from statistics import median
from time import monotonic_ns, process_time_ns

import msgspec

from arbiter.agents.clock.schedstat import kernel_reports_waits
from arbiter.agents.launch import cores
from arbiter.agents.sandbox.levels import Level
from arbiter.bench import programs
from arbiter.bench.crowd import Crowd, play_at_once
from arbiter.bench.worker import Task

GAMES_ON_A_CORE = 4
BURN_US = 20_000
LIMIT_US = 50_000
SPIN_NS = 20_000_000

COARSEST_NS = 100_000
"""A step of the clock that still tells quick agents from slow ones."""
LATEST_US = 5_000
"""How late a wait may end: by so much an agent may be heard too late, though it is not charged for it."""
AGREEMENT = 0.02
"""How much of the time the CPU clock may be ahead of the one on the wall."""


class Sharing(msgspec.Struct, frozen=True, kw_only=True):
    """Games that share a core, with agents that keep to their time."""

    games: int
    moves: int
    used_ms: float
    """CPU time that each move takes."""
    limit_ms: float
    late_by_wall: int
    """Moves over the limit on the wall: what ``--clock wall`` would punish."""
    late_by_charge: int
    """Moves that were ruled late; should be none."""
    largest_wall_ms: float
    largest_charge_ms: float


class Clocks(msgspec.Struct, frozen=True, kw_only=True):
    """What was found."""

    step_ns: int
    """Smallest step of the monotonic clock."""
    wait_late_us: float
    """How late a wait of 1 ms usually ends."""
    spin_wall_ms: float
    """A loop of this long on the wall ..."""
    spin_cpu_ms: float
    """... used so much CPU time, at best."""
    kernel_tells: bool
    """Whether waiting for a core is told, which the fair clock needs."""
    sharing: Sharing
    complaints: list[str]
    """What is wrong with them, in words."""

    @property
    def sane(self) -> bool:
        """Nothing is wrong with them."""
        return not self.complaints


def look(level: Level, *, moves: int) -> Clocks:
    """Measure; each of four games has so many moves."""
    wall_ms, cpu_ms = min((_spin() for _ in range(5)), key=lambda spin: spin[0] - spin[1])
    step_ns = min(_step() for _ in range(20))
    late_us = median(_wait() for _ in range(20))
    told = kernel_reports_waits()
    sharing = _share_a_core(level, moves)
    return Clocks(
        step_ns=step_ns,
        wait_late_us=late_us,
        spin_wall_ms=wall_ms,
        spin_cpu_ms=cpu_ms,
        kernel_tells=told,
        sharing=sharing,
        complaints=complain(
            step_ns=step_ns, late_us=late_us, spun=cpu_ms / wall_ms, told=told, late=sharing.late_by_charge
        ),
    )


def complain(*, step_ns: int, late_us: float, spun: float, told: bool, late: int) -> list[str]:
    """What is wrong, if anything; ``spun`` is the CPU time of a loop as a share of its time on the wall."""
    found: list[str] = []
    if step_ns > COARSEST_NS:
        found.append(f"the clock goes in steps of {step_ns / 1e6:.1f} ms: times of quick agents mean nothing")
    if late_us > LATEST_US:
        found.append(f"waits end {late_us / 1000:.0f} ms late: deadlines are noticed that much too late")
    if spun > 1 + AGREEMENT:
        found.append("the CPU clock runs ahead of the clock on the wall: do not use --clock cpu")
    if not told:
        found.append(
            "this kernel does not tell how long a process waited for a core: have no other work done meanwhile"
        )
    elif late:
        found.append(f"{late} moves of agents that kept to their time were ruled late when games shared a core")
    return found


def _step() -> int:
    start = monotonic_ns()
    while (now := monotonic_ns()) == start:
        pass
    return now - start


def _wait() -> float:
    start = monotonic_ns()
    select.poll().poll(1)
    return max(0, monotonic_ns() - start - 1_000_000) / 1000


def _spin() -> tuple[float, float]:
    """Milliseconds on the wall and of CPU time."""
    wall, cpu = monotonic_ns(), process_time_ns()
    while (now := monotonic_ns()) < wall + SPIN_NS:
        pass
    return (now - wall) / 1e6, (process_time_ns() - cpu) / 1e6


def _share_a_core(level: Level, moves: int) -> Sharing:
    task = Task(
        command=programs.burner(),
        burn_us=BURN_US,
        limit_us=LIMIT_US,
        level=level,
        moves=moves,
        cores=tuple(cores.usable()[-1:]),  # the first ones usually have the machine's own work to do
    )
    return sharing_of(play_at_once(task, GAMES_ON_A_CORE))


def sharing_of(crowd: Crowd) -> Sharing:
    """What is to be told of it."""
    return Sharing(
        games=crowd.workers,
        moves=len(crowd.moves),
        used_ms=crowd.task.burn_us / 1000,
        limit_ms=crowd.task.limit_us / 1000,
        late_by_wall=crowd.late_by_wall,
        late_by_charge=crowd.late_by_charge,
        largest_wall_ms=crowd.largest_wall_us / 1000,
        largest_charge_ms=crowd.largest_charge_us / 1000,
    )
