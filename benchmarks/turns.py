"""The cost of a turn, as a ratio to the floor on the same machine in the same run.

The floor of a long-lived turn is a bare blocking write and read on the pipes of the same agent; the floor of a
spawned move is a bare spawn of the same agent with its pipes. Rounds of both alternate, and medians are compared, so
that a busy moment hits both.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from arbiter.agents import cores
from arbiter.agents.agent import Agent
from arbiter.agents.process import Launch
from arbiter.agents.sandbox.home import Home, choose
from arbiter.agents.sandbox.view import view_of
from arbiter.agents.table import Seat, Table
from arbiter.game import Chance
from arbiter.limits import resolve
from arbiter.records.format import Header
from arbiter.records.writer import RecordWriter
from arbiter.referee import play_out
from benchmarks.agents import compiled
from benchmarks.null_game import LINE, NullGame

ROUNDS = 15


def long_lived(turns: int = 2000) -> tuple[float, float]:
    """Microseconds of a bare round trip and of a whole turn: null game, clock, record and all."""
    agent = compiled("echo")
    line = LINE.encode()
    with cores.pinned(), subprocess.Popen([agent], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bare:
        if bare.stdin is None or bare.stdout is None:
            raise AssertionError("Popen was asked for pipes")
        into, out = bare.stdin.fileno(), bare.stdout.fileno()

        def floor() -> float:
            start = time.perf_counter_ns()
            for _ in range(turns):
                os.write(into, line)
                os.read(out, 65536)
            return (time.perf_counter_ns() - start) / turns / 1000

        medians = _alternate(floor, lambda: _null_game(agent, "game", turns))
        bare.stdin.close()
        return medians


def spawned(turns: int = 40) -> tuple[float, float]:
    """Microseconds of a bare spawn with pipes and of a whole spawned move."""
    agent = compiled("once")
    with cores.pinned():
        return _alternate(lambda: _bare_spawns(agent, turns), lambda: _null_game(agent, "move", turns))


def _bare_spawns(agent: str, turns: int) -> float:
    line = LINE.encode()
    start = time.perf_counter_ns()
    for _ in range(turns):
        with subprocess.Popen(
            [agent], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            if process.stdin is None or process.stdout is None:
                raise AssertionError("Popen was asked for pipes")
            os.write(process.stdin.fileno(), line)
            process.stdin.close()
            os.read(process.stdout.fileno(), 65536)
    return (time.perf_counter_ns() - start) / turns / 1000


def contained_turn(turns: int = 2000) -> tuple[float, float]:
    """Microseconds of a whole turn of a long-lived agent without a sandbox and in the strongest to be had here."""
    agent = compiled("echo")
    with cores.pinned(), _home(agent) as home:
        return _alternate(lambda: _null_game(agent, "game", turns), lambda: _null_game(agent, "game", turns, home))


def contained_spawn(turns: int = 40) -> tuple[float, float]:
    """Microseconds of a bare spawn with pipes and of a whole spawned move in the strongest sandbox to be had here."""
    agent = compiled("once")
    with cores.pinned(), _home(agent) as home:
        return _alternate(lambda: _bare_spawns(agent, turns), lambda: _null_game(agent, "move", turns, home))


def _home(agent: str) -> Home:
    limits, _ = resolve([])
    view = view_of(Agent("bench", agent, (agent,), Path(agent).parent, "C", origin=Path(agent)), [], [])
    return Home(choose("auto").level, view, limits)


def _alternate(floor: Callable[[], float], ours: Callable[[], float]) -> tuple[float, float]:
    measured = [(floor(), ours()) for _ in range(ROUNDS)]
    return statistics.median(pair[0] for pair in measured), statistics.median(pair[1] for pair in measured)


def _null_game(agent: str, lifetime: str, turns: int, home: Home | None = None) -> float:
    limits, _ = resolve([])
    launch = Launch([agent], home.folder if home else "/", {"PATH": os.defpath}, "bench")
    header = Header(arbiter="", protocol="null", version=1, options={}, seed=0, setup=None, seats=[], started="")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        seat = Seat(launch, limits, "game" if lifetime == "game" else "move", home)
        with RecordWriter(path, header) as writer, Table([seat]) as table:
            game = NullGame(turns)
            play_out(game, Chance(0), table, writer)
    return game.turn_us
