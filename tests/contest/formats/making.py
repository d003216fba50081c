"""Invented contests for tests: a schedule, names and outcomes, as if they had been run. No processes, no files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random

import msgspec

from arbiter.config.game_settings import GameSettings
from arbiter.contest.definition import Contest, Definition
from arbiter.contest.ledger import Ledger
from arbiter.contest.progress import ContestProgress, RunResult
from arbiter.contest.report import Report, build_report
from arbiter.contest.scheduled import GameSummary, ScheduledGame
from arbiter.contest.schedules.base import Schedule
from arbiter.contest.schedules.registry import schedule_from_data
from arbiter.contest.statistics.question import parse_question
from arbiter.contest.statistics.until import OpenQuestion
from arbiter.records.format import Header
from tests.contest.fake_game import Game, finished, play_all

FOLDER = Path("/contests/cup")
"""Where records would be; nothing is read from there."""
HOSTILE = (
    "<script>alert(1)</script>",
    "a\"b'c&amp;",
    "line\nbreak\rand\ttab\x1b[31mred",
    "pi|pe `code` *bold* [link](javascript:alert(1))",
    "=1+1",
    "🦊 fox \u202ertl",
    "x" * 300,
    "x" * 299 + "y",
    "javascript:alert(1)",
    "</svg></style><b>",
    "@here #1 https://example.org",
    "\udcff not utf-8",
)
"""Names that try to break a format."""


def contest(
    schedule: Schedule | Mapping[str, object], names: Sequence[str], *, until: str = "", title: str = ""
) -> Contest:
    """A contest of these agents."""
    made = schedule if isinstance(schedule, Schedule) else schedule_from_data(schedule)
    settings = GameSettings(limits={"move": "1s"})
    definition = Definition(name="cup", protocol="rails", agents=tuple(names), seats=made.seats, settings=settings)
    labels = {"title": title} if title else {}
    question = parse_question(until, names) if until else None
    return Contest(definition, tuple(names), made, FOLDER, until=question, question=until, labels=labels)


def ended(
    of: Contest,
    outcomes: Iterable[GameSummary],
    *,
    complete: bool = True,
    set_aside: Mapping[str, int] | None = None,
    not_played: Mapping[int, str] | None = None,
    notes: Sequence[str] = (),
) -> RunResult:
    """As if these games had been played, numbered in this order."""
    ledger = Ledger(FOLDER)
    for number, outcome in enumerate(outcomes, 1):
        ledger.numbers[outcome.game] = number
        record = outcome.record or str(FOLDER / f"{number:05d}.jsonl")
        ledger.played[outcome.game] = msgspec.structs.replace(outcome, number=number, record=record)
    if ledger.played:
        ledger.level = "rlimits"
        ledger.header = Header(
            arbiter="0", protocol="rails", version=3, options={}, seed=1, setup={}, seats=[], started=""
        )
    active = [name for name in of.names if name not in (set_aside or {})]
    progress = ContestProgress(
        of.names,
        of.schedule.total(active, ledger.played),
        len(ledger.played),
        set_aside=dict(set_aside or {}),
        not_played=dict(not_played or {}),
        notes=list(notes),
    )
    counted = list(ledger.played.values())
    if of.until:
        progress.answer = OpenQuestion(of.until, ledger.played).answer(ledger.played)
        counted = counted[: progress.answer.settled_after]
    return RunResult(ledger, counted, progress, complete)


def lively(scheduled: ScheduledGame) -> GameSummary:
    """Any result, with scores, faults and times. The first in the alphabet is the best."""
    luck = Random(f"{scheduled.seats!r} {scheduled.seed} {scheduled.stage}")
    shown = [luck.gauss(-min(ord(name[0]), 200) / 20, 1) for name in scheduled.seats]
    scores = tuple(float(round(30 + 3 * value)) for value in shown)
    return finished(
        scheduled,
        [1 + sum(other > own for other in scores) for own in scores],
        scores,
        second=[score // 2 for score in scores],
        faults=tuple({"late": 2, "illegal": 1} if luck.random() < 0.1 else {} for _ in scheduled.seats),
        think_us=[luck.randint(1000, 90000) for _ in scheduled.seats],
        answers=[30] * len(scheduled.seats),
        turns=luck.randint(20, 60),
        moves_hash=f"{luck.random()}",
    )


def made(
    schedule: Mapping[str, object], names: Sequence[str], game: Game = lively, *, until: str = "", title: str = ""
) -> Report:
    """The report of a contest that was played to its end."""
    of = contest(schedule, names, until=until, title=title)
    return build_report(of, ended(of, play_all(of.schedule, names, game).values()), beside=FOLDER.parent)


@cache
def hostile() -> Report:
    """A contest of agents with hostile names, and more of the same wherever text comes from outside."""
    of = contest({"kind": "round_robin", "games": 4}, HOSTILE, title=HOSTILE[0] + HOSTILE[2])
    outcomes = [
        msgspec.structs.replace(
            outcome,
            record=str(FOLDER / f"{number} <b>|`{HOSTILE[11]}\n.jsonl"),
            moves_hash="same" if number < 4 else outcome.moves_hash,
        )
        for number, outcome in enumerate(play_all(of.schedule, HOSTILE, lively).values())
    ]
    ending = ended(
        of, outcomes, complete=False, set_aside={HOSTILE[4]: 5}, not_played={7: HOSTILE[2]}, notes=[*HOSTILE, "= x"]
    )
    return build_report(of, ending, beside=FOLDER.parent)
