"""Turns per second of the rules alone."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from time import perf_counter_ns

import benchmarks
from arbiter.bench.null_game import NullGame
from benchmarks.engine import Engine
from benchmarks.options import Options
from benchmarks.row import Row

PREFIX = "engine_"
TURNS = 100_000


def rows(_: Options) -> Iterator[Row]:
    """Take the best of three runs, since disturbances only slow down. The floor is a game without rules."""
    floor = max(_without_rules() for _ in range(3))
    for protocol in protocols():
        engine: Engine = importlib.import_module(f"benchmarks.{PREFIX}{protocol}").ENGINE
        best = max(engine.run() for _ in range(3))
        what = f"{protocol}: turns/s of the engine, against no rules"
        yield Row(what, best, "/s", floor, best / floor, least=engine.aim, aim_for_figure=True)


def _without_rules() -> float:
    game = NullGame(TURNS, "ok")
    started = perf_counter_ns()
    while game.result() is None:
        answers = {seat: game.prompt(seat) for seat in game.to_move()}
        game.play({seat: game.read(seat, answer).text for seat, answer in answers.items()})
    return TURNS * 1e9 / (perf_counter_ns() - started)


def protocols() -> list[str]:
    """Return the protocols that have a module ``engine_*``."""
    names = [module.name for module in pkgutil.iter_modules(benchmarks.__path__)]
    return [name.removeprefix(PREFIX) for name in names if name.startswith(PREFIX)]
