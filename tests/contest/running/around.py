"""Shared by the tests of running contests: contests whose games take milliseconds, and summaries of their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from arbiter.config.game_settings import GameSettings
from arbiter.contest import secret
from arbiter.contest.definition import Contest, Definition
from arbiter.contest.making import make_contest, stop_when
from arbiter.contest.progress import RunResult
from arbiter.contest.report import build_report
from arbiter.contest.secret import Secret
from arbiter.playing.plan import Plan
from arbiter.records.reader import Record, load_record
from tests.nullgame.place import write

VARIED = """
read -r seat
while read -r word prize; do case $word in prize) echo $(((prize * 7 + {}) % 10));; esac; done
"""
"""A shell agent for a whole Auction, whose bid depends on the prize: one wins here, another there."""
CRASHES = "exit 3\n"


def varied(folder: Path, *names: str) -> list[str]:
    """Agents for the Auction, each with bids of its own."""
    return [str(write(folder / f"{name}.sh", VARIED.format(3 * index))) for index, name in enumerate(names)]


def broken(folder: Path, *names: str) -> list[str]:
    """Agents that crash before their first answer."""
    return [str(write(folder / f"{name}.sh", CRASHES)) for name in names]


def auction(
    place: Path,
    agents: Sequence[str],
    schedule: Mapping[str, object] | None = None,
    *,
    name: str = "cup",
    until: str = "",
    rounds: int = 1,
    limits: Mapping[str, str | int] | None = None,
    sandbox: str | None = None,
    clock: str | None = None,
    **more: Any,
) -> Contest:
    """A contest in Auction, whose games are saved below ``place``."""
    settings = GameSettings(options={"rounds": rounds}, limits=limits or {}, sandbox=sandbox, clock=clock)
    definition = Definition(name=name, protocol="auction", agents=tuple(agents), settings=settings, base=str(place))
    contest = make_contest(definition, schedule or {"kind": "round_robin"}, place / "games", workers=1)
    return replace(stop_when(contest, until), **more)


def share_secret(*contests: Contest) -> Secret:
    """Let the deals of these contests follow from the same secret, so that their results can be compared."""
    drawn = secret.draw()
    for contest in contests:
        contest.folder.mkdir(parents=True)
        secret.save(contest.folder, [drawn])
    return drawn


def plan_of(contest: Contest) -> Plan:
    """The plan of a contest that can be run."""
    assert contest.plan is not None
    return contest.plan


def records(folder: Path) -> list[Record]:
    """The saved games of a contest, by number."""
    return [load_record(path) for path in sorted(folder.glob("*.jsonl"))]


def summary(contest: Contest, result: RunResult) -> dict[str, Any]:
    """The parts of a result that must not depend on how the contest was run: all but times and paths."""
    document = build_report(contest, result)
    rows = [replaced(row, think_us=None) for row in document.rows]
    games = [(game.number, game.stage, game.seed, game.seats, game.ranks, game.scores) for game in document.games]
    return {
        "complete": result.complete,
        "answer": (document.verdict, document.answer, document.asked),
        "rows": rows,
        "games": games,
        "digests": [outcome.digest for outcome in result.counted],
        "set aside": result.progress.set_aside,
        "total": result.progress.total,
        "played": result.progress.played,
    }


def replaced(struct: Any, **values: Any) -> dict[str, Any]:
    """A struct as plain data, with some values replaced."""
    return {name: values.get(name, getattr(struct, name)) for name in struct.__struct_fields__}


def footprint(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Every saved game as it is on disk, with inode and time: a game that is played again gets a new file."""
    return {
        path.name: (path.stat().st_ino, path.stat().st_mtime_ns, path.read_bytes()) for path in folder.glob("*.jsonl")
    }


def finished(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """The footprint of the games that have a result: the others are played again."""
    return {name: found for name, found in footprint(folder).items() if b'\n{"type":"result"' in found[2]}
