"""What the arbiter adds to a turn on this machine, beside what the agent needs for it."""

from __future__ import annotations

import contextlib

import msgspec

from arbiter.agents.launch import cores
from arbiter.agents.sandbox.levels import Level
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.bench import floor, programs
from arbiter.bench.compare import Compared, alternate
from arbiter.bench.whole_turn import turn_us
from arbiter.limits import resolve

_LINE = "ok\n"


class Turns(msgspec.Struct, frozen=True, kw_only=True):
    """Microseconds, medians of several rounds."""

    bare_us: float
    """A line to an agent and its line back, and nothing else."""
    turn_us: float
    """The same as a turn of a game: clock, referee and record."""
    bare_spawn_us: float
    """To start a small program with its pipes, and to see it end."""
    spawn_us: float
    """The same as a turn of a game whose agents live for a move, without a sandbox."""
    contained_spawn_us: float | None
    """The same in the sandbox that games get here; None if they get none."""
    sandbox: str
    """That sandbox."""
    added_us: float
    """To a turn of an agent that lives for the game, by the arbiter."""
    added_to_spawn_us: float
    """To a turn of an agent that lives for a move, by the arbiter and the sandbox."""


def look(level: Level, *, rounds: int) -> Turns:
    """Measure: so many rounds, each of a thousand turns or twenty spawns."""
    agent = programs.echo()
    with contextlib.ExitStack() as staying:
        staying.enter_context(cores.pinned())
        bare = staying.enter_context(floor.round_trips(agent, _LINE))
        home = programs.home_of(agent, level, resolve([])[0])
        if home:
            staying.enter_context(home)

        def spawn(home: Sandbox | None) -> Compared:
            return alternate(
                lambda: floor.spawns(agent, _LINE, 20),
                lambda: turn_us(agent, _LINE, 20, lifetime="move", home=home),
                rounds,
            )

        living = alternate(lambda: bare(1000), lambda: turn_us(agent, _LINE, 1000), rounds)
        loose = spawn(None)
        contained = spawn(home) if home else None
    usual = contained or loose
    return Turns(
        bare_us=living.floor,
        turn_us=living.cost,
        bare_spawn_us=usual.floor,
        spawn_us=loose.cost,
        contained_spawn_us=contained.cost if contained else None,
        sandbox=level,
        added_us=living.cost - living.floor,
        added_to_spawn_us=usual.cost - usual.floor,
    )
