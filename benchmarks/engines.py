"""Turns a second of the engines alone."""

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
    """The best of three: whatever disturbs, slows down. The floor is a game without rules."""
    floor = max(_without_rules() for _ in range(3))
    for game in games():
        engine: Engine = importlib.import_module(f"benchmarks.{PREFIX}{game}").ENGINE
        best = max(engine.run() for _ in range(3))
        what = f"{game}: turns/s of the engine, against no rules"
        yield Row(what, best, "/s", floor, best / floor, least=engine.aim, aim_for_figure=True)


def _without_rules() -> float:
    game = NullGame(TURNS, "ok")
    started = perf_counter_ns()
    while game.result() is None:
        answers = {seat: game.prompt(seat) for seat in game.to_move()}
        game.play({seat: game.read(seat, answer).text for seat, answer in answers.items()})
    return TURNS * 1e9 / (perf_counter_ns() - started)


def games() -> list[str]:
    """Those that have such a module."""
    names = [module.name for module in pkgutil.iter_modules(benchmarks.__path__)]
    return [name.removeprefix(PREFIX) for name in names if name.startswith(PREFIX)]
