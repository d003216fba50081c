"""Whole games a second, as contests play them: workers, sandbox, records and ledger, with agents that answer at once."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from arbiter.contest.definition import Terms, make_contest
from arbiter.contest.ledger import Ledger
from arbiter.contest.runner import Progress, run
from benchmarks.agents import INSTANT
from benchmarks.five import FIVE, Played
from benchmarks.options import Options
from benchmarks.row import Row

ROUNDS = 2
"""The better one counts: whatever disturbs, slows down."""
WARM_UP = 5
"""One game in so many is played before the time is taken: until then workers start."""


def rows(_: Options) -> Iterator[Row]:
    """Of every game on one worker and on two, and how much more two get done."""
    for played in FIVE:
        pairs = [(_rate(played, 1), _rate(played, 2)) for _ in range(ROUNDS)]
        one, two = max(pair[0] for pair in pairs), max(pair[1] for pair in pairs)
        yield Row(f"{played.name}: games/s, 1 worker", one, "/s")
        yield Row(f"{played.name}: games/s, 2 workers", two, "/s", one, two / one, least=1.9)


def _rate(played: Played, workers: int) -> float:
    with tempfile.TemporaryDirectory(prefix="arbiter-bench-") as folder:
        terms = Terms(
            name="bench",
            protocol=played.name,
            agents=tuple(f"{name}={INSTANT / played.name}.c" for name in "abcd"[: played.seats]),
            seats=played.seats,
            options=played.options,
            workspace=folder,
        )
        games = played.games * workers
        contest = make_contest(terms, {"kind": "round_robin", "games": games}, Path(folder))
        times: list[float] = []

        def note(progress: Progress, _: Ledger) -> None:
            if progress.now_played:
                times.append(perf_counter())

        ending = run(replace(contest, workers=workers), note)
        faults = [faults for outcome in ending.counted for faults in outcome.faults if faults]
        if faults or not ending.complete:
            raise RuntimeError(f"the games of {played.name} went wrong: {faults} {ending.progress.notes}")
        warm = games // WARM_UP
        return (games - 1 - warm) / (times[-1] - times[warm])
