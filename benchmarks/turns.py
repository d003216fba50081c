"""The cost of a turn of the null game, compared with the floor: a bare round trip, or a bare spawn, of the same agent."""

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
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.bench import floor
from arbiter.bench.compare import Compared, alternate
from arbiter.bench.programs import bench_sandbox, launch_for
from arbiter.bench.whole_turn import turn_us
from arbiter.config.limits import resolve_limits
from benchmarks.agents import compiled
from benchmarks.options import Options
from benchmarks.row import Row, compared

LINE = "x" * 99 + "\n"
TURNS, SPAWNS, ROUNDS = 250, 10, 100


def rows(_: Options) -> Iterator[Row]:
    """Measure long-lived and spawned agents, inside and outside a sandbox."""
    agent = compiled("echo")
    with cores.pinned(), sandboxed("echo") as sandbox, floor.round_trips(agent, LINE) as bare:
        found = alternate(lambda: bare(TURNS), lambda: turn_us(agent, LINE, TURNS), ROUNDS)
        yield compared("a long-lived turn: null game, recorded", found, "µs", most=2.5)
        found = alternate(
            lambda: turn_us(agent, LINE, TURNS), lambda: turn_us(agent, LINE, TURNS, sandbox=sandbox), ROUNDS
        )
        yield compared("the same contained, against uncontained", found, "µs", most=1.05)
    with cores.pinned(), sandboxed("once") as sandbox:
        found = alternate(lambda: floor.spawns(compiled("once"), LINE, SPAWNS), lambda: _in_sandbox(sandbox), ROUNDS)
        yield compared("a spawn inside the sandbox, against a bare one", found, "µs", most=1.3)
        yield compared("a spawned move: null game, recorded", _spawned(None), "µs", most=1.3)
        yield compared("the same contained", _spawned(sandbox), "µs", most=1.3)


def sandboxed(name: str) -> Sandbox:
    """Return the strongest sandbox that works on this machine, for one of the compiled agents."""
    sandbox = bench_sandbox(compiled(name), choose_sandbox("auto").level, resolve_limits([])[0])
    if sandbox is None:
        raise SystemExit("no sandbox works on this machine: nothing to compare")
    return sandbox


def _in_sandbox(sandbox: Sandbox) -> float:
    """Return the microseconds to spawn a process in a sandbox, send a line, read the answer, reap it and clean up."""
    launch, limits, data = launch_for(compiled("once"), sandbox), resolve_limits([])[0], LINE.encode()
    times = [perf_counter_ns()]
    for _ in range(SPAWNS):
        process, _ = spawn(launch, limits, sandbox, brief=True, prompt=data)
        ended = select.poll()
        ended.register(process.pidfd, select.POLLIN)
        ended.poll()
        os.read(process.stdout, 65536)
        process.kill()
        times.append(perf_counter_ns())
    return median(later - earlier for earlier, later in pairwise(times)) / 1000


def _spawned(sandbox: Sandbox | None) -> Compared:
    agent = compiled("once")
    return alternate(
        lambda: floor.spawns(agent, LINE, SPAWNS),
        lambda: turn_us(agent, LINE, SPAWNS, lifetime="move", sandbox=sandbox),
        ROUNDS,
    )
