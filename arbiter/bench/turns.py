"""The arbiter's overhead per turn on this machine."""

from __future__ import annotations

import contextlib

import msgspec

from arbiter.agents.launch import cores
from arbiter.agents.sandbox.levels import Level
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.bench import floor, programs
from arbiter.bench.compare import Compared, alternate
from arbiter.bench.whole_turn import turn_us
from arbiter.config.limits import resolve_limits

_LINE = "ok\n"


class Turns(msgspec.Struct, frozen=True, kw_only=True):
    """Times in microseconds, medians over several rounds."""

    bare_us: float
    """A bare round trip: one line to an agent and one line back."""
    turn_us: float
    """The same round trip as a turn of a game, with clock, referee and record."""
    bare_spawn_us: float
    """A bare spawn of a small program with its pipes, until it is reaped."""
    spawn_us: float
    """The same spawn as a turn of a game with agent lifetime ``move``, without a sandbox."""
    contained_spawn_us: float | None
    """The same turn in the default sandbox of this machine; None if no sandbox works."""
    sandbox: str
    """The level of that sandbox."""
    added_us: float
    """The arbiter's overhead per turn with lifetime ``game``."""
    added_to_spawn_us: float
    """The overhead of arbiter and sandbox per turn with lifetime ``move``."""


def measure(level: Level, *, rounds: int) -> Turns:
    """Measure a number of rounds, each of 1000 turns or 20 spawns."""
    agent = programs.echo()
    with contextlib.ExitStack() as stack:
        stack.enter_context(cores.pinned())
        bare = stack.enter_context(floor.round_trips(agent, _LINE))
        sandbox = programs.bench_sandbox(agent, level, resolve_limits([])[0])
        if sandbox:
            stack.enter_context(sandbox)

        def spawned(sandbox: Sandbox | None) -> Compared:
            return alternate(
                lambda: floor.spawns(agent, _LINE, 20),
                lambda: turn_us(agent, _LINE, 20, lifetime="move", sandbox=sandbox),
                rounds,
            )

        long_lived = alternate(lambda: bare(1000), lambda: turn_us(agent, _LINE, 1000), rounds)
        uncontained = spawned(None)
        contained = spawned(sandbox) if sandbox else None
    default = contained or uncontained
    return Turns(
        bare_us=long_lived.floor,
        turn_us=long_lived.cost,
        bare_spawn_us=default.floor,
        spawn_us=uncontained.cost,
        contained_spawn_us=contained.cost if contained else None,
        sandbox=level,
        added_us=long_lived.cost - long_lived.floor,
        added_to_spawn_us=default.cost - default.floor,
    )
