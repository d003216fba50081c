"""Whether the clocks of this machine are good enough to time games."""

from __future__ import annotations

import select
from statistics import median
from time import monotonic_ns, process_time_ns

import msgspec

from arbiter.agents.clock.schedstat import kernel_reports_waits
from arbiter.agents.launch import cores
from arbiter.agents.sandbox.levels import Level
from arbiter.bench import programs
from arbiter.bench.concurrent_games import ConcurrentGames, play_concurrently
from arbiter.bench.worker import Task

GAMES_PER_CORE = 4
BURN_US = 20_000
LIMIT_US = 50_000
SPIN_NS = 20_000_000

COARSEST_NS = 100_000
"""The coarsest clock resolution that still distinguishes fast agents from slow ones."""
LARGEST_OVERSHOOT_US = 5_000
"""The largest acceptable timer overshoot, by which an answer may be read late; the agent is not charged for it."""
CPU_CLOCK_TOLERANCE = 0.02
"""The share by which measured CPU time may exceed the wall time of the same loop."""


class Sharing(msgspec.Struct, frozen=True, kw_only=True):
    """Games that share one core, with agents that stay within their time limit."""

    games: int
    moves: int
    used_ms: float
    """CPU time of each move."""
    limit_ms: float
    """Time limit of each move."""
    late_by_wall: int
    """Moves whose wall time exceeded the limit, which ``--clock wall`` would rule late."""
    late_by_charge: int
    """Moves that were ruled late; should be 0."""
    largest_wall_ms: float
    largest_charge_ms: float


class Clocks(msgspec.Struct, frozen=True, kw_only=True):
    """Properties of this machine's clocks."""

    step_ns: int
    """Resolution of the monotonic clock."""
    wait_late_us: float
    """Median overshoot of a 1 ms timer."""
    spin_wall_ms: float
    """Wall time of a busy loop."""
    spin_cpu_ms: float
    """CPU time of that loop, from the run in which the two were closest."""
    kernel_tells: bool
    """Whether the kernel reports run-queue wait, which the fair clock needs."""
    sharing: Sharing
    complaints: list[str]
    """Problems found, as messages."""

    @property
    def sane(self) -> bool:
        """Whether no problem was found."""
        return not self.complaints


def measure(level: Level, *, moves: int) -> Clocks:
    """Measure the clocks; each of the four games that share a core has ``moves`` moves."""
    wall_ms, cpu_ms = min((_spin() for _ in range(5)), key=lambda spin: spin[0] - spin[1])
    step_ns = min(_resolution() for _ in range(20))
    late_us = median(_overshoot() for _ in range(20))
    wait_known = kernel_reports_waits()
    sharing = _share_a_core(level, moves)
    return Clocks(
        step_ns=step_ns,
        wait_late_us=late_us,
        spin_wall_ms=wall_ms,
        spin_cpu_ms=cpu_ms,
        kernel_tells=wait_known,
        sharing=sharing,
        complaints=problems(
            step_ns=step_ns,
            late_us=late_us,
            cpu_share=cpu_ms / wall_ms,
            wait_known=wait_known,
            late=sharing.late_by_charge,
        ),
    )


def problems(*, step_ns: int, late_us: float, cpu_share: float, wait_known: bool, late: int) -> list[str]:
    """List the problems, if any; ``cpu_share`` is the CPU time of a busy loop divided by its wall time."""
    found: list[str] = []
    if step_ns > COARSEST_NS:
        found.append(f"the clock resolution is only {step_ns / 1e6:.1f} ms: times of fast agents mean nothing")
    if late_us > LARGEST_OVERSHOOT_US:
        found.append(f"timers fire {late_us / 1000:.0f} ms late: deadlines are noticed that much too late")
    if cpu_share > 1 + CPU_CLOCK_TOLERANCE:
        found.append("the CPU clock runs faster than the wall clock: do not use --clock cpu")
    if not wait_known:
        found.append("this kernel does not report run-queue wait: run nothing else during games")
    elif late:
        found.append(f"{late} moves of agents that were within their limit were ruled late when games shared a core")
    return found


def _resolution() -> int:
    start = monotonic_ns()
    while (now := monotonic_ns()) == start:
        pass
    return now - start


def _overshoot() -> float:
    start = monotonic_ns()
    select.poll().poll(1)
    return max(0, monotonic_ns() - start - 1_000_000) / 1000


def _spin() -> tuple[float, float]:
    """Return the wall time and the CPU time of a busy loop, in milliseconds."""
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
        cores=tuple(cores.usable()[-1:]),  # the first cores usually handle the machine's interrupts
    )
    return summarise_games(play_concurrently(task, GAMES_PER_CORE))


def summarise_games(games: ConcurrentGames) -> Sharing:
    """Summarise games that shared a core."""
    return Sharing(
        games=games.workers,
        moves=len(games.moves),
        used_ms=games.task.burn_us / 1000,
        limit_ms=games.task.limit_us / 1000,
        late_by_wall=games.late_by_wall,
        late_by_charge=games.late_by_charge,
        largest_wall_ms=games.largest_wall_us / 1000,
        largest_charge_ms=games.largest_charge_us / 1000,
    )
