"""Saved games to read, cut and tamper with. They are scripted, so they are always the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from arbiter.agents.ask.answer import Answer
from arbiter.game import Fault, FaultKind
from arbiter.records.reader import Record
from arbiter.records.summary import GameSummary
from tests.nullgame import auction, count_up
from tests.nullgame.script import Script, header_of, perform

Lines = list[dict[str, Any]]
"""A record as plain data: the header, the answers, the result."""


def counting(path: Path, *, seed: int = 3, wall_ns: int = 0, started: str = "2026-11-16T09:15:00.000Z") -> Record:
    """Two seats, eight turns with random outcomes in each, four kinds of fault, a message in multi-byte letters."""
    header = header_of(count_up.protocol, 2, seed=seed, options={"turns": 8, "bonus": True}, started=started)
    late = Fault(FaultKind.LATE, "no answer within 5s")
    script = Script(
        {
            0: ["1 grüße, 世界 🂡", "zehn", late, Answer(0, "3", 1, wall_ns=wall_ns)],
            1: ["2", "9", Answer(1, "", 0, Fault(FaultKind.CRASHED, "exited with status 3"), exit_code=3), "3"],
        }
    )
    return perform(path, count_up.protocol, header, script)


def bidding(path: Path) -> Record:
    """Three seats that move simultaneously, four rounds with random outcomes in each."""
    header = header_of(auction.protocol, 3, seed=2, options={"rounds": 4})
    script = Script({0: ["5", "1", "7", "2"], 1: ["5", "no", "7", "2"], 2: ["0", "1", "6", "2"]}, {2: ["thanks"]})
    return perform(path, auction.protocol, header, script)


def tampered(record: Record, path: Path, change: Callable[[Lines], object]) -> Path:
    """Write a copy of a record with a change to its lines."""
    lines: Lines = [json.loads(line) for line in record.path.read_bytes().splitlines()]
    change(lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def summary(seats: Sequence[str], ranks: Sequence[int], scores: Sequence[float], **more: Any) -> GameSummary:
    """The summary of a game of which nothing else is known."""
    nothing: dict[str, Any] = {
        "record": "", "protocol": "", "seed": 1, "turns": 1, "reason": "", "faults": [], "data": {}, "digest": "",
    }  # fmt: skip
    by_seat = {name: [0] * len(seats) for name in ("think_us", "slowest_us", "answers")}
    return GameSummary(seats=list(seats), ranks=list(ranks), scores=list(scores), **{**nothing, **by_seat, **more})
