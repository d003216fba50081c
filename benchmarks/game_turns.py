"""A turn of each of the five games, engine and all, with agents that live for the game and answer at once."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter_ns

from arbiter.agents.launch import cores
from arbiter.bench import floor
from arbiter.bench.compare import alternate
from arbiter.game_settings import GameSettings
from arbiter.one_game import play_game
from arbiter.plan import Plan
from arbiter.planning import make_plan
from arbiter.records.writer import new_record
from benchmarks.agents import INSTANT, compiled
from benchmarks.five import FIVE, Played
from benchmarks.options import Options
from benchmarks.row import Row, compared
from benchmarks.turns import LINE

ROUNDS = 9


def rows(_: Options) -> Iterator[Row]:
    """A turn of every game against a bare round trip for each answer in it."""
    with tempfile.TemporaryDirectory() as folder, cores.pinned(), floor.round_trips(compiled("echo"), LINE) as bare:
        for played in FIVE:
            plan = _plan(played, Path(folder))
            answers = played.seats if plan.protocol.at_once else 1
            found = alternate(lambda: bare(500) * answers, lambda: _turn_us(plan, Path(folder)), ROUNDS)  # noqa: B023
            yield compared(f"a long-lived turn of {played.name}" + (", both seats" if answers > 1 else ""), found, "µs")


def _plan(played: Played, folder: Path) -> Plan:
    agents = [f"{name}={INSTANT / played.name}.c" for name in "abcd"[: played.seats]]
    settings = GameSettings(options=played.options, lifetime="game", sandbox="none")
    return make_plan(played.name, agents, settings, save=folder)


def _turn_us(plan: Plan, folder: Path) -> float:
    """From the first turn to the last: starting and ending the agents is not in it."""
    times: list[int] = []
    report = play_game(
        plan,
        [(entrant, None) for entrant in plan.entrants],
        seed=1,
        number=1,
        open_record=lambda header: new_record(folder, header),
        watch=lambda *_: times.append(perf_counter_ns()),
    )
    if report.faults:
        raise RuntimeError(f"the benchmark's agent faulted: {report.faults[0]}")
    Path(report.record).unlink()
    return (times[-1] - times[0]) / (report.turns - 1) / 1000
