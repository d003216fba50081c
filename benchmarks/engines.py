"""Turns a second of the engines alone."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import benchmarks
from benchmarks.engine import Engine
from benchmarks.options import Options
from benchmarks.row import Row

PREFIX = "engine_"


def rows(_: Options) -> Iterator[Row]:
    """The best of three: whatever disturbs, slows down."""
    for game in games():
        engine: Engine = importlib.import_module(f"benchmarks.{PREFIX}{game}").ENGINE
        yield Row(f"{game}: turns/s of the engine", max(engine.run() for _ in range(3)), "/s", least=engine.aim)


def games() -> list[str]:
    """Those that have such a module."""
    names = [module.name for module in pkgutil.iter_modules(benchmarks.__path__)]
    return [name.removeprefix(PREFIX) for name in names if name.startswith(PREFIX)]
