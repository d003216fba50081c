"""``make bench``: one table; every cost is a ratio to the floor measured in the same run on the same machine."""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import subprocess
import sys
import time

from tabulate import tabulate

import benchmarks
from benchmarks import turns

FUZZED = 1_000_000

Row = tuple[str, str, str, str, str]


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one document for machines")
    parser.add_argument("--fuzz", type=int, default=FUZZED, metavar="N", help="answers to fuzz each game's reader with")
    chosen = parser.parse_args()
    rows: list[Row] = []
    for what, measure in (
        ("turns", _costs),
        ("engines", _engines),
        ("fuzz", lambda: _fuzz(chosen.fuzz)),
        ("start-up", _help),
    ):
        print(f"measuring {what} …", file=sys.stderr)
        rows += measure()
    if chosen.json:
        print(
            json.dumps(
                [dict(zip(("what", "figure", "floor", "ratio", "aim"), row, strict=True)) for row in rows], indent=2
            )
        )
    else:
        print(tabulate(rows, ["what", "figure", "floor", "ratio", "aim"], disable_numparse=True))


def _costs() -> list[Row]:
    rows: list[Row] = []
    for what, (floor, cost), aim in (
        ("a long-lived turn, null game, recorded", turns.long_lived(), "≤ 3"),
        ("a spawned move, null game, recorded", turns.spawned(), "≤ 1.3"),
        ("the same turn contained, against uncontained", turns.contained_turn(), "≤ 1.05"),
        ("the same spawned move contained, against a bare spawn", turns.contained_spawn(), "≤ 1.3"),
    ):
        rows.append((what, f"{cost:.1f} µs", f"{floor:.1f} µs", f"{cost / floor:.2f}", aim))
    return rows


def _engines() -> list[Row]:
    """Every module ``engine_*`` beside this one measures its game."""
    rows: list[Row] = []
    for module in pkgutil.iter_modules(benchmarks.__path__):
        if module.name.startswith("engine_"):
            engine = importlib.import_module(f"benchmarks.{module.name}")
            per_second = max(engine.run(engine.TURNS) for _ in range(3))
            what = f"{module.name.removeprefix('engine_')}: prompt, read and play"
            rows.append((what, f"{per_second:,.0f} turns/s", "", "", f"≥ {engine.AIM:,}"))
    return rows


def _fuzz(count: int) -> list[Row]:
    """Random and mutated answers: anything but IllegalMove raises right through here."""
    rows: list[Row] = []
    for module in pkgutil.iter_modules(benchmarks.__path__):
        if module.name.startswith("engine_") and count:
            game = module.name.removeprefix("engine_")
            start = time.perf_counter()
            importlib.import_module(f"tests.{game}.fuzz").fuzz(seed=int(start * 1000), count=count)
            rows.append(
                (f"{game}: {count:,} fuzzed answers", f"{time.perf_counter() - start:.0f} s", "", "", "no surprise")
            )
    return rows


def _help() -> list[Row]:
    """Median time of ``arbiter --help`` against a Python that does nothing."""
    floor, cost = _run(["-c", ""]), _run(["-m", "arbiter", "--help"])
    return [("arbiter --help", f"{cost:.0f} ms", f"{floor:.0f} ms", f"{cost / floor:.1f}", "≤ 100 ms")]


def _run(arguments: list[str]) -> float:
    times = []
    for _ in range(11):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
        times.append((time.perf_counter() - start) * 1000)
    return sorted(times)[5]


if __name__ == "__main__":
    main()
