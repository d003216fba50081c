"""The cost of a turn of a game without rules, against the floor: a bare round trip, or a bare spawn, of the same agent."""

from __future__ import annotations

from collections.abc import Iterator

from arbiter.agents import cores
from arbiter.agents.sandbox.home import Home, choose
from arbiter.bench import floor
from arbiter.bench.compare import Compared, alternate
from arbiter.bench.programs import home_of
from arbiter.bench.whole_turn import turn_us
from arbiter.limits import resolve
from benchmarks.agents import compiled
from benchmarks.options import Options
from benchmarks.row import Row, compared

LINE = "x" * 99 + "\n"
TURNS, SPAWNS, ROUNDS = 1000, 40, 25


def rows(_: Options) -> Iterator[Row]:
    """Long-lived and spawned, loose and contained."""
    agent = compiled("echo")
    with cores.pinned(), contained("echo") as home, floor.round_trips(agent, LINE) as bare:
        found = alternate(lambda: bare(TURNS), lambda: turn_us(agent, LINE, TURNS), ROUNDS)
        yield compared("a long-lived turn: null game, recorded", found, "µs", most=2.5)
        found = alternate(lambda: turn_us(agent, LINE, TURNS), lambda: turn_us(agent, LINE, TURNS, home=home), ROUNDS)
        yield compared("the same contained, against uncontained", found, "µs", most=1.05)
    with cores.pinned(), contained("once") as home:
        yield compared("a spawned move: null game, recorded", _spawned(None), "µs", most=1.3)
        yield compared("the same contained", _spawned(home), "µs", most=1.3)


def contained(name: str) -> Home:
    """The strongest sandbox to be had here, for one of our agents."""
    home = home_of(compiled(name), choose("auto").level, resolve([])[0])
    if home is None:
        raise SystemExit("no sandbox works here: there is nothing to compare")
    return home


def _spawned(home: Home | None) -> Compared:
    agent = compiled("once")
    return alternate(
        lambda: floor.spawns(agent, LINE, SPAWNS),
        lambda: turn_us(agent, LINE, SPAWNS, lifetime="move", home=home),
        ROUNDS,
    )
