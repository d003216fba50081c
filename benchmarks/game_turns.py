"""A turn of each of the five protocols, rules included, with agents that live for the game and answer immediately."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter_ns

from arbiter.agents.launch import cores
from arbiter.bench import floor
from arbiter.bench.compare import alternate
from arbiter.config.game_settings import GameSettings
from arbiter.game import Game
from arbiter.playing.job import Job
from arbiter.playing.one_game import Hooks, play_game
from arbiter.playing.plan import Plan
from arbiter.playing.planning import make_plan
from arbiter.records.format import AnswerLine
from arbiter.records.summary import ScheduledGame
from benchmarks.agents import INSTANT, compiled
from benchmarks.options import Options
from benchmarks.row import Row, compared
from benchmarks.turns import LINE
from benchmarks.workloads import WORKLOADS, Workload

ROUNDS = 25
MOST = 6


def rows(_: Options) -> Iterator[Row]:
    """Compare a turn of every protocol with one bare round trip for each answer in the turn."""
    with tempfile.TemporaryDirectory() as folder, cores.pinned(), floor.round_trips(compiled("echo"), LINE) as bare:
        for workload in WORKLOADS:
            plan = _plan(workload, Path(folder))
            answers = workload.seats if plan.protocol.simultaneous else 1
            found = alternate(lambda: bare(500) * answers, lambda: _turn_us(plan), ROUNDS)  # noqa: B023
            seats = ", both seats" if answers > 1 else ""
            yield compared(f"a long-lived turn of {workload.name}{seats}", found, "µs", most=MOST)


def _plan(workload: Workload, folder: Path) -> Plan:
    agents = [f"{name}={INSTANT / workload.name}.c" for name in "abcd"[: workload.seats]]
    settings = GameSettings(options=workload.options, lifetime="game", sandbox="none")
    return make_plan(workload.name, agents, settings, save=folder)


def _turn_us(plan: Plan) -> float:
    """Return the mean time per turn from when every agent has started, without their exit."""
    ended: dict[int, int] = {}
    started: dict[int, int] = {}

    def watch(_: Game, line: AnswerLine) -> None:
        ended[line.turn] = perf_counter_ns()
        started.setdefault(line.seat, line.turn)

    job = Job(ScheduledGame(tuple(entrant.agent.name for entrant in plan.entrants), seed=1), 1)
    report = play_game(plan, job, [(entrant, None) for entrant in plan.entrants], hooks=Hooks(watch=watch))
    if report.faults:
        raise RuntimeError(f"the benchmark's agent faulted: {report.faults[0]}")
    Path(report.record).unlink()
    first, last = max(started.values()), max(ended)
    return (ended[last] - ended[first]) / (last - first) / 1000
