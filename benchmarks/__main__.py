"""Measure the speed of the arbiter (``make bench``): every cost is compared with a floor measured in the same run."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path
from time import perf_counter

from benchmarks import history
from benchmarks.options import Options
from benchmarks.row import Row, as_json, table

PARTS = (
    "turns", "game_turns", "records", "start_up", "building", "crowding", "spawned_contest", "games_per_second", "memory",
    "busy", "viewer", "arena", "archive", "capacity", "cluster", "cluster_load", "engines", "fuzz",
)  # fmt: skip
"""Modules of this package, each with a function ``rows``; fast ones first."""


def main() -> None:
    """Measure everything, or the parts chosen with ``--only``, and print the rows."""
    chosen = _arguments()
    options = Options(moves=chosen.moves, games=chosen.games, fuzz=chosen.fuzz)
    rows: list[Row] = []
    for part in chosen.only or PARTS:
        start = perf_counter()
        print(f"measuring {part} …", end="", flush=True, file=sys.stderr)
        rows += importlib.import_module(f"benchmarks.{part}").rows(options)
        print(f" {perf_counter() - start:.0f} s", file=sys.stderr)
    if chosen.history:
        history.append(chosen.history, rows)
    if chosen.json:
        print(json.dumps([as_json(row) for row in rows], indent=2))
    else:
        print(table(rows))
    if chosen.strict and any(row.met is False for row in rows):
        sys.exit(1)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    add = parser.add_argument
    add("--json", action="store_true", help="print one JSON document")
    add("--strict", action="store_true", help="exit with status 1 if a target is missed")
    add("--only", action="append", choices=PARTS, help="measure only this part; repeatable")
    add("--moves", type=int, default=2000, metavar="N", help="moves of each run on busy cores  [default: 2000]")
    add("--games", type=int, default=10_000, metavar="N", help="games after which memory is measured  [default: 10000]")
    add("--fuzz", type=int, default=100_000, metavar="N", help="fuzzed answers for each protocol  [default: 100000]")
    add(
        "--history", type=Path, nargs="?", const=history.default(), metavar="FILE",
        help=f"append the figures to FILE  [default: {history.default()}]",
    )  # fmt: skip
    return parser.parse_args()


if __name__ == "__main__":
    main()
