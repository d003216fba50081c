"""The cost of games: games per second on one core, and bytes per packed game, in matches between sample agents of each protocol."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from arbiter.contest.definition import Definition
from arbiter.contest.ledger import Ledger
from arbiter.contest.making import make_contest
from arbiter.contest.progress import ContestProgress
from arbiter.contest.runner import run_contest
from arbiter.records.packed.packing import pack_folder
from arbiter.records.pruning import prune_file
from arbiter.records.writer import SUFFIX
from benchmarks.options import Options
from benchmarks.row import Row

MATCHES = {
    "splendor": (("greedy-cpp", "lookahead"), 60),
    "heroes": (("strong", "sensible", "strong", "sensible"), 60),
    "drones": (("counter", "adaptive"), 60),
    "green_circle": (("strong", "sensible"), 60),
    "rails": (("strong", "sensible"), 40),
}
"""Agents and games; larger matches need fewer bytes per game, since names and headers are shared."""
MOST_BYTES = {"splendor": 700, "heroes": 4096}
WARM_UP = 2
"""Games before timing starts."""
ROOT = Path(__file__).resolve().parents[1]


def rows(_: Options) -> Iterator[Row]:
    """Play a match of each protocol with one worker, and pack its games without kibitz."""
    for protocol, (agents, games) in MATCHES.items():
        with tempfile.TemporaryDirectory(prefix="arbiter-bench-") as folder:
            place = Path(folder)
            yield Row(f"{protocol}: games/s on one core", _play(place, protocol, agents, games), "/s")
            yield Row(f"{protocol}: bytes per packed game", _packed(place), "B", most=MOST_BYTES.get(protocol))


def _play(folder: Path, protocol: str, agents: tuple[str, ...], games: int) -> float:
    definition = Definition(name="bench", protocol=protocol, agents=agents, seats=len(agents), workspace=str(ROOT))
    contest = make_contest(definition, {"kind": "round_robin", "games": games}, folder)
    times: list[float] = []

    def note(progress: ContestProgress, _: Ledger) -> None:
        if progress.now_played:
            times.append(perf_counter())

    if not run_contest(replace(contest, workers=1), note).complete:
        raise RuntimeError(f"the games of {protocol} failed")
    return (games - 1 - WARM_UP) / (times[-1] - times[WARM_UP])


def _packed(folder: Path) -> float:
    """Return the bytes per packed game, without kibitz and logs."""
    (place,) = {path.parent for path in folder.rglob(f"*{SUFFIX}")}
    for path in place.glob(f"*{SUFFIX}"):
        prune_file(path, ("kibitz", "logs"), really=True)
    done = pack_folder(place)
    return done.after / done.games
