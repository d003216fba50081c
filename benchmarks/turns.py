"""The cost of a turn of a game without rules, against the floor: a bare round trip, or a bare spawn, of the same agent."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from itertools import pairwise
from statistics import median
from time import perf_counter_ns

from arbiter.agents.launch import cores
from arbiter.agents.launch.spawn import spawn
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.agents.sandbox.trial import choose
from arbiter.bench import floor
from arbiter.bench.compare import Compared, alternate
from arbiter.bench.programs import home_of, launch_of
from arbiter.bench.whole_turn import turn_us
from arbiter.limits import resolve
from benchmarks.agents import compiled
from benchmarks.options import Options
from benchmarks.row import Row, compared

LINE = "x" * 99 + "\n"
TURNS, SPAWNS, ROUNDS = 250, 10, 100


def rows(_: Options) -> Iterator[Row]:
    """Long-lived and spawned, loose and contained."""
    agent = compiled("echo")
    with cores.pinned(), contained("echo") as home, floor.round_trips(agent, LINE) as bare:
        found = alternate(lambda: bare(TURNS), lambda: turn_us(agent, LINE, TURNS), ROUNDS)
        yield compared("a long-lived turn: null game, recorded", found, "µs", most=2.5)
        found = alternate(lambda: turn_us(agent, LINE, TURNS), lambda: turn_us(agent, LINE, TURNS, home=home), ROUNDS)
        yield compared("the same contained, against uncontained", found, "µs", most=1.05)
    with cores.pinned(), contained("once") as home:
        found = alternate(lambda: floor.spawns(compiled("once"), LINE, SPAWNS), lambda: _in_box(home), ROUNDS)
        yield compared("a spawn inside the box, against a bare one", found, "µs", most=1.3)
        yield compared("a spawned move: null game, recorded", _spawned(None), "µs", most=1.3)
        yield compared("the same contained", _spawned(home), "µs", most=1.3)


def contained(name: str) -> Sandbox:
    """The strongest sandbox to be had here, for one of our agents."""
    home = home_of(compiled(name), choose("auto").level, resolve([])[0])
    if home is None:
        raise SystemExit("no sandbox works here: there is nothing to compare")
    return home


def _in_box(home: Sandbox) -> float:
    """Microseconds to start a process in a box, send it a line, hear its answer, see it end and have the box emptied."""
    launch, limits, data = launch_of(compiled("once"), home), resolve([])[0], LINE.encode()
    times = [perf_counter_ns()]
    for _ in range(SPAWNS):
        process, _ = spawn(launch, limits, home, brief=True, prompt=data)
        ended = select.poll()
        ended.register(process.pidfd, select.POLLIN)
        ended.poll()
        os.read(process.stdout, 65536)
        process.kill()
        times.append(perf_counter_ns())
    return median(later - earlier for earlier, later in pairwise(times)) / 1000


def _spawned(home: Sandbox | None) -> Compared:
    agent = compiled("once")
    return alternate(
        lambda: floor.spawns(agent, LINE, SPAWNS),
        lambda: turn_us(agent, LINE, SPAWNS, lifetime="move", home=home),
        ROUNDS,
    )
