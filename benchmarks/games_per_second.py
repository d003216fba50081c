"""Whole games a second, as contests play them: workers, sandbox, records and ledger, with agents that answer at once."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from arbiter.agents.launch import cores
from arbiter.bench import floor
from arbiter.contest.definition import Definition
from arbiter.contest.ledger import Ledger
from arbiter.contest.making import make_contest
from arbiter.contest.progress import ContestProgress
from arbiter.contest.runner import run
from arbiter.game_settings import GameSettings
from arbiter.records.reader import load
from arbiter.records.writer import SUFFIX
from benchmarks.agents import INSTANT, compiled
from benchmarks.five import FIVE, Played
from benchmarks.options import Options
from benchmarks.row import Row
from benchmarks.turns import LINE

ROUNDS = 2
"""The better one counts: whatever disturbs, slows down."""
SPAWNS, TURNS = 100, 2000
"""Bare ones, to compare with."""
WARM_UP = 5
"""One game in so many is played before the time is taken: until then workers start."""


def rows(_: Options) -> Iterator[Row]:
    """Of every game on one worker, against its bare round trips or spawns, and on two, against one."""
    for played in FIVE:
        pairs = [(_rate(played, 1), _rate(played, 2)) for _ in range(ROUNDS)]
        one, two = max(pair[0] for pair in pairs), max(pair[1] for pair in pairs)
        best = 1e6 / one.bare_us
        yield Row(f"{played.name}: games/s, 1 worker", one.per_s, "/s", best, one.per_s / best)
        ratio = two.per_s / one.per_s
        yield Row(f"{played.name}: games/s, 2 workers", two.per_s, "/s", one.per_s, ratio, least=1.9)


@dataclass(frozen=True, slots=True, order=True)
class _Rate:
    per_s: float
    bare_us: float
    """What the machine takes for one game at the very least: as many bare round trips, or spawns, as it has answers."""


def _rate(played: Played, workers: int) -> _Rate:
    with tempfile.TemporaryDirectory(prefix="arbiter-bench-") as folder:
        definition = Definition(
            name="bench",
            protocol=played.name,
            agents=tuple(f"{name}={INSTANT / played.name}.c" for name in "abcd"[: played.seats]),
            seats=played.seats,
            settings=GameSettings(options=played.options),
            workspace=folder,
        )
        games = played.games * workers
        contest = make_contest(definition, {"kind": "round_robin", "games": games}, Path(folder))
        times: list[float] = []

        def note(progress: ContestProgress, _: Ledger) -> None:
            if progress.now_played:
                times.append(perf_counter())

        ending = run(replace(contest, workers=workers), note)
        faults = [faults for outcome in ending.counted for faults in outcome.faults if faults]
        if faults or not ending.complete:
            raise RuntimeError(f"the games of {played.name} went wrong: {faults} {ending.progress.notes}")
        warm = games // WARM_UP
        per_s = (games - 1 - warm) / (times[-1] - times[warm])
        return _Rate(per_s, _bare_us(contest.folder))


def _bare_us(folder: Path) -> float:
    """Of the games saved there, on average."""
    records = [load(path) for path in folder.glob(f"*{SUFFIX}")]
    answers = sum(len(record.answers) for record in records) / len(records)
    with cores.pinned():
        if records[0].header.seats[0].lifetime == "move":
            return answers * floor.spawns(compiled("once"), LINE, SPAWNS)
        with floor.round_trips(compiled("echo"), LINE) as bare:
            return answers * bare(TURNS)
